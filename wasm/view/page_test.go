package view

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// notes is an Edge that writes down what was asked of it. Frames are called by
// the test, one by one.
type notes struct {
	lesson                     *lesson.Lesson
	kind                       Kind
	starts                     []lesson.Scenario
	scenario, fragment, wanted string
	kept                       map[string]string
	ringed                     []string
	size                       scene.Size
	hidden, reduced, narrow    bool

	recorded      string
	query         map[string]string
	value, copied string
	refuses       bool // to copy
	twins         int  // times the second stage was drawn
	life          int

	now     float64
	step    func(float64) bool
	painted int // with changes of the stage
	// crossings are all times that something was handed over.
	crossings int
	moved     int // times the playhead was moved
	at        float64
	clock     string
	hover     float64
	texts     [slots]string
	row       int
	lines     map[int]string // who is at each line of the card, and what was raised there
	seen      [2]int         // marks and stops of the timeline that are shown
	spoken    string
	said      string
	focused   string
	changed   func()
	offered   map[string]func(string) string
	told      []string // to the page around
}

func (n *notes) Kept(name string) string      { return n.kept[name] }
func (n *notes) Check(string)                 {}
func (n *notes) Top(id string)                { n.focused = id }
func (n *notes) Ring(keys []string)           { n.ringed = keys }
func (n *notes) Nearest(string, float64) int  { return -1 }
func (n *notes) Down(string, float64) float64 { return 0 }
func (n *notes) Query(name string) string     { return n.query[name] }
func (n *notes) SetQuery(name, value string) {
	if n.query == nil {
		n.query = map[string]string{}
	}
	n.query[name] = value
}
func (n *notes) PaintTwin([]byte)    { n.twins++ }
func (n *notes) Value(string) string { return n.value }
func (n *notes) Copy(text string, done func(bool)) {
	n.copied = text
	done(!n.refuses)
}
func (n *notes) Place() string          { return "https://example.org/sandbox/" }
func (n *notes) Save(name, text string) { n.copied = name + "\n" + text }
func (n *notes) ReadFile(_ string, done func(string, string)) {
	done("file.yaml", n.value)
}
func (n *notes) Frames(step func(float64) bool) { n.step = step }
func (n *notes) Now() float64                   { return n.now }
func (n *notes) Paint(_ scene.Size, b []byte, stage int) {
	n.crossings++
	if stage > 0 {
		n.painted++
	}
	n.live(b[stage:])
}
func (n *notes) TabTo(string, string)                   {}
func (n *notes) Size() scene.Size                       { return n.size }
func (n *notes) Watch(changed func())                   { n.changed = changed }
func (n *notes) Visible() bool                          { return !n.hidden }
func (n *notes) Reduced() bool                          { return n.reduced }
func (n *notes) Narrow() bool                           { return n.narrow }
func (n *notes) Say(sentence string)                    { n.said = sentence }
func (n *notes) Fill(string, string)                    {}
func (n *notes) Focus(id string)                        { n.focused = id }
func (n *notes) Along(string, float64) float64          { return 0.5 }
func (n *notes) Width(string) int                       { return 752 }
func (n *notes) Capture(string, int)                    {}
func (n *notes) Lift(float64, float64)                  {}
func (n *notes) NearestSlot(float64) int                { return 0 }
func (n *notes) Fragment() string                       { return n.fragment }
func (n *notes) Moved(func())                           {}
func (n *notes) SetFragment(text string)                { n.fragment = text }
func (n *notes) Recorded() string                       { return n.recorded }
func (n *notes) Wanted() string                         { return n.wanted }
func (n *notes) Offer(f map[string]func(string) string) { n.offered = f }
func (n *notes) Tell(message string)                    { n.told = append(n.told, message) }

// pass lets that many frames of 16 ms come, for as long as they are wanted.
func (n *notes) pass(frames int) (called int) {
	for range frames {
		if n.step == nil {
			return called
		}
		n.now += 16
		called++
		if !n.step(n.now) {
			n.step = nil
		}
	}
	return called
}

// Data is the lesson that the test gives, or one that is its scenario.
func (n *notes) Data() []byte {
	l := n.lesson
	if n.scenario != "" {
		s, problems := scenario.DecodeJSON([]byte(n.scenario))
		if len(problems) > 0 {
			return []byte(`{"root":"./","lesson":{"format":1,"scenarios":[{"id":"it","scenario":` + n.scenario + `}],"steps":[]}}`)
		}
		l = lesson.Of(s)
	}
	text, err := Built{Root: "./", Kind: n.kind, Lesson: l, Starts: n.starts}.Encode()
	if err != nil {
		panic(err)
	}
	return text
}

func (n *notes) Keep(name, text string) {
	if n.kept == nil {
		n.kept = map[string]string{}
	}
	n.kept[name] = text
}

// lessonOf reads a lesson of the tree.
func lessonOf(t testing.TB, slug string) *lesson.Lesson {
	t.Helper()
	l, err := lessons.Open("../../lessons/" + slug)
	require.NoError(t, err)
	return l
}

// home is the lesson of the home page.
func home(t testing.TB) *lesson.Lesson { return lessonOf(t, "ticket-rail") }

// mounted is a page in go-app's engine for tests. There OnMount is not called,
// so the test calls what it would.
func mounted(t *testing.T, edge *notes) (*Page, app.TestEngine) {
	t.Helper()
	if edge.scenario == "" && edge.lesson == nil {
		edge.lesson = home(t)
	}
	p := New(edge)
	engine := app.NewTestEngine()
	require.NoError(t, engine.Load(p.Root()))
	engine.ConsumeAll()
	return p, engine
}

func html(p *Page) string { return app.HTMLString(p.render()) }

