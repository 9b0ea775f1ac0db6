package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ticketrail/ticketrail/core/crashpoint"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

type crashesCommand struct {
	File    string `arg:"" predictor:"scenario" help:"A scenario file, LESSON.md#ID, or - for standard input."`
	Pool    string `placeholder:"NAME" help:"The pool whose worker dies. Default: each pool in turn."`
	Message string `placeholder:"ID" help:"The message in whose first hand-out it dies. Default: the first that the pool works on."`
	Line    int    `placeholder:"N" help:"Tell the run in which it dies right after this line of the handler."`
	settings
	JSON bool `name:"json" help:"Print one JSON object for each pool."`
}

// Help says what the columns mean, and gives examples.
func (*crashesCommand) Help() string {
	return `Runs the scenario once for each line that the handler runs, lets the worker die right after that line, and says what came of that message, and of the others where they fare worse than without the crash:

  lost   a message is gone and nothing came of it
  twice  a side effect happened more often than it should
  right  nothing is lost, and nothing is done twice
  dead   a message ended in the dead letters

Crashes that the scenario itself gives the pool are left out. The exit status is 0 whatever is found.

Examples:
  rail crashes orders.yaml
  rail crashes orders.yaml --message 104
  rail crashes orders.yaml --line 3        the story of one of the crashes`
}

// Run writes the table of each pool, or tells the run of one point.
func (c *crashesCommand) Run(t *terminal) error {
	changes, err := c.changes()
	if err != nil {
		return wrong(t, err)
	}
	d, err := oneDocument(c.File)
	if err != nil {
		return wrong(t, err)
	}
	s, err := ready(d, changes, t)
	if err != nil {
		return err
	}
	tables, err := c.tables(s)
	if err != nil {
		return wrong(t, fmt.Errorf("%s: %w", d.name, err))
	}
	if c.Line != 0 {
		return c.tell(t, tables)
	}
	for i, table := range tables {
		if c.JSON {
			err = writeCrashesJSON(t.out, table)
		} else {
			if i > 0 {
				fmt.Fprintln(t.out)
			}
			c.writeTable(t.out, table, len(tables) > 1, painter(t.colour))
		}
		if err != nil {
			return err
		}
	}
	if !c.JSON {
		c.writeLegend(t.out, tables, painter(t.colour))
	}
	return nil
}

// tables are those of the pools that were asked for and have work to do.
func (c *crashesCommand) tables(s *scenario.Scenario) ([]*crashpoint.Table, error) {
	pools := []string{c.Pool}
	if c.Pool == "" {
		pools = nil
		for i := range s.Workers {
			pools = append(pools, s.Workers[i].Name)
		}
	}
	if len(pools) == 0 {
		return nil, errors.New("there are no workers, so nobody can crash")
	}
	var tables []*crashpoint.Table
	var first error
	for _, pool := range pools {
		table, err := crashpoint.Points(s, pool, c.Message)
		switch {
		case err == nil:
			tables = append(tables, table)
		case first == nil:
			first = fmt.Errorf("pool %s: %w", pool, err)
		}
	}
	if len(tables) == 0 {
		return nil, first
	}
	return tables, nil
}

// tell tells the run of one point as rail run does.
func (c *crashesCommand) tell(t *terminal, tables []*crashpoint.Table) error {
	for _, table := range tables {
		if p := table.At(c.Line); p != nil {
			tell := &runCommand{Words: "plain"}
			tell.writeStory(t.out, p.Run, painter(t.colour))
			writeOutcome(t.out, p.Run.Outcome, painter(t.colour))
			return nil
		}
	}
	var lines []string
	for _, p := range tables[0].Points {
		lines = append(lines, n(p.Line))
	}
	return wrong(t, fmt.Errorf("--line %d: the handler of %s does not run that line for message %s; it runs %s",
		c.Line, tables[0].Pool, tables[0].Message, strings.Join(lines, ", ")))
}

// column is one way in which a crash can end.
type column struct {
	name    string
	results []crashpoint.Result
	paint   func(painter, string) string
}

var columns = []column{
	{"lost", []crashpoint.Result{crashpoint.Lost, crashpoint.LostAndTwice}, painter.bad},
	{"twice", []crashpoint.Result{crashpoint.Twice, crashpoint.LostAndTwice}, painter.bad},
	{"dead", []crashpoint.Result{crashpoint.Dead}, painter.bad},
	{"right", []crashpoint.Result{crashpoint.Right}, painter.good},
}

