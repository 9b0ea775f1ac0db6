package view

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// live is what changes while time moves and is written past go-app: the
// playhead, the clock, the numbers of the strip and the charts. It goes to
// boot.js behind the stage's changes, in the same crossing; only what differs
// from what was written last is in it. boot.js has the other side of the
// format; both change together.
type live struct {
	buffer []byte // the stage's changes, then these
	stage  int    // how many bytes are the stage's

	at, hover float64
	texts     [slots]text
	heights   [dots]int16
	shares    [maxShares]shareState
	bad       [2]bool
	row, lane int32
	life      int32
	value     int64
	seen      [2]int32 // marks and stops that are shown
	lines     []byte   // who is at which line of the card, as Player.AppendLines has it
	now       []byte   // the same, to compare
	upcoming  int      // the event that is said to come next
	spoken    string
}

// text is what a slot shows. Longer texts are not compared.
type text struct {
	n     int
	bytes [16]byte
}

type shareState struct{ count, width, cells int32 }

// The operations.
const (
	liveAt     = 1 + iota // f64: part of the axis that is over
	liveHover             // f64: part of the axis that is read, below 0 for none
	liveText              // u8 slot, u16 length, bytes
	liveHeight            // u8 dot, i16 tenths of a pixel
	liveShare             // u8 share, u8 width, u8 cells
	liveBad               // u8 tally, u8 whether it is bad
	liveRow               // i32: which row of the transcript is current, -1 for none
	liveLane              // i32: which lane is to be in sight
	liveLife              // i32: which line of the biography is current, -1 for none
	liveValue             // f64 value, u16 length, bytes: of the slider
	liveLines             // i16 lines, each i16 line, u8 workers, each text: letter, u8 colour, u8 whether down, text: title; text: error
	liveSeen              // i32, i32: how many marks and stops of the timeline the playhead has reached
)

// The slots of texts, by the ids in boot.js.
const (
	clockFaint = iota
	clockNow
	valueWaiting
	valueFlight
	valueDead
	valueWait
	nextTime
	nextText
	hoverTime
	accepted
	lost
	twice
	firstShare
)

const (
	maxShares = 8
	slots     = firstShare + maxShares
	dots      = 3
)

// forget has everything written again: elements were made anew.
func (l *live) forget() {
	*l = live{buffer: l.buffer, lines: append(l.lines[:0], 0xff), now: l.now, at: -1, hover: math.NaN(), row: math.MinInt32, life: math.MinInt32, lane: -1, value: -1, seen: [2]int32{-1, -1}, upcoming: -2}
	for i := range l.texts {
		l.texts[i].n = -1
	}
	for i := range l.heights {
		l.heights[i] = math.MinInt16
	}
	for i := range l.shares {
		l.shares[i].count = -1
	}
}

func (l *live) number(v float64) {
	l.buffer = binary.LittleEndian.AppendUint64(l.buffer, math.Float64bits(v))
}

func (l *live) where(at float64) {
	if l.at != at {
		l.at = at
		l.buffer = append(l.buffer, liveAt)
		l.number(at)
	}
}

func (l *live) read(at float64) {
	if l.hover != at {
		l.hover = at
		l.buffer = append(l.buffer, liveHover)
		l.number(at)
	}
}

func (l *live) text(slot int, text []byte) {
	t := &l.texts[slot]
	if t.n == len(text) && t.n <= len(t.bytes) && string(t.bytes[:t.n]) == string(text) {
		return
	}
	t.n = len(text)
	copy(t.bytes[:], text)
	l.buffer = append(l.buffer, liveText, byte(slot), byte(len(text)), byte(len(text)>>8))
	l.buffer = append(l.buffer, text...)
}

func (l *live) height(dot int, y float64) {
	if tenths := int16(math.Round(10 * y)); l.heights[dot] != tenths {
		l.heights[dot] = tenths
		l.buffer = append(l.buffer, liveHeight, byte(dot), byte(tenths), byte(uint16(tenths)>>8))
	}
}

func (l *live) share(i int, s player.Share) {
	now := shareState{int32(s.Count), int32(min(s.Width, 100)), int32(s.Cells())}
	if i >= maxShares || l.shares[i] == now {
		return
	}
	l.shares[i] = now
	l.buffer = append(l.buffer, liveShare, byte(i), byte(now.width), byte(now.cells))
}

func (l *live) isBad(tally int, bad bool) {
	if l.bad[tally] != bad {
		l.bad[tally] = bad
		flag := byte(0)
		if bad {
			flag = 1
		}
		l.buffer = append(l.buffer, liveBad, byte(tally), flag)
	}
}

func (l *live) current(row int) {
	if l.row != int32(row) {
		l.row = int32(row)
		l.buffer = append(l.buffer, liveRow)
		l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(int32(row)))
	}
}

// lived marks a line of the biography.
func (l *live) lived(line int) {
	if l.life != int32(line) {
		l.life = int32(line)
		l.buffer = append(l.buffer, liveLife)
		l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(int32(line)))
	}
}

