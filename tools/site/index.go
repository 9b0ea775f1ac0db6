package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
)

// found is an entry of the search's index, as web/search.js reads it: a
// lesson, one of its steps, a word of the glossary, or a page of the guide.
type found struct {
	Kind    string `json:"k"`           // lesson, step, word, guide
	Title   string `json:"t"`           //
	In      string `json:"in"`          // the lesson of a step
	Address string `json:"a"`           // from the site's root
	Says    string `json:"s"`           // its first words
	Words   string `json:"w,omitempty"` // all others, once each
}

// index lists what can be found.
func index(shelf *lessons.Shelf, c course, guide []guideText) ([]byte, error) {
	all := []found{}
	for _, l := range c {
		own := found{Kind: "lesson", Title: l.Title, Address: pageOf(l.Slug), Says: strings.Join(l.Objectives, "; ")}
		for i := range l.Steps {
			text := said(&l.Steps[i])
			if i == 0 { // it has the lesson's title
				own.Words = words(text, own.Says+" "+own.Title)
				all = append(all, own)
				continue
			}
			step := found{Kind: "step", Title: l.Steps[i].Title, In: l.Title, Address: fmt.Sprintf("%s#step-%d", pageOf(l.Slug), i+1), Says: opening(text)}
			step.Words = words(text, step.Title+" "+step.Says)
			all = append(all, step)
		}
	}
	for _, w := range shelf.Words {
		text := plain(&w.Meaning)
		all = append(all, found{Kind: "word", Title: w.Word, Address: "glossary/#" + w.Anchor, Says: opening(text), Words: words(text, w.Word+" "+opening(text))})
	}
	for _, g := range guide {
		entry := found{Kind: "guide", Title: g.title, Address: guideFolder + g.folder, Says: opening(g.lead)}
		entry.Words = words(textOf(g.root, g.source), entry.Title+" "+entry.Says)
		all = append(all, entry)
	}
	return json.Marshal(all)
}

// said is all text of a step: its prose, what is asked, and what a challenge
// is about.
func said(step *lesson.Step) string {
	var parts []string
	add := func(n *lesson.Node) {
		if n != nil {
			parts = append(parts, plain(n))
		}
	}
	for _, b := range step.Blocks {
		add(b.Prose)
		if q := b.Question; q != nil {
			add(&q.Ask)
			for i := range q.Choices {
				add(&q.Choices[i].Say)
			}
			add(q.Why)
		}
		if c := b.Challenge; c != nil {
			add(c.Task)
			add(c.Why)
		}
	}
	return strings.Join(parts, " ")
}

// plain is the text of a piece of prose, with spaces between its paragraphs
// and without its figures.
func plain(n *lesson.Node) string {
	text := n.Text
	for i := range n.Kids {
		text += plain(&n.Kids[i])
		if tag := n.Kids[i].Tag; tag != "" && !slices.Contains([]string{"code", "em", "strong", "a"}, tag) {
			text += " "
		}
	}
	return text
}

// mostSaid bounds what is shown below a title, in characters.
const mostSaid = 120

// opening is how a text begins.
func opening(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	runes := []rune(text)
	if len(runes) <= mostSaid {
		return text
	}
	cut := string(runes[:mostSaid])
	return cut[:max(strings.LastIndex(cut, " "), 0)] + " …"
}

// small are words that nobody looks for.
var small = strings.Fields(`the and for but not are was were has had have his her its that this these those then than them they
	with from into out off over under one two all any can who whom what when where which while will would your you our she him
	it is in on at of to by be as an or so if do no he we us up a i`)

// words are those of a text that are not said already, once each, in the order
// of the alphabet.
func words(text, already string) string {
	known := split(already)
	var all []string
	for _, w := range split(text) {
		if len(w) > 1 && !slices.Contains(small, w) && !slices.Contains(known, w) {
			all = append(all, w)
		}
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), " ")
}

func split(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
}
