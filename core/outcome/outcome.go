// Package outcome says what a run is measured by: counts, times, side effects
// and what was lost, all of it from the run's log; and it evaluates the
// expressions over these measures that a scenario expects to hold.
//
// It only reads: nothing here can change a run. Start reading at Outcome and
// Of; expression.go has the expressions, lost.go the one measure that is a
// judgement rather than a count.
package outcome

import (
	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Counts are the measures that are counts of messages, hand-outs, side effects
// and handler runs: of a whole run or of one queue.
//
// Of a whole run, Waiting, Delayed and InFlight leave out dead-letter queues,
// all of whose messages are Dead. Of a dead-letter queue they are its own, and
// Dead is their sum; of any other queue, Dead are the messages that left it
// for a dead-letter queue and are still there.
type Counts struct {
	Sent, Accepted, Refused          int
	Deliveries, Redeliveries         int
	Acked, StaleAcks                 int
	Waiting, Delayed, InFlight, Dead int
	Expired, Dropped                 int
	Effects, Duplicates              int
	Failures, Crashes                int
}

// Moment are the counts of a run at one instant, after all that happens at it.
type Moment struct {
	Waiting, InFlight, Delayed, Dead, Acked, Accepted, Effects int
	Expired, Dropped                                           int
}

// AddsUp reports whether every accepted message is in exactly one place.
func (m Moment) AddsUp() bool {
	return m.Accepted == m.Acked+m.Waiting+m.Delayed+m.InFlight+m.Dead+m.Expired+m.Dropped
}

// Spread describes a list of durations. Percentiles are by nearest rank; of
// an empty list everything is 0.
type Spread struct {
	N             int
	Sum           event.Time
	P50, P95, Max event.Time
}

// Mean returns the mean in seconds.
func (s Spread) Mean() float64 {
	if s.N == 0 {
		return 0
	}
	return float64(s.Sum) / float64(s.N) / 1e9
}

// Queue is the outcome of one queue.
type Queue struct {
	Name       string
	DeadLetter bool
	Counts     Counts
	Lost       int // of the messages that were gone from here in the end
	// MaxWaiting is the length of the longest line. A message that is handed
	// out the moment it comes never stood in it.
	MaxWaiting int
	// WaitingTime is the sum of the time that messages waited here;
	// WaitingTime over the length of the run is the mean length of the line.
	WaitingTime event.Time
	// DeadLetters are the messages now in this dead-letter queue or, of any
	// other queue, those that came from it and are in a dead-letter queue
	// now; in order of arrival there.
	DeadLetters []event.MessageRef
}

// Pool is the outcome of one pool of workers.
type Pool struct {
	Name                          string
	Deliveries, Failures, Crashes int
	BusyTime                      event.Time // sum of the time that its workers ran handlers
	WorkerTime                    event.Time // sum of the time that its workers were there, up or down
}

// Busy returns the share of the workers' time in which they worked, 0 to 1.
func (p Pool) Busy() float64 { return ratio(p.BusyTime, p.WorkerTime) }

// Target is the outcome of one service or table.
type Target struct {
	Name       string
	Table      bool
	Effect     bool // it has side effects
	Effects    int
	Duplicates int // of its effects, those that repeated an earlier key
	Amount     int64
}

// Key is what a handler gave a side effect to be known by: a text, or another
// value as Starlark writes it. The keys 101 and "101" are different.
type Key struct {
	Text   string
	IsText bool
}

// KeyCount is how often a side effect with one key happened.
type KeyCount struct {
	Key
	Count int
}

// Outcome is everything that a run is measured by.
type Outcome struct {
	Scenario *scenario.Scenario
	Log      *event.Log

	Counts
	Lost          int
	LostMessages  []event.MessageRef // those that Lost counts
	EndedAt       event.Time
	EndedBecause  string // quiet, until, limit; "" while the log is not complete
	Wait, Sojourn Spread
	Queues        []Queue  // by event.QueueRef
	Pools         []Pool   // by index into Log.Pools
	Targets       []Target // by event.TargetRef
	Finished      []event.MessageRef

	course      course
	ledger      ledger
	finishedIDs *starlark.List
}

// MeanBusy returns how many workers of the pool worked, on average over the
// whole run.
func (o *Outcome) MeanBusy(p Pool) float64 { return ratio(p.BusyTime, o.EndedAt) }

// MeanWaiting returns how many messages waited in the queue, on average over
// the whole run.
func (o *Outcome) MeanWaiting(q Queue) float64 { return ratio(q.WaitingTime, o.EndedAt) }

// Keys returns the keys of a target's side effects and how often each
// happened, in the order of their first effects.
func (o *Outcome) Keys(target event.TargetRef) []KeyCount {
	return o.ledger.of(o.Log, target).keys
}

// EffectsOf returns how often a target had a side effect with that key.
func (o *Outcome) EffectsOf(target event.TargetRef, key Key) int {
	return o.ledger.of(o.Log, target).count(key)
}

// At returns the counts at instant t, after all that happens at it. Before
// the run everything is 0; after its end the counts are the final ones.
func (o *Outcome) At(t event.Time) Moment { return o.course.after(o.Log.Find(t)) }

// After returns the counts after the first n events.
func (o *Outcome) After(n int) Moment { return o.course.after(n) }

// Holds evaluates every expectation of the scenario and returns those that do
// not hold.
func (o *Outcome) Holds() []Failure {
	var failures []Failure
	for _, e := range o.Scenario.Expect {
		if got := o.test(e.Text); got != "" {
			failures = append(failures, Failure{Expectation: e, Got: got})
		}
	}
	return failures
}

// Failure is an expectation that does not hold.
type Failure struct {
	Expectation scenario.Expectation
	Got         string // what its parts are instead, such as "lost is 1"; or the error
}

func ratio(a, b event.Time) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
