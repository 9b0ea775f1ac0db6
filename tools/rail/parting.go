package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/story"
)

// difference is what there is to say about two runs.
type difference struct {
	A        string   `json:"a"`
	B        string   `json:"b"`
	Settings []pair   `json:"settings"`
	Outcome  []pair   `json:"outcome"`  // what differs
	BrokenA  []string `json:"a_broken"` // expectations that do not hold
	BrokenB  []string `json:"b_broken"`
	Part     *parting `json:"part"` // nil when the runs are the same, event by event

	measures []pair // of both, the same ones too
}

// parting is where two runs part: the first event that differs, and the first
// sentences that do, where those come later.
type parting struct {
	At     json.RawMessage `json:"at"`
	A      json.RawMessage `json:"a_event"`
	B      json.RawMessage `json:"b_event"`
	TextA  string          `json:"a_text"`
	TextB  string          `json:"b_text"`
	Inside string          `json:"inside"` // what differs, when both are told in one sentence
	Why    string          `json:"why"`
	Before string          `json:"before"`
	Seen   *seen           `json:"seen"`
}

// seen is what one sees of a difference that itself is not told.
type seen struct {
	At    json.RawMessage `json:"at"`
	TextA string          `json:"a_text"`
	TextB string          `json:"b_text"`
}

