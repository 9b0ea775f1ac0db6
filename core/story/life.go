package story

import (
	"slices"
	"sort"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
)

// Life is how the biography of one message is told: in headings of tries, so
// without naming the worker or the message again. Names are as in Words.
type Life struct {
	Sent, SentAgain, Published, Publishes, Turned, Blocked, NeverIn, Withdrawn, Edited string
	Taken, TakenAgain, TakenWhile, Begun                                               string
	Acked, AckedOnDelivery, AckedLate, AckStale                                        string
	Nacked, Rejected, Extended, HiddenOver, Noticed                                    string
	Returned, Ready, Dead, Redriven, Expired, Dropped                                  string
	CallFailed, CallAnswered, Failed, Crashed, Finished                                string
	Silence                                                                            string
}

// PlainLife is Life in the field's own words.
var PlainLife = Life{
	Sent: "sent by {p}", SentAgain: "asks again and gets in", Published: "published by {w}", Publishes: "publishes {m} to {q}",
	Turned: "turned away: {q} is full", Blocked: "waits at the door: {q} is full", NeverIn: "turned away for good",
	Edited:    "somebody changes it to {x}",
	Withdrawn: "gone before it got in: {w}, who was to publish it, crashes",
	Taken:     "takes it", TakenAgain: "takes the same message", TakenWhile: "takes it *while {v} is still working on it*",
	Begun: "begins after {d}",
	Acked: "acks it: done", AckedOnDelivery: "acknowledged on delivery, before the work",
	AckedLate: "acks it late, but in time", AckStale: "acks it too late: *nothing changes*",
	Nacked: "gives it back", Rejected: "rejects it", Extended: "asks for more time, until {x}",
	HiddenOver: "visibility timeout over after {d}", Noticed: "the broker notices the crash",
	Returned: "back in line", Ready: "ready to be handed out",
	Dead: "moved to {t}", Redriven: "moved back to {t}", Expired: "too old: removed", Dropped: "dropped to make room",
	CallFailed: "{s} fails: {x}", CallAnswered: "{s} knows the key and does nothing again",
	Failed: "fails at line {n}: {x}", Crashed: "crashes at line {n}", Finished: "finishes without an ack",
	Silence: "{d} of silence",
}

// KitchenLife is Life in the words of the kitchen.
var KitchenLife = kitchenLife()

func kitchenLife() Life {
	l := PlainLife
	l.Sent, l.SentAgain, l.Published = "clipped to {q} by {p}", "asks again and is clipped on", "written by {w}"
	l.Publishes = "writes {m} and clips it to {q}"
	l.Turned, l.Blocked = "turned away: no room on {q}", "has to wait: no room on {q}"
	l.Taken, l.TakenAgain = "takes the ticket", "takes the same ticket"
	l.TakenWhile = "takes the ticket *while {v} is still cooking it*"
	l.Acked, l.AckedOnDelivery, l.AckedLate = "spikes it: done", "spiked at once, before any cooking", "spikes it late, but in time"
	l.AckStale = "comes to spike it too late: *nothing changes*"
	l.Nacked, l.Rejected = "hands it back", "refuses to cook it"
	l.HiddenOver, l.Noticed = "not spiked in {d}", "the manager sees that the cook is down"
	l.Returned, l.Ready = "back on the rail", "may be taken now"
	l.Dead, l.Redriven = "moved to {t}", "clipped back to {t}"
	l.Expired, l.Dropped = "hung for too long: thrown away", "thrown away to make room"
	l.Edited = "somebody corrects it: {x}"
	l.Withdrawn = "never clipped on: {w}, who was to clip it, goes down"
	l.Crashed, l.Finished = "*goes down* at line {n}", "finishes without spiking it"
	return l
}

// Biography tells the life of a message from the moment it was sent, try by
// try: Sentence.Try is 0 before the first hand-out, and Sentence.Worker who
// had it. What a worker still did after it had lost the message stands under
// its own try. Sentences with Kind 0 are gaps in which nothing happened.
func (s *Story) Biography(m event.MessageRef) []Sentence {
	b := biographer{s: s, m: m}
	children, edits := s.published(m), s.edits(m)
	for _, i := range s.events(m) {
		for len(children) > 0 && children[0] < i {
			b.publish(int(children[0]))
			children = children[1:]
		}
		for len(edits) > 0 && edits[0] < int(i) {
			b.edit(edits[0])
			edits = edits[1:]
		}
		b.tell(int(i))
	}
	for _, i := range children {
		b.publish(int(i))
	}
	for _, i := range edits {
		b.edit(i)
	}
	b.withdraw()
	sort.SliceStable(b.sentences, func(x, y int) bool { return b.sentences[x].Try < b.sentences[y].Try })
	return b.sentences
}

