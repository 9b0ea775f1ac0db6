package site

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/player"
	"github.com/ticketrail/ticketrail/wasm/scene"
	"github.com/ticketrail/ticketrail/wasm/view"
	"github.com/ticketrail/ticketrail/web"
)

// page is what the template is filled with.
type page struct {
	Title, Description string
	Public             public

	Root                                string // from the page to the site's root
	Style, Boot, GoRuntime, Paint, Icon string
	Program, Inlined                    string // the program, and as a script
	ProgramSize                         int
	Frame                               string // of an embedded page: what talks to the page around
	Lesson                              string // of an embedded page: the lesson's own, from the root
	Recorded                            string
	Scorm                               string            // of a page for a course system: what talks to that
	Pass                                int               // its score from which the lesson is passed, of 100
	Slug                                string            // its lesson
	Runs                                map[string]string // the recordings of the first run, by the drawing's size
	Data                                template.JS
	Sprite                              template.HTML
	App                                 template.HTML
	Below                               template.HTML // what follows the program's part
	Script                              string        // what works on it
}

// home is what the home page shows, as a lesson of one step.
//
//go:embed home.md
var home []byte

// lessons writes a page for each lesson, and those around them.
func (b *builder) lessons() error {
	shelf, err := lessons.OpenShelf(b.folder)
	if err != nil {
		return err
	}
	c, err := openCourse(shelf)
	if err != nil {
		return err
	}
	return b.pages(shelf, c)
}

// pages writes the pages of a course.
func (b *builder) pages(shelf *lessons.Shelf, c course) error {
	for _, l := range c {
		if err := b.lesson(shelf, c, l); err != nil {
			return err
		}
		if err := b.embed(shelf, l); err != nil {
			return err
		}
	}
	if err := b.home(c); err != nil {
		return err
	}
	if err := b.practice(); err != nil {
		return err
	}
	if err := b.sandbox(); err != nil {
		return err
	}
	if err := b.plain(shelf, c); err != nil {
		return err
	}
	return b.forMachines()
}

// home writes the home page: a stage to begin with, and the course map.
func (b *builder) home(c course) error {
	l, problems := lessons.Read(home, "home")
	if len(problems) > 0 {
		return &lessons.Faults{File: "tools/site/home.md", Problems: problems}
	}
	below, err := fragment("home", mapped{Way: "./", Extent: c.extent(), Levels: c.levels("./")})
	if err != nil {
		return err
	}
	place := &view.Course{}
	if len(c) > 0 {
		place.Next = way(c[0])
	}
	built := view.Built{Kind: view.HomePage, Course: place, Lesson: l}
	runs, err := b.record("", built)
	if err != nil {
		return err
	}
	text, err := b.render("index.html", built, page{
		Runs:        runs,
		Title:       "Ticketrail: message queues, one ticket at a time",
		Description: "A message queue that runs in the page. Move one line of code, crash a worker, and watch what comes back.",
		Below:       below, Script: b.names["course.js"],
	})
	if err != nil {
		return fmt.Errorf("index.html: %w", err)
	}
	return b.write("index.html", text)
}

// pageOf is the folder of a lesson's page, from the site's root.
func pageOf(slug string) string { return "lessons/" + slug + "/" }

