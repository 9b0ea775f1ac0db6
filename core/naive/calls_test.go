package naive

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ticketrail/ticketrail/core/broker"
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// TestRandomCalls drives the broker alone, without the simulator's clock and
// workers, by calls in any order, also such as no simulator would make: acks
// of receipts long past, deaths in the middle of anything. Every answer, every
// event and what is due next must be the naive broker's.
func TestRandomCalls(t *testing.T) {
	calls, events := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		d := newDuel(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"send":       d.send,
			"send too":   d.send, // what is done most is drawn most
			"settle":     d.settleOne,
			"settle too": d.settleOne,
			"finish":     d.finishRun,
			"crash":      d.crash,
			"restart":    d.restart,
			"leave":      d.leave,
			"come":       d.come,
			"redrive":    d.redrive,
			"set":        d.set,
			"wait":       d.wait,
			"":           func(*rapid.T) { d.compare(); calls++ },
		})
		events += d.log.Len()
	})
	require.Positive(t, events)
	t.Logf("%d calls, %d events compared", calls, events)
}

// duel is one broker against the naive one.
type duel struct {
	t *rapid.T

	naive *run
	seen  int // events of the naive trace that were compared

	broker *broker.Broker
	log    *event.Log
	theirs *scenario.Scenario // the broker's settings
	seenBy int

	now     event.Time
	asked   int
	timers  []timer
	wakes   []wake     // by pool: the wake-up asked for last
	given   []delivery // all hand-outs so far
	workers []*worker
	sets    []scenario.Entry
	letters []string // names of dead-letter queues
}

// idle is when nothing is due.
const idle event.Time = 1<<63 - 1

// timer is what the broker asked to be told; they are told in this order.
type timer struct {
	at event.Time
	broker.Timer
}

// wake is a wake-up that the broker asked for, and when it asked.
type wake struct {
	at    event.Time
	asked int
}

// delivery is a hand-out as both know it.
type delivery struct {
	broker.Delivery
	h *handout
}

func newDuel(t *rapid.T) *duel {
	g := &generator{choose: func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(t, what) }}
	s, problems := scenarioyaml.Decode([]byte(g.counter()))
	if len(problems) > 0 {
		t.Fatalf("the generator wrote a scenario that is wrong: %v", problems)
	}
	d := &duel{t: t, naive: &run{s: s.Clone(), draws: chance.New(s.Seed)}, log: &event.Log{}, theirs: s.Clone(), sets: s.Timeline}
	d.naive.s.Timeline = nil
	d.naive.open()
	d.broker = broker.New(d.log, d, chance.New(s.Seed))
	for _, q := range s.Queues {
		d.broker.AddQueue(q)
	}
	for i, q := range s.Queues {
		name := q.DeadLetter
		if name != "" {
			d.broker.LinkDeadLetters(event.QueueRef(i))
		} else {
			name = q.Name + "-dead"
		}
		d.letters = append(d.letters, name)
	}
	for i := range s.Workers {
		d.addPool(i)
	}
	return d
}

func (d *duel) addPool(i int) {
	config := &d.theirs.Workers[i]
	d.log.Pools = append(d.log.Pools, config.Name)
	d.wakes = append(d.wakes, wake{at: idle})
	var from []event.QueueRef
	for _, name := range config.From {
		from = append(from, d.queue(name))
	}
	pool := d.broker.AddPool(from)
	d.broker.ConfigurePool(0, pool, config)
	for n := range int(config.Count) {
		ref := event.WorkerRef(len(d.workers))
		w := d.naive.pools[i].workers[n]
		d.log.Workers = append(d.log.Workers, event.Worker{Pool: i, Number: w.number, Name: w.name})
		d.workers = append(d.workers, w)
		d.broker.AddWorker(0, ref, pool, w.number)
	}
}

// queue returns the broker's queue of that name; dead-letter queues make
// themselves.
func (d *duel) queue(name string) event.QueueRef {
	if q, ok := d.broker.Queue(name); ok {
		return q
	}
	for i, q := range d.theirs.Queues {
		if q.DeadLetter == name || q.Name+"-dead" == name {
			return d.broker.LinkDeadLetters(event.QueueRef(i))
		}
	}
	panic("no queue " + name)
}

// Schedule implements broker.Host.
func (d *duel) Schedule(at event.Time, t broker.Timer) { d.timers = append(d.timers, timer{at, t}) }

// WakePool implements broker.Host.
func (d *duel) WakePool(at event.Time, pool int) {
	d.asked++
	d.wakes[pool] = wake{at, d.asked}
}

// Deliver implements broker.Host.
func (d *duel) Deliver(_ event.Time, x broker.Delivery) {
	d.given = append(d.given, delivery{Delivery: x})
}

