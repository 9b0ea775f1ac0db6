package scenario

import (
	"fmt"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// Set changes one setting, named by its path: queues.orders.max_receives,
// workers.mailer.count, services.send_email.fails.first, seed. The value is
// what one would write into a file; "" is the default. Texts and handlers are
// taken as they are. When there is a problem s is left as it was.
func Set(s *Scenario, path, value string) Problems {
	f, problem := lookUp(s, path)
	if problem != "" {
		return Problems{{Path: path, Text: problem}}
	}
	if p := TooLarge(len(value)); p != nil || !utf8.ValidString(value) {
		return Problems{{Path: path, Text: fmt.Sprintf("the value is not text in UTF-8 of up to %d bytes", MaxSourceBytes)}}
	}
	n := &Node{Kind: TextNode, Text: value, Quoted: true}
	if k := f.field.form.kind(); k != KindText && k != KindHandler && value != "" {
		var problems Problems
		if n, problems = readFlow(value); len(problems) > 0 {
			problems[0].Path = path
			return problems
		}
	}
	return f.change(s, func(d *decoder) {
		if value != "" || f.field.required {
			f.field.form.read(d, n, f.at, f.into)
			return
		}
		f.clear()
	}, false)
}

// ApplySet changes one setting the way a `set` of the timeline does, with the
// value that its `to` was decoded into. The error is a Problems; s is then as
// it was before. It changes s in place: pointers into it stay good.
func ApplySet(s *Scenario, path string, value any) error {
	_, problems := applySet(s, path, value)
	return problems.Err()
}

// applySet also reports whether it is the path that is wrong.
func applySet(s *Scenario, path string, value any) (badPath bool, problems Problems) {
	f, problem := lookUp(s, path)
	if problem == "" && !f.during() {
		problem = fmt.Sprintf("%s cannot be set during a run: set a number, a duration, a rate, a choice or a handler of queues, producers, services, tables or workers", path)
	}
	n := valueNode(value)
	if problem == "" && n == nil {
		problem = fmt.Sprintf("%T is not a value that a scenario can have", value)
	}
	if problem != "" {
		return true, Problems{{Path: path, Text: problem}}
	}
	return false, f.change(s, func(d *decoder) { f.field.form.read(d, n, f.at, f.into) }, true)
}

// Get returns the value of a setting as one would write it, and whether there
// is such a setting. Set takes it back.
func Get(s *Scenario, path string) (string, bool) {
	f, problem := lookUp(s, path)
	if problem != "" {
		return "", false
	}
	return f.text(), true
}

// Setting is a path that Set takes, with what a control for it needs to know.
type Setting struct {
	Path     string
	Kind     Kind
	Default  string   // as one would write it, or ""
	Options  []string // of a choice
	Min, Max int64    // of a count
	Never    bool     // of a duration: it can also be "never"
	During   bool     // the timeline can set it
	Doc      string   // what it is, in a few words
	Value    string   // as Get returns it
}

// Paths returns every setting that s has, in the order of the language.
func Paths(s *Scenario) []Setting {
	var list []Setting
	scenarioRecord.each(s, "", func(f *found) { list = append(list, f.setting()) })
	return list
}

func (f *found) setting() Setting {
	s := Setting{
		Path: dotted(f.at), Kind: f.field.form.kind(), Default: f.field.def, Doc: f.field.doc, During: f.during(),
		Value: f.text(),
	}
	switch form := f.field.form.(type) {
	case interface{ options() []string }:
		s.Options = form.options()
	case countForm:
		s.Min, s.Max = form.min, form.max
	case durationForm:
		s.Never = form.never
	}
	return s
}

// found is a field of a certain owner.
type found struct {
	at    string
	field *field
	into  any // pointer to the Go field
	item  any // pointer to the named item or Scenario that it belongs to
}

// settable are the kinds of values that Set takes as a whole.
func settable(k Kind) bool { return k != KindOther }

// during reports whether the timeline may set the field.
func (f *found) during() bool {
	switch f.field.form.kind() {
	case KindText, KindNames, KindBody, KindOther:
		return false
	}
	section, _, isItem := strings.Cut(f.at, "/")
	return isItem && section != "limits"
}

func (f *found) text() string {
	if s, ok := f.field.form.(interface{ show(from any) string }); ok {
		return s.show(f.into)
	}
	n := f.field.form.write(f.into)
	switch k := f.field.form.kind(); {
	case n == nil:
		return ""
	case k == KindText || k == KindHandler:
		return n.Text
	}
	return n.Flow()
}

// clear gives the field its default.
func (f *found) clear() {
	if f.field.def != "" {
		f.field.form.read(&decoder{}, &Node{Kind: Plain(f.field.def), Text: f.field.def}, f.at, f.into)
		return
	}
	switch into := f.into.(type) {
	case *string:
		*into = ""
	case *int64:
		*into = 0
	case *any:
		*into = nil
	case *Service:
		into.Error = ""
	case *Queue:
		into.DeadLetter = ""
	}
}

// change runs edit, settles what depends on it and checks the whole, or during
// a run what that can break; it takes everything back when there is a problem.
func (f *found) change(s *Scenario, edit func(d *decoder), during bool) Problems {
	undo := snapshot(f.item)
	d := &decoder{}
	edit(d)
	if len(d.problems) == 0 {
		settle(f.item, f.at)
		c := &checker{s: s, d: d, given: func(at string) bool { return differs(s, at) }, lenient: true}
		if during {
			c.touched(f.item)
		} else if c.rules(); len(d.problems) == 0 {
			c.timeline()
		}
	}
	if len(d.problems) > 0 {
		undo()
	}
	return d.problems.inOrder()
}

// snapshot returns a function that puts the item back as it is now. Forms
// store new lists instead of changing the ones that are there, so that the
// copy of the struct is enough.
func snapshot(item any) (undo func()) {
	switch item := item.(type) {
	case *Scenario:
		return keep(item)
	case *Queue:
		return keep(item)
	case *Topic:
		return keep(item)
	case *Producer:
		return keep(item)
	case *Service:
		return keep(item)
	case *Table:
		return keep(item)
	case *Pool:
		return keep(item)
	}
	panic(fmt.Sprintf("no snapshot of a %T", item))
}

func keep[T any](item *T) func() {
	old := *item
	return func() { *item = old }
}

// differs reports whether a field is not at its default.
func differs(s *Scenario, at string) bool {
	f, _ := scenarioRecord.find(s, s, "", strings.Split(at, "/"))
	if f == nil {
		return false
	}
	now := f.text()
	undo := snapshot(f.item)
	defer undo()
	f.clear()
	return f.text() != now
}

// lookUp finds a field by its path, or says what is wrong with the path.
func lookUp(s *Scenario, path string) (*found, string) {
	first, rest, _ := strings.Cut(path, ".")
	var f *found
	var problem string
	for _, steps := range splits(s, first, rest) {
		if f, problem = scenarioRecord.find(s, s, "", steps); f != nil {
			break
		}
	}
	switch {
	case f == nil:
		return nil, problem
	case !settable(f.field.form.kind()):
		return nil, fmt.Sprintf("%s is more than one value: change it where the scenario is written%s", path, parts(f))
	}
	return f, ""
}

// parts names the settings inside a field that is more than one value.
func parts(f *found) string {
	if inner, ok := f.field.form.(interface{ names() []string }); ok {
		return fmt.Sprintf(", or set one of its fields (%s)", listed(inner.names()))
	}
	return ""
}

// splits are the ways to take a path apart, the longest name first: names of
// queues and topics may have dots.
func splits(s *Scenario, section, rest string) [][]string {
	if rest == "" {
		return [][]string{{section}}
	}
	var ways [][]string
	for _, name := range namesIn(s, section) {
		if rest == name {
			ways = append(ways, []string{section, name})
		} else if inner, ok := strings.CutPrefix(rest, name+"."); ok {
			ways = append(ways, append([]string{section, name}, strings.Split(inner, ".")...))
		}
	}
	sort.SliceStable(ways, func(i, j int) bool { return len(ways[i][1]) > len(ways[j][1]) })
	return append(ways, append([]string{section}, strings.Split(rest, ".")...))
}

// finder is a form that has fields inside.
type finder interface {
	// find looks for the field that steps lead to, or says what is wrong.
	find(into, item any, at string, steps []string) (*found, string)
	// each calls use for every settable field inside.
	each(into any, at string, use func(*found))
}

func (r *record) find(into, item any, at string, steps []string) (*found, string) {
	f := r.field(steps[0])
	here := join(at, steps[0])
	if f == nil {
		return nil, fmt.Sprintf("there is no %q in %s: %s", steps[0], r.what, hint(steps[0], r.names(), ""))
	}
	if len(steps) == 1 {
		return &found{at: here, field: f, into: f.at(into), item: item}, ""
	}
	inner, ok := f.form.(finder)
	if !ok {
		return nil, fmt.Sprintf("%s is one value and has no %q inside", dotted(here), steps[1])
	}
	return inner.find(f.at(into), item, here, steps[1:])
}

func (r *record) each(into any, at string, use func(*found)) {
	for i := range r.fields {
		f := &r.fields[i]
		here := join(at, f.name)
		if r.idle != nil && r.idle(into, f.name) {
			continue
		}
		if settable(f.form.kind()) {
			use(&found{at: here, field: f, into: f.at(into), item: into})
		}
		if inner, ok := f.form.(finder); ok {
			inner.each(f.at(into), here, use)
		}
	}
}

func (f named[T]) find(into, _ any, at string, steps []string) (*found, string) {
	list := *into.(*[]T)
	var names []string
	for i := range list {
		name := *f.name(&list[i])
		if name == steps[0] && len(steps) > 1 {
			return f.of.find(&list[i], &list[i], join(at, name), steps[1:])
		}
		names = append(names, name)
	}
	if slices.Contains(names, steps[0]) {
		return nil, fmt.Sprintf("%s stops too early: go on with a field of %s (%s)", dotted(join(at, steps[0])), f.of.what, listed(f.of.names()))
	}
	return nil, fmt.Sprintf("there is no %q among the %s: %s", steps[0], at, hint(steps[0], names, "there is none"))
}

func (f named[T]) each(into any, at string, use func(*found)) {
	list := *into.(*[]T)
	for i := range list {
		f.of.each(&list[i], join(at, *f.name(&list[i])), use)
	}
}

func (f producerRetry) find(into, item any, at string, steps []string) (*found, string) {
	return f.of.find(&into.(*Producer).Retry, item, at, steps)
}
func (f producerRetry) each(into any, at string, use func(*found)) {
	f.of.each(&into.(*Producer).Retry, at, use)
}

func (crashForm) find(into, item any, at string, steps []string) (*found, string) {
	if len(into.(*Crash).Exact) > 0 {
		return nil, fmt.Sprintf("%s is a list of exact crashes and has no %q: write {probability: 10%%} instead of the list", dotted(at), steps[0])
	}
	return crashRecord.find(into, item, at, steps)
}

func (crashForm) each(into any, at string, use func(*found)) {
	if len(into.(*Crash).Exact) == 0 {
		crashRecord.each(into, at, use)
	}
}

func (crashForm) names() []string { return crashRecord.names() }

// latencyParts are the fields that a latency has inside, by its kind.
var latencyParts = map[LatencyKind][]string{UniformLatency: {"min", "max"}, ExponentialLatency: {"mean"}}

func (latencyForm) find(into, item any, at string, steps []string) (*found, string) {
	for _, name := range latencyParts[into.(*Latency).Kind] {
		if name == steps[0] {
			return latencyRecord.find(into, item, at, steps)
		}
	}
	return nil, fmt.Sprintf("%s is %s and has no %q: set it as a whole, such as {min: 100ms, max: 300ms}", dotted(at), latencyForm{}.write(into).Flow(), steps[0])
}

func (latencyForm) each(into any, at string, use func(*found)) {
	for _, name := range latencyParts[into.(*Latency).Kind] {
		f := latencyRecord.field(name)
		use(&found{at: join(at, name), field: f, into: f.at(into)})
	}
}
