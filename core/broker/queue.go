package broker

import (
	"math"
	"slices"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/line"
	"github.com/ticketrail/ticketrail/core/scenario"
)

type queue struct {
	config      scenario.Queue
	deadLetters event.QueueRef
	line        line.Line
	keys        map[int32]*keyState // of messages with a key
	blocked     []blockedSend
	pools       []int // pools that take from it, in the order of the file
	cursor      int   // round_robin: rank of the worker served last, or -1
	busy        bool  // dispatch is under way
}

// keyState is what per_key has to know of a key.
type keyState struct {
	inFlight int
	retrying []int32 // orders of the messages that wait for a retry
}

type blockedSend struct {
	message event.MessageRef
	sender  Sender
	delay   event.Time
	order   int32 // of its arrival at the door
}

// Result is what became of a message that was sent.
type Result uint8

// The results of Send.
const (
	Taken Result = iota
	Full         // refused; nothing was written to the log
	Waits        // the sender is blocked until Host.Admitted
)

// Send offers message m to queue q. A delay of Never means the queue's own.
func (b *Broker) Send(now event.Time, q event.QueueRef, m event.MessageRef, s Sender, delay event.Time) Result {
	Q := &b.queues[q]
	if Q.full() {
		switch Q.config.Overflow {
		case scenario.Reject:
			return Full
		case scenario.Block:
			b.message(m).place = atDoor
			b.arrivals++
			Q.blocked = append(Q.blocked, blockedSend{m, s, delay, b.arrivals})
			b.emit(&event.Event{At: now, Kind: event.Blocked, Queue: q, Message: m, Arg: int32(s.Producer), Worker: s.Worker})
			return Waits
		case scenario.DropOldest:
			b.drop(now, q)
		}
	}
	b.accept(now, q, m, s, delay)
	b.dispatch(now, q)
	return Taken
}

// Withdraw takes back what a dead worker stood at full queues with.
func (b *Broker) Withdraw(w event.WorkerRef) {
	for q := range b.queues {
		b.queues[q].blocked = slices.DeleteFunc(b.queues[q].blocked, func(s blockedSend) bool {
			if s.sender.Worker != w || s.sender.Producer != event.NoProducer {
				return false
			}
			b.message(s.message).place = nowhere
			return true
		})
	}
}

func (q *queue) full() bool {
	return q.config.MaxSize > 0 && int64(q.line.Len()) >= q.config.MaxSize
}

func (b *Broker) accept(now event.Time, q event.QueueRef, m event.MessageRef, s Sender, delay event.Time) {
	Q, M := &b.queues[q], b.message(m)
	if delay == event.Never {
		delay = Q.config.Delay
	}
	b.arrive(now, q, m)
	e := event.Event{At: now, Kind: event.Accepted, Queue: q, Message: m, Arg: int32(s.Producer), Worker: s.Worker}
	if delay > 0 {
		e.Reason, e.Until = event.Delayed, now+delay
		b.emit(&e)
		M.place, M.retrying = delayed, false
		b.schedule(e.Until, DelayOver, m)
		return
	}
	b.emit(&e)
	b.wait(q, m, event.Tail)
}

// arrive gives m its order of arrival and its time to live in queue q.
func (b *Broker) arrive(now event.Time, q event.QueueRef, m event.MessageRef) {
	Q, M := &b.queues[q], b.message(m)
	b.arrivals++
	M.queue, M.order, M.here, M.late = q, b.arrivals, 0, false
	M.expires = event.Never
	if Q.config.TTL > 0 {
		M.expires = now + Q.config.TTL
		b.host.Schedule(M.expires, Timer{ExpiryDue, m, M.order})
	}
}

// wait puts m in line.
func (b *Broker) wait(q event.QueueRef, m event.MessageRef, where event.Reason) {
	Q, M := &b.queues[q], b.message(m)
	M.place = waiting
	M.tag++
	switch where {
	case event.Head:
		Q.line.PushHead(b.lineEntry(m))
	case event.Original:
		Q.line.PushOriginal(b.lineEntry(m))
	default:
		Q.line.PushTail(b.lineEntry(m))
	}
}

func (b *Broker) drop(now event.Time, q event.QueueRef) {
	m := b.queues[q].line.Remove(0).Message
	b.leave(m, dropped)
	b.emit(&event.Event{At: now, Kind: event.Dropped, Queue: q, Message: m, Receive: b.message(m).receives, Worker: event.NoWorker})
}

