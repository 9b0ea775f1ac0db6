package player

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// What a reader does to the run at the playhead. Each deed is an entry of the
// scenario's timeline or, of a message sent by hand, one of a producer's list,
// and so makes a new run: it can be undone, scrubbed, linked to and copied.

// Deed is one thing that can be done at the playhead.
type Deed struct {
	Act   string // as in data-act on the stage
	Kind  string // what it acts on, and
	Name  string // which one of those
	Label string
	Glyph string
}

// mostDeeds bounds the list of what can be done.
const mostDeeds = 60

// Deeds lists what can be done at the playhead.
func (p *Player) Deeds() []Deed {
	r := p.Run()
	if r == nil {
		return nil
	}
	state := p.State()
	all := p.producerDeeds(r, state)
	all = append(all, p.workerDeeds(r, state)...)
	all = append(all, p.letterDeeds(r, state)...)
	return all[:min(len(all), mostDeeds)]
}

func (p *Player) producerDeeds(r *run.Run, state *replay.State) (all []Deed) {
	for i, name := range r.Log.Producers {
		if name == scene.ByHand {
			continue
		}
		all = append(all, Deed{"send", "producer", name, "Send one more from " + name, "plus"})
		if state.Producers[i].Paused {
			all = append(all, Deed{"resume", "producer", name, "Let " + name + " go on", "resume"})
		} else if r.Index.NextSend(event.ProducerRef(i), p.events) >= 0 {
			all = append(all, Deed{"pause", "producer", name, "Pause " + name, "pause"})
		}
	}
	return all
}

func (p *Player) workerDeeds(r *run.Run, state *replay.State) (all []Deed) {
	cook := p.words.In("Cook")
	for pool, name := range r.Log.Pools {
		all = append(all, Deed{"add", "pool", name, "Add one " + strings.ToLower(cook) + " to " + name, "plus"})
		last := event.NoWorker
		for w := range r.Log.Workers {
			k := &state.Workers[w]
			if r.Log.Workers[w].Pool != pool || k.Status == replay.Absent || k.Leaving {
				continue
			}
			if k.Status != replay.Down {
				all = append(all, Deed{"crash", "worker", r.Log.Workers[w].Name, "Crash " + p.WorkerTitle(event.WorkerRef(w)) + " now", "crash"})
			}
			last = event.WorkerRef(w)
		}
		if last >= 0 && p.poolSize(name, p.Time()) > 1 {
			all = append(all, Deed{"remove", "worker", r.Log.Workers[last].Name, "Send " + p.WorkerTitle(last) + " away", "minus"})
		}
	}
	return all
}

func (p *Player) letterDeeds(r *run.Run, state *replay.State) (all []Deed) {
	if p.opening {
		return nil
	}
	for q := range r.Log.Queues {
		waiting := &state.Queues[q].Waiting
		if !r.Log.Queues[q].DeadLetter || waiting.Len() == 0 {
			continue
		}
		name := r.Log.Queues[q].Name
		all = append(all, Deed{"redrive", "queue", name, fmt.Sprintf("Send all %d of %s back", waiting.Len(), name), "redrive"})
		newest := r.Log.MessageID(waiting.At(waiting.Len() - 1).Message).String()
		all = append(all, Deed{"edit", "message", newest, "Correct " + newest + " and send it back", "edit"})
	}
	return all
}

// soon is the next whole millisecond after the playhead: what is done then
// leaves all that has been seen as it was.
func (p *Player) soon() event.Time { return (p.Time()/event.Millisecond + 1) * event.Millisecond }

// do makes a change that takes effect at an instant. A playhead that stands
// still goes along, so that one sees what one has done.
func (p *Player) do(label string, at event.Time, change func(*scenario.Scenario)) {
	p.Edit(label, "timeline", func(s *scenario.Scenario) scenario.Problems {
		change(s)
		return nil
	})
	p.Seal()
	if !p.playing && len(p.Problems()) == 0 {
		p.wanted = at
	}
}

// enter writes an entry into the timeline at the playhead.
func (p *Player) enter(label string, e scenario.Entry) {
	e.At = p.soon()
	p.do(label, e.At, func(s *scenario.Scenario) { s.Timeline = append(s.Timeline, e) })
}

