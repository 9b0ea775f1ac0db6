package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/chart"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// transport holds the buttons of time. The clock and what comes next are live.
//
// Speed is a slider: its ten positions are about twice the one before, so that
// equal ways are equal factors, and while time moves one sees what a position
// does. It is the browser's own, and so works by keys and by touch. A virtual
// second a second is right for few runs: a lesson of one second and a burst of
// a minute both begin with the speed at which they can be watched, which a few
// fixed buttons could not hold.
type transport struct {
	page *Page

	more bool // on a phone: the second row is open
}

func (p *Page) transportKey() string {
	stop, halted := p.player.Halted()
	return fmt.Sprint(p.player.Playing(), p.player.Revision(), p.player.Speed(), p.player.Loop(), p.player.Kind(), halted, stop.Event, p.transport.more, p.session.Secret())
}

func (c *transport) render() app.UI {
	p := c.page.player
	playing, label := "play", "Play"
	if p.Playing() {
		playing, label = "pause", "Pause"
	}
	more := "transport"
	if c.more {
		more += " all"
	}
	return el("div").Class(more).Body(
		el("div").Class("tbtns").Body(
			button("restart", "Restart", "restart", c.restart),
			button("back", "Step back", "stepb", c.back),
			el("button").Class("btn play").Attr("type", "button").ID("play").DataSet("do", "play").Aria("label", label).OnClick(c.toggle).Body(icon(playing, "l")),
			button("forward", "Step to the next event", "stepf", c.forward),
			button("end", "Skip to the end", "end", c.end),
			c.loop(),
		),
		el("p").Class("clock").Body(el("span").ID("clock-faint"), el("b").ID("clock-now")),
		el("button").Class("btn icon unfold").Attr("type", "button").ID("more").Aria("label", "More controls").
			Aria("expanded", strconv.FormatBool(c.more)).Aria("controls", "ttools").OnClick(c.unfold).Body(icon("more", "")),
		el("div").Class("ttools").ID("ttools").Body(c.kinds(), c.speed(), c.seed()),
		c.said(),
	)
}

func button(id, label, glyph string, do app.EventHandler) app.HTMLElem {
	return el("button").Class("btn icon").Attr("type", "button").ID(id).Aria("label", label).OnClick(do).Body(icon(glyph, ""))
}

func (c *transport) loop() app.UI {
	return button("loop", "Loop", "loop", func(app.Context, app.Event) {
		p := c.page.player
		p.SetLoop(!p.Loop())
	}).Aria("pressed", strconv.FormatBool(c.page.player.Loop()))
}

// said is the sentence of the stop at which play has halted or else what
// happens next.
func (c *transport) said() app.UI {
	if stop, halted := c.page.player.Halted(); halted {
		return el("p").Class("next stopped").ID("stop").Body(icon("flag", ""), el("b").Text(stop.Text),
			el("button").Class("btn text").Attr("type", "button").ID("go-on").OnClick(c.toggle).Text("Go on"))
	}
	time, says := c.page.next()
	return el("p").Class("next").ID("next").Body(
		el("span").Class("lbl").Text("Next"), app.Text(" "), el("time").ID("next-time").Text(time), app.Text(" "), el("span").ID("next-text").Text(says))
}

// next is what happens next, and when.
func (p *Page) next() (time, says string) {
	if i := p.player.Upcoming(); i >= 0 {
		row := p.player.RowAt(i)
		return row.Clock, row.Text
	}
	if p.player.Run() == nil {
		return "", "the run is still being computed."
	}
	return "", "nothing more: the run is over."
}

