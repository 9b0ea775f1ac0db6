package sim

import "github.com/ticketrail/ticketrail/core/event"

// phase orders what is due at one instant.
type phase uint8

const (
	timelinePhase phase = iota
	brokerPhase
	producerPhase
	workerPhase
)

// item is something that is due. Items are ordered by time, then phase, then
// the order in which they were scheduled; the last two share one number.
type item struct {
	at    event.Time
	order uint64 // phase in the top byte, sequence below
	kind  itemKind
	sub   uint8
	a, b  int32
}

type itemKind uint8

const (
	timelineDue itemKind = iota // a: index of the entry
	timerDue                    // sub, a, b: broker.Timer
	sendDue                     // a: producer, b: tag of its schedule
	retryDue                    // a: index of the retry
	beginDue                    // a: worker
	resumeDue                   // a: worker, b: turn
	restartDue                  // a: worker, b: turn
	wakeDue                     // a: pool
)

func (x *item) before(y *item) bool {
	if x.at != y.at {
		return x.at < y.at
	}
	return x.order < y.order
}

// heap is a 4-ary heap of values. Against container/heap with pointers it
// takes a third of the time and allocates nothing per item.
type heap []item

func (h *heap) push(x item) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 {
		parent := (i - 1) / 4
		if !x.before(&s[parent]) {
			break
		}
		s[i] = s[parent]
		i = parent
	}
	s[i] = x
}

// pop removes the first item.
func (h *heap) pop() {
	s := *h
	n := len(s) - 1
	x := s[n]
	s = s[:n]
	*h = s
	if n == 0 {
		return
	}
	i := 0
	for {
		first := 4*i + 1
		if first >= n {
			break
		}
		least := first
		for c := first + 1; c < min(first+4, n); c++ {
			if s[c].before(&s[least]) {
				least = c
			}
		}
		if !s[least].before(&x) {
			break
		}
		s[i] = s[least]
		i = least
	}
	s[i] = x
}
