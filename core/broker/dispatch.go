package broker

import (
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// consumer is a worker as the broker sees it.
type consumer struct {
	pool    int
	rank    int   // pool order, then number: for round_robin and display
	idle    int64 // grows with the end of the last run: least is idle longest
	held    int64 // hand-outs whose handler run has not ended
	up      bool
	leaving bool
	hands   []hand // hand-outs not settled, in order; also of ended runs
}

// pool is what the workers of one pool share.
type pool struct {
	from      []event.QueueRef
	workers   []event.WorkerRef // by number
	prefetch  int64
	rate      scenario.Rate
	onReceipt bool // acknowledge: on_delivery
	last      event.Time
	served    bool       // last is set
	room      int        // workers that could take a message, but for the rate
	waking    event.Time // the wake-up that is asked for, or Never
	woken     event.Time // the last one that came: the limit ended with it
}

// AddPool adds a pool of workers; pools come in the order of the file.
func (b *Broker) AddPool(from []event.QueueRef) int {
	n := len(b.pools)
	b.pools = append(b.pools, pool{from: from, waking: event.Never, woken: event.Never})
	for _, q := range from {
		b.queues[q].pools = append(b.queues[q].pools, n)
	}
	return n
}

// ConfigurePool changes what holds for a pool's next hand-outs.
func (b *Broker) ConfigurePool(now event.Time, p int, config *scenario.Pool) {
	P := &b.pools[p]
	P.prefetch, P.rate = config.Prefetch, config.RateLimit
	P.onReceipt = config.Acknowledge == scenario.AckOnDelivery
	P.room = 0
	for _, w := range P.workers {
		if b.hasRoom(w) {
			P.room++
		}
	}
	b.serve(now, p)
}

// AddWorker makes a worker available. A worker that was leaving stays. Call
// Serve when all workers of the instant are added.
func (b *Broker) AddWorker(now event.Time, w event.WorkerRef, p, number int) {
	for int(w) >= len(b.workers) {
		b.workers = append(b.workers, consumer{})
	}
	b.idleSeq++
	b.change(w, func(c *consumer) {
		if c.up { // it was leaving, and had not gone yet
			c.leaving = false
			return
		}
		hands := c.hands // of runs that ended before it left
		*c = consumer{pool: p, rank: p<<16 | number, idle: b.idleSeq, up: true, hands: hands}
	})
	if P := &b.pools[p]; !slices.Contains(P.workers, w) {
		P.workers = append(P.workers, w)
	}
}

// RemoveWorker lets a worker go: at once when it holds nothing, otherwise when
// its last run has ended.
func (b *Broker) RemoveWorker(w event.WorkerRef) {
	b.change(w, func(c *consumer) {
		c.leaving = true
		if c.held == 0 {
			c.up = false
		}
	})
}

// change changes a worker and keeps count of those with room.
func (b *Broker) change(w event.WorkerRef, f func(*consumer)) {
	c := &b.workers[w]
	before := c.up && b.hasRoom(w)
	f(c)
	P := &b.pools[c.pool]
	if before {
		P.room--
	}
	if b.hasRoom(w) {
		P.room++
	}
}

func (b *Broker) hasRoom(w event.WorkerRef) bool {
	c := &b.workers[w]
	prefetch := b.pools[c.pool].prefetch
	return c.up && !c.leaving && (prefetch == 0 || c.held < prefetch)
}

// RunEnded tells that a handler run of w ended; it may take the next message.
func (b *Broker) RunEnded(now event.Time, w event.WorkerRef) {
	b.idleSeq++
	b.change(w, func(c *consumer) {
		c.held--
		c.idle = b.idleSeq
		if c.leaving && c.held == 0 {
			c.up = false
		}
	})
	b.serve(now, b.workers[w].pool)
}

// GiveBack returns a hand-out that its worker never began with.
func (b *Broker) GiveBack(now event.Time, d Delivery) {
	b.change(d.Worker, func(c *consumer) { c.held-- })
	if b.holds(d.Message, d.Receipt) {
		b.giveBack(now, d.Message, event.Event{Kind: event.Nacked, Worker: d.Worker}, event.Never)
	}
}

// Crash tells that a worker died. What it held stays hidden until its timers
// end or, with notice: connection, until the broker notices.
func (b *Broker) Crash(now event.Time, w event.WorkerRef) {
	b.change(w, func(c *consumer) { c.up, c.held = false, 0 })
	hands := b.workers[w].hands
	var queues []event.QueueRef
	for _, h := range hands {
		if q := b.message(h.message).queue; !slices.Contains(queues, q) {
			queues = append(queues, q)
		}
	}
	for _, q := range queues {
		if b.queues[q].config.Notice != scenario.ByConnection {
			continue
		}
		c := crash{worker: w}
		for _, h := range hands {
			if b.message(h.message).queue == q {
				c.hands = append(c.hands, h)
			}
		}
		b.crashes = append(b.crashes, c)
		b.host.Schedule(now+b.queues[q].config.NoticeAfter, Timer{NoticeDue, event.MessageRef(len(b.crashes) - 1), 0})
	}
}

// Restart makes a worker that crashed available again.
func (b *Broker) Restart(now event.Time, w event.WorkerRef) {
	b.idleSeq++
	b.change(w, func(c *consumer) { c.up, c.leaving, c.idle = true, false, b.idleSeq })
	b.serve(now, b.workers[w].pool)
}

// Serve hands out from every queue of a pool, in its order of preference.
func (b *Broker) Serve(now event.Time, p int) { b.serve(now, p) }

func (b *Broker) serve(now event.Time, p int) {
	switch P := &b.pools[p]; {
	case P.room == 0:
	case len(P.from) == 1:
		b.dispatch(now, P.from[0])
	default:
		b.dispatchAll(now, P.from...)
	}
}

// Wake tells that a pool's rate limit allows a hand-out again.
func (b *Broker) Wake(now event.Time, p int) {
	P := &b.pools[p]
	if P.waking != now {
		return
	}
	P.waking, P.woken = event.Never, now
	b.serve(now, p)
}

// WakeLive reports whether a wake-up that is due next leads to a hand-out. One
// that does not is forgotten: who needs it asks again.
func (b *Broker) WakeLive(at event.Time, p int) bool {
	P := &b.pools[p]
	if P.waking != at {
		return false
	}
	for _, q := range P.from {
		if P.room > 0 && b.queues[q].line.Len() > 0 && b.eligible(q) >= 0 {
			return true
		}
	}
	P.waking = event.Never
	return false
}

// dispatch hands out what can be handed out of queue q and lets in who waits
// at its door, until neither changes anything.
func (b *Broker) dispatch(now event.Time, q event.QueueRef) {
	Q := &b.queues[q]
	if Q.busy || Q.line.Len() == 0 && len(Q.blocked) == 0 {
		return // a busy loop looks again
	}
	Q.busy = true
	moved := event.NoQueue
	for moved == event.NoQueue {
		if i, w := b.candidate(now, q); w != event.NoWorker {
			moved = b.handOut(now, q, i, w)
		} else if !b.admitNext(now, q) {
			break
		}
	}
	b.queues[q].busy = false
	if moved != event.NoQueue {
		b.dispatchAll(now, q, moved)
		return
	}
	b.wakeLater(q)
}

// dispatchAll does the same for queues that something became available in at
// once, and for the dead letters that it moves messages to.
func (b *Broker) dispatchAll(now event.Time, queues ...event.QueueRef) {
	if slices.ContainsFunc(queues, func(q event.QueueRef) bool { return b.queues[q].busy }) {
		return
	}
	for _, q := range queues {
		b.queues[q].busy = true
	}
	for {
		moved, more := b.handOutNext(now, queues)
		if moved != event.NoQueue && !b.queues[moved].busy {
			b.queues[moved].busy = true
			queues = append(slices.Clip(queues), moved) // not into the caller's
		}
		if !more && !b.admitNext(now, queues...) {
			break
		}
	}
	for _, q := range queues {
		b.queues[q].busy = false
		b.wakeLater(q)
	}
}

// offer is a hand-out that could be made: the message at a place in a queue's
// line, and the worker that would get it.
type offer struct {
	queue  event.QueueRef
	place  int
	worker event.WorkerRef
}

// handOutNext makes one hand-out and reports whether there was one to make.
// Where its message went to the dead letters instead, it says which.
func (b *Broker) handOutNext(now event.Time, queues []event.QueueRef) (moved event.QueueRef, more bool) {
	offers := b.offers[:0]
	for _, q := range queues {
		if i, w := b.candidate(now, q); w != event.NoWorker {
			offers = append(offers, offer{q, i, w})
		}
	}
	b.offers = offers
	if len(offers) == 0 {
		return event.NoQueue, false
	}
	next := b.turn(offers)
	return b.handOut(now, next.queue, next.place, next.worker), true
}

// turn returns the offer whose worker is idle longest, of those whose worker
// has none from a queue that it lists before; where that goes round, of all.
func (b *Broker) turn(offers []offer) offer {
	best := -1
	for i, o := range offers {
		passed := len(offers) > 1 && slices.ContainsFunc(offers, func(x offer) bool { return b.prefers(o.worker, x.queue, o.queue) })
		if !passed && (best < 0 || b.idler(o.worker, offers[best].worker)) {
			best = i
		}
	}
	if best >= 0 {
		return offers[best]
	}
	return slices.MinFunc(offers, func(x, y offer) int {
		if b.idler(x.worker, y.worker) {
			return -1
		}
		return 1
	})
}

// prefers reports whether the pool of w lists queue x before queue y.
func (b *Broker) prefers(w event.WorkerRef, x, y event.QueueRef) bool {
	from := b.pools[b.workers[w].pool].from
	i := slices.Index(from, x)
	return i >= 0 && i < slices.Index(from, y)
}

// candidate returns the place in line of the next message of q, and the worker
// that gets it, or NoWorker.
func (b *Broker) candidate(now event.Time, q event.QueueRef) (int, event.WorkerRef) {
	Q := &b.queues[q]
	if Q.line.Len() == 0 {
		return 0, event.NoWorker
	}
	room := 0
	for _, p := range Q.pools {
		room += b.pools[p].room
	}
	if room == 0 {
		return 0, event.NoWorker
	}
	i := b.eligible(q)
	if i < 0 {
		return 0, event.NoWorker
	}
	return i, b.choose(now, q)
}

// eligible returns the place of the first message that may be handed out.
func (b *Broker) eligible(q event.QueueRef) int {
	Q := &b.queues[q]
	if Q.config.Order != scenario.PerKey {
		return 0
	}
	for i := range Q.line.Len() {
		e := Q.line.At(i)
		k := b.key(e.Message)
		if k == nil || k.inFlight == 0 && !earlier(k.retrying, e.Order) {
			return i
		}
	}
	return -1
}

func earlier(orders []int32, than int32) bool {
	return slices.ContainsFunc(orders, func(o int32) bool { return o < than })
}

// choose returns the worker that gets the next message of q, or NoWorker.
func (b *Broker) choose(now event.Time, q event.QueueRef) event.WorkerRef {
	Q := &b.queues[q]
	best := event.NoWorker
	for _, p := range Q.pools {
		P := &b.pools[p]
		if P.room == 0 || !P.allowed(now) {
			continue
		}
		for _, w := range P.workers {
			if b.hasRoom(w) && (best == event.NoWorker || b.before(Q, w, best)) {
				best = w
			}
		}
	}
	return best
}

// wakeLater asks for a wake-up of each pool that only its rate limit keeps
// from a message of q, when nothing can be handed out now.
func (b *Broker) wakeLater(q event.QueueRef) {
	Q := &b.queues[q]
	if Q.line.Len() == 0 {
		return
	}
	for _, p := range Q.pools {
		P := &b.pools[p]
		if P.room > 0 && P.limited() && P.waking != P.next() && b.eligible(q) >= 0 {
			P.waking = P.next()
			b.host.WakePool(P.waking, p)
		}
	}
}

func (b *Broker) before(q *queue, x, y event.WorkerRef) bool {
	X, Y := &b.workers[x], &b.workers[y]
	if q.config.Dispatch == scenario.RoundRobin {
		xNext, yNext := X.rank > q.cursor, Y.rank > q.cursor
		if xNext != yNext {
			return xNext
		}
		return X.rank < Y.rank
	}
	return b.idler(x, y)
}

// idler reports whether x holds less than y, or as much and is idle longer.
func (b *Broker) idler(x, y event.WorkerRef) bool {
	X, Y := &b.workers[x], &b.workers[y]
	if X.held != Y.held {
		return X.held < Y.held
	}
	return X.idle < Y.idle
}

// next is when the rate limit lets the pool have a message again.
func (p *pool) next() event.Time {
	period, count := int64(p.rate.Period), p.rate.Count
	return p.last + event.Time((period+count-1)/count)
}

// allowed reports whether the pool's rate limit lets it take a message now.
// The limit ends in the workers phase of its instant, with a wake-up.
func (p *pool) allowed(now event.Time) bool {
	return !p.limited() || now > p.next() || p.woken == p.next()
}

// limited reports whether there is a limit and something that it counts from.
func (p *pool) limited() bool { return !p.rate.IsZero() && p.served }

// handOut hands the message at place i of q's line to w, unless it has used up
// its hand-outs and goes to the dead letters: then it returns that queue.
func (b *Broker) handOut(now event.Time, q event.QueueRef, i int, w event.WorkerRef) event.QueueRef {
	Q := &b.queues[q]
	m := Q.line.Remove(i).Message
	M := b.message(m)
	if Q.config.DeadLetterOn == scenario.OnReceive && b.spent(m) {
		return b.deadLetter(now, m, event.NoWorker)
	}
	M.receives++
	M.here++
	M.total++
	M.place, M.worker, M.late = inFlight, w, false
	M.tag++
	e := event.Event{At: now, Until: event.Never, Kind: event.Delivered, Queue: q, Message: m, Receive: M.receives, Arg: M.total, Worker: w}
	M.timer = Q.config.VisibilityTimeout > 0
	if M.timer {
		e.Until = now + Q.config.VisibilityTimeout
	}
	b.emit(&e)
	if M.timer {
		b.schedule(e.Until, HiddenOver, m)
	}
	if k := b.key(m); k != nil {
		k.inFlight++
	}
	c := &b.workers[w]
	Q.cursor = c.rank
	c.hands = append(c.hands, hand{m, M.total})
	b.change(w, func(c *consumer) { c.held++ })
	P := &b.pools[c.pool]
	P.last, P.served = now, true
	d := Delivery{Worker: w, Message: m, Queue: q, Receive: M.receives, Receipt: M.total}
	b.host.Deliver(now, d)
	if P.onReceipt {
		b.Ack(now, d, event.OnDelivery)
	}
	return event.NoQueue
}

// admitNext lets in who stands longest at the door of one of the queues that
// has room.
func (b *Broker) admitNext(now event.Time, queues ...event.QueueRef) bool {
	next := event.NoQueue
	for _, q := range queues {
		Q := &b.queues[q]
		if len(Q.blocked) > 0 && !Q.full() && (next == event.NoQueue || Q.blocked[0].order < b.queues[next].blocked[0].order) {
			next = q
		}
	}
	if next == event.NoQueue {
		return false
	}
	Q := &b.queues[next]
	s := Q.blocked[0]
	Q.blocked = slices.Delete(Q.blocked, 0, 1)
	b.emit(&event.Event{At: now, Kind: event.Unblocked, Queue: next, Message: s.message, Arg: int32(s.sender.Producer), Worker: s.sender.Worker})
	b.accept(now, next, s.message, s.sender, s.delay)
	b.host.Admitted(now, s.sender, s.message)
	return true
}
