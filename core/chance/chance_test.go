package chance

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDrawsDependOnlyOnTheirName(t *testing.T) {
	s := New(7)
	first := s.Uint64(For("crash"), 101, 1)
	s.Uint64(For("crash"), 102, 1)
	assert.Equal(t, first, s.Uint64(For("crash"), 101, 1))
	assert.NotEqual(t, first, s.Uint64(For("crash"), 101, 2))
	assert.NotEqual(t, first, s.Uint64(For("latency"), 101, 1))
	assert.NotEqual(t, first, New(8).Uint64(For("crash"), 101, 1))
}

func TestNegativeLogAgreesWithTheFormula(t *testing.T) {
	for _, x := range []uint64{0, 1, 2, 1 << 20, 1 << 40, 1<<63 - 1, 1 << 63, 3 << 62, ^uint64(0) - 1, ^uint64(0)} {
		want := -math.Log((float64(x) + 1) / math.Exp2(64))
		assert.InDelta(t, want, float64(negativeLog(x))/(1<<32), 1e-7, "x = %d", x)
	}
}

func TestExponentialHasItsMeanAndDeviation(t *testing.T) {
	const n, mean = 100_000, 1_000_000
	s, p := New(1), For("gap")
	var sum, squares float64
	for i := range n {
		x := float64(s.Exponential(mean, p, 5, i))
		sum += x
		squares += x * x
	}
	average := sum / n
	// Both the mean and the deviation are `mean`; four standard errors.
	assert.InDelta(t, mean, average, 4*mean/math.Sqrt(n))
	assert.InDelta(t, mean, math.Sqrt(squares/n-average*average), 4*mean*math.Sqrt(2.0/n))
}

func TestBelowIsUniform(t *testing.T) {
	const n, sides = 60_000, 6
	s, p := New(3), For("die")
	var seen [sides]int
	for i := range n {
		v := s.Below(sides, p, 9, i)
		require.Less(t, v, uint64(sides))
		seen[v]++
	}
	for _, count := range seen {
		assert.InDelta(t, n/sides, count, 4*math.Sqrt(n*(1.0/sides)*(5.0/sides)))
	}
}
