package naive

import (
	"fmt"
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/chance"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
)

type producer struct {
	config   *scenario.Producer
	list     []scenario.Message // send, by time
	sent     int64
	last     event.Time    // when the last message was due
	rate     scenario.Rate // this and the next as they were last looked at
	count    int64
	until    event.Time
	base     event.Time // message number baseN is due then, at a steady rate
	baseN    int64
	shift    event.Time // by pauses
	paused   bool
	pausedAt event.Time
	blocked  int // copies that stand at a door
	next     *item
	due      event.Time // when next is due by the schedule; it may be later
}

func (r *run) openProducer(c *scenario.Producer) {
	p := &producer{config: c, list: slices.Clone(c.Send), last: c.Start, base: c.Start, rate: c.Rate, count: c.Count, until: c.Until}
	sort.SliceStable(p.list, func(i, j int) bool { return p.list[i].At < p.list[j].At })
	r.producers = append(r.producers, p)
	r.schedule(p)
}

// schedule makes the producer's next message due, one at a time.
func (r *run) schedule(p *producer) {
	due, ok := r.nextDue(p)
	if p.paused || p.blocked > 0 || !ok {
		p.next.cancel()
		return
	}
	p.next.cancel()
	p.due = due
	p.next = r.at(max(r.now, due), producerPhase, func() { r.send(p) })
}

func (r *run) nextDue(p *producer) (event.Time, bool) {
	c := p.config
	if len(p.list) > 0 {
		if p.sent >= int64(len(p.list)) {
			return 0, false
		}
		return p.list[p.sent].At + p.shift, true
	}
	if c.Rate.IsZero() || c.Count > 0 && p.sent >= c.Count {
		return 0, false
	}
	due := p.base + afterN(c.Rate, p.sent-p.baseN)
	if c.Arrivals == scenario.Poisson {
		due = p.last + event.Time(r.draws.Exponential(int64(c.Rate.Period)/c.Rate.Count, chance.For("arrival"), chance.Name(c.Name), int(p.sent)))
	}
	if c.Until != event.Never && due > c.Until+p.shift {
		return 0, false
	}
	return due, true
}

// afterN is floor(n * period / N). Tests keep n small.
func afterN(rate scenario.Rate, n int64) event.Time {
	return event.Time(n * int64(rate.Period) / rate.Count)
}

// reschedule lets a new rate count on from the last message, and a new end of
// the stream hold. What else is set holds for the messages after the one that
// is scheduled.
func (r *run) reschedule(p *producer) {
	if c := p.config; p.rate == c.Rate && p.count == c.Count && p.until == c.Until {
		return
	}
	if p.rate != p.config.Rate && p.sent > p.baseN {
		p.base += afterN(p.rate, p.sent-1-p.baseN)
		p.baseN = p.sent - 1
	}
	p.rate, p.count, p.until = p.config.Rate, p.config.Count, p.config.Until
	r.schedule(p)
}

func (r *run) send(p *producer) {
	p.last = p.due
	n := p.sent
	p.sent++
	to := r.targets(p.config.To)
	for _, q := range to {
		m := r.compose(p, n)
		m.chance = chance.Join(chance.Name(p.config.Name), uint64(n))
		if len(to) > 1 {
			m.chance = chance.Join(m.chance, chance.Name(q.name))
		}
		r.register(m)
		r.try(&sender{m: m, producer: p}, q, 0)
	}
	r.schedule(p)
}

// try offers a message to a queue, for the first time or again.
func (r *run) try(s *sender, q *queue, tries int64) {
	p := s.producer
	switch r.offer(s, q) {
	case blocked:
		p.blocked++
		p.next.cancel()
	case full:
		e := Event{Name: "refused", Queue: q.name, Message: s.m.name, More: p.config.Name + reason(event.GaveUp, 0)}
		if p.config.WhenFull == scenario.RetryWhenFull {
			tries++
			at := r.now + r.retryDelay(&p.config.Retry, "producer retry", s.m.chance, tries, int(tries))
			e.More = p.config.Name + reason(event.WillRetry, at)
			r.at(at, producerPhase, func() { r.try(s, q, tries) })
		}
		r.emit(e)
	}
}

