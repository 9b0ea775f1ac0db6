// Package gift writes the quiz of a lesson in the GIFT format, which question
// banks of course systems such as Moodle read. Every answer is computed from its
// run, as on the page.
//
// GIFT knows fewer forms than a lesson: what each becomes is said at Write.
package gift

import (
	"errors"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// ErrForm is the error of a question that GIFT has no form for.
var ErrForm = errors.New("GIFT has no form for it")

// Left is a question that is not in what Write returns, and why.
type Left struct {
	ID  string
	Why error
}

// Write returns the quiz questions of a lesson as GIFT, without its
// predictions, which are not graded. site is the address of a site that has the
// lesson, for a link to it in each question; "" leaves it out.
//
//	choice   multiple choice, with what the page says of each wrong one
//	several  multiple choice with shares that add up to 100 %
//	number   a number with its tolerance
//	order    matching, first to last; where messages come at one instant, their
//	         ids in any right order as a short answer
//	message  multiple choice among the messages, or a short answer when there
//	         are more than twelve
//	line     multiple choice among the lines of the handler
//	draw     none: it is left out
func Write(l *lesson.Lesson, site string) (text []byte, left []Left) {
	w := &writer{lesson: l, session: player.NewSession(l), site: site}
	fmt.Fprintf(&w.out, "// %s\n\n$CATEGORY: $course$/top/Ticketrail/%s\n", oneLine(l.Title), strings.ReplaceAll(oneLine(l.Title), "/", "//"))
	for i := range l.Steps {
		w.session.Go(i)
		for _, b := range l.Steps[i].Blocks {
			if b.Question == nil || b.Question.Predict {
				continue
			}
			if err := w.question(i, b.Question); err != nil {
				left = append(left, Left{b.Question.ID, err})
			}
		}
	}
	return []byte(w.out.String()), left
}

type writer struct {
	lesson  *lesson.Lesson
	session *player.Session
	site    string
	out     strings.Builder
}

func (w *writer) question(step int, q *lesson.Question) error {
	answer, err := w.session.Settled(q)
	if err != nil {
		return err
	}
	answers, hint, err := w.answers(q, answer)
	if err != nil {
		return err
	}
	ask := w.html(&q.Ask)
	if hint != "" {
		ask += "<p>" + html.EscapeString(hint) + "</p>"
	}
	ask += w.given(step, q)
	fmt.Fprintf(&w.out, "\n::%s %s::[html]%s {\n", escaped(w.lesson.Slug), escaped(q.ID), escaped(ask))
	for _, line := range answers {
		w.out.WriteString("  " + line + "\n")
	}
	if q.Why != nil {
		w.out.WriteString("  ####" + escaped(w.html(q.Why)) + "\n")
	}
	w.out.WriteString("}\n")
	return nil
}

// given is what a question is about: the scenario of its run, and where one
// can watch it.
func (w *writer) given(step int, q *lesson.Question) string {
	var text strings.Builder
	if q.Scenario != "" {
		s := *w.lesson.ScenarioOf(q.Scenario)
		s.Expect = nil // it may tell the answer
		text.WriteString("<pre>" + html.EscapeString(strings.TrimSpace(string(scenarioyaml.Encode(&s)))) + "</pre>")
	}
	if w.site != "" {
		address := fmt.Sprintf("%s/lessons/%s/#step-%d", strings.TrimSuffix(w.site, "/"), w.lesson.Slug, step+1)
		fmt.Fprintf(&text, `<p><a href="%s">%s</a></p>`, html.EscapeString(address), html.EscapeString(w.lesson.Title))
	}
	return text.String()
}

// answers are the lines between the braces, and what has to be said beforehand
// about how to answer.
func (w *writer) answers(q *lesson.Question, a *lesson.Answer) (lines []string, hint string, err error) {
	switch q.Form {
	case lesson.Choice:
		return w.choices(q, func(i int) string { return sign(a.Right[i]) }), "", nil
	case lesson.Several:
		return w.choices(q, func(i int) string { return share(a.Right, i) }), "More than one may be right.", nil
	case lesson.Number:
		margin := q.Margin(a.Number)
		line := "#" + number(a.Number) + ":" + number(margin)
		if q.Unit == "" {
			return []string{line}, "", nil
		}
		return []string{line}, "Answer in " + q.Unit + ".", nil
	case lesson.Order:
		return w.order(q, a)
	case lesson.Message:
		return w.message(q, a)
	case lesson.Line:
		for _, line := range w.session.HandlerOf(q) {
			if !line.Comment && line.Text != "" {
				lines = append(lines, sign(line.Number == a.Line)+escaped("<code>"+html.EscapeString(fmt.Sprintf("%d  %s", line.Number, line.Text))+"</code>"))
			}
		}
		return lines, "", nil
	}
	return nil, "", fmt.Errorf("%w: a question of the form %s", ErrForm, q.Form)
}

func (w *writer) choices(q *lesson.Question, sign func(int) string) []string {
	var lines []string
	for i := range q.Choices {
		line := sign(i) + escaped(w.html(&q.Choices[i].Say))
		if because := q.Choices[i].Because; because != nil {
			line += "#" + escaped(w.html(because))
		}
		lines = append(lines, line)
	}
	return lines
}

// sign is what stands before an answer.
func sign(right bool) string {
	if right {
		return "="
	}
	return "~"
}

// share is the sign of one of several answers: the right ones share 100 %, and
// each wrong one takes all of it away.
func share(right []bool, i int) string {
	if !right[i] {
		return "~%-100%"
	}
	count := 0
	for _, r := range right {
		if r {
			count++
		}
	}
	const places = 5 // as Moodle writes its own shares: 33.33333
	shared := strings.TrimRight(strings.TrimRight(strconv.FormatFloat(100/float64(count), 'f', places, 64), "0"), ".")
	if count == 1 {
		shared = "100"
	}
	return "~%" + shared + "%"
}

const (
	mostMessages = 12 // among which one chooses
	mostOrders   = 24 // of a short answer
	fewestPairs  = 3  // that can be matched
)

func (w *writer) order(q *lesson.Question, a *lesson.Answer) (lines []string, hint string, err error) {
	if orders := orders(a.Order); len(orders) > 1 || len(a.Order) < fewestPairs {
		if q.Scenario == "" || len(orders) > mostOrders {
			return nil, "", fmt.Errorf("%w: an order of which so many are right", ErrForm)
		}
		for _, ids := range orders {
			lines = append(lines, "="+escaped(strings.Join(ids, " ")))
		}
		return lines, "Write the numbers in their order, with spaces between them.", nil
	}
	for i, group := range a.Order {
		said := html.EscapeString(group[0])
		if q.Scenario == "" {
			n, _ := strconv.Atoi(group[0])
			said = oneLine(q.Choices[n].Say.Plain(nil))
		}
		lines = append(lines, fmt.Sprintf("=%d. -> %s", i+1, escaped(said)))
	}
	return lines, "", nil
}

// orders are all orders in which those of one group may stand in any; when they
// are too many, more than can be said.
func orders(groups [][]string) [][]string {
	all := [][]string{nil}
	for _, group := range groups {
		var next [][]string
		for _, before := range all {
			for _, some := range permutations(group) {
				next = append(next, slices.Concat(before, some))
			}
			if len(next) > mostOrders {
				return next
			}
		}
		all = next
	}
	return all
}

func permutations(of []string) [][]string {
	if len(of) <= 1 {
		return [][]string{of}
	}
	var all [][]string
	for i := range of {
		rest := slices.Delete(slices.Clone(of), i, i+1)
		for _, p := range permutations(rest) {
			all = append(all, append([]string{of[i]}, p...))
			if len(all) > mostOrders {
				return all
			}
		}
	}
	return all
}

func (w *writer) message(q *lesson.Question, a *lesson.Answer) (lines []string, hint string, err error) {
	chips := w.session.Messages(q)
	if len(chips) > mostMessages {
		for _, id := range a.Any {
			lines = append(lines, "="+escaped(id))
		}
		return lines, "Write the message's number.", nil
	}
	for _, c := range chips {
		lines = append(lines, sign(slices.Contains(a.Any, c.Number))+escaped(html.EscapeString(c.Number)))
	}
	return lines, "", nil
}

// html writes a piece of prose, of the elements that course systems keep.
func (w *writer) html(n *lesson.Node) string {
	var out strings.Builder
	w.write(&out, n)
	return out.String()
}

func (w *writer) write(out *strings.Builder, n *lesson.Node) {
	switch {
	case n.Set != "":
		out.WriteString("<b>" + html.EscapeString(w.setting(n)) + "</b>")
		return
	case n.Run != nil:
		out.WriteString("<b>" + html.EscapeString(w.session.Figure(n.Run)) + "</b>")
		return
	case n.Message != "":
		out.WriteString("<b>" + html.EscapeString(n.Message) + "</b>")
		return
	case n.Tag == "img": // its file stays with the lesson
		out.WriteString(html.EscapeString(n.Alt))
		return
	}
	kept := n.Tag != "" && n.Tag != "div" && n.Tag != "a"
	if kept {
		out.WriteString("<" + n.Tag + ">")
	}
	out.WriteString(html.EscapeString(n.Text))
	for i := range n.Kids {
		w.write(out, &n.Kids[i])
	}
	if kept && n.Tag != "br" && n.Tag != "hr" {
		out.WriteString("</" + n.Tag + ">")
	}
}

// setting is the value of a setting that prose names.
func (w *writer) setting(n *lesson.Node) string {
	for _, s := range scenario.Paths(w.session.Player().Original()) {
		if s.Path == n.Set {
			return s.Value
		}
	}
	return n.Set
}

// escaped makes a text one that GIFT takes as it is, on one line.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		switch r {
		case '\\', '~', '=', '#', '{', '}', ':':
			out.WriteByte('\\')
			out.WriteRune(r)
		case '\n':
			out.WriteString("\\n")
		case '\r':
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
