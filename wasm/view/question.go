package view

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// question is the card of a question: what is asked, the fields or the result,
// and what is said about it.
func (p *Page) question(q *lesson.Question) app.UI {
	a := p.session.Answered(q)
	class := "asked quiz"
	if q.Predict {
		class = "asked predict"
	}
	head := el("h2").ID("ask-"+q.ID).Attr("tabindex", -1).Body(p.inside(&q.Ask)...)
	body := []app.UI{head}
	switch open := !a.Committed && !a.Skipped; {
	case q.Predict && open:
		body = append(body, p.fields(q), p.wrong(q), p.commit(q))
	case q.Predict:
		body = append(body, p.result(q), p.after(q))
	default:
		body = append(body, p.fields(q), p.wrong(q), p.checked(q))
	}
	if p.whole != nil {
		body = append(body, p.whole.solved(q))
	}
	return el("section").Class(class).ID("q-"+q.ID).Aria("labelledby", "ask-"+q.ID).Body(body...)
}

// inside is prose without the element around it.
func (p *Page) inside(n *lesson.Node) []app.UI {
	if len(n.Kids) == 0 {
		return []app.UI{app.Text(n.Text)}
	}
	return p.kids(n)
}

// wrong says what cannot be given as it is.
func (p *Page) wrong(q *lesson.Question) app.UI {
	text := p.session.Answered(q).Wrong
	if text == "" {
		return el("p").Class("wrong")
	}
	return el("p").Class("wrong on").Role("alert").Text(text)
}

// do is a button of a question.
func (p *Page) do(q *lesson.Question, id, class, text string, act func()) app.UI {
	id += "-" + q.ID
	return el("button").Class("btn "+class).Attr("type", "button").ID(id).
		OnClick(func(app.Context, app.Event) { act() }, app.EventScope(id, p.session.Step())).Text(text)
}

func (p *Page) commit(q *lesson.Question) app.UI {
	return el("p").Class("pgo").Body(
		p.do(q, "commit", "primary", "Commit and run", func() {
			if p.session.Commit(q) {
				p.committed(q)
			}
		}),
		app.Text(" or "),
		p.do(q, "skip", "text", "run without a guess", func() {
			p.session.Pass(q)
			p.committed(q)
		}),
	)
}

// committed plays the run that a prediction was about.
func (p *Page) committed(q *lesson.Question) {
	p.keep()
	p.edited()
	p.play()
	p.later(func() { p.edge.Focus("ask-" + q.ID) })
}

// later does something after the elements were brought up to date.
func (p *Page) later(do func()) {
	if p.ctx.Context != nil {
		p.ctx.Defer(func(app.Context) { do() })
	}
}

// after is what follows a prediction: the wait for the run, then the verdict.
func (p *Page) after(q *lesson.Question) app.UI {
	a := p.session.Answered(q)
	if !a.Shown {
		text := "Your guess is in. The run answers when it gets there."
		if a.Skipped {
			text = "The run answers when it gets there."
		}
		return el("p").Class("presult").Body(app.Text(text+" "),
			p.do(q, "reveal", "text", "Show the answer now", func() {
				p.session.Reveal(q)
				p.keep()
				p.later(func() { p.edge.Focus("ask-" + q.ID) })
			}))
	}
	v := p.session.Verdict(q)
	body := []app.UI{el("p").Class("presult").Body(el("b").Text(p.session.Outcome(q)), app.Text(" "), p.see(q, see(q, v)))}
	if v != nil {
		body = append(body, p.kids(v.Because)...)
	}
	body = append(body, p.kids(q.Why)...)
	body = append(body, el("p").Class("pgo").Body(p.do(q, "again", "text", "Guess again", func() {
		p.session.Again(q)
		p.keep()
		p.later(func() { p.edge.Focus("ask-" + q.ID) })
	})))
	return el("div").Class("verdict").Body(body...)
}

func see(q *lesson.Question, v *lesson.Verdict) *lesson.Moment {
	if v != nil && v.See != nil {
		return v.See
	}
	return q.See
}

// see goes to the moment that decides.
func (p *Page) see(q *lesson.Question, m *lesson.Moment) app.UI {
	if !p.session.CanShow(q, m) {
		return app.Text("")
	}
	return p.do(q, "see", "text", "Show me the moment", func() {
		if p.session.Show(*m, q.Scenario) {
			p.moved()
			p.ring()
		}
	})
}

// ring rings what the event is about after which the playhead stands.
func (p *Page) ring() {
	if r, n := p.player.Run(), p.player.Events(); r != nil && n > 0 {
		p.edge.Ring(scene.Focus(r.Log, n-1))
	}
}

