package scenario

import (
	"fmt"
	"sort"
	"strings"

	"github.com/ticketrail/ticketrail/core/spelling"
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

// near returns the one of names that name was meant to be, or "".
func near(name string, names []string) string {
	if len(name) > maxName {
		return ""
	}
	return spelling.Nearest(name, names)
}

// hint is the end of an error about a name: what was meant, or what there is.
func hint(name string, names []string, none string) string {
	if n := near(name, names); n != "" {
		return fmt.Sprintf("did you mean %q?", n)
	}
	if len(names) == 0 {
		return none
	}
	if len(names) == 1 {
		return "there is only " + names[0]
	}
	return "there are " + listed(names)
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
