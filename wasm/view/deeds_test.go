package view

import (
	"os"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// ofCase is a case of the core as a page.
func ofCase(t testing.TB, name string) *lesson.Lesson {
	t.Helper()
	text, err := os.ReadFile("../../core/testdata/cases/" + name + ".yaml")
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(text)
	require.Empty(t, problems)
	return lesson.Of(s)
}

func TestEveryDeedOfTheListIsDoneAndSaid(t *testing.T) {
	edge := &notes{lesson: ofCase(t, "poison-to-dead-letters")}
	p, _ := mounted(t, edge)
	p.player.GoToEnd()
	p.folds["deeds"] = true
	seen := map[string]bool{}
	for _, d := range p.player.Deeds() {
		assert.Contains(t, html(p), d.Label)
		seen[d.Act] = true
		if d.Act == "edit" {
			continue // it asks first
		}
		hash := p.player.Run().Log.Hash()
		require.True(t, p.deed(d.Act, func(kind string) string {
			assert.Equal(t, d.Kind, kind)
			return d.Name
		}), d.Act)
		assert.NotEqual(t, hash, p.player.Run().Log.Hash(), d.Act)
		assert.Contains(t, edge.said, "Undo takes it back.")
		p.player.Undo()
		p.player.Work(never)
	}
	for _, act := range []string{"send", "add", "crash", "redrive", "edit"} {
		assert.True(t, seen[act], act)
	}
	assert.False(t, p.deed("paint", func(string) string { return "" }))
}

func TestADeadLetterIsCorrectedInAForm(t *testing.T) {
	edge := &notes{lesson: ofCase(t, "poison-to-dead-letters")}
	p, _ := mounted(t, edge)
	p.player.GoToEnd()
	dead := p.player.Run().Outcome.Dead
	for _, d := range p.player.Deeds() {
		if d.Act == "edit" {
			p.letter.show(d.Name)
		}
	}
	require.True(t, p.letter.open)
	assert.Contains(t, html(p), `id="letter-body"`)
	edge.value = "{broken"
	p.letter.send(app.Context{}, app.Event{})
	assert.NotEmpty(t, p.letter.problem)
	assert.Contains(t, html(p), `role="alert"`)
	p.letter.close()
	assert.NotContains(t, html(p), `id="letter-body"`)
	assert.Equal(t, "stage", edge.focused)
	assert.Equal(t, dead, p.player.Run().Outcome.Dead)
}

func TestWhomOneFollowsIsSaidInEverySize(t *testing.T) {
	for _, size := range []scene.Size{scene.Compact, scene.Tall, scene.Narrow} {
		p, _ := mounted(t, &notes{size: size})
		assert.NotContains(t, html(p), `id="followed"`)
		before := p.deedsKey()
		p.followed("103")
		assert.Contains(t, html(p), "Following 103, stop")
		assert.NotEqual(t, before, p.deedsKey())
		p.unfollow()
		assert.NotContains(t, html(p), `id="followed"`)
	}
}
