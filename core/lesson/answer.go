package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
)

// Answer is what is right, as a run has it.
type Answer struct {
	Right  []bool     // of each choice
	Number float64    // of number, and of choices that are numbers
	Order  [][]string // ids, or numbers of choices; those of one group in any order
	Any    []string   // ids of the messages of which each is right
	Line   int
	Curve  Curve
	Text   string // as one reads it
}

// Of computes the answer of a question from the run of its scenario, which is
// nil for a question without one. An error says what has to be written
// instead: the question is wrong, not the reader.
func (q *Question) Of(r *run.Run) (*Answer, error) {
	if q.Scenario == "" {
		return q.stated(), nil
	}
	if r == nil {
		return nil, fmt.Errorf("question %s has a scenario and no run of it", q.ID)
	}
	if read, ok, err := q.reading(); err != nil || ok {
		if err != nil {
			return nil, err
		}
		if q.Form == Choice {
			return q.chosen(r)
		}
		return q.read(read, r)
	}
	switch q.Form {
	case Choice, Several:
		return q.chosen(r)
	case Number:
		return q.number(r)
	case Order:
		ids, err := q.ids(r)
		if err != nil {
			return nil, err
		}
		a := &Answer{Text: listed(ids, "then")}
		for _, id := range ids {
			a.Order = append(a.Order, []string{id})
		}
		return a, nil
	case Message:
		ids, err := q.ids(r)
		if err != nil {
			return nil, err
		}
		if len(ids) == 0 {
			return nil, fmt.Errorf("%s gives no message: the question has no right answer in this run", q.Answer)
		}
		return &Answer{Any: ids, Text: listed(ids, "or")}, nil
	}
	return nil, fmt.Errorf("%q gives no %s: write one such as %s", q.Answer, q.Form, readingExamples[q.Form])
}

// stated is the answer of a question without a scenario.
func (q *Question) stated() *Answer {
	a := &Answer{Number: q.Stated}
	switch q.Form {
	case Number:
		a.Text = q.withUnit(q.Stated)
	case Order:
		var said []string
		for i := range q.Choices {
			a.Order = append(a.Order, []string{fmt.Sprint(i)})
			said = append(said, q.Choices[i].Say.Plain(nil))
		}
		a.Text = listed(said, "then")
	default:
		for i := range q.Choices {
			a.Right = append(a.Right, q.Choices[i].Right)
		}
		a.Text = q.saidRight(a.Right)
	}
	return a
}

func (q *Question) saidRight(right []bool) string {
	var said []string
	for i, ok := range right {
		if ok {
			said = append(said, q.Choices[i].Say.Plain(nil))
		}
	}
	return listed(said, "and")
}

// chosen finds the right ones among the choices.
func (q *Question) chosen(r *run.Run) (*Answer, error) {
	a := &Answer{Right: make([]bool, len(q.Choices))}
	count := 0
	for i := range q.Choices {
		right, err := q.isRight(&q.Choices[i], r)
		if err != nil {
			return nil, fmt.Errorf("choice %d: %w", i+1, err)
		}
		if a.Right[i] = right; right {
			count++
		}
	}
	switch {
	case count == 0:
		return nil, fmt.Errorf("no choice is right: %s; add one that is", q.gives(r))
	case count > 1 && q.Form == Choice:
		return nil, fmt.Errorf("%d choices are right (%s): make them differ, or write form: several", count, q.saidRight(a.Right))
	}
	if q.Answer != "" && q.Form == Choice {
		if text, err := q.Value(r); err == nil {
			a.Number, _ = strconv.ParseFloat(text, 64)
		}
	}
	a.Text = q.saidRight(a.Right)
	return a, nil
}

// Value returns what the value of the right choice is, as an expression writes
// it.
func (q *Question) Value(r *run.Run) (string, error) {
	read, ok, err := q.reading()
	switch {
	case err != nil:
		return "", err
	case ok:
		return q.valueAt(read, r)
	}
	v, err := r.Outcome.Eval(q.Answer)
	if err != nil {
		return "", err
	}
	return v.String(), nil
}

