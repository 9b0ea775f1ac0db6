// Package sim is the clock of a run: it does what is due, in the order of
// (time, phase, order of scheduling), until nothing more can happen. New
// builds a run from a scenario, Step does a number of things that are due,
// and Run does all of it. What happened stands in the Log.
//
// A Sim is one thread and plain state; the same scenario gives the same log,
// byte for byte, natively and in WebAssembly. Start reading at Sim.
package sim

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/broker"
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/chunk"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/service"
	"github.com/ticketrail/ticketrail/core/worker"
)

// Sim is one run under way.
type Sim struct {
	scenario *scenario.Scenario // own copy: the timeline changes it
	log      *event.Log
	broker   *broker.Broker
	draws    chance.Source

	now      event.Time
	due      agenda
	sequence uint64
	ended    bool
	steps    uint64         // that handlers have run
	breathes *worker.Worker // in the middle of a long run of its handler

	published chunk.List[int32]                   // by message: how many its handlers published, the n of <parent>.<n>
	editions  map[event.MessageRef]worker.Edition // of the messages that were edited
	bodies    []any                               // by edition, from 1
	queues    map[string]event.QueueRef
	topics    map[string][]event.QueueRef
	producers []*producer
	retries   []retry
	pools     []*worker.Pool
	wakes     []int32 // by pool: how many wake-ups it asked for
	workers   []*worker.Worker
	byName    map[string]event.WorkerRef
	services  map[string]*service.Service
	tables    map[string]*service.Table
	ledger    service.Ledger
	handlers  map[string]handler.Handler // written in Go, by pool
}

// Option changes how a run is built.
type Option func(*Sim)

// WithHandler runs pool with a handler written in Go in place of the
// scenario's.
func WithHandler(pool string, h handler.Handler) Option {
	return func(s *Sim) { s.handlers[pool] = h }
}

// Run does a whole run.
func Run(s *scenario.Scenario, options ...Option) (*event.Log, error) {
	run, err := New(s, options...)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	for run.Step(1 << 20) {
	}
	return run.Log(), nil
}

// New builds a run. The scenario must be valid; it is not changed.
func New(s *scenario.Scenario, options ...Option) (*Sim, error) {
	r := &Sim{
		scenario: s.Clone(), log: &event.Log{}, draws: chance.New(s.Seed),
		queues: map[string]event.QueueRef{}, topics: map[string][]event.QueueRef{},
		byName: map[string]event.WorkerRef{}, services: map[string]*service.Service{}, tables: map[string]*service.Table{},
		editions: map[event.MessageRef]worker.Edition{}, handlers: map[string]handler.Handler{}, wakes: make([]int32, len(s.Workers)),
	}
	for _, option := range options {
		option(r)
	}
	r.broker = broker.New(r.log, r, r.draws)
	r.addQueues()
	r.addTargets()
	if err := r.addPools(); err != nil {
		return nil, err
	}
	r.addProducers()
	for i, e := range r.scenario.Timeline {
		r.schedule(e.At, timelinePhase, item{kind: timelineDue, a: int32(i)})
	}
	return r, nil
}

func (r *Sim) addQueues() {
	for _, q := range r.scenario.Queues {
		r.broker.AddQueue(q)
	}
	for i, q := range r.scenario.Queues {
		if q.MaxReceives > 0 || q.DeadLetter != "" || r.mayReject(q.Name) {
			r.broker.LinkDeadLetters(event.QueueRef(i))
		}
	}
	for _, t := range r.scenario.Topics {
		for _, name := range t.To {
			q, _ := r.queue(name)
			r.topics[t.Name] = append(r.topics[t.Name], q)
		}
	}
}

func (r *Sim) addTargets() {
	for _, s := range r.scenario.Services {
		ref := event.TargetRef(len(r.log.Targets))
		r.log.Targets = append(r.log.Targets, event.Target{Name: s.Name, Effect: true})
		r.services[s.Name] = service.New(s, ref)
	}
	for _, t := range r.scenario.Tables {
		ref := event.TargetRef(len(r.log.Targets))
		r.log.Targets = append(r.log.Targets, event.Target{Name: t.Name, Table: true, Effect: t.Effect})
		r.tables[t.Name] = service.NewTable(t, ref)
	}
}

