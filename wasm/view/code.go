package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// code is the handler that runs: a listing whose lines can be moved, and a
// field to type in.
type code struct {
	page *Page

	opened string // what the field was opened with
	text   string // what is in it
	seen   string // the handler that came of it
}

// drag is a line on its way.
type drag struct {
	line   int // 0: none
	target int // the slot that it would fall into, 0: none
	slots  []player.Slot
}

func (p *Page) codeKey() string {
	return fmt.Sprint(p.session.Step(), p.player.Revision(), p.player.Card(), p.player.AsksCrashes(), p.player.CrashesRevision(),
		p.typed, p.drag.line, p.drag.target)
}

func (c *code) render() app.UI {
	p := c.page
	c.follow()
	body := []app.UI{
		el("header").Body(
			el("h2").Body(app.Text(p.player.Words().In("The cook’s card")+" "), el("span").Class("tech").Text("handler")),
			el("div").Class("acts").Body(c.acts()...),
		),
		c.tabs(),
	}
	matrix, asked := p.player.Crashes()
	if p.typed {
		body = append(body, c.field(), c.typingBar(), c.mistake())
	} else {
		body = append(body, crashHead(asked), c.listing(matrix), c.whatIf(matrix, asked))
	}
	body = append(body, el("div").Class("lifted").ID("lifted").Aria("hidden", "true").Body(
		el("code").Text(c.lifted()), icon("grip", "")))
	class := "code"
	if asked {
		class += " asked-crashes"
	}
	return el("section").Class(class).Aria("label", "Worker code").OnKeyDown(c.keys).Body(body...)
}

// acts are what the card offers.
func (c *code) acts() []app.UI {
	p := c.page
	switch {
	case !p.player.Unlocked(lesson.Handler):
		return []app.UI{el("span").Class("lbl").Text("fixed in this step")}
	case p.drag.line > 0:
		return []app.UI{el("span").Class("lbl").Text("Esc puts it back")}
	}
	reset := el("button").Class("btn text").Attr("type", "button").ID("reset-code").OnClick(c.resetCode).Text("Reset")
	if p.player.OwnHandler() == p.player.Handler() {
		reset = reset.Aria("disabled", "true")
	}
	return []app.UI{
		el("button").Class("btn text").Attr("type", "button").ID("type").OnClick(c.toggle).Text(map[bool]string{false: "Edit", true: "Done"}[p.typed]),
		reset,
	}
}

// tabs choose between the handlers of several pools.
func (c *code) tabs() app.UI {
	pools := c.page.player.Pools()
	if len(pools) < 2 {
		return el("div").Class("pools")
	}
	var tabs []app.UI
	for i, name := range pools {
		on := i == c.page.player.Card()
		tab := el("button").Attr("type", "button").Role("tab").ID("pool-"+strconv.Itoa(i)).DataSet("pool", i).
			Aria("selected", strconv.FormatBool(on)).Aria("controls", "card").Attr("tabindex", map[bool]int{true: 0, false: -1}[on]).Text(name)
		tabs = append(tabs, tab)
	}
	return el("div").Class("pools", "on").Role("tablist").Aria("label", "Whose handler").OnClick(c.pickPool).Body(tabs...)
}

func (c *code) pickPool(ctx app.Context, e app.Event) {
	if n := clicked(e, "pool"); n != "" {
		c.showPool(number(n))
		return
	}
	ctx.PreventUpdate()
}

func (c *code) showPool(n int) {
	c.page.player.Seal()
	c.page.player.ShowCard(n)
	c.page.redraw()
}

// poolKeys go from tab to tab; it reports whether the key was one of theirs.
func (c *code) poolKeys(ctx app.Context, e app.Event) bool {
	n, by := len(c.page.player.Pools()), map[string]int{"ArrowLeft": -1, "ArrowRight": 1}[e.Get("key").String()]
	if by == 0 || clicked(e, "pool") == "" {
		return false
	}
	e.PreventDefault()
	to := (c.page.player.Card() + by + n) % n
	c.showPool(to)
	ctx.Defer(func(app.Context) { c.page.edge.Focus("pool-" + strconv.Itoa(to)) })
	return true
}

func (c *code) resetCode(ctx app.Context, e app.Event) {
	if e.Get("currentTarget").Get("ariaDisabled").String() == "true" {
		ctx.PreventUpdate()
		return
	}
	c.page.player.ResetHandler()
	c.page.edited()
	c.page.edge.Say("The card is as it was.")
}

