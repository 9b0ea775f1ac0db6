package lessons

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/spelling"
)

// blockNames are those of all blocks; schema.go has their fields.
var blockNames = []string{"scenario", "stage", "predict", "quiz", "challenge"}

func (r *reader) fence(n *ast.FencedCodeBlock) {
	b, problem := block(r.source, n)
	if problem != nil {
		r.problems = append(r.problems, *problem)
	}
	switch b.Name {
	case "scenario":
		r.scenario(b)
	case "stage":
		r.stage(b)
	case "challenge":
		r.challenge(b)
	default:
		r.question(b)
	}
}

// option returns what name= says.
func (b *Block) option(name string) (string, place) {
	for _, o := range b.options {
		if o.name == name {
			return o.value, o.place
		}
	}
	return "", place{b.Line, 1}
}

// only reports options that a block does not have.
func (r *reader) only(b Block, names ...string) {
	seen := map[string]bool{}
	for _, o := range b.options {
		switch {
		case !slices.Contains(names, o.name):
			r.problem(o.place, "a %s has no %s=: %s", b.Name, o.name, instead(o.name, names))
		case seen[o.name]:
			r.problem(o.place, "%s= stands here twice: keep one", o.name)
		}
		seen[o.name] = true
	}
}

// stage reads a block whose lines are stops.
func (r *reader) stage(b Block) {
	r.only(b, "scenario", "unlock", "show")
	id, at := b.option("scenario")
	if id == "" {
		r.problem(at, "a stage shows a scenario: write ```stage scenario=ID")
	}
	unlock, _ := b.option("unlock")
	show, _ := b.option("show")
	s := &lesson.Stage{Scenario: id, Unlock: list(unlock), Show: list(show)}
	own := len(r.mentions)
	for i, line := range strings.Split(string(b.Source), "\n") {
		if text := strings.TrimSpace(line); text != "" {
			r.stop(s, text, place{i + 1, 1 + len(line) - len(strings.TrimLeft(line, " "))})
		}
	}
	for i := range r.mentions[own:] {
		r.mentions[own+i].in = id
	}
	r.add(lesson.Block{Stage: s})
	r.mention(place{b.Line, 1}, mention{end: b.end(), stage: s})
}

func (r *reader) stop(s *lesson.Stage, line string, at place) {
	moment, found := strings.CutPrefix(line, "stop at ")
	where, text, ok := strings.Cut(moment, ":")
	if !found || !ok || strings.TrimSpace(text) == "" {
		r.problem(at, "a line of a stage says where play halts, and what is said there: write stop at first crashed: The cook is gone.")
		return
	}
	m, err := lesson.ParseMoment(momentText(where))
	if err != nil {
		r.problem(place{at.line, at.column + len("stop at ")}, "%s", err)
		return
	}
	r.mention(place{at.line, at.column + len("stop at ")}, mention{moment: &m})
	said := r.proseOf(&scenario.Node{Text: strings.TrimSpace(text), Line: at.line, Column: at.column + len(line) - len(text)})
	s.Stops = append(s.Stops, lesson.Stop{Moment: m, Text: said.Plain(nil)})
}

// momentText lets an instant stand without its "at" after "stop at".
func momentText(text string) string {
	text = strings.TrimSpace(text)
	if _, err := scenario.ParseDuration(text); err == nil {
		return "at " + text
	}
	return text
}

