package theory_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/theory"
)

// share returns the share of waits above a limit and its standard error.
func share(waits []float64, above float64) (got, deviation float64) {
	is := make([]float64, len(waits))
	for i, w := range waits {
		if w > above {
			is[i] = 1
		}
	}
	return mean(is)
}

// TestTailsAgree: the share that must wait at all is Erlang's C, and one in
// twenty waits longer than the formula's 95th percentile.
func TestTailsAgree(t *testing.T) {
	n := 3 * long() // long waits come together
	for name, c := range map[string]struct {
		rate  scenario.Rate
		queue theory.Queue
	}{
		"M/M/1 .8":  {scenario.Rate{Count: 48, Period: event.Minute}, theory.Queue{Arrivals: .8, Service: 1, Workers: 1}},
		"M/M/4 .75": {scenario.Rate{Count: 3, Period: event.Second}, theory.Queue{Arrivals: 3, Service: 1, Workers: 4}},
		"M/M/10 .9": {scenario.Rate{Count: 9, Period: event.Second}, theory.Queue{Arrivals: 9, Service: 1, Workers: 10}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			waits := waits(run(t, station(c.rate, exponential(event.Second), int64(c.queue.Workers), n)))
			got, deviation := share(waits, 0)
			assert.InDelta(t, c.queue.MustWait(), got, 4*deviation, "must wait, four standard errors of %.4f", deviation)
			got, deviation = share(waits, c.queue.WaitPercentile(.95))
			assert.InDelta(t, .05, got, 4*deviation, "above p95, four standard errors of %.4f", deviation)
			assert.Less(t, deviation, .025, "the run is long enough to tell")
		})
	}
}

// TestBackoffAgrees: ten delays of a message that always fails, from its
// acceptance to the dead letters; each delay within what its jitter allows.
func TestBackoffAgrees(t *testing.T) {
	const n, delays = 2000, 10
	for name, c := range map[string]struct {
		jitter scenario.Jitter
		least  float64 // the shortest delay, of the one without jitter
		want   float64
	}{
		"no jitter":    {scenario.NoJitter, 1, theory.Backoff(1, 60, delays)},
		"full jitter":  {scenario.FullJitter, 0, 151.5},
		"equal jitter": {scenario.EqualJitter, .5, 227.25},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := station(scenario.Rate{Count: 10, Period: event.Second}, constant(0), 1, n)
			s.Queues[0].MaxReceives = delays + 1
			s.Queues[0].Retry = scenario.Retry{Backoff: scenario.Exponential, Base: event.Second, Cap: event.Minute, Jitter: c.jitter}
			s.Services[0].Fails.Probability = scenario.Certain
			s.Workers[0].OnError = scenario.NackOnError
			log := run(t, s)

			accepted, back := make([]event.Time, n), make([]event.Time, n)
			var sum, squares float64
			dead := 0
			for i := range log.Len() {
				switch e := log.Event(i); e.Kind {
				case event.Accepted:
					accepted[e.Message] = e.At
				case event.Nacked:
					back[e.Message] = e.At
				case event.Delivered:
					if e.Receive > 1 {
						whole := theory.Backoff(1, 60, int(e.Receive)-1) - theory.Backoff(1, 60, int(e.Receive)-2)
						took := (e.At - back[e.Message]).Seconds()
						require.GreaterOrEqual(t, took, c.least*whole, "delay %d", e.Receive-1)
						require.LessOrEqual(t, took, whole, "delay %d", e.Receive-1)
					}
				case event.DeadLettered:
					dead++
					x := (e.At - accepted[e.Message]).Seconds()
					sum, squares = sum+x, squares+x*x
				}
			}
			require.Equal(t, n, dead)
			got := sum / n
			assert.InDelta(t, c.want, got, 4*math.Sqrt(max(0, squares/n-got*got)/n)+1e-9)
		})
	}
}

// TestAckFirstAgrees: acked before the work, a message is lost with the chance
// of a crash before its effect, and nothing is done twice.
func TestAckFirstAgrees(t *testing.T) {
	t.Parallel()
	const n, before = 20_000, .1
	s := station(scenario.Rate{Count: 1000, Period: event.Second}, constant(event.Millisecond), 10, n)
	s.Queues[0].MaxReceives, s.Queues[0].Notice = 3, scenario.ByConnection
	s.Workers[0].Crash = scenario.Crash{Probability: scenario.Certain / 5, Where: scenario.Anywhere}
	ackAndWork := handler.Func(func(h handler.Host) error {
		h.Ack()
		return h.Call("work", handler.Call{Key: handler.Key{Text: h.Message().ID.String()}})
	})
	log, err := sim.Run(s, sim.WithHandler("worker", ackAndWork))
	require.NoError(t, err)
	o := outcome.Of(s, log)
	deviation := math.Sqrt(before * (1 - before) / n)
	assert.InDelta(t, before, float64(o.Lost)/n, 4*deviation)
	assert.InDelta(t, 2*before, float64(o.Crashes)/n, 4*math.Sqrt(2*before*(1-2*before)/n))
	assert.Equal(t, n-o.Lost, o.Effects)
	assert.Zero(t, o.Duplicates)
	assert.Zero(t, o.Redeliveries)
}

// TestOverloadAgrees: the line grows by what the workers cannot take, and
// crashes take from what they can.
func TestOverloadAgrees(t *testing.T) {
	t.Parallel()
	const seconds = 5000
	s := station(scenario.Rate{Count: 5, Period: event.Second}, constant(event.Second), 4, 1<<40)
	s.Producers[0].Arrivals, s.Producers[0].Start = scenario.Steady, 0
	s.Until = seconds * event.Second
	cursor := replay.New(run(t, s)).Cursor()
	half := cursor.Seek(s.Until / 2).Counts.Waiting
	whole := cursor.Seek(s.Until).Counts.Waiting
	assert.InDelta(t, theory.Queue{Arrivals: 5, Service: 1, Workers: 4}.Growth()*seconds/2, whole-half, 5)

	// What crashes at the end of its work costs a whole hand-out. What comes
	// back goes first, so that the tries of a message are over before the next.
	tries := theory.Tries{Fails: .3, Most: 3}
	s.Queues[0].MaxReceives, s.Queues[0].Notice, s.Queues[0].ReturnTo = int64(tries.Most), scenario.ByConnection, scenario.ToHead
	s.Workers[0].Crash = scenario.Crash{Probability: scenario.Certain * 3 / 10, Where: scenario.AfterEffect}
	o := outcome.Of(s, run(t, s))
	finished := float64(o.Acked + o.Dead)
	// A message has one to three hand-outs: at most 1 away from their mean of 1.39 in most cases.
	assert.InDelta(t, 4/tries.Deliveries(), finished/seconds, 4*4/tries.Deliveries()/math.Sqrt(finished))
	assert.Positive(t, o.Waiting, "the workers were never idle")
}
