package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// challenge is the card of a challenge: the goal, the check on all seeds, what
// came of it, and help for those who ask.
func (p *Page) challenge(c *lesson.Challenge) app.UI {
	a := p.session.Attempt(c)
	body := []app.UI{el("h2").ID("ask-"+c.ID).Attr("tabindex", -1).Text("Your turn")}
	body = append(body, p.kids(c.Task)...)
	body = append(body,
		el("p").Class("goal").Body(el("span").Class("lbl").Text("Goal"), app.Text(" "), el("code").Text(c.Goal)),
		p.trying(c, a),
	)
	if a.Fault != "" {
		body = append(body, el("p").Class("wrong on").Role("alert").Text(a.Fault))
	}
	body = append(body, p.tried(c, a)...)
	if a.Solved {
		body = append(body, p.kids(c.Why)...)
	}
	body = append(body, p.help(c, a)...)
	if p.whole != nil {
		body = append(body, p.whole.solution(c))
	}
	class := "asked challenge"
	if a.Solved {
		class += " done"
	}
	return el("section").Class(class).ID("c-"+c.ID).Aria("labelledby", "ask-"+c.ID).Body(body...)
}

// press is a button of a challenge.
func (p *Page) press(c *lesson.Challenge, id, class, text string, act func()) app.UI {
	id += "-" + c.ID
	return el("button").Class("btn "+class).Attr("type", "button").ID(id).
		OnClick(func(app.Context, app.Event) { act() }, app.EventScope(id, p.session.Step())).Text(text)
}

func (p *Page) trying(c *lesson.Challenge, a *player.Attempt) app.UI {
	if done, of, under := a.Checking(); under {
		return el("p").Class("pgo").Body(
			el("progress").Attr("max", of).Attr("value", done).Aria("label", "Seeds checked"),
			el("span").Text(fmt.Sprintf("%d of %d seeds", done, of)),
		)
	}
	return el("p").Class("pgo").Body(p.press(c, "try", "primary", "Check on all seeds", func() {
		p.session.Check(c)
		p.checking(c)
	}))
}

// checking goes on with a check in frames, and says what came of it.
func (p *Page) checking(c *lesson.Challenge) {
	p.session.Work(p.within(atOnce))
	if _, _, under := p.session.Attempt(c).Checking(); under {
		p.run()
		return
	}
	p.keep()
}

// tried is what came of the last check.
func (p *Page) tried(c *lesson.Challenge, a *player.Attempt) []app.UI {
	if _, _, under := a.Checking(); under || a.Result == nil {
		if a.Solved {
			return []app.UI{el("p").Class("presult yes").Body(el("b").Text("Solved."))}
		}
		return nil
	}
	t := a.Result
	dots := make([]app.UI, 0, len(t.Results))
	for _, r := range t.Results {
		class := "bad"
		if r.Reached {
			class = "good"
		}
		dots = append(dots, el("i").Class(class))
	}
	said := fmt.Sprintf("It holds on %d of %d seeds.", t.Reached(), t.Of())
	class := "presult no"
	if t.Holds() {
		said, class = fmt.Sprintf("Solved: it holds on all %d seeds.", t.Of()), "presult yes"
	}
	if a.Stale {
		said += " That was before your last change."
	}
	all := []app.UI{
		el("p").Class("seeds").Aria("hidden", "true").Body(dots...),
		el("p").Class(class).Role("status").Body(el("b").Text(said)),
	}
	if f := t.Failed(); f != nil {
		all = append(all, el("p").Body(
			app.Text(fmt.Sprintf("With seed %d, %s. ", f.Seed, f.Got)),
			p.press(c, "seed", "text", fmt.Sprintf("Look at seed %d", f.Seed), func() {
				p.session.OpenSeed(c, f.Seed)
				p.player.Restart()
				p.edited()
			})))
	}
	return all
}

// help are hints, one at a time, and after a try the solution.
func (p *Page) help(c *lesson.Challenge, a *player.Attempt) []app.UI {
	var all []app.UI
	if a.Hints > 0 {
		var hints []app.UI
		for i := range a.Hints {
			hints = append(hints, el("li").Body(p.kids(&c.Hints[i])...))
		}
		all = append(all, el("ol").Class("hints").ID("hints-"+c.ID).Aria("label", "Hints").Body(hints...))
	}
	var buttons []app.UI
	if a.Hints < len(c.Hints) && !a.Solved {
		buttons = append(buttons, p.press(c, "hint", "text", fmt.Sprintf("Hint %d of %d", a.Hints+1, len(c.Hints)), func() { p.session.Hint(c) }))
	}
	if a.Tries > 0 && !a.Solved && !a.Answer && len(c.Solution) > 0 {
		buttons = append(buttons, p.press(c, "solve", "text", "Put a solution in place", func() {
			p.session.Solve(c)
			p.edited()
		}))
	}
	if len(buttons) > 0 {
		all = append(all, el("p").Class("pgo").Body(buttons...))
	}
	return all
}
