package chart

import (
	"math"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/theory"
)

// Point is a place of a line that is computed, not counted.
type Point struct {
	At    event.Time
	Value float64
}

// Expected is what queueing theory says of a run, where one of its models is a
// model of the scenario. Otherwise Model is "" and Says why not.
type Expected struct {
	Model   string // drain, M/M/c, M/G/1 or M/M/c/K
	Says    string // the figure and how it comes about
	Waiting []Point
	Wait    float64 // mean wait in seconds, 0 when the model does not say
}

func (e *Expected) most() int64 {
	most := 0.0
	for _, p := range e.Waiting {
		most = max(most, p.Value)
	}
	return int64(math.Ceil(most))
}

// Expect returns what theory says of a run. It looks at the scenario and, for
// what only the code can tell, at the log: that each run of the handler is one
// call of one service.
func Expect(s *scenario.Scenario, log *event.Log, o *outcome.Outcome) *Expected {
	m, why := modelOf(s, log, o)
	if why != "" {
		return &Expected{Says: why}
	}
	if e := m.expect(); e != nil {
		return e
	}
	return &Expected{Says: "theory has no line for messages that come like this"}
}

// model is a station: messages come, are served one by one, and are gone.
type model struct {
	queue    *scenario.Queue
	producer *scenario.Producer
	service  *scenario.Service
	workers  int
	end      event.Time
	refused  int
}

// modelOf takes a scenario as a station or says why it is none.
func modelOf(s *scenario.Scenario, log *event.Log, o *outcome.Outcome) (m model, why string) {
	if len(s.Queues) != 1 || len(s.Topics) > 0 || len(s.Workers) != 1 || len(s.Producers) != 1 {
		return m, "theory is about one queue, one pool of workers and one producer"
	}
	m = model{queue: &s.Queues[0], producer: &s.Producers[0], workers: int(s.Workers[0].Count), end: o.EndedAt, refused: o.Refused}
	switch {
	case len(s.Timeline) > 0:
		return m, "theory is about runs into which nobody reaches"
	case o.Crashes > 0 || o.Failures > 0 || o.Redeliveries > 0:
		return m, "theory is about workers that do not crash, fail or come too late"
	case o.Expired > 0 || o.Dropped > 0 || m.queue.Delay > 0:
		return m, "theory is about messages that wait until they are taken"
	case m.queue.Order == scenario.PerKey:
		return m, "theory is about messages that do not wait for each other"
	case s.Workers[0].Prefetch != 1 || s.Workers[0].RateLimit.Count > 0:
		return m, "theory is about workers that take one message after the other"
	}
	target := soleCall(log)
	if target == event.NoTarget {
		return m, "theory is about work that is one call of one service"
	}
	name := log.Targets[target].Name
	for i := range s.Services {
		if s.Services[i].Name == name {
			m.service = &s.Services[i]
		}
	}
	if m.service == nil || m.service.Latency == (scenario.Latency{}) {
		return m, "theory is about work that takes time"
	}
	return m, ""
}

// soleCall returns the target of which every run of a handler made one call,
// and did nothing else that takes time, or NoTarget.
func soleCall(log *event.Log) event.TargetRef {
	target := event.NoTarget
	called := make([]event.Time, len(log.Workers)) // when the running call ends
	began := make([]event.Time, len(log.Workers))
	for i := range log.Len() {
		e := log.Event(i)
		switch e.Kind {
		case event.HandlerStarted:
			began[e.Worker], called[e.Worker] = e.At, event.Never
		case event.CallStarted:
			if called[e.Worker] != event.Never || e.At != began[e.Worker] || target != event.NoTarget && target != event.TargetRef(e.Arg) {
				return event.NoTarget
			}
			called[e.Worker], target = e.Until, event.TargetRef(e.Arg)
		case event.HandlerFinished:
			if called[e.Worker] != e.At {
				return event.NoTarget
			}
		}
	}
	return target
}

// seconds returns the mean of a service time, squared that of its square.
func seconds(l scenario.Latency) float64 {
	switch l.Kind {
	case scenario.ExponentialLatency:
		return l.Mean.Seconds()
	case scenario.UniformLatency:
		return (l.Min.Seconds() + l.Max.Seconds()) / 2
	}
	return l.Min.Seconds()
}

func squared(l scenario.Latency) float64 {
	a, b, mean := l.Min.Seconds(), l.Max.Seconds(), seconds(l)
	switch l.Kind {
	case scenario.ExponentialLatency:
		return 2 * mean * mean
	case scenario.UniformLatency:
		return (a*a + a*b + b*b) / 3
	}
	return mean * mean
}

