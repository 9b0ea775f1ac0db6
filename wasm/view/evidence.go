package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// transcript is the run in sentences.
type transcript struct {
	page *Page

	window player.Window // kept while only the current sentence moves
	of     string        // the run and the place that it is of
}

func (p *Page) transcriptKey() string {
	first, _ := p.player.WindowStart()
	return fmt.Sprint(p.player.Revision(), first)
}

func (c *transcript) render() app.UI {
	p := c.page.player
	first, _ := p.WindowStart()
	if of := fmt.Sprint(p.Revision(), first); of != c.of {
		c.window, c.of = p.Transcript(), of
	}
	var items []app.UI
	for _, row := range c.window.Rows {
		items = append(items, c.row(row))
	}
	body := []app.UI{el("ol").Class("window").ID("sentences").OnClick(c.click).Body(items...)}
	if c.window.Total > len(c.window.Rows) {
		body = append(body, el("p").Class("more").Text(fmt.Sprintf("Sentences %d to %d of %d: those around the playhead.",
			first+1, first+len(c.window.Rows), c.window.Total)))
	}
	return c.page.fold("transcript", "Transcript",
		el("section").Class("transcript").Aria("label", "Transcript").Body(body...))
}

// row is one sentence. Which of them is the current one is live: it is marked
// past go-app, which would compare all of them each time.
func (c *transcript) row(r player.Row) app.UI {
	button := el("button").Class("row").Attr("type", "button").DataSet("event", r.Event)
	glyph := el("span").Class("ic " + r.Tone)
	if r.Glyph != "" {
		glyph = glyph.Body(icon(r.Glyph, "s"))
	}
	return el("li").Body(button.Body(el("time").Text(r.Clock), glyph, el("span").Body(sentence(r.Parts)...)))
}

func (c *transcript) click(ctx app.Context, e app.Event) {
	i := clicked(e, "event")
	if i == "" {
		ctx.PreventUpdate()
		return
	}
	c.page.player.GoTo(number(i))
	c.page.moved()
}

// outcome is what the run is measured by, beside the run before the last edit.
type outcome struct {
	page *Page
}

func (p *Page) outcomeKey() string { return strconv.Itoa(p.player.Revision()) }

func (c *outcome) render() app.UI {
	p := c.page.player
	before, label := p.Before()
	heads := []app.UI{el("td"), el("th").Attr("scope", "col").Text("This run")}
	title := "Outcome of the whole run"
	if before != nil {
		title = "Your change, whole run"
		after := el("th").Attr("scope", "col").Body(app.Text("After"), el("small").Text(label))
		heads = []app.UI{el("td"), el("th").Attr("scope", "col").Text("Before"), after}
	}
	var rows []app.UI
	for _, f := range p.Comparison() {
		rows = append(rows, figure(f, before != nil))
	}
	return c.page.fold("outcome", title,
		el("section").Class("outcome").Aria("label", "Outcome").Body(
			el("table").Body(el("thead").Body(el("tr").Body(heads...)), el("tbody").Body(rows...)),
		))
}

func figure(f player.Figure, compared bool) app.UI {
	head := el("th").Attr("scope", "row").Body(app.Text(f.Name+" "), el("span").Class("tech").Text(f.Technical))
	tr := el("tr")
	if f.Verdict != "" {
		tr = tr.Class(f.Verdict)
	}
	if !compared {
		return tr.Body(head, el("td").Text(f.After))
	}
	after := el("td").Text(f.After)
	if f.After != f.Before {
		body := []app.UI{el("b").Text(f.After)}
		if f.Verdict != "" {
			body = append(body, el("em").Text(f.Verdict))
		}
		after = el("td").Body(body...)
	}
	return tr.Body(head, el("td").Text(f.Before), after)
}
