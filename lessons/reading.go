package lessons

import (
	"strings"
	"unicode"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// prose is one piece of text that is read in one go: a paragraph, a line of a
// list, a cell of a table or a heading.
type prose struct {
	node   lesson.Node
	spoken bool   // it has sentences, as cells and headings have not
	table  string // of a cell: what the whole table says
	aside  bool   // only some see it: what is said of a wrong choice, and hints
}

// text is the piece as one reads it, with a figure as one short word.
func (p *prose) text() string {
	return p.node.Plain(func(*lesson.Node) string { return "1" })
}

// written is what the author wrote as text: code and figures are left out.
func written(n *lesson.Node) string {
	switch {
	case n.Tag == "code":
		return " "
	case n.Text != "":
		return n.Text
	}
	var text strings.Builder
	for i := range n.Kids {
		text.WriteString(written(&n.Kids[i]))
	}
	if n.Run != nil || n.Set != "" || n.Message != "" {
		text.WriteString(" # ")
	}
	return text.String()
}

// wordsOf returns what one reads word by word.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’' && r != '-' && r != '.' && r != '_'
	})
}

// sentencesOf splits a text where a sentence ends: at a full stop, a question
// or an exclamation mark, or a colon, with a space behind it.
func sentencesOf(text string) []string {
	var all []string
	start := 0
	runes := []rune(text)
	for i, r := range runes {
		ends := strings.ContainsRune(".?!:;", r)
		for k := i + 1; ends && k < len(runes) && strings.ContainsRune("\"'”’)*", runes[k]); k++ {
			i = k
		}
		if ends && (i+1 == len(runes) || unicode.IsSpace(runes[i+1])) {
			all = append(all, strings.TrimSpace(string(runes[start:i+1])))
			start = i + 1
		}
	}
	if rest := strings.TrimSpace(string(runes[min(start, len(runes)):])); rest != "" {
		all = append(all, rest)
	}
	return all
}

// syllables counts the syllables of an English word as one can without a
// dictionary: groups of vowels, without an e at the end that is not spoken.
func syllables(word string) int {
	word = strings.ToLower(strings.Trim(word, ".'’-"))
	n, vowel := 0, false
	for _, r := range word {
		is := strings.ContainsRune("aeiouy", r)
		if is && !vowel {
			n++
		}
		vowel = is
	}
	if silent := strings.HasSuffix(word, "e") && !strings.HasSuffix(word, "le"); silent && n > 1 {
		n--
	}
	if strings.HasSuffix(word, "ed") && n > 1 && !strings.HasSuffix(word, "ted") && !strings.HasSuffix(word, "ded") {
		n--
	}
	return max(n, 1)
}

// reading is what a text is measured by.
type reading struct{ words, sentences, syllables int }

func (m *reading) add(text string) {
	for _, s := range sentencesOf(text) {
		words := wordsOf(s)
		if len(words) == 0 {
			continue
		}
		m.sentences++
		m.words += len(words)
		for _, w := range words {
			m.syllables += syllables(w)
		}
	}
}

// grade is the Flesch-Kincaid grade: the school year, from 1, in which one
// reads such a text with ease (Kincaid and others, 1975).
func (m reading) grade() float64 {
	if m.sentences == 0 {
		return 0
	}
	words := float64(m.words)
	return 0.39*words/float64(m.sentences) + 11.8*float64(m.syllables)/words - 15.59
}
