package site

import (
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// Live is a site that is written again as its lessons change.
type Live struct{ b *builder }

// NewLive begins the site of a folder of lessons in dir, around a kit.
func NewLive(dir, folder string, kit *Kit) (*Live, error) {
	b := &builder{dir: dir, folder: folder, kit: kit, last: map[string]*lesson.Lesson{}, drawn: map[string]string{}}
	return &Live{b}, b.shared()
}

// Update writes the pages that have changed. Of a lesson with mistakes there is
// the page as it was before them, if there was one.
func (l *Live) Update() error {
	shelf, err := lessons.OpenShelf(l.b.folder)
	if err != nil {
		return err
	}
	all, err := openAll(shelf, func(slug string, _ *lessons.Faults) (*lesson.Lesson, error) { return l.b.last[slug], nil })
	if err != nil {
		return err
	}
	for _, one := range all {
		l.b.last[one.Slug] = one
		shelf.Put(one) // links lead into what is shown, not into what cannot be read
	}
	return l.b.pages(shelf, all.ordered(shelf.Course()))
}

// live reports whether the site is written again as its lessons change.
func (b *builder) live() bool { return b.last != nil }

// same reports whether a page of a Live site was drawn from the same before.
func (b *builder) same(name string, built view.Built) bool {
	if b.drawn == nil {
		return false
	}
	encoded, err := built.Encode()
	if err != nil {
		return false
	}
	was := b.drawn[name]
	b.drawn[name] = string(encoded)
	return was == string(encoded)
}
