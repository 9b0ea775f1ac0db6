package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/chart"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// timeline is the whole run from left to right: a slider, and over it the
// marks, which are a stop of their own for the keyboard. The playhead's place
// is live.
type timeline struct {
	page *Page

	dragging bool
	marks    *chart.Marks
	of       string // the run and the width that they are of

	focus int // the mark that has the focus or had it last
	list  int // the mark whose events are listed, -1 for none
	item  int // the event of the list that has the focus
}

func (p *Page) timelineKey() string {
	return fmt.Sprint(p.player.Revision(), p.size, p.timeline.list, p.known(), p.player.Stops())
}

// spoken is what a screen reader says of the playhead.
func (p *Page) spoken() string {
	spoken := player.Seconds(p.player.Time())
	if now, _ := p.player.Sentence(); now != nil {
		spoken += ", " + now.Text
	}
	return spoken
}

func (c *timeline) render() app.UI {
	p := c.page.player
	class := "track"
	if !c.page.known() {
		class += " first"
	}
	return el("div").Class(class).Body(
		el("span").Class("name").Aria("hidden", "true").Text("Events"),
		el("div").Class("scrub").ID("scrub").Role("slider").TabIndex(0).Aria("label", "Time").
			Aria("valuemin", 0).Aria("valuemax", milliseconds(p.End())).Aria("valuenow", milliseconds(p.Time())).
			Aria("valuetext", c.page.spoken()).
			OnKeyDown(c.key).On("pointerdown", c.down).On("pointermove", c.move).On("pointerup", c.up).On("pointercancel", c.up).
			Body(el("div").Class("groove").Body(el("div").Class("to-come").ID("to-come"))),
		el("div").Class("over-scrub").ID("marks").OnClick(c.click).OnKeyDown(c.markKey).Body(
			c.drawn(),
			c.stops(),
			el("div").Class("nowclip").Aria("hidden", "true").Body(
				el("div").Class("now").ID("now-track").Body(el("div").Class("veil up"), el("div").Class("veil low"), el("div").Class("needle"), el("div").Class("head"))),
			c.listed(),
		),
	)
}

