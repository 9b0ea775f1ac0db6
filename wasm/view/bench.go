package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// notices are what has to be said about the run as a whole: that a long one is
// being computed, that it met a limit, that the scenario is wrong.
type notices struct {
	page *Page
}

func (p *Page) noticesKey() string {
	long, done := p.long()
	return fmt.Sprint(p.player.Revision(), long, int(done*100))
}

// long reports whether a run has been computed for so long that it has to be
// said, and which part of it is done.
func (p *Page) long() (long bool, done float64) {
	const unsaid = 400 // milliseconds in which a notice would only flash
	working, done := p.player.Working()
	return working && p.edge.Now()-p.began > unsaid, done
}

func (c *notices) render() app.UI {
	p := c.page.player
	var body []app.UI
	for _, problem := range p.Problems() {
		if problem.HandlerLine == 0 {
			body = append(body, el("p").Class("notice err").Role("alert").
				Body(el("span").Text(problem.Text+" The last good run stays on the stage.")))
		}
	}
	if long, done := c.page.long(); long {
		body = append(body, el("p").Class("notice").Body(
			el("span").Text("Computing a long run. The one before stays until it is there."),
			el("progress").Attr("max", 100).Attr("value", int(done*100)).Aria("label", "Computed"),
		))
	}
	if text := p.Limit(); text != "" {
		body = append(body, el("p").Class("notice").Body(el("span").Text(text)))
	}
	return el("div").Class("notices").ID("notices").Body(body...)
}

// strip shows that what was accepted is somewhere, and beside it what the
// queue cannot count.
type strip struct {
	page *Page
}

func (p *Page) stripKey() string { return fmt.Sprint(p.player.AddsUp()) }

func (c *strip) render() app.UI {
	a := c.page.player.AddsUp()
	shares := make([]app.UI, len(a.Shares))
	for i, s := range a.Shares {
		count := strconv.Itoa(s.Count)
		if i > 0 {
			count = "+\u2009" + count
		}
		cells := make([]app.UI, s.Cells())
		for k := range cells {
			cells[k] = el("i")
		}
		if len(cells) == 0 {
			cells = []app.UI{el("i").Class("none")}
		}
		shares[i] = el("li").Class("k-"+s.Class, share(s.Width)).Body(
			el("span").Class("cells").Body(cells...),
			el("span").Class("lab").Body(el("b").Text(count), app.Text(" "+s.Name)),
		)
	}
	return el("section").Class("strip").Aria("label", "Every accepted ticket is somewhere").Body(
		el("p").Class("strip-h").Body(el("b").Text(a.Accepted), app.Text(" accepted")),
		el("ol").Class("strip-bar").Body(shares...),
		el("ul").Class("strip-x").Body(tally(a.Lost, "lost"), tally(a.Twice, "done twice")),
	)
}

func tally(n int, name string) app.UI {
	li := el("li")
	if n > 0 {
		li = li.Class("bad")
	}
	return li.Body(el("b").Text(n), app.Text(" "+name))
}

// transport holds the buttons of time. The clock's text belongs to the Edge.
type transport struct {
	page *Page
}

func (p *Page) transportKey() string {
	next := -1
	if _, row := p.player.Sentence(); row != nil {
		next = row.Event
	}
	return fmt.Sprint(p.player.Playing(), next, p.player.Revision(), p.player.Speed())
}

func (c *transport) render() app.UI {
	p := c.page.player
	playing, label := "play", "Play"
	if p.Playing() {
		playing, label = "pause", "Pause"
	}
	next := []app.UI{app.Text("The run is over.")}
	if _, row := p.Sentence(); row != nil {
		next = []app.UI{el("span").Class("lbl").Text("Next"), app.Text(" "), el("time").Text(row.Clock), app.Text(" " + row.Text)}
	}
	return el("div").Class("transport").Body(
		el("div").Class("tbtns").Body(
			button("restart", "Restart", "restart", c.restart),
			button("back", "Step back", "stepb", c.back),
			el("button").Class("btn play").Attr("type", "button").ID("play").DataSet("do", "play").Aria("label", label).OnClick(c.toggle).Body(icon(playing, "l")),
			button("forward", "Step to the next event", "stepf", c.forward),
		),
		el("p").Class("clock").Body(el("span").ID("clock-faint"), el("b").ID("clock-now")),
		el("p").Class("next").ID("next").Body(next...),
		el("label").Class("speed").Body(
			el("span").Class("lbl").Text("Speed"),
			el("select").Class("btn").ID("speed").Aria("label", "Speed").OnChange(c.speed).Body(speeds(p.Speed())...),
		),
	)
}

