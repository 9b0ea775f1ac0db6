package player

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Control is how a setting is held.
type Control uint8

// The controls.
const (
	Stepper Control = iota // a number with less and more
	Slider                 // a length or a chance along a line
)

// Setting is one value of the scenario that the page lets a reader change. A
// setting has positions 0 to Steps; each stands for one value.
type Setting struct {
	ID        string // for elements of the page: visibility-timeout
	Group     string // the place on the stage it belongs to
	Name      string // in the kitchen's words
	Technical string // in the field's words
	Path      string // as in `set`: queues.orders.visibility_timeout
	Control   Control
	Steps     int
	Position  int
	Value     string // as it is shown: 200, no limit
	Unit      string // ms, s, %, or ""
	Spoken    string // as it is read out
	Was       string // what it is in the original, when it is another value there, or ""
	WasAt     int    // its position there
	Locked    bool   // it is shown, and cannot be changed here
}

// knob says how a setting's positions and values belong together.
type knob struct {
	id, group, name, technical string
	control                    Control
	steps                      int
	path                       func(*scenario.Scenario) string // "" when the scenario has no such thing
	value                      func(position int) string       // as written in a scenario
	position                   func(written string) int
	show                       func(written string) (value, unit, spoken string)
}

var knobs = []knob{
	{
		id: "workers", group: "Cooks", name: "How many", technical: "workers", control: Stepper, steps: 7,
		path:  func(s *scenario.Scenario) string { return pool(s, "count") },
		value: func(p int) string { return strconv.Itoa(p + 1) }, position: countFrom(1), show: number("worker", ""),
	},
	{
		id: "crash", group: "Cooks", name: "Crash chance", technical: "crash.probability", control: Slider, steps: 20,
		path:  func(s *scenario.Scenario) string { return pool(s, "crash.probability") },
		value: func(p int) string { return strconv.Itoa(5*p) + "%" }, position: percentIn(5), show: percent,
	},
	{
		id: "visibility-timeout", group: "Rail", name: "Time to ack", technical: "visibility timeout", control: Slider, steps: 50,
		path:  func(s *scenario.Scenario) string { return queue(s, "visibility_timeout") },
		value: durationOf(100 * event.Millisecond), position: durationIn(100 * event.Millisecond), show: timeout,
	},
	{
		id: "max-receives", group: "Rail", name: "Tries", technical: "max receives", control: Stepper, steps: 10,
		path:  func(s *scenario.Scenario) string { return queue(s, "max_receives") },
		value: strconv.Itoa, position: countFrom(0), show: number("try", "no limit"),
	},
	{
		id: "max-size", group: "Rail", name: "Rail size", technical: "max size", control: Stepper, steps: 20,
		path:  func(s *scenario.Scenario) string { return queue(s, "max_size") },
		value: strconv.Itoa, position: countFrom(0), show: number("place", "no limit"),
	},
	{
		id: "latency", group: "Mail server", name: "Time for an email", technical: "latency", control: Slider, steps: 40,
		path:  func(s *scenario.Scenario) string { return service(s, "latency") },
		value: durationOf(50 * event.Millisecond), position: durationIn(50 * event.Millisecond), show: length,
	},
	{
		id: "fails", group: "Mail server", name: "Fails at first", technical: "fails.first", control: Stepper, steps: 9,
		path:  func(s *scenario.Scenario) string { return service(s, "fails.first") },
		value: strconv.Itoa, position: countFrom(0), show: number("call", "never"),
	},
}

// settings returns the settings of a scenario, with what they are in the
// original.
func settings(list []knob, now, original *scenario.Scenario) []Setting {
	var all []Setting
	for i := range list {
		k := &list[i]
		path := k.path(now)
		if path == "" {
			continue
		}
		written, ok := scenario.Get(now, path)
		if !ok {
			continue
		}
		s := Setting{
			ID: k.id, Group: k.group, Name: k.name, Technical: k.technical, Path: path,
			Control: k.control, Steps: k.steps, Position: k.at(written),
		}
		s.Value, s.Unit, s.Spoken = k.show(written)
		if was, ok := scenario.Get(original, path); ok && was != written {
			value, unit, _ := k.show(was)
			s.Was, s.WasAt = strings.TrimSpace(value+" "+unit), k.at(was)
		}
		all = append(all, s)
	}
	return all
}

