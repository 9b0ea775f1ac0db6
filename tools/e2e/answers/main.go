// Command answers prints the lessons of a folder as the browser tests go
// through them: one JSON object a line, with the slug and, for each step, what
// is asked there, a right answer and a wrong one. The answers are computed as
// the page computes them, never written down.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/player"
)

func main() {
	if err := printAll(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "answers:", err)
		os.Exit(1)
	}
}

func printAll(root string) error {
	folders, err := lessons.Folders(root)
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	for _, folder := range folders {
		l, err := lessons.Open(folder)
		if err != nil {
			return err
		}
		told, err := tell(l)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		if err := out.Encode(told); err != nil {
			return err
		}
	}
	return nil
}

type told struct {
	Slug  string `json:"slug"`
	Title string `json:"title"`
	Steps []step `json:"steps"`
}

type step struct {
	Title      string      `json:"title"`
	Questions  []question  `json:"questions"`
	Challenges []challenge `json:"challenges"`
}

type question struct {
	ID      string `json:"id"`
	Form    string `json:"form"`
	Predict bool   `json:"predict"`
	Right   given  `json:"right"`
	Wrong   *given `json:"wrong"` // null where every answer is right
}

// given is an answer as it is put into the page's fields.
type given struct {
	Choices []int     `json:"choices,omitempty"`
	Number  *float64  `json:"number,omitempty"`
	Order   []string  `json:"order,omitempty"`
	Message string    `json:"message,omitempty"`
	Line    int       `json:"line,omitempty"`
	Columns []float64 `json:"columns,omitempty"` // shares of the time, drawn one after the other
}

type challenge struct {
	ID    string `json:"id"`
	Hints int    `json:"hints"`
}

func tell(l *lesson.Lesson) (*told, error) {
	t := &told{Slug: l.Slug, Title: l.Title}
	s := player.NewSession(l)
	for i := range l.Steps {
		s.Go(i)
		one := step{Title: l.Steps[i].Title, Questions: []question{}, Challenges: []challenge{}}
		for _, b := range l.Steps[i].Blocks {
			if c := b.Challenge; c != nil {
				one.Challenges = append(one.Challenges, challenge{c.ID, len(c.Hints)})
			}
			if q := b.Question; q != nil {
				asked, err := ask(s, q)
				if err != nil {
					return nil, fmt.Errorf("question %s: %w", q.ID, err)
				}
				one.Questions = append(one.Questions, *asked)
			}
		}
		t.Steps = append(t.Steps, one)
	}
	return t, nil
}

func ask(s *player.Session, q *lesson.Question) (*question, error) {
	a, err := s.Settled(q)
	if err != nil {
		return nil, err
	}
	asked := &question{ID: q.ID, Form: string(q.Form), Predict: q.Predict}
	for _, g := range candidates(s, q, a) {
		v, err := q.Grade(a, grading(s, q, g))
		switch {
		case err != nil:
			return nil, err
		case v.Right && asked.Right.empty():
			asked.Right = g
		case !v.Right && asked.Wrong == nil:
			asked.Wrong = &g
		}
	}
	if asked.Right.empty() {
		return nil, fmt.Errorf("none of its right answers is taken")
	}
	return asked, nil
}

func (g given) empty() bool {
	return g.Choices == nil && g.Number == nil && g.Order == nil && g.Message == "" && g.Line == 0 && g.Columns == nil
}

// candidates are the right answer and others.
func candidates(s *player.Session, q *lesson.Question, a *lesson.Answer) (all []given) {
	switch q.Form {
	case lesson.Number:
		for _, n := range []float64{a.Number, q.From, q.To, a.Number + 1 + a.Number} {
			if q.To == 0 || n >= q.From && n <= q.To {
				all = append(all, given{Number: &n})
			}
		}
	case lesson.Order:
		right := slices.Concat(a.Order...)
		wrong := slices.Clone(right)
		slices.Reverse(wrong)
		all = append(all, given{Order: right}, given{Order: wrong})
	case lesson.Message:
		all = append(all, given{Message: a.Any[0]})
		for _, c := range s.Messages(q) {
			all = append(all, given{Message: c.Number})
		}
	case lesson.Line:
		all = append(all, given{Line: a.Line})
		for _, l := range s.HandlerOf(q) {
			if strings.TrimSpace(l.Text) != "" {
				all = append(all, given{Line: l.Number})
			}
		}
	case lesson.Draw:
		drawn, empty := make([]float64, drawnColumns), make([]float64, drawnColumns)
		end, _, _ := s.Extent(q)
		for i := range drawn {
			// A column is as high as the line is on its average.
			const parts = 16
			for k := range event.Time(parts) {
				drawn[i] += a.Curve.Value(end*(event.Time(i)*parts+k)/(parts*drawnColumns)) / parts
			}
			drawn[i] = float64(int(drawn[i] + 0.5))
		}
		all = append(all, given{Columns: drawn}, given{Columns: empty})
	default:
		var right []int
		for i, ok := range a.Right {
			if ok {
				right = append(right, i)
			} else {
				all = append(all, given{Choices: []int{i}})
			}
		}
		all = append(all, given{Choices: right})
	}
	return all
}

// drawnColumns is how many columns the page's field has.
const drawnColumns = 12

// grading is what the page makes of what is put into its fields.
func grading(s *player.Session, q *lesson.Question, g given) lesson.Given {
	to := lesson.Given{Choices: g.Choices, Number: g.Number, Order: g.Order, Message: g.Message, Line: g.Line}
	if g.Columns != nil {
		to.End, _, _ = s.Extent(q)
		for i, value := range g.Columns {
			to.Curve = append(to.Curve, lesson.Sample{At: to.End * event.Time(i) / drawnColumns, Value: value})
		}
	}
	if g.Number != nil { // as it is typed
		n, _ := strconv.ParseFloat(strconv.FormatFloat(*g.Number, 'f', -1, 64), 64)
		to.Number = &n
	}
	return to
}