// list splits names at commas.
func list(text string) []string {
	var names []string
	for _, name := range strings.Split(text, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

func (r *reader) question(b Block) {
	r.only(b, "id", "scenario")
	id, at := b.option("id")
	if id == "" {
		r.problem(at, "a %s has an id, under which its answer is kept: write ```%s id=emails", b.Name, b.Name)
	}
	q := &lesson.Question{ID: id, Predict: b.Name == "predict"}
	own := len(r.mentions)
	q.Scenario, _ = b.option("scenario")
	f := r.form(b.Source, place{b.Line, 1}, "a "+b.Name, questionForm)
	q.Ask = f.line("question")
	q.Form = lesson.Form(f.text("form"))
	if q.Form == "" {
		q.Form = lesson.Choice
	}
	q.Unit, q.Tolerance = f.text("unit"), f.text("tolerance")
	q.From, q.To = f.number("from"), f.number("to")
	if q.Answer = f.text("answer"); q.Scenario == "" && q.Form == lesson.Number {
		q.Stated, q.Answer = f.number("answer"), ""
		f.check("answer", f.has("answer"), "the answer is missing: without a scenario it is a number, such as answer: 36")
	}
	switch order := f.text("order"); order {
	case "", "shuffled":
	case "kept":
		q.Kept = true
	default:
		f.check("order", false, "the order of choices is kept or shuffled, not %s", order)
	}
	q.Why, q.See = f.prose("why"), f.moment("see")
	for _, item := range f.items("choices") {
		q.Choices = append(q.Choices, r.choice(item))
	}
	for i := range r.mentions[own:] {
		r.mentions[own+i].of, r.mentions[own+i].in = q, q.Scenario
	}
	r.add(lesson.Block{Question: q})
	r.mention(place{b.Line, 1}, mention{end: b.end(), question: q, form: f})
}

// choice reads a choice: a value that says itself, or its fields.
func (r *reader) choice(n *scenario.Node) lesson.Option {
	if n.Kind != scenario.MapNode {
		return lesson.Option{Say: plain(sayOf(n)), Value: literal(n)}
	}
	f := r.fields(n, "a choice", choiceForm)
	o := lesson.Option{Is: f.text("is"), Right: f.text("right") == "true", See: f.moment("see")}
	f.check("right", !f.has("right") || f.field("right").Kind == scenario.BoolNode, "right is true or false")
	r.aside = true
	o.Because = f.prose("because")
	r.aside = false
	if value := n.Field("value"); value != nil {
		o.Value, o.Say = literal(value), plain(sayOf(value))
	}
	switch {
	case f.has("say"):
		o.Say = f.line("say")
	case o.Value == "":
		f.missing("say")
	}
	return o
}

func plain(text string) lesson.Node { return lesson.Node{Text: text} }

// literal writes a value as an expression has it.
func literal(n *scenario.Node) string {
	switch n.Kind {
	case scenario.TextNode:
		return strconv.Quote(n.Text)
	case scenario.BoolNode:
		return map[bool]string{true: "True", false: "False"}[strings.EqualFold(n.Text, "true")]
	case scenario.ListNode:
		var parts []string
		for _, item := range n.Items {
			parts = append(parts, literal(item))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return n.Text
}

// sayOf writes a value as one reads it.
func sayOf(n *scenario.Node) string {
	if n.Kind != scenario.ListNode {
		return n.Text
	}
	var parts []string
	for _, item := range n.Items {
		parts = append(parts, sayOf(item))
	}
	return strings.Join(parts, ", ")
}

func (r *reader) challenge(b Block) {
	r.only(b, "id", "scenario")
	c := &lesson.Challenge{}
	var at place
	if c.ID, at = b.option("id"); c.ID == "" {
		r.problem(at, "a challenge has an id, under which it is kept that it was solved: write ```challenge id=c1 scenario=ID")
	}
	if c.Scenario, at = b.option("scenario"); c.Scenario == "" {
		r.problem(at, "a challenge changes a scenario: write ```challenge id=c1 scenario=ID")
	}
	f := r.form(b.Source, place{b.Line, 1}, "a challenge", challengeForm)
	c.Goal, c.Task, c.Why = f.text("goal"), f.prose("task"), f.prose("why")
	c.Unlock = list(f.text("unlock"))
	if c.Seeds = f.text("seeds"); c.Seeds == "" {
		c.Seeds = "1"
	}
	r.aside = true
	for _, item := range f.items("hint") {
		c.Hints = append(c.Hints, *r.proseOf(item))
	}
	r.aside = false
	c.Solution = r.solution(f.field("solution"), c.Scenario)
	r.add(lesson.Block{Challenge: c})
	r.mention(place{b.Line, 1}, mention{end: b.end(), challenge: c, form: f})
}

// solution reads a handler, or settings by their paths.
func (r *reader) solution(n *scenario.Node, id string) []lesson.Change {
	switch {
	case n == nil:
		return nil
	case n.Kind == scenario.MapNode:
		var changes []lesson.Change
		for _, f := range n.Fields {
			changes = append(changes, lesson.Change{Path: f.Name, Value: f.Value.Text})
		}
		return changes
	case n.Kind != scenario.TextNode:
		r.problem(place{n.Line, n.Column}, "a solution is a handler as text, or settings such as queues.orders.visibility_timeout: 2s")
		return nil
	}
	path := "workers." + lesson.Handler
	if s := r.lesson.ScenarioOf(id); s != nil && len(s.Workers) > 0 {
		path = "workers." + s.Workers[0].Name + "." + lesson.Handler
	}
	return []lesson.Change{{Path: path, Value: n.Text}}
}

// form is a mapping that is being read.
type form struct {
	r     *reader
	what  string
	at    place
	node  *scenario.Node
	known []field
}

// handOut is the # of delivered 101 #2, which YAML would take for the
// beginning of a comment. It becomes another sign until the moment is read.
var handOut = regexp.MustCompile(`(\b(?:see|answer):[^#\n]*) #([0-9])`)

const handOutSign = "§"

func (r *reader) form(source []byte, at place, what string, known []field) form {
	if len(bytes.TrimSpace(source)) == 0 {
		r.problem(at, "%s is empty: write its fields, each on a line of its own: %s", what, strings.Join(namesOf(known), ", "))
		return form{r: r, what: what, at: at, node: &scenario.Node{}}
	}
	source = handOut.ReplaceAll(source, []byte("$1 "+handOutSign+"$2"))
	node, problems := scenarioyaml.Read(source)
	r.problems = append(r.problems, problems...)
	if node == nil {
		return form{r: r, what: what, at: at, node: &scenario.Node{}}
	}
	if node.Kind != scenario.MapNode {
		r.problem(place{node.Line, node.Column}, "%s has fields, each on a line of its own, such as %s: ...", what, known[0].name)
	}
	return r.fields(node, what, known)
}

func (r *reader) fields(node *scenario.Node, what string, known []field) form {
	names := namesOf(known)
	for _, f := range node.Fields {
		if !slices.Contains(names, f.Name) {
			r.problem(place{f.Line, f.Column}, "%s has no %s: %s", what, f.Name, instead(f.Name, names))
		}
	}
	return form{r: r, what: what, at: place{node.Line, max(node.Column, 1)}, node: node, known: known}
}

func (f form) field(name string) *scenario.Node { return f.node.Field(name) }

func (f form) has(name string) bool { return f.field(name) != nil }

// placeOf returns where a field's value stands, or the form when it is not
// there.
func (f form) placeOf(name string) place {
	if n := f.field(name); n != nil && n.Line > 0 {
		return place{n.Line, n.Column}
	}
	return f.at
}

// check reports a problem at a field that is there and not as it should be.
func (f form) check(name string, ok bool, format string, args ...any) {
	if !ok && (f.has(name) || strings.Contains(format, "missing")) && len(f.node.Fields) > 0 {
		f.r.problem(f.placeOf(name), format, args...)
	}
}

func (f form) text(name string) string {
	n := f.field(name)
	switch {
	case n == nil:
		if f.needs(name) {
			f.missing(name)
		}
		return ""
	case n.Kind == scenario.ListNode || n.Kind == scenario.MapNode:
		f.r.problem(f.placeOf(name), "%s is one text", name)
		return ""
	}
	return strings.ReplaceAll(strings.TrimRight(n.Text, "\n"), " "+handOutSign, " #")
}

// needs reports whether the form is nothing without that field.
func (f form) needs(name string) bool {
	return slices.ContainsFunc(f.known, func(k field) bool { return k.name == name && k.needed })
}

func (f form) missing(name string) {
	if f.node.Kind == scenario.MapNode {
		f.r.problem(f.at, "%s has no %s: write %s: ...", f.what, name, name)
	}
}

func (f form) whole(name string) int {
	text := f.text(name)
	n, err := strconv.Atoi(text)
	f.check(name, err == nil, "%s is a whole number, not %q", name, text)
	return n
}

func (f form) number(name string) float64 {
	text := f.text(name)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseFloat(text, 64)
	f.check(name, err == nil, "%s is a number, not %q", name, text)
	return n
}

// items returns the items of a list, or the one value that stands for it.
func (f form) items(name string) []*scenario.Node {
	n := f.field(name)
	switch {
	case n == nil:
		return nil
	case n.Kind == scenario.ListNode:
		return n.Items
	}
	return []*scenario.Node{n}
}

func (f form) texts(name string) []string {
	var all []string
	for _, n := range f.items(name) {
		if n.Kind == scenario.ListNode || n.Kind == scenario.MapNode {
			f.r.problem(place{n.Line, n.Column}, "%s is a list of texts: put one that has a colon in quotes", name)
			continue
		}
		all = append(all, n.Text)
	}
	return all
}

func (f form) moment(name string) *lesson.Moment {
	if !f.has(name) {
		return nil
	}
	m, err := lesson.ParseMoment(momentText(f.text(name)))
	if err != nil {
		f.r.problem(f.placeOf(name), "%s", err)
		return nil
	}
	f.r.mention(f.placeOf(name), mention{moment: &m})
	return &m
}

// line reads a field of one paragraph, without the paragraph around it.
func (f form) line(name string) lesson.Node {
	f.text(name)
	n := f.prose(name)
	switch {
	case n == nil:
		return lesson.Node{}
	case len(n.Kids) == 1 && n.Kids[0].Tag == "p":
		return lesson.Node{Kids: n.Kids[0].Kids}
	}
	f.r.problem(f.placeOf(name), "%s is one paragraph", name)
	return *n
}

func (f form) prose(name string) *lesson.Node {
	if !f.has(name) || f.field(name).Text == "" {
		return nil
	}
	return f.r.proseOf(f.field(name))
}

// instead says what to write instead of an unknown name.
func instead(name string, known []string) string {
	if near := spelling.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %s?", near)
	}
	return "there are " + strings.Join(known, ", ")
}
