package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/practice"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// keptPractice is the name under which it is kept how far the learner is.
const keptPractice = "ticketrail.practice"

// practise opens the question of the address, or the one after the last that
// was answered here. The page is built with the first of all: nothing changes
// when the program takes over.
func (p *Page) practise() {
	p.series = player.NewPractice(p.edge.Kept(keptPractice))
	p.series.Open(p.edge.Fragment())
	p.session = p.series.Session()
}

// addressedInPractice opens the question that a reader has put into the
// address.
func (p *Page) addressedInPractice(fragment string) {
	if fragment != p.series.Address() {
		p.another(func() { p.series.Open(fragment) })
	}
}

// another opens another question, and says which.
func (p *Page) another(change func()) {
	p.show(func() {
		change()
		words := p.player.Words()
		p.session = p.series.Session()
		p.session.SetWords(words)
	})
	p.remember()
	p.keep()
	p.edge.Top("step")
	p.edge.Say(fmt.Sprintf("Question %d, level %d: %s", p.series.Place().N, p.series.Place().Level, p.session.Lesson().Title))
}

// counted counts the answer and keeps how far the learner is.
func (p *Page) counted() {
	p.series.Count()
	p.edge.Keep(keptPractice, p.series.Keep())
}

// practiceHead says which question it is, and how far one is.
func (p *Page) practiceHead() []app.UI {
	at, l := p.series.Place(), p.series.Learner()
	text := fmt.Sprintf("Level %d of %d · question %d", at.Level, practice.Levels, at.N)
	if l.Of > 0 {
		text += fmt.Sprintf(" · %d of %d right", l.Right, l.Of)
	}
	steps := make([]app.UI, practice.Levels)
	for i := range steps {
		steps[i] = el("i")
		if i < at.Level {
			steps[i] = el("i").Class("on")
		}
	}
	return []app.UI{el("div").Class("head").Body(
		el("p").Class("where").Text(text),
		el("p").Class("ladder").Aria("hidden", "true").Body(steps...),
	)}
}

// onwards are the ways to other questions.
func (p *Page) onwards() app.UI {
	known := p.series.Known()
	press := func(id, class, text string, change func()) app.UI {
		return el("button").Class("btn "+class).Attr("type", "button").ID(id).
			OnClick(func(app.Context, app.Event) { p.another(change) }, app.EventScope(id)).Text(text)
	}
	class, text := "", "Another question"
	if known {
		class, text = "primary", "Next question"
	}
	level := p.series.Place().Level
	body := []app.UI{press("practice-next", class, text, func() { p.series.Next() })}
	if said := p.series.Said(); said != "" {
		body = append(body, el("span").Class("said").Role("status").Text(said))
	}
	rest := []app.UI{el("span").Class("lbl").Text("Choose by hand:")}
	if level > 1 {
		rest = append(rest, press("practice-easier", "text", "easier", func() { p.series.SetLevel(p.series.Place().Level - 1) }))
	}
	if level < practice.Levels {
		rest = append(rest, press("practice-harder", "text", "harder", func() { p.series.SetLevel(p.series.Place().Level + 1) }))
	}
	rest = append(rest,
		press("practice-series", "text", "another series", func() { p.series.SetSeed(p.seedOfNow()) }),
		el("a").Class("btn text").ID("practice-link").Attr("href", "#"+p.series.Address()).Text("link to this question"))
	return el("div").Class("onwards").Body(el("p").Class("turns").Body(body...), el("p").Class("by-hand").Body(rest...))
}

// seedOfNow is a seed that nobody can foresee: how long the page is open.
func (p *Page) seedOfNow() uint64 {
	const mostSeeds = 100_000
	return uint64(p.edge.Now()*1000)%mostSeeds + 1
}
