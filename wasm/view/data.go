package view

import (
	"encoding/json"
	"fmt"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// Kind is what a page is for.
type Kind string

// The kinds.
const (
	LessonPage   Kind = ""
	HomePage     Kind = "home"     // a stage to begin with, and the way to the lessons
	PracticePage Kind = "practice" // questions without end
	SandboxPage  Kind = "sandbox"  // a scenario to be built by hand
	EmbedPage    Kind = "embed"    // a lesson in a frame of another page
)

// Built is what a page is built with.
type Built struct {
	Root   string // from the page to the root of the site, such as ../../
	Kind   Kind
	Course *Course // nil where a lesson stands alone
	Lesson *lesson.Lesson
	Starts []lesson.Scenario // of a sandbox: what to start from, in plain words
	Alone  bool              // of an embedded page: there is no other page, not even the lesson's own
}

// Course is where a lesson stands among the others.
type Course struct {
	Number int   `json:"number,omitempty"` // from 1; 0 for what is no lesson of it
	Of     int   `json:"of,omitempty"`
	Needs  []Way `json:"needs,omitempty"` // the lessons before this one that it builds on
	Back   *Way  `json:"back,omitempty"`
	Next   *Way  `json:"next,omitempty"`
}

// Way leads to another page.
type Way struct {
	Title   string `json:"title"`
	Address string `json:"address"` // from the site's root
}

// data is how it stands in the page.
type data struct {
	Root   string          `json:"root"`
	Kind   Kind            `json:"kind,omitempty"`
	Course *Course         `json:"course,omitempty"`
	Lesson json.RawMessage `json:"lesson"`

	Starts []lesson.Scenario `json:"starts,omitempty"`
	Alone  bool              `json:"alone,omitempty"`
}

// Encode writes what a page is built with, as New reads it.
func (b Built) Encode() ([]byte, error) {
	text, err := b.Lesson.EncodeJSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(data{Root: b.Root, Kind: b.Kind, Course: b.Course, Lesson: text, Starts: b.Starts, Alone: b.Alone})
}

// Data writes it for a lesson that stands alone.
func Data(root string, l *lesson.Lesson) ([]byte, error) {
	return Built{Root: root, Lesson: l}.Encode()
}

func readData(text []byte) (b Built, err error) {
	var d data
	if err := json.Unmarshal(text, &d); err != nil {
		return b, fmt.Errorf("what it was built with cannot be read: %w", err)
	}
	b = Built{Root: d.Root, Kind: d.Kind, Course: d.Course, Starts: d.Starts, Alone: d.Alone}
	b.Lesson, err = lesson.DecodeJSON(d.Lesson)
	if b.Course == nil {
		b.Course = &Course{}
	}
	return b, err
}
