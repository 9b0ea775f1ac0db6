package broker

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// desk is a Host that keeps what the broker asks for.
type desk struct {
	timers    []event.Time
	due       []Timer
	delivered []Delivery
	admitted  []event.MessageRef
	woken     []event.Time
}

func (d *desk) Schedule(at event.Time, t Timer) {
	d.timers, d.due = append(d.timers, at), append(d.due, t)
}
func (d *desk) WakePool(at event.Time, _ int)    { d.woken = append(d.woken, at) }
func (d *desk) Deliver(_ event.Time, x Delivery) { d.delivered = append(d.delivered, x) }
func (d *desk) Admitted(_ event.Time, _ Sender, m event.MessageRef) {
	d.admitted = append(d.admitted, m)
}

// fire tells the broker of every timer that is due at t.
func (d *desk) fire(b *Broker, t event.Time) {
	for i := 0; i < len(d.due); i++ {
		if d.timers[i] == t {
			timer := d.due[i]
			d.timers[i] = event.Never
			b.Timer(t, timer)
		}
	}
}

var anybody = Sender{Producer: 0, Worker: event.NoWorker}

// open returns a broker with one queue and a pool of workers on it.
func open(t *testing.T, workers int, change func(*scenario.Queue)) (*Broker, *desk, event.QueueRef) {
	t.Helper()
	d := &desk{}
	b := New(&event.Log{}, d, chance.New(1))
	config := scenario.DefaultQueue("orders")
	if change != nil {
		change(&config)
	}
	q := b.AddQueue(config)
	pool := b.AddPool([]event.QueueRef{q})
	b.ConfigurePool(0, pool, &scenario.Pool{Prefetch: 1})
	for w := range workers {
		b.AddWorker(0, event.WorkerRef(w), pool, w+1)
	}
	return b, d, q
}

func send(b *Broker, now event.Time, q event.QueueRef, m event.MessageRef) Result {
	b.Message(m, 0, 0, uint64(m))
	return b.Send(now, q, m, anybody, event.Never)
}

func TestAnOldReceiptChangesNothing(t *testing.T) {
	b, d, q := open(t, 2, func(c *scenario.Queue) { c.VisibilityTimeout = 10 })
	require.Equal(t, Taken, send(b, 0, q, 0))
	first := d.delivered[0]
	d.fire(b, 10)
	second := d.delivered[1]
	assert.Equal(t, []int32{1, 2}, []int32{first.Receipt, second.Receipt})
	assert.NotEqual(t, first.Worker, second.Worker)

	assert.False(t, b.Ack(11, first, event.None))
	assert.False(t, b.Nack(11, first, event.Never, event.None))
	assert.False(t, b.Reject(11, first, event.None))
	assert.False(t, b.Extend(11, first, 5))
	assert.True(t, b.Ack(11, second, event.None))
	assert.False(t, b.Ack(11, second, event.None))
	last := b.log.Last()
	assert.Equal(t, event.AckIgnored, last.Kind)
	assert.Equal(t, event.Repeated, last.Reason)
}

func TestBetweenTimerAndNextHandOutOnlyAckCounts(t *testing.T) {
	for _, late := range []scenario.LateAck{scenario.AcceptLate, scenario.IgnoreLate} {
		b, d, q := open(t, 1, func(c *scenario.Queue) { c.VisibilityTimeout, c.LateAck = 10, late })
		send(b, 0, q, 0)
		d.fire(b, 10)
		require.Len(t, d.delivered, 1, "its only worker still runs")
		require.Equal(t, 1, b.Waiting(q))
		assert.False(t, b.Nack(12, d.delivered[0], event.Never, event.None))
		assert.False(t, b.Reject(12, d.delivered[0], event.None))
		assert.False(t, b.Extend(12, d.delivered[0], 5))
		assert.Equal(t, late == scenario.AcceptLate, b.Ack(12, d.delivered[0], event.None))
	}
}

func TestATimerThatEndsWithAnAckHasEnded(t *testing.T) {
	// The broker is told in the order of phases: timers before workers.
	b, d, q := open(t, 2, func(c *scenario.Queue) { c.VisibilityTimeout = 10 })
	send(b, 0, q, 0)
	d.fire(b, 10)
	assert.False(t, b.Ack(10, d.delivered[0], event.None))
}

func TestCancelledTimersDoNothing(t *testing.T) {
	b, d, q := open(t, 1, func(c *scenario.Queue) { c.VisibilityTimeout = 10 })
	send(b, 0, q, 0)
	require.True(t, b.Ack(5, d.delivered[0], event.None))
	assert.False(t, b.Live(d.due[0]))
	events := b.log.Len()
	d.fire(b, 10)
	assert.Equal(t, events, b.log.Len())
}

func TestBlockedSendersEnterInOrder(t *testing.T) {
	b, d, q := open(t, 1, func(c *scenario.Queue) { c.MaxSize, c.Overflow = 1, scenario.Block })
	assert.Equal(t, Taken, send(b, 0, q, 0))
	assert.Equal(t, Taken, send(b, 0, q, 1))
	assert.Equal(t, Waits, send(b, 0, q, 2))
	assert.Equal(t, Waits, send(b, 0, q, 3))
	b.Ack(1, d.delivered[0], event.None)
	assert.Empty(t, d.admitted, "an ack frees no place in line")
	b.RunEnded(1, 0)
	assert.Equal(t, []event.MessageRef{2}, d.admitted)
}

