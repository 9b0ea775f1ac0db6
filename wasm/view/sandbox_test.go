package view

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/build"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// inSandbox is the page of that kind, with the smallest scenario.
func inSandbox(t *testing.T) (*Page, *notes) {
	t.Helper()
	edge := &notes{kind: SandboxPage, lesson: lesson.Of(player.Blank())}
	edge.starts = []lesson.Scenario{{ID: "Six orders", Scenario: home(t).ScenarioOf("six")}}
	p, _ := mounted(t, edge)
	return p, edge
}

// pageOf is the page after the run has been computed and drawn.
func pageOf(p *Page, edge *notes) string {
	p.edited()
	edge.pass(50)
	return html(p)
}

func TestTheSandboxShowsWhatThereIs(t *testing.T) {
	p, edge := inSandbox(t)
	text := pageOf(p, edge)
	for _, want := range []string{`id="add-queues"`, `id="thing-queues-queue"`, `id="thing-title"`, "Queue queue", "Six orders", `id="yaml"`, `id="out-link"`} {
		assert.Contains(t, text, want)
	}
	assert.NotContains(t, text, `id="settings"`, "its form has them")
	assert.NotContains(t, text, `id="to-sandbox"`)
	q, _ := mounted(t, &notes{})
	assert.NotContains(t, html(q), `id="add-queues"`)
	assert.Contains(t, html(q), `id="to-sandbox"`)
}

// TestThePageStandsWhateverIsThere: with each thing of the smallest scenario
// removed, and with everything, all parts can be shown, played and asked.
func TestThePageStandsWhateverIsThere(t *testing.T) {
	p, edge := inSandbox(t)
	p.folds["form-more"], p.folds["yaml"] = true, true
	for _, section := range build.Sections {
		p.player.AddThing(section)
		require.NotEmpty(t, pageOf(p, edge))
		p.player.GoToEnd()
		require.NotEmpty(t, pageOf(p, edge))
	}
	for _, list := range []string{player.Timeline, player.Expected, "workers.worker.crash"} {
		p.player.AddRow(list)
		p.player.Choose(player.Thing{Section: list})
		require.NotEmpty(t, pageOf(p, edge))
	}
	for _, section := range append([]string{"workers", "producers"}, build.Sections...) {
		for _, name := range build.Names(p.player.Scenario(), section) {
			t.Log("without", section, name)
			p.player.RemoveThing(player.Thing{Section: section, Name: name})
			require.NotEmpty(t, pageOf(p, edge))
			p.player.Restart()
			p.play()
			require.NotEmpty(t, pageOf(p, edge))
			require.NotEmpty(t, p.stateJSON())
		}
	}
	assert.Empty(t, p.player.Groups())
}

func TestTheFormSaysWhatIsWrongAtItsField(t *testing.T) {
	p, edge := inSandbox(t)
	p.player.SetWritten("queues.queue.ttl", "soon")
	text := pageOf(p, edge)
	assert.Contains(t, text, `id="f-queues-queue-ttl-wrong"`)
	assert.Contains(t, text, "soon")
	p.player.RenameThing(p.player.Chosen(), "9")
	text = pageOf(p, edge)
	assert.NotContains(t, text, `id="f-queues-queue-ttl-wrong"`)
	assert.Contains(t, text, `id="thing-name-wrong"`)
}

func TestWhatIsTakenAlong(t *testing.T) {
	p, edge := inSandbox(t)
	p.sandbox.openFile(app.Context{}, app.Event{})
	assert.Contains(t, p.sandbox.said, "file.yaml cannot be opened. 1:1: the file is empty")
	edge.value = "title: <script>\nqueues: {letters: {}}\n"
	p.sandbox.openFile(app.Context{}, app.Event{})
	assert.Equal(t, []string{"letters"}, build.Names(p.player.Scenario(), "queues"))
	assert.NotContains(t, pageOf(p, edge), "<script>")
	for title, name := range map[string]string{"Two workers, one mail server": "two-workers-one-mail-server.yaml", "": "scenario.yaml", "???": "scenario.yaml", "A/B": "a-b.yaml"} {
		assert.Equal(t, name, fileName(title))
	}
}

func TestALinkThatCannotBeReadIsSaidOnThePage(t *testing.T) {
	edge := &notes{fragment: "#v=1&scenario=" + strings.Repeat("A", 99)}
	p, _ := mounted(t, edge)
	assert.Contains(t, html(p), "This link is damaged or was cut off")
	p.player.AnotherSeed()
	assert.NotContains(t, pageOf(p, edge), "This link is damaged")
}
