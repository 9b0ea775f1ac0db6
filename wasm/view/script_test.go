package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
)

func never() bool { return false }

func TestEveryStepOfEveryLessonIsShown(t *testing.T) {
	folders, err := lessons.Folders("../../lessons")
	require.NoError(t, err)
	for _, folder := range folders {
		l, err := lessons.Open(folder)
		require.NoError(t, err)
		p, _ := mounted(t, &notes{lesson: l})
		for i := range l.Steps {
			p.goTo(i)
			p.session.Work(never)
			text := html(p)
			assert.Contains(t, text, l.Steps[i].Title)
			assert.NotContains(t, text, "style=", "the page's policy refuses style attributes")
			assert.NotContains(t, text, "…</b>", "every figure is there")
			for _, b := range l.Steps[i].Blocks {
				if b.Question != nil {
					assert.Contains(t, text, `id="q-`+b.Question.ID+`"`)
				}
				if b.Challenge != nil {
					assert.Contains(t, text, `id="c-`+b.Challenge.ID+`"`)
				}
			}
			assert.Equal(t, i < len(l.Steps)-1, strings.Contains(text, `id="step-next"`))
		}
	}
}

// A part of the script is rendered again only when its key has changed: what
// is answered, checked or dragged must change it.
func TestTheScriptsKeySaysEverythingThatItShows(t *testing.T) {
	p, _ := mounted(t, &notes{lesson: lessonOf(t, "ack-after-work")})
	looks := map[string]string{}
	look := func(when string) {
		t.Helper()
		for name, render := range map[string]func() string{
			"before": func() string { return unordered(p.before.render()) }, "beside": func() string { return unordered(p.beside.render()) },
		} {
			at, now := name+p.scriptKey(), render()
			if before, known := looks[at]; known {
				assert.Equal(t, before, now, "%s %s", name, when)
			}
			looks[at] = now
		}
	}
	for i := range p.session.Lesson().Steps {
		p.goTo(i)
		look("at first")
		p.session.Work(never)
		look("with its runs")
		for _, b := range p.session.Blocks() {
			if q := b.Question; q != nil {
				p.session.Commit(q)
				look("without an answer")
				n := 1.0
				p.session.Draft(q, func(g *lesson.Given) { g.Choices, g.Number, g.Line = []int{0}, &n, 2 })
				look("chosen")
				p.session.Commit(q)
				look("committed")
				p.player.GoToEnd()
				p.session.Watch()
				look("answered")
			}
			if c := b.Challenge; c != nil {
				p.session.Check(c)
				look("checking")
				for !p.session.Work(func() bool { return true }) {
					look("while it is checked")
				}
				look("checked")
				p.session.Hint(c)
				look("with a hint")
				p.session.Solve(c)
				p.session.Work(never)
				look("with the solution")
			}
		}
	}
}

func TestShowMeTheMomentSeeksPausesAndRings(t *testing.T) {
	edge := &notes{lesson: lessonOf(t, "ack-after-work")}
	p, _ := mounted(t, edge)
	p.goTo(4)
	p.session.Work(never)
	q := p.session.Blocks()[len(p.session.Blocks())-1].Question
	require.NotNil(t, q)
	require.True(t, p.session.Show(*q.See, q.Scenario))
	p.ring()
	assert.False(t, p.player.Playing())
	assert.NotEmpty(t, edge.ringed)
	m, err := q.See.Find(p.player.Run().Log)
	require.NoError(t, err)
	assert.Equal(t, m+1, p.player.Events())
}

func TestProgressIsKeptUnderTheLessonsName(t *testing.T) {
	edge := &notes{lesson: lessonOf(t, "ack-after-work")}
	p, _ := mounted(t, edge)
	q := p.session.Blocks()[2].Question
	require.NotNil(t, q)
	p.session.Draft(q, func(g *lesson.Given) { g.Choices = []int{1} })
	require.True(t, p.session.Commit(q))
	p.committed(q)
	assert.Contains(t, edge.kept["ticketrail.lesson.ack-after-work"], `"committed":true`)
	again, _ := mounted(t, &notes{lesson: edge.lesson, kept: edge.kept})
	assert.Equal(t, []int{1}, again.session.Answered(q).Given.Choices)
}

func TestWhatIsPredictedIsNotTold(t *testing.T) {
	edge := &notes{lesson: lessonOf(t, "ack-after-work")}
	p, _ := mounted(t, edge)
	const sentence = "Predict first, or run without a guess."
	keeps := func() bool { return strings.Contains(html(p), "lesson  secret") }
	assert.True(t, keeps())
	text := html(p)
	assert.Contains(t, text, sentence)
	assert.NotContains(t, text, "Next: ", "the next step's title is the answer")
	assert.Contains(t, text, `class="axes first"`)
	q := p.session.Blocks()[2].Question
	require.NotNil(t, q)

	p.player.GoTo(p.player.Stops()[0].Event)
	p.follow()
	assert.Equal(t, 1, edge.seen[1], "the stop that was reached, not the one after it")
	assert.True(t, keeps(), "to look around is free")
	p.player.GoToEnd()
	assert.False(t, p.known())

	p.session.Draft(q, func(g *lesson.Given) { g.Choices = []int{1} })
	require.True(t, p.session.Commit(q))
	text = html(p)
	assert.True(t, keeps())
	assert.NotContains(t, text, sentence)
	assert.Contains(t, text, "Next: ")
	p.player.GoToEnd()
	require.NotNil(t, p.session.Watch())
	assert.False(t, keeps())
	assert.True(t, p.known())

	p.session.Again(q)
	assert.True(t, keeps())
	p.session.Pass(q)
	assert.False(t, keeps(), "who runs without a guess sees all")
}

func TestThePageAsTextKeepsTheSecretToo(t *testing.T) {
	p, _ := mounted(t, &notes{lesson: lessonOf(t, "ack-after-work"), query: map[string]string{"view": "text"}})
	assert.Contains(t, html(p), `class="textual secret`)
}
