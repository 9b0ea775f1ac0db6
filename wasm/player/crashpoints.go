package player

import (
	"github.com/ticketrail/ticketrail/core/crashpoint"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// crashEvents bounds each run of the crash matrix. A lesson's has a few
// hundred events; one of more is looked at up to here.
const crashEvents = 20_000

// crashes are what a crash right after each line of a handler would do: found
// out when a reader asks, in slices, and again after each edit while they are
// asked for.
type crashes struct {
	asked   bool
	edited  int
	card    int
	finding *crashpoint.Finding
	fault   string
}

// CrashPoint is what a crash right after one line would do.
type CrashPoint struct {
	Result Crashed
	Chosen bool // this crash is in the scenario
}

// Crashed is what a crash does to the work, as far as the matrix shows it.
type Crashed uint8

// The results.
const (
	NotKnown     Crashed = iota // it is being found out
	CrashRight                  // done once, or still to come
	CrashLost                   // gone
	CrashTwice                  // done twice
	CrashBoth                   // one lost and one done twice
	CrashDead                   // in the dead letters
	CrashNothing                // the line ends the run: nothing is left to crash
)

var crashedBy = map[crashpoint.Result]Crashed{
	crashpoint.Right: CrashRight, crashpoint.Lost: CrashLost, crashpoint.Twice: CrashTwice,
	crashpoint.LostAndTwice: CrashBoth, crashpoint.Dead: CrashDead, crashpoint.Over: CrashNothing,
}

// Matrix is what a crash at each line of the handler on the code card would do.
type Matrix struct {
	Points   map[int]CrashPoint // by line; lines that are not run have none
	Message  string             // whose first hand-out it is
	Done, Of int                // how many lines have been tried
	Fault    string             // why there is nothing to see
	Within   string             // the time that is looked at, when that is not all
}

// AskCrashes begins or ends asking what a crash would do at each line.
func (p *Player) AskCrashes(ask bool) {
	p.dropCrashes()
	p.crashes.asked = ask
	p.startCrashes()
}

// AsksCrashes reports whether that is asked.
func (p *Player) AsksCrashes() bool { return p.crashes.asked }

func (p *Player) dropCrashes() {
	if p.crashes.finding != nil {
		p.crashes.finding.Stop()
	}
	p.crashes = crashes{asked: p.crashes.asked}
}

// startCrashes begins finding out, if it is asked and not known.
func (p *Player) startCrashes() {
	c := &p.crashes
	if !c.asked || len(p.Problems()) > 0 || c.edited == p.edited && c.card == p.Card() && (c.finding != nil || c.fault != "") {
		return
	}
	p.dropCrashes()
	c.edited, c.card = p.edited, p.Card()
	pools := p.Pools()
	if len(pools) == 0 {
		c.fault = "there are no workers, so nobody can crash"
		return
	}
	var err error
	if c.finding, err = crashpoint.Start(p.Scenario(), pools[c.card], "", crashEvents); err != nil {
		c.finding, c.fault = nil, err.Error()
	}
}

// CrashesRevision changes when more has become known of the crashes.
func (p *Player) CrashesRevision() int { return p.crashed }

// CrashesWorking reports whether something is left to find out.
func (p *Player) CrashesWorking() bool {
	p.startCrashes()
	c := &p.crashes
	return c.finding != nil && !c.finding.Over() && len(p.Problems()) == 0
}

// WorkCrashes goes on finding out until all is known or the time is up, and
// reports whether nothing is left to do.
func (p *Player) WorkCrashes(over func() bool) bool {
	p.startCrashes()
	c := &p.crashes
	for n := 1; c.finding != nil && len(p.Problems()) == 0; n = min(2*n, maxSlice) {
		done, _ := c.finding.Done()
		more, err := c.finding.Step(n)
		if now, _ := c.finding.Done(); now != done {
			p.crashed++
		}
		switch {
		case err != nil:
			c.finding, c.fault = nil, err.Error()
			p.crashed++
			return true
		case !more:
			return true
		case over():
			return false
		}
	}
	return true
}

// Crashes returns what is known so far, and whether it is asked.
func (p *Player) Crashes() (m Matrix, asked bool) {
	c := &p.crashes
	if !c.asked {
		return m, false
	}
	m.Fault = c.fault
	if c.finding == nil {
		return m, true
	}
	table := c.finding.Table()
	m.Points = map[int]CrashPoint{}
	m.Done, m.Of = c.finding.Done()
	if table.Whole == nil {
		return m, true
	}
	m.Message = table.Message.String()
	if table.Until > 0 {
		m.Within = Seconds(table.Until)
	}
	for i := range table.Points {
		point := &table.Points[i]
		cp := CrashPoint{Chosen: p.chosen(point)}
		if point.Run != nil {
			cp.Result = crashedBy[point.Result]
		}
		m.Points[point.Line] = cp
	}
	return m, true
}

// chosen reports whether the crash of a point is the one that the scenario has.
func (p *Player) chosen(point *crashpoint.Point) bool {
	now, then := p.Scenario().Workers, point.Scenario.Workers
	at := p.crashes.card
	return at < len(now) && len(now[at].Crash.Exact) == 1 && now[at].Crash.Exact[0] == then[at].Crash.Exact[0]
}

// CrashAt puts the crash right after a line into the scenario, as an edit, and
// the playhead to just before it; a crash that is there already is taken out.
// It reports whether there is one to be watched now.
func (p *Player) CrashAt(line int) bool {
	c := &p.crashes
	if c.finding == nil {
		return false
	}
	point := c.finding.Table().At(line)
	if point == nil || point.Run == nil {
		return false
	}
	at, here := c.card, p.chosen(point)
	if here && p.edits[p.at].key == "crash" {
		p.Undo()
		c.edited = p.edited // only the crash is another: what was found still holds
		return false
	}
	label := "crash after line " + count(int64(line))
	if here {
		label = "no crash"
	}
	p.Edit(label, "crash", func(s *scenario.Scenario) scenario.Problems {
		pool := &s.Workers[at]
		if here {
			pool.Crash = scenario.Crash{}
			if own := poolOf(p.Original().Clone(), pool.Name); own != nil {
				pool.Crash = own.Crash
			}
			return nil
		}
		pool.Crash, pool.Handler = point.Scenario.Workers[at].Crash, point.Scenario.Workers[at].Handler
		return nil
	})
	p.Seal()
	c.edited = p.edited // only the crash is another: what was found still holds
	if here {
		return false
	}
	p.wanted = beforeCrash(point)
	return true
}

// beforeCrash is a little before the crash: time to see what the worker was
// doing.
func beforeCrash(point *crashpoint.Point) event.Time {
	log := point.Run.Log
	for i := range log.Len() {
		if e := log.Event(i); e.Kind == event.Crashed {
			const ahead = 150 * event.Millisecond
			return max(0, e.At-ahead)
		}
	}
	return 0
}
