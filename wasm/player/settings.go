package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Control is how a setting is held.
type Control uint8

// The controls.
const (
	Stepper  Control = iota // a number with less and more
	Slider                  // a length, a rate or a chance along a line
	Segments                // one of a few words, side by side
)

// Setting is one value of the scenario that has a control of its own. A
// setting has positions 0 to Steps; each stands for one value.
type Setting struct {
	ID        string // for elements of the page: visibility-timeout
	Group     string // the place on the stage it belongs to
	Name      string // in the kitchen's words
	Label     string // the name, with its group where several have one of that name
	Technical string // in the field's words
	Path      string // as in `set`: queues.orders.visibility_timeout
	Control   Control
	Steps     int
	Position  int
	Options   []string // the words of the positions, of Segments
	Value     string   // as it is shown: 200, no limit
	Unit      string   // ms, s, %, or ""
	Spoken    string   // as it is read out
	Was       string   // what it is in the original, when it is another value there, or ""
	Locked    bool     // the stage does not unlock it: it has no control here
}

// knob says how a setting's positions and values belong together.
type knob struct {
	id, group, name, label, technical string
	path                              string
	control                           Control
	steps                             int
	options                           []string
	value                             func(position int) string // as written in a scenario
	position                          func(written string) int
	show                              func(written string) (value, unit, spoken string)
}

// Settings returns the values that have controls, and which of them the stage
// unlocks.
func (p *Player) Settings() []Setting {
	return slices.Clone(p.settings().list)
}

// values is what is known of the settings of the current scenario, made once an
// edit.
type values struct {
	edited  int
	unlocks *lesson.Stage
	words   *Words
	knobs   []knob
	list    []Setting
}

func (p *Player) settings() *values {
	if p.values.knobs != nil && p.values.edited == p.edited && p.values.unlocks == p.unlocks && p.values.words == p.words {
		return &p.values
	}
	k := values{edited: p.edited, unlocks: p.unlocks, words: p.words, knobs: p.makeKnobs()}
	for i := range k.knobs {
		if s, ok := k.knobs[i].setting(p.Scenario(), p.Original()); ok {
			s.Locked = !p.Unlocked(s.Path)
			k.list = append(k.list, s)
		}
	}
	p.values = k
	return &p.values
}

// Unlocked reports whether the stage unlocks that setting; the handler is asked
// for as lesson.Handler.
func (p *Player) Unlocked(path string) bool { return p.unlocks == nil || p.unlocks.Unlocks(path) }

// setting returns what the knob stands at.
func (k *knob) setting(now, original *scenario.Scenario) (Setting, bool) {
	written, ok := scenario.Get(now, k.path)
	if !ok {
		return Setting{}, false
	}
	s := Setting{
		ID: k.id, Group: k.group, Name: k.name, Label: k.label, Technical: k.technical, Path: k.path,
		Control: k.control, Steps: k.steps, Position: k.at(written), Options: k.options,
	}
	s.Value, s.Unit, s.Spoken = k.show(written)
	if was, ok := scenario.Get(original, k.path); ok && was != written {
		s.Was = k.shown(was)
	}
	return s, true
}

// at returns the position nearest to a written value.
func (k *knob) at(written string) int { return max(0, min(k.position(written), k.steps)) }

// SetPosition gives the setting with that ID another position.
func (p *Player) SetPosition(id string, position int) {
	all := p.settings().knobs
	i := slices.IndexFunc(all, func(k knob) bool { return k.id == id })
	if i < 0 || !p.Unlocked(all[i].path) {
		return
	}
	k := &all[i]
	written := k.value(max(0, min(position, k.steps)))
	if now, ok := scenario.Get(p.Scenario(), k.path); !ok || now == written {
		return
	}
	p.setPath(k.path, written)
}

// SetWritten gives the setting at a path a value as one would write it; "" is
// the default. Entries of lists are set so too. What is wrong with it is kept as
// a problem.
func (p *Player) SetWritten(path, written string) {
	if strings.Contains(path, "[") {
		p.SetRow(path, written)
		return
	}
	if now, ok := scenario.Get(p.Scenario(), path); !ok || now == written && len(p.Problems()) == 0 {
		return
	}
	p.setPath(path, written)
	p.Seal()
}

// PutBack gives the setting at a path the value that it has in the original.
func (p *Player) PutBack(path string) {
	if was, ok := scenario.Get(p.Original(), path); ok {
		p.SetWritten(path, was)
	}
}

