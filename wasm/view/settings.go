package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// settings are the values of the scenario that a reader can change.
type settings struct {
	app.Compo
	Key  string
	page *Page
}

func (p *Page) settingsKey() string {
	return fmt.Sprint(p.player.Revision(), p.player.CanUndo(), p.player.CanRedo())
}

func (c *settings) Render() app.UI {
	p := c.page.player
	var body []app.UI
	group := ""
	for _, s := range p.Settings() {
		if s.Group != group {
			group = s.Group
			body = append(body, app.H3().Text(group))
		}
		body = append(body, c.knob(s))
	}
	body = append(body, app.Div().Class("undo").Body(
		c.action("undo", "Undo", p.CanUndo(), func() { p.Undo() }),
		c.action("redo", "Redo", p.CanRedo(), func() { p.Redo() }),
		c.action("reset", "All as it was", p.CanUndo(), func() { p.Reset() }),
	))
	return c.page.fold("settings", "Kitchen settings",
		app.Section().Class("knobs").Aria("label", "Settings").Body(body...))
}

func (c *settings) action(id, label string, can bool, do func()) app.UI {
	b := app.Button().Class("btn text").Type("button").ID(id).OnClick(func(app.Context, app.Event) {
		do()
		c.page.edited()
	}, app.EventScope(id)).Text(label)
	if !can {
		b = b.Disabled(true)
	}
	return b
}

func (c *settings) knob(s player.Setting) app.UI {
	name := []app.UI{
		app.B().Text(s.Name),
		app.Span().Class("tech").Text(s.Technical),
	}
	class := "knob"
	if s.Was != "" {
		class += " changed"
		name = append(name, app.Button().Class("was").Type("button").ID("was-"+s.ID).
			OnClick(func(app.Context, app.Event) {
				c.page.setPosition(s.ID, s.WasAt)
				c.page.player.Seal()
				c.page.edge.Focus(s.ID)
			}, app.EventScope(s.ID, s.WasAt)).
			Text("was "+s.Was+", undo"))
	}
	body := []app.UI{app.Div().Class("name").Body(name...), c.control(s)}
	for _, problem := range c.page.player.Problems() {
		if problem.Path == s.Path && problem.HandlerLine == 0 {
			body = append(body, app.P().Class("errmsg").Role("alert").Body(icon("crash", "s"), app.Span().Text(problem.Text)))
		}
	}
	return app.Div().Class(class).Body(body...)
}

func (c *settings) control(s player.Setting) app.UI {
	if s.Control == player.Stepper {
		return c.stepper(s)
	}
	return app.Div().Class("slide").Body(
		app.Input().Class("range", share(s.Position*100/s.Steps)).ID(s.ID).Type("range").
			Min(0).Max(s.Steps).Value(strconv.Itoa(s.Position)).
			Aria("label", s.Technical).Aria("valuetext", s.Spoken).
			OnInput(func(ctx app.Context, _ app.Event) {
				c.page.setPosition(s.ID, number(ctx.JSSrc().Get("value").String()))
			}, app.EventScope(s.ID)).
			OnChange(func(ctx app.Context, _ app.Event) { c.page.player.Seal() }, app.EventScope(s.ID)),
		output(s),
	)
}

func output(s player.Setting) app.UI {
	o := app.Output()
	if len(s.Value) > 4 {
		o = o.Class("word")
	}
	if s.Unit == "" {
		return o.Text(s.Value)
	}
	return o.Body(app.Text(s.Value), app.Small().Text(" "+s.Unit))
}

func (c *settings) stepper(s player.Setting) app.UI {
	step := func(sign string, label string, by int) app.UI {
		b := app.Button().Type("button").Aria("label", label+" "+s.Technical).Text(sign).
			OnClick(func(app.Context, app.Event) {
				c.page.setPosition(s.ID, c.page.position(s.ID)+by)
				c.page.player.Seal()
			}, app.EventScope(s.ID, by))
		if at := s.Position + by; at < 0 || at > s.Steps {
			b = b.Disabled(true)
		}
		return b
	}
	return app.Div().Class("stepper").Role("group").Aria("label", s.Technical).Body(
		step("−", "less", -1), output(s), step("+", "more", 1),
	)
}
