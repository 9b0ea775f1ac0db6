// Package worker is the workers of a run: coroutines on virtual time that
// take a message, run the handler, and take the next. A worker waits by
// handing control back; it dies by having its handler unwound where it is.
//
// A Worker is driven by the simulator (Deliver, Begin, Resume, Crash) and is
// the Host of its handler (host.go). Start reading at Worker.
package worker

import (
	"errors"
	"iter"
	"slices"

	"github.com/ticketrail/ticketrail/core/broker"
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/service"
)

// World is what workers need of the simulator around them.
type World interface {
	Now() event.Time
	// BeginLater asks for Begin in the workers phase of this instant.
	BeginLater(w event.WorkerRef)
	// ResumeAt asks for Resume(turn) in the workers phase of that instant.
	ResumeAt(at event.Time, w event.WorkerRef, turn int32)
	// RestartAt asks for Restart(turn) in the workers phase of that instant.
	RestartAt(at event.Time, w event.WorkerRef, turn int32)
	// GoOn asks for GoOn before anything else happens.
	GoOn(w event.WorkerRef)
	// Ran counts steps that handlers have run.
	Ran(steps uint64)
	// Publish sends what a handler publishes. It returns whether all copies
	// were taken so far, and how many stand at full queues.
	Publish(w *Worker, p handler.Publication) (taken bool, blocked int)
	// Edition tells which body a message has now, and Message gives the
	// message as it was in that edition.
	Edition(m event.MessageRef) Edition
	Message(m event.MessageRef, e Edition) handler.Message
}

// Edition is a body of a message: 0 is the one that it was sent with.
type Edition int32

// Pool is what the workers of one pool share.
type Pool struct {
	Config   scenario.Pool
	Handler  handler.Handler
	Index    int
	Used     []bool // by Config.Crash.Exact
	Version  int    // grows when the handler is replaced
	Services map[string]*service.Service
	Tables   map[string]*service.Table
	Ledger   *service.Ledger
	Broker   *broker.Broker
	Log      *event.Log
	Draws    chance.Source
	World    World
}

// Worker is one worker.
type Worker struct {
	Ref    event.WorkerRef
	Number int
	pool   *Pool

	held    []handOut // not begun, in order
	current handOut   // while running
	running bool
	begins  bool // Begin is asked for
	down    bool
	gone    bool // left the pool

	runner  handler.Runner
	version int // of the pool's handler that runner runs
	next    func() (pause, bool)
	stop    func()
	yield   func(pause) bool
	result  error            // of the run that ended last
	called  *service.Service // last: most handlers call one

	turn       int32 // counts waits, to tell old wake-ups
	dying      bool
	admissions int // publications that stand at full queues
	line       int
	calls      int
	effects    int
	settled    bool
	plan       plan
	chanceName uint64
}

// handOut is a message in a worker's hands. What the worker sees of it is the
// edition of that instant: an edit after the hand-out does not change it. How
// it is to be acknowledged is settled by then as well.
type handOut struct {
	broker.Delivery
	edition     Edition
	acknowledge scenario.Acknowledge
}

// pause is why a coroutine gives control back.
type pause uint8

const (
	waits    pause = iota // until the simulator resumes it
	breathes              // only to let the simulator breathe: nothing may happen before it goes on
	done                  // its run is over; Worker.result says how
)

// plan is how a run is to end, if it gets that far.
type plan struct {
	armed bool
	where scenario.Where
	line  int64
}

// New returns worker number n of a pool.
func New(ref event.WorkerRef, n int, pool *Pool) *Worker {
	return &Worker{Ref: ref, Number: n, pool: pool}
}

// Down reports whether the worker crashed and has not been restarted.
func (w *Worker) Down() bool { return w.down }

// Running returns the message at hand, and whether a handler runs.
func (w *Worker) Running() (event.MessageRef, bool) { return w.current.Message, w.running }