// columnsOf leaves out dead letters where there are none.
func columnsOf(table *crashpoint.Table) []column {
	dead := slices.ContainsFunc(table.Points, func(p crashpoint.Point) bool { return p.Result == crashpoint.Dead })
	return slices.DeleteFunc(slices.Clone(columns), func(c column) bool { return c.name == "dead" && !dead })
}

func (c *crashesCommand) writeTable(w io.Writer, table *crashpoint.Table, several bool, paint painter) {
	pool := ""
	if several {
		pool = " of " + table.Pool
	}
	fmt.Fprintf(w, "%s\n\n", paint.strong(fmt.Sprintf("If the worker%s dies right after a line, while it first has message %s", pool, table.Message)))
	const columnWidth, margin = 7, 8
	cols := columnsOf(table)
	width := 0
	for _, line := range table.Handler {
		width = max(width, utf8.RuneCountInString(visible(line)))
	}
	width = min(width, textWidth-margin-columnWidth*len(cols))
	head := strings.Repeat(" ", width+6)
	for _, col := range cols {
		head += fmt.Sprintf("%*s", columnWidth, col.name)
	}
	fmt.Fprintln(w, head)
	for i, line := range table.Handler {
		fmt.Fprintf(w, "%4d  %s\n", i+1, strings.TrimRight(cut(visible(line), width)+cells(table.At(i+1), cols, columnWidth, paint), " "))
	}
}

// cut pads a line of code, or cuts it off, so that it is that wide.
func cut(line string, width int) string {
	runes := []rune(line)
	if len(runes) > width {
		return string(runes[:width-1]) + "…"
	}
	return line + strings.Repeat(" ", width-len(runes))
}

// cells marks the columns of one line; a line that does not run has none.
func cells(p *crashpoint.Point, cols []column, width int, paint painter) string {
	if p == nil {
		return ""
	}
	if p.Result == crashpoint.Over {
		return "  " + paint.faint("nothing left to crash")
	}
	text := ""
	for _, col := range cols {
		mark := fmt.Sprintf("%*s", width, "·")
		if slices.Contains(col.results, p.Result) {
			mark = fmt.Sprintf("%*s", width-1, "") + col.paint(paint, "x")
		} else {
			mark = paint.faint(mark)
		}
		text += mark
	}
	return text
}

func (c *crashesCommand) writeLegend(w io.Writer, tables []*crashpoint.Table, paint painter) {
	fmt.Fprintf(w, "\n  lost   a message is gone and nothing came of it\n")
	fmt.Fprintf(w, "  twice  a side effect happened more often than it should\n")
	if slices.ContainsFunc(tables, func(t *crashpoint.Table) bool { return len(columnsOf(t)) == len(columns) }) {
		fmt.Fprintf(w, "  dead   a message ended in the dead letters\n")
	}
	fmt.Fprintf(w, "  right  nothing is lost, and nothing is done twice\n")
	fmt.Fprintf(w, "  a line without a mark does not run for this message\n")
	if points := tables[0].Points; len(points) > 0 {
		fmt.Fprintf(w, "\n%s\n", paint.faint("What happens in one of them: "+c.replay(tables, worst(points))))
	}
}

// worst is the first point that is not right, or the first.
func worst(points []crashpoint.Point) crashpoint.Point {
	for _, p := range points {
		if p.Result != crashpoint.Right && p.Result != crashpoint.Over {
			return p
		}
	}
	return points[0]
}

// replay is the command that tells the run of a point.
func (c *crashesCommand) replay(tables []*crashpoint.Table, p crashpoint.Point) string {
	command := "rail crashes " + c.File
	if c.Pool != "" || len(tables) > 1 {
		command += " --pool " + tables[0].Pool
	}
	if c.Message != "" {
		command += " --message " + c.Message
	}
	return fmt.Sprintf("%s%s --line %d", command, c.flags(), p.Line)
}

func writeCrashesJSON(w io.Writer, table *crashpoint.Table) error {
	type point struct {
		Line    int              `json:"line"`
		Code    string           `json:"code"`
		Result  string           `json:"result"`
		Outcome *outcome.Outcome `json:"outcome"`
	}
	out := struct {
		Pool    string          `json:"pool"`
		Message json.RawMessage `json:"message"`
		Points  []point         `json:"points"`
	}{table.Pool, messageJSON(table.Message), []point{}}
	for _, p := range table.Points {
		out.Points = append(out.Points, point{p.Line, p.Text, p.Result.String(), p.Run.Outcome})
	}
	return json.NewEncoder(w).Encode(out)
}
