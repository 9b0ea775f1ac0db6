package replay_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
)

// The runs that seeks are measured in; each meets its limit of 10^6 events.
var longRuns = []struct{ name, source string }{
	{"steady", `
queues: {orders: {visibility_timeout: 1s, max_receives: 3}}
producers: {shop: {to: orders, rate: 32/s, count: 200000}}
services: {send_email: {latency: {mean: 200ms, spread: exponential}, fails: {probability: 5%}}}
workers: {mailer: {from: orders, count: 8, handler: "def on_message(msg):\n  send_email(msg.id)\n  ack(msg)\n", crash: {probability: 1%}}}
`},
	{"backlog", `
queues: {orders: {}}
producers: {shop: {to: orders, rate: 400/s, count: 1000000}}
services: {send_email: {latency: 200ms}}
workers: {mailer: {from: orders, count: 8, handler: "def on_message(msg):\n  send_email(msg.id)\n  ack(msg)\n"}}
`},
	{"storm", `
queues: {orders: {retry: {backoff: exponential, base: 1s, cap: 300s, jitter: full}}}
producers: {shop: {to: orders, rate: 100/s, count: 20000}}
services: {send_email: {latency: 10ms, fails: {from: 0s}}}
workers: {mailer: {from: orders, count: 20, on_error: nack, handler: "def on_message(msg):\n  send_email(msg.id)\n  ack(msg)\n"}}
`},
	{"priority", `
queues: {orders: {order: priority}}
producers: {shop: {to: orders, rate: 100/s, count: 200000, mix: [{share: 90}, {share: 10, priority: 5}]}}
services: {send_email: {latency: 200ms}}
workers: {mailer: {from: orders, count: 8, handler: "def on_message(msg):\n  send_email(msg.id)\n  ack(msg)\n"}}
`},
}

func longRun(b *testing.B, source string) *event.Log {
	s, problems := scenarioyaml.Decode([]byte(source))
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	log, err := sim.Run(s)
	if err != nil {
		b.Fatal(err)
	}
	return log
}

func BenchmarkSeek(b *testing.B) {
	for _, r := range longRuns {
		log := longRun(b, r.source)
		var index *replay.Index
		b.Run(r.name+"/index", func(b *testing.B) {
			for b.Loop() {
				index = replay.New(log)
			}
			b.ReportMetric(float64(log.Len()), "events")
			b.ReportMetric(float64(index.Bytes())/1e6, "MB-checkpoints")
		})
		cursor := index.Cursor()
		b.Run(r.name+"/random", func(b *testing.B) {
			random := rand.New(rand.NewPCG(1, 1))
			for b.Loop() {
				cursor.SeekEvents(random.IntN(log.Len()))
			}
		})
		b.Run(r.name+"/forward", func(b *testing.B) {
			n := 0
			for b.Loop() {
				cursor.SeekEvents(n)
				n = (n + 1) % log.Len()
			}
		})
		b.Run(r.name+"/back", func(b *testing.B) {
			n := log.Len()
			for b.Loop() {
				cursor.SeekEvents(n)
				n--
				if n == 0 {
					n = log.Len()
				}
			}
		})
	}
}

// While a run is computed in slices the page indexes each slice: the longest
// of them must leave time for the simulator.
func BenchmarkExtend(b *testing.B) {
	log := longRun(b, longRuns[0].source)
	var longest time.Duration
	for b.Loop() {
		growing := log.Blank()
		index := replay.New(growing)
		for growing.Len() < log.Len() {
			for range min(10_000, log.Len()-growing.Len()) {
				growing.Append(*log.Event(growing.Len()))
			}
			start := time.Now()
			index.Extend()
			longest = max(longest, time.Since(start))
		}
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest-slice")
}
