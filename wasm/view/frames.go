package view

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

const (
	// panelsEvery is how often the panels follow a moving playhead, in
	// milliseconds.
	panelsEvery = 100
	// windowsEvery is how often each window follows it, in milliseconds. They
	// do so in turns: a frame in which all of them are made anew would be late.
	windowsEvery = 1000
	// reducedStep is how long each event stands when the reader wants no
	// motion, in milliseconds.
	reducedStep = 700
	// longestFrame bounds what one frame may move: after a pause of the
	// browser's own, time goes on where it was.
	longestFrame = 100
)

// run has frames called, if they are not.
func (p *Page) run() {
	if p.frames {
		return
	}
	p.frames = true
	p.last = p.edge.Now()
	p.edge.Frames(p.frame)
}

// frame moves the playhead and draws; it reports whether there is more to do.
func (p *Page) frame(now float64) bool {
	passed := max(0, min(now-p.last, longestFrame))
	p.last = now
	if p.working() && now >= p.rest {
		p.work()
	}
	if banding, _, _ := p.player.Banding(); banding && p.player.WorkBand(p.deadline()) {
		p.refresh()
	}
	if !p.working() && p.player.CrashesWorking() {
		p.player.WorkCrashes(p.deadline())
	}
	if p.player.Playing() && p.edge.Visible() {
		p.advance(passed)
	}
	p.frames = p.busy()
	if now-p.panelsAt >= panelsEvery || !p.frames {
		p.panelsAt = now
		p.follow()
	}
	return p.frames
}

// busy reports whether frames are wanted.
func (p *Page) busy() bool {
	banding, _, _ := p.player.Banding()
	return p.working() || banding || p.player.CrashesWorking() || p.player.Playing() && p.edge.Visible()
}

// working reports whether a run or an answer is being computed.
func (p *Page) working() bool {
	run, _ := p.player.Working()
	return run || p.session.Working()
}

// work goes on with a run that is being computed. One step of it can take
// long, a handler in an endless loop up to its step limit; the browser then
// gets as much time for the reader.
func (p *Page) work() {
	const long = 20 // milliseconds
	start := p.edge.Now()
	if p.session.Work(p.deadline()) {
		p.draw()
		p.revealed()
		p.keep() // a challenge may have been solved
	}
	if p.eager && p.player.Run() != nil {
		p.play()
	}
	if took := p.edge.Now() - start; took > long {
		p.rest = start + 2*took
	}
}

// advance lets that many milliseconds pass on the wall.
func (p *Page) advance(passed float64) {
	if p.edge.Reduced() {
		if p.waited += passed; p.waited < reducedStep {
			return
		}
		p.waited = 0
		p.player.AdvanceStep()
	} else {
		p.player.Advance(passed / 1000)
	}
	revealed := p.revealed()
	p.draw()
	if !p.player.Playing() && !revealed {
		p.stopped()
	}
}

// soon brings the panels up to date, but not more often than they can bear.
func (p *Page) soon() {
	if now := p.edge.Now(); now-p.panelsAt >= panelsEvery {
		p.panelsAt = now
		p.follow()
	}
}

// redraw draws the stage as it is now; a run that is still being computed is
// continued in frames.
func (p *Page) redraw() {
	p.draw()
	if p.working() || p.player.CrashesWorking() {
		p.run()
	}
}

// draw hands the stage's changes and what is live to the browser.
func (p *Page) draw() {
	r := p.player.Run()
	if r == nil || p.textual {
		return
	}
	if now := p.drawingOf(r); now != p.inked {
		if now.size != p.size {
			p.differ.Reset() // another drawing, which has not been touched yet
		}
		p.stage = p.newStage(now)
		p.inked, p.size, p.natural = now, now.size, p.stage.Natural()
	}
	p.live.begin(p.differ.Diff(p.stage.Frame(p.input())))
	p.moving()
	p.handOver()
	p.drawTwin()
}

// drawing is what a stage was made for.
type drawing struct {
	run   *run.Run
	size  scene.Size
	words *player.Words
}

func (p *Page) drawingOf(r *run.Run) drawing { return drawing{r, p.edge.Size(), p.player.Words()} }

func (p *Page) newStage(d drawing) *scene.Stage {
	return scene.New(scene.Run{Scenario: d.run.Scenario, Log: d.run.Log, Index: d.run.Index}, d.size, scene.WordSets()[d.words.Key])
}

// input is the moment to draw.
func (p *Page) input() scene.Input {
	in := scene.Input{
		State: p.player.State(), Now: p.player.Moment(), Speed: p.player.Speed(), Natural: p.natural,
		Reduced: p.edge.Reduced(), Follow: p.player.Following(),
		Opening: p.player.Opening(), Stepped: p.player.Stepped(), Told: p.player.Told(),
	}
	if p.player.Settled() {
		in.Speed = 0
	}
	return in
}

// handOver sends what was written, if anything was.
func (p *Page) handOver() {
	if len(p.live.buffer) > 0 {
		p.edge.Paint(p.size, p.live.buffer, p.live.stage)
	}
}

// turns are the windows that follow a moving playhead.
var turns = [...]string{"transcript", "lanes"}

// follow brings what follows the playhead up to date: what is live at once, and
// the panels of which something else has changed.
func (p *Page) follow() {
	if now := p.edge.Now(); now-p.windowsAt >= windowsEvery/float64(len(turns)) {
		p.windowsAt = now
		p.turn = (p.turn + 1) % len(turns)
		delete(p.windows, turns[p.turn])
	}
	if p.player.Run() != nil && !p.textual {
		p.live.begin(nil)
		p.pacing()
		p.handOver()
	}
	if p.changed() {
		p.refresh()
	}
}

// rewrite writes everything that is live again, once elements were made anew.
func (p *Page) rewrite(ctx app.Context) {
	if p.stale || p.textual || p.player.Run() == nil {
		return
	}
	p.stale = true
	ctx.Defer(func(app.Context) {
		p.stale = false
		p.live.forget()
		p.live.begin(nil)
		p.moving()
		p.pacing()
		p.handOver()
	})
}

// watched is called when the stage's size, its visibility or the wish for less
// motion has changed.
func (p *Page) watched() {
	if p.edge.Size() != p.size {
		p.draw()
	}
	if p.player.Playing() && p.edge.Visible() {
		p.run()
	}
}
