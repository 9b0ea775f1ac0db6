package player

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/build"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/plainyaml"
)

// A sandbox is a player of which a reader builds the scenario by hand. What can
// be added, and the form of each thing, are made from the language's own
// descriptions. Every change is an edit, and so a run at once.

// Thing is a thing of the scenario that can be chosen, to be changed in its
// form: a queue, a pool, or, with a section alone, what there is one of.
type Thing struct {
	Section string // of build.Sections; Run, Timeline or Expectations
	Name    string // "" for those that there is one of
}

// The places that there is one of.
const (
	TheRun   = "run"
	Timeline = "timeline"
	Expected = "expect"
)

// ID is the place's name for elements of the page.
func (t Thing) ID() string { return strings.ReplaceAll(t.Section+"-"+t.Name, ".", "-") }

// Group is the places of one section.
type Group struct {
	Section, Label string
	Things         []Thing
}

// kindLabels are the sections in the kitchen's words where it has some.
var kindLabels = map[string]string{
	"queues": "Queues", "topics": "Topics", "producers": "Producers", "services": "Services", "tables": "Tables", "workers": "Workers",
}

// Groups returns every place of the scenario, those of one section together.
func (p *Player) Groups() []Group {
	var all []Group
	for _, section := range []string{"producers", "topics", "queues", "workers", "services", "tables"} {
		g := Group{Section: section, Label: kindLabels[section]}
		for _, name := range build.Names(p.Scenario(), section) {
			g.Things = append(g.Things, Thing{section, name})
		}
		if len(g.Things) > 0 {
			all = append(all, g)
		}
	}
	return all
}

// Chosen is the place whose form is shown. There is always one.
func (p *Player) Chosen() Thing {
	if p.has(p.picked) {
		return p.picked
	}
	if s := p.Scenario(); len(s.Queues) > 0 {
		return Thing{"queues", s.Queues[0].Name}
	}
	return Thing{Section: TheRun}
}

func (p *Player) has(t Thing) bool {
	switch t.Section {
	case TheRun, Timeline, Expected:
		return true
	case "":
		return false
	}
	return slices.Contains(build.Names(p.Scenario(), t.Section), t.Name)
}

// Choose shows the form of a place; of a pool also its handler.
func (p *Player) Choose(t Thing) {
	p.Seal()
	p.picked = t
	p.revision++
	if t.Section == "workers" {
		p.ShowCard(slices.Index(p.Pools(), t.Name))
	}
}

// take makes the edit of a result, or keeps what is wrong with it at a key.
func (p *Player) take(label, key string, r build.Result) bool {
	p.Edit(label, key, func(s *scenario.Scenario) scenario.Problems {
		if r.Scenario != nil {
			*s = *r.Scenario
		}
		return r.Problems
	})
	p.Seal()
	return len(r.Problems) == 0
}

// AddThing adds a thing that works as it is, and chooses it.
func (p *Player) AddThing(section string) Thing {
	r := build.Add(p.Scenario(), section)
	if p.take("added "+r.Name, "add "+section, r) {
		p.Choose(Thing{section, r.Name})
	}
	return p.Chosen()
}

// RemoveThing takes a thing away, with what cannot be without it, and says what
// went.
func (p *Player) RemoveThing(t Thing) string {
	r := build.Remove(p.Scenario(), t.Section, t.Name)
	if !p.take("removed "+t.Name, nameKey(t), r) {
		return r.Problems[0].Text
	}
	text := "Removed " + build.One(t.Section) + " " + t.Name
	if len(r.Also) > 0 {
		text += ", and with it " + strings.Join(r.Also, ", ")
	}
	return text + "."
}

// RenameThing gives a thing another name, wherever it is named.
func (p *Player) RenameThing(t Thing, name string) {
	if name == t.Name && len(p.Problems()) == 0 {
		return
	}
	if name == t.Name {
		p.take("named "+name, nameKey(t), build.Result{Scenario: p.Scenario().Clone()})
		return
	}
	r := build.Rename(p.Scenario(), t.Section, t.Name, name)
	if p.take("named "+r.Name, nameKey(t), r) {
		p.Choose(Thing{t.Section, r.Name})
	}
}

// nameKey is the key of edits of a thing as a whole, which Form shows at its
// name.
func nameKey(t Thing) string { return "name " + t.Section + "." + t.Name }

