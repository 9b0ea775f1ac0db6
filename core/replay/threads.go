package replay

import "github.com/ticketrail/ticketrail/core/event"

// threads has the events of each message, ascending. They lie in pages, which
// messages share: a message that outgrows its room moves to twice as much, so
// that adding an event costs O(1) and no addition of a long run is slow.
type threads struct {
	events [][]int32 // by message
	page   []int32   // what is left of the newest page
}

const (
	pageSize  = 1 << 14
	firstRoom = 8 // most messages are sent, taken, worked on and acked
)

// grow makes room for n messages.
func (t *threads) grow(n int) {
	for len(t.events) < n {
		t.events = append(t.events, nil)
	}
}

func (t *threads) add(m event.MessageRef, i int32) {
	s := t.events[m]
	if len(s) == cap(s) {
		s = append(t.room(max(firstRoom, 2*len(s))), s...)
	}
	t.events[m] = append(s, i)
}

// room cuts n places off the page.
func (t *threads) room(n int) []int32 {
	if len(t.page) < n {
		t.page = make([]int32, max(n, pageSize))
	}
	room := t.page[:0:n]
	t.page = t.page[n:]
	return room
}

// of returns the events of m. Adding more does not change what was returned.
func (t *threads) of(m event.MessageRef) []int32 {
	if m < 0 || int(m) >= len(t.events) {
		return nil
	}
	s := t.events[m]
	return s[:len(s):len(s)]
}