// published returns the events with which handlers of m published messages.
func (s *Story) published(m event.MessageRef) []int32 {
	var events []int32
	for child := int(m) + 1; child < s.log.MessageCount(); child++ {
		if s.log.MessageParent(event.MessageRef(child)) != m {
			continue
		}
		for _, i := range s.events(event.MessageRef(child)) {
			if s.log.Event(int(i)).Kind == event.Accepted {
				events = append(events, i)
				break
			}
		}
	}
	slices.Sort(events)
	return events
}

// events returns the events of a message in a log that may have grown.
func (s *Story) events(m event.MessageRef) []int32 {
	if s.index.Len() < s.log.Len() {
		s.index.Extend()
	}
	return s.index.EventsOf(m)
}

type biographer struct {
	s         *Story
	m         event.MessageRef
	sentences []Sentence
	tries     []try
	crashedAt event.Time
	silent    bool // the last thing that happened was a crash
}

// try is one hand-out of the message.
type try struct {
	worker  event.WorkerRef
	receive int32
}

// tryOf returns which hand-out an event belongs to, from 1; 0 before any.
func (b *biographer) tryOf(e *event.Event) int {
	for k := len(b.tries) - 1; k >= 0 && e.Worker >= 0; k-- {
		if b.tries[k].worker == e.Worker && (e.Receive == 0 || e.Message != b.m || e.Kind == event.AckIgnored || b.tries[k].receive == e.Receive) {
			return k + 1
		}
	}
	return len(b.tries)
}

func (b *biographer) tell(i int) {
	e := b.s.log.Event(i)
	if e.Kind == event.Delivered {
		b.tries = append(b.tries, try{e.Worker, e.Receive})
	}
	t := teller{s: b.s, i: i, e: e}
	t.phrase = t.s.phraseOf(e)
	t.life()
	b.add(i, e, t.parts)
}

// publish tells that a handler published another message, which event i let in.
func (b *biographer) publish(i int) {
	e := b.s.log.Event(i)
	p := b.s.phraseOf(e)
	p.placed = true
	p.add(b.s.words.Life.Publishes)
	b.add(i, e, p.parts)
}

// edit tells that the timeline changed the message.
func (b *biographer) edit(i int) {
	e := b.s.log.Event(i)
	p := b.s.phraseOf(e)
	p.text = value(b.s.scenario.Timeline[e.Arg].EditBody)
	p.add(b.s.words.Life.Edited)
	b.add(i, e, p.parts)
}

// withdraw tells that the message was taken away by its sender's crash.
func (b *biographer) withdraw() {
	i := b.s.withdrawn(b.m)
	if i < 0 {
		return
	}
	e := b.s.log.Event(i)
	p := b.s.phraseOf(e)
	p.add(b.s.words.Life.Withdrawn)
	b.sentences = append(b.sentences, Sentence{At: e.At, Event: i, Kind: e.Kind, Parts: p.parts, Shown: true, Worker: event.NoWorker})
}

// add puts what was told under its try.
func (b *biographer) add(i int, e *event.Event, parts []Part) {
	if len(parts) == 0 {
		return
	}
	n := b.tryOf(e)
	b.gap(e, n)
	worker := event.NoWorker
	if n > 0 {
		worker = b.tries[n-1].worker
	}
	b.sentences = append(b.sentences, Sentence{At: e.At, Event: i, Kind: e.Kind, Parts: parts, Shown: true, Try: int32(n), Worker: worker})
	if e.Kind == event.Crashed {
		b.crashedAt, b.silent = e.At, true
	}
}

// gap tells how long nobody knew of a crash.
func (b *biographer) gap(e *event.Event, n int) {
	if !b.silent {
		return
	}
	b.silent = false
	if e.At == b.crashedAt {
		return
	}
	p := phrase{s: b.s, length: e.At - b.crashedAt}
	p.add(b.s.words.Life.Silence)
	b.sentences = append(b.sentences, Sentence{At: b.crashedAt, Event: -1, Parts: p.parts, Shown: true, Try: int32(n), Worker: b.tries[n-1].worker})
}

