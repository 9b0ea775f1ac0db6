package scenario

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// form is how values of one kind are written. Every field of the tables has
// one; decoding, encoding, Set, Get, Paths and Schema all go by it. The
// pointers that read and write get point to the Go field.
type form interface {
	// read stores what n says, or reports to d what is wrong with it.
	read(d *decoder, n *Node, at string, into any)
	// write is the value as a node; nil when it need not be written at all.
	write(from any) *Node
	// kind says what a control for it looks like.
	kind() Kind
}

// Kind is what kind of value a path takes.
type Kind uint8

// The kinds of values.
const (
	KindOther Kind = iota
	KindDuration
	KindRate
	KindCount
	KindProbability
	KindChoice
	KindText
	KindHandler
	KindLatency
	KindNames
	KindBody
)

// String returns the kind's name, such as "duration".
func (k Kind) String() string {
	return [...]string{"other", "duration", "rate", "count", "probability", "choice", "text", "handler", "latency", "names", "body"}[k]
}

// described is n as an error shows it.
func described(n *Node) string {
	switch n.Kind {
	case NullNode:
		return "nothing"
	case ListNode:
		return "a list"
	case MapNode:
		return "a mapping"
	}
	return shortened(n.Text)
}

// scalarOf returns the text of a scalar, or reports that there is none.
func scalarOf(d *decoder, n *Node, at, example string) (string, bool) {
	switch n.Kind {
	case NullNode:
		d.problem(n, at, "%s has no value: write %s, or leave it out", lastOf(at), example)
	case ListNode, MapNode:
		d.problem(n, at, "%s is %s: write %s", lastOf(at), described(n), example)
	default:
		return n.Text, true
	}
	return "", false
}

// durationForm reads 200ms; with never also that word, kept as event.Never.
type durationForm struct{ never bool }

func (f durationForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, "a duration such as 1s")
	if !ok {
		return
	}
	if f.never && text == "never" {
		*into.(*Duration) = event.Never
		return
	}
	v, err := ParseDuration(text)
	if err != nil {
		also := ""
		if f.never {
			also = `, or "never"`
		}
		d.problem(n, at, "%s: %s%s", lastOf(at), err, also)
		return
	}
	*into.(*Duration) = v
}

func (f durationForm) write(from any) *Node { return textNode(FormatDuration(*from.(*Duration))) }
func (f durationForm) kind() Kind           { return KindDuration }

// ownDelay is a delay that a message may have instead of its queue's.
type ownDelay struct{ durationForm }

func (f ownDelay) write(from any) *Node {
	if *from.(*Duration) == event.Never {
		return nil
	}
	return f.durationForm.write(from)
}

// rateForm reads 8/s, and 0 for no rate.
type rateForm struct{}

func (rateForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, "a rate such as 8/s")
	if !ok {
		return
	}
	if n.Kind == IntNode && text == "0" {
		*into.(*Rate) = Rate{}
		return
	}
	v, err := ParseRate(text)
	if err != nil {
		d.problem(n, at, "%s: %s", lastOf(at), err)
		return
	}
	*into.(*Rate) = v
}

func (rateForm) write(from any) *Node {
	r := *from.(*Rate)
	if r.IsZero() {
		return intNode(0)
	}
	return textNode(r.String())
}
func (rateForm) kind() Kind { return KindRate }

// probabilityForm reads 2.5%.
type probabilityForm struct{}

func (probabilityForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, "a probability such as 10%")
	if !ok {
		return
	}
	v, err := ParseProbability(text)
	if err != nil {
		d.problem(n, at, "%s: %s", lastOf(at), err)
		return
	}
	*into.(*Probability) = v
}

func (probabilityForm) write(from any) *Node { return textNode(from.(*Probability).String()) }
func (probabilityForm) kind() Kind           { return KindProbability }

// countForm reads a whole number from min to max. A value below min stands
// for "not given" and is not written.
type countForm struct{ min, max int64 }

func (f countForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, fmt.Sprintf("a whole number such as %d", max(f.min, 1)))
	if !ok {
		return
	}
	if !wholeNumber(d, n, at, text) {
		return
	}
	v, fits := n.integer()
	switch {
	case fits && v < f.min:
		d.problem(n, at, "%s: %s is too small: write %d or more", lastOf(at), text, f.min)
	case !fits || v > f.max:
		d.problem(n, at, "%s: %s is more than the limit of %d", lastOf(at), shortenedNumber(text), f.max)
	default:
		*into.(*int64) = v
	}
}

