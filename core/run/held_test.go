package run_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// TestARunHoldsOnlySoMuch: whatever handlers keep, across messages or within
// one statement, ends the run at a limit that it names.
func TestARunHoldsOnlySoMuch(t *testing.T) {
	for name, body := range map[string]string{
		"prints":               `print(str(msg.id) + "-" + "x" * 900000)`,
		"prints at once":       `[print(str(msg.id * 10000 + i) + "-" + "x" * 900000) for i in range(5000)]`,
		"publishes":            `publish("more", str(msg.id) + "-" + "x" * 900000)`,
		"publishes at once":    `[publish("more", str(msg.id * 10000 + i) + "-" + "x" * 900000) for i in range(5000)]`,
		"rows":                 `rows.set(msg.id, "x" * 900000)`,
		"keys of side effects": `[work(str(msg.id * 10000 + i) + "-" + "x" * 900000) for i in range(5000)]`,
	} {
		t.Run(name, func(t *testing.T) {
			s, problems := scenarioyaml.Decode([]byte(fmt.Sprintf(`
queues: {jobs: {}, more: {}}
producers: {api: {to: jobs, rate: 1000/s, count: 3000}}
services: {work: {}}
tables: {rows: {}}
workers: {w: {from: jobs, on_error: reject, handler: "def on_message(msg):\n    %s\n    ack(msg)\n"}}
`, quoted(body))))
			require.Empty(t, problems)
			r, err := run.Do(s)
			require.NoError(t, err)
			last := r.Log.Last()
			assert.Equal(t, event.LimitReached, last.Reason)
			assert.Equal(t, "128 MB of texts, bodies and rows", r.Log.Text(last.Text))
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			assert.Less(t, m.HeapAlloc, uint64(300<<20))
			runtime.KeepAlive(r)
		})
	}
	t.Run("rows that are written again", func(t *testing.T) {
		s, problems := scenarioyaml.Decode([]byte(`
queues: {jobs: {}}
producers: {api: {to: jobs, rate: 1000/s, count: 500}}
tables: {rows: {}}
workers: {w: {from: jobs, handler: "def on_message(msg):\n    rows.set(1, \"x\" * 900000)\n    rows.delete(1)\n    rows.set(2, \"x\" * 900000)\n    ack(msg)\n"}}
`))
		require.Empty(t, problems)
		r, err := run.Do(s)
		require.NoError(t, err)
		assert.Equal(t, 500, r.Outcome.Acked)
		assert.Less(t, r.Log.Held(), 2<<20)
	})
}

func quoted(code string) string { return strings.ReplaceAll(code, `"`, `\"`) }

// TestARunTakesOnlySoManySteps: a message whose handler never ends comes back
// for a day; the run ends long before.
func TestARunTakesOnlySoManySteps(t *testing.T) {
	for _, body := range []string{`[x for x in range(10000000)]`, `while True: pass`} {
		s, problems := scenarioyaml.Decode([]byte(fmt.Sprintf(`
queues: {jobs: {}}
producers: {api: {to: jobs, send: [{id: 1}, {id: 2}]}}
workers: {w: {from: jobs, handler: "def on_message(msg):\n    %s\n"}}
`, body)))
		require.Empty(t, problems)
		r, err := run.Do(s)
		require.NoError(t, err)
		last := r.Log.Last()
		assert.Equal(t, event.LimitReached, last.Reason)
		assert.Equal(t, "100000000 steps of handlers", r.Log.Text(last.Text))
		assert.Positive(t, r.Outcome.Redeliveries)
	}
}