// valueAt reads it off the log.
func (q *Question) valueAt(read reading, r *run.Run) (string, error) {
	i, err := read.moment.Find(r.Log)
	switch {
	case err != nil:
		return "", err
	case i < 0:
		return "", fmt.Errorf("%s lies before the first event: write a later instant", read.moment)
	}
	switch e := r.Log.Event(i); {
	case read.what == "time":
		return strconv.FormatFloat(e.At.Seconds(), 'f', -1, 64), nil
	case read.what == "line":
		return strconv.Itoa(lineAt(r.Log, i)), nil
	case read.what == "worker" && e.Worker != event.NoWorker:
		return strconv.Quote(r.Log.Workers[e.Worker].Name), nil
	case read.what == "message" && e.Message != event.NoMessage:
		if id := r.Log.MessageID(e.Message); id.Text != "" {
			return strconv.Quote(id.Text), nil
		}
		return r.Log.MessageID(e.Message).String(), nil
	}
	return "", fmt.Errorf("%s is about no %s: write another moment", read.moment, read.what)
}

// same reports whether two values are one: numbers by what they are, texts by
// how they are written.
func same(a, b string) bool {
	x, errA := strconv.ParseFloat(a, 64)
	y, errB := strconv.ParseFloat(b, 64)
	if errA == nil && errB == nil {
		return x == y
	}
	return a == b
}

// isRight asks the run. Values are compared as Starlark does: the number 1 and
// the text "1" differ.
func (q *Question) isRight(o *Option, r *run.Run) (bool, error) {
	if _, ok, _ := q.reading(); ok && o.Is == "" {
		value, err := q.Value(r)
		return same(o.Value, value), err
	}
	text := o.Is
	if text == "" {
		by := "=="
		if q.Form == Several {
			by = "in"
		}
		text = fmt.Sprintf("(%s) %s (%s)", o.Value, by, q.Answer)
	}
	v, err := r.Outcome.Eval(text)
	if err != nil {
		return false, err
	}
	b, ok := v.(starlark.Bool)
	if !ok {
		return false, fmt.Errorf("%s is %s, neither True nor False; compare it with something, as in lost == 0", text, v)
	}
	return bool(b), nil
}

// gives says what the run gives.
func (q *Question) gives(r *run.Run) string {
	if q.Answer == "" {
		return "none of their expressions is True"
	}
	v, err := q.Value(r)
	if err != nil {
		return err.Error()
	}
	return q.Answer + " is " + v
}

func (q *Question) number(r *run.Run) (*Answer, error) {
	v, err := r.Outcome.Eval(q.Answer)
	if err != nil {
		return nil, err
	}
	n, ok := starlark.AsFloat(v)
	if !ok {
		return nil, fmt.Errorf("%s is %s, which is not a number: write an expression that gives one, or another form", q.Answer, v)
	}
	return q.numbered(n)
}

func (q *Question) numbered(n float64) (*Answer, error) {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return nil, fmt.Errorf("%s gives no number that one could guess", q.Answer)
	}
	if q.To != 0 && (n < q.From || n > q.To) {
		return nil, fmt.Errorf("the answer is %s, beyond what can be given: from %s to %s; widen it", places(n), places(q.From), places(q.To))
	}
	return &Answer{Number: n, Text: q.withUnit(n)}, nil
}

func (q *Question) withUnit(n float64) string {
	if q.Unit == "" {
		return places(n)
	}
	return places(n) + noBreak + q.Unit
}

