package sweep

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ticketrail/ticketrail/core/scenario"
)

const flaky = `{
  "title": "A flaky worker",
  "queues": {"orders": {"visibility_timeout": "1s"}},
  "producers": {"shop": {"to": "orders", "send": [{"id": 1}, {"id": 2}, {"id": 3}]}},
  "services": {"send_email": {"latency": "100ms"}},
  "workers": {"mailer": {"from": "orders", "crash": {"probability": "30%", "where": "after_effect"},
    "handler": "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n"}},
  "expect": ["lost == 0", "duplicates == 0"]
}`

func load(t require.TestingT) *scenario.Scenario {
	s, problems := scenario.DecodeJSON([]byte(flaky))
	require.Empty(t, problems)
	return s
}

func sweep(t require.TestingT, from, to uint64) *Result {
	s, parts := load(t), []*Result{}
	for seed := from; seed <= to; seed++ {
		one, err := One(s, seed)
		require.NoError(t, err)
		parts = append(parts, one)
	}
	all, err := Merge(parts...)
	require.NoError(t, err)
	return all
}

func encode(t require.TestingT, r *Result) string {
	b, err := r.Encode()
	require.NoError(t, err)
	return string(b)
}

// TestPartsMergeExactly: however the seeds are split, and in whatever order
// and groups the parts are merged, the result is that of one sweep, to the byte.
func TestPartsMergeExactly(t *testing.T) {
	const seeds = 40
	whole := encode(t, sweep(t, 1, seeds))
	ones := make([]*Result, seeds)
	for i := range ones {
		ones[i] = sweep(t, uint64(i+1), uint64(i+1))
	}
	rapid.Check(t, func(t *rapid.T) {
		left := rapid.Permutation(ones).Draw(t, "order")
		for len(left) > 1 {
			n := rapid.IntRange(2, len(left)).Draw(t, "group")
			group, err := Merge(left[:n]...)
			require.NoError(t, err)
			decoded, err := Decode([]byte(encode(t, group)))
			require.NoError(t, err)
			left = append([]*Result{decoded}, left[n:]...)
		}
		assert.Equal(t, whole, encode(t, left[0]))
	})
	assert.Equal(t, Ranges{{1, seeds}}, sweep(t, 1, seeds).Seeds)
}

func TestMergeLeavesItsPartsAlone(t *testing.T) {
	a, b := sweep(t, 1, 20), sweep(t, 21, 40)
	before := encode(t, a) + encode(t, b)
	_, err := Merge(b, a)
	require.NoError(t, err)
	assert.Equal(t, before, encode(t, a)+encode(t, b))
}

func TestNothingMerges(t *testing.T) {
	none, err := Merge()
	require.NoError(t, err)
	assert.Zero(t, none.Runs())
	some, err := Merge(none, sweep(t, 3, 4), &Result{})
	require.NoError(t, err)
	assert.Equal(t, encode(t, sweep(t, 3, 4)), encode(t, some))
	again, err := Decode([]byte(encode(t, none)))
	require.NoError(t, err)
	assert.Zero(t, again.Runs())
}

func TestFailingSeedsAreNamed(t *testing.T) {
	r := sweep(t, 1, 40)
	require.Len(t, r.Expectations, 2)
	assert.Empty(t, r.Expectations[0].Failed, "nothing is lost")
	twice := r.Expectations[1]
	assert.Equal(t, "duplicates == 0", twice.Text)
	assert.False(t, r.Held())
	failed := 0
	for seed := uint64(1); seed <= 40; seed++ {
		again, err := One(load(t), seed)
		require.NoError(t, err)
		assert.Equal(t, (Ranges{{seed, seed}}).within(twice.Failed), !again.Held(), "seed %d", seed)
		if !again.Held() {
			failed++
		}
	}
	assert.EqualValues(t, failed, twice.Failed.Len())
	assert.Less(t, failed, 40)
	assert.Positive(t, failed)
}

func measure(t *testing.T, r *Result, name string) *Measure {
	t.Helper()
	for i := range r.Measures {
		if r.Measures[i].Name == name {
			return &r.Measures[i]
		}
	}
	t.Fatalf("no measure %s", name)
	return nil
}

func TestMeanAndSpread(t *testing.T) {
	r := sweep(t, 1, 60)
	// Each of three messages crashes p/(1-p) times on average: 0.4286 each.
	m := measure(t, r, "crashes")
	assert.InDelta(t, 3*.3/.7, m.Mean(), 2*m.Margin())
	assert.Positive(t, m.Deviation())
	assert.True(t, m.Varies())
	assert.False(t, measure(t, r, "sent").Varies())
	assert.Equal(t, 3.0, measure(t, r, "sent").Mean())
	busy := measure(t, r, `pool("mailer").busy`)
	assert.LessOrEqual(t, busy.Max(), 1.0)
	assert.Positive(t, busy.Min())
}

