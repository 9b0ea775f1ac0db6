package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

func load(t *testing.T) *scenario.Scenario {
	t.Helper()
	s, problems := scenario.DecodeJSON([]byte(flaky))
	require.Empty(t, problems)
	return s
}

func sweep(t *testing.T, from, to uint64) *Result {
	t.Helper()
	s, all := load(t), &Result{}
	for seed := from; seed <= to; seed++ {
		one, err := One(s, seed)
		require.NoError(t, err)
		require.NoError(t, all.Merge(one))
	}
	return all
}

func TestPartsMergeExactly(t *testing.T) {
	whole := sweep(t, 1, 40)
	parts := &Result{}
	for _, r := range []Range{{21, 40}, {1, 7}, {8, 20}} {
		part := sweep(t, r.From, r.To)
		encoded, err := part.Encode()
		require.NoError(t, err)
		decoded, err := Decode(encoded)
		require.NoError(t, err)
		require.NoError(t, parts.Merge(decoded))
	}
	a, err := whole.Encode()
	require.NoError(t, err)
	b, err := parts.Encode()
	require.NoError(t, err)
	assert.Equal(t, string(a), string(b))
	assert.Equal(t, []Range{{1, 40}}, whole.Seeds)
}

func TestFailingSeedsAreNamed(t *testing.T) {
	r := sweep(t, 1, 40)
	require.Len(t, r.Broken, 1, "nothing is lost, some are done twice")
	assert.Equal(t, "duplicates == 0", r.Broken[0].Expectation)
	for _, seed := range r.Broken[0].Seeds {
		again, err := One(load(t), seed)
		require.NoError(t, err)
		assert.NotEmpty(t, again.Broken)
	}
	assert.Less(t, len(r.Broken[0].Seeds), 40)
}

func TestMeanAndSpread(t *testing.T) {
	r := sweep(t, 1, 60)
	var m Measure
	for _, m = range r.Measures {
		if m.Name == "crashes" {
			break
		}
	}
	// Each of three messages crashes p/(1-p) times on average: 0.4286 each.
	assert.InDelta(t, 3*.3/.7, m.Mean(r.Runs), 2*m.Margin(r.Runs))
	assert.Positive(t, m.Deviation(r.Runs))
	assert.Zero(t, m.Min)
}

func TestWhatDoesNotMerge(t *testing.T) {
	a := sweep(t, 1, 2)
	assert.ErrorContains(t, a.Merge(sweep(t, 2, 3)), "seed 2 is in both results")
	other := load(t)
	require.Empty(t, scenario.Set(other, "workers.mailer.count", "2"))
	b, err := One(other, 9)
	require.NoError(t, err)
	assert.ErrorContains(t, a.Merge(b), "different scenarios")
	_, err = Decode([]byte("{"))
	assert.ErrorContains(t, err, "not the result of a sweep")
}