// expect chooses the model whose assumptions hold.
func (m *model) expect() *Expected {
	rate := 0.0
	if r := m.producer.Rate; r.Count > 0 {
		rate = float64(r.Count) / r.Period.Seconds()
	}
	q := theory.Queue{Arrivals: rate, Service: seconds(m.service.Latency), Workers: m.workers}
	steadyState := m.producer.Arrivals == scenario.Poisson && len(m.producer.Send) == 0 && rate > 0
	switch {
	case m.refused > 0 || m.bounded():
		if steadyState && m.service.Latency.Kind == scenario.ExponentialLatency && m.queue.Overflow == scenario.Reject && m.producer.WhenFull == scenario.GiveUp {
			return m.lossy(q)
		}
	case len(m.producer.Send) > 0:
		return m.burst(q)
	case q.Growth() > 0:
		return m.growing(q)
	case steadyState && m.service.Latency.Kind == scenario.ExponentialLatency:
		return m.steady("M/M/"+strconv.Itoa(m.workers), q.Wait(), q.Waiting(), q)
	case steadyState && m.workers == 1:
		wait := q.WaitOneWorker(squared(m.service.Latency))
		return m.steady("M/G/1", wait, rate*wait, q)
	}
	return nil
}

// bounded reports whether the line has an end that this run could have met.
func (m *model) bounded() bool {
	return m.queue.MaxSize > 0 && m.queue.MaxSize < m.producer.Count
}

// burst is a list of messages that are all sent at one instant.
func (m *model) burst(q theory.Queue) *Expected {
	at := m.producer.Send[0].At
	for _, one := range m.producer.Send {
		if one.At != at {
			return nil
		}
	}
	n := len(m.producer.Send)
	left := float64(max(0, n-m.workers))
	if left == 0 {
		return nil
	}
	q.Arrivals = 0
	gone := at + duration(q.Drain(left))
	return &Expected{
		Model:   "drain",
		Says:    itoa(n) + " at once for " + workers(m.workers) + " of " + figure(q.Service) + " s each: the line is gone after " + figure(q.Drain(left)) + " s",
		Waiting: []Point{{at, left}, {gone, 0}, {max(m.end, gone), 0}},
	}
}

// growing is a stream that is faster than the workers: the line grows by what
// they do not manage, and when the stream ends they work it off.
func (m *model) growing(q theory.Queue) *Expected {
	start, stop := m.producer.Start, m.end
	if n := m.producer.Count; n > 0 {
		stop = start + duration(float64(n)/q.Arrivals)
	}
	if u := m.producer.Until; u != event.Never {
		stop = min(stop, u)
	}
	stop = min(stop, m.end)
	peak := q.Growth() * (stop - start).Seconds()
	says := "the line grows by " + figure(q.Arrivals) + " − " + figure(float64(m.workers)/q.Service) + " = " + figure(q.Growth()) + " a second"
	points := []Point{{start, 0}, {stop, peak}}
	if stop < m.end {
		q.Arrivals = 0
		gone := stop + duration(q.Drain(peak))
		points = append(points, Point{gone, 0}, Point{max(m.end, gone), 0})
		if (stop - start).Seconds() < .1*q.Drain(peak) {
			says = figure(peak) + " messages at " + figure(float64(m.workers)/q.Service) + " a second"
		}
		says += ", and is gone at " + figure(gone.Seconds()) + " s"
		if points[1].At == start {
			points = points[1:]
		}
	}
	return &Expected{Model: "drain", Says: says, Waiting: points}
}

// steady is a stream that the workers keep up with, seen for long.
func (m *model) steady(name string, wait, waiting float64, q theory.Queue) *Expected {
	return &Expected{
		Model: name,
		Says: "in the long run, at " + figure(100*q.Utilization()) + "% load, " + figure(waiting) + " wait on average, for " +
			figure(wait) + " s",
		Waiting: []Point{{0, waiting}, {m.end, waiting}}, Wait: wait,
	}
}

// lossy is a stream of which a full line turns some away for good.
func (m *model) lossy(q theory.Queue) *Expected {
	places := int(m.queue.MaxSize)
	refused, wait := q.Bounded(places)
	waiting := wait * q.Arrivals * (1 - refused)
	return &Expected{
		Model: "M/M/" + strconv.Itoa(m.workers) + "/" + strconv.Itoa(m.workers+places),
		Says: "in the long run " + figure(100*refused) + "% are turned away, the others wait " + figure(wait) +
			" s on average",
		Waiting: []Point{{0, waiting}, {m.end, waiting}}, Wait: wait,
	}
}

func duration(seconds float64) event.Time { return event.Time(math.Round(seconds * 1e9)) }

func workers(n int) string {
	if n == 1 {
		return "1 worker"
	}
	return itoa(n) + " workers"
}

func itoa(n int) string { return strconv.Itoa(n) }

// figure writes a number with three digits that count.
func figure(v float64) string {
	if v >= 100 {
		return strconv.FormatFloat(math.Round(v), 'f', -1, 64)
	}
	if v == 0 {
		return "0"
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(v)))
	return strconv.FormatFloat(math.Round(v*scale)/scale, 'f', -1, 64)
}