// Call has the handler of a pool call a service.
func (p *Player) Call(pool, service string) {
	p.take(pool+" calls "+service, "workers."+pool+".handler", build.Call(p.Scenario(), pool, service))
}

// Callers are the pools whose handlers do not call a service yet, where none
// does.
func (p *Player) Callers(service string) []string {
	var pools []string
	for _, pool := range p.Scenario().Workers {
		if strings.Contains(pool.Handler, service+"(") {
			return nil
		}
		pools = append(pools, pool.Name)
	}
	return pools
}

// SetStream has a producer send a stream, or exact messages.
func (p *Player) SetStream(producer string, stream bool) {
	label := producer + " sends exact messages"
	if stream {
		label = producer + " sends a stream"
	}
	p.take(label, nameKey(Thing{"producers", producer}), build.Stream(p.Scenario(), producer, stream))
}

// AddRow adds an entry to a list; RemoveRow takes one out.
func (p *Player) AddRow(list string) {
	p.take("one more in "+fieldOf(list), list, build.AddRow(p.Scenario(), list))
}

// RemoveRow is described with AddRow.
func (p *Player) RemoveRow(row string) {
	p.take("one fewer in "+fieldOf(row[:strings.LastIndexByte(row, '[')]), row, build.RemoveRow(p.Scenario(), row))
}

// SetRow gives a value of an entry of a list another value, as one would write
// it.
func (p *Player) SetRow(path, written string) {
	next, problems := scenario.SetRow(p.Scenario(), path, written)
	p.take(p.editLabel(path, written), path, build.Result{Scenario: next, Problems: problems})
}

// SetAction has an entry of the timeline do something else.
func (p *Player) SetAction(i int, action string) {
	p.take("at that time: "+action, "timeline", build.SetAction(p.Scenario(), i, action))
}

// Start begins with another scenario. That can be undone; what is changed from
// then on is held against it.
func (p *Player) Start(label string, s *scenario.Scenario) {
	p.Edit(label, "start", func(now *scenario.Scenario) scenario.Problems {
		*now = *s.Clone()
		return nil
	})
	p.edits[p.at].base = s
	p.Seal()
	p.picked, p.card = Thing{}, 0
	p.Restart()
}

// Blank is the smallest scenario in which something happens: one queue, one
// producer, one pool.
func Blank() *scenario.Scenario {
	s, problems := scenario.DecodeJSON([]byte("{}"))
	for _, section := range []string{"queues", "producers", "workers"} {
		if len(problems) > 0 {
			panic("a blank scenario: " + problems.Error())
		}
		r := build.Add(s, section)
		s, problems = r.Scenario, r.Problems
	}
	return s
}

// YAML returns the whole scenario as text.
func (p *Player) YAML() string { return string(plainyaml.Encode(p.Scenario())) }

// yamlKey is the key of edits of the whole text.
const yamlKey = "yaml"

// SetYAML takes the whole scenario as text. What is wrong with it is kept, with
// its lines and columns; the scenario stays what it was.
func (p *Player) SetYAML(text string) {
	p.Edit("scenario typed", yamlKey, func(s *scenario.Scenario) scenario.Problems {
		next, problems := readText(text)
		if len(problems) == 0 {
			*s = *next
		}
		return problems
	})
}

// readText reads YAML or JSON, by its first character.
func readText(text string) (*scenario.Scenario, scenario.Problems) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		if s, problems := scenario.DecodeJSON([]byte(text)); len(problems) == 0 {
			return s, nil
		}
	}
	return plainyaml.Decode([]byte(text))
}

// OpenText begins with the scenario of a file. What is wrong with the file is
// returned, and the page stays as it is.
func (p *Player) OpenText(name, text string) scenario.Problems {
	s, problems := readText(text)
	if len(problems) == 0 {
		p.Start("opened "+name, s)
	}
	return problems
}

// YAMLMistakes returns what is wrong with the text that was typed last, by line
// from 1.
func (p *Player) YAMLMistakes() scenario.Problems {
	if p.edits[p.at].key != yamlKey {
		return nil
	}
	return p.Problems()
}

