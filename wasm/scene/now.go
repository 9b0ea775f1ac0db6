package scene

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// drawNow writes the current event in a few words, with its time.
func (s *Stage) drawNow() {
	i := s.current()
	l := s.lay
	n := s.frame.add(keyOf(kNow, 0), zText).at(l.now.x, l.now.y)
	isNow := i >= 0 && (s.in.Stepped || s.run.Log.Event(i).At == s.in.Now)
	if s.memo.known(n, hashStart.int(i).bool(isNow)) {
		return
	}
	p := &s.pen
	if i >= 0 {
		e := s.run.Log.Event(i)
		first, second := s.caption(i)
		size := nowSize
		if s.size.phone() {
			size = phoneNowSize
		}
		when := string(appendClock(nil, e.At))
		if isNow {
			when += " now"
		}
		p.add(`<text class="nowt">~</text>`, when)
		if l.nowGap == 0 {
			if second != "" {
				first += " " + second
			}
			x := max(l.nowIndent, widthOf(when, monoFont, 11)+8)
			p.add(`<text class="nowh" x="~" y="1">~</text>`, x, fit(first, headFont, size, l.nowRoom-x))
		} else {
			p.add(`<text class="nowh" y="~">~</text>`, l.nowGap+1, fit(first, headFont, size, l.nowRoom))
			if second != "" {
				p.add(`<text class="nowh" y="~">~</text>`, 2*l.nowGap, fit(second, headFont, size, l.nowRoom))
			}
		}
	}
	s.memo.keep(n, p)
}

// nowSize is the size of the caption, phoneNowSize that on a phone.
const nowSize, phoneNowSize = 19.0, 17.0

// current is the event that the caption is about: of those whose turn to be
// shown has come lately the weightiest, so that in a busy second a crash is
// not gone before it was read.
func (s *Stage) current() int {
	best, bestAt := -1, event.Time(0)
	for i := s.st.Events - 1; i >= 0 && i > s.st.Events-400; i-- {
		e := s.run.Log.Event(i)
		if best >= 0 && e.At != s.run.Log.Event(best).At && (!s.moving || i < s.sched.from) {
			break
		}
		if weight(s.run.Log, e) == 0 || s.moving && !s.begun(i) {
			continue
		}
		if s.in.Stepped || s.amidst() {
			return i
		}
		at := s.shownAt(i)
		if best < 0 || s.moving && s.outweighs(e, at, best, bestAt) ||
			!s.moving && (at > bestAt || at == bestAt && weight(s.run.Log, e) > weight(s.run.Log, s.run.Log.Event(best))) {
			best, bestAt = i, at
		}
	}
	return best
}

// outweighs reports whether event e, shown at an instant, has the caption
// rather than a later one: it does for a moment when it weighs more.
func (s *Stage) outweighs(e *event.Event, at event.Time, best int, bestAt event.Time) bool {
	w, o := weight(s.run.Log, e), weight(s.run.Log, s.run.Log.Event(best))
	if !s.holds(w, at) {
		return at > bestAt && !s.holds(o, bestAt)
	}
	return w > o || w == o && at > bestAt || !s.holds(o, bestAt)
}

// holds reports whether an event of that weight still has a right to the
// caption.
func (s *Stage) holds(weight int, at event.Time) bool {
	length := .4
	if weight >= 5 {
		length = .9
	}
	return at+event.Time(length*s.in.Speed*1e9) > s.in.Now
}

// amidst reports whether the state lies between two events of one instant:
// one has come there by steps.
func (s *Stage) amidst() bool {
	n := s.st.Events
	return !s.moving && n > 0 && n < s.run.Log.Len() && s.run.Log.Event(n-1).At == s.run.Log.Event(n).At
}

// shownAt is when event i is told: later than it happened when other things
// of the same instant go before it.
func (s *Stage) shownAt(i int) event.Time {
	if st := s.stepOf(i); st != nil {
		return st.start
	}
	return s.run.Log.Event(i).At
}

