package run_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime/metrics"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/naive"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// bound keeps a run short, whatever its file asks for.
func bound(s *scenario.Scenario) {
	s.Limits.Events = min(s.Limits.Events, 3000)
	s.Limits.Time = min(s.Limits.Time, event.Hour)
}

// FuzzRun: any scenario that can be read is run to its end, without a panic;
// its log is JSON, its messages add up, and it is the same run each time.
func FuzzRun(f *testing.F) {
	for _, pattern := range []string{"*.yaml", "rules/*.yaml", "ties/*.yaml"} {
		files, err := filepath.Glob("../testdata/cases/" + pattern)
		require.NoError(f, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(f, err)
			f.Add(source)
		}
	}
	for seed := range uint64(20) {
		f.Add([]byte(naive.Generate(naive.Seeded(seed))))
	}
	f.Fuzz(func(t *testing.T, source []byte) {
		s, problems := scenarioyaml.Decode(source)
		if len(problems) > 0 {
			return
		}
		bound(s)
		checkRun(t, s)
	})
}

// FuzzHandler: any handler that compiles runs to its end, within its limits.
func FuzzHandler(f *testing.F) {
	for _, body := range hostileHandlers {
		f.Add("def on_message(msg):\n    " + body + "\n")
	}
	s, problems := scenarioyaml.Decode([]byte(small))
	require.Empty(f, problems)
	f.Fuzz(func(t *testing.T, source string) {
		own := s.Clone()
		if len(scenario.Set(own, "workers.w.handler", source)) > 0 {
			return
		}
		checkRun(t, own)
	})
}

// small has one of everything that a handler can reach.
const small = `
limits: {events: 300, time: 1m}
queues: {orders: {visibility_timeout: 2s, max_receives: 1}, mails: {}}
producers: {shop: {to: orders, send: [{id: 1, body: {n: [1, 2]}}, {id: "a", key: k}]}}
services: {send: {latency: 1s}}
tables: {seen: {latency: 1s}, sums: {effect: true}}
workers: {w: {from: orders, handler: "def on_message(msg):\n    ack(msg)\n"}}
`

// hostileHandlers are what goes wrong in handlers: loops without an end, values
// without a bound, calls in the wrong order.
var hostileHandlers = []string{
	"ack(msg)", "nack(msg, 1)", "reject(msg); ack(msg)", "extend(msg, 0)", "sleep(3)\n    ack(msg)", "publish(\"orders\", msg.body)",
	"while True: pass", "while True: sleep(0)", "while True: publish(\"mails\", None)", "while True: print(1)", "while True: send(msg.id)",
	"while True: sums.add(msg.id, amount=9223372036854775807)", "for i in range(1000000000): seen.set(i, \"a\" * 1000)",
	"x = [0]\n    while True: x += x", "x = \"a\"\n    while True: x += x", "x = {}\n    while True: x[len(x)] = x", "x = 2\n    while True: x *= x",
	"seen.set(1, [[\"a\" * 1000] * 1000] * 1000)", "publish(\"mails\", {\"a\": [\"b\" * 100000] * 100})", "print(\"a\" * 1000000)", "fail(\"a\" * 1000000)",
	"on_message(msg)", "return [on_message for i in [1]]", "sleep(1e308)", "sleep(-1)", "nack(msg, 1e-300)", "extend(msg, 36000000)",
	"send(msg.id, amount=1 << 62)", "send([msg.id] * 1000)", "msg.body[\"x\"] = msg", "publish(\"mails\", msg)", "publish(\"mails\", float(\"inf\"))",
}

// checkRun runs s and reads everything off it that can be read.
func checkRun(t *testing.T, s *scenario.Scenario) {
	r, err := run.Do(s)
	if err != nil {
		require.NotEmpty(t, err.Error())
		return
	}
	_, ended := r.Log.Ended()
	require.NotEmpty(t, ended)
	require.True(t, r.Index.Cursor().SeekEvents(r.Log.Len()).Counts.AddsUp())
	for i := range r.Log.Len() {
		require.True(t, json.Valid(r.Log.AppendJSON(nil, i)), "%q", r.Log.AppendJSON(nil, i))
	}
	text, err := json.Marshal(r.Outcome)
	require.NoError(t, err)
	require.True(t, json.Valid(text))
	r.Outcome.Holds()
	again, err := run.Do(s.Clone())
	require.NoError(t, err)
	require.Equal(t, r.Log.Hash(), again.Log.Hash())
}

// allocated returns how many bytes of heap do has asked for.
func allocated(do func()) uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	before := sample[0].Value.Uint64()
	do()
	metrics.Read(sample)
	return sample[0].Value.Uint64() - before
}

// TestHostileHandlersAreBounded: what a handler makes in all its runs is
// bounded by its step limit, the meter of sizes and the limit on events.
func TestHostileHandlersAreBounded(t *testing.T) {
	s, problems := scenarioyaml.Decode([]byte(small))
	require.Empty(t, problems)
	for _, body := range hostileHandlers {
		own := s.Clone()
		require.Empty(t, scenario.Set(own, "workers.w.handler", "def on_message(msg):\n    "+body+"\n"), body)
		made := allocated(func() { checkRun(t, own) })
		require.Less(t, made, uint64(most), body)
	}
}

// most is how many bytes two runs of a hostile handler, of two messages once
// each, may make in all.
const most = 512 << 20
