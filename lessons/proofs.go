package lessons

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

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
	problems = append(problems, d.find(Ties)...)
	if len(problems) == 0 {
		problems = d.prove()
	}
	if len(problems) > 0 {
		return &Faults{File: file, Problems: inOrder(problems)}
	}
	return nil
}

func (d *draft) prove() scenario.Problems {
	d.runs = runs{}
	for _, s := range d.lesson.Scenarios {
		r, err := run.Do(s.Scenario)
		if err != nil {
			return scenario.Problems{{Line: 1, Column: 1, Text: fmt.Sprintf("scenario %s: %s", s.ID, err)}}
		}
		d.runs[s.ID] = r
	}
	return d.find(Proofs)
}

// runs are those of the scenarios, by id.
type runs map[string]*run.Run

func itoa(n int) string { return strconv.Itoa(n) }

func expectations(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.scenario == nil {
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
		find := func(moment *lesson.Moment, id string) {
			r := d.runs[id]
			if moment == nil || r == nil {
				return
			}
			if _, err := moment.Find(r.Log); err != nil {
				problems = append(problems, m.problem(err.Error()))
			}
		}
		switch {
		case m.stage != nil:
			for i := range m.stage.Stops {
				find(&m.stage.Stops[i].Moment, m.stage.Scenario)
			}
		case m.question != nil:
			find(m.question.See, m.question.Scenario)
			for i := range m.question.Choices {
				find(m.question.Choices[i].See, m.question.Scenario)
			}
		}
	}
	return problems
}

func computed(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.figure == nil {
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
		if m.question == nil {
			continue
		}
		if _, err := m.question.Of(d.runs[m.question.Scenario]); err != nil {
			problems = append(problems, m.problem(err.Error()))
		}
	}
	return problems
}

func challenges(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		c := m.challenge
		if c == nil {
			continue
		}
		start := d.lesson.ScenarioOf(c.Scenario)
		if t, err := tried(c, start); err != nil {
			problems = append(problems, m.problem(err.Error()))
		} else if t.Holds() {
			problems = append(problems, m.problem("the challenge is solved before anybody has changed anything: choose a goal that its start fails"))
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
			problems = append(problems, m.problem(fmt.Sprintf("the solution does not reach the goal with seed %d: %s", f.Seed, f.Got)))
		}
	}
	return problems
}

func tried(c *lesson.Challenge, s *scenario.Scenario) (*lesson.Trial, error) {
	t, err := c.Try(s)
	if err != nil {
		return nil, err
	}
	return t, t.Finish()
}
