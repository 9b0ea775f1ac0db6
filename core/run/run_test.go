package run_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// eachCase runs a test for every case, under its path among the cases, and
// returns how many there are.
func eachCase(t *testing.T, test func(*testing.T, *scenario.Scenario)) (found int) {
	const root = "../testdata/cases"
	require.NoError(t, filepath.WalkDir(root, func(file string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(file) != ".yaml" {
			return err
		}
		found++
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.ToSlash(file), root+"/"), ".yaml")
		t.Run(name, func(t *testing.T) {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			s, problems := scenarioyaml.Decode(source)
			require.Empty(t, problems)
			test(t, s)
		})
		return nil
	}))
	require.Greater(t, found, 50)
	return found
}

func TestEveryExpectationHolds(t *testing.T) {
	eachCase(t, func(t *testing.T, s *scenario.Scenario) {
		r, err := run.Do(s)
		require.NoError(t, err)
		for _, f := range r.Outcome.Holds() {
			t.Errorf("line %d: expected %s; %s", f.Expectation.Line, f.Expectation.Text, f.Got)
		}
	})
}

// Replay and outcome read the same log by different means: they have to agree
// after every event, and every accepted message has to be in one place.
func TestCountsAgreeAndAddUpAfterEveryEvent(t *testing.T) {
	eachCase(t, func(t *testing.T, s *scenario.Scenario) {
		r, err := run.Do(s)
		require.NoError(t, err)
		cursor := r.Index.Cursor()
		for n := range r.Log.Len() + 1 {
			counts, moment := cursor.SeekEvents(n).Counts, r.Outcome.After(n)
			require.True(t, counts.AddsUp(), "after %d events: %+v", n, counts)
			require.True(t, moment.AddsUp(), "after %d events: %+v", n, moment)
			require.Equal(t, moment, momentOf(counts), "after %d events, the last being %s", n, r.Log.AppendJSON(nil, max(n-1, 0)))
		}
		assert.Equal(t, outcome.Counts(cursor.SeekEvents(r.Log.Len()).Counts), r.Outcome.Counts)
	})
}

func momentOf(c replay.Counts) outcome.Moment {
	return outcome.Moment{
		Waiting: c.Waiting, InFlight: c.InFlight, Delayed: c.Delayed, Dead: c.Dead, Acked: c.Acked,
		Accepted: c.Accepted, Effects: c.Effects, Expired: c.Expired, Dropped: c.Dropped,
	}
}

func TestSameScenarioSameLog(t *testing.T) {
	eachCase(t, func(t *testing.T, s *scenario.Scenario) {
		a, err := run.Do(s)
		require.NoError(t, err)
		b, err := run.Start(s)
		require.NoError(t, err)
		for b.Step(7) {
		}
		assert.Equal(t, a.Log.Hash(), b.Finish().Log.Hash(), "a run in steps is the same run")
	})
}

func TestCheckSaysWhereInTheFile(t *testing.T) {
	source := `queues: {orders: {}}
producers: {shop: {to: orders, send: [{id: 1}]}}
services: {send_email: {}}
workers:
  mailer:
    from: orders
    handler: |
      def on_message(msg):
          send_mail(msg.id)
          ack(msg)
expect:
  - lost == 0
  - queue("order").acked == 1
`
	s, problems := scenarioyaml.Decode([]byte(source))
	require.Empty(t, problems)
	problems = run.Check(s)
	require.Len(t, problems, 2)
	assert.Equal(t, [3]int{9, 11, 2}, [3]int{problems[0].Line, problems[0].Column, problems[0].HandlerLine})
	assert.Contains(t, problems[0].Text, "send_email")
	assert.Equal(t, [2]int{13, 11}, [2]int{problems[1].Line, problems[1].Column})
	assert.Contains(t, problems[1].Text, `there is no queue "order"; did you mean orders?`)
}
