package scenarioyaml

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// caseFiles are all scenarios that the tests of core run.
func caseFiles(t testing.TB) []string {
	files, err := filepath.Glob("../../testdata/cases/*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob("../../testdata/cases/rules/*.yaml")
	require.NoError(t, err)
	files = append(files, rules...)
	require.Greater(t, len(files), 50)
	return files
}

// withoutPlaces is a copy of s that does not say where it was written.
func withoutPlaces(s *scenario.Scenario) *scenario.Scenario {
	c := s.Clone()
	for i := range c.Workers {
		c.Workers[i].HandlerLine, c.Workers[i].HandlerColumn = 0, 0
	}
	for i := range c.Timeline {
		c.Timeline[i].Line, c.Timeline[i].Column = 0, 0
	}
	for i := range c.Expect {
		c.Expect[i].Line, c.Expect[i].Column = 0, 0
	}
	return c
}

// roundTrip checks that a scenario comes back unchanged from its two forms.
func roundTrip(t testing.TB, s *scenario.Scenario) {
	want := withoutPlaces(s)

	inJSON := s.EncodeJSON()
	fromJSON, problems := scenario.DecodeJSON(inJSON)
	require.NoError(t, problems.Err(), "%s", inJSON)
	require.Equal(t, string(inJSON), string(fromJSON.EncodeJSON()))
	require.Equal(t, want, withoutPlaces(fromJSON))

	inYAML := Encode(s)
	fromYAML, problems := Decode(inYAML)
	require.NoError(t, problems.Err(), "%s", inYAML)
	require.Equal(t, string(inYAML), string(Encode(fromYAML)))
	require.Equal(t, want, withoutPlaces(fromYAML))
}

// TestCases: every case reads without a problem and is the same scenario in
// both forms.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			s, problems := Decode(src)
			require.NoError(t, problems.Err())
			roundTrip(t, s)
		})
	}
}

// TestSetGet: every setting of every case takes its own value back, and its
// default, and is unchanged by both.
func TestSetGet(t *testing.T) {
	for _, file := range caseFiles(t) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		s, problems := Decode(src)
		require.NoError(t, problems.Err())
		before := withoutPlaces(s)
		settings := scenario.Paths(s)
		require.NotEmpty(t, settings)
		for _, setting := range settings {
			value, ok := scenario.Get(s, setting.Path)
			require.True(t, ok, setting.Path)
			require.NoError(t, scenario.Set(s, setting.Path, value).Err(), "%s: %s = %s", file, setting.Path, value)
			require.Equal(t, before, withoutPlaces(s), "%s = %s", setting.Path, value)

			c := s.Clone()
			if problems := scenario.Set(c, setting.Path, ""); len(problems) == 0 {
				again, problems := scenario.DecodeJSON(c.EncodeJSON())
				require.NoError(t, problems.Err(), setting.Path)
				require.Equal(t, withoutPlaces(c), withoutPlaces(again), setting.Path)
			} else {
				require.Equal(t, before, withoutPlaces(c), "%s: a setting that is refused changes nothing", setting.Path)
			}
			require.Equal(t, before, withoutPlaces(s), "%s: a clone shares nothing that is set", setting.Path)
		}
	}
}

func TestHandlerPlace(t *testing.T) {
	for _, test := range []struct {
		name, src    string
		line, column int
	}{
		{"block", "queues: {q: {}}\nworkers:\n  w:\n    from: q\n    handler: |\n      def on_message(msg):\n          ack(msg)\n", 6, 7},
		{"block set in by hand", "queues: {q: {}}\nworkers:\n  w:\n    from: q\n    handler: |2\n\n        # far in\n      def on_message(msg): ack(msg)\n", 6, 7},
		{"in quotes", "queues: {q: {}}\nworkers: {w: {from: q, handler: 'def on_message(msg): ack(msg)'}}\n", 2, 34},
		{"plain", "queues: {q: {}}\nworkers:\n  w:\n    from: q\n    handler: on_message = ack\n", 5, 14},
	} {
		s, problems := Decode([]byte(test.src))
		require.NoError(t, problems.Err(), test.name)
		assert.Equal(t, test.line, s.Workers[0].HandlerLine, test.name)
		assert.Equal(t, test.column, s.Workers[0].HandlerColumn, test.name)
	}
}

// TestEncode shows what the program writes for people.
func TestEncode(t *testing.T) {
	src := `title: Two workers, one flaky mail server
seed: 7
queues: {orders: {visibility_timeout: 1s, max_receives: 3}}
producers:
  shop:
    to: orders
    send:
      - {id: 101, body: {email: asha@example.com, note: "a: b, c"}}
      - {id: 102, body: {email: ravi.example.com}}
      - {id: "103", key: "7"}
services:
  send_email:
    latency: {mean: 200ms, spread: exponential}
    fails: {first: 1}
    error: mail server timed out
workers:
  mailer:
    from: orders
    count: 3
    crash: {probability: 2.5%}
    handler: |
      def on_message(msg):
          send_email(msg.id)

          ack(msg)
timeline:
  - {at: 20s, set: workers.mailer.count, to: 8}
  - {at: 30s, redrive: orders-dead, to: orders}
expect:
  - lost == 0
  - effects_of("send_email", 101) == 1
`
	s, problems := Decode([]byte(src))
	require.NoError(t, problems.Err())
	assert.Equal(t, src, string(Encode(s)))
}