// Deliver gives the worker a message; it begins when its turn comes.
func (w *Worker) Deliver(d broker.Delivery) {
	w.held = append(w.held, handOut{d, w.pool.World.Edition(d.Message), w.pool.Config.Acknowledge})
	w.beginLater()
}

func (w *Worker) beginLater() {
	if !w.running && !w.begins && !w.down && len(w.held) > 0 {
		w.begins = true
		w.pool.World.BeginLater(w.Ref)
	}
}

// Begin starts the handler with the next message that the worker holds.
func (w *Worker) Begin() {
	w.begins = false
	if w.running || w.down || len(w.held) == 0 {
		return
	}
	w.current = w.held[0]
	w.held = slices.Delete(w.held, 0, 1)
	w.running, w.dying, w.settled = true, false, false
	w.line, w.calls, w.effects = 0, 0, 0
	w.chanceName = w.pool.Broker.ChanceName(w.current.Message)
	w.plan = w.planCrash()
	w.emit(&event.Event{Kind: event.HandlerStarted})
	w.advance()
}

// planCrash decides whether this run of the handler is to end in a crash.
func (w *Worker) planCrash() plan {
	crash, d := &w.pool.Config.Crash, &w.current
	for i, exact := range crash.Exact {
		if !w.pool.Used[i] && exact.Message == w.pool.Log.MessageID(d.Message) && exact.Receive == int64(d.Receive) {
			w.pool.Used[i] = true
			return w.settlePlace(plan{true, exact.Where, exact.Line})
		}
	}
	chanceOf := crash.Probability
	if chanceOf == 0 || w.draw(uint64(scenario.Certain), "crash") >= uint64(chanceOf) {
		return plan{}
	}
	return w.settlePlace(plan{true, crash.Where, crash.Line})
}

func (w *Worker) settlePlace(p plan) plan {
	if p.where == scenario.Anywhere {
		p.where = scenario.BeforeEffect
		if w.draw(2, "crash where") == 1 {
			p.where = scenario.AfterEffect
		}
	}
	return p
}

func (w *Worker) draw(n uint64, purpose string) uint64 {
	return w.pool.Draws.Below(n, chance.For(purpose), w.chanceName, int(w.current.Receipt))
}

// Resume goes on with a handler that waited, unless that wait is over.
func (w *Worker) Resume(turn int32) {
	if w.Waits(turn) {
		w.advance()
	}
}

// Waits reports whether the worker still waits for that wake-up.
func (w *Worker) Waits(turn int32) bool { return w.turn == turn && (w.running || w.down) }

// Admitted tells that one of the worker's publications got in; the last of
// them lets the handler go on in the workers phase.
func (w *Worker) Admitted() {
	w.admissions--
	if w.admissions == 0 {
		w.pool.World.ResumeAt(w.pool.World.Now(), w.Ref, w.turn)
	}
}

// Crash kills the worker now. It reports false when the worker is not there
// to be killed.
func (w *Worker) Crash() bool {
	if w.down || w.gone && !w.running {
		return false
	}
	if !w.running {
		w.die()
		return true
	}
	w.dying = true
	w.advance()
	return true
}

// Restart brings a worker back that crashed.
func (w *Worker) Restart(turn int32) {
	if !w.down || w.turn != turn {
		return
	}
	w.down = false
	w.emit(&event.Event{Kind: event.Restarted, Message: event.NoMessage, Queue: event.NoQueue})
	w.pool.Broker.Restart(w.pool.World.Now(), w.Ref)
}

// Leave takes the worker out of its pool: a run under way goes on, messages
// not begun go back, a worker that is down is not restarted.
func (w *Worker) Leave() {
	w.gone = true
	w.pool.Broker.RemoveWorker(w.Ref)
	if w.down {
		w.down = false
		w.turn++
	}
}

// GiveBack returns the messages that a leaving worker has not begun.
func (w *Worker) GiveBack() {
	held := w.held
	w.held = nil
	for _, d := range held {
		w.pool.Broker.GiveBack(w.pool.World.Now(), d.Delivery)
	}
}

