package player

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
)

// Chip is how a message is recognised in a line of text: as on the stage.
type Chip struct {
	Number       string
	Hue, Pattern int // 0 to 7
}

// ChipOf returns the chip of a message.
func ChipOf(log *event.Log, m event.MessageRef) Chip {
	id, first := log.MessageID(m), log.MessageID(0)
	n := int64(m)
	if id.Text == "" && first.Text == "" && id.Number >= first.Number {
		n = id.Number - first.Number
	}
	return Chip{Number: id.String(), Hue: int(n % 8), Pattern: int((n + 3*(n/8)) % 8)}
}

// Badge is how a worker is recognised: a letter and one of four colours.
type Badge struct {
	Letter string
	Colour string // a to d
	Down   bool
	Title  string
}

// BadgeOf returns the badge of a worker.
func BadgeOf(w int) Badge {
	b := Badge{Colour: string(rune('a' + w%4)), Letter: strconv.Itoa(w + 1)}
	if w < 26 {
		b.Letter = string(rune('A' + w))
	}
	return b
}

// Share is one part of what adds up to the accepted messages.
type Share struct {
	Class string // waiting, delayed, flight, done, dead, gone
	Name  string
	Count int
	Width int  // its share of the bar, 0 to 100
	Apart bool // one cell a message; otherwise one for all
}

// Cells is how many shares of one are drawn apart; above that the bar is in
// segments.
const Cells = 60

// Cells returns how many cells the share is drawn with.
func (s Share) Cells() int {
	if s.Apart {
		return s.Count
	}
	return min(s.Count, 1)
}

// AddsUp is where every accepted message is, at the playhead.
type AddsUp struct {
	Accepted    int
	Shares      []Share
	Lost, Twice int
}

// AddsUp returns what adds up at the playhead. Places that are empty for the
// whole run and not usual are left out.
func (p *Player) AddsUp() AddsUp {
	if p.Run() == nil {
		return AddsUp{}
	}
	c, whole := p.Counts(), p.Run().Outcome.Counts
	a := AddsUp{Accepted: c.Accepted, Twice: c.Duplicates, Lost: sort.Search(len(p.gone), func(k int) bool { return int(p.gone[k]) >= p.events })}
	if p.opening {
		a.Lost = 0
	}
	add := func(class, name string, n int) {
		a.Shares = append(a.Shares, Share{Class: class, Name: p.words.In(name), Count: n, Width: width(n, c.Accepted), Apart: c.Accepted <= Cells})
	}
	add("waiting", "waiting", c.Waiting)
	if p.everDelayed() {
		add("delayed", "delayed", c.Delayed)
	}
	add("flight", "in flight", c.InFlight)
	add("done", "done", c.Acked)
	add("dead", "dead", c.Dead)
	if whole.Expired > 0 {
		add("gone", "expired", c.Expired)
	}
	if whole.Dropped > 0 {
		add("gone", "dropped", c.Dropped)
	}
	return a
}

// Counts are those of the playhead. At the opening, what is sent at 0 has come
// and nothing has become of it.
func (p *Player) Counts() replay.Counts {
	if !p.opening {
		return p.State().Counts
	}
	var c replay.Counts
	log := p.Run().Log
	for i := range log.Find(0) {
		switch e := log.Event(i); {
		case e.Kind != event.Accepted:
		case e.Reason == event.Delayed:
			c.Accepted, c.Delayed = c.Accepted+1, c.Delayed+1
		default:
			c.Accepted, c.Waiting = c.Accepted+1, c.Waiting+1
		}
	}
	return c
}

func width(n, of int) int {
	if of <= Cells {
		return min(n, 100)
	}
	return (100*n + of - 1) / of
}

// everDelayed reports whether a message waits before it waits in line, at any
// time of the run.
func (p *Player) everDelayed() bool {
	return p.Course().Delayed.Max() > 0 || p.State().Counts.Delayed > 0
}

// lostAt returns the events at which messages that the outcome counts as lost
// were gone for good: the ack or the end of their last run, whichever is
// later.
func lostAt(r *run.Run) []int32 {
	var at []int32
	ends := replay.KindsOf(event.Acked, event.Expired, event.Dropped, event.HandlerFinished, event.HandlerFailed, event.Crashed)
	for _, m := range r.Outcome.LostMessages {
		events := r.Index.EventsOf(m)
		for k := len(events) - 1; k >= 0; k-- {
			if ends.Has(r.Log.Event(int(events[k])).Kind) {
				at = append(at, events[k])
				break
			}
		}
	}
	slices.Sort(at)
	return at
}

// Clock writes an instant of a run of that length: 01.240, or 02:01.240 in a
// run of minutes.
func Clock(t, length event.Time) string {
	var room [24]byte
	return string(appendClock(room[:0], t, length >= event.Minute))
}