// PaintedYAML returns the lines of a scenario's text in parts of one kind.
func (p *Player) PaintedYAML(text string) [][]Span {
	var all [][]Span
	code, in := false, 0
	for _, line := range strings.Split(text, "\n") {
		set := indent(line)
		if code && (set > in || strings.TrimSpace(line) == "") {
			s := p.Scenario()
			all = append(all, painted(line, names(s.Services, func(v *scenario.Service) string { return v.Name }), names(s.Tables, func(v *scenario.Table) string { return v.Name }))[0])
			continue
		}
		all = append(all, paintedYAML(line))
		code, in = strings.HasSuffix(strings.TrimRight(line, " +-"), ": |"), set
	}
	return all
}

func names[T any](list []T, name func(*T) string) []string {
	var all []string
	for i := range list {
		all = append(all, name(&list[i]))
	}
	return all
}

// paintedYAML paints one line: names grey, as the words of the language are,
// numbers and texts in quotes as in a handler.
func paintedYAML(line string) []Span {
	var spans []Span
	add := func(text, kind string) {
		if n := len(spans); n > 0 && spans[n-1].Kind == kind {
			spans[n-1].Text += text
		} else if text != "" {
			spans = append(spans, Span{text, kind})
		}
	}
	for line != "" {
		n, kind := 1, ""
		switch c := line[0]; {
		case c == '#' && (len(spans) == 0 || strings.HasSuffix(spans[len(spans)-1].Text, " ")):
			n, kind = len(line), "cmt"
		case c == '"' || c == '\'':
			n, _ = endOfText(line, 1, line[:1])
			kind = "str"
		case c >= '0' && c <= '9':
			for n = 1; n < len(line) && strings.IndexByte(" ,]}", line[n]) < 0; n++ {
			}
			kind = "num"
		case wordly(rune(c)):
			for n = 1; n < len(line) && strings.IndexByte(" ,:]}", line[n]) < 0; n++ {
			}
			if n < len(line) && line[n] == ':' {
				kind = "kw"
			}
		}
		add(line[:n], kind)
		line = line[n:]
	}
	return spans
}

// Form is what can be changed of a place.
type Form struct {
	Thing  Thing
	Title  string    // Queue orders
	Named  bool      // it has a name, and can be removed
	Wrong  string    // what is wrong with its name, or with the thing as a whole
	Knobs  []Setting // those of its settings that have controls of their own
	Fields []Field   // those that say what it is to this scenario
	More   []Field   // those that are as always
	Lists  []Listing
	Stream int // of a producer: 1 a stream, -1 exact messages; 0 of others
	Calls  []string
}

// Listing is a list of the form.
type Listing struct {
	Path, Name, Doc string
	Add             string // what one adds: message
	Items           []Item
	Problem         string
}

// Item is an entry of a list.
type Item struct {
	Path   string
	Action string // of the timeline: what it does
	Fields []Field
}

// listNames are what the entries of a list are called.
var listNames = map[string]string{
	"send": "message", "mix": "share", "crash": "exact crash", "timeline": "event", "expect": "expectation",
}

// Form returns the form of the chosen place.
func (p *Player) Form() Form {
	t := p.Chosen()
	f := Form{Thing: t, Title: titles[t.Section], Named: t.Name != ""}
	prefix := t.Section + "." + t.Name + "."
	if f.Named {
		f.Title = upper(build.One(t.Section)) + " " + t.Name
		if wrong, text := p.WrongAt(); wrong == nameKey(t) {
			f.Wrong = text
		}
	}
	belongs := func(path string) bool {
		if f.Named {
			return strings.HasPrefix(path, prefix)
		}
		return t.Section == TheRun && fieldOf(path) == path && !strings.Contains(path, "[") || path == t.Section
	}
	used := map[string]bool{} // a stream's rate has no use with exact messages
	for _, s := range scenario.Paths(p.Scenario()) {
		used[s.Path] = true
	}
	for _, s := range p.Settings() {
		if !s.Locked && belongs(s.Path) && used[s.Path] {
			f.Knobs = append(f.Knobs, s)
		}
	}
	for _, field := range p.Fields() {
		if field = p.connected(field); belongs(field.Path) && field.telling() {
			f.Fields = append(f.Fields, field)
		} else if belongs(field.Path) {
			f.More = append(f.More, field)
		}
	}
	for _, l := range scenario.Lists(p.Scenario()) {
		if belongs(l.Path) && (f.Named || l.Path == t.Section) {
			f.Lists = append(f.Lists, p.rows(l))
		}
	}
	p.special(&f)
	return f
}