// checked is the button of a quiz question, and what came of the last try.
func (p *Page) checked(q *lesson.Question) app.UI {
	a, v := p.session.Answered(q), p.session.Verdict(q)
	var body []app.UI
	if v != nil {
		class := "presult no"
		if v.Right {
			class = "presult yes"
		}
		body = append(body, el("p").Class(class).Role("status").Body(el("b").Text(v.Text), app.Text(" "), p.see(q, see(q, v))))
		body = append(body, p.kids(v.Because)...)
	}
	if v != nil && v.Right {
		body = append(body, p.kids(q.Why)...)
		return el("div").Class("verdict").Body(body...)
	}
	if a.Shown {
		if right, _ := p.session.Answer(q); right != nil {
			body = append(body, el("p").Class("presult").Body(app.Text("The answer: "), el("b").Text(right.Text)))
		}
		body = append(body, p.kids(q.Why)...)
		return el("div").Class("verdict").Body(body...)
	}
	buttons := []app.UI{p.do(q, "check", "primary", "Check", func() {
		p.session.Commit(q)
		p.keep()
	})}
	if a.Tries > 0 {
		buttons = append(buttons, p.do(q, "answer", "text", "Show the answer", func() {
			p.session.Reveal(q)
			p.keep()
			p.later(func() { p.edge.Focus("ask-" + q.ID) })
		}))
	}
	return el("div").Class("verdict").Body(append(body, el("p").Class("pgo").Body(buttons...))...)
}

// fields are what an answer is given with.
func (p *Page) fields(q *lesson.Question) app.UI {
	switch q.Form {
	case lesson.Number:
		return p.numberField(q)
	case lesson.Order:
		return p.orderField(q)
	case lesson.Message:
		return p.messageField(q)
	case lesson.Line:
		return p.lineField(q)
	case lesson.Draw:
		return p.drawField(q)
	}
	return p.choiceField(q)
}

// option is one radio button or box.
func (p *Page) option(q *lesson.Question, value string, kind string, on bool, change func(g *lesson.Given, on bool), body ...app.UI) app.UI {
	id := "o-" + q.ID + "-" + value
	input := el("input").Attr("type", kind).Attr("name", "in-"+q.ID).Attr("value", value).ID(id).
		Attr("checked", on).OnChange(func(ctx app.Context, _ app.Event) {
		checked := ctx.JSSrc().Get("checked").Bool()
		p.session.Draft(q, func(g *lesson.Given) { change(g, checked) })
	}, app.EventScope(id, p.session.Step()))
	return el("label").Class("option").Body(append([]app.UI{input}, body...)...)
}

func (p *Page) choiceField(q *lesson.Question) app.UI {
	given := p.session.Answered(q).Given.Choices
	kind := "radio"
	if q.Form == lesson.Several {
		kind = "checkbox"
	}
	var body []app.UI
	for _, i := range p.session.Choices(q) {
		body = append(body, p.option(q, strconv.Itoa(i), kind, slices.Contains(given, i), func(g *lesson.Given, on bool) {
			g.Choices = slices.DeleteFunc(slices.Clone(g.Choices), func(k int) bool { return kind == "radio" || k == i })
			if on {
				g.Choices = append(g.Choices, i)
			}
		}, el("span").Body(p.inside(&q.Choices[i].Say)...)))
	}
	return p.fieldset(q, scaleClass(q), body...)
}

// scaleClass sets short choices side by side and others one below the other.
func scaleClass(q *lesson.Question) string {
	for i := range q.Choices {
		if len([]rune(q.Choices[i].Say.Plain(nil))) > 4 {
			return "plist"
		}
	}
	return "pscale"
}

func (p *Page) fieldset(q *lesson.Question, class string, body ...app.UI) app.UI {
	return el("fieldset").Class(class).Aria("labelledby", "ask-"+q.ID).Body(body...)
}

func (p *Page) numberField(q *lesson.Question) app.UI {
	text := ""
	if n := p.session.Answered(q).Given.Number; n != nil {
		text = strconv.FormatFloat(*n, 'f', -1, 64)
	}
	input := el("input").Attr("type", "text").Attr("inputmode", "decimal").Attr("autocomplete", "off").ID("n-"+q.ID).Attr("value", text).
		Aria("labelledby", "ask-"+q.ID).OnInput(func(ctx app.Context, _ app.Event) {
		n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSpace(ctx.JSSrc().Get("value").String()), ",", "."), 64)
		p.session.Draft(q, func(g *lesson.Given) {
			if g.Number = &n; err != nil {
				g.Number = nil
			}
		})
		ctx.PreventUpdate()
	}, app.EventScope(q.ID, p.session.Step()))
	body := []app.UI{input}
	if q.Unit != "" {
		body = append(body, el("span").Text(q.Unit))
	}
	return el("p").Class("pnum").Body(body...)
}

