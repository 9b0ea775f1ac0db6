package story_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/story"
)

// original is what each edit of TestEdits changes a little.
const original = `
seed: 6
queues: {orders: {visibility_timeout: 4s, max_receives: 3}}
producers: {shop: {to: orders, send: [{id: 101, body: {total: 5}}, {id: 102, at: 1s}, {id: 103, at: 2s}]}}
services: {send_email: {latency: {min: 1s, max: 3s}}}
workers:
  mailer:
    from: orders
    crash: {probability: 30%, where: after_effect}
    handler: |
      def on_message(msg):
          send_email(msg.id)
          ack(msg)
timeline: [{at: 30s, pause: shop}]
`

// TestEdits finds where an edit of every kind first shows.
func TestEdits(t *testing.T) {
	var got strings.Builder
	for _, edit := range []struct{ what, path, to string }{
		{"the ack comes first", "workers.mailer.handler", "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n"},
		{"a comment", "workers.mailer.handler", "def on_message(msg):\n    # once\n    send_email(msg.id)\n    ack(msg)\n"},
		{"one worker more", "workers.mailer.count", "2"},
		{"a longer timeout", "queues.orders.visibility_timeout", "9s"},
		{"no timeout", "queues.orders.visibility_timeout", "0s"},
		{"a shorter timeout", "queues.orders.visibility_timeout", "1s"},
		{"fewer tries", "queues.orders.max_receives", "1"},
		{"a quicker service", "services.send_email.latency", "1s"},
		{"a service that fails", "services.send_email.fails.first", "1"},
		{"no crashes", "workers.mailer.crash.probability", "0%"},
		{"another seed", "seed", "4"},
		{"it ends sooner", "until", "3s"},
	} {
		s := decode(t, original)
		require.Empty(t, scenario.Set(s, edit.path, edit.to), edit.what)
		fmt.Fprintf(&got, "%s: %s\n", edit.what, difference(t, s).Text)
	}
	edited := decode(t, strings.Replace(original, "total: 5", "total: 6", 1))
	fmt.Fprintf(&got, "another body: %s\n", difference(t, edited).Text)
	later := decode(t, strings.Replace(original, "at: 1s", "at: 1500ms", 1))
	fmt.Fprintf(&got, "sent later: %s\n", difference(t, later).Text)
	command := decode(t, strings.Replace(original, "pause: shop", "crash: mailer/1", 1))
	fmt.Fprintf(&got, "a crash by hand: %s\n", difference(t, command).Text)
	golden(t, "testdata/edits.txt", got.String())
}

func decode(t *testing.T, source string) *scenario.Scenario {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(source))
	require.NoError(t, problems.Err())
	return s
}

// difference compares the original with s. It checks that what comes before
// the parting is the same, and that the parting is not.
func difference(t *testing.T, s *scenario.Scenario) story.Difference {
	t.Helper()
	before := decode(t, original)
	a, err := sim.Run(before)
	require.NoError(t, err)
	b, err := sim.Run(s)
	require.NoError(t, err)
	d := story.FirstDifference(story.New(before, a, story.Plain), story.New(s, b, story.Plain))
	require.Equal(t, withoutLines(a, d.A), withoutLines(b, d.B))
	if !d.Same {
		require.NotEqual(t, withoutLines(a, d.A+1), withoutLines(b, d.B+1))
	}
	back := story.FirstDifference(story.New(s, b, story.Plain), story.New(before, a, story.Plain))
	require.Equal(t, [2]int{d.A, d.B}, [2]int{back.B, back.A}, "seen from the other side")
	return d
}

// withoutLines are the first n events that are not lines, with what was sent.
func withoutLines(log *event.Log, n int) (events []string) {
	for i := range min(n, log.Len()) {
		e := log.Event(i)
		if e.Kind == event.Line {
			continue
		}
		text := string(log.AppendJSON(nil, i))
		_, text, _ = strings.Cut(text, ",") // its number counts lines
		if e.Kind == event.Crashed || e.Kind == event.HandlerFailed {
			text = fmt.Sprint(e.At, e.Kind) // they name a line
		}
		if e.Kind == event.Accepted {
			m := log.Message(e.Message)
			text += fmt.Sprint(m.Body)
		}
		events = append(events, text)
	}
	return events
}
