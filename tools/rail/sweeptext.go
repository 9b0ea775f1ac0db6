package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/sweep"
)

// sweepText tells the result of a sweep; replay is the command that runs one
// of its seeds, but for the seed.
type sweepText struct {
	*sweep.Result
	replay string
	paint  painter
}

// textWidth is how wide paragraphs and tables are at most.
const textWidth = 80

func (s sweepText) write(w io.Writer) {
	if s.Title != "" {
		fmt.Fprintln(w, s.paint.strong(visible(s.Title)))
	}
	fmt.Fprintf(w, "%s\n", s.paint.faint(fmt.Sprintf("%s: seeds %s", quantity(s.Runs(), "run"), listRanges(s.Seeds, 10))))
	if s.Runs() == 0 {
		return
	}
	fmt.Fprintln(w)
	s.writeVarying(w)
	s.writeSteady(w)
	s.writeExpectations(w)
	s.writeCutShort(w)
}

// writeVarying writes the measures that were not the same in every run.
func (s sweepText) writeVarying(w io.Writer) {
	rows := [][]string{{"", "mean", "± 95 %", "sd", "min", "p50", "p95", "max"}}
	for i := range s.Measures {
		m := &s.Measures[i]
		if !m.Varies() {
			continue
		}
		places := places(m)
		row := []string{measureName(m)}
		for _, v := range []float64{m.Mean(), m.Margin(), m.Deviation()} {
			row = append(row, strconv.FormatFloat(v, 'f', places, 64))
		}
		for _, v := range []float64{m.Min(), m.Percentile(50), m.Percentile(95), m.Max()} {
			row = append(row, decimal(v, places))
		}
		rows = append(rows, row)
	}
	switch {
	case len(rows) > 1:
		grid(w, rows)
		fmt.Fprintln(w)
	case s.Runs() > 1:
		fmt.Fprintf(w, "  nothing varies: no measure depends on the seed\n\n")
	}
}

// measureName adds the unit.
func measureName(m *sweep.Measure) string {
	if m.Unit == sweep.Seconds {
		return m.Name + " (s)"
	}
	return m.Name
}

// places is how many decimals show what there is to see: two figures of the
// margin.
func places(m *sweep.Measure) int {
	margin := m.Margin()
	if margin <= 0 {
		return 3
	}
	return max(0, min(4, 1-int(math.Floor(math.Log10(margin)))))
}

// writeSteady lists the measures that were the same in every run, those that
// were 0 by their names alone.
func (s sweepText) writeSteady(w io.Writer) {
	var steady, zero []string
	for i := range s.Measures {
		m := &s.Measures[i]
		switch {
		case m.Varies():
		case m.Max() == 0:
			zero = append(zero, m.Name)
		case m.Unit == sweep.Seconds:
			steady = append(steady, m.Name+" "+decimal(m.Max(), 3)+" s")
		default:
			steady = append(steady, m.Name+" "+decimal(m.Max(), 3))
		}
	}
	writeList(w, "  the same in every run: ", steady)
	writeList(w, "  0 in every run: ", zero)
}

// writeList writes a list in lines of up to textWidth.
func writeList(w io.Writer, lead string, items []string) {
	if len(items) == 0 {
		return
	}
	line := lead
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		if len(line)+len(item) > textWidth && strings.TrimSpace(line) != "" {
			fmt.Fprintln(w, strings.TrimRight(line, " "))
			line = "    "
		}
		line += item + " "
	}
	fmt.Fprintln(w, strings.TrimRight(line, " "))
}

// shownSeeds is how many ranges of failing seeds are listed.
const shownSeeds = 12

func (s sweepText) writeExpectations(w io.Writer) {
	if len(s.Expectations) > 0 {
		fmt.Fprintln(w)
	}
	for _, e := range s.Expectations {
		if len(e.Failed) == 0 {
			fmt.Fprintf(w, "%s  %s\n", s.paint.good("holds on all"), visible(e.Text))
			continue
		}
		failed := e.Failed.Len()
		fmt.Fprintf(w, "%s  %s\n", s.paint.bad(fmt.Sprintf("fails on %d of %d (%s %%)", failed, s.Runs(), decimal(100*float64(failed)/float64(s.Runs()), 1))), visible(e.Text))
		fmt.Fprintf(w, "  %s %s\n", plural(failed, "seed"), listRanges(e.Failed, shownSeeds))
		fmt.Fprintf(w, "  %s\n", s.paint.faint(fmt.Sprintf("%s --seed %d", s.replay, e.Failed[0].From)))
	}
}

func (s sweepText) writeCutShort(w io.Writer) {
	if n := s.CutShort.Len(); n > 0 {
		fmt.Fprintf(w, "\n%s\n  %s %s\n", s.paint.bad(quantity(n, "run")+" met a limit, so these numbers are not those of whole runs"),
			plural(n, "seed"), listRanges(s.CutShort, shownSeeds))
	}
}

// listRanges lists up to so many ranges, and says how many seeds more there are.
func listRanges(ranges sweep.Ranges, most int) string {
	var texts []string
	for _, r := range ranges[:min(most, len(ranges))] {
		texts = append(texts, r.String())
	}
	if len(texts) == 0 {
		return "none"
	}
	list := strings.Join(texts, ", ")
	if len(ranges) > most {
		list += fmt.Sprintf(" and %d more", ranges[most:].Len())
	}
	return list
}

func plural(n uint64, one string) string {
	if n == 1 {
		return one
	}
	return one + "s"
}

func quantity(n uint64, one string) string { return fmt.Sprintf("%d %s", n, plural(n, one)) }
