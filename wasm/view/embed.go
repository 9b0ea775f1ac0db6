package view

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// An embedded page is a lesson in a frame of somebody else's page. It has the
// same parts as the lesson's own, fewer of them and closer together; its
// address says which (options), and it tells the page around it what happens
// and takes commands from it, through embed_frame.js, which has the other side
// of these messages.

// usual are the panels that an embedded stage shows when its address asks for
// no others.
var usual = []string{"code", "settings"}

// fit changes the lesson of an embedded page to what its address asks for:
// show, panels or "all"; unlock and lock, settings by their paths, the handler,
// or "all".
func (p *Page) fit(l *lesson.Lesson) {
	show, unlock, lock := listed(p.edge.Query("show")), listed(p.edge.Query("unlock")), listed(p.edge.Query("lock"))
	for i := range l.Steps {
		for _, b := range l.Steps[i].Blocks {
			if b.Stage == nil {
				continue
			}
			if !p.printed() {
				b.Stage.Show = fitting(b.Stage, show)
			}
			b.Stage.Unlock = freed(b.Stage, l.ScenarioOf(b.Stage.Scenario), unlock, lock)
		}
	}
	p.noteUnknown("unlock", l, unlock)
	p.noteUnknown("lock", l, lock)
}

// printed reports whether the page is being printed, with every panel: which of
// them are shown is then the style sheet's part.
func (p *Page) printed() bool {
	_, printed := p.edge.(interface{ printed() })
	return printed
}

// listed are the items of an option, apart by commas.
func listed(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' })
}

// fitting are the panels that the stage shows.
func fitting(stage *lesson.Stage, asked []string) []string {
	const none = "none" // a list of no panel at all stands for all of them
	known := slices.DeleteFunc(slices.Clone(asked), func(name string) bool {
		return name != "all" && name != "prose" && name != "questions" && !slices.Contains(lesson.Panels, name)
	})
	var shown []string
	for _, panel := range lesson.Panels {
		switch {
		case len(known) == 0 && slices.Contains(usual, panel) && stage.Shows(panel),
			slices.Contains(known, panel), slices.Contains(known, "all"):
			shown = append(shown, panel)
		}
	}
	if len(shown) == 0 {
		return []string{none}
	}
	return shown
}

// freed are the settings that a reader may change: those of the stage and what
// is unlocked besides, without what is locked.
func freed(stage *lesson.Stage, s *scenario.Scenario, unlock, lock []string) []string {
	if len(unlock) == 0 && len(lock) == 0 {
		return stage.Unlock
	}
	if slices.Contains(lock, lesson.Unlocked) {
		return unlock
	}
	free := slices.Concat(stage.Unlock, unlock)
	if len(lock) == 0 {
		return free
	}
	kept := lesson.Stage{Unlock: free}
	locked := lesson.Stage{Unlock: lock}
	free = nil
	for _, setting := range scenario.Paths(s) {
		if kept.Unlocks(setting.Path) && !locked.Unlocks(setting.Path) {
			free = append(free, setting.Path)
		}
	}
	if kept.Unlocks(lesson.Handler) && !locked.Unlocks(lesson.Handler) {
		free = append(free, lesson.Handler)
	}
	return free
}

// noteUnknown says which names of an option are no setting of the lesson.
func (p *Page) noteUnknown(option string, l *lesson.Lesson, names []string) {
	for _, name := range names {
		known := name == lesson.Unlocked || name == lesson.Handler
		for i := range l.Scenarios {
			for _, setting := range scenario.Paths(l.Scenarios[i].Scenario) {
				known = known || setting.Path == name
			}
		}
		if !known {
			p.edge.Tell(marshal(map[string]any{"type": "note", "text": option + "=" + name + " is left out: this lesson has no such setting. Write " + lesson.Handler + ", " + lesson.Unlocked + ", or a path such as queues.orders.visibility_timeout."}))
		}
	}
}

