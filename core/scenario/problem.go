package scenario

import (
	"fmt"
	"sort"
	"strings"
)

// Problem is one thing that is wrong with a scenario, and what to write
// instead.
type Problem struct {
	Path         string // such as queues.orders.visibility_timeout; "" for the whole
	Line, Column int    // in the source, from 1; 0 when it has no place there
	HandlerLine  int    // in the handler's own text, from 1; 0 elsewhere
	Text         string
}

// Problems is everything that is wrong with a scenario, in the order of the
// source. An empty one means that all is well.
type Problems []Problem

// maxProblems bounds what a hostile source can make us collect.
const maxProblems = 100

// String returns line:column: text, or path: text where there is no line.
func (p Problem) String() string {
	switch {
	case p.Line > 0:
		return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text)
	case p.HandlerLine > 0:
		return fmt.Sprintf("%s, line %d: %s", p.Path, p.HandlerLine, p.Text)
	case p.Path != "":
		return p.Path + ": " + p.Text
	}
	return p.Text
}

// Error returns one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i, problem := range p {
		lines[i] = problem.String()
	}
	return strings.Join(lines, "\n")
}

// Err returns p as an error, nil when there is no problem.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return p
}

// add appends a problem and keeps to maxProblems.
func (p *Problems) add(problem Problem) {
	if len(*p) < maxProblems {
		*p = append(*p, problem)
	}
}

// inOrder sorts by place and leaves out what is said twice of one place.
func (p Problems) inOrder() Problems {
	sort.SliceStable(p, func(i, j int) bool {
		if p[i].Line != p[j].Line {
			return p[i].Line < p[j].Line
		}
		return p[i].Column < p[j].Column
	})
	var kept Problems
	for i, problem := range p {
		if i == 0 || problem != p[i-1] {
			kept = append(kept, problem)
		}
	}
	return kept
}

// near returns the one of names that is most like name, or "" when none is.
func near(name string, names []string) string {
	best, least := "", max(1, min(len(name)/3, 4))+1
	for _, candidate := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate), least); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// distance counts the letters to add, drop, change or swap to get from a to
// b; it gives up, with limit, once that many are sure.
func distance(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit || len(a) > 200 {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

// hint is the end of an error about a name: what was meant, or what there is.
func hint(name string, names []string, none string) string {
	if n := near(name, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(names) == 0 {
		return none
	}
	return "there is " + listed(names)
}

// listed joins names as one says them: a, b and c.
func listed(names []string) string {
	switch {
	case len(names) == 0:
		return "none"
	case len(names) == 1:
		return names[0]
	case len(names) > 24:
		return strings.Join(names[:24], ", ") + fmt.Sprintf(" and %d more", len(names)-24)
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// oneOf joins names as a choice: a, b or c.
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