func compare(a, b *side) (*difference, error) {
	d := &difference{A: a.name, B: b.name, BrokenA: broken(a.run.Outcome), BrokenB: broken(b.run.Outcome), Outcome: []pair{}, Settings: []pair{}}
	settings, err := settingPairs(a.run.Scenario, b.run.Scenario)
	if err != nil {
		return nil, err
	}
	d.Settings = append(d.Settings, settings...)
	if d.measures, err = measurePairs(a.run.Outcome, b.run.Outcome); err != nil {
		return nil, err
	}
	for _, p := range d.measures {
		if !p.Same {
			d.Outcome = append(d.Outcome, p)
		}
	}
	if first := story.FirstDifference(a.told, b.told); !first.Same {
		if d.Part, err = partingAt(a, b, first, d.Settings); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func broken(o *outcome.Outcome) []string {
	texts := []string{}
	for _, f := range o.Holds() {
		texts = append(texts, f.Expectation.Text+"; "+f.Got)
	}
	return texts
}

// measurePairs leaves out what is no measure: what run it is, and how its log
// is kept.
func measurePairs(a, b *outcome.Outcome) ([]pair, error) {
	var both [2][]leaf
	for i, o := range []*outcome.Outcome{a, b} {
		data, err := o.MarshalJSON()
		if err != nil {
			return nil, err
		}
		if both[i], err = leaves(data); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(pairs(both[0], both[1]), func(p pair) bool {
		return slices.Contains([]string{"title", "seed", "events", "log_hash"}, p.Path)
	}), nil
}

func partingAt(a, b *side, first story.Difference, settings []pair) (*parting, error) {
	i, j := first.A, first.B
	at := a.run.Log.Last().At
	p := &parting{A: json.RawMessage("null"), B: json.RawMessage("null")}
	var fields [2][]leaf
	for k, s := range []struct {
		*side
		i    int
		raw  *json.RawMessage
		text *string
	}{{a, i, &p.A, &p.TextA}, {b, j, &p.B, &p.TextB}} {
		log := s.run.Log
		if s.i >= log.Len() {
			*s.text = "nothing more"
			continue
		}
		*s.raw = log.AppendJSON(nil, s.i)
		*s.text = s.told.Sentence(s.i).String()
		if t := log.Event(s.i).At; t < at || k == 0 {
			at = t
		}
		var err error
		if fields[k], err = leaves(*s.raw); err != nil {
			return nil, err
		}
	}
	p.At = secondsJSON(at)
	p.Inside = first.Inside
	p.Before = before(a, i)
	p.Why = because(fields, settings)
	if p.TextA == p.TextB || !told(a, i) && !told(b, j) {
		p.Seen = firstSeen(a, b)
	}
	return p, nil
}

func told(s *side, i int) bool { return i < s.run.Log.Len() && s.told.Told(i) }

// of returns the value of a field, "" without one.
func of(fields []leaf, path string) string {
	for _, l := range fields {
		if l.path == path {
			return l.text
		}
	}
	return ""
}

// before is the last sentence that both runs tell of the message that is
// concerned.
func before(s *side, i int) string {
	log := s.run.Log
	if i >= log.Len() || log.Event(i).Message == event.NoMessage {
		return ""
	}
	message := log.Event(i).Message
	for k := i - 1; k >= 0; k-- {
		if log.Event(k).Message == message && s.told.Told(k) {
			sentence := s.told.Sentence(k)
			return "at " + secondsText(sentence.At) + " s: " + sentence.String()
		}
	}
	return ""
}

// because names the settings that differ and concern what the two events are
// about. Chance comes by name, never in sequence, so that nothing else can be
// the cause.
func because(events [2][]leaf, settings []pair) string {
	causes := slices.DeleteFunc(slices.Clone(settings), func(p pair) bool {
		return p.Path == "title" || strings.HasPrefix(p.Path, "expect")
	})
	near := slices.DeleteFunc(slices.Clone(causes), func(p pair) bool { return !concerns(p.Path, events) })
	if len(near) > 0 {
		causes = near
	}
	if len(causes) == 0 {
		return "nothing that matters to a run differs in the scenarios"
	}
	if len(causes) == 1 && causes[0].Path == "seed" {
		return "only the seeds differ: chance drew differently"
	}
	const most = 3
	var texts []string
	for _, p := range causes[:min(most, len(causes))] {
		texts = append(texts, p.sentence())
	}
	if len(causes) > most {
		texts = append(texts, fmt.Sprintf("and %d more settings differ", len(causes)-most))
	}
	return strings.Join(texts, "; ")
}

// sentence says of a setting what it is on both sides.
func (p pair) sentence() string {
	if strings.HasSuffix(p.Path, ".handler") {
		return p.Path + " differs"
	}
	return fmt.Sprintf("%s is %s in A and %s in B", p.Path, orNone(p.A), orNone(p.B))
}

func orNone(text string) string {
	if text == "" {
		return "not there"
	}
	return brief(text)
}

// brief is the first line of a value, and no more of it than a column takes.
func brief(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if runes := []rune(line); len(runes) > 40 {
		line, more = string(runes[:40]), true
	}
	if more {
		line += "…"
	}
	return visible(line)
}

// concerns reports whether a setting is one of a queue, pool, producer or
// target that one of the events names, or of the timeline whose entry it is.
func concerns(path string, events [2][]leaf) bool {
	for _, fields := range events {
		for field, section := range map[string]string{"queue": "queues.", "to": "queues.", "producer": "producers."} {
			if name := of(fields, field); name != "" && strings.HasPrefix(path, section+name+".") {
				return true
			}
		}
		if pool, _, ok := strings.Cut(of(fields, "worker"), "/"); ok && strings.HasPrefix(path, "workers."+pool+".") {
			return true
		}
		if name := of(fields, "target"); name != "" && (strings.HasPrefix(path, "services."+name+".") || strings.HasPrefix(path, "tables."+name+".")) {
			return true
		}
		if of(fields, "event") == "command" && strings.HasPrefix(path, "timeline[") {
			return true
		}
	}
	return false
}

// firstSeen finds the first sentences in which the two stories differ.
func firstSeen(a, b *side) *seen {
	first, second := sentences(a.run, a.told), sentences(b.run, b.told)
	for i := 0; i < len(first) || i < len(second); i++ {
		if i < len(first) && i < len(second) && first[i].At == second[i].At && first[i].String() == second[i].String() {
			continue
		}
		at := event.Never
		for _, list := range [][]story.Sentence{first, second} {
			if i < len(list) && (at == event.Never || list[i].At < at) {
				at = list[i].At
			}
		}
		return &seen{secondsJSON(at), sentenceAt(first, i, at), sentenceAt(second, i, at)}
	}
	return nil
}

// sentenceAt tells sentence i, and when it comes if that is later than at.
func sentenceAt(told []story.Sentence, i int, at event.Time) string {
	if i >= len(told) {
		return "nothing more"
	}
	if told[i].At > at {
		return "at " + secondsText(told[i].At) + " s: " + told[i].String()
	}
	return told[i].String()
}
