package scene

import (
	"math"
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// act is a movement that an event causes on the stage.
type act uint8

const (
	noAct    act = iota
	clipOn       // a new ticket: straight in from the left
	turnAway     // touches the end of the rail, drops, is stamped
	standBy      // a blocked one: stands at the end of the rail
	take         // off the rail, down to a worker
	send         // an envelope from the line at work into the inbox
	answer       // a call answered from the idempotency key: it only knocks
	bounce       // a failed call: to the border and no further
	spikeIt      // ack
	comeBack     // the long way back to the rail
	putAside     // into the place of the delayed
	fall         // to the tray
	redrive      // from the tray to the rail
	vanish       // expired or dropped
	crash        // the shelf breaks, the badge falls
	stampIt      // RAISED or TOO LATE lands
)

// timing is how long an act takes on the wall, and when what depends on it
// may begin, in seconds. The lengths are the --m-* of web/css/tokens.css.
type timing struct{ length, message, worker float64 }

var timings = [...]timing{
	clipOn:   {.42, .42, 0},
	turnAway: {.50, .50, 0},
	standBy:  {.36, .36, 0},
	take:     {.42, .42, .42},
	send:     {.42, .34, .34},
	answer:   {.42, .34, .34},
	bounce:   {.42, .38, .38},
	spikeIt:  {.42, .42, .26},
	comeBack: {.64, .64, .30},
	putAside: {.42, .42, .26},
	fall:     {.64, .64, .30},
	redrive:  {.64, .64, 0},
	vanish:   {.36, .36, 0},
	crash:    {.24, .24, .24},
	stampIt:  {.14, .48, .48},
}

const (
	// shuffleAfter is when the queue moves up after a ticket was taken.
	shuffleAfter = .18
	// staggerTakes and the others keep apart what leaves one place at the
	// same instant.
	staggerTakes   = .10
	staggerClips   = .12
	staggerReturns = .14
	// shortest is the least time in which a movement can be followed; with
	// less it is not shown, only its end.
	shortest = .12
	// window is how far back a chain of acts can have begun.
	window = 2.4
	// linger is how long a trail or stamp stays after its act while playing.
	linger = .9
	// busiest is how many events in the window still make a picture.
	busiest = 600
)

// actOf says what event e looks like.
func actOf(e *event.Event) act {
	switch e.Kind {
	case event.Accepted:
		if e.At == 0 && e.Worker < 0 {
			return noAct // clipped before the doors opened
		}
		if e.Reason == event.Delayed {
			return putAside
		}
		return clipOn
	case event.Refused:
		return turnAway
	case event.Blocked:
		return standBy
	case event.Delivered:
		return take
	case event.Effect:
		return send
	case event.CallAnswered:
		return answer
	case event.CallFailed:
		return bounce
	case event.Acked:
		return spikeIt
	case event.Returned:
		return comeBack
	case event.Nacked, event.HiddenOver:
		if e.Reason == event.Delayed {
			return putAside
		}
		return noAct // what follows at once moves it
	case event.DeadLettered:
		return fall
	case event.Redriven:
		return redrive
	case event.Expired, event.Dropped:
		return vanish
	case event.Crashed:
		return crash
	case event.HandlerFailed, event.AckIgnored:
		return stampIt
	}
	return noAct
}

// step is an act laid out in time.
type step struct {
	act      act
	event    int
	message  event.MessageRef
	worker   event.WorkerRef   // who does it, or who had the ticket
	queue    event.QueueRef    // where the ticket was, or knocks
	to       event.QueueRef    // where it belongs afterwards
	from     replay.Place      // where the ticket was before
	holder   event.WorkerRef   // who had it last
	producer event.ProducerRef // who sent it, or NoProducer
	shared   bool              // others come back at the same instant
	timed    bool              // the broker's timer did it: the worker goes on as it is

	start, end event.Time // equal when there is no time to show it
	line       int        // where the worker was before
	until      event.Time // end of the visibility timeout before
	since      event.Time // start of that hand-out

	offset, length float64 // in the chain, before squeezing
	chain          int     // index of the first step of the chain
}

// schedule lays out the acts of the last seconds.
type schedule struct {
	run      Run
	from, to int
	speed    float64
	steps    []step
	ready    []readiness
}

type readiness struct {
	who    int // a message from 0 up, a worker from -1 down, other things below
	offset float64
}

// workerWho and the others make one number space of what acts wait for.
func workerWho(w event.WorkerRef) int { return -1 - int(w) }

const (
	takesWho   = -1 << 20
	clipsWho   = -1<<20 - 1
	returnsWho = -1<<20 - 2
)

func (s *schedule) clear() {
	s.steps = s.steps[:0]
	s.from, s.to, s.speed = 0, 0, 0
}

// update lays out the acts of the events in (now-window, now], from event told
// on.
func (s *schedule) update(now event.Time, told, events int, speed float64) {
	from := max(told, s.run.Log.Find(now-event.Time(window*speed*1e9)))
	if from == s.from && events == s.to && speed == s.speed {
		return
	}
	s.from, s.to, s.speed = from, events, speed
	s.steps = s.steps[:0]
	if events-from > busiest {
		return
	}
	for i := from; i < events; {
		k := i + 1
		for k < events && s.run.Log.Event(k).At == s.run.Log.Event(i).At {
			k++
		}
		s.instant(i, k)
		i = k
	}
}

// instant lays out what happened at one instant: the events [i, k).
func (s *schedule) instant(i, k int) {
	first := len(s.steps)
	s.ready = s.ready[:0]
	for ; i < k; i++ {
		if a := actOf(s.run.Log.Event(i)); a != noAct {
			s.place(i, a, first)
		}
	}
	group := s.steps[first:]
	if len(group) == 0 {
		return
	}
	s.share(group)
	for n := range group {
		if c := &group[n]; c.chain == first+n {
			s.squeeze(first, n, k)
		}
	}
}

// share marks the returns of one instant when there are several.
func (s *schedule) share(group []step) {
	returns := 0
	for i := range group {
		if group[i].act == comeBack {
			returns++
		}
	}
	for i := range group {
		group[i].shared = group[i].act == comeBack && returns > 1
	}
}

// place gives the act of event i its place in its chain.
func (s *schedule) place(i int, a act, first int) {
	e := s.run.Log.Event(i)
	st := step{act: a, event: i, message: e.Message, worker: e.Worker, queue: e.Queue, chain: len(s.steps), until: event.Never}
	s.before(&st)
	t := timings[a]
	st.length = t.length
	if e.Message >= 0 {
		st.offset = max(st.offset, s.readyAt(int(e.Message)))
	}
	if e.Worker >= 0 && !st.timed {
		st.offset = max(st.offset, s.readyAt(workerWho(e.Worker)))
	}
	if a == take {
		st.offset = max(st.offset, s.readyAt(takesWho))
		s.setReady(takesWho, st.offset+staggerTakes)
	}
	if (a == clipOn || a == turnAway || a == standBy) && !s.copy(&st) {
		st.offset = max(st.offset, s.readyAt(clipsWho))
		s.setReady(clipsWho, st.offset+staggerClips)
	}
	if a == comeBack {
		st.offset = max(st.offset, s.readyAt(returnsWho))
		s.setReady(returnsWho, st.offset+staggerReturns)
	}
	if e.Message >= 0 {
		s.setReady(int(e.Message), st.offset+t.message)
	}
	if e.Worker >= 0 && !st.timed {
		s.setReady(workerWho(e.Worker), st.offset+t.worker)
	}
	// It joins the chains of those with the same ticket or worker.
	for n := len(s.steps) - 1; n >= first; n-- {
		o := &s.steps[n]
		if !o.shares(&st) || o.chain == st.chain {
			continue
		}
		from, to := st.chain, o.chain
		if to > from {
			from, to = to, from
		}
		for q := first; q < len(s.steps); q++ {
			if s.steps[q].chain == from {
				s.steps[q].chain = to
			}
		}
		st.chain = to
	}
	s.steps = append(s.steps, st)
}

// copy reports whether the step before is another copy of the same message: a
// topic's copies come together and part at the topic. The copy starts with it.
func (s *schedule) copy(st *step) bool {
	if len(s.steps) == 0 || st.act != clipOn {
		return false
	}
	last := &s.steps[len(s.steps)-1]
	if last.act != clipOn || last.queue == st.queue || s.run.Log.Event(last.event).At != s.run.Log.Event(st.event).At ||
		s.run.Log.MessageID(last.message) != s.run.Log.MessageID(st.message) {
		return false
	}
	st.offset = max(st.offset, last.offset)
	return true
}

func (st *step) shares(o *step) bool {
	return st.message >= 0 && st.message == o.message ||
		st.worker >= 0 && st.worker == o.worker && !st.timed && !o.timed
}

// before fills in what was the case before the event.
func (s *schedule) before(st *step) {
	st.to, st.producer = st.queue, event.NoProducer
	if st.message >= 0 {
		st.producer = s.run.Log.Message(st.message).Producer
	}
	if st.act == fall || st.act == redrive {
		st.to = event.QueueRef(s.run.Log.Event(st.event).Arg)
	}
	if st.message >= 0 {
		was := s.run.Index.Where(st.message, st.event)
		st.from, st.until, st.since, st.holder = was.Place, was.Until, was.Since, was.Worker
		if st.worker < 0 && (st.act.movesTicket() && was.Place == replay.InFlight || st.act == comeBack || st.act == fall || st.act == putAside) {
			st.worker = was.Worker
		}
		if st.act == comeBack || st.act == fall || st.act == putAside || st.act == vanish {
			st.timed = s.byTimer(st)
		}
	}
	if st.worker < 0 {
		return
	}
	for i := st.event - 1; i >= 0 && i > st.event-200; i-- {
		e := s.run.Log.Event(i)
		if e.Worker != st.worker {
			continue
		}
		if e.Kind == event.Line {
			st.line = int(e.Arg)
			return
		}
		if e.Kind == event.HandlerStarted {
			return
		}
	}
}

// byTimer reports whether what moves the ticket is a timer, not its worker.
func (s *schedule) byTimer(st *step) bool {
	for i := st.event; i >= 0 && i > st.event-6; i-- {
		e := s.run.Log.Event(i)
		if e.Message != st.message {
			continue
		}
		switch e.Kind {
		case event.HiddenOver, event.Noticed:
			return true
		case event.Nacked, event.Rejected, event.HandlerFailed:
			return false
		}
	}
	return st.from != replay.InFlight
}

func (s *schedule) readyAt(who int) float64 {
	for i := range s.ready {
		if s.ready[i].who == who {
			return s.ready[i].offset
		}
	}
	return 0
}

func (s *schedule) setReady(who int, offset float64) {
	for i := range s.ready {
		if s.ready[i].who == who {
			s.ready[i].offset = max(s.ready[i].offset, offset)
			return
		}
	}
	s.ready = append(s.ready, readiness{who, offset})
}

// squeeze fits the chain that begins with step n of the group between its
// instant and the next event, from next on, of any of its tickets or workers.
func (s *schedule) squeeze(first, n, next int) {
	group := s.steps[first:]
	chain := first + n
	length := 0.0
	for i := range group {
		if group[i].chain == chain {
			length = max(length, group[i].offset+group[i].length)
		}
	}
	at := s.run.Log.Event(group[0].event).At
	scale := 1.0
	limit := at + event.Time(length*s.speed*1e9)
	for i := next; i < s.run.Log.Len() && i < next+busiest; i++ {
		e := s.run.Log.Event(i)
		if e.At >= limit {
			break
		}
		if actOf(e) != noAct && s.concerns(group, chain, e) {
			scale = float64(e.At-at) / 1e9 / s.speed / length
			break
		}
	}
	for i := range group {
		if st := &group[i]; st.chain == chain {
			st.start = at + event.Time(st.offset*scale*s.speed*1e9)
			st.end = st.start
			if st.length*scale >= shortest {
				st.end += event.Time(st.length * scale * s.speed * 1e9)
			}
		}
	}
}

func (s *schedule) concerns(group []step, chain int, e *event.Event) bool {
	for i := range group {
		st := &group[i]
		if st.chain == chain && (e.Message >= 0 && e.Message == st.message || e.Worker >= 0 && e.Worker == st.worker && !st.timed) {
			return true
		}
	}
	return false
}

// ticketStep returns the step in which the ticket of m is, or which it waits
// for, or nil when it is at rest.
func (s *schedule) ticketStep(m event.MessageRef, now event.Time) *step {
	for i := range s.steps {
		if st := &s.steps[i]; st.message == m && now < st.end && st.act.movesTicket() {
			return st
		}
	}
	return nil
}

// joins reports whether a ticket stands in line after the act.
func (a act) joins() bool { return a == clipOn || a == comeBack || a == redrive || a == fall }

func (a act) movesTicket() bool {
	switch a {
	case send, answer, bounce, crash, stampIt:
		return false
	}
	return true
}

// workerStep returns the newest step in which worker w is, or else the first
// that it waits for.
func (s *schedule) workerStep(w event.WorkerRef, now event.Time) *step {
	var found *step
	for i := range s.steps {
		st := &s.steps[i]
		if st.worker != w || now >= st.end || st.timed || st.act == clipOn || st.act == turnAway || st.act == standBy {
			continue
		}
		if found == nil || now >= st.start {
			found = st
		}
	}
	return found
}

// landed reports whether nothing of event i is still to be shown.
func (s *schedule) landed(i int, now event.Time) bool {
	st := s.of(i)
	return st == nil || now >= st.end
}

// of is the step of event i, or nil: steps are in the order of their events.
func (s *schedule) of(i int) *step {
	low, high := 0, len(s.steps)
	for low < high {
		mid := (low + high) / 2
		if s.steps[mid].event < i {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(s.steps) || s.steps[low].event != i {
		return nil
	}
	return &s.steps[low]
}

// progress is how far into the step now is, from 0 to 1.
func (st *step) progress(now event.Time) float64 {
	switch {
	case now <= st.start:
		return 0
	case now >= st.end:
		return 1
	}
	return float64(now-st.start) / float64(st.end-st.start)
}

// shuffle is how far the queue has moved up after a take, from 0 to 1.
func (st *step) shuffle(now event.Time) float64 {
	p := st.progress(now)
	after := shuffleAfter / timings[take].length
	return easeMove.at((p - after) / (1 - after))
}

// Natural returns the speed that suits the run, in virtual seconds a second:
// one at which a typical piece of work takes about two seconds, and the whole
// no more than two minutes. It is of the form 1, 2 or 5 times a power of ten.
func (s *Stage) Natural() float64 { return s.natural }

// Natural is Stage.Natural for a log.
func Natural(log *event.Log) float64 {
	if log.Len() == 0 {
		return 1
	}
	took := make([]event.Time, 0, 64)
	began := make([]event.Time, len(log.Workers))
	for i := 0; i < log.Len() && len(took) < cap(took); i++ {
		e := log.Event(i)
		if e.Worker < 0 {
			continue
		}
		switch e.Kind {
		case event.HandlerStarted:
			began[e.Worker] = e.At
		case event.HandlerFinished, event.HandlerFailed, event.Crashed:
			if d := e.At - began[e.Worker]; d > 0 {
				took = append(took, d)
			}
		}
	}
	length := log.Last().At.Seconds()
	speed := length / 8
	if len(took) > 0 {
		sort.Slice(took, func(i, j int) bool { return took[i] < took[j] })
		speed = took[len(took)/2].Seconds() / 2
	}
	speed = max(speed, length/120)
	if speed <= 0 {
		return 1
	}
	return nice(speed)
}

// nice rounds to 1, 2 or 5 times a power of ten.
func nice(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	switch f := v / unit; {
	case f < 1.42:
		return unit
	case f < 3.17:
		return 2 * unit
	case f < 7.08:
		return 5 * unit
	}
	return 10 * unit
}
