// Package crashpoint asks of a handler: what if the worker died here? It runs
// the scenario once for each line that the handler runs for one message, kills
// the worker right after that line in the message's first hand-out, and says
// what came of it. Start reading at Points; a page that must not be held up
// uses Start and Step instead.
package crashpoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Table has a Point for each line that the handler of a pool runs for a
// message.
type Table struct {
	Pool    string
	Message event.ID
	Handler []string   // its lines
	Whole   *run.Run   // without a crash
	Points  []Point    // in the order in which the lines run
	Until   event.Time // where a bound ended the runs; 0: nowhere
}

// Point is a crash right after one line.
type Point struct {
	Line     int    // of the handler, from 1
	Text     string // of the line
	Result   Result
	Scenario *scenario.Scenario // with the crash in it, to be played
	Run      *run.Run
}

// Result is what a crash did to the work.
type Result uint8

// The results: what came of the message whose worker died, and of any other
// that fared worse than without the crash.
const (
	Right Result = iota // done once, or still to come; nothing else is worse
	Lost
	Twice
	LostAndTwice
	Dead // it ended in the dead letters
	Over // nothing of the run was left to crash: the line returns from it
)

// String returns the result as one reads it.
func (r Result) String() string {
	return [...]string{"right", "lost", "done twice", "lost and done twice", "dead letter", "over"}[r]
}

// ErrNeverRuns is returned when no message reaches the pool's handler.
var ErrNeverRuns = errors.New("no message reaches this handler, so it has no line to crash at")

// Points finds out what a crash after each line does that the handler of the
// pool runs for a message, named by its id; for "" it is the first that the
// pool works on. The pool's own crashes are left out.
func Points(s *scenario.Scenario, pool, message string) (*Table, error) {
	f, err := Start(s, pool, message, 0)
	if err != nil {
		return nil, err
	}
	const atOnce = 1 << 16
	for {
		if more, err := f.Step(atOnce); err != nil || !more {
			return f.table, err
		}
	}
}

// Finding is a table that is being made, a run after the other.
type Finding struct {
	pool      int
	message   string
	most      int64
	base      *scenario.Scenario
	running   *run.Running
	table     *Table
	functions []function
	lines     []int // that are run, in order
}

// Start begins what Points does, for callers that must not be held up. A most
// above 0 bounds the runs: of a run of more events, only the time is looked at
// that those take, and the table says so.
func Start(s *scenario.Scenario, pool, message string, most int64) (*Finding, error) {
	at, base, err := quiet(s, pool)
	if err != nil {
		return nil, err
	}
	f := &Finding{pool: at, message: message, most: most, base: base}
	f.table = &Table{Pool: pool, Handler: strings.Split(strings.TrimRight(base.Workers[at].Handler, "\n"), "\n")}
	if most > 0 {
		f.base.Limits.Events = min(most, f.base.Limits.Events)
	}
	f.running, err = run.Start(f.base)
	return f, err
}

// Done returns how many of the lines have been tried, of how many; 0 of 0
// before they are known.
func (f *Finding) Done() (lines, of int) {
	lines = len(f.table.Points)
	if lines > 0 && f.table.Points[lines-1].Run == nil {
		lines-- // it is under way
	}
	return lines, len(f.lines)
}

// Over reports whether nothing is left to find.
func (f *Finding) Over() bool { return f.running == nil }

// Table returns what has been found so far.
func (f *Finding) Table() *Table { return f.table }

// Step does up to n things of the run that is under way, and reports whether
// there is more to come.
func (f *Finding) Step(n int) (more bool, err error) {
	if f.running == nil {
		return false, nil
	}
	if f.running.Step(n) {
		return true, nil
	}
	finished := f.running.Finish()
	f.running = nil
	if f.table.Whole == nil {
		err = f.whole(finished)
	} else {
		f.judged(finished)
	}
	if err == nil && f.running == nil {
		err = f.next()
	}
	return err == nil && f.running != nil, err
}

// Stop gives up what nobody wants any more.
func (f *Finding) Stop() {
	if f.running != nil {
		f.running.Stop()
		f.running = nil
	}
}

// whole takes the run without a crash; one that met the bound is made again, up
// to just before the instant at which it did.
func (f *Finding) whole(finished *run.Run) (err error) {
	if f.most > 0 && f.table.Until == 0 && finished.Outcome.EndedBecause == "limit" && int64(finished.Log.Len()) >= f.most {
		f.table.Until = finished.Log.Last().At - 1
		f.base.Until = f.table.Until
		f.base.Limits.Events = 2 * f.most // a crash makes more to do
		f.running, err = run.Start(f.base)
		return err
	}
	f.table.Whole = finished
	f.table.Message, f.lines, err = firstRun(finished.Log, f.pool, f.message)
	f.functions = functionsOf(f.base.Workers[f.pool].Handler)
	return err
}

// next begins the run of the next line.
func (f *Finding) next() (err error) {
	i := len(f.table.Points)
	if i == len(f.lines) {
		return nil
	}
	line := f.lines[i]
	p := Point{Line: line, Text: strings.TrimSpace(f.table.Handler[line-1])}
	p.Scenario = withCrash(f.base, f.pool, f.table.Message, follower(f.functions, f.lines[i:]))
	if f.running, err = run.Start(p.Scenario); err != nil {
		return fmt.Errorf("after line %d: %w", line, err)
	}
	f.table.Points = append(f.table.Points, p)
	return nil
}

// judged takes the run of the last point.
func (f *Finding) judged(finished *run.Run) {
	p := &f.table.Points[len(f.table.Points)-1]
	p.Run = finished
	p.Result = judge(f.table.Whole, finished, f.table.Message)
}

