package sweep

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
)

// Unit is what the whole numbers of a measure count.
type Unit string

// The units. Seconds are kept in nanoseconds, shares in parts of 10⁹.
const (
	Count   Unit = "count"
	Seconds Unit = "seconds"
	Share   Unit = "share"
)

// scale is how many of the kept numbers make one.
func (u Unit) scale() int64 {
	if u == Count {
		return 1
	}
	return 1e9
}

// Measure is one number of the outcome over all seeds.
type Measure struct {
	Name   string
	Unit   Unit
	Values []Value // ascending, each once
}

// Value is a value that a measure had, and in how many runs.
type Value struct {
	Value int64
	Runs  uint64
}

func single(name string, unit Unit, value int64) Measure {
	return Measure{name, unit, []Value{{value, 1}}}
}

func count(name string, n int) Measure         { return single(name, Count, int64(n)) }
func length(name string, t event.Time) Measure { return single(name, Seconds, int64(t)) }

// share is part of whole, rounded down; 0 of nothing.
func share(name string, part, whole event.Time) Measure {
	if whole <= 0 || part < 0 || part > whole {
		return single(name, Share, 0)
	}
	high, low := bits.Mul64(uint64(part), 1e9)
	quotient, _ := bits.Div64(high, low, uint64(whole))
	return single(name, Share, int64(quotient))
}

// spread is the mean, rounded down to the nanosecond, and the percentiles.
func spread(name string, s outcome.Spread) []Measure {
	mean := event.Time(0)
	if s.N > 0 {
		mean = s.Sum / event.Time(s.N)
	}
	return []Measure{
		length(name+".mean", mean), length(name+".p50", s.P50), length(name+".p95", s.P95), length(name+".max", s.Max),
	}
}

// Varies reports whether the measure was not the same in every run.
func (m *Measure) Varies() bool { return len(m.Values) > 1 }

// Min returns the smallest value.
func (m *Measure) Min() float64 { return m.shown(m.Values[0].Value) }

// Max returns the largest value.
func (m *Measure) Max() float64 { return m.shown(m.Values[len(m.Values)-1].Value) }

// Percentile returns the value that p of 100 runs do not exceed, by nearest
// rank; 0 < p ≤ 100.
func (m *Measure) Percentile(p uint64) float64 {
	rank := (m.runs()*p + 99) / 100
	for _, v := range m.Values {
		if v.Runs >= rank {
			return m.shown(v.Value)
		}
		rank -= v.Runs
	}
	return m.Max()
}

func (m *Measure) runs() (n uint64) {
	for _, v := range m.Values {
		n += v.Runs
	}
	return n
}

func (m *Measure) shown(v int64) float64 { return float64(v) / float64(m.Unit.scale()) }

// Mean returns the mean of all runs.
func (m *Measure) Mean() float64 {
	total, _ := m.sums()
	return m.float(new(big.Rat).SetFrac(total, new(big.Int).SetUint64(m.runs())), 1)
}

// Deviation returns the standard deviation of the runs; 0 for fewer than two.
func (m *Measure) Deviation() float64 {
	n := m.runs()
	if n < 2 {
		return 0
	}
	// (squares - total²/n) / (n-1), exactly until the root.
	total, squares := m.sums()
	runs := new(big.Int).SetUint64(n)
	top := new(big.Int).Mul(squares, runs)
	top.Sub(top, total.Mul(total, total))
	below := runs.Mul(runs, new(big.Int).SetUint64(n-1))
	return math.Sqrt(m.float(new(big.Rat).SetFrac(top, below), 2))
}

// Margin returns half the width of the interval around the mean that holds
// the true mean with 95 % confidence, by Student's t; 0 for fewer than two
// runs, which say nothing about that.
func (m *Measure) Margin() float64 {
	n := m.runs()
	if n < 2 {
		return 0
	}
	return student(n-1) * m.Deviation() / math.Sqrt(float64(n))
}

// student95 are the two-sided 95 % quantiles of Student's t distribution with
// 1, 2, 3 ... degrees of freedom.
var student95 = [...]float64{
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
}

// student returns the quantile; beyond the table by its expansion in 1/degrees
// around the normal one, which is right to three decimals there.
func student(degrees uint64) float64 {
	if degrees <= uint64(len(student95)) {
		return student95[degrees-1]
	}
	const z = 1.959964
	d := float64(degrees)
	return z + (z*z*z+z)/(4*d) + (5*math.Pow(z, 5)+16*z*z*z+3*z)/(96*d*d)
}

// sums returns the sum of the values and that of their squares.
func (m *Measure) sums() (total, squares *big.Int) {
	total, squares = new(big.Int), new(big.Int)
	for _, v := range m.Values {
		value := big.NewInt(v.Value)
		times := new(big.Int).Mul(value, new(big.Int).SetUint64(v.Runs))
		total.Add(total, times)
		squares.Add(squares, times.Mul(times, value))
	}
	return total, squares
}

// float takes a number of kept units to the power into one of shown units.
func (m *Measure) float(r *big.Rat, power int) float64 {
	for range power {
		r.Quo(r, big.NewRat(m.Unit.scale(), 1))
	}
	f, _ := r.Float64()
	return f
}