func (p *Player) setPath(path, written string) {
	p.Edit(p.editLabel(path, written), path, func(s *scenario.Scenario) scenario.Problems {
		return scenario.Set(s, path, written)
	})
}

// editLabel says what a change of a setting is, for the undo button.
func (p *Player) editLabel(path, written string) string {
	for _, k := range p.settings().knobs {
		if k.path == path {
			return k.technical + " " + k.shown(written)
		}
	}
	const long = 24
	if len(written) > long {
		written = written[:long] + "..."
	}
	return strings.TrimSpace(strings.ReplaceAll(fieldOf(path), "_", " ") + " " + written)
}

// differences says which settings have another value in is than in was; the seed
// and handlers are told otherwise.
func (p *Player) differences(was, is *scenario.Scenario) (texts []string) {
	for _, s := range scenario.Paths(is) {
		before, ok := scenario.Get(was, s.Path)
		if !ok || before == s.Value || s.Path == "seed" || s.Kind == scenario.KindHandler {
			continue
		}
		name, now := strings.ReplaceAll(fieldOf(s.Path), "_", " "), s.Value
		for _, k := range p.settings().knobs {
			if k.path == s.Path {
				name, before, now = k.technical, k.shown(before), k.shown(now)
			}
		}
		texts = append(texts, name+" was "+before+" and is "+now)
	}
	return texts
}

// shown returns a written value as the knob shows it, with its unit.
func (k *knob) shown(written string) string {
	value, unit, _ := k.show(written)
	return strings.TrimSpace(value + " " + unit)
}

// WrongAt returns the path of the setting whose last value was refused, and
// why; "" when there is none.
func (p *Player) WrongAt() (path, text string) {
	e := p.edits[p.at]
	for _, problem := range e.problems {
		if problem.HandlerLine == 0 {
			return e.key, problem.Text
		}
	}
	return "", ""
}

// makeKnobs makes those of the settings that one turns most, for every queue,
// pool, service and producer, and those besides that are unlocked by their
// paths.
func (p *Player) makeKnobs() []knob {
	s := p.Scenario()
	var all []knob
	for _, place := range placesOf(s, p.words) {
		for i := range usual {
			if usual[i].section == place.section {
				if k, ok := usual[i].knob(place, s, p.Original(), p.words); ok {
					all = append(all, k)
				}
			}
		}
	}
	if p.unlocks == nil {
		return all
	}
	for _, setting := range scenario.Paths(s) {
		has := func(k knob) bool { return k.path == setting.Path }
		if slices.Contains(p.unlocks.Unlock, setting.Path) && !slices.ContainsFunc(all, has) {
			if k, ok := plainKnob(setting); ok {
				all = append(all, k)
			}
		}
	}
	return all
}

// place is one named thing of a scenario: the rail, a pool of cooks.
type place struct {
	section, name string
	group         string
	first, alone  bool // the first of its section, and the only one
}

// placesOf are the places whose settings are turned, in the order in which they
// are shown.
func placesOf(s *scenario.Scenario, w *Words) []place {
	var all []place
	add := func(section, word string, n int, name func(i int) string) {
		for i := range n {
			pl := place{section: section, name: name(i), group: word, first: i == 0, alone: n == 1}
			if n > 1 {
				pl.group += " " + pl.name
			}
			all = append(all, pl)
		}
	}
	add("queues", w.In("Rail"), len(s.Queues), func(i int) string { return s.Queues[i].Name })
	add("workers", w.In("Cooks"), len(s.Workers), func(i int) string { return s.Workers[i].Name })
	add("services", "", len(s.Services), func(i int) string { return s.Services[i].Name })
	add("producers", w.In("Waiter"), len(s.Producers), func(i int) string { return s.Producers[i].Name })
	for i := range all {
		if all[i].section == "services" {
			all[i].group = serviceWords(all[i].name)
		}
	}
	return all
}

