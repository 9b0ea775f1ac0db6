package view

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// settings are the values of the scenario that a reader can change: those that
// the stage unlocks as controls, all others as fields by their paths.
type settings struct {
	page *Page

	wrong string // the path of the field whose text was refused, or ""
}

func (p *Page) settingsKey() string {
	return fmt.Sprint(p.session.Step(), p.player.Revision(), p.player.UndoLabel(), p.player.RedoLabel(), p.folds["all-settings"])
}

func (c *settings) render() app.UI {
	p := c.page.player
	var body []app.UI
	group := ""
	for _, s := range p.Settings() {
		if s.Locked {
			continue
		}
		if s.Group != group {
			group = s.Group
			body = append(body, el("h3").Text(group))
		}
		body = append(body, c.knob(s))
	}
	body = append(body, c.all(), el("div").Class("undo").Body(
		c.action("undo", "Undo", p.UndoLabel(), c.page.undo),
		c.action("redo", "Redo", p.RedoLabel(), c.page.redo),
		c.action("reset", "All as it was", "", c.page.reset),
		c.page.toSandbox(),
	))
	return c.page.fold("settings", p.Words().In("Kitchen settings"),
		el("section").Class("knobs").Aria("label", "Settings").Body(body...))
}

// action is a button below the settings; what says what it would act on.
func (c *settings) action(id, label, what string, do func()) app.UI {
	body := []app.UI{el("span").Text(label)}
	if what != "" {
		body[0] = el("span").Text(label + ": ")
		body = append(body, el("span").Class("what").Text(what))
	}
	b := el("button").Class("btn text").Attr("type", "button").ID(id).OnClick(func(ctx app.Context, _ app.Event) {
		if !c.can(id) {
			ctx.PreventUpdate()
			return
		}
		do()
	}, app.EventScope(id)).Body(body...)
	if !c.can(id) {
		b = b.Aria("disabled", "true") // not disabled: it may have the focus
	}
	return b
}

func (c *settings) can(id string) bool {
	if id == "redo" {
		return c.page.player.CanRedo()
	}
	return c.page.player.CanUndo()
}

func (p *Page) undo() {
	what := p.player.Undo()
	p.edited()
	p.edge.Say("Undone: " + what + ".")
}

func (p *Page) redo() {
	what := p.player.Redo()
	p.edited()
	p.edge.Say("Done again: " + what + ".")
}

func (p *Page) reset() {
	p.player.Reset()
	p.player.Seal()
	p.edited()
	p.edge.Say("All is as it was.")
}

// undoKey takes the last edit back, or makes it again, by the keys that do so
// everywhere; in a field they are the field's own. It reports whether it did.
func (p *Page) undoKey(e app.Event) bool {
	key := strings.ToLower(e.Get("key").String())
	if !e.Get("ctrlKey").Bool() && !e.Get("metaKey").Bool() || e.Get("altKey").Bool() || e.Get("defaultPrevented").Bool() {
		return false
	}
	if e.Get("target").Call("closest", "textarea, select, input:not([type=range], [type=radio])").Truthy() {
		return false
	}
	back := key == "z" && !e.Get("shiftKey").Bool()
	again := key == "z" && e.Get("shiftKey").Bool() || key == "y" && e.Get("ctrlKey").Bool()
	switch {
	case back && p.player.CanUndo():
		p.undo()
	case again && p.player.CanRedo():
		p.redo()
	default:
		return false
	}
	e.PreventDefault()
	return true
}

func (c *settings) knob(s player.Setting) app.UI {
	name := []app.UI{
		el("b").Text(s.Name),
		el("span").Class("tech").Text(s.Technical),
	}
	class := "knob"
	if s.Control == player.Segments && len(strings.Join(s.Options, "")) > 24 {
		class += " wide"
	}
	if s.Was != "" {
		class += " changed"
		name = append(name, c.was(s.ID, s.Label, s.Was, s.Path))
	}
	body := []app.UI{el("div").Class("name").Body(name...), c.control(s)}
	if path, text := c.page.player.WrongAt(); path == s.Path {
		body = append(body, el("p").Class("errmsg").Role("alert").Body(icon("crash", "s"), el("span").Text(text)))
	}
	return el("div").Class(class).Body(body...)
}