func (c *code) listing(matrix player.Matrix) app.UI {
	p := c.page
	lines := player.Lines(p.player.Handler())
	painted := p.player.Painted(p.player.Handler())
	mistake, wrong := p.player.Mistake()
	slots := c.slots(lines)
	was, wasDepth := p.player.AckWas()
	var items []app.UI
	for i := 0; i <= len(lines); i++ {
		if s := slotAt(slots, i+1); s != nil || was == i+1 {
			items = append(items, c.slot(i+1, s, was == i+1, wasDepth))
		}
		if i < len(lines) {
			items = append(items, c.line(lines[i], bare(painted[i]), wrong && mistake.Line == i+1, matrix))
		}
		if wrong && (mistake.Line == i+1 || i == len(lines) && mistake.Line > len(lines)) {
			items = append(items, el("li").Class("errmsg").Body(icon("crash", ""), el("span").Role("alert").Body(mistakeWords(mistake)...)))
		}
	}
	class := "listing"
	if p.drag.line > 0 {
		class += " dragging"
	}
	return el("ol").Class(class).ID("listing").Aria("label", "Lines of the handler").OnClick(c.click).
		On("pointerdown", c.down).On("pointermove", c.move).On("pointerup", c.up).On("pointercancel", c.cancel).
		Body(items...)
}

// slots are those of the dragged line; at rest those of the ack, as hairlines.
func (c *code) slots(lines []player.Line) []player.Slot {
	if c.page.drag.line > 0 {
		return c.page.drag.slots
	}
	if len(c.page.player.Problems()) > 0 {
		return nil
	}
	for _, line := range lines {
		if line.Ack {
			return c.page.player.Slots(line.Number)
		}
	}
	return nil
}

func slotAt(slots []player.Slot, before int) *player.Slot {
	for i := range slots {
		if slots[i].Before == before {
			return &slots[i]
		}
	}
	return nil
}

func (c *code) slot(before int, s *player.Slot, from bool, fromDepth int) app.UI {
	class, says, depth := "slot", "", fromDepth
	if s != nil {
		class, depth = "slot legal", s.Depth
	}
	if from {
		class += " from"
		says = "ack was here"
	}
	if s != nil && c.page.drag.target == before {
		class += " target"
		says = s.Says
		if says == "" {
			says = "put it here"
		}
	}
	li := el("li").Class(class, "ind"+strconv.Itoa(min(depth, 6)))
	if s != nil {
		li = li.DataSet("before", before)
	}
	return li.Aria("hidden", "true").Body(el("span"), el("em").Text(says))
}

func (c *code) line(l player.Line, spans []player.Span, bad bool, matrix player.Matrix) app.UI {
	class := []string{"ln", "ind" + strconv.Itoa(min(l.Depth, 6))}
	if l.Ack {
		class = append(class, "ack")
	}
	if bad {
		class = append(class, "bad")
	}
	if c.page.drag.line == l.Number {
		class = append(class, "lift")
	}
	body := []app.UI{
		el("span").Class("no").Text(l.Number),
		el("span").Class("whos"), // they, and what was raised here, are live
		el("code").Body(colours(spans)...),
		el("span").Class("raised").Body(icon("crash", "s"), el("span")),
	}
	if l.Movable && c.page.player.Unlocked(lesson.Handler) {
		body = append(body, c.handles(l))
	}
	if point, ok := matrix.Points[l.Number]; ok {
		body = append(body, crashCells(l.Number, point))
	}
	return el("li").Class(strings.Join(class, " ")).ID("line-"+strconv.Itoa(l.Number)).DataSet("line", l.Number).Body(body...)
}

// colours are the parts of a line, each in the colour of its kind.
func colours(spans []player.Span) []app.UI {
	all := make([]app.UI, len(spans))
	for i, s := range spans {
		if s.Kind == "" {
			all[i] = app.Text(s.Text)
		} else {
			all[i] = el("span").Class("c-" + s.Kind).Text(s.Text)
		}
	}
	return all
}

// bare takes the indentation off a line.
func bare(spans []player.Span) []player.Span {
	if len(spans) == 0 || spans[0].Kind != "" {
		return spans
	}
	first := spans[0]
	if first.Text = strings.TrimLeft(first.Text, " \t"); first.Text == "" {
		return spans[1:]
	}
	return append([]player.Span{first}, spans[1:]...)
}

