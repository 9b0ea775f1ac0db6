package player

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/story"
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
		a.Shares = append(a.Shares, Share{Class: class, Name: name, Count: n, Width: width(n, c.Accepted), Apart: c.Accepted <= Cells})
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

// Part is a piece of a sentence: text, a message or a worker.
type Part struct {
	Text   string
	Chip   *Chip
	Worker *Badge
	Strong bool // a reader should not miss it
}

// Row is one sentence of the transcript.
type Row struct {
	Event int
	Clock string // 01.240
	Glyph string // name of a glyph, or ""
	Tone  string // class of its colour
	Parts []Part
	Text  string // the same as plain text
}

// Window is a stretch of the transcript around the playhead.
type Window struct {
	Rows         []Row
	Current      int // index in Rows of the sentence at the playhead, or -1
	First, Total int // of all sentences, the number of the first one here
}

// windowSize is how many sentences the page holds at once, and windowStep how
// far the window moves at a time.
const (
	windowSize = 80
	windowStep = 40
)

// WindowStart returns the number of the first sentence in the window around
// the playhead, and the number of the current sentence, -1 before the first.
func (p *Player) WindowStart() (first, current int) {
	current = p.nextTold() - 1
	if len(p.told) <= windowSize {
		return 0, current
	}
	first = (max(0, current) - windowSize/2) / windowStep * windowStep
	return max(0, min(first, len(p.told)-windowSize)), current
}

// Transcript returns the sentences around the playhead.
func (p *Player) Transcript() Window {
	if p.Run() == nil {
		return Window{Current: -1}
	}
	first, current := p.WindowStart()
	w := Window{First: first, Total: len(p.told), Current: current - first}
	for k := first; k < min(first+windowSize, len(p.told)); k++ {
		w.Rows = append(w.Rows, p.row(int(p.told[k])))
	}
	return w
}

// Sentence returns the sentence of the event that the playhead stands after,
// and the one that comes next; either may be nil.
func (p *Player) Sentence() (now, next *Row) {
	if p.Run() == nil {
		return nil, nil
	}
	if n := p.nextTold(); n > 0 {
		row := p.row(int(p.told[n-1]))
		now = &row
	}
	if i := p.Upcoming(); i >= 0 {
		row := p.row(i)
		next = &row
	}
	return now, next
}

// Upcoming returns the event that comes next of those that have a sentence, or
// -1.
func (p *Player) Upcoming() int {
	if p.Run() == nil {
		return -1
	}
	n := p.nextTold()
	for p.opening && n < len(p.told) && p.Run().Log.Event(int(p.told[n])).Kind == event.Accepted {
		n++ // these are on the stage already
	}
	if n == len(p.told) {
		return -1
	}
	return int(p.told[n])
}

// RowAt returns the sentence of event i.
func (p *Player) RowAt(i int) Row { return p.row(i) }

func (p *Player) row(i int) Row {
	log := p.Run().Log
	s := p.story.Sentence(i)
	e := log.Event(i)
	r := Row{Event: i, Clock: Clock(e.At, p.End()), Text: s.String()}
	r.Glyph, r.Tone = glyph(e, log)
	for _, part := range s.Parts {
		r.Parts = append(r.Parts, partOf(log, part))
	}
	return r
}

func partOf(log *event.Log, part story.Part) Part {
	switch {
	case part.Message != event.NoMessage:
		c := ChipOf(log, part.Message)
		return Part{Text: part.Text, Chip: &c, Strong: part.Strong}
	case part.Worker != event.NoWorker:
		b := BadgeOf(int(part.Worker))
		return Part{Text: part.Text, Worker: &b, Strong: part.Strong}
	}
	return Part{Text: part.Text, Strong: part.Strong}
}