func (s *Stage) begun(i int) bool {
	if st := s.stepOf(i); st != nil {
		return s.in.Now > st.start || s.in.Now == st.start && st.start > 0
	}
	return true
}

// stepOf is the step that shows event i, or nil.
func (s *Stage) stepOf(i int) *step {
	if !s.moving {
		return nil
	}
	return s.sched.of(i)
}

// weight is how much an event deserves the caption among those of the same
// instant; 0 is not at all.
func weight(log *event.Log, e *event.Event) int {
	switch e.Kind {
	case event.Line, event.HandlerStarted, event.HandlerFinished, event.CallStarted, event.TableChanged,
		event.Printed, event.Unblocked, event.Noticed, event.Rejected, event.Nacked:
		return 0
	case event.HiddenOver:
		if e.Reason == event.Delayed {
			return 6
		}
		return 0
	case event.AckIgnored:
		if e.Reason == event.Stale {
			return 7
		}
		return 0
	case event.Ended:
		return 10
	case event.Crashed, event.DeadLettered:
		return 9
	case event.HandlerFailed, event.CallFailed:
		return 7
	case event.Returned, event.Expired, event.Dropped, event.Redriven:
		return 6
	case event.Refused, event.Blocked:
		return 5
	case event.Effect:
		if log.Effect(int(e.Arg)).Nth > 1 {
			return 8
		}
		return 4
	case event.CallAnswered:
		return 4
	case event.Delivered, event.Acked:
		return 3
	case event.Accepted:
		return 2
	}
	return 1
}

// caption says event i in at most two short lines.
func (s *Stage) caption(i int) (string, string) {
	e := s.run.Log.Event(i)
	name, who, order := "", "", ""
	if e.Message >= 0 {
		id := identify(s.run.Log, e.Message)
		name, order = id.name, id.number
		if name == "" {
			name = order
		}
	}
	if e.Worker >= 0 {
		who = s.workerName(e.Worker)
	}
	switch e.Kind {
	case event.Accepted:
		return s.acceptedCaption(e, who, order)
	case event.Refused:
		if e.Reason == event.GaveUp {
			return "No room: " + order + " is turned away.", ""
		}
		return "No room for " + order + ".", "Asks again later."
	case event.Blocked:
		return "No room: " + order + " has to wait.", ""
	case event.Delivered:
		if e.Receive > 1 {
			return who + " takes " + order + ".", ordinal(int(e.Receive)) + " try."
		}
		return who + " takes " + order + ".", ""
	case event.Acked:
		if e.Worker < 0 {
			return order + " is done.", ""
		}
		return who + " acks " + order + ".", s.words.Gone
	case event.AckIgnored:
		return who + " acks " + order + " too late.", "Ignored."
	case event.Extended:
		return who + " asks for more time.", ""
	case event.HiddenOver:
		return order + " not acked in time.", "Comes later."
	case event.Returned:
		return s.returned(i, order)
	case event.DeadLettered:
		return order + " " + s.words.Buried + ".", "Given up."
	case event.Redriven:
		return order + " is put back in line.", ""
	case event.Expired:
		return order + " waited too long.", "It is removed."
	case event.Dropped:
		return order + " makes room.", "It is dropped."
	case event.CallAnswered:
		return "Already done for " + name + ".", "Nothing happens twice."
	case event.Effect:
		return s.effectCaption(e, who, name)
	case event.CallFailed, event.HandlerFailed:
		return who + ": " + firstWords(s.run.Log.Text(e.Text), 5), ""
	case event.Crashed:
		if e.Message < 0 {
			return who + " goes down.", ""
		}
		if s.ackedBefore(i) {
			return who + " crashes.", order + " was already acked."
		}
		return who + " crashes.", order + " was never acked."
	case event.Restarted:
		return who + " is back.", ""
	case event.WorkerAdded:
		return who + " joins.", ""
	case event.WorkerRemoved:
		return who + " leaves.", ""
	case event.Command:
		return firstWords(s.run.Log.Text(e.Text), 7), ""
	case event.Ended:
		return s.endCaption(e)
	}
	return strings.ReplaceAll(e.Kind.String(), "_", " ") + " " + order, ""
}

