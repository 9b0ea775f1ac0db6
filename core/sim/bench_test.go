package sim

import (
	"fmt"
	"testing"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// busy is eight workers at 80% load: exponential work of 100 ms and Poisson
// arrivals of 64 a second.
func busy(messages int64, program string) *scenario.Scenario {
	queue := scenario.DefaultQueue("jobs")
	return &scenario.Scenario{
		Seed: 1, Until: event.Never, Limits: scenario.Limits{Events: 1 << 40, Time: scenario.MaxDuration},
		Queues:    []scenario.Queue{queue},
		Producers: []scenario.Producer{{Name: "api", To: "jobs", Rate: scenario.Rate{Count: 64, Period: event.Second}, Arrivals: scenario.Poisson, Count: messages, FirstID: 1, Until: event.Never, Delay: event.Never}},
		Services: []scenario.Service{{
			Name: "work", Latency: scenario.Latency{Kind: scenario.ExponentialLatency, Mean: 100 * event.Millisecond},
			Fails: scenario.Fails{From: event.Never, To: event.Never},
		}},
		Workers: []scenario.Pool{{Name: "worker", From: []string{"jobs"}, Count: 8, Prefetch: 1, RestartAfter: event.Second, Handler: program}},
	}
}

const workAndAck = "def on_message(msg):\n    work(msg.id)\n    ack(msg)\n"

func BenchmarkRun(b *testing.B) {
	goHandler := handler.Func(func(h handler.Host) error {
		if err := h.Call("work", handler.Call{Key: handler.Key{Text: "1"}}); err != nil {
			return err
		}
		h.Ack()
		return nil
	})
	for _, messages := range []int64{1_000, 100_000} {
		b.Run(fmt.Sprintf("starlark/%d", messages), func(b *testing.B) { measure(b, messages) })
		b.Run(fmt.Sprintf("go/%d", messages), func(b *testing.B) { measure(b, messages, WithHandler("worker", goHandler)) })
	}
}

func measure(b *testing.B, messages int64, options ...Option) {
	s := busy(messages, workAndAck)
	b.ReportAllocs()
	events := 0
	for b.Loop() {
		log, err := Run(s, options...)
		if err != nil {
			b.Fatal(err)
		}
		events = log.Len()
	}
	b.ReportMetric(float64(messages)*float64(b.N)/b.Elapsed().Seconds(), "messages/s")
	b.ReportMetric(float64(events)/float64(messages), "events/message")
}