// lesson writes the page of a lesson, and the files that it shows.
func (b *builder) lesson(shelf *lessons.Shelf, c course, l *lesson.Lesson) error {
	name := pageOf(l.Slug) + "index.html"
	linked, files, err := linked(shelf, l, rootFrom(name))
	if err != nil {
		return err
	}
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(shelf.Folder, l.Slug, file))
		if err != nil {
			return err
		}
		if err := b.write(pageOf(l.Slug)+file, data); err != nil {
			return err
		}
	}
	built := view.Built{Course: c.place(l), Lesson: linked}
	if b.same(name, built) {
		return nil
	}
	below, err := embedPanel(l)
	if err != nil {
		return err
	}
	runs, err := b.record(pageOf(l.Slug), built)
	if err != nil {
		return err
	}
	if err := b.oEmbed(l); err != nil {
		return err
	}
	text, err := b.render(name, built, page{
		Title: l.Title + " - Ticketrail", Description: strings.Join(l.Objectives, "; "),
		Runs: runs, Below: below, Script: b.names["embed_panel.js"],
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return b.write(name, text)
}

// linked returns the lesson with its links as the site has them, and the files
// beside it to which they lead. root is the way from the page to the site's
// root. A link that leads nowhere is left as it is: rail check says so.
func linked(shelf *lessons.Shelf, l *lesson.Lesson, root string) (*lesson.Lesson, []string, error) {
	text, err := l.EncodeJSON()
	if err != nil {
		return nil, nil, err
	}
	own, err := lesson.DecodeJSON(text)
	if err != nil {
		return nil, nil, err
	}
	var files []string
	lessons.Relink(own, func(href string) string {
		to, err := shelf.Resolve(l.Slug, href)
		if err != nil || to == (lessons.Target{}) {
			return href
		}
		if to.File != "" {
			files = append(files, to.File)
		}
		return root + address(to)
	})
	return own, files, nil
}

// address is where the site has what a link leads to, from its root.
func address(to lessons.Target) string {
	switch {
	case to.Glossary && to.Word != "":
		return "glossary/#" + to.Word
	case to.Glossary:
		return "glossary/"
	case to.Step > 0:
		return fmt.Sprintf("%s#step-%d", pageOf(to.Lesson), to.Step+1)
	}
	return pageOf(to.Lesson) + to.File
}

// rootFrom is the way from a page to the site's root.
func rootFrom(name string) string { return "./" + strings.Repeat("../", strings.Count(name, "/")) }

// render puts a page with a program together, as it stands at that place below
// the site's root. v has what only this page has.
func (b *builder) render(name string, built view.Built, v page) ([]byte, error) {
	file := "page.html"
	if built.Kind == view.EmbedPage {
		file = "embed.html"
	}
	t, err := template.New(file).ParseFS(web.Files, file, "parts.html", "public.html")
	if err != nil {
		return nil, err
	}
	sprite, err := web.Files.ReadFile("sprite.svg")
	if err != nil {
		return nil, err
	}
	built.Root = rootFrom(name)
	encoded, err := built.Encode()
	if err != nil {
		return nil, err
	}
	app, err := elements(built, encoded)
	if err != nil {
		return nil, err
	}
	v.Root = strings.Repeat("../", strings.Count(name, "/"))
	if built.Kind != view.EmbedPage {
		v.Public = b.public(name)
	}
	v.Style, v.Boot, v.GoRuntime = b.names["style.css"], b.names["boot.js"], b.names["wasm_exec.js"]
	v.Paint, v.Icon, v.Recorded = b.names["paint.js"], b.names["icon.svg"], b.names["recorded.js"]
	v.Program, v.ProgramSize = b.names[programFile], b.sizes[programFile]
	v.Inlined = b.names[inlinedFile]
	v.Data, v.App = data(encoded), template.HTML(app)
	v.Sprite = template.HTML(string(sprite) + scene.Sprite())
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return out.Bytes(), nil
}

// data makes JSON fit to stand in a script element.
func data(json []byte) template.JS {
	return template.JS(strings.ReplaceAll(string(json), "<", `\u003c`))
}

// notice is where boot.js says why the program is not there.
const notice = `<p class="notice err" id="notice" role="alert" hidden><span></span><button class="btn" type="button" data-do="retry">Try again</button></p>`

// elements are those of the page as the program will show them at its start,
// and after them the later steps.
func elements(page view.Built, built []byte) (string, error) {
	l := page.Lesson
	p, err := opened(l, 0)
	if err != nil {
		return "", err
	}
	faint, clock := player.ClockParts(p.Time())
	within := map[string]string{
		"stage":       strings.Join(drawn(p, scene.Wide, scene.Compact, scene.Tall), ""),
		"clock-faint": faint, "clock-now": clock, "notices": notice,
	}
	for i := 1; i < len(l.Steps); i++ {
		if l.Steps[i].Stage() == nil || page.Kind == view.EmbedPage {
			continue
		}
		if p, err = opened(l, i); err != nil {
			return "", err
		}
		within[view.Poster(i)] = strings.Join(drawn(p, scene.Compact, scene.Tall), "")
	}
	return tidied(view.Still(built), within)
}

// opened is the player of a step's stage. That of a later step stands at the
// moment that decides its first question, or at its first stop.
func opened(l *lesson.Lesson, step int) (*player.Player, error) {
	p := player.New(l.ScenarioOf(l.StageOf(step).Scenario))
	p.Work(func() bool { return false })
	if problems := p.Problems(); len(problems) > 0 {
		return nil, problems
	}
	if m := decides(&l.Steps[step]); step > 0 && m != nil {
		at, err := m.Find(p.Run().Log)
		if err != nil {
			return nil, err
		}
		p.GoTo(at)
	}
	return p, nil
}

func decides(step *lesson.Step) *lesson.Moment {
	for _, b := range step.Blocks {
		if q := b.Question; q != nil && q.See != nil && q.Scenario == step.Stage().Scenario {
			return q.See
		}
	}
	for i := range step.Stage().Stops {
		return &step.Stage().Stops[i].Moment
	}
	return nil
}

// drawn draws what a player shows, in several layouts; the style sheet shows
// the one that fits.
func drawn(p *player.Player, sizes ...scene.Size) []string {
	r := p.Run()
	var all []string
	for _, size := range sizes {
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
		frame := stage.Frame(scene.Input{State: p.State(), Now: p.Moment(), Opening: p.Opening(), Stepped: p.Stepped(), Follow: event.NoMessage})
		all = append(all, scene.Markup(frame))
	}
	return all
}
