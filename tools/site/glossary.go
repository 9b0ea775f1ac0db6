package site

import (
	"html/template"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// glossed is a word of the glossary page.
type glossed struct {
	Word, Anchor string
	Meaning      template.HTML
	First        *view.Way // where it is used first
}

// letter are the words of one letter.
type letter struct {
	Letter string
	Words  []glossed
}

// glossary returns the words of a shelf for a page at that way from the root,
// each with the lesson that links to it first.
func glossary(shelf *lessons.Shelf, c course, root string) ([]letter, error) {
	first := c.firstUses(shelf)
	var all []letter
	for _, w := range shelf.Words {
		meaning := w.Meaning
		relinked := relinkNode(&meaning, func(href string) string {
			if strings.HasPrefix(href, "#") {
				return href
			}
			if to, err := shelf.Resolve("", href); err == nil && to != (lessons.Target{}) {
				return root + address(to)
			}
			return href
		})
		text, err := tidied(view.Prose(relinked), nil)
		if err != nil {
			return nil, err
		}
		initial := strings.ToUpper(w.Word[:1])
		if len(all) == 0 || all[len(all)-1].Letter != initial {
			all = append(all, letter{Letter: initial})
		}
		last := &all[len(all)-1]
		last.Words = append(last.Words, glossed{Word: w.Word, Anchor: w.Anchor, Meaning: template.HTML(text), First: first[w.Anchor]})
	}
	return all, nil
}

// relinkNode returns a copy of a piece of prose with other links.
func relinkNode(n *lesson.Node, to func(string) string) *lesson.Node {
	own := *n
	if own.Tag == "a" {
		own.Href = to(own.Href)
	}
	own.Kids = nil
	for i := range n.Kids {
		own.Kids = append(own.Kids, *relinkNode(&n.Kids[i], to))
	}
	return &own
}

// firstUses returns where each word, by its anchor, is linked to first.
func (c course) firstUses(shelf *lessons.Shelf) map[string]*view.Way {
	first := map[string]*view.Way{}
	for _, l := range c {
		l.EachNode(func(n *lesson.Node) {
			if n.Tag != "a" {
				return
			}
			to, err := shelf.Resolve(l.Slug, n.Href)
			if err == nil && to.Glossary && first[to.Word] == nil {
				first[to.Word] = way(l)
			}
		})
	}
	return first
}
