package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// prose is the text of the page: what is seen, before the stage, and what to
// try, after it. The numbers in it that a reader can drag are settings: one
// value, two places.
type prose struct {
	try  bool
	page *Page

	dragged string  // the setting whose number is being dragged
	from    float64 // where the pointer began
	at      int     // the position it began at
}

func (p *Page) proseKey() string { return fmt.Sprint(p.player.Revision(), p.try.dragged) }

func (c *prose) render() app.UI {
	v := c.page.player.Prose()
	if !c.try {
		return el("article").Class("prose").Body(
			el("h1").Text("Six orders on the rail"),
			el("p").Text("The waiter clips "+v.Sent+" orders to the rail and is free again at once. A cook takes one, sends the email, then acks: the ticket lands on the spike."),
		)
	}
	return el("div").Class("prose try").Body(el("p").Body(
		app.Text("With "), c.scrub("workers", v.Workers), app.Text(" and "), c.scrub("latency", v.Latency),
		app.Text(" for an email, the last thing happens at "), el("b").Text(v.Ended),
		app.Text(". Now move "), el("code").Text("ack(msg)"),
		app.Text(" above the work, let the mail server fail once, and an order is gone without a word."),
	))
}

// scrub is a number that can be dragged, and held by keys like a slider.
func (c *prose) scrub(id, text string) app.UI {
	var s player.Setting
	for _, one := range c.page.player.Settings() {
		if one.ID == id {
			s = one
		}
	}
	class := "num-in"
	if c.dragged == id {
		class += " drag"
	}
	return el("span").Class(class).ID("scrub-"+id).Role("slider").TabIndex(0).
		Aria("label", s.Technical).Aria("valuemin", 0).Aria("valuemax", s.Steps).
		Aria("valuenow", s.Position).Aria("valuetext", s.Spoken).
		OnKeyDown(func(ctx app.Context, e app.Event) { c.page.sliderKey(ctx, e, id) }, app.EventScope(id)).
		On("pointerdown", func(_ app.Context, e app.Event) {
			c.dragged, c.from, c.at = id, e.Get("clientX").Float(), c.page.position(id)
			c.page.edge.Capture("scrub-"+id, e.Get("pointerId").Int())
		}, app.EventScope(id)).
		On("pointermove", func(ctx app.Context, e app.Event) {
			if c.dragged != id {
				ctx.PreventUpdate()
				return
			}
			const pixelsAStep = 12
			c.page.setPosition(id, c.at+int((e.Get("clientX").Float()-c.from)/pixelsAStep))
		}, app.EventScope(id)).
		On("pointerup", c.drop).On("pointercancel", c.drop).
		Body(el("i").Aria("hidden", "true").Text("‹"), app.Text(text), el("i").Aria("hidden", "true").Text("›"))
}

func (c *prose) drop(app.Context, app.Event) {
	c.dragged = ""
	c.page.player.Seal()
}

// position returns the position of a setting.
func (p *Page) position(id string) int {
	for _, s := range p.player.Settings() {
		if s.ID == id {
			return s.Position
		}
	}
	return 0
}

func (p *Page) setPosition(id string, position int) {
	before := p.player.Revision()
	p.player.SetPosition(id, position)
	if p.player.Revision() != before {
		p.edited()
	}
}

// sliderKey moves a setting by the keys of a slider.
func (p *Page) sliderKey(ctx app.Context, e app.Event, id string) {
	at := p.position(id)
	switch e.Get("key").String() {
	case "ArrowRight", "ArrowUp":
		at++
	case "ArrowLeft", "ArrowDown":
		at--
	case "PageUp":
		at += 5
	case "PageDown":
		at -= 5
	case "Home":
		at = 0
	case "End":
		at = 1 << 16
	default:
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	p.setPosition(id, at)
	p.player.Seal()
}