// inSight has a lane scrolled into sight, when it is another one than before.
func (l *live) inSight(lane int) {
	if lane >= 0 && l.lane != int32(lane) {
		l.lane = int32(lane)
		l.buffer = append(l.buffer, liveLane)
		l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(lane))
	}
}

func (l *live) slider(value int64, spoken string) {
	if l.value == value && l.spoken == spoken {
		return
	}
	l.value, l.spoken = value, spoken
	l.buffer = append(l.buffer, liveValue)
	l.number(float64(value))
	l.buffer = append(l.buffer, byte(len(spoken)), byte(len(spoken)>>8))
	l.buffer = append(l.buffer, spoken...)
}

// reached says which marks and stops the playhead has reached.
func (l *live) reached(marks, stops int) {
	if now := [2]int32{int32(marks), int32(stops)}; l.seen != now {
		l.seen = now
		l.buffer = append(l.buffer, liveSeen)
		l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(marks))
		l.buffer = binary.LittleEndian.AppendUint32(l.buffer, uint32(stops))
	}
}

// string adds a text with its length.
func (l *live) string(text string) {
	l.buffer = append(l.buffer, byte(len(text)), byte(len(text)>>8))
	l.buffer = append(l.buffer, text...)
}

// atLines says who is at which line of the card, and what was raised there. It
// is put together only when somebody has moved.
func (l *live) atLines(p *player.Player) {
	if l.now = p.AppendLines(l.now[:0]); bytes.Equal(l.now, l.lines) {
		return
	}
	l.lines = append(l.lines[:0], l.now...)
	at := p.AtLines()
	l.buffer = append(l.buffer, liveLines, byte(len(at)), byte(len(at)>>8))
	for _, line := range slices.Sorted(maps.Keys(at)) { // in order, so that a recording is the same in each build
		here := at[line]
		workers := here.Workers[:min(len(here.Workers), 255)]
		l.buffer = append(l.buffer, byte(line), byte(line>>8), byte(len(workers)))
		for _, w := range workers {
			down := byte(0)
			if w.Down {
				down = 1
			}
			l.string(w.Letter)
			l.buffer = append(l.buffer, w.Colour[0], down)
			l.string(w.Title)
		}
		l.string(here.Error)
	}
}

// begin starts a hand-over with the stage's changes.
func (l *live) begin(stage []byte) {
	l.buffer = append(l.buffer[:0], stage...)
	l.stage = len(stage)
}

// moving adds what moves with the playhead, in every frame.
func (p *Page) moving() {
	l := &p.live
	l.where(p.player.At())
	var room [32]byte
	faint, clock := player.AppendClock(room[:0], p.player.Time())
	l.text(clockFaint, clock[:faint])
	l.text(clockNow, clock[faint:])
	if !p.folds["charts"] {
		return
	}
	now := p.player.Reading()
	if counts, waits := p.chart.counts, p.chart.waits; counts != nil {
		l.height(0, counts.Y(now.Waiting))
		l.height(1, counts.Y(now.InFlight))
		l.height(2, waits.Y(int64(now.Wait)))
	}
	if p.chart.hover >= 0 {
		at := p.player.PartOf(p.chart.hover)
		now = p.player.ReadAt(at)
		l.text(hoverTime, appendLength(room[:0], at))
	}
	l.read(p.chart.hover)
	l.text(valueWaiting, appendInt(room[:0], now.Waiting))
	l.text(valueFlight, appendInt(room[:0], now.InFlight))
	l.text(valueDead, appendInt(room[:0], now.Dead))
	l.text(valueWait, appendLength(room[:0], now.Wait))
}

// pacing adds what follows the playhead at the pace of the panels.
func (p *Page) pacing() {
	l := &p.live
	a := p.player.AddsUp()
	var room [16]byte
	for i, s := range a.Shares {
		if i < maxShares {
			l.share(i, s)
			l.text(firstShare+i, append(room[:0], summand(i, s.Count)...))
		}
	}
	l.text(accepted, appendInt(room[:0], int64(a.Accepted)))
	l.text(lost, appendInt(room[:0], int64(a.Lost)))
	l.text(twice, appendInt(room[:0], int64(a.Twice)))
	l.isBad(0, a.Lost > 0)
	l.isBad(1, a.Twice > 0)
	if i := p.player.Upcoming(); i != l.upcoming {
		l.upcoming = i
		time, says := p.next()
		l.text(nextTime, []byte(time))
		l.text(nextText, []byte(says))
	}
	if !p.player.Playing() {
		l.slider(milliseconds(p.player.Time()), p.spoken())
	}
	l.atLines(p.player)
	if p.session.Secret() {
		l.reached(p.timeline.reached())
	}
	first, current := p.player.WindowStart()
	if key := p.transcriptKey(); p.paced("transcript", key) != key {
		first = current + 1 // its sentence is not in the window that is shown
	}
	l.current(current - first)
	l.lived(p.biography.lived())
	l.inSight(p.chart.lane())
}

func milliseconds(t event.Time) int64 { return int64(t / event.Millisecond) }