// serviceWords names a service as a reader would: Send email.
func serviceWords(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// template is a setting that one turns often, of any place of its section.
type template struct {
	section, field, id, name, technical string
	// shape gives the knob its control, steps and values; was is what the
	// setting has in the original. It reports whether the setting is of use.
	shape func(k *knob, was string) bool
	idle  func(s *scenario.Scenario, name string) bool // it has no use now; may be nil
}

var usual = []template{
	{section: "queues", field: "visibility_timeout", id: "visibility-timeout", name: "Time to ack", technical: "visibility timeout", shape: lengths(100*event.Millisecond, 50, timeout)},
	{section: "queues", field: "max_receives", id: "max-receives", name: "Tries", technical: "max receives", shape: counts(0, 10, number("try", "no limit"))},
	{section: "queues", field: "max_size", id: "max-size", name: "Rail size", technical: "max size", shape: counts(0, 20, number("place", "no limit"))},
	{section: "queues", field: "overflow", id: "overflow", name: "When full", technical: "overflow", shape: choices(
		[]string{"reject", "drop_oldest", "block"}, []string{"Turn away", "Drop oldest", "Waiter waits"}), idle: unbounded},
	{section: "workers", field: "count", id: "workers", name: "Cooks", technical: "workers", shape: counts(1, 7, number("worker", ""))},
	{section: "workers", field: "crash.probability", id: "crash", name: "Crash chance", technical: "crash.probability", shape: chances},
	{section: "services", field: "latency", id: "latency", name: "Time for a call", technical: "latency", shape: lengths(50*event.Millisecond, 40, length)},
	{section: "services", field: "fails.first", id: "fails", name: "Fails at first", technical: "fails.first", shape: counts(0, 9, number("call", "never"))},
	{section: "producers", field: "rate", id: "rate", name: "Orders", technical: "rate", shape: rates},
}

func unbounded(s *scenario.Scenario, name string) bool {
	written, _ := scenario.Get(s, "queues."+name+".max_size")
	return written == "0"
}

func (t *template) knob(at place, s, original *scenario.Scenario, w *Words) (knob, bool) {
	name := w.In(t.name)
	k := knob{id: t.id, group: at.group, name: name, label: name, technical: t.technical, path: t.section + "." + at.name + "." + t.field}
	if !at.first {
		k.id += "-" + at.name
	}
	if !at.alone {
		k.label = at.group + ", " + name
	}
	now, ok := scenario.Get(s, k.path)
	if !ok || t.idle != nil && t.idle(s, at.name) {
		return knob{}, false
	}
	was, ok := scenario.Get(original, k.path)
	if !ok {
		was = now
	}
	ok = t.shape(&k, was) && k.fits(now)
	options := slices.Clone(k.options)
	for i, option := range options {
		options[i] = w.In(option)
	}
	k.options = options
	return k, ok
}

// fits reports whether a written value can be shown on the knob: a latency that
// is drawn from a range cannot.
func (k *knob) fits(written string) bool { return !strings.HasPrefix(written, "{") }

// counts are whole numbers from least on.
func counts(least, steps int, show func(string) (string, string, string)) func(*knob, string) bool {
	return func(k *knob, was string) bool {
		n, _ := strconv.Atoi(was)
		k.steps = max(steps, min(2*(n-least), 1000))
		k.value, k.show = func(p int) string { return strconv.Itoa(p + least) }, show
		k.position = func(written string) int {
			n, _ := strconv.Atoi(written)
			return n - least
		}
		return true
	}
}

// lengths are durations in steps; for a longer one in the original the steps
// are longer, so that it lies in the first half.
func lengths(step event.Time, steps int, show func(string) (string, string, string)) func(*knob, string) bool {
	return func(k *knob, was string) bool {
		k.control, k.steps, k.show = Slider, steps, show
		each := step
		if d, err := scenario.ParseDuration(was); err == nil {
			for i := 0; 2*d > event.Time(steps)*each; i++ {
				each = each * [...]event.Time{2, 5, 2}[i%3] / [...]event.Time{1, 2, 1}[i%3]
			}
		}
		k.value = func(p int) string { return scenario.FormatDuration(event.Time(p) * each) }
		k.position = func(written string) int {
			d, err := scenario.ParseDuration(written)
			if err != nil {
				return 0
			}
			return int((d + each/2) / each)
		}
		return true
	}
}

// chances are whole percents, in fives.
func chances(k *knob, _ string) bool {
	const each = 5
	k.control, k.steps, k.show = Slider, 100/each, percent
	k.value = func(p int) string { return strconv.Itoa(each*p) + "%" }
	k.position = func(written string) int {
		n, _ := strconv.ParseFloat(strings.TrimSuffix(written, "%"), 64)
		return int(n+0.5) / each
	}
	return true
}

// rates count in the period that the original has, from one on.
func rates(k *knob, was string) bool {
	n, period, ok := strings.Cut(was, "/")
	count, err := strconv.Atoi(n)
	if !ok || err != nil {
		return false
	}
	each := 1
	for 2*count > 40*each {
		each *= 5
	}
	k.control, k.steps = Slider, 40
	k.value = func(p int) string { return strconv.Itoa(max(p*each, 1)) + "/" + period }
	k.position = func(written string) int {
		r, err := scenario.ParseRate(written)
		one, _ := scenario.ParseRate("1/" + period)
		if err != nil || r.Period == 0 {
			return 0
		}
		return int((r.Count*int64(one.Period)/int64(r.Period) + int64(each)/2) / int64(each))
	}
	k.show = func(written string) (value, unit, spoken string) {
		n, period, _ := strings.Cut(written, "/")
		long := map[string]string{"s": "second", "m": "minute", "h": "hour"}[period]
		return n, "/ " + period, n + " a " + long
	}
	return true
}

// choices are a choice, in the order in which the words are shown.
func choices(written, shown []string) func(*knob, string) bool {
	return func(k *knob, _ string) bool {
		k.control, k.steps, k.options = Segments, len(written)-1, shown
		k.value = func(p int) string { return written[p] }
		k.position = func(now string) int { return slices.Index(written, now) }
		k.show = func(now string) (string, string, string) {
			word := shown[max(slices.Index(written, now), 0)]
			return word, "", word
		}
		return true
	}
}

// plainKnob makes a knob of a setting that has none of its own.
func plainKnob(s scenario.Setting) (knob, bool) {
	name := strings.ReplaceAll(fieldOf(s.Path), "_", " ")
	k := knob{
		id: strings.ReplaceAll(s.Path, ".", "-"), group: "More", name: name, label: name, technical: s.Path, path: s.Path,
	}
	shape := func(*knob, string) bool { return false }
	switch s.Kind {
	case scenario.KindDuration:
		shape = lengths(100*event.Millisecond, 50, length)
	case scenario.KindProbability:
		shape = chances
	case scenario.KindCount:
		least := int(max(s.Min, 0))
		shape = counts(least, int(min(max(s.Max-s.Min, 1), 50)), number("", ""))
	case scenario.KindRate:
		shape = rates
	case scenario.KindChoice:
		shown := make([]string, len(s.Options))
		for i, option := range s.Options {
			shown[i] = strings.ReplaceAll(option, "_", " ")
		}
		shape = choices(s.Options, shown)
	}
	ok := shape(&k, s.Value) && k.fits(s.Value)
	return k, ok
}

// fieldOf returns what is left of a path behind the name of its place.
func fieldOf(path string) string {
	for _, section := range []string{"queues.", "topics.", "producers.", "services.", "tables.", "workers."} {
		if rest, ok := strings.CutPrefix(path, section); ok {
			_, field, _ := strings.Cut(rest, ".")
			return field
		}
	}
	return path
}

// pool is the path of a field of the pool whose handler the code card shows.
func (p *Player) pool(field string) string {
	if name := p.poolName(); name != "" {
		return "workers." + name + "." + field
	}
	return ""
}

// number shows a count; zero is the word for none, where there is one.
func number(one, none string) func(string) (string, string, string) {
	return func(written string) (string, string, string) {
		switch {
		case written == "0" && none != "":
			return none, "", none
		case one == "":
			return written, "", written
		case written == "1":
			return written, "", "1 " + one
		case strings.HasSuffix(one, "y"):
			return written, "", written + " " + strings.TrimSuffix(one, "y") + "ies"
		}
		return written, "", written + " " + one + "s"
	}
}

func percent(written string) (value, unit, spoken string) {
	n := strings.TrimSuffix(written, "%")
	return n, "%", n + " percent"
}

// length shows a duration by its number and its unit.
func length(written string) (value, unit, spoken string) {
	d, err := scenario.ParseDuration(written)
	if err != nil {
		return written, "", written
	}
	if d < event.Second {
		n := fmt.Sprint(int64(d / event.Millisecond))
		return n, "ms", n + " milliseconds"
	}
	n := strconv.FormatFloat(d.Seconds(), 'f', -1, 64)
	if n == "1" {
		return n, "s", "1 second"
	}
	return n, "s", n + " seconds"
}

func timeout(written string) (value, unit, spoken string) {
	if value, unit, spoken = length(written); value == "0" {
		return "never", "", "never comes back by itself"
	}
	return value, unit, spoken
}
