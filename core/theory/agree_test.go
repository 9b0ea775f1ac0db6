package theory_test

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/theory"
)

// station builds the scenario of a Queue: Poisson arrivals in thousandths of
// a second's rate, one service.
func station(arrivals scenario.Rate, latency scenario.Latency, workers, messages int64) *scenario.Scenario {
	queue := scenario.DefaultQueue("jobs")
	queue.VisibilityTimeout = 0
	return &scenario.Scenario{
		Seed: 1, Until: event.Never, Limits: scenario.Limits{Events: 1 << 40, Time: scenario.MaxDuration},
		Queues: []scenario.Queue{queue},
		Producers: []scenario.Producer{{
			Name: "api", To: "jobs", Rate: arrivals, Arrivals: scenario.Poisson, Count: messages, FirstID: 1,
			Until: event.Never, Delay: event.Never, Retry: scenario.Retry{Backoff: scenario.Fixed, Base: event.Second, Cap: event.Minute},
		}},
		Services: []scenario.Service{{Name: "work", Latency: latency, Fails: scenario.Fails{From: event.Never, To: event.Never}}},
		Workers:  []scenario.Pool{{Name: "worker", From: []string{"jobs"}, Count: workers, Prefetch: 1, RestartAfter: 0}},
	}
}

// long is how many messages tell the mean well enough; WebAssembly, where a
// run takes ten times as long, does with fewer and wider bounds.
func long() int64 {
	if runtime.GOARCH == "wasm" {
		return 20_000
	}
	return 120_000
}

var workAndAck = handler.Func(func(h handler.Host) error {
	if err := h.Call("work", handler.Call{Key: handler.Key{Text: "1"}}); err != nil {
		return err
	}
	h.Ack()
	return nil
})

func run(t *testing.T, s *scenario.Scenario) *event.Log {
	t.Helper()
	log, err := sim.Run(s, sim.WithHandler("worker", workAndAck))
	require.NoError(t, err)
	return log
}

// waits returns the seconds from acceptance to first hand-out of each message
// that was handed out, without the first tenth.
func waits(log *event.Log) []float64 {
	accepted := make([]event.Time, log.MessageCount())
	var waits []float64
	for i := range log.Len() {
		switch e := log.Event(i); {
		case e.Kind == event.Accepted:
			accepted[e.Message] = e.At
		case e.Kind == event.Delivered && e.Receive == 1:
			waits = append(waits, (e.At - accepted[e.Message]).Seconds())
		}
	}
	return waits[len(waits)/10:]
}

// mean returns the mean and its standard error, from the means of 40 batches
// that are long enough to be nearly independent.
func mean(values []float64) (mean, deviation float64) {
	const batches = 40
	size := len(values) / batches
	var sum, squares float64
	for b := range batches {
		batch := 0.0
		for _, v := range values[b*size : (b+1)*size] {
			batch += v
		}
		batch /= float64(size)
		sum += batch
		squares += batch * batch
	}
	mean = sum / batches
	return mean, math.Sqrt((squares/batches - mean*mean) / (batches - 1))
}

func constant(d event.Time) scenario.Latency { return scenario.Latency{Min: d, Max: d} }
func uniform(low, high event.Time) scenario.Latency {
	return scenario.Latency{Kind: scenario.UniformLatency, Min: low, Max: high}
}
func exponential(d event.Time) scenario.Latency {
	return scenario.Latency{Kind: scenario.ExponentialLatency, Mean: d}
}

