package chart

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// The heights of the two plots, in CSS pixels, and what is left free in them
// above the highest value and below zero.
const (
	CountsHeight = 108
	WaitHeight   = 64

	above = 12
	below = 3
	// labelGap is how far labels of values stand left of the axis.
	labelGap = -8
)

// Plot is one picture of numbers over time, and the scale that it has.
type Plot struct {
	Markup string
	Height float64
	Top    int64 // the value at the upper end of the scale
}

// Y returns how far below its upper edge the plot shows a value.
func (p *Plot) Y(v int64) float64 { return scaled(float64(v), float64(p.Top), p.Height) }

func scaled(v, top, height float64) float64 {
	return height - below - v/max(top, 1)*(height-above-below)
}

// Counts is what the plot of counts is made from. Before is the run before the
// last edit, Band what many seeds come to; either may be nil.
type Counts struct {
	Axis     Axis
	Now      *Course
	Before   *Course
	Capacity int64 // places in the line, 0 when it has no bound
	Expected *Expected
	Band     *Band
}

// Draw draws messages waiting, in flight and dead over time.
func (c Counts) Draw() *Plot {
	top := max(c.Now.Waiting.Max(), c.Now.InFlight.Max(), c.Now.Dead.Max(), 1)
	if c.Before != nil {
		top = max(top, c.Before.Waiting.Max())
	}
	if c.Band != nil {
		top = max(top, c.Band.most())
	}
	if c.Expected != nil {
		top = max(top, c.Expected.most())
	}
	bound := c.Capacity > 0 && c.Capacity <= 3*top // farther away, it would flatten all else
	if bound {
		top = max(top, c.Capacity)
	}
	ticks := counts(top, 4)
	p := &Plot{Height: CountsHeight, Top: ticks[len(ticks)-1].at}
	d := drawing{axis: c.Axis, height: p.Height, top: float64(p.Top)}
	d.begin("Messages waiting, in flight and dead over time")
	for _, t := range ticks {
		d.level(t.at, t.label)
	}
	d.lines(func() {
		if c.Before != nil {
			d.area(&c.Before.Waiting, c.Before.End, "ln-ghost")
		}
		if c.Band != nil {
			d.band(c.Band)
		}
		d.line(&c.Now.Dead, c.Now.End, "ln-dead")
		d.line(&c.Now.InFlight, c.Now.End, "ln-fl")
		d.line(&c.Now.Waiting, c.Now.End, "ln-w")
		if c.Expected != nil {
			d.points(c.Expected.Waiting, "ln-exp")
		}
	})
	if bound {
		y := p.Y(c.Capacity)
		d.pen.Add(`<line class="lim" x2="100%" y1="~" y2="~"/><text class="axt lim" x="100%" y="~" text-anchor="end">room for ~</text>`, y, y, y-3, int(c.Capacity))
	}
	d.pen.Add(`</svg>`)
	p.Markup = d.pen.String()
	return p
}

// Waits is what the plot of waiting times is made from.
type Waits struct {
	Axis     Axis
	Now      *Course
	Before   *Course
	Expected *Expected
}

// Draw draws how long messages had waited when they were first handed out.
func (w Waits) Draw() *Plot {
	top := max(w.Now.Wait.Max(), int64(event.Millisecond))
	if w.Before != nil {
		top = max(top, w.Before.Wait.Max())
	}
	mean := event.Never
	if w.Expected != nil && w.Expected.Wait > 0 {
		mean = event.Time(w.Expected.Wait * 1e9)
		top = max(top, int64(mean))
	}
	ticks, _ := timesOver(event.Time(top), 2)
	p := &Plot{Height: WaitHeight, Top: int64(ticks[len(ticks)-1].at)}
	d := drawing{axis: w.Axis, height: p.Height, top: float64(p.Top)}
	d.begin("Time that messages waited before their first hand-out")
	for k, t := range ticks {
		label := t.label
		if k == len(ticks)-1 {
			label = Length(t.at)
		}
		d.level(int64(t.at), label)
	}
	d.lines(func() {
		if w.Before != nil {
			d.area(&w.Before.Wait, w.Before.End, "ln-ghost")
		}
		d.line(&w.Now.Wait, w.Now.End, "ln-wait")
		if mean != event.Never {
			d.points([]Point{{0, float64(mean)}, {w.Axis.End, float64(mean)}}, "ln-exp")
		}
	})
	d.pen.Add(`</svg>`)
	p.Markup = d.pen.String()
	return p
}

