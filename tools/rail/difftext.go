package main

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// write tells the difference.
func (d *difference) write(w io.Writer, p painter) {
	fmt.Fprintf(w, "%s  %s\n%s  %s\n\n", p.strong("A"), visible(d.A), p.strong("B"), visible(d.B))
	d.writeSettings(w, p)
	d.writeOutcome(w, p)
	d.writePart(w, p)
}

func (d *difference) writeSettings(w io.Writer, p painter) {
	if len(d.Settings) == 0 {
		fmt.Fprintf(w, "The scenarios say the same.\n\n")
		return
	}
	rows := [][3]string{{"Settings that differ", "A", "B"}}
	const most = 40
	left := 0
	for _, s := range d.Settings {
		switch {
		case s.manyLines():
		case len(rows) > most:
			left++
		default:
			rows = append(rows, [3]string{s.Path, orNone(s.A), orNone(s.B)})
		}
	}
	fit(rows)
	writeColumns(w, rows, func(int) bool { return false }, p)
	if left > 0 {
		fmt.Fprintf(w, "  %s\n", p.faint(fmt.Sprintf("and %d more; --json lists them", left)))
	}
	for _, s := range d.Settings {
		if s.manyLines() {
			fmt.Fprintf(w, "  %s  %s\n", s.Path, p.faint("- in A, + in B"))
			writeLines(w, strings.Split(strings.TrimRight(s.A, "\n"), "\n"), strings.Split(strings.TrimRight(s.B, "\n"), "\n"), p)
		}
	}
	fmt.Fprintln(w)
}

// fit cuts values off, so that rows of a name and two of them fit the width of
// the terminal wherever the names leave room.
func fit(rows [][3]string) {
	const least = 12
	width := 0
	for _, row := range rows {
		width = max(width, utf8.RuneCountInString(row[0]))
	}
	width = max(least, (textWidth-width-6)/2)
	for i := range rows {
		for k := 1; k < len(rows[i]); k++ {
			if runes := []rune(rows[i][k]); len(runes) > width {
				rows[i][k] = string(runes[:width-1]) + "…"
			}
		}
	}
}

// manyLines reports whether a setting, such as a handler, is to be compared
// line by line.
func (p pair) manyLines() bool {
	return p.A != "" && p.B != "" && strings.Contains(p.A+p.B, "\n")
}

// writeLines writes the lines of two texts, marked where only one has them.
func writeLines(w io.Writer, a, b []string, p painter) {
	// common[i][j] is how many lines a[i:] and b[j:] have in common.
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			fmt.Fprintf(w, "      %s\n", visible(a[i]))
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			fmt.Fprintf(w, "    %s\n", p.bad("- "+visible(a[i])))
			i++
		default:
			fmt.Fprintf(w, "    %s\n", p.good("+ "+visible(b[j])))
			j++
		}
	}
}

// writeOutcome lists the measures side by side: those of the whole run, and of
// single queues, pools and keys what differs. What is 0 on both sides is left
// out.
func (d *difference) writeOutcome(w io.Writer, p painter) {
	rows := [][3]string{{"Outcome", "A", "B"}}
	var differ []bool
	const mostKeys = 10
	keys := 0                  // of effects_by that differ
	whole := map[string]pair{} // the measures of the whole run
	for _, m := range d.measures {
		section, rest, nested := strings.Cut(m.Path, ".")
		nested = nested && section != "wait" && section != "sojourn"
		if !nested {
			whole[m.Path] = m
		}
		_, measure, _ := strings.Cut(rest, ".")
		same := whole[measure]
		switch {
		case m.Same && (m.A == "0" || m.A == "[]" || nested || m.Path == "finished"):
		case nested && same.A == m.A && same.B == m.B: // there is only one queue
		case section == "effects_by" && keys >= mostKeys:
			keys++
		default:
			if section == "effects_by" {
				keys++
			}
			rows = append(rows, [3]string{m.Path, measured(section, m.A), measured(section, m.B)})
			differ = append(differ, !m.Same)
		}
	}
	writeColumns(w, rows, func(i int) bool { return differ[i] }, p)
	if keys > mostKeys {
		fmt.Fprintf(w, "  %s\n", p.faint(fmt.Sprintf("and %d more of effects_by differ; --json lists them", keys-mostKeys)))
	}
	for _, text := range d.BrokenA {
		fmt.Fprintf(w, "  in A: expected %s\n", visible(text))
	}
	for _, text := range d.BrokenB {
		fmt.Fprintf(w, "  in B: expected %s\n", visible(text))
	}
	fmt.Fprintln(w)
}

// measured shows a value; an effect that did not happen is not in the list.
func measured(section, text string) string {
	if text == "" && section == "effects_by" {
		return "0"
	}
	return orNone(shorter(text))
}

// shorter rounds long fractions, as the outcome's table does.
func shorter(text string) string {
	whole, fraction, ok := strings.Cut(text, ".")
	var f float64
	if !ok || len(fraction) <= 3 || strings.Trim(whole+fraction, "-0123456789") != "" {
		return text
	}
	if _, err := fmt.Sscan(text, &f); err != nil {
		return text
	}
	return decimal(f, 3)
}

// writeColumns writes a heading and rows of a name and two values; marked are
// the rows, from 0, that get a mark.
func writeColumns(w io.Writer, rows [][3]string, marked func(int) bool, p painter) {
	if len(rows) == 1 {
		return
	}
	var widths [2]int
	for _, row := range rows {
		widths[0] = max(widths[0], utf8.RuneCountInString(row[0]))
		widths[1] = max(widths[1], utf8.RuneCountInString(row[1]))
	}
	for i, row := range rows {
		mark, line := " ", fmt.Sprintf("%-*s  %-*s  %s", widths[0], row[0], widths[1], row[1], row[2])
		switch {
		case i == 0:
			line = p.strong(line)
		case marked(i - 1):
			mark, line = p.bad("≠"), p.strong(line)
		}
		fmt.Fprintf(w, "%s %s\n", mark, line)
	}
}

func (d *difference) writePart(w io.Writer, p painter) {
	if d.Part == nil {
		fmt.Fprintln(w, p.good("The two runs are the same, event by event."))
		return
	}
	part := d.Part
	fmt.Fprintf(w, "%s\n", p.strong("They part at "+string(part.At)+" s"))
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(w, "  %-6s  %s\n", label, visible(text))
		}
	}
	line("before", part.Before)
	if part.TextA != part.TextB {
		line("A", part.TextA)
		line("B", part.TextB)
	} else {
		line("both", part.TextA)
		line("", part.Inside)
	}
	line("why", part.Why)
	if part.Seen != nil {
		fmt.Fprintf(w, "%s\n", p.strong("One sees it at "+string(part.Seen.At)+" s"))
		line("A", part.Seen.TextA)
		line("B", part.Seen.TextB)
	}
}
