package outcome

// course keeps how the counts of a run went, one byte an event, so that the
// counts at any instant are at most `stride` additions away.
type course struct {
	steps  []uint8
	stops  []totals // the totals before event 0, stride, 2*stride ...
	totals totals
}

const stride = 512

// counter names one of the totals among which every accepted message is.
type counter uint8

const (
	none counter = iota
	waitingCounter
	delayedCounter
	inFlightCounter
	ackedCounter
	expiredCounter
	droppedCounter
	deadCounter
	counters
)

// totals are the counts. That of none means nothing; acceptances are counted
// apart, so that the sum of the others can be held against them.
type totals struct {
	at                [counters]int
	effects, accepted int
}

// A step is what one event does to the totals: a message goes from one to
// another, is accepted, or has a side effect.
const (
	effectStep   = 1 << 6
	acceptedStep = 1 << 7
)

func step(from, to counter) uint8 { return uint8(from)<<3 | uint8(to) }

func (t *totals) apply(s uint8) {
	t.at[s>>3&7]--
	t.at[s&7]++
	if s&effectStep != 0 {
		t.effects++
	}
	if s&acceptedStep != 0 {
		t.accepted++
	}
}

func (c *course) begin(events int) {
	c.steps = make([]uint8, 0, events)
	c.stops = make([]totals, 0, events/stride+1)
}

func (c *course) add(s uint8) {
	if len(c.steps)%stride == 0 {
		c.stops = append(c.stops, c.totals)
	}
	c.steps = append(c.steps, s)
	c.totals.apply(s)
}

// after returns the counts after the first n events.
func (c *course) after(n int) Moment {
	if n <= 0 {
		return Moment{}
	}
	last := (n - 1) / stride
	t := c.stops[last]
	for _, s := range c.steps[last*stride : n] {
		t.apply(s)
	}
	return Moment{
		Waiting: t.at[waitingCounter], InFlight: t.at[inFlightCounter],
		Delayed: t.at[delayedCounter], Dead: t.at[deadCounter],
		Acked: t.at[ackedCounter], Accepted: t.accepted, Effects: t.effects,
		Expired: t.at[expiredCounter], Dropped: t.at[droppedCounter],
	}
}
