package story

import (
	"slices"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// teller tells one event.
type teller struct {
	s     *Story
	i     int
	e     *event.Event
	shown bool
	phrase
}

// tell builds the sentence: one function a kind, in the order of the kinds.
func (t *teller) tell() {
	t.phrase = t.s.phraseOf(t.e)
	switch t.e.Kind {
	case event.Accepted:
		t.accepted()
	case event.Refused:
		t.refused()
	case event.Blocked:
		t.blocked()
	case event.Unblocked:
		t.detail(t.s.words.Room)
	case event.Delivered:
		t.delivered()
	case event.Acked:
		t.acked()
	case event.AckIgnored:
		t.ackIgnored()
	case event.Nacked, event.HiddenOver, event.Noticed:
		t.givenBack()
	case event.Rejected:
		t.shown = t.e.Reason != event.OnError
		t.add(t.s.words.Rejected)
	case event.Extended:
		t.text = Length(t.e.Until)
		t.add(t.s.words.Extended)
	case event.Returned:
		t.returned()
	case event.DeadLettered:
		t.deadLettered()
	case event.Redriven:
		t.target = event.QueueRef(t.e.Arg)
		t.add(t.s.words.Redriven)
	case event.Expired:
		t.expired()
	case event.Dropped:
		t.add(t.s.words.Dropped)
		t.gone()
	default:
		t.work()
	}
}

// work tells what a worker does, and what happens to the run.
func (t *teller) work() {
	w := &t.s.words
	switch t.e.Kind {
	case event.HandlerStarted:
		t.detail(w.Started)
	case event.Line:
		t.number, t.text = int(t.e.Arg), t.s.code(t.e.Worker, t.e.Arg, t.e.At)
		t.detail(w.Line)
	case event.CallStarted:
		t.service, t.length = t.s.log.Targets[t.e.Arg].Name, t.e.Until-t.e.At
		t.detail(w.CallStarted)
		if t.length > 0 {
			t.add(w.CallTakes)
		}
	case event.CallFailed:
		t.service = t.s.log.Targets[t.e.Arg].Name
		t.shown = !t.failsNext()
		t.add(w.CallFailed)
	case event.CallAnswered:
		t.service = t.s.log.Targets[t.e.Arg].Name
		t.add(w.CallAnswered)
	case event.Effect:
		t.effect()
	case event.TableChanged:
		t.tableChanged()
	case event.Printed:
		t.add(w.Printed)
	case event.HandlerFinished:
		t.finished()
	case event.HandlerFailed:
		t.failed()
	case event.Crashed:
		t.crashed()
	case event.Restarted:
		t.add(w.Restarted)
	case event.WorkerAdded:
		t.shown = !t.atStart()
		t.add(w.Added)
	case event.WorkerRemoved:
		t.removed()
	case event.Command:
		t.command()
	case event.Ended:
		t.ended()
	}
}

// detail tells what a transcript leaves out.
func (t *teller) detail(text string) {
	t.shown = false
	t.add(text)
}

// history returns the events of the message before this one, the newest last.
func (t *teller) history() []int32 {
	events := t.s.index.EventsOf(t.e.Message)
	return events[:t.place(events)]
}

// future returns the events of the message after this one.
func (t *teller) future() []int32 {
	events := t.s.index.EventsOf(t.e.Message)
	return events[min(t.place(events)+1, len(events)):]
}

// place returns where this event stands among those of its message.
func (t *teller) place(events []int32) int {
	low, high := 0, len(events)
	for low < high {
		mid := (low + high) / 2
		if int(events[mid]) < t.i {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// last returns the newest earlier event of the message that matches, or nil.
func (t *teller) last(match func(*event.Event) bool) *event.Event {
	history := t.history()
	for k := len(history) - 1; k >= 0; k-- {
		if e := t.s.log.Event(int(history[k])); match(e) {
			return e
		}
	}
	return nil
}

func kind(k event.Kind) func(*event.Event) bool {
	return func(e *event.Event) bool { return e.Kind == k }
}

// next returns the event right after this one when it is about the same
// message, or nil.
func (t *teller) next() *event.Event {
	if t.i+1 >= t.s.log.Len() {
		return nil
	}
	if e := t.s.log.Event(t.i + 1); e.Message == t.e.Message && e.At == t.e.At {
		return e
	}
	return nil
}

func (t *teller) accepted() {
	w := &t.s.words
	t.producer, t.placed = event.ProducerRef(t.e.Arg), true
	before := t.last(func(e *event.Event) bool { return e.Kind == event.Refused || e.Kind == event.Blocked })
	switch {
	case t.e.Arg < 0:
		t.add(w.Published)
	case before != nil && before.Kind == event.Blocked:
		t.length = t.e.At - before.At
		t.add(w.SentAfterWait)
	case before != nil:
		t.add(w.SentAgain)
	case t.e.Reason == event.Delayed:
		t.length = t.e.Until - t.e.At
		t.add(w.SentLater)
	default:
		t.add(w.Sent)
	}
}

func (t *teller) refused() {
	t.producer, t.placed = event.ProducerRef(t.e.Arg), true
	if t.e.Reason == event.WillRetry && t.e.Arg >= 0 {
		t.length = t.e.Until - t.e.At
		t.add(t.s.words.RefusedForNow)
		return
	}
	t.add(t.s.words.Refused)
}

func (t *teller) blocked() {
	t.producer, t.placed = event.ProducerRef(t.e.Arg), true
	if t.e.Arg < 0 {
		t.add(t.s.words.BlockedWorker)
		return
	}
	t.add(t.s.words.Blocked)
}

func (t *teller) delivered() {
	w := &t.s.words
	if busy := t.stillWorking(); busy != event.NoWorker {
		t.other = busy
		t.add(w.DeliveredWhile)
		return
	}
	if t.beginsNow() {
		t.add(w.Delivered)
		return
	}
	t.add(w.DeliveredAhead)
}

// beginsNow reports whether the handler starts at the instant of the hand-out.
func (t *teller) beginsNow() bool {
	for _, i := range t.future() {
		e := t.s.log.Event(int(i))
		if e.At > t.e.At {
			return false
		}
		if e.Kind == event.HandlerStarted && e.Worker == t.e.Worker && e.Receive == t.e.Receive {
			return true
		}
	}
	return t.s.log.Last().At == t.e.At // the log may not have come to it yet
}

// lookBack is how many events of a message are looked through for one that may
// not be there, so that telling a run stays proportional to its length.
const lookBack = 200

// stillWorking returns another worker whose run with the message goes on, or
// NoWorker.
func (t *teller) stillWorking() event.WorkerRef {
	var over []event.WorkerRef // runs that have ended, seen from here
	history := t.history()
	for k := len(history) - 1; k >= max(0, len(history)-lookBack); k-- {
		e := t.s.log.Event(int(history[k]))
		switch e.Kind {
		case event.HandlerFinished, event.HandlerFailed, event.Crashed:
			over = append(over, e.Worker)
		case event.HandlerStarted:
			i := slices.Index(over, e.Worker)
			if i < 0 {
				return e.Worker
			}
			over = slices.Delete(over, i, i+1)
		}
	}
	return event.NoWorker
}

func (t *teller) acked() {
	w := &t.s.words
	switch {
	case t.e.Reason == event.OnDelivery:
		t.add(w.AckedOnDelivery)
	case t.isLate():
		t.add(w.AckedLate)
	case t.e.Reason == event.OnReturn:
		t.add(w.AckedOnReturn)
	default:
		t.add(w.Acked)
	}
	if t.s.isLost(t.e.Message) && !t.fails() {
		t.add(w.Lost)
	}
}

// fails reports whether a run of the message's handler will still go wrong,
// which then says what is lost.
func (t *teller) fails() bool {
	return slices.ContainsFunc(t.future(), func(i int32) bool {
		k := t.s.log.Event(int(i)).Kind
		return k == event.HandlerFailed || k == event.Crashed
	})
}

// isLate reports whether the message was already back when this ack came.
func (t *teller) isLate() bool {
	e := t.last(func(e *event.Event) bool {
		return e.Kind == event.Delivered || e.Kind == event.Returned || e.Kind == event.HiddenOver
	})
	return e != nil && e.Kind != event.Delivered
}

func (t *teller) ackIgnored() {
	w := &t.s.words
	if t.e.Reason == event.Repeated {
		t.add(w.AckRepeated)
		return
	}
	place := t.last(func(e *event.Event) bool {
		switch e.Kind {
		case event.Delivered, event.Acked, event.Expired, event.Dropped, event.Returned, event.HiddenOver:
			return true
		}
		return false
	})
	switch {
	case place != nil && place.Kind == event.Delivered && place.Worker != t.e.Worker:
		t.other = place.Worker
		t.add(w.AckStaleHeld)
	case place != nil && (place.Kind == event.Acked || place.Kind == event.Expired || place.Kind == event.Dropped):
		t.add(w.AckStaleDone)
	default:
		t.add(w.AckStale)
	}
}

// givenBack tells the end of a hand-out without an ack and, where it follows
// at once, where the message goes. That sentence is then not told again.
func (t *teller) givenBack() {
	t.text = t.whereTo()
	if d := t.last(kind(event.Delivered)); d != nil {
		t.length = t.e.At - d.At
	}
	w := &t.s.words
	switch t.e.Kind {
	case event.Nacked:
		t.nacked()
	case event.HiddenOver:
		t.choose(w.HiddenOver, w.HiddenOverLast)
	case event.Noticed:
		t.choose(w.Noticed, w.NoticedLast)
	}
}

// choose adds the first phrase when it is known where the message goes.
func (t *teller) choose(known, unknown string) {
	if t.text == "" {
		t.add(unknown)
		return
	}
	t.add(known)
}

// nacked leaves out what the failure before it has said.
func (t *teller) nacked() {
	w := &t.s.words
	began := t.last(func(e *event.Event) bool { return e.Kind == event.HandlerStarted || e.Kind == event.Delivered })
	switch {
	case t.text == "":
		t.detail(w.NackedLast)
	case began != nil && began.Kind == event.Delivered:
		t.add(w.NackedUnbegun)
	default:
		t.add(w.Nacked)
	}
}

// whereTo says where the message goes from here, "" when another sentence does.
func (t *teller) whereTo() string {
	w := &t.s.words
	if t.e.Reason == event.Delayed {
		p := phrase{s: t.s, length: t.e.Until - t.e.At}
		p.add(w.ToLater)
		return Sentence{Parts: p.parts}.String()
	}
	next := t.next()
	if next == nil || next.Kind != event.Returned {
		return ""
	}
	switch next.Reason {
	case event.Head:
		return w.ToHead
	case event.Original:
		return w.ToOrigin
	}
	return w.ToTail
}

func (t *teller) returned() {
	before := t.s.log.Event(max(t.i-1, 0))
	if before.Message == t.e.Message && before.At == t.e.At && before.Reason != event.Delayed {
		switch before.Kind {
		case event.HiddenOver, event.Nacked, event.Noticed:
			t.shown = false
		}
	}
	if t.last(kind(event.Delivered)) == nil {
		t.add(t.s.words.Ready)
		return
	}
	t.add(t.s.words.Returned)
}

func (t *teller) deadLettered() {
	w := &t.s.words
	t.target = event.QueueRef(t.e.Arg)
	cause := t.last(func(e *event.Event) bool {
		switch e.Kind {
		case event.Rejected, event.HiddenOver, event.Nacked, event.Noticed, event.Returned, event.Accepted:
			return true
		}
		return false
	})
	switch {
	case cause != nil && cause.Kind == event.Rejected:
		t.add(w.DeadRejected)
	case cause != nil && cause.Kind == event.Returned:
		t.text = times(int(t.e.Receive))
		t.add(w.DeadInstead)
	default:
		t.text = strconv.Itoa(int(t.e.Receive))
		t.add(w.DeadAfterTries)
	}
}

func (t *teller) expired() {
	t.length = t.s.queue(t.e.Queue).TTL
	t.add(t.s.words.Expired)
	t.gone()
}

// gone says when a message that is removed is lost.
func (t *teller) gone() {
	if t.s.isLost(t.e.Message) {
		t.add(t.s.words.Lost)
	}
}

// queue returns the settings of a queue at the start.
func (s *Story) queue(q event.QueueRef) scenario.Queue {
	for i := range s.scenario.Queues {
		if s.scenario.Queues[i].Name == s.log.Queues[q].Name {
			return s.scenario.Queues[i]
		}
	}
	return scenario.Queue{Name: s.log.Queues[q].Name}
}

// failsNext reports whether the call's error ends the handler at once.
func (t *teller) failsNext() bool {
	for _, i := range t.future() {
		e := t.s.log.Event(int(i))
		if e.Worker == t.e.Worker && e.Kind != event.Line {
			return e.Kind == event.HandlerFailed && e.At == t.e.At
		}
	}
	return false
}

// finished is worth telling when the message was not settled.
func (t *teller) finished() {
	t.shown = t.holdsOn() && !t.settlesNext()
	if !t.shown {
		t.add(t.s.words.Finished)
		return
	}
	t.add(t.s.words.FinishedBare)
	t.hidden()
}

// holdsOn reports whether the message is still in flight by the hand-out that
// this event belongs to.
func (t *teller) holdsOn() bool {
	e := t.last(func(e *event.Event) bool {
		switch e.Kind {
		case event.Acked, event.Nacked, event.Rejected, event.HiddenOver, event.Noticed, event.Delivered:
			return true
		}
		return false
	})
	return e != nil && e.Kind == event.Delivered && e.Worker == t.e.Worker && e.Receive == t.e.Receive
}

// hidden says until when nobody else gets the message.
func (t *teller) hidden() {
	w := &t.s.words
	for _, i := range t.future() {
		switch e := t.s.log.Event(int(i)); e.Kind {
		case event.HiddenOver, event.Noticed:
			if e.At == t.e.At {
				return // at once: what comes next says so
			}
			t.text = Length(e.At)
			t.add(w.StaysHidden)
			return
		case event.Nacked, event.Rejected, event.Acked, event.AckIgnored:
			return
		}
	}
	d := t.last(func(e *event.Event) bool { return e.Kind == event.Delivered || e.Kind == event.Extended })
	switch {
	case d != nil && d.Until != event.Never:
		t.text = Length(d.Until)
		t.add(w.StaysHidden)
	case d != nil:
		t.add(w.HiddenForever)
	}
}

func (t *teller) failed() {
	w := &t.s.words
	why := t.text
	t.text = strconv.Itoa(int(t.e.Arg))
	t.add(w.Failed)
	t.drop(".")
	t.plain(": " + why)
	t.plain(".")
	t.consequence()
}

// drop takes a full stop off the end.
func (t *teller) drop(end string) {
	last := &t.parts[len(t.parts)-1]
	if n := len(last.Text) - len(end); n >= 0 && last.Text[n:] == end {
		last.Text = last.Text[:n]
	}
}

// consequence says what a run that ends without success means for the message.
func (t *teller) consequence() {
	w := &t.s.words
	acked := t.last(kind(event.Acked)) != nil
	switch {
	case acked && t.s.isLost(t.e.Message):
		t.add(w.LostAfterAck)
	case acked:
		t.add(w.DoneAnyway)
	case t.holdsOn() && !t.settlesNext():
		t.hidden()
	}
}

// settlesNext reports whether the pool's acknowledge or on_error settles the
// message at once.
func (t *teller) settlesNext() bool {
	for _, i := range t.future() {
		e := t.s.log.Event(int(i))
		if e.At > t.e.At {
			return false
		}
		if e.Worker == t.e.Worker && (e.Kind == event.Acked || e.Kind == event.Nacked || e.Kind == event.Rejected) {
			return true
		}
	}
	return false
}

func (t *teller) crashed() {
	w := &t.s.words
	if t.e.Message == event.NoMessage {
		t.add(w.CrashedIdle)
		return
	}
	t.number = int(t.e.Arg)
	t.add(w.Crashed)
	if done, ok := t.effectOfRun(); ok && t.holdsOn() {
		t.text = done
		t.add(w.EffectUnseen)
	}
	t.consequence()
}

// effectOfRun says what this run of the handler has already brought about.
func (t *teller) effectOfRun() (string, bool) {
	e := t.last(func(e *event.Event) bool { return e.Kind == event.Effect || e.Kind == event.HandlerStarted })
	if e == nil || e.Kind != event.Effect || e.Worker != t.e.Worker {
		return "", false
	}
	target := &t.s.log.Targets[t.s.log.Effect(int(e.Arg)).Target]
	if d := deedOf(target.Name); !target.Table && d.verb == "sends" {
		return "The " + d.one + " has gone out", true
	}
	return "The work is done", true
}

// atStart reports whether nothing but workers has come yet.
func (t *teller) atStart() bool {
	return t.s.index.PrevOf(t.i, ^replay.KindsOf(event.WorkerAdded)) < 0
}

func (t *teller) removed() {
	next := t.s.index.Next(t.i+1, func(e *event.Event) bool {
		return e.Worker == t.e.Worker && (e.Kind == event.HandlerFinished || e.Kind == event.HandlerFailed || e.Kind == event.HandlerStarted || e.Kind == event.WorkerAdded)
	})
	if next >= 0 {
		if e := t.s.log.Event(next); e.Kind == event.HandlerFinished || e.Kind == event.HandlerFailed {
			t.message = e.Message
			t.add(t.s.words.Leaving)
			return
		}
	}
	t.add(t.s.words.Removed)
}

func (t *teller) ended() {
	w := &t.s.words
	t.length = t.e.At
	switch t.e.Reason {
	case event.Quiet:
		t.text = Length(t.e.At)
		t.add(w.Quiet)
	case event.UntilReached:
		t.text = Length(t.e.At)
		t.add(w.Until)
	default:
		t.add(w.Limit)
	}
}
