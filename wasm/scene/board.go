package scene

import (
	"math"

	"github.com/ticketrail/ticketrail/core/event"
)

// A board is the drawing of everything that is more than one queue, one
// producer and one pool. It reads from left to right: who sends, what waits,
// who works, what came of it outside. Each queue has a row, in the order in
// which messages pass from one to the next, with the workers who read it
// beside it; on a phone they stand below it. Wires show the other ways: to the
// queues of a topic, from a handler that publishes, to dead letters that have
// readers of their own.
//
// The drawing is as high as its rows. When that gets too much, tickets become
// small papers, and then rows become counts.

// nameSize is the size of the names on a board.
const nameSize = 13

// density is how much room a row takes.
type density uint8

const (
	papers density = iota
	chips
	sums
)

// columns are the places of a board across.
type columns struct {
	w              float64
	senders, rails rect // x and w only
	pools, outside rect
	border         float64
	top            float64 // where the rows begin
	most           [3]float64
	touch          float64 // side of a button
}

func boardColumns(size Size) columns {
	switch size {
	case Wide:
		return columns{w: 896, senders: rect{x: 16, w: 98}, rails: rect{x: 144, w: 306}, pools: rect{x: 474, w: 246}, outside: rect{x: 744, w: 138},
			border: 730, top: 64, most: [3]float64{710, 980, 1100}, touch: 24}
	case Compact:
		return columns{w: 720, senders: rect{x: 10, w: 76}, rails: rect{x: 112, w: 224}, pools: rect{x: 356, w: 226}, outside: rect{x: 602, w: 108},
			border: 590, top: 60, most: [3]float64{540, 800, 1000}, touch: 24}
	}
	w := phoneWidth(size)
	whole := rect{x: 8, w: w - 16}
	return columns{w: w, senders: whole, rails: whole, pools: whole, outside: rect{x: 14, w: w - 28}, top: 68,
		most: [3]float64{1600, 2000, 2400}, touch: 40}
}

// board is the work on one layout.
type board struct {
	*layout
	p     *plan
	words *Words
	col   columns
	dense density
	bands []band
	rowOf []int // by queue: index into rails
}

// band is a number of rows that share pools, and these pools.
type band struct {
	rows  []boardRow
	pools []boardPool
	y, h  float64
}

type boardRow struct {
	queues    []event.QueueRef
	producers []event.ProducerRef
	y, h      float64
}

type boardPool struct {
	pool   int
	shared bool // counted together with the one before
	y, h   float64
}

func boardLayout(size Size, p *plan, words *Words) *layout {
	for d := papers; ; d++ {
		b := &board{layout: &layout{size: size, board: true, body: &smallBody, across: size.phone()}, p: p, words: words, col: boardColumns(size), dense: d}
		if d > papers {
			b.body = &chipBody
		}
		b.w, b.border = b.col.w, b.col.border
		b.sort()
		if height := b.measure(); height <= b.col.most[d] || d == sums {
			b.place(height)
			return b.layout
		}
	}
}

// sort puts the queues into bands of rows, in the order in which messages pass
// them.
func (b *board) sort() {
	order := b.order()
	if b.dense == sums {
		order = b.gather(order)
	}
	b.rowOf = indexes(len(b.p.queues))
	group := make([]int, len(order)) // the band of each row, as its first row
	for i := range order {
		group[i] = i
		for _, q := range order[i] {
			b.rowOf[q] = i
		}
	}
	for l := range b.p.pools {
		first := -1
		for _, q := range b.p.pools[l].from {
			i := b.rowOf[q]
			if i < 0 {
				continue
			}
			if first < 0 {
				first = group[i]
				continue
			}
			low, high := min(first, group[i]), max(first, group[i])
			for k := range group {
				if group[k] == high {
					group[k] = low
				}
			}
			first = low
		}
	}
	place := indexes(len(order))
	for i := range order {
		if place[group[i]] < 0 {
			place[group[i]] = len(b.bands)
			b.bands = append(b.bands, band{})
		}
		band := &b.bands[place[group[i]]]
		band.rows = append(band.rows, boardRow{queues: order[i]})
	}
	for r := range b.p.producers {
		if b.p.producers[r].host < 0 {
			b.homeOf(event.ProducerRef(r))
		}
	}
	for l := range b.p.pools {
		at := 0
		for _, q := range b.p.pools[l].from {
			if i := b.rowOf[q]; i >= 0 {
				at = place[group[i]]
				break
			}
		}
		if at < len(b.bands) {
			b.bands[at].pools = append(b.bands[at].pools, boardPool{pool: l})
		}
	}
}

