package lesson

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// twice is a run in which a worker dies after the email of 101 has left: it is
// handed out again at 400 ms and emailed a second time.
const twice = `{
	"queues": {"orders": {"visibility_timeout": "400ms"}},
	"producers": {"shop": {"to": "orders", "send": [{"id": 101}, {"id": "B 2"}, {"id": 103, "at": "100ms"}]}},
	"services": {"send_email": {"latency": "100ms"}},
	"workers": {"cook": {"from": "orders", "count": 2, "restart_after": "never",
		"crash": [{"message": 101, "receive": 1, "where": "after_effect"}],
		"handler": "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n"}}}`

func runOf(t testing.TB, text string) *run.Run {
	t.Helper()
	s, problems := scenario.DecodeJSON([]byte(text))
	require.Empty(t, problems)
	r, err := run.Do(s)
	require.NoError(t, err)
	return r
}

func TestMomentsAreWrittenAsTheyAreRead(t *testing.T) {
	for _, text := range []string{
		"crashed", "first crashed", "second effect 101", "delivered 101 #2", "last acked", "at 1.2s", "at 400ms",
		"12th line 101 #1 by cook/1 in orders", `delivered "B 2" by cook`, "101st acked", "22nd acked", "hidden_over in orders",
		"accepted order-7", "acked #3",
	} {
		m, err := ParseMoment(text)
		require.NoError(t, err, text)
		assert.Equal(t, text, m.String())
		written, err := json.Marshal(m)
		require.NoError(t, err)
		var again Moment
		require.NoError(t, json.Unmarshal(written, &again))
		assert.Equal(t, m, again)
	}
}

func TestAMomentThatIsNotUnderstoodSaysWhatToWrite(t *testing.T) {
	for text, want := range map[string]string{
		"":                    "write an event such as first crashed",
		"first":               "the event is missing",
		"frist crashed":       "did you mean first?",
		"first crash":         "did you mean crashed?",
		"exploded":            "is not an event",
		"at noon":             `"noon" is not an instant`,
		"at":                  "is not an instant",
		"acked 101 102":       "102 is not understood here",
		"acked #0":            "numbered from 1",
		"acked #x":            "numbered from 1",
		"acked by":            "write the worker",
		"acked in":            "write the queue's name",
		"acked in a by b":     "by is not understood here",
		`acked "101`:          "a quote is not closed",
		"at 1s crashed":       "crashed is not understood here",
		"99999999999th acked": "is not an event",
	} {
		_, err := ParseMoment(text)
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want, text)
		}
	}
}

func TestMomentsAreFound(t *testing.T) {
	log := runOf(t, twice).Log
	for text, want := range map[string]struct {
		kind event.Kind
		at   event.Time
	}{
		"first crashed":            {event.Crashed, 100 * event.Millisecond},
		"delivered 101":            {event.Delivered, 0},
		"delivered 101 #2":         {event.Delivered, 400 * event.Millisecond},
		"second effect 101":        {event.Effect, 500 * event.Millisecond},
		"last acked":               {event.Acked, 500 * event.Millisecond},
		"second acked":             {event.Acked, 200 * event.Millisecond},
		`acked "B 2"`:              {event.Acked, 100 * event.Millisecond},
		"last delivered by cook/2": {event.Delivered, 400 * event.Millisecond},
		"hidden_over in orders":    {event.HiddenOver, 400 * event.Millisecond},
	} {
		m, err := ParseMoment(text)
		require.NoError(t, err)
		i, err := m.Find(log)
		require.NoError(t, err, text)
		assert.Equal(t, want.kind, log.Event(i).Kind, text)
		assert.Equal(t, want.at, log.Event(i).At, text)
	}
	i, err := Moment{Instant: true, At: 150 * event.Millisecond}.Find(log)
	require.NoError(t, err)
	assert.LessOrEqual(t, log.Event(i).At, 150*event.Millisecond)
	assert.Greater(t, log.Event(i+1).At, 150*event.Millisecond)
}

func TestAMomentThatDoesNotHappenSaysWhatDoes(t *testing.T) {
	log := runOf(t, twice).Log
	for text, want := range map[string]string{
		"dead_lettered":      "what happens is accepted",
		"second crashed":     "crashed happens once, at 100ms: write last crashed",
		"ninth acked":        "acked happens 3 times, the last time at 500ms",
		"acked 1O1":          "no message 1O1; did you mean 101?",
		"crashed by cok/1":   "did you mean cook/1?",
		"acked in order":     "did you mean orders?",
		`acked "101"`:        "no message 101",
		"crashed 103":        "there are 1 crashed of others",
		"crashed by cook/2":  "there are 1 crashed of others",
		"delivered 103 #2":   "there are 4 delivered of others",
		"last dead_lettered": "does not happen",
	} {
		m, err := ParseMoment(text)
		require.NoError(t, err, text)
		_, err = m.Find(log)
		if assert.Error(t, err, text) {
			assert.Contains(t, err.Error(), want, text)
		}
	}
}

func FuzzMoment(f *testing.F) {
	f.Add("second effect 101 #2 by cook/1 in orders")
	f.Add(`at 1.2s`)
	f.Add(`last acked "a b"`)
	log := runOf(f, twice).Log
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMoment(text)
		if err != nil {
			return
		}
		again, err := ParseMoment(m.String())
		require.NoError(t, err, "%q as %q", text, m)
		assert.Equal(t, m, again)
		if i, err := m.Find(log); err == nil {
			assert.Less(t, i, log.Len())
		}
	})
}
