package scene

import (
	"math"

	"github.com/ticketrail/ticketrail/core/event"
)

// singleLayout lays out a scenario of one queue and at most one producer and
// one pool: the drawing that lessons begin with.
func singleLayout(size Size, p *plan, words *Words) *layout {
	l := &layout{size: size, body: &smallBody}
	b := single{layout: l, p: p, words: words, queue: event.NoQueue, letters: event.NoQueue}
	for q := range p.queues {
		if p.hasRow(event.QueueRef(q)) {
			b.queue = event.QueueRef(q)
		} else {
			b.letters = event.QueueRef(q)
		}
	}
	if b.queue >= 0 {
		b.tray, b.capacity = p.queues[b.queue].tray, p.queues[b.queue].capacity
	}
	switch size {
	case Wide:
		b.wide()
	case Compact:
		b.compact()
	default:
		b.tall()
	}
	b.assign()
	return l
}

// single is the work on one such layout.
type single struct {
	*layout
	p              *plan
	words          *Words
	queue, letters event.QueueRef
	tray           bool
	capacity       int
}

// assign says which place each queue, worker and target has: the only one.
func (b *single) assign() {
	l := b.layout
	l.railOf, l.trayOf, l.spikeOf = indexes(len(b.p.queues)), indexes(len(b.p.queues)), indexes(len(b.p.queues))
	l.padOf, l.poolOf = indexes(len(b.p.producers)), indexes(len(b.p.pools))
	l.stationOf, l.groupOf = indexes(b.p.workers), make([]int, len(b.p.targets))
	if b.queue >= 0 {
		l.railOf[b.queue], l.spikeOf[b.queue] = 0, 0
		l.rails[0].queues = []event.QueueRef{b.queue}
		l.spikes[0].queues = l.rails[0].queues
	} else {
		l.rails = nil
	}
	if b.letters >= 0 && len(l.trays) > 0 {
		l.trayOf[b.letters] = 0
	}
	for i := range l.padOf {
		l.padOf[i] = 0
		l.pads[0].producers = append(l.pads[0].producers, event.ProducerRef(i))
	}
	if len(l.padOf) == 0 {
		l.pads = nil
	}
	for i := range l.poolOf {
		l.poolOf[i] = 0
	}
	for i := range l.stations {
		l.stations[i].worker = event.WorkerRef(i)
		l.stationOf[i] = i
	}
	for i := range l.poolOf {
		l.pools[0].pools = append(l.pools[0].pools, i)
	}
	l.pools[0].rest = b.p.workers - len(l.stations)
}

// lettersList is the queue whose messages lie in the tray, if there is one.
func (b *single) lettersList() []event.QueueRef {
	if b.letters < 0 {
		return nil
	}
	return []event.QueueRef{b.letters}
}

func (b *single) name(at point, word Word) {
	b.headings = append(b.headings, heading{at: at, word: word})
}

func (b *single) wide() {
	l, n := b.layout, b.p.workers
	l.w, l.h, l.body, l.border = 896, 432, &mediumBody, 730
	cooks := rect{528, 44, 190, 380}
	if n > 3 {
		l.body = &smallBody
	}
	if n > 4 {
		cooks = rect{468, 44, 250, 380}
	}
	if n == 0 {
		cooks = rect{560, 44, 158, 380}
	}
	l.stations = stations(cooks, n, b.p.longest(), l.body, Wide)
	l.workersX, l.nobody = cooks.x, point{cooks.x, cooks.y + 13}
	b.name(point{20, 29}, b.words.Producer)
	l.pads = []pad{{
		at: point{61, 54 + l.body.h/2}, paper: true, note: point{62, 54 + l.body.h + 22}, anchor: "middle",
		door: point{63, 247}, doorNote: point{20, 318}, doorGap: 15.5, doorRoom: 122,
		send: rect{102, 54, 26, 26}, pause: rect{102, 84, 26, 26},
	}}
	l.following = point{17, 389}

	lane := 159.0
	r := rail{ball: 3, brace: 8, pileY: 32, delayed: point{146, 236}, delayedMost: 4, delayedCols: 2, delayedStep: point{128, 18}}
	r.hang(rect{144, 48, cooks.x - 14 - 144, 14}, b.capacity, l.body.w+5, 2)
	r.full = point{r.steel.right() - 2, 29}
	r.next = r.steel.y + 2 + l.body.h + 15
	r.touch = point{r.steel.x - l.body.w/2 + 3, r.steel.y + 2 + l.body.h/2}
	b.name(point{r.steel.x + 2, 29}, b.words.Queue)
	l.headings = append(l.headings, heading{at: point{cooks.x, 29}, word: b.words.Workers, room: cooks.w - 60})
	l.pools = []poolPlace{{more: point{cooks.right() - 60, 29}, add: rect{cooks.right() - 26, 11, 26, 26}, remove: rect{cooks.right() - 54, 11, 26, 26}}}
	l.now, l.nowGap, l.nowRoom = point{146, 182}, 22, cooks.x-24-146

	t := tray{queues: b.lettersList(), lip: rect{150, 386, 104, 16}, note: point{266, 328}, redrive: rect{267, 374, 82, 26}}
	s := spike{foot: point{404, 402}, step: 11, width: 62, over: 26, sheets: 7}
	spikeHead := point{364, 284}
	if n > 4 {
		t.lip.x, t.lip.w = 149, 70
		t.note, t.redrive = point{231, 328}, rect{230, 374, 78, 26}
		spikeHead, s.foot = point{318, 284}, point{350, 402}
	}
	if !b.tray {
		spikeHead, s.foot = point{236, 284}, point{276, 402}
	}
	s.note = point{s.foot.x + 39, 346}
	// The redrive button is as wide as its word; beside it there is room for
	// the other one, or there is not.
	if w := widthOf(b.words.Redrive, boldFont, 12) + 14; t.redrive.x+w+28 < s.foot.x-33 {
		t.redrive.w = w
		t.edit = rect{t.redrive.right() + 2, t.redrive.y, 26, 26}
	}
	b.name(spikeHead, b.words.Done)
	if b.tray {
		l.headings = append(l.headings, heading{at: point{146, 284}, word: b.words.DeadLetters, under: n > 4})
		l.trays = []tray{t}
	}
	l.spikes = []spike{s}
	r.lane = lane
	l.rails = []rail{r}
	b.name(point{744, 29}, b.words.Outside)
	b.outside(rect{744, 46, 140, 380}, group{target: -1, rowH: 26, columns: 1, chip: 44, named: true}, 106, 68)
}