// Admitted implements broker.Host.
func (d *duel) Admitted(event.Time, broker.Sender, event.MessageRef) {}

// compare holds the events since the last call against each other, and what is
// due next.
func (d *duel) compare() {
	for i := range d.given {
		x := &d.given[i]
		if x.h == nil {
			x.h = d.naive.messages[x.Message].last
			if x.h == nil || x.h.receipt != int64(x.Receipt) {
				d.t.Fatalf("%s is handed out with receipt %d, by the naive broker as %+v", d.naive.messages[x.Message].name, x.Receipt, x.h)
			}
		}
	}
	ours := slices.DeleteFunc(slices.Clone(d.naive.trace[d.seen:]), func(e Event) bool { return !madeByBroker(e.Name) })
	theirs := Project(d.log)[d.seenBy:]
	if i := firstDifference(ours, theirs); i >= 0 {
		d.t.Fatalf("they part:\n%s", part(ours, theirs, i))
	}
	d.seen, d.seenBy = len(d.naive.trace), d.seenBy+len(theirs)
	_, a := d.ourNext()
	_, b := d.theirNext()
	if a != b {
		d.t.Fatalf("due next: naive %s, broker %s", instant(a), instant(b))
	}
}

// madeByBroker reports whether it is the broker that writes such events.
func madeByBroker(name string) bool {
	return Compared(name) && name != "crashed" && name != "restarted" && name != "refused"
}

func firstDifference(a, b []Event) int {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return i
		}
	}
	return -1
}

// ourNext returns what is due next for the naive broker: a timer, or the end
// of a pool's rate limit. Handlers never begin here. As in a run, what comes
// up first and would do nothing is forgotten.
func (d *duel) ourNext() (*item, event.Time) {
	for {
		var next *item
		for _, x := range d.naive.due {
			if !x.cancelled && (x.phase == timerPhase || d.isAlarm(x)) && (next == nil || x.before(next)) {
				next = x
			}
		}
		switch {
		case next == nil:
			return nil, idle
		case next.live == nil || next.live():
			return next, next.at
		}
		next.cancelled = true
	}
}

func (d *duel) isAlarm(x *item) bool {
	return slices.ContainsFunc(d.naive.pools, func(p *pool) bool { return p.alarm == x })
}

// theirNext returns what is due next for the broker: the index of a timer, or
// -1 - pool for a wake-up; likewise.
func (d *duel) theirNext() (which int, at event.Time) {
	for {
		at = idle
		for i, x := range d.timers {
			if x.at < at {
				which, at = i, x.at
			}
		}
		for pool, w := range d.wakes {
			if w.at < at || w.at == at && which < 0 && w.asked < d.wakes[-1-which].asked {
				which, at = -1-pool, w.at
			}
		}
		switch {
		case at == idle:
			return 0, idle
		case which < 0 && d.broker.WakeLive(at, -1-which), which >= 0 && d.broker.Live(d.timers[which].Timer):
			return which, at
		}
		d.forget(which)
	}
}

func (d *duel) forget(which int) {
	if which < 0 {
		d.wakes[-1-which].at = idle
	} else {
		d.timers = slices.Delete(d.timers, which, which+1)
	}
}

// pass does all that is due up to t.
func (d *duel) pass(t event.Time) {
	for {
		ours, at := d.ourNext()
		if at > t {
			break
		}
		which, _ := d.theirNext()
		d.now, d.naive.now = at, at
		if which < 0 {
			d.forget(which)
			d.broker.Wake(at, -1-which)
		} else {
			told := d.timers[which].Timer
			d.forget(which)
			d.broker.Timer(at, told)
		}
		ours.cancelled = true
		ours.do()
		d.compare()
	}
	d.now, d.naive.now = t, t
}

func (d *duel) wait(t *rapid.T) {
	_, next := d.ourNext()
	if next != idle && rapid.Bool().Draw(t, "until something is due") {
		d.pass(next)
		return
	}
	d.pass(d.now + event.Time(rapid.IntRange(0, 4).Draw(t, "halves"))*event.Second/2)
}

