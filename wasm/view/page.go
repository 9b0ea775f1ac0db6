// Package view shows a player as go-app components, and turns what a reader
// does into updates of the player. It is the only importer of go-app. It never
// draws the stage: frames go from wasm/scene to paint.js through the Edge.
//
// A Page holds the lesson that is open, the player of its stage and the parts
// that show them: script, strip, transport and so on. Each part has a key,
// which says everything that it shows; it is rendered again only when its key
// has changed (panel.go). While time moves, the stage, the playhead and a few
// numbers are written in every frame past go-app (live.go), the other panels
// are brought up to date about ten times a second; while nothing changes,
// nothing runs. Start reading at Page, then frames.go; script.go has the prose,
// question.go and challenge.go what is asked in it.
package view

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Page is one lesson on the page that was built for it.
type Page struct {
	edge    Edge
	built   Built            // what the page is, and where it stands
	session *player.Session  // nil when the page's lesson is not valid
	series  *player.Practice // of a page for practice
	player  *player.Player   // of the stage that is shown
	ctx     app.Context
	whole   *whole // all steps are shown, one after the other, with their answers

	stage    *scene.Stage // draws the run that is on the stage
	inked    drawing      // what it was made for
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

	before     script
	beside     script
	letter     letter
	deeds      deeds
	notices    notices
	strip      strip
	transport  transport
	timeline   timeline
	chart      charts
	live       live
	windows    map[string]string // keys of what follows the playhead at leisure
	windowsOf  int               // the revision that they are of
	windowsAt  float64           // when one of them was let go last
	turn       int               // which of turns that was
	stale      bool              // elements were made anew, and what is live is to be written
	keys       map[string]string // of the panels, when they were last rendered
	code       code
	settings   settings
	sandbox    sandbox
	transcript transcript
	biography  biography
	outcome    outcome
	twin       twin
	textual    bool // the page is shown as text
	heard      heard
	eager      bool // it is to play, once there is a run

	folds map[string]bool // which folded parts are open
	drag  drag
	typed bool // the handler is being typed
	held  held // what a pointer holds in the script
}

// New opens the lesson that the page was built with, and what its address says
// about it, so that the first rendering shows what the page shows.
func New(edge Edge) *Page {
	p := &Page{edge: edge, folds: map[string]bool{}, keys: map[string]string{}, windows: map[string]string{}}
	p.before, p.beside = script{page: p}, script{page: p, beside: true}
	p.letter, p.deeds = letter{page: p}, deeds{page: p}
	p.notices, p.strip = notices{page: p}, strip{page: p}
	p.transport, p.timeline = transport{page: p}, timeline{page: p, list: -1}
	p.chart = charts{page: p, hover: -1}
	p.live.forget()
	p.code, p.settings = code{page: p}, settings{page: p}
	p.sandbox = sandbox{page: p}
	p.transcript, p.biography, p.outcome = transcript{page: p}, biography{page: p}, outcome{page: p}
	built, err := readData(edge.Data())
	if err != nil {
		p.fault = err.Error()
		return p
	}
	p.built = built
	if built.Kind == EmbedPage {
		p.fit(built.Lesson)
	}
	p.session = player.NewSession(built.Lesson)
	if built.Kind == PracticePage {
		p.practise()
	} else {
		p.session.Restore(edge.Kept(p.keptName()))
		p.session.Open(edge.Fragment())
	}
	p.session.SetWords(p.chosenWords())
	p.textual = edge.Query("view") == "text"
	p.player = p.session.Player()
	p.began = p.edge.Now()
	p.session.Work(p.within(firstRun))
	if p.series == nil {
		p.open(edge.Fragment())
	}
	for _, name := range []string{"charts", "settings", "transcript", "biography", "outcome"} {
		p.folds[name] = !edge.Narrow()
	}
	return p
}

// Root returns the page as a component, and goes on where a reader is in the
// recording of the first run.
func (p *Page) Root() app.Composer {
	if p.player != nil {
		p.resume()
	}
	return &root{render: p.render, begin: p.begin}
}

