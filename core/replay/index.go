package replay

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
)

// Index makes the instants of a log reachable. It may be made while the log
// still grows; Extend takes in what was added. Cursors of one Index share it
// and must be used from the same goroutine.
type Index struct {
	log *event.Log
	n   int // events taken in

	// marks has a byte an event: where its message was before it, and
	// whether it was the first that anybody saw of that message. With it a
	// Cursor applies an event without knowing the history of its message.
	marks []uint8

	places   []Place // by message, after event n-1
	accepted []int32 // by message: index of its Accepted, or -1
	// moves are the later arrivals of the few messages that changed queues.
	moves map[event.MessageRef][]int32
	sends [][]int32 // by producer: the events with which it sent something
	joins []int32   // by worker: the WorkerAdded that is its first event, or -1

	threads threads

	head        *Cursor // stands at n
	checkpoints []checkpoint
	spacing     int // cost after which the next checkpoint is due
	cost        int // cost at the last checkpoint
	bytes       int // of all checkpoints
}

const (
	placeMask = 1<<5 - 1
	firstMark = 1 << 5
)

// New returns an index of the events that the log has now.
func New(log *event.Log) *Index {
	ix := &Index{log: log, spacing: minSpacing, moves: map[event.MessageRef][]int32{}}
	ix.head = ix.Cursor()
	ix.Extend()
	return ix
}

// Log returns the log that is indexed.
func (ix *Index) Log() *event.Log { return ix.log }

// Len returns how many events are indexed.
func (ix *Index) Len() int { return ix.n }

// Extend takes in the events that were added to the log since the last time.
func (ix *Index) Extend() {
	ix.growTables()
	for i := ix.n; i < ix.log.Len(); i++ {
		ix.add(i)
		ix.n = i + 1
		ix.head.apply(i)
		ix.checkpointIfDue()
	}
}

// growTables makes room for names that the log has learned.
func (ix *Index) growTables() {
	for len(ix.places) < ix.log.MessageCount() {
		ix.places = append(ix.places, Nowhere)
		ix.accepted = append(ix.accepted, -1)
	}
	ix.threads.grow(ix.log.MessageCount())
	for len(ix.sends) < len(ix.log.Producers) {
		ix.sends = append(ix.sends, nil)
	}
	for len(ix.joins) < len(ix.log.Workers) {
		ix.joins = append(ix.joins, unknownJoin)
	}
}

// unknownJoin marks a worker that no event has named yet.
const unknownJoin = -2

// add notes event i about its message, producer and worker.
func (ix *Index) add(i int) {
	e := ix.log.Event(i)
	if e.Worker >= 0 && ix.joins[e.Worker] == unknownJoin {
		ix.joins[e.Worker] = -1
		if e.Kind == event.WorkerAdded {
			ix.joins[e.Worker] = int32(i)
		}
	}
	if e.Message < 0 {
		ix.marks = append(ix.marks, 0)
		return
	}
	before := ix.places[e.Message]
	mark := uint8(before)
	switch e.Kind {
	case event.Accepted, event.Refused, event.Blocked:
		if before == Nowhere {
			mark |= firstMark
			if e.Arg >= 0 {
				ix.sends[e.Arg] = append(ix.sends[e.Arg], int32(i))
			}
		}
		if e.Kind == event.Accepted {
			ix.accepted[e.Message] = int32(i)
		}
	case event.DeadLettered, event.Redriven:
		ix.moves[e.Message] = append(ix.moves[e.Message], int32(i))
	}
	ix.marks = append(ix.marks, mark)
	ix.threads.add(e.Message, int32(i))
	ix.places[e.Message] = after(before, e)
}

// before returns where the message of event i was before it.
func (ix *Index) before(i int) Place { return Place(ix.marks[i] & placeMask) }

// first reports whether event i is the first of its message.
func (ix *Index) first(i int) bool { return ix.marks[i]&firstMark != 0 }

// order returns when m came to the queue it is in before event i: the index
// of the event with which it did.
func (ix *Index) order(m event.MessageRef, i int) int32 {
	moves := ix.moves[m]
	for k := len(moves) - 1; k >= 0; k-- {
		if int(moves[k]) <= i {
			return moves[k]
		}
	}
	return ix.accepted[m]
}

// present reports whether w exists from the start: no event adds it.
func (ix *Index) present(w int) bool { return ix.joins[w] < 0 }

// EventsOf returns the indexes of all events of a message, ascending. The
// caller must not change them.
func (ix *Index) EventsOf(m event.MessageRef) []int32 { return ix.threads.of(m) }

// Next returns the index of the first event from n on that matches, or -1.
func (ix *Index) Next(n int, match func(*event.Event) bool) int {
	for i := max(n, 0); i < ix.n; i++ {
		if match(ix.log.Event(i)) {
			return i
		}
	}
	return -1
}

// Prev returns the index of the last event before n that matches, or -1.
func (ix *Index) Prev(n int, match func(*event.Event) bool) int {
	for i := min(n, ix.n) - 1; i >= 0; i-- {
		if match(ix.log.Event(i)) {
			return i
		}
	}
	return -1
}

// Kinds is a set of kinds of events.
type Kinds uint64

// KindsOf returns the set of these kinds.
func KindsOf(kinds ...event.Kind) Kinds {
	var set Kinds
	for _, k := range kinds {
		set |= 1 << k
	}
	return set
}

// Has reports whether k is in the set.
func (s Kinds) Has(k event.Kind) bool { return s>>k&1 != 0 }

// NextOf returns the index of the first event from n on whose kind is in the
// set, or -1.
func (ix *Index) NextOf(n int, kinds Kinds) int {
	return ix.Next(n, func(e *event.Event) bool { return kinds.Has(e.Kind) })
}

// PrevOf returns the index of the last event before n whose kind is in the
// set, or -1.
func (ix *Index) PrevOf(n int, kinds Kinds) int {
	return ix.Prev(n, func(e *event.Event) bool { return kinds.Has(e.Kind) })
}

// NextSend returns the index of the first event from n on with which the
// producer sends a message that it has not tried to send before, or -1.
func (ix *Index) NextSend(p event.ProducerRef, n int) int {
	if p < 0 || int(p) >= len(ix.sends) {
		return -1
	}
	sends := ix.sends[p]
	k := sort.Search(len(sends), func(k int) bool { return int(sends[k]) >= n })
	if k == len(sends) {
		return -1
	}
	return int(sends[k])
}
