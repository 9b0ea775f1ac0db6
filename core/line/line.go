// Package line keeps the messages that wait in one queue, in the order in
// which they will be handed out. The broker and replay share it, so that a
// log need not say where in the line a message stands: tail, head and
// original mean the same to both. Start reading at Line.
package line

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
)

// Entry is a message in line.
type Entry struct {
	Message  event.MessageRef
	Priority int32
	// Order is when it came to this queue compared with the others of it:
	// any number that grows with each acceptance, redrive or dead-lettering.
	Order int32
}

// Line is a waiting line: entry 0 is next out. Ends cost O(1); elsewhere an
// insertion or removal moves the shorter side. The zero Line is empty and
// ignores priorities.
type Line struct {
	ring       []Entry // len is a power of two, or 0
	first, n   int
	byPriority bool
}

// Len returns how many wait.
func (l *Line) Len() int { return l.n }

// At returns the entry i places from the head, 0 ≤ i < Len.
func (l *Line) At(i int) Entry { return l.ring[(l.first+i)&(len(l.ring)-1)] }

// ByPriority says whether higher priorities wait before lower ones. Switching
// it on sorts those that wait, stably; switching it off leaves them in place.
func (l *Line) ByPriority(on bool) {
	if on && !l.byPriority {
		l.sort()
	}
	l.byPriority = on
}

// PushTail puts e behind all that wait (with the same priority or a higher
// one, when by priority).
func (l *Line) PushTail(e Entry) {
	i := l.n
	if l.byPriority {
		i = l.search(func(p int32) bool { return p < e.Priority })
	}
	l.insert(i, e)
}

// PushHead puts e before all that wait (with the same priority or a lower
// one, when by priority).
func (l *Line) PushHead(e Entry) {
	i := 0
	if l.byPriority {
		i = l.search(func(p int32) bool { return p <= e.Priority })
	}
	l.insert(i, e)
}

// search returns the first place whose priority is that low, or Len; those
// that wait stand in falling order of priority.
func (l *Line) search(low func(priority int32) bool) int {
	return sort.Search(l.n, func(i int) bool { return low(l.At(i).Priority) })
}

// PushOriginal puts e before the first one that came to the queue later.
func (l *Line) PushOriginal(e Entry) {
	i := 0
	for i < l.n && !l.after(l.At(i), e) {
		i++
	}
	l.insert(i, e)
}

// after reports whether a belongs behind e when e takes its original place.
func (l *Line) after(a, e Entry) bool {
	if l.byPriority && a.Priority != e.Priority {
		return a.Priority < e.Priority
	}
	return a.Order > e.Order
}

// Remove takes the entry at place i out of the line.
func (l *Line) Remove(i int) Entry {
	mask := len(l.ring) - 1
	e := l.At(i)
	if i < l.n/2 {
		for k := i; k > 0; k-- {
			l.ring[(l.first+k)&mask] = l.ring[(l.first+k-1)&mask]
		}
		l.first = (l.first + 1) & mask
	} else {
		for k := i; k < l.n-1; k++ {
			l.ring[(l.first+k)&mask] = l.ring[(l.first+k+1)&mask]
		}
	}
	l.n--
	return e
}

// Find returns the place of a message, or -1. It looks from the head, where
// those that leave mostly stand.
func (l *Line) Find(m event.MessageRef) int {
	for i := 0; i < l.n; i++ {
		if l.At(i).Message == m {
			return i
		}
	}
	return -1
}

// CopyFrom makes l equal to other without sharing memory, reusing its own.
func (l *Line) CopyFrom(other *Line) {
	if cap(l.ring) < len(other.ring) {
		l.ring = make([]Entry, len(other.ring))
	}
	l.ring = l.ring[:len(other.ring)]
	copy(l.ring, other.ring)
	l.first, l.n, l.byPriority = other.first, other.n, other.byPriority
}

func (l *Line) insert(i int, e Entry) {
	if l.n == len(l.ring) {
		l.grow()
	}
	mask := len(l.ring) - 1
	if i < l.n/2 {
		l.first = (l.first - 1) & mask
		for k := 0; k < i; k++ {
			l.ring[(l.first+k)&mask] = l.ring[(l.first+k+1)&mask]
		}
	} else {
		for k := l.n; k > i; k-- {
			l.ring[(l.first+k)&mask] = l.ring[(l.first+k-1)&mask]
		}
	}
	l.ring[(l.first+i)&mask] = e
	l.n++
}

func (l *Line) grow() {
	size := max(8, 2*len(l.ring))
	ring := make([]Entry, size)
	for i := range l.n {
		ring[i] = l.At(i)
	}
	l.ring, l.first = ring, 0
}

// sort is an insertion sort: lines are sorted at most once, when a timeline
// switches priorities on.
func (l *Line) sort() {
	old := make([]Entry, l.n)
	for i := range old {
		old[i] = l.At(i)
	}
	l.n, l.first, l.byPriority = 0, 0, true
	for _, e := range old {
		l.PushTail(e)
	}
}