// ackedBefore reports whether the hand-out that event i belongs to was acked
// before it.
func (s *Stage) ackedBefore(i int) bool {
	e := s.run.Log.Event(i)
	for _, k := range s.run.Index.EventsOf(e.Message) {
		if int(k) >= i {
			break
		}
		a := s.run.Log.Event(int(k))
		if a.Kind == event.Acked && a.Queue == e.Queue && a.Receive == e.Receive {
			return true
		}
	}
	return false
}

// acceptedCaption tells where a new message comes from and, where there is
// more than one queue, where it goes.
func (s *Stage) acceptedCaption(e *event.Event, who, order string) (string, string) {
	where := ""
	if s.lay.board {
		where = "To " + s.plan.queues[e.Queue].name + "."
	}
	switch {
	case e.Reason == event.Delayed:
		return order + " has to wait first.", ""
	case e.Worker >= 0:
		return who + " publishes " + order + ".", where
	case actOf(e) == noAct:
		return s.opening(), ""
	case s.lay.board && e.Arg >= 0:
		return s.plan.producers[e.Arg].name + " adds " + order + ".", where
	}
	return "The " + strings.ToLower(s.words.Producer.Name) + " adds " + order + ".", ""
}

// firstWords is the beginning of a text, at most n words of it, as a sentence.
func firstWords(text string, n int) string {
	words := strings.Fields(text)
	if len(words) > n {
		return strings.Join(words[:n], " ") + "…"
	}
	text = strings.Join(words, " ")
	if text == "" || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// opening says what is there before anything happens.
func (s *Stage) opening() string {
	n := s.waitAtFirst(event.NoQueue)
	if n == 1 {
		return "One order waits."
	}
	text := numeral(n)
	return strings.ToUpper(text[:1]) + text[1:] + " orders wait."
}

// waitAtFirst is how many hang on a rail, or on all, before anything happens.
func (s *Stage) waitAtFirst(q event.QueueRef) int {
	n := 0
	for i := 0; i < s.run.Log.Len() && s.run.Log.Event(i).At == 0; i++ {
		if e := s.run.Log.Event(i); e.Kind == event.Accepted && e.Reason != event.Delayed && (q < 0 || e.Queue == q) {
			n++
		}
	}
	return n
}

// returned tells a message's coming back by its cause.
func (s *Stage) returned(i int, order string) (string, string) {
	for k := i - 1; k >= 0 && k > i-8; k-- {
		c := s.run.Log.Event(k)
		if c.Message != s.run.Log.Event(i).Message {
			continue
		}
		switch c.Kind {
		case event.HiddenOver:
			return order + " not acked in time.", "Back again."
		case event.Nacked:
			return order + " is given back.", "Back in line."
		}
		break
	}
	return order + " is back in line.", ""
}

func (s *Stage) effectCaption(e *event.Event, who, name string) (string, string) {
	r := s.run.Log.Effect(int(e.Arg))
	d := s.plan.targets[r.Target].deed
	first := who + " " + d.verb + " " + name + "."
	if d.verb == "calls" || d.verb == "writes" {
		first = who + " " + d.verb + " " + s.run.Log.Targets[r.Target].Name + "."
	}
	switch {
	case r.Nth > 2:
		return first, "The " + strings.ToLower(ordinal(int(r.Nth))) + " " + d.one + "."
	case r.Nth == 2:
		return first, "The second " + d.one + "."
	}
	return first, ""
}

func (s *Stage) endCaption(e *event.Event) (string, string) {
	switch e.Reason {
	case event.Quiet:
		return "Nothing more happens.", ""
	case event.LimitReached:
		return "Stopped at a limit:", firstWords(s.run.Log.Text(e.Text), 3)
	}
	return "The time is up.", ""
}

func ordinal(n int) string {
	if n < 10 {
		return [...]string{"No", "First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth", "Ninth"}[n]
	}
	return itoa(n) + "th"
}