func (c *timeline) key(ctx app.Context, e app.Event) {
	p := c.page.player
	key := e.Get("key").String()
	if e.Get("shiftKey").Bool() && (key == "ArrowRight" || key == "ArrowLeft") {
		e.PreventDefault()
		c.page.toMark(key == "ArrowRight")
		return
	}
	switch key {
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

func (c *timeline) down(_ app.Context, e app.Event) {
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

// drawn are the marks of the whole run.
func (c *timeline) drawn() app.UI {
	r := c.page.player.Run()
	if r == nil {
		return el("div").Class("markrows")
	}
	width := c.page.edge.Width("scrub")
	if of := fmt.Sprint(c.page.player.Revision(), width); of != c.of {
		c.of, c.focus, c.list = of, 0, -1
		c.marks = chart.MarksOf(r.Index, c.page.player.Axis(width))
	}
	return app.Raw(c.marks.Markup)
}

// reached counts the marks and the stops that lie before the playhead. Both are
// in the order of time.
func (c *timeline) reached() (marks, stops int) {
	p := c.page.player
	events := p.Events()
	if p.Opening() {
		events = 0
	}
	if c.marks != nil {
		for marks < len(c.marks.List) && int(c.marks.List[marks].Events[0]) < events {
			marks++
		}
	}
	for all := p.Stops(); stops < len(all) && all[stops].Event < events; {
		stops++
	}
	return marks, stops
}

// stops are the author's, as small flags on the groove.
func (c *timeline) stops() app.UI {
	p := c.page.player
	var flags []app.UI
	for i, s := range p.Stops() {
		at := p.Run().Log.Event(s.Event).At
		flags = append(flags, el("button").Class("flag", share(int(100*float64(at)/float64(p.Axis(1).End)))).Attr("type", "button").
			DataSet("event", s.Event).ID("flag-"+strconv.Itoa(i)).Aria("label", "Stop at "+player.Seconds(at)+": "+s.Text).Body(icon("flag", "s")))
	}
	return el("div").Class("flags").Body(flags...)
}

func (c *timeline) click(ctx app.Context, e app.Event) {
	if i := clicked(e, "event"); i != "" { // of the list, or a stop
		c.goTo(number(i))
		return
	}
	if m := clicked(e, "mark"); m != "" {
		c.press(ctx, number(m))
		return
	}
	ctx.PreventUpdate()
}

// press goes to the event of a mark, or lists its events.
func (c *timeline) press(ctx app.Context, m int) {
	if c.marks == nil || m >= len(c.marks.List) {
		return
	}
	c.tabTo(m)
	if events := c.marks.List[m].Events; len(events) == 1 {
		c.goTo(int(events[0]))
		return
	}
	if c.list == m {
		c.close()
		return
	}
	c.list, c.item = m, 0
	ctx.Defer(func(app.Context) { c.page.edge.Focus("listed-0") })
}

// goTo goes to an event; a list that was open is closed, and the focus is back
// on its mark.
func (c *timeline) goTo(i int) {
	if c.list >= 0 {
		c.close()
	}
	c.page.player.GoTo(i)
	c.page.moved()
}

func (c *timeline) close() {
	c.page.edge.Focus(markID(c.list))
	c.list = -1
}

func markID(m int) string { return "mark-" + strconv.Itoa(m) }

// tabTo makes a mark the one to which Tab leads.
func (c *timeline) tabTo(m int) {
	c.page.edge.TabTo("marks", markID(m))
	c.focus = m
}

// markKey moves the focus from mark to mark and within the list of one.
func (c *timeline) markKey(ctx app.Context, e app.Event) {
	key := e.Get("key").String()
	m := clicked(e, "mark")
	switch {
	case c.list >= 0 && (key == "ArrowDown" || key == "ArrowUp" || key == "Home" || key == "End"):
		last := min(len(c.marks.List[c.list].Events), listRoom) - 1
		c.item = map[string]int{"ArrowDown": min(c.item+1, last), "ArrowUp": max(c.item-1, 0), "Home": 0, "End": last}[key]
		c.page.edge.Focus("listed-" + strconv.Itoa(c.item))
	case c.list >= 0 && key == "Escape":
		c.close()
	case m != "" && (key == "ArrowRight" || key == "ArrowLeft" || key == "Home" || key == "End") && !e.Get("shiftKey").Bool():
		at, last := number(m), len(c.marks.List)-1
		at = map[string]int{"ArrowRight": min(at+1, last), "ArrowLeft": max(at-1, 0), "Home": 0, "End": last}[key]
		c.tabTo(at)
		c.page.edge.Focus(markID(at))
	case m != "" && (key == "Enter" || key == " "):
		c.press(ctx, number(m))
	default:
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
}

// listRoom is how many events a list has at most.
const listRoom = 40

// listed are the events of the mark that was pressed.
func (c *timeline) listed() app.UI {
	if c.list < 0 || c.marks == nil || c.list >= len(c.marks.List) {
		return el("div").Class("nolist")
	}
	mark := c.marks.List[c.list]
	events := mark.Events[:min(len(mark.Events), listRoom)]
	var items []app.UI
	for k, i := range events {
		row := c.page.player.RowAt(int(i))
		items = append(items, el("li").Role("none").Body(el("button").Class("row").Attr("type", "button").Role("menuitem").
			ID("listed-"+strconv.Itoa(k)).TabIndex(max(-1, -k)).DataSet("event", row.Event).
			Body(told(row)...)))
	}
	if n := len(mark.Events) - len(events); n > 0 {
		items = append(items, el("li").Class("more").Role("none").Text("… and "+strconv.Itoa(n)+" more: Shift and the arrows go through all of them."))
	}
	at := int(100 * float64(mark.At) / float64(c.page.player.Axis(1).End))
	return el("ul").Class("marklist", share(at)).ID("marklist").Role("menu").Aria("label", strconv.Itoa(len(mark.Events))+" events").
		On("focusout", c.left).Body(items...)
}

// left closes the list when the focus goes elsewhere.
func (c *timeline) left(ctx app.Context, e app.Event) {
	to := e.Get("relatedTarget")
	if to.Truthy() && to.Call("closest", "#marklist").Truthy() {
		ctx.PreventUpdate()
		return
	}
	if to.Truthy() && to.Call("closest", "#marks").Truthy() {
		ctx.PreventUpdate() // a mark was pressed, which says itself what becomes of the list
		return
	}
	c.list = -1
}
