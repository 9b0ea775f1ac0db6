package site

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/practice"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// practice writes the page for practice. It holds the first question of all,
// with its answer: the program draws the others.
func (b *builder) practice() error {
	q, err := practice.Draw(practice.Place{Seed: 1, Level: 1, N: 1})
	if err != nil {
		return fmt.Errorf("practice: %w", err)
	}
	text, err := b.render("practice/index.html", view.Built{Kind: view.PracticePage, Course: &view.Course{}, Lesson: q.Lesson}, page{
		Title:       "Practice - Ticketrail",
		Description: "A fresh kitchen each time, one question, and the run that decides. It gets harder as you get better.",
	})
	if err != nil {
		return fmt.Errorf("practice/index.html: %w", err)
	}
	return b.write("practice/index.html", text)
}
