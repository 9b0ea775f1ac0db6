package view

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/wasm/player"
)

func TestWordsOfTheAddressComeBeforeThoseThatWereKept(t *testing.T) {
	kept := map[string]string{keptWords: "sqs"}
	p, _ := mounted(t, &notes{kept: kept})
	assert.Contains(t, html(p), "Consumers")
	assert.Equal(t, "sqs", p.inkedWords())

	p, _ = mounted(t, &notes{kept: kept, query: map[string]string{"words": "pubsub"}})
	assert.Contains(t, html(p), "Subscribers")
	assert.Equal(t, "pubsub", p.inkedWords())

	edge := &notes{}
	p, _ = mounted(t, edge)
	p.draw()
	before, hash := edge.painted, p.player.Run().Log.Hash()
	p.speak(app.Context{}, "rabbitmq")
	assert.Equal(t, "rabbitmq", edge.query["words"])
	assert.Equal(t, "rabbitmq", edge.kept[keptWords])
	assert.Greater(t, edge.painted, before, "the stage speaks in them too")
	assert.Equal(t, hash, p.player.Run().Log.Hash())
	p.speak(app.Context{}, "kitchen")
	assert.Empty(t, edge.query["words"], "an address says only what is not so anyway")
}

// inkedWords are those of the stage that is drawn.
func (p *Page) inkedWords() string {
	p.draw()
	return p.inked.words.Key
}

func TestThePageAsTextHasNoStage(t *testing.T) {
	edge := &notes{query: map[string]string{"view": "text", "words": "plain"}}
	p, _ := mounted(t, edge)
	text := html(p)
	for _, want := range []string{"The run in sentences", "Lives worth telling", "visibility timeout", "effects", "With the stage", `href="?words=plain"`} {
		assert.Contains(t, text, want)
	}
	for _, none := range []string{`id="stage"`, `id="scrub"`, "<details"} {
		assert.NotContains(t, text, none)
	}
	edge.painted = 0
	p.redraw()
	p.follow()
	assert.Zero(t, edge.painted)
	total := strings.Count(app.HTMLString(p.sentences()), "<li")
	assert.Equal(t, p.player.Transcript().Total, total)
}

func TestBothStagesAreDrawnInStep(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.twin.on = true
	p.redraw()
	assert.Zero(t, edge.twins, "there is nothing to compare with")
	p.player.SetPosition("fails", 1)
	p.player.Work(func() bool { return false })
	p.redraw()
	require.Equal(t, 1, edge.twins)
	p.player.GoToEnd()
	p.redraw()
	assert.Equal(t, 2, edge.twins)
	p.redraw()
	assert.Equal(t, 2, edge.twins, "what has not changed is not drawn again")
	assert.Contains(t, html(p), "inert")
	p.twin.on = false
	assert.NotContains(t, html(p), `id="twin"`)
}

func TestTheLineOfALifeIsMarkedPastTheElements(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.player.FollowID("103")
	key := p.biographyKey()
	life := p.biography.told()
	n := -1
	for _, try := range life.Tries {
		for _, line := range try.Lines {
			n++
			p.player.GoTo(line.Event)
			p.follow()
			assert.Equal(t, n, edge.life)
		}
	}
	require.Positive(t, n)
	assert.Equal(t, key, p.biographyKey(), "time alone makes no element anew")
}

func TestWhatIsCopiedIsWhatTheFilterLeaves(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.player.SetFilter(player.Filter{Worker: -1, Topic: "acks"})
	p.transcript.copy(app.Context{}, app.Event{})
	assert.Equal(t, 6, strings.Count(edge.copied, "\n"))
	assert.Equal(t, "Copied 6 sentences.", edge.said)
	edge.refuses = true
	p.transcript.copy(app.Context{}, app.Event{})
	assert.Contains(t, edge.said, "did not allow")
}

func TestToFollowIsSaidAndOpensTheLife(t *testing.T) {
	edge := &notes{narrow: true}
	p, _ := mounted(t, edge)
	assert.False(t, p.folds["biography"])
	p.followed("102")
	assert.True(t, p.folds["biography"])
	assert.Contains(t, edge.said, "Following 102.")
	p.followed("102")
	assert.Equal(t, "Following nobody.", edge.said)
}