func TestThePageShowsItsScenario(t *testing.T) {
	p, _ := mounted(t, &notes{})
	text := html(p)
	for _, want := range []string{
		"Six orders on the rail", "send_email</span>", "visibility timeout", "max receives",
		"The waiter clips", "accepted", "id=\"stage\"", "Transcript", "effects",
	} {
		assert.Contains(t, text, want)
	}
}

func TestNoElementHasAStyle(t *testing.T) {
	p, _ := mounted(t, &notes{})
	assert.NotContains(t, html(p), "style=", "the page's policy refuses style attributes")
}

func TestAScenarioThatIsNotValidIsSaid(t *testing.T) {
	p, _ := mounted(t, &notes{scenario: `{"queues":{"orders":{"visibility":"1s"}}}`})
	assert.Contains(t, html(p), "visibility")
}

func TestALinkOpensItsMoment(t *testing.T) {
	p, _ := mounted(t, &notes{fragment: "#v=1&workers.cook.count=2&at=300ms"})
	assert.EqualValues(t, 2, p.player.Scenario().Workers[0].Count)
	assert.Equal(t, 300*event.Millisecond, p.player.Time())
	assert.Contains(t, html(p), "was 1, undo")
}

// A panel whose key is the same must look the same: it is not rendered again.
func TestAKeySaysEverythingThatItsPanelShows(t *testing.T) {
	p, _ := mounted(t, &notes{})
	looks := map[string]string{}
	look := func(when string) {
		for name, panel := range p.parts() {
			at := name + panel.key()
			now := unordered(panel.render())
			if before, known := looks[at]; known {
				assert.Equal(t, before, now, "%s %s", name, when)
			}
			looks[at] = now
		}
	}
	look("at first")
	p.folds["deeds"] = true
	look("with the list of deeds")
	p.player.SetPosition("fails", 1)
	p.player.Work(func() bool { return false })
	look("after an edit")
	for i := range p.player.Run().Log.Len() {
		p.player.GoTo(i)
		look("after an event")
	}
	p.player.SetSpeed(2)
	look("at another speed")
	p.player.Play()
	look("playing")
	p.typed = true
	look("typing")
	p.player.SetHandler("typed", "def on_message(msg)")
	look("after a mistake")
	p.player.Undo()
	look("undone")
}

type part struct {
	key    func() string
	render func() app.UI
}

// parts are what the page is made of, by name.
func (p *Page) parts() map[string]part {
	return map[string]part{
		"before":     {p.scriptKey, p.before.render},
		"beside":     {p.scriptKey, p.beside.render},
		"notices":    {p.noticesKey, p.notices.render},
		"deeds":      {p.deedsKey, p.deeds.render},
		"letter":     {p.letterKey, p.letter.render},
		"strip":      {p.stripKey, p.strip.render},
		"transport":  {p.transportKey, p.transport.render},
		"timeline":   {p.timelineKey, p.timeline.render},
		"charts":     {p.chartsKey, p.chart.render},
		"code":       {p.codeKey, p.code.render},
		"settings":   {p.settingsKey, p.settings.render},
		"transcript": {p.transcriptKey, p.transcript.render},
		"outcome":    {p.outcomeKey, p.outcome.render},
		"biography":  {p.biographyKey, p.biography.render},
		"words":      {p.wordsKey, p.wordsSwitch},
		"twin":       {p.twinKey, p.renderTwin},
		"start":      {p.sandbox.startKey, p.sandbox.start},
		"palette":    {p.sandbox.paletteKey, p.sandbox.palette},
		"form":       {p.sandbox.formKey, p.sandbox.form},
		"yaml":       {p.sandbox.yamlKey, p.sandbox.yaml},
	}
}

// lively finds what is written past go-app while time moves: it is no part of a
// key. live_test.go is about it.
var lively = regexp.MustCompile(`aria-value(now|text)="[^"]*"|(?s)<p[^>]*id="next"[^>]*>.*?</p>|(?s)<section[^>]*class="strip".*</section>`)

// unordered is the markup of an element, whatever the order of attributes.
func unordered(ui app.UI) string {
	words := strings.FieldsFunc(lively.ReplaceAllString(app.HTMLString(ui), ""), func(r rune) bool { return r == ' ' || r == '<' || r == '>' || r == '\n' })
	slices.Sort(words)
	return strings.Join(words, " ")
}

func TestWhatIsOffered(t *testing.T) {
	p, _ := mounted(t, &notes{})
	var state map[string]any
	require.NoError(t, json.Unmarshal([]byte(p.stateJSON()), &state))
	assert.Equal(t, p.player.Run().Log.Hash(), state["hash"])
	assert.EqualValues(t, 6, state["accepted"])

	var same map[string]any
	require.NoError(t, json.Unmarshal([]byte(runJSON(string(home(t).ScenarioOf("six").EncodeJSON()))), &same))
	assert.Equal(t, state["hash"], same["hash"])
	assert.Empty(t, same["failed"])

	var wrong map[string][]string
	require.NoError(t, json.Unmarshal([]byte(runJSON(`{"queues":{"q":{"max_recieves":1}}}`)), &wrong))
	assert.True(t, strings.Contains(strings.Join(wrong["problems"], "\n"), "max_receives"))
}

func TestALinkOpensWhileThePageIsOpen(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	edge.fragment = "#v=1&workers.cook.count=2&at=300ms"
	p.addressed()
	edge.pass(500)
	assert.EqualValues(t, 2, p.player.Scenario().Workers[0].Count)
	assert.Equal(t, 300*event.Millisecond, p.player.Time())
	edge.fragment = ""
	p.addressed()
	edge.pass(500)
	assert.EqualValues(t, 1, p.player.Scenario().Workers[0].Count)
}
