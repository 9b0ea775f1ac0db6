package chart

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Stretch is what a message was for some time.
type Stretch struct {
	From, To event.Time
	Is       Being
	Worker   event.WorkerRef // Held, Worked
}

// Being is what a message is for a Stretch.
type Being uint8

// What messages are. All but Worked are places: they follow each other. Worked
// lies beside them: a handler still runs, but its hand-out does not count any
// more.
const (
	Waiting Being = iota
	Delayed
	Held   // in the hands of a worker
	Hidden // handed out, but in nobody's hands: the worker crashed or forgot it
	Dead
	AtDoor
	Worked
)

// Sign is something that happened to a message at an instant.
type Sign struct {
	At   event.Time
	Kind event.Kind
	More bool // Effect: a repetition; Refused: for good
}

// Lane is the life of one message from left to right.
type Lane struct {
	Message   event.MessageRef
	Stretches []Stretch
	Signs     []Sign
}

// LaneOf reads the lane of a message off the log, up to the end of the run.
func LaneOf(ix *replay.Index, m event.MessageRef) Lane {
	t := tracer{ix: ix, log: ix.Log(), lane: Lane{Message: m}, place: AtDoor, worker: event.NoWorker, running: event.NoWorker}
	for _, i := range ix.EventsOf(m) {
		t.event(t.log.Event(int(i)))
	}
	end := event.Time(0)
	if t.log.Len() > 0 {
		end = t.log.Last().At
	}
	t.to(end)
	for len(t.beside) > 0 {
		t.endRun(0, end)
	}
	return t.lane
}

// tracer follows one message through its events.
type tracer struct {
	ix   *replay.Index
	log  *event.Log
	lane Lane

	there  bool // it is at place since since
	place  Being
	since  event.Time
	worker event.WorkerRef // Held: by whom

	running event.WorkerRef // whose handler runs with the hand-out that counts
	beside  []Stretch       // handlers that run with one that does not, since From
}

// to ends the stretch that is going on.
func (t *tracer) to(at event.Time) {
	if !t.there {
		return
	}
	if t.place == Held {
		t.cutAtCrash(at)
	}
	if at > t.since {
		t.lane.Stretches = append(t.lane.Stretches, Stretch{t.since, at, t.place, t.worker})
	}
	t.there = false
}

// cutAtCrash ends holding where the worker died with a message that it had not
// begun: such a message has no event of its own then.
func (t *tracer) cutAtCrash(at event.Time) {
	i := t.log.Find(t.since - 1)
	for ; i < t.log.Len() && t.log.Event(i).At < at; i++ {
		if e := t.log.Event(i); e.Kind == event.Crashed && e.Worker == t.worker && e.At > t.since {
			t.lane.Stretches = append(t.lane.Stretches, Stretch{t.since, e.At, Held, t.worker})
			t.place, t.since, t.worker = Hidden, e.At, event.NoWorker
			return
		}
	}
}

// is begins a stretch.
func (t *tracer) is(place Being, at event.Time) {
	t.to(at)
	t.there, t.place, t.since, t.worker = true, place, at, event.NoWorker
}

func (t *tracer) gone(at event.Time) { t.to(at) }

// rest begins a wait in line, or in a dead-letter queue.
func (t *tracer) rest(q event.QueueRef, at event.Time) {
	if q >= 0 && t.log.Queues[q].DeadLetter {
		t.is(Dead, at)
		return
	}
	t.is(Waiting, at)
}

func (t *tracer) sign(e *event.Event, more bool) {
	t.lane.Signs = append(t.lane.Signs, Sign{e.At, e.Kind, more})
}

func (t *tracer) event(e *event.Event) {
	switch e.Kind {
	case event.Accepted:
		if e.Reason == event.Delayed {
			t.is(Delayed, e.At)
		} else {
			t.rest(e.Queue, e.At)
		}
	case event.Refused:
		again := e.Reason == event.WillRetry
		t.sign(e, !again)
		if again {
			t.is(AtDoor, e.At)
		} else {
			t.gone(e.At)
		}
	case event.Blocked:
		t.is(AtDoor, e.At)
	case event.Delivered:
		t.is(Held, e.At)
		t.worker, t.running = e.Worker, event.NoWorker
	case event.HandlerStarted:
		if t.holds(e.Worker) {
			t.running = e.Worker
		} else {
			t.goesOn(e.Worker, e.At)
		}
	case event.Acked:
		t.sign(e, false)
		t.lateRun(e.At)
		t.gone(e.At)
	case event.HiddenOver, event.Noticed, event.Nacked, event.Rejected:
		t.sign(e, false)
		t.lateRun(e.At)
		if e.Reason == event.Delayed {
			t.is(Delayed, e.At)
		}
	case event.Returned:
		t.rest(e.Queue, e.At)
	case event.DeadLettered, event.Redriven:
		t.sign(e, false)
		t.rest(event.QueueRef(e.Arg), e.At)
	case event.Expired, event.Dropped:
		t.sign(e, false)
		t.gone(e.At)
	case event.Effect:
		t.sign(e, t.log.Effect(int(e.Arg)).Nth > 1)
	case event.HandlerFinished, event.HandlerFailed, event.Crashed:
		t.over(e)
	case event.AckIgnored:
		if e.Reason == event.Stale {
			t.sign(e, false)
		}
	}
}