// resume goes on where a reader is in the recording of the first run, if this is
// still that run.
func (p *Page) resume() {
	var was struct {
		Time            float64 // seconds of the run
		Playing, Halted bool
	}
	if json.Unmarshal([]byte(p.edge.Recorded()), &was) != nil || p.session.Step() > 0 || p.player.CanUndo() {
		return // it was not touched, or is another run
	}
	p.player.Resume(event.Time(was.Time*float64(event.Second)), was.Playing, was.Halted)
}

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
	if p.player.Playing() {
		p.run()
	}
	if p.edge.Wanted() == "play" {
		p.play()
	}
}

// addressed opens the link that a reader has put into the address.
func (p *Page) addressed() {
	fragment := strings.TrimPrefix(p.edge.Fragment(), "#")
	if p.series != nil {
		p.addressedInPractice(fragment)
		return
	}
	if fragment == p.session.Address() {
		return
	}
	p.show(func() {
		if fragment == "" {
			p.session.Go(0)
		}
		p.session.Open(fragment)
	})
	if strings.HasPrefix(fragment, "step-") {
		return // the step, as it was left
	}
	p.player.Pause()
	p.player.Reset()
	p.player.Restart()
	p.open(fragment)
	p.redraw()
	p.refresh()
}

// paced returns the key of a panel whose window follows the playhead: while time
// moves, one that is held for a while. In a busy run a window moves many times
// a second, which nobody can read, and each time many elements are made.
func (p *Page) paced(name, key string) string {
	if revision := p.player.Revision(); revision != p.windowsOf {
		p.windowsOf = revision
		clear(p.windows)
	}
	if held, ok := p.windows[name]; ok && p.player.Playing() {
		return held
	}
	p.windows[name] = key
	return key
}

