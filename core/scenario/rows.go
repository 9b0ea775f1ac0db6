package scenario

import (
	"strconv"
	"strings"
)

// List is a field of several entries: the exact messages of a producer, the
// shares of a mix, exact crashes, the timeline, the expectations.
type List struct {
	Path string // such as producers.shop.send
	Doc  string
	Rows [][]Setting // what each entry has; its paths are such as producers.shop.send[0].at
}

// Lists returns every list that s can have, in the order of the language,
// those without an entry too. Change and SetRow change them.
func Lists(s *Scenario) []List {
	var all []List
	scenarioRecord.lists(s, "", func(l List) { all = append(all, l) })
	return all
}

// lister is a form that has lists, or is one.
type lister interface {
	lists(into any, at string, use func(List))
}

func (r *record) lists(into any, at string, use func(List)) {
	for i := range r.fields {
		f := &r.fields[i]
		if r.idle != nil && r.idle(into, f.name) {
			continue
		}
		if inner, ok := f.form.(lister); ok {
			inner.lists(f.at(into), join(at, f.name), func(l List) {
				if l.Doc == "" {
					l.Doc = f.doc
				}
				use(l)
			})
		}
	}
}

func (f named[T]) lists(into any, at string, use func(List)) {
	list := *into.(*[]T)
	for i := range list {
		f.of.lists(&list[i], join(at, *f.name(&list[i])), use)
	}
}

func (f listOf[T]) lists(into any, at string, use func(List)) {
	list := *into.(*[]T)
	l := List{Path: dotted(at)}
	for i := range list {
		l.Rows = append(l.Rows, f.of.row(&list[i], index(at, i)))
	}
	use(l)
}

func (f sendForm) lists(into any, at string, use func(List)) {
	if p := into.(*Producer); p.Rate.IsZero() {
		f.messages().lists(&p.Send, at, use)
	}
}

func (crashForm) lists(into any, at string, use func(List)) {
	listOf[ExactCrash]{exactCrashRecord}.lists(&into.(*Crash).Exact, at, use)
}

func (expectForm) lists(into any, at string, use func(List)) {
	l := List{Path: dotted(at)}
	for i, e := range *into.(*[]Expectation) {
		l.Rows = append(l.Rows, []Setting{{Path: dotted(index(at, i)), Kind: KindText, Doc: "an expression over the outcome, such as lost == 0", Value: e.Text}})
	}
	use(l)
}

// row is one entry as settings. Other than those of Paths, they are set by
// SetRow.
func (r *record) row(into any, at string) []Setting {
	var all []Setting
	for i := range r.fields {
		f := &found{at: join(at, r.fields[i].name), field: &r.fields[i], into: r.fields[i].at(into)}
		s := f.setting()
		if n := f.field.form.write(f.into); n == nil {
			s.Value = ""
		}
		all = append(all, s)
	}
	return all
}

// SetRow changes one value of an entry of a list: producers.shop.send[0].at,
// expect[2]. The value is what one would write into a file; "" leaves the
// field out. It returns the scenario that comes of it, or what is wrong with
// that; s stays as it is.
func SetRow(s *Scenario, path, value string, checks ...Check) (*Scenario, Problems) {
	list, rest, ok := strings.Cut(path, "[")
	number, name, closed := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	name = strings.TrimPrefix(name, ".")
	kind, known := rowKind(s, path)
	if !ok || !closed || err != nil || !known {
		return nil, Problems{{Path: path, Text: path + " is not a value of an entry of a list, such as producers.shop.send[0].at"}}
	}
	n := &Node{Kind: TextNode, Text: value, Quoted: true}
	if kind != KindText && value != "" && !strings.Contains(value, "\n") {
		var problems Problems
		if n, problems = readFlow(value); len(problems) > 0 {
			problems[0].Path = path
			return nil, problems
		}
	}
	return Change(s, func(root *Node) {
		items := root.At(s, list)
		switch {
		case items == nil || i < 0 || i >= len(items.Items):
		case name == "":
			items.Items[i] = n
		case value == "":
			items.Items[i].Remove(name)
		default:
			items.Items[i].Put(name, n)
		}
	}, checks...)
}

func rowKind(s *Scenario, path string) (k Kind, known bool) {
	for _, l := range Lists(s) {
		for _, row := range l.Rows {
			for _, f := range row {
				if f.Path == path {
					return f.Kind, true
				}
			}
		}
	}
	return 0, false
}

// Change returns the scenario whose tree is that of s after a change: decoded
// and checked like any file. s stays as it is.
func Change(s *Scenario, change func(root *Node), checks ...Check) (*Scenario, Problems) {
	root := s.Tree()
	change(root)
	return Decode(root, checks...)
}

// At returns the node that a path of the scenario s leads to, or nil. Names of
// things may have dots.
func (n *Node) At(s *Scenario, path string) *Node {
	section, rest, _ := strings.Cut(path, ".")
	for _, steps := range splits(s, section, rest) {
		at := n
		for _, step := range steps {
			if at = at.Field(step); at == nil {
				break
			}
		}
		if at != nil {
			return at
		}
	}
	return nil
}

// Put gives a field of a mapping a value, at its end when it is new.
func (n *Node) Put(name string, value *Node) {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			n.Fields[i].Value = value
			return
		}
	}
	n.add(name, value)
}

// Remove takes a field out of a mapping.
func (n *Node) Remove(name string) {
	for i := range n.Fields {
		if n.Fields[i].Name == name {
			n.Fields = append(n.Fields[:i], n.Fields[i+1:]...)
			return
		}
	}
}

// Flow reads a value as one types it into a field: 30s, [a, b], {mean: 1s}.
func Flow(text string) (*Node, Problems) { return readFlow(text) }
