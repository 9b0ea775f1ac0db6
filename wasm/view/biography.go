package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// biography is the life of the followed message or, while none is followed, a
// choice of those that are worth it.
type biography struct {
	page *Page

	life    player.Biography // kept while the same message is followed
	of      string
	problem string // what is wrong with a body that was written
	picked  bool   // the focus is to go along, once the life is there
}

func (p *Page) biographyKey() string {
	queue, _ := p.player.Letter()
	return fmt.Sprint(p.player.Revision(), p.player.Following(), queue, p.biography.problem, p.session.Unsaid())
}

// told brings the life that is kept up to date.
func (c *biography) told() *player.Biography {
	p := c.page.player
	if of := fmt.Sprint(p.Revision(), p.Following()); of != c.of {
		c.life, _ = p.Biography()
		c.of = of
	}
	return &c.life
}

// lived is the line of the biography at the playhead, -1 for none.
func (c *biography) lived() int {
	if c.page.player.Following() < 0 {
		return -1
	}
	return c.page.player.Lived(c.told())
}

func (c *biography) render() app.UI {
	p := c.page.player
	if p.Run() == nil || p.Following() < 0 {
		return c.page.fold("biography", "One life", c.page.unsaid(), c.invitation())
	}
	life := c.told()
	title := life.Question
	if c.page.session.Secret() {
		title = "One life" // the question would give it away
	}
	return c.page.fold("biography", title, c.page.unsaid(),
		el("section").Class("bio").Aria("label", "Life of "+life.Chip.Number).Body(
			el("div").Class("receipt").ID("life").OnClick(c.page.goToEvent).Body(c.receipt(life)...),
		))
}

func (c *biography) receipt(life *player.Biography) []app.UI {
	p := c.page.player
	who := []app.UI{app.Text(p.Words().In("Order") + " "), chip(life.Chip)}
	if life.About != "" {
		who = append(who, app.Text(" "+life.About))
	}
	body := []app.UI{
		el("p").Class("who-of").Body(who...),
		el("button").Class("btn icon sm leave").Attr("type", "button").ID("unfollow").Aria("label", "Follow it no longer").
			OnClick(func(app.Context, app.Event) { c.page.unfollow() }, app.EventScope(life.Message)).Body(icon("close", "s")),
	}
	for _, t := range life.Tries {
		body = append(body, try(t)...)
	}
	if life.Because != "" {
		body = append(body, el("p").Class("why").Text(life.Because))
	}
	return append(body, c.letter()...)
}

func try(t player.Try) []app.UI {
	var head []app.UI
	if t.N > 0 {
		class := "stampy"
		if t.Again {
			class += " red"
		}
		head = append(head, el("h3").Body(el("span").Class(class).Text("Try "+strconv.Itoa(t.N)), app.Text(" "+t.Name)))
	}
	var lines []app.UI
	for _, line := range t.Lines {
		lines = append(lines, lifeLine(line))
	}
	return append(head, el("ol").Body(lines...))
}

func lifeLine(line player.LifeLine) app.UI {
	if line.Event < 0 {
		return el("li").Class("gap").Body(sentence(line.Parts))
	}
	return el("li").Body(el("button").Attr("type", "button").Class("line").DataSet("event", line.Event).
		Body(told(player.Row{Clock: line.Clock, Glyph: line.Glyph, Tone: line.Tone, Parts: line.Parts})...))
}

// shown moves the focus from the button that was pressed, which is gone, to the
// life that has come.
func (c *biography) shown(ctx app.Context) {
	if c.picked {
		c.picked = false
		ctx.Defer(func(app.Context) { c.page.edge.Focus("unfollow") })
	}
	c.page.rewrite(ctx)
}

// letter is how a dead letter is corrected and sent back, while it is one.
func (c *biography) letter() []app.UI {
	queue, body := c.page.player.Letter()
	if queue == "" {
		return nil
	}
	form := []app.UI{
		el("label").Attr("for", "letter").Text("It lies in " + queue + " now. Its body"),
		el("textarea").Class("letter").ID("letter").Attr("rows", 2).Attr("spellcheck", "false").Text(body),
	}
	if c.problem != "" {
		form = append(form, el("p").Class("errmsg").Role("alert").Body(icon("crash", "s"), el("span").Text(c.problem)))
	}
	return append(form, el("button").Class("btn").Attr("type", "button").ID("correct").OnClick(func(app.Context, app.Event) {
		c.problem = c.page.player.EditLetter(c.page.edge.Value("letter"))
		if c.problem == "" {
			c.page.edited()
			c.page.edge.Focus("unfollow")
		}
	}).Text(c.page.player.Words().In("Correct it and clip it back")))
}

// invitation names the messages that are worth following.
func (c *biography) invitation() app.UI {
	p := c.page.player
	groups := p.Notable()
	if len(groups) == 0 {
		return el("p").Class("invite").Text("Nothing has a life to tell yet.")
	}
	var body []app.UI
	for _, g := range groups {
		var chips []app.UI
		for k, shown := range g.Shown {
			chips = append(chips, el("button").Class("pickme").Attr("type", "button").DataSet("follow", shown.Number).
				Aria("label", "Follow "+shown.Number+", "+g.Name).ID("follow-"+strconv.Itoa(len(body))+"-"+strconv.Itoa(k)).Body(chip(shown)))
		}
		if more := g.Count - len(g.Shown); more > 0 {
			chips = append(chips, el("span").Class("lbl").Text(fmt.Sprintf("and %d more", more)))
		}
		body = append(body, el("div").Class("worth").Body(
			el("dt").Body(el("b").Text(g.Count), app.Text(" "+p.Words().In(g.Name))),
			el("dd").Body(chips...),
		))
	}
	return el("section").Class("invite").Aria("label", "Messages worth following").Body(
		el("p").Text("Click a ticket on the stage to follow it, or one of these."),
		el("dl").OnClick(c.pick).Body(body...),
	)
}

func (c *biography) pick(ctx app.Context, e app.Event) {
	id := clicked(e, "follow")
	if id == "" {
		ctx.PreventUpdate()
		return
	}
	c.page.followed(id)
	c.picked = true
}

// followed follows the message with that id, or none when it was followed.
func (p *Page) followed(id string) {
	p.player.FollowID(id)
	clear(p.windows)
	p.biography.problem = ""
	p.redraw()
	if m := p.player.Following(); m >= 0 {
		p.folds["biography"] = true
		said := "Following " + id + "."
		if !p.session.Secret() {
			said += " " + p.biography.told().Question
		}
		p.edge.Say(said)
	} else {
		p.unfollow()
	}
}

// unfollow follows nobody.
func (p *Page) unfollow() {
	p.player.Follow(event.NoMessage)
	p.biography.problem = ""
	clear(p.windows)
	p.redraw()
	p.edge.Say("Following nobody.")
}
