package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// el is an element by its tag. go-app has a type for each tag as well; every
// one of them that is used adds some 20 KB to the program.
func el(tag string) app.HTMLElem { return app.Elem(tag) }

const svg = "http://www.w3.org/2000/svg"

// icon is a glyph of web/sprite.svg. size is "", "s" or "l". It is made of
// elements and not of markup: another glyph in its place is one attribute.
func icon(name, size string) app.UI {
	class := "gl"
	if size != "" {
		class += " " + size
	}
	return el("svg").XMLNS(svg).Class(class).Attr("aria-hidden", "true").
		Body(el("use").XMLNS(svg).Attr("href", "#g-"+name))
}

// chip is a ticket in a line of text.
func chip(c player.Chip) app.UI {
	return el("span").Class("chip", "hue"+strconv.Itoa(c.Hue), "pat"+strconv.Itoa(c.Pattern)).
		Body(el("i"), app.Text(c.Number))
}

// share is the class that carries a part of a whole, 0 to 100.
func share(n int) string { return "n" + strconv.Itoa(max(0, min(n, 100))) }

// sentence is a sentence of the transcript with its tickets drawn in.
func sentence(parts []player.Part) []app.UI {
	var all []app.UI
	for _, p := range parts {
		switch {
		case p.Chip != nil:
			all = append(all, chip(*p.Chip))
		case p.Strong:
			all = append(all, el("b").Text(p.Text))
		default:
			all = append(all, app.Text(p.Text))
		}
	}
	return all
}

// clicked returns the value of the attribute data-name of the element that an
// event happened in, looking upwards; "" when there is none.
func clicked(e app.Event, name string) string {
	target := e.Get("target")
	if !target.Truthy() {
		return ""
	}
	found := target.Call("closest", "[data-"+name+"]")
	if !found.Truthy() || found.Get("ariaDisabled").String() == "true" {
		return ""
	}
	return found.Call("getAttribute", "data-"+name).String()
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
