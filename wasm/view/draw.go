package view

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
)

// The field to draw in: so many columns over the time of the run, and a place
// of its own for the numbers at the left and below.
const (
	columns                = 12
	chartWide, chartHigh   = 400, 150
	chartLeft, chartBottom = 26, 18
)

// field is what a drawn curve is measured by.
type field struct {
	top int        // the highest count that can be drawn
	end event.Time // of the axis
}

// fieldOf leaves room above what the run gives, without giving it away.
func (p *Page) fieldOf(q *lesson.Question) (field, bool) {
	end, sent, ok := p.session.Extent(q)
	if !ok {
		return field{}, false
	}
	return field{top: max(4, min(sent+1, 1000)), end: end}, true
}

func (c field) x(at event.Time) float64 {
	return chartLeft + (chartWide-chartLeft)*float64(at)/float64(max(c.end, 1))
}

func (c field) y(value float64) float64 {
	return (chartHigh - chartBottom) * (1 - value/float64(c.top))
}

// column returns where one begins.
func (c field) column(i int) event.Time { return c.end * event.Time(i) / columns }

// drawField is a chart whose columns can be drawn with the pointer, or set one
// by one with the keys of a slider.
func (p *Page) drawField(q *lesson.Question) app.UI {
	c, ok := p.fieldOf(q)
	if !ok {
		return el("p").Class("lbl").Text("The run is still being computed.")
	}
	given := p.session.Answered(q).Given.Curve
	var bars []app.UI
	for i := range columns {
		value := given.Value(c.column(i))
		id := "col-" + q.ID + "-" + strconv.Itoa(i)
		x, wide := c.x(c.column(i)), c.x(c.column(i+1))-c.x(c.column(i))
		bars = append(bars, el("g").XMLNS(svg).Class("col").ID(id).Attr("role", "slider").Attr("tabindex", 0).
			Aria("label", fmt.Sprintf("From %s s", places(c.column(i).Seconds()))).
			Aria("valuemin", 0).Aria("valuemax", c.top).Aria("valuenow", int(value)).
			OnKeyDown(func(ctx app.Context, e app.Event) { p.drawKey(ctx, e, q, c, i) }, app.EventScope(id)).
			Body(
				bar(x, 0, wide, "hit"),
				bar(x, c.y(value), wide, "bar"),
			))
	}
	body := append(c.axes(), bars...)
	if len(given) > 0 {
		body = append(body, c.line(given, "guess"))
	}
	let := func(app.Context, app.Event) { p.held = held{} }
	return el("div").Class("pdraw").Body(
		el("svg").XMLNS(svg).ID("draw-"+q.ID).Attr("viewBox", fmt.Sprintf("0 0 %d %d", chartWide, chartHigh)).Attr("role", "group").
			Aria("labelledby", "ask-"+q.ID).
			On("pointerdown", func(_ app.Context, e app.Event) {
				p.held = held{drawing: q.ID}
				p.edge.Capture("draw-"+q.ID, e.Get("pointerId").Int())
				p.drawAt(e, q, c)
			}, app.EventScope(q.ID)).
			On("pointermove", func(ctx app.Context, e app.Event) {
				if p.held.drawing != q.ID {
					ctx.PreventUpdate()
					return
				}
				p.drawAt(e, q, c)
			}, app.EventScope(q.ID)).
			On("pointerup", let).On("pointercancel", let).Body(body...),
		el("p").Class("lbl").Text("Draw it with the pointer, or go from column to column with Tab and set each with the arrow keys."),
	)
}

// drawAt sets the column under the pointer.
func (p *Page) drawAt(e app.Event, q *lesson.Question, c field) {
	x := p.edge.Along("draw-"+q.ID, e.Get("clientX").Float())*chartWide - chartLeft
	y := p.edge.Down("draw-"+q.ID, e.Get("clientY").Float()) * chartHigh
	i := int(x / (chartWide - chartLeft) * columns)
	value := math.Round((1 - y/(chartHigh-chartBottom)) * float64(c.top))
	p.setColumn(q, c, i, value)
}

