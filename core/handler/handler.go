// Package handler runs the workers' programs. A handler is Starlark: Python's
// syntax without I/O, clock or randomness. Compile gives a Program, whose Run
// calls on_message for one message; everything the program can reach (its
// message, the services, the tables, time) it reaches through a Host.
//
// Go code can be a handler as well: a Func. Start reading at Host.
package handler

import (
	"errors"

	"github.com/ticketrail/ticketrail/core/event"
)

// ErrCrash ends a run of a handler where it is: its worker died. A Host
// returns it, and a handler passes it on unchanged.
var ErrCrash = errors.New("the worker crashed")

// Message is what a handler sees of the message it works on.
type Message struct {
	ID  event.ID
	Key string // "" when it has none
	// KeyNumber: the key is a whole number, which Key has as text.
	KeyNumber bool
	Body      any // as in event.Message; shared, must not be changed
	Type      string
	Receives  int64
	SentAt    event.Time
}

// Key names what a side effect or a row is about. Numbers and texts are
// different keys: 1 is not "1".
type Key struct {
	Text   string
	IsText bool
}

// Call is one call of a service.
type Call struct {
	Key            Key
	Amount         int64
	IdempotencyKey *Key
}

// Publication is one message that a handler publishes.
type Publication struct {
	To        string
	Body      any
	Key       string
	KeyNumber bool     // as of a Message
	ID        event.ID // ID{} with HasID false: <parent>.<n>
	HasID     bool
	Type      string
	Priority  int64
	Delay     event.Time // event.Never: the queue's own
}

// Host is the world of one run of a handler. Calls take virtual time; they
// return ErrCrash when the worker dies in them.
type Host interface {
	Message() Message
	// Line tells that the handler is about to run line n (from 1).
	Line(n int) error
	Ack() bool
	// Nack gives the message back, after delay unless that is event.Never.
	Nack(delay event.Time) bool
	Reject() bool
	Extend(by event.Time) bool
	Sleep(d event.Time) error
	Now() event.Time
	Print(text string) error
	Publish(p Publication) (bool, error)
	// Call calls the service with that name. An error other than ErrCrash
	// is the service's own.
	Call(service string, c Call) error
	Table(name string) Table
}

// A Breather is a Host that can let its simulator breathe in a long run of
// a handler: nothing happens meanwhile, but a page that simulates in slices
// stays responsive. Ran tells it how many steps were run since the last call,
// which bounds the whole of its run.
type Breather interface {
	Breathe() error
	Ran(steps uint64)
}

// Table is the workers' database as one run of a handler reaches it. Each
// call is atomic and takes the table's latency.
type Table interface {
	Has(k Key) (bool, error)
	Get(k Key) (any, error) // the value given to Insert or Set, or nil
	Set(k Key, value any) error
	Add(k Key, amount int64) error
	Insert(k Key, value any, amount int64) (bool, error)
	Delete(k Key) error
}

// Handler is a program that workers run for each message.
type Handler interface {
	// Start returns a runner for one worker. Runners of different workers
	// share nothing that changes.
	Start() Runner
}

// Runner runs the handler for one message after the other.
type Runner interface {
	// Run returns nil when the handler returned, ErrCrash when its worker
	// died, and otherwise the error that it ended with, a *Failure where the
	// line is known.
	Run(h Host) error
}

// Failure is the error that a run of a handler ended with.
type Failure struct {
	Line    int // 0 when not known
	Text    string
	Endless bool // it met the step limit
}

func (f *Failure) Error() string { return f.Text }

// Func is a handler written in Go.
type Func func(h Host) error

// Start returns f itself: it has no state of its own.
func (f Func) Start() Runner { return f }

// Run calls f.
func (f Func) Run(h Host) error { return f(h) }