// outside shares the column between rows, the twin panel (when the run ever
// repeats an effect) and the note.
func (b *single) outside(area rect, g group, panel, note float64) {
	l := b.layout
	free := area.h - note
	if b.p.repeats() {
		free -= panel + 12
		l.panel = rect{area.x - 6, area.bottom() - note - panel - 8, area.w + 10, panel}
	}
	g.rows = rect{area.x, area.y, area.w, free}
	g.count = int(free / g.rowH)
	l.groups = []group{g}
	l.note, l.noteW = point{area.x, area.bottom() - note + 8}, area.w
}

func (b *single) compact() {
	l, n := b.layout, b.p.workers
	l.w, l.h, l.border = 720, 276, 590
	cooks := rect{420, 34, 162, 240}
	if n > 3 {
		cooks = rect{350, 34, 232, 240}
	}
	l.stations = stations(cooks, n, b.p.longest(), l.body, Compact)
	l.workersX, l.nobody = cooks.x, point{cooks.x, cooks.y + 13}
	b.name(point{14, 24}, Word{Name: b.words.Producer.Name})
	l.pads = []pad{{
		at: point{40, 42 + l.body.h/2}, paper: true, note: point{14, 128},
		door: point{42, 178}, doorNote: point{14, 234}, doorGap: 14,
	}}
	l.following = point{-1, 0}

	lane := 124.0
	r := rail{ball: 2.6, brace: 3, pileY: 19, delayed: point{92, 176}, delayedMost: 2, delayedStep: point{0, 18}}
	r.hang(rect{86, 36, cooks.x - 12 - 86, 12}, b.capacity, l.body.w+4.5, 2)
	r.full = point{r.steel.right() - 2, 24}
	r.next = r.steel.y + 2 + l.body.h + 15
	r.touch = point{r.steel.x - l.body.w/2 + 3, r.steel.y + 2 + l.body.h/2}
	b.name(point{r.steel.x + 4, 24}, b.words.Queue)
	l.headings = append(l.headings, heading{at: point{cooks.x, 24}, word: b.words.Workers, room: cooks.w - 56})
	l.pools = []poolPlace{{more: point{cooks.right() - 56, 24}, add: rect{cooks.right() - 24, 6, 24, 24}, remove: rect{cooks.right() - 50, 6, 24, 24}}}
	l.now, l.nowGap, l.nowRoom = point{92, 137}, 18, cooks.x-18-92

	t := tray{queues: b.lettersList(), lip: rect{98, 246, 76, 13}, note: point{184, 222}, form: shortNote}
	s := spike{foot: point{300, 256}, step: 8.5, width: 52, over: 18, sheets: 7, form: shortNote}
	if n > 3 {
		t.lip.w, t.note.x, s.foot.x = 60, 166, 250
	}
	if n <= 3 {
		t.redrive, t.edit = rect{238, 202, 24, 24}, rect{238, 228, 24, 24}
	}
	if b.tray {
		l.trays = []tray{t}
	} else {
		s.foot.x = 126
	}
	s.note = point{s.foot.x + 35, 222}
	l.spikes = []spike{s}
	r.lane = lane
	l.rails = []rail{r}
	b.name(point{602, 24}, b.words.Outside)
	b.outside(rect{602, 34, 106, 238}, group{target: -1, rowH: 20, columns: 1, chip: 42}, 92, 0)
	l.noteW = 0
}