func (d *duel) send(t *rapid.T) {
	name := rapid.SampledFrom(append(namesOf(d.theirs), d.letters...)).Draw(t, "queue")
	key := rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(t, "key")
	priority := rapid.Int64Range(-1, 1).Draw(t, "priority")
	delay := rapid.SampledFrom([]event.Time{event.Never, 0, event.Second}).Draw(t, "delay")
	q := d.queue(name)
	m := &message{id: event.ID{Number: int64(len(d.naive.messages))}, key: key, priority: priority, delay: delay, chance: uint64(len(d.naive.messages))}
	d.naive.register(m)
	ref := d.log.AddMessage(&event.Message{ID: m.id, Key: key, Priority: int32(priority), Queue: q, Producer: 0, Parent: event.NoMessage})
	d.broker.Message(ref, d.log.MessageKey(ref), int32(priority), m.chance)
	ours, theirs := &sender{m: m}, broker.Sender{Producer: event.NoProducer, Worker: event.NoWorker}
	var publishers []int
	for i, w := range d.workers {
		if len(w.held) > 0 {
			publishers = append(publishers, i)
		}
	}
	if len(publishers) > 0 && rapid.Bool().Draw(t, "by a handler") {
		i := rapid.SampledFrom(publishers).Draw(t, "worker")
		ours.run, theirs.Worker = &handlerRun{r: d.naive, w: d.workers[i]}, event.WorkerRef(i)
	} else {
		ours.producer, theirs.Producer = d.shop(), 0
	}
	a, b := d.naive.offer(ours, d.naive.queue(name)), d.broker.Send(d.now, q, ref, theirs, delay)
	if int(a) != int(b) {
		d.t.Fatalf("%s sent to %s: naive %v, broker %v", m.name, name, a, b)
	}
}

// shop is a producer that has nothing to send by itself.
func (d *duel) shop() *producer {
	if len(d.naive.producers) == 0 {
		d.naive.producers = append(d.naive.producers, &producer{config: &scenario.Producer{Name: "shop"}})
		d.log.Producers = append(d.log.Producers, "shop")
	}
	return d.naive.producers[0]
}

func namesOf(s *scenario.Scenario) (names []string) {
	for i := range s.Queues {
		names = append(names, s.Queues[i].Name)
	}
	return names
}

// settleOne acks, nacks, rejects or extends any hand-out there has been.
func (d *duel) settleOne(t *rapid.T) {
	if len(d.given) == 0 {
		return
	}
	back := rapid.IntRange(0, len(d.given)-1).Draw(t, "hand-outs ago")
	x := d.given[len(d.given)-1-back]
	delay := rapid.SampledFrom([]event.Time{event.Never, 0, event.Second}).Draw(t, "delay")
	var a, b bool
	what := rapid.SampledFrom([]string{"ack", "nack", "extend", "reject"}).Draw(t, "what")
	switch what {
	case "ack":
		a, b = d.naive.ack(x.h), d.broker.Ack(d.now, x.Delivery, event.None)
	case "nack":
		a, b = d.naive.nack(x.h, delay, event.None), d.broker.Nack(d.now, x.Delivery, delay, event.None)
	case "reject":
		a, b = d.naive.reject(x.h, event.None), d.broker.Reject(d.now, x.Delivery, event.None)
	case "extend":
		by := rapid.SampledFrom([]event.Time{event.Second, 0, 3 * event.Second}).Draw(t, "by")
		a, b = d.naive.extend(x.h, by), d.broker.Extend(d.now, x.Delivery, by)
	}
	if a != b {
		d.t.Fatalf("%s of %s, receipt %d: naive %v, broker %v", what, x.h.m.name, x.Receipt, a, b)
	}
}

