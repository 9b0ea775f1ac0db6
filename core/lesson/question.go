package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Form is how a question is answered.
type Form string

// The forms. What Answer says in each is said at Question.
const (
	Choice  Form = "choice"  // one of several
	Several Form = "several" // all that are right
	Number  Form = "number"  // a number, with its unit
	Order   Form = "order"   // messages in their order
	Message Form = "message" // one message
	Line    Form = "line"    // one line of a handler
	Draw    Form = "draw"    // a count over time
)

// FormsOfQuestions are all of them.
var FormsOfQuestions = []string{string(Choice), string(Several), string(Number), string(Order), string(Message), string(Line), string(Draw)}

// Question asks for something that a run decides. Its Answer says how to find
// it there, never what it is:
//
//	choice   an expression over the outcome that equals the value of one
//	         choice; or: time, line, message or worker at MOMENT; or "" when
//	         each choice says by Is whether it is right
//	several  an expression that gives a list with the values of the right ones,
//	         or "" as with choice
//	number   an expression that gives a number, or: time at MOMENT
//	order    an expression that gives a list of ids; or: order of KIND, by the
//	         first event of that kind of each message, where messages of one
//	         instant may stand in any order
//	message  an expression that gives an id, or a list of ids of which each is
//	         right; or: message at MOMENT
//	line     line at MOMENT: the line of the handler at which the worker of the
//	         event is
//	draw     curve of COUNT: waiting, in_flight, delayed, dead, acked, accepted
//	         or effects
//
// A quiz question without a scenario is about no run: there the right choices
// are marked, a number is stated, and an order is that of the choices.
type Question struct {
	ID       string `json:"id"`
	Predict  bool   `json:"predict,omitempty"` // asked before the run; otherwise a quiz question
	Form     Form   `json:"form"`
	Ask      Node   `json:"ask"`
	Scenario string `json:"scenario,omitempty"`
	Answer   string `json:"answer,omitempty"`

	Choices []Option `json:"choices,omitempty"`
	Kept    bool     `json:"kept,omitempty"` // choices stay in their order

	Stated    float64 `json:"stated,omitempty"` // the number, without a scenario
	Unit      string  `json:"unit,omitempty"`
	Tolerance string  `json:"tolerance,omitempty"` // 0.1, or 10%
	From      float64 `json:"from,omitempty"`      // bounds of what can be given,
	To        float64 `json:"to,omitempty"`        // when To is not 0

	Why *Node   `json:"why,omitempty"`
	See *Moment `json:"see,omitempty"` // the moment that decides
}

// Option is one of the choices.
type Option struct {
	Say     Node    `json:"say"`
	Value   string  `json:"value,omitempty"`   // as an expression writes it
	Is      string  `json:"is,omitempty"`      // an expression that is True when it is right
	Right   bool    `json:"right,omitempty"`   // without a scenario
	Because *Node   `json:"because,omitempty"` // what is said to one who chose it
	See     *Moment `json:"see,omitempty"`     // what shows that it is wrong
}

// maxOptions bounds the choices of a question.
const maxOptions = 12

// Check reports the first thing that is wrong with a question before any run.
func (q *Question) Check(l *Lesson) error {
	var s *scenario.Scenario
	if q.Scenario != "" {
		if err := l.CheckScenario(q.Scenario); err != nil {
			return err
		}
		s = l.ScenarioOf(q.Scenario)
	}
	switch {
	case !slices.Contains(FormsOfQuestions, string(q.Form)):
		return fmt.Errorf("a question has no form %q: %s", q.Form, suggest(string(q.Form), FormsOfQuestions))
	case s == nil && q.Predict:
		return fmt.Errorf("a prediction needs a scenario: its run gives the answer")
	case len(q.Choices) > maxOptions:
		return fmt.Errorf("%d choices are more than anybody reads: at most %d", len(q.Choices), maxOptions)
	}
	if _, err := q.tolerance(1); err != nil {
		return err
	}
	if err := q.checkChoices(s); err != nil {
		return err
	}
	if s == nil {
		return q.checkStated()
	}
	return q.checkAnswer(s)
}

