package naive

import (
	"errors"
	"slices"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
)

type service struct {
	config   *scenario.Service
	admitted int64
	starts   []event.Time // of the calls let through
	answered []handler.Key
}

type table struct {
	config *scenario.Table
	rows   []row
}

type row struct {
	key   handler.Key
	value any
	until event.Time // or Never
}

// suspend lets virtual time pass in a handler.
func (x *handlerRun) suspend() error {
	if !x.yield(struct{}{}) {
		return handler.ErrCrash
	}
	return nil
}

// take waits for d.
func (x *handlerRun) take(d event.Time) error {
	if d == 0 {
		return nil
	}
	x.wakeAt(x.r.now + d)
	return x.suspend()
}

func (x *handlerRun) wakeAt(t event.Time) {
	alarm := x.r.at(t, workerPhase, func() { x.r.goOn(x) })
	alarm.live = func() bool { return x.w.run == x } // it may crash before
}

// Message implements handler.Host.
func (x *handlerRun) Message() handler.Message {
	m := x.h.m
	kind := m.kind
	if o, ok := x.h.body.(event.Object); ok && kind == "" {
		if v, ok := o.Get("type"); ok {
			kind, _ = v.(string)
		}
	}
	return handler.Message{ID: m.id, Key: m.key, KeyNumber: m.keyNumber, Body: x.h.body, Type: kind, Receives: x.h.receives, SentAt: m.sentAt}
}

// Line implements handler.Host.
func (x *handlerRun) Line(n int) error {
	x.line = n
	if x.crashes && x.where == scenario.OnLine && int64(n) == x.onLine {
		return handler.ErrCrash
	}
	x.r.emit(Event{Name: "line"})
	return nil
}

// Ack implements handler.Host.
func (x *handlerRun) Ack() bool { return x.r.ack(x.h) }

// Nack implements handler.Host.
func (x *handlerRun) Nack(delay event.Time) bool { return x.r.nack(x.h, delay, event.None) }

// Reject implements handler.Host.
func (x *handlerRun) Reject() bool { return x.r.reject(x.h, event.None) }

// Extend implements handler.Host.
func (x *handlerRun) Extend(by event.Time) bool { return x.r.extend(x.h, by) }

// Sleep implements handler.Host.
func (x *handlerRun) Sleep(d event.Time) error { return x.take(d) }

// Now implements handler.Host.
func (x *handlerRun) Now() event.Time { return x.r.now }

// Print implements handler.Host.
func (x *handlerRun) Print(string) error {
	x.r.emit(Event{Name: "printed"})
	return nil
}

// Call implements handler.Host.
func (x *handlerRun) Call(name string, c handler.Call) error {
	r := x.r
	i := slices.IndexFunc(r.services, func(s *service) bool { return s.config.Name == name })
	s := r.services[i]
	x.calls++
	if !s.allows(r.now) {
		if x.crashesBefore() {
			return handler.ErrCrash
		}
		return x.callFailed(name, "too many requests")
	}
	s.starts = append(s.starts, r.now)
	s.admitted++
	latency := x.latency(name, s.config.Latency)
	fails := x.fails(s)
	r.emit(Event{Name: "call_started", Message: x.h.m.name, Worker: x.w.name, Key: c.Key.Text, More: name + " " + instant(r.now+latency)})
	if x.crashesBefore() {
		return x.crashWithin(latency)
	}
	if err := x.take(latency); err != nil {
		return err
	}
	if fails {
		return x.callFailed(name, s.config.Error)
	}
	if once := c.IdempotencyKey; once != nil && s.config.Idempotency == scenario.ByKey {
		if slices.Contains(s.answered, *once) {
			r.emit(Event{Name: "call_answered", Message: x.h.m.name, Worker: x.w.name, Key: c.Key.Text, More: name})
			return nil
		}
		s.answered = append(s.answered, *once)
	}
	return x.effect(name, c.Key, c.Amount)
}

// allows reports whether fewer than N calls were let through in (t-period, t].
func (s *service) allows(t event.Time) bool {
	limit := s.config.RateLimit
	if limit.IsZero() {
		return true
	}
	recent := int64(0)
	for _, start := range s.starts {
		if start > t-limit.Period {
			recent++
		}
	}
	return recent < limit.Count
}

func (x *handlerRun) who() (uint64, int) {
	return chance.Join(x.h.m.chance, uint64(x.calls)), int(x.h.receipt)
}

func (x *handlerRun) latency(name string, l scenario.Latency) event.Time {
	who, n := x.who()
	switch l.Kind {
	case scenario.UniformLatency:
		return l.Min + event.Time(x.r.draws.Below(uint64(l.Max-l.Min)+1, chance.For("latency "+name), who, n))
	case scenario.ExponentialLatency:
		return event.Time(x.r.draws.Exponential(int64(l.Mean), chance.For("latency "+name), who, n))
	}
	return l.Min
}