// CrashNow has a worker die just after the playhead.
func (p *Player) CrashNow(worker string) { p.enter("crashed "+worker, scenario.Entry{Crash: worker}) }

// RedriveNow has the letters of a dead-letter queue moved back just after the
// playhead.
func (p *Player) RedriveNow(queue string) {
	p.enter("redrove "+queue, scenario.Entry{Redrive: queue})
}

// PauseNow has a producer stand still, and ResumeNow go on.
func (p *Player) PauseNow(producer string) {
	p.enter("paused "+producer, scenario.Entry{Pause: producer})
}

// ResumeNow is described with PauseNow.
func (p *Player) ResumeNow(producer string) {
	p.enter("resumed "+producer, scenario.Entry{Resume: producer})
}

// AddNow has one more worker join a pool, and RemoveNow has the last one of a
// worker's pool leave it.
func (p *Player) AddNow(pool string) { p.resize(pool, 1) }

// RemoveNow is described with AddNow.
func (p *Player) RemoveNow(worker string) {
	if r := p.Run(); r != nil {
		for w := range r.Log.Workers {
			if r.Log.Workers[w].Name == worker {
				p.resize(r.Log.Pools[r.Log.Workers[w].Pool], -1)
				return
			}
		}
	}
}

func (p *Player) resize(pool string, by int64) {
	n := p.poolSize(pool, p.soon()) + by
	if n < 0 || n > scenario.MaxWorkers {
		return
	}
	p.enter(pool+" "+strconv.FormatInt(n, 10)+" workers", scenario.Entry{Set: "workers." + pool + ".count", To: n})
}

// poolSize is how many workers a pool is to have at an instant.
func (p *Player) poolSize(pool string, at event.Time) int64 {
	n := int64(0)
	for i := range p.Scenario().Workers {
		if w := &p.Scenario().Workers[i]; w.Name == pool {
			n = w.Count
		}
	}
	if e := p.lastSet("workers."+pool+".count", at); e != nil {
		if to, err := strconv.ParseInt(fmt.Sprint(e.To), 10, 64); err == nil {
			n = to
		}
	}
	return n
}

// lastSet is the entry of the timeline that sets a path last up to an instant,
// nil when there is none.
func (p *Player) lastSet(path string, at event.Time) (last *scenario.Entry) {
	all := p.Scenario().Timeline
	for i := range all {
		if e := &all[i]; e.Set == path && e.At <= at && (last == nil || e.At >= last.At) {
			last = e
		}
	}
	return last
}

// SendNow sends one more message from a producer, like the last of its list or
// the first of its stream, and returns the message's id. A stream, and a
// producer that pauses at some time, keep their schedules: there the reader
// stands beside them and sends it himself.
func (p *Player) SendNow(producer string) string {
	i := slices.IndexFunc(p.Scenario().Producers, func(o scenario.Producer) bool { return o.Name == producer })
	if i < 0 || p.Run() == nil {
		return ""
	}
	m := p.another(&p.Scenario().Producers[i])
	p.do("sent "+m.ID.String(), m.At, func(s *scenario.Scenario) {
		list := &s.Producers[i].Send
		if len(*list) == 0 || slices.ContainsFunc(s.Timeline, func(e scenario.Entry) bool { return e.Pause == producer }) {
			list = &byHand(s, &s.Producers[i]).Send
		}
		*list = append(*list, m)
		slices.SortStableFunc(*list, func(a, b scenario.Message) int { return cmp.Compare(a.At, b.At) })
	})
	return m.ID.String()
}

// another is one more message such as a producer sends.
func (p *Player) another(from *scenario.Producer) scenario.Message {
	m := scenario.Message{Body: from.Body, Type: from.Type, Priority: from.Priority, Delay: from.Delay}
	switch {
	case len(from.Send) > 0:
		m = from.Send[len(from.Send)-1]
	case len(from.Mix) > 0:
		x := from.Mix[0]
		m = scenario.Message{Body: x.Body, Key: x.Key, KeyGiven: x.KeyGiven, KeyNumber: x.KeyNumber, Type: x.Type, Priority: x.Priority, Delay: from.Delay}
	}
	m.ID, m.At = p.nextID(), p.soon()
	return m
}