// was puts a value back as it is in the lesson.
func (c *settings) was(id, label, was, path string) app.UI {
	return el("button").Class("was").Attr("type", "button").ID("was-"+id).
		OnClick(func(app.Context, app.Event) {
			c.page.player.PutBack(path)
			c.page.edited()
			c.page.edge.Say(label + " is " + was + " again.")
			c.page.edge.Focus(id) // at once: this button is about to go
		}, app.EventScope(id, path, was)).
		Body(app.Text("was "+was+", undo"), el("span").Class("vh").Text(" "+label))
}

func (c *settings) control(s player.Setting) app.UI {
	switch s.Control {
	case player.Stepper:
		return c.stepper(s)
	case player.Segments:
		return c.segments(s)
	}
	return el("div").Class("slide").Body(
		el("input").Class("range", share(s.Position*100/s.Steps)).ID(s.ID).Attr("type", "range").
			Attr("min", 0).Attr("max", s.Steps).Attr("value", strconv.Itoa(s.Position)).
			Aria("label", s.Label).Aria("valuetext", s.Spoken).
			OnInput(func(ctx app.Context, _ app.Event) {
				c.page.setPosition(s.ID, number(ctx.JSSrc().Get("value").String()))
			}, app.EventScope(s.ID)).
			OnChange(func(ctx app.Context, _ app.Event) { c.page.player.Seal() }, app.EventScope(s.ID)),
		value(s),
	)
}

// value shows what a control stands at. It is said by the control itself, or
// once by the page: an output element would have it said twice.
func value(s player.Setting) app.UI {
	o := el("span").Class("val").Aria("hidden", "true")
	if len(s.Value) > 4 {
		o = o.Class("word")
	}
	if s.Unit == "" {
		return o.Text(s.Value)
	}
	return o.Body(app.Text(s.Value), el("small").Text(" "+s.Unit))
}

func (c *settings) stepper(s player.Setting) app.UI {
	step := func(end, sign, says string, by int) app.UI {
		id := s.ID
		if end == "-less" {
			id += end
		}
		b := el("button").Attr("type", "button").ID(id).Aria("label", s.Label+": "+says).Text(sign).
			OnClick(func(ctx app.Context, e app.Event) {
				if e.Get("currentTarget").Get("ariaDisabled").String() == "true" {
					ctx.PreventUpdate()
					return
				}
				c.page.setPosition(s.ID, c.page.position(s.ID)+by)
				c.page.player.Seal()
				c.page.edge.Say(s.Label + ": " + c.page.settingSpoken(s.ID))
			}, app.EventScope(s.ID, by))
		if at := s.Position + by; at < 0 || at > s.Steps {
			b = b.Aria("disabled", "true")
		}
		return b
	}
	return el("div").Class("stepper").Role("group").Aria("label", s.Label+": "+s.Spoken).Body(
		step("-less", "−", "one fewer", -1), value(s), step("", "+", "one more", 1),
	)
}

// settingSpoken returns the value of a setting as it is read out.
func (p *Page) settingSpoken(id string) string {
	for _, s := range p.player.Settings() {
		if s.ID == id {
			return s.Spoken
		}
	}
	return ""
}

// segments are a choice of a few words side by side.
func (c *settings) segments(s player.Setting) app.UI {
	body := []app.UI{el("legend").Class("vh").Text(s.Label)}
	for i, word := range s.Options {
		id := s.ID + "-" + strconv.Itoa(i)
		if i == s.Position {
			id = s.ID // where "was, undo" leaves the focus
		}
		radio := el("input").Attr("type", "radio").Attr("name", s.ID).ID(id).Attr("value", strconv.Itoa(i)).
			OnChange(func(app.Context, app.Event) {
				c.page.setPosition(s.ID, i)
				c.page.player.Seal()
			}, app.EventScope(s.ID, i))
		if i == s.Position {
			radio = radio.Attr("checked", true)
		}
		body = append(body, el("label").Body(radio, el("span").Text(word)))
	}
	return el("fieldset").Class("seg").Body(body...)
}

// all are the values without a control, behind a fold of their own; on the page
// as text they are just there.
func (c *settings) all() app.UI {
	if c.page.textual {
		return el("div").Class("all").ID("all-settings").Body(append([]app.UI{el("h3").Text("All settings")}, c.fields()...)...)
	}
	const name = "all-settings"
	open := c.page.folds[name]
	body := []app.UI{el("summary").Text("All settings")}
	all := el("details").Class("all").ID(name)
	if open {
		all, body = all.Attr("open", true), append(body, c.fields()...)
	}
	return all.On("toggle", func(ctx app.Context, _ app.Event) { c.page.unfolded(ctx, name) }).Body(body...)
}