// orderField is a list whose items go up and down, by buttons or by the grip.
func (p *Page) orderField(q *lesson.Question) app.UI {
	order := p.session.Ordered(q)
	var items []app.UI
	for at, id := range order {
		name := p.named(q, id)
		step := func(id, label, glyph string, by int) app.UI {
			b := el("button").Class("btn icon sm").Attr("type", "button").ID(id+"-"+q.ID+"-"+order[at]).Aria("label", label).
				OnClick(func(app.Context, app.Event) {
					p.session.Move(q, at, at+by)
					p.later(func() { p.edge.Focus(id + "-" + q.ID + "-" + order[at]) })
				}, app.EventScope(id, q.ID, at, order[at], len(order))).Body(icon(glyph, "s"))
			if to := at + by; to < 0 || to >= len(order) {
				b = b.Aria("disabled", "true")
			}
			return b
		}
		spoken := p.spokenOf(q, id)
		class := "item"
		if p.held.item == at+1 {
			class += " lift"
		}
		items = append(items, el("li").Class(class).Body(
			el("span").Class("nth").Text(at+1), el("span").Class("it").Body(name),
			step("up", "Move "+spoken+" up", "up", -1), step("down", "Move "+spoken+" down", "down", 1),
			el("span").Class("grip").Aria("hidden", "true").On("pointerdown", func(_ app.Context, e app.Event) {
				p.held = held{item: at + 1}
				p.edge.Capture("order-"+q.ID, e.Get("pointerId").Int())
				e.PreventDefault()
			}, app.EventScope("grip", q.ID, at)).Body(icon("grip", "")),
		))
	}
	let := func(app.Context, app.Event) { p.held = held{} }
	return el("ol").Class("porder").ID("order-"+q.ID).Aria("labelledby", "ask-"+q.ID).
		On("pointermove", func(ctx app.Context, e app.Event) {
			to := -1
			if p.held.item > 0 {
				to = p.edge.Nearest("order-"+q.ID, e.Get("clientY").Float())
			}
			if to < 0 || to == p.held.item-1 {
				ctx.PreventUpdate()
				return
			}
			p.session.Move(q, p.held.item-1, to)
			p.held.item = to + 1
		}, app.EventScope(q.ID)).
		On("pointerup", let).On("pointercancel", let).Body(items...)
}

// named is a message by its chip, or a choice by what it says.
func (p *Page) named(q *lesson.Question, id string) app.UI {
	if q.Scenario == "" {
		if i := number(id); i < len(q.Choices) {
			return el("span").Body(p.inside(&q.Choices[i].Say)...)
		}
	}
	for _, c := range p.session.Messages(q) {
		if c.Number == id {
			return chip(c)
		}
	}
	return el("b").Text(id)
}

func (p *Page) spokenOf(q *lesson.Question, id string) string {
	if i := number(id); q.Scenario == "" && i < len(q.Choices) {
		return q.Choices[i].Say.Plain(nil)
	}
	return id
}

func (p *Page) messageField(q *lesson.Question) app.UI {
	given := p.session.Answered(q).Given.Message
	var body []app.UI
	for _, c := range p.session.Messages(q) {
		body = append(body, p.option(q, c.Number, "radio", given == c.Number, func(g *lesson.Given, _ bool) { g.Message = c.Number }, chip(c)))
	}
	return el("div").Body(p.fieldset(q, "pchips", body...), el("p").Class("lbl").Text("Or pick its ticket on the stage."))
}

// pickMessage answers a question by a ticket of the stage.
func (p *Page) pickMessage(q *lesson.Question, id string) {
	p.session.Draft(q, func(g *lesson.Given) { g.Message = id })
	p.edge.Check("o-" + q.ID + "-" + id)
	p.edge.Say("You picked " + id + ".")
}

func (p *Page) lineField(q *lesson.Question) app.UI {
	given := p.session.Answered(q).Given.Line
	var body []app.UI
	for _, l := range p.session.HandlerOf(q) {
		if l.Text == "" {
			continue
		}
		body = append(body, p.option(q, strconv.Itoa(l.Number), "radio", given == l.Number, func(g *lesson.Given, _ bool) { g.Line = l.Number },
			el("span").Class("no").Text(l.Number), el("code").Class("ind"+strconv.Itoa(min(l.Depth, 6))).Body(colours(p.player.Painted(l.Text)[0])...)))
	}
	return p.fieldset(q, "plist lines", body...)
}

