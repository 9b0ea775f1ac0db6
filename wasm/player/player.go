// Package player is what a reader has in hand: which scenario is open, what
// was edited, the run on the stage and the run before the last edit, where the
// playhead is and whether it moves. It is a plain value with updates; it knows
// no browser, reads no clock and starts nothing by itself.
//
// An edit makes a new scenario, and the new scenario a new run. A short run is
// there at once; a long one is computed in slices by Work. A scenario that is
// wrong makes no run: its problems are kept beside it, and the last good run
// stays. Start reading at Player, New and Edit; playhead.go moves through
// time, charts.go has what is drawn over it, settings.go and code.go are what
// can be edited, typing.go is for those who type, crashpoints.go asks what a
// crash would do, panels.go is what the page shows.
package player

import (
	"errors"
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/story"
	"github.com/ticketrail/ticketrail/wasm/chart"
)

// maxEdits bounds the undo stack; the oldest edits are forgotten first.
const maxEdits = 200

// maxSlice is the most events of a run that are made between two looks at the
// time that is left. Slices begin small, because one event can take long: a
// handler in an endless loop goes on to its step limit.
const maxSlice = 512

// edit is one version of the scenario.
type edit struct {
	label    string // what was changed, in a few words; "" for the original
	key      string // edits of one key that follow each other are one edit
	sealed   bool   // the next edit is a new one, whatever its key
	scenario *scenario.Scenario
	run      *run.Run // nil until it is computed, and when there are problems
	problems scenario.Problems
	charted  charted            // of run
	base     *scenario.Scenario // what it is a change of: the page's own, or what was started from since
}

// Player is one open scenario.
type Player struct {
	edits []*edit // edits[0] is the original
	at    int     // the one that is current
	shown *edit   // the one whose run is on the stage
	work  *work   // the run that is being computed, or nil

	story  *story.Story
	cursor *replay.Cursor
	told   []int32 // events that have a sentence, ascending
	failed []int32 // events at which a handler failed
	gone   []int32 // events at which a message was lost, ascending
	steps  *chart.Stops

	findStops func(*run.Run) []Stop
	stops     []Stop
	halted    int // the stop at which play has halted, or -1
	unmet     int // the first event at which a playing playhead may still halt
	loop      bool
	known     bool       // the end of a run was seen
	kind      chart.Kind // what next and previous go to
	bandWork  *bandWork
	band      *chart.Band
	bandOf    *edit

	words   *Words
	filter  Filter  // of the transcript
	listing listing // what it leaves
	notable notable // messages worth following
	against *edit   // what the run on the stage is compared with, or nil for the edit before it
	apart   apart   // where the two part
	twin    twin

	card     int            // the pool whose handler the code card shows
	picked   Thing          // in a sandbox, whose form is shown
	slots    map[int][]Slot // by line, for the handler slotsFor
	slotsFor string
	values   values  // the settings of the current scenario
	links    links   // what the address says of it
	crashes  crashes // what a crash at each line would do
	crashed  int     // how often more has become known of that

	time    event.Time
	events  int // how many events of the log lie before the playhead
	playing bool
	settled bool // nothing is under way: the stage shows end positions
	opening bool // the run has not been touched since its start
	opens   bool // what is sent at 0 can hang on the rail before anything is told
	stepped bool // the playhead stands just after one event
	// wanted is a moment that a link asks for before its run is there.
	wanted event.Time
	linked *seen // what else that link asks for, or nil
	// trouble is what is wrong with a link, troubleAt the edit it belongs to.
	trouble   string
	troubleAt int
	// toldAtPlay is how many events stood at rest when playing began.
	toldAtPlay int
	speed      float64
	following  event.MessageRef
	revision   int
	edited     int           // how often another scenario has become the current one
	unlocks    *lesson.Stage // what a reader may change; nil is everything
}

// work is a run on its way.
type work struct {
	edit    *edit
	running *run.Running
}

// New returns a player of a valid scenario. Its run is computed by Work.
func New(s *scenario.Scenario) *Player {
	p := &Player{edits: []*edit{{scenario: s, base: s}}, following: event.NoMessage, settled: true, opening: true, wanted: event.Never, words: AllWords[0], filter: Filter{Worker: event.NoWorker}, halted: -1, kind: chart.Kinds}
	p.begin()
	return p
}

// Revision changes with every edit and with every run that is put on the
// stage; it does not change while time moves.
func (p *Player) Revision() int { return p.revision }

