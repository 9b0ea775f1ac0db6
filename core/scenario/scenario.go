// Package scenario is the language in which one says what exists (queues,
// topics, producers, workers, services, tables) and what happens from outside
// (a timeline). A scenario and its seed give exactly one run.
//
// A Scenario value is complete and valid when it comes from DecodeJSON or from
// scenarioyaml.Decode: defaults are filled in, names resolve, limits hold. It
// is a plain value; Clone before changing one that others hold, and change it
// by Set, which keeps it valid. Lists keep the order in which they were
// written, because order decides ties.
//
// Start reading at Scenario for what there is, at the tables in table.go for
// how each field is written, at Decode for how a source becomes a Scenario.
package scenario

import (
	"math/big"

	"github.com/ticketrail/ticketrail/core/event"
)

// Duration is a length of virtual time in nanoseconds, written 200ms, 1.5s, 2m.
type Duration = event.Time

// Rate is a count per period: 8/s, 100/m. The zero Rate is "no rate".
type Rate struct {
	Count  int64
	Period Duration // 1s, 1m or 1h
}

// IsZero reports whether there is no rate.
func (r Rate) IsZero() bool { return r.Count == 0 }

// Scenario is one scenario.
type Scenario struct {
	Title     string
	Seed      uint64
	Until     Duration // event.Never: until nothing more can happen
	Limits    Limits
	Queues    []Queue
	Topics    []Topic
	Producers []Producer
	Services  []Service
	Tables    []Table
	Workers   []Pool
	Timeline  []Entry
	Expect    []Expectation
}

// Limits end a run that would go on for too long.
type Limits struct {
	Events int64
	Time   Duration
}

// Queue is one queue. Dead-letter queues that the file does not mention are
// not in this list; the simulator makes them by name.
type Queue struct {
	Name              string
	VisibilityTimeout Duration // 0: no timer
	MaxReceives       int64    // 0: no limit
	DeadLetter        string   // "" when MaxReceives is 0 and none was named
	MaxSize           int64    // 0: no bound
	Overflow          Overflow
	TTL               Duration // 0: never
	Delay             Duration
	Order             Order
	ReturnTo          ReturnTo
	DeadLetterOn      DeadLetterOn
	LateAck           LateAck
	Notice            Notice
	NoticeAfter       Duration
	Dispatch          Dispatch
	Retry             Retry
}

// Retry says how long a message (or a producer) waits before the next try.
type Retry struct {
	Backoff Backoff
	Base    Duration
	Cap     Duration
	Jitter  Jitter
}

// Topic hands a copy of each message to every queue in To.
type Topic struct {
	Name string
	To   []string
}

// Producer sends exact messages (Send) or a stream (Rate with Count or Until).
type Producer struct {
	Name     string
	To       string // a queue or a topic
	Send     []Message
	Rate     Rate
	Arrivals Arrivals
	Count    int64    // 0: no bound
	Until    Duration // event.Never: no bound
	Start    Duration
	FirstID  int64
	Keys     int64 // 0: no key
	Body     any
	Mix      []Share
	WhenFull WhenFull
	Retry    Retry
	Type     string
	Priority int64
	Delay    Duration // event.Never: the queue's own
}

// Message is one exact message of a producer.
type Message struct {
	ID       event.ID
	At       Duration
	Body     any
	Key      string
	KeyGiven bool
	// KeyNumber: the key is a whole number, which Key has as text.
	KeyNumber bool
	Type      string
	Priority  int64
	Delay     Duration // event.Never: the queue's own
}

// Share is one of the bodies that a stream draws from.
type Share struct {
	Share     int64 // its weight among the shares
	Body      any
	Key       string
	KeyGiven  bool
	KeyNumber bool // as of a Message
	Type      string
	Priority  int64
}

// Latency is a distribution of durations.
type Latency struct {
	Kind LatencyKind
	Min  Duration // Constant: the value; Uniform: the least
	Max  Duration // Uniform: the most
	Mean Duration // Exponential: the mean
}

// Fails says which calls of a service raise its error. More than one may hold.
type Fails struct {
	First       int64
	Probability Probability
	From, To    Duration // [From, To) by start; From event.Never: no outage, To event.Never: for ever
}

// Probability is a chance as an exact fraction of 10^9: 10% is 100,000,000.
type Probability int64

// Certain is the Probability 100%.
const Certain Probability = 1_000_000_000

// Rat returns p as a fraction.
func (p Probability) Rat() *big.Rat { return big.NewRat(int64(p), int64(Certain)) }

// Service is where side effects happen; the queue cannot see them.
type Service struct {
	Name        string
	Latency     Latency
	Fails       Fails
	Error       string
	RateLimit   Rate
	Idempotency Idempotency
}