// Gone reports whether the worker left its pool.
func (w *Worker) Gone() bool { return w.gone }

// Stay takes back a Leave.
func (w *Worker) Stay() { w.gone = false }

// Close frees what the worker's coroutine holds.
func (w *Worker) Close() {
	if w.stop != nil {
		w.stop()
	}
}

// advance lets the coroutine run until it waits or its run has ended.
func (w *Worker) advance() {
	if w.next == nil {
		w.next, w.stop = iter.Pull(w.loop)
	}
	p, ok := w.next()
	switch {
	case !ok: // closed
	case p == done:
		w.ended(w.result)
	case p == breathes:
		w.pool.World.GoOn(w.Ref)
	}
}

// GoOn goes on after a breath.
func (w *Worker) GoOn() { w.advance() }

// loop is the coroutine: one run of the handler after the other.
func (w *Worker) loop(yield func(pause) bool) {
	w.yield = yield
	for {
		if w.runner == nil || w.version != w.pool.Version {
			w.runner, w.version = w.pool.Handler.Start(), w.pool.Version
		}
		w.result = w.runner.Run(w)
		if !yield(done) {
			return
		}
	}
}

// ended settles a run of the handler that is over.
func (w *Worker) ended(err error) {
	switch {
	case err != nil && errors.Is(err, handler.ErrCrash):
		w.die()
		return
	case err != nil:
		w.failed(err)
	default:
		w.emit(&event.Event{Kind: event.HandlerFinished})
		if w.current.acknowledge == scenario.AckOnReturn && !w.settled {
			w.pool.Broker.Ack(w.pool.World.Now(), w.current.Delivery, event.OnReturn)
		}
	}
	w.running = false
	w.pool.Broker.RunEnded(w.pool.World.Now(), w.Ref)
	w.beginLater()
}

// failed reports an error and lets on_error decide about the message.
func (w *Worker) failed(err error) {
	line := w.line
	var failure *handler.Failure
	if errors.As(err, &failure) && failure.Line > 0 {
		line = failure.Line
	}
	reason := event.None
	if failure != nil && failure.Endless {
		reason = event.LimitReached
	}
	w.emit(&event.Event{Kind: event.HandlerFailed, Arg: int32(line), Reason: reason, Text: w.pool.Log.AddText(err.Error())})
	now, d := w.pool.World.Now(), w.current.Delivery
	switch w.pool.Config.OnError {
	case scenario.NackOnError:
		w.pool.Broker.Nack(now, d, event.Never, event.OnError)
	case scenario.RejectOnError:
		w.pool.Broker.Reject(now, d, event.OnError)
	}
}

// die is what a crash does to the worker; the broker does not know yet.
func (w *Worker) die() {
	now := w.pool.World.Now()
	e := event.Event{Kind: event.Crashed, Until: event.Never, Message: event.NoMessage, Queue: event.NoQueue}
	if w.running {
		e.Message, e.Queue, e.Receive, e.Arg = w.current.Message, w.current.Queue, w.current.Receive, int32(w.line)
	}
	restarts := w.pool.Config.RestartAfter != event.Never && !w.gone
	if restarts {
		e.Until = now + w.pool.Config.RestartAfter
	}
	w.emit(&e)
	w.running, w.down, w.held = false, !w.gone, nil
	w.turn++
	if w.admissions > 0 {
		w.admissions = 0
		w.pool.Broker.Withdraw(w.Ref)
	}
	w.pool.Broker.Crash(now, w.Ref)
	if restarts {
		w.pool.World.RestartAt(e.Until, w.Ref, w.turn)
	}
}

// emit writes an event of this worker to the log. Unless the event says
// otherwise it concerns the message at hand.
func (w *Worker) emit(e *event.Event) {
	e.At, e.Worker = w.pool.World.Now(), w.Ref
	if e.Message == 0 && e.Queue == 0 && w.running {
		e.Message, e.Queue, e.Receive = w.current.Message, w.current.Queue, w.current.Receive
	}
	w.pool.Log.Append(*e)
}
