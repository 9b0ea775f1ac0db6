package sim

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/ticketrail/ticketrail/core/broker"
	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/worker"
)

// producer is one producer's schedule.
type producer struct {
	config *scenario.Producer // of the run's own copy
	ref    event.ProducerRef
	name   uint64 // for draws
	to     []event.QueueRef
	list   []scenario.Message // in the order of their times
	sent   int64
	tag    int32 // of the send that is due; older ones are cancelled

	anchor   event.Time // the stream counts its periods from here ...
	since    int64      // ... and this many messages were sent before
	last     event.Time // when the last message of a Poisson stream was due
	due      event.Time // of the next message; it may lie in the past
	shift    event.Time // by pauses
	paused   bool
	pausedAt event.Time
	blocked  int // copies that stand at full queues
}

// retry is a copy that was turned away and is sent again.
type retry struct {
	message  event.MessageRef
	queue    event.QueueRef
	producer event.ProducerRef
	delay    event.Time
	tries    int64
}

func (r *Sim) addProducers() {
	for i := range r.scenario.Producers {
		config := &r.scenario.Producers[i]
		p := &producer{config: config, ref: event.ProducerRef(i), name: chance.Name(config.Name), to: r.targets(config.To)}
		p.list = slices.Clone(config.Send)
		slices.SortStableFunc(p.list, func(x, y scenario.Message) int {
			return int(min(max(x.At-y.At, -1), 1))
		})
		p.anchor, p.last = config.Start, config.Start
		r.producers = append(r.producers, p)
		r.log.Producers = append(r.log.Producers, config.Name)
		r.scheduleSend(p)
	}
}

// targets returns the queues that a name stands for.
func (r *Sim) targets(name string) []event.QueueRef {
	if queues, ok := r.topics[name]; ok {
		return queues
	}
	q, _ := r.queue(name)
	return []event.QueueRef{q}
}

// scheduleSend makes the producer's next message due, if there is one.
func (r *Sim) scheduleSend(p *producer) {
	p.tag++
	if p.paused || p.blocked > 0 {
		return
	}
	at, ok := r.nextSend(p)
	p.due = at
	if ok {
		r.schedule(max(at, r.now), producerPhase, item{kind: sendDue, a: int32(p.ref), b: p.tag})
	}
}

// nextSend returns when the next message is to be sent. It may lie in the
// past for a producer that was blocked.
func (r *Sim) nextSend(p *producer) (event.Time, bool) {
	if len(p.config.Send) > 0 {
		if p.sent >= int64(len(p.list)) {
			return 0, false
		}
		return p.list[p.sent].At + p.shift, true
	}
	c := p.config
	if c.Rate.IsZero() || c.Count > 0 && p.sent >= c.Count {
		return 0, false
	}
	at := p.anchor + p.shift + times(c.Rate.Period, p.sent-p.since, c.Rate.Count)
	if c.Arrivals == scenario.Poisson {
		mean := int64(c.Rate.Period) / c.Rate.Count
		at = p.last + event.Time(r.draws.Exponential(mean, chance.For("arrival"), p.name, int(p.sent)))
	}
	if c.Until != event.Never && at > c.Until+p.shift {
		return 0, false
	}
	return at, true
}

// times returns floor(n * period / count), without overflow.
func times(period event.Time, n, count int64) event.Time {
	high, low := bits.Mul64(uint64(period), uint64(n))
	if high >= uint64(count) {
		return scenario.MaxDuration
	}
	q, _ := bits.Div64(high, low, uint64(count))
	return event.Time(min(q, uint64(scenario.MaxDuration)))
}

func (r *Sim) sendNext(ref event.ProducerRef) {
	p := r.producers[ref]
	p.last = p.due
	n := p.sent
	p.sent++
	var m event.Message
	delay := r.compose(p, n, &m)
	for _, q := range p.to {
		r.sendCopy(p, q, &m, delay, chance.Join(p.name, uint64(n)))
	}
	r.scheduleSend(p)
}

// compose makes the n-th message of a producer and returns its delay.
func (r *Sim) compose(p *producer, n int64, m *event.Message) event.Time {
	c := p.config
	m.Producer, m.Parent, m.SentAt, m.Type, m.Priority = p.ref, event.NoMessage, r.now, c.Type, int32(c.Priority)
	if len(c.Send) > 0 {
		s := &p.list[n]
		m.ID, m.Key, m.KeyGiven, m.KeyNumber, m.Type, m.Body, m.Priority = s.ID, s.Key, s.KeyGiven, s.KeyNumber, s.Type, s.Body, int32(s.Priority)
		m.TypeGiven = m.Type != ""
		return s.Delay
	}
	m.ID, m.Body = event.ID{Number: c.FirstID + n}, c.Body
	if c.Keys > 0 {
		m.Key, m.KeyNumber = strconv.FormatInt(modulo(m.ID.Number, c.Keys), 10), true
	}
	if len(c.Mix) > 0 {
		share := r.drawShare(p, n)
		m.Body, m.Priority = share.Body, int32(share.Priority)
		if share.KeyGiven {
			m.Key, m.KeyGiven, m.KeyNumber = share.Key, true, share.KeyNumber
		}
		if share.Type != "" {
			m.Type = share.Type
		}
	}
	m.TypeGiven = m.Type != ""
	return c.Delay
}

func modulo(a, n int64) int64 { return ((a % n) + n) % n }

