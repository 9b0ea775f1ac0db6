// Package broker is one message broker: queues, receipts, visibility timers,
// retries, dead letters and overflow. It is a plain state machine that is told
// the time; it has no clock, no goroutines and no randomness but named draws.
//
// Every operation writes what it did to the log and hands out whatever can be
// handed out before it returns. What the broker wants of the outside (a timer,
// a worker to begin, a sender to go on) it asks of its Host. Start reading at
// Broker; the rules are in queue.go (places and timers) and dispatch.go (who
// gets what).
package broker

import (
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/chunk"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/line"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Host is what a broker needs of the world around it. None of the calls may
// call back into the broker.
type Host interface {
	// Schedule asks for Timer(at, t) at that instant.
	Schedule(at event.Time, t Timer)
	// WakePool asks for Wake(at, pool) at that instant.
	WakePool(at event.Time, pool int)
	// Deliver tells that a worker holds a message; its handler is to begin in
	// the workers phase of this instant.
	Deliver(now event.Time, d Delivery)
	// Admitted tells that a message that stood at a full queue got in.
	Admitted(now event.Time, s Sender, m event.MessageRef)
}

// Delivery is one hand-out.
type Delivery struct {
	Worker  event.WorkerRef
	Message event.MessageRef
	Queue   event.QueueRef
	Receive int32 // receive count that the handler sees
	Receipt int32 // total number of hand-outs of the message, from 1
}

// Sender is who sends a message: a producer, or a worker's handler.
type Sender struct {
	Producer event.ProducerRef
	Worker   event.WorkerRef
}

// Timer is something that the broker wants to be told at an instant.
type Timer struct {
	Kind    TimerKind
	Message event.MessageRef
	Tag     int32 // tells a timer from an older one of the same message
}

// TimerKind is what a timer is for.
type TimerKind uint8

// The kinds of timers.
const (
	HiddenOver TimerKind = iota
	DelayOver
	ExpiryDue
	NoticeDue // Message is an index into the crashes, not a message
)

// place is where a message is.
type place uint8

const (
	nowhere place = iota
	atDoor
	waiting
	delayed
	inFlight
	acked
	expired
	dropped
)

// message is what the broker knows of one message.
type message struct {
	expires    event.Time // when its time to live is over, or Never
	queue      event.QueueRef
	origin     event.QueueRef // where a dead letter came from, or NoQueue
	worker     event.WorkerRef
	place      place
	retrying   bool  // delayed after a hand-out, not after acceptance
	timer      bool  // in flight: a visibility timer runs
	late       bool  // the timer ended; the last receipt may still ack
	receives   int32 // since acceptance or redrive, in all queues
	here       int32 // hand-outs made from the present queue since then
	total      int32 // hand-outs in all: the latest receipt
	order      int32 // order of arrival in the present queue, among all arrivals
	tag        int32 // counts changes of place and timers, to tell old timers
	key        int32 // 0: none
	priority   int32
	chanceName uint64
}

// Broker is one broker. The zero Broker is not ready: use New.
type Broker struct {
	log      *event.Log
	silent   bool // events are not written
	host     Host
	draws    chance.Source
	queues   []queue
	byName   map[string]event.QueueRef
	messages chunk.List[message]
	workers  []consumer
	pools    []pool
	idleSeq  int64
	arrivals int32 // of messages in queues and at doors so far
	crashes  []crash
	offers   []offer // of handOutNext, kept for its memory
}

// crash is what a dead worker held from one queue, until the broker notices.
type crash struct {
	worker event.WorkerRef
	hands  []hand
}

// hand is a hand-out that its worker has not settled.
type hand struct {
	message event.MessageRef
	receipt int32
}

// New returns a broker without queues that writes to log. Without a log (nil)
// it works the same and writes nothing.
func New(log *event.Log, host Host, draws chance.Source) *Broker {
	silent := log == nil
	if silent {
		log = &event.Log{}
	}
	return &Broker{log: log, silent: silent, host: host, draws: draws, byName: map[string]event.QueueRef{}}
}

// AddQueue adds a queue and returns its reference. Dead-letter queues that
// config names are added with their defaults unless they exist; add the queues
// that the scenario lists first.
func (b *Broker) AddQueue(config scenario.Queue) event.QueueRef {
	ref := event.QueueRef(len(b.queues))
	b.queues = append(b.queues, queue{config: config, deadLetters: event.NoQueue, cursor: -1})
	b.queues[ref].line.ByPriority(config.Order == scenario.ByPriority)
	b.byName[config.Name] = ref
	b.log.Queues = append(b.log.Queues, event.Queue{
		Name: config.Name, Target: event.NoQueue, ByPriority: config.Order == scenario.ByPriority,
	})
	return ref
}

// LinkDeadLetters makes sure that queue q has its dead-letter queue, adding
// one when there is none of that name, and returns it.
func (b *Broker) LinkDeadLetters(q event.QueueRef) event.QueueRef {
	if target := b.queues[q].deadLetters; target != event.NoQueue {
		return target
	}
	name := b.queues[q].config.DeadLetter
	if name == "" {
		name = b.queues[q].config.Name + "-dead"
	}
	target, ok := b.byName[name]
	if !ok {
		target = b.AddQueue(scenario.DefaultQueue(name))
	}
	b.queues[q].deadLetters = target
	b.log.Queues[q].Target = target
	b.log.Queues[target].DeadLetter = true
	return target
}

// Queue returns the queue with a name, and whether there is one.
func (b *Broker) Queue(name string) (event.QueueRef, bool) {
	q, ok := b.byName[name]
	return q, ok
}

// Configure changes the settings of a queue; they hold for what begins
// afterwards. It hands out and lets in what the new settings allow.
func (b *Broker) Configure(now event.Time, q event.QueueRef, config scenario.Queue) {
	b.queues[q].config = config
	b.queues[q].line.ByPriority(config.Order == scenario.ByPriority)
	b.dispatch(now, q)
}

// Message tells the broker of a message that is about to be sent. Messages
// come in the order of their references.
func (b *Broker) Message(m event.MessageRef, key, priority int32, chanceName uint64) {
	if int(m) != b.messages.Len() {
		panic("broker: messages must be told in order")
	}
	M := b.messages.Grow()
	M.key, M.priority, M.chanceName = key, priority, chanceName
	M.queue, M.origin, M.worker, M.expires = event.NoQueue, event.NoQueue, event.NoWorker, event.Never
}

func (b *Broker) message(m event.MessageRef) *message { return b.messages.At(int(m)) }

// ChanceName returns the name by which draws know a message.
func (b *Broker) ChanceName(m event.MessageRef) uint64 { return b.message(m).chanceName }

// Waiting returns how many messages wait in a queue.
func (b *Broker) Waiting(q event.QueueRef) int { return b.queues[q].line.Len() }

// Total returns how often a message was handed out.
func (b *Broker) Total(m event.MessageRef) int32 { return b.message(m).total }

// Present reports whether a message is still in the broker: waiting, delayed
// or in flight.
func (b *Broker) Present(m event.MessageRef) bool {
	p := b.message(m).place
	return p == waiting || p == delayed || p == inFlight
}

// emit writes an event to the log. It takes a pointer because WebAssembly
// copies arguments field by field.
func (b *Broker) emit(e *event.Event) {
	if !b.silent {
		b.log.Append(*e)
	}
}

// lineEntry is how m stands in line.
func (b *Broker) lineEntry(m event.MessageRef) line.Entry {
	return line.Entry{Message: m, Priority: b.message(m).priority, Order: b.message(m).order}
}