// order lists the queues that have a row: those that producers send to first,
// each followed by those to which its readers publish.
func (b *board) order() [][]event.QueueRef {
	var out [][]event.QueueRef
	seen := make([]bool, len(b.p.queues))
	var todo []event.QueueRef
	visit := func(q event.QueueRef) {
		if !seen[q] && b.p.hasRow(q) {
			seen[q] = true
			todo = append(todo, q)
			out = append(out, []event.QueueRef{q})
		}
	}
	follow := func() {
		for ; len(todo) > 0; todo = todo[1:] {
			f := &b.p.queues[todo[0]]
			for _, l := range f.readers {
				for _, q := range b.p.pools[l].to {
					visit(q)
				}
			}
			if f.dead >= 0 {
				visit(f.dead)
			}
		}
	}
	for r := range b.p.producers {
		for _, q := range b.p.producers[r].to {
			visit(q)
		}
	}
	follow()
	for q := range b.p.queues {
		if !b.p.queues[q].letters {
			visit(event.QueueRef(q))
			follow()
		}
	}
	for q := range b.p.queues {
		visit(event.QueueRef(q))
	}
	return out
}

// sumHeight is the height of a row that only counts.
const sumHeight = 40

// gather puts the rows that do not fit even as counts into the last one.
func (b *board) gather(order [][]event.QueueRef) [][]event.QueueRef {
	most := int((b.col.most[sums] - b.col.top) / sumHeight)
	if b.across {
		most /= 3
	}
	if len(order) <= most {
		return order
	}
	rest := order[most-1]
	for _, row := range order[most:] {
		rest = append(rest, row...)
	}
	return append(order[:most-1:most-1], rest)
}

// homeOf stands a producer beside the first row that it sends to.
func (b *board) homeOf(r event.ProducerRef) {
	want := -1
	for _, q := range b.p.producers[r].to {
		if i := b.rowOf[q]; i >= 0 && (want < 0 || i < want) {
			want = i
		}
	}
	for k := range b.bands {
		for j := range b.bands[k].rows {
			row := &b.bands[k].rows[j]
			if want < 0 || b.rowOf[row.queues[0]] == want {
				row.producers = append(row.producers, r)
				return
			}
		}
	}
}

// rowGap is between two rows, and bandGap between two bands: wires run in it.
const (
	rowGap  = 14
	bandGap = 20
)

// measure gives rows, pools and bands their height and place, and returns the
// height of the drawing without what is outside on a phone.
func (b *board) measure() float64 {
	y := b.col.top
	for k := range b.bands {
		band := &b.bands[k]
		band.y = y
		rows, pools := b.rowHeights(band), b.poolHeights(band)
		if b.across {
			band.h = rows + pools
		} else {
			band.h = max(rows, pools)
		}
		b.spread(band, rows)
		y += band.h + bandGap
	}
	return y - bandGap + 14
}

func (b *board) rowHeights(band *band) float64 {
	sum := 0.0
	for i := range band.rows {
		row := &band.rows[i]
		row.h = b.railHeight(row)
		pads := b.padsHeight(row)
		if b.across {
			row.h += pads
		} else {
			row.h = max(row.h, pads)
		}
		sum += row.h + rowGap
	}
	return sum - rowGap
}

func (b *board) poolHeights(band *band) float64 {
	if len(band.pools) == 0 {
		return 0
	}
	sum := 0.0
	for i := range band.pools {
		p := &band.pools[i]
		if p.shared = b.dense == sums && i > len(band.rows); p.shared {
			continue
		}
		p.h = b.poolHeight(len(b.p.pools[p.pool].workers))
		sum += p.h + rowGap
	}
	if !b.across {
		sum -= rowGap
	}
	return sum
}

