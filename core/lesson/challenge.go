package lesson

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sweep"
)

// Challenge is a scenario that fails a goal, for the reader to change until it
// reaches it with every seed.
type Challenge struct {
	ID       string   `json:"id"`
	Scenario string   `json:"scenario"`
	Task     *Node    `json:"task,omitempty"` // the goal in words
	Goal     string   `json:"goal"`           // an expression over the outcome
	Unlock   []string `json:"unlock"`
	Seeds    string   `json:"seeds"` // 1..20
	Hints    []Node   `json:"hints,omitempty"`
	Solution []Change `json:"solution,omitempty"`
	Why      *Node    `json:"why,omitempty"` // said when it is solved
}

// Change sets one setting of a scenario.
type Change struct {
	Path  string `json:"path"`
	Value string `json:"value"`
}

// MaxSeeds bounds the seeds of a challenge.
const MaxSeeds = 200

// Check reports the first thing that is wrong with a challenge before any run.
func (c *Challenge) Check(l *Lesson) error {
	if err := l.CheckScenario(c.Scenario); err != nil {
		return err
	}
	s := l.ScenarioOf(c.Scenario)
	seeds, err := sweep.ParseRange(c.Seeds)
	switch {
	case err != nil:
		return err
	case seeds.Len() > MaxSeeds:
		return fmt.Errorf("%s are %d seeds, at most %d are checked: write 1..20", c.Seeds, seeds.Len(), MaxSeeds)
	case c.Goal == "":
		return fmt.Errorf("the goal is missing: write an expression such as lost == 0")
	case len(c.Unlock) == 0:
		return fmt.Errorf("nothing is unlocked: name what may be changed, such as unlock: handler")
	}
	if err := outcome.CheckFor(s, c.Goal); err != nil {
		return within(err, "the goal")
	}
	if _, err := c.Solved(s); err != nil {
		return within(err, "the solution")
	}
	return nil
}

// Solved returns the scenario with the solution in it.
func (c *Challenge) Solved(s *scenario.Scenario) (*scenario.Scenario, error) {
	solved := s.Clone()
	stage := Stage{Unlock: c.Unlock}
	for _, change := range c.Solution {
		if !stage.Unlocks(change.Path) {
			return nil, fmt.Errorf("it sets %s, which is not unlocked: unlock it, or solve it without", change.Path)
		}
		if problems := scenario.Set(solved, change.Path, change.Value); len(problems) > 0 {
			return nil, problems
		}
	}
	return solved, run.Check(solved).Err()
}

// Attempt returns the challenge's scenario with what is unlocked as the reader
// has it, and whether that is all that the reader has changed.
func (c *Challenge) Attempt(original, now *scenario.Scenario) (attempt *scenario.Scenario, whole bool) {
	attempt = original.Clone()
	stage := Stage{Unlock: c.Unlock}
	for _, setting := range scenario.Paths(now) {
		is, _ := scenario.Get(now, setting.Path)
		if was, ok := scenario.Get(attempt, setting.Path); ok && is != was && stage.Unlocks(setting.Path) {
			scenario.Set(attempt, setting.Path, is)
		}
	}
	mine, theirs := attempt.Clone(), now.Clone()
	mine.Seed, theirs.Seed = 0, 0 // every seed is tried
	return attempt, bytes.Equal(mine.EncodeJSON(), theirs.EncodeJSON())
}

// Trial holds a scenario against the goal, seed after seed.
type Trial struct {
	goal     string
	scenario *scenario.Scenario
	seeds    []uint64
	running  *run.Running
	Results  []Result // of the seeds that are done, in their order
}

// Result is what came of one seed.
type Result struct {
	Seed    uint64
	Reached bool
	Got     string // what is there instead: lost is 1
}

// Try begins a trial. The scenario must not change while it lasts.
func (c *Challenge) Try(s *scenario.Scenario) (*Trial, error) {
	seeds, err := sweep.ParseRange(c.Seeds)
	if err != nil {
		return nil, err
	}
	t := &Trial{goal: c.Goal, scenario: s}
	for n := seeds.From; n <= seeds.To && len(t.seeds) < MaxSeeds; n++ {
		t.seeds = append(t.seeds, n)
	}
	return t, nil
}

// Of returns how many seeds there are.
func (t *Trial) Of() int { return len(t.seeds) }

// Done reports whether all seeds are done.
func (t *Trial) Done() bool { return len(t.Results) == len(t.seeds) }

// Step does up to n things of the run that is under way and reports whether
// there is more to do.
func (t *Trial) Step(n int) (more bool, err error) {
	if t.Done() {
		return false, nil
	}
	if t.running == nil {
		s := t.scenario.Clone()
		s.Seed = t.seeds[len(t.Results)]
		s.Expect = []scenario.Expectation{{Text: t.goal}}
		if t.running, err = run.Start(s); err != nil {
			return false, err
		}
	}
	if t.running.Step(n) {
		return true, nil
	}
	r := Result{Seed: t.seeds[len(t.Results)], Reached: true}
	for _, failure := range t.running.Finish().Outcome.Holds() {
		r.Reached, r.Got = false, failure.Got
	}
	t.Results, t.running = append(t.Results, r), nil
	return !t.Done(), nil
}

// Finish does all that is left.
func (t *Trial) Finish() error {
	const atOnce = 1 << 16
	for {
		if more, err := t.Step(atOnce); !more || err != nil {
			return err
		}
	}
}

// Stop gives a trial up.
func (t *Trial) Stop() {
	if t.running != nil {
		t.running.Stop()
		t.running = nil
	}
}

// Reached returns how many of the seeds that are done reach the goal.
func (t *Trial) Reached() int {
	n := 0
	for _, r := range t.Results {
		if r.Reached {
			n++
		}
	}
	return n
}

// Holds reports whether all seeds are done and reach the goal.
func (t *Trial) Holds() bool { return t.Done() && t.Reached() == len(t.seeds) }

// Failed returns the first seed that does not reach the goal, or nil.
func (t *Trial) Failed() *Result {
	i := slices.IndexFunc(t.Results, func(r Result) bool { return !r.Reached })
	if i < 0 {
		return nil
	}
	return &t.Results[i]
}
