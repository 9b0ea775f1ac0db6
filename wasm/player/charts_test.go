package player

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/wasm/chart"
)

const cases = "../../core/testdata/cases/"

// TestItAddsUpAtEveryEvent: in every case, of one queue or several, each
// accepted message is in one of the places that are shown.
func TestItAddsUpAtEveryEvent(t *testing.T) {
	files, err := filepath.Glob(cases + "*.yaml")
	require.NoError(t, err)
	several := 0
	for _, file := range files {
		p := open(t, file)
		log := p.Run().Log
		if len(log.Queues) > 1 {
			several++
		}
		step := log.Len()/300 + 1
		for i := 0; i < log.Len(); i += step {
			p.GoTo(i)
			a, sum := p.AddsUp(), 0
			for _, s := range a.Shares {
				sum += s.Count
			}
			require.Equal(t, a.Accepted, sum, "%s after event %d", file, i)
		}
		p.GoToEnd()
		a := p.AddsUp()
		assert.Equal(t, p.Run().Outcome.Lost, a.Lost, file)
		assert.Equal(t, p.Run().Outcome.Duplicates, a.Twice, file)
	}
	assert.Greater(t, several, 3)
}

func TestTheLegendIsTheStateAtThePlayhead(t *testing.T) {
	p := open(t, cases+"slow-worker.yaml")
	for i := range p.Run().Log.Len() {
		p.Seek(p.Run().Log.Event(i).At)
		r := p.Reading()
		if !p.Opening() {
			assert.Equal(t, p.ReadAt(p.Time()), r)
		}
	}
}

func TestTheAxisHoldsTheRunBefore(t *testing.T) {
	p := sixOrders(t)
	assert.Equal(t, 1200*event.Millisecond, p.Axis(700).End)
	set(t, p, "workers", 1)
	require.Equal(t, 600*event.Millisecond, p.End())
	assert.Equal(t, 1200*event.Millisecond, p.Axis(700).End, "the run before the edit ends there")
	p.SeekPart(.25)
	assert.Equal(t, 300*event.Millisecond, p.Time())
	assert.InDelta(t, .25, p.At(), 1e-9)
	p.SeekPart(1)
	assert.Equal(t, p.End(), p.Time(), "behind its end nothing happens")
	set(t, p, "workers", 5)
	require.Equal(t, 200*event.Millisecond, p.End())
	assert.Equal(t, 400*event.Millisecond, p.Axis(700).End, "but no more than twice as long")
	counts, _ := p.Plots(700)
	assert.Contains(t, counts.Markup, "ln-ghost")
}

func TestPlayHaltsAtStops(t *testing.T) {
	p := sixOrders(t)
	p.SetStops(func(r *run.Run) []Stop {
		return []Stop{{Event: r.Log.Len() - 3, Text: "late"}, {Event: 9, Text: "early"}, {Event: 1 << 20, Text: "in no run"}}
	})
	require.Len(t, p.Stops(), 2)
	for _, want := range []string{"early", "late"} {
		p.Play()
		for range 100_000 {
			p.Advance(.016)
			if !p.Playing() {
				break
			}
		}
		stop, halted := p.Halted()
		require.True(t, halted)
		assert.Equal(t, want, stop.Text)
		assert.Equal(t, stop.Event+1, p.Events())
		assert.True(t, p.Settled())
	}
	p.StepBack()
	_, halted := p.Halted()
	assert.False(t, halted, "whoever moves on is not at the stop any more")

	p.Restart()
	p.Play()
	for p.Playing() {
		p.AdvanceStep()
	}
	stop, halted := p.Halted()
	assert.True(t, halted)
	assert.Equal(t, "early", stop.Text, "by single events as well")
}

func TestALoopBeginsAgain(t *testing.T) {
	p := sixOrders(t)
	p.SetLoop(true)
	p.Play()
	rounds := 0
	for range 4000 {
		before := p.Time()
		p.Advance(.016)
		require.True(t, p.Playing())
		if p.Time() < before {
			rounds++
		}
	}
	assert.Equal(t, 4, rounds, "64 s of 12 s and a tail of 2 s each")
	p.SetLoop(false)
	for range 1000 {
		p.Advance(.016)
	}
	assert.False(t, p.Playing())
}

func TestNextAndPreviousOfAKind(t *testing.T) {
	p := open(t, "../scene/testdata/lesson.yaml")
	counts := p.Kinds()
	for k := chart.Delivery; k <= chart.Kinds; k++ {
		p.SetKind(k)
		p.Restart()
		forth, back := 0, 0
		for p.NextMark() {
			forth++
		}
		for p.PrevMark() {
			back++
		}
		assert.Equal(t, counts[k], forth, "%s", fmt.Sprint(k))
		assert.Equal(t, max(0, forth-1), back)
	}
	p.SetKind(chart.Crash)
	p.GoToEnd()
	assert.True(t, p.PrevMark())
	assert.Equal(t, event.Crashed, p.Run().Log.Event(p.Events()-1).Kind)
}

func TestABandIsComputedInSlicesAndBelongsToItsRun(t *testing.T) {
	p := open(t, cases+"drain-eight-workers.yaml")
	p.BeginBand()
	slices := 0
	for {
		slices++
		calls := 0
		done := p.WorkBand(func() bool { calls++; return calls > 3 })
		if done {
			break
		}
		working, _, of := p.Banding()
		require.True(t, working)
		require.Equal(t, bandSeeds, of)
	}
	assert.Greater(t, slices, bandSeeds)
	require.NotNil(t, p.Band())
	counts, _ := p.Plots(700)
	assert.Contains(t, counts.Markup, "ln-band")
	set(t, p, "workers", 2)
	assert.Nil(t, p.Band(), "another scenario has another band")
	p.BeginBand()
	p.WorkBand(func() bool { return true })
	p.EndBand()
	working, _, _ := p.Banding()
	assert.False(t, working)
}

func TestTheSeedIsInTheAddress(t *testing.T) {
	p := sixOrders(t)
	p.AnotherSeed()
	require.True(t, p.Work(never))
	q := sixOrders(t)
	require.True(t, q.Open(p.Address()))
	assert.Equal(t, p.Scenario().Seed, q.Scenario().Seed)
	p.Undo()
	assert.Empty(t, p.Address())
}

func TestLanesFollowThePlayhead(t *testing.T) {
	p := open(t, cases+"drain-eight-workers.yaml")
	for _, part := range []float64{0, .3, .7, 1} {
		p.SeekPart(part)
		l := p.Lanes()
		assert.Equal(t, 400, len(l.Messages)+l.Above+l.More)
		assert.Contains(t, l.Messages, p.LastHandedOut())
		assert.Equal(t, int(l.Messages[0]), p.LaneWindow())
	}
	p.Follow(3)
	l := p.Lanes()
	assert.Equal(t, event.MessageRef(3), l.Messages[0])
	assert.Equal(t, 400, len(l.Messages)+l.Above+l.More)
}

func TestTheFutureIsKnownOnceARunWasSeen(t *testing.T) {
	p := sixOrders(t)
	p.SeekPart(.9)
	assert.False(t, p.Known())
	p.GoToEnd()
	assert.True(t, p.Known())
	p.Restart()
	assert.True(t, p.Known())
}