func (r *Sim) addPools() error {
	for i := range r.scenario.Workers {
		config := r.scenario.Workers[i]
		h := r.handlers[config.Name]
		if h == nil {
			program, problems := handler.Compile(config.Handler, Names(r.scenario))
			if len(problems) > 0 {
				return fmt.Errorf("workers.%s.handler:%w", config.Name, problems[0])
			}
			h = program
		}
		pool := &worker.Pool{
			Config: config, Handler: h, Index: i, Used: make([]bool, len(config.Crash.Exact)),
			Services: r.services, Tables: r.tables, Ledger: &r.ledger,
			Broker: r.broker, Log: r.log, Draws: r.draws, World: r,
		}
		r.pools = append(r.pools, pool)
		r.log.Pools = append(r.log.Pools, config.Name)
		var from []event.QueueRef
		for _, name := range config.From {
			q, _ := r.queue(name)
			from = append(from, q)
		}
		r.broker.AddPool(from)
		r.broker.ConfigurePool(0, i, &config)
	}
	for i, pool := range r.pools {
		r.scale(i, pool.Config.Count)
	}
	return nil
}

// Names returns the names that the handlers of a scenario can use.
func Names(s *scenario.Scenario) handler.Names {
	var names handler.Names
	for _, x := range s.Services {
		names.Services = append(names.Services, x.Name)
	}
	for _, x := range s.Tables {
		names.Tables = append(names.Tables, x.Name)
	}
	names.Queues = s.QueueNames()
	for _, x := range s.Topics {
		names.Queues = append(names.Queues, x.Name)
	}
	return names
}

// queue returns the queue with a name; a dead-letter queue that only its
// source's name implies is made when it is first asked for.
func (r *Sim) queue(name string) (event.QueueRef, bool) {
	if q, ok := r.broker.Queue(name); ok {
		return q, true
	}
	for i, q := range r.scenario.Queues {
		if name == q.DeadLetter || q.DeadLetter == "" && name == q.Name+"-dead" {
			return r.broker.LinkDeadLetters(event.QueueRef(i)), true
		}
	}
	return event.NoQueue, false
}

// Log returns what has happened so far.
func (r *Sim) Log() *event.Log { return r.log }

// Now returns the virtual time.
func (r *Sim) Now() event.Time { return r.now }

// Close frees the workers' coroutines. The log stays.
func (r *Sim) Close() {
	for _, w := range r.workers {
		w.Close()
	}
}

// Step does up to n things that are due, fewer when a handler is in a long
// run, and reports whether there is more to do.
func (r *Sim) Step(n int) bool {
	for ; n > 0 && !r.ended; n-- {
		if r.step(); r.breathes != nil {
			break
		}
	}
	return !r.ended
}

func (r *Sim) step() {
	if w := r.breathes; w != nil {
		r.breathes = nil
		w.GoOn()
		return
	}
	next := r.due.next()
	for next != nil && !r.live(next) {
		r.due.drop(next)
		next = r.due.next()
	}
	switch {
	case next == nil:
		r.end(r.lastEvent(), event.Quiet, "")
	case r.untilFirst() && next.at > r.scenario.Until:
		r.end(r.scenario.Until, event.UntilReached, "")
	case next.at > r.scenario.Limits.Time:
		r.end(r.scenario.Limits.Time, event.LimitReached, "limits.time")
	case int64(r.log.Len()) >= r.scenario.Limits.Events:
		r.end(r.lastEvent(), event.LimitReached, "limits.events")
	case r.log.MessageCount() >= scenario.MaxMessages:
		r.end(r.lastEvent(), event.LimitReached, fmt.Sprintf("%d messages", scenario.MaxMessages))
	case r.steps > scenario.MaxRunSteps:
		r.end(r.lastEvent(), event.LimitReached, fmt.Sprintf("%d steps of handlers", scenario.MaxRunSteps))
	case r.log.Held() > scenario.MaxHeld:
		r.end(r.lastEvent(), event.LimitReached, fmt.Sprintf("%d MB of texts, bodies and rows", scenario.MaxHeld>>20))
	default:
		x := *next
		r.due.drop(next)
		r.now = x.at
		r.do(x)
	}
}

// untilFirst reports whether until comes before the limit on the time.
func (r *Sim) untilFirst() bool {
	s := r.scenario
	return s.Until != event.Never && s.Until <= s.Limits.Time
}

func (r *Sim) lastEvent() event.Time {
	if r.log.Len() == 0 {
		return 0
	}
	return r.log.Last().At
}

func (r *Sim) end(at event.Time, why event.Reason, what string) {
	r.ended = true
	r.log.Append(event.Event{
		At: at, Kind: event.Ended, Reason: why, Text: r.log.AddText(what),
		Message: event.NoMessage, Queue: event.NoQueue, Worker: event.NoWorker,
	})
	r.Close()
}

