package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// act does what a control of the stage, or of the list below it, offers: it
// follows a ticket, or changes what happens from now on, and reports whether
// there was anything to do. What it acts on stands in data-<kind>.
func (p *Page) act(e app.Event) bool {
	switch act := clicked(e, "act"); act {
	case "":
		return false
	case "follow":
		if q := p.session.Asked(lesson.Message); q != nil {
			p.pickMessage(q, clicked(e, "message"))
		}
		p.followed(clicked(e, "message"))
	case "unfollow":
		p.unfollow()
	case "edit":
		p.letter.show(clicked(e, "message"))
	default:
		return p.deed(act, func(kind string) string { return clicked(e, kind) })
	}
	return true
}

// deed does something to the run, just after the playhead, and says so.
func (p *Page) deed(act string, on func(kind string) string) bool {
	said := ""
	switch act {
	case "crash":
		p.player.CrashNow(on("worker"))
		said = "Crashed " + on("worker") + "."
	case "remove":
		p.player.RemoveNow(on("worker"))
		said = "Sent " + on("worker") + " away."
	case "add":
		p.player.AddNow(on("pool"))
		said = "Added one to " + on("pool") + "."
	case "pause":
		p.player.PauseNow(on("producer"))
		said = "Paused " + on("producer") + "."
	case "resume":
		p.player.ResumeNow(on("producer"))
		said = "Let " + on("producer") + " go on."
	case "send":
		said = "Sent " + p.player.SendNow(on("producer")) + " from " + on("producer") + "."
	case "redrive":
		p.player.RedriveNow(on("queue"))
		said = "Sent all of " + on("queue") + " back."
	default:
		return false
	}
	p.edited()
	p.edge.Say(said + " Undo takes it back.")
	return true
}

// deeds lists in words what the controls of the stage do, also those for which
// a drawing has no room.
type deeds struct {
	page *Page
}

func (p *Page) deedsKey() string {
	followed := p.deeds.followed()
	if !p.folds["deeds"] || p.player.Run() == nil {
		return fmt.Sprint("closed", p.folds["deeds"], followed)
	}
	return fmt.Sprint(p.player.Revision(), p.player.Opening(), p.player.Deeds(), followed)
}

func (c *deeds) render() app.UI {
	p := c.page
	body := []app.UI{el("summary").Text("Act at this moment")}
	if p.folds["deeds"] {
		var items []app.UI
		for _, d := range p.player.Deeds() {
			items = append(items, el("li").Body(c.button(d)))
		}
		body = append(body, el("ul").ID("deeds-list").Body(items...))
	}
	list := el("details").Class("deeds").ID("deeds").Attr("open", p.folds["deeds"]).
		On("toggle", func(ctx app.Context, _ app.Event) {
			if open := ctx.JSSrc().Get("open").Bool(); open != p.folds["deeds"] {
				p.folds["deeds"] = open
				return
			}
			ctx.PreventUpdate()
		}, app.EventScope("deeds")).
		OnClick(p.clickStage).Body(body...)
	return el("div").Class("under").Body(list, c.following(),
		el("button").Class("btn text").Attr("type", "button").ID("present").DataSet("do", "present").Text("Present"))
}

// followed is the number of the message that is followed, "" for none and where
// the stage says it itself.
func (c *deeds) followed() string {
	p := c.page
	if p.player.Run() == nil || p.player.Following() < 0 || p.size == scene.Wide {
		return ""
	}
	return player.ChipOf(p.player.Run().Log, p.player.Following()).Number
}

// following says whom one follows where the stage has no room for it, and lets
// go of it.
func (c *deeds) following() app.UI {
	number := c.followed()
	if number == "" {
		return el("span")
	}
	return el("button").Class("btn followed").Attr("type", "button").ID("followed").Aria("label", "Following "+number+", stop").
		OnClick(func(app.Context, app.Event) {
			c.page.unfollow()
			c.page.edge.Focus("stage")
		}, app.EventScope(number)).
		Body(app.Text("Following "+number), icon("close", "s"))
}