// changed reports whether a panel would be rendered anew, apart from what is
// live in it.
func (p *Page) changed() bool {
	if p.ctx.Context == nil || p.player == nil {
		return true
	}
	keys := map[string]string{
		"script": p.scriptKey(), "letter": p.letterKey(), "deeds": p.deedsKey(), "notices": p.noticesKey(), "strip": p.stripKey(), "transport": p.transportKey(), "timeline": p.timelineKey(),
		"charts": p.chartsKey(), "code": p.codeKey(), "settings": p.settingsKey(), "transcript": p.paced("transcript", p.transcriptKey()), "biography": p.biographyKey(), "outcome": p.outcomeKey(), "twin": p.twinKey(),
	}
	maps.Copy(keys, p.sandbox.keys())
	changed := false
	for name, key := range keys {
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

// show changes the step, and with it the stage.
func (p *Page) show(change func()) {
	p.player.Pause()
	change()
	p.player = p.session.Player()
	p.drag, p.typed, p.held = drag{}, false, held{}
	p.letter.open = false
	p.began = p.edge.Now()
	p.session.Work(p.within(atOnce))
	p.redraw()
	p.refresh()
}

// goTo shows another step, from its beginning.
func (p *Page) goTo(step int) {
	p.show(func() { p.session.Go(step) })
	p.remember()
	p.keep()
	p.edge.Top("step")
	p.edge.Say(fmt.Sprintf("Step %d of %d: %s", step+1, len(p.session.Lesson().Steps), p.session.Lesson().Steps[step].Title))
}

// render shows the header and the panels.
func (p *Page) render() app.UI {
	if p.player == nil {
		return el("div").Body(el("p").Class("notice err").Text("This page's lesson is not valid: " + p.fault))
	}
	if p.textual {
		return el("div").ID("app").Body(p.header(), p.asText())
	}
	if p.built.Kind == EmbedPage {
		return p.embedded()
	}
	stage := p.session.Stage()
	return el("div").ID("app").Body(
		el("a").Class("btn skip").Attr("href", "#stage").DataSet("do", "stage").Text("To the stage"),
		p.header(),
		el("main").Class("lesson", string(p.built.Kind), p.secret()).ID("player").OnKeyDown(p.key).Body(
			&panel{Key: p.scriptKey(), render: p.before.render},
			el("section").Class("bench").Aria("label", p.player.Words().In("Kitchen")).Body(shown(p.inSandbox(),
				&panel{Key: p.sandbox.paletteKey(), render: p.sandbox.palette}).and(true,
				&panel{Key: p.twinKey(), render: p.renderTwin, shown: p.twinShown}).and(true,
				el("div").Class("view").Body(
					el("button").Class("btn").Attr("type", "button").ID("leave").DataSet("do", "leave").Text("Leave"),
					el("div").Class("stage").ID("stage").Attr("tabindex", -1).OnClick(p.clickStage).OnKeyDown(p.keyStage),
					el("div").Class("ring").ID("ring").Aria("hidden", "true"),
				)).and(true,
				&panel{Key: p.letterKey(), render: p.letter.render}).and(true,
				&panel{Key: p.deedsKey(), render: p.deeds.render}).and(true,
				&panel{Key: p.noticesKey(), render: p.notices.render}).and(true,
				&panel{Key: p.stripKey(), render: p.strip.render, shown: p.rewrite}).and(true,
				el("section").Class("timeblock").ID("timeblock").Aria("label", "Time").Body(shown(true,
					el("div").Class("dock").Body(
						&panel{Key: p.transportKey(), render: p.transport.render, shown: p.rewrite},
						&panel{Key: p.timelineKey(), render: p.timeline.render, shown: p.rewrite},
					)).and(stage.Shows("charts") || stage.Shows("lanes"),
					&panel{Key: p.chartsKey(), render: p.chart.render, shown: p.rewrite})...,
				))...,
			),
			el("div").Class("script").Body(shown(true,
				&panel{Key: p.scriptKey(), render: p.beside.render}).and(p.inSandbox(),
				&panel{Key: p.sandbox.startKey(), render: p.sandbox.start}).and(p.inSandbox(),
				&panel{Key: p.sandbox.formKey(), render: p.sandbox.form, shown: p.sandbox.shown}).and(stage.Shows("code") && (!p.inSandbox() || len(p.player.Pools()) > 0),
				el("div").Class("pick").OnClick(p.pickLine).Body(&panel{Key: p.codeKey(), render: p.code.render, shown: p.code.shown})).and(p.inSandbox(),
				&panel{Key: p.sandbox.yamlKey(), render: p.sandbox.yaml, shown: p.sandbox.textShown}).and(stage.Shows("settings") && !p.inSandbox(),
				&panel{Key: p.settingsKey(), render: p.settings.render, shown: p.settings.shown})...,
			),
			el("div").Class("after").Body(shown(stage.Shows("transcript"),
				&panel{Key: p.paced("transcript", p.transcriptKey()), render: p.transcript.render, shown: p.rewrite}).and(stage.Shows("transcript"),
				&panel{Key: p.biographyKey(), render: p.biography.render, shown: p.biography.shown}).and(stage.Shows("outcome"),
				&panel{Key: p.outcomeKey(), render: p.outcome.render})...,
			),
			p.further(),
			el("p").Class("vh").ID("said").Aria("live", "polite"),
		),
	)
}

// secret is the class under which the style sheets keep what the playhead has
// not reached. The words stay in the page that is printed: where no program
// runs, nobody could ask it for the answer.
func (p *Page) secret() string {
	switch {
	case p.session.Guessing() != nil:
		return "secret asking"
	case p.session.Secret():
		return "secret"
	}
	return ""
}

// unsaid is the sentence that stands where something is kept.
func (p *Page) unsaid() app.UI {
	return el("p").Class("unsaid").Text(p.session.Unsaid())
}

// known reports whether what lies behind the playhead is shown beforehand.
func (p *Page) known() bool { return p.player.Known() && !p.session.Secret() }

// whole is what a page shows besides that is there without the program. Its
// functions are on the host only.
type whole struct {
	rest     func() app.UI
	solved   func(*lesson.Question) app.UI
	solution func(*lesson.Challenge) app.UI
}

// further are the steps after the one that is shown, where all are.
func (p *Page) further() app.UI {
	if p.whole == nil {
		return nil
	}
	return p.whole.rest()
}

// parts are those that a stage shows.
type shownParts []app.UI

func shown(show bool, ui app.UI) shownParts { return shownParts(nil).and(show, ui) }

func (s shownParts) and(show bool, ui app.UI) shownParts {
	if !show {
		return s
	}
	return append(s, ui)
}

func (p *Page) header() app.UI {
	return masthead(p.built.Root, p.here(),
		p.otherView(),
		&panel{Key: p.wordsKey(), render: p.wordsSwitch},
		el("button").Class("btn icon").Attr("type", "button").DataSet("do", "keys").Aria("label", "Keys").Body(icon("keys", "")),
	)
}

// steps are the dots of the lesson's steps.
func (p *Page) steps() app.UI {
	all := p.session.Lesson().Steps
	if len(all) < 2 {
		return nil
	}
	var dots []app.UI
	for i := range all {
		link := el("a").Attr("href", "#step-"+strconv.Itoa(i+1)).OnClick(func(_ app.Context, e app.Event) {
			e.PreventDefault()
			p.goTo(i)
		}, app.EventScope("step", i)).Body(el("span").Class("vh").Text(fmt.Sprintf("Step %d: %s", i+1, all[i].Title)))
		li := el("li")
		switch at := p.session.Step(); {
		case i < at:
			li = li.Class("past")
		case i == at:
			li, link = li.Class("cur"), link.Aria("current", "step")
		}
		dots = append(dots, li.Body(link))
	}
	return el("nav").Class("steps").Aria("label", "Steps").Body(
		el("ol").Body(dots...),
		el("span").Class("steps-t").Text(fmt.Sprintf("Step %d of %d", p.session.Step()+1, len(all))),
	)
}

// fold is a part that is folded away on a phone.
func (p *Page) fold(name, title string, body ...app.UI) app.UI {
	if p.textual {
		return el("section").ID(name).Body(append([]app.UI{el("h2").Text(title)}, body...)...)
	}
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

// atOnce is how long a run may take with the edit that it belongs to, in
// milliseconds: that of a lesson comes with it.
const atOnce = 30

// edited is called after the scenario or the run may have changed.
func (p *Page) edited() {
	p.began = p.edge.Now()
	p.session.Work(p.within(atOnce))
	p.remember()
	p.redraw()
}

// moved is called after the playhead was moved while time stands still.
func (p *Page) moved() {
	p.redraw()
	if p.revealed() {
		p.remember()
		p.follow()
		return
	}
	if now, _ := p.player.Sentence(); now != nil {
		p.edge.Say(now.Text)
	}
	p.remember()
	p.follow()
}

// revealed shows the results for which the playhead has come far enough, and
// reports whether there were any.
func (p *Page) revealed() bool {
	q := p.session.Watch()
	if q == nil {
		return false
	}
	p.keep()
	p.edge.Say(p.session.Outcome(q))
	return true
}

// keptName is the name under which the progress is kept.
func (p *Page) keptName() string {
	if p.built.Kind == EmbedPage {
		return "ticketrail.embed." + p.session.Lesson().Slug
	}
	return "ticketrail.lesson." + p.session.Lesson().Slug
}

// keep keeps the progress, where that is allowed.
func (p *Page) keep() {
	if p.series != nil {
		p.counted()
		return
	}
	p.edge.Keep(p.keptName(), p.session.Keep())
	p.tellProgress()
}

// play plays, or does so as soon as there is a run.
func (p *Page) play() {
	if p.eager = p.player.Run() == nil; p.eager {
		return
	}
	p.player.Play()
	p.waited = 0
	p.run()
	p.tellState()
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
	if p.undoKey(e) {
		return
	}
	ctx.PreventUpdate()
	if e.Get("defaultPrevented").Bool() || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	key := e.Get("key").String()
	fields := "input, textarea, select, [role=slider], .grip, .asked"
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
