package player

import (
	"math"
	"slices"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/wasm/chart"
)

// Speeds are what a reader can choose from, in virtual seconds per second on
// the wall: each about twice the one before.
var Speeds = []float64{0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100}

const (
	// defaultLength is how long a run should take to watch, in seconds.
	defaultLength = 12
	// tail is how long, on the wall, the playhead goes on after the last
	// event, so that what moves then comes to rest.
	tail = 2
)

// Time returns where the playhead is.
func (p *Player) Time() event.Time { return min(p.time, p.End()) }

// Events returns how many events of the log lie before the playhead.
func (p *Player) Events() int { return p.events }

// Moment returns the playhead's time as the stage needs it: after the end it
// goes on for a little, while the last things come to rest.
func (p *Player) Moment() event.Time { return p.time }

// End returns when the run on the stage ended.
func (p *Player) End() event.Time {
	if r := p.Run(); r != nil {
		return r.Outcome.EndedAt
	}
	return 0
}

// Playing reports whether time moves.
func (p *Player) Playing() bool { return p.playing }

// Settled reports whether the stage is still: paused after a step or a seek,
// so that everything stands where its event has put it.
func (p *Player) Settled() bool { return p.settled }

// Opening reports whether the run has not been touched: what is sent at 0 hangs
// on the rail, hands are free, and nothing has been told.
func (p *Player) Opening() bool { return p.opening }

// Stepped reports whether the playhead was put just after one event.
func (p *Player) Stepped() bool { return p.stepped }

// Told returns how many events stood on the stage at rest when playing began;
// they are not shown happening again.
func (p *Player) Told() int { return p.toldAtPlay }

// State returns the run at the playhead. It is valid until the next call.
func (p *Player) State() *replay.State { return p.cursor.SeekEvents(p.events) }

// Play lets time move; at the end it begins again.
func (p *Player) Play() {
	if p.Run() == nil || p.playing {
		return
	}
	if p.time >= p.End() {
		p.Seek(0)
	}
	p.unmet = p.events
	if p.opening {
		p.toldAtPlay, p.unmet = 0, 0
	} else if p.settled {
		p.toldAtPlay = p.events
	}
	p.playing, p.settled, p.opening, p.stepped, p.halted = true, false, false, false, -1
}

// Resume goes to where a recording of this very run was, as if play had come
// there from the start, and plays on, or stays; halted says that it stays at a
// stop.
func (p *Player) Resume(t event.Time, playing, halted bool) {
	if p.Run() == nil {
		return
	}
	p.Seek(t)
	if !playing && p.time >= p.End() {
		return
	}
	p.time = max(0, min(t, p.End()+event.Time(tail*p.speed*1e9)))
	p.playing, p.settled, p.opening, p.toldAtPlay, p.unmet = playing, false, false, 0, p.events
	for k := len(p.stops) - 1; halted && k >= 0; k-- {
		if p.Run().Log.Event(p.stops[k].Event).At <= t {
			p.GoTo(p.stops[k].Event)
			p.halted = k
			return
		}
	}
}

// Pause stops time.
func (p *Player) Pause() {
	p.playing = false
}

// Toggle plays or pauses.
func (p *Player) Toggle() {
	if p.playing {
		p.Pause()
	} else {
		p.Play()
	}
}

// Known reports whether the reader has seen how a run ends: from then on what
// lies behind the playhead is shown beforehand.
func (p *Player) Known() bool { return p.known || p.at > 0 }

// see notes that the end was reached.
func (p *Player) see() { p.known = p.known || p.events > 0 && p.events >= p.Run().Log.Len() }

// Advance moves a playing playhead by a time on the wall, in seconds. It halts
// at the stops on the way, and at the end begins again or stops.
func (p *Player) Advance(wall float64) {
	if !p.playing {
		return
	}
	p.time += event.Time(wall * p.speed * 1e9)
	last := p.End() + event.Time(tail*p.speed*1e9)
	over := p.time >= last
	p.time = min(p.time, last)
	p.events = p.Run().Log.Find(p.time)
	if p.halt() || !over {
		return
	}
	p.see()
	p.settled = true
	p.Pause()
	p.again()
}

// AdvanceStep moves a playing playhead by one event, for readers who want no
// motion. It halts, stops and begins again as Advance does.
func (p *Player) AdvanceStep() {
	if !p.playing {
		return
	}
	unmet := p.unmet
	p.StepForward()
	p.unmet = unmet
	if p.halt() {
		return
	}
	if p.Time() < p.End() {
		p.Play()
		return
	}
	p.GoToEnd() // all that happens at the end is one step
	p.again()
}

// again begins the run anew, when it is to go round.
func (p *Player) again() {
	if p.loop && p.End() > 0 {
		p.Play()
	}
}

// Loop reports whether the run begins again at its end.
func (p *Player) Loop() bool { return p.loop }

// SetLoop sets whether it does.
func (p *Player) SetLoop(loop bool) { p.loop = loop }

