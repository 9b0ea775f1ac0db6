package sim

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

func decode(t testing.TB, source string) *scenario.Scenario {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(source))
	require.Empty(t, problems)
	return s
}

const crashing = `
queues: {jobs: {visibility_timeout: 2s}}
producers: {api: {to: jobs, rate: 5/s, arrivals: poisson, count: 60}}
services: {work: {latency: {mean: 100ms, spread: exponential}}}
workers:
  worker:
    from: jobs
    count: 3
    crash: {probability: 20%}
    handler: |
      def on_message(msg):
          work(msg.id)
          ack(msg)
`

// drawsOf are the draws that a reader can see: when messages arrive, and which
// first hand-outs crash.
func drawsOf(t *testing.T, s *scenario.Scenario) (arrivals []event.Time, crashes map[string]bool) {
	t.Helper()
	log, err := Run(s)
	require.NoError(t, err)
	crashes = map[string]bool{}
	for i := range log.Len() {
		switch e := log.Event(i); {
		case e.Kind == event.Accepted:
			arrivals = append(arrivals, e.At)
		case e.Kind == event.Crashed && e.Receive == 1:
			crashes[log.MessageID(e.Message).String()] = true
		}
	}
	return arrivals, crashes
}

// TestOneSettingLeavesOtherDrawsAlone is rule 7: what a setting does not
// cause does not change.
func TestOneSettingLeavesOtherDrawsAlone(t *testing.T) {
	arrivals, crashes := drawsOf(t, decode(t, crashing))
	require.NotEmpty(t, crashes)
	for path, value := range map[string]string{
		"workers.worker.count":           "4",
		"services.work.latency":          "150ms",
		"queues.jobs.visibility_timeout": "9s",
		"queues.jobs.max_receives":       "5",
		"workers.worker.restart_after":   "3s",
		"workers.worker.handler":         "def on_message(msg):\n    ack(msg)\n    work(msg.id)\n",
	} {
		s := decode(t, crashing)
		require.Empty(t, scenario.Set(s, path, value), path)
		a, c := drawsOf(t, s)
		assert.Equal(t, arrivals, a, "%s moves the arrivals", path)
		assert.Equal(t, crashes, c, "%s changes which first hand-outs crash", path)
	}
	s := decode(t, crashing)
	s.Seed++
	a, c := drawsOf(t, s)
	assert.NotEqual(t, arrivals, a)
	assert.NotEqual(t, crashes, c)
}

func TestSameScenarioSameLog(t *testing.T) {
	s := decode(t, crashing)
	first, err := Run(s)
	require.NoError(t, err)
	second, err := New(s)
	require.NoError(t, err)
	for second.Step(1) { // one thing at a time gives the same as all at once
	}
	assert.Equal(t, first.Hash(), second.Log().Hash())
}

func TestRunLeavesItsScenarioAlone(t *testing.T) {
	source, err := os.ReadFile("../testdata/cases/six-orders-one-worker.yaml")
	require.NoError(t, err)
	s := decode(t, string(source))
	before := string(s.EncodeJSON())
	_, err = Run(s)
	require.NoError(t, err)
	assert.Equal(t, before, string(s.EncodeJSON()), "a run leaves its scenario as it was")
}
