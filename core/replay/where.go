package replay

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
)

// Place is where a message is.
type Place uint8

// The places.
const (
	Nowhere  Place = iota // not sent yet
	Waiting               // in line
	Delayed               // accepted or returned, but not to be handed out yet
	InFlight              // handed out, and hidden from others
	Acked                 // deleted by an acknowledgement
	Dead                  // in a dead-letter queue, and not handed out from it
	Expired               // removed by its time to live
	Dropped               // removed to make room
	Door                  // turned away or waiting at a full queue, to be let in later
	Refused               // turned away for good
)

var placeNames = [...]string{"nowhere", "waiting", "delayed", "in flight", "acked",
	"dead", "expired", "dropped", "at the door", "refused"}

func (p Place) String() string { return placeNames[p] }

// after returns where a message is after e, when it was at p before. Inside
// this package a message of a dead-letter queue is waiting, delayed or in
// flight like others; Dead is for readers.
func after(p Place, e *event.Event) Place {
	switch e.Kind {
	case event.Accepted:
		if e.Reason == event.Delayed {
			return Delayed
		}
		return Waiting
	case event.Refused:
		if e.Reason == event.WillRetry {
			return Door
		}
		return Refused
	case event.Blocked:
		return Door
	case event.Delivered:
		return InFlight
	case event.Acked:
		return Acked
	case event.HiddenOver, event.Nacked, event.Noticed:
		if e.Reason == event.Delayed {
			return Delayed
		}
	case event.Returned, event.DeadLettered, event.Redriven:
		return Waiting
	case event.Expired:
		return Expired
	case event.Dropped:
		return Dropped
	}
	return p
}

// MessageState is one message at an instant.
type MessageState struct {
	Place    Place
	Queue    event.QueueRef  // the queue it is in, was last in, or stands before
	Worker   event.WorkerRef // the last one it was handed to, or NoWorker
	Receives int32           // receive count
	Receipt  int32           // hand-outs so far
	Since    event.Time      // when it came to Place
	Until    event.Time      // InFlight: end of the visibility timeout; Delayed, Door: when it moves; or event.Never
}

// Where returns the state of a message after the first n events.
func (ix *Index) Where(m event.MessageRef, n int) MessageState {
	s := MessageState{Queue: event.NoQueue, Worker: event.NoWorker, Until: event.Never}
	events := ix.EventsOf(m)
	k := sort.Search(len(events), func(k int) bool { return int(events[k]) >= n })
	events = events[:k]
	if k == 0 {
		return s
	}
	last := int(events[k-1])
	s.Place = after(ix.before(last), ix.log.Event(last))
	ix.fillPlace(&s, events)
	ix.fillReceipts(&s, events)
	if s.Place != InFlight && s.Queue >= 0 && ix.log.Queues[s.Queue].DeadLetter && (s.Place == Waiting || s.Place == Delayed) {
		s.Place = Dead
	}
	return s
}

// fillPlace walks back to the event that brought the message where it is.
func (ix *Index) fillPlace(s *MessageState, events []int32) {
	for k := len(events) - 1; k >= 0; k-- {
		i := int(events[k])
		e := ix.log.Event(i)
		if e.Kind == event.Extended && s.Place == InFlight && s.Until == event.Never {
			s.Until = e.Until
		}
		if !moves(e) {
			continue
		}
		s.Since, s.Queue = e.At, e.Queue
		switch {
		case e.Kind == event.DeadLettered || e.Kind == event.Redriven:
			s.Queue = event.QueueRef(e.Arg)
		case (s.Place == InFlight || s.Place == Delayed || s.Place == Door && e.Reason == event.WillRetry) && s.Until == event.Never:
			s.Until = e.Until
		}
		return
	}
}

// fillReceipts walks back to the last hand-out.
func (ix *Index) fillReceipts(s *MessageState, events []int32) {
	redriven := false
	for k := len(events) - 1; k >= 0; k-- {
		e := ix.log.Event(int(events[k]))
		switch e.Kind {
		case event.Redriven:
			redriven = true
		case event.Delivered:
			s.Worker, s.Receipt = e.Worker, e.Arg
			if !redriven {
				s.Receives = e.Receive
			}
			return
		}
	}
}

// moves reports whether e brings its message to another place.
func moves(e *event.Event) bool { return after(noPlace, e) != noPlace }

const noPlace Place = 255