// TestWaitsAgree holds the simulator against the formulas: the reference
// figures' parameters and others.
func TestWaitsAgree(t *testing.T) {
	n := long()
	s := event.Second
	for name, c := range map[string]struct {
		rate    scenario.Rate
		latency scenario.Latency
		workers int64
		want    float64
	}{
		"M/M/1 .8":     {scenario.Rate{Count: 48, Period: event.Minute}, exponential(s), 1, theory.Queue{Arrivals: .8, Service: 1, Workers: 1}.Wait()},
		"M/M/4 .75":    {scenario.Rate{Count: 3, Period: s}, exponential(s), 4, theory.Queue{Arrivals: 3, Service: 1, Workers: 4}.Wait()},
		"M/M/10 .9":    {scenario.Rate{Count: 9, Period: s}, exponential(s), 10, theory.Queue{Arrivals: 9, Service: 1, Workers: 10}.Wait()},
		"M/M/2 .6":     {scenario.Rate{Count: 24, Period: s}, exponential(50 * event.Millisecond), 2, theory.Queue{Arrivals: 24, Service: .05, Workers: 2}.Wait()},
		"M/M/25 .8":    {scenario.Rate{Count: 100, Period: s}, exponential(200 * event.Millisecond), 25, theory.Queue{Arrivals: 100, Service: .2, Workers: 25}.Wait()},
		"M/D/1 .8":     {scenario.Rate{Count: 48, Period: event.Minute}, constant(s), 1, 2.0},
		"M/D/1 .9":     {scenario.Rate{Count: 54, Period: event.Minute}, constant(s), 1, 4.5},
		"M/D/1 .5":     {scenario.Rate{Count: 5, Period: s}, constant(100 * event.Millisecond), 1, theory.Queue{Arrivals: 5, Service: .1, Workers: 1}.WaitOneWorker(.01)},
		"M/D/4 .8":     {scenario.Rate{Count: 192, Period: event.Minute}, constant(s), 4, theory.Queue{Arrivals: 3.2, Service: 1, Workers: 4}.WaitConstant()},
		"M/D/8 .7":     {scenario.Rate{Count: 28, Period: s}, constant(200 * event.Millisecond), 8, theory.Queue{Arrivals: 28, Service: .2, Workers: 8}.WaitConstant()},
		"uniform .8":   {scenario.Rate{Count: 48, Period: event.Minute}, uniform(s/2, 3*s/2), 1, theory.Queue{Arrivals: .8, Service: 1, Workers: 1}.WaitOneWorker(1 + 1./12)},
		"uniform wide": {scenario.Rate{Count: 36, Period: event.Minute}, uniform(0, 2*s), 1, theory.Queue{Arrivals: .6, Service: 1, Workers: 1}.WaitOneWorker(4. / 3)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, deviation := mean(waits(run(t, station(c.rate, c.latency, c.workers, n))))
			assert.InDelta(t, c.want, got, 4*deviation, "four standard errors of %.4f", deviation)
			assert.Less(t, deviation, c.want/5, "the run is long enough to tell")
		})
	}
}

func TestBoundedQueuesAgree(t *testing.T) {
	n := long()
	for name, c := range map[string]struct {
		rate    scenario.Rate
		queue   theory.Queue
		maxSize int
	}{
		"M/M/1, 5 places":  {scenario.Rate{Count: 48, Period: event.Minute}, theory.Queue{Arrivals: .8, Service: 1, Workers: 1}, 5},
		"M/M/4, 10 places": {scenario.Rate{Count: 6, Period: event.Second}, theory.Queue{Arrivals: 6, Service: 1, Workers: 4}, 10},
		"M/M/2, 1 place":   {scenario.Rate{Count: 2, Period: event.Second}, theory.Queue{Arrivals: 2, Service: 1, Workers: 2}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := station(c.rate, exponential(event.Second), int64(c.queue.Workers), n)
			s.Queues[0].MaxSize = int64(c.maxSize)
			log := run(t, s)
			refused, wait := c.queue.Bounded(c.maxSize)
			got, deviation := mean(waits(log))
			assert.InDelta(t, wait, got, 4*deviation)
			count := 0
			for i := range log.Len() {
				if log.Event(i).Kind == event.Refused {
					count++
				}
			}
			// Refusals come in bursts: allow for twice the binomial deviation.
			assert.InDelta(t, refused, float64(count)/float64(n), 2*4*math.Sqrt(refused*(1-refused)/float64(n)))
		})
	}
}

