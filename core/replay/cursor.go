package replay

import "github.com/ticketrail/ticketrail/core/event"

// Cursor holds the state at one instant and goes to others. Going forward it
// applies what happens in between, without allocating once its slices have
// grown; going back, or far ahead, it copies the nearest checkpoint first.
type Cursor struct {
	ix    *Index
	state State
	cost  int    // of all events applied so far
	none  Counts // takes the counts of events without a queue
}

// Cursor returns a new cursor, at the start.
func (ix *Index) Cursor() *Cursor { return &Cursor{ix: ix} }

// State returns the state where the cursor stands. It is valid, and changes,
// with the next seek; readers must not change it.
func (c *Cursor) State() *State { return &c.state }

// Seek goes to the instant t, after all that happens at it.
func (c *Cursor) Seek(t event.Time) *State {
	c.SeekEvents(min(c.ix.log.Find(t), c.ix.n))
	c.state.At = t
	return &c.state
}

// SeekEvents goes to after the first n events.
func (c *Cursor) SeekEvents(n int) *State {
	n = max(0, min(n, c.ix.n))
	c.jump(n)
	c.state.grow(c.ix)
	for i := c.state.Events; i < n; i++ {
		c.apply(i)
	}
	c.state.total(c.ix.log.Queues)
	c.state.At = 0
	if n > 0 {
		c.state.At = c.ix.log.Event(n - 1).At
	}
	return &c.state
}

// jump goes to the best known state from which n is reached by going forward.
func (c *Cursor) jump(n int) {
	near := c.ix.nearest(n)
	switch {
	case near != nil && (n < c.state.Events || c.state.Events < near.state.Events):
		near.restore(&c.state)
	case n < c.state.Events:
		c.state.start()
	}
}