// embedded are the elements of an embedded page: the stage first, the time
// close below it, then the text at the left and what can be changed at the
// right.
func (p *Page) embedded() app.UI {
	stage := p.session.Stage()
	return el("div").ID("app").Body(
		el("a").Class("btn skip").Attr("href", "#stage").DataSet("do", "stage").Text("To the stage"),
		p.embedHeader(),
		el("main").Class("lesson", "embed", p.secret()).ID("player").OnKeyDown(p.key).Body(
			el("section").Class("bench").Aria("label", p.player.Words().In("Kitchen")).Body(
				&panel{Key: p.twinKey(), render: p.renderTwin, shown: p.twinShown},
				el("div").Class("view").Body(
					el("div").Class("stage").ID("stage").Attr("tabindex", -1).OnClick(p.clickStage).OnKeyDown(p.keyStage),
					el("div").Class("ring").ID("ring").Aria("hidden", "true"),
					el("p").Class("begin").Body(
						el("button").Class("btn primary").Attr("type", "button").ID("begin").DataSet("do", "play").Body(icon("play", ""), app.Text("Run")),
					),
				),
				&panel{Key: p.letterKey(), render: p.letter.render},
				&panel{Key: p.noticesKey(), render: p.notices.render},
				el("section").Class("timeblock").ID("timeblock").Aria("label", "Time").Body(shown(true,
					el("div").Class("dock").Body(
						&panel{Key: p.transportKey(), render: p.transport.render, shown: p.rewrite},
						&panel{Key: p.timelineKey(), render: p.timeline.render, shown: p.rewrite},
					)).and(stage.Shows("charts") || stage.Shows("lanes"),
					&panel{Key: p.chartsKey(), render: p.chart.render, shown: p.rewrite})...,
				),
			),
			el("div").Class("etext").Body(
				&panel{Key: p.scriptKey(), render: p.before.render},
				&panel{Key: p.scriptKey(), render: p.beside.render},
			),
			el("div").Class("script").Body(shown(stage.Shows("code"),
				el("div").Class("pick").OnClick(p.pickLine).Body(&panel{Key: p.codeKey(), render: p.code.render, shown: p.code.shown})).and(stage.Shows("settings"),
				&panel{Key: p.settingsKey(), render: p.settings.render, shown: p.settings.shown})...,
			),
			el("div").Class("acts-now").Body(&panel{Key: p.deedsKey(), render: p.deeds.render}),
			&panel{Key: p.stripKey(), render: p.strip.render, shown: p.rewrite},
			el("div").Class("after").Body(shown(stage.Shows("transcript"),
				&panel{Key: p.paced("transcript", p.transcriptKey()), render: p.transcript.render, shown: p.rewrite}).and(stage.Shows("transcript"),
				&panel{Key: p.biographyKey(), render: p.biography.render, shown: p.biography.shown}).and(stage.Shows("outcome"),
				&panel{Key: p.outcomeKey(), render: p.outcome.render})...,
			),
			el("p").Class("vh").ID("said").Aria("live", "polite"),
		),
	)
}

// embedHeader names the lesson and leads to its own page, with what was edited.
func (p *Page) embedHeader() app.UI {
	l := p.session.Lesson()
	return el("header").Class("ebar").Body(
		app.Raw(`<svg class="mark" aria-hidden="true"><use href="#g-mark"/></svg>`),
		el("p").Class("etitle").Text(l.Title),
		p.steps(),
		p.openLesson(),
	)
}

// openLesson leads to the lesson's own page, where there is one.
func (p *Page) openLesson() app.UI {
	if p.built.Alone {
		return el("span")
	}
	return el("a").Class("btn text").Attr("href", p.built.Root+"lessons/"+p.session.Lesson().Slug+"/").Attr("target", "_blank").Attr("rel", "noopener").DataSet("do", "open").Text("Open the lesson")
}

// heard is what the page around an embedded one has been told.
type heard struct {
	answers  map[string]string // by question or challenge
	complete bool
}

// tell tells the page around an embedded one what happened.
func (p *Page) tell(event string, more map[string]any) {
	if p.built.Kind != EmbedPage {
		return
	}
	message := map[string]any{"type": event, "lesson": p.session.Lesson().Slug}
	for name, value := range more {
		message[name] = value
	}
	p.edge.Tell(marshal(message))
}

// tellState says where the playhead is and what was edited.
func (p *Page) tellState() {
	if p.built.Kind == EmbedPage {
		p.tell("state", p.publicState())
	}
}

// publicState is what a page around an embedded one may know.
func (p *Page) publicState() map[string]any {
	state := map[string]any{
		"program": "running", "playing": p.player.Playing(), "time": p.player.Time().Seconds(), "end": p.player.End().Seconds(),
		"step": p.session.Step() + 1, "steps": len(p.session.Lesson().Steps), "fragment": p.session.Address(),
	}
	if p.player.Run() != nil {
		c, a := p.player.Counts(), p.player.AddsUp()
		state["accepted"], state["waiting"], state["inFlight"] = c.Accepted, c.Waiting, c.InFlight
		state["done"], state["dead"], state["lost"], state["twice"] = c.Acked, c.Dead, a.Lost, a.Twice
	}
	return state
}

