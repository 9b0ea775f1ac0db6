package scene

import (
	"math"

	"github.com/ticketrail/ticketrail/core/event"
)

// station is where one worker stands: every place in it, in the units of the
// stage. A zero place is not drawn.
type station struct {
	rect
	worker   event.WorkerRef
	ticket   point // centre of the ticket in hand
	scale    float64
	shelf    float64 // y of the shelf, 0 for none
	badge    point
	badgeR   float64
	name     point
	button   rect
	ring     point
	ringR    float64
	ringNote point
	ringEnd  bool    // the note ends at its point
	ringMid  bool    // the note is below the ring
	line     rect    // the tag with the line it is at
	number   bool    // the tag has room for the number only
	listing  point   // first baseline of the handler, when there is room for it
	lines    int     // how many lines of it
	linePit  float64 // distance of two lines
	flag     point   // centre of a big stamp
	flagW    float64
	crash    point // of CRASHED, where that has another place
	text     point // first line under CRASHED
	textGap  float64
	texts    int
	bare     bool // the ring is drawn around the badge, and nothing is in hand
	chip     rect // in place of the ticket where that does not fit
}

// maxStations is how many workers are drawn one by one.
const maxStations = 36

// stations shares an area among the workers: one or two get cards with their
// handler's lines, three stand in full, more get smaller.
func stations(area rect, workers, lines int, b *body, size Size) []station {
	n := min(workers, maxStations)
	out := make([]station, n)
	columns := stationColumns(n, size)
	rows := (n + columns - 1) / max(columns, 1)
	gap := 10.0
	if size != Wide || n > 3 {
		gap = 6
	}
	for i := range out {
		r := area
		r.w = (area.w - gap*float64(columns-1)) / float64(columns)
		r.h = (area.h - gap*float64(rows-1)) / float64(rows)
		r.x += float64(i/rows) * (r.w + gap)
		r.y += float64(i%rows) * (r.h + gap)
		out[i] = newStation(r, lines, b, size, n)
	}
	return out
}

func stationColumns(n int, size Size) int {
	switch {
	case n > 16 || n > 8 && size.phone():
		return 3
	case n > 4, n == 4 && size == Compact:
		return 2
	}
	return 1
}

func newStation(r rect, lines int, b *body, size Size, n int) station {
	switch {
	case size.phone() && n == 1:
		return pageStation(r, lines, b)
	case size.phone() && n <= 4:
		return rowStation(r, b)
	case n <= 2 && r.h >= 150:
		return cardStation(r, lines, b)
	case r.h < b.h+8:
		return miniStation(r)
	case r.w < 150:
		return tileStation(r, b)
	case size == Wide && n <= 3:
		return fullStation(r, b)
	}
	return smallStation(r, b)
}

// cardStation stands the ticket large on the shelf and pins the handler below.
func cardStation(r rect, lines int, b *body) station {
	s := station{rect: r, badgeR: 12, linePit: 19}
	tall := r.h > 210
	// Above the ticket there is room for its stamp.
	const stamp = 11
	most := 120 / 82.0
	if b == &smallBody {
		most = 1.5
	}
	if tall {
		s.badgeR = 14
	}
	header := 2*s.badgeR + 14
	s.badge = point{r.x + 12 + s.badgeR, r.y + 9 + s.badgeR}
	s.name = point{s.badge.x + s.badgeR + 8, s.badge.y + 5}
	s.button = rect{r.right() - 9 - 28, r.y + 8, 28, 28}
	s.lines = 1
	if tall {
		s.lines = min(max(lines, 1), 8)
		if r.h < 260 {
			s.linePit, s.lines = 17, min(s.lines, 3)
		}
	}
	if tall && r.h >= 260 {
		s.linePit = 21
	}
	foot := float64(s.lines)*s.linePit + 12
	// A station is as high as what is in it.
	r.h = min(r.h, header+(stamp+b.h)*most+8+foot+8)
	s.rect = r
	s.shelf = r.bottom() - foot - 8
	room := s.shelf - r.y - header
	s.scale = clamp((room-2)/(b.h+stamp), 1, most)
	s.ringR = 20
	s.ticket = point{r.x + 10 + b.w*s.scale/2, s.shelf + 2 - b.h*s.scale/2}
	left := r.x + 10 + b.w*s.scale + 11
	s.ring = point{left + s.ringR + 1, (r.y+header+s.shelf)/2 - 2}
	side := r.right() - 6 - left
	switch {
	case tall && room > 110:
		s.ringMid, s.ringR = true, min(31, side/2-3)
		s.ring = point{left + side/2, s.shelf - 50 - s.ringR}
		s.ringNote = point{s.ring.x, s.ring.y + s.ringR + 18}
	case r.right()-s.ring.x-s.ringR-6 > 54:
		s.ringNote = point{s.ring.x + s.ringR + 6, s.ring.y - 2}
	default:
		s.ringR = 23
		s.ring.x = (left + r.right() - 4) / 2
	}
	s.flag = point{left + side/2, s.ring.y}
	s.text, s.textGap, s.texts = point{left, s.ring.y + 36}, 15, 2
	s.flagW = 104
	if side < 108 {
		s.flagW = 84
	}
	s.listing = point{r.x + 8, s.shelf + 8 + 17}
	s.line = rect{r.x + 8, s.shelf + 12, r.w - 16, 18}
	if r.w < 180 {
		s.line.x, s.line.w = r.x+6, r.w-10
	}
	return s
}

