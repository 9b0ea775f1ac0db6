package outcome

import (
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Of measures a run in one pass over its log. The log may be of a run that
// still goes on; then the measures are those up to its last event.
func Of(s *scenario.Scenario, log *event.Log) *Outcome {
	t := newTally(s, log)
	for i := range log.Len() {
		t.event(log.Event(i))
	}
	return t.outcome()
}

// tally is the state of the pass.
type tally struct {
	o        *Outcome
	log      *event.Log
	now      event.Time
	messages []message // by event.MessageRef
	workers  []worker  // by event.WorkerRef
	peak     event.QueueRef
	moved    uint8 // the step of the current event, for the course

	waits, sojourns []event.Time
	arrivals        int // acceptances, dead-letterings and redrives so far
}

// place is where a message is. The order is that of the course's counters.
type place uint8

const (
	nowhere place = iota
	waiting
	delayed
	inFlight
	acked
	expired
	dropped
)

// message is what the pass knows about one message.
type message struct {
	place    place
	queue    event.QueueRef
	origin   event.QueueRef // in a dead-letter queue: where it came from, or NoQueue
	seen     bool           // a producer or handler tried to send it
	handed   bool           // handed out at least once
	fruitful bool           // something came of one of its runs
	finished bool           // a run of it ended without error
	running  int            // runs of its handler that are going on
	accepted event.Time
	arrived  int // when it came to its queue, among all arrivals
}

type worker struct {
	present bool
	message event.MessageRef // what its handler works on, or NoMessage
	since   event.Time       // of the last change of present or message
}

func newTally(s *scenario.Scenario, log *event.Log) *tally {
	o := &Outcome{Scenario: s, Log: log}
	t := &tally{o: o, log: log, peak: event.NoQueue,
		messages: make([]message, log.MessageCount()),
		workers:  make([]worker, len(log.Workers)),
	}
	o.course.begin(log.Len())
	for i := range log.Queues {
		o.Queues = append(o.Queues, Queue{Name: log.Queues[i].Name, DeadLetter: log.Queues[i].DeadLetter})
	}
	for _, name := range log.Pools {
		o.Pools = append(o.Pools, Pool{Name: name})
	}
	for _, target := range log.Targets {
		o.Targets = append(o.Targets, Target{Name: target.Name, Table: target.Table, Effect: target.Effect})
	}
	for i, w := range log.Workers {
		t.workers[i] = worker{message: event.NoMessage, present: startsWith(s, log.Pools[w.Pool], w.Number)}
	}
	return t
}

// startsWith reports whether the pool has that worker from the start.
func startsWith(s *scenario.Scenario, pool string, number int) bool {
	for i := range s.Workers {
		if s.Workers[i].Name == pool {
			return int64(number) <= s.Workers[i].Count
		}
	}
	return false
}

// event takes one event into account.
func (t *tally) event(e *event.Event) {
	t.settlePeak(e)
	t.now = e.At
	t.moved = 0
	switch e.Kind {
	case event.Accepted, event.Refused, event.Blocked:
		t.offered(e)
	case event.Delivered:
		t.delivered(e)
	case event.Acked:
		t.acked(e)
	case event.AckIgnored:
		if e.Reason == event.Stale {
			t.count(e, func(c *Counts) { c.StaleAcks++ })
		}
	case event.Nacked, event.HiddenOver, event.Rejected, event.Noticed, event.WorkerRemoved:
		t.gaveBack(e)
	case event.Returned:
		t.move(e.Message, waiting, e.Queue)
	case event.DeadLettered:
		t.deadLettered(e)
	case event.Redriven:
		t.move(e.Message, waiting, event.QueueRef(e.Arg))
		t.arrive(&t.messages[e.Message], event.NoQueue)
	case event.Expired:
		t.move(e.Message, expired, e.Queue)
		t.count(e, func(c *Counts) { c.Expired++ })
	case event.Dropped:
		t.move(e.Message, dropped, e.Queue)
		t.count(e, func(c *Counts) { c.Dropped++ })
	case event.Effect:
		t.effect(e)
	case event.CallAnswered:
		if e.Message != event.NoMessage {
			t.messages[e.Message].fruitful = true
		}
	}
	t.worker(e)
	t.o.course.add(t.moved)
}

// count applies one change to the counts of the run and of the event's queue.
func (t *tally) count(e *event.Event, change func(*Counts)) {
	change(&t.o.Counts)
	if e.Queue != event.NoQueue {
		change(&t.o.Queues[e.Queue].Counts)
	}
}

func (t *tally) offered(e *event.Event) {
	m := &t.messages[e.Message]
	if !m.seen {
		m.seen = true
		t.count(e, func(c *Counts) { c.Sent++ })
	}
	switch {
	case e.Kind == event.Accepted:
		t.accepted(e, m)
	case e.Kind == event.Refused && e.Reason == event.GaveUp:
		t.count(e, func(c *Counts) { c.Refused++ })
	}
}

func (t *tally) accepted(e *event.Event, m *message) {
	m.accepted = e.At
	t.count(e, func(c *Counts) { c.Accepted++ })
	if parent := t.log.MessageParent(e.Message); parent != event.NoMessage {
		t.messages[parent].fruitful = true
	}
	t.moved |= acceptedStep
	if e.Reason == event.Delayed {
		t.move(e.Message, delayed, e.Queue)
	} else {
		t.move(e.Message, waiting, e.Queue)
	}
	t.arrive(m, event.NoQueue)
}

// arrive notes the order of arrival, by which dead letters are listed.
func (t *tally) arrive(m *message, from event.QueueRef) {
	t.arrivals++
	m.arrived, m.origin = t.arrivals, from
}

func (t *tally) delivered(e *event.Event) {
	m := &t.messages[e.Message]
	t.count(e, func(c *Counts) {
		c.Deliveries++
		if e.Receive > 1 {
			c.Redeliveries++
		}
	})
	if !m.handed {
		m.handed = true
		t.waits = append(t.waits, e.At-m.accepted)
	}
	t.move(e.Message, inFlight, e.Queue)
}

func (t *tally) acked(e *event.Event) {
	t.count(e, func(c *Counts) { c.Acked++ })
	t.o.Finished = append(t.o.Finished, e.Message)
	t.sojourns = append(t.sojourns, e.At-t.messages[e.Message].accepted)
	t.move(e.Message, acked, e.Queue)
}

// gaveBack is a hand-out that ended without an ack. Only one that comes back
// later moves here; otherwise the event that follows says where it went.
func (t *tally) gaveBack(e *event.Event) {
	if e.Reason == event.Delayed && e.Message != event.NoMessage {
		t.move(e.Message, delayed, e.Queue)
	}
}

func (t *tally) deadLettered(e *event.Event) {
	t.move(e.Message, waiting, event.QueueRef(e.Arg))
	t.arrive(&t.messages[e.Message], e.Queue)
}

func (t *tally) effect(e *event.Event) {
	record := t.log.Effect(int(e.Arg))
	target := &t.o.Targets[record.Target]
	target.Amount += record.Amount
	target.Effects++
	repeated := record.Nth > 1
	if repeated {
		target.Duplicates++
	}
	t.count(e, func(c *Counts) {
		c.Effects++
		if repeated {
			c.Duplicates++
		}
	})
	if e.Message != event.NoMessage {
		t.messages[e.Message].fruitful = true
	}
	t.moved |= effectStep
}

// move takes a message from where it is to a place in queue q.
func (t *tally) move(ref event.MessageRef, to place, q event.QueueRef) {
	m := &t.messages[ref]
	t.leave(m)
	t.moved |= step(t.counter(m.place, m.queue), t.counter(to, q))
	m.place, m.queue = to, q
	t.enter(to, q)
}

func (t *tally) leave(m *message) {
	switch m.place {
	case waiting:
		q := &t.o.Queues[m.queue]
		q.Counts.Waiting--
		q.WaitingTime += t.now
	case delayed:
		t.o.Queues[m.queue].Counts.Delayed--
	case inFlight:
		t.o.Queues[m.queue].Counts.InFlight--
	}
}

// enter counts a message in. A span of waiting is the time of leaving minus
// the time of entering, added up as it goes.
func (t *tally) enter(to place, at event.QueueRef) {
	switch to {
	case waiting:
		q := &t.o.Queues[at]
		q.Counts.Waiting++
		q.WaitingTime -= t.now
		if q.Counts.Waiting > q.MaxWaiting {
			t.peak = at
		}
	case delayed:
		t.o.Queues[at].Counts.Delayed++
	case inFlight:
		t.o.Queues[at].Counts.InFlight++
	}
}

// settlePeak takes a new longest line of a queue for true unless this event,
// at the same instant, makes it shorter: a message that is handed out as it
// comes, or moved to the dead letters instead, does not wait.
func (t *tally) settlePeak(e *event.Event) {
	if t.peak == event.NoQueue {
		return
	}
	q := &t.o.Queues[t.peak]
	atOnce := e != nil && e.At == t.now && e.Queue == t.peak && leavesLine(e.Kind)
	if !atOnce {
		q.MaxWaiting = max(q.MaxWaiting, q.Counts.Waiting)
	}
	t.peak = event.NoQueue
}

// leavesLine reports whether a message stands in a line no longer after an
// event of that kind.
func leavesLine(k event.Kind) bool {
	return k == event.Delivered || k == event.Dropped || k == event.DeadLettered
}

// counter is the total of the run that counts a message at a place.
func (t *tally) counter(p place, q event.QueueRef) counter {
	switch {
	case p == nowhere:
		return none
	case p <= inFlight && t.log.Queues[q].DeadLetter:
		return deadCounter
	case p <= inFlight:
		return counter(p)
	default:
		return counter(p-acked) + ackedCounter
	}
}

// worker follows the workers: when each is there, and when it works.
func (t *tally) worker(e *event.Event) {
	if e.Worker == event.NoWorker {
		return
	}
	w := &t.workers[e.Worker]
	pool := &t.o.Pools[t.log.Workers[e.Worker].Pool]
	switch e.Kind {
	case event.Delivered:
		pool.Deliveries++
	case event.HandlerStarted:
		t.elapse(w, pool)
		w.message = e.Message
		t.messages[e.Message].running++
	case event.HandlerFinished:
		t.messages[e.Message].finished = true
		t.runEnded(w, pool)
	case event.HandlerFailed:
		pool.Failures++
		t.count(e, func(c *Counts) { c.Failures++ })
		t.runEnded(w, pool)
	case event.Crashed:
		if e.Message != event.NoMessage {
			pool.Crashes++
			t.count(e, func(c *Counts) { c.Crashes++ })
		}
		t.runEnded(w, pool)
	case event.WorkerAdded:
		t.elapse(w, pool)
		w.present = true
	case event.WorkerRemoved:
		t.elapse(w, pool)
		w.present = false
	}
}

func (t *tally) runEnded(w *worker, pool *Pool) {
	t.elapse(w, pool)
	if w.message != event.NoMessage {
		t.messages[w.message].running--
		w.message = event.NoMessage
	}
}

// elapse adds the time since the worker last changed. One that was removed
// but still finishes its run is there until it is done.
func (t *tally) elapse(w *worker, pool *Pool) {
	span := t.now - w.since
	if w.message != event.NoMessage {
		pool.BusyTime += span
	}
	if w.present || w.message != event.NoMessage {
		pool.WorkerTime += span
	}
	w.since = t.now
}

// outcome closes the books at the time of the last event.
func (t *tally) outcome() *Outcome {
	o := t.o
	t.settlePeak(nil)
	o.EndedAt, o.EndedBecause = t.now, ""
	if at, why := t.log.Ended(); why != "" {
		o.EndedAt, o.EndedBecause = at, why
	}
	for i := range t.workers {
		t.elapse(&t.workers[i], &o.Pools[t.log.Workers[i].Pool])
	}
	o.Wait, o.Sojourn = spread(t.waits), spread(t.sojourns)
	t.places()
	t.lost()
	return o
}

// places counts what each queue holds in the end.
func (t *tally) places() {
	o := t.o
	for i := range o.Queues {
		q := &o.Queues[i]
		q.WaitingTime += event.Time(q.Counts.Waiting) * t.now
	}
	final := o.course.after(t.log.Len())
	o.Waiting, o.Delayed, o.InFlight, o.Dead = final.Waiting, final.Delayed, final.InFlight, final.Dead
	for i := range t.messages {
		m := &t.messages[i]
		if t.counter(m.place, m.queue) != deadCounter {
			continue
		}
		t.died(event.MessageRef(i), m.queue)
		if m.origin != event.NoQueue && !o.Queues[m.origin].DeadLetter {
			t.died(event.MessageRef(i), m.origin)
		}
	}
	for i := range o.Queues {
		q := &o.Queues[i]
		slices.SortStableFunc(q.DeadLetters, func(a, b event.MessageRef) int {
			return t.messages[a].arrived - t.messages[b].arrived
		})
	}
}

func (t *tally) died(m event.MessageRef, queue event.QueueRef) {
	q := &t.o.Queues[queue]
	q.DeadLetters = append(q.DeadLetters, m)
	q.Counts.Dead++
}

// spread sorts the durations and describes them.
func spread(d []event.Time) Spread {
	if len(d) == 0 {
		return Spread{}
	}
	slices.Sort(d)
	s := Spread{N: len(d), P50: nearestRank(d, 50), P95: nearestRank(d, 95), Max: d[len(d)-1]}
	for _, v := range d {
		s.Sum += v
	}
	return s
}

// nearestRank returns the least of the sorted durations that at least p
// percent of them do not exceed.
func nearestRank(sorted []event.Time, p int) event.Time {
	rank := (len(sorted)*p + 99) / 100
	return sorted[max(rank, 1)-1]
}
