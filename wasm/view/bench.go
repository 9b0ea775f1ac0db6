package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
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
	if text := p.Trouble(); text != "" {
		body = append(body, el("p").Class("notice err").ID("trouble").Role("alert").Body(el("span").Text(text)))
	}
	for _, problem := range p.Problems() {
		if problem.HandlerLine == 0 {
			body = append(body, el("p").Class("notice err").Role("alert").
				Body(el("span").Text(problem.Text+" The last good run stays on the stage.")))
		}
	}
	if long, done := c.page.long(); long {
		text := "Computing a long run. The one before stays until it is there."
		if p.Run() == nil {
			text = "Computing the run."
		}
		body = append(body, el("p").Class("notice").Body(
			el("span").Text(text),
			el("progress").Attr("max", 100).Attr("value", int(done*100)).Aria("label", "Computed"),
		))
	}
	if text := p.Limit(); text != "" {
		body = append(body, el("p").Class("notice").Body(el("span").Text(text)))
	}
	return el("div").Class("notices").ID("notices").Body(body...)
}

// strip shows that what was accepted is somewhere, and beside it what the
// queue cannot count. While time moves, its numbers and cells are live.
type strip struct {
	page *Page
}

func (p *Page) stripKey() string { return strconv.Itoa(p.player.Revision()) }

func (c *strip) render() app.UI {
	a := c.page.player.AddsUp()
	shares := make([]app.UI, len(a.Shares))
	for i, s := range a.Shares {
		shares[i] = el("li").ID("share-"+strconv.Itoa(i)).Class("k-"+s.Class, share(s.Width)).Body(
			cells(s),
			el("span").Class("lab").Body(el("b").Text(summand(i, s.Count)), app.Text(" "+s.Name)),
		)
	}
	return el("section").Class("strip").Aria("label", c.page.player.Words().In("Every accepted ticket is somewhere")).Body(
		el("p").Class("strip-h").Body(el("b").ID("accepted").Text(a.Accepted), app.Text(" "+c.page.player.Words().In("accepted"))),
		el("ol").Class("strip-bar").Body(shares...),
		el("ul").Class("strip-x").Body(
			tally("lost", a.Lost, "lost", "Acked or given up, and nothing came of it. The queue counts such a message as done."),
			tally("twice", a.Twice, "done twice", "Side effects that happened again for one message, counted where they happen. The queue cannot see them."),
		),
	)
}

// cells are as many as there are messages, or one. They are markup, so that
// their number can change past go-app.
func cells(s player.Share) app.UI {
	inside := strings.Repeat("<i></i>", s.Cells())
	if inside == "" {
		inside = `<i class="none"></i>`
	}
	return app.Raw(`<span class="cells">` + inside + `</span>`)
}

// summand is the count of share i as it stands in the sum.
func summand(i, n int) string {
	if i == 0 {
		return strconv.Itoa(n)
	}
	return "+\u2009" + strconv.Itoa(n)
}

// tally is a number that the queue cannot know, and what it means.
func tally(id string, n int, name, means string) app.UI {
	li := el("li")
	if n > 0 {
		li = li.Class("bad")
	}
	return li.ID("tally-"+id).Body(
		el("b").ID(id).Text(n),
		app.Text(" "),
		el("button").Class("what").Attr("type", "button").Aria("describedby", id+"-means").Text(name),
		el("span").Class("tip").ID(id+"-means").Role("tooltip").Text(means),
	)
}