// handles are how a line is moved: two buttons, and a grip for the pointer and
// the keys.
func (c *code) handles(l player.Line) app.UI {
	n := strconv.Itoa(l.Number)
	what := "line " + n
	if l.Ack {
		what = "ack"
	}
	up := el("button").Class("btn icon sm").Attr("type", "button").ID("up-"+n).DataSet("up", l.Number).Aria("label", "Move "+what+" up").Body(icon("up", "s"))
	down := el("button").Class("btn icon sm").Attr("type", "button").ID("down-"+n).DataSet("down", l.Number).Aria("label", "Move "+what+" down").Body(icon("down", "s"))
	if !c.page.player.CanNudge(l.Number, -1) {
		up = up.Aria("disabled", "true")
	}
	if !c.page.player.CanNudge(l.Number, 1) {
		down = down.Aria("disabled", "true")
	}
	return el("span").Class("move").Body(up, down,
		el("button").Class("grip").Attr("type", "button").ID("grip-"+n).DataSet("grip", l.Number).
			Aria("label", "Drag "+what+", or move it with the up and down keys").Body(icon("grip", "")))
}

// click is of the buttons.
func (c *code) click(ctx app.Context, e app.Event) {
	if n := clicked(e, "up"); n != "" {
		c.nudge(ctx, number(n), -1, "up-")
		return
	}
	if n := clicked(e, "down"); n != "" {
		c.nudge(ctx, number(n), 1, "down-")
		return
	}
	if n := clicked(e, "crash"); n != "" {
		c.crashAt(number(n))
		return
	}
	ctx.PreventUpdate()
}

// keys move the line that has the focus, and put a dragged one back.
func (c *code) keys(ctx app.Context, e app.Event) {
	key, target := e.Get("key").String(), e.Get("target")
	if c.poolKeys(ctx, e) {
		return
	}
	if key == "Escape" && c.page.drag.line > 0 {
		c.put(0)
		e.PreventDefault()
		return
	}
	by := map[string]int{"ArrowUp": -1, "ArrowDown": 1}[key]
	line := target.Call("closest", "[data-line]")
	onGrip := target.Call("closest", ".grip").Truthy()
	if by == 0 || !line.Truthy() || !(onGrip || e.Get("altKey").Bool()) {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	c.nudge(ctx, number(line.Call("getAttribute", "data-line").String()), by, "grip-")
}

// nudge moves a line by one slot and takes the focus along.
func (c *code) nudge(ctx app.Context, line, by int, focus string) {
	to, ok := c.page.player.NudgeLine(line, by)
	if !ok {
		ctx.PreventUpdate()
		return
	}
	c.landed(ctx, to, focus)
}

// landed is called when a line has come to rest as line `to`.
func (c *code) landed(ctx app.Context, to int, focus string) {
	p := c.page
	p.edited()
	lines := player.Lines(p.player.Handler())
	if to >= 1 && to <= len(lines) {
		p.edge.Say(fmt.Sprintf("%s is now line %d. %s", lines[to-1].Text, to, p.player.Consequence(to)))
	}
	ctx.Defer(func(app.Context) { p.edge.Focus(focus + strconv.Itoa(to)) })
}

func (c *code) down(ctx app.Context, e app.Event) {
	n := clicked(e, "grip")
	if n == "" {
		ctx.PreventUpdate()
		return
	}
	p := c.page
	p.drag = drag{line: number(n), slots: p.player.Slots(number(n))}
	p.edge.Capture("listing", e.Get("pointerId").Int())
	p.edge.Lift(e.Get("clientX").Float(), e.Get("clientY").Float())
	e.PreventDefault()
}

func (c *code) move(ctx app.Context, e app.Event) {
	p := c.page
	if p.drag.line == 0 {
		ctx.PreventUpdate()
		return
	}
	y := e.Get("clientY").Float()
	p.edge.Lift(e.Get("clientX").Float(), y)
	target := p.edge.NearestSlot(y)
	if target == p.drag.target {
		ctx.PreventUpdate()
		return
	}
	p.drag.target = target
}

func (c *code) up(ctx app.Context, _ app.Event) {
	d := c.page.drag
	if d.line == 0 {
		ctx.PreventUpdate()
		return
	}
	if to, ok := c.put(d.target); ok {
		c.landed(ctx, to, "grip-")
	}
}

func (c *code) cancel(app.Context, app.Event) { c.put(0) }

// put ends a drag in the slot before that line, or where it began.
func (c *code) put(before int) (to int, ok bool) {
	line := c.page.drag.line
	c.page.drag = drag{}
	c.page.edge.Lift(-1, -1)
	if before == 0 {
		return 0, false
	}
	return c.page.player.MoveLine(line, before)
}

// lifted is the text of the line that is being dragged.
func (c *code) lifted() string {
	lines := player.Lines(c.page.player.Handler())
	if n := c.page.drag.line; n > 0 && n <= len(lines) {
		return lines[n-1].Text
	}
	return ""
}