// at returns the position nearest to a written value.
func (k *knob) at(written string) int { return max(0, min(k.position(written), k.steps)) }

// knobs returns the usual settings, and those besides that are unlocked by
// their paths.
func (p *Player) knobs() []knob {
	if p.unlocks == nil || !slices.ContainsFunc(p.unlocks.Unlock, func(u string) bool { return strings.Contains(u, ".") }) {
		return knobs
	}
	s := p.Scenario()
	all := knobs[:len(knobs):len(knobs)]
	for _, setting := range scenario.Paths(s) {
		usual := slices.ContainsFunc(knobs, func(k knob) bool { return k.path(s) == setting.Path })
		if !usual && slices.Contains(p.unlocks.Unlock, setting.Path) {
			if k, ok := plainKnob(setting); ok {
				all = append(all, k)
			}
		}
	}
	return all
}

// knobOf returns the knob of a setting, or nil.
func (p *Player) knobOf(id string) *knob {
	all := p.knobs()
	for i := range all {
		if all[i].id == id {
			return &all[i]
		}
	}
	return nil
}

// plainKnob makes a knob of a setting that has none of its own.
func plainKnob(s scenario.Setting) (knob, bool) {
	parts := strings.Split(s.Path, ".")
	last := parts[len(parts)-1]
	k := knob{
		id: strings.ReplaceAll(s.Path, ".", "-"), group: "More", name: strings.ReplaceAll(last, "_", " "), technical: s.Path,
		path: func(now *scenario.Scenario) string {
			if _, ok := scenario.Get(now, s.Path); !ok {
				return ""
			}
			return s.Path
		},
	}
	k.show = func(written string) (string, string, string) { return written, "", written }
	switch s.Kind {
	case scenario.KindDuration:
		k.control, k.steps, k.show = Slider, 50, length
		k.value, k.position = durationOf(100*event.Millisecond), durationIn(100*event.Millisecond)
	case scenario.KindProbability:
		k.control, k.steps, k.show = Slider, 20, percent
		k.value, k.position = func(p int) string { return strconv.Itoa(5*p) + "%" }, percentIn(5)
	case scenario.KindCount:
		least := int(max(s.Min, 0))
		k.steps = int(min(max(s.Max-s.Min, 1), 50))
		k.value, k.position = func(p int) string { return strconv.Itoa(p + least) }, countFrom(least)
	case scenario.KindChoice:
		k.steps = len(s.Options) - 1
		k.value = func(p int) string { return s.Options[p] }
		k.position = func(written string) int { return slices.Index(s.Options, written) }
	default:
		return knob{}, false
	}
	return k, true
}

func queue(s *scenario.Scenario, field string) string {
	if len(s.Queues) == 0 {
		return ""
	}
	return "queues." + s.Queues[0].Name + "." + field
}

func pool(s *scenario.Scenario, field string) string {
	if len(s.Workers) == 0 {
		return ""
	}
	return "workers." + s.Workers[0].Name + "." + field
}

func service(s *scenario.Scenario, field string) string {
	if len(s.Services) == 0 {
		return ""
	}
	return "services." + s.Services[0].Name + "." + field
}

func countFrom(least int) func(string) int {
	return func(written string) int {
		n, _ := strconv.Atoi(written)
		return n - least
	}
}

func percentIn(step int) func(string) int {
	return func(written string) int {
		n, _ := strconv.ParseFloat(strings.TrimSuffix(written, "%"), 64)
		return int(n+0.5) / step
	}
}

func durationOf(step event.Time) func(int) string {
	return func(p int) string { return scenario.FormatDuration(event.Time(p) * step) }
}

func durationIn(step event.Time) func(string) int {
	return func(written string) int {
		d, err := scenario.ParseDuration(written)
		if err != nil {
			return 0
		}
		return int((d + step/2) / step)
	}
}

// number shows a count; zero is the word for none, where there is one.
func number(one, none string) func(string) (string, string, string) {
	return func(written string) (string, string, string) {
		switch {
		case written == "0" && none != "":
			return none, "", none
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
	return n, "s", n + " seconds"
}

func timeout(written string) (value, unit, spoken string) {
	if value, unit, spoken = length(written); value == "0" {
		return "never", "", "never comes back by itself"
	}
	return value, unit, spoken
}
