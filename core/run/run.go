// Package run takes a scenario all the way: it checks what only a compiler can
// check, simulates it, indexes the log and measures the outcome. It is what
// the terminal, the page and other programs call.
//
// Start reading at Do; a page that must not be held up for long runs uses
// Start and Step instead.
package run

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
)

// Run is a finished run and everything that is derived from its log.
type Run struct {
	Scenario *scenario.Scenario
	Log      *event.Log
	Index    *replay.Index
	Outcome  *outcome.Outcome

	hash string // "" until it is asked for
}

// Hash returns the hash of the run's log. It goes through the whole log the
// first time, and must not be called from two goroutines at once.
func (r *Run) Hash() string {
	if r.hash == "" {
		r.hash = r.Log.Hash()
	}
	return r.hash
}

// Do checks a scenario and runs it to its end. An error is a
// scenario.Problems: what is wrong with the scenario, and where. The scenario
// must not change while the Run is used.
func Do(s *scenario.Scenario, options ...sim.Option) (*Run, error) {
	r, err := Start(s, options...)
	if err != nil {
		return nil, err
	}
	return r.Finish(), nil
}

// Running is a run under way.
type Running struct {
	scenario *scenario.Scenario
	sim      *sim.Sim
}

// Start checks a scenario and begins its run at 0 s.
func Start(s *scenario.Scenario, options ...sim.Option) (*Running, error) {
	if problems := Check(s); len(problems) > 0 {
		return nil, problems
	}
	simulation, err := sim.New(s, options...)
	if err != nil {
		return nil, err
	}
	return &Running{scenario: s, sim: simulation}, nil
}

// Step does up to n things that are due and reports whether there is more to
// come. A thing that is due takes microseconds and writes a few events.
func (r *Running) Step(n int) bool { return r.sim.Step(n) }

// Log returns what has happened so far. It grows with each Step.
func (r *Running) Log() *event.Log { return r.sim.Log() }

// Stop gives up a run that nobody wants any more.
func (r *Running) Stop() { r.sim.Close() }

// Finish goes on to the end of the run.
func (r *Running) Finish() *Run {
	const atOnce = 1 << 16
	for r.sim.Step(atOnce) {
	}
	r.sim.Close()
	log := r.sim.Log()
	return &Run{Scenario: r.scenario, Log: log, Index: replay.New(log), Outcome: outcome.Of(r.scenario, log)}
}

// Check returns what is wrong with a decoded scenario that its form does not
// show: handlers that do not compile, expectations that are not expressions
// over the outcome. Places are those of the file that the scenario came from.
// Given to Decode, it is asked of faulty scenarios too: all is found at once.
func Check(s *scenario.Scenario) scenario.Problems {
	names := sim.Names(s)
	var problems scenario.Problems
	for i := range s.Workers {
		pool := &s.Workers[i]
		if pool.Handler == "" {
			continue // not given: that is said already
		}
		for _, p := range handler.Check(pool.Handler, names) {
			problems = append(problems, inHandler(pool, p))
		}
	}
	for i := range s.Timeline {
		problems = append(problems, checkEntry(&s.Timeline[i], names)...)
	}
	for _, e := range s.Expect {
		if err := outcome.CheckFor(s, e.Text); err != nil {
			problems = append(problems, inExpectation(e, err))
		}
	}
	return problems
}

// inHandler gives a fault in a handler its place in the file, where the
// handler's text starts at a line and column of its own.
func inHandler(pool *scenario.Pool, p handler.Problem) scenario.Problem {
	out := scenario.Problem{Path: "workers." + pool.Name + ".handler", HandlerLine: p.Line, Text: p.Text}
	if pool.HandlerLine > 0 {
		out.Line = pool.HandlerLine + p.Line - 1
		out.Column = max(pool.HandlerColumn, 1) + p.Column - 1
	}
	return out
}

// checkEntry compiles a handler that the timeline puts in place.
func checkEntry(e *scenario.Entry, names handler.Names) (problems scenario.Problems) {
	text, ok := e.To.(string)
	if !ok || !strings.HasPrefix(e.Set, "workers.") || !strings.HasSuffix(e.Set, ".handler") {
		return nil
	}
	for _, p := range handler.Check(text, names) {
		problems = append(problems, scenario.Problem{Path: e.Set, Line: e.Line, Column: e.Column, HandlerLine: p.Line, Text: p.Text})
	}
	return problems
}

func inExpectation(e scenario.Expectation, err error) scenario.Problem {
	p := scenario.Problem{Path: "expect", Line: e.Line, Column: e.Column, Text: e.Text + ": " + err.Error()}
	if fault, ok := err.(*outcome.Error); ok && fault.Column > 0 && e.Column > 0 {
		p.Column += fault.Column - 1
	}
	return p
}