// live reports whether something due still means anything: what was
// cancelled does not keep a run going.
func (r *Sim) live(x *item) bool {
	switch x.kind {
	case timerDue:
		return r.broker.Live(x.timer())
	case sendDue:
		return r.producers[x.a].tag == x.b
	case resumeDue, restartDue:
		return r.workers[x.a].Waits(x.b)
	case wakeDue:
		return r.wakes[x.a] == x.b && r.broker.WakeLive(x.at, int(x.a))
	}
	return true
}

func (x *item) timer() broker.Timer {
	return broker.Timer{Kind: broker.TimerKind(x.sub), Message: event.MessageRef(x.a), Tag: x.b}
}

func (r *Sim) do(x item) {
	switch x.kind {
	case timelineDue:
		r.command(int(x.a))
	case timerDue:
		r.broker.Timer(r.now, x.timer())
	case sendDue:
		r.sendNext(event.ProducerRef(x.a))
	case retryDue:
		r.sendAgain(int(x.a))
	case beginDue:
		r.workers[x.a].Begin()
	case resumeDue:
		r.workers[x.a].Resume(x.b)
	case restartDue:
		r.workers[x.a].Restart(x.b)
	case wakeDue:
		r.broker.Wake(r.now, int(x.a))
	}
}

func (r *Sim) schedule(at event.Time, p phase, x item) {
	r.due.add(r.ordered(at, p, x))
}

// ordered gives x its place among what is due.
func (r *Sim) ordered(at event.Time, p phase, x item) item {
	r.sequence++
	x.at, x.order = at, uint64(p)<<56|r.sequence
	return x
}

// The broker's Host.

// Schedule implements broker.Host.
func (r *Sim) Schedule(at event.Time, t broker.Timer) {
	x := r.ordered(at, brokerPhase, item{kind: timerDue, sub: uint8(t.Kind), a: int32(t.Message), b: t.Tag})
	if t.Kind != broker.HiddenOver {
		r.due.add(x)
		return
	}
	for head := r.due.inLine(); head != nil && !r.live(head); head = r.due.inLine() {
		r.due.dropInLine() // it was cancelled, for good
	}
	r.due.addInLine(x)
}

// WakePool implements broker.Host.
func (r *Sim) WakePool(at event.Time, pool int) {
	r.wakes[pool]++ // the one before does not count any more
	r.schedule(at, workerPhase, item{kind: wakeDue, a: int32(pool), b: r.wakes[pool]})
}

// Deliver implements broker.Host.
func (r *Sim) Deliver(_ event.Time, d broker.Delivery) { r.workers[d.Worker].Deliver(d) }

// Admitted implements broker.Host.
func (r *Sim) Admitted(_ event.Time, s broker.Sender, _ event.MessageRef) {
	if s.Producer == event.NoProducer {
		r.workers[s.Worker].Admitted()
		return
	}
	r.admitted(s.Producer)
}

// The workers' World.

// BeginLater implements worker.World.
func (r *Sim) BeginLater(w event.WorkerRef) {
	r.schedule(r.now, workerPhase, item{kind: beginDue, a: int32(w)})
}

// ResumeAt implements worker.World.
func (r *Sim) ResumeAt(at event.Time, w event.WorkerRef, turn int32) {
	r.schedule(at, workerPhase, item{kind: resumeDue, a: int32(w), b: turn})
}

// Ran implements worker.World.
func (r *Sim) Ran(steps uint64) { r.steps += steps }

// GoOn implements worker.World.
func (r *Sim) GoOn(w event.WorkerRef) { r.breathes = r.workers[w] }

// RestartAt implements worker.World.
func (r *Sim) RestartAt(at event.Time, w event.WorkerRef, turn int32) {
	r.schedule(at, workerPhase, item{kind: restartDue, a: int32(w), b: turn})
}

// Message implements worker.World.
func (r *Sim) Message(m event.MessageRef, e worker.Edition) handler.Message {
	known := r.log.Message(m)
	seen := handler.Message{ID: known.ID, Key: known.Key, KeyNumber: known.KeyNumber, Body: known.Body, Type: known.Type, SentAt: known.SentAt}
	if e > 0 {
		seen.Body = r.bodies[e-1]
		if !known.TypeGiven {
			seen.Type = typeOf(seen.Body)
		}
	}
	return seen
}

// Edition implements worker.World.
func (r *Sim) Edition(m event.MessageRef) worker.Edition {
	if len(r.editions) == 0 {
		return 0
	}
	return r.editions[m]
}