// Scenario returns the current scenario, which may be newer than the run on
// the stage. It must not be changed.
func (p *Player) Scenario() *scenario.Scenario { return p.edits[p.at].scenario }

// Original returns the scenario as it was opened or, in a sandbox, what the
// reader started from since.
func (p *Player) Original() *scenario.Scenario { return p.edits[p.at].base }

// Run returns the run on the stage, or nil before the first one is there.
func (p *Player) Run() *run.Run {
	if p.shown == nil {
		return nil
	}
	return p.shown.run
}

// Problems are what is wrong with the current scenario; while there are any,
// the last good run stays on the stage.
func (p *Player) Problems() scenario.Problems { return p.edits[p.at].problems }

// Story returns the sentences of the run on the stage.
func (p *Player) Story() *story.Story { return p.story }

// Edits counts how often another scenario has become the current one.
func (p *Player) Edits() int { return p.edited }

func (p *Player) index(e *edit) int {
	for i := range p.edits {
		if p.edits[i] == e {
			return i
		}
	}
	return 0
}

// Edit changes a copy of the scenario and makes it the current one. Label says
// what was changed; edits of the same key that follow each other, such as the
// many of one drag of a slider, are undone together. A change that returns
// problems is kept with them.
func (p *Player) Edit(label, key string, change func(*scenario.Scenario) scenario.Problems) {
	next := &edit{label: label, key: key, scenario: p.Scenario().Clone(), base: p.Original()}
	next.problems = change(next.scenario)
	now := p.edits[p.at]
	keep := p.at + 1
	if p.at > 0 && now.key == key && !now.sealed {
		keep = p.at // replaces the edit that it goes on with
	}
	p.edits = append(p.edits[:keep:keep], next)
	if len(p.edits) > maxEdits {
		p.edits = append(p.edits[:1:1], p.edits[2:]...)
	}
	p.at = len(p.edits) - 1
	p.begin()
}

// Seal ends the last edit: the next one is undone by itself.
func (p *Player) Seal() { p.edits[p.at].sealed = true }

// CanUndo and CanRedo report whether there is an edit to take back or to make
// again.
func (p *Player) CanUndo() bool { return p.at > 0 }

// CanRedo is described with CanUndo.
func (p *Player) CanRedo() bool { return p.at < len(p.edits)-1 }

// Undo takes the last edit back and says what it was.
func (p *Player) Undo() string {
	label := p.UndoLabel()
	if p.CanUndo() {
		p.at--
		p.begin()
	}
	return label
}

// Redo makes the edit again that was taken back last, and says what it is.
func (p *Player) Redo() string {
	label := p.RedoLabel()
	if p.CanRedo() {
		p.at++
		p.begin()
	}
	return label
}

// UndoLabel and RedoLabel say in a few words what Undo and Redo would take back
// and make again; "" when there is nothing.
func (p *Player) UndoLabel() string {
	if !p.CanUndo() {
		return ""
	}
	return p.edits[p.at].label
}

// RedoLabel is described with UndoLabel.
func (p *Player) RedoLabel() string {
	if !p.CanRedo() {
		return ""
	}
	return p.edits[p.at+1].label
}

// Reset goes back to the original, as an edit that can be undone.
func (p *Player) Reset() {
	original := p.Original()
	p.Edit("as it was", "reset", func(s *scenario.Scenario) scenario.Problems {
		*s = *original.Clone()
		return nil
	})
}

// begin makes sure that there is, or will be, a run of the current edit.
func (p *Player) begin() {
	p.revision++
	p.edited++
	p.work = nil
	e := p.edits[p.at]
	if e.run != nil {
		p.show(e)
		return
	}
	if len(e.problems) == 0 {
		running, err := run.Start(e.scenario)
		if err == nil {
			p.work = &work{edit: e, running: running}
			return
		}
		if !errors.As(err, &e.problems) {
			e.problems = scenario.Problems{{Text: err.Error()}}
		}
	}
	p.good()
}

// good puts the last good run before an edit with a mistake on the stage, or has
// it computed: an edit that was undone is not what stays. One that was typed on
// is, although it is no edit of its own any more.
func (p *Player) good() {
	e := p.lastGood()
	switch {
	case e == nil || p.shown != nil && slices.Index(p.edits, p.shown) <= p.at:
	case e.run != nil:
		p.show(e)
	default:
		if running, err := run.Start(e.scenario); err == nil {
			p.work = &work{edit: e, running: running}
		}
	}
}

