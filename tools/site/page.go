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
	"github.com/ticketrail/ticketrail/wasm/view"
	"github.com/ticketrail/ticketrail/web"
)

// page is what the template is filled with.
type page struct {
	Title, Description string

	Root                                string // from the page to the site's root
	Style, Boot, GoRuntime, Paint, Icon string
	Program                             string
	ProgramSize                         int
	Scenario                            template.JS
	Sprite                              template.HTML
	App                                 template.HTML
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
	t, err := template.New("page.html").ParseFS(web.Files, "page.html")
	if err != nil {
		return nil, err
	}
	sprite, err := web.Files.ReadFile("sprite.svg")
	if err != nil {
		return nil, err
	}
	app, err := elements(p)
	if err != nil {
		return nil, err
	}
	v := page{
		Title:       "Ticketrail: message queues, one ticket at a time",
		Description: "A message queue that runs in the page. Move one line of code, crash a worker, and watch what comes back.",
		Root:        "", Style: b.names["style.css"], Boot: b.names["boot.js"], GoRuntime: b.names["wasm_exec.js"],
		Paint: b.names["paint.js"], Icon: b.names["icon.svg"],
		Program: b.names["program.wasm"], ProgramSize: b.sizes["program.wasm"],
		Scenario: data(p.Original().EncodeJSON()),
		Sprite:   template.HTML(string(sprite) + scene.Sprite()),
		App:      template.HTML(app),
	}
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

// notice is where boot.js says why the program is not there.
const notice = `<p class="notice err" id="notice" role="alert" hidden><span></span><button class="btn" type="button" data-do="retry">Try again</button></p>`

// elements are those of the page as the program will show them at its start.
func elements(p *player.Player) (string, error) {
	faint, clock := player.ClockParts(p.Time())
	return tidied(view.Still(p.Original()), map[string]string{
		"stage": strings.Join(stages(p), ""), "clock-faint": faint, "clock-now": clock, "notices": notice,
	})
}

// stages draws the start of the run in the three layouts; the style sheet
// shows the one that fits.
func stages(p *player.Player) []string {
	r := p.Run()
	var all []string
	for _, size := range []scene.Size{scene.Wide, scene.Compact, scene.Tall} {
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
		frame := stage.Frame(scene.Input{State: p.State(), Now: p.Moment(), Opening: p.Opening(), Follow: event.NoMessage})
		all = append(all, scene.Markup(frame))
	}
	return all
}
