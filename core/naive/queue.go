package naive

import (
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// place is where a message is.
type place int

const (
	outside place = iota // not accepted yet, or refused
	door                 // its sender stands at a full queue
	delayed
	waiting
	inFlight
	acked
	expired
	dropped
)

type message struct {
	name      string
	id        event.ID
	key       string
	keyNumber bool
	kind      string // its type field
	body      any
	priority  int64
	delay     event.Time // its own, or Never
	sentAt    event.Time
	chance    uint64
	published int // messages that runs with this one published

	place    place
	queue    *queue
	rank     int        // order of arrival in its queue
	origin   *queue     // where it died
	ttlAt    event.Time // or Never
	retrying bool       // delayed because a hand-out of it ended
	receives int64
	here     int64 // hand-outs from this queue
	total    int64 // hand-outs in all: the last receipt
	last     *handout
	timer    *item // of its place: delay or visibility timeout
	ttl      *item
}

// inQueue reports whether a queue holds the message.
func (m *message) inQueue() bool {
	return m.place == delayed || m.place == waiting || m.place == inFlight
}

// handout is one hand-out of a message to a worker.
type handout struct {
	m        *message
	q        *queue
	w        *worker
	order    int
	receives int64
	receipt  int64
	body     any // the worker's copy
	mode     scenario.Acknowledge
	open     bool
	over     bool // its timer ended: a late ack may still come
	acked    bool
	given    bool // its handler gave it back
}

type queue struct {
	config *scenario.Queue
	name   string
	line   []*message // those that wait, first in line first
	door   []*sender
	shut   bool    // nobody gets in at the door for the moment
	served *worker // the last one, for round_robin

	longest int // when all of an instant had happened
	peak    int // at any moment
	waited  event.Time
}

// sender stands at the door with a message.
type sender struct {
	m        *message
	producer *producer
	run      *handlerRun // a handler that publishes
	order    int         // of arrival at the door
}

func (s *sender) name() string {
	if s.producer != nil {
		return s.producer.config.Name
	}
	return ""
}

func (s *sender) worker() string {
	if s.run != nil {
		return s.run.w.name
	}
	return ""
}

// answer is what a queue says to a sender.
type answer int

const (
	taken answer = iota
	full
	blocked
)

// offer brings a new message to a queue.
func (r *run) offer(s *sender, q *queue) answer {
	if q.full() {
		switch q.config.Overflow {
		case scenario.Reject:
			return full
		case scenario.Block:
			s.m.place, s.m.queue = door, q
			s.order = r.next()
			q.door = append(q.door, s)
			r.emit(Event{Name: "blocked", Queue: q.name, Message: s.m.name, Worker: s.worker(), More: s.name()})
			return blocked
		case scenario.DropOldest:
			r.dropOldest(q)
		}
	}
	r.accept(s, q)
	r.settle()
	return taken
}

func (q *queue) full() bool {
	return q.config.MaxSize > 0 && int64(len(q.line)) >= q.config.MaxSize
}

// dropOldest drops the first in line, one for each that comes in.
func (r *run) dropOldest(q *queue) {
	m := q.first(func(*message) bool { return true })
	r.remove(m, dropped)
	r.emit(Event{Name: "dropped", Queue: q.name, Message: m.name})
}

func (r *run) accept(s *sender, q *queue) {
	m := s.m
	r.arrive(m, q)
	delay := q.config.Delay
	if m.delay != event.Never {
		delay = m.delay
	}
	e := Event{Name: "accepted", Queue: q.name, Message: m.name, Worker: s.worker(), More: s.name()}
	if delay == 0 {
		r.emit(e)
		r.wait(m, scenario.ToTail)
		return
	}
	e.More += reason(event.Delayed, r.now+delay)
	r.emit(e)
	r.hold(m, delay, false)
}

// hold keeps a message back for a while, after a hand-out or when it is new.
func (r *run) hold(m *message, delay event.Time, retrying bool) {
	m.place, m.retrying = delayed, retrying
	m.timer = r.at(r.now+delay, timerPhase, func() {
		r.comeBack(m, retrying)
		r.settle()
	})
}

// comeBack puts a message in line again, or for the first time after a delay,
// unless its time to live is over.
func (r *run) comeBack(m *message, again bool) {
	if m.ttlAt != event.Never && m.ttlAt <= r.now {
		r.expire(m)
		return
	}
	to := scenario.ToTail
	if again {
		to = m.queue.config.ReturnTo
		if m.queue.config.Order == scenario.PerKey {
			to = scenario.ToOriginal
		}
	}
	r.emit(Event{Name: "returned", Queue: m.queue.name, Message: m.name, More: returnReason[to].String()})
	r.wait(m, to)
}

var returnReason = map[scenario.ReturnTo]event.Reason{
	scenario.ToTail: event.Tail, scenario.ToHead: event.Head, scenario.ToOriginal: event.Original,
}

func (r *run) expire(m *message) {
	q := m.queue
	r.remove(m, expired)
	r.emit(Event{Name: "expired", Queue: q.name, Message: m.name})
}

// wait puts a message in line.
func (r *run) wait(m *message, to scenario.ReturnTo) {
	q := m.queue
	at := len(q.line)
	switch to {
	case scenario.ToHead:
		at = 0
	case scenario.ToOriginal:
		for i, other := range q.line {
			if other.rank > m.rank && (q.config.Order != scenario.ByPriority || other.priority == m.priority) {
				at = i
				break
			}
		}
	}
	q.line = slices.Insert(q.line, at, m)
	q.peak = max(q.peak, len(q.line))
	m.place, m.retrying = waiting, false
	m.timer.cancel()
}

// arrive gives a message its order and its time to live in a queue.
func (r *run) arrive(m *message, q *queue) {
	m.queue, m.rank, m.here = q, r.next(), 0
	m.ttl.cancel()
	m.ttlAt = event.Never
	if q.config.TTL > 0 {
		m.ttlAt = r.now + q.config.TTL
		m.ttl = r.at(m.ttlAt, timerPhase, func() {
			r.expire(m)
			r.settle()
		})
		// One that comes back, or whose delay ends, is looked at then.
		m.ttl.live = func() bool { return m.place == waiting }
	}
}

// remove takes a message out of its place, to another one.
func (r *run) remove(m *message, to place) {
	m.queue.line = slices.DeleteFunc(m.queue.line, func(x *message) bool { return x == m })
	m.timer.cancel()
	m.place, m.retrying = to, false
}

// first returns the first in line of those that fit, by the queue's order.
func (q *queue) first(fits func(*message) bool) *message {
	var best *message
	for _, m := range q.line {
		if fits(m) && (best == nil || q.config.Order == scenario.ByPriority && m.priority > best.priority) {
			best = m
		}
	}
	return best
}

// available returns the message that would be handed out next, or nil.
func (r *run) available(q *queue) *message {
	return q.first(func(m *message) bool { return !r.heldByKey(m) })
}

// heldByKey reports whether a message has to wait for another one of its key.
func (r *run) heldByKey(m *message) bool {
	if m.queue.config.Order != scenario.PerKey || m.key == "" {
		return false
	}
	for _, other := range r.messages {
		if other == m || other.queue != m.queue || other.key != m.key {
			continue
		}
		if other.place == inFlight || other.place == delayed && other.retrying && other.rank < m.rank {
			return true
		}
	}
	return false
}

// settle hands out what can be handed out, and lets in who stands at a door
// with room behind it, until nothing more is possible.
func (r *run) settle() {
	for r.handOut() || r.letIn() {
	}
	r.setAlarms()
}

func (r *run) letIn() bool {
	var s *sender
	for _, q := range r.queues {
		if len(q.door) > 0 && !q.full() && !q.shut && (s == nil || q.door[0].order < s.order) {
			s = q.door[0]
		}
	}
	if s == nil {
		return false
	}
	q := s.m.queue
	q.door = q.door[1:]
	r.emit(Event{Name: "unblocked", Queue: q.name, Message: s.m.name, Worker: s.worker(), More: s.name()})
	r.accept(s, q)
	r.senderGoesOn(s)
	return true
}

// handOut hands out one message if that is possible. Each queue has a message
// and a worker whose turn it is. A worker takes from the first of its queues
// that has something, and the one that is idle longest goes first.
func (r *run) handOut() bool {
	var offered []*queue
	for _, q := range r.queues {
		if r.available(q) != nil && r.chosen(q) != nil {
			offered = append(offered, q)
		}
	}
	fair := slices.Clone(offered)
	fair = slices.DeleteFunc(fair, func(q *queue) bool { return r.firstListed(r.chosen(q)) != q })
	if len(fair) == 0 { // in turn, each worker may prefer another one's queue
		fair = offered
	}
	for _, w := range r.byIdleness() {
		for _, q := range fair {
			if r.chosen(q) == w {
				r.handTo(w, q)
				return true
			}
		}
	}
	return false
}

func (r *run) handTo(w *worker, q *queue) {
	m := r.available(q)
	if c := q.config; c.MaxReceives > 0 && m.here >= c.MaxReceives && c.DeadLetterOn == scenario.OnReceive {
		r.die(m)
		return
	}
	r.deliver(m, w)
}

// firstListed returns the first of a worker's queues that has something for
// it, or nil.
func (r *run) firstListed(w *worker) *queue {
	for _, name := range w.pool.config.From {
		if q := r.queue(name); r.available(q) != nil {
			return q
		}
	}
	return nil
}

// chosen returns the worker that the next message of a queue goes to, or nil.
func (r *run) chosen(q *queue) *worker {
	var able []*worker
	for _, w := range r.byIdleness() {
		if slices.Contains(w.pool.config.From, q.name) && w.room() && r.rateAllows(w.pool) {
			able = append(able, w)
		}
	}
	if len(able) == 0 || q.config.Dispatch == scenario.FirstIdle {
		return first(able)
	}
	// In turn: pool order, then number, from the last one served.
	sort.Slice(able, func(i, j int) bool { return able[i].place < able[j].place })
	for _, w := range able {
		if q.served != nil && w.place > q.served.place {
			return w
		}
	}
	return able[0]
}

func first(workers []*worker) *worker {
	if len(workers) == 0 {
		return nil
	}
	return workers[0]
}

func (r *run) deliver(m *message, w *worker) {
	q := m.queue
	r.remove(m, inFlight)
	m.receives++
	m.here++
	m.total++
	h := &handout{m: m, q: q, w: w, order: r.next(), receives: m.receives, receipt: m.total, body: m.body, mode: w.pool.config.Acknowledge, open: true}
	m.last = h
	q.served = w
	until := event.Never
	if q.config.VisibilityTimeout > 0 {
		until = r.now + q.config.VisibilityTimeout
		m.timer = r.at(until, timerPhase, func() { r.timerOver(h) })
	}
	r.emit(Event{Name: "delivered", Queue: q.name, Message: m.name, Receive: m.receives, Worker: w.name, More: instant(until)})
	r.give(w, h)
	if h.mode == scenario.AckOnDelivery {
		r.acked(h, event.OnDelivery)
	}
}

func (r *run) timerOver(h *handout) {
	h.over = true
	r.endHandout(h, "hidden_over", event.Never, event.None)
}

// endHandout ends a hand-out without an ack. The event that says so has that
// name.
func (r *run) endHandout(h *handout, name string, delay event.Time, why event.Reason) {
	m, q := h.m, h.q
	h.open = false
	dead := q.config.MaxReceives > 0 && m.here >= q.config.MaxReceives && q.config.DeadLetterOn == scenario.OnReturn
	if delay == event.Never {
		delay = r.retryDelay(&q.config.Retry, "retry", m.chance, m.here, int(m.total))
	}
	r.remove(m, outside)
	e := Event{Name: name, Queue: q.name, Message: m.name, Receive: h.receives, More: reason(why, 0)}
	if name != "hidden_over" {
		e.Worker = h.w.name
	}
	if !dead && delay > 0 {
		e.More = reason(event.Delayed, r.now+delay)
	}
	r.emit(e)
	switch {
	case dead:
		r.die(m)
	case delay > 0:
		r.hold(m, delay, true)
	default:
		r.comeBack(m, true)
	}
	r.settle()
}

// die moves a message to the dead-letter queue.
func (r *run) die(m *message) {
	from := m.queue
	name := from.config.DeadLetter
	if name == "" {
		name = from.name + "-dead"
	}
	to := r.queue(name)
	r.remove(m, outside)
	r.emit(Event{Name: "dead_lettered", Queue: from.name, Message: m.name, More: to.name})
	m.origin = from
	r.arrive(m, to)
	if m.last != nil {
		m.last.over = false
	}
	r.wait(m, scenario.ToTail)
}

// ack is an acknowledgement by a handler.
func (r *run) ack(h *handout) bool {
	m := h.m
	switch {
	case h.acked:
		r.emit(Event{Name: "ack_ignored", Queue: h.q.name, Message: m.name, Receive: h.receives, Worker: h.w.name, More: reason(event.Repeated, 0)})
		return false
	case h.open, h.over && m.last == h && m.queue == h.q && (m.place == waiting || m.place == delayed) && h.q.config.LateAck == scenario.AcceptLate:
		r.acked(h, event.None)
		return true
	}
	r.emit(Event{Name: "ack_ignored", Queue: h.q.name, Message: m.name, Receive: h.receives, Worker: h.w.name, More: reason(event.Stale, 0)})
	return false
}

func (r *run) acked(h *handout, why event.Reason) {
	r.remove(h.m, acked)
	h.open, h.over, h.acked = false, false, true
	r.emit(Event{Name: "acked", Queue: h.q.name, Message: h.m.name, Receive: h.receives, Worker: h.w.name, More: reason(why, 0)})
	r.settle()
}

func (r *run) nack(h *handout, delay event.Time, why event.Reason) bool {
	if !h.open {
		return false
	}
	h.given = true
	r.endHandout(h, "nacked", delay, why)
	return true
}

func (r *run) reject(h *handout, why event.Reason) bool {
	if !h.open {
		return false
	}
	h.open, h.given = false, true
	r.emit(Event{Name: "rejected", Queue: h.q.name, Message: h.m.name, Receive: h.receives, Worker: h.w.name, More: reason(why, 0)})
	r.die(h.m)
	r.settle()
	return true
}

func (r *run) extend(h *handout, by event.Time) bool {
	if !h.open {
		return false
	}
	m := h.m
	if m.timer == nil || m.timer.cancelled {
		return true
	}
	m.timer.cancel()
	r.emit(Event{Name: "extended", Queue: h.q.name, Message: m.name, Receive: h.receives, Worker: h.w.name, More: instant(r.now + by)})
	if by == 0 {
		r.timerOver(h)
		return true
	}
	m.timer = r.at(r.now+by, timerPhase, func() { r.timerOver(h) })
	return true
}

// retryDelay is the delay after the n-th hand-out.
func (r *run) retryDelay(c *scenario.Retry, purpose string, who uint64, n int64, nth int) event.Time {
	d := event.Time(0)
	switch c.Backoff {
	case scenario.NoBackoff:
		return 0
	case scenario.Fixed:
		d = c.Base
	case scenario.Linear:
		for i := int64(0); i < n && d < c.Cap; i++ {
			d += c.Base
		}
	case scenario.Exponential:
		d = c.Base
		for i := int64(1); i < n && d < c.Cap && d > 0; i++ {
			d *= 2
		}
	}
	d = min(d, c.Cap)
	least := d
	switch c.Jitter {
	case scenario.NoJitter:
		return d
	case scenario.FullJitter:
		least = 0
	case scenario.EqualJitter:
		least = d / 2
	}
	return least + event.Time(r.draws.Below(uint64(d-least)+1, chance.For(purpose), who, nth))
}
