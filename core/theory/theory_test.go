package theory

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestReferenceFigures holds the formulas against figures that were computed
// by direct sums and by a separate simulation.
func TestReferenceFigures(t *testing.T) {
	for _, c := range []struct {
		q                                Queue
		mustWait, wait, lq, present, p95 float64
	}{
		{Queue{.8, 1, 1}, .8, 4, 3.2, 4, 13.8629},
		{Queue{3, 1, 4}, .509434, .509434, 1.528302, 4.528302, 2.3213},
		{Queue{9, 1, 10}, .668732, .668732, 6.018584, 15.018584, 2.5934},
	} {
		assert.InDelta(t, c.mustWait, c.q.MustWait(), 1e-6)
		assert.InDelta(t, c.wait, c.q.Wait(), 1e-6)
		assert.InDelta(t, c.lq, c.q.Waiting(), 1e-5)
		assert.InDelta(t, c.present, c.q.Present(), 1e-5)
		assert.InDelta(t, c.p95, c.q.WaitPercentile(.95), 1e-4)
	}
	assert.InDelta(t, 2.0, Queue{.8, 1, 1}.WaitOneWorker(1), 1e-9)
	assert.InDelta(t, 4.5, Queue{.9, 1, 1}.WaitOneWorker(1), 1e-9)
	assert.InDelta(t, 2.166667, Queue{.8, 1, 1}.WaitOneWorker(1+1./12), 1e-6)
	assert.InDelta(t, .386095, Queue{3.2, 1, 4}.WaitConstant(), 1e-5)
	assert.InDelta(t, 2.0, Queue{.8, 1, 1}.WaitConstant(), 1e-6)

	refused, wait := Queue{.8, 1, 1}.Bounded(5)
	assert.InDelta(t, .066342, refused, 1e-6)
	assert.InDelta(t, 1.868332, wait, 1e-6)
	refused, wait = Queue{6, 1, 4}.Bounded(10)
	assert.InDelta(t, .335019, refused, 1e-6)
	assert.InDelta(t, 2.023945, wait, 1e-6)

	assert.InDelta(t, 1.39, Tries{.3, 3}.Deliveries(), 1e-9)
	assert.InDelta(t, .027, Tries{.3, 3}.Dead(), 1e-9)
	assert.InDelta(t, 1.9375, Tries{.5, 5}.Deliveries(), 1e-9)
	assert.InDelta(t, .03125, Tries{.5, 5}.Dead(), 1e-9)
	effects, none := CrashedEffects(.1, .1, 3)
	assert.InDelta(t, 1.116, effects, 1e-9)
	assert.InDelta(t, .001, none, 1e-9)
	assert.InDelta(t, 5.3333, Recovery(2, 30, .1), 1e-4)

	assert.InDelta(t, 40.0, Makespan(400, 2, .2), 1e-9)
	assert.InDelta(t, 2000.0, Queue{4, 2, 20}.Drain(12_000), 1e-9)
	assert.InDelta(t, 3.0, Queue{8, .2, 1}.Growth(), 1e-9)
	assert.True(t, math.IsInf(Queue{8, .2, 1}.Drain(1), 1))
	assert.InDelta(t, 3.0, Capacity(10, 3, 1), 1e-9)
	assert.InDelta(t, 303.0, Backoff(1, 60, 10), 1e-9)
}