func shortenedNumber(text string) string {
	if len(text) > longest {
		return text[:longest] + "..."
	}
	return text
}

// wholeNumber reports what to write instead of something that is not one.
func wholeNumber(d *decoder, n *Node, at, text string) bool {
	if n.Kind == IntNode {
		return true
	}
	compact := strings.NewReplacer("_", "", ",", "").Replace(text)
	whole, fraction, _ := strings.Cut(text, ".")
	switch {
	case intPattern.MatchString(text):
		d.problem(n, at, "%s: %q is a text: write %s without quotes", lastOf(at), text, text)
	case len(compact) < len(text) && intPattern.MatchString(compact):
		d.problem(n, at, "%s: %q is not a whole number: write %s", lastOf(at), text, compact)
	case n.Kind == FloatNode && strings.Trim(fraction, "0") == "" && intPattern.MatchString(whole):
		d.problem(n, at, "%s: %s is not a whole number: write %s", lastOf(at), text, whole)
	default:
		d.problem(n, at, "%s: %s is not a whole number: write one such as 3", lastOf(at), shortened(text))
	}
	return false
}

func (f countForm) write(from any) *Node {
	if v := *from.(*int64); v >= f.min {
		return intNode(v)
	}
	return nil
}
func (countForm) kind() Kind { return KindCount }

// seedForm reads any whole number of 64 bits without sign.
type seedForm struct{}

func (seedForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, "a whole number such as 7")
	if !ok || !wholeNumber(d, n, at, text) {
		return
	}
	v, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, 64)
	if err != nil {
		d.problem(n, at, "%s: %s is not a seed: write a whole number from 0 to 18446744073709551615", lastOf(at), shortenedNumber(text))
		return
	}
	*into.(*uint64) = v
}

func (seedForm) write(from any) *Node {
	return &Node{Kind: IntNode, Text: strconv.FormatUint(*from.(*uint64), 10)}
}
func (seedForm) kind() Kind { return KindCount }

// boolForm reads true or false.
type boolForm struct{}

func (boolForm) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != BoolNode {
		d.problem(n, at, "%s: %s is neither: write true or false", lastOf(at), described(n))
		return
	}
	*into.(*bool) = n.truth()
}

func (boolForm) write(from any) *Node { return boolNode(*from.(*bool)) }
func (boolForm) kind() Kind           { return KindChoice }
func (boolForm) options() []string    { return []string{"true", "false"} }

// textForm reads a text; numbers and words count as theirs.
type textForm struct{ example string }

func (f textForm) read(d *decoder, n *Node, at string, into any) {
	if text, ok := scalarOf(d, n, at, f.example); ok {
		*into.(*string) = text
	}
}

func (textForm) write(from any) *Node {
	if s := *from.(*string); s != "" {
		return quoteNode(s)
	}
	return nil
}
func (textForm) kind() Kind { return KindText }

// nameForm reads the name of something else in the scenario. Whether there is
// such a thing is checked when all names are known.
type nameForm struct{ of string }

func (f nameForm) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, "the name of "+f.of)
	if !ok {
		return
	}
	if text == "" {
		d.problem(n, at, "%s is empty: write the name of %s", lastOf(at), f.of)
	}
	*into.(*string) = text
}
func (nameForm) write(from any) *Node { return textForm{}.write(from) }
func (nameForm) kind() Kind           { return KindText }

// namesForm reads several names as a list; with one, also a name alone.
type namesForm struct {
	one bool
	of  string
}

func (f namesForm) read(d *decoder, n *Node, at string, into any) {
	names := []string{}
	switch {
	case n.Kind == ListNode && len(n.Items) > MaxQueues:
		d.problem(n, at, "%s has %d entries, more than the limit of %d", lastOf(at), len(n.Items), MaxQueues)
		return
	case n.Kind == ListNode:
		for i, item := range n.Items {
			name := ""
			nameForm{f.of}.read(d, d.at(item, index(at, i)), index(at, i), &name)
			names = append(names, name)
		}
	case f.one:
		name := ""
		nameForm{f.of}.read(d, n, at, &name)
		names = append(names, name)
	default:
		d.problem(n, at, "%s is %s: write a list such as [emails, analytics]", lastOf(at), described(n))
	}
	*into.(*[]string) = names
}

func (f namesForm) write(from any) *Node {
	names := *from.(*[]string)
	if len(names) == 1 && f.one {
		return quoteNode(names[0])
	}
	n := listNode()
	for _, name := range names {
		n.Items = append(n.Items, quoteNode(name))
	}
	return n
}
func (namesForm) kind() Kind { return KindNames }