func TestCrashesAgree(t *testing.T) {
	const n = 20_000
	for _, c := range []struct {
		probability scenario.Probability
		most        int64
	}{{scenario.Certain * 3 / 10, 3}, {scenario.Certain / 2, 5}, {scenario.Certain / 10, 2}} {
		t.Run(fmt.Sprintf("%d ppb, at most %d", c.probability, c.most), func(t *testing.T) {
			t.Parallel()
			s := station(scenario.Rate{Count: 1000, Period: event.Second}, constant(event.Millisecond), 10, n)
			s.Queues[0].MaxReceives, s.Queues[0].Notice = c.most, scenario.ByConnection
			s.Workers[0].Crash = scenario.Crash{Probability: c.probability, Where: scenario.BeforeEffect}
			log := run(t, s)
			p := float64(c.probability) / float64(scenario.Certain)
			tries := theory.Tries{Fails: p, Most: int(c.most)}
			deliveries, dead := 0, 0
			for i := range log.Len() {
				switch log.Event(i).Kind {
				case event.Delivered:
					deliveries++
				case event.DeadLettered:
					dead++
				}
			}
			// Hand-outs of one message are at most `most`: a bound on their deviation.
			assert.InDelta(t, tries.Deliveries(), float64(deliveries)/n, 4*float64(c.most)/2/math.Sqrt(n))
			assert.InDelta(t, tries.Dead(), float64(dead)/n, 4*math.Sqrt(tries.Dead()*(1-tries.Dead())/n))
		})
	}
}

// TestEffectsAgree: a crash is as likely before the effect as between it and
// the ack; what it costs and what it spares are those of the formulas.
func TestEffectsAgree(t *testing.T) {
	t.Parallel()
	const n, most = 20_000, 3
	s := station(scenario.Rate{Count: 1000, Period: event.Second}, constant(event.Millisecond), 10, n)
	s.Queues[0].MaxReceives, s.Queues[0].Notice = most, scenario.ByConnection
	s.Workers[0].Crash = scenario.Crash{Probability: scenario.Certain / 5, Where: scenario.Anywhere}
	log := run(t, s)
	effects, deadAndDone, done := 0, 0, map[event.MessageRef]bool{}
	for i := range log.Len() {
		switch e := log.Event(i); {
		case e.Kind == event.Effect:
			effects++
			done[e.Message] = true
		case e.Kind == event.DeadLettered && done[e.Message]:
			deadAndDone++
		}
	}
	want, none := theory.CrashedEffects(.1, .1, most)
	dead := theory.Tries{Fails: .2, Most: most}.Dead()
	// A message has at most three effects: a bound on their deviation.
	assert.InDelta(t, want, float64(effects)/n, 4*most/2./math.Sqrt(n))
	assert.InDelta(t, none, 1-float64(len(done))/n, 4*math.Sqrt(none*(1-none)/n))
	assert.InDelta(t, dead-none, float64(deadAndDone)/n, 4*math.Sqrt((dead-none)/n), "dead letters whose work was done")
}

// TestMakespanAndKeysAgree: jobs sent at once take whole rounds, and no more
// workers are of use than there are keys.
func TestMakespanAndKeysAgree(t *testing.T) {
	for _, c := range []struct{ jobs, workers, keys int64 }{{400, 2, 0}, {401, 8, 0}, {300, 10, 3}, {100, 4, 20}} {
		s := station(scenario.Rate{Count: 1_000_000_000, Period: event.Second}, constant(event.Second), c.workers, c.jobs)
		s.Producers[0].Arrivals, s.Producers[0].Start = scenario.Steady, 0
		workers := c.workers
		if c.keys > 0 {
			s.Producers[0].Keys, s.Queues[0].Order = c.keys, scenario.PerKey
			workers = min(c.workers, c.keys)
		}
		took := run(t, s).Last().At.Seconds()
		assert.InDelta(t, theory.Makespan(int(c.jobs), int(workers), 1), took, .001, "%+v", c)
	}
}

