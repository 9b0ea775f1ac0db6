package view

import (
	escape "html"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// Glyphs, tickets and sentences are written as markup and not as elements:
// they have no life of their own, there are hundreds of them on a page, and each
// element and attribute would be a call into the browser.

// markup is HTML that grows.
type markup struct{ strings.Builder }

// text adds what is no markup.
func (m *markup) text(s string) { m.WriteString(escape.EscapeString(s)) }

// wrapped adds an element. attributes are written as they are.
func (m *markup) wrapped(tag, attributes string, inside func()) {
	m.WriteString("<" + tag)
	if attributes != "" {
		m.WriteString(" " + attributes)
	}
	m.WriteByte('>')
	inside()
	m.WriteString("</" + tag + ">")
}

func (m *markup) icon(name, size string) {
	class := "gl"
	if size != "" {
		class += " " + size
	}
	m.wrapped("svg", `class="`+class+`" aria-hidden="true"`, func() {
		m.WriteString(`<use href="#g-` + escape.EscapeString(name) + `"></use>`)
	})
}

func (m *markup) chip(c player.Chip) {
	m.wrapped("span", `class="chip hue`+strconv.Itoa(c.Hue)+` pat`+strconv.Itoa(c.Pattern)+`"`, func() {
		m.WriteString("<i></i>")
		m.text(c.Number)
	})
}

func (m *markup) time(clock string) { m.wrapped("time", "", func() { m.text(clock) }) }

// glyph is the picture before a sentence, or the room for one.
func (m *markup) glyph(r player.Row) {
	m.wrapped("span", `class="ic `+escape.EscapeString(r.Tone)+`"`, func() {
		if r.Glyph != "" {
			m.icon(r.Glyph, "s")
		}
	})
}

// sentence is a sentence of the transcript with its tickets drawn in.
func (m *markup) sentence(parts []player.Part) {
	m.wrapped("span", "", func() {
		for _, p := range parts {
			switch {
			case p.Chip != nil:
				m.chip(*p.Chip)
			case p.Strong:
				m.wrapped("b", "", func() { m.text(p.Text) })
			default:
				m.text(p.Text)
			}
		}
	})
}

// told is a row as it stands in a transcript.
func (m *markup) told(r player.Row) {
	m.time(r.Clock)
	m.glyph(r)
	m.sentence(r.Parts)
}

// made returns the markup that write adds, as one element.
func made(write func(m *markup)) app.UI {
	var m markup
	write(&m)
	return app.Raw(m.String())
}

// icon is a glyph of web/sprite.svg. size is "", "s" or "l".
func icon(name, size string) app.UI {
	return made(func(m *markup) { m.icon(name, size) })
}

// chip is a ticket in a line of text.
func chip(c player.Chip) app.UI {
	return made(func(m *markup) { m.chip(c) })
}

// sentence is a sentence of the transcript with its tickets drawn in.
func sentence(parts []player.Part) app.UI {
	return made(func(m *markup) { m.sentence(parts) })
}

// told is a row as it stands in a transcript: its time, its glyph and what is
// said.
func told(r player.Row) []app.UI {
	return []app.UI{
		made(func(m *markup) { m.time(r.Clock) }),
		made(func(m *markup) { m.glyph(r) }),
		sentence(r.Parts),
	}
}

// timed adds a sentence with its time as an item of a list.
func (m *markup) timed(clock string, parts []player.Part) {
	m.wrapped("li", "", func() {
		if clock != "" {
			m.time(clock)
			m.WriteByte(' ')
		}
		m.sentence(parts)
	})
}

// inOrder is a list of sentences with their times.
func inOrder(rows []player.Row) app.UI {
	return made(func(m *markup) {
		m.wrapped("ol", "", func() {
			for _, row := range rows {
				m.timed(row.Clock, row.Parts)
			}
		})
	})
}
