package replay

import (
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/line"
)

// apply takes event i, the next one, into the state. Each kind does what its
// comment in package event says.
func (c *Cursor) apply(i int) {
	s := &c.state
	if c == c.ix.head {
		s.grow(c.ix)
	}
	e := c.ix.log.Event(i)
	s.Events, s.At = i+1, e.At
	c.cost += eventCost
	if e.Worker >= 0 {
		s.Workers[e.Worker].Event = i
	}
	switch e.Kind {
	case event.Accepted, event.Refused, event.Blocked:
		c.knock(i, e)
	case event.Delivered:
		c.deliver(i, e)
	case event.Acked:
		c.ack(i, e)
	case event.AckIgnored:
		if e.Reason != event.Repeated {
			s.Counts.StaleAcks++
			c.of(e.Queue).StaleAcks++
		}
	case event.HiddenOver, event.Nacked, event.Noticed:
		c.giveBack(i, e)
	case event.Rejected:
		c.settle(e)
	case event.Extended:
		if h := c.holding(e); h != nil {
			h.Until = e.Until
		}
	case event.Returned:
		c.leave(i, e.Queue, e.Message)
		c.wait(e.Queue, e.Message, e.Reason, i)
	case event.DeadLettered, event.Redriven:
		c.leave(i, e.Queue, e.Message)
		c.wait(event.QueueRef(e.Arg), e.Message, event.Tail, i)
	case event.Expired:
		c.leave(i, e.Queue, e.Message)
		s.Counts.Expired++
		c.of(e.Queue).Expired++
	case event.Dropped:
		c.leave(i, e.Queue, e.Message)
		s.Counts.Dropped++
		c.of(e.Queue).Dropped++
	case event.Effect:
		c.effect(i, e)
		c.act(e)
	case event.Command:
		c.command(i, e)
	default:
		c.work(e)
	}
}

// of returns the counts of a queue.
func (c *Cursor) of(q event.QueueRef) *Counts {
	if q < 0 {
		return &c.none
	}
	return &c.state.Queues[q].Counts
}

// knock applies what happens at a queue's door.
func (c *Cursor) knock(i int, e *event.Event) {
	total, own := &c.state.Counts, c.of(e.Queue)
	if c.ix.first(i) {
		total.Sent++
		own.Sent++
	}
	c.door(i, e)
	switch {
	case e.Kind == event.Refused && e.Reason != event.WillRetry:
		total.Refused++
		own.Refused++
	case e.Kind == event.Accepted:
		total.Accepted++
		own.Accepted++
		if e.Reason == event.Delayed {
			c.delay(e.Queue, e.Message)
		} else {
			c.wait(e.Queue, e.Message, event.Tail, i)
		}
	}
}

// door keeps the list of those who stand at a producer's door.
func (c *Cursor) door(i int, e *event.Event) {
	if e.Arg < 0 {
		return
	}
	p := &c.state.Producers[e.Arg]
	p.Event = i
	if c.ix.first(i) {
		p.Sent++
	}
	since := e.At
	if c.ix.before(i) == Door {
		k := slices.IndexFunc(p.Door, func(d AtDoor) bool { return d.Message == e.Message })
		c.cost += len(p.Door)
		if k >= 0 && e.Kind == event.Refused && e.Reason == event.WillRetry {
			p.Door[k].RetryAt = e.Until
			return
		}
		if k >= 0 {
			p.Door = slices.Delete(p.Door, k, k+1)
		}
	}
	switch {
	case e.Kind == event.Blocked:
		p.Door = append(p.Door, AtDoor{e.Message, e.Queue, since, event.Never})
	case e.Kind == event.Refused && e.Reason == event.WillRetry:
		p.Door = append(p.Door, AtDoor{e.Message, e.Queue, since, e.Until})
	case e.Kind == event.Refused:
		p.GaveUp = recent(p.GaveUp, e.Message)
	}
}

// recent appends v and keeps the newest.
func recent[T any](s []T, v T) []T {
	if len(s) < Recent {
		return append(s, v)
	}
	copy(s, s[1:])
	s[len(s)-1] = v
	return s
}

// leave takes a message out of where it was before event i.
func (c *Cursor) leave(i int, q event.QueueRef, m event.MessageRef) {
	queue := &c.state.Queues[q]
	switch c.ix.before(i) {
	case Waiting:
		k := queue.Waiting.Find(m)
		c.cost += 2 * k
		queue.Waiting.Remove(k)
		queue.Counts.Waiting--
	case Delayed:
		queue.Delayed = c.without(queue.Delayed, m)
		queue.Counts.Delayed--
	case InFlight:
		queue.Hidden = c.without(queue.Hidden, m)
		queue.Counts.InFlight--
	}
}

// without returns the list without m.
func (c *Cursor) without(list []event.MessageRef, m event.MessageRef) []event.MessageRef {
	c.cost += len(list)
	if k := slices.Index(list, m); k >= 0 {
		return slices.Delete(list, k, k+1)
	}
	return list
}

