package replay

import (
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
)

// threads finds the events of one message. All events up to done lie sorted by
// message in one array; the newer ones are chained backwards. Sorting again
// only when the log has doubled or ended keeps a growing log cheap.
type threads struct {
	starts []int32 // by message: where its events begin in events; one more at the end
	events []int32
	done   int // events sorted

	last []int32 // by message: its newest event from done on, or -1
	prev []int32 // by event - done: the one before of the same message, or -1
}

// extend takes in the events up to n.
func (t *threads) extend(log *event.Log, n int) {
	if n == t.done {
		return
	}
	_, ended := log.Ended()
	if n >= 2*t.done || ended != "" && n == log.Len() {
		t.sort(log, n)
		return
	}
	for len(t.last) < len(log.Messages) {
		t.last = append(t.last, -1)
	}
	for i := t.done + len(t.prev); i < n; i++ {
		before := int32(-1)
		if m := log.Event(i).Message; m >= 0 {
			before, t.last[m] = t.last[m], int32(i)
		}
		t.prev = append(t.prev, before)
	}
}

// sort is a counting sort of the events up to n by message.
func (t *threads) sort(log *event.Log, n int) {
	t.starts = slices.Grow(t.starts[:0], len(log.Messages)+2)[:len(log.Messages)+2]
	clear(t.starts)
	total := 0
	for i := range n {
		if m := log.Event(i).Message; m >= 0 {
			t.starts[m+2]++
			total++
		}
	}
	for m := 2; m < len(t.starts); m++ {
		t.starts[m] += t.starts[m-1]
	}
	t.events = make([]int32, total)
	for i := range n {
		if m := log.Event(i).Message; m >= 0 {
			t.events[t.starts[m+1]] = int32(i)
			t.starts[m+1]++
		}
	}
	t.starts = t.starts[:len(log.Messages)+1]
	t.done, t.prev, t.last = n, t.prev[:0], t.last[:0]
}

// of returns the events of m, ascending.
func (t *threads) of(log *event.Log, m event.MessageRef) []int32 {
	if m < 0 {
		return nil
	}
	sorted := t.sorted(m)
	if int(m) >= len(t.last) || t.last[m] < 0 {
		return sorted
	}
	all := slices.Clone(sorted)
	for i := t.last[m]; i >= 0; i = t.prev[int(i)-t.done] {
		all = append(all, i)
	}
	slices.Reverse(all[len(sorted):])
	return all
}

func (t *threads) sorted(m event.MessageRef) []int32 {
	if int(m)+1 >= len(t.starts) {
		return nil
	}
	from, to := t.starts[m], t.starts[m+1]
	return t.events[from:to:to]
}