func button(id, label, glyph string, do app.EventHandler) app.UI {
	return el("button").Class("btn icon").Attr("type", "button").ID(id).Aria("label", label).OnClick(do).Body(icon(glyph, ""))
}

func (c *transport) restart(app.Context, app.Event) { c.page.player.Restart(); c.page.moved() }
func (c *transport) back(app.Context, app.Event)    { c.page.player.StepBack(); c.page.moved() }
func (c *transport) forward(app.Context, app.Event) { c.page.player.StepForward(); c.page.moved() }
func (c *transport) toggle(app.Context, app.Event)  { c.page.player.Toggle(); c.page.toggled() }

func (c *transport) speed(ctx app.Context, e app.Event) {
	speed, _ := strconv.ParseFloat(ctx.JSSrc().Get("value").String(), 64)
	c.page.player.SetSpeed(speed)
	c.page.draw()
}

func speeds(chosen float64) []app.UI {
	var all []app.UI
	for _, speed := range player.Speeds {
		value := strconv.FormatFloat(speed, 'f', -1, 64)
		all = append(all, el("option").Attr("value", value).Attr("selected", speed == chosen).Text(player.SpeedText(speed)))
	}
	return all
}

// timeline is the whole run from left to right. The playhead's place belongs
// to the Edge.
type timeline struct {
	page *Page

	dragging bool
	marks    string // the drawing of the marks
	of       string // the run and the width that it is of
}

func (p *Page) timelineKey() string {
	text := ""
	if now, _ := p.player.Sentence(); now != nil {
		text = now.Text
	}
	return fmt.Sprint(p.player.Revision(), p.size, int64(p.player.Time())/1e6, text)
}

func (c *timeline) render() app.UI {
	p := c.page.player
	spoken := player.Seconds(p.Time())
	if now, _ := p.Sentence(); now != nil {
		spoken += ", " + now.Text
	}
	return el("div").Class("track").Body(
		el("span").Class("name").Aria("hidden", "true").Text("Events"),
		el("div").Class("scrub").ID("scrub").Role("slider").TabIndex(0).Aria("label", "Time").
			Aria("valuemin", 0).Aria("valuemax", int64(p.End())/1e6).Aria("valuenow", int64(p.Time())/1e6).
			Aria("valuetext", spoken).
			OnKeyDown(c.key).On("pointerdown", c.down).On("pointermove", c.move).On("pointerup", c.up).On("pointercancel", c.up).
			Body(
				el("div").Class("groove").Body(el("div").Class("past")),
				c.drawn(),
				el("div").Class("head"),
			),
	)
}

func (c *timeline) key(ctx app.Context, e app.Event) {
	p := c.page.player
	switch e.Get("key").String() {
	case "ArrowRight", "ArrowUp":
		p.StepForward()
	case "ArrowLeft", "ArrowDown":
		p.StepBack()
	case "PageUp":
		p.Pause()
		p.Seek(p.Time() + p.End()/10)
	case "PageDown":
		p.Pause()
		p.Seek(p.Time() - p.End()/10)
	case "Home":
		p.Restart()
	case "End":
		p.GoToEnd()
	default:
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	c.page.moved()
}

func (c *timeline) down(ctx app.Context, e app.Event) {
	if m := clicked(e, "event"); m != "" {
		c.page.player.GoTo(number(m))
		c.page.moved()
		return
	}
	c.dragging = true
	c.page.edge.Capture("scrub", e.Get("pointerId").Int())
	c.seek(e)
}

func (c *timeline) move(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if c.dragging {
		c.seek(e)
	}
}

// seek follows the pointer; the panels follow at their own pace.
func (c *timeline) seek(e app.Event) {
	p := c.page
	at := p.edge.Along("scrub", e.Get("clientX").Float())
	p.player.Pause()
	p.player.SeekPart(at)
	p.draw()
	p.soon()
}

func (c *timeline) up(ctx app.Context, _ app.Event) {
	if !c.dragging {
		ctx.PreventUpdate()
		return
	}
	c.dragging = false
	c.page.moved()
}

// drawn is the whole run as marks. Those who do not see it have the steps and
// the transcript.
func (c *timeline) drawn() app.UI {
	r := c.page.player.Run()
	if r == nil {
		return el("div").Class("marks")
	}
	width := c.page.edge.Width("scrub")
	if of := fmt.Sprint(c.page.player.Revision(), width); of != c.of {
		c.of = of
		c.marks = scene.Timeline(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, width)
	}
	return app.Raw(c.marks)
}
