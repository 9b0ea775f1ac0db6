package view

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
)

// embeddedPage is the first lesson in a frame with these options.
func embeddedPage(t *testing.T, query map[string]string) (*Page, *notes) {
	t.Helper()
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	n := &frameNotes{notes: notes{query: query}}
	n.data, err = Built{Root: "./../../../", Kind: EmbedPage, Lesson: l}.Encode()
	require.NoError(t, err)
	return New(n), &n.notes
}

// frameNotes are notes of a page that was built as an embedded one.
type frameNotes struct {
	notes
	data []byte
}

func (n *frameNotes) Data() []byte { return n.data }

func TestWhatAnEmbeddedStageShows(t *testing.T) {
	all := &lesson.Stage{}
	few := &lesson.Stage{Show: []string{"code", "transcript"}}
	for asked, want := range map[string][2][]string{
		"":                 {{"code", "settings"}, {"code"}},
		"prose":            {{"none"}, {"none"}},
		"charts,nonsense":  {{"charts"}, {"charts"}},
		"nonsense":         {{"code", "settings"}, {"code"}},
		"outcome, prose":   {{"outcome"}, {"outcome"}},
		"all":              {lesson.Panels, lesson.Panels},
		"settings,lanes":   {{"settings", "lanes"}, {"settings", "lanes"}},
		"prose,transcript": {{"transcript"}, {"transcript"}},
	} {
		assert.Equal(t, want[0], fitting(all, listed(asked)), asked)
		assert.Equal(t, want[1], fitting(few, listed(asked)), asked)
	}
}

func TestLockingAndUnlocking(t *testing.T) {
	const timeout = "queues.orders.visibility_timeout"
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	s := l.Scenarios[0].Scenario
	stage := &lesson.Stage{Unlock: []string{lesson.Handler, timeout}}
	for _, c := range []struct {
		unlock, lock     string
		timeout, handler bool
		seed             bool
	}{
		{"", "", true, true, false},
		{"", "handler", true, false, false},
		{"", timeout, false, true, false},
		{"", "all", false, false, false},
		{timeout, "all", true, false, false},
		{"seed", "", true, true, true},
		{"all", "handler", true, false, true},
	} {
		got := lesson.Stage{Unlock: freed(stage, s, listed(c.unlock), listed(c.lock))}
		assert.Equal(t, []bool{c.timeout, c.handler, c.seed}, []bool{got.Unlocks(timeout), got.Unlocks("workers.cook.handler"), got.Unlocks("seed")}, "%+v", c)
	}
}

func TestAnOptionThatNamesNothingIsNoted(t *testing.T) {
	_, n := embeddedPage(t, map[string]string{"lock": "handler,queues.order.visibility", "unlock": "all"})
	require.Len(t, n.told, 1)
	assert.Contains(t, n.told[0], "lock=queues.order.visibility is left out")
}

func TestAnEmbeddedPageTellsWhatHappensAndObeys(t *testing.T) {
	p, n := embeddedPage(t, nil)
	last := func() (m map[string]any) {
		require.NotEmpty(t, n.told)
		require.NoError(t, json.Unmarshal([]byte(n.told[len(n.told)-1]), &m))
		return m
	}
	answer := func(text string) (m map[string]any) {
		require.NoError(t, json.Unmarshal([]byte(p.obey(text)), &m))
		return m
	}
	p.edge.Offer(p.offers())
	assert.Equal(t, 0.5, answer(`{"type":"seek","time":0.5}`)["time"])
	assert.Equal(t, []any{"state", "ticket-rail", 0.5, false}, []any{last()["type"], last()["lesson"], last()["time"], last()["playing"]})
	before := p.player.Events()
	answer(`{"type":"step","by":2}`)
	assert.Greater(t, p.player.Events(), before)
	assert.Equal(t, true, answer(`{"type":"play"}`)["playing"])
	assert.Equal(t, true, last()["playing"])
	assert.Equal(t, false, answer(`{"type":"pause"}`)["playing"])
	assert.Equal(t, 0.0, answer(`{"type":"reset"}`)["time"])
	for text, want := range map[string]string{
		`{"type":"seek"}`:            "virtual seconds",
		`{"type":"seek","time":1e9}`: "virtual seconds",
		`{"type":"step","by":1001}`:  "-1000 to 1000",
		`{"type":"jump"}`:            "there is no command jump",
		`{"type":"step","by":"x"}`:   "a command is an object",
	} {
		assert.Contains(t, answer(text)["problem"], want, text)
	}
}

func TestAPageThatIsNotEmbeddedTellsNothing(t *testing.T) {
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	n := &notes{lesson: l}
	p := New(n)
	p.play()
	p.keep()
	p.remember()
	assert.Empty(t, n.told)
}

func TestAnAnswerIsToldOnce(t *testing.T) {
	p, n := embeddedPage(t, nil)
	q := p.session.Guessing()
	require.NotNil(t, q)
	p.session.Draft(q, func(g *lesson.Given) { g.Choices = []int{0} })
	require.True(t, p.session.Commit(q))
	p.keep()
	assert.Zero(t, strings.Count(strings.Join(n.told, "\n"), `"answer"`), "the run has not answered yet")
	p.session.Reveal(q)
	p.keep()
	p.keep()
	all := strings.Join(n.told, "\n")
	assert.Equal(t, 1, strings.Count(all, `"type":"answer"`))
	assert.Contains(t, all, `"kind":"prediction"`)
	assert.NotContains(t, all, "given", "what a reader has written stays in the frame")
}

// slow is an Edge on a machine on which everything takes long.
type slow struct{ frameNotes }

func (n *slow) Now() float64 {
	n.now += firstRun + 1
	return n.now
}

func TestPlayThatComesBeforeTheRunIsKept(t *testing.T) {
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	n := &slow{}
	n.data, err = Built{Root: "./", Kind: EmbedPage, Lesson: l}.Encode()
	require.NoError(t, err)
	p := New(n)
	require.Nil(t, p.player.Run())
	p.redraw()
	p.play()
	assert.False(t, p.player.Playing())
	for range 1000 {
		if p.player.Run() != nil {
			break
		}
		require.NotNil(t, n.step)
		n.step(n.now)
	}
	assert.True(t, p.player.Playing())
}