// one draws a worker of which something holds; nil when there is none.
func (d *duel) one(t *rapid.T, holds func(w *worker) bool) (*worker, event.WorkerRef) {
	var list []int
	for i, w := range d.workers {
		if holds(w) {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, event.NoWorker
	}
	i := rapid.SampledFrom(list).Draw(t, "worker")
	return d.workers[i], event.WorkerRef(i)
}

// finishRun ends a worker's run with the first of its hand-outs, settled or not.
func (d *duel) finishRun(t *rapid.T) {
	w, ref := d.one(t, func(w *worker) bool { return len(w.held) > 0 })
	if w == nil {
		return
	}
	w.held = w.held[1:]
	w.idle = d.naive.next()
	if w.leaving && len(w.held) == 0 {
		w.gone, w.leaving = true, false
	}
	d.naive.settle()
	d.broker.RunEnded(d.now, ref)
}

func (d *duel) crash(t *rapid.T) {
	w, ref := d.one(t, func(w *worker) bool { return !w.down && !w.gone })
	if w == nil {
		return
	}
	for _, q := range d.naive.queues {
		for _, s := range slices.Clone(q.door) {
			if s.run != nil && s.run.w == w {
				d.naive.withdraw(s.run)
			}
		}
	}
	d.naive.crash(w)
	d.broker.Withdraw(ref)
	d.broker.Crash(d.now, ref)
}

func (d *duel) restart(t *rapid.T) {
	w, ref := d.one(t, func(w *worker) bool { return w.down && !w.gone })
	if w == nil {
		return
	}
	d.naive.restart(w)
	d.broker.Restart(d.now, ref)
}

// leave takes a worker out; it keeps the hand-out that it works on.
func (d *duel) leave(t *rapid.T) {
	w, ref := d.one(t, func(w *worker) bool { return !w.gone && !w.leaving })
	if w == nil {
		return
	}
	var back []broker.Delivery
	for _, h := range w.held[min(1, len(w.held)):] {
		i := slices.IndexFunc(d.given, func(x delivery) bool { return x.h == h })
		back = append(back, d.given[i].Delivery)
	}
	w.leaving = true
	if len(w.held) > 0 {
		w.run = &handlerRun{r: d.naive, w: w, h: w.held[0]}
	}
	d.naive.leave(w)
	w.run = nil
	d.naive.settle()
	d.broker.RemoveWorker(ref)
	for _, x := range back {
		d.broker.GiveBack(d.now, x)
	}
	d.broker.Serve(d.now, slices.Index(d.naive.pools, w.pool))
}

// come brings a worker back that left, or lets one stay that has not gone yet.
func (d *duel) come(t *rapid.T) {
	w, ref := d.one(t, func(w *worker) bool { return w.gone || w.leaving })
	if w == nil {
		return
	}
	if w.leaving {
		w.leaving = false
	} else {
		w.gone, w.down, w.idle = false, false, d.naive.next()
	}
	d.naive.settle()
	pool := slices.Index(d.naive.pools, w.pool)
	d.broker.AddWorker(d.now, ref, pool, w.number)
	d.broker.Serve(d.now, pool)
}

func (d *duel) redrive(t *rapid.T) {
	from := rapid.SampledFrom(d.letters).Draw(t, "letters")
	e := scenario.Entry{Redrive: from}
	to := event.NoQueue
	if rapid.Bool().Draw(t, "to another queue") {
		e.RedriveTo = rapid.SampledFrom(namesOf(d.theirs)).Draw(t, "to")
		to = d.queue(e.RedriveTo)
	}
	if e.RedriveTo == from {
		return
	}
	d.naive.redrive(&e)
	d.broker.Redrive(d.now, d.queue(from), to)
}

// set changes a setting of a queue or a pool.
func (d *duel) set(t *rapid.T) {
	e := rapid.SampledFrom(d.sets).Draw(t, "entry")
	before := d.theirs.Clone()
	if err := scenario.ApplySet(d.theirs, e.Set, e.To); err != nil {
		return // not after what was set before
	}
	for _, q := range d.naive.queues {
		d.naive.settleOrder(q)
	}
	require.NoError(t, scenario.ApplySet(d.naive.s, e.Set, e.To))
	d.naive.settle()
	for i := range d.theirs.Workers {
		if x := &d.theirs.Workers[i]; x.Prefetch != before.Workers[i].Prefetch || x.Acknowledge != before.Workers[i].Acknowledge || x.RateLimit != before.Workers[i].RateLimit {
			d.broker.ConfigurePool(d.now, i, x)
		}
	}
	for i, q := range d.theirs.Queues {
		if q.MaxReceives > 0 {
			d.broker.LinkDeadLetters(event.QueueRef(i))
		}
		if q != before.Queues[i] {
			d.broker.Configure(d.now, event.QueueRef(i), q)
		}
	}
}

// counter draws queues, pools whose workers come and go by hand, and what is
// set during the run.
func (g *generator) counter() string {
	g.line("seed: %d", g.number("seed", 1, 3))
	g.queues = []string{"a", "b", "c"}[:g.number("queues", 1, 3)]
	g.line("queues:")
	for i, q := range g.queues {
		g.line("  %s: %s", q, g.queue(i, q))
	}
	g.line("workers:")
	for i := range g.number("pools", 1, 3) {
		name := []string{"cook", "mailer", "clerk"}[i]
		g.pools = append(g.pools, name)
		f := &fields{g: g}
		f.add("from", g.froms())
		f.add("count", fmt.Sprint(g.number("count", 1, 3)))
		f.add("restart_after", "never")
		f.maybe(3, "prefetch", func() string { return fmt.Sprint(g.number("prefetch", 0, 3)) })
		f.maybe(5, "acknowledge", func() string { return "on_delivery" })
		f.maybe(5, "rate_limit", func() string { return g.rate("pool rate") })
		f.add("handler", `"def on_message(msg):\n    pass\n"`)
		g.line("  %s: %s", name, f)
	}
	g.line("timeline:")
	for range 4 {
		g.line("  - {%s}", g.setQueue())
	}
	g.line("  - {set: workers.%s.prefetch, to: %d}", g.pools[0], g.number("prefetch", 0, 3))
	g.line("  - {set: workers.%s.rate_limit, to: %s}", g.pools[0], g.pick("pool rate", "2/s", "0"))
	return g.b.String()
}
