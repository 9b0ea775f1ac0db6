// Package replay gives the state of a run at any instant, from its log alone.
//
// New indexes a log once; a Cursor then goes to any instant or event, forward
// by applying events and backward from the nearest checkpoint. A State says
// where every message is by place, not by message: the history of one message
// is found through Index.EventsOf, so that a State stays small however many
// messages a run has. Start reading at State.
package replay

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/line"
)

// Counts are the running totals of a run or of one queue at an instant.
// At every instant
//
//	Accepted = Acked + Waiting + Delayed + InFlight + Dead + Expired + Dropped
//
// where Waiting, Delayed and InFlight leave out dead-letter queues, all of
// whose messages are counted as Dead.
type Counts struct {
	Sent, Accepted, Refused          int // Refused counts those given up for good
	Deliveries, Redeliveries         int
	Acked, StaleAcks                 int
	Waiting, Delayed, InFlight, Dead int
	Expired, Dropped                 int
	Effects, Duplicates              int
	Failures, Crashes                int
}

// AddsUp reports whether the counts obey the law of conservation.
func (c Counts) AddsUp() bool {
	return c.Accepted == c.Acked+c.Waiting+c.Delayed+c.InFlight+c.Dead+c.Expired+c.Dropped
}

// State is a run at one instant: after the events [0, Events) of the log.
type State struct {
	At        event.Time
	Events    int
	Counts    Counts
	Queues    []Queue    // by event.QueueRef
	Workers   []Worker   // by event.WorkerRef
	Producers []Producer // by event.ProducerRef
	Targets   []Target   // by event.TargetRef
	// Done are the last acked messages, the newest last, at most Recent.
	Done []event.MessageRef
}

// Recent is how many of the newest items a State keeps where it cannot keep all.
const Recent = 16

// Queue is one queue at an instant.
type Queue struct {
	Counts  Counts             // of this queue: Waiting, Delayed and InFlight are its own, Dead their sum in a dead-letter queue
	Waiting line.Line          // in the order in which they will be handed out
	Delayed []event.MessageRef // in the order in which they began to wait
	// Hidden are in flight but in nobody's hands: their worker crashed, or
	// its handler ended without settling them. They come back by timer, or
	// when the broker notices the crash.
	Hidden []event.MessageRef
}

// WorkerStatus is what a worker is up to.
type WorkerStatus uint8

// The states of a worker.
const (
	Absent WorkerStatus = iota // not added yet, or removed
	Idle                       // no handler is running
	Busy                       // a handler is running
	Down                       // crashed, and not restarted yet
)

// Worker is one worker at an instant.
type Worker struct {
	Status  WorkerStatus
	Leaving bool // removed from the pool, but still finishing its run
	// Held are the hand-outs it holds, in order: at most one of them is
	// running, the others wait for their turn (prefetch).
	Held []Held
	// Running is the index in Held of the message its handler works on, or
	// -1. When the worker is Down, Held is empty and Lost says what it had.
	Running int
	Line    int        // the line it is at or, when Down, the one it never finished; 0 before the first
	Since   event.Time // when it came to that line
	// Call is the service or table that it waits for until CallEnd, or
	// NoTarget. A call of a table that changes nothing has no event at its
	// end, so Call may still be set after CallEnd.
	Call              event.TargetRef
	CallFrom, CallEnd event.Time
	RestartAt         event.Time // when Down: event.Never or an instant
	CrashedAt         event.Time // when Down
	Lost              []Held     // when Down: what it held
	Event             int        // index of the last event of this worker, -1 before the first
}

// Held is one hand-out in the hands of a worker.
type Held struct {
	Message event.MessageRef
	Queue   event.QueueRef
	Receive int32      // receive count
	Receipt int32      // total number of hand-outs of the message
	At      event.Time // when it was handed out
	Until   event.Time // end of its visibility timeout, or event.Never
	Over    bool       // the timer has ended, or a newer hand-out exists
	Settled bool       // acked, nacked or rejected by this hand-out
}

// Producer is one producer at an instant.
type Producer struct {
	Sent   int
	Paused bool
	Door   []AtDoor           // turned away or waiting at a full queue, the oldest first
	GaveUp []event.MessageRef // the last ones given up, newest last, at most Recent
	Event  int                // index of its last event, -1 before the first
}

// AtDoor is a message that is not accepted yet.
type AtDoor struct {
	Message event.MessageRef
	Queue   event.QueueRef
	Since   event.Time
	RetryAt event.Time // event.Never when it waits at a blocking queue
}

// Target is one service or table at an instant.
type Target struct {
	Effects, Duplicates int
	// Latest are indexes of the newest effect events, newest last, at most Recent.
	Latest []int32
	// Repeated is the index of the newest effect event that repeated an
	// earlier one with the same key, or -1.
	Repeated int32
}
