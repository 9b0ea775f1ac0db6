package site

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
	"github.com/ticketrail/ticketrail/web"
)

// plainPage is what the template of a page without a program is filled with.
type plainPage struct {
	Title, Description string
	Public             public

	Root                      string // from the page to the site's root, "" at the root
	Way                       string // the same, ./ at the root
	Style, Boot, Icon, Script string
	Index                     string // the search's
	Masthead, Main, Sprite    template.HTML
}

// mapped is what the course map's templates are filled with.
type mapped struct {
	Way    string
	Alone  bool // on a page of its own
	Extent string
	Levels []level
}

// plain writes the pages that need no program: the course map, the glossary,
// the search and the guide.
func (b *builder) plain(shelf *lessons.Shelf, c course) error {
	guide, err := readGuide(b.address)
	if err != nil {
		return err
	}
	text, err := index(shelf, c, guide)
	if err != nil {
		return err
	}
	if err := b.hashed("found.json", text); err != nil {
		return err
	}
	letters, err := glossary(shelf, c, "./../")
	if err != nil {
		return err
	}
	for _, p := range []struct {
		folder, title, description, script string
		template                           string
		data                               any
	}{
		{"lessons/", "Lessons", c.extent() + " on message queues, each with a run to play.", "course.js", "map",
			mapped{Way: "./../", Alone: true, Extent: c.extent(), Levels: c.levels("./../")}},
		{"glossary/", "Glossary", "The words of message queues, in plain sentences.", "", "glossary",
			map[string]any{"Way": "./../", "Letters": letters}},
		{"search/", "Search", "Look for a lesson, a step or a word.", "search.js", "search", map[string]any{"Way": "./../"}},
	} {
		main, err := fragment(p.template, p.data)
		if err != nil {
			return err
		}
		page := plainPage{Title: p.title + " - Ticketrail", Description: p.description, Main: main, Script: b.names[p.script]}
		if p.script == "search.js" {
			page.Index = b.names["found.json"]
		}
		if err := b.plainPage(p.folder, page); err != nil {
			return fmt.Errorf("%s: %w", p.folder, err)
		}
	}
	return b.guide(shelf, guide)
}

// fragment fills one of the templates that make a part of a page.
func fragment(name string, data any) (template.HTML, error) {
	t, err := template.New("").ParseFS(web.Files, "map.html", "glossary.html", "search.html", "guide.html", "embed_panel.html")
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	if err := t.ExecuteTemplate(&out, name, data); err != nil {
		return "", err
	}
	return template.HTML(out.String()), nil
}

// plainPage writes one of them.
func (b *builder) plainPage(folder string, v plainPage) error {
	t, err := template.New("plain.html").ParseFS(web.Files, "plain.html", "public.html")
	if err != nil {
		return err
	}
	sprite, err := web.Files.ReadFile("sprite.svg")
	if err != nil {
		return err
	}
	v.Way = rootFrom(folder)
	masthead, err := tidied(view.Masthead(v.Way, folder), nil)
	if err != nil {
		return err
	}
	v.Root, v.Public = strings.TrimPrefix(v.Way, "./"), b.public(folder+"index.html")
	v.Style, v.Boot, v.Icon = b.names["style.css"], b.names["boot.js"], b.names["icon.svg"]
	v.Masthead, v.Sprite = template.HTML(masthead), template.HTML(sprite)
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return err
	}
	return b.write(folder+"index.html", out.Bytes())
}
