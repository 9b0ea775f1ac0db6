// Package service is what stands behind the workers: services, where side
// effects happen, and tables, the workers' database. Both are state machines
// that are told the time; waiting out a latency is the caller's business.
// Start reading at Service and Table.
package service

import (
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/chunk"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Service is one service. A call is admitted at its start and finished at the
// end of its latency.
type Service struct {
	Config scenario.Service
	Ref    event.TargetRef

	starts   chunk.List[event.Time] // of all calls let through: a limit set later looks back
	answered map[handler.Key]bool
	name     struct{ latency, fails chance.Purpose }
}

// New returns a service that nobody has called yet.
func New(config scenario.Service, ref event.TargetRef) *Service {
	s := &Service{Config: config, Ref: ref, answered: map[handler.Key]bool{}}
	s.name.latency = chance.For("latency " + config.Name)
	s.name.fails = chance.For("fails " + config.Name)
	return s
}

// Caller names a call for the draws: which message, which hand-out of it, and
// which call of that run of the handler.
type Caller struct {
	Message uint64
	Receipt int32
	Call    int
}

func (c Caller) who() (uint64, int) { return chance.Join(c.Message, uint64(c.Call)), int(c.Receipt) }

// Admission is what is decided at the start of a call.
type Admission struct {
	Refused bool // above the rate limit: it fails at once
	Latency event.Time
	Fails   bool // after Latency, with Error
	Error   string
}

// TooMany is the error of a call above the rate limit.
const TooMany = "too many requests"

// Admit starts a call.
func (s *Service) Admit(now event.Time, draws chance.Source, c Caller) Admission {
	if !s.allowed(now) {
		return Admission{Refused: true, Error: TooMany}
	}
	return Admission{
		Latency: Latency(s.Config.Latency, draws, s.name.latency, c),
		Fails:   s.fails(now, draws, c),
		Error:   s.Config.Error,
	}
}

// allowed keeps to at most N calls in any window (t - period, t]: the N-th
// last one lies before it.
func (s *Service) allowed(now event.Time) bool {
	limit := s.Config.RateLimit
	before := int64(s.starts.Len()) - limit.Count
	if !limit.IsZero() && before >= 0 && *s.starts.At(int(before)) > now-limit.Period {
		return false
	}
	*s.starts.Grow() = now
	return true
}

func (s *Service) fails(now event.Time, draws chance.Source, c Caller) bool {
	f := s.Config.Fails
	if int64(s.starts.Len()) <= f.First {
		return true
	}
	if f.From != event.Never && now >= f.From && (f.To == event.Never || now < f.To) {
		return true
	}
	who, n := c.who()
	return f.Probability > 0 && draws.Below(uint64(scenario.Certain), s.name.fails, who, n) < uint64(f.Probability)
}

// Finish ends a call that did not fail and reports whether it has an effect:
// not when its idempotency key was answered before.
func (s *Service) Finish(c handler.Call) bool {
	if s.Config.Idempotency != scenario.ByKey || c.IdempotencyKey == nil {
		return true
	}
	if s.answered[*c.IdempotencyKey] {
		return false
	}
	s.answered[*c.IdempotencyKey] = true
	return true
}

// Latency draws from a distribution.
func Latency(l scenario.Latency, draws chance.Source, p chance.Purpose, c Caller) event.Time {
	who, n := c.who()
	switch l.Kind {
	case scenario.UniformLatency:
		return l.Min + event.Time(draws.Below(uint64(l.Max-l.Min)+1, p, who, n))
	case scenario.ExponentialLatency:
		return event.Time(draws.Exponential(int64(l.Mean), p, who, n))
	}
	return l.Min
}

// Table is one table. Its calls act at the end of their latency.
type Table struct {
	Config scenario.Table
	Ref    event.TargetRef

	rows map[handler.Key]row
	name chance.Purpose
}

type row struct {
	value   any
	expires event.Time
}

// NewTable returns an empty table.
func NewTable(config scenario.Table, ref event.TargetRef) *Table {
	return &Table{Config: config, Ref: ref, rows: map[handler.Key]row{}, name: chance.For("latency " + config.Name)}
}

// Latency draws how long a call takes.
func (t *Table) Latency(draws chance.Source, c Caller) event.Time {
	return Latency(t.Config.Latency, draws, t.name, c)
}

// Get returns the value of a row, and whether there is one.
func (t *Table) Get(now event.Time, k handler.Key) (any, bool) {
	r, ok := t.rows[k]
	if ok && r.expires != event.Never && now >= r.expires {
		delete(t.rows, k)
		return nil, false
	}
	return r.value, ok
}

// Put writes a row; its time to live runs from now.
func (t *Table) Put(now event.Time, k handler.Key, value any) {
	r := row{value, event.Never}
	if t.Config.TTL > 0 {
		r.expires = now + t.Config.TTL
	}
	t.rows[k] = r
}

// Delete removes a row and reports whether there was one.
func (t *Table) Delete(now event.Time, k handler.Key) bool {
	_, ok := t.Get(now, k)
	delete(t.rows, k)
	return ok
}