// spread places the rows of a band and its pools. Rows share what is left when
// the pools are higher.
func (b *board) spread(band *band, rows float64) {
	extra := 0.0
	if !b.across && band.h > rows {
		extra = (band.h - rows) / float64(len(band.rows))
	}
	y := band.y
	for i := range band.rows {
		row := &band.rows[i]
		row.y = y
		y += row.h + extra + rowGap
	}
	if !b.across {
		y = band.y
	}
	for i := range band.pools {
		p := &band.pools[i]
		if p.shared {
			continue
		}
		p.y = y
		y += p.h + rowGap
	}
}

// railHeight is what a queue takes: its name, its rail, and below that what
// became of its messages.
func (b *board) railHeight(*boardRow) float64 {
	return [...]float64{138, 64, sumHeight - rowGap}[b.dense]
}

// mostPads is how many producers of one row are drawn one by one.
const mostPads = 6

func (b *board) padsHeight(row *boardRow) float64 {
	n := min(len(row.producers), mostPads)
	if n == 0 {
		return 0
	}
	return float64(n)*b.padHeight(row) + 4*float64(n-1)
}

func (b *board) padHeight(row *boardRow) float64 {
	switch {
	case b.across && b.dense == sums:
		return 22
	case b.across:
		return 52
	case b.dense == papers && len(row.producers) == 1:
		return 124
	case b.dense == sums:
		return sumHeight - rowGap
	case b.refuses(row):
		return 62
	}
	return 50
}

// refuses reports whether anybody ever stands at the door of a row.
func (b *board) refuses(row *boardRow) bool {
	for _, q := range row.queues {
		if b.p.queues[q].capacity > 0 {
			return true
		}
	}
	return false
}

// poolHead is the height of what is written over stations.
func (b *board) poolHead() float64 { return b.col.touch + 2 }

// cells is how the stations of a pool stand: columns, and the height of one.
func (b *board) cells(n int) (columns int, height float64) {
	phone := b.across
	switch {
	case b.dense == sums || n == 0:
		return 1, 0
	case n > 8:
		return int((b.col.pools.w + 4) / badgeCell), badgeCell
	case n > 4 || n > 2 && b.dense == chips && !phone || n == 2 && b.dense == chips && !phone:
		return 2, 34 + 6
	case b.dense == chips || n > 2 && !phone:
		return 1, 36 + 4
	case phone:
		return 1, 79
	case n == 2:
		return 2, 84 + 4
	}
	return 1, 84 + 4
}

// badgeCell is the side of the place of a worker that is only a badge, and
// mostBadges how many of them a pool shows.
const (
	badgeCell  = 35
	badgeLines = 3
)

func (b *board) poolHeight(n int) float64 {
	if b.dense == sums {
		return sumHeight - rowGap
	}
	columns, height := b.cells(n)
	lines := (n + columns - 1) / columns
	if n > 8 {
		lines = min(lines, badgeLines)
	}
	return b.poolHead() + float64(lines)*height
}

// place fills in the layout.
func (b *board) place(height float64) {
	l := b.layout
	l.railOf, l.trayOf, l.spikeOf = indexes(len(b.p.queues)), indexes(len(b.p.queues)), indexes(len(b.p.queues))
	l.padOf, l.poolOf = indexes(len(b.p.producers)), indexes(len(b.p.pools))
	l.stationOf, l.groupOf = indexes(b.p.workers), indexes(len(b.p.targets))
	l.workersX = b.col.pools.x
	l.nobody = point{b.col.pools.x, b.col.top + 20}
	b.caption()
	for k := range b.bands {
		band := &b.bands[k]
		if k > 0 {
			l.rules = append(l.rules, band.y-bandGap/2)
		}
		for i := range band.rows {
			b.placeRow(&band.rows[i])
		}
		for i := range band.pools {
			b.placePool(&band.pools[i])
		}
	}
	if b.p.workers == 0 && b.across {
		l.nobody, height = point{b.col.pools.x + 4, height + 6}, height+20
	}
	l.h = height
	b.placeOutside()
	b.headingsOf()
	b.wire()
	for r := range b.p.producers {
		if host := b.p.producers[r].host; host >= 0 && l.padOf[host] >= 0 {
			l.padOf[r] = l.padOf[host]
			at := &l.pads[l.padOf[host]]
			at.producers = append(at.producers, event.ProducerRef(r))
		}
	}
}