// holds reports whether w has the hand-out that counts.
func (t *tracer) holds(w event.WorkerRef) bool { return t.there && t.place == Held && t.worker == w }

// lateRun notes that a worker goes on although its hand-out is over.
func (t *tracer) lateRun(at event.Time) {
	if t.running != event.NoWorker && t.holds(t.running) {
		t.goesOn(t.running, at)
	}
	t.running = event.NoWorker
}

// goesOn notes that w works beside the queue's book-keeping.
func (t *tracer) goesOn(w event.WorkerRef, at event.Time) {
	t.beside = append(t.beside, Stretch{From: at, Is: Worked, Worker: w})
}

// over ends the run of a handler. A message that nobody settled stays hidden.
func (t *tracer) over(e *event.Event) {
	if e.Kind != event.HandlerFinished {
		t.sign(e, false)
	}
	for k := range t.beside {
		if t.beside[k].Worker == e.Worker {
			t.endRun(k, e.At)
			return
		}
	}
	if t.holds(e.Worker) {
		t.is(Hidden, e.At)
	}
}

func (t *tracer) endRun(k int, at event.Time) {
	s := t.beside[k]
	t.beside = append(t.beside[:k], t.beside[k+1:]...)
	if s.To = at; s.To > s.From {
		t.lane.Stretches = append(t.lane.Stretches, s)
	}
}

// LaneHeight is the height of one lane, in CSS pixels.
const LaneHeight = 22

// Lanes is what rows of lanes are made from.
type Lanes struct {
	Axis      Axis
	Index     *replay.Index
	Following event.MessageRef // its lane is marked
	Target    event.Target     // what its side effects are drawn as
}

// Draw draws the lanes of messages as rows of a list.
func (l Lanes) Draw(messages []event.MessageRef) string {
	var p scene.Pen
	p.Add(`<ol class="lanerows">`)
	for _, m := range messages {
		l.row(&p, LaneOf(l.Index, m))
	}
	p.Add(`</ol>`)
	return p.String()
}

func (l Lanes) row(p *scene.Pen, lane Lane) {
	id := scene.Identify(l.Index.Log(), lane.Message)
	class := "lane"
	if lane.Message == l.Following {
		class += " on"
	}
	p.Add(`<li class="~" data-follow="~"><span class="lane-h"><span class="chip hue~ pat~"><i></i>~</span>`, class, id.Number, id.Hue, id.Pattern, id.Number)
	if id.Name != "" {
		p.Add(` <span class="lane-n">~</span>`, id.Name)
	}
	p.Add(`</span><svg width="100%" height="~" role="img" aria-label="~">`, LaneHeight, l.said(lane))
	for _, s := range lane.Stretches {
		if s.Is != Worked {
			l.stretch(p, s)
		}
	}
	for _, s := range lane.Stretches {
		if s.Is == Worked {
			l.stretch(p, s)
		}
	}
	l.signs(p, lane.Signs)
	p.Add(`</svg></li>`)
}

// middle is the height of a lane's line.
const middle = LaneHeight / 2

