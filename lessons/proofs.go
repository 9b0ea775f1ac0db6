package lessons

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Proofs find what only running the scenarios of a lesson can show.
var Proofs = []Rule{
	{"expectations hold", expectations},
	{"stops and moments are found", moments},
	{"figures can be computed", computed},
	{"every question has its right answer", answers},
	{"numbers in the prose are those of the run", numbers},
	{"challenges fail as they are and are solved by their solution", challenges},
}

// Prove reads the lesson of a folder, proves it, and looks at how it lies among
// the lessons of its shelf. The error is a *Faults when it is the lesson that
// is wrong.
func (s *Shelf) Prove(slug string) error {
	file := filepath.Join(s.Folder, slug, File)
	source, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	d, problems := read(source, slug)
	d.shelf = s
	shown := len(problems) == 0
	if problems = append(problems, d.judge(problems)...); len(problems) > 0 {
		return &Faults{File: file, Problems: inOrder(problems), Unproven: shown}
	}
	return nil
}

// judge finds what is not as it should be in a lesson with those problems, as
// far as they leave anything to judge.
func (d *draft) judge(problems scenario.Problems) scenario.Problems {
	if !d.begun {
		return nil
	}
	return append(append(d.find(Ties), d.find(House)...), d.prove(problems)...)
}

// prove runs the scenarios and looks at what came of it.
func (d *draft) prove(problems scenario.Problems) (found scenario.Problems) {
	sound := d.sound(problems)
	sound.runs = runs{}
	for _, m := range sound.mentions {
		if m.scenario == nil {
			continue
		}
		r, err := run.Do(m.scenario.Scenario)
		if err != nil {
			found = append(found, m.problem(oneLine(err)))
			continue
		}
		sound.runs[m.scenario.ID] = r
	}
	return append(found, sound.find(Proofs)...)
}

// runs are those of the scenarios, by id; of one with mistakes there is none.
type runs map[string]*run.Run

func itoa(n int) string { return strconv.Itoa(n) }

func expectations(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.scenario == nil || d.runs[m.scenario.ID] == nil {
			continue
		}
		for _, f := range d.runs[m.scenario.ID].Outcome.Holds() {
			problems = append(problems, place{f.Expectation.Line, f.Expectation.Column}.problem(
				f.Expectation.Text+" does not hold: "+f.Got))
		}
	}
	return problems
}

func moments(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.moment == nil || d.runs[m.in] == nil {
			continue
		}
		if _, err := m.moment.Find(d.runs[m.in].Log); err != nil {
			problems = append(problems, m.problem(err.Error()))
		}
	}
	return problems
}

func computed(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.figure == nil || d.runs[m.figure.Scenario] == nil {
			continue
		}
		if _, err := m.figure.Text(d.runs[m.figure.Scenario].Outcome); err != nil {
			problems = append(problems, m.problem(err.Error()))
		}
	}
	return problems
}

func answers(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		q := m.question
		if q == nil || q.Scenario != "" && d.runs[q.Scenario] == nil {
			continue
		}
		right, err := q.Of(d.runs[q.Scenario])
		if err != nil {
			problems = append(problems, m.field("answer").problem(err.Error()))
			continue
		}
		for i := range q.Choices {
			if !q.Predict && len(right.Right) > i && !right.Right[i] && q.Choices[i].Because == nil {
				problems = append(problems, m.choice(i).problem(fmt.Sprintf("choice %d is wrong and does not say so: write because: and what whoever chose it has not seen", i+1)))
			}
		}
	}
	return problems
}

func challenges(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		c := m.challenge
		if c == nil || d.runs[c.Scenario] == nil {
			continue
		}
		start := d.lesson.ScenarioOf(c.Scenario)
		if t, err := tried(c, start); err != nil {
			problems = append(problems, m.problem(err.Error()))
		} else if f := t.Failed(); f == nil {
			problems = append(problems, m.field("goal").problem("the challenge is solved before anybody has changed anything: choose a goal that its start fails"))
		} else if d.reached(c) {
			problems = append(problems, m.field("goal").problem(fmt.Sprintf("as it is found, with seed %d, the goal holds already: give the scenario a seed with which it does not, such as seed: %d", start.Seed, f.Seed)))
		}
		if len(c.Solution) == 0 {
			problems = append(problems, m.problem("the challenge has no solution: write one, to show that there is one"))
			continue
		}
		solved, err := c.Solved(start)
		if err != nil {
			problems = append(problems, m.problem(oneLine(err)))
			continue
		}
		if t, err := tried(c, solved); err != nil {
			problems = append(problems, m.problem(err.Error()))
		} else if f := t.Failed(); f != nil {
			problems = append(problems, m.field("solution").problem(fmt.Sprintf("the solution does not reach the goal with seed %d: %s", f.Seed, f.Got)))
		}
	}
	return problems
}

// reached reports whether the scenario of a challenge reaches its goal as a
// reader finds it.
func (d *draft) reached(c *lesson.Challenge) bool {
	v, err := d.runs[c.Scenario].Outcome.Eval(c.Goal)
	return err == nil && v == starlark.True
}

func tried(c *lesson.Challenge, s *scenario.Scenario) (*lesson.Trial, error) {
	t, err := c.Try(s)
	if err != nil {
		return nil, err
	}
	return t, t.Finish()
}
