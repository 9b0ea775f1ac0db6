// Package crashpoint asks of a handler: what if the worker died here? It runs
// the scenario once for each line that the handler runs, kills the worker
// right after that line in the first hand-out of one message, and says what
// came of it. Start reading at Points.
package crashpoint

import (
	"errors"
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

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

// The results, compared with the run without the crash.
const (
	Right Result = iota // every message is done as often as without it
	Lost
	Twice
	LostAndTwice
	Dead // it ended in the dead letters
)

// String returns the result as one reads it.
func (r Result) String() string {
	return [...]string{"right", "lost", "done twice", "lost and done twice", "dead letter"}[r]
}

// ErrNeverRuns is returned when no message reaches the pool's handler.
var ErrNeverRuns = errors.New("no message reaches this handler, so it has no line to crash at")

// Points returns a Point for each line that the handler of the pool runs for
// the first message that it gets. The pool's own crashes are left out.
func Points(s *scenario.Scenario, pool string) ([]Point, error) {
	at, base, err := quiet(s, pool)
	if err != nil {
		return nil, err
	}
	whole, err := run.Do(base)
	if err != nil {
		return nil, err
	}
	message, lines := firstRun(whole.Log, at)
	if message == event.NoMessage {
		return nil, ErrNeverRuns
	}
	source := strings.Split(base.Workers[at].Handler, "\n")
	var points []Point
	for i, line := range lines {
		next := len(source) + 1 // the line that is added below all others
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		p := Point{Line: line, Text: strings.TrimSpace(source[line-1])}
		p.Scenario = withCrash(base, at, whole.Log.Messages[message].ID, next)
		if p.Run, err = run.Do(p.Scenario); err != nil {
			return nil, fmt.Errorf("after line %d: %w", line, err)
		}
		p.Result = compare(whole, p.Run)
		points = append(points, p)
	}
	return points, nil
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
	return 0, nil, fmt.Errorf("there is no pool %q", pool)
}

// firstRun returns the first message that the pool's handler runs for, and
// the lines of that run in order, each once.
func firstRun(log *event.Log, pool int) (event.MessageRef, []int) {
	message, worker := event.NoMessage, event.NoWorker
	var lines []int
	for i := range log.Len() {
		e := log.Event(i)
		switch {
		case message == event.NoMessage && e.Kind == event.HandlerStarted && log.Workers[e.Worker].Pool == pool:
			message, worker = e.Message, e.Worker
		case message == event.NoMessage || e.Worker != worker:
		case e.Kind == event.Line:
			lines = appendNew(lines, int(e.Arg))
		case e.Kind == event.HandlerFinished || e.Kind == event.HandlerFailed:
			return message, lines
		}
	}
	return message, lines
}

func appendNew(lines []int, line int) []int {
	for _, known := range lines {
		if known == line {
			return lines
		}
	}
	return append(lines, line)
}

// withCrash kills the worker before a line in the first hand-out of message.
// The handler gets a last line that does nothing, so that a crash can strike
// after the one that was its last.
func withCrash(s *scenario.Scenario, pool int, message event.ID, line int) *scenario.Scenario {
	own := s.Clone()
	p := &own.Workers[pool]
	p.Handler = strings.TrimRight(p.Handler, "\n") + "\n" + bodyIndent(p.Handler) + "pass"
	if lines := strings.Count(p.Handler, "\n") + 1; line > lines {
		line = lines
	}
	p.Crash = scenario.Crash{Exact: []scenario.ExactCrash{{Message: message, Receive: 1, Where: scenario.OnLine, Line: int64(line)}}}
	return own
}

// bodyIndent returns how far the body of on_message is indented.
func bodyIndent(source string) string {
	inside := false
	for line := range strings.Lines(source) {
		text := strings.TrimLeft(line, " \t")
		if inside && strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "#") {
			return line[:len(line)-len(text)]
		}
		inside = inside || strings.HasPrefix(line, "def on_message")
	}
	return "    "
}

func compare(whole, crashed *run.Run) Result {
	a, b := whole.Outcome, crashed.Outcome
	lost, twice := b.Lost > a.Lost, b.Duplicates > a.Duplicates
	switch {
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
