package broker

import (
	"fmt"
	"testing"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/chunk"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// counter is a Host that keeps only what comes next.
type counter struct{ last Delivery }

func (c *counter) Schedule(event.Time, Timer)                    {}
func (c *counter) WakePool(event.Time, int)                      {}
func (c *counter) Deliver(_ event.Time, d Delivery)              { c.last = d }
func (c *counter) Admitted(event.Time, Sender, event.MessageRef) {}

// BenchmarkBroker is send, hand out and ack of one message, eight workers,
// with nothing else of a run around it and no log.
func BenchmarkBroker(b *testing.B) {
	for _, size := range []int{1_000, 100_000, 10_000_000} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			host := &counter{}
			broker, q := stocked(host)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				if n == size {
					b.StopTimer()
					broker, q = stocked(host)
					n = 0
					b.StartTimer()
				}
				m := event.MessageRef(n)
				now := event.Time(n)
				broker.Message(m, 0, 0, uint64(n))
				broker.Send(now, q, m, Sender{0, event.NoWorker}, event.Never)
				d := host.last
				broker.Ack(now, d, event.None)
				broker.RunEnded(now, d.Worker)
				n++
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}

func stocked(host Host) (*Broker, event.QueueRef) {
	broker := New(nil, host, chance.New(1))
	q := broker.AddQueue(scenario.DefaultQueue("jobs"))
	pool := broker.AddPool([]event.QueueRef{q})
	broker.ConfigurePool(0, pool, &scenario.Pool{Prefetch: 1})
	for w := range 8 {
		broker.AddWorker(0, event.WorkerRef(w), pool, w+1)
	}
	return broker, q
}

// Once a broker is warm, send, hand out and ack of a message allocate nothing
// but, every chunk.Size messages, the next piece of its list.
func TestNoAllocationsOnceWarm(t *testing.T) {
	host := &counter{}
	broker, q := stocked(host)
	m := event.MessageRef(0)
	exchange := func() {
		now := event.Time(m)
		broker.Message(m, 0, 0, uint64(m))
		broker.Send(now, q, m, Sender{0, event.NoWorker}, event.Never)
		broker.Ack(now, host.last, event.None)
		broker.RunEnded(now, host.last.Worker)
		m++
	}
	for range 100 {
		exchange()
	}
	few := func() { // together with the run before the counted one within the first piece
		for range 200 {
			exchange()
		}
	}
	if n := testing.AllocsPerRun(1, few); n != 0 {
		t.Errorf("%v allocations in 200 messages", n)
	}
	if int(m) > chunk.Size {
		t.Errorf("%d messages are more than the first piece holds", m)
	}
}