func (x *handlerRun) fails(s *service) bool {
	f := s.config.Fails
	who, n := x.who()
	first := s.admitted <= f.First
	outage := f.From != event.Never && x.r.now >= f.From && (f.To == event.Never || x.r.now < f.To)
	drawn := f.Probability > 0 && x.r.draws.Below(uint64(scenario.Certain), chance.For("fails "+s.config.Name), who, n) < uint64(f.Probability)
	return first || outage || drawn
}

func (x *handlerRun) callFailed(name, text string) error {
	x.r.emit(Event{Name: "call_failed", Message: x.h.m.name, Worker: x.w.name, More: name + ": " + text})
	return errors.New(text)
}

func (x *handlerRun) crashesBefore() bool { return x.crashes && x.where == scenario.BeforeEffect }

// crashWithin dies at a drawn part of a latency.
func (x *handlerRun) crashWithin(latency event.Time) error {
	if latency > 0 {
		if err := x.take(event.Time(x.draw(uint64(latency), "crash part"))); err != nil {
			return err
		}
	}
	return handler.ErrCrash
}

func (x *handlerRun) effect(name string, key handler.Key, amount int64) error {
	x.r.emit(Event{Name: "effect", Message: x.h.m.name, Worker: x.w.name, Key: keyName(key.Text, key.IsText), Amount: amount, More: name})
	if x.crashes && x.where == scenario.AfterEffect {
		return handler.ErrCrash
	}
	return nil
}

// Table implements handler.Host.
func (x *handlerRun) Table(name string) handler.Table {
	i := slices.IndexFunc(x.r.tables, func(t *table) bool { return t.config.Name == name })
	return &access{x: x, t: x.r.tables[i]}
}

// access is a table as one run of a handler reaches it.
type access struct {
	x *handlerRun
	t *table
}

// enter takes the latency of a call; what the call does comes after it.
func (a *access) enter(k handler.Key) error {
	x, c := a.x, a.t.config
	x.calls++
	latency := x.latency(c.Name, c.Latency)
	if latency > 0 {
		x.r.emit(Event{Name: "call_started", Message: x.h.m.name, Worker: x.w.name, Key: k.Text, More: c.Name + " " + instant(x.r.now+latency)})
	}
	if c.Effect && x.crashesBefore() {
		return x.crashWithin(latency)
	}
	return x.take(latency)
}

func (a *access) find(k handler.Key) (any, bool) {
	for _, row := range a.t.rows {
		if row.key == k && (row.until == event.Never || a.x.r.now < row.until) {
			return row.value, true
		}
	}
	return nil, false
}

func (a *access) write(k handler.Key, value any) {
	a.erase(k)
	until := event.Never
	if ttl := a.t.config.TTL; ttl > 0 {
		until = a.x.r.now + ttl
	}
	a.t.rows = append(a.t.rows, row{k, value, until})
	a.x.r.emit(Event{Name: "table_changed"})
}

func (a *access) erase(k handler.Key) {
	a.t.rows = slices.DeleteFunc(a.t.rows, func(r row) bool { return r.key == k })
}

// counts records a side effect where the table has them.
func (a *access) counts(k handler.Key, amount int64) error {
	if !a.t.config.Effect {
		return nil
	}
	return a.x.effect(a.t.config.Name, k, amount)
}

// Has implements handler.Table.
func (a *access) Has(k handler.Key) (bool, error) {
	if err := a.enter(k); err != nil {
		return false, err
	}
	_, found := a.find(k)
	return found, nil
}

// Get implements handler.Table.
func (a *access) Get(k handler.Key) (any, error) {
	if err := a.enter(k); err != nil {
		return nil, err
	}
	value, _ := a.find(k)
	return value, nil
}

// Set implements handler.Table.
func (a *access) Set(k handler.Key, value any) error {
	if err := a.enter(k); err != nil {
		return err
	}
	a.write(k, value)
	return nil
}

// Add implements handler.Table.
func (a *access) Add(k handler.Key, amount int64) error {
	if err := a.enter(k); err != nil {
		return err
	}
	value, _ := a.find(k)
	a.write(k, value)
	return a.counts(k, amount)
}

// Insert implements handler.Table.
func (a *access) Insert(k handler.Key, value any, amount int64) (bool, error) {
	if err := a.enter(k); err != nil {
		return false, err
	}
	if _, found := a.find(k); found {
		return false, nil
	}
	a.write(k, value)
	return true, a.counts(k, amount)
}

// Delete implements handler.Table.
func (a *access) Delete(k handler.Key) error {
	if err := a.enter(k); err != nil {
		return err
	}
	if _, found := a.find(k); found {
		a.erase(k)
		a.x.r.emit(Event{Name: "table_changed"})
	}
	return nil
}
