package scene

import "math"

// Size is one of the three drawings of the stage. Text is never scaled below
// 11 px, so each has its own places instead of a zoom.
type Size uint8

// The drawings.
const (
	Wide    Size = iota // 896 x 432, from 880 px up
	Compact             // 720 x 276, from 720 px and in embeds
	Tall                // 358 wide, as high as needed
)

// SizeFor returns the drawing for a container of that width in CSS pixels.
func SizeFor(width int) Size {
	switch {
	case width >= 880:
		return Wide
	case width >= 720:
		return Compact
	}
	return Tall
}

// String returns the value of the drawing's data-size attribute.
func (s Size) String() string { return [...]string{"m", "s", "t"}[s] }

type point struct{ x, y float64 }

// rect is an area of the stage.
type rect struct{ x, y, w, h float64 }

func (r rect) right() float64  { return r.x + r.w }
func (r rect) bottom() float64 { return r.y + r.h }

// layout says where everything stands. Places are fixed for a whole run; only
// tickets move between them.
type layout struct {
	size Size
	w, h float64
	body *body // of every ticket outside a station

	border    float64 // x of the dashed line, or its y when across
	across    bool    // the dashed line is horizontal
	margin    float64
	producer  point // heading
	pad       point // centre of the top order
	padNote   point
	padAnchor string
	door      point // centre of the newest refused ticket
	doorNote  point
	doorGap   float64 // between lines of the note

	railHead point
	rail     rect    // the steel
	railBall float64 // radius
	pitch    float64
	slots    int // places for whole tickets
	bounded  bool
	heads    int // whole tickets at the head when a pile is drawn
	full     point

	now       point
	nowGap    float64
	nowChars  int
	following point

	hasTray   bool
	trayHead  point
	tray      rect // of the lip
	trayNote  point
	redrive   rect
	spikeHead point
	spike     point
	sheetStep float64
	sheets    int // how many are drawn
	sheetW    float64
	over      float64
	spikeNote point
	captioned bool // tray and spike have headings

	delayed point

	workersHead point
	stations    []station

	outsideHead point
	rows        rect
	rowH        float64
	rowCount    int
	rowColumns  int
	rowChip     float64 // width of the chip
	rowName     bool
	panel       rect
	note        point
	noteW       float64
}

// plan is what of a run decides the layout.
type plan struct {
	workers  int
	capacity int // 0: unbounded
	tray     bool
	messages int // that get a row of their own
	repeats  bool
	refusals bool
	delays   bool
	lines    int // of the longest handler
	second   bool
}

func newLayout(size Size, p plan) *layout {
	switch size {
	case Compact:
		return compactLayout(p)
	case Tall:
		return tallLayout(p)
	}
	return wideLayout(p)
}

func wideLayout(p plan) *layout {
	l := &layout{size: Wide, w: 896, h: 432, body: &mediumBody, border: 730, margin: 20}
	cooks := rect{528, 44, 190, 380}
	if p.workers > 3 {
		l.body = &smallBody
	}
	if p.workers > 4 {
		cooks = rect{468, 44, 250, 380}
	}
	if p.workers == 0 {
		cooks = rect{560, 44, 158, 380}
	}
	l.stations = stations(cooks, p, l.body, Wide)
	l.workersHead = point{cooks.x, 29}
	l.producer = point{20, 29}
	l.pad = point{61, 54 + l.body.h/2}
	l.padNote, l.padAnchor = point{62, 54 + l.body.h + 22}, "middle"
	l.door = point{63, 247}
	l.doorNote, l.doorGap = point{20, 318}, 15.5
	l.following = point{17, 389}

	l.setRail(rect{144, 48, cooks.x - 14 - 144, 14}, p, l.body.w+5)
	l.railBall = 3
	l.railHead = point{l.rail.x + 2, 29}
	l.full = point{l.rail.right() - 2, 29}
	l.now, l.nowGap, l.nowChars = point{146, 182}, 22, 36
	l.captioned = true
	l.hasTray = p.tray
	l.trayHead, l.tray = point{146, 284}, rect{150, 386, 104, 16}
	l.trayNote, l.redrive = point{266, 328}, rect{267, 374, 82, 26}
	l.spikeHead, l.spike = point{364, 284}, point{404, 402}
	if p.workers > 4 {
		l.tray.w, l.tray.x = 70, 149
		l.trayNote, l.redrive = point{231, 328}, rect{230, 374, 78, 26}
		l.spikeHead, l.spike = point{318, 284}, point{350, 402}
	}
	if !p.tray {
		l.spikeHead, l.spike = point{236, 284}, point{276, 402}
	}
	l.sheetStep, l.sheetW, l.over, l.sheets = 11, 62, 26, 7
	l.spikeNote = point{l.spike.x + 39, 346}
	l.delayed = point{146, 246}

	l.outsideHead = point{744, 29}
	l.rowH, l.rowColumns, l.rowChip, l.rowName = 26, 1, 44, true
	l.setInbox(rect{744, 46, 140, 380}, p, 106, 68)
	return l
}

