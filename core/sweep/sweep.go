// Package sweep runs one scenario under many seeds and keeps what the
// outcomes have in common: mean, spread and the seeds for which an expectation
// does not hold. Partial results merge exactly, because every sum is kept in
// whole numbers: counts, and nanoseconds. Start reading at Result.
package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Range is the seeds From to To, both included.
type Range struct{ From, To uint64 }

// Len returns how many seeds there are; 0 for an empty range.
func (r Range) Len() uint64 {
	if r.To < r.From {
		return 0
	}
	return r.To - r.From + 1
}

// Measure is one number of the outcome over all seeds.
type Measure struct {
	Name    string
	Seconds bool // the values are nanoseconds, to be shown in seconds
	Sum     *big.Int
	Squares *big.Int
	Min     int64
	Max     int64
}

// Broken is an expectation that does not hold for some seeds.
type Broken struct {
	Expectation string
	Seeds       []uint64 // ascending
}

// Result is what came of the seeds that were run so far. The zero Result is
// that of no seed.
type Result struct {
	Title    string
	Scenario string // names what was swept: results of different scenarios do not merge
	Runs     uint64
	Seeds    []Range // ascending, apart from each other
	Measures []Measure
	Broken   []Broken // in the order of the file
}

// One runs the scenario with one seed.
func One(s *scenario.Scenario, seed uint64) (*Result, error) {
	own := s.Clone()
	own.Seed = seed
	r, err := run.Do(own)
	if err != nil {
		return nil, err
	}
	return of(own, r.Outcome), nil
}

func of(s *scenario.Scenario, o *outcome.Outcome) *Result {
	result := &Result{Title: s.Title, Scenario: name(s), Runs: 1, Seeds: []Range{{s.Seed, s.Seed}}}
	for _, m := range measures(o) {
		v := big.NewInt(m.value)
		result.Measures = append(result.Measures, Measure{
			Name: m.name, Seconds: m.seconds, Sum: v, Squares: new(big.Int).Mul(v, v), Min: m.value, Max: m.value,
		})
	}
	for _, f := range o.Holds() {
		result.Broken = append(result.Broken, Broken{f.Expectation.Text, []uint64{s.Seed}})
	}
	return result
}

// name tells scenarios apart whatever their seed.
func name(s *scenario.Scenario) string {
	own := s.Clone()
	own.Seed = 0
	return string(own.EncodeJSON())
}

type value struct {
	name    string
	value   int64
	seconds bool
}

// measures are the numbers of an outcome that are swept.
func measures(o *outcome.Outcome) []value {
	count := func(name string, n int) value { return value{name, int64(n), false} }
	length := func(name string, t event.Time) value { return value{name, int64(t), true} }
	mean := func(name string, s outcome.Spread) value {
		if s.N == 0 {
			return length(name, 0)
		}
		return length(name, s.Sum/event.Time(s.N)) // rounded down to the nanosecond
	}
	return []value{
		count("sent", o.Sent), count("accepted", o.Accepted), count("refused", o.Refused),
		count("deliveries", o.Deliveries), count("redeliveries", o.Redeliveries),
		count("acked", o.Acked), count("stale_acks", o.StaleAcks),
		count("waiting", o.Waiting), count("delayed", o.Delayed), count("in_flight", o.InFlight),
		count("dead", o.Dead), count("expired", o.Expired), count("dropped", o.Dropped),
		count("effects", o.Effects), count("duplicates", o.Duplicates), count("lost", o.Lost),
		count("failures", o.Failures), count("crashes", o.Crashes),
		length("ended_at", o.EndedAt),
		mean("wait.mean", o.Wait), length("wait.p95", o.Wait.P95), length("wait.max", o.Wait.Max),
		mean("sojourn.mean", o.Sojourn), length("sojourn.p95", o.Sojourn.P95), length("sojourn.max", o.Sojourn.Max),
	}
}