// caption is the line at the top that says what happens.
func (b *board) caption() {
	l := b.layout
	l.following = point{-1, 0}
	switch l.size {
	case Wide:
		l.now, l.nowRoom, l.nowIndent = point{16, 24}, 500, 64
		l.following = point{594, 6}
	case Compact:
		l.now, l.nowRoom, l.nowIndent = point{10, 24}, 500, 62
	default:
		l.now, l.nowRoom, l.nowGap = point{12, 16}, l.w-24, 19
	}
}

func (b *board) headingsOf() {
	l := b.layout
	if b.across {
		l.headings = append(l.headings, heading{at: point{14, l.border + 22}, word: b.words.Outside})
		return
	}
	y := b.col.top - 14
	for _, h := range [...]struct {
		x, room float64
		word    Word
	}{
		{b.col.senders.x, b.col.senders.w + 22, b.words.Producers},
		{b.col.rails.x, b.col.rails.w, b.words.Queues},
		{b.col.pools.x, b.col.pools.w, b.words.Workers},
		{b.col.outside.x, b.col.outside.w, b.words.Outside},
	} {
		l.headings = append(l.headings, heading{at: point{h.x, y}, word: h.word, room: h.room})
	}
}

// placeRow places a queue with its producers, its tray and its spike.
func (b *board) placeRow(row *boardRow) {
	l, y := b.layout, row.y
	if b.across {
		b.placePads(row, y)
		y += b.padsHeight(row)
	} else {
		b.placePads(row, y)
	}
	x, w := b.col.rails.x, b.col.rails.w
	i := len(l.rails)
	r := rail{queues: row.queues, name: b.nameOf(row.queues, w-120), head: point{x, y + 12}, full: point{x + w, y + 12}, box: rect{x, y, w, b.railHeight(row)}}
	for _, q := range row.queues {
		l.railOf[q], l.spikeOf[q] = i, i
	}
	sp := spike{queues: row.queues, form: countNote}
	capacity := 0
	if len(row.queues) == 1 {
		capacity = b.p.queues[row.queues[0]].capacity
	}
	switch b.dense {
	case papers:
		r.ball = 2.4
		r.hang(rect{x, y + 18, w, 10}, capacity, l.body.w+4.5, 2)
		r.next, r.lane = y+98, y+108
		sp.foot, sp.note = point{x + w - 82, y + 132}, point{x + w - 54, y + 130}
		sp.step, sp.width, sp.over, sp.sheets = 5, 40, 4, 3
		if l.size == Compact || l.size == Narrow {
			sp.sheets = 0
		}
	case chips:
		r.ball = 1.6
		r.hang(rect{x, y + 17, w, 6}, capacity, l.body.w+4, 6)
		r.lane = y + 42
		sp.note = point{x + w - 58, y + 58}
	default:
		r.summary, r.steel = true, rect{x, y + 16, w, 4}
		sp.note, sp.form = point{x + w, y + 34}, endNote
	}
	r.touch, r.entry = point{x - 12, r.slot(l.body, 0).y}, point{x - 2, r.steel.y + r.steel.h/2}
	if b.p.queues[row.queues[0]].letters && b.dense != sums {
		r.redrive = rect{x, r.lane + 4, min(b.col.touch, 30), min(b.col.touch, 30)}
	}
	b.placeTray(row, &r, y)
	l.rails = append(l.rails, r)
	l.spikes = append(l.spikes, sp)
}