// wait puts a message in line.
func (c *Cursor) wait(q event.QueueRef, m event.MessageRef, where event.Reason, i int) {
	queue := &c.state.Queues[q]
	entry := line.Entry{Message: m, Priority: c.ix.log.MessagePriority(m), Order: c.ix.order(m, i)}
	switch where {
	case event.Head:
		queue.Waiting.PushHead(entry)
	case event.Original:
		c.cost += queue.Waiting.Len()
		queue.Waiting.PushOriginal(entry)
	default:
		queue.Waiting.PushTail(entry)
	}
	if queue.Waiting.OrderedByPriority() {
		c.cost += queue.Waiting.Len() / 4
	}
	queue.Counts.Waiting++
}

// delay lets a message wait for its time.
func (c *Cursor) delay(q event.QueueRef, m event.MessageRef) {
	queue := &c.state.Queues[q]
	queue.Delayed = append(queue.Delayed, m)
	queue.Counts.Delayed++
}

// total adds up where the messages are: in dead-letter queues all are dead.
func (s *State) total(queues []event.Queue) {
	t := &s.Counts
	t.Waiting, t.Delayed, t.InFlight, t.Dead = 0, 0, 0, 0
	for i := range s.Queues {
		own := &s.Queues[i].Counts
		if queues[i].DeadLetter {
			own.Dead = own.Waiting + own.Delayed + own.InFlight
			t.Dead += own.Dead
			continue
		}
		t.Waiting += own.Waiting
		t.Delayed += own.Delayed
		t.InFlight += own.InFlight
	}
}

func (c *Cursor) deliver(i int, e *event.Event) {
	c.leave(i, e.Queue, e.Message)
	total, own := &c.state.Counts, &c.state.Queues[e.Queue].Counts
	own.InFlight++
	total.Deliveries++
	own.Deliveries++
	if e.Receive > 1 {
		total.Redeliveries++
		own.Redeliveries++
	}
	w := &c.state.Workers[e.Worker]
	w.Held = append(w.Held, Held{Message: e.Message, Queue: e.Queue, Receive: e.Receive,
		Receipt: e.Arg, At: e.At, Until: e.Until})
}

func (c *Cursor) ack(i int, e *event.Event) {
	c.leave(i, e.Queue, e.Message)
	c.state.Counts.Acked++
	c.of(e.Queue).Acked++
	c.state.Done = recent(c.state.Done, e.Message)
	c.settle(e)
}

// giveBack applies the end of a hand-out without an ack. Unless the message
// has to wait for its time, the event that follows moves it.
func (c *Cursor) giveBack(i int, e *event.Event) {
	if e.Message < 0 {
		return
	}
	switch e.Kind {
	case event.HiddenOver:
		if h := c.holding(e); h != nil {
			h.Over = true
		}
	case event.Nacked:
		c.nack(e)
	}
	if e.Reason == event.Delayed {
		c.leave(i, e.Queue, e.Message)
		c.delay(e.Queue, e.Message)
	}
}

// nack settles the hand-out or, when the message was only held for later,
// takes it out of the worker's hands.
func (c *Cursor) nack(e *event.Event) {
	c.settle(e)
	if e.Worker < 0 {
		return
	}
	w := &c.state.Workers[e.Worker]
	k := w.find(e.Message, e.Receive)
	if k >= 0 && k != w.Running {
		w.drop(k)
		w.rest()
	}
}

// settle marks the hand-out as acked, nacked or rejected by its worker.
func (c *Cursor) settle(e *event.Event) {
	if h := c.holding(e); h != nil {
		h.Settled = true
	}
}

// holding returns the hand-out that e is about, when its worker still has it.
func (c *Cursor) holding(e *event.Event) *Held {
	if e.Worker < 0 {
		return nil
	}
	w := &c.state.Workers[e.Worker]
	if k := w.find(e.Message, e.Receive); k >= 0 {
		return &w.Held[k]
	}
	return nil
}

// find returns the place in Held of a hand-out of m: the newest with that
// receive count.
func (w *Worker) find(m event.MessageRef, receive int32) int {
	for k := len(w.Held) - 1; k >= 0; k-- {
		if h := &w.Held[k]; h.Message == m && (receive == 0 || h.Receive == receive) {
			return k
		}
	}
	return -1
}

// drop takes hand-out k out of the worker's hands.
func (w *Worker) drop(k int) {
	w.Held = slices.Delete(w.Held, k, k+1)
	switch {
	case w.Running == k:
		w.Running = -1
	case w.Running > k:
		w.Running--
	}
}

// rest lets a worker that runs nothing be idle, or gone when it was leaving.
func (w *Worker) rest() {
	if w.Running >= 0 || w.Status == Down || w.Status == Absent {
		return
	}
	w.Status = Idle
	if w.Leaving && len(w.Held) == 0 {
		w.Status, w.Leaving = Absent, false
	}
}