func (b *single) tall() {
	l, n := b.layout, b.p.workers
	l.w, l.across = phoneWidth(l.size), true
	right := l.w - 8
	l.pads = []pad{{
		head: point{72, 30}, at: point{34, 14 + l.body.h/2}, paper: true, note: point{72, 50},
		door: point{208, 54}, doorNote: point{244, 46}, doorGap: 14.5, doorRoom: 110,
		send: rect{72, 56, 40, 40}, pause: rect{116, 56, 40, 40},
	}}
	if l.size == Narrow {
		p := &l.pads[0]
		p.door, p.doorNote, p.doorRoom = point{177, 54}, point{202, 46}, 84
		p.send.x, p.pause.x = 68, 110
	}
	l.headings = append(l.headings, heading{at: l.pads[0].head, word: b.words.Producer, room: l.pads[0].door.x - 34 - 72})
	l.following = point{-1, 0}

	lane := 206.0
	// On the narrowest screen the caption has its lines for itself.
	down := 0.0
	if l.size == Narrow {
		down = 60
	}
	r := rail{ball: 2.6, brace: 3, pileY: 19, delayed: point{12, 267 + down}, delayedMost: 1, delayedStep: point{0, 18}}
	r.hang(rect{8, 120, right - 8, 12}, b.capacity, l.body.w+9, 2)
	r.full = point{right - 4, 112}
	r.next = r.steel.y + 2 + l.body.h + 15
	r.touch = point{r.steel.x + 60, r.steel.y - l.body.h/2 + 6}
	b.name(point{12, 112}, b.words.Queue)
	l.now, l.nowGap, l.nowRoom = point{12, 222}, 19, right-172-12
	t := tray{queues: b.lettersList(), lip: rect{right - 146, 268 + down, 62, 11}, note: point{right - 116, 302 + down}, form: underNote}
	t.touch = rect{right - 150, 262 + down, 76, 44}
	l.spikes = []spike{{foot: point{right - 36, 276 + down}, note: point{right - 34, 302 + down}, step: 8, width: 50, over: 6, sheets: 5, form: underNote}}
	if b.tray {
		l.trays = []tray{t}
	} else {
		l.nowRoom = right - 74 - 12
	}
	if l.size == Narrow {
		l.nowRoom = l.w - 24
	}
	r.lane = lane
	l.rails = []rail{r}

	l.headings = append(l.headings, heading{at: point{12, 302 + down}, word: b.words.Workers, room: 122})
	cooks := rect{8, 311 + down, right - 8, tallWorkers(n)}
	l.workersX, l.nobody = cooks.x, point{cooks.x, cooks.y + 13}
	l.pools = []poolPlace{{more: point{cooks.right(), 302 + down}, add: rect{138, 266 + down, 40, 40}, remove: rect{182, 266 + down, 40, 40}}}
	if b.tray {
		l.pools[0].remove = rect{}
	}
	if l.size == Narrow {
		l.pools[0].add, l.pools[0].remove = rect{}, rect{}
	}
	if n > maxStations {
		l.pools[0].more.y -= 14
	}
	l.stations = stations(cooks, n, b.p.longest(), l.body, l.size)
	l.border = cooks.bottom() + 6
	b.name(point{14, l.border + 24}, b.words.Outside)
	g := group{target: -1, rowH: 24, columns: 2, chip: 38, named: true, count: 8}
	if m := b.p.messages; m > 8 && m <= 12 {
		g.count = m
	}
	rows := g.count
	if m := b.p.messages; m > 0 && m < rows {
		rows = m
	}
	g.rows = rect{14, l.border + 36, l.w - 28, float64((rows+1)/2) * g.rowH}
	l.groups = []group{g}
	l.note, l.noteW = point{14, g.rows.bottom() + 8}, l.w-28
	bottom := l.note.y + 56
	if b.p.repeats() {
		l.panel = rect{9, g.rows.bottom() + 4, l.w - 18, 64}
		bottom = l.panel.bottom()
	}
	l.h = math.Ceil(bottom + 10)
}

// phoneWidth is the width of a drawing for phones.
func phoneWidth(s Size) float64 {
	if s == Narrow {
		return 288
	}
	return 358
}

// tallWorkers is the height of the workers' rows on a phone.
func tallWorkers(n int) float64 {
	switch {
	case n == 0:
		return 60
	case n == 1:
		return 128
	case n <= 4:
		return float64(n) * 79
	case n <= 8:
		return float64((n+1)/2) * 79
	}
	return float64((min(n, maxStations)+2)/3) * 40
}