// Table is the workers' database, shared by all of them.
type Table struct {
	Name    string
	TTL     Duration // 0: rows stay
	Latency Latency
	Effect  bool
}

// Pool is a number of workers that run one handler.
type Pool struct {
	Name         string
	From         []string
	Count        int64
	Prefetch     int64 // 0: no bound
	Acknowledge  Acknowledge
	OnError      OnError
	RestartAfter Duration // event.Never: stays down
	RateLimit    Rate
	Crash        Crash
	Handler      string
	// HandlerLine and HandlerColumn are where the handler's text starts in
	// the file, counted from 1; 0 when it does not come from a file.
	HandlerLine, HandlerColumn int
}

// Crash says when workers of a pool die: by chance, or exactly.
type Crash struct {
	Probability Probability
	Where       Where
	Line        int64 // with OnLine
	Exact       []ExactCrash
}

// ExactCrash ends one run of the handler: hand-out Receive of message Message.
type ExactCrash struct {
	Message event.ID
	Receive int64
	Where   Where
	Line    int64
}

// Entry is one entry of the timeline: what the reader, or the outside world,
// does at an instant. Exactly one action is set.
type Entry struct {
	At Duration

	Set string // a path such as workers.mailer.count
	To  any    // with Set: the value as written (string, int64 ...)

	Crash  string // a worker: mailer/1
	Pause  string // a producer
	Resume string // a producer

	Redrive   string // a dead-letter queue
	RedriveTo string // "" : where each came from

	Edit     event.ID
	EditSet  bool // Edit is the action (an id may be the number 0)
	EditBody any

	Line, Column int // where it stands in the file, or 0
}

// Expectation is a Starlark expression over the outcome that is to hold.
type Expectation struct {
	Text         string
	Line, Column int
}

// The choices. The zero value of each is its default, except Where's in a
// Crash that sets a probability, which Decode fills in as Anywhere.
type (
	Overflow     uint8
	Order        uint8
	ReturnTo     uint8
	DeadLetterOn uint8
	LateAck      uint8
	Notice       uint8
	Dispatch     uint8
	Backoff      uint8
	Jitter       uint8
	Arrivals     uint8
	WhenFull     uint8
	LatencyKind  uint8
	Idempotency  uint8
	Acknowledge  uint8
	OnError      uint8
	Where        uint8
)

// Values of the choices, in the order in which scenario files list them.
const (
	Reject Overflow = iota
	Block
	DropOldest
)

const (
	FIFO Order = iota
	PerKey
	ByPriority
)

const (
	ToTail ReturnTo = iota
	ToHead
	ToOriginal
)

const (
	OnReturn DeadLetterOn = iota
	OnReceive
)

const (
	AcceptLate LateAck = iota
	IgnoreLate
)

const (
	ByTimer Notice = iota
	ByConnection
)

const (
	FirstIdle Dispatch = iota
	RoundRobin
)

const (
	NoBackoff Backoff = iota
	Fixed
	Linear
	Exponential
)

const (
	NoJitter Jitter = iota
	FullJitter
	EqualJitter
)

const (
	Steady Arrivals = iota
	Poisson
)

const (
	GiveUp WhenFull = iota
	RetryWhenFull
)

const (
	ConstantLatency LatencyKind = iota
	UniformLatency
	ExponentialLatency
)

const (
	NoIdempotency Idempotency = iota
	ByKey
)

const (
	Manual Acknowledge = iota
	AckOnDelivery
	AckOnReturn
)

const (
	WaitForTimer OnError = iota
	NackOnError
	RejectOnError
)

const (
	Anywhere Where = iota
	BeforeEffect
	AfterEffect
	OnLine
)

// Bounds on what a scenario may ask for. Each is named in the error that
// reports it.
const (
	MaxQueues       = 64
	MaxNames        = 1000   // topics, producers, services, tables, pools: of each
	MaxEntries      = 10_000 // of the timeline, and expectations
	MaxWorkers      = 1000
	MaxMessages     = 10_000_000
	MaxHandlerBytes = 16 << 10
	MaxNesting      = 32
	MaxSourceBytes  = 1 << 20
	MaxDuration     = 10_000 * event.Hour
	MaxEvents       = 100_000_000
	// MaxSteps is the Starlark step limit of one run of a handler.
	MaxSteps = 1_000_000
	// MaxRunSteps is how many steps all handlers of a run may take together.
	MaxRunSteps = 100 * MaxSteps
	// MaxHeld is how many bytes of texts, bodies and rows of tables a run may
	// hold.
	MaxHeld = 128 << 20
)

// DefaultQueue returns a queue with nothing but defaults, as dead-letter
// queues are that the file does not mention.
func DefaultQueue(name string) Queue {
	q := Queue{Name: name}
	queueRecord.reset(&q)
	return q
}
