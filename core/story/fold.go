package story

import (
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// Fold tells neighbours among sentences that say the same of different
// messages at one instant, as it is shown, as one: shop sends 101, 102 ... 106 to orders. Each
// message that is named keeps its reference.
func (s *Story) Fold(told []Sentence) []Sentence {
	var folded []Sentence
	for i := 0; i < len(told); {
		n := 1
		for i+n < len(told) && alike(&told[i], &told[i+n]) {
			n++
		}
		if n == 1 {
			folded = append(folded, told[i])
		} else {
			folded = append(folded, s.together(told[i:i+n]))
		}
		i += n
	}
	return folded
}

// alike reports whether two sentences differ in one message only, which is
// what is sent somewhere: of a subject the verb would have to change as well.
func alike(a, b *Sentence) bool {
	if a.At/event.Millisecond != b.At/event.Millisecond || a.Kind != b.Kind || len(a.Parts) != 3 || len(b.Parts) != 3 {
		return false
	}
	if a.Parts[0] != b.Parts[0] || a.Parts[2] != b.Parts[2] || a.Parts[1].Strong != b.Parts[1].Strong {
		return false
	}
	after := a.Parts[2].Text
	return a.Parts[1].Message >= 0 && b.Parts[1].Message >= 0 && strings.HasPrefix(after, " to ") && !strings.Contains(after, ". ")
}

func (s *Story) together(told []Sentence) Sentence {
	one := told[0]
	before, after := one.Parts[0], one.Parts[2]
	if noun := s.words.Message + " "; strings.HasSuffix(before.Text, noun) {
		before.Text = strings.TrimSuffix(before.Text, noun) + s.words.Things + " "
	}
	parts := []Part{before}
	join := func(text string) {
		parts = append(parts, Part{Text: text, Message: event.NoMessage, Worker: event.NoWorker, Strong: before.Strong})
	}
	last := len(told) - 1
	whole := s.inARow(told)
	if !whole && last < 6 {
		for i := range told[:last] {
			if i > 0 {
				join(", ")
			}
			parts = append(parts, told[i].Parts[1])
		}
		join(" and ")
		parts = append(parts, told[last].Parts[1])
	} else {
		parts = append(parts, told[0].Parts[1])
		join(", ")
		parts = append(parts, told[1].Parts[1])
		join(" ... ")
		parts = append(parts, told[last].Parts[1])
	}
	if !whole && last >= 6 {
		join(" (" + strconv.Itoa(len(told)) + ")")
	}
	one.Parts = append(parts, after)
	return one
}

// inARow reports whether the ids of four or more messages count up by one, so
// that the first and the last say all of them.
func (s *Story) inARow(told []Sentence) bool {
	for i := 1; i < len(told); i++ {
		a, b := s.log.MessageID(told[i-1].Parts[1].Message), s.log.MessageID(told[i].Parts[1].Message)
		if a.Text != "" || b.Text != "" || b.Number != a.Number+1 {
			return false
		}
	}
	return len(told) > 3
}