// placeTray stands a tray under the rail when the dead letters of the queue,
// or of others, come to rest there; what is delayed stands beside it.
func (b *board) placeTray(row *boardRow, r *rail, y float64) {
	l := b.layout
	x, free := b.col.rails.x, b.col.rails.w-106 // what the spike leaves
	if b.dense == chips || b.size == Compact {
		free = b.col.rails.w - 66
	}
	dead, has := b.lettersOf(row)
	if b.dense == sums {
		return
	}
	const laterWidth = 114
	r.delayedStep = point{laterWidth, 17}
	r.delayed, r.delayedCols = point{x, y + 87}, max(1, int((b.col.rails.w-70)/laterWidth))
	marked := len(row.queues) == 1 && (b.p.queues[row.queues[0]].perKey || b.p.queues[row.queues[0]].byPriority)
	if marked || b.dense == chips {
		// What holds each ticket back is written there, or there is no line.
		r.delayed.y, r.delayedCols = y+46, max(1, int(free/laterWidth))
		if b.dense == papers {
			r.delayed.y = y + 118
		}
	}
	r.delayedMost = r.delayedCols
	if r.redrive.w > 0 && r.delayed.y > r.lane {
		r.delayed.x += r.redrive.w + 6
		r.delayedMost, r.delayedCols = 1, 1
	}
	if r.redrive.w > 0 && b.dense == chips {
		r.delayed.x = x + r.redrive.w + 6
	}
	if !has {
		return
	}
	t := tray{form: countNote, chip: true}
	if dead >= 0 {
		t.queues = []event.QueueRef{dead}
		l.trayOf[dead] = len(l.trays)
		if name := b.p.queues[dead].name; name != b.p.queues[row.queues[0]].name+"-dead" {
			t.name = name
		}
	}
	side := min(b.col.touch, 30)
	width := 0.0
	switch {
	case b.dense == chips:
		t.note = point{x + 17, y + 58}
		t.redrive = rect{x + 17 + 46, y + 58 - 17, 24, 24}
		t.glyph, t.name = true, ""
		width = 96
	default:
		t.lip, t.note = rect{x + 2, y + 128, 54, 8}, point{x + 68, y + 122}
		t.redrive, t.edit = rect{x + 122, y + 112, side, side}, rect{x + 124 + side, y + 112, side, side}
		t.note.y = y + 130
		t.nameRoom = 48
		width = 126 + 2*side
		if b.size == Compact || b.size == Narrow {
			t.edit, width = rect{}, 124+side
		}
	}
	if r.redrive.w > 0 {
		t.redrive, t.edit = rect{}, rect{} // the row's own is there
		if b.dense == papers {
			r.redrive, width = rect{x + 122, y + 112, side, side}, 124+side
		} else {
			r.redrive.x = x + width
			width += r.redrive.w
		}
	}
	if b.dense == chips && free-width < 56 {
		// Those that wait for later are counted in place of the buttons.
		t.redrive, r.redrive, width = rect{}, rect{}, 70
	}
	t.box = rect{x, y + 110, width, 28}
	if marked && b.dense == papers {
		t.redrive, t.edit, width = rect{}, rect{}, 122
	}
	if marked || b.dense == chips {
		r.delayed.x = x + width
		r.delayedMost, r.delayedCols = 1, 1
		if free-width < laterWidth {
			r.delayedMost = 0 // they are counted
		}
		if free-width < 56 && b.dense == papers {
			t.name, r.delayed = "", point{x + 66, y + 104}
		}
	}
	l.trays = append(l.trays, t)
}

// lettersOf is the dead-letter queue that rests under a row, and whether there
// is room to be kept for one at all: the first row that uses it has it.
func (b *board) lettersOf(row *boardRow) (event.QueueRef, bool) {
	for _, q := range row.queues {
		f := &b.p.queues[q]
		if f.tray && (f.dead < 0 || !b.p.hasRow(f.dead) && b.trayOf[f.dead] < 0) {
			return f.dead, true
		}
	}
	return event.NoQueue, false
}

// nameOf is what a row is called.
func (b *board) nameOf(queues []event.QueueRef, room float64) string {
	if len(queues) > 1 {
		return grouped(len(queues)) + " more"
	}
	return fit(b.p.queues[queues[0]].name, boldFont, nameSize, room)
}

// placePads places the producers of a row.
func (b *board) placePads(row *boardRow, y float64) {
	l := b.layout
	each := b.padHeight(row) + 4
	for k, r := range row.producers {
		if k >= mostPads {
			last := len(l.pads) - 1
			l.padOf[r] = last
			l.pads[last].producers = append(l.pads[last].producers, r)
			name := "and " + grouped(len(l.pads[last].producers)) + " more"
			l.pads[last].name = name
			if !b.across {
				l.pads[last].wire.x = l.pads[last].head.x + widthOf(name, boldFont, nameSize) + 5
			}
			continue
		}
		l.padOf[r] = len(l.pads)
		p := b.pad(row, r, y+float64(k)*each)
		p.producers = []event.ProducerRef{r}
		l.pads = append(l.pads, p)
	}
}

