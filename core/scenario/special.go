package scenario

import (
	"github.com/ticketrail/ticketrail/core/event"
)

// The forms of fields that are written in more than one way.

// latencyForm reads 200ms, {mean: 200ms, spread: exponential} or {min: 100ms,
// max: 300ms}.
type latencyForm struct{}

func (latencyForm) read(d *decoder, n *Node, at string, into any) {
	l := into.(*Latency)
	if n.Kind != MapNode {
		v := Latency{}
		durationForm{}.read(d, n, at, &v.Min)
		*l = v
		return
	}
	v := Latency{}
	latencyRecord.read(d, n, at, &v)
	if d.faulty(at) {
		return
	}
	mean, spread, least, most := n.Field("mean"), n.Field("spread"), n.Field("min"), n.Field("max")
	switch {
	case (mean != nil || spread != nil) && (least != nil || most != nil):
		d.problem(n, at, "%s has both mean and min or max: write {mean: 200ms, spread: exponential} or {min: 100ms, max: 300ms}", lastOf(at))
	case mean != nil && spread == nil:
		d.problem(n, at, "%s has a mean and no spread: write spread: exponential beside it, or %s: %s", lastOf(at), lastOf(at), mean.Text)
	case mean == nil && spread != nil:
		d.problem(n, at, "%s has a spread and no mean: write {mean: 200ms, spread: exponential}", lastOf(at))
	case (least == nil) != (most == nil), mean == nil && least == nil:
		d.problem(n, at, "%s needs both min and max: write {min: 100ms, max: 300ms}", lastOf(at))
	case least != nil && v.Min > v.Max:
		d.problem(n, at, "%s: min %s is above max %s: exchange them", lastOf(at), FormatDuration(v.Min), FormatDuration(v.Max))
	case least != nil:
		v.Kind = UniformLatency
	}
	*l = v
}

func (latencyForm) write(from any) *Node {
	l := from.(*Latency)
	duration := func(d Duration) *Node { return textNode(FormatDuration(d)) }
	n := &Node{Kind: MapNode}
	switch l.Kind {
	case UniformLatency:
		return n.add("min", duration(l.Min)).add("max", duration(l.Max))
	case ExponentialLatency:
		return n.add("mean", duration(l.Mean)).add("spread", textNode("exponential"))
	}
	return duration(l.Min)
}
func (latencyForm) kind() Kind { return KindLatency }

// spreadForm reads the one word that a spread can be.
type spreadForm struct{}

func (spreadForm) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != TextNode || n.Text != "exponential" {
		d.problem(n, at, "spread: %s is not known: write exponential", described(n))
		return
	}
	*into.(*LatencyKind) = ExponentialLatency
}
func (spreadForm) write(from any) *Node {
	if *from.(*LatencyKind) == ExponentialLatency {
		return textNode("exponential")
	}
	return nil
}
func (spreadForm) kind() Kind { return KindChoice }

// errorForm reads what a failing call says. It points to the Service because
// the default has the service's name in it.
type errorForm struct{}

func (errorForm) read(d *decoder, n *Node, at string, into any) {
	textForm{"a text such as mail server timed out"}.read(d, n, at, &into.(*Service).Error)
}

func (errorForm) write(from any) *Node {
	s := from.(*Service)
	if s.Error == "" || s.Error == defaultError(s) {
		return nil
	}
	return quoteNode(s.Error)
}
func (errorForm) kind() Kind { return KindText }

func defaultError(s *Service) string { return s.Name + " failed" }

// crashForm reads {probability: 10%} or a list of exact crashes.
type crashForm struct{}

func (crashForm) reset(into any) { crashRecord.reset(into) }

func (crashForm) read(d *decoder, n *Node, at string, into any) {
	c := into.(*Crash)
	switch n.Kind {
	case ListNode:
		listOf[ExactCrash]{exactCrashRecord}.read(d, n, at, &c.Exact)
	case MapNode:
		crashRecord.read(d, n, at, c)
		if n.Field("probability") == nil {
			d.problem(n, at, "crash has no probability: write {probability: 10%%}, or a list of exact crashes such as [{message: 2, where: after_effect}]")
		}
	case NullNode:
	default:
		d.problem(n, at, "crash is %s: write {probability: 10%%}, or a list of exact crashes such as [{message: 2, where: after_effect}]", described(n))
	}
}

func (crashForm) write(from any) *Node {
	c := from.(*Crash)
	if len(c.Exact) > 0 {
		return listOf[ExactCrash]{exactCrashRecord}.write(&c.Exact)
	}
	return crashRecord.write(c)
}
func (crashForm) kind() Kind { return KindOther }

