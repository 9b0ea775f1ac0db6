package naive

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
)

type pool struct {
	config  *scenario.Pool
	source  string // of the compiled handler
	program *handler.Program
	workers []*worker // by number
	last    event.Time
	served  bool
	used    []bool // exact crashes
	alarm   *item  // when the rate limit allows the next hand-out
	rung    event.Time

	there, busy event.Time
}

type worker struct {
	pool    *pool
	number  int
	name    string
	place   int // pool order, then number
	gone    bool
	leaving bool
	down    bool
	idle    int // order of the last time that it became idle
	held    []*handout
	run     *handlerRun // under way, of held[0]
	begin   *item
	restart *item
}

func (r *run) openPool(c *scenario.Pool) {
	p := &pool{config: c, rung: event.Never, used: make([]bool, len(c.Crash.Exact))}
	r.pools = append(r.pools, p)
	for int64(len(p.workers)) < c.Count {
		r.hire(p)
	}
}

func (r *run) hire(p *pool) {
	w := &worker{pool: p, number: len(p.workers) + 1, idle: r.next()}
	w.name = fmt.Sprintf("%s/%d", p.config.Name, w.number)
	w.place = slices.Index(r.pools, p)*scenario.MaxWorkers + w.number
	p.workers = append(p.workers, w)
	r.emit(Event{Name: "worker_added"})
}

// byIdleness returns all workers, first those that hold fewest, then those
// that have been idle longest.
func (r *run) byIdleness() []*worker {
	var all []*worker
	for _, p := range r.pools {
		all = append(all, p.workers...)
	}
	sort.SliceStable(all, func(i, j int) bool {
		if len(all[i].held) != len(all[j].held) {
			return len(all[i].held) < len(all[j].held)
		}
		return all[i].idle < all[j].idle
	})
	return all
}

// room reports whether the worker may be handed another message.
func (w *worker) room() bool {
	if w.gone || w.leaving || w.down {
		return false
	}
	return w.pool.config.Prefetch == 0 || int64(len(w.held)) < w.pool.config.Prefetch
}

// nextAllowed is when the pool's rate limit lets it have a message again; -1
// when there is nothing to wait for.
func (p *pool) nextAllowed() event.Time {
	limit := p.config.RateLimit
	if limit.IsZero() || !p.served {
		return -1
	}
	gap := limit.Period / event.Time(limit.Count)
	if limit.Period%event.Time(limit.Count) > 0 {
		gap++ // at least period/N apart
	}
	return p.last + gap
}

// rateAllows reports whether the pool may have a message now. The limit ends
// in the workers phase of its instant, with an alarm.
func (r *run) rateAllows(p *pool) bool {
	next := p.nextAllowed()
	return next < r.now || next == p.rung
}

// setAlarms wakes each pool that only its rate limit keeps from a message
// when that is over.
func (r *run) setAlarms() {
	for _, p := range r.pools {
		if p.alarm != nil && p.alarm.at != p.nextAllowed() {
			p.alarm.cancel()
		}
		if (p.alarm == nil || p.alarm.cancelled) && !r.rateAllows(p) && r.wants(p) {
			p.alarm = r.at(p.nextAllowed(), workerPhase, func() {
				p.rung = r.now
				r.settle()
			})
			p.alarm.live = func() bool { return r.wants(p) }
		}
	}
}

func (r *run) wants(p *pool) bool {
	for _, w := range p.workers {
		for _, name := range p.config.From {
			if w.room() && r.available(r.queue(name)) != nil {
				return true
			}
		}
	}
	return false
}

// give puts a hand-out into a worker's hands. Its handler begins in the
// workers phase of this instant.
func (r *run) give(w *worker, h *handout) {
	w.held = append(w.held, h)
	w.pool.last, w.pool.served = r.now, true
	r.beginNext(w)
}

func (r *run) beginNext(w *worker) {
	if w.run == nil && len(w.held) > 0 && (w.begin == nil || w.begin.cancelled) {
		w.begin = r.at(r.now, workerPhase, func() { r.begin(w) })
	}
}

// handlerRun is one run of a handler; it is the handler's world.
type handlerRun struct {
	r       *run
	w       *worker
	h       *handout
	next    func() (struct{}, bool)
	stop    func()
	yield   func(struct{}) bool
	err     error
	line    int
	calls   int
	crashes bool
	where   scenario.Where
	onLine  int64
	blocked int // copies of its publication that stand at a door
}

func (r *run) begin(w *worker) {
	p := w.pool
	if p.program == nil || p.source != p.config.Handler {
		p.source, p.program = p.config.Handler, r.compile(p.config.Handler)
	}
	x := &handlerRun{r: r, w: w, h: w.held[0]}
	w.run = x
	r.emit(Event{Name: "handler_started", Message: x.h.m.name, Receive: x.h.receives, Worker: w.name})
	x.plan()
	runner := p.program.Start()
	x.next, x.stop = iter.Pull(func(yield func(struct{}) bool) {
		x.yield = yield
		x.err = runner.Run(x)
	})
	r.goOn(x)
}