// ids evaluates an answer that is an id or a list of them.
func (q *Question) ids(r *run.Run) ([]string, error) {
	v, err := r.Outcome.Eval(q.Answer)
	if err != nil {
		return nil, err
	}
	values := []starlark.Value{v}
	if list, ok := v.(starlark.Indexable); ok {
		if _, text := v.(starlark.String); !text {
			values = nil
			for i := range list.Len() {
				values = append(values, list.Index(i))
			}
		}
	}
	var ids []string
	for _, one := range values {
		id := one.String()
		if text, ok := starlark.AsString(one); ok {
			id = text
		}
		if !slices.Contains(MessagesOf(r.Log), id) {
			return nil, fmt.Errorf("%s gives %s, which is no message of the run: write an expression that gives ids, such as finished", q.Answer, one)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// MessagesOf returns the ids of all messages of a run, in the order in which
// they first came. An id that several messages have is there once.
func MessagesOf(log *event.Log) []string {
	var ids []string
	for _, m := range IDs(log) {
		ids = append(ids, log.MessageID(m).String())
	}
	return ids
}

// IDs returns the first message of each id, in the order in which they came.
func IDs(log *event.Log) []event.MessageRef {
	var firsts []event.MessageRef
	seen := map[string]bool{}
	for i := range log.MessageCount() {
		m := event.MessageRef(i)
		if id := log.MessageID(m).String(); !seen[id] {
			seen[id] = true
			firsts = append(firsts, m)
		}
	}
	return firsts
}

// read computes an answer that is read off the log.
func (q *Question) read(what reading, r *run.Run) (*Answer, error) {
	switch what.what {
	case "order":
		return orderOf(r.Log, what.kind)
	case "curve":
		c := CurveOf(r.Outcome, what.count)
		return &Answer{Curve: c, Text: c.String()}, nil
	}
	i, err := what.moment.Find(r.Log)
	switch {
	case err != nil:
		return nil, err
	case i < 0:
		return nil, fmt.Errorf("%s lies before the first event: write a later instant", what.moment)
	}
	e := r.Log.Event(i)
	switch what.what {
	case "time":
		return q.numbered(e.At.Seconds())
	case "message":
		if e.Message == event.NoMessage {
			return nil, fmt.Errorf("%s is about no message: write another moment", what.moment)
		}
		id := r.Log.MessageID(e.Message).String()
		return &Answer{Any: []string{id}, Text: id}, nil
	}
	line := lineAt(r.Log, i)
	if line == 0 {
		return nil, fmt.Errorf("at %s no handler is running: write a moment at which a worker works", what.moment)
	}
	if q.Form == Number {
		return q.numbered(float64(line))
	}
	return &Answer{Line: line, Text: fmt.Sprintf("line %d", line)}, nil
}

// lineAt returns the line of its handler at which the worker of event i is, 0
// when it works on nothing.
func lineAt(log *event.Log, i int) int {
	e := log.Event(i)
	switch {
	case e.Worker == event.NoWorker:
		return 0
	case e.Kind == event.Crashed || e.Kind == event.HandlerFailed:
		return int(e.Arg)
	}
	for k := i; k >= 0; k-- {
		before := log.Event(k)
		if before.Worker != e.Worker {
			continue
		}
		switch before.Kind {
		case event.Line:
			return int(before.Arg)
		case event.HandlerFinished:
			if k < i {
				return 0
			}
		case event.HandlerStarted, event.HandlerFailed, event.Crashed:
			return 0
		}
	}
	return 0
}

// orderOf returns the messages by the first event of that kind of each.
func orderOf(log *event.Log, kind event.Kind) (*Answer, error) {
	a := &Answer{}
	seen := make([]bool, log.MessageCount())
	last := event.Never
	for i := range log.Len() {
		e := log.Event(i)
		if e.Kind != kind || e.Message == event.NoMessage || seen[e.Message] {
			continue
		}
		seen[e.Message] = true
		if e.At != last {
			a.Order, last = append(a.Order, nil), e.At
		}
		group := &a.Order[len(a.Order)-1]
		*group = append(*group, log.MessageID(e.Message).String())
	}
	if len(a.Order) == 0 {
		return nil, fmt.Errorf("nothing is %s in this run: the question has no right answer", kind)
	}
	var said []string
	for _, group := range a.Order {
		said = append(said, strings.Join(group, "\u2009=\u2009"))
	}
	a.Text = listed(said, "then")
	return a, nil
}
