// Package event says what can happen in a run, and keeps it: an append-only
// log of small fixed-size records with the names they refer to.
//
// Everything that is shown or counted about a run is derived from its Log;
// nothing else leaves the simulator. Start reading at Event, then Log.
package event

// Time is virtual time in nanoseconds since the start of the run.
type Time int64

// Units of virtual time.
const (
	Nanosecond  Time = 1
	Microsecond      = 1000 * Nanosecond
	Millisecond      = 1000 * Microsecond
	Second           = 1000 * Millisecond
	Minute           = 60 * Second
	Hour             = 60 * Minute
)

// Never is an instant that does not come: a restart that is not due, a timer
// that is not running.
const Never Time = -1

// Seconds returns t in seconds. It is for showing and for expressions; no
// state of a run is kept in floating point.
func (t Time) Seconds() float64 { return float64(t) / 1e9 }

// References are dense indexes into the tables of the Log. They are signed so
// that "none" needs no second field.
type (
	// MessageRef names a message: Log.Message.
	MessageRef int32
	// QueueRef is an index into Log.Queues.
	QueueRef int16
	// WorkerRef is an index into Log.Workers. A worker that leaves and
	// comes back keeps its reference.
	WorkerRef int16
	// ProducerRef is an index into Log.Producers.
	ProducerRef int16
	// TargetRef is an index into Log.Targets: a service or a table.
	TargetRef int16
)

// The absent reference of each kind.
const (
	NoMessage  MessageRef  = -1
	NoQueue    QueueRef    = -1
	NoWorker   WorkerRef   = -1
	NoProducer ProducerRef = -1
	NoTarget   TargetRef   = -1
)

// Kind is what happened. Names are in the past tense and the same in the log,
// the terminal and the page.
type Kind uint8

// The kinds of events. The comment of each names the fields it uses besides
// At and Kind; Message, Queue, Worker and Receive are set wherever they apply.
const (
	_ Kind = iota
	// Accepted: a queue took a new message. Arg is the ProducerRef, or -1
	// when a handler published it (Worker says which). Reason is Delayed,
	// with Until, when it cannot be handed out yet.
	Accepted
	// Refused: a full queue turned a message away. Arg as in Accepted.
	// Reason is WillRetry with Until, or GaveUp.
	Refused
	// Blocked: a sender stands at a full queue and waits. Arg as in Accepted.
	Blocked
	// Unblocked: the sender's message gets in; Accepted follows.
	Unblocked
	// Delivered: handed out. Receive is the receive count, Arg the receipt
	// (the total number of hand-outs of this message), Until the end of the
	// visibility timeout, or Never. It leaves whatever place it was waiting in.
	Delivered
	// Acked: deleted by an acknowledgement, from in flight or, when the ack
	// came late, from waiting or delayed. Reason is OnDelivery or OnReturn
	// when no handler called ack.
	Acked
	// AckIgnored: an ack that changed nothing. Reason is Stale or Repeated.
	AckIgnored
	// Nacked: given back. Reason is Delayed, with Until, when it comes back
	// later; otherwise Returned, DeadLettered or Expired follows at once.
	Nacked
	// Rejected: sent to the dead letters by the handler or by on_error;
	// DeadLettered follows.
	Rejected
	// Extended: Until is the new end of the visibility timeout.
	Extended
	// HiddenOver: the visibility timeout ended. Reason and what follows as
	// in Nacked.
	HiddenOver
	// Returned: a message waits in line again, or (after Accepted with
	// Reason Delayed) for the first time. Reason says where: Tail, Head,
	// Original.
	Returned
	// DeadLettered: moved from Queue to the dead-letter queue Arg.
	DeadLettered
	// Redriven: moved back from the dead-letter queue Queue to queue Arg.
	// Its receive count is 0 again.
	Redriven
	// Expired: removed because its time to live was over.
	Expired
	// Dropped: removed to make room for a newer message.
	Dropped
	// HandlerStarted: the worker begins with the message.
	HandlerStarted
	// Line: the worker is about to run line Arg of its handler. Written when
	// the line differs from the last one of this run of the handler.
	Line
	// CallStarted: a call of target Arg (a TargetRef) takes time or may
	// fail; Text is its key, Until its end.
	CallStarted
	// CallFailed: the call of target Arg raised Text.
	CallFailed
	// CallAnswered: the idempotency key of the call of target Arg was known:
	// the first result was given again and nothing happened a second time.
	CallAnswered
	// Effect: a side effect. Arg is its number for Log.Effect; Text its key.
	Effect
	// TableChanged: a write to table Arg; Text says which, such as "add 101".
	TableChanged
	// Printed: the handler printed Text.
	Printed
	// HandlerFinished: on_message returned.
	HandlerFinished
	// HandlerFailed: on_message ended with the error Text at line Arg. Reason
	// is LimitReached when it met the step limit.
	HandlerFailed
	// Crashed: the worker died, before or in line Arg (0 when it was idle);
	// Until is its restart, or Never. Message is what it was working on.
	Crashed
	// Noticed: the broker learned that the worker's connection is gone.
	Noticed
	// Restarted: the worker is back.
	Restarted
	// WorkerAdded: the pool grew by Worker.
	WorkerAdded
	// WorkerRemoved: the pool shrank by Worker.
	WorkerRemoved
	// Command: entry Arg of the timeline took effect; Text says it.
	Command
	// Ended: the run is over. Reason is Quiet, Until or Limit; Text names
	// the limit.
	Ended
	kinds
)

