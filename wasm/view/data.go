package view

import (
	"encoding/json"
	"fmt"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// data is what a page is built with.
type data struct {
	Root   string          `json:"root"`
	Lesson json.RawMessage `json:"lesson"`
}

// Data writes what a page is built with: the way from it to the root of the
// site, such as ../../, and its lesson.
func Data(root string, l *lesson.Lesson) ([]byte, error) {
	text, err := l.EncodeJSON()
	if err != nil {
		return nil, err
	}
	return json.Marshal(data{Root: root, Lesson: text})
}

func readData(text []byte) (root string, l *lesson.Lesson, err error) {
	var d data
	if err := json.Unmarshal(text, &d); err != nil {
		return "", nil, fmt.Errorf("what it was built with cannot be read: %w", err)
	}
	l, err = lesson.DecodeJSON(d.Lesson)
	return d.Root, l, err
}