// unfolded is called when a part has been folded or unfolded whose inside is
// there only while it is seen.
func (p *Page) unfolded(ctx app.Context, name string) {
	if now := ctx.JSSrc().Get("open").Bool(); now != p.folds[name] {
		p.folds[name] = now
		return
	}
	ctx.PreventUpdate()
}

func (c *settings) fields() (body []app.UI) {
	group := ""
	for _, f := range c.page.player.Fields() {
		if f.Group != group {
			group = f.Group
			body = append(body, el("h4").Text(group))
		}
		body = append(body, c.field(f))
	}
	return body
}

// field is one value as a labelled field: what it is, what it is by default,
// and, when the last text was refused, why.
func (c *settings) field(f player.Field) app.UI {
	if len(f.Several) > 0 {
		return c.several(f)
	}
	about := []app.UI{app.Text(f.Doc)}
	if f.Default != "" && f.Default != f.Value {
		about = append(about, app.Text("; by default "), el("code").Text(f.Default))
	}
	body := []app.UI{
		el("label").Attr("for", f.ID).Text(f.Name),
		c.input(f),
		el("p").ID(f.ID + "-about").Body(about...),
	}
	class := "field"
	if f.Was != "" {
		class += " changed"
		body = append(body, c.was(f.ID, f.Path, f.Was, f.Path))
	}
	if f.Problem != "" {
		body = append(body, wrongText(f.ID+"-wrong", f.Problem))
	}
	return el("div").Class(class).Body(body...)
}

// several are the names that a value can have, to be ticked.
func (c *settings) several(f player.Field) app.UI {
	members := f.Members()
	body := []app.UI{el("legend").Text(f.Name)}
	for i, name := range f.Several {
		id, in := f.ID+"-"+strconv.Itoa(i), slices.Contains(members, name)
		body = append(body, el("label").Body(
			el("input").Attr("type", "checkbox").ID(id).Attr("checked", in).OnChange(func(app.Context, app.Event) {
				c.page.player.SetMember(f.Path, name, !in)
				c.page.edited()
				if path, _ := c.page.player.WrongAt(); path == f.Path && in {
					c.page.edge.Check(id)
				}
			}, app.EventScope(f.Path, name, in)),
			el("span").Text(name),
		))
	}
	body = append(body, el("p").Text(f.Doc))
	if f.Problem != "" {
		body = append(body, wrongText(f.ID+"-wrong", f.Problem))
	}
	return el("fieldset").Class("field several").ID(f.ID).Body(body...)
}

func (c *settings) input(f player.Field) app.UI {
	change := func(ctx app.Context, _ app.Event) {
		c.page.player.SetWritten(f.Path, ctx.JSSrc().Get("value").String())
		c.page.edited()
	}
	if len(f.Options) > 0 {
		var options []app.UI
		for _, o := range f.Options {
			option := el("option").Attr("value", o).Text(strings.ReplaceAll(o, "_", " "))
			if o == f.Value {
				option = option.Attr("selected", true)
			}
			options = append(options, option)
		}
		return el("select").ID(f.ID).Aria("describedby", f.ID+"-about").OnChange(change, app.EventScope(f.Path)).Body(options...)
	}
	about := f.ID + "-about"
	input := el("input").ID(f.ID).Attr("type", "text").Attr("value", f.Value).Attr("placeholder", f.Default).
		Spellcheck(false).Attr("autocomplete", "off").Attr("autocapitalize", "off").OnChange(change, app.EventScope(f.Path))
	if f.Number {
		input = input.Attr("inputmode", "numeric")
	}
	if f.Problem != "" {
		input, about = input.Aria("invalid", "true"), about+" "+f.ID+"-wrong"
	}
	return input.Aria("describedby", about)
}

// shown puts the value back into a field whose text was refused, once the
// refusal is gone: to go-app it has always been there.
func (c *settings) shown(app.Context) {
	path, _ := c.page.player.WrongAt()
	if c.wrong != "" && c.wrong != path {
		for _, f := range c.page.player.Fields() {
			if f.Path == c.wrong {
				c.page.edge.Fill(f.ID, f.Value)
			}
		}
	}
	c.wrong = path
}