// setInbox shares the outside's column between rows, the twin panel (when the
// run ever repeats an effect) and the note.
func (l *layout) setInbox(area rect, p plan, panel, note float64) {
	free := area.h - note
	if p.repeats {
		free -= panel + 12
		l.panel = rect{area.x - 6, area.bottom() - note - panel - 8, area.w + 10, panel}
	}
	l.rows = rect{area.x, area.y, area.w, free}
	l.rowCount = int(free / l.rowH)
	l.note, l.noteW = point{area.x, area.bottom() - note + 8}, area.w
}

// setRail fits the places of the queue on the steel: the steel is as long
// as ever, and has as many places as the queue, at the end where they go out.
func (l *layout) setRail(area rect, p plan, pitch float64) {
	l.pitch = pitch
	fit := int((area.w - 16) / pitch)
	l.pitch = (area.w - 16) / float64(fit)
	l.rail, l.slots = area, fit
	l.heads = max(2, fit/2)
	if p.capacity > 0 && p.capacity <= fit {
		l.bounded, l.slots = true, p.capacity
	}
}

// slot is the centre of place i of the rail; place 0 is next out.
func (l *layout) slot(i float64) point {
	return point{l.rail.right() - 8 - l.pitch/2 - i*l.pitch, l.rail.y + 2 + l.body.h/2}
}

func compactLayout(p plan) *layout {
	l := &layout{size: Compact, w: 720, h: 276, body: &smallBody, border: 590, margin: 14}
	cooks := rect{420, 34, 162, 240}
	if p.workers > 3 {
		cooks = rect{350, 34, 232, 240}
	}
	l.stations = stations(cooks, p, l.body, Compact)
	l.workersHead = point{cooks.x, 24}
	l.producer = point{14, 24}
	l.pad = point{40, 42 + l.body.h/2}
	l.padNote, l.padAnchor = point{14, 128}, ""
	l.door = point{42, 178}
	l.doorNote, l.doorGap = point{14, 234}, 14
	l.following = point{-1, 0}

	l.setRail(rect{86, 36, cooks.x - 12 - 86, 12}, p, l.body.w+4.5)
	l.railBall = 2.6
	l.railHead = point{l.rail.x + 4, 24}
	l.full = point{l.rail.right() - 2, 24}
	l.now, l.nowGap, l.nowChars = point{92, 137}, 18, 34
	l.hasTray = p.tray
	l.tray, l.trayNote = rect{98, 246, 76, 13}, point{184, 222}
	l.spike = point{300, 256}
	if p.workers > 3 {
		l.tray.w, l.trayNote.x, l.spike.x = 60, 166, 250
	}
	if !p.tray {
		l.spike.x = 126
	}
	l.sheetStep, l.sheetW, l.over, l.sheets = 8.5, 52, 18, 7
	l.spikeNote = point{l.spike.x + 35, 222}
	l.delayed = point{92, 176}

	l.outsideHead = point{602, 24}
	l.rowH, l.rowColumns, l.rowChip = 20, 1, 42
	l.setInbox(rect{602, 34, 106, 238}, p, 92, 0)
	l.noteW = 0
	return l
}

func tallLayout(p plan) *layout {
	l := &layout{size: Tall, w: 358, body: &smallBody, across: true, margin: 12}
	l.pad = point{34, 14 + l.body.h/2}
	l.producer = point{72, 30}
	l.padNote = point{72, 50}
	l.door = point{208, 54}
	l.doorNote, l.doorGap = point{244, 46}, 14.5
	l.following = point{-1, 0}

	l.setRail(rect{8, 108, 342, 12}, p, l.body.w+9)
	l.railBall = 2.6
	l.railHead = point{12, 100}
	l.full = point{346, 100}
	l.now, l.nowGap, l.nowChars = point{12, 210}, 19, 23
	l.hasTray = p.tray
	l.tray, l.trayNote = rect{198, 256, 64, 11}, point{230, 290}
	l.spike, l.spikeNote = point{310, 264}, point{312, 290}
	l.sheetStep, l.sheetW, l.over, l.sheets = 8, 50, 6, 5
	l.delayed = point{12, 268}

	l.workersHead = point{12, 290}
	cooks := rect{8, 299, 342, tallWorkers(p.workers)}
	l.stations = stations(cooks, p, l.body, Tall)
	l.border = cooks.bottom() + 6
	l.outsideHead = point{14, l.border + 24}
	l.rowH, l.rowColumns, l.rowChip, l.rowName = 24, 2, 38, true
	l.rowCount = 8
	if n := p.messages; n > 8 && n <= 12 {
		l.rowCount = n
	}
	rows := l.rowCount
	if p.messages > 0 && p.messages < rows {
		rows = p.messages
	}
	l.rows = rect{14, l.border + 36, 330, float64((rows+1)/2) * l.rowH}
	l.note, l.noteW = point{14, l.rows.bottom() + 8}, 330
	bottom := l.note.y + 56
	if p.repeats {
		l.panel = rect{9, l.rows.bottom() + 4, 340, 64}
		bottom = l.panel.bottom()
	}
	l.h = math.Ceil(bottom + 10)
	return l
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
