package site

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// rendered is the page of a lesson, without compiling the program for it.
func rendered(t *testing.T, change func(*scenario.Scenario)) string {
	t.Helper()
	b := &builder{names: map[string]string{
		"style.css": "style.css", "boot.js": "boot.js", "wasm_exec.js": "wasm_exec.js",
		"paint.js": "paint.js", "icon.svg": "icon.svg", "program.wasm": "program.wasm",
	}}
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	if change != nil {
		change(l.ScenarioOf("six"))
	}
	text, err := b.render("lessons/ticket-rail/index.html", view.Built{Lesson: l}, page{})
	require.NoError(t, err)
	return string(text)
}

func TestThePageIsWholeWithoutTheProgram(t *testing.T) {
	page := rendered(t, nil)
	for _, want := range []string{
		">Six orders on the rail</h1>", "send_email(msg.id)", "visibility timeout",
		"to the rail", "takes", "First try", "Lost without a word", "<noscript>",
		`data-size="m"`, `data-size="s"`, `data-size="t"`,
	} {
		assert.Contains(t, page, want)
	}
	_, transcript, _ := strings.Cut(page, `class="transcript"`)
	transcript, _, _ = strings.Cut(transcript, "</ol>")
	assert.Equal(t, 6, strings.Count(transcript, "Done.</span>"), "the transcript tells all six acks")
}

func TestThePageObeysItsOwnPolicy(t *testing.T) {
	page := rendered(t, nil)
	assert.NotRegexp(t, `<[^>]*\sstyle=`, page)
	assert.NotRegexp(t, `<[^>]*\son[a-z]+=`, page)
	assert.NotContains(t, page, "<style")
	for _, tag := range regexp.MustCompile(`<script[^>]*>`).FindAllString(page, -1) {
		assert.Regexp(t, `src="|type="application/json"`, tag)
	}
}

func TestEveryAddressIsRelative(t *testing.T) {
	for _, m := range regexp.MustCompile(`(?:href|src|data-program)="([^"]*)"`).FindAllStringSubmatch(rendered(t, nil), -1) {
		assert.NotRegexp(t, `^(/|[a-z]+:)`, m[1])
	}
}

func TestTheProgramTakesThePlaceOfTheFirstElement(t *testing.T) {
	assert.Regexp(t, `<body>\s*<div id="app">`, rendered(t, nil))
}

func TestTheScenarioCannotLeaveItsElement(t *testing.T) {
	const evil = `</script><script>alert(1)</script>`
	page := rendered(t, func(s *scenario.Scenario) {
		s.Title = evil
		s.Producers[0].Send[0].Body = event.Object{{Name: "name", Value: evil}, {Name: "email", Value: evil}}
	})
	assert.NotContains(t, page, "<script>alert")
	found := regexp.MustCompile(`(?s)<script type="application/json" id="page">(.*?)</script>`).FindStringSubmatch(page)
	require.NotNil(t, found)
	var built struct{ Lesson json.RawMessage }
	require.NoError(t, json.Unmarshal([]byte(found[1]), &built))
	l, err := lesson.DecodeJSON(built.Lesson)
	require.NoError(t, err)
	assert.Equal(t, evil, l.ScenarioOf("six").Title)
}

func TestTwoPagesOfOneTreeAreTheSame(t *testing.T) {
	assert.Equal(t, rendered(t, nil), rendered(t, nil))
}

func TestAFileThatChangesChangesItsName(t *testing.T) {
	b := &builder{dir: t.TempDir(), compressed: true, names: map[string]string{}, sizes: map[string]int{}}
	require.NoError(t, b.hashed("style.css", []byte("a{}")))
	first := b.names["style.css"]
	require.NoError(t, b.hashed("style.css", []byte("b{}")))
	assert.NotEqual(t, first, b.names["style.css"])
	files, err := os.ReadDir(b.dir)
	require.NoError(t, err)
	var names []string
	for _, f := range files {
		names = append(names, f.Name())
	}
	now := b.names["style.css"]
	assert.Equal(t, []string{now, now + ".br", now + ".gz"}, names, "the old one is gone")
	text, err := os.ReadFile(filepath.Join(b.dir, now))
	require.NoError(t, err)
	assert.Equal(t, "b{}", string(text))
}

func TestLinksLeadToPages(t *testing.T) {
	shelf, err := lessons.OpenShelf("../../lessons")
	require.NoError(t, err)
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	for root, want := range map[string][]string{
		"./":       {"./glossary/#ack", "./lessons/ack-after-work/#step-2", "./lessons/ticket-rail/picture.svg", "https://example.com/"},
		"./../../": {"./../../glossary/#ack", "./../../lessons/ack-after-work/#step-2", "./../../lessons/ticket-rail/picture.svg", "https://example.com/"},
	} {
		l.Steps[0].Blocks[0].Prose = &lesson.Node{Tag: "div", Kids: []lesson.Node{
			{Tag: "a", Href: "../GLOSSARY.md#ack"}, {Tag: "a", Href: "../ack-after-work/lesson.md#taken-is-not-done"},
			{Tag: "img", Href: "picture.svg"}, {Tag: "a", Href: "https://example.com/"},
		}}
		own, files, err := linked(shelf, l, root)
		require.NoError(t, err)
		var got []string
		for _, n := range own.Steps[0].Blocks[0].Prose.Kids {
			got = append(got, n.Href)
		}
		assert.Equal(t, want, got)
		assert.Equal(t, []string{"picture.svg"}, files)
		assert.Equal(t, "picture.svg", l.Steps[0].Blocks[0].Prose.Kids[2].Href, "the lesson itself is left as it was")
	}
}
