package player

import (
	"sort"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/wasm/chart"
)

// charted is what is drawn of a run over time, each made when it is first
// asked for.
type charted struct {
	course   *chart.Course
	expected *chart.Expected
	counts   *chart.Plot
	waits    *chart.Plot
	drawn    chart.Axis // what counts and waits were drawn for
	banded   int        // how many runs the band had then
}

// longest is how many times as long as the run on the stage the axis may get
// to show all of the run before the last edit.
const longest = 2

// Axis returns the axis of everything that is drawn over time: it holds the run
// on the stage and, for comparison, the one before the last edit.
func (p *Player) Axis(width int) chart.Axis {
	end := p.End()
	if before, _ := p.Before(); before != nil {
		end = max(end, min(before.Outcome.EndedAt, longest*end))
	}
	return chart.Axis{End: max(end, 1), Width: width}
}

// At returns where on that axis the playhead is, 0 to 1.
func (p *Player) At() float64 {
	return min(float64(p.Time())/float64(p.Axis(1).End), 1)
}

// PartOf returns the instant at a part of the axis, 0 to 1.
func (p *Player) PartOf(part float64) event.Time {
	return min(event.Time(max(0, min(part, 1))*float64(p.Axis(1).End)), p.End())
}

// Course returns how the numbers of the run on the stage went.
func (p *Player) Course() *chart.Course { return courseOf(p.shown) }

func courseOf(e *edit) *chart.Course {
	if e.charted.course == nil {
		e.charted.course = chart.Of(e.run.Index)
	}
	return e.charted.course
}

// beforeCourse is that of the run before the last edit, or nil.
func (p *Player) beforeCourse() *chart.Course {
	if e := p.beforeEdit(); e != nil {
		return courseOf(e)
	}
	return nil
}

// Expected returns what queueing theory says of the run on the stage, or why
// it says nothing.
func (p *Player) Expected() *chart.Expected {
	c := &p.shown.charted
	if c.expected == nil {
		r := p.shown.run
		c.expected = chart.Expect(r.Scenario, r.Log, r.Outcome)
	}
	return c.expected
}

// Plots returns the drawings of the numbers of the run on the stage.
func (p *Player) Plots(width int) (counts, waits *chart.Plot) {
	c, axis, runs := &p.shown.charted, p.Axis(width), 0
	band := p.Band()
	if band != nil {
		runs = band.Runs
	}
	if c.counts == nil || c.drawn != axis || c.banded != runs {
		c.drawn, c.banded = axis, runs
		now, before := p.Course(), p.beforeCourse()
		c.counts = chart.Counts{Axis: axis, Now: now, Before: before, Capacity: capacity(p.shown.run.Scenario), Expected: p.Expected(), Band: band}.Draw()
		c.waits = chart.Waits{Axis: axis, Now: now, Before: before, Expected: p.Expected()}.Draw()
	}
	return c.counts, c.waits
}

// capacity is how many messages all lines together have room for, 0 when one
// of them has no bound.
func capacity(s *scenario.Scenario) int64 {
	var sum int64
	for _, q := range s.Queues {
		if q.MaxSize == 0 {
			return 0
		}
		sum += q.MaxSize
	}
	return sum
}

// Reading is what the charts show at an instant.
type Reading struct {
	Waiting, InFlight, Dead int64
	Wait                    event.Time // of the message that was last handed out
}

// ReadAt returns what the charts show at an instant.
func (p *Player) ReadAt(t event.Time) Reading {
	c := p.Course()
	return Reading{c.Waiting.After(t), c.InFlight.After(t), c.Dead.After(t), event.Time(c.Wait.After(t))}
}

// Reading returns what the charts show at the playhead.
func (p *Player) Reading() Reading {
	n := p.Counts()
	r := Reading{Waiting: int64(n.Waiting), InFlight: int64(n.InFlight), Dead: int64(n.Dead)}
	if !p.opening {
		r.Wait = event.Time(p.Course().Wait.After(p.Time()))
	}
	return r
}

// laneRoom is how many lanes are shown at once where a run has more messages,
// and laneStep how far the window moves at a time.
const (
	laneRoom = 60
	laneStep = 20
)

// Lanes says which messages have a lane now, and how many have none.
type Lanes struct {
	Messages    []event.MessageRef
	Above, More int // how many come before them and after them
}

// Lanes returns the messages around the playhead: those that were handed out
// last, and their neighbours. The message that is followed is always there.
func (p *Player) Lanes() Lanes {
	n := p.Run().Log.MessageCount()
	first, last := 0, n
	if n > laneRoom+laneStep {
		first = max(0, int(p.LastHandedOut())-laneRoom/2) / laneStep * laneStep
		first = min(first, n-laneRoom)
		last = first + laneRoom
	}
	l := Lanes{Above: first, More: n - last}
	if f := int(p.following); f >= 0 && (f < first || f >= last) {
		l.Messages = append(l.Messages, p.following)
		if f < first {
			l.Above--
		} else {
			l.More--
		}
	}
	for m := first; m < last; m++ {
		l.Messages = append(l.Messages, event.MessageRef(m))
	}
	return l
}

// LaneWindow returns the number of the first message of the window: it changes
// when other lanes are to be shown.
func (p *Player) LaneWindow() int {
	if p.Run() == nil || p.Run().Log.MessageCount() <= laneRoom+laneStep {
		return 0
	}
	return min(max(0, int(p.LastHandedOut())-laneRoom/2)/laneStep*laneStep, p.Run().Log.MessageCount()-laneRoom)
}