// TestStatistics holds them against values worked out by hand: 1 2 2 5 has
// mean 2.5, squared distances 2.25 .25 .25 6.25, so variance 9/3.
func TestStatistics(t *testing.T) {
	m := Measure{Name: "x", Unit: Count, Values: []Value{{1, 1}, {2, 2}, {5, 1}}}
	assert.Equal(t, 2.5, m.Mean())
	assert.InDelta(t, math.Sqrt(3), m.Deviation(), 1e-12)
	assert.InDelta(t, 3.182*math.Sqrt(3)/2, m.Margin(), 1e-12)
	assert.Equal(t, []float64{1, 2, 5, 5}, []float64{m.Percentile(25), m.Percentile(50), m.Percentile(95), m.Percentile(100)})
	m.Unit = Seconds
	assert.InDelta(t, 2.5e-9, m.Mean(), 1e-20)
	assert.InDelta(t, math.Sqrt(3)*1e-9, m.Deviation(), 1e-20)
	one := Measure{Unit: Count, Values: []Value{{7, 1}}}
	assert.Zero(t, one.Deviation())
	assert.Zero(t, one.Margin())
}

// TestStudent holds the quantiles against published ones.
func TestStudent(t *testing.T) {
	for degrees, want := range map[uint64]float64{1: 12.706, 10: 2.228, 30: 2.042, 31: 2.040, 40: 2.021, 60: 2.000, 120: 1.980, 1_000_000: 1.960} {
		assert.InDelta(t, want, student(degrees), 0.0006, "%d degrees", degrees)
	}
}

func TestRunsThatMetALimit(t *testing.T) {
	s := load(t)
	s.Limits.Events = 10
	one, err := One(s, 5)
	require.NoError(t, err)
	assert.Equal(t, Ranges{{5, 5}}, one.CutShort)
	assert.Empty(t, sweep(t, 1, 5).CutShort)
}

func TestWhatDoesNotMerge(t *testing.T) {
	a := sweep(t, 1, 3)
	_, err := Merge(sweep(t, 9, 9), a, sweep(t, 2, 4))
	var conflict *Conflict
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, Conflict{1, 2, "seed 2 is in both, and each seed counts once"}, *conflict)
	other := load(t)
	require.Empty(t, scenario.Set(other, "workers.mailer.count", "2"))
	b, err := One(other, 9)
	require.NoError(t, err)
	_, err = Merge(a, b)
	assert.ErrorContains(t, err, "different scenarios")
	b.Scenario, b.Measures = a.Scenario, b.Measures[1:]
	_, err = Merge(a, b)
	assert.ErrorContains(t, err, "another version")
}

func TestWhatIsNoResult(t *testing.T) {
	good := encode(t, sweep(t, 1, 3))
	for text, want := range map[string]string{
		"{":  "not the result of a sweep",
		"{}": "not the result of a sweep",
		strings.Replace(good, `"sweep":1`, `"sweep":2`, 1):                    "another version",
		strings.Replace(good, `"1..3"`, `"3..1"`, 1):                          "write the smaller seed first",
		strings.Replace(good, `["1..3"]`, `["1..3","2"]`, 1):                  "2 comes after 1..3",
		strings.Replace(good, `"unit":"count"`, `"unit":"pounds"`, 1):         `sent has the unit "pounds"`,
		strings.Replace(good, `"1..3"`, `"1..4"`, 1):                          "do not add up to 4 runs",
		strings.Replace(good, `"values":[[3,3]]`, `"values":[[3,4]]`, 1):      "do not add up to 3 runs",
		strings.Replace(good, `"failed_seeds":[]`, `"failed_seeds":["9"]`, 1): "seeds that were not swept",
	} {
		_, err := Decode([]byte(text))
		assert.ErrorContains(t, err, want, text[:min(len(text), 60)])
	}
}

// FuzzDecode: whatever is taken can be written, and is taken again as it was.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(encode(f, sweep(f, 1, 3))))
	f.Add([]byte(encode(f, &Result{})))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Decode(data)
		if err != nil {
			return
		}
		first := encode(t, r)
		again, err := Decode([]byte(first))
		require.NoError(t, err)
		assert.Equal(t, first, encode(t, again))
		_, err = Merge(r, again)
		assert.Equal(t, r.Runs() > 0, err != nil, "a seed counts once")
	})
}

func TestParseRange(t *testing.T) {
	for text, want := range map[string]Range{"1..500": {1, 500}, "7": {7, 7}, "0..0": {0, 0}, "18446744073709551615": {math.MaxUint64, math.MaxUint64}} {
		got, err := ParseRange(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
		assert.Positive(t, got.Len())
	}
	for text, want := range map[string]string{
		"": "such as 1..500", "1-5": "such as 1..500", "a..b": "such as 1..500", "1..": "such as 1..500", "-1..3": "such as 1..500",
		"5..1": "1..5", "0..18446744073709551615": "more seeds than can be counted",
	} {
		_, err := ParseRange(text)
		assert.ErrorContains(t, err, want, text)
	}
}