func (r *run) compile(source string) *handler.Program {
	var names handler.Names
	for _, s := range r.s.Services {
		names.Services = append(names.Services, s.Name)
	}
	for _, t := range r.s.Tables {
		names.Tables = append(names.Tables, t.Name)
	}
	names.Queues = r.s.QueueNames()
	for _, t := range r.s.Topics {
		names.Queues = append(names.Queues, t.Name)
	}
	program, problems := handler.Compile(source, names)
	if len(problems) > 0 {
		panic(problems[0])
	}
	return program
}

// plan decides whether and where this run crashes.
func (x *handlerRun) plan() {
	c := &x.w.pool.config.Crash
	for i, exact := range c.Exact {
		if !x.w.pool.used[i] && exact.Message == x.h.m.id && exact.Receive == x.h.receives {
			x.w.pool.used[i] = true
			x.crashes, x.where, x.onLine = true, exact.Where, exact.Line
			break
		}
	}
	if !x.crashes && c.Probability > 0 && x.draw(uint64(scenario.Certain), "crash") < uint64(c.Probability) {
		x.crashes, x.where, x.onLine = true, c.Where, c.Line
	}
	if x.crashes && x.where == scenario.Anywhere {
		x.where = scenario.BeforeEffect
		if x.draw(2, "crash where") == 1 {
			x.where = scenario.AfterEffect
		}
	}
}

func (x *handlerRun) draw(n uint64, purpose string) uint64 {
	return x.r.draws.Below(n, chance.For(purpose), x.h.m.chance, int(x.h.receipt))
}

// goOn lets the handler run until it waits or ends.
func (r *run) goOn(x *handlerRun) {
	if _, waits := x.next(); waits {
		return
	}
	if errors.Is(x.err, handler.ErrCrash) {
		r.crash(x.w)
		return
	}
	r.finish(x)
}

// finish ends a run that did not crash.
func (r *run) finish(x *handlerRun) {
	w, h, c := x.w, x.h, x.w.pool.config
	if x.err != nil {
		r.emit(Event{Name: "handler_failed", Message: h.m.name, Receive: h.receives, Worker: w.name, More: fmt.Sprintf("line %d: %s", x.line, x.err)})
		if h.open && c.OnError == scenario.NackOnError {
			r.nack(h, event.Never, event.OnError)
		}
		if h.open && c.OnError == scenario.RejectOnError {
			r.reject(h, event.OnError)
		}
	} else {
		r.emit(Event{Name: "handler_finished", Message: h.m.name, Receive: h.receives, Worker: w.name})
		if h.mode == scenario.AckOnReturn && !h.acked && !h.given {
			r.ackOnReturn(h)
		}
	}
	w.run = nil
	w.held = w.held[1:]
	w.idle = r.next()
	if w.leaving {
		w.gone, w.leaving = true, false
	}
	r.settle()
	r.beginNext(w)
}

func (r *run) ackOnReturn(h *handout) {
	before := len(r.trace)
	if r.ack(h) {
		r.trace[before].More = reason(event.OnReturn, 0)
	}
}

// crash ends what the worker does, and drops what it held.
func (r *run) crash(w *worker) {
	e := Event{Name: "crashed", Worker: w.name}
	line := 0
	if x := w.run; x != nil {
		e.Message, line = x.h.m.name, x.line
		x.stop()
		r.withdraw(x)
	}
	w.begin.cancel()
	w.run, w.held, w.down = nil, nil, true
	back := event.Never
	switch {
	case w.leaving:
		w.gone, w.leaving = true, false
	case w.pool.config.RestartAfter != event.Never:
		back = r.now + w.pool.config.RestartAfter
		w.restart = r.at(back, workerPhase, func() { r.restart(w) })
	}
	e.More = fmt.Sprintf("line %d %s", line, instant(back))
	r.emit(e)
	r.breakConnections(w)
	r.settle()
}

func (r *run) restart(w *worker) {
	w.down, w.idle = false, r.next()
	r.emit(Event{Name: "restarted", Worker: w.name})
	r.settle()
}

// unsettled returns the hand-outs of a worker that are still in flight, in
// the order in which they were made.
func (r *run) unsettled(w *worker) []*handout {
	var list []*handout
	for _, m := range r.messages {
		if m.place == inFlight && m.last.w == w {
			list = append(list, m.last)
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].order < list[j].order })
	return list
}

// breakConnections lets each queue that watches connections learn in its time
// that the worker died.
func (r *run) breakConnections(w *worker) {
	lost := r.unsettled(w)
	var told []*queue
	for _, h := range lost {
		q := h.q
		if q.config.Notice != scenario.ByConnection || slices.Contains(told, q) {
			continue
		}
		told = append(told, q)
		alarm := r.at(r.now+q.config.NoticeAfter, timerPhase, func() { r.notice(q, lost) })
		alarm.live = func() bool {
			return slices.ContainsFunc(lost, func(h *handout) bool { return h.open && h.q == q })
		}
	}
}

func (r *run) notice(q *queue, lost []*handout) {
	for _, h := range lost {
		if h.open && h.q == q {
			r.endHandout(h, "noticed", event.Never, event.None)
		}
	}
}

func (r *run) stopHandlers() {
	for _, p := range r.pools {
		for _, w := range p.workers {
			if w.run != nil {
				w.run.stop()
			}
		}
	}
}