func (c *deeds) button(d player.Deed) app.UI {
	// the glyph is the one that the control on the stage has
	glyph := el("svg").XMLNS(svg).Class("gl s").Attr("aria-hidden", "true").Body(el("use").XMLNS(svg).Attr("href", "#s-"+d.Glyph))
	return el("button").Class("btn").Attr("type", "button").DataSet("act", d.Act).DataSet(d.Kind, d.Name).
		Body(glyph, app.Text(d.Label))
}

// letter is the form in which a dead letter is corrected.
type letter struct {
	page *Page

	open    bool
	dead    player.Dead
	problem string
	shown   int // how often it was opened: its fields are new each time
}

func (p *Page) letterKey() string { return fmt.Sprint(p.letter.open, p.letter.shown, p.letter.problem) }

// show opens the form for the letter with that id.
func (c *letter) show(id string) {
	dead, ok := c.page.player.DeadLetter(id)
	if !ok {
		return
	}
	c.page.player.Pause()
	c.open, c.dead, c.problem = true, dead, ""
	c.shown++
	c.page.later(func() { c.page.edge.Focus("letter-body") })
}

func (c *letter) render() app.UI {
	if !c.open {
		return el("div").Class("correct")
	}
	p := c.page
	scope := app.EventScope("letter", c.shown)
	field := func(id, label, text string, rows int) app.UI {
		return el("label").Class("field").Body(el("span").Text(label),
			el("textarea").Class("letter").ID(id).Attr("rows", rows).Attr("spellcheck", "false").Attr("autocapitalize", "off").Text(text))
	}
	body := []app.UI{
		el("h2").ID("letter-h").Body(app.Text(p.player.Words().In("Order")+" "), chip(c.dead.Chip), app.Text(" in "+c.dead.Queue)),
		field("letter-body", "Its body", c.dead.Body, 2),
	}
	if c.dead.Pool != "" {
		body = append(body, field("letter-handler", "What "+c.dead.Pool+" does from now on", c.dead.Handler, lines(c.dead.Handler)))
	}
	if c.problem != "" {
		body = append(body, el("p").Class("errmsg").Role("alert").Body(icon("crash", "s"), el("span").Text(c.problem)))
	}
	body = append(body, el("p").Class("pgo").Body(
		el("button").Class("btn primary").Attr("type", "button").ID("letter-send").OnClick(c.send, scope).Text(p.player.Words().In("Correct it and clip it back")),
		el("button").Class("btn text").Attr("type", "button").ID("letter-leave").OnClick(func(app.Context, app.Event) { c.close() }, scope).Text("Leave it"),
	))
	return el("section").Class("correct on").Aria("labelledby", "letter-h").OnKeyDown(c.key, scope).Body(body...)
}

func lines(text string) int {
	n := 2
	for _, c := range text {
		if c == '\n' {
			n++
		}
	}
	return min(n, 14)
}

// send corrects the letter, or says why it cannot be.
func (c *letter) send(app.Context, app.Event) {
	p := c.page
	handler := c.dead.Handler
	if c.dead.Pool != "" {
		handler = p.edge.Value("letter-handler")
	}
	if c.problem = p.player.Correct(c.dead, p.edge.Value("letter-body"), handler); c.problem != "" {
		p.later(func() { p.edge.Focus("letter-body") }) // the sentence has come above the button that had the focus
		return
	}
	p.edited()
	c.close()
	p.edge.Say("Corrected " + c.dead.Chip.Number + " and sent it back. Undo takes it back.")
}

// close gives the focus back to the stage, from which the form was opened.
func (c *letter) close() {
	c.open = false
	c.page.edge.Focus("stage")
}

func (c *letter) key(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Escape" {
		e.PreventDefault()
		c.close()
		return
	}
	ctx.PreventUpdate()
}
