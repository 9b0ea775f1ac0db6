package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// script is the text of a step and what is asked in it, in two parts: what is
// read before the stage is looked at, and what comes after it. On a wide page
// both stand beside the stage, one below the other.
type script struct {
	page   *Page
	beside bool
}

// held is what a pointer holds in the script.
type held struct {
	setting string  // a number that is being dragged,
	from    float64 // where the pointer began
	at      int     // and the position it began at
	item    int     // the place of what is being put in order, plus one
	drawing string  // the id of the question whose curve is being drawn
}

func (p *Page) scriptKey() string {
	return fmt.Sprint(p.session.Step(), p.session.Revision(), p.session.Checked(), p.player.Revision(), p.held.setting, p.held.item)
}

func (c *script) render() app.UI {
	p := c.page
	step := &p.session.Lesson().Steps[p.session.Step()]
	before, beside := parted(step.Blocks)
	if c.beside {
		body := append(p.blocks(beside), p.turns())
		return el("div").Class("blocks").Body(body...)
	}
	body := append(p.head(), el("h1").ID("step").Attr("tabindex", -1).Text(step.Title))
	body = append(append(body, p.needs()...), p.blocks(before)...)
	return el("article").Class("prose").Body(body...)
}

// head says which lesson and which step this is.
func (p *Page) head() []app.UI {
	switch p.built.Kind {
	case PracticePage:
		return p.practiceHead()
	case LessonPage:
	default:
		return nil
	}
	var body []app.UI
	if c := p.built.Course; c.Number > 0 {
		text := fmt.Sprintf("Lesson %d of %d", c.Number, c.Of)
		if l := p.session.Lesson(); p.session.Step() > 0 {
			text = fmt.Sprintf("Lesson %d: %s", c.Number, l.Title)
		} else if l.Minutes > 0 {
			text += fmt.Sprintf(" · %d minutes", l.Minutes)
		}
		body = append(body, el("p").Class("where").Text(text))
	}
	if steps := p.steps(); steps != nil {
		body = append(body, steps)
	}
	if len(body) == 0 {
		return nil
	}
	return []app.UI{el("div").Class("head").Body(body...)}
}

// needs names the lessons that this one builds on, at its start.
func (p *Page) needs() []app.UI {
	needs := p.built.Course.Needs
	if len(needs) == 0 || p.session.Step() > 0 {
		return nil
	}
	body := []app.UI{app.Text("Builds on ")}
	for i, w := range needs {
		switch {
		case i > 0 && i == len(needs)-1:
			body = append(body, app.Text(" and "))
		case i > 0:
			body = append(body, app.Text(", "))
		}
		body = append(body, el("a").Attr("href", p.built.Root+w.Address).Text(w.Title))
	}
	return []app.UI{el("p").Class("needs").Body(append(body, app.Text("."))...)}
}

// parted splits the blocks of a step at its stage; without one, where it begins
// to ask.
func parted(blocks []lesson.Block) (before, beside []lesson.Block) {
	asks := len(blocks)
	for i, b := range blocks {
		switch {
		case b.Stage != nil:
			return blocks[:i], blocks[i+1:]
		case b.Prose == nil && asks == len(blocks):
			asks = i
		}
	}
	return blocks[:asks], blocks[asks:]
}

func (p *Page) blocks(blocks []lesson.Block) []app.UI {
	var all []app.UI
	for i := range blocks {
		switch b := &blocks[i]; {
		case b.Prose != nil:
			all = append(all, el("div").Class("text").Body(p.kids(b.Prose)...))
		case b.Question != nil:
			all = append(all, p.question(b.Question))
		case b.Challenge != nil:
			all = append(all, p.challenge(b.Challenge))
		}
	}
	return all
}

// turns are the ways to the steps before and after, and at the ends of a
// lesson those to the lessons before and after.
func (p *Page) turns() app.UI {
	if p.built.Kind == PracticePage {
		return p.onwards()
	}
	steps, at := p.session.Lesson().Steps, p.session.Step()
	var body []app.UI
	turn := func(step int, id, class, text string) {
		body = append(body, el("button").Class("btn "+class).Attr("type", "button").ID(id).
			OnClick(func(app.Context, app.Event) { p.goTo(step) }, app.EventScope(id, step)).Text(text))
	}
	if at > 0 {
		turn(at-1, "step-back", "", "Back")
	}
	if at < len(steps)-1 {
		// The title of the next step often is the answer of this one.
		if p.session.Guessing() != nil {
			turn(at+1, "step-next", "", "Next")
		} else {
			turn(at+1, "step-next", "primary", "Next: "+steps[at+1].Title)
		}
	} else {
		body = append(body, p.ways()...)
	}
	return el("p").Class("turns").Body(body...)
}