// fullStation is the worker of a lesson: three of them share the height.
func fullStation(r rect, b *body) station {
	s := station{rect: r, scale: 1, badgeR: 11, ringR: 18}
	s.shelf = r.bottom() - 8
	s.ticket = point{r.x + 10 + b.w/2, s.shelf + 2 - b.h/2}
	left := r.x + 10 + b.w + 12
	end := r.right() - 8
	s.badge = point{left + 11, r.y + 20}
	s.name = point{left + 27, r.y + 24.5}
	s.button = rect{end - 25, r.y + 7, 26, 26}
	s.ring = point{left + s.ringR + 1, r.y + 60}
	s.ringNote = point{left + s.ringR*2 + 9, s.ring.y - 2}
	s.line = rect{left, r.bottom() - 32, end - left, 18}
	s.flag, s.flagW = point{left + 49, r.y + 60}, 98
	s.text, s.textGap, s.texts = point{left, r.y + 62}, 15, 3
	return s
}

// smallStation fits a small ticket and the essentials beside it.
func smallStation(r rect, b *body) station {
	s := station{rect: r, scale: 1, badgeR: 10, ringR: 16}
	s.shelf = r.bottom() - 7
	s.scale = clamp((r.h-18)/b.h, 1, 1.3)
	s.ticket = point{r.x + 8 + b.w*s.scale/2, s.shelf + 1 - b.h*s.scale/2}
	left := r.x + 8 + b.w*s.scale + 12
	end := r.right() - 7
	s.badge = point{left + 10, r.y + 23}
	s.button = rect{end - 25, r.y + 10, 26, 26}
	s.ring = point{left + 45, r.y + 23}
	if end-left > 105 {
		s.ring.x = left + 52
	}
	if end-left < 80 {
		s.ring.x = left + 38
		s.ringR = 15
	}
	s.line = rect{left, r.bottom() - 30, end - left, 18}
	if r.h > 100 {
		s.ringR = 20
		s.ring = point{(left + end) / 2, r.y + 61}
	}
	s.flag, s.flagW = point{left + 42, r.y + 22}, 82
	if end-left > 140 {
		s.flag.x, s.flagW = left+76, 84 // beside the badge
	}
	if end-left < 112 {
		// Clear of the button, which is not there after a crash.
		s.crash = s.flag
		s.flag, s.flagW = point{(left + end) / 2, s.line.y + 9}, 66
	}
	s.text, s.textGap, s.texts = point{left, r.y + 48}, 14, 2
	return s
}

// rowStation is as wide as a phone.
func rowStation(r rect, b *body) station {
	s := station{rect: r, badgeR: 9.5, ringR: 19}
	r.h = r.h - 5 // a gap to the next row
	s.rect = r
	s.shelf = r.bottom() - 7
	s.scale = clamp((r.h-10)/b.h, 1, 1.4)
	s.ticket = point{r.x + 8 + b.w*s.scale/2, s.shelf + 1 - b.h*s.scale/2}
	left := r.x + 8 + b.w*s.scale + 12
	end := r.right() - 7
	mid := r.y + (r.h-7)/2
	s.badge = point{left + 9, r.y + 17}
	s.name = point{left + 24, r.y + 21.5}
	s.button = rect{end - 32, mid - 16, 32, 32}
	s.ring = point{r.right() - 66, mid}
	s.ringNote, s.ringEnd = point{r.right() - 92, mid - 3}, true
	s.line = rect{left, r.bottom() - 36, 132, 18}
	s.flag, s.flagW = point{left + 48, r.y + 21}, 84
	s.text, s.textGap, s.texts = point{left + 106, r.y + 21}, 15, 3
	if r.w < 300 {
		s.ringNote = point{}
		s.line.w = s.ring.x - s.ringR - 8 - left
		s.text, s.texts = point{left, r.y + 44}, 2
	}
	return s
}

