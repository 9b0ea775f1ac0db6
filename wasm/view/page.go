// Package view shows a player as go-app components, and turns what a reader
// does into updates of the player. It is the only importer of go-app. It never
// draws the stage: frames go from wasm/scene to paint.js through the Edge.
//
// A Page holds the player and the parts that show it: prose, strip, transport
// and so on. Each part has a key, which says everything that it shows; it is
// rendered again only when its key has changed (panel.go). While time moves, the
// stage, the playhead and a few numbers are written in every frame past go-app
// (live.go), the other panels are brought up to date about ten times a second;
// while nothing changes, nothing runs. Start reading at Page, then frames.go.
package view

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Page is one player on the page that was built for it.
type Page struct {
	edge   Edge
	player *player.Player
	ctx    app.Context

	stage    *scene.Stage // draws the run that is on the stage
	drawn    *run.Run     // the run that it was made for
	size     scene.Size
	differ   scene.Differ
	natural  float64
	frames   bool    // the browser is calling frame
	last     float64 // when the last frame was
	panelsAt float64 // when the panels were last brought up to date
	rest     float64 // until when a long computation lets the browser be
	waited   float64 // with reduced motion: since the last step
	began    float64 // when the run that is being computed was asked for
	fault    string  // what is wrong with the page itself

	prose, try prose
	notices    notices
	strip      strip
	transport  transport
	timeline   timeline
	chart      charts
	live       live
	stale      bool              // elements were made anew, and what is live is to be written
	keys       map[string]string // of the panels, when they were last rendered
	code       code
	settings   settings
	transcript transcript
	outcome    outcome

	folds map[string]bool // which folded parts are open
	drag  drag
	typed bool // the handler is being typed
}

// New opens the scenario that the page was built with, and what its address
// says about it, so that the first rendering shows what the page shows.
func New(edge Edge) *Page {
	p := &Page{edge: edge, folds: map[string]bool{}, keys: map[string]string{}}
	p.prose, p.try = prose{page: p}, prose{page: p, try: true}
	p.notices, p.strip = notices{page: p}, strip{page: p}
	p.transport, p.timeline = transport{page: p}, timeline{page: p, list: -1}
	p.chart = charts{page: p, hover: -1}
	p.live.forget()
	p.code, p.settings = code{page: p}, settings{page: p}
	p.transcript, p.outcome = transcript{page: p}, outcome{page: p}
	s, problems := scenario.DecodeJSON(edge.Scenario())
	if len(problems) > 0 {
		p.fault = problems.Error()
		return p
	}
	p.player = player.New(s)
	p.began = p.edge.Now()
	p.player.Work(p.within(firstRun))
	p.open(edge.Fragment())
	for _, name := range []string{"charts", "settings", "transcript", "outcome"} {
		p.folds[name] = !edge.Narrow()
	}
	return p
}

// Root returns the page as a component.
func (p *Page) Root() app.Composer { return &root{render: p.render, begin: p.begin} }

// begin starts what goes on beside the elements, once they are there.
func (p *Page) begin(ctx app.Context) {
	p.ctx = ctx
	if p.player == nil {
		return
	}
	p.edge.Offer(p.offers())
	p.edge.Watch(p.watched)
	p.edge.Moved(p.addressed)
	p.redraw()
	if p.edge.Wanted() == "play" {
		p.play()
	}
}

// addressed opens the link that a reader has put into the address.
func (p *Page) addressed() {
	fragment := strings.TrimPrefix(p.edge.Fragment(), "#")
	if fragment == p.player.Address() {
		return
	}
	p.player.Pause()
	p.player.Reset()
	p.player.Restart()
	p.open(fragment)
	p.redraw()
	p.refresh()
}