// handlerForm reads the text of a handler and keeps where it stands.
type handlerForm struct{}

// handlerRef points to the fields of a Pool that a handler fills in.
type handlerRef struct{ pool *Pool }

func (handlerForm) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != TextNode {
		d.problem(n, at, "handler is %s: write the code of on_message(msg) under `handler: |`", described(n))
		return
	}
	p := into.(handlerRef).pool
	switch {
	case len(n.Text) > MaxHandlerBytes:
		d.problem(n, at, "handler has %d bytes, more than the limit of %d: shorten it", len(n.Text), MaxHandlerBytes)
	case strings.TrimSpace(n.Text) == "":
		d.problem(n, at, "handler is empty: write the code of on_message(msg) under `handler: |`")
	}
	p.Handler, p.HandlerLine, p.HandlerColumn = n.Text, n.TextLine, n.TextColumn
}
func (handlerForm) write(from any) *Node { return quoteNode(from.(handlerRef).pool.Handler) }
func (handlerForm) kind() Kind           { return KindHandler }

// choiceForm reads one of a few words; its place in the list is the value.
type choiceForm[C ~uint8] struct{ words []string }

func choice[C ~uint8](words ...string) choiceForm[C] { return choiceForm[C]{words} }

func (f choiceForm[C]) read(d *decoder, n *Node, at string, into any) {
	text, ok := scalarOf(d, n, at, oneOf(f.words))
	if !ok {
		return
	}
	for i, word := range f.words {
		if word == text {
			*into.(*C) = C(i)
			return
		}
	}
	if meant := near(text, f.words); meant != "" {
		d.problem(n, at, "%s: %s is not one of %s: did you mean %q?", lastOf(at), shortened(text), listed(f.words), meant)
		return
	}
	d.problem(n, at, "%s: %s is not known: write %s", lastOf(at), shortened(text), oneOf(f.words))
}

func (f choiceForm[C]) write(from any) *Node { return textNode(f.words[*from.(*C)]) }
func (f choiceForm[C]) kind() Kind           { return KindChoice }
func (f choiceForm[C]) options() []string    { return f.words }

// idForm reads the id of a message: a whole number or a text.
type idForm struct{}

func (idForm) read(d *decoder, n *Node, at string, into any) {
	switch n.Kind {
	case IntNode:
		v, ok := n.integer()
		if !ok {
			d.problem(n, at, "%s: %s does not fit 64 bits: write it in quotes, as a text", lastOf(at), shortenedNumber(n.Text))
		}
		*into.(*event.ID) = event.ID{Number: v}
	case TextNode:
		if n.Text == "" {
			d.problem(n, at, "%s is an empty text: write a whole number or a text", lastOf(at))
		}
		*into.(*event.ID) = event.ID{Text: n.Text}
	default:
		d.problem(n, at, "%s is %s: write a whole number such as 101, or a text", lastOf(at), described(n))
	}
}

func (idForm) write(from any) *Node {
	id := *from.(*event.ID)
	if id.Text != "" {
		return quoteNode(id.Text)
	}
	return intNode(id.Number)
}
func (idForm) kind() Kind { return KindOther }

// keyForm reads the key of a message: a text or a whole number, which are
// different keys to a handler.
type keyForm struct{}

type keyRef struct {
	key    *string
	given  *bool
	number *bool
}

func (keyForm) read(d *decoder, n *Node, at string, into any) {
	r := into.(keyRef)
	switch n.Kind {
	case TextNode, IntNode, FloatNode:
		*r.key, *r.given, *r.number = n.Text, true, false
		if id, err := strconv.ParseInt(n.Text, 10, 64); n.Kind == IntNode && err == nil {
			*r.key, *r.number = strconv.FormatInt(id, 10), true
		}
	case NullNode:
	default:
		d.problem(n, at, "key is %s: write a text such as asha", described(n))
	}
}

func (keyForm) write(from any) *Node {
	if r := from.(keyRef); *r.given && *r.number {
		return &Node{Kind: IntNode, Text: *r.key}
	} else if *r.given {
		return quoteNode(*r.key)
	}
	return nil
}
func (keyForm) kind() Kind { return KindOther }

// bodyForm reads any value.
type bodyForm struct{}

func (bodyForm) read(d *decoder, n *Node, at string, into any) { *into.(*any) = d.value(n, at) }

func (bodyForm) write(from any) *Node {
	if v := *from.(*any); v != nil {
		return valueNode(v)
	}
	return nil
}
func (bodyForm) kind() Kind { return KindBody }
