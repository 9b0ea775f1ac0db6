// Package theory has the formulas that a run is held against: queueing
// theory, drain times, what crashes and retries cost. It computes in floating
// point, since nothing of a run depends on it. Times are in seconds, rates per
// second.
//
// Symbols: λ arrivals a second, S mean service time, c workers, a = λS the
// offered load, ρ = a/c. Start reading at Queue.
package theory

import "math"

// Queue is a station with Poisson arrivals and c workers.
type Queue struct {
	Arrivals float64 // λ, per second
	Service  float64 // S, seconds
	Workers  int     // c
}

// Load returns a = λS, the mean number of busy workers.
func (q Queue) Load() float64 { return q.Arrivals * q.Service }

// Utilization returns ρ = a/c. At 1 and above the line grows without end.
func (q Queue) Utilization() float64 { return q.Load() / float64(q.Workers) }

// blocked returns Erlang B: the share of arrivals that find c workers busy
// when nobody can wait.
func (q Queue) blocked() float64 {
	b := 1.0
	for n := 1; n <= q.Workers; n++ {
		b = q.Load() * b / (float64(n) + q.Load()*b)
	}
	return b
}

// MustWait returns Erlang C: with exponential service, the share of arrivals
// that do not find a free worker.
func (q Queue) MustWait() float64 {
	b := q.blocked()
	return b / (1 - q.Utilization()*(1-b))
}

// Wait returns the mean wait with exponential service (M/M/c).
func (q Queue) Wait() float64 {
	return q.MustWait() / (float64(q.Workers)/q.Service - q.Arrivals)
}

// WaitPercentile returns the wait that a share p of the arrivals does not
// exceed, with exponential service.
func (q Queue) WaitPercentile(p float64) float64 {
	c := q.MustWait()
	if p <= 1-c {
		return 0
	}
	return math.Log(c/(1-p)) / (float64(q.Workers)/q.Service - q.Arrivals)
}

// Waiting returns the mean length of the line with exponential service.
func (q Queue) Waiting() float64 { return q.Arrivals * q.Wait() }

// Present returns the mean number waiting or in service, exponential service.
func (q Queue) Present() float64 { return q.Waiting() + q.Load() }

// WaitOneWorker returns the mean wait with one worker and any service time,
// of which squared is the mean of the square (Pollaczek and Khinchine).
func (q Queue) WaitOneWorker(squared float64) float64 {
	return q.Arrivals * squared / (2 * (1 - q.Load()))
}

// WaitConstant returns the mean wait when each service takes exactly S
// (M/D/c). Seen every S seconds, the number present is a Markov chain: what
// was in service is gone, and a Poisson number has come. Its distribution is
// found by iteration.
func (q Queue) WaitConstant() float64 {
	states := q.Workers + int(60/(1-q.Utilization()))
	come := poisson(q.Load(), states)
	p := make([]float64, states)
	p[0] = 1
	for range 100_000 {
		next := make([]float64, states)
		for present, share := range p {
			stay := max(0, present-q.Workers)
			for n := 0; n+stay < states; n++ {
				next[n+stay] += share * come[n]
			}
		}
		change := 0.0
		for i := range p {
			change += math.Abs(next[i] - p[i])
		}
		p = next
		if change < 1e-13 {
			break
		}
	}
	waiting := 0.0
	for present, share := range p {
		waiting += share * float64(max(0, present-q.Workers))
	}
	return waiting / q.Arrivals
}

func poisson(mean float64, n int) []float64 {
	p := make([]float64, n)
	p[0] = math.Exp(-mean)
	for i := 1; i < n; i++ {
		p[i] = p[i-1] * mean / float64(i)
	}
	return p
}

// Bounded returns, for exponential service and at most places waiting, the
// share of arrivals that is refused and the mean wait of those that are not.
func (q Queue) Bounded(places int) (refused, wait float64) {
	weight, sum, waiting := 1.0, 1.0, 0.0
	last := q.Workers + places
	for n := 1; n <= last; n++ {
		weight *= q.Load() / float64(min(n, q.Workers))
		sum += weight
		waiting += weight * float64(max(0, n-q.Workers))
	}
	refused = weight / sum
	return refused, waiting / sum / (q.Arrivals * (1 - refused))
}

// Tries are hand-outs that each fail with chance Fails, at most Most of them.
type Tries struct {
	Fails float64
	Most  int
}

// Deliveries returns the mean number of hand-outs of a message.
func (t Tries) Deliveries() float64 {
	return (1 - math.Pow(t.Fails, float64(t.Most))) / (1 - t.Fails)
}

// Dead returns the share of messages that become dead letters.
func (t Tries) Dead() float64 { return math.Pow(t.Fails, float64(t.Most)) }

// CrashedEffects returns what comes of a message whose worker acks after the
// work and dies with chance before ahead of the effect, with chance after
// between effect and ack, at most most hand-outs: the mean number of its
// effects, and the share of messages without any.
func CrashedEffects(before, after float64, most int) (effects, none float64) {
	t := Tries{before + after, most}
	return (1 - before) * t.Deliveries(), math.Pow(before, float64(most))
}

// Recovery returns the mean time to done of a message whose hand-outs crash
// with chance p and hold their visibility timeout before the next one.
func Recovery(service, timeout, p float64) float64 { return service + timeout*p/(1-p) }

// Makespan returns how long c workers take for n jobs of S seconds at once.
func Makespan(n, c int, service float64) float64 {
	return math.Ceil(float64(n)/float64(c)) * service
}

// Drain returns how long a backlog takes to be gone while λ a second come in,
// or +Inf when the workers do not keep up.
func (q Queue) Drain(backlog float64) float64 {
	surplus := float64(q.Workers)/q.Service - q.Arrivals
	if surplus <= 0 {
		return math.Inf(1)
	}
	return backlog / surplus
}

// Growth returns by how much the line grows in a second: 0 when the workers
// keep up.
func (q Queue) Growth() float64 { return max(0, q.Arrivals-float64(q.Workers)/q.Service) }

// Capacity returns messages a second with c workers when at most one message
// of each key is in work at a time.
func Capacity(c, keys int, service float64) float64 { return float64(min(c, keys)) / service }

// Backoff returns the sum of the first n exponential delays.
func Backoff(base, limit float64, n int) float64 {
	sum := 0.0
	for i := range n {
		sum += math.Min(limit, base*math.Pow(2, float64(i)))
	}
	return sum
}
