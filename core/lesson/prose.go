package lesson

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/outcome"
)

// Node is a piece of prose: an element with what is in it, or a text, or one
// of the things that only lessons have.
type Node struct {
	Tag  string `json:"tag,omitempty"` // of Tags; "" for a text and for the last three
	Text string `json:"text,omitempty"`
	Href string `json:"href,omitempty"` // of a link and of an image
	Alt  string `json:"alt,omitempty"`  // of an image
	Kids []Node `json:"kids,omitempty"`

	Set     string  `json:"set,omitempty"` // the path of a setting: a number that can be dragged
	As      string  `json:"as,omitempty"`  // how that number is written, as in Figure
	Run     *Figure `json:"run,omitempty"` // what a run gives
	Message string  `json:"message,omitempty"`
}

// Tags are the elements that prose is made of. The first is a group without a
// meaning of its own.
var Tags = []string{
	"div", "p", "h3", "h4", "ul", "ol", "li", "blockquote", "pre", "table", "thead", "tbody", "tr", "th", "td", "hr",
	"code", "em", "strong", "a", "img", "br",
}

// Known reports whether the node is one that prose can have.
func (n *Node) Known() bool { return n.Tag == "" || slices.Contains(Tags, n.Tag) }

// Plain returns the text of the node without its elements; figures are asked
// of show, which may be nil.
func (n *Node) Plain(show func(*Node) string) string {
	if n.Text != "" || n.Message != "" {
		return n.Text + n.Message
	}
	if (n.Run != nil || n.Set != "") && show != nil {
		return show(n)
	}
	var text strings.Builder
	for i := range n.Kids {
		text.WriteString(n.Kids[i].Plain(show))
	}
	return text.String()
}

// Figure is a number, or another value, that a run gives.
type Figure struct {
	Scenario string `json:"scenario"`
	Of       string `json:"of"`             // an expression over the outcome
	As       string `json:"as,omitempty"`   // of Forms
	Live     bool   `json:"live,omitempty"` // of the run as the reader has changed it
}

// Forms are how a figure can be written, besides "email, emails", which puts
// one or the other word after it. Without a form, whole numbers stand as they
// are and others have at most two places.
var Forms = []string{"words", "seconds", "percent"}

// CutForm splits "EXPRESSION as FORM". A text without a form is returned as it
// is.
func CutForm(text string) (of, form string, err error) {
	text = strings.TrimSpace(text)
	i := strings.LastIndex(text, " as ")
	if i < 0 {
		return text, "", nil
	}
	form = strings.TrimSpace(text[i+len(" as "):])
	if !slices.Contains(Forms, form) && !strings.Contains(form, ",") {
		return "", "", fmt.Errorf("a figure cannot be written as %s: %s, and two words such as email, emails", form, suggest(form, Forms))
	}
	return strings.TrimSpace(text[:i]), form, nil
}

// Counted writes a number with the word that follows it: the first of
// "email, emails" after 1, and the second after any other.
func Counted(number, nouns string) string {
	one, many, _ := strings.Cut(nouns, ",")
	if number == "1" {
		return number + noBreak + strings.TrimSpace(one)
	}
	return number + noBreak + strings.TrimSpace(many)
}

// ParseFigure reads what stands in {{run ...}} and {{live ...}} after the first
// word: a scenario's id, an expression and, after "as", a form.
func ParseFigure(text string) (*Figure, error) {
	id, of, _ := strings.Cut(strings.TrimSpace(text), " ")
	expression, form, err := CutForm(of)
	if err != nil {
		return nil, err
	}
	f := &Figure{Scenario: id, Of: expression, As: form}
	if f.Of == "" {
		return nil, fmt.Errorf("%q names no scenario or no expression: write {{run crash lost}}, the scenario's id first", text)
	}
	return f, outcome.Check(f.Of)
}

// Text evaluates the figure over a run and writes it.
func (f *Figure) Text(o *outcome.Outcome) (string, error) {
	v, err := o.Eval(f.Of)
	if err != nil {
		return "", err
	}
	return write(v, f.As), nil
}

// noBreak is the space between a number and its unit.
const noBreak = "\u00a0"

// write writes a value as a form says. A form that does not fit is left out.
func write(v starlark.Value, form string) string {
	n, isNumber := starlark.AsFloat(v)
	switch {
	case isNumber && form == "seconds":
		return places(n) + noBreak + "s"
	case isNumber && form == "percent":
		return places(100*n) + noBreak + "%"
	case isNumber && form == "words":
		return inWords(n)
	case isNumber && strings.Contains(form, ","):
		return Counted(places(n), form)
	case isNumber:
		return places(n)
	}
	switch v := v.(type) {
	case starlark.String:
		return string(v)
	case starlark.Bool:
		return map[bool]string{true: "yes", false: "no"}[bool(v)]
	case *starlark.List:
		var parts []string
		for i := range v.Len() {
			parts = append(parts, write(v.Index(i), form))
		}
		return listed(parts, "and")
	}
	return v.String()
}

// places writes a number with at most two places after the point.
func places(n float64) string {
	text := strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64)
	if text == "-0" {
		return "0"
	}
	return text
}

var words = []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

func inWords(n float64) string {
	if i := int(n); float64(i) == n && i >= 0 && i < len(words) {
		return words[i]
	}
	return places(n)
}
