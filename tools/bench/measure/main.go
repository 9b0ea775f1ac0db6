// Command measure times the core and prints one figure a line: a name, a tab
// and a number. It runs natively and, compiled for js/wasm, in Node; bench
// starts it in both worlds and puts the figures beside the budgets.
//
// Start reading at main. Every rate is a median of several goes, in messages a
// second of processor time.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"unsafe"

	"github.com/ticketrail/ticketrail/core/broker"
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
)

const goes = 5

// parts are what can be measured, in the order in which it is.
var parts = []struct {
	name    string
	measure func()
}{
	{"broker", brokerAlone},
	{"go", func() { wholeRun("go", "", sim.WithHandler("worker", handler.Func(workAndAck))) }},
	{"crash", func() { wholeRun("crash", crashes, sim.WithHandler("worker", handler.Func(workAndAck))) }},
	{"starlark", func() { wholeRun("starlark", "") }},
	{"log", logSize},
	{"seek", seek},
	{"edit", edit},
}

// main measures the parts that are named, or all of them.
func main() {
	for _, p := range parts {
		if len(os.Args) < 2 || slices.Contains(os.Args[1:], p.name) {
			p.measure()
		}
	}
}

func print(name string, value float64) { fmt.Printf("%s\t%g\n", name, value) }

// medianOf returns the median of what several goes return.
func medianOf(once func() float64) float64 {
	var values []float64
	for range goes {
		runtime.GC()
		values = append(values, once())
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// seconds is the processor time that f takes. On a machine that others use
// too, it says more than the time of day.
func seconds(f func()) float64 {
	start := cpuSeconds()
	f()
	return cpuSeconds() - start
}

// hands is the world of a broker that is alone: it keeps the last hand-out.
type hands struct{ last broker.Delivery }

func (h *hands) Schedule(event.Time, broker.Timer)                    {}
func (h *hands) WakePool(event.Time, int)                             {}
func (h *hands) Deliver(_ event.Time, d broker.Delivery)              { h.last = d }
func (h *hands) Admitted(event.Time, broker.Sender, event.MessageRef) {}

// brokerAlone sends, hands out and acks one message after the other, without a
// log. The longest run takes 0.7 GB, which WebAssembly need not have.
func brokerAlone() {
	sizes := []int{1_000, 100_000, 1_000_000, 10_000_000}
	if runtime.GOOS == "js" {
		sizes = sizes[:3]
	}
	for _, n := range sizes {
		repeat := max(1, 100_000/n)
		rate := medianOf(func() float64 {
			took := 0.0
			for range repeat {
				took += exchange(n)
			}
			return float64(n*repeat) / took
		})
		print(fmt.Sprintf("broker/%d", n), rate)
	}
	var before, after runtime.MemStats
	h, b := newBroker()
	pass(b, h, 0, 1_000)
	runtime.ReadMemStats(&before)
	pass(b, h, 1_000, 2_000)
	runtime.ReadMemStats(&after)
	print("broker/allocations", float64(after.Mallocs-before.Mallocs)/1_000)
}

func newBroker() (*hands, *broker.Broker) {
	h := &hands{}
	b := broker.New(nil, h, chance.New(1))
	q := b.AddQueue(scenario.Queue{Name: "jobs"})
	pool := b.AddPool([]event.QueueRef{q})
	b.ConfigurePool(0, pool, &scenario.Pool{Name: "worker", Count: 1, Prefetch: 1})
	b.AddWorker(0, 0, pool, 1)
	return h, b
}

func exchange(n int) float64 {
	h, b := newBroker()
	return seconds(func() { pass(b, h, 0, n) })
}

func pass(b *broker.Broker, h *hands, from, to int) {
	producer := broker.Sender{Producer: 0, Worker: event.NoWorker}
	for m := event.MessageRef(from); int(m) < to; m++ {
		b.Message(m, 0, 0, uint64(m))
		b.Send(event.Time(m), 0, m, producer, event.Never)
		b.Ack(event.Time(m), h.last, event.None)
		b.RunEnded(event.Time(m), 0)
	}
}

func workAndAck(h handler.Host) error {
	if err := h.Call("work", handler.Call{Key: handler.Key{Text: "1"}}); err != nil {
		return err
	}
	h.Ack()
	return nil
}

// busy is eight workers at 80% load: exponential work of 100 ms and Poisson
// arrivals of 64 a second.
func busy(messages int, crashes string) *scenario.Scenario {
	s, problems := scenario.DecodeJSON(fmt.Appendf(nil, `{
		"limits": {"events": 100000000, "time": "9000h"},
		"queues": {"jobs": {}},
		"producers": {"api": {"to": "jobs", "rate": "64/s", "arrivals": "poisson", "count": %d}},
		"services": {"work": {"latency": {"mean": "100ms", "spread": "exponential"}}},
		"workers": {"worker": {"from": "jobs", "count": 8, %s "handler": "def on_message(msg):\n    work(msg.id)\n    ack(msg)\n"}}}`, messages, crashes))
	if len(problems) > 0 {
		fmt.Fprintln(os.Stderr, problems)
		os.Exit(1)
	}
	return s
}

// crashes kill one run of a handler in twenty within its call; the worker is
// back after 100 ms, the message after 30 s.
const crashes = `"restart_after": "100ms", "crash": {"probability": "5%", "where": "before_effect"},`

func mustRun(s *scenario.Scenario, options ...sim.Option) *event.Log {
	log, err := sim.Run(s, options...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return log
}

func wholeRun(name, crashes string, options ...sim.Option) {
	const messages = 50_000
	s := busy(messages, crashes)
	print("run/"+name, medianOf(func() float64 {
		return messages / seconds(func() { mustRun(s, options...) })
	}))
}

// logSize is the memory that a log keeps, with all its tables, by event.
func logSize() {
	var before, after runtime.MemStats
	s := busy(50_000, "")
	runtime.GC()
	runtime.ReadMemStats(&before)
	log := mustRun(s)
	runtime.GC()
	runtime.ReadMemStats(&after)
	print("log/record", float64(unsafe.Sizeof(event.Event{})))
	print("log/event", float64(after.HeapAlloc-before.HeapAlloc)/float64(log.Len()))
	print("log/events_per_message", float64(log.Len())/float64(log.MessageCount()))
}

// seek goes to random instants of a run of a million events.
func seek() {
	log := mustRun(busy(1_000_000/8, ""))
	index := replay.New(log)
	cursor := index.Cursor()
	end := log.Last().At
	var took []float64
	random := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		t := event.Time(random.Int64N(int64(end)))
		took = append(took, 1000*seconds(func() { cursor.Seek(t) }))
	}
	slices.Sort(took)
	print("seek/events", float64(log.Len()))
	print("seek/median", took[len(took)/2])
	print("seek/worst", took[len(took)-1])
}

// edit is a whole new run, from scenario to outcome, as after an edit.
func edit() {
	s := busy(600, "")
	print("edit", 1000*medianOf(func() float64 {
		return seconds(func() {
			if _, err := run.Do(s); err != nil {
				panic(err)
			}
		})
	}))
	print("edit/events", float64(mustRun(s).Len()))
}
