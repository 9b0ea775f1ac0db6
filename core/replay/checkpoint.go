package replay

import (
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/line"
)

// A checkpoint is a copy of the state after some events. Its lines are packed
// to their entries, because a waiting line may once have been much longer.
type checkpoint struct {
	state   State // Queues[i].Waiting is empty; see lines
	lines   []line.Entry
	lengths []int32 // entries of each queue
	ordered []bool  // by queue: by priority
	bytes   int
}

// Costs are counted in steps of about 5 ns native: what an event takes at
// least, and one for each place that a search or a shift passes. A seek costs
// minSpacing at most, about 1 ms in WebAssembly, as long as all checkpoints
// fit in maxBytes; beyond that every second one goes and the spacing doubles.
const (
	eventCost  = 16
	minSpacing = 16_384 * eventCost
	maxBytes   = 48 << 20
)

func (ix *Index) checkpointIfDue() {
	if ix.head.cost-ix.cost < ix.spacing {
		return
	}
	ix.cost = ix.head.cost
	c := save(&ix.head.state)
	ix.checkpoints = append(ix.checkpoints, c)
	ix.bytes += c.bytes
	for ix.bytes > maxBytes && len(ix.checkpoints) > 4 {
		ix.thin()
	}
}

// thin drops every second checkpoint.
func (ix *Index) thin() {
	kept := ix.checkpoints[:0]
	ix.bytes = 0
	for i, c := range ix.checkpoints {
		if i%2 == 1 {
			kept = append(kept, c)
			ix.bytes += c.bytes
		}
	}
	clear(ix.checkpoints[len(kept):])
	ix.checkpoints = kept
	ix.spacing *= 2
}

// nearest returns the last checkpoint that has no more than n events, or nil.
func (ix *Index) nearest(n int) *checkpoint {
	k := sort.Search(len(ix.checkpoints), func(k int) bool { return ix.checkpoints[k].state.Events > n })
	if k == 0 {
		return nil
	}
	return &ix.checkpoints[k-1]
}

func save(s *State) checkpoint {
	var c checkpoint
	c.state.copyFrom(s)
	for i := range s.Queues {
		q := &s.Queues[i].Waiting
		c.lines = q.AppendTo(c.lines)
		c.lengths = append(c.lengths, int32(q.Len()))
		c.ordered = append(c.ordered, q.OrderedByPriority())
		c.bytes += 4 * (len(s.Queues[i].Delayed) + len(s.Queues[i].Hidden))
	}
	c.lines = slices.Clip(c.lines)
	c.bytes += 12*len(c.lines) + 320*len(s.Queues) + 160*len(s.Workers) + 200*len(s.Targets) + 1024
	for i := range s.Workers {
		c.bytes += 40 * (len(s.Workers[i].Held) + len(s.Workers[i].Lost))
	}
	for i := range s.Producers {
		c.bytes += 100 + 24*len(s.Producers[i].Door)
	}
	return c
}

func (c *checkpoint) restore(s *State) {
	s.copyFrom(&c.state)
	from := 0
	for i := range s.Queues {
		to := from + int(c.lengths[i])
		s.Queues[i].Waiting.Load(c.lines[from:to], c.ordered[i])
		from = to
	}
}

// copyFrom makes s equal to other but for the waiting lines, and shares no
// memory with it. Slices are reused, nested ones too.
func (s *State) copyFrom(other *State) {
	s.At, s.Events, s.Counts = other.At, other.Events, other.Counts
	s.Done = append(s.Done[:0], other.Done...)
	s.Queues = resize(s.Queues, len(other.Queues))
	for i := range other.Queues {
		a, b := &s.Queues[i], &other.Queues[i]
		a.Counts = b.Counts
		a.Delayed = append(a.Delayed[:0], b.Delayed...)
		a.Hidden = append(a.Hidden[:0], b.Hidden...)
	}
	s.Workers = resize(s.Workers, len(other.Workers))
	for i := range other.Workers {
		a, b := &s.Workers[i], &other.Workers[i]
		held, lost := a.Held[:0], a.Lost[:0]
		*a = *b
		a.Held = append(held, b.Held...)
		a.Lost = append(lost, b.Lost...)
	}
	s.Producers = resize(s.Producers, len(other.Producers))
	for i := range other.Producers {
		a, b := &s.Producers[i], &other.Producers[i]
		door, gaveUp := a.Door[:0], a.GaveUp[:0]
		*a = *b
		a.Door = append(door, b.Door...)
		a.GaveUp = append(gaveUp, b.GaveUp...)
	}
	s.Targets = resize(s.Targets, len(other.Targets))
	for i := range other.Targets {
		a, b := &s.Targets[i], &other.Targets[i]
		latest := a.Latest[:0]
		*a = *b
		a.Latest = append(latest, b.Latest...)
	}
}

// resize returns s with n elements. Elements beyond the old length keep the
// memory that they had before they were cut off.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return append(s[:cap(s)], make([]T, n-cap(s))...)
}

// start makes s the state before the first event, with nothing in it.
func (s *State) start() {
	s.At, s.Events, s.Counts, s.Done = 0, 0, Counts{}, s.Done[:0]
	s.Queues, s.Workers, s.Producers, s.Targets = s.Queues[:0], s.Workers[:0], s.Producers[:0], s.Targets[:0]
}

// grow adds what the log's tables have and s has not, as it is before any
// event names it.
func (s *State) grow(ix *Index) {
	for i := len(s.Queues); i < len(ix.log.Queues); i++ {
		s.Queues = resize(s.Queues, i+1)
		q := &s.Queues[i]
		q.Counts, q.Delayed, q.Hidden = Counts{}, q.Delayed[:0], q.Hidden[:0]
		q.Waiting.Load(nil, ix.log.Queues[i].ByPriority)
	}
	for i := len(s.Workers); i < len(ix.log.Workers); i++ {
		s.Workers = resize(s.Workers, i+1)
		w := &s.Workers[i]
		*w = Worker{Held: w.Held[:0], Lost: w.Lost[:0], Running: -1, Call: event.NoTarget, RestartAt: event.Never, Event: -1}
		if ix.present(i) {
			w.Status = Idle
		}
	}
	for i := len(s.Producers); i < len(ix.log.Producers); i++ {
		s.Producers = resize(s.Producers, i+1)
		p := &s.Producers[i]
		*p = Producer{Door: p.Door[:0], GaveUp: p.GaveUp[:0], Event: -1}
	}
	for i := len(s.Targets); i < len(ix.log.Targets); i++ {
		s.Targets = resize(s.Targets, i+1)
		t := &s.Targets[i]
		*t = Target{Latest: t.Latest[:0], Repeated: -1}
	}
}