func (b *board) pad(row *boardRow, r event.ProducerRef, y float64) pad {
	x, w := b.col.senders.x, b.col.senders.w
	name := b.p.producers[r].name
	p := pad{head: point{x, y + 12}, box: rect{x, y, w, b.padHeight(row)}, doorChip: true}
	switch {
	case b.across && b.dense == sums:
		p.at, p.note, p.anchor, p.noChip = point{x + 30, y + 8}, point{x + w, y + 12}, "end", true
		p.door, p.doorNote = point{x + w, y + 12}, point{-200, -200}
		w -= 110
	case b.across:
		if h := b.p.producers[r].hub; h >= 0 {
			name += " to " + b.p.topics[h].name
		}
		p.head = point{x + 54, y + 14}
		p.at = point{x + 24, y + 22}
		p.note = point{x + 54, y + 29}
		p.doorNote = point{x + 54, y + 45}
		p.pause, p.send = rect{x + w - 84, y + 2, 40, 40}, rect{x + w - 40, y + 2, 40, 40}
		p.door = point{x + 4, y + 34}
		w -= 54 + 90
	case b.dense == papers && len(row.producers) == 1:
		p.paper = true
		p.at = point{x + 24, y + 26 + 32}
		p.wire = point{x + 54, y + 23}
		p.note = point{x, y + 109}
		p.doorNote = point{x, y + 123}
		p.pause, p.send = rect{x + 62, y + 30, 24, 24}, rect{x + 62, y + 55, 24, 24}
		p.door = point{x + 56, y + 81}
		if b.size == Compact {
			p.pause.x, p.send.x = x+51, x+51
			p.door.x = x + 38
		}
	case b.dense == sums:
		p.head.y, p.note, p.at = y+10, point{x, y + 24}, point{x + 20, y + 8}
		p.door, p.doorNote, p.noChip = p.note, point{-200, -200}, true
		p.wire = point{x + widthOf(fit(name, boldFont, nameSize, w), boldFont, nameSize) + 5, y + 6}
	default:
		p.at = point{x + 22, y + 27}
		p.wire = point{x + widthOf(fit(name, boldFont, nameSize, w), boldFont, nameSize) + 5, y + 8}
		p.note = point{x, y + 48}
		p.doorNote, p.door = point{x, y + 61}, point{x, y + 46}
		p.pause, p.send = rect{x + 48, y + 15, 24, 24}, rect{x + 74, y + 15, 24, 24}
		if b.size == Compact {
			p.pause.x, p.send = x+50, rect{}
		}
	}
	p.name = fit(name, boldFont, nameSize, w)
	return p
}

// placePool places the stations of a pool.
func (b *board) placePool(at *boardPool) {
	l, x, w := b.layout, b.col.pools.x, b.col.pools.w
	f := &b.p.pools[at.pool]
	n, side := len(f.workers), b.col.touch
	place := poolPlace{head: point{x, at.y + side/2 + 5}, more: point{x + w, at.y + side/2 + 5}, rest: n, box: rect{x, at.y, w, at.h}}
	l.poolOf[at.pool] = len(l.pools)
	place.pools = []int{at.pool}
	if b.dense == sums {
		if at.shared {
			last := &l.pools[len(l.pools)-1]
			l.poolOf[at.pool] = len(l.pools) - 1
			last.pools = append(last.pools, at.pool)
			last.name = grouped(len(last.pools)) + " more"
			return
		}
		place.sum = true
		place.head.y, place.more.y = at.y+10, at.y+26
		place.name = fit(f.name, boldFont, nameSize, w)
		place.noteRoom = w - widthOf(place.name, boldFont, nameSize) - 8
		l.pools = append(l.pools, place)
		return
	}
	place.add = rect{x + w - side, at.y, side, side}
	place.remove = rect{x + w - 2*side - 2, at.y, side, side}
	room := w - 2*side - 8
	columns, height := b.cells(n)
	lines := (n + columns - 1) / columns
	if n > 8 {
		lines = min(lines, badgeLines)
		place.more.x = place.remove.x - 6
		room -= 96
		place.counts = true
	}
	cell := (w + 6) / float64(columns)
	if n > 8 {
		cell = badgeCell
	}
	for i := 0; i < n && i < lines*columns; i++ {
		r := rect{x + float64(i%columns)*cell, at.y + b.poolHead() + float64(i/columns)*height, cell - 6, height - 6}
		t := b.station(r, n)
		t.worker = f.workers[i]
		l.stationOf[f.workers[i]] = len(l.stations)
		l.stations = append(l.stations, t)
		place.rest--
	}
	place.name = fit(f.name, boldFont, nameSize, room)
	place.noteRoom = room - widthOf(place.name, boldFont, nameSize) - 8
	l.pools = append(l.pools, place)
}

