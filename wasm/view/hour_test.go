package view

import (
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

// heap is what is in use, once all that is not has been given back.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// An hour of a loop takes no more memory than a minute of it.
func TestAnHourOfPlayTakesNoMoreMemory(t *testing.T) {
	edge := &notes{lesson: ofCase(t, "lunch-rush")}
	p, _ := mounted(t, edge)
	p.player.SetLoop(true)
	p.player.SetSpeed(100)
	passed, last := event.Time(0), event.Time(0)
	play := func(until event.Time) {
		p.play()
		for frame := 0; passed < until; frame++ {
			if frame%200 == 0 {
				for _, part := range p.parts() {
					part.key()
					part.render()
				}
			}
			require.Positive(t, edge.pass(1), "it plays on")
			if now := p.player.Time(); now >= last {
				passed += now - last
			} else {
				passed += now
			}
			last = p.player.Time()
		}
	}
	play(10 * event.Minute) // caches fill
	warm := heap()
	buffer := cap(p.live.buffer)
	play(70 * event.Minute)
	const slack = 256 << 10
	assert.Less(t, heap(), warm+slack)
	assert.LessOrEqual(t, cap(p.live.buffer), 2*buffer)
	runtime.KeepAlive(p)
}

// A frame of a playing run allocates little, whatever the run: state, layout,
// difference and hand-over. What is brought up to date ten times a second is
// left out.
func TestAWholeFrameAllocatesLittle(t *testing.T) {
	for _, name := range []string{"drain-eight-workers", "six-orders-three-workers"} {
		edge := &notes{lesson: ofCase(t, name)}
		p, _ := mounted(t, edge)
		p.player.SetLoop(true)
		p.play()
		edge.pass(2000)
		var counts []uint64
		var m runtime.MemStats
		for range 400 {
			runtime.ReadMemStats(&m)
			before := m.Mallocs
			p.panelsAt = edge.now + 16
			require.Equal(t, 1, edge.pass(1), name)
			runtime.ReadMemStats(&m)
			counts = append(counts, m.Mallocs-before)
		}
		slices.Sort(counts)
		assert.LessOrEqual(t, counts[len(counts)/2], uint64(20), "%s: the median frame", name)
		assert.LessOrEqual(t, counts[len(counts)*9/10], uint64(60), "%s: nine of ten", name)
	}
}

// While nothing changes, nothing is asked of the browser, and bringing
// everything up to date writes nothing.
func TestNothingIsComputedWhileNothingChanges(t *testing.T) {
	edge := &notes{lesson: ofCase(t, "drain-eight-workers")}
	p, _ := mounted(t, edge)
	p.player.Seek(10 * event.Second)
	p.moved()
	edge.pass(100)
	require.Nil(t, edge.step, "no frame is asked for")
	painted, crossings := edge.painted, edge.crossings
	for range 10 {
		p.draw()
		p.follow()
	}
	assert.Equal(t, painted, edge.painted)
	assert.Equal(t, crossings, edge.crossings)
}
