package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// outcome is what the run is measured by, beside the run before the last edit
// or another version.
type outcome struct {
	page *Page

	everything bool // all measures are shown
}

func (p *Page) outcomeKey() string {
	return fmt.Sprint(p.player.Revision(), p.outcome.everything, p.twin.on, p.session.Unsaid())
}

func (c *outcome) render() app.UI {
	p := c.page.player
	before, label := p.Before()
	heads := []app.UI{el("td"), el("th").Attr("scope", "col").Text("This run")}
	title := "Outcome of the whole run"
	if before != nil {
		title = "Your change, whole run"
		was, _ := c.sides()
		heads = []app.UI{el("td"), head("Before", was), head("After", label)}
	}
	body := []app.UI{c.page.unsaid()}
	if before != nil {
		body = append(body, c.choice())
	}
	body = append(body, el("table").Body(el("thead").Body(el("tr").Body(heads...)), el("tbody").Body(c.figures(before != nil)...)),
		el("button").Class("btn text").Attr("type", "button").ID("everything").Aria("expanded", strconv.FormatBool(c.everything)).
			OnClick(func(app.Context, app.Event) { c.everything = !c.everything }).Text(c.more()))
	if before != nil {
		body = append(body, c.parting())
	}
	return c.page.fold("outcome", title, el("section").Class("outcome").Aria("label", "Outcome").Body(body...))
}

func head(name, label string) app.UI {
	return el("th").Attr("scope", "col").Body(app.Text(name), el("small").Text(label))
}

func (c *outcome) more() string {
	if c.everything {
		return "Only what matters here"
	}
	return "Everything that is measured"
}

// sides are what the two versions are called.
func (c *outcome) sides() (was, is string) {
	names, shown, against := c.page.player.Versions()
	if against < 0 {
		return "", names[shown]
	}
	return names[against], names[shown]
}

// figures are the rows of the table, those of a queue or a pool under its name.
func (c *outcome) figures(compared bool) []app.UI {
	var rows []app.UI
	group := ""
	columns := 2
	if compared {
		columns = 3
	}
	for _, f := range c.page.player.Comparison(c.everything) {
		if f.Of != group {
			group = f.Of
			rows = append(rows, el("tr").Class("group").Body(el("th").Attr("scope", "rowgroup").Attr("colspan", columns).Text(group)))
		}
		rows = append(rows, figure(f, compared))
	}
	return rows
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

// choice says which version the run is compared with, where there are several,
// and whether both are drawn.
func (c *outcome) choice() app.UI {
	names, shown, against := c.page.player.Versions()
	var body []app.UI
	if len(names) > 2 {
		var options []app.UI
		for i, name := range names {
			if i != shown {
				options = append(options, el("option").Attr("value", i).Attr("selected", i == against).Text(strconv.Itoa(i+1)+": "+name))
			}
		}
		body = append(body, el("label").Class("versus").Body(
			el("span").Class("lbl").Text("Compared with"),
			el("select").Class("btn").ID("against").OnChange(func(ctx app.Context, _ app.Event) {
				c.page.player.CompareWith(number(ctx.JSSrc().Get("value").String()))
				c.page.edited()
			}, app.EventScope(shown, len(names))).Body(options...),
		))
	}
	body = append(body, el("button").Class("btn").Attr("type", "button").ID("twins").Aria("pressed", strconv.FormatBool(c.page.twin.on)).
		OnClick(func(app.Context, app.Event) {
			c.page.twin.on = !c.page.twin.on
			c.page.redraw()
		}).Text("Both stages in step"))
	return el("div").Class("versions").Body(body...)
}

// parting says where the two runs part, and why.
func (c *outcome) parting() app.UI {
	d := c.page.player.Parting()
	if d.Same {
		return el("div").Class("parting").Body(el("h3").Text("The two runs are the same, event by event"), el("p").Text("Changed: "+d.Why+"."))
	}
	body := []app.UI{el("h3").Body(app.Text("They part at "), el("time").Text(d.Clock))}
	if d.Both != nil {
		body = append(body, el("p").Body(sentence(d.Both)), el("p").Text(d.Inside))
	} else {
		body = append(body, sides(d.Before, d.After))
	}
	body = append(body, el("p").Body(el("b").Text("Changed: "), app.Text(d.Why+".")))
	if d.Seen != nil {
		body = append(body, el("p").Body(app.Text("One sees it at "), el("time").Text(d.Seen.Clock), app.Text(":")), sides(d.Seen.Before, d.Seen.After))
	}
	return el("div").Class("parting").Body(append(body,
		el("button").Class("btn").Attr("type", "button").ID("go-there").DataSet("event", d.Goes).OnClick(c.page.goToEvent).Text("Go there"))...)
}

func sides(before, after []player.Part) app.UI {
	return el("dl").Body(
		el("dt").Text("Before"), el("dd").Body(sentence(before)),
		el("dt").Text("After"), el("dd").Body(sentence(after)),
	)
}

// twin is the stage of the run before, beside that of the run on the stage, at
// the same moment.
type twin struct {
	on     bool
	stage  *scene.Stage
	drawn  drawing
	differ scene.Differ
}

// wanted reports whether both stages are drawn.
func (p *Page) wantsTwin() bool {
	if !p.twin.on {
		return false
	}
	before, _ := p.player.Before()
	return before != nil
}

func (p *Page) twinKey() string {
	if !p.wantsTwin() {
		return "one"
	}
	was, is := p.outcome.sides()
	return was + "\n" + is
}

// renderTwin is the place of the second stage. It is inert: what can be done is
// done on the run that goes on.
func (p *Page) renderTwin() app.UI {
	if !p.wantsTwin() {
		return el("div").Class("twins")
	}
	was, is := p.outcome.sides()
	return el("div").Class("twins on").Body(
		el("p").Class("twin-of").Body(el("b").Text("Before"), app.Text(" "+was)),
		el("div").Class("stage twin").ID("twin").Attr("inert", true),
		el("p").Class("twin-of").Body(el("b").Text("After"), app.Text(" "+is)),
	)
}

// twinShown draws the second stage into an element that is new.
func (p *Page) twinShown(ctx app.Context) {
	if p.wantsTwin() {
		ctx.Defer(func(app.Context) {
			p.twin.differ.Reset()
			p.drawTwin()
		})
	}
}

// drawTwin draws the run before at the playhead.
func (p *Page) drawTwin() {
	if !p.wantsTwin() || p.stage == nil {
		return
	}
	t := &p.twin
	r, state := p.player.Twin()
	if now := p.drawingOf(r); now != t.drawn {
		if now.size != t.drawn.size {
			t.differ.Reset()
		}
		t.stage, t.drawn = p.newStage(now), now
	}
	in := p.input()
	in.State, in.Stepped, in.Now = state, false, p.player.Moment()
	in.Told = min(in.Told, state.Events)
	if buffer := t.differ.Diff(t.stage.Frame(in)); len(buffer) > 0 {
		p.edge.PaintTwin(buffer)
	}
}