// changed reports whether a panel would be rendered anew, apart from what is
// live in it.
func (p *Page) changed() bool {
	if p.ctx.Context == nil || p.player == nil {
		return true
	}
	changed := false
	for name, key := range map[string]string{
		"notices": p.noticesKey(), "strip": p.stripKey(), "transport": p.transportKey(), "timeline": p.timelineKey(),
		"charts": p.chartsKey(), "code": p.codeKey(), "settings": p.settingsKey(), "transcript": p.transcriptKey(), "outcome": p.outcomeKey(),
	} {
		if p.keys[name] != key {
			p.keys[name] = key
			changed = true
		}
	}
	return changed
}

// refresh brings the panels up to date.
func (p *Page) refresh() {
	if p.ctx.Context != nil {
		p.ctx.Dispatch(nil)
	}
}

// firstRun is how long the first run may take at once, in milliseconds: until
// it is there, the page could answer nothing anyway, and it shows that run.
const firstRun = 200

// deadline returns a function that reports when a slice of work is over.
func (p *Page) deadline() func() bool { return p.within(6) }

// within returns a function that reports when so many milliseconds are over.
func (p *Page) within(slice float64) func() bool {
	start := p.edge.Now()
	return func() bool { return p.edge.Now()-start > slice }
}

// render shows the header and the panels.
func (p *Page) render() app.UI {
	if p.player == nil {
		return el("div").Body(el("p").Class("notice err").Text("This page's scenario is not valid: " + p.fault))
	}
	return el("div").ID("app").Body(
		el("a").Class("btn skip").Attr("href", "#stage").DataSet("do", "stage").Text("To the stage"),
		header(),
		el("main").Class("lesson").ID("player").OnKeyDown(p.key).Body(
			&panel{Key: p.proseKey(), render: p.prose.render},
			el("section").Class("bench").Aria("label", "Kitchen").Body(
				el("div").Class("stage").ID("stage").Attr("tabindex", -1).OnClick(p.clickStage).OnKeyDown(p.keyStage),
				&panel{Key: p.noticesKey(), render: p.notices.render},
				&panel{Key: p.stripKey(), render: p.strip.render, shown: p.rewrite},
				el("section").Class("timeblock").Aria("label", "Time").Body(
					el("div").Class("dock").Body(
						&panel{Key: p.transportKey(), render: p.transport.render, shown: p.rewrite},
						&panel{Key: p.timelineKey(), render: p.timeline.render, shown: p.rewrite},
					),
					&panel{Key: p.chartsKey(), render: p.chart.render, shown: p.rewrite},
				),
			),
			el("div").Class("script").Body(
				&panel{Key: p.proseKey(), render: p.try.render},
				&panel{Key: p.codeKey(), render: p.code.render},
				&panel{Key: p.settingsKey(), render: p.settings.render},
			),
			el("div").Class("after").Body(
				&panel{Key: p.transcriptKey(), render: p.transcript.render, shown: p.rewrite},
				&panel{Key: p.outcomeKey(), render: p.outcome.render},
			),
			el("p").Class("vh").ID("said").Aria("live", "polite"),
		),
	)
}

func header() app.UI {
	return el("header").Class("bar").Body(
		el("a").Class("brand").Attr("href", "./").Body(
			app.Raw(`<svg class="mark" aria-hidden="true"><use href="#g-mark"/></svg>`),
			el("span").Text("Ticketrail"),
		),
		el("p").Class("where").Text("A message queue you can take apart"),
		el("div").Class("tools").Body(
			el("button").Class("btn icon").Attr("type", "button").DataSet("do", "keys").Aria("label", "Keys").Body(icon("keys", "")),
			el("button").Class("btn icon").Attr("type", "button").DataSet("do", "theme").Aria("label", "Light or dark").Body(icon("sun", "")),
		),
	)
}

// fold is a part that is folded away on a phone.
func (p *Page) fold(name, title string, body ...app.UI) app.UI {
	class := "fold"
	if name == "settings" {
		class += " card"
	}
	return el("details").Class(class).ID(name).Attr("open", p.folds[name]).
		On("toggle", func(ctx app.Context, e app.Event) {
			p.folds[name] = ctx.JSSrc().Get("open").Bool()
			ctx.PreventUpdate()
		}, app.EventScope(name)).
		Body(append([]app.UI{el("summary").Body(el("h2").Text(title))}, body...)...)
}

