// Package naive is a second simulator, written from the text of the rules of
// scenarios alone and used by tests only: what it says happens in a run is
// held against what core/sim says, event by event. Nothing imports it but
// tests.
//
// It is deliberately simple. What is due, what waits and who is idle are
// lists that are searched from the start at every step; nothing is kept that
// could be looked up. It shares with the simulator only what is not in
// question: the scenario's types, the Starlark handlers and the draws by
// name. Start reading at Run, then queue.go for the broker's rules, worker.go
// for the workers', send.go for producers, command.go for the timeline.
package naive

import (
	"fmt"
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Phases at one instant, in order.
const (
	timelinePhase = iota
	timerPhase
	producerPhase
	workerPhase
)

// item is something that is due.
type item struct {
	at        event.Time
	phase     int
	seq       int
	cancelled bool
	do        func()
	live      func() bool // if it is there: whether it would do anything
}

// run is one run of a scenario under way.
type run struct {
	s     *scenario.Scenario // own copy: the timeline changes it
	draws chance.Source
	now   event.Time
	seq   int // counts everything that has an order
	due   []*item
	trace []Event

	messages  []*message
	queues    []*queue
	producers []*producer
	pools     []*pool
	services  []*service
	tables    []*table
}

// Result is what came of a run.
type Result struct {
	Events []Event
	// Lines are the messages that wait at the end, by queue, next out first.
	Lines map[string][]string
	// Places says where each message is at the end: waiting, delayed, in
	// flight, acked, expired, dropped, or "" when no queue has it.
	Places map[string]string
	Queues map[string]QueueResult
	Pools  map[string]PoolResult
}

// QueueResult is what a queue is measured by.
type QueueResult struct {
	Longest int        // the longest line, seen when all of an instant had happened
	Peak    int        // the longest line, with those that go on at once
	Waited  event.Time // by all messages in line together
	Present []string   // messages in it at the end, in order of arrival
	Letters []string   // those that died here and are in a dead-letter queue now, likewise
}

// PoolResult is what a pool is measured by.
type PoolResult struct {
	There, Busy event.Time // by all workers together
}

// Run runs s.
func Run(s *scenario.Scenario) *Result {
	r := &run{s: s.Clone(), draws: chance.New(s.Seed)}
	r.open()
	defer r.stopHandlers()
	for {
		next := r.earliest()
		for next != nil && next.live != nil && !next.live() {
			next.cancel()
			next = r.earliest()
		}
		if next == nil {
			r.end(r.lastEvent(), "quiet")
			break
		}
		if until := r.s.Until; until != event.Never && next.at > until && until <= r.s.Limits.Time {
			r.end(until, "until")
			break
		}
		if limit := r.s.Limits.Time; next.at > limit {
			r.end(limit, "limit")
			break
		}
		if int64(len(r.trace)) >= r.s.Limits.Events {
			r.end(r.lastEvent(), "limit")
			break
		}
		r.elapse(next.at)
		next.cancelled = true
		next.do()
	}
	return r.result()
}

func (r *run) result() *Result {
	x := &Result{
		Events: r.trace, Lines: map[string][]string{}, Places: map[string]string{},
		Queues: map[string]QueueResult{}, Pools: map[string]PoolResult{},
	}
	for _, p := range r.pools {
		x.Pools[p.config.Name] = PoolResult{p.there, p.busy}
	}
	byArrival := slices.Clone(r.messages)
	sort.SliceStable(byArrival, func(i, j int) bool { return byArrival[i].rank < byArrival[j].rank })
	for _, q := range r.queues {
		y := QueueResult{Longest: q.longest, Peak: q.peak, Waited: q.waited}
		for _, m := range byArrival {
			if m.inQueue() && m.queue == q {
				y.Present = append(y.Present, m.name)
			}
			if m.inQueue() && m.origin == q {
				y.Letters = append(y.Letters, m.name)
			}
		}
		x.Queues[q.name] = y
	}
	for _, q := range r.queues {
		r.settleOrder(q)
		for _, m := range q.line {
			x.Lines[q.name] = append(x.Lines[q.name], m.name)
		}
	}
	for _, m := range r.messages {
		x.Places[m.name] = placeNames[m.place]
	}
	return x
}

var placeNames = map[place]string{
	delayed: "delayed", waiting: "waiting", inFlight: "in flight", acked: "acked", expired: "expired", dropped: "dropped",
}

// open makes everything that exists at the start. Producers and the timeline
// are due from the start, in file order; workers are idle in file order.
func (r *run) open() {
	for i := range r.s.Queues {
		r.queues = append(r.queues, &queue{config: &r.s.Queues[i], name: r.s.Queues[i].Name})
	}
	for i := range r.s.Queues {
		if name := r.s.Queues[i].DeadLetter; name != "" {
			r.queue(name)
		}
	}
	for i := range r.s.Services {
		r.services = append(r.services, &service{config: &r.s.Services[i]})
	}
	for i := range r.s.Tables {
		r.tables = append(r.tables, &table{config: &r.s.Tables[i]})
	}
	for i := range r.s.Producers {
		r.openProducer(&r.s.Producers[i])
	}
	for i := range r.s.Workers {
		r.openPool(&r.s.Workers[i])
	}
	for i := range r.s.Timeline {
		entry := &r.s.Timeline[i]
		r.at(entry.At, timelinePhase, func() { r.command(entry) })
	}
}

// at schedules something.
func (r *run) at(t event.Time, phase int, do func()) *item {
	x := &item{at: t, phase: phase, seq: r.next(), do: do}
	r.due = append(r.due, x)
	return x
}

func (r *run) next() int {
	r.seq++
	return r.seq
}

// earliest returns what is due first by (time, phase, sequence).
func (r *run) earliest() *item {
	var first *item
	var kept []*item
	for _, x := range r.due {
		if x.cancelled {
			continue
		}
		kept = append(kept, x)
		if first == nil || x.before(first) {
			first = x
		}
	}
	r.due = kept
	return first
}

func (x *item) before(y *item) bool {
	if x.at != y.at {
		return x.at < y.at
	}
	if x.phase != y.phase {
		return x.phase < y.phase
	}
	return x.seq < y.seq
}

func (x *item) cancel() {
	if x != nil {
		x.cancelled = true
	}
}

func (r *run) emit(e Event) {
	e.At = r.now
	r.trace = append(r.trace, e)
}

// elapse lets the time go on, while nothing happens. What comes and goes at
// one instant never stood in line.
func (r *run) elapse(to event.Time) {
	for _, q := range r.queues {
		if to > r.now {
			q.longest = max(q.longest, len(q.line))
		}
		q.waited += event.Time(len(q.line)) * (to - r.now)
	}
	for _, p := range r.pools {
		for _, w := range p.workers {
			if !w.gone {
				p.there += to - r.now
			}
			if w.run != nil {
				p.busy += to - r.now
			}
		}
	}
	r.now = to
}

func (r *run) end(at event.Time, why string) {
	r.elapse(at)
	for _, q := range r.queues {
		q.longest = max(q.longest, len(q.line))
	}
	r.trace = append(r.trace, Event{At: at, Name: "ended", More: why})
}

func (r *run) lastEvent() event.Time {
	if len(r.trace) == 0 {
		return 0
	}
	return r.trace[len(r.trace)-1].At
}

// queue returns the queue with that name. One that the scenario does not list
// is a dead-letter queue with nothing but defaults.
func (r *run) queue(name string) *queue {
	for _, q := range r.queues {
		if q.name == name {
			return q
		}
	}
	config := scenario.DefaultQueue(name)
	q := &queue{config: &config, name: name}
	r.queues = append(r.queues, q)
	return q
}

// targets returns the queues that a message to that name goes to.
func (r *run) targets(name string) []*queue {
	for i := range r.s.Topics {
		if r.s.Topics[i].Name == name {
			var to []*queue
			for _, q := range r.s.Topics[i].To {
				to = append(to, r.queue(q))
			}
			return to
		}
	}
	return []*queue{r.queue(name)}
}

// messageName tells messages with equal ids apart: 101, then 101#2.
func messageName(id event.ID, occurrence int) string {
	name := id.String()
	if id.Text != "" {
		name = fmt.Sprintf("%q", id.Text)
	}
	if occurrence > 1 {
		name += fmt.Sprintf("#%d", occurrence)
	}
	return name
}