func (p *Page) drawKey(ctx app.Context, e app.Event, q *lesson.Question, c field, i int) {
	value := p.session.Answered(q).Given.Curve.Value(c.column(i))
	switch e.Get("key").String() {
	case "ArrowUp", "ArrowRight":
		value++
	case "ArrowDown", "ArrowLeft":
		value--
	case "Home":
		value = 0
	case "End":
		value = float64(c.top)
	default:
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	p.setColumn(q, c, i, value)
}

// setColumn draws one column; those that were not drawn yet follow the last
// one before them.
func (p *Page) setColumn(q *lesson.Question, c field, i int, value float64) {
	i = max(0, min(i, columns-1))
	value = max(0, min(value, float64(c.top)))
	p.session.Draft(q, func(g *lesson.Given) {
		drawn := make(lesson.Curve, columns)
		for k := range drawn {
			drawn[k] = lesson.Sample{At: c.column(k), Value: g.Curve.Value(c.column(k))}
		}
		drawn[i].Value = value
		g.Curve, g.End = drawn, c.end
	})
}

// drawResult puts the drawn curve and the run's on one chart.
func (p *Page) drawResult(q *lesson.Question, right *lesson.Answer) app.UI {
	c, ok := p.fieldOf(q)
	if !ok {
		return el("p").Class("lbl")
	}
	body := c.axes()
	words := []string{}
	if a := p.session.Answered(q); a.Committed {
		body = append(body, c.line(a.Given.Curve, "guess"))
		words = append(words, "your guess: "+a.Given.Curve.String())
	}
	if right != nil {
		body = append(body, c.line(right.Curve, "run"))
		words = append(words, "the run: "+right.Text)
	}
	return el("div").Class("pdraw").Body(
		el("svg").XMLNS(svg).Attr("viewBox", fmt.Sprintf("0 0 %d %d", chartWide, chartHigh)).Attr("role", "img").
			Aria("label", strings.Join(words, "; ")).Body(body...),
		el("p").Class("lbl").Text("Dashed: you. Solid: the run."),
	)
}

// axes are the lines at some counts and the instants at the ends.
func (c field) axes() []app.UI {
	step := max(1, (c.top+3)/4)
	var all []app.UI
	for n := 0; n <= c.top; n += step {
		y := c.y(float64(n))
		all = append(all,
			el("line").XMLNS(svg).Class("grid").Attr("x1", chartLeft).Attr("x2", chartWide).Attr("y1", decimal(y)).Attr("y2", decimal(y)),
			label(chartLeft-6, max(y+4, 10), "end", strconv.Itoa(n)))
	}
	return append(all,
		label(chartLeft, chartHigh-3, "start", "0 s"),
		label(chartWide, chartHigh-3, "end", places(c.end.Seconds())+" s"))
}

func label(x, y float64, anchor, text string) app.UI {
	return el("text").XMLNS(svg).Attr("x", decimal(x)).Attr("y", decimal(y)).Attr("text-anchor", anchor).Text(text)
}

// bar is a bar that stands on the axis.
func bar(x, y, wide float64, class string) app.UI {
	return el("path").XMLNS(svg).Class(class).
		Attr("d", fmt.Sprintf("M%s %dV%sh%sV%dz", decimal(x), chartHigh-chartBottom, decimal(y), decimal(wide), chartHigh-chartBottom))
}

// line is a curve as steps.
func (c field) line(curve lesson.Curve, class string) app.UI {
	var d strings.Builder
	fmt.Fprintf(&d, "M%s %s", decimal(c.x(0)), decimal(c.y(curve.Value(0))))
	for _, s := range curve {
		fmt.Fprintf(&d, "H%sV%s", decimal(c.x(min(s.At, c.end))), decimal(c.y(min(s.Value, float64(c.top)))))
	}
	fmt.Fprintf(&d, "H%d", chartWide)
	return el("path").XMLNS(svg).Class("curve "+class).Attr("d", d.String())
}

// decimal writes a coordinate.
func decimal(n float64) string { return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64) }

// places writes a number with at most two places.
func places(n float64) string { return strconv.FormatFloat(math.Round(n*100)/100, 'f', -1, 64) }
