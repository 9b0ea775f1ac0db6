package view

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/chart"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// charts are the numbers of the run over time, and below them its messages as
// lanes, on the axis of the timeline. They are drawn once for a run and a
// width; what moves lies over them, and the numbers of the legend are live.
type charts struct {
	page *Page

	counts, waits *chart.Plot // what is drawn now
	hover         float64     // the part of the axis that a pointer reads, below 0 for none
	lanes         player.Lanes
	rows          string // the drawing of the lanes
	of            string // the run, the width and the window that they are of
}

func (p *Page) chartsKey() string {
	if !p.folds["charts"] || p.player.Run() == nil {
		return "folded"
	}
	working, done, _ := p.player.Banding()
	return fmt.Sprint(p.player.Revision(), p.size, p.known(), p.session.Unsaid(), working, done, p.player.Band() != nil,
		p.paced("lanes", p.lanesKey()))
}

// lanesKey says which lanes are to be shown.
func (p *Page) lanesKey() string {
	return fmt.Sprint(p.player.LaneWindow(), p.player.Following())
}

func (c *charts) render() app.UI {
	p := c.page.player
	open := c.page.folds["charts"] && p.Run() != nil
	body := []app.UI{el("summary").Body(el("h2").Text("Everything over time"))}
	if open {
		body = append(body, c.body())
	}
	return el("details").Class("fold overtime").ID("charts").Attr("open", c.page.folds["charts"]).
		On("toggle", c.toggled, app.EventScope("charts")).Body(body...)
}

// toggled draws what was folded away when it is opened.
func (c *charts) toggled(ctx app.Context, _ app.Event) {
	open := ctx.JSSrc().Get("open").Bool()
	if c.page.folds["charts"] == open {
		ctx.PreventUpdate()
		return
	}
	c.page.folds["charts"] = open
}

func (c *charts) body() app.UI {
	p := c.page.player
	width := c.page.edge.Width("scrub")
	c.counts, c.waits = p.Plots(width)
	class := "axes"
	if !c.page.known() {
		class += " first"
	}
	labels := chart.Labels(p.Axis(width))
	return el("div").Class("overtime-b").Body(
		el("div").Class(class).On("pointermove", c.read).On("pointerdown", c.read).On("pointerleave", c.leave).OnClick(c.click).Body(
			el("div").Class("plotrow").Body(c.legend(), app.Raw(c.counts.Markup)),
			el("div").Class("plotrow wait").Body(
				el("ul").Class("legend").Body(entry("ln-wait", "wait", "v-wait")), app.Raw(c.waits.Markup)),
			el("div").Class("axisrow").Aria("hidden", "true").Body(app.Raw(labels)),
			c.laneRows(width),
			el("div").Class("axisrow").Aria("hidden", "true").Body(app.Raw(labels)),
			el("div").Class("axis-span").ID("axes").Aria("hidden", "true"),
			el("div").Class("nowclip").Aria("hidden", "true").Body(
				el("div").Class("now").ID("now-over").Body(
					el("div").Class("veil"), el("div").Class("needle"),
					el("i").Class("dot w").ID("dot-0"), el("i").Class("dot").ID("dot-1"), el("i").Class("dot t").ID("dot-2")),
				el("div").Class("now").ID("reading").Body(el("div").Class("hair"), el("span").Class("hairlab").ID("hover-time")),
			),
		),
		c.foot(),
		key(),
	)
}

func (c *charts) legend() app.UI {
	words := c.page.player.Words()
	entries := []app.UI{
		entry("ln-w", words.In("waiting"), "v-waiting"),
		entry("ln-fl", words.In("in flight"), "v-flight"),
		entry("ln-dead", words.In("dead"), "v-dead"),
	}
	if before, _ := c.page.player.Before(); before != nil {
		entries = append(entries, entry("ln-ghost", "was waiting", ""))
	}
	if c.page.known() && c.page.player.Expected().Model != "" {
		entries = append(entries, entry("ln-exp", "expected", ""))
	}
	if c.page.player.Band() != nil {
		entries = append(entries, entry("ln-band", "most seeds", ""))
	}
	return el("ul").Class("legend").Body(entries...)
}

func entry(line, name, id string) app.UI {
	li := el("li").Body(el("i").Class("sw "+line).Aria("hidden", "true"), app.Text(name))
	if id != "" {
		li = el("li").Body(el("i").Class("sw "+line).Aria("hidden", "true"), app.Text(name+" "), el("b").ID(id))
	}
	return li
}

// read shows the values where the pointer is.
func (c *charts) read(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	c.hover = c.page.edge.Along("axes", e.Get("clientX").Float())
	if c.page.session.Secret() && c.hover > c.page.player.At() {
		c.hover = -1 // what is not drawn is not read either
	}
	c.page.draw()
}

func (c *charts) leave(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	c.hover = -1
	c.page.draw()
}

