package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// transcript is the run in sentences.
type transcript struct {
	page *Page

	window player.Window // kept while only the current sentence moves
	of     string        // what it is of
	copied string        // what became of copying, "" when nothing was copied
}

func (p *Page) transcriptKey() string {
	first, _ := p.player.WindowStart()
	return fmt.Sprint(p.player.Revision(), first, p.player.Following(), p.player.Filter(), p.transcript.copied, p.session.Unsaid())
}

func (c *transcript) render() app.UI {
	p := c.page.player
	first, _ := p.WindowStart()
	if of := fmt.Sprint(p.Revision(), first, p.Following(), p.Filter()); of != c.of {
		c.window, c.of = p.Transcript(), of
	}
	body := []app.UI{c.tools(), el("div").OnClick(c.page.goToEvent).Body(c.rows())}
	switch n := len(c.window.Rows); {
	case n == 0 && p.Run() != nil:
		body = append(body, el("p").Class("more").Text("The run has no such sentence."))
	case c.window.Total > n:
		body = append(body, el("p").Class("more").Text(fmt.Sprintf("Sentences %d to %d of %d: those around the playhead.", first+1, first+n, c.window.Total)))
	}
	return c.page.fold("transcript", "Transcript",
		el("section").Class("transcript").Aria("label", "Transcript").Body(append(body, c.page.unsaid())...))
}

// tools confine the transcript and take it elsewhere.
func (c *transcript) tools() app.UI {
	return el("div").Class("tr-tools").Body(
		c.whose(), c.workers(), c.topics(),
		el("span").Class("tr-out").Body(
			el("button").Class("btn text").Attr("type", "button").ID("copy").OnClick(c.copy).Text("Copy"),
			el("a").Class("btn text").Attr("href", c.page.link("text")).DataSet("do", "open").Text("Text only"),
		),
		el("span").Class("tr-copied").Text(c.copied),
	)
}

// whose confines it to the message that is followed.
func (c *transcript) whose() app.UI {
	p := c.page.player
	only := p.Filter().Followed && p.Following() >= 0
	if p.Run() == nil || p.Following() < 0 {
		return el("div").Class("tr-whose")
	}
	parts := []app.UI{
		c.choice("tr-all", "All", !only, false),
		c.choice("tr-only", "Only "+player.ChipOf(p.Run().Log, p.Following()).Number, only, true),
	}
	return el("div").Class("seg tr-whose").Role("group").Aria("label", "Whose sentences").Body(parts...)
}

func (c *transcript) choice(id, text string, chosen, followed bool) app.UI {
	return el("button").Attr("type", "button").ID(id).Aria("pressed", strconv.FormatBool(chosen)).Text(text).
		OnClick(func(app.Context, app.Event) {
			f := c.page.player.Filter()
			f.Followed = followed
			c.confine(f)
		}, app.EventScope(id))
}

func (c *transcript) workers() app.UI {
	p := c.page.player
	if p.Run() == nil {
		return el("select").Class("btn")
	}
	options := []app.UI{el("option").Attr("value", -1).Attr("selected", p.Filter().Worker < 0).Text("Anybody")}
	for w := range p.Run().Log.Workers {
		options = append(options, el("option").Attr("value", w).Attr("selected", p.Filter().Worker == event.WorkerRef(w)).Text(p.WorkerTitle(event.WorkerRef(w))))
	}
	return el("select").Class("btn").ID("tr-worker").Aria("label", "Whose deeds").OnChange(func(ctx app.Context, _ app.Event) {
		f := p.Filter()
		f.Worker = event.WorkerRef(number(ctx.JSSrc().Get("value").String()))
		c.confine(f)
	}, app.EventScope(p.Revision())).Body(options...)
}

// everything is the value of a list that confines nothing: go-app leaves out
// an empty one.
const everything = "everything"

func (c *transcript) topics() app.UI {
	p := c.page.player
	if p.Run() == nil {
		return el("select").Class("btn")
	}
	options := []app.UI{el("option").Attr("value", everything).Attr("selected", p.Filter().Topic == "").Text("Everything")}
	for _, t := range p.Topics() {
		options = append(options, el("option").Attr("value", t.Key).Attr("selected", p.Filter().Topic == t.Key).
			Text(fmt.Sprintf("%d %s", t.Count, p.Words().In(t.Name))))
	}
	return el("select").Class("btn").ID("tr-topic").Aria("label", "Kind of sentence").OnChange(func(ctx app.Context, _ app.Event) {
		f := p.Filter()
		if f.Topic = ctx.JSSrc().Get("value").String(); f.Topic == everything {
			f.Topic = ""
		}
		c.confine(f)
	}, app.EventScope(p.Revision())).Body(options...)
}

func (c *transcript) confine(f player.Filter) {
	c.page.player.SetFilter(f)
	clear(c.page.windows) // at once, also while a run plays
	c.copied = ""
	_, lines := c.page.player.TranscriptText()
	c.page.edge.Say(fmt.Sprintf("The transcript has %d sentences.", lines))
}

// copy puts all sentences that are left by the filter on the clipboard.
func (c *transcript) copy(ctx app.Context, _ app.Event) {
	text, lines := c.page.player.TranscriptText()
	c.page.edge.Copy(text, func(done bool) {
		c.copied = fmt.Sprintf("Copied %d sentences.", lines)
		if !done {
			c.copied = "The browser did not allow copying. In the text view they can be selected."
		}
		c.page.edge.Say(c.copied)
		c.page.refresh()
	})
}

// fewRows are laid out all at once; of more, those that are in sight.
const fewRows = 40

// rows are the sentences. Which of them is the current one is live: it is marked
// past go-app.
func (c *transcript) rows() app.UI {
	class := "window"
	if len(c.window.Rows) > fewRows {
		class += " many"
	}
	return made(func(m *markup) {
		m.wrapped("ol", `class="`+class+`" id="sentences"`, func() {
			for _, r := range c.window.Rows {
				class := ""
				if c.page.player.Concerns(r.Event) {
					class = `class="mine"`
				}
				m.wrapped("li", class, func() {
					m.wrapped("button", `class="row" type="button" data-event="`+strconv.Itoa(r.Event)+`"`, func() { m.told(r) })
				})
			}
		})
	})
}

// goToEvent goes to the event that was clicked.
func (p *Page) goToEvent(ctx app.Context, e app.Event) {
	i := clicked(e, "event")
	if i == "" {
		ctx.PreventUpdate()
		return
	}
	p.player.GoTo(number(i))
	p.moved()
}