func (q *Question) hasChoices() bool { return q.Form == Choice || q.Form == Several }

func (q *Question) checkChoices(s *scenario.Scenario) error {
	if !q.hasChoices() {
		if s != nil && len(q.Choices) > 0 {
			return fmt.Errorf("a question of the form %s has no choices: leave them out, or write form: choice", q.Form)
		}
		return nil
	}
	if len(q.Choices) < 2 {
		return fmt.Errorf("a question of the form %s has at least two choices", q.Form)
	}
	for i := range q.Choices {
		if err := q.Choices[i].check(s, q.Answer != "", i+1); err != nil {
			return err
		}
	}
	return nil
}

func (o *Option) check(s *scenario.Scenario, asked bool, n int) error {
	switch {
	case s == nil && o.Is != "":
		return fmt.Errorf("choice %d says by `is` whether it is right, and the question has no scenario: write right: true, or name a scenario", n)
	case s == nil:
		return nil
	case o.Right:
		return fmt.Errorf("choice %d is marked as right, and the question has a scenario: the run says which is right; write the answer as an expression", n)
	case asked && o.Is != "":
		return fmt.Errorf("choice %d has `is`, and the question has an answer: keep one of them", n)
	case asked && o.Value == "":
		return fmt.Errorf("choice %d has no value that the answer could equal: write value: 2", n)
	case !asked && o.Is == "":
		return fmt.Errorf("choice %d says nothing that a run could decide: give the question an answer, or each choice `is`", n)
	case o.Is != "":
		return within(outcome.CheckFor(s, o.Is), "`is` of choice %d", n)
	}
	return within(outcome.CheckFor(s, o.Value), "the value of choice %d", n)
}