// click goes to an instant; on a ticket it follows that one.
func (c *charts) click(ctx app.Context, e app.Event) {
	p := c.page
	if id := clicked(e, "follow"); id != "" && e.Get("target").Call("closest", ".lane-h").Truthy() {
		p.player.FollowID(id)
		p.redraw()
		return
	}
	p.player.Pause()
	p.player.SeekPart(p.edge.Along("axes", e.Get("clientX").Float()))
	p.moved()
}

// foot says what theory expects and offers many seeds.
func (c *charts) foot() app.UI {
	p := c.page.player
	if !c.page.known() {
		text := c.page.session.Unsaid()
		if text == "" {
			text = "What is to come shows here when the run was seen once."
		}
		return el("div").Class("chartfoot").Body(el("p").Class("expected").Text(text))
	}
	e := p.Expected()
	says := []app.UI{app.Text("No expected line: " + e.Says + ".")}
	if e.Model != "" {
		says = []app.UI{el("b").Text("Expected"), app.Text(" (" + e.Model + "): " + e.Says + ".")}
	}
	return el("div").Class("chartfoot").Body(el("p").Class("expected").Body(says...), c.seeds())
}

func (c *charts) seeds() app.UI {
	p := c.page
	working, done, of := p.player.Banding()
	switch {
	case working:
		return el("div").Class("band").Body(
			el("progress").Attr("max", of).Attr("value", done).Aria("label", "Seeds"),
			el("span").Text(strconv.Itoa(done)+" of "+strconv.Itoa(of)+" seeds"),
			el("button").Class("btn text").Attr("type", "button").ID("band").OnClick(func(app.Context, app.Event) { p.player.EndBand() }, app.EventScope("cancel")).Text("Cancel"))
	case p.player.Band() != nil:
		low, middle, high := p.player.Band().After(p.player.Time())
		return el("div").Class("band").Body(
			el("span").Text(fmt.Sprintf("%d seeds: the middle one has %d waiting here, eight of ten %d to %d.", of, middle, low, high)),
			el("button").Class("btn text").Attr("type", "button").ID("band").OnClick(func(app.Context, app.Event) { p.player.EndBand() }, app.EventScope("away")).Text("Take away"))
	}
	return el("div").Class("band").Body(
		el("button").Class("btn").Attr("type", "button").ID("band").OnClick(func(app.Context, app.Event) {
			p.player.BeginBand()
			p.run()
		}, app.EventScope("begin")).Text("Compare " + strconv.Itoa(of) + " seeds"))
}

// key explains the signs of timeline and lanes.
func key() app.UI {
	item := func(sign app.UI, text string) app.UI { return el("li").Body(sign, app.Text(text)) }
	glyph := func(name, tone string) app.UI { return el("span").Class(tone).Body(icon(name, "s")) }
	return el("ul").Class("key").Aria("label", "Signs").Body(
		item(el("i").Class("tick"), "taken"),
		item(glyph("crash", "ev-crash"), "crash"),
		item(glyph("expiry", "ev-expiry"), "not acked in time"),
		item(glyph("dead", "ev-dead"), "dead letter"),
		item(glyph("refused", "ev-refused"), "turned away"),
		item(glyph("ack", "ev-done"), "acked"),
		item(el("i").Class("wt"), "waiting"),
		item(el("i").Class("hd w-b").Text("B"), "in worker B's hands"),
		item(el("i").Class("wk w-b"), "goes on without a hand-out"),
		item(el("i").Class("ef"), "side effect"),
	)
}

// laneRows are the lanes: of all messages, or of those around the playhead.
func (c *charts) laneRows(width int) app.UI {
	p := c.page.player
	if of := fmt.Sprint(p.Revision(), width, p.LaneWindow(), p.Following()); of != c.of {
		c.of = of
		c.lanes = p.Lanes()
		c.rows = p.DrawLanes(c.lanes.Messages, width)
	}
	return el("div").Body(
		el("section").Class("lanes").ID("lanes").Aria("label", "Each message over time").TabIndex(0).Body(app.Raw(c.rows)),
		c.others(),
	)
}

// others says which messages have no lane now.
func (c *charts) others() app.UI {
	n := c.lanes.Above + c.lanes.More
	if n == 0 {
		return el("div").Class("nolist")
	}
	return el("p").Class("lanemore").Text(fmt.Sprintf("… and %d more: %d before these, %d after. The lanes follow the playhead.", n, c.lanes.Above, c.lanes.More))
}

// lane returns the row of the message that was handed out last, -1 where it has
// none.
func (c *charts) lane() int {
	if !c.page.folds["charts"] {
		return -1
	}
	return slices.Index(c.lanes.Messages, c.page.player.LastHandedOut())
}

func appendInt(b []byte, n int64) []byte { return strconv.AppendInt(b, n, 10) }

// appendLength writes a length of time in seconds, to the hundredth.
func appendLength(b []byte, t event.Time) []byte {
	b = strconv.AppendFloat(b, t.Seconds(), 'f', 2, 64)
	return append(b, " s"...)
}