func TestWhatReturnsAlwaysGetsIn(t *testing.T) {
	b, d, q := open(t, 1, func(c *scenario.Queue) { c.MaxSize = 1 })
	send(b, 0, q, 0)
	send(b, 0, q, 1)
	require.Equal(t, Full, send(b, 0, q, 2))
	require.True(t, b.Nack(1, d.delivered[0], event.Never, event.None))
	assert.Equal(t, 2, b.Waiting(q))
}

func TestDeadLettersIgnoreSizeAndCountAnew(t *testing.T) {
	b, d, q := open(t, 1, func(c *scenario.Queue) { c.MaxReceives = 2 })
	send(b, 0, q, 0)
	for n := range int32(2) {
		require.True(t, b.Nack(event.Time(n), d.delivered[n], event.Never, event.None))
		b.RunEnded(event.Time(n), 0)
	}
	dead, ok := b.Queue("orders-dead")
	require.True(t, ok)
	assert.Equal(t, 1, b.Waiting(dead))
	assert.Equal(t, []int32{1, 2}, []int32{d.delivered[0].Receive, d.delivered[1].Receive})

	b.Redrive(5, dead, event.NoQueue)
	require.Len(t, d.delivered, 3)
	assert.Equal(t, int32(1), d.delivered[2].Receive, "a redrive starts the count again")
	assert.Equal(t, int32(3), d.delivered[2].Receipt, "receipts go on")
}

func TestPoolRate(t *testing.T) {
	d := &desk{}
	b := New(&event.Log{}, d, chance.New(1))
	q := b.AddQueue(scenario.DefaultQueue("jobs"))
	pool := b.AddPool([]event.QueueRef{q})
	b.ConfigurePool(0, pool, &scenario.Pool{Prefetch: 1, RateLimit: scenario.Rate{Count: 3, Period: event.Second}})
	for w := range 4 {
		b.AddWorker(0, event.WorkerRef(w), pool, w+1)
	}
	for m := range event.MessageRef(4) {
		send(b, 0, q, m)
	}
	require.Len(t, d.delivered, 1)
	assert.Equal(t, []event.Time{333333334}, d.woken)
	require.True(t, b.WakeLive(333333334, pool))
	b.Wake(333333334, pool)
	assert.Len(t, d.delivered, 2)
	assert.Equal(t, []event.Time{333333334, 666666668}, d.woken)
}

func TestRetryDelays(t *testing.T) {
	b := New(&event.Log{}, &desk{}, chance.New(1))
	s := event.Second
	for name, c := range map[string]struct {
		retry scenario.Retry
		want  []event.Time
	}{
		"none":        {scenario.Retry{Backoff: scenario.NoBackoff, Base: s, Cap: 60 * s}, []event.Time{0, 0, 0}},
		"fixed":       {scenario.Retry{Backoff: scenario.Fixed, Base: 3 * s, Cap: 60 * s}, []event.Time{3 * s, 3 * s, 3 * s}},
		"fixed, cap":  {scenario.Retry{Backoff: scenario.Fixed, Base: 100 * s, Cap: 60 * s}, []event.Time{60 * s, 60 * s}},
		"linear":      {scenario.Retry{Backoff: scenario.Linear, Base: 10 * s, Cap: 25 * s}, []event.Time{10 * s, 20 * s, 25 * s, 25 * s}},
		"exponential": {scenario.Retry{Backoff: scenario.Exponential, Base: s, Cap: 60 * s}, []event.Time{s, 2 * s, 4 * s, 8 * s, 16 * s, 32 * s, 60 * s, 60 * s}},
	} {
		for i, want := range c.want {
			assert.Equal(t, want, b.RetryDelay(&c.retry, "retry", 1, int64(i+1), i+1), "%s, try %d", name, i+1)
		}
	}
	full := scenario.Retry{Backoff: scenario.Fixed, Base: s, Cap: 60 * s, Jitter: scenario.FullJitter}
	equal := scenario.Retry{Backoff: scenario.Fixed, Base: s, Cap: 60 * s, Jitter: scenario.EqualJitter}
	var sumFull, sumEqual event.Time
	const n = 2000
	for i := range n {
		f, e := b.RetryDelay(&full, "retry", uint64(i), 1, 1), b.RetryDelay(&equal, "retry", uint64(i), 1, 1)
		require.True(t, f >= 0 && f <= s && e >= s/2 && e <= s)
		sumFull, sumEqual = sumFull+f, sumEqual+e
	}
	// Means 1/2 and 3/4; deviations 0.289 and 0.144 over sqrt(n); four of them.
	assert.InDelta(t, 0.5, sumFull.Seconds()/n, 4*0.289/44.7)
	assert.InDelta(t, 0.75, sumEqual.Seconds()/n, 4*0.144/44.7)
	assert.Equal(t, event.Time(60*s), b.RetryDelay(&scenario.Retry{Backoff: scenario.Exponential, Base: s, Cap: 60 * s}, "retry", 1, 1<<40, 1))
}
