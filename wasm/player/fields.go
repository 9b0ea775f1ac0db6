package player

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Field is any value of the scenario as a labelled field of the page.
type Field struct {
	ID      string // for elements of the page
	Path    string // as in `set`
	Group   string // whose it is: queues.orders, or the run
	Name    string // its path within the group
	Doc     string // what it is, in a few words
	Value   string // as one would write it
	Default string // as one would write it, or ""
	Options []string
	Several []string // names of which it can have several, in order of preference
	Number  bool
	Was     string // what it is in the original, when it is another value there
	Problem string // why the last value was refused
}

// Fields returns every value of the scenario that has no control of its own, in
// the order of the language. Handlers are on the code card.
func (p *Player) Fields() []Field {
	controls := map[string]bool{}
	for _, s := range p.settings().list {
		controls[s.Path] = !s.Locked
	}
	was := map[string]string{}
	for _, s := range scenario.Paths(p.Original()) {
		was[s.Path] = s.Value
	}
	wrong, why := p.WrongAt()
	var all []Field
	for _, s := range scenario.Paths(p.Scenario()) {
		if s.Kind == scenario.KindHandler || controls[s.Path] {
			continue
		}
		f := fieldFor(s)
		f.Name = fieldOf(s.Path)
		f.Group = strings.TrimSuffix(strings.TrimSuffix(s.Path, f.Name), ".")
		if f.Group == "" {
			f.Group = "the run"
		}
		if before, ok := was[s.Path]; ok && before != s.Value {
			f.Was = before
			if before == "" {
				f.Was = "empty"
			}
		}
		if s.Path == wrong {
			f.Problem = why
		}
		all = append(all, f)
	}
	return all
}

// Members are the names that a field with several has.
func (f *Field) Members() []string { return namesOf(f.Value) }

func fieldFor(s scenario.Setting) Field {
	return Field{
		ID: "f-" + strings.NewReplacer(".", "-", " ", "-", "[", "-", "]", "").Replace(s.Path), Path: s.Path, Doc: s.Doc, Value: s.Value,
		Default: s.Default, Options: s.Options, Number: s.Kind == scenario.KindCount,
	}
}
