package site

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
	"github.com/ticketrail/ticketrail/web"
)

// page is what the template is filled with.
type page struct {
	Title, Description, Headline string

	Root                                string // from the page to the site's root
	Style, Boot, GoRuntime, Paint, Icon string
	Program                             string
	ProgramSize                         int
	Scenario                            template.JS
	Sprite                              template.HTML
	Stages                              []template.HTML
	Marks                               template.HTML
	Sent, Workers, Latency, Ended       string
	AddsUp                              player.AddsUp
	ClockFaint, Clock                   string
	Speeds                              []speed
	Next                                *player.Row
	Code                                []codeLine
	Groups                              []group
	Transcript                          player.Window
	Figures                             []player.Figure
}

type codeLine struct {
	player.Line
	Workers   []player.Badge
	Slot      bool // the ack could stand before it
	SlotDepth int
}

type speed struct {
	Text   string
	Chosen bool
}

type group struct {
	Name     string
	Settings []player.Setting
}

var functions = template.FuncMap{
	"cells": func(s player.Share) []struct{} { return make([]struct{}, s.Cells()) },
}

// home writes the home page: the stage, ready to play.
func (b *builder) home() error {
	s, err := b.scenario("lessons/ticket-rail/scenario.yaml")
	if err != nil {
		return err
	}
	p := player.New(s)
	p.Work(func() bool { return false })
	if problems := p.Problems(); len(problems) > 0 {
		return problems
	}
	text, err := b.render(p)
	if err != nil {
		return err
	}
	return b.write("index.html", text)
}

// scenario reads a scenario file of the tree.
func (b *builder) scenario(name string) (*scenario.Scenario, error) {
	text, err := os.ReadFile(filepath.Join(b.root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	s, problems := scenarioyaml.Decode(text)
	if len(problems) > 0 {
		return nil, fmt.Errorf("%s: %w", name, problems)
	}
	return s, nil
}

func (b *builder) render(p *player.Player) ([]byte, error) {
	t, err := template.New("page.html").Funcs(functions).ParseFS(web.Files, "page.html")
	if err != nil {
		return nil, err
	}
	sprite, err := web.Files.ReadFile("sprite.svg")
	if err != nil {
		return nil, err
	}
	_, next := p.Sentence()
	v := page{
		Title:       "Ticketrail: message queues, one ticket at a time",
		Description: "A message queue that runs in the page. Move one line of code, crash a worker, and watch what comes back.",
		Headline:    "Six orders on the rail",
		Root:        "", Style: b.names["style.css"], Boot: b.names["boot.js"], GoRuntime: b.names["wasm_exec.js"],
		Paint: b.names["paint.js"], Icon: b.names["icon.svg"],
		Program: b.names["program.wasm"], ProgramSize: b.sizes["program.wasm"],
		Scenario: data(p.Original().EncodeJSON()),
		Sprite:   template.HTML(string(sprite) + scene.Sprite()),
		Stages:   stages(p),
		AddsUp:   p.AddsUp(), Next: next,
		Speeds: speeds(p.Speed()),
		Code:   code(p), Groups: groups(p.Settings()),
		Marks: marks(p), Transcript: p.Transcript(), Figures: p.Comparison(),
	}
	v.ClockFaint, v.Clock = player.ClockParts(p.Time(), p.End())
	prose := p.Prose()
	v.Sent, v.Workers, v.Latency, v.Ended = prose.Sent, prose.Workers, prose.Latency, prose.Ended
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("page.html: %w", err)
	}
	return out.Bytes(), nil
}

// data makes JSON fit to stand in a script element.
func data(json []byte) template.JS {
	return template.JS(strings.ReplaceAll(string(json), "<", `\u003c`))
}

// stages draws the start of the run in the three layouts; the style sheet
// shows the one that fits.
func stages(p *player.Player) []template.HTML {
	r := p.Run()
	var all []template.HTML
	for _, size := range []scene.Size{scene.Wide, scene.Compact, scene.Tall} {
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
		frame := stage.Frame(scene.Input{State: p.State(), Now: p.Moment(), Opening: p.Opening(), Follow: event.NoMessage})
		all = append(all, template.HTML(scene.Markup(frame)))
	}
	return all
}

// marks draws the timeline as wide as on a wide page.
func marks(p *player.Player) template.HTML {
	r := p.Run()
	return template.HTML(scene.Timeline(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, 752))
}

func code(p *player.Player) []codeLine {
	at := p.AtLines()
	var lines []codeLine
	for _, line := range player.Lines(p.Handler()) {
		lines = append(lines, codeLine{Line: line, Workers: at[line.Number].Workers})
	}
	for _, slot := range p.Slots(player.AckLine(p.Handler())) {
		if slot.Before <= len(lines) {
			lines[slot.Before-1].Slot, lines[slot.Before-1].SlotDepth = true, slot.Depth
		}
	}
	return lines
}

func speeds(chosen float64) []speed {
	var all []speed
	for _, s := range player.Speeds {
		all = append(all, speed{player.SpeedText(s), s == chosen})
	}
	return all
}

func groups(settings []player.Setting) []group {
	var all []group
	for _, s := range settings {
		if n := len(all); n == 0 || all[n-1].Name != s.Group {
			all = append(all, group{Name: s.Group})
		}
		last := &all[len(all)-1]
		last.Settings = append(last.Settings, s)
	}
	return all
}