// pickLine answers a question by a line of the code card.
func (p *Page) pickLine(ctx app.Context, e app.Event) {
	q := p.session.Asked(lesson.Line)
	n := clicked(e, "line")
	if q == nil || n == "" {
		ctx.PreventUpdate()
		return
	}
	p.session.Draft(q, func(g *lesson.Given) { g.Line = number(n) })
	p.edge.Check("o-" + q.ID + "-" + n)
}

// result puts the guess and what the run gives side by side: the guess dashed,
// the run solid, on one scale.
func (p *Page) result(q *lesson.Question) app.UI {
	a := p.session.Answered(q)
	right, _ := p.session.Answer(q)
	if !a.Shown {
		right = nil // not yet
	}
	switch q.Form {
	case lesson.Number:
		return p.numberResult(q, a.Given.Number, right)
	case lesson.Draw:
		return p.drawResult(q, right)
	case lesson.Order:
		return p.orderResult(q, a.Given.Order, right)
	}
	var items []app.UI
	mark := func(guess, run bool, body app.UI) {
		items = append(items, marked(guess, run, body))
	}
	switch q.Form {
	case lesson.Message:
		for _, c := range p.session.Messages(q) {
			mark(a.Committed && a.Given.Message == c.Number, right != nil && slices.Contains(right.Any, c.Number), chip(c))
		}
		return el("ol").Class("pchips").Body(items...)
	case lesson.Line:
		for _, l := range p.session.HandlerOf(q) {
			if l.Text != "" {
				mark(a.Committed && a.Given.Line == l.Number, right != nil && right.Line == l.Number,
					el("code").Class("ind"+strconv.Itoa(min(l.Depth, 6))).Body(colours(p.player.Painted(l.Text)[0])...))
			}
		}
		return el("ol").Class("plist lines").Body(items...)
	}
	for _, i := range p.session.Choices(q) {
		mark(a.Committed && slices.Contains(a.Given.Choices, i), right != nil && right.Right[i], el("b").Body(p.inside(&q.Choices[i].Say)...))
	}
	return el("ol").Class(scaleClass(q)).Body(items...)
}

func marked(guess, run bool, body app.UI) app.UI {
	li := el("li")
	words := []app.UI{body}
	switch {
	case guess && run:
		return li.Class("guess run both").Body(append(words, el("span").Text("both"))...)
	case guess:
		return li.Class("guess").Body(append(words, el("span").Text("you said"))...)
	case run:
		return li.Class("run").Body(append(words, el("span").Text("the run"))...)
	}
	return li.Body(words...)
}

// numberResult is a line with two marks.
func (p *Page) numberResult(q *lesson.Question, guess *float64, right *lesson.Answer) app.UI {
	from, to := q.From, q.To
	if to == 0 {
		if guess != nil {
			to = max(to, *guess*1.25)
		}
		if right != nil {
			to = max(to, right.Number*1.25)
		}
	}
	place := func(n float64) string { return share(int(math.Round((n - from) / max(to-from, 1e-9) * 100))) }
	unit := ""
	if q.Unit != "" {
		unit = "\u00a0" + q.Unit
	}
	text := func(n float64) string { return strconv.FormatFloat(math.Round(n*1000)/1000, 'f', -1, 64) + unit }
	var marks []app.UI
	if guess != nil && p.session.Answered(q).Committed {
		marks = append(marks, el("li").Class("guess", place(*guess)).Body(el("i"), el("b").Text(text(*guess)), el("span").Text("you said")))
	}
	if right != nil {
		marks = append(marks, el("li").Class("run", place(right.Number)).Body(el("i"), el("b").Text(text(right.Number)), el("span").Text("the run")))
	}
	return el("div").Class("pline").Body(
		el("ol").Body(marks...),
		el("p").Class("ends").Aria("hidden", "true").Body(el("span").Text(text(from)), el("span").Text(text(to))),
	)
}

func (p *Page) orderResult(q *lesson.Question, guess []string, right *lesson.Answer) app.UI {
	row := func(class, name string, ids [][]string) app.UI {
		body := []app.UI{el("span").Class("lbl").Text(name)}
		for i, group := range ids {
			if i > 0 {
				body = append(body, el("span").Class("then").Aria("hidden", "true").Text("›"))
			}
			for _, id := range group {
				body = append(body, p.named(q, id))
			}
		}
		return el("p").Class("prow " + class).Body(body...)
	}
	var rows []app.UI
	if p.session.Answered(q).Committed {
		var alone [][]string
		for _, id := range guess {
			alone = append(alone, []string{id})
		}
		rows = append(rows, row("guess", "you said", alone))
	}
	if right != nil {
		rows = append(rows, row("run", "the run", right.Order))
	}
	return el("div").Class("prows").Body(rows...)
}