// producerRetry reads the retry of a Producer, whose default depends on what
// the producer does when a queue is full.
type producerRetry struct{ of *record }

// patient is the retry of a producer that asks again and says no more.
var patient = Retry{Backoff: Fixed, Base: event.Second, Cap: event.Minute}

func (f producerRetry) reset(into any) { f.of.reset(&into.(*Producer).Retry) }
func (f producerRetry) read(d *decoder, n *Node, at string, into any) {
	f.of.read(d, n, at, &into.(*Producer).Retry)
}
func (f producerRetry) write(from any) *Node {
	p := from.(*Producer)
	if p.WhenFull == RetryWhenFull && p.Retry == patient {
		return nil
	}
	return f.of.write(&p.Retry)
}
func (producerRetry) kind() Kind { return KindOther }

// sendForm reads the exact messages of a Producer. An empty list is written
// too, where it is what says that the producer is no stream.
type sendForm struct{}

func (sendForm) messages() listOf[Message] { return listOf[Message]{messageRecord} }

func (f sendForm) read(d *decoder, n *Node, at string, into any) {
	f.messages().read(d, n, at, &into.(*Producer).Send)
}
func (f sendForm) write(from any) *Node {
	p := from.(*Producer)
	if len(p.Send) == 0 && p.Rate.IsZero() && p.Name != "" { // the nameless one is where defaults are taken from
		return listNode()
	}
	return f.messages().write(&p.Send)
}
func (f sendForm) schema() *Node { return f.messages().schema() }
func (sendForm) kind() Kind      { return KindOther }

// toForm reads the `to` of an Entry: any value.
type toForm struct{}

func (toForm) read(d *decoder, n *Node, at string, into any) { into.(*Entry).To = d.value(n, at) }
func (toForm) write(from any) *Node {
	switch e := from.(*Entry); {
	case e.Set != "":
		return valueNode(e.To)
	case e.RedriveTo != "":
		return quoteNode(e.RedriveTo)
	}
	return nil
}
func (toForm) kind() Kind { return KindOther }

// editForm reads the id that an Entry edits.
type editForm struct{}

func (editForm) read(d *decoder, n *Node, at string, into any) {
	e := into.(*Entry)
	idForm{}.read(d, n, at, &e.Edit)
	e.EditSet = true
}
func (editForm) write(from any) *Node {
	if e := from.(*Entry); e.EditSet {
		return idForm{}.write(&e.Edit)
	}
	return nil
}
func (editForm) kind() Kind { return KindOther }

// expectForm reads the expectations: a list of texts.
type expectForm struct{}

func (expectForm) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != ListNode && n.Kind != NullNode {
		d.problem(n, at, "expect is %s: write a list, one line with a dash for each expectation", described(n))
		return
	}
	var list []Expectation
	if len(n.Items) > MaxEntries {
		d.problem(n, at, "expect has %d entries, more than the limit of %d", len(n.Items), MaxEntries)
		return
	}
	for i, item := range n.Items {
		if d.full() {
			return
		}
		e := Expectation{Line: item.Line, Column: item.Column}
		textForm{"an expression such as lost == 0"}.read(d, item, index(at, i), &e.Text)
		list = append(list, e)
	}
	*into.(*[]Expectation) = list
}

func (expectForm) write(from any) *Node {
	list := *from.(*[]Expectation)
	if len(list) == 0 {
		return nil
	}
	n := listNode()
	for _, e := range list {
		n.Items = append(n.Items, quoteNode(e.Text))
	}
	return n
}
func (expectForm) kind() Kind { return KindOther }

// editBody reads the new body of an Entry; with edit it is always written.
type editBody struct{ bodyForm }

func (f editBody) read(d *decoder, n *Node, at string, into any) {
	f.bodyForm.read(d, n, at, &into.(*Entry).EditBody)
}
func (editBody) write(from any) *Node {
	if e := from.(*Entry); e.EditSet {
		return valueNode(e.EditBody)
	}
	return nil
}

func (errorForm) show(from any) string { return from.(*Service).Error }

// deadLetterForm reads the name of a queue's dead-letter queue. It points to
// the Queue because the default has the queue's name in it.
type deadLetterForm struct{}

func (deadLetterForm) read(d *decoder, n *Node, at string, into any) {
	nameForm{"a queue"}.read(d, n, at, &into.(*Queue).DeadLetter)
}

func (deadLetterForm) write(from any) *Node {
	q := from.(*Queue)
	if q.DeadLetter == "" || q.DeadLetter == q.Name+"-dead" {
		return nil
	}
	return quoteNode(q.DeadLetter)
}
func (deadLetterForm) show(from any) string { return from.(*Queue).DeadLetter }
func (deadLetterForm) kind() Kind           { return KindText }
