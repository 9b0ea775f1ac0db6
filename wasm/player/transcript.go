package player

import (
	"sort"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/story"
)

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

// Filter says which sentences the transcript tells. The zero value with Worker
// event.NoWorker is all of them.
type Filter struct {
	Followed bool            // only those of the followed message
	Worker   event.WorkerRef // only those of this worker, or event.NoWorker
	Topic    string          // only those of this topic, or ""
}

// Topic is a kind of sentences that a transcript can be confined to.
type Topic struct {
	Key, Name string
	Count     int // how many sentences the run has of it
	kinds     replay.Kinds
}

var topics = []Topic{
	{Key: "in", Name: "sent and let in", kinds: replay.KindsOf(event.Accepted, event.Unblocked)},
	{Key: "deliveries", Name: "handed out", kinds: replay.KindsOf(event.Delivered, event.HandlerStarted)},
	{Key: "effects", Name: "side effects", kinds: replay.KindsOf(event.Effect, event.TableChanged, event.CallAnswered)},
	{Key: "acks", Name: "acks", kinds: replay.KindsOf(event.Acked, event.AckIgnored)},
	{Key: "returns", Name: "timeouts and returns", kinds: replay.KindsOf(event.HiddenOver, event.Nacked, event.Returned, event.Noticed, event.Extended)},
	{Key: "failures", Name: "crashes and errors", kinds: replay.KindsOf(event.Crashed, event.HandlerFailed, event.CallFailed, event.Restarted)},
	{Key: "dead", Name: "dead letters", kinds: replay.KindsOf(event.DeadLettered, event.Rejected, event.Redriven)},
	{Key: "refused", Name: "turned away, dropped, expired", kinds: replay.KindsOf(event.Refused, event.Blocked, event.Dropped, event.Expired)},
	{Key: "commands", Name: "done by hand or by timetable", kinds: replay.KindsOf(event.Command, event.WorkerAdded, event.WorkerRemoved)},
}

// listing is what a filter leaves of the transcript, and of what it was made.
type listing struct {
	events    []int32
	filter    Filter
	following event.MessageRef
	revision  int
	topics    []Topic
}

// Filter returns what the transcript is confined to.
func (p *Player) Filter() Filter { return p.filter }

// SetFilter confines it. What is left need not hold the playhead's sentence.
func (p *Player) SetFilter(f Filter) { p.filter = f }

// Topics returns the topics of which the run has sentences.
func (p *Player) Topics() []Topic {
	p.listed()
	return p.listing.topics
}

// listed returns the events that the transcript tells.
func (p *Player) listed() []int32 {
	l := &p.listing
	following := p.following
	if !p.filter.Followed {
		following = event.NoMessage
	}
	if l.revision == p.revision && l.filter == p.filter && l.following == following {
		return l.events
	}
	if l.revision != p.revision {
		l.topics = p.countTopics()
	}
	l.filter, l.following, l.revision = p.filter, following, p.revision
	l.events = p.told
	if f := p.filter; f.Worker >= 0 || f.Topic != "" || following >= 0 {
		l.events = p.filtered(following)
	}
	return l.events
}

func (p *Player) countTopics() []Topic {
	var found []Topic
	counts := make([]int, len(topics))
	for _, i := range p.told {
		for k := range topics {
			if topics[k].kinds.Has(p.Run().Log.Event(int(i)).Kind) {
				counts[k]++
			}
		}
	}
	for k, t := range topics {
		if t.Count = counts[k]; t.Count > 0 {
			found = append(found, t)
		}
	}
	return found
}

func (p *Player) filtered(following event.MessageRef) []int32 {
	log := p.Run().Log
	var kinds replay.Kinds
	for _, t := range topics {
		if t.Key == p.filter.Topic {
			kinds = t.kinds
		}
	}
	var kept []int32
	for _, i := range p.told {
		e := log.Event(int(i))
		switch {
		case kinds != 0 && !kinds.Has(e.Kind), p.filter.Worker >= 0 && e.Worker != p.filter.Worker:
		case following >= 0 && e.Message != following:
		default:
			kept = append(kept, i)
		}
	}
	return kept
}

// Concerns reports whether an event happened to the followed message.
func (p *Player) Concerns(i int) bool {
	return p.following >= 0 && p.Run().Log.Event(i).Message == p.following
}

// before returns how many of the events, which ascend, lie before the playhead.
func (p *Player) before(events []int32) int {
	if p.opening {
		return 0
	}
	return sort.Search(len(events), func(k int) bool { return int(events[k]) >= p.events })
}

// WindowStart returns the number of the first sentence in the window around
// the playhead, and the number of the current sentence, -1 before the first.
func (p *Player) WindowStart() (first, current int) {
	if p.Run() == nil {
		return 0, -1
	}
	events := p.listed()
	current = p.before(events) - 1
	if len(events) <= windowSize {
		return 0, current
	}
	first = (max(0, current) - windowSize/2) / windowStep * windowStep
	return max(0, min(first, len(events)-windowSize)), current
}

// Transcript returns the sentences around the playhead.
func (p *Player) Transcript() Window {
	if p.Run() == nil {
		return Window{Current: -1}
	}
	first, current := p.WindowStart()
	return p.window(first, windowSize, current)
}

// Whole returns all sentences, up to a bound.
func (p *Player) Whole(atMost int) Window {
	if p.Run() == nil {
		return Window{Current: -1}
	}
	return p.window(0, atMost, p.before(p.listed())-1)
}

func (p *Player) window(first, size, current int) Window {
	events := p.listed()
	w := Window{First: first, Total: len(events), Current: current - first}
	for k := first; k < min(first+size, len(events)); k++ {
		w.Rows = append(w.Rows, p.row(int(events[k])))
	}
	return w
}

// maxCopied bounds how many sentences are copied at once.
const maxCopied = 20_000

// TranscriptText returns the transcript as lines of text, and how many they
// are.
func (p *Player) TranscriptText() (text string, lines int) {
	w := p.Whole(maxCopied)
	var b strings.Builder
	for _, row := range w.Rows {
		b.WriteString(row.Clock)
		b.WriteString("  ")
		b.WriteString(row.Text)
		b.WriteByte('\n')
	}
	return b.String(), len(w.Rows)
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