// station is one worker's place, as its pool is large.
func (b *board) station(r rect, n int) station {
	switch {
	case n > 8:
		return badgeStation(r)
	case r.h <= 36 && r.w >= 190:
		return lineStation(r)
	case r.h <= 36:
		return miniStation(r)
	case b.across:
		return rowStation(r, b.body)
	case r.w < 150:
		r.h += 2
		return tileStation(r, b.body)
	}
	r.h += 2
	return smallStation(r, b.body)
}

// placeOutside shares the outside among services and tables.
func (b *board) placeOutside() {
	l, area := b.layout, b.col.outside
	n := len(b.p.targets)
	repeats := b.p.repeats()
	if b.across {
		l.border = l.h
		area.y = l.border + 32
		area.h = 30
		if n > 0 {
			area.h = 0
			for t := range min(n, mostGroups) {
				area.h += b.groupHeight(t)
			}
		}
		l.panel = rect{9, area.y + area.h, l.w - 18, 64}
		l.h = area.y + area.h
		if repeats {
			l.h += 72
		} else {
			l.panel = rect{}
		}
		l.h = math.Ceil(l.h + 6)
	} else {
		area.y = b.col.top - 6
		panel, note := 106.0, 68.0
		if l.size == Compact {
			panel, note = 92, 0
		}
		l.h = math.Ceil(max(l.h, area.y+float64(min(n, 8))*58+note+8))
		if repeats {
			l.h = max(l.h, area.y+float64(min(n, 8))*58+note+panel+20)
		}
		area.h = l.h - area.y - 6
		if note > 0 {
			l.note, l.noteW = point{area.x, l.h - note}, area.w
			area.h -= note
		}
		if repeats {
			l.panel = rect{area.x - 6, area.y + area.h - panel - 4, area.w + 10, panel}
			area.h -= panel + 10
		}
	}
	if n == 0 {
		l.groups = []group{{target: -1, rows: area, rowH: 22, count: 1, columns: 1}}
		return
	}
	b.placeGroups(area)
}

// mostGroups is how many services and tables a phone shows apart.
const mostGroups = 12

// groupHeight is what a service or table takes on a phone.
func (b *board) groupHeight(t int) float64 {
	f, h := &b.p.targets[t], 42.0
	if f.effect {
		h += 2 * 22
	}
	if f.repeats || len(f.failed) > 0 {
		h += 14
	}
	return h
}

func (b *board) placeGroups(area rect) {
	l, n := b.layout, len(b.p.targets)
	const head, row = 36, 22
	fitting := max(1, min(n, int(area.h/head)))
	each := area.h / float64(fitting)
	y := area.y - each
	if b.across {
		fitting, each, y = min(n, mostGroups), 0, area.y
	}
	for t := range n {
		if t >= fitting {
			l.groupOf[t] = fitting - 1
			l.groups[fitting-1].name = "and " + grouped(n-fitting) + " more"
			continue
		}
		y += each
		if b.across {
			each = b.groupHeight(t)
		}
		g := group{target: t, name: fit(b.p.targets[t].name, boldFont, nameSize, area.w), head: point{area.x, y + 13}, total: point{area.x, y + 28},
			rows: rect{area.x, y + head, area.w, each - head}, rowH: row, columns: 1, chip: 44, named: true, latest: true, box: rect{area.x, y, area.w, each}}
		if b.p.targets[t].repeats || len(b.p.targets[t].failed) > 0 {
			g.rows.y += 14
			g.rows.h -= 14
			g.second = true
		}
		if l.size == Compact {
			g.named, g.chip = false, 42
		}
		g.count = max(0, min(8, int((g.rows.h-4)/row)))
		if b.across {
			g.columns = 2
			g.count = max(0, min(4, int((g.rows.h-2)/row)*2))
		}
		if !b.p.targets[t].effect {
			g.count = 0
		}
		l.groupOf[t] = len(l.groups)
		l.groups = append(l.groups, g)
	}
}