func (r *Sim) drawShare(p *producer, n int64) *scenario.Share {
	var sum uint64
	for _, s := range p.config.Mix {
		sum += uint64(s.Share)
	}
	at := r.draws.Below(max(sum, 1), chance.For("mix"), p.name, int(n))
	for i := range p.config.Mix {
		share := uint64(p.config.Mix[i].Share)
		if at < share {
			return &p.config.Mix[i]
		}
		at -= share
	}
	return &p.config.Mix[len(p.config.Mix)-1]
}

// typeOf returns the type that a body gives, or "".
func typeOf(body any) string {
	if object, ok := body.(event.Object); ok {
		if t, ok := object.Get("type"); ok {
			text, _ := t.(string)
			return text
		}
	}
	return ""
}

// add makes a message known to the log, the broker and the simulator.
func (r *Sim) add(q event.QueueRef, m *event.Message, chanceName uint64) event.MessageRef {
	m.Queue = q
	if !m.TypeGiven {
		m.Type = typeOf(m.Body)
	}
	ref := r.log.AddMessage(m)
	r.published.Grow()
	r.broker.Message(ref, r.log.MessageKey(ref), m.Priority, chanceName)
	return ref
}

// copyName tells the copies of one message in several queues apart.
func (r *Sim) copyName(name uint64, q event.QueueRef, copies int) uint64 {
	if copies == 1 {
		return name
	}
	return chance.Join(name, chance.Name(r.log.Queues[q].Name))
}

func (r *Sim) sendCopy(p *producer, q event.QueueRef, m *event.Message, delay event.Time, name uint64) {
	ref := r.add(q, m, r.copyName(name, q, len(p.to)))
	sender := broker.Sender{Producer: p.ref, Worker: event.NoWorker}
	switch r.broker.Send(r.now, q, ref, sender, delay) {
	case broker.Waits:
		p.blocked++
	case broker.Full:
		r.turnedAway(retry{message: ref, queue: q, producer: p.ref, delay: delay})
	}
}

// turnedAway notes a refusal and, where the producer retries, the next try.
func (r *Sim) turnedAway(x retry) {
	p := r.producers[x.producer]
	e := event.Event{
		At: r.now, Kind: event.Refused, Queue: x.queue, Message: x.message,
		Arg: int32(x.producer), Worker: event.NoWorker, Reason: event.GaveUp,
	}
	if p.config.WhenFull == scenario.RetryWhenFull {
		x.tries++
		name := r.broker.ChanceName(x.message)
		delay := r.broker.RetryDelay(&p.config.Retry, "producer retry", name, x.tries, int(x.tries))
		e.Reason, e.Until = event.WillRetry, r.now+delay
		r.retries = append(r.retries, x)
		r.schedule(e.Until, producerPhase, item{kind: retryDue, a: int32(len(r.retries) - 1)})
	}
	r.log.Append(e)
}

func (r *Sim) sendAgain(i int) {
	x := r.retries[i]
	sender := broker.Sender{Producer: x.producer, Worker: event.NoWorker}
	switch r.broker.Send(r.now, x.queue, x.message, sender, x.delay) {
	case broker.Waits: // the queue blocks by now
		p := r.producers[x.producer]
		p.blocked++
		p.tag++ // what is due has to wait as well
	case broker.Full:
		r.turnedAway(x)
	}
}

// admitted lets a producer go on whose copy got in; what fell due meanwhile
// is sent right after.
func (r *Sim) admitted(ref event.ProducerRef) {
	p := r.producers[ref]
	p.blocked--
	if p.blocked == 0 {
		r.scheduleSend(p)
	}
}

func (r *Sim) pause(p *producer) {
	if p.paused {
		return
	}
	p.paused, p.pausedAt = true, r.now
	p.tag++ // what was due is not, any more
}

func (r *Sim) resume(p *producer) {
	if !p.paused {
		return
	}
	p.paused = false
	p.shift += r.now - p.pausedAt
	p.last += r.now - p.pausedAt
	r.scheduleSend(p)
}

// rateChanged lets a new rate count from the last message.
func (r *Sim) rateChanged(p *producer, old scenario.Rate) {
	if p.sent > p.since {
		p.anchor += times(old.Period, p.sent-1-p.since, old.Count)
		p.since = p.sent - 1
	}
	r.scheduleSend(p)
}

// Publish implements worker.World.
func (r *Sim) Publish(w *worker.Worker, p handler.Publication) (taken bool, blocked int) {
	parent, _ := w.Running()
	published := r.published.At(int(parent))
	n := *published
	*published++
	m := event.Message{
		ID: p.ID, Key: p.Key, KeyGiven: p.Key != "", KeyNumber: p.KeyNumber, Type: p.Type, TypeGiven: p.Type != "", Body: p.Body, Priority: int32(p.Priority),
		Producer: event.NoProducer, Parent: parent, SentAt: r.now,
	}
	if !p.HasID {
		m.ID = event.ID{Text: fmt.Sprintf("%s.%d", r.log.MessageID(parent), n+1)}
	}
	taken = true
	to := r.targets(p.To)
	name := chance.Join(chance.Join(r.broker.ChanceName(parent), uint64(n)), chance.Name(p.To))
	for _, q := range to {
		ref := r.add(q, &m, r.copyName(name, q, len(to)))
		sender := broker.Sender{Producer: event.NoProducer, Worker: w.Ref}
		switch r.broker.Send(r.now, q, ref, sender, p.Delay) {
		case broker.Waits:
			blocked++
		case broker.Full:
			taken = false
			r.log.Append(event.Event{
				At: r.now, Kind: event.Refused, Queue: q, Message: ref,
				Arg: int32(event.NoProducer), Worker: w.Ref, Reason: event.GaveUp,
			})
		}
	}
	return taken, blocked
}
