package story

import (
	"reflect"

	"github.com/ticketrail/ticketrail/core/event"
)

// Difference is where two runs part.
type Difference struct {
	Same bool // they do not
	A, B int  // the first events that differ; the length of a log that has no more
	Text string
	// Inside says what differs when both runs tell the event in one sentence,
	// such as how long a message stays hidden; "" otherwise.
	Inside string
}

// FirstDifference finds the first event at which two runs part. Events are
// compared by the names of what they refer to, because references may differ
// between runs that are the same. Lines of handlers do not count: moving a
// line changes their numbers before it changes anything that happens.
func FirstDifference(a, b *Story) Difference {
	i, j := nextEvent(a.log, 0), nextEvent(b.log, 0)
	for i < a.log.Len() && j < b.log.Len() && sameEvent(a.log, i, b.log, j) {
		i, j = nextEvent(a.log, i+1), nextEvent(b.log, j+1)
	}
	if i == a.log.Len() && j == b.log.Len() {
		return Difference{Same: true, A: i, B: j, Text: "The two runs are the same, event by event."}
	}
	why := inside(a, i, b, j)
	return Difference{A: i, B: j, Text: parting(a, i, b, j, why), Inside: why}
}

// nextEvent returns the first event from i on that is not a line of a handler.
func nextEvent(log *event.Log, i int) int {
	for i < log.Len() && log.Event(i).Kind == event.Line {
		i++
	}
	return i
}

func sameEvent(a *event.Log, i int, b *event.Log, j int) bool {
	x, y := a.Event(i), b.Event(j)
	return x.At == y.At && x.Until == y.Until && x.Kind == y.Kind && x.Reason == y.Reason && x.Receive == y.Receive &&
		a.Text(x.Text) == b.Text(y.Text) &&
		messageName(a, x) == messageName(b, y) && queueName(a, x.Queue) == queueName(b, y.Queue) &&
		workerName(a, x) == workerName(b, y) && sameArg(a, x, b, y) && sameMessage(a, x, b, y)
}

func messageName(l *event.Log, e *event.Event) event.ID {
	if e.Message < 0 {
		return event.ID{}
	}
	return l.MessageID(e.Message)
}

func queueName(l *event.Log, q event.QueueRef) string {
	if q < 0 {
		return ""
	}
	return l.Queues[q].Name
}

func workerName(l *event.Log, e *event.Event) string {
	if e.Worker < 0 {
		return ""
	}
	return l.Workers[e.Worker].Name
}

// sameArg compares what Arg refers to; x and y are of one kind.
func sameArg(a *event.Log, x *event.Event, b *event.Log, y *event.Event) bool {
	switch x.Kind {
	case event.Accepted, event.Refused, event.Blocked, event.Unblocked:
		if x.Arg < 0 || y.Arg < 0 {
			return x.Arg == y.Arg
		}
		return a.Producers[x.Arg] == b.Producers[y.Arg]
	case event.DeadLettered, event.Redriven:
		return queueName(a, event.QueueRef(x.Arg)) == queueName(b, event.QueueRef(y.Arg))
	case event.CallStarted, event.CallFailed, event.CallAnswered, event.TableChanged:
		return a.Targets[x.Arg].Name == b.Targets[y.Arg].Name
	case event.Effect:
		p, q := a.Effect(int(x.Arg)), b.Effect(int(y.Arg))
		return a.Targets[p.Target].Name == b.Targets[q.Target].Name && p.Nth == q.Nth && p.Amount == q.Amount && p.Key == q.Key
	case event.HandlerFailed, event.Crashed:
		return true // a line
	}
	return x.Arg == y.Arg
}

// sameMessage compares what was sent with an event that brings a message in.
func sameMessage(a *event.Log, x *event.Event, b *event.Log, y *event.Event) bool {
	if x.Kind != event.Accepted || x.Message < 0 || y.Message < 0 {
		return true
	}
	p, q := a.Message(x.Message), b.Message(y.Message)
	return p.Key == q.Key && p.Type == q.Type && p.Priority == q.Priority && reflect.DeepEqual(p.Body, q.Body)
}

// parting tells both sides of the moment.
func parting(a *Story, i int, b *Story, j int, why string) string {
	at := min(timeOf(a.log, i), timeOf(b.log, j))
	if why != "" {
		return "The runs part at " + Length(at) + ". Both go on: " + a.Sentence(i).String() + " " + why
	}
	return "The runs part at " + Length(at) + ". The first goes on" + side(a, i, at) + " The second goes on" + side(b, j, at)
}

// inside says what differs in two events that are told in one sentence, or "".
func inside(a *Story, i int, b *Story, j int) string {
	if i >= a.log.Len() || j >= b.log.Len() || a.Sentence(i).String() != b.Sentence(j).String() {
		return ""
	}
	x, y := a.log.Event(i), b.log.Event(j)
	says := func(what, first, second string) string {
		return what + " " + first + " in the first and " + second + " in the second."
	}
	switch {
	case x.At != y.At:
		return says("It happens at", Length(x.At), Length(y.At))
	case x.Until != y.Until && x.Kind == event.Delivered:
		return says("It stays hidden", until(x), until(y))
	case x.Until != y.Until:
		return says("It is to last", until(x), until(y))
	case !sameMessage(a.log, x, b.log, y):
		p, q := a.log.Message(x.Message), b.log.Message(y.Message)
		if !reflect.DeepEqual(p.Body, q.Body) {
			return says("Its body is", value(p.Body), value(q.Body))
		}
		return "It has another key, type or priority."
	}
	return ""
}

// until names the instant that an event announces.
func until(e *event.Event) string {
	switch {
	case e.Until != event.Never:
		return "until " + Length(e.Until)
	case e.Kind == event.Delivered:
		return "without a timer"
	}
	return "for ever"
}

func timeOf(l *event.Log, i int) event.Time {
	if i < l.Len() {
		return l.Event(i).At
	}
	return l.Last().At
}

// side tells how one run goes on, and when, unless it does so at once.
func side(s *Story, i int, at event.Time) string {
	if i >= s.log.Len() {
		return " with nothing more."
	}
	when := ""
	if t := s.log.Event(i).At; t > at {
		when = " at " + Length(t)
	}
	return when + ": " + s.Sentence(i).String()
}
