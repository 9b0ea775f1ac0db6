package chart

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
)

// station is a scenario of one queue, one pool and one service.
func station(queue, producer, latency string, workers int) string {
	return fmt.Sprintf(`
queues: {jobs: {visibility_timeout: 1h%s}}
producers: {api: {to: jobs, %s}}
services: {work: {latency: %s}}
workers: {worker: {from: jobs, count: %d, handler: "def on_message(msg):\n    work(msg.id)\n    ack(msg)\n"}}
`, queue, producer, latency, workers)
}

func expected(r *run.Run) *Expected { return Expect(r.Scenario, r.Log, r.Outcome) }

// TestExpectedLinesAgree holds the lines against the runs that they are drawn
// over.
func TestExpectedLinesAgree(t *testing.T) {
	for _, c := range []struct {
		source, model string
		near          float64 // of the highest value of the run
	}{
		{station("", "rate: 400000/s, count: 400", "200ms", 8), "drain", .03},
		{station("", "rate: 8/s, count: 320", "200ms", 1), "drain", .05},
		{station("", "rate: 10/s, arrivals: poisson, count: 3000", "{mean: 1s, spread: exponential}", 6), "drain", .12},
	} {
		r := do(t, c.source)
		e := expected(r)
		require.Equal(t, c.model, e.Model, e.Says)
		waiting := Of(r.Index).Waiting
		most := float64(waiting.Max())
		for k := 1; k < len(e.Waiting); k++ {
			a, b := e.Waiting[k-1], e.Waiting[k]
			for _, part := range []float64{.2, .5, .8} {
				at := a.At + event.Time(part*float64(b.At-a.At))
				assert.InDelta(t, a.Value+part*(b.Value-a.Value), float64(waiting.After(at)), c.near*most, "%s at %d", c.source, at)
			}
		}
	}
}

func TestMeansInTheLongRun(t *testing.T) {
	for _, c := range []struct{ source, model string }{
		{station("", "rate: 3/s, arrivals: poisson, count: 20000", "{mean: 1s, spread: exponential}", 4), "M/M/4"},
		{station("", "rate: 5/s, arrivals: poisson, count: 20000", "100ms", 1), "M/G/1"},
		{station(", max_size: 5", "rate: 8/s, arrivals: poisson, count: 20000", "{mean: 100ms, spread: exponential}", 1), "M/M/1/6"},
	} {
		r := do(t, c.source)
		e := expected(r)
		require.Equal(t, c.model, e.Model, e.Says)
		assert.InEpsilon(t, e.Wait, r.Outcome.Wait.Mean(), .15, c.model)
		assert.InEpsilon(t, e.Waiting[0].Value, r.Outcome.MeanWaiting(r.Outcome.Queues[0]), .15, c.model)
	}
}

// TestNoLineWhereNoModelHolds: an assumption that does not hold is named.
func TestNoLineWhereNoModelHolds(t *testing.T) {
	for why, source := range map[string]string{
		"crash":       station("", "rate: 5/s, count: 40", "200ms", 1) + "timeline: [{at: 1s, crash: worker/1}]\n",
		"each other":  station(", order: per_key", "rate: 400000/s, count: 40, keys: 2", "200ms", 8),
		"come like":   station("", "rate: 5/s, count: 40", "100ms", 1),
		"takes time":  station("", "rate: 5/s, count: 40", "0s", 1),
		"call of one": station("", "rate: 50/s, count: 40", "100ms", 1) + "# two calls\n",
	} {
		if why == "call of one" {
			source = `
queues: {jobs: {visibility_timeout: 1h}}
producers: {api: {to: jobs, rate: 50/s, count: 40}}
services: {work: {latency: 100ms}}
workers: {worker: {from: jobs, handler: "def on_message(msg):\n    work(msg.id)\n    work(msg.id)\n    ack(msg)\n"}}
`
		}
		e := expected(do(t, source))
		assert.Empty(t, e.Model, why)
		assert.Empty(t, e.Waiting, why)
		if why != "crash" {
			assert.Contains(t, e.Says, why)
		}
	}
}

func TestABandIsTheMiddleOfItsRuns(t *testing.T) {
	first := do(t, station("", "rate: 4/s, arrivals: poisson, count: 60", "{mean: 200ms, spread: exponential}", 1))
	band := NewBand(first.Outcome.EndedAt)
	var runs []*Course
	for seed := range uint64(20) {
		s := first.Scenario.Clone()
		s.Seed = seed + 1
		running, err := run.Start(s)
		require.NoError(t, err)
		sample := band.Sample(running.Log())
		for running.Step(7) {
			sample.Read()
		}
		sample.Done()
		runs = append(runs, Of(running.Finish().Index))
	}
	require.Equal(t, 20, band.Runs)
	for k := range bandInstants {
		at := band.at(k)
		low, middle, high := band.part(.1)[k], band.part(.5)[k], band.part(.9)[k]
		below, above := 0, 0
		for _, c := range runs {
			v := c.Waiting.After(at)
			if v <= middle {
				below++
			}
			if v > high || v < low {
				above++
			}
		}
		assert.GreaterOrEqual(t, below, 10)
		assert.LessOrEqual(t, above, 3, "four fifths of the runs lie in the band")
	}
}