func within(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// checkStated is of a question without a scenario.
func (q *Question) checkStated() error {
	right := 0
	for i := range q.Choices {
		if q.Choices[i].Right {
			right++
		}
	}
	switch {
	case q.Answer != "":
		return fmt.Errorf("the answer is an expression, and there is no run for it: name a scenario")
	case q.Form == Choice && right != 1:
		return fmt.Errorf("%d choices are marked as right: mark the one that is, with right: true", right)
	case q.Form == Several && right == 0:
		return fmt.Errorf("no choice is marked as right: mark those that are, with right: true")
	case q.Form == Order && len(q.Choices) < 3:
		return fmt.Errorf("an order needs at least three choices, written in the right order")
	case q.Form == Message || q.Form == Line || q.Form == Draw:
		return fmt.Errorf("a question of the form %s is about a run: name a scenario", q.Form)
	}
	return nil
}

// checkAnswer is of a question with one.
func (q *Question) checkAnswer(s *scenario.Scenario) error {
	if q.hasChoices() && q.Answer == "" {
		return nil
	}
	if q.Answer == "" {
		return fmt.Errorf("the answer is missing: write how the run gives it, such as answer: %s", map[Form]string{
			Number: "ended_at", Order: "order of acked", Message: "message at first crashed",
			Line: "line at first crashed", Draw: "curve of waiting",
		}[q.Form])
	}
	r, ok, err := q.reading()
	switch {
	case err != nil:
		return err
	case ok && !slices.Contains(readings[q.Form], r.what):
		return fmt.Errorf("%q gives no %s: write one such as %s", q.Answer, q.Form, readingExamples[q.Form])
	case ok:
		return nil
	case q.Form == Line || q.Form == Draw:
		return fmt.Errorf("%q gives no %s: write one such as %s", q.Answer, q.Form, readingExamples[q.Form])
	}
	return within(outcome.CheckFor(s, q.Answer), "the answer")
}

// reading is an answer that is read off the log rather than off the outcome.
type reading struct {
	what   string // line, message, time, worker, order, curve
	moment Moment
	kind   event.Kind
	count  string
}

// readings are those that a form of question can have.
var readings = map[Form][]string{
	Choice: {"time", "line", "message", "worker"}, Number: {"time", "line"}, Order: {"order"}, Message: {"message"}, Line: {"line"}, Draw: {"curve"},
}

var readingExamples = map[Form]string{
	Choice: "lost", Several: "finished", Number: "time at first crashed", Order: "order of acked",
	Message: "message at first crashed", Line: "line at first crashed", Draw: "curve of waiting",
}

// reading reads "line at MOMENT", "order of KIND", "curve of COUNT" and so on;
// it is not ok when the answer is an expression instead.
func (q *Question) reading() (r reading, ok bool, err error) {
	what, rest, _ := strings.Cut(strings.TrimSpace(q.Answer), " ")
	link, of, _ := strings.Cut(strings.TrimSpace(rest), " ")
	r.what = what
	switch {
	case link == "at" && (what == "line" || what == "message" || what == "time" || what == "worker"):
		r.moment, err = ParseMoment(of)
	case link == "of" && what == "order":
		r.kind, err = kindNamed(strings.TrimSpace(of))
	case link == "of" && what == "curve":
		r.count = strings.TrimSpace(of)
		if !slices.Contains(Curves, r.count) {
			err = fmt.Errorf("there is no curve of %s: %s", r.count, suggest(r.count, Curves))
		}
	default:
		return reading{}, false, nil
	}
	return r, true, err
}

func kindNamed(name string) (event.Kind, error) {
	p := momentParser{words: []word{{text: name}}}
	k := p.kind()
	return k, p.err
}

// Margin is by how much a number may differ from the right one.
func (q *Question) Margin(right float64) float64 {
	margin, err := q.tolerance(right)
	if err != nil {
		return 0 // Check says so
	}
	return margin
}

// tolerance returns by how much a number may differ from the right one.
func (q *Question) tolerance(right float64) (float64, error) {
	text := strings.TrimSpace(q.Tolerance)
	if text == "" {
		return 0, nil
	}
	digits, percent := strings.CutSuffix(text, "%")
	n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64)
	if err != nil || n < 0 || math.IsInf(n, 0) || math.IsNaN(n) {
		return 0, fmt.Errorf("%q is not a tolerance: write a number such as 0.1, or a share such as 10%%", q.Tolerance)
	}
	if percent {
		return math.Abs(right) * n / 100, nil
	}
	return n, nil
}

// Shuffled returns the choices' indexes in the order in which the page shows
// them: numbers, and choices that are to be kept, as they are written, all
// others as the seed says. The same seed gives the same order.
func (q *Question) Shuffled(seed uint64) []int {
	order := make([]int, len(q.Choices))
	for i := range order {
		order[i] = i
	}
	if q.Kept || q.allNumbers() {
		return order
	}
	return shuffled(order, seed, q.ID)
}

// shuffled puts a list into the order that a seed and a name say.
func shuffled[T any](list []T, seed uint64, name string) []T {
	from, purpose := chance.New(seed), chance.For("shuffle")
	for i := len(list) - 1; i > 0; i-- {
		k := from.Below(uint64(i+1), purpose, chance.Name(name), i)
		list[i], list[k] = list[k], list[i]
	}
	return list
}

func (q *Question) allNumbers() bool {
	for i := range q.Choices {
		if _, err := strconv.ParseFloat(q.Choices[i].Value, 64); err != nil {
			return false
		}
	}
	return len(q.Choices) > 0
}

// Mixed returns what a question of order puts in order, as the seed shuffles
// it and never in the right order: ids of messages, or numbers of choices.
func (q *Question) Mixed(a *Answer, seed uint64) []string {
	var all []string
	for _, group := range a.Order {
		all = append(all, group...)
	}
	slices.Sort(all)
	all = shuffled(all, seed, q.ID)
	for range all {
		if v, err := q.gradeOrder(a, all); err != nil || !v.Right {
			return all
		}
		all = append(all[1:], all[0])
	}
	return all
}