// kinds lets a reader go from event to event of one kind.
func (c *transport) kinds() app.UI {
	p := c.page.player
	counts := p.Kinds()
	names := [...]string{"hand-outs", "timeouts", "crashes", "dead letters", "refusals", "effects", "marks"}
	options := []app.UI{}
	for _, k := range [...]chart.Kind{chart.Kinds, chart.Delivery, chart.Timeout, chart.Crash, chart.DeadLetter, chart.Refusal, chart.Effect} {
		option := el("option").Attr("value", int(k)).Attr("selected", k == p.Kind()).Text(strconv.Itoa(counts[k]) + " " + names[k])
		if c.page.session.Secret() {
			option = option.Text(names[k])
		} else if counts[k] == 0 {
			option = option.Attr("disabled", true)
		}
		options = append(options, option)
	}
	return el("div").Class("kinds").Role("group").Aria("label", "Events of one kind").Body(
		button("mark-back", "Previous of its kind", "left", c.prevMark),
		el("select").Class("btn").ID("kind").Aria("label", "Kind of event").OnChange(c.kind).Body(options...),
		button("mark-on", "Next of its kind", "right", c.nextMark),
	)
}

func (c *transport) speed() app.UI {
	at := 0
	for i, speed := range player.Speeds {
		if speed == c.page.player.Speed() {
			at = i
		}
	}
	text := player.SpeedText(player.Speeds[at])
	return el("div").Class("speed").Body(
		el("label").Class("lbl").Attr("for", "speed").Text("Speed"),
		el("input").Class("range", share(100*at/(len(player.Speeds)-1))).ID("speed").Attr("type", "range").
			Attr("min", 0).Attr("max", len(player.Speeds)-1).Attr("value", strconv.Itoa(at)).
			Aria("valuetext", text+" real time").OnInput(c.setSpeed),
		el("output").ID("speed-now").Text(text),
	)
}

func (c *transport) seed() app.UI {
	return el("div").Class("seed").Body(
		el("label").Class("lbl").Attr("for", "seed").Text("Seed"),
		el("input").ID("seed").Attr("inputmode", "numeric").Attr("autocomplete", "off").
			Attr("value", strconv.FormatUint(c.page.player.Scenario().Seed, 10)).OnChange(c.setSeed),
		button("another", "Another seed", "dice", c.another),
	)
}

func (c *transport) restart(app.Context, app.Event) { c.page.player.Restart(); c.page.moved() }
func (c *transport) back(app.Context, app.Event)    { c.page.player.StepBack(); c.page.moved() }
func (c *transport) forward(app.Context, app.Event) { c.page.player.StepForward(); c.page.moved() }
func (c *transport) end(app.Context, app.Event)     { c.page.player.GoToEnd(); c.page.moved() }
func (c *transport) toggle(app.Context, app.Event)  { c.page.player.Toggle(); c.page.toggled() }
func (c *transport) unfold(app.Context, app.Event)  { c.more = !c.more }

func (c *transport) prevMark(app.Context, app.Event) { c.page.toMark(false) }
func (c *transport) nextMark(app.Context, app.Event) { c.page.toMark(true) }

// toMark goes to the next or the previous event of the chosen kind.
func (p *Page) toMark(next bool) {
	there, text := false, "No such event before."
	if next {
		there, text = p.player.NextMark(), "No such event after."
	} else {
		there = p.player.PrevMark()
	}
	if there {
		p.moved()
	} else {
		p.edge.Say(text)
	}
}

func (c *transport) kind(ctx app.Context, _ app.Event) {
	c.page.player.SetKind(chart.Kind(number(ctx.JSSrc().Get("value").String())))
}

func (c *transport) setSpeed(ctx app.Context, _ app.Event) {
	at := number(ctx.JSSrc().Get("value").String())
	c.page.player.SetSpeed(player.Speeds[max(0, min(at, len(player.Speeds)-1))])
	c.page.draw()
}

// setSeed takes the seed that was typed; what is no number leaves it.
func (c *transport) setSeed(ctx app.Context, _ app.Event) {
	if seed, err := strconv.ParseUint(ctx.JSSrc().Get("value").String(), 10, 64); err == nil {
		c.page.player.SetSeed(seed)
		c.page.edited()
	}
	c.page.fillSeed()
}

func (c *transport) another(app.Context, app.Event) {
	c.page.player.AnotherSeed()
	c.page.edited()
	c.page.fillSeed()
}

// fillSeed shows the seed that counts, whatever was typed.
func (p *Page) fillSeed() { p.edge.Fill("seed", strconv.FormatUint(p.player.Scenario().Seed, 10)) }
