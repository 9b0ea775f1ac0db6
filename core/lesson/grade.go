package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
)

// Given is what a reader answered; which field counts is the matter of the
// question's form.
type Given struct {
	Choices []int      `json:"choices,omitempty"`
	Number  *float64   `json:"number,omitempty"`
	Order   []string   `json:"order,omitempty"` // ids, or numbers of choices
	Message string     `json:"message,omitempty"`
	Line    int        `json:"line,omitempty"`
	Curve   Curve      `json:"curve,omitempty"`
	End     event.Time `json:"end,omitempty"` // of the axis that the curve was drawn on
}

// Verdict is what came of an answer.
type Verdict struct {
	Right   bool
	Text    string  // in a sentence
	Because *Node   // what the author says to a wrong choice, or nil
	See     *Moment // the moment that decides, or nil
}

// drawn is how far a drawn curve may lie off, without a tolerance.
const drawn = 0.15

// Grade holds what was given against the answer. The error is about something
// that cannot be given, such as a choice that does not exist.
func (q *Question) Grade(a *Answer, g Given) (Verdict, error) {
	v, err := q.grade(a, g)
	if v.See == nil {
		v.See = q.See
	}
	return v, err
}

func (q *Question) grade(a *Answer, g Given) (Verdict, error) {
	switch q.Form {
	case Choice, Several:
		return q.gradeChoices(a, g.Choices)
	case Number:
		if g.Number == nil || math.IsNaN(*g.Number) || math.IsInf(*g.Number, 0) {
			return Verdict{}, fmt.Errorf("this takes a number")
		}
		if q.To != 0 && (*g.Number < q.From || *g.Number > q.To) {
			return Verdict{}, fmt.Errorf("this takes a number from %s to %s", places(q.From), places(q.To))
		}
		return q.gradeNumber(a.Number, *g.Number)
	case Order:
		return q.gradeOrder(a, g.Order)
	case Message:
		if g.Message == "" {
			return Verdict{}, fmt.Errorf("this takes the id of a message")
		}
		if slices.Contains(a.Any, g.Message) {
			return Verdict{Right: true, Text: "You called it."}, nil
		}
		return Verdict{Text: "It is " + a.Text + ", not " + g.Message + "."}, nil
	case Line:
		if g.Line < 1 {
			return Verdict{}, fmt.Errorf("this takes the number of a line")
		}
		if g.Line == a.Line {
			return Verdict{Right: true, Text: "You called it."}, nil
		}
		return Verdict{Text: fmt.Sprintf("It is line %d, not line %d.", a.Line, g.Line)}, nil
	}
	return q.gradeCurve(a, g)
}

func (q *Question) gradeChoices(a *Answer, given []int) (Verdict, error) {
	chosen := make([]bool, len(q.Choices))
	for _, i := range given {
		if i < 0 || i >= len(chosen) {
			return Verdict{}, fmt.Errorf("there is no choice %d", i+1)
		}
		chosen[i] = true
	}
	switch {
	case len(given) == 0:
		return Verdict{}, fmt.Errorf("nothing is chosen")
	case q.Form == Choice && len(given) > 1:
		return Verdict{}, fmt.Errorf("this takes one choice")
	case slices.Equal(chosen, a.Right):
		return Verdict{Right: true, Text: q.praise()}, nil
	case q.Form == Several:
		return q.gradeSeveral(a, chosen), nil
	}
	wrong := &q.Choices[given[0]]
	v := Verdict{Because: wrong.Because, See: wrong.See, Text: "Not that one."}
	if q.Predict {
		v.Text = "The run says " + a.Text + "."
		if n, ok := wrong.number(); ok && q.allNumbers() {
			v.Text = difference(a.Number-n, q.Unit)
		}
	}
	return v, nil
}

func (q *Question) praise() string {
	if q.Predict {
		return "You called it."
	}
	return "Yes."
}

