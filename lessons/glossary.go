package lessons

import (
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// GlossaryFile is the name of the glossary, in the folder of the lessons.
const GlossaryFile = "GLOSSARY.md"

// Word is an entry of the glossary.
type Word struct {
	Word    string
	Anchor  string // by which links name it
	Meaning lesson.Node
}

// ReadGlossary reads a glossary: ## and a word, then what it means, in the
// order of the alphabet. What stands before the first word is left out.
func ReadGlossary(source []byte) ([]Word, scenario.Problems) {
	r := &reader{source: source, lesson: &lesson.Lesson{}}
	var words []Word
	seen := map[string]bool{}
	for n := parser.Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		heading, isHeading := n.(*ast.Heading)
		switch {
		case isHeading && heading.Level == 2:
			title := lesson.Node{Kids: r.inlines(heading)}
			w := Word{Word: title.Plain(nil), Meaning: lesson.Node{Tag: "div"}}
			w.Anchor = Anchor(w.Word)
			if seen[w.Anchor] {
				r.problem(r.at(n), "%s stands here twice: keep one", w.Word)
			} else if last := len(words) - 1; last >= 0 && words[last].Anchor > w.Anchor {
				r.problem(r.at(n), "%s comes before %s in the alphabet: move it up", w.Word, words[last].Word)
			}
			seen[w.Anchor] = true
			words = append(words, w)
		case len(words) > 0:
			last := &words[len(words)-1].Meaning
			last.Kids = append(last.Kids, r.block(n)...)
		}
	}
	for _, w := range words {
		if len(w.Meaning.Kids) == 0 {
			r.problem(place{1, 1}, "%s has no meaning: write one to three sentences below it", w.Word)
		}
	}
	return words, r.problems
}

// Anchor is the name by which a link leads to a heading: its words in small
// letters with hyphens between them, as hosts of code make it.
func Anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// anchors are those of a lesson's steps; a title that is there again is
// numbered.
func anchors(l *lesson.Lesson) []string {
	var all []string
	for i := range l.Steps {
		anchor := Anchor(l.Steps[i].Title)
		for n, base := 1, anchor; slices.Contains(all, anchor); n++ {
			anchor = base + "-" + itoa(n)
		}
		all = append(all, anchor)
	}
	return all
}