// Seek goes to an instant, after all that happens at it.
func (p *Player) Seek(t event.Time) {
	if p.Run() == nil {
		return
	}
	p.time = max(0, min(t, p.End()))
	p.events = p.Run().Log.Find(p.time)
	p.settled, p.stepped, p.halted = !p.playing, false, -1
	p.opening = p.settled && p.time == 0 && p.opens
	p.toldAtPlay = p.events
	p.see()
}

// SeekPart goes to a part of the axis, 0 to 1.
func (p *Player) SeekPart(part float64) { p.Seek(p.PartOf(part)) }

// Restart goes to the start, after what happens at its first instant.
func (p *Player) Restart() {
	p.Pause()
	p.Seek(0)
}

// GoToEnd goes to after the last event.
func (p *Player) GoToEnd() {
	p.Pause()
	p.Seek(p.End())
	p.opening = false // also when a run is over at 0
}

// GoTo goes to just after event i, before anything else of the same instant.
func (p *Player) GoTo(i int) {
	r := p.Run()
	if r == nil || i < 0 || i >= r.Log.Len() {
		return
	}
	p.Pause()
	p.time, p.events, p.settled = r.Log.Event(i).At, i+1, true
	p.stepped, p.opening, p.halted = true, false, -1
	p.see()
}

// StepForward goes to just after the next event that has a sentence; from the
// opening, to after all that happens at 0.
func (p *Player) StepForward() {
	if p.opening {
		p.opening = false
		return
	}
	if n := p.nextTold(); n < len(p.told) {
		p.GoTo(int(p.told[n]))
	} else {
		p.GoToEnd()
	}
}

// StepBack goes back to just after the event before the current one, or to
// before the first.
func (p *Player) StepBack() {
	if n := p.nextTold(); n > 1 {
		p.GoTo(int(p.told[n-2]))
		return
	}
	p.Restart()
	p.events, p.opening = 0, false
}

// nextTold returns the place in told of the first event after the playhead.
func (p *Player) nextTold() int { return p.before(p.told) }

// Kind returns what NextMark and PrevMark go to; chart.Kinds is whatever has a
// mark.
func (p *Player) Kind() chart.Kind { return p.kind }

// SetKind sets it.
func (p *Player) SetKind(k chart.Kind) { p.kind = min(k, chart.Kinds) }

// Kinds returns how many events of each kind the run has, and last how many
// have a mark.
func (p *Player) Kinds() (counts [chart.Kinds + 1]int) {
	if p.steps != nil {
		for k := range counts {
			counts[k] = p.steps.Count(chart.Kind(k))
		}
	}
	return counts
}

// NextMark goes to just after the next event of the chosen kind and reports
// whether there is one.
func (p *Player) NextMark() bool {
	n := p.events
	if p.opening {
		n = 0
	}
	return p.goToMark(p.steps.Next(p.kind, n))
}

// PrevMark goes back to just after the one before.
func (p *Player) PrevMark() bool {
	n := p.events
	if !p.stepped { // all that happens at this instant is over: its last one counts
		n++
	}
	return p.goToMark(p.steps.Prev(p.kind, n))
}

func (p *Player) goToMark(i int) bool {
	if p.Run() == nil || i < 0 {
		return false
	}
	p.GoTo(i)
	return true
}

// Speed returns the speed in virtual seconds per second on the wall.
func (p *Player) Speed() float64 { return p.speed }

// SetSpeed sets the speed to one of Speeds.
func (p *Player) SetSpeed(speed float64) {
	if slices.Contains(Speeds, speed) {
		p.speed = speed
	}
}

// SpeedText writes a speed as it is shown: 0.5×.
func SpeedText(speed float64) string {
	return strconv.FormatFloat(speed, 'f', -1, 64) + "×"
}

// naturalSpeed is the speed at which a run is watched in a quarter of a
// minute.
func naturalSpeed(length event.Time) float64 {
	wanted := max(length.Seconds(), .001) / defaultLength
	best := Speeds[0]
	for _, speed := range Speeds {
		if math.Abs(math.Log(speed/wanted)) < math.Abs(math.Log(best/wanted)) {
			best = speed
		}
	}
	return best
}

// Follow marks one message, or event.NoMessage for none.
func (p *Player) Follow(m event.MessageRef) {
	p.following = m
}

// FollowID follows the message with that id, or none when it is followed
// already.
func (p *Player) FollowID(id string) {
	r := p.Run()
	if r == nil {
		return
	}
	for m := range r.Log.MessageCount() {
		if r.Log.MessageID(event.MessageRef(m)).String() == id {
			if p.following == event.MessageRef(m) {
				m = int(event.NoMessage)
			}
			p.Follow(event.MessageRef(m))
			return
		}
	}
}

// Following returns the message that is marked, or event.NoMessage.
func (p *Player) Following() event.MessageRef { return p.following }