// lastGood is the newest edit up to the current one that has no problems.
func (p *Player) lastGood() *edit {
	for i := p.at; i >= 0; i-- {
		if len(p.edits[i].problems) == 0 {
			return p.edits[i]
		}
	}
	return nil
}

// Working reports whether a run is being computed, and how much of what it
// may take has been done, from 0 to 1, by the limit that it is nearest to.
func (p *Player) Working() (bool, float64) {
	if p.work == nil {
		return false, 1
	}
	log, limits := p.work.running.Log(), p.work.edit.scenario.Limits
	if log.Len() == 0 {
		return true, 0
	}
	done := float64(log.Len()) / float64(max(limits.Events, 1))
	if until := p.work.edit.scenario.Until; until > 0 {
		done = max(done, float64(log.Last().At)/float64(until))
	}
	return true, min(done, 1)
}

// Work computes on until the run is there or over says that the time is up.
// It reports whether nothing is left to do.
func (p *Player) Work(over func() bool) bool {
	for n := 1; p.work != nil; n = min(2*n, maxSlice) {
		if !p.work.running.Step(n) {
			p.finish()
		} else if over() {
			return false
		}
	}
	return true
}

// finish puts the run that is complete on the stage.
func (p *Player) finish() {
	e := p.work.edit
	e.run = p.work.running.Finish()
	p.work = nil
	if e == p.edits[p.at] || e == p.lastGood() && len(p.Problems()) > 0 || p.shown == nil {
		p.show(e)
	}
	p.fill()
	p.revision++
}

// fill has the run computed that the one on the stage is compared with: the one
// that was chosen or, where a link made an edit before that run was there, the
// one before the edit.
func (p *Player) fill() {
	wanted := []*edit{p.against}
	if p.at > 0 {
		wanted = append(wanted, p.edits[p.at-1])
	}
	for _, e := range wanted {
		if e == nil || e.run != nil || len(e.problems) > 0 || !slices.Contains(p.edits, e) {
			continue
		}
		if running, err := run.Start(e.scenario); err == nil {
			p.work = &work{edit: e, running: running}
			return
		}
	}
}

// show puts a run on the stage. The playhead stays where it is, as far as the
// run goes; the speed stays too, once there is one.
func (p *Player) show(e *edit) {
	first := p.shown == nil
	p.shown = e
	p.tell(e.run)
	p.cursor = e.run.Index.Cursor()
	p.list(e.run)
	p.listStops()
	p.opens = fitsAtOnce(e.run.Log)
	if first {
		p.speed = naturalSpeed(e.run.Outcome.EndedAt)
	}
	if int(p.following) >= e.run.Log.MessageCount() {
		p.following = event.NoMessage
	}
	if p.wanted != event.Never && e == p.edits[p.at] {
		p.time, p.wanted = p.wanted, event.Never
	}
	p.Seek(p.time)
	if p.linked != nil && e == p.edits[p.at] {
		p.arrive(p.linked)
	}
	p.forget()
}

// tell has the run told in the chosen words.
func (p *Player) tell(r *run.Run) {
	p.story = story.Of(r.Scenario, r.Index, p.words.Story)
	p.story.Judge(r.Outcome)
	p.apart = apart{}
}

// fitsAtOnce reports whether all that is sent at 0 has a place in line. Where
// some of it is turned away, waits at the door or makes room, a run begins
// with what has become of it.
func fitsAtOnce(log *event.Log) bool {
	for i := range log.Find(0) {
		switch log.Event(i).Kind {
		case event.Refused, event.Blocked, event.Dropped:
			return false
		}
	}
	return true
}

// forget drops the runs of old edits that are neither on the stage nor next to
// it, so that many edits of a long run do not fill the memory.
func (p *Player) forget() {
	at := p.index(p.shown)
	for i, e := range p.edits {
		if i != at && i != at-1 && i != 0 && e != p.against {
			e.run, e.charted = nil, charted{}
		}
	}
}

// list lists the events of a run that the panels need.
func (p *Player) list(r *run.Run) {
	p.told, p.failed = p.told[:0:0], p.failed[:0:0]
	for i := 0; i < r.Log.Len(); i++ {
		if p.story.Told(i) {
			p.told = append(p.told, int32(i))
		}
		if r.Log.Event(i).Kind == event.HandlerFailed {
			p.failed = append(p.failed, int32(i))
		}
	}
	p.gone = lostAt(r)
	p.steps = chart.StopsOf(r.Log)
}