func (l Lanes) stretch(p *scene.Pen, s Stretch) {
	from, to := l.Axis.percent(s.From), l.Axis.percent(s.To)
	switch s.Is {
	case Held:
		width := max(to-from, 200/float64(max(l.Axis.Width, 1))) // two pixels can be seen
		letter, class := scene.Worker(s.Worker)
		p.Add(`<g class="lh ~"><rect x="~%" y="4" width="~%" height="14" rx="2"/>`, class, from, width)
		if l.Axis.px(s.To)-l.Axis.px(s.From) > 16 {
			p.Add(`<text x="~%" y="15">~</text>`, (from+to)/2, letter)
		}
		p.Add(`</g>`)
	case Hidden:
		p.Add(`<rect class="lc" x="~%" y="4" width="~%" height="14"/><rect x="~%" y="4" width="~%" height="14" fill="url(#s-hatch)"/>`, from, to-from, from, to-from)
		if l.Axis.px(s.To)-l.Axis.px(s.From) > 130 {
			p.Add(`<text class="lct" x="~%" y="15">in nobody's hands</text>`, (from+to)/2)
		}
	case Worked:
		_, class := scene.Worker(s.Worker)
		p.Add(`<rect class="lwork ~" x="~%" y="16" width="~%" height="4"/>`, class, from, max(to-from, .2))
	default:
		p.Add(`<line class="~" x1="~%" x2="~%" y1="~" y2="~"/>`, scene.Raw(lineClass[s.Is]), from, to, middle, middle)
	}
}

var lineClass = [...]string{Waiting: "lw", Delayed: "ldelay", Dead: "ldead", AtDoor: "ldoor"}

// signs draws what happened. Signs that would lie on each other stand side by
// side, as far as there is room.
func (l Lanes) signs(p *scene.Pen, signs []Sign) {
	free := -100.0
	for _, s := range signs {
		if s.Kind == event.Effect {
			class := "lmail"
			if s.More {
				class = "lmail dup"
			}
			p.Add(`<line class="~" x1="~%" x2="~%" y1="2" y2="20"/>`, scene.Raw(class), l.Axis.percent(s.At), l.Axis.percent(s.At))
		}
		if s.Kind == event.HandlerFailed {
			p.Add(`<svg x="~%" overflow="visible"><path class="lxb" d="M-5 3h10v16h-10z"/><path class="lx" d="M-3 8l6 6m0-6l-6 6"/></svg>`, l.Axis.percent(s.At))
		}
		glyph, tone := l.glyph(s)
		if glyph == "" {
			continue
		}
		const size = 12
		x := l.Axis.px(s.At) - size/2
		if s.Kind == event.Acked || s.Kind == event.DeadLettered || s.Kind == event.Crashed {
			x += size/2 + 1 // it stands behind what it ends
		}
		shift := max(x, min(free, x+14)) - l.Axis.px(s.At)
		free = l.Axis.px(s.At) + shift + size + 1
		p.Add(`<svg x="~%" overflow="visible" class="~"><g transform="translate(~ 5)">`, l.Axis.percent(s.At), scene.Raw(tone), shift)
		if s.Kind == event.Effect {
			p.Add(`<rect class="mbg" x="-1" width="14" height="12" rx="2"/>`)
		}
		p.Glyph(glyph, 0, 0, size, "")
		p.Add(`</g></svg>`)
	}
}

// glyph returns the symbol of a sign, "" for what its stretches say already.
func (l Lanes) glyph(s Sign) (glyph, tone string) {
	switch s.Kind {
	case event.Acked:
		return "ack", "ev-done"
	case event.Crashed:
		return "crash", "ev-crash"
	case event.HiddenOver:
		return "expiry", "ev-expiry"
	case event.DeadLettered:
		return "dead", "ev-dead"
	case event.Refused, event.Dropped, event.Expired:
		return "refused", "ev-refused"
	case event.AckIgnored:
		return "close", "ev-refused"
	case event.Effect:
		if s.More {
			glyph, _ = scene.EffectGlyph(l.Target)
			return glyph, "ev-crash"
		}
	}
	return "", ""
}

// said is the lane in words.
func (l Lanes) said(lane Lane) string {
	hands, effects := 0, 0
	for _, s := range lane.Stretches {
		if s.Is == Held {
			hands++
		}
	}
	last := event.Kind(0)
	for _, s := range lane.Signs {
		switch s.Kind {
		case event.Effect:
			effects++
		default:
			last = s.Kind
		}
	}
	text := "handed out " + itoa(hands) + " times, " + itoa(effects) + " side effects"
	if hands == 1 {
		text = "handed out once, " + itoa(effects) + " side effects"
	}
	return text + ends[last]
}

// ends says how the life of a message ended, by the last sign.
var ends = [event.Kinds]string{
	event.Acked: ", acked", event.DeadLettered: ", dead letter", event.Refused: ", turned away",
	event.Expired: ", expired", event.Dropped: ", dropped", event.Crashed: ", its worker crashed",
	event.HiddenOver: ", its time to ack was over",
}
