package player

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/story"
)

// Biography is the life of one message, told as tries.
type Biography struct {
	Message  event.MessageRef
	Chip     Chip
	About    string // Asha, what its body says
	Question string // Why did 101 get two emails?
	Tries    []Try  // the first is what came before any hand-out
	Because  string // "" when there is nothing to learn from it
}

// Try is one hand-out and all that came of it.
type Try struct {
	N      int    // 0 before the first hand-out
	Again  bool   // somebody had the message before
	Worker *Badge // nil before the first hand-out
	Name   string // of the worker: Cook A
	Lines  []LifeLine
}

// LifeLine is one thing that happened to a message, or a time in which nothing
// did.
type LifeLine struct {
	Event int    // -1 for a gap
	Clock string // "" for a gap
	Glyph string
	Tone  string
	Parts []Part
}

// Biography returns the life of the followed message, and whether one is
// followed.
func (p *Player) Biography() (Biography, bool) {
	if p.Run() == nil || p.following < 0 {
		return Biography{}, false
	}
	return p.biographyOf(p.following), true
}

func (p *Player) biographyOf(m event.MessageRef) Biography {
	log := p.Run().Log
	why := p.story.Why(m)
	b := Biography{Message: m, Chip: ChipOf(log, m), About: about(log, m), Question: why.Question, Because: why.Because}
	for _, s := range p.story.Biography(m) {
		if n := len(b.Tries); n == 0 || b.Tries[n-1].N != int(s.Try) {
			b.Tries = append(b.Tries, p.try(s))
		}
		last := &b.Tries[len(b.Tries)-1]
		last.Lines = append(last.Lines, p.lifeLine(s))
	}
	return b
}

func (p *Player) try(s story.Sentence) Try {
	t := Try{N: int(s.Try), Again: s.Try > 1}
	if s.Worker >= 0 {
		badge := BadgeOf(int(s.Worker))
		t.Worker, t.Name = &badge, p.WorkerTitle(s.Worker)
	}
	return t
}

func (p *Player) lifeLine(s story.Sentence) LifeLine {
	line := LifeLine{Event: s.Event}
	log := p.Run().Log
	for _, part := range s.Parts {
		line.Parts = append(line.Parts, partOf(log, part))
	}
	if s.Event >= 0 {
		line.Clock = Clock(s.At, p.End())
		line.Glyph, line.Tone = glyph(log.Event(s.Event), log)
	}
	return line
}

// Lived returns which line of the followed message's biography is the last that
// lies before the playhead, counted over all tries; -1 before the first. Lines
// of a try that went on while the next one was under way are later than those
// after them, so that it is the time that counts, not the place.
func (p *Player) Lived(b *Biography) int {
	at, latest, n := -1, -1, 0
	for _, t := range b.Tries {
		for _, line := range t.Lines {
			if !p.opening && line.Event >= 0 && line.Event < p.events && line.Event > latest {
				at, latest = n, line.Event
			}
			n++
		}
	}
	return at
}

// about says what a message is about: the person, and what else its body has.
func about(log *event.Log, m event.MessageRef) string {
	message := log.Message(m)
	var parts []string
	if name := story.NameOf(&message); name != "" {
		parts = append(parts, name)
	}
	if body, ok := message.Body.(event.Object); ok {
		for _, f := range body {
			if f.Name == "name" || f.Name == "who" || f.Name == "customer" || f.Name == "user" {
				continue
			}
			switch v := f.Value.(type) {
			case string:
				parts = append(parts, v)
			case int64:
				parts = append(parts, f.Name+" "+strconv.FormatInt(v, 10))
			}
		}
	} else if text, ok := message.Body.(string); ok {
		parts = append(parts, text)
	}
	return firstWords(strings.Join(parts, ", "))
}

// Lives returns the biographies of the messages that were lost, done twice,
// left as dead letters or handed out again, each once and so many at most.
func (p *Player) Lives(atMost int) []Biography {
	var lives []Biography
	var told marked
	for _, g := range p.Notable() {
		if g.plain {
			continue
		}
		for _, m := range g.ids {
			if known := len(told.list); known < atMost {
				if told.add(m); len(told.list) > known {
					lives = append(lives, p.biographyOf(m))
				}
			}
		}
	}
	return lives
}

// Worth is a group of messages that are worth following, and why.
type Worth struct {
	Name  string
	Count int
	Shown []Chip // the first of them
	ids   []event.MessageRef
	plain bool // nothing went wrong with them
}

// notable are those groups, and the run that they are of.
type notable struct {
	groups   []Worth
	revision int
}

// mostShown is how many messages of a group are named.
const mostShown = 6