var titles = map[string]string{TheRun: "The run", Timeline: "What happens from outside", Expected: "What is expected"}

func (p *Player) special(f *Form) {
	s := p.Scenario()
	switch f.Thing.Section {
	case "producers":
		f.Stream = -1
		for i := range s.Producers {
			if s.Producers[i].Name == f.Thing.Name && !s.Producers[i].Rate.IsZero() {
				f.Stream = 1
			}
		}
	case "services":
		f.Calls = p.Callers(f.Thing.Name)
	}
}

// telling reports whether a field says something: what it belongs to, or another
// value than it has by itself.
func (f *Field) telling() bool {
	switch f.Name {
	case "to", "from", "count", "latency", "title", "until", "body":
		return true
	}
	return f.Value != f.Default && f.Value != "" || f.Problem != "" || f.Was != ""
}

// connected gives a field that names other things the names to choose from.
func (p *Player) connected(f Field) Field {
	s := p.Scenario()
	switch section, _, _ := strings.Cut(f.Path, "."); {
	case section == "producers" && f.Name == "to":
		f.Options = build.Targets(s)
	case section == "topics" && f.Name == "to", section == "workers" && f.Name == "from":
		f.Several = build.Names(s, "queues")
		for _, name := range s.QueueNames() { // dead letters that make themselves
			if !slices.Contains(f.Several, name) && slices.Contains(namesOf(f.Value), name) {
				f.Several = append(f.Several, name)
			}
		}
	}
	return f
}

// namesOf reads the names of a value such as orders or [orders, emails].
func namesOf(written string) []string {
	n, problems := scenario.Flow(written)
	if len(problems) > 0 || written == "" {
		return nil
	}
	if n.Kind != scenario.ListNode {
		return []string{n.Text}
	}
	var all []string
	for _, item := range n.Items {
		all = append(all, item.Text)
	}
	return all
}

// SetMember puts a name into a value that has several, or takes it out. What
// comes later is less preferred.
func (p *Player) SetMember(path, name string, in bool) {
	written, _ := scenario.Get(p.Scenario(), path)
	all := slices.DeleteFunc(namesOf(written), func(other string) bool { return other == name })
	if in {
		all = append(all, name)
	}
	n := &scenario.Node{Kind: scenario.ListNode}
	for _, name := range all {
		n.Items = append(n.Items, &scenario.Node{Kind: scenario.TextNode, Text: name, Quoted: true})
	}
	p.SetWritten(path, n.Flow())
}

func (p *Player) rows(l scenario.List) Listing {
	name := fieldOf(l.Path)
	r := Listing{Path: l.Path, Name: strings.ReplaceAll(name, "_", " "), Doc: l.Doc, Add: listNames[name]}
	wrong, why := p.WrongAt()
	if wrong == l.Path {
		r.Problem = why
	}
	for i, fields := range l.Rows {
		row := Item{Path: l.Path + "[" + strconv.Itoa(i) + "]"}
		if l.Path == Timeline {
			row.Action = actionOf(fields)
		}
		for _, s := range fields {
			f := fieldFor(s)
			f.Name = strings.TrimPrefix(strings.TrimPrefix(s.Path, row.Path), ".")
			if f.Name == "" {
				f.Name = r.Add + " " + strconv.Itoa(i+1)
			}
			if s.Path == wrong {
				f.Problem = why
			}
			if row.Action == "" || goesWith(f.Name, row.Action) {
				row.Fields = append(row.Fields, f)
			}
		}
		r.Items = append(r.Items, row)
	}
	return r
}

// actionOf is what an entry of the timeline does.
func actionOf(fields []scenario.Setting) string {
	for _, f := range fields {
		if _, name, _ := strings.Cut(f.Path, "]."); f.Value != "" && slices.Contains(build.Actions, name) {
			return name
		}
	}
	return build.Actions[0]
}

// goesWith reports whether a field of an entry goes with what it does.
func goesWith(name, action string) bool {
	switch name {
	case "at", action:
		return true
	case "to":
		return action == "set" || action == "redrive"
	case "body":
		return action == "edit"
	}
	return false
}