// LastHandedOut returns the message that was handed out last, 0 before the
// first.
func (p *Player) LastHandedOut() event.MessageRef {
	i := p.steps.Prev(chart.Delivery, p.events+1)
	if i < 0 {
		return 0
	}
	return p.Run().Log.Event(i).Message
}

// DrawLanes draws the lanes of messages for that width.
func (p *Player) DrawLanes(messages []event.MessageRef, width int) string {
	log := p.Run().Log
	l := chart.Lanes{Axis: p.Axis(width), Index: p.Run().Index, Following: p.following}
	for _, t := range log.Targets {
		if t.Effect {
			l.Target = t
			break
		}
	}
	return l.Draw(messages)
}

// bandSeeds is how many seeds a band is made of.
const bandSeeds = 40

// bandWork is a band on its way: one run after the other, step by step.
type bandWork struct {
	of      *edit
	band    *chart.Band
	running *run.Running
	sample  *chart.Sample
}

// BeginBand begins to run the scenario on the stage with many seeds. WorkBand
// goes on with it.
func (p *Player) BeginBand() {
	if p.Run() != nil {
		p.bandWork = &bandWork{of: p.shown, band: chart.NewBand(p.Axis(1).End)}
	}
}

// EndBand takes the band away, whether it is complete or not.
func (p *Player) EndBand() {
	if p.bandWork != nil && p.bandWork.running != nil {
		p.bandWork.running.Stop()
	}
	p.bandWork, p.band, p.bandOf = nil, nil, nil
}

// Banding reports whether a band is being computed, and how many of its seeds
// are done.
func (p *Player) Banding() (working bool, done, of int) {
	if p.bandWork == nil || p.bandWork.of != p.shown {
		return false, 0, bandSeeds
	}
	return true, p.bandWork.band.Runs, bandSeeds
}

// Band returns the band of the run on the stage, or nil.
func (p *Player) Band() *chart.Band {
	if p.bandOf == p.shown {
		return p.band
	}
	return nil
}

// WorkBand computes on until the band is there or over says that the time is
// up. It reports whether the band has just become complete.
func (p *Player) WorkBand(over func() bool) bool {
	w := p.bandWork
	if w == nil {
		return false
	}
	if w.of != p.shown { // another run is on the stage now
		p.EndBand()
		return false
	}
	const atOnce = 64
	for w.band.Runs < bandSeeds {
		if w.running == nil && !w.begin() {
			p.EndBand()
			return false
		}
		if more := w.running.Step(atOnce); more {
			w.sample.Read()
		} else {
			w.sample.Done()
			w.running.Stop()
			w.running = nil
		}
		if over() {
			break
		}
	}
	if w.band.Runs < bandSeeds {
		return false
	}
	p.band, p.bandOf, p.bandWork = w.band, w.of, nil
	return true
}

// begin starts the run of the next seed.
func (w *bandWork) begin() bool {
	s := w.of.scenario.Clone()
	s.Seed = uint64(w.band.Runs + 1)
	running, err := run.Start(s)
	if err != nil {
		return false
	}
	w.running, w.sample = running, w.band.Sample(running.Log())
	return true
}

// SetSeed edits the seed.
func (p *Player) SetSeed(seed uint64) {
	if seed == p.Scenario().Seed {
		return
	}
	text := strconv.FormatUint(seed, 10)
	p.Edit("seed "+text, "seed", func(s *scenario.Scenario) scenario.Problems { return scenario.Set(s, "seed", text) })
	p.Seal()
}

// AnotherSeed takes the next one.
func (p *Player) AnotherSeed() { p.SetSeed(p.Scenario().Seed + 1) }

// Stop is a moment at which play halts of itself, with a sentence.
type Stop struct {
	Event int    `json:"event"` // play halts just after it
	Text  string `json:"text"`
}

// SetStops hands in how the stops of a run are found: runs differ, and so do
// the numbers of their events. nil takes all stops away.
func (p *Player) SetStops(find func(*run.Run) []Stop) {
	p.findStops = find
	p.listStops()
}

// listStops finds the stops of the run on the stage, in its order.
func (p *Player) listStops() {
	p.stops, p.halted = nil, -1
	if r := p.Run(); r != nil && p.findStops != nil {
		for _, s := range p.findStops(r) {
			if s.Event >= 0 && s.Event < r.Log.Len() {
				p.stops = append(p.stops, s)
			}
		}
		sort.SliceStable(p.stops, func(i, j int) bool { return p.stops[i].Event < p.stops[j].Event })
	}
}

// Stops returns the stops of the run on the stage.
func (p *Player) Stops() []Stop { return p.stops }

// Halted returns the stop at which play has halted.
func (p *Player) Halted() (Stop, bool) {
	if p.halted < 0 {
		return Stop{}, false
	}
	return p.stops[p.halted], true
}

// halt stops at the first stop that play has come by since it was here last,
// and reports whether there is one.
func (p *Player) halt() bool {
	k := sort.Search(len(p.stops), func(k int) bool { return p.stops[k].Event >= p.unmet })
	p.unmet = p.events
	if k == len(p.stops) || p.stops[k].Event >= p.events {
		return false
	}
	p.GoTo(p.stops[k].Event)
	p.halted = k
	return true
}
