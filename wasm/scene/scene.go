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
	plan  *plan
	lay   *layout

	// deedOfAll is what the effects of the run are called together.
	deedOfAll deed
	// rows are the messages that have a row of the inbox each, when they all
	// fit; otherwise nil, and the latest are shown.
	rows []event.MessageRef

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
	full   []bool // by rail: more wait than there are places, draw a pile
	later  [][]event.MessageRef

	natural float64

	labelAt   int // events at which frame.Label was made, -1 for never
	labelOpen bool
}

// New returns a stage for the run. The log should be complete: places are
// fixed for the whole of it.
func New(run Run, size Size, words *Words) *Stage {
	if words == nil {
		words = KitchenWords
	}
	s := &Stage{run: run, size: size, words: words, plan: newPlan(run), labelAt: -1}
	s.sched.run = run
	s.deedOfAll = s.plan.deedOfAll()
	if s.plan.isSingle() {
		s.findRows()
		s.lay = singleLayout(size, s.plan, words)
	} else {
		s.lay = boardLayout(size, s.plan, words)
	}
	s.full, s.later = make([]bool, len(s.lay.rails)), make([][]event.MessageRef, len(s.lay.rails))
	s.frame = Frame{Width: int(s.lay.w), Height: int(s.lay.h), Size: size}
	s.natural = Natural(run.Log)
	for i := range s.lay.groups {
		if g := &s.lay.groups[i]; len(s.rows) > g.count || g.target >= 0 {
			s.rows, g.latest = nil, true
		}
	}
	return s
}

// findRows lists the messages of the only queue, when they are few enough for
// a row each.
func (s *Stage) findRows() {
	const mostRows = 24
	log := s.run.Log
	for m := range log.MessageCount() {
		if q := log.Message(event.MessageRef(m)).Queue; q >= 0 && s.plan.hasRow(q) {
			s.rows = append(s.rows, event.MessageRef(m))
		}
		if len(s.rows) > mostRows {
			break
		}
	}
	s.plan.messages = len(s.rows)
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
	s.drawPads()
	s.drawRails()
	s.drawTrays()
	s.drawSpikes()
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

// pending counts the acts of a kind that have not been shown to their end and
// that arrive at one of the queues; with none given, all.
func (s *Stage) pending(a act, queues []event.QueueRef) int {
	n := 0
	if !s.moving {
		return 0
	}
	for i := range s.sched.steps {
		st := &s.sched.steps[i]
		if st.act == a && s.in.Now < st.end && (queues == nil || contains(queues, st.to)) {
			n++
		}
	}
	return n
}

func contains(queues []event.QueueRef, q event.QueueRef) bool {
	for _, have := range queues {
		if have == q {
			return true
		}
	}
	return false
}

// railOf is the rail on which messages of queue q wait, or nil.
func (s *Stage) railOf(q event.QueueRef) *rail {
	if q < 0 || s.lay.railOf[q] < 0 {
		return nil
	}
	return &s.lay.rails[s.lay.railOf[q]]
}

// trayOf is the tray in which messages of queue q lie, or nil.
func (s *Stage) trayOf(q event.QueueRef) *tray {
	if q < 0 || s.lay.trayOf[q] < 0 {
		return nil
	}
	return &s.lay.trays[s.lay.trayOf[q]]
}

// spikeOf is where the done of queue q end up, or nil.
func (s *Stage) spikeOf(q event.QueueRef) *spike {
	if q < 0 || s.lay.spikeOf[q] < 0 {
		return nil
	}
	return &s.lay.spikes[s.lay.spikeOf[q]]
}

// station is where worker w stands, or nil when it is only counted.
func (s *Stage) station(w event.WorkerRef) *station {
	if w < 0 || s.lay.stationOf[w] < 0 {
		return nil
	}
	return &s.lay.stations[s.lay.stationOf[w]]
}
