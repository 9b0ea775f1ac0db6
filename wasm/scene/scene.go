// Package scene draws a run at one instant: it turns a replay.State into a
// Frame, an ordered list of coarse keyed Nodes (a ticket, a station, a ring),
// each with a place, an opacity and the markup of its inside.
//
// A Frame is a pure function of the run, the instant, the speed, the size and
// the words: the same input gives the same pixels, whether one plays or
// scrubs. Three things are made of it:
//
//   - Markup: the whole SVG as text, for the poster in a page, for figures
//     and golden tests;
//   - Differ: what changed since the last frame, as one packed buffer that
//     web/paint.js applies to the same elements, one crossing a frame;
//   - Timeline: the marks of the scrubber, for the whole run.
//
// Use:
//
//	stage := scene.New(scene.Run{Scenario: s, Log: log, Index: index}, scene.Wide, scene.KitchenWords)
//	var differ scene.Differ
//	frame := stage.Frame(scene.Input{State: cursor.Seek(now), Now: now, Speed: stage.Natural(), Follow: event.NoMessage})
//	buffer := differ.Diff(frame)   // valid until the next Diff
//	text := scene.Markup(frame)    // or the whole drawing
//
// Cause comes before effect: what happens at one instant is told one after
// the other, by steps that schedule (motion.go) lays out in wall-clock time
// and squeezes so that each chain is over before the next event of the same
// ticket or worker. A still frame (Speed 0) has no steps, only end states.
//
// Every number in a ticket's life is of the log; the scene never simulates.
// It touches no browser. Start reading at Stage.Frame, then layout.go for
// where things stand, motion.go for how they move, draw.go for how they look.
package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Run is what is drawn: a scenario, its log and the log's index.
type Run struct {
	Scenario *scenario.Scenario
	Log      *event.Log
	Index    *replay.Index
}

// Input is one moment to draw.
type Input struct {
	// State is the run at Now. It is read during the call only.
	State *replay.State
	Now   event.Time
	// Speed is in virtual seconds per second on the wall. 0 is still: end
	// positions, and the trail of the last event drawn in full.
	Speed float64
	// Natural is the speed that the page calls 1x, or 0. Above four times
	// that nothing is tweened.
	Natural float64
	// Reduced asks for discrete steps: like Speed 0.
	Reduced bool
	// Told is how many events stood on the stage at rest when playing began:
	// they are not shown happening again. 0 when it began from nothing.
	Told int
	// Opening draws the start before anything is told: what is sent at 0
	// hangs on the rail, and hands are free. Playing from there with Told 0
	// goes on without a jump.
	Opening bool
	// Stepped says that one has stepped to the last event of State, which the
	// caption is then about; otherwise the weightiest of the instant counts.
	Stepped bool
	// Follow is the one followed message, or event.NoMessage.
	Follow event.MessageRef
}

// Stage draws one run in one size. It is not safe for concurrent use.
type Stage struct {
	run   Run
	size  Size
	words *Words
	lay   *layout

	queue event.QueueRef // the one on the rail
	dead  event.QueueRef // its dead letters, or NoQueue
	pools []poolFacts
	deeds []deed // by target
	// mainDeed is what the effects of the run are called together.
	mainDeed deed
	// rows are the messages that have a row of the inbox each, when they all
	// fit; otherwise nil, and the latest are shown.
	rows []event.MessageRef

	// outside are the messages in the order in which something was first done
	// for them outside, and outsideAt the events that began it; used when
	// not every message has a row.
	outside   []event.MessageRef
	outsideAt []int32

	frame Frame
	memo  memo
	pen   pen
	sched schedule
	text  []byte // scratch for labels
	ids   []identity

	// of the current call
	in     Input
	st     *replay.State
	moving bool
	full   bool // more wait than there are places: draw a pile

	natural float64

	labelAt   int // events at which frame.Label was made, -1 for never
	labelOpen bool
}

// poolFacts is what the stage knows of a pool besides its workers.
type poolFacts struct {
	lines []string // of its handler
}

// New returns a stage for the run. The log should be complete: places are
// fixed for the whole of it.
func New(run Run, size Size, words *Words) *Stage {
	if words == nil {
		words = KitchenWords
	}
	s := &Stage{run: run, size: size, words: words, queue: event.NoQueue, dead: event.NoQueue, labelAt: -1}
	s.sched.run = run
	s.lay = newLayout(size, s.plan())
	s.frame = Frame{Width: int(s.lay.w), Height: int(s.lay.h), Size: size}
	s.natural = Natural(run.Log)
	if len(s.rows) > s.lay.rowCount {
		s.rows = nil
		s.findOutside()
	}
	return s
}