// edited is called after the scenario or the run may have changed.
func (p *Page) edited() {
	const atOnce = 30 // milliseconds: the run of a lesson comes with its edit
	p.began = p.edge.Now()
	p.player.Work(p.within(atOnce))
	p.remember()
	p.redraw()
}

// moved is called after the playhead was moved while time stands still.
func (p *Page) moved() {
	p.redraw()
	if now, _ := p.player.Sentence(); now != nil {
		p.edge.Say(now.Text)
	}
	p.remember()
	p.follow()
}

func (p *Page) play() {
	p.player.Play()
	p.waited = 0
	p.run()
}

// stopped is called when time has stopped.
func (p *Page) stopped() {
	p.remember()
	if stop, halted := p.player.Halted(); halted {
		p.edge.Say(stop.Text)
		return
	}
	p.edge.Say(p.summary())
}

// summary says in one sentence where everything is.
func (p *Page) summary() string {
	a := p.player.AddsUp()
	parts := []string{}
	for _, s := range a.Shares {
		if s.Count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", s.Count, s.Name))
		}
	}
	text := "Paused at " + player.Seconds(p.player.Time()) + ": " + strings.Join(parts, ", ")
	if a.Lost > 0 {
		text += fmt.Sprintf("; %d lost", a.Lost)
	}
	if a.Twice > 0 {
		text += fmt.Sprintf("; %d done twice", a.Twice)
	}
	return text + "."
}

// key handles the keys of the player, unless they belong to a field.
func (p *Page) key(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	if e.Get("defaultPrevented").Bool() || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	key := e.Get("key").String()
	fields := "input, textarea, select, [role=slider], .grip"
	if key == " " {
		fields = "input, textarea, select" // a slider has no use for it
	}
	if own := e.Get("target").Call("closest", fields); own.Truthy() {
		return
	}
	onButton := e.Get("target").Call("closest", "button, summary, a").Truthy()
	switch {
	case key == " " && !onButton:
		p.player.Toggle()
		p.toggled()
	case (key == "ArrowRight" || key == "ArrowLeft") && e.Get("shiftKey").Bool():
		p.toMark(key == "ArrowRight")
	case key == "ArrowRight":
		p.player.StepForward()
		p.moved()
	case key == "ArrowLeft":
		p.player.StepBack()
		p.moved()
	case key == "Home":
		p.player.Restart()
		p.moved()
	case key == "End":
		p.player.GoToEnd()
		p.moved()
	case key == "?":
		app.Window().Get("document").Call("getElementById", "keys").Call("showModal")
	default:
		return
	}
	e.PreventDefault()
}

func (p *Page) toggled() {
	if p.player.Playing() {
		p.play()
	} else {
		p.stopped()
	}
	p.follow()
}

// clickStage does what the thing on the stage that was clicked offers.
func (p *Page) clickStage(ctx app.Context, e app.Event) {
	if !p.act(e) {
		ctx.PreventUpdate()
	}
}

// keyStage does the same for the keys that press a button.
func (p *Page) keyStage(ctx app.Context, e app.Event) {
	if key := e.Get("key").String(); key != "Enter" && key != " " || !p.act(e) {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
}

// act follows a ticket, crashes a worker or redrives the dead letters. The
// last two are entries of the scenario's timeline, and so a new run.
func (p *Page) act(e app.Event) bool {
	switch clicked(e, "act") {
	case "follow":
		p.player.FollowID(clicked(e, "message"))
		p.redraw()
	case "crash":
		p.player.CrashNow(clicked(e, "worker"))
		p.edited()
	case "redrive":
		p.player.RedriveNow(clicked(e, "queue"))
		p.edited()
	default:
		return false
	}
	return true
}
