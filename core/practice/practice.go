// Package practice draws questions without end. From a seed, a level and a
// number it makes a kitchen, asks for something that its run decides, and puts
// the right answer among those of mistaken ideas: each wrong choice is what
// the run would give if that idea were true. Every answer comes from running.
// The same draw is the same question everywhere.
//
// Start reading at Draw; kitchen.go makes scenarios, kinds.go has what is
// asked, choices.go the answers.
package practice

import (
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
)

// Levels is how many levels of difficulty there are, from 1.
const Levels = 8

// Place is which question it is: the same place is the same question.
type Place struct {
	Seed  uint64
	Level int // 1 to Levels
	N     int // from 1
}

// name is an id of its own for each place.
func (p Place) name() string { return fmt.Sprintf("practice-%d-%d-%d", p.Seed, p.Level, p.N) }

// Question is a drawn question.
type Question struct {
	Place
	Kind   string
	Lesson *lesson.Lesson // of one step: the facts, the stage and the question
}

// ScenarioID is the id of the scenario in the lesson of a draw.
const ScenarioID = "kitchen"

// Question is what is asked in it.
func (q *Question) Question() *lesson.Question {
	for _, b := range q.Lesson.Steps[0].Blocks {
		if b.Question != nil {
			return b.Question
		}
	}
	return nil
}

// mostDraws bounds how often a kind is drawn before another takes its place:
// not every draw has a question with a right answer and enough wrong ones.
const mostDraws = 40

// Draw draws a question. Levels beyond the bounds are taken for the nearest.
func Draw(at Place) (*Question, error) {
	at.Level = max(1, min(at.Level, Levels))
	at.N = max(1, at.N)
	d := &dice{from: chance.New(at.Seed), who: chance.Join(uint64(at.Level), uint64(at.N))}
	var fits []kind
	for _, k := range kinds {
		if k.from <= at.Level && at.Level <= k.to {
			fits = append(fits, k)
		}
	}
	for range mostDraws {
		k := fits[d.below(len(fits))]
		l, err := made(k, k.draw(d, at.Level), d, at.name())
		if err != nil {
			return nil, err
		}
		if l != nil {
			return &Question{Place: at, Kind: k.name, Lesson: l}, nil
		}
	}
	return nil, fmt.Errorf("seed %d gives no question %d at level %d: take another seed", at.Seed, at.N, at.Level)
}

// made makes the lesson of a draw, nil when it is no good question.
func made(k kind, a asked, d *dice, name string) (*lesson.Lesson, error) {
	r, err := a.kitchen.run()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", k.name, err)
	}
	if r == nil {
		return nil, nil
	}
	if at := event.Time(a.calm) * 1e6; at > 0 && r.Log.Find(at) != r.Log.Find(at-1) {
		return nil, nil
	}
	s := r.Scenario
	q := &lesson.Question{
		ID: name, Predict: true, Form: lesson.Choice, Scenario: ScenarioID,
		Ask: said(a.ask), Answer: a.answer, Unit: a.unit, Kept: true,
		Why: paragraph(a.why), See: moment(r, a.see),
	}
	if q.See == nil { // nothing decides: what is asked about does not happen
		return nil, nil
	}
	if q.Choices = a.choices(q, r, d); q.Choices == nil {
		return nil, nil
	}
	var facts []lesson.Node
	for _, fact := range a.kitchen.facts() {
		facts = append(facts, lesson.Node{Tag: "li", Kids: []lesson.Node{said(capital(fact))}})
	}
	s.Title = k.title
	return &lesson.Lesson{
		Format: lesson.Format, Slug: name, Title: k.title, Scenarios: []lesson.Scenario{{ID: ScenarioID, Scenario: s}},
		Steps: []lesson.Step{{Title: k.title, Blocks: []lesson.Block{
			{Prose: &lesson.Node{Tag: "div", Kids: []lesson.Node{{Tag: "ul", Kids: facts}}}},
			{Stage: &lesson.Stage{Scenario: ScenarioID, Unlock: []string{lesson.Unlocked}, Show: []string{"code", "transcript"}}},
			{Question: q},
		}}},
	}, nil
}

func paragraph(text string) *lesson.Node {
	return &lesson.Node{Tag: "div", Kids: []lesson.Node{{Tag: "p", Kids: []lesson.Node{said(text)}}}}
}

// said is a text with the apostrophes of print.
func said(text string) lesson.Node { return lesson.Node{Text: strings.ReplaceAll(text, "'", "’")} }

// moment reads a moment that happens in the run, nil when it does not.
func moment(r *run.Run, text string) *lesson.Moment {
	m, err := lesson.ParseMoment(text)
	if err != nil {
		return nil
	}
	if at, err := m.Find(r.Log); err != nil || at < 0 {
		return nil
	}
	return &m
}

// dice are the draws of one question, in their order.
type dice struct {
	from chance.Source
	who  uint64
	n    int
}

var purpose = chance.For("practice")

// below draws a number from 0 to n-1.
func (d *dice) below(n int) int {
	d.n++
	return int(d.from.Below(uint64(n), purpose, d.who, d.n))
}

// between draws a number from a to b.
func (d *dice) between(a, b int) int { return a + d.below(b-a+1) }

// of draws one of several.
func of[T any](d *dice, all ...T) T { return all[d.below(len(all))] }

// Learner is how far one is: the level goes up after two right answers in a
// row, and down after a wrong one.
type Learner struct {
	Level  int // of the next question
	Streak int // right answers in a row, since the level changed
	Right  int // of all
	Of     int // answers
}

// After is the learner after an answer.
func (l Learner) After(right bool) Learner {
	const enough = 2
	l.Of++
	if !right {
		l.Streak, l.Level = 0, max(1, l.Level-1)
		return l
	}
	l.Right++
	if l.Streak++; l.Streak >= enough {
		l.Streak, l.Level = 0, min(Levels, l.Level+1)
	}
	return l
}