// plan looks through the run for what decides the layout.
func (s *Stage) plan() plan {
	log, sc := s.run.Log, s.run.Scenario
	p := plan{workers: len(log.Workers), second: len(log.Targets) > 1}
	for q := range log.Queues {
		if !log.Queues[q].DeadLetter {
			s.queue, s.dead = event.QueueRef(q), log.Queues[q].Target
			break
		}
	}
	if s.queue >= 0 {
		for i := range sc.Queues {
			if q := &sc.Queues[i]; q.Name == log.Queues[s.queue].Name {
				p.capacity = int(q.MaxSize)
				p.tray = q.MaxReceives > 0 || q.DeadLetter != ""
			}
		}
	}
	for _, name := range log.Pools {
		facts := poolFacts{}
		for i := range sc.Workers {
			if sc.Workers[i].Name == name {
				facts.lines = handlerLines(sc.Workers[i].Handler)
			}
		}
		p.lines = max(p.lines, len(facts.lines))
		s.pools = append(s.pools, facts)
	}
	for i := range log.Targets {
		s.deeds = append(s.deeds, deedOf(log.Targets[i].Name, log.Targets[i].Table))
	}
	for i := range log.EffectCount() {
		r := log.Effect(i)
		p.repeats = p.repeats || r.Nth > 1
		switch d := s.deeds[r.Target]; {
		case i == 0:
			s.mainDeed = d
		case d != s.mainDeed:
			s.mainDeed = deed{"effect", "effects", "calls", "calling", "slip"}
		}
	}
	for i := range log.Len() {
		switch e := log.Event(i); {
		case e.Kind == event.Refused || e.Kind == event.Blocked:
			p.refusals = true
		case e.Kind == event.DeadLettered:
			p.tray = true
		case e.Reason == event.Delayed:
			p.delays = true
		}
	}
	const mostRows = 24
	for m := range log.MessageCount() {
		if log.Message(event.MessageRef(m)).Queue == s.queue {
			s.rows = append(s.rows, event.MessageRef(m))
		}
		if len(s.rows) > mostRows {
			break
		}
	}
	p.messages = len(s.rows)
	return p
}

// Size returns the width and height of the drawing.
func (s *Stage) Size() (width, height int) { return int(s.lay.w), int(s.lay.h) }

// Frame draws the run at one instant. The frame is valid until the next call.
func (s *Stage) Frame(in Input) *Frame {
	if in.Opening {
		in.Now, in.Speed, in.Reduced, in.Told = 0, s.natural, false, 0
		in.Natural = 0
	}
	s.in, s.st = in, in.State
	s.moving = in.Speed > 0 && !in.Reduced && (in.Natural == 0 || in.Speed <= 4.001*in.Natural)
	s.frame.drawn = s.frame.drawn[:0]
	if s.moving {
		s.sched.update(in.Now, in.Told, s.st.Events, in.Speed)
	} else {
		s.sched.clear()
	}
	s.drawGround()
	s.drawProducer()
	s.drawRail()
	s.drawTray()
	s.drawSpike()
	s.drawWorkers()
	s.drawInbox()
	s.drawMovers()
	s.drawEnvelopes()
	s.drawTrails()
	s.drawNow()
	s.drawFollowing()
	s.frame.sort()
	if s.labelAt != s.st.Events || s.labelOpen != in.Opening {
		s.frame.Label, s.labelAt, s.labelOpen = s.sentence(), s.st.Events, in.Opening
	}
	return &s.frame
}

// landed reports whether all of event i has been shown.
func (s *Stage) landed(i int) bool { return !s.moving || s.sched.landed(i, s.in.Now) }

func (s *Stage) ticketStep(m event.MessageRef) *step {
	if !s.moving {
		return nil
	}
	return s.sched.ticketStep(m, s.in.Now)
}

func (s *Stage) workerStep(w event.WorkerRef) *step {
	if !s.moving {
		return nil
	}
	return s.sched.workerStep(w, s.in.Now)
}

func (s *Stage) pending(a act) int {
	if !s.moving {
		return 0
	}
	return s.sched.pending(a, s.in.Now)
}
