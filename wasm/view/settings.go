package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// settings are the values of the scenario that a reader can change.
type settings struct {
	page *Page
}

func (p *Page) settingsKey() string {
	return fmt.Sprint(p.session.Step(), p.player.Revision(), p.player.CanUndo(), p.player.CanRedo())
}

func (c *settings) render() app.UI {
	p := c.page.player
	var body []app.UI
	group := ""
	var fixed []app.UI
	for _, s := range p.Settings() {
		if s.Locked {
			fixed = append(fixed, lockedSetting(s))
			continue
		}
		if s.Group != group {
			group = s.Group
			body = append(body, el("h3").Text(group))
		}
		body = append(body, c.knob(s))
	}
	if len(fixed) > 0 {
		body = append(body, el("h3").Text("Fixed in this step"), el("dl").Class("fixed").Body(fixed...))
	}
	body = append(body, el("div").Class("undo").Body(
		c.action("undo", "Undo", p.CanUndo(), func() { p.Undo() }),
		c.action("redo", "Redo", p.CanRedo(), func() { p.Redo() }),
		c.action("reset", "All as it was", p.CanUndo(), func() { p.Reset() }),
	))
	return c.page.fold("settings", p.Words().In("Kitchen settings"),
		el("section").Class("knobs").Aria("label", "Settings").Body(body...))
}

// lockedSetting is a value that a reader sees and cannot change.
func lockedSetting(s player.Setting) app.UI {
	text := s.Value
	if s.Unit != "" {
		text += " " + s.Unit
	}
	return el("div").Body(el("dt").Text(s.Name), el("dd").Text(text))
}

func (c *settings) action(id, label string, can bool, do func()) app.UI {
	b := el("button").Class("btn text").Attr("type", "button").ID(id).OnClick(func(app.Context, app.Event) {
		do()
		c.page.edited()
	}, app.EventScope(id)).Text(label)
	if !can {
		b = b.Attr("disabled", true)
	}
	return b
}

func (c *settings) knob(s player.Setting) app.UI {
	name := []app.UI{
		el("b").Text(s.Name),
		el("span").Class("tech").Text(s.Technical),
	}
	class := "knob"
	if s.Was != "" {
		class += " changed"
		name = append(name, el("button").Class("was").Attr("type", "button").ID("was-"+s.ID).
			OnClick(func(app.Context, app.Event) {
				c.page.setPosition(s.ID, s.WasAt)
				c.page.player.Seal()
				c.page.edge.Focus(s.ID)
			}, app.EventScope(s.ID, s.WasAt)).
			Text("was "+s.Was+", undo"))
	}
	body := []app.UI{el("div").Class("name").Body(name...), c.control(s)}
	for _, problem := range c.page.player.Problems() {
		if problem.Path == s.Path && problem.HandlerLine == 0 {
			body = append(body, el("p").Class("errmsg").Role("alert").Body(icon("crash", "s"), el("span").Text(problem.Text)))
		}
	}
	return el("div").Class(class).Body(body...)
}

func (c *settings) control(s player.Setting) app.UI {
	if s.Control == player.Stepper {
		return c.stepper(s)
	}
	return el("div").Class("slide").Body(
		el("input").Class("range", share(s.Position*100/s.Steps)).ID(s.ID).Attr("type", "range").
			Attr("min", 0).Attr("max", s.Steps).Attr("value", strconv.Itoa(s.Position)).
			Aria("label", s.Technical).Aria("valuetext", s.Spoken).
			OnInput(func(ctx app.Context, _ app.Event) {
				c.page.setPosition(s.ID, number(ctx.JSSrc().Get("value").String()))
			}, app.EventScope(s.ID)).
			OnChange(func(ctx app.Context, _ app.Event) { c.page.player.Seal() }, app.EventScope(s.ID)),
		output(s),
	)
}

func output(s player.Setting) app.UI {
	o := el("output")
	if len(s.Value) > 4 {
		o = o.Class("word")
	}
	if s.Unit == "" {
		return o.Text(s.Value)
	}
	return o.Body(app.Text(s.Value), el("small").Text(" "+s.Unit))
}

func (c *settings) stepper(s player.Setting) app.UI {
	step := func(sign string, label string, by int) app.UI {
		b := el("button").Attr("type", "button").Aria("label", label+" "+s.Technical).Text(sign).
			OnClick(func(app.Context, app.Event) {
				c.page.setPosition(s.ID, c.page.position(s.ID)+by)
				c.page.player.Seal()
			}, app.EventScope(s.ID, by))
		if at := s.Position + by; at < 0 || at > s.Steps {
			b = b.Attr("disabled", true)
		}
		return b
	}
	return el("div").Class("stepper").Role("group").Aria("label", s.Technical).Body(
		step("−", "less", -1), output(s), step("+", "more", 1),
	)
}