// leave notes that m is not in the broker any more.
func (b *Broker) leave(m event.MessageRef, to place) {
	M := b.message(m)
	M.place, M.late = to, false
	M.tag++
}

// Ack deletes a message and reports whether its receipt still counted: while
// it is the latest one and in flight, or (late_ack: accept) until the message
// is handed out again after its timer ended. Source: Amazon SQS DeleteMessage.
func (b *Broker) Ack(now event.Time, d Delivery, why event.Reason) bool {
	m := d.Message
	M := b.message(m)
	latest := M.total == d.Receipt
	switch {
	case latest && M.place == inFlight:
		b.release(m)
	case latest && M.late && b.queues[M.queue].config.LateAck == scenario.AcceptLate:
		b.unwait(m)
	default:
		e := event.Event{At: now, Kind: event.AckIgnored, Queue: d.Queue, Message: m, Receive: d.Receive, Worker: d.Worker, Reason: event.Stale}
		if latest && M.place == acked {
			e.Reason = event.Repeated
		}
		b.emit(&e)
		return false
	}
	q := M.queue
	b.leave(m, acked)
	b.emit(&event.Event{At: now, Kind: event.Acked, Queue: q, Message: m, Receive: M.receives, Worker: d.Worker, Reason: why})
	b.dispatch(now, q)
	return true
}

// Nack gives a message back. It comes back after delay when given (not
// Never), else after the queue's retry delay.
func (b *Broker) Nack(now event.Time, d Delivery, delay event.Time, why event.Reason) bool {
	if !b.holds(d.Message, d.Receipt) {
		return false
	}
	b.giveBack(now, d.Message, event.Event{Kind: event.Nacked, Worker: d.Worker, Reason: why}, delay)
	return true
}

// Reject moves a message to the dead letters at once.
func (b *Broker) Reject(now event.Time, d Delivery, why event.Reason) bool {
	if !b.holds(d.Message, d.Receipt) {
		return false
	}
	m, q, w := d.Message, d.Queue, d.Worker
	M := b.message(m)
	b.emit(&event.Event{At: now, Kind: event.Rejected, Queue: q, Message: m, Receive: M.receives, Worker: w, Reason: why})
	b.release(m)
	b.dispatchAll(now, q, b.deadLetter(now, m, w))
	return true
}

// Extend ends the visibility timeout that long from now.
func (b *Broker) Extend(now event.Time, d Delivery, by event.Time) bool {
	if !b.holds(d.Message, d.Receipt) {
		return false
	}
	m := d.Message
	M := b.message(m)
	if !M.timer {
		return true // nothing to change
	}
	until := now + by
	b.emit(&event.Event{At: now, Until: until, Kind: event.Extended, Queue: d.Queue, Message: m, Receive: d.Receive, Worker: d.Worker})
	if by == 0 {
		b.hiddenOver(now, m)
		return true
	}
	b.schedule(until, HiddenOver, m)
	return true
}

func (b *Broker) holds(m event.MessageRef, receipt int32) bool {
	return b.message(m).place == inFlight && b.message(m).total == receipt
}

// release takes m out of the hands of its worker, without saying where to.
func (b *Broker) release(m event.MessageRef) {
	M := b.message(m)
	hands := &b.workers[M.worker].hands
	for i := range *hands {
		if (*hands)[i].message == m {
			*hands = slices.Delete(*hands, i, i+1)
			break
		}
	}
	if k := b.key(m); k != nil {
		k.inFlight--
	}
}

// unwait takes m out of the line, or out of its delay.
func (b *Broker) unwait(m event.MessageRef) {
	M := b.message(m)
	Q := &b.queues[M.queue]
	if M.place == waiting {
		Q.line.Remove(Q.line.Find(m))
	} else {
		b.stopRetrying(m)
	}
}

func (b *Broker) stopRetrying(m event.MessageRef) {
	M := b.message(m)
	if k := b.key(m); k != nil && M.retrying {
		i := slices.Index(k.retrying, M.order)
		k.retrying = slices.Delete(k.retrying, i, i+1)
	}
	M.retrying = false
}

func (b *Broker) key(m event.MessageRef) *keyState {
	M := b.message(m)
	if M.key == 0 {
		return nil
	}
	Q := &b.queues[M.queue]
	if Q.keys == nil {
		Q.keys = map[int32]*keyState{}
	}
	k := Q.keys[M.key]
	if k == nil {
		k = &keyState{}
		Q.keys[M.key] = k
	}
	return k
}