// Labels draws the labels of the axis itself.
func Labels(a Axis) string {
	var p scene.Pen
	ticks, u := times(a.End, a.Width/70)
	p.Add(`<svg class="axis" width="100%" height="18" aria-hidden="true" focusable="false">`)
	for k, t := range ticks {
		x, anchor := a.percent(t.at), "middle"
		if x > 96 {
			anchor = "end"
		}
		label := t.label
		if k == len(ticks)-1 {
			label += " " + u.name
		}
		p.Add(`<text class="axt" x="~%" y="13" text-anchor="~">~</text>`, x, scene.Raw(anchor), label)
	}
	p.Add(`</svg>`)
	return p.String()
}

// drawing is a plot being drawn. Paths are in pixels of the axis' width and are
// stretched to the width that there is; the widths of strokes are not.
type drawing struct {
	pen    scene.Pen
	axis   Axis
	height float64
	top    float64
}

func (d *drawing) begin(label string) {
	d.pen.Add(`<svg class="plot" width="100%" height="~" role="img" aria-label="~">`, d.height, label)
}

// level is a horizontal line with the value that it stands for.
func (d *drawing) level(v int64, label string) {
	y := d.y(float64(v))
	d.pen.Add(`<line class="gr" x2="100%" y1="~" y2="~"/><text class="axt" x="~" y="~" text-anchor="end">~</text>`, y, y, labelGap, y+4, label)
}

func (d *drawing) y(v float64) float64 { return scaled(v, d.top, d.height) }

func (d *drawing) lines(draw func()) {
	d.pen.Add(`<svg width="100%" height="~" viewBox="0 0 ~ ~" preserveAspectRatio="none">`, d.height, d.axis.Width, d.height)
	draw()
	d.pen.Add(`</svg>`)
}

// line draws the steps of a series up to the end of its run.
func (d *drawing) line(s *Series, end event.Time, class string) {
	if s.Max() == 0 {
		return
	}
	d.pen.Add(`<path class="~" d="`, class)
	d.steps(s, end)
	d.pen.Add(`"/>`)
}

// area draws the same with what lies below it.
func (d *drawing) area(s *Series, end event.Time, class string) {
	if s.Max() == 0 {
		return
	}
	d.pen.Add(`<path class="~" d="`, class)
	d.steps(s, end)
	d.pen.Add(`V~H0Z"/>`, d.y(0))
}

// steps writes the steps of a series. Several changes within one pixel are one
// stroke from the least to the greatest of them: no more can be seen.
func (d *drawing) steps(s *Series, end event.Time) {
	d.pen.Add(`M0 ~`, d.y(0))
	for k := 0; k < len(s.At) && s.At[k] <= d.axis.End; {
		x := d.axis.px(s.At[k])
		least, most, last, n := s.Value[k], s.Value[k], s.Value[k], 0
		for ; k < len(s.At) && int(d.axis.px(s.At[k])) == int(x); k++ {
			last = s.Value[k]
			least, most, n = min(least, last), max(most, last), n+1
		}
		d.pen.Add(`H~`, x)
		if n > 2 {
			d.pen.Add(`V~V~`, d.y(float64(least)), d.y(float64(most)))
		}
		d.pen.Add(`V~`, d.y(float64(last)))
	}
	d.pen.Add(`H~`, d.axis.px(min(end, d.axis.End)))
}

// points draws a line from point to point.
func (d *drawing) points(points []Point, class string) {
	if len(points) == 0 {
		return
	}
	d.pen.Add(`<path class="~" d="`, class)
	for k, p := range points {
		verb := "L"
		if k == 0 {
			verb = "M"
		}
		d.pen.Add(`~~ ~`, scene.Raw(verb), d.axis.px(p.At), d.y(p.Value))
	}
	d.pen.Add(`"/>`)
}

// band draws where most of the seeds are, and the one in the middle.
func (d *drawing) band(b *Band) {
	low, middle, high := b.part(.1), b.part(.5), b.part(.9)
	d.pen.Add(`<path class="ln-band" d="`)
	for k, v := range high {
		verb := "L"
		if k == 0 {
			verb = "M"
		}
		d.pen.Add(`~~ ~`, scene.Raw(verb), d.axis.px(b.at(k)), d.y(float64(v)))
	}
	for k := len(low) - 1; k >= 0; k-- {
		d.pen.Add(`L~ ~`, d.axis.px(b.at(k)), d.y(float64(low[k])))
	}
	d.pen.Add(`Z"/>`)
	points := make([]Point, len(middle))
	for k, v := range middle {
		points[k] = Point{b.at(k), float64(v)}
	}
	d.points(points, "ln-mid")
}