// appendClock does it without allocating; minutes are always there when asked
// for.
func appendClock(b []byte, t event.Time, minutes bool) []byte {
	ms := int64(t) / int64(event.Millisecond)
	if minutes || ms >= 60_000 {
		b = append(appendTwo(b, ms/60_000), ':')
	}
	ms %= 60_000
	b = append(appendTwo(b, ms/1000), '.')
	ms %= 1000
	return append(b, byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
}

// appendTwo writes n with at least two digits.
func appendTwo(b []byte, n int64) []byte {
	if n < 10 {
		b = append(b, '0')
	}
	return strconv.AppendInt(b, n, 10)
}

// AppendClock writes the big clock behind b, which is empty, and returns how
// much of it are zeros before the time, which say nothing.
func AppendClock(b []byte, t event.Time) (faint int, clock []byte) {
	clock = appendClock(b, t, true)
	for i := range clock {
		if clock[i] >= '1' && clock[i] <= '9' || clock[i+1] == '.' {
			return i, clock
		}
	}
	return 0, clock
}

// ClockParts splits the big clock into the zeros before the time and the rest.
func ClockParts(t event.Time) (faint, rest string) {
	n, clock := AppendClock(nil, t)
	return string(clock[:n]), string(clock[n:])
}

// noBreak is the space between a number and its unit.
const noBreak = "\u00a0"

// Seconds writes a length of time as one reads it: 1.2 s.
func Seconds(t event.Time) string {
	return strconv.FormatFloat(t.Seconds(), 'f', -1, 64) + noBreak + "s"
}

// AtLine is what happens at one line of the handler at the playhead.
type AtLine struct {
	Workers []Badge
	Error   string // the last error that was raised here, and how often
}

// AtLines returns what happens at the lines of the handler, by line number;
// nothing when the code on the card is not the code that ran.
func (p *Player) AtLines() map[int]AtLine {
	r := p.Run()
	card := p.Card()
	if r == nil || card >= len(r.Scenario.Workers) || r.Scenario.Workers[card].Handler != p.Handler() {
		return nil
	}
	lines := map[int]AtLine{}
	if p.opening {
		return lines
	}
	for w, state := range p.State().Workers {
		if state.Line == 0 || r.Log.Workers[w].Pool != card || (state.Status != replay.Busy && state.Status != replay.Down) {
			continue
		}
		b := BadgeOf(w)
		b.Down = state.Status == replay.Down
		b.Title = p.WorkerTitle(event.WorkerRef(w)) + " is here"
		if b.Down {
			b.Title = p.WorkerTitle(event.WorkerRef(w)) + " crashed here"
		}
		at := lines[state.Line]
		at.Workers = append(at.Workers, b)
		lines[state.Line] = at
	}
	p.errors(r, lines)
	return lines
}

// AppendLines adds to b who is at which line of the card and how many errors
// were raised: what AtLines would return is the same as long as this is.
func (p *Player) AppendLines(b []byte) []byte {
	r, card := p.Run(), p.Card()
	if r == nil || p.opening || card >= len(r.Scenario.Workers) || r.Scenario.Workers[card].Handler != p.Handler() {
		return b
	}
	b = binary.AppendUvarint(b, uint64(p.revision))
	workers := p.State().Workers
	for w := range workers {
		k := &workers[w]
		if k.Line > 0 && r.Log.Workers[w].Pool == card && (k.Status == replay.Busy || k.Status == replay.Down) {
			b = binary.AppendUvarint(b, uint64(w))
			b = binary.AppendUvarint(b, uint64(k.Line)<<8|uint64(k.Status))
		}
	}
	return binary.AppendUvarint(b, uint64(p.before(p.failed)))
}

// errors adds the errors raised up to the playhead.
func (p *Player) errors(r *run.Run, lines map[int]AtLine) {
	times := map[int32]int{}
	for _, i := range p.failed {
		if int(i) >= p.events {
			break
		}
		e := r.Log.Event(int(i))
		if r.Log.Workers[e.Worker].Pool != p.Card() {
			continue
		}
		times[e.Arg]++
		at := lines[int(e.Arg)]
		at.Error = firstWords(r.Log.Text(e.Text)) + ", " + ChipOf(r.Log, e.Message).Number
		if n := times[e.Arg]; n > 1 {
			at.Error += fmt.Sprintf(", %d times", n)
		}
		lines[int(e.Arg)] = at
	}
}

func firstWords(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 60 {
		s = s[:57] + "..."
	}
	return s
}

// Limit says in a sentence that the run met one of its limits, or "".
func (p *Player) Limit() string {
	r := p.Run()
	if r == nil || r.Outcome.EndedBecause != "limit" {
		return ""
	}
	return fmt.Sprintf("This run was stopped at its limit: %s. What is shown up to there is exact.", r.Log.Text(r.Log.Last().Text))
}
