package view

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

func TestNothingIsCalledUntilTheReaderAsks(t *testing.T) {
	edge := &notes{}
	mounted(t, edge)
	assert.Nil(t, edge.step)
}

func TestPlayingDrawsEveryFrameAndStopsAtTheEnd(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	moved := edge.moved
	p.play()
	called := edge.pass(5000)
	assert.Nil(t, edge.step, "nothing runs while nothing changes")
	assert.InDelta(t, 12/0.016, edge.moved-moved, 3, "the playhead moves in every frame up to the end of the run")
	assert.InDelta(t, 14/0.016, called, 3, "1.2 s at a tenth of the speed, and a little for the last things to come to rest")
	assert.Equal(t, p.player.End(), p.player.Time())
	assert.InDelta(t, 1, edge.at, 1e-9)
	assert.Equal(t, "00:01.200", edge.clock)
	assert.Contains(t, edge.said, "6 done")
}

func TestAHiddenStageStops(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.play()
	edge.pass(60)
	at := p.player.Time()
	require.Positive(t, at)
	edge.hidden = true
	edge.pass(60)
	assert.Nil(t, edge.step)
	assert.Equal(t, at, p.player.Time())
	edge.hidden = false
	p.watched()
	require.NotNil(t, edge.step)
	edge.pass(60)
	assert.Greater(t, p.player.Time(), at)
}

func TestReducedMotionGoesFromEventToEvent(t *testing.T) {
	edge := &notes{reduced: true}
	p, _ := mounted(t, edge)
	p.play()
	seen := map[int]bool{}
	for range 10 * 44 { // ten times 704 ms
		if edge.pass(1) == 0 {
			break
		}
		seen[p.player.Events()] = true
	}
	assert.InDelta(t, 10, len(seen), 2)
	assert.True(t, p.player.Playing())
	for range 100_000 {
		if edge.pass(1) == 0 {
			break
		}
	}
	assert.Equal(t, p.player.End(), p.player.Time())
	assert.False(t, p.player.Playing())
}

func TestALongPauseOfTheBrowserMovesNothing(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.play()
	edge.pass(10)
	at := p.player.Time()
	edge.now += 60_000
	edge.pass(1)
	assert.Less(t, p.player.Time()-at, 20*event.Millisecond)
}

func TestAnotherSizeIsDrawnAnew(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.draw()
	painted := edge.painted
	edge.size = 2
	p.watched()
	assert.Equal(t, painted+1, edge.painted)
	assert.EqualValues(t, 2, p.size)
}
