package chart

import (
	"cmp"
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Kind is a kind of notable events: what a reader steps to, and what one mark
// of the timeline stands for.
type Kind uint8

// The kinds.
const (
	Delivery Kind = iota
	Timeout
	Crash
	DeadLetter
	Refusal
	Effect
	Kinds
)

var kindOf = [event.Kinds]Kind{
	event.Delivered: Delivery + 1, event.HiddenOver: Timeout + 1, event.Crashed: Crash + 1,
	event.DeadLettered: DeadLetter + 1, event.Refused: Refusal + 1, event.Blocked: Refusal + 1,
	event.Dropped: Refusal + 1, event.Expired: Refusal + 1, event.Effect: Effect + 1,
}

// KindOf returns the kind of an event, and whether it has one.
func KindOf(e *event.Event) (Kind, bool) { return kindOf[e.Kind] - 1, kindOf[e.Kind] > 0 }

// Mark is a place on the timeline: one event, or several that stand too close
// to be pressed one by one.
type Mark struct {
	Events []int32 // ascending
	At     event.Time
	Below  bool // in the row of what was turned away
}

// Marks are all marks of a run, and the drawing in which each carries its
// number as data-mark.
type Marks struct {
	List   []Mark
	Markup string
}

// MarksHeight is the height of the timeline, in CSS pixels; its groove runs
// through the middle.
const MarksHeight = 60

const (
	signSize = 14
	// reach is how wide a mark is to be pressed, and so how far apart marks
	// must stand.
	reach = 24
	// together is within how many pixels events become one mark.
	together = 20
	// seen is how many different symbols one mark shows.
	seen = 2
)

// MarksOf finds and draws the marks of a run: a tick for each hand-out, above
// them what went wrong and effects that happened twice, below what was turned
// away. Places are percentages, so that the drawing stretches.
func MarksOf(ix *replay.Index, axis Axis) *Marks {
	m := marker{log: ix.Log(), axis: axis, twins: twins(ix.Log()), lastTick: -10}
	for i := range ix.Len() {
		m.event(i)
	}
	var all Marks
	var p scene.Pen
	p.Add(`<svg class="ticks" width="100%" height="~" aria-hidden="true" focusable="false">~</svg>`, MarksHeight, scene.Raw(m.ticks.String()))
	p.Add(`<svg class="marks" width="100%" height="~" role="toolbar" aria-label="Marks">`, MarksHeight)
	both := append(spread(m.above, axis), spread(m.below, axis)...)
	slices.SortStableFunc(both, func(a, b heap) int { return cmp.Compare(a.At, b.At) })
	for k := range both {
		m.draw(&p, &both[k], k)
		all.List = append(all.List, both[k].Mark)
	}
	p.Add(`</svg>`)
	all.Markup = `<div class="markrows">` + p.String() + `</div>`
	return &all
}

// marker collects marks.
type marker struct {
	log      *event.Log
	axis     Axis
	twins    map[effectKey]bool
	ticks    scene.Pen
	lastTick float64
	above    []heap
	below    []heap
}

// heap is a mark on its way: where it would like to stand and where it does.
type heap struct {
	Mark
	first   float64 // px of its first event
	middle  float64 // px between its first and its last
	shift   float64 // px from its place, where neighbours want room
	symbols []symbol
}

type symbol struct{ glyph, tone string }

type effectKey struct {
	target event.TargetRef
	key    string
}

// twins are the keys of side effects that happened more than once.
func twins(log *event.Log) map[effectKey]bool {
	keys := map[effectKey]bool{}
	for i := range log.EffectCount() {
		if r := log.Effect(i); r.Nth == 2 {
			keys[effectKey{r.Target, r.Key}] = true
		}
	}
	return keys
}

func (m *marker) event(i int) {
	e := m.log.Event(i)
	kind, ok := KindOf(e)
	if !ok {
		return
	}
	if kind == Delivery {
		m.tick(e.At)
		return
	}
	s := m.symbol(e, kind)
	if s.glyph == "" {
		return
	}
	row := &m.above
	if kind == Refusal {
		row = &m.below
	}
	m.add(row, i, e.At, s)
}

// tick draws a hand-out, unless one stands there already.
func (m *marker) tick(at event.Time) {
	x := m.axis.px(at)
	if x-m.lastTick < 3 {
		return
	}
	m.lastTick = x
	m.ticks.Add(`<rect class="deltick" x="~%" y="26.5" width="1.5" height="7"/>`, m.axis.percent(at))
}

// symbol returns how an event is drawn; an effect that happened once is not.
func (m *marker) symbol(e *event.Event, kind Kind) symbol {
	switch kind {
	case Timeout:
		return symbol{"expiry", "ev-expiry"}
	case Crash:
		return symbol{"crash", "ev-crash"}
	case DeadLetter:
		return symbol{"dead", "ev-dead"}
	case Refusal:
		return symbol{"refused", "ev-refused"}
	}
	r := m.log.Effect(int(e.Arg))
	glyph, _ := scene.EffectGlyph(m.log.Targets[r.Target])
	switch {
	case r.Nth > 1:
		return symbol{glyph, "ev-crash"}
	case m.twins[effectKey{r.Target, r.Key}]:
		return symbol{glyph, "ev-ink"}
	}
	return symbol{}
}

// add puts an event to the last mark of its row when it is near, else into a
// mark of its own.
func (m *marker) add(row *[]heap, i int, at event.Time, s symbol) {
	x := m.axis.px(at)
	n := len(*row)
	if n == 0 || x-(*row)[n-1].first >= together {
		*row = append(*row, heap{Mark: Mark{At: at, Below: row == &m.below}, first: x})
		n++
	}
	h := &(*row)[n-1]
	h.Events = append(h.Events, int32(i))
	h.middle = (h.first + x) / 2
	for _, known := range h.symbols {
		if known == s {
			return
		}
	}
	h.symbols = append(h.symbols, s)
}

// shown is how many symbols a mark shows, and counted whether a number tells
// that there are more events than symbols.
func (h *heap) shown() int    { return min(len(h.symbols), seen) }
func (h *heap) counted() bool { return len(h.Events) > h.shown() }

// width is how wide the drawing is, at least as wide as a finger needs.
func (h *heap) width() float64 {
	w := float64(h.shown()*(signSize+1) - 1)
	if h.counted() {
		w += 3 + 7*float64(len(itoa(len(h.Events))))
	}
	return max(w, reach)
}

// spread stands marks side by side, each as near to its instant as the others
// and the ends of the axis allow: marks that would touch become a group, which
// is centred on its own.
func spread(row []heap, axis Axis) []heap {
	type group struct{ first, n, left, length, sum float64 }
	var groups []group
	for i := range row {
		w := row[i].width()
		g := group{first: float64(i), n: 1, length: w, sum: row[i].middle - w/2}
		for {
			g.left = max(-reach/2, min(g.sum/g.n, float64(axis.Width)+reach/2-g.length))
			k := len(groups) - 1
			if k < 0 || groups[k].left+groups[k].length <= g.left {
				break
			}
			o := groups[k]
			groups = groups[:k]
			g = group{o.first, o.n + g.n, 0, o.length + g.length, o.sum + g.sum - g.n*o.length}
		}
		groups = append(groups, g)
	}
	for _, g := range groups {
		x := g.left
		for i := int(g.first); i < int(g.first+g.n); i++ {
			row[i].shift = x + row[i].width()/2 - axis.px(row[i].At)
			x += row[i].width()
		}
	}
	return row
}

func (m *marker) draw(p *scene.Pen, h *heap, number int) {
	y := 6.0
	if h.Below {
		y = 42
	}
	w := h.width()
	popup := ""
	if len(h.Events) > 1 {
		popup = ` aria-haspopup="menu"`
	}
	p.Add(`<svg x="~%" overflow="visible"><g class="mk" id="mark-~" role="button" tabindex="~"~ data-mark="~" aria-label="~" transform="translate(~ ~)"><rect class="hit" x="~" y="-6" width="~" height="24"/>`,
		m.axis.percent(h.At), number, max(-1, -number), scene.Raw(popup), number, m.name(h), h.shift, y, -w/2, w)
	inner := float64(h.shown()*(signSize+1) - 1)
	if h.counted() {
		inner += 3 + 7*float64(len(itoa(len(h.Events))))
	}
	x := -inner / 2
	for _, s := range h.symbols[:h.shown()] {
		p.Glyph(s.glyph, x, 0, signSize, s.tone)
		x += signSize + 1
	}
	if h.counted() {
		p.Add(`<text class="mkn ~" x="~" y="11">~</text>`, h.symbols[0].tone, x+2, len(h.Events))
	}
	p.Add(`</g></svg>`)
}

// name is what a mark is called.
func (m *marker) name(h *heap) string {
	first := m.log.Event(int(h.Events[0]))
	if n := len(h.Events); n > 1 {
		return itoa(n) + " events from " + Length(first.At)
	}
	kind, _ := KindOf(first)
	text := kind.String()
	if first.Message >= 0 {
		text += " " + m.log.MessageID(first.Message).String()
	}
	return text + ", " + Length(first.At)
}

var kindNames = [Kinds]string{"hand-out", "timeout", "crash", "dead letter", "refusal", "effect"}

// String returns what one event of the kind is called.
func (k Kind) String() string { return kindNames[k] }

// Stops are the events of each kind, ascending: what one steps to.
type Stops struct {
	of     [Kinds][]int32
	marked []int32 // those with a mark
}

// StopsOf lists them.
func StopsOf(log *event.Log) *Stops {
	s := &Stops{}
	repeated := twins(log)
	for i := range log.Len() {
		e := log.Event(i)
		k, ok := KindOf(e)
		if !ok {
			continue
		}
		s.of[k] = append(s.of[k], int32(i))
		if k == Effect {
			r := log.Effect(int(e.Arg))
			ok = r.Nth > 1 || repeated[effectKey{r.Target, r.Key}]
		}
		if ok && k != Delivery {
			s.marked = append(s.marked, int32(i))
		}
	}
	return s
}

// Count returns how many events of a kind there are; Kinds stands for all that
// have a mark or, where nothing has one, for the hand-outs.
func (s *Stops) Count(k Kind) int { return len(s.list(k)) }

func (s *Stops) list(k Kind) []int32 {
	switch {
	case k < Kinds:
		return s.of[k]
	case len(s.marked) > 0:
		return s.marked
	}
	return s.of[Delivery]
}

// Next returns the first event of a kind that is not among the first n of the
// run, Prev the last one before event n-1, after which the playhead stands; -1
// where there is none.
func (s *Stops) Next(k Kind, n int) int {
	list := s.list(k)
	if i := sort.Search(len(list), func(i int) bool { return int(list[i]) >= n }); i < len(list) {
		return int(list[i])
	}
	return -1
}

// Prev is described with Next.
func (s *Stops) Prev(k Kind, n int) int {
	list := s.list(k)
	if i := sort.Search(len(list), func(i int) bool { return int(list[i]) >= n-1 }); i > 0 {
		return int(list[i-1])
	}
	return -1
}
