package scenario

import (
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// Check finds what is wrong with a scenario beyond its form. It may be given
// one that is wrong already, to find everything at once.
type Check func(*Scenario) Problems

// DecodeJSON reads a scenario from JSON. It returns either a complete, valid
// scenario or everything that is wrong with the text, with what the checks
// find.
func DecodeJSON(src []byte, checks ...Check) (*Scenario, Problems) {
	n, problems := ReadJSON(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return Decode(n, checks...)
}

// Decode reads a scenario from a tree, whatever the tree was read from.
func Decode(root *Node, checks ...Check) (*Scenario, Problems) {
	if root.Kind == NullNode {
		return nil, Problems{{Line: root.Line, Column: root.Column, Text: "there is nothing here: write a scenario, with queues, producers and workers"}}
	}
	d := &decoder{where: map[string]place{}}
	s := &Scenario{}
	scenarioRecord.reset(s)
	scenarioRecord.read(d, root, "", s)
	c := &checker{s: s, d: d, given: d.given}
	c.scenario()
	if !c.unread() && !d.full() {
		for _, check := range checks {
			for _, p := range check(s) {
				d.problems.add(p)
			}
		}
	}
	if len(d.problems) > 0 {
		return nil, d.problems.inOrder()
	}
	return s, nil
}

// place is where a value stands in the source.
type place struct{ line, column int }

// decoder collects what is wrong, and where each value stands.
//
// Inside, the steps of a path are joined by a slash, because names may have
// dots; Problem.Path has dots.
type decoder struct {
	problems Problems
	where    map[string]place
	bad      []string // the paths with a problem
}

// faulty reports whether something at that path, or inside, has a problem
// already, so that what follows from it need not be said.
func (d *decoder) faulty(at string) bool {
	for _, bad := range d.bad {
		if inside, ok := strings.CutPrefix(bad, at); ok && (inside == "" || inside[0] == '/' || inside[0] == '[') {
			return true
		}
	}
	return false
}

// at notes the place of a value and gives it back.
func (d *decoder) at(n *Node, at string) *Node {
	if d.where != nil {
		d.where[at] = place{n.Line, n.Column}
	}
	return n
}

// full reports whether no more problems are collected, so that it is time to
// stop looking for them.
func (d *decoder) full() bool { return len(d.problems) >= maxProblems }

// given reports whether the source has a value at that path.
func (d *decoder) given(at string) bool {
	_, ok := d.where[at]
	return ok
}

// place returns where the value of a path stands, or what it belongs to.
func (d *decoder) place(at string) place {
	for at != "" {
		if p, ok := d.where[at]; ok {
			return p
		}
		at = at[:max(0, strings.LastIndexAny(at, "/["))]
	}
	return d.where[""]
}

func (d *decoder) problem(n *Node, at, format string, args ...any) {
	d.problems.add(Problem{Path: dotted(at), Line: n.Line, Column: n.Column, Text: fmt.Sprintf(format, args...)})
	if len(d.bad) < maxProblems {
		d.bad = append(d.bad, at)
	}
}

// problemAt reports something about the value of a path.
func (d *decoder) problemAt(at, format string, args ...any) {
	p := d.place(at)
	d.problem(&Node{Line: p.line, Column: p.column}, at, format, args...)
}

func dotted(at string) string { return strings.ReplaceAll(at, "/", ".") }

// join adds a step to a path.
func join(at, step string) string {
	if at == "" {
		return step
	}
	return at + "/" + step
}

func index(at string, i int) string { return fmt.Sprintf("%s[%d]", at, i) }

// lastOf is the last step of a path: what an error starts with.
func lastOf(at string) string { return at[strings.LastIndexByte(at, '/')+1:] }

// value turns a node into a value as bodies hold it.
func (d *decoder) value(n *Node, at string) any {
	switch n.Kind {
	case BoolNode:
		return n.truth()
	case IntNode:
		v, ok := n.integer()
		if !ok {
			d.problem(n, at, "%s does not fit 64 bits: write it in quotes, as a text", shortenedNumber(n.Text))
		}
		return v
	case FloatNode:
		v, ok := n.number()
		if !ok {
			d.problem(n, at, "%s is not a finite number: write it in quotes, as a text", shortenedNumber(n.Text))
		}
		return v
	case TextNode:
		return n.Text
	case ListNode:
		list := make([]any, 0, len(n.Items))
		for _, item := range n.Items {
			list = append(list, d.value(item, at))
		}
		return list
	case MapNode:
		object := make(event.Object, 0, len(n.Fields))
		for _, f := range n.Fields {
			object = append(object, event.Field{Name: f.Name, Value: d.value(f.Value, at)})
		}
		return object
	}
	return nil
}

// field is one field of a record, described once for all uses.
type field struct {
	name     string
	form     form
	def      string // its default as one writes it; "": the form's own
	doc      string
	required bool
	always   bool                // it is written even where it looks like its default
	at       func(owner any) any // pointer to the Go field
}

// describe makes a field of a record of type T.
func describe[T any](name string, form form, def, doc string, at func(*T) any) field {
	return field{name: name, form: form, def: def, doc: doc, at: func(owner any) any { return at(owner.(*T)) }}
}

// need makes a field required.
func need(f field) field {
	f.required = true
	return f
}

// always has a field written whatever it holds: left out, it would be given
// another value.
func always(f field) field {
	f.always = true
	return f
}

// resetter is a form with defaults of its own.
type resetter interface{ reset(into any) }

// record is a mapping with known fields. Values are passed as pointers in an
// interface: as a generic type, its methods would be compiled once for each
// kind of record, and that was a tenth of the page's program.
type record struct {
	what     string // "a queue", for errors
	example  string
	lead     string                        // a field that is written whenever another one is
	idle     func(v any, name string) bool // a field has no use with the others as they are
	fields   []field
	finish   func(d *decoder, n *Node, at string, v any)
	defaults []string // what each field writes by default
}

func newRecord[T any](what, example string, fields ...field) *record {
	r := &record{what: what, example: example, fields: fields}
	r.learnDefaults(new(T))
	return r
}

func (r *record) learnDefaults(v any) {
	r.reset(v)
	for _, f := range r.fields {
		r.defaults = append(r.defaults, textOf(f.form.write(f.at(v))))
	}
}

func textOf(n *Node) string {
	if n == nil {
		return ""
	}
	return string(n.JSON())
}

// reset gives every field its default.
func (r *record) reset(into any) {
	for _, f := range r.fields {
		if own, ok := f.form.(resetter); ok {
			own.reset(f.at(into))
		}
		if f.def == "" {
			continue
		}
		d := &decoder{}
		f.form.read(d, &Node{Kind: Plain(f.def), Text: f.def}, f.name, f.at(into))
		if len(d.problems) > 0 {
			panic("default of " + f.name + ": " + d.problems.Error())
		}
	}
}

func (r *record) field(name string) *field {
	for i := range r.fields {
		if r.fields[i].name == name {
			return &r.fields[i]
		}
	}
	return nil
}

func (r *record) names() []string {
	var names []string
	for _, f := range r.fields {
		names = append(names, f.name)
	}
	return names
}

// read fills in the fields that n has. The others keep what reset gave them.
func (r *record) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != MapNode && n.Kind != NullNode {
		d.problem(n, at, "%s is %s: write the fields of %s, such as %s", r.called(at), described(n), r.what, r.example)
		return
	}
	for _, m := range n.Fields {
		f := r.field(m.Name)
		here := join(at, m.Name)
		if d.full() {
			return
		}
		if f == nil {
			place := &Node{Line: m.Line, Column: m.Column}
			d.problem(place, here, "%s", r.unknown(m.Name))
			continue
		}
		f.form.read(d, d.at(m.Value, here), here, f.at(into))
	}
	for _, f := range r.fields {
		if f.required && n.Field(f.name) == nil {
			p := d.place(at)
			d.problem(&Node{Line: p.line, Column: p.column}, join(at, f.name), "%s needs %q: %s", r.called(at), f.name, f.doc)
		}
	}
	if r.finish != nil {
		r.finish(d, n, at, into)
	}
}

// unknown says what to write instead of a field that there is not.
func (r *record) unknown(name string) string {
	known, value, colon := strings.Cut(name, ":")
	switch {
	case colon && r.field(known) != nil && value == "":
		return fmt.Sprintf("%s has no value: write %s, a colon, a space and the value", known, known)
	case colon && r.field(known) != nil:
		return fmt.Sprintf("a space belongs after the colon: write %s: %s", known, value)
	}
	if meant := near(name, r.names()); meant != "" {
		return fmt.Sprintf("unknown field %q: did you mean %q?", name, meant)
	}
	return fmt.Sprintf("unknown field %s: the fields of %s are %s", shortened(name), r.what, listed(r.names()))
}

func (r *record) called(at string) string {
	if at == "" {
		return "the scenario"
	}
	return lastOf(at)
}

// write writes the fields that are not at their default.
func (r *record) write(from any) *Node {
	out := &Node{Kind: MapNode}
	for i, f := range r.fields {
		if n := f.form.write(f.at(from)); n != nil && (f.required || f.always || textOf(n) != r.defaults[i]) {
			out.add(f.name, n)
		}
	}
	if len(out.Fields) == 0 {
		return nil
	}
	if r.lead != "" && out.Field(r.lead) == nil {
		f := r.field(r.lead)
		out.Fields = append([]Member{{Name: f.name, Value: f.form.write(f.at(from))}}, out.Fields...)
	}
	return out
}

func (*record) kind() Kind { return KindOther }

// named is a mapping from names to records, kept as a list in the order of
// the source.
type named[T any] struct {
	of      *record
	name    func(*T) *string
	allowed nameRule
}

func (f named[T]) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != MapNode && n.Kind != NullNode {
		d.problem(n, at, "%s is %s: write a name for each, then its fields", lastOf(at), described(n))
		return
	}
	if n := len(n.Fields); n > MaxNames {
		d.problemAt(at, "%s has %d entries, more than the limit of %d", lastOf(at), n, MaxNames)
		return
	}
	var list []T
	if len(n.Fields) > 0 {
		list = make([]T, len(n.Fields))
	}
	for i, m := range n.Fields {
		if d.full() {
			return
		}
		here := join(at, m.Name)
		if d.where != nil {
			d.where[here] = place{m.Line, m.Column}
		}
		f.of.reset(&list[i])
		*f.name(&list[i]) = m.Name
		if text := f.allowed.check(m.Name); text != "" {
			d.problemAt(here, "%s", text)
		}
		f.of.read(d, m.Value, here, &list[i])
	}
	*into.(*[]T) = list
}