// Merge adds the seeds of other to r. It is an error when they are of
// different scenarios, or have a seed in common: it would count twice.
func (r *Result) Merge(other *Result) error {
	if other.Runs == 0 {
		return nil
	}
	if r.Runs == 0 {
		*r = *other.clone()
		return nil
	}
	if r.Scenario != other.Scenario {
		return fmt.Errorf("%q and %q are different scenarios: merge results of one", r.Title, other.Title)
	}
	seeds, err := union(r.Seeds, other.Seeds)
	if err != nil {
		return err
	}
	r.Seeds = seeds
	r.Runs += other.Runs
	for i := range r.Measures {
		a, b := &r.Measures[i], other.Measures[i]
		a.Sum = new(big.Int).Add(a.Sum, b.Sum)
		a.Squares = new(big.Int).Add(a.Squares, b.Squares)
		a.Min, a.Max = min(a.Min, b.Min), max(a.Max, b.Max)
	}
	for _, b := range other.Broken {
		r.addBroken(b)
	}
	return nil
}

func (r *Result) clone() *Result {
	c := *r
	c.Seeds, c.Measures, c.Broken = slices.Clone(r.Seeds), slices.Clone(r.Measures), slices.Clone(r.Broken)
	return &c
}

func (r *Result) addBroken(b Broken) {
	i := slices.IndexFunc(r.Broken, func(x Broken) bool { return x.Expectation == b.Expectation })
	if i < 0 {
		r.Broken = append(r.Broken, b)
		return
	}
	seeds := append(slices.Clone(r.Broken[i].Seeds), b.Seeds...)
	slices.Sort(seeds)
	r.Broken[i].Seeds = seeds
}

func union(a, b []Range) ([]Range, error) {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, func(x, y Range) int {
		if x.From < y.From {
			return -1
		}
		return 1
	})
	out := all[:1]
	for _, r := range all[1:] {
		last := &out[len(out)-1]
		switch {
		case r.From <= last.To:
			return nil, fmt.Errorf("seed %d is in both results: each seed counts once", r.From)
		case r.From == last.To+1:
			last.To = r.To
		default:
			out = append(out, r)
		}
	}
	return slices.Clone(out), nil
}

// Mean returns the mean of a measure over n runs, in its unit.
func (m *Measure) Mean(n uint64) float64 {
	return m.unit(new(big.Rat).SetFrac(m.Sum, new(big.Int).SetUint64(n)), 1)
}

// Deviation returns the standard deviation over n runs; 0 for fewer than two.
func (m *Measure) Deviation(n uint64) float64 {
	if n < 2 {
		return 0
	}
	// (squares - sum²/n) / (n-1), exactly until the root.
	count := new(big.Int).SetUint64(n)
	top := new(big.Int).Mul(m.Squares, count)
	top.Sub(top, new(big.Int).Mul(m.Sum, m.Sum))
	below := new(big.Int).Mul(count, new(big.Int).SetUint64(n-1))
	return math.Sqrt(m.unit(new(big.Rat).SetFrac(top, below), 2))
}

// Margin returns half the width of the interval around the mean that holds
// the true mean with 95% confidence (normal approximation, 1.96 standard
// errors).
func (m *Measure) Margin(n uint64) float64 {
	if n < 2 {
		return 0
	}
	return 1.96 * m.Deviation(n) / math.Sqrt(float64(n))
}

func (m *Measure) unit(r *big.Rat, power int) float64 {
	if m.Seconds {
		for range power {
			r.Quo(r, big.NewRat(int64(event.Second), 1))
		}
	}
	f, _ := r.Float64()
	return f
}

// Encode writes a partial result for a later Merge.
func (r *Result) Encode() ([]byte, error) { return json.MarshalIndent(r, "", " ") }

// Decode reads what Encode wrote.
func Decode(data []byte) (*Result, error) {
	var r Result
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("this is not the result of a sweep: %w", err)
	}
	for _, m := range r.Measures {
		if m.Sum == nil || m.Squares == nil {
			return nil, fmt.Errorf("the measure %q has no sums: write the file with rail sweep --json", m.Name)
		}
	}
	return &r, nil
}