// giveBack ends the hand-out of m without an ack. cause is the event that
// says why; the retry delay is replaced by delay unless that is Never.
func (b *Broker) giveBack(now event.Time, m event.MessageRef, cause event.Event, delay event.Time) {
	M := b.message(m)
	q, w := M.queue, M.worker
	Q := &b.queues[q]
	cause.At, cause.Queue, cause.Message, cause.Receive = now, q, m, M.receives
	late := cause.Kind == event.HiddenOver
	b.release(m)
	if Q.config.DeadLetterOn == scenario.OnReturn && b.spent(m) {
		b.emit(&cause)
		b.dispatchAll(now, q, b.deadLetter(now, m, w))
		return
	}
	if delay == event.Never {
		delay = b.retryDelay(&Q.config.Retry, "retry", M.chanceName, int64(M.here), int(M.total))
	}
	M.late = late
	if delay > 0 {
		cause.Reason, cause.Until = event.Delayed, now+delay
		b.emit(&cause)
		M.place, M.retrying = delayed, true
		if k := b.key(m); k != nil {
			k.retrying = append(k.retrying, M.order)
		}
		b.schedule(cause.Until, DelayOver, m)
	} else {
		b.emit(&cause)
		b.comeBack(now, m)
	}
	b.dispatch(now, q)
}

// spent reports whether m used up its hand-outs.
func (b *Broker) spent(m event.MessageRef) bool {
	M := b.message(m)
	limit := b.queues[M.queue].config.MaxReceives
	return limit > 0 && int64(M.here) >= limit
}

// comeBack makes a message available again after a hand-out.
func (b *Broker) comeBack(now event.Time, m event.MessageRef) {
	M := b.message(m)
	q := M.queue
	if M.expires != event.Never && now >= M.expires {
		b.expire(now, m)
		return
	}
	where := [...]event.Reason{scenario.ToTail: event.Tail, scenario.ToHead: event.Head, scenario.ToOriginal: event.Original}[b.queues[q].config.ReturnTo]
	if b.queues[q].config.Order == scenario.PerKey {
		where = event.Original
	}
	b.wait(q, m, where)
	b.emit(&event.Event{At: now, Kind: event.Returned, Queue: q, Message: m, Receive: M.receives, Worker: event.NoWorker, Reason: where})
}

func (b *Broker) expire(now event.Time, m event.MessageRef) {
	M := b.message(m)
	b.leave(m, expired)
	b.emit(&event.Event{At: now, Kind: event.Expired, Queue: M.queue, Message: m, Receive: M.receives, Worker: event.NoWorker})
}

// deadLetter moves m, which is in nobody's hands and in no line, to the
// dead-letter queue, from which the caller has to dispatch. Its size limit and
// delay do not hold for dead letters.
func (b *Broker) deadLetter(now event.Time, m event.MessageRef, w event.WorkerRef) event.QueueRef {
	M := b.message(m)
	from := M.queue
	to := b.LinkDeadLetters(from)
	b.emit(&event.Event{At: now, Kind: event.DeadLettered, Queue: from, Message: m, Receive: M.receives, Worker: w, Arg: int32(to)})
	M.origin = from
	b.arrive(now, to, m)
	b.wait(to, m, event.Tail)
	return to
}

// Redrive moves the dead letters that wait in queue from, in their order, to
// queue to or, when that is NoQueue, back to where each came from. What does
// not fit stays.
func (b *Broker) Redrive(now event.Time, from, to event.QueueRef) {
	letters := make([]event.MessageRef, b.queues[from].line.Len())
	for i := range letters {
		letters[i] = b.queues[from].line.At(i).Message
	}
	slices.SortFunc(letters, func(x, y event.MessageRef) int {
		return int(b.message(x).order) - int(b.message(y).order)
	})
	for _, m := range letters {
		b.redriveOne(now, from, to, m)
	}
	b.dispatch(now, from)
}

