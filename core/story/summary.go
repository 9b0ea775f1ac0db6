package story

import (
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
)

// Summary says in one or two sentences what came of a run, such as "6 orders,
// 6 emails, nothing lost, in 1.2 s." o is the run's outcome.
func (s *Story) Summary(o *outcome.Outcome) Sentence {
	items := []string{s.things(o.Sent)}
	items = append(items, s.deeds(o)...)
	items = append(items, s.troubles(o)...)
	p := phrase{s: s}
	p.plain(capital(strings.Join(items, ", ")) + ", in " + took(o.EndedAt) + ".")
	if left := s.leftovers(o); left != "" {
		p.add(left)
	}
	last := s.log.Len() - 1
	return Sentence{At: o.EndedAt, Event: last, Kind: event.Ended, Parts: p.parts, Shown: true}
}

// took says how long a run was.
func took(t event.Time) string {
	if t == 0 {
		return "no time"
	}
	return Length(t)
}

// things counts messages by what their queue is called, where that is a plain
// plural: 6 orders.
func (s *Story) things(n int) string {
	if len(s.scenario.Queues) == 1 && len(s.scenario.Topics) == 0 {
		if name := s.scenario.Queues[0].Name; isPlural(name) {
			return Count(n, strings.TrimSuffix(name, "s"), name)
		}
	}
	return Count(n, s.words.Thing, s.words.Things)
}

// isPlural reports whether a name reads as a plural that loses only its s.
func isPlural(name string) bool {
	for _, r := range name {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	if len(name) < 4 || !strings.HasSuffix(name, "s") {
		return false
	}
	for _, end := range [...]string{"ss", "us", "is", "ies", "xes", "ches", "shes"} {
		if strings.HasSuffix(name, end) {
			return false
		}
	}
	return true
}

// deeds counts the side effects of each service, at most three.
func (s *Story) deeds(o *outcome.Outcome) []string {
	var list []string
	for i := range o.Targets {
		t := &o.Targets[i]
		n := t.Effects
		switch {
		case !t.Effect || len(list) == 3:
		case t.Table && t.Amount != 0:
			list = append(list, t.Name+" at "+strconv.FormatInt(t.Amount, 10))
		case t.Table:
			list = append(list, Count(n, "write to "+t.Name, "writes to "+t.Name))
		default:
			d := deedOf(t.Name)
			if n == 0 && d.verb == "" {
				d.many = "successful " + d.many
			}
			list = append(list, Count(n, d.one, d.many))
		}
	}
	return list
}

// troubles says what went wrong, or that nothing did.
func (s *Story) troubles(o *outcome.Outcome) []string {
	var list []string
	if o.Duplicates > 0 {
		list = append(list, Count(o.Duplicates, "repeat", "repeats"))
	}
	if o.Refused > 0 {
		list = append(list, strconv.Itoa(o.Refused)+" turned away")
	}
	if o.Dead > 0 {
		list = append(list, Count(o.Dead, "dead letter", "dead letters"))
	}
	if o.Lost == 0 {
		return append(list, "nothing lost")
	}
	return append(list, strconv.Itoa(o.Lost)+" lost")
}

// leftovers says what was still in the queues at the end.
func (s *Story) leftovers(o *outcome.Outcome) string {
	var list []string
	if o.Waiting > 0 {
		list = append(list, strconv.Itoa(o.Waiting)+" still waiting")
	}
	if o.Delayed > 0 {
		list = append(list, strconv.Itoa(o.Delayed)+" still to come back")
	}
	if o.InFlight > 0 {
		list = append(list, strconv.Itoa(o.InFlight)+" still in flight")
	}
	if len(list) == 0 {
		return ""
	}
	return "At the end " + join(list) + "."
}

// join lists items as one says them: a, b and c.
func join(items []string) string {
	n := len(items)
	if n < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:n-1], ", ") + " and " + items[n-1]
}