// life tells the event within its try.
func (t *teller) life() {
	l := &t.s.words.Life
	switch t.e.Kind {
	case event.Accepted, event.Refused, event.Blocked:
		t.lifeAtDoor()
	case event.Delivered:
		t.lifeTaken()
	case event.HandlerStarted:
		if d := t.last(kind(event.Delivered)); d != nil && d.At < t.e.At {
			t.length = t.e.At - d.At
			t.add(l.Begun)
		}
	case event.Acked:
		switch {
		case t.e.Reason == event.OnDelivery:
			t.add(l.AckedOnDelivery)
		case t.isLate():
			t.add(l.AckedLate)
		default:
			t.add(l.Acked)
		}
	case event.AckIgnored:
		if t.e.Reason == event.Stale {
			t.add(l.AckStale)
		}
	case event.Effect:
		t.lifeEffect()
	default:
		t.lifeRest()
	}
}

func (t *teller) lifeAtDoor() {
	l := &t.s.words.Life
	t.producer = event.ProducerRef(t.e.Arg)
	switch {
	case t.e.Kind == event.Blocked:
		t.add(l.Blocked)
	case t.e.Kind == event.Refused && t.e.Reason == event.WillRetry:
		t.add(l.Turned)
	case t.e.Kind == event.Refused:
		t.add(l.NeverIn)
	case t.e.Arg < 0:
		t.add(l.Published)
	case len(t.history()) > 0:
		t.add(l.SentAgain)
	default:
		t.add(l.Sent)
	}
}

func (t *teller) lifeTaken() {
	l := &t.s.words.Life
	switch t.other = t.stillWorking(); {
	case t.other != event.NoWorker:
		t.add(l.TakenWhile)
	case t.e.Receive > 1:
		t.add(l.TakenAgain)
	default:
		t.add(l.Taken)
	}
}

// lifeEffect numbers effects from the second on.
func (t *teller) lifeEffect() {
	record := t.s.log.Effect(int(t.e.Arg))
	target := &t.s.log.Targets[record.Target]
	d := deedOf(target.Name)
	switch {
	case target.Table && record.Amount != 0:
		t.add("adds " + strconv.FormatInt(record.Amount, 10) + " to " + target.Name)
	case target.Table:
		t.add("writes to " + target.Name)
	case d.verb == "":
		t.add("calls " + target.Name)
	default:
		t.add(d.verb + " " + d.object)
	}
	if record.Nth > 1 {
		t.plain(", ")
		t.strong = true
		if d.verb == "sends" {
			t.plain("the " + ordinal(int(record.Nth)) + " one")
		} else {
			t.plain("the " + ordinal(int(record.Nth)) + " time")
		}
		t.strong = false
	}
}

func (t *teller) lifeRest() {
	l := &t.s.words.Life
	switch t.e.Kind {
	case event.Nacked:
		t.add(l.Nacked)
	case event.Rejected:
		t.add(l.Rejected)
	case event.Extended:
		t.text = Length(t.e.Until)
		t.add(l.Extended)
	case event.HiddenOver:
		if d := t.last(kind(event.Delivered)); d != nil {
			t.length = t.e.At - d.At
		}
		t.add(l.HiddenOver)
	case event.Noticed:
		t.add(l.Noticed)
	case event.Returned:
		if t.last(kind(event.Delivered)) == nil {
			t.add(l.Ready)
			return
		}
		t.add(l.Returned)
	case event.DeadLettered:
		t.target = event.QueueRef(t.e.Arg)
		t.add(l.Dead)
	case event.Redriven:
		t.target = event.QueueRef(t.e.Arg)
		t.add(l.Redriven)
	case event.Expired:
		t.add(l.Expired)
	case event.Dropped:
		t.add(l.Dropped)
	default:
		t.lifeWork()
	}
}

func (t *teller) lifeWork() {
	l := &t.s.words.Life
	switch t.e.Kind {
	case event.CallFailed:
		t.service = t.s.log.Targets[t.e.Arg].Name
		if !t.failsNext() {
			t.add(l.CallFailed)
		}
	case event.CallAnswered:
		t.service = t.s.log.Targets[t.e.Arg].Name
		t.add(l.CallAnswered)
	case event.HandlerFailed:
		t.number = int(t.e.Arg)
		t.add(l.Failed)
	case event.Crashed:
		t.number = int(t.e.Arg)
		t.add(l.Crashed)
	case event.HandlerFinished:
		if t.holdsOn() && !t.settlesNext() {
			t.add(l.Finished)
		}
	case event.TableChanged:
		if !t.s.log.Targets[t.e.Arg].Effect {
			t.add(written(t.text, t.s.log.Targets[t.e.Arg].Name))
		}
	}
}