func TestRecoveryAgrees(t *testing.T) {
	t.Parallel()
	const n = 20_000
	s := station(scenario.Rate{Count: 10, Period: event.Second}, constant(2*event.Second), 1000, n)
	s.Queues[0].VisibilityTimeout = 30 * event.Second
	s.Workers[0].Crash = scenario.Crash{Probability: scenario.Certain / 10, Where: scenario.AfterEffect}
	log := run(t, s)
	accepted := make([]event.Time, n)
	var sum, squares float64
	for i := range log.Len() {
		switch e := log.Event(i); e.Kind {
		case event.Accepted:
			accepted[e.Message] = e.At
		case event.Acked:
			x := (e.At - accepted[e.Message]).Seconds()
			sum, squares = sum+x, squares+x*x
		}
	}
	got := sum / n
	assert.InDelta(t, theory.Recovery(2, 30, .1), got, 4*math.Sqrt((squares/n-got*got)/n))
}

func TestDrainAgrees(t *testing.T) {
	t.Parallel()
	s := station(scenario.Rate{Count: 4, Period: event.Second}, constant(2*event.Second), 20, 20_000)
	s.Producers[0].Arrivals, s.Producers[0].Start = scenario.Steady, 0
	s.Producers = append(s.Producers, scenario.Producer{
		Name: "backlog", To: "jobs", Rate: scenario.Rate{Count: 1_000_000_000, Period: event.Second}, Count: 12_000,
		FirstID: 100_000, Until: event.Never, Delay: event.Never,
	})
	s.Until = 2100 * event.Second
	cursor := replay.New(run(t, s)).Cursor()
	want := theory.Queue{Arrivals: 4, Service: 2, Workers: 20}.Drain(12_000)
	assert.Positive(t, cursor.Seek(event.Time((want-10)*1e9)).Counts.Waiting)
	assert.Zero(t, cursor.Seek(event.Time((want+10)*1e9)).Counts.Waiting)
}

// TestLittlesLaw: in every run that starts and ends empty, the integral of
// the number present is the sum of the times that messages were present, to
// the nanosecond.
func TestLittlesLaw(t *testing.T) {
	files, err := filepath.Glob("../testdata/cases/*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob("../testdata/cases/rules/*.yaml")
	require.NoError(t, err)
	held := 0
	for _, file := range append(files, rules...) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		s, problems := scenarioyaml.Decode(source)
		require.Empty(t, problems)
		log, err := sim.Run(s)
		require.NoError(t, err)
		if littlesLaw(t, file, log) {
			held++
		}
	}
	assert.Greater(t, held, 20, "enough runs end empty")
}

func littlesLaw(t *testing.T, file string, log *event.Log) (applies bool) {
	index := replay.New(log)
	cursor := index.Cursor()
	end := cursor.SeekEvents(log.Len()).Counts
	if end.Waiting+end.Delayed+end.InFlight+end.Dead != 0 {
		return false
	}
	present, times := new(big.Int), new(big.Int)
	var last event.Time
	for n := 1; n <= log.Len(); n++ {
		counts := cursor.SeekEvents(n - 1).Counts
		at := log.Event(n - 1).At
		there := int64(counts.Waiting + counts.Delayed + counts.InFlight + counts.Dead)
		present.Add(present, new(big.Int).Mul(big.NewInt(there), big.NewInt(int64(at-last))))
		last = at
	}
	for m := range log.MessageCount() {
		var from, to event.Time = event.Never, event.Never
		for _, i := range index.EventsOf(event.MessageRef(m)) {
			switch e := log.Event(int(i)); e.Kind {
			case event.Accepted:
				from = e.At
			case event.Acked, event.Expired, event.Dropped:
				to = e.At
			}
		}
		if from != event.Never {
			times.Add(times, big.NewInt(int64(to-from)))
		}
	}
	assert.Equal(t, present.String(), times.String(), file)
	return true
}