// tellProgress tells of answers that are new, and once that the lesson is over.
func (p *Page) tellProgress() {
	if p.built.Kind != EmbedPage {
		return
	}
	for i := range p.session.Lesson().Steps {
		for _, b := range p.session.Lesson().Steps[i].Blocks {
			switch {
			case b.Question != nil:
				p.tellAnswer(i, b.Question)
			case b.Challenge != nil && p.session.Attempt(b.Challenge).Solved:
				p.tellOnce(b.Challenge.ID, map[string]any{"step": i + 1, "id": b.Challenge.ID, "kind": "challenge", "right": true})
			}
		}
	}
	if over := p.session.Over(); over && !p.heard.complete {
		p.heard.complete = true
		p.tell("complete", nil)
	}
}

// tellAnswer tells of an answer that has a verdict.
func (p *Page) tellAnswer(step int, q *lesson.Question) {
	v := p.session.Verdict(q)
	if a := p.session.Answered(q); v == nil || q.Predict && !a.Shown {
		return
	}
	kind := "question"
	if q.Predict {
		kind = "prediction"
	}
	answer := map[string]any{"step": step + 1, "id": q.ID, "kind": kind, "right": v.Right}
	if p.built.Alone { // what was answered is for the course system around the package, and for nobody else
		answer["more"] = p.given(q)
	}
	p.tellOnce(q.ID, answer)
}

// given is what was answered and what is right, as a course system notes it:
// numbers of choices from 0, ids and numbers, with commas between.
func (p *Page) given(q *lesson.Question) map[string]any {
	a := p.session.Answered(q)
	given := map[string]any{"form": q.Form, "given": a.Given.Short(q.Form), "shown": a.Shown}
	if right, _ := p.session.Answer(q); right != nil {
		given["correct"] = right.Short(q.Form)
	}
	return given
}

// tellOnce tells of an answer unless it was told already as it is.
func (p *Page) tellOnce(id string, answer map[string]any) {
	if text := marshal(answer); p.heard.answers[id] != text {
		if p.heard.answers == nil {
			p.heard.answers = map[string]string{}
		}
		p.heard.answers[id] = text
		p.tell("answer", answer)
	}
}

// command is what a page around an embedded one may ask for.
type command struct {
	Type string   `json:"type"`
	By   *int     `json:"by"`   // of step: how many events, 1 when it is left out
	Time *float64 `json:"time"` // of seek: in virtual seconds
}

// mostSteps bounds how far one command steps.
const mostSteps = 1000

// obey does what a command says, and answers with the state or with what is
// wrong with the command.
func (p *Page) obey(text string) string {
	var c command
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return marshal(map[string]any{"problem": `a command is an object such as {"type": "ticketrail:seek", "v": 1, "time": 1.5}: ` + err.Error()})
	}
	if problem := p.execute(c); problem != "" {
		return marshal(map[string]any{"problem": problem})
	}
	return marshal(p.publicState())
}

// execute does one command, and says what is wrong with it.
func (p *Page) execute(c command) string {
	switch c.Type {
	case "play":
		if !p.player.Playing() {
			p.play()
			p.follow()
		}
	case "pause":
		if p.eager = false; p.player.Playing() {
			p.player.Toggle()
			p.toggled()
		}
	case "step":
		return p.stepBy(c.By)
	case "seek":
		if c.Time == nil || *c.Time < 0 || *c.Time > scenario.MaxDuration.Seconds() {
			return "seek has a time in virtual seconds, 0 or more, such as 1.5"
		}
		p.player.Pause()
		p.player.Seek(event.Time(*c.Time * float64(event.Second)))
		p.moved()
	case "reset":
		p.player.Pause()
		p.player.Reset()
		p.player.Restart()
		p.edited()
		p.refresh()
	case "getState":
	default:
		return "there is no command " + c.Type + ": write play, pause, step, reset, seek or getState"
	}
	return ""
}

func (p *Page) stepBy(by *int) string {
	n := 1
	if by != nil {
		n = *by
	}
	if n == 0 || n < -mostSteps || n > mostSteps {
		return "step goes by a whole number of events, -1000 to 1000 and not 0"
	}
	p.player.Pause()
	for ; n > 0; n-- {
		p.player.StepForward()
	}
	for ; n < 0; n++ {
		p.player.StepBack()
	}
	p.moved()
	return ""
}