// senderGoesOn is called when a message got in at the door.
func (r *run) senderGoesOn(s *sender) {
	if p := s.producer; p != nil {
		p.blocked--
		r.schedule(p)
		return
	}
	x := s.run
	x.blocked--
	if x.blocked == 0 {
		x.wakeAt(r.now)
	}
}

// compose makes the n-th message of a producer.
func (r *run) compose(p *producer, n int64) *message {
	c := p.config
	m := &message{sentAt: r.now, kind: c.Type, priority: c.Priority, delay: c.Delay, body: c.Body}
	if len(p.list) > 0 {
		s := p.list[n]
		m.id, m.key, m.keyNumber, m.kind, m.body, m.priority, m.delay = s.ID, s.Key, s.KeyNumber, s.Type, s.Body, s.Priority, s.Delay
		return m
	}
	m.id = event.ID{Number: c.FirstID + n}
	if c.Keys > 0 {
		m.key, m.keyNumber = fmt.Sprint((m.id.Number%c.Keys+c.Keys)%c.Keys), true
	}
	if len(c.Mix) > 0 {
		share := r.drawShare(p, n)
		m.body, m.priority = share.Body, share.Priority
		if share.KeyGiven {
			m.key, m.keyNumber = share.Key, share.KeyNumber
		}
		if share.Type != "" {
			m.kind = share.Type
		}
	}
	return m
}

func (r *run) drawShare(p *producer, n int64) scenario.Share {
	sum := int64(0)
	for _, s := range p.config.Mix {
		sum += s.Share
	}
	at := int64(r.draws.Below(uint64(sum), chance.For("mix"), chance.Name(p.config.Name), int(n)))
	for _, s := range p.config.Mix {
		if at < s.Share {
			return s
		}
		at -= s.Share
	}
	panic("a draw above the sum of the shares")
}

// register names a message by its id and how many had that id before.
func (r *run) register(m *message) {
	occurrence := 1
	for _, other := range r.messages {
		if other.id == m.id {
			occurrence++
		}
	}
	m.name = messageName(m.id, occurrence)
	r.messages = append(r.messages, m)
}

// Publish implements handler.Host.
func (x *handlerRun) Publish(p handler.Publication) (bool, error) {
	r, parent := x.r, x.h.m
	n := parent.published
	parent.published++
	id := p.ID
	if !p.HasID {
		id = event.ID{Text: fmt.Sprintf("%s.%d", parent.id, n+1)}
	}
	to := r.targets(p.To)
	all := true
	for _, q := range to {
		m := &message{id: id, key: p.Key, keyNumber: p.KeyNumber, kind: p.Type, body: p.Body, priority: p.Priority, delay: p.Delay, sentAt: r.now}
		m.chance = chance.Join(chance.Join(parent.chance, uint64(n)), chance.Name(p.To))
		if len(to) > 1 {
			m.chance = chance.Join(m.chance, chance.Name(q.name))
		}
		r.register(m)
		switch r.offer(&sender{m: m, run: x}, q) {
		case blocked:
			x.blocked++
		case full:
			all = false
			r.emit(Event{Name: "refused", Queue: q.name, Message: m.name, Worker: x.w.name, More: reason(event.GaveUp, 0)})
		}
	}
	if x.blocked > 0 {
		if err := x.suspend(); err != nil {
			return false, err
		}
	}
	return all, nil
}

// withdraw takes what a dead handler stood at doors with.
func (r *run) withdraw(x *handlerRun) {
	for _, q := range r.queues {
		q.door = slices.DeleteFunc(q.door, func(s *sender) bool {
			if s.run == x {
				s.m.place = outside
			}
			return s.run == x
		})
	}
}