func (b *Broker) redriveOne(now event.Time, from, to event.QueueRef, m event.MessageRef) {
	M := b.message(m)
	if to == event.NoQueue {
		to = M.origin
	}
	if to == event.NoQueue || M.place != waiting || M.queue != from {
		return
	}
	if to != from && b.queues[to].full() {
		if b.queues[to].config.Overflow != scenario.DropOldest {
			return
		}
		b.drop(now, to)
	}
	Q := &b.queues[from]
	Q.line.Remove(Q.line.Find(m))
	b.emit(&event.Event{At: now, Kind: event.Redriven, Queue: from, Message: m, Receive: M.receives, Worker: event.NoWorker, Arg: int32(to)})
	M.receives, M.origin = 0, event.NoQueue
	b.arrive(now, to, m)
	b.wait(to, m, event.Tail)
	b.dispatch(now, to)
}

func (b *Broker) schedule(at event.Time, kind TimerKind, m event.MessageRef) {
	M := b.message(m)
	M.tag++
	b.host.Schedule(at, Timer{kind, m, M.tag})
}

// Live reports whether a timer still means something: cancelled timers do not
// keep a run going.
func (b *Broker) Live(t Timer) bool {
	switch t.Kind {
	case NoticeDue:
		return slices.ContainsFunc(b.crashes[t.Message].hands, func(h hand) bool { return b.holds(h.message, h.receipt) })
	case ExpiryDue: // one that comes back, or whose delay ends, is looked at then
		return b.message(t.Message).order == t.Tag && b.message(t.Message).place == waiting
	default:
		return b.message(t.Message).tag == t.Tag
	}
}

// Timer tells the broker that a timer it asked for is due.
func (b *Broker) Timer(now event.Time, t Timer) {
	if !b.Live(t) {
		return
	}
	m := t.Message
	switch t.Kind {
	case NoticeDue:
		b.notice(now, int(t.Message))
	case HiddenOver:
		b.hiddenOver(now, m)
	case DelayOver:
		b.delayOver(now, m)
	case ExpiryDue:
		b.unwait(m)
		b.expire(now, m)
		b.dispatch(now, b.message(m).queue)
	}
}

func (b *Broker) hiddenOver(now event.Time, m event.MessageRef) {
	b.giveBack(now, m, event.Event{Kind: event.HiddenOver, Worker: b.message(m).worker}, event.Never)
}

func (b *Broker) delayOver(now event.Time, m event.MessageRef) {
	M := b.message(m)
	q := M.queue
	if M.retrying {
		b.stopRetrying(m)
		b.comeBack(now, m)
	} else if M.expires != event.Never && now >= M.expires {
		b.expire(now, m)
	} else {
		b.wait(q, m, event.Tail)
		b.emit(&event.Event{At: now, Kind: event.Returned, Queue: q, Message: m, Worker: event.NoWorker, Reason: event.Tail})
	}
	b.dispatch(now, q)
}

// notice brings back what a dead worker had not settled.
func (b *Broker) notice(now event.Time, i int) {
	c := &b.crashes[i]
	for _, h := range c.hands {
		if b.holds(h.message, h.receipt) {
			b.giveBack(now, h.message, event.Event{Kind: event.Noticed, Worker: c.worker}, event.Never)
		}
	}
	c.hands = nil
}

// RetryDelay returns the delay before the try after the n-th, n from 1.
func (b *Broker) RetryDelay(r *scenario.Retry, purpose string, who uint64, n int64, nth int) event.Time {
	return b.retryDelay(r, purpose, who, n, nth)
}

func (b *Broker) retryDelay(r *scenario.Retry, purpose string, who uint64, n int64, nth int) event.Time {
	var d event.Time
	switch r.Backoff {
	case scenario.NoBackoff:
		return 0
	case scenario.Fixed:
		d = r.Base
	case scenario.Linear:
		d = times(r.Base, n, r.Cap)
	case scenario.Exponential:
		d = r.Base
		for i := int64(1); i < n && d < r.Cap; i++ {
			d = times(d, 2, r.Cap)
		}
	}
	d = min(d, r.Cap)
	switch r.Jitter {
	case scenario.FullJitter:
		return event.Time(b.draws.Below(uint64(d)+1, chance.For(purpose), who, nth))
	case scenario.EqualJitter:
		half := d / 2
		return half + event.Time(b.draws.Below(uint64(d-half)+1, chance.For(purpose), who, nth))
	}
	return d
}

// times returns d*n, or cap when that is less.
func times(d event.Time, n int64, limit event.Time) event.Time {
	if d == 0 || n > math.MaxInt64/int64(d) {
		return min(d, limit)
	}
	return min(d*event.Time(n), limit)
}
