package site

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// course is all lessons in the order in which they are read: that of the
// shelf's course and, for those that it does not name, that of the alphabet.
// Either way a lesson stands after those that it needs.
type course []*lesson.Lesson

// openCourse reads all lessons of a shelf.
func openCourse(shelf *lessons.Shelf) (course, error) {
	all, err := openAll(shelf, func(_ string, faults *lessons.Faults) (*lesson.Lesson, error) { return nil, faults })
	if err != nil {
		return nil, err
	}
	return all.ordered(shelf.Course()), nil
}

// openAll reads the lessons of a shelf in the order of the alphabet. In the
// place of one with faults stands what instead returns, if anything.
func openAll(shelf *lessons.Shelf, instead func(slug string, faults *lessons.Faults) (*lesson.Lesson, error)) (all course, err error) {
	folders, err := lessons.Folders(shelf.Folder)
	if err != nil {
		return nil, err
	}
	for _, folder := range folders {
		l, err := lessons.Open(folder)
		var faults *lessons.Faults
		if errors.As(err, &faults) {
			l, err = instead(filepath.Base(folder), faults)
		}
		if err != nil {
			return nil, err
		}
		if l != nil {
			all = append(all, l)
		}
	}
	return all, nil
}

// ordered puts the lessons into the order of a list of slugs, and each after
// those that it needs.
func (c course) ordered(list []string) course {
	place := func(l *lesson.Lesson) int {
		if i := slices.Index(list, l.Slug); i >= 0 {
			return i
		}
		return len(list)
	}
	left := slices.Clone(c)
	slices.SortStableFunc(left, func(a, b *lesson.Lesson) int { return place(a) - place(b) })
	var all course
	for len(left) > 0 {
		i := slices.IndexFunc(left, func(l *lesson.Lesson) bool {
			return !slices.ContainsFunc(l.Needs, func(slug string) bool { return course(left).find(slug) != nil && slug != l.Slug })
		})
		i = max(i, 0) // lessons that need each other: rail check says so
		all = append(all, left[i])
		left = slices.Delete(left, i, i+1)
	}
	return all
}

// find returns the lesson with that slug, or nil.
func (c course) find(slug string) *lesson.Lesson {
	for _, l := range c {
		if l.Slug == slug {
			return l
		}
	}
	return nil
}

// place says where a lesson stands among the others.
func (c course) place(l *lesson.Lesson) *view.Course {
	i := slices.IndexFunc(c, func(o *lesson.Lesson) bool { return o.Slug == l.Slug })
	v := &view.Course{Number: i + 1, Of: len(c)}
	if i > 0 {
		v.Back = way(c[i-1])
	}
	if i < len(c)-1 {
		v.Next = way(c[i+1])
	}
	for _, slug := range l.Needs {
		if needed := c.find(slug); needed != nil {
			v.Needs = append(v.Needs, *way(needed))
		}
	}
	return v
}

func way(l *lesson.Lesson) *view.Way { return &view.Way{Title: l.Title, Address: pageOf(l.Slug)} }

// level is a part of the course map.
type level struct {
	Name, Words string
	Lessons     []entry
}

// entry is a lesson on the course map.
type entry struct {
	*lesson.Lesson
	Number       int
	Address      string // from the page that the map is on
	Hue, Pattern int
	Before       []entry // those that it needs, without theirs
}

var levels = map[string][2]string{
	"start": {"Start", "Nothing is needed before the first one."},
	"next":  {"Next", "What goes wrong, and what one does about it."},
	"deep":  {"Deep", "Whole systems, other brokers, and the questions that follow."},
}

// levels are the lessons by level, as a page at that way from the root links
// to them.
func (c course) levels(root string) []level {
	entries := map[string]entry{}
	all := make([]level, len(lesson.Levels))
	for i, l := range c {
		e := entry{Lesson: l, Number: i + 1, Address: root + pageOf(l.Slug), Hue: i % 8, Pattern: (i + 3*(i/8)) % 8}
		for _, slug := range l.Needs {
			if before, ok := entries[slug]; ok {
				before.Before = nil
				e.Before = append(e.Before, before)
			}
		}
		entries[l.Slug] = e
		at := &all[max(slices.Index(lesson.Levels, l.Level), 0)]
		at.Lessons = append(at.Lessons, e)
	}
	for i, name := range lesson.Levels {
		all[i].Name, all[i].Words = levels[name][0], levels[name][1]
	}
	return slices.DeleteFunc(all, func(l level) bool { return len(l.Lessons) == 0 })
}

// extent says how many lessons there are and how long they take.
func (c course) extent() string {
	minutes := 0
	for _, l := range c {
		minutes += l.Minutes
	}
	text := fmt.Sprintf("%d minutes", minutes)
	if minutes > 90 {
		text = fmt.Sprintf("%d hours", (minutes+30)/60)
	}
	if len(c) == 1 {
		return "One lesson, about " + text
	}
	return fmt.Sprintf("%s lessons, about %s", counted(len(c)), text)
}

var numerals = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve",
	"Thirteen", "Fourteen", "Fifteen", "Sixteen", "Seventeen", "Eighteen", "Nineteen", "Twenty"}

func counted(n int) string {
	if n < len(numerals) {
		return numerals[n]
	}
	return fmt.Sprint(n)
}