// nextID is the number after the highest of the run.
func (p *Player) nextID() event.ID {
	log, n := p.Run().Log, int64(0)
	for m := range log.MessageCount() {
		if id := log.MessageID(event.MessageRef(m)); id.Text == "" {
			n = max(n, id.Number)
		}
	}
	return event.ID{Number: n + 1}
}

// byHand is the producer that the reader is, sending where another does.
func byHand(s *scenario.Scenario, beside *scenario.Producer) *scenario.Producer {
	for i := range s.Producers {
		if o := &s.Producers[i]; o.To == beside.To && scene.IsByHand(o.Name) {
			return o
		}
	}
	name := scene.ByHand
	for n := 2; slices.ContainsFunc(s.Producers, func(o scenario.Producer) bool { return o.Name == name }); n++ {
		name = scene.ByHand + strconv.Itoa(n)
	}
	mine := scenario.Producer{Name: name, To: beside.To, Until: event.Never, Delay: event.Never, FirstID: 1, WhenFull: beside.WhenFull, Retry: beside.Retry}
	s.Producers = append(s.Producers, mine)
	return &s.Producers[len(s.Producers)-1]
}

// Dead is a dead letter as it is corrected.
type Dead struct {
	Message event.MessageRef
	Chip    Chip
	Queue   string // where it lies
	Body    string // in JSON
	Pool    string // whose handler gave up on it, "" when nobody reads its queue
	Handler string
}

// DeadLetter returns the dead letter with that id at the playhead, and whether
// there is one.
func (p *Player) DeadLetter(id string) (Dead, bool) {
	r := p.Run()
	if r == nil || p.opening {
		return Dead{}, false
	}
	for m := range r.Log.MessageCount() {
		ref := event.MessageRef(m)
		if r.Log.MessageID(ref).String() != id {
			continue
		}
		if where := r.Index.Where(ref, p.events); where.Place == replay.Dead {
			return p.dead(r, ref, where.Queue), true
		}
	}
	return Dead{}, false
}

func (p *Player) dead(r *run.Run, m event.MessageRef, q event.QueueRef) Dead {
	message := r.Log.Message(m)
	for _, e := range r.Scenario.Timeline {
		if e.EditSet && e.Edit == message.ID && e.At <= p.Time() {
			message.Body = e.EditBody // what it was corrected to before
		}
	}
	d := Dead{Message: m, Chip: ChipOf(r.Log, m), Queue: r.Log.Queues[q].Name, Body: bodyText(message.Body)}
	for i := range r.Scenario.Workers {
		w := &r.Scenario.Workers[i]
		if !slices.Contains(w.From, r.Log.Queues[message.Queue].Name) {
			continue
		}
		d.Pool, d.Handler = w.Name, w.Handler
		if e := p.lastSet("workers."+w.Name+".handler", p.Time()); e != nil {
			d.Handler, _ = e.To.(string)
		}
		break
	}
	return d
}

// Correct gives a dead letter another body and, where it is another one, its
// readers another handler, and has its queue sent back, all just after the
// playhead. It returns what is wrong with either, or "".
func (p *Player) Correct(d Dead, body, handler string) string {
	at, id := p.soon(), p.Run().Log.MessageID(d.Message)
	entries, problem := edited(id, at, body)
	if problem != "" {
		return problem
	}
	if d.Pool != "" && handler != d.Handler {
		entries = append(entries, scenario.Entry{At: at, Set: "workers." + d.Pool + ".handler", To: handler})
	}
	entries = append(entries, scenario.Entry{At: at, Redrive: d.Queue})
	next := p.Scenario().Clone()
	next.Timeline = append(next.Timeline, entries...)
	if problems := run.Check(next); len(problems) > 0 {
		return sentenceOf(problems[0].Text)
	}
	p.do("corrected "+id.String(), at, func(s *scenario.Scenario) { s.Timeline = append(s.Timeline, entries...) })
	return ""
}
