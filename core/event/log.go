package event

import (
	"fmt"
	"strconv"

	"github.com/ticketrail/ticketrail/core/chunk"
)

// ID is a message's id as the scenario gives it: a whole number, or text when
// Text is not "". The number 1 and the text "1" are different ids.
type ID struct {
	Number int64
	Text   string
}

// String returns the id as one reads it: 101, 3.1, order-7.
func (id ID) String() string {
	if id.Text != "" {
		return id.Text
	}
	return strconv.FormatInt(id.Number, 10)
}

// Message is what does not change about a message during a run. (Its body can
// be changed by an edit in the timeline; Body is the one it was sent with.)
type Message struct {
	ID       ID
	Key      string // "" when it has none
	KeyGiven bool   // the scenario wrote the key down; keys: N does not count
	// KeyNumber: the key is a whole number, which Key has as text.
	KeyNumber bool
	Type      string // "" when it has none
	// TypeGiven: the type was written down, not read off the body.
	TypeGiven bool
	Body      any // nil, bool, int64, float64, string, []any, Object
	Priority  int32
	Producer  ProducerRef // NoProducer when a handler published it
	Parent    MessageRef  // the message whose handler published it, or NoMessage
	Queue     QueueRef    // where it was first sent
	SentAt    Time
}

// Object is a mapping with its keys in the order in which they were written.
type Object []Field

// Field is one entry of an Object.
type Field struct {
	Name  string
	Value any
}

// Get returns the value of a field, and whether there is one.
func (o Object) Get(name string) (any, bool) {
	for _, f := range o {
		if f.Name == name {
			return f.Value, true
		}
	}
	return nil, false
}

// Queue names a queue of the run.
type Queue struct {
	Name       string
	DeadLetter bool     // it is the dead-letter queue of another one
	Target     QueueRef // its own dead-letter queue, or NoQueue
	ByPriority bool     // at the start; OrderChanges say what became of it
}

// OrderChange says that a timeline entry switched a queue's order.
type OrderChange struct {
	Event      int32 // index of the Command that did it
	Queue      QueueRef
	ByPriority bool
}

// Worker names a worker of the run.
type Worker struct {
	Pool   int // index into Log.Pools
	Number int // from 1
	Name   string
}

// Target is what a handler can call: a service or a table.
type Target struct {
	Name   string
	Table  bool
	Effect bool // its successful writes, or calls, are side effects
}

// EffectRecord is one side effect.
type EffectRecord struct {
	Target TargetRef
	Nth    int32 // 1 for the first with this target and key, 2 for a repeat ...
	IsText bool  // the key is text: the keys 1 and "1" are different
	Amount int64
	Key    string
}

// Log is everything that happened in a run, in order, with the names that its
// events refer to. It only grows; readers may keep an index and go on later.
type Log struct {
	Queues    []Queue
	Pools     []string
	Workers   []Worker
	Producers []string
	Targets   []Target
	Orders    []OrderChange

	events   chunk.List[Event]
	last     Time // of the last event
	messages chunk.List[messageRecord]
	forms    []form
	effects  chunk.List[effectRecord]
	amounts  []int64 // those of effects that do not fit into their records
	texts    texts
	held     int // bytes of texts and bodies, and what Hold counts
}

// Append adds an event. It panics when e.At lies before the last event: a
// broken invariant of the simulator, never bad input.
func (l *Log) Append(e Event) { *l.next(e.At, e.Kind) = e }

// next returns the place of the next event.
func (l *Log) next(at Time, kind Kind) *Event {
	if at < l.last {
		panic(fmt.Sprintf("event %d (%v) at %d ns comes after %v at %d ns", l.Len(), kind, at, l.Last().Kind, l.last))
	}
	l.last = at
	return l.events.Grow()
}

// Blank returns a log without events that has the names, messages, side
// effects and texts of l. Only events may be added to it.
func (l *Log) Blank() *Log {
	blank := *l
	blank.events, blank.last = chunk.List[Event]{}, 0
	return &blank
}

// Len returns the number of events.
func (l *Log) Len() int { return l.events.Len() }

// Event returns event i, 0 ≤ i < Len. The pointer stays valid; the event must
// not be changed.
func (l *Log) Event(i int) *Event { return l.events.At(i) }

// Last returns the last event of a log that has one.
func (l *Log) Last() *Event { return l.Event(l.Len() - 1) }

// Find returns the number of events at or before t: the index of the first
// event after t.
func (l *Log) Find(t Time) int {
	low, high := 0, l.Len()
	for low < high {
		mid := int(uint(low+high) >> 1)
		if l.Event(mid).At <= t {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// Ended returns the time of the end of the run and why it ended: "quiet",
// "until" or "limit"; "" while the log is not complete.
func (l *Log) Ended() (Time, string) {
	if l.Len() == 0 || l.Last().Kind != Ended {
		return 0, ""
	}
	return l.Last().At, l.Last().Reason.String()
}