// Kinds is the number of kinds plus one: valid kinds are 1 to Kinds-1.
const Kinds = int(kinds)

var kindNames = [kinds]string{
	Accepted: "accepted", Refused: "refused", Blocked: "blocked", Unblocked: "unblocked",
	Delivered: "delivered", Acked: "acked", AckIgnored: "ack_ignored", Nacked: "nacked",
	Rejected: "rejected", Extended: "extended", HiddenOver: "hidden_over", Returned: "returned",
	DeadLettered: "dead_lettered", Redriven: "redriven", Expired: "expired", Dropped: "dropped",
	HandlerStarted: "handler_started", Line: "line", CallStarted: "call_started",
	CallFailed: "call_failed", CallAnswered: "call_answered", Effect: "effect",
	TableChanged: "table_changed", Printed: "printed", HandlerFinished: "handler_finished",
	HandlerFailed: "handler_failed", Crashed: "crashed", Noticed: "noticed",
	Restarted: "restarted", WorkerAdded: "worker_added", WorkerRemoved: "worker_removed",
	Command: "command", Ended: "ended",
}

// String returns the name of the kind as it stands in logs, such as
// "hidden_over".
func (k Kind) String() string {
	if k == 0 || k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// KindNamed returns the kind with that name, and whether there is one.
func KindNamed(name string) (Kind, bool) {
	for k := Kind(1); k < kinds; k++ {
		if kindNames[k] == name {
			return k, true
		}
	}
	return 0, false
}

// Reason refines a Kind where its comment says so.
type Reason uint8

// The reasons.
const (
	None         Reason = iota
	Tail                // behind all that wait
	Head                // before all that wait
	Original            // in the order of acceptance
	Delayed             // it comes back at Until
	WillRetry           // the producer asks again at Until
	GaveUp              // the producer gave up
	Stale               // the receipt is an old one, or the message is gone
	Repeated            // this worker's ack was accepted before
	OnDelivery          // acknowledge: on_delivery
	OnReturn            // acknowledge: on_return
	OnError             // the pool's on_error did it
	Quiet               // nothing more can happen
	UntilReached        // the scenario's until was reached
	LimitReached        // a limit of the scenario was met
	reasons
)

var reasonNames = [reasons]string{
	Tail: "tail", Head: "head", Original: "original", Delayed: "delayed",
	WillRetry: "will_retry", GaveUp: "gave_up", Stale: "stale", Repeated: "repeated",
	OnDelivery: "on_delivery", OnReturn: "on_return", OnError: "on_error",
	Quiet: "quiet", UntilReached: "until", LimitReached: "limit",
}

// String returns the name of the reason, "" for None.
func (r Reason) String() string {
	if r >= reasons {
		return "unknown"
	}
	return reasonNames[r]
}

// Event is one thing that happened: 40 bytes, no pointers. What Receive, Arg,
// Text, Until and Reason mean is said at each Kind.
type Event struct {
	At      Time       // when, never before the event before it
	Until   Time       // an instant that the event announces, or 0
	Message MessageRef // the message it happened to, or NoMessage
	Receive int32      // receive count of the hand-out it belongs to, or 0
	Arg     int32
	Text    int32 // index for Log.Text; 0 is ""
	Queue   QueueRef
	Worker  WorkerRef
	Kind    Kind
	Reason  Reason
}