// Notable returns the messages of the run that are worth following, in groups,
// the gravest first.
func (p *Player) Notable() []Worth {
	if p.Run() == nil {
		return nil
	}
	if p.notable.revision != p.revision {
		p.notable = notable{p.findNotable(), p.revision}
	}
	return p.notable.groups
}

func (p *Player) findNotable() []Worth {
	r := p.Run()
	log := r.Log
	var twice, dead, again, refused marked
	for i := range log.Len() {
		switch e := log.Event(i); e.Kind {
		case event.Effect:
			if log.Effect(int(e.Arg)).Nth > 1 {
				twice.add(e.Message)
			}
		case event.Delivered:
			if e.Arg > 1 {
				again.add(e.Message)
			}
		case event.Refused, event.Blocked:
			refused.add(e.Message)
		case event.DeadLettered:
			dead.add(e.Message)
		}
	}
	groups := []Worth{
		{Name: "lost", ids: r.Outcome.LostMessages},
		{Name: "done twice", ids: twice.list},
		{Name: "dead letters", ids: slices.DeleteFunc(dead.list, func(m event.MessageRef) bool { return r.Index.Where(m, log.Len()).Place != replay.Dead })},
		{Name: "handed out again", ids: again.list},
		{Name: "turned away at first", ids: refused.list},
		{Name: "slowest", ids: slowest(log), plain: true},
	}
	var found []Worth
	for _, g := range groups {
		if g.Count = len(g.ids); g.Count == 0 {
			continue
		}
		for _, m := range g.ids[:min(mostShown, g.Count)] {
			g.Shown = append(g.Shown, ChipOf(log, m))
		}
		found = append(found, g)
	}
	return found
}

// marked is a list of messages without repetitions.
type marked struct {
	list []event.MessageRef
	seen map[event.MessageRef]bool
}

func (l *marked) add(m event.MessageRef) {
	if m < 0 || l.seen[m] {
		return
	}
	if l.seen == nil {
		l.seen = map[event.MessageRef]bool{}
	}
	l.seen[m] = true
	l.list = append(l.list, m)
}

// slowest returns the three messages that took longest from being sent to
// their ack.
func slowest(log *event.Log) []event.MessageRef {
	const podium = 3
	type finish struct {
		m    event.MessageRef
		took event.Time
	}
	var all []finish
	for i := range log.Len() {
		if e := log.Event(i); e.Kind == event.Acked {
			all = append(all, finish{e.Message, e.At - log.Message(e.Message).SentAt})
		}
	}
	slices.SortStableFunc(all, func(a, b finish) int { return cmp.Compare(b.took, a.took) })
	var list []event.MessageRef
	for _, f := range all[:min(podium, len(all))] {
		list = append(list, f.m)
	}
	return list
}

// Letter returns the dead-letter queue that the followed message lies in at the
// playhead, and its body as JSON; "" when it lies in none.
func (p *Player) Letter() (queue, body string) {
	d, _ := p.followedLetter()
	return d.Queue, d.Body
}

func (p *Player) followedLetter() (Dead, bool) {
	r := p.Run()
	if r == nil || p.following < 0 || p.opening {
		return Dead{}, false
	}
	where := r.Index.Where(p.following, p.events)
	if where.Place != replay.Dead {
		return Dead{}, false
	}
	return p.dead(r, p.following, where.Queue), true
}

// bodyText writes a body as a scenario has it in JSON.
func bodyText(body any) string {
	_, text, _ := strings.Cut(entryText(scenario.Entry{EditSet: true, EditBody: body}), `"body":`)
	return strings.TrimSuffix(text, "}")
}

// EditLetter gives the followed message, a dead letter, another body and has
// its queue sent back, just after the playhead. It returns what is wrong with
// the body, or "".
func (p *Player) EditLetter(body string) string {
	d, ok := p.followedLetter()
	if !ok {
		return "It is no dead letter at this moment."
	}
	return p.Correct(d, body, d.Handler)
}

// edited reads a body as an entry of a timeline, as the page of a scenario has
// it, so that what is wrong with it is said in the same words.
func edited(id event.ID, at event.Time, body string) ([]scenario.Entry, string) {
	written := string(event.AppendID(nil, id))
	s, problems := scenario.DecodeJSON([]byte(`{"timeline":[{"at":"` + scenario.FormatDuration(at) + `","edit":` + written + `,"body":` + body + `}]}`))
	for _, problem := range problems {
		if strings.HasPrefix(problem.Path, "timeline") || problem.Path == "" {
			return nil, problem.Text
		}
	}
	if s == nil || len(s.Timeline) != 1 {
		return nil, "This is not one value in JSON, such as {\"email\": \"asha@example.com\"}."
	}
	return s.Timeline, ""
}
