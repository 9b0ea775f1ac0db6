package scene

import (
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// TimelineHeight is the height of what Timeline draws, in CSS pixels; the
// groove runs through its middle.
const TimelineHeight = 48

// Mark is one event that the timeline marks.
type Mark struct {
	Kind  string // delivery, crash, timeout, dead letter, effect, repeat, refusal or removal
	Event int    // index into the log
	At    event.Time
	Title string // what it is, in a few words with its time
}

// Marks returns everything that the timeline of a run marks, in order.
func Marks(run Run) []Mark {
	var out []Mark
	twice := repeatedKeys(run.Log)
	for i := range run.Log.Len() {
		e := run.Log.Event(i)
		if k := markOf(run.Log, e, twice); k != noMark {
			out = append(out, Mark{Kind: marks[k].name, Event: i, At: e.At, Title: titleOf(run.Log, e)})
		}
	}
	return out
}

// MarkGroup is a place on the timeline where marks stand so close that a
// finger or a pointer cannot tell them apart: the page lists its events.
type MarkGroup struct {
	Left, Right float64 // px at the width that was asked for
	Below       bool    // under the groove, with what was turned away
	Events      []int   // indexes into the log, ascending
}

// hitWidth is how much of the timeline a pointer takes, and widestGroup how
// wide a group may get, so that a busy run keeps several.
const (
	hitWidth    = 24
	widestGroup = 72
)

// MarkGroups returns the groups of a timeline as wide as Timeline draws it.
// Every mark above and below the groove is in one of them.
func MarkGroups(run Run, width int) []MarkGroup {
	t := newTimeline(run, width)
	return append(t.above.groups(false), t.below.groups(true)...)
}

func (r *markRow) groups(below bool) []MarkGroup {
	var out []MarkGroup
	for i := range r.marks {
		m := &r.marks[i]
		left, right := m.at-hitWidth/2, m.at+max(hitWidth/2, m.room())
		if n := len(out) - 1; n >= 0 && left < out[n].Right && right-out[n].Left <= widestGroup {
			out[n].Right = right
			out[n].Events = append(out[n].Events, m.events...)
			continue
		}
		out = append(out, MarkGroup{Left: left, Right: right, Below: below, Events: append([]int(nil), m.events...)})
	}
	for i := range out {
		slices.Sort(out[i].Events)
	}
	return out
}

// Timeline draws the marks of the whole run for a groove of that width in CSS
// pixels: a tick for each hand-out, above it what went wrong and effects that
// happened twice, below it what was turned away. Places are percentages, so
// that the drawing stretches; the width only decides which marks stand too
// close. Each mark carries data-event, the index of its event.
func Timeline(run Run, width int) string {
	t := newTimeline(run, width)
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

func newTimeline(run Run, width int) *timeline {
	t := &timeline{run: run, width: float64(max(width, 60)), end: 1}
	if run.Log.Len() > 0 {
		t.end = max(run.Log.Last().At, 1)
	}
	t.collect()
	t.above.spread(t.width)
	t.below.spread(t.width)
	return t
}

// mark is one glyph, for one event or for several of its kind at one place.
type mark struct {
	percent float64
	at      float64 // px at the timeline's width, as drawn
	shift   float64 // px from its true place
	glyph   string
	class   string
	events  []int
	title   string
}

type markRow struct{ marks []mark }

const (
	markSize = 14
	markGap  = 1
	// maxShift is how far a mark may stand from its instant to stay readable.
	maxShift = 18
)

// markKind is what a mark says of its event.
type markKind uint8

const (
	noMark markKind = iota
	deliveryMark
	crashMark
	timeoutMark
	deadMark
	effectMark // the first of those that are repeated later
	repeatMark
	refusalMark
	removalMark
)

// marks says what the kinds are called and how they are drawn; the glyph of
// an effect is that of its target.
var marks = [...]struct {
	name, glyph, class string
	below              bool
}{
	deliveryMark: {name: "delivery"},
	crashMark:    {name: "crash", glyph: "crash", class: "ev-crash"},
	timeoutMark:  {name: "timeout", glyph: "expiry", class: "ev-expiry"},
	deadMark:     {name: "dead letter", glyph: "dead", class: "ev-dead"},
	effectMark:   {name: "effect", class: "ev-ink"},
	repeatMark:   {name: "repeat", class: "ev-crash"},
	refusalMark:  {name: "refusal", glyph: "refused", class: "ev-refused", below: true},
	removalMark:  {name: "removal", glyph: "expiry", class: "ev-refused", below: true},
}

func markOf(log *event.Log, e *event.Event, twice map[effectKey]bool) markKind {
	switch e.Kind {
	case event.Delivered:
		return deliveryMark
	case event.Crashed:
		return crashMark
	case event.HiddenOver:
		return timeoutMark
	case event.DeadLettered:
		return deadMark
	case event.Refused:
		return refusalMark
	case event.Dropped, event.Expired:
		return removalMark
	case event.Effect:
		r := log.Effect(int(e.Arg))
		if r.Nth > 1 {
			return repeatMark
		}
		if twice[effectKey{r.Target, r.Key}] {
			return effectMark
		}
	}
	return noMark
}

func (t *timeline) collect() {
	log := t.run.Log
	twice := repeatedKeys(log)
	lastTick := -10.0
	for i := range log.Len() {
		e := log.Event(i)
		kind := markOf(log, e, twice)
		if kind == noMark {
			continue
		}
		percent := float64(e.At) / float64(t.end) * 100
		px := percent / 100 * t.width
		if kind == deliveryMark {
			if px-lastTick >= 3 {
				t.ticks = append(t.ticks, percent)
				lastTick = px
			}
			continue
		}
		look := &marks[kind]
		m := mark{percent: percent, at: px, glyph: look.glyph, class: look.class, events: []int{i}, title: titleOf(log, e)}
		if e.Kind == event.Effect {
			target := &log.Targets[log.Effect(int(e.Arg)).Target]
			m.glyph = deedOf(target.Name, target.Table).glyph
		}
		if look.below {
			t.below.add(m)
		} else {
			t.above.add(m)
		}
	}
}

type effectKey struct {
	target event.TargetRef
	key    string
}

// repeatedKeys are those whose first effect is one of twins.
func repeatedKeys(log *event.Log) map[effectKey]bool {
	keys := map[effectKey]bool{}
	for i := range log.EffectCount() {
		if r := log.Effect(i); r.Nth == 2 {
			keys[effectKey{r.Target, r.Key}] = true
		}
	}
	return keys
}

func titleOf(log *event.Log, e *event.Event) string {
	title := string(appendClock(nil, e.At)) + " " + strings.ReplaceAll(e.Kind.String(), "_", " ")
	if e.Message >= 0 {
		title += " " + log.MessageID(e.Message).String()
	}
	return title
}

// room is how much of the row a mark takes, to the right of its middle.
func (m *mark) room() float64 {
	if n := len(m.events); n > 1 {
		return markSize/2 + 4 + 7*float64(len(itoa(n)))
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
			near.events = append(near.events, m.events...)
			r.pushRight(k)
			return
		}
	}
	m.shift = free - m.at
	m.at = free
	if m.shift > maxShift {
		last.events = append(last.events, m.events...) // too crowded: one more in the pile, whatever it is
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
			m.percent, m.class, m.events[0], m.shift, y, m.title)
		p.glyph(m.glyph, -markSize/2, 0, markSize, "")
		if n := len(m.events); n > 1 {
			p.add(`<text class="mkn" x="~" y="11">~</text>`, markSize/2+2.0, n)
		}
		p.add(`</g></svg>`)
	}
}