// glyph returns the sign of an event and the class of its colour.
func glyph(e *event.Event, log *event.Log) (name, tone string) {
	switch e.Kind {
	case event.Accepted, event.Unblocked, event.Redriven:
		return "down", "ev-ink"
	case event.Delivered:
		return "deliver", "ev-ink"
	case event.Acked:
		return "ack", "ev-done"
	case event.HiddenOver, event.Expired:
		return "expiry", "ev-expiry"
	case event.Crashed, event.HandlerFailed, event.CallFailed:
		return "crash", "ev-crash"
	case event.DeadLettered, event.Rejected:
		return "dead", "ev-dead"
	case event.Refused, event.Blocked, event.Dropped, event.AckIgnored:
		return "refused", "ev-refused"
	case event.Effect:
		if log.Effect(int(e.Arg)).Nth > 1 {
			return "mail", "ev-crash"
		}
		return "mail", "ev-ink"
	case event.Nacked, event.Returned, event.Restarted:
		return "restart", "ev-ink"
	}
	return "", ""
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

// Figure is one line of the comparison: a measure of the run on the stage and
// of the one before the last edit.
type Figure struct {
	Name, Technical string
	Before, After   string
	Verdict         string // better, worse or ""
}

// Comparison returns the outcome of the run, beside that of the run before the
// last edit when there is one.
func (p *Player) Comparison() []Figure {
	r := p.Run()
	if r == nil {
		return nil
	}
	before, _ := p.Before()
	var figures []Figure
	for _, m := range measures {
		f := Figure{Name: m.name, Technical: m.technical, After: m.text(m.of(r))}
		if before != nil {
			b := m.of(before)
			f.Before = m.text(b)
			if c := cmp.Compare(m.of(r), b) * m.good; c > 0 {
				f.Verdict = "better"
			} else if c < 0 {
				f.Verdict = "worse"
			}
		} else if m.rare && m.of(r) == 0 {
			continue
		}
		if m.rare && before != nil && m.of(r) == 0 && m.of(before) == 0 {
			continue
		}
		figures = append(figures, f)
	}
	return figures
}

type measure struct {
	name, technical string
	of              func(*run.Run) int64
	text            func(int64) string
	good            int  // 1: more is better, -1: less is, 0: neither
	rare            bool // left out while it is 0
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func seconds(n int64) string {
	s := strconv.FormatFloat(event.Time(n).Seconds(), 'f', 2, 64)
	return s + " s"
}

var measures = []measure{
	{name: "Emails sent", technical: "effects", text: count, of: func(r *run.Run) int64 { return int64(r.Outcome.Effects) }},
	{name: "Done twice", technical: "duplicates", text: count, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.Duplicates) }},
	{name: "Lost without a word", technical: "lost", text: count, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.Lost) }},
	{name: "On the spike", technical: "acked", text: count, of: func(r *run.Run) int64 { return int64(r.Outcome.Acked) }},
	{name: "On the head chef's tray", technical: "dead", text: count, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.Dead) }},
	{name: "Still on the rail", technical: "waiting", text: count, good: -1, rare: true, of: func(r *run.Run) int64 { return int64(r.Outcome.Waiting + r.Outcome.Delayed + r.Outcome.InFlight) }},
	{name: "Turned away for good", technical: "refused", text: count, good: -1, rare: true, of: func(r *run.Run) int64 { return int64(r.Outcome.Refused) }},
	{name: "Handed out again", technical: "redeliveries", text: count, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.Redeliveries) }},
	{name: "Crashes", technical: "crashes", text: count, good: -1, rare: true, of: func(r *run.Run) int64 { return int64(r.Outcome.Crashes) }},
	{name: "Longest wait for a cook", technical: "wait.max", text: seconds, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.Wait.Max) }},
	{name: "Last thing that happens", technical: "ended_at", text: seconds, good: -1, of: func(r *run.Run) int64 { return int64(r.Outcome.EndedAt) }},
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
	if r == nil || len(r.Scenario.Workers) == 0 || r.Scenario.Workers[0].Handler != p.Handler() {
		return nil
	}
	lines := map[int]AtLine{}
	if p.opening {
		return lines
	}
	for w, state := range p.State().Workers {
		if state.Line == 0 || r.Log.Workers[w].Pool != 0 || (state.Status != replay.Busy && state.Status != replay.Down) {
			continue
		}
		b := BadgeOf(w)
		b.Down = state.Status == replay.Down
		b.Title = "Cook " + b.Letter + " is here"
		if b.Down {
			b.Title = "Cook " + b.Letter + " crashed here"
		}
		at := lines[state.Line]
		at.Workers = append(at.Workers, b)
		lines[state.Line] = at
	}
	p.errors(r, lines)
	return lines
}

// errors adds the errors raised up to the playhead.
func (p *Player) errors(r *run.Run, lines map[int]AtLine) {
	times := map[int32]int{}
	for _, i := range p.failed {
		if int(i) >= p.events {
			break
		}
		e := r.Log.Event(int(i))
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