// ways lead from the end of a lesson to the ones beside it.
func (p *Page) ways() []app.UI {
	c := p.built.Course
	var all []app.UI
	if c.Next != nil {
		text := "Next lesson: "
		if p.built.Kind == HomePage {
			text = "Begin: "
		}
		all = append(all, el("a").Class("btn primary").ID("lesson-next").Attr("href", p.built.Root+c.Next.Address).Text(text+c.Next.Title))
	}
	if c.Back != nil {
		all = append(all, el("a").Class("btn").ID("lesson-back").Attr("href", p.built.Root+c.Back.Address).Text("Lesson before: "+c.Back.Title))
	}
	if c.Number > 0 {
		all = append(all, el("a").Class("btn text").Attr("href", p.built.Root+"lessons/").Text("All lessons"))
	}
	return all
}

func (p *Page) kids(n *lesson.Node) []app.UI {
	if n == nil {
		return nil
	}
	all := make([]app.UI, 0, len(n.Kids))
	for i := range n.Kids {
		all = append(all, p.node(&n.Kids[i]))
	}
	return all
}

// node is a piece of prose. Which tags there are is checked where a lesson is
// read.
func (p *Page) node(n *lesson.Node) app.UI {
	switch {
	case n.Set != "":
		return p.scrub(n)
	case n.Run != nil:
		return el("b").Class("figure").Text(p.session.Figure(n.Run))
	case n.Message != "":
		c, known := p.session.Chip(n.Message)
		if !known {
			return el("b").Text(n.Message)
		}
		return chip(c)
	case n.Tag == "img":
		return el("img").Attr("src", n.Href).Attr("alt", n.Alt)
	case n.Tag == "":
		if len(n.Kids) > 0 {
			return el("span").Body(p.kids(n)...)
		}
		return app.Text(n.Text)
	}
	e := el(n.Tag).Body(p.kids(n)...)
	if n.Tag == "a" {
		e = e.Attr("href", n.Href)
	}
	return e
}

// scrub is a number that can be dragged, and held by keys like a slider. Where
// the stage does not unlock it, it is a number.
func (p *Page) scrub(n *lesson.Node) app.UI {
	s, ok := p.setting(n.Set)
	if !ok {
		return el("b").Text(n.Set)
	}
	text := s.Value
	if s.Unit != "" {
		text += "\u00a0" + s.Unit
	}
	if n.As != "" {
		text = lesson.Counted(s.Value, n.As)
	}
	if s.Locked || p.whole != nil && p.session.Step() > 0 {
		return el("b").Class("figure").Text(text)
	}
	class := "num-in"
	if p.held.setting == s.ID {
		class += " drag"
	}
	id := s.ID
	return el("span").Class(class).ID("scrub-"+id).Role("slider").TabIndex(0).
		Aria("label", s.Technical).Aria("valuemin", 0).Aria("valuemax", s.Steps).
		Aria("valuenow", s.Position).Aria("valuetext", s.Spoken).
		OnKeyDown(func(ctx app.Context, e app.Event) { p.sliderKey(ctx, e, id) }, app.EventScope(id)).
		On("pointerdown", func(_ app.Context, e app.Event) {
			p.held = held{setting: id, from: e.Get("clientX").Float(), at: p.position(id)}
			p.edge.Capture("scrub-"+id, e.Get("pointerId").Int())
		}, app.EventScope(id)).
		On("pointermove", func(ctx app.Context, e app.Event) {
			if p.held.setting != id {
				ctx.PreventUpdate()
				return
			}
			const pixelsAStep = 12
			p.setPosition(id, p.held.at+int((e.Get("clientX").Float()-p.held.from)/pixelsAStep))
		}, app.EventScope(id)).
		On("pointerup", p.drop).On("pointercancel", p.drop).
		Body(el("i").Aria("hidden", "true").Text("‹"), app.Text(text), el("i").Aria("hidden", "true").Text("›"))
}

func (p *Page) drop(app.Context, app.Event) {
	p.held = held{}
	p.player.Seal()
}

// setting returns the setting with that path.
func (p *Page) setting(path string) (player.Setting, bool) {
	for _, s := range p.player.Settings() {
		if s.Path == path {
			return s, true
		}
	}
	return player.Setting{}, false
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