// pageStation is the only worker on a phone: the handler beside the ticket.
func pageStation(r rect, lines int, b *body) station {
	r.h -= 5
	s := station{rect: r, badgeR: 12, ringR: 19, linePit: 18}
	s.shelf = r.bottom() - 7
	s.scale = clamp((r.h-20)/b.h, 1, 1.5)
	s.ticket = point{r.x + 10 + b.w*s.scale/2, s.shelf + 1 - b.h*s.scale/2}
	left := r.x + 10 + b.w*s.scale + 12
	end := r.right() - 8
	s.badge = point{left + 15, r.y + 22}
	s.name = point{left + 35, r.y + 27}
	s.button = rect{end - 32, r.y + 7, 32, 32}
	s.ring = point{end - 58, r.y + 24}
	s.ringNote, s.ringEnd = point{s.ring.x - 25, r.y + 21}, true
	s.lines = min(max(lines, 1), 4)
	s.listing = point{left, r.y + 62}
	s.line = rect{left, r.y + 50, end - left, 18}
	if s.lines == 1 {
		s.line.y = r.y + 62
	}
	s.flag, s.flagW = point{s.ring.x - 24, r.y + 24}, 84
	s.text, s.textGap, s.texts = point{left, r.y + 60}, 15, 3
	if r.w < 300 {
		// The badge and the ring leave no room for words.
		s.name, s.ringNote = point{}, point{}
		s.flag.x = left + 74
	}
	return s
}

// tileStation is one of up to eight, in two columns.
func tileStation(r rect, b *body) station {
	s := station{rect: r, scale: 1, badgeR: 9.5, ringR: 16, number: true}
	s.shelf = r.bottom() - 7
	s.ticket = point{r.x + 7 + b.w/2, s.shelf + 1 - b.h/2}
	left := r.x + 7 + b.w + 8
	end := r.right() - 5
	s.button = rect{end - 25, r.y + 6, 25, 26}
	s.badge = point{(left + s.button.x) / 2, r.y + 19} // clear of the ticket's stamp
	low := (r.y + 36 + s.shelf) / 2
	if end-left < 50 {
		s.ringR = 14
	}
	s.ring = point{left + s.ringR, low}
	s.line = rect{end - 18, low - 9, 18, 18}
	s.flag, s.flagW = point{r.right() - 35, low - 4}, 66
	s.text, s.textGap, s.texts = point{left, s.shelf - 8}, 14, 0
	if r.h > 110 {
		s.badge = point{r.x + 7 + 11, r.y + 21}
		s.badgeR = 11
		s.ring.y = r.y + 62
		s.line.y = s.ring.y - 9
	}
	return s
}

// miniStation has a chip in place of the ticket.
func miniStation(r rect) station {
	s := station{rect: r, badgeR: math.Min(10, r.h/2-4), number: true}
	mid := r.y + r.h/2
	s.badge = point{r.x + 8 + s.badgeR, mid}
	s.chip = rect{s.badge.x + s.badgeR + 5, mid - 8, 40, 16}
	s.ticket, s.scale = point{s.chip.x + 20, mid}, 1
	s.flag, s.flagW = point{r.right() - 14, mid}, 70
	if r.w > 105 {
		s.ringR = math.Min(15, r.h/2-3)
		if r.w < 120 {
			s.ringR = 13
		}
		s.ring = point{r.right() - 6 - s.ringR, mid}
		s.flag.x = s.ring.x
	}
	if r.h > 50 {
		s.badge.y, s.badge.x = r.y+16, r.x+16
		s.chip = rect{r.x + 8, r.bottom() - 24, 40, 16}
		s.ticket = point{s.chip.x + 20, s.chip.y + 8}
		s.button = rect{r.right() - 30, r.y + 3, 25, 25}
		s.ring = point{r.x + 8 + 44 + 17, r.bottom() - 19}
		s.line = rect{r.right() - 24, r.bottom() - 25, 18, 18}
		s.ringR = 14
		s.flag = s.ring
	}
	return s
}

// lineStation is one line: badge, small paper, ring, line of the handler.
func lineStation(r rect) station {
	s := station{rect: r, badgeR: 10, ringR: 14}
	mid := r.y + (r.h-6)/2 + 3
	s.badge = point{r.x + 15, mid}
	s.chip = rect{r.x + 31, mid - 8, 40, 16}
	s.ticket, s.scale = point{s.chip.x + 20, mid}, 1
	s.ring = point{r.x + 92, mid}
	s.button = rect{r.right() - 28, mid - 12, 24, 24}
	s.line = rect{r.x + 112, mid - 9, s.button.x - 6 - r.x - 112, 18}
	s.flag, s.flagW = point{s.line.x + s.line.w/2, mid}, 84
	return s
}

// badgeStation is a worker's badge with its ring around it.
func badgeStation(r rect) station {
	mid := r.middle()
	return station{rect: r, badge: mid, badgeR: 9.5, ring: mid, ringR: 13.5, bare: true,
		ticket: mid, scale: .3, flag: mid, flagW: 0}
}

func clamp(v, low, high float64) float64 { return max(low, min(v, high)) }
