package scene

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// TimelineHeight is the height of what Timeline draws, in CSS pixels; the
// groove runs through its middle.
const TimelineHeight = 48

// Timeline draws the marks of the whole run for a groove of that width in CSS
// pixels: a tick for each hand-out, above it what went wrong and effects that
// happened twice, below it what was turned away. Places are percentages, so
// that the drawing stretches; the width only decides which marks stand too
// close. Each mark carries data-event, the index of its event.
func Timeline(run Run, width int) string {
	t := timeline{run: run, width: float64(max(width, 60)), end: 1}
	if run.Log.Len() > 0 {
		t.end = max(run.Log.Last().At, 1)
	}
	t.collect()
	t.above.spread(t.width)
	t.below.spread(t.width)
	var p pen
	p.add(`<svg class="marks" width="100%" height="~" aria-hidden="true" focusable="false">`, TimelineHeight)
	for _, percent := range t.ticks {
		p.add(`<rect class="deltick" x="~%" y="20.5" width="1.5" height="7"/>`, percent)
	}
	t.above.draw(&p, 4)
	t.below.draw(&p, 30)
	p.add(`</svg>`)
	return string(p.b)
}

type timeline struct {
	run   Run
	width float64
	end   event.Time
	ticks []float64
	above markRow
	below markRow
}

// mark is one glyph, for one event or for several of its kind at one place.
type mark struct {
	percent float64
	at      float64 // px at the timeline's width, as drawn
	shift   float64 // px from its true place
	glyph   string
	class   string
	event   int
	count   int
	title   string
}

type markRow struct{ marks []mark }

const (
	markSize = 14
	markGap  = 1
	// maxShift is how far a mark may stand from its instant to stay readable.
	maxShift = 18
)

func (t *timeline) collect() {
	log := t.run.Log
	twice := t.repeatedKeys()
	lastTick := -10.0
	for i := range log.Len() {
		e := log.Event(i)
		percent := float64(e.At) / float64(t.end) * 100
		px := percent / 100 * t.width
		switch e.Kind {
		case event.Delivered:
			if px-lastTick >= 3 {
				t.ticks = append(t.ticks, percent)
				lastTick = px
			}
		case event.Crashed:
			t.above.add(t.mark(i, percent, px, "crash", "ev-crash"))
		case event.HiddenOver:
			t.above.add(t.mark(i, percent, px, "expiry", "ev-expiry"))
		case event.DeadLettered:
			t.above.add(t.mark(i, percent, px, "dead", "ev-dead"))
		case event.Effect:
			r := log.Effect(int(e.Arg))
			if r.Nth > 1 {
				t.above.add(t.mark(i, percent, px, deedOf(log.Targets[r.Target].Name, log.Targets[r.Target].Table).glyph, "ev-crash"))
			} else if twice[effectKey{r.Target, r.Key}] {
				t.above.add(t.mark(i, percent, px, deedOf(log.Targets[r.Target].Name, log.Targets[r.Target].Table).glyph, "ev-ink"))
			}
		case event.Refused:
			t.below.add(t.mark(i, percent, px, "refused", "ev-refused"))
		case event.Dropped, event.Expired:
			t.below.add(t.mark(i, percent, px, "expiry", "ev-refused"))
		}
	}
}

type effectKey struct {
	target event.TargetRef
	key    string
}

// repeatedKeys are those whose first effect is one of twins.
func (t *timeline) repeatedKeys() map[effectKey]bool {
	keys := map[effectKey]bool{}
	for i := range t.run.Log.EffectCount() {
		if r := t.run.Log.Effect(i); r.Nth == 2 {
			keys[effectKey{r.Target, r.Key}] = true
		}
	}
	return keys
}

func (t *timeline) mark(i int, percent, px float64, glyph, class string) mark {
	e := t.run.Log.Event(i)
	title := string(appendClock(nil, e.At)) + " " + strings.ReplaceAll(e.Kind.String(), "_", " ")
	if e.Message >= 0 {
		title += " " + t.run.Log.MessageID(e.Message).String()
	}
	return mark{percent: percent, at: px, glyph: glyph, class: class, event: i, count: 1, title: title}
}

// room is how much of the row a mark takes, to the right of its middle.
func (m *mark) room() float64 {
	if m.count > 1 {
		return markSize/2 + 4 + 7*float64(len(itoa(m.count)))
	}
	return markSize / 2
}

// add stands a mark beside its neighbours: at its place when that is free, a
// little to the right when that will do, and otherwise counted with the last
// of its kind that is near.
func (r *markRow) add(m mark) {
	n := len(r.marks)
	if n == 0 {
		r.marks = append(r.marks, m)
		return
	}
	last := &r.marks[n-1]
	free := last.at + last.room() + markGap + markSize/2
	if m.at >= free {
		r.marks = append(r.marks, m)
		return
	}
	for k := n - 1; k >= 0 && m.at-r.marks[k].at < 3*maxShift; k-- {
		if near := &r.marks[k]; near.glyph == m.glyph && near.class == m.class {
			near.count++
			r.pushRight(k)
			return
		}
	}
	m.shift = free - m.at
	m.at = free
	if m.shift > maxShift {
		last.count++ // too crowded: one more in the pile, whatever it is
		return
	}
	r.marks = append(r.marks, m)
}

// pushRight makes room after mark k, whose count has grown.
func (r *markRow) pushRight(k int) {
	for ; k+1 < len(r.marks); k++ {
		a, b := &r.marks[k], &r.marks[k+1]
		free := a.at + a.room() + markGap + markSize/2
		if b.at >= free {
			return
		}
		b.shift += free - b.at
		b.at = free
	}
}

// spread stands the marks side by side, each as near to its instant as the
// others and the two ends of the groove allow: a group is centred on its own.
func (r *markRow) spread(width float64) {
	type group struct {
		first, n          int
		left, length, sum float64
	}
	var groups []group
	for i := range r.marks {
		m := &r.marks[i]
		g := group{first: i, n: 1, length: markSize/2 + m.room(), sum: m.percent/100*width - markSize/2}
		for {
			g.left = clamp(g.sum/float64(g.n), 0, max(0, width-g.length))
			k := len(groups) - 1
			if k < 0 || groups[k].left+groups[k].length+markGap <= g.left {
				break
			}
			// They touch: one group from now on. sum adds up where each would
			// like the group to begin.
			o := groups[k]
			groups = groups[:k]
			g = group{first: o.first, n: o.n + g.n, length: o.length + markGap + g.length,
				sum: o.sum + g.sum - float64(g.n)*(o.length+markGap)}
		}
		groups = append(groups, g)
	}
	for _, g := range groups {
		x := g.left
		for i := g.first; i < g.first+g.n; i++ {
			m := &r.marks[i]
			m.at = x + markSize/2
			m.shift = m.at - m.percent/100*width
			x += markSize/2 + m.room() + markGap
		}
	}
}

func (r *markRow) draw(p *pen, y float64) {
	for i := range r.marks {
		m := &r.marks[i]
		p.add(`<svg x="~%" overflow="visible" class="~"><g class="mk" data-event="~" transform="translate(~ ~)"><title>~</title><rect class="hit" x="-12" y="-4" width="24" height="22"/>`,
			m.percent, m.class, m.event, m.shift, y, m.title)
		p.glyph(m.glyph, -markSize/2, 0, markSize, "")
		if m.count > 1 {
			p.add(`<text class="mkn" x="~" y="11">~</text>`, markSize/2+2.0, m.count)
		}
		p.add(`</g></svg>`)
	}
}
