package practice

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
)

// asked is a kitchen and what is asked about it.
type asked struct {
	kitchen kitchen
	ask     string
	answer  string // as lesson.Question has it
	unit    string
	why     string
	see     string // the moment that decides
	wrong   []mistake
	near    float64 // between a number and its neighbours, which fill up; 0: none do
	top     int     // the largest neighbour, when it is not 0
	say     func(value string) lesson.Node
	all     []string // when these are all there is to choose from
	calm    ms       // an instant at which nothing may happen, or 0
}

// mistake is a mistaken idea: a kitchen that would be as it says.
type mistake struct {
	kitchen kitchen
	because string
	see     string
}

// The number of choices of a question.
const (
	fewest = 3
	most   = 4
)

// choices are the right answer and those of the mistakes, in their order; nil
// when there are too few.
func (a asked) choices(q *lesson.Question, r *run.Run, d *dice) []lesson.Option {
	right, err := q.Value(r)
	if err != nil {
		return nil
	}
	others := a.others(q, r, right, d)
	chosen := picked(others, right, d)
	if a.all != nil {
		chosen = others
	}
	chosen = append(chosen, lesson.Option{Value: right})
	if len(chosen) < fewest {
		return nil
	}
	if _, number := isNumber(right); number || a.all != nil {
		slices.SortFunc(chosen, inOrder)
	} else {
		chosen = shuffled(d, chosen)
	}
	for i := range chosen {
		chosen[i].Say = a.say(chosen[i].Value)
	}
	return chosen
}

// others are all wrong answers that there are, those of the mistakes before
// those that are only beside the right one.
func (a asked) others(q *lesson.Question, r *run.Run, right string, d *dice) []lesson.Option {
	known := map[string]bool{right: true}
	var all []lesson.Option
	add := func(o lesson.Option) {
		if !known[o.Value] && (a.all == nil || slices.Contains(a.all, o.Value)) {
			known[o.Value] = true
			all = append(all, o)
		}
	}
	for _, m := range shuffled(d, a.wrong) {
		if value, ok := m.value(q); ok {
			o := lesson.Option{Value: value, Because: paragraph(m.because), See: moment(r, m.see)}
			if o.See == nil {
				o.See = q.See
			}
			add(o)
		}
	}
	beside := func(value string) {
		add(lesson.Option{Value: value, Because: paragraph("Follow it once more, event by event."), See: q.See})
	}
	for _, value := range a.all {
		beside(value)
	}
	if n, number := isNumber(right); number && a.near > 0 {
		for _, steps := range []float64{1, -1, 2, -2, 3, -3} {
			if v := n + steps*a.near; v > -1e-9 && (a.top == 0 || v <= float64(a.top)) {
				beside(strconv.FormatFloat(rounded(v), 'f', -1, 64))
			}
		}
	}
	return all
}

// picked takes as many of the wrong answers as are shown. Of numbers some are
// smaller than the right one and some larger, and the dice say how many: where
// it stands among them says nothing.
func picked(others []lesson.Option, right string, d *dice) []lesson.Option {
	below := d.below(most)
	n, number := isNumber(right)
	if !number {
		return slices.Clone(others[:min(len(others), most-1)])
	}
	var chosen, left []lesson.Option
	above := most - 1 - below
	for _, o := range others {
		v, _ := isNumber(o.Value)
		side := &above
		if v < n {
			side = &below
		}
		if *side > 0 {
			*side--
			chosen = append(chosen, o)
		} else {
			left = append(left, o)
		}
	}
	for len(chosen) < most-1 && len(left) > 0 {
		chosen, left = append(chosen, left[0]), left[1:]
	}
	return chosen
}

func isNumber(value string) (float64, bool) {
	n, err := strconv.ParseFloat(value, 64)
	return n, err == nil
}

// shuffled puts a list into another order.
func shuffled[T any](d *dice, list []T) []T {
	list = slices.Clone(list)
	for i := len(list) - 1; i > 0; i-- {
		k := d.below(i + 1)
		list[i], list[k] = list[k], list[i]
	}
	return list
}

// value is what the question would come to in a mistaken kitchen.
func (m mistake) value(q *lesson.Question) (string, bool) {
	r, err := m.kitchen.run()
	if err != nil || r == nil {
		return "", false
	}
	value, err := q.Value(r)
	return value, err == nil
}

// rounded takes away what decimal fractions lose on their way; times here are
// whole milliseconds.
func rounded(v float64) float64 {
	n, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'f', 3, 64), 64)
	return n
}

// inOrder puts numbers by their size, and others by the alphabet.
func inOrder(a, b lesson.Option) int {
	x, number := isNumber(a.Value)
	y, _ := isNumber(b.Value)
	if !number {
		return strings.Compare(a.Value, b.Value)
	}
	return cmp.Compare(x, y)
}

// How values are said.
func plainly(value string) lesson.Node { return lesson.Node{Text: value} }

func inSeconds(value string) lesson.Node { return lesson.Node{Text: seconds(value)} }

// byBadge says "cook/2" as the stage does.
func byBadge(value string) lesson.Node {
	number, _ := strconv.Atoi(strings.Trim(value[strings.LastIndex(value, "/")+1:], `"`))
	return lesson.Node{Text: "Cook " + string(rune('A'+number-1))}
}

// inARow says a list of ids.
func inARow(value string) lesson.Node {
	return lesson.Node{Text: strings.ReplaceAll(strings.Trim(value, "[]"), ", ", " · ")}
}
