package main

import (
	"bytes"
	"context"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sweep"
)

func chancy(t *testing.T) *scenario.Scenario {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(`
queues: {inbox: {}}
producers: {client: {to: inbox, rate: 5/s, arrivals: poisson, count: 5}}
expect: [ended_at < 1]
`))
	require.Empty(t, problems)
	return s
}

// TestCoresDoNotShow: one core and many give the same result, to the byte.
func TestCoresDoNotShow(t *testing.T) {
	var first []byte
	for _, cores := range []int{1, 2, 7} {
		for _, seeds := range []sweep.Range{{From: 1, To: 300}} {
			var done atomic.Int64
			r, err := runSeeds(context.Background(), chancy(t), seeds, cores, func(n int) { done.Add(int64(n)) })
			require.NoError(t, err)
			assert.EqualValues(t, seeds.Len(), done.Load())
			assert.Equal(t, sweep.Ranges{seeds}, r.Seeds)
			encoded, err := r.Encode()
			require.NoError(t, err)
			if first == nil {
				first = encoded
			}
			assert.Equal(t, string(first), string(encoded), "%d cores", cores)
		}
	}
}

// TestAnEarlyEnd: what was run before Ctrl-C is kept, and nothing else.
func TestAnEarlyEnd(t *testing.T) {
	ctx, stop := context.WithCancel(context.Background())
	var done atomic.Int64
	r, err := runSeeds(ctx, chancy(t), sweep.Range{From: 1, To: 100_000}, 2, func(n int) {
		if done.Add(int64(n)) == 50 {
			stop()
		}
	})
	require.NoError(t, err)
	assert.EqualValues(t, done.Load(), r.Runs())
	assert.GreaterOrEqual(t, r.Runs(), uint64(50))
	assert.Less(t, r.Runs(), uint64(100_000))
}

// TestTheLastSeeds: ranges end where numbers do.
func TestTheLastSeeds(t *testing.T) {
	last := ^uint64(0)
	for _, seeds := range []sweep.Range{{From: 0, To: 0}, {From: last, To: last}, {From: last - 99, To: last}} {
		r, err := runSeeds(context.Background(), chancy(t), seeds, 3, func(int) {})
		require.NoError(t, err)
		assert.Equal(t, sweep.Ranges{seeds}, r.Seeds)
	}
}

// TestProgress: a bar on a terminal, not a byte anywhere else.
func TestProgress(t *testing.T) {
	for _, bar := range []bool{false, true} {
		var out, errs bytes.Buffer
		code := execute([]string{"sweep", "../../core/testdata/cases/slow-worker.yaml", "--seeds", "1..20"}, &terminal{out: &out, err: &errs, bar: bar})
		assert.Zero(t, code, errs.String())
		assert.Equal(t, bar, bytes.Contains(errs.Bytes(), []byte("seeds")), errs.String())
		assert.NotContains(t, out.String(), "\r")
	}
}