// At returns the point of a line, or nil when the handler does not run it.
func (t *Table) At(line int) *Point {
	for i := range t.Points {
		if t.Points[i].Line == line {
			return &t.Points[i]
		}
	}
	return nil
}

// quiet returns the scenario without the pool's own crashes.
func quiet(s *scenario.Scenario, pool string) (int, *scenario.Scenario, error) {
	for i := range s.Workers {
		if s.Workers[i].Name == pool {
			base := s.Clone()
			base.Workers[i].Crash = scenario.Crash{}
			base.Expect = nil
			return i, base, nil
		}
	}
	var names []string
	for i := range s.Workers {
		names = append(names, s.Workers[i].Name)
	}
	return 0, nil, fmt.Errorf("there is no pool %q; the pools are: %s", pool, strings.Join(names, ", "))
}

// firstRun returns the message, and the lines of the first run of the pool's
// handler for it, in order and each once.
func firstRun(log *event.Log, pool int, wanted string) (id event.ID, lines []int, err error) {
	var others []string
	worker := event.NoWorker
	for i := range log.Len() {
		e := log.Event(i)
		switch {
		case worker == event.NoWorker && e.Kind == event.HandlerStarted && log.Workers[e.Worker].Pool == pool:
			id = log.MessageID(e.Message)
			if wanted == "" || id.String() == wanted {
				worker = e.Worker
				continue
			}
			others = append(others, id.String())
		case worker == event.NoWorker || e.Worker != worker:
		case e.Kind == event.Line && !slices.Contains(lines, int(e.Arg)):
			lines = append(lines, int(e.Arg))
		case e.Kind == event.HandlerFinished || e.Kind == event.HandlerFailed:
			return id, lines, nil
		}
	}
	switch {
	case worker != event.NoWorker:
		return id, lines, nil // the run of the scenario ended within it
	case len(others) == 0:
		return id, nil, ErrNeverRuns
	}
	const enough = 8
	more := ""
	if len(others) > enough {
		others, more = others[:enough], " ..."
	}
	return id, nil, fmt.Errorf("message %s never reaches this handler; those that do are %s%s", wanted, strings.Join(others, ", "), more)
}

// withCrash kills the worker before a line in the first hand-out of message;
// before line 0 is after the last line.
func withCrash(s *scenario.Scenario, pool int, message event.ID, line int) *scenario.Scenario {
	own := s.Clone()
	p := &own.Workers[pool]
	if line == 0 {
		p.Handler, line = withLastLine(p.Handler)
	}
	p.Crash = scenario.Crash{Exact: []scenario.ExactCrash{{Message: message, Receive: 1, Where: scenario.OnLine, Line: int64(line)}}}
	return own
}

// function is where one of the handler's functions stands: its lines, and its
// first statement.
type function struct {
	name        string
	first, last int
	body        syntax.Position
}

// functionsOf returns the functions of a handler, which has been compiled.
func functionsOf(source string) (list []function) {
	options := &syntax.FileOptions{While: true, TopLevelControl: true, Set: true} // as package handler has them
	file, err := options.Parse("", source, 0)
	if err != nil {
		return nil
	}
	for _, statement := range file.Stmts {
		if def, ok := statement.(*syntax.DefStmt); ok {
			start, _ := def.Span()
			body, _ := def.Body[0].Span()
			_, end := def.Body[len(def.Body)-1].Span()
			list = append(list, function{def.Name.Name, int(start.Line), int(end.Line), body})
		}
	}
	return list
}

// follower returns the line that runs after the first of lines is done, with
// all that it calls: the next of its own function, or after that the one that
// goes on; 0 after the last of on_message.
func follower(functions []function, lines []int) int {
	own := slices.IndexFunc(functions, func(f function) bool { return f.first <= lines[0] && lines[0] <= f.last })
	if own < 0 {
		return 0
	}
	for _, line := range lines[1:] {
		if functions[own].first <= line && line <= functions[own].last {
			return line
		}
	}
	if functions[own].name == entry || len(lines) == 1 {
		return 0
	}
	return lines[1]
}

// entry is the function that is run for a message.
const entry = "on_message"

// withLastLine adds a line to on_message that does nothing, so that a crash
// can strike after the one that was its last, and returns its number. A
// function that is written on one line takes no other.
func withLastLine(source string) (string, int) {
	lines := strings.Split(strings.TrimRight(source, "\n"), "\n")
	for _, f := range functionsOf(source) {
		if f.name != entry {
			continue
		}
		if indent := lines[f.body.Line-1][:f.body.Col-1]; strings.TrimSpace(indent) == "" {
			lines = slices.Insert(lines, f.last, indent+"pass")
		}
		return strings.Join(lines, "\n") + "\n", f.last + 1
	}
	return source, len(lines)
}

// judge says what came of the message whose worker died, and of the others
// where it is worse than without the crash.
func judge(whole, crashed *run.Run, id event.ID) Result {
	a, b := whole.Outcome, crashed.Outcome
	lost, twice := b.Lost > a.Lost, b.Duplicates > a.Duplicates
	struck := false // the crash happened: the run of the handler was not over yet
	for _, m := range b.LostMessages {
		lost = lost || crashed.Log.MessageID(m) == id
	}
	for i := range crashed.Log.Len() {
		e := crashed.Log.Event(i)
		struck = struck || e.Kind == event.Crashed && e.Message >= 0 && e.Receive == 1 && crashed.Log.MessageID(e.Message) == id
		twice = twice || e.Kind == event.Effect && crashed.Log.Effect(int(e.Arg)).Nth > 1 && crashed.Log.MessageID(e.Message) == id
	}
	switch {
	case !struck:
		return Over
	case lost && twice:
		return LostAndTwice
	case lost:
		return Lost
	case twice:
		return Twice
	case b.Dead > a.Dead:
		return Dead
	}
	return Right
}
