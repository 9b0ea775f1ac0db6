package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// A handler is typed into a text area of the browser, whose letters are not
// seen: the same text lies below it, coloured, in the same places. A key that
// does more than write puts in its text by the browser's own editing command.
// Of the ways there are, that alone leaves the browser's undo whole: after
// setRangeText, Chromium's undo takes back other letters than it should.

// field is the text area over the coloured text.
func (c *code) field() app.UI {
	p := c.page
	text := c.text
	mistake, wrong := p.player.Mistake()
	var lines []app.UI
	painted := p.player.Painted(text)
	for i, spans := range painted {
		bad := wrong && (mistake.Line == i+1 || i == len(painted)-1 && mistake.Line > i+1)
		body := []app.UI{
			el("span").Class("no").Text(i + 1),
			el("span").Class("whos"),
			el("code").Body(colours(spans)...),
		}
		if bad {
			body = append(body, el("em").Class("lint").Text(mistake.Text))
		}
		class := "ln"
		if bad {
			class += " bad"
		}
		lines = append(lines, el("li").Class(class).Body(body...))
	}
	field := el("textarea").Class("typing").ID("typing").Aria("label", "Handler").Aria("describedby", "typing-keys").
		Aria("invalid", strconv.FormatBool(wrong)).Spellcheck(false).Attr("autocapitalize", "off").Attr("autocomplete", "off").
		Attr("autocorrect", "off").Attr("rows", 1).OnInput(c.input).OnChange(c.sealed).OnKeyDown(typeKey)
	if wrong {
		field = field.Aria("errormessage", "mistake")
	}
	return el("div").Class("edit").ID("card").Body(
		el("ol").Class("typed").Aria("hidden", "true").Body(lines...),
		field.Text(c.opened),
	)
}

// typingBar has what the keys do as buttons, for those who have no such keys.
func (c *code) typingBar() app.UI {
	shift := func(id, way, text, key string) app.UI {
		return el("button").Class("btn").Attr("type", "button").ID(id).DataSet("way", way).Title(key).
			On("pointerdown", func(ctx app.Context, e app.Event) {
				e.PreventDefault() // the field keeps the focus, and a phone its keyboard
				ctx.PreventUpdate()
			}).OnClick(c.shift, app.EventScope(id)).Text(text)
	}
	return el("div").Class("typing-bar").Body(
		shift("dedent", player.Dedent, "Outdent", "Ctrl+["),
		shift("indent", player.Indent, "Indent", "Ctrl+]"),
		el("span").Class("lbl").ID("typing-keys").Body(
			el("kbd").Text("Ctrl"), app.Text(" "), el("kbd").Text("]"), app.Text(" and "), el("kbd").Text("["), app.Text(" indent. Tab leads on.")),
	)
}

// mistake says below the field what is wrong, in full.
func (c *code) mistake() app.UI {
	m, wrong := c.page.player.Mistake()
	if !wrong {
		return el("div").ID("mistake").Role("alert")
	}
	return el("div").ID("mistake").Role("alert").Body(
		el("p").Class("errmsg").Body(icon("crash", ""), el("span").Body(mistakeWords(m)...)))
}

// mistakeWords are what is wrong, and what is kept.
func mistakeWords(m player.Mistake) []app.UI {
	text := fmt.Sprintf("Line %d: %s", m.Line, m.Text)
	return []app.UI{el("b").Text(ended(text)), app.Text(" The last good run stays on the stage.")}
}

// ended gives a sentence its end, if it has none.
func ended(text string) string {
	if strings.HasSuffix(text, ":") || strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

func (c *code) toggle(ctx app.Context, _ app.Event) {
	p := c.page
	p.typed = !p.typed
	p.player.Seal()
	if p.typed {
		c.text, c.opened, c.seen = p.player.Handler(), p.player.Handler(), p.player.Handler()
		ctx.Defer(func(app.Context) { p.edge.Focus("typing") })
		return
	}
	ctx.Defer(func(app.Context) { p.edge.Focus("type") })
}

func (c *code) input(ctx app.Context, _ app.Event) {
	c.take(ctx.JSSrc().Get("value").String())
}

// take takes a text that was typed.
func (c *code) take(text string) {
	p := c.page
	c.text = text
	p.player.SetHandler("card typed", text)
	c.seen = p.player.Handler()
	p.remember()
	p.redraw() // the run is computed in frames: typing comes first
}

func (c *code) sealed(app.Context, app.Event) { c.page.player.Seal() }

// shown brings the field up to date when the handler was changed elsewhere: by
// undo, by reset, by another card.
func (c *code) shown(ctx app.Context) {
	c.page.rewrite(ctx)
	if now := c.page.player.Handler(); c.page.typed && now != c.seen {
		c.text, c.seen = now, now
		c.page.edge.Fill("typing", now)
	}
}

// follow is called before the field is rendered, for the same reason.
func (c *code) follow() {
	if now := c.page.player.Handler(); c.page.typed && now != c.seen {
		c.text = now
	}
}

// typeKey does what a key does besides writing. Tab leads out, as everywhere.
func typeKey(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	key := e.Get("key").String()
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() {
		key = map[string]string{"]": player.Indent, "[": player.Dedent}[key]
	}
	if key == "" || e.Get("isComposing").Bool() || e.Get("altKey").Bool() {
		return
	}
	if typeInto(ctx.JSSrc(), key) {
		e.PreventDefault()
	}
}

func (c *code) shift(ctx app.Context, _ app.Event) {
	way := ctx.JSSrc().Get("dataset").Get("way").String()
	field := app.Window().GetElementByID("typing")
	field.Call("focus")
	typeInto(field, way)
	ctx.PreventUpdate() // the field's own event brings the update
}

// typeInto makes a key's change in a field, and reports whether there was one.
func typeInto(field app.Value, key string) bool {
	from, to := field.Get("selectionStart").Int(), field.Get("selectionEnd").Int()
	change, ok := player.Type(field.Get("value").String(), from, to, key)
	if !ok {
		return false
	}
	field.Call("setSelectionRange", change.From, change.To)
	document := app.Window().Get("document")
	switch {
	case change.Insert != "":
		document.Call("execCommand", "insertText", false, change.Insert)
	case change.From != change.To:
		document.Call("execCommand", "delete")
	}
	field.Call("setSelectionRange", change.SelFrom, change.SelTo)
	return true
}