func (c *Cursor) effect(i int, e *event.Event) {
	total, own := &c.state.Counts, c.of(e.Queue)
	record := c.ix.log.Effect(int(e.Arg))
	target := &c.state.Targets[record.Target]
	total.Effects++
	own.Effects++
	target.Effects++
	target.Latest = recent(target.Latest, int32(i))
	if record.Nth > 1 {
		total.Duplicates++
		own.Duplicates++
		target.Duplicates++
		target.Repeated = int32(i)
	}
}

// act ends the call that a worker was waiting for.
func (c *Cursor) act(e *event.Event) {
	if e.Worker >= 0 {
		c.state.Workers[e.Worker].Call = event.NoTarget
	}
}

func (c *Cursor) command(i int, e *event.Event) {
	for _, o := range c.ix.log.Orders {
		if int(o.Event) == i {
			c.state.Queues[o.Queue].Waiting.ByPriority(o.ByPriority)
		}
	}
	text := c.ix.log.Text(e.Text)
	if name, ok := strings.CutPrefix(text, "pause "); ok {
		c.pause(name, true)
	} else if name, ok := strings.CutPrefix(text, "resume "); ok {
		c.pause(name, false)
	}
}

func (c *Cursor) pause(name string, paused bool) {
	if k := slices.Index(c.ix.log.Producers, name); k >= 0 {
		c.state.Producers[k].Paused = paused
	}
}

// work applies what a worker does, and what becomes of it.
func (c *Cursor) work(e *event.Event) {
	if e.Worker < 0 {
		return
	}
	w := &c.state.Workers[e.Worker]
	switch e.Kind {
	case event.HandlerStarted:
		w.Status, w.Line, w.Since, w.Call = Busy, 0, e.At, event.NoTarget
		w.Running = w.begin(e.Message, e.Receive)
	case event.Line:
		w.Line, w.Since, w.Call = int(e.Arg), e.At, event.NoTarget
	case event.CallStarted:
		w.Call, w.CallFrom, w.CallEnd = event.TargetRef(e.Arg), e.At, e.Until
	case event.CallFailed, event.CallAnswered, event.TableChanged:
		w.Call = event.NoTarget
	case event.HandlerFailed:
		c.state.Counts.Failures++
		c.of(e.Queue).Failures++
		c.finish(w, e)
	case event.HandlerFinished:
		c.finish(w, e)
	case event.Crashed:
		c.crash(w, e)
	case event.Restarted:
		w.Status, w.Lost, w.Line, w.RestartAt = Idle, w.Lost[:0], 0, event.Never
	case event.WorkerAdded:
		w.add()
	case event.WorkerRemoved:
		c.remove(w)
	}
}

// begin returns which hand-out the handler starts with: the oldest of that
// message and receive count.
func (w *Worker) begin(m event.MessageRef, receive int32) int {
	return slices.IndexFunc(w.Held, func(h Held) bool { return h.Message == m && h.Receive == receive })
}

// finish ends a run of the handler. A message that nobody settled stays in
// flight, but in nobody's hands.
func (c *Cursor) finish(w *Worker, e *event.Event) {
	w.Call, w.Line = event.NoTarget, 0
	if w.Running >= 0 {
		c.hide(w.Held[w.Running])
		w.drop(w.Running)
	}
	w.rest()
}

// hide notes that a hand-out which is still good is in nobody's hands.
func (c *Cursor) hide(h Held) {
	if !h.Settled && !h.Over {
		q := &c.state.Queues[h.Queue]
		q.Hidden = append(q.Hidden, h.Message)
	}
}

func (c *Cursor) crash(w *Worker, e *event.Event) {
	if e.Message >= 0 {
		c.state.Counts.Crashes++
		c.of(e.Queue).Crashes++
	}
	for _, h := range w.Held {
		c.hide(h)
	}
	w.Lost = append(w.Lost[:0], w.Held...)
	w.Held, w.Running, w.Call = w.Held[:0], -1, event.NoTarget
	w.Status, w.Line, w.Since, w.CrashedAt, w.RestartAt = Down, int(e.Arg), e.At, e.At, e.Until
	if w.Leaving {
		w.Status, w.Leaving = Absent, false
	}
}

func (w *Worker) add() {
	w.Leaving = false
	if w.Status == Absent {
		w.Status, w.Line = Idle, 0
	}
}

// remove lets a worker go. A busy one finishes its run; what it has not begun
// is on its way back, and only what still counts is in the log.
func (c *Cursor) remove(w *Worker) {
	running := Held{}
	busy := w.Running >= 0
	for k, h := range w.Held {
		if k == w.Running {
			running = h
		} else {
			c.hide(h)
		}
	}
	w.Held, w.Lost = w.Held[:0], w.Lost[:0]
	if busy {
		w.Held, w.Running, w.Leaving = append(w.Held, running), 0, true
		return
	}
	w.Status, w.Running = Absent, -1
}