func (f named[T]) write(from any) *Node {
	list := *from.(*[]T)
	if len(list) == 0 {
		return nil
	}
	out := &Node{Kind: MapNode}
	for i := range list {
		n := f.of.write(&list[i])
		if n == nil {
			n = &Node{Kind: MapNode}
		}
		out.add(*f.name(&list[i]), n)
	}
	return out
}
func (named[T]) kind() Kind { return KindOther }

// listOf is a list of records.
type listOf[T any] struct{ of *record }

func (f listOf[T]) read(d *decoder, n *Node, at string, into any) {
	if n.Kind != ListNode && n.Kind != NullNode {
		d.problem(n, at, "%s is %s: write a list, one line with a dash for each", lastOf(at), described(n))
		return
	}
	var list []T
	if len(n.Items) > 0 {
		list = make([]T, len(n.Items))
	}
	for i, item := range n.Items {
		if d.full() {
			return
		}
		here := index(at, i)
		f.of.reset(&list[i])
		f.of.read(d, d.at(item, here), here, &list[i])
	}
	*into.(*[]T) = list
}

func (f listOf[T]) write(from any) *Node {
	list := *from.(*[]T)
	if len(list) == 0 {
		return nil
	}
	out := listNode()
	for i := range list {
		n := f.of.write(&list[i])
		if n == nil {
			n = &Node{Kind: MapNode}
		}
		out.Items = append(out.Items, n)
	}
	return out
}
func (listOf[T]) kind() Kind { return KindOther }