// gradeSeveral says what is too much and what is missing, without saying which
// is which: that is for the reader to find.
func (q *Question) gradeSeveral(a *Answer, chosen []bool) Verdict {
	missing, extra := 0, -1
	for i := range chosen {
		switch {
		case chosen[i] && !a.Right[i] && extra < 0:
			extra = i
		case !chosen[i] && a.Right[i]:
			missing++
		}
	}
	if extra < 0 {
		if missing == 1 {
			return Verdict{Text: "All of these are right, and one is missing."}
		}
		return Verdict{Text: fmt.Sprintf("All of these are right, and %s are missing.", inWords(float64(missing)))}
	}
	wrong := &q.Choices[extra]
	return Verdict{Text: "Not all of these are right.", Because: wrong.Because, See: wrong.See}
}

// number returns the value of a choice that is a number.
func (o *Option) number() (float64, bool) {
	n, err := strconv.ParseFloat(o.Value, 64)
	return n, err == nil
}

func (q *Question) gradeNumber(right, given float64) (Verdict, error) {
	off, err := q.tolerance(right)
	if err != nil {
		return Verdict{}, err
	}
	const rounding = 1e-9 // what a decimal fraction loses on its way
	switch far := math.Abs(right - given); {
	case far <= rounding:
		return Verdict{Right: true, Text: q.praise()}, nil
	case far <= off+rounding:
		return Verdict{Right: true, Text: "Close enough: it is " + q.withUnit(right) + "."}, nil
	}
	if q.Predict {
		return Verdict{Text: difference(right-given, q.Unit)}, nil
	}
	if given < right {
		return Verdict{Text: "It is more than that."}, nil
	}
	return Verdict{Text: "It is less than that."}, nil
}

// difference says by how much the run gave more or less than the guess.
func difference(by float64, unit string) string {
	than := " more than you said."
	if by < 0 {
		than = " less than you said."
	}
	n := math.Abs(by)
	if unit != "" {
		return places(n) + noBreak + unit + than
	}
	text := inWords(n)
	return string(text[0]-'a'+'A') + text[1:] + than
}

func (q *Question) gradeOrder(a *Answer, given []string) (Verdict, error) {
	at, right := 0, 0
	for _, group := range a.Order {
		if at+len(group) > len(given) {
			return Verdict{}, fmt.Errorf("this takes all of them, in their order")
		}
		for _, id := range given[at : at+len(group)] {
			if right == at && slices.Contains(group, id) {
				right++
			}
			at++
		}
	}
	switch {
	case at != len(given):
		return Verdict{}, fmt.Errorf("this takes %d of them, not %d", at, len(given))
	case right == at:
		return Verdict{Right: true, Text: q.praise()}, nil
	case right == 0:
		return Verdict{Text: "It begins with another one."}, nil
	case right == 1:
		return Verdict{Text: "The first is right, then it goes another way."}, nil
	}
	return Verdict{Text: fmt.Sprintf("The first %s are right, then it goes another way.", inWords(float64(right)))}, nil
}

func (q *Question) gradeCurve(a *Answer, g Given) (Verdict, error) {
	if len(g.Curve) == 0 || g.End <= 0 {
		return Verdict{}, fmt.Errorf("this takes a curve")
	}
	allowed := drawn
	if q.Tolerance != "" {
		var err error
		if allowed, err = q.tolerance(1); err != nil {
			return Verdict{}, err
		}
	}
	apart := a.Curve.apart(g.Curve, g.End)
	switch {
	case apart <= allowed:
		return Verdict{Right: true, Text: "That is how it goes."}, nil
	case g.Curve.Max() > a.Curve.Max()*1.5:
		return Verdict{Text: "It does not get that high: " + a.Text + "."}, nil
	case g.Curve.Max() < a.Curve.Max()/1.5:
		return Verdict{Text: "It gets higher than that: " + a.Text + "."}, nil
	}
	return Verdict{Text: "It goes another way: " + a.Text + "."}, nil
}
