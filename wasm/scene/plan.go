package scene

import (
	"sort"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// plan is what the stage knows of a whole run: what there is, who sends where,
// who reads what, and what ever happens. It decides where things stand.
type plan struct {
	queues    []queuePlan
	pools     []poolPlan
	producers []producerPlan
	targets   []targetPlan
	topics    []topicPlan
	workers   int
	// begun are the messages in the order in which something was first done
	// for them anywhere outside, and begunAt the events that began it.
	begun    []event.MessageRef
	begunAt  []int32
	messages int // of the first queue, as far as they can have a row each
}

type queuePlan struct {
	name       string
	max        int            // receives, 0: no limit
	capacity   int            // 0: no bound
	letters    bool           // it holds the dead letters of others
	dead       event.QueueRef // where its own go
	tray       bool           // it has, or could have, dead letters
	perKey     bool
	byPriority bool
	readers    []int // pools
	fed        bool  // somebody sends to it
	later      bool  // messages of it are delayed or hidden at some time
	acked      []int32
}

type poolPlan struct {
	name    string
	from    []event.QueueRef
	to      []event.QueueRef // it publishes there
	workers []event.WorkerRef
	lines   []string // of its handler
	limit   scenario.Rate
}

type producerPlan struct {
	name string
	to   []event.QueueRef
	hub  int               // topic, or -1
	gone []int32           // events in which one was turned away for good
	host event.ProducerRef // whose place it has, or event.NoProducer
}

// ByHand is the name of the producer that the reader is: it stands at the pad
// of another one that sends to the same place, if there is any. A second one
// has a number behind it.
const ByHand = "reader"

// IsByHand reports whether a producer is the reader.
func IsByHand(name string) bool {
	return strings.HasPrefix(name, ByHand) && strings.Trim(name[len(ByHand):], "0123456789") == ""
}

type targetPlan struct {
	name    string
	table   bool
	effect  bool
	repeats bool
	deed    deed
	failed  []int32 // events
	changed []int32
	// begun are the messages in the order in which something was first done
	// for them, and begunAt the events that began it.
	begun   []event.MessageRef
	begunAt []int32
}

type topicPlan struct {
	name string
	to   []event.QueueRef
	used bool
}

// newPlan looks through a run for all that its layout depends on.
func newPlan(run Run) *plan {
	p := &plan{}
	p.names(run)
	p.events(run)
	for q := range p.queues {
		if d := p.queues[q].dead; d >= 0 && p.queues[q].max > 0 {
			p.queues[q].tray = true
		}
	}
	for t := range p.topics {
		for _, l := range p.pools {
			p.topics[t].used = p.topics[t].used || l.mentions(p.topics[t].name)
		}
	}
	return p
}

// names takes over what the scenario says.
func (p *plan) names(run Run) {
	log, sc := run.Log, run.Scenario
	byName := map[string]event.QueueRef{}
	for q := range log.Queues {
		byName[log.Queues[q].Name] = event.QueueRef(q)
		p.queues = append(p.queues, queuePlan{name: log.Queues[q].Name, letters: log.Queues[q].DeadLetter, dead: log.Queues[q].Target, byPriority: log.Queues[q].ByPriority})
	}
	for i := range sc.Queues {
		q := &sc.Queues[i]
		if ref, ok := byName[q.Name]; ok {
			f := &p.queues[ref]
			f.max, f.capacity, f.perKey = int(q.MaxReceives), int(q.MaxSize), q.Order == scenario.PerKey
			f.tray = q.MaxReceives > 0 || q.DeadLetter != ""
		}
	}
	refs := func(names []string) []event.QueueRef {
		var out []event.QueueRef
		for _, n := range names {
			if ref, ok := byName[n]; ok {
				out = append(out, ref)
			}
		}
		return out
	}
	for i := range sc.Topics {
		p.topics = append(p.topics, topicPlan{name: sc.Topics[i].Name, to: refs(sc.Topics[i].To)})
	}
	for _, name := range log.Producers {
		p.producers = append(p.producers, p.producer(sc, name, refs))
	}
	p.hosts(sc)
	for i, name := range log.Pools {
		l := poolPlan{name: name}
		for k := range sc.Workers {
			if w := &sc.Workers[k]; w.Name == name {
				l.from, l.lines, l.limit = refs(w.From), handlerLines(w.Handler), w.RateLimit
			}
		}
		for _, q := range l.from {
			p.queues[q].readers = append(p.queues[q].readers, i)
		}
		p.pools = append(p.pools, l)
	}
	for w := range log.Workers {
		l := &p.pools[log.Workers[w].Pool]
		l.workers = append(l.workers, event.WorkerRef(w))
	}
	p.workers = len(log.Workers)
	for i := range log.Targets {
		t := &log.Targets[i]
		p.targets = append(p.targets, targetPlan{name: t.Name, table: t.Table, effect: t.Effect, deed: deedOf(t.Name, t.Table)})
	}
}

// hosts finds the pads at which the reader stands.
func (p *plan) hosts(sc *scenario.Scenario) {
	to := map[string]string{}
	for i := range sc.Producers {
		to[sc.Producers[i].Name] = sc.Producers[i].To
	}
	for i := range p.producers {
		p.producers[i].host = event.NoProducer
		for k := range p.producers {
			mine, other := p.producers[i].name, p.producers[k].name
			if IsByHand(mine) && !IsByHand(other) && to[mine] == to[other] {
				p.producers[i].host = event.ProducerRef(k)
				break
			}
		}
	}
}

// pads counts the producers that have a place of their own.
func (p *plan) pads() int {
	n := 0
	for i := range p.producers {
		if p.producers[i].host < 0 {
			n++
		}
	}
	return n
}

func (p *plan) producer(sc *scenario.Scenario, name string, refs func([]string) []event.QueueRef) producerPlan {
	out := producerPlan{name: name, hub: -1}
	for i := range sc.Producers {
		if sc.Producers[i].Name != name {
			continue
		}
		out.to = refs([]string{sc.Producers[i].To})
		for t := range p.topics {
			if p.topics[t].name == sc.Producers[i].To {
				out.hub, out.to = t, p.topics[t].to
				p.topics[t].used = true
			}
		}
	}
	for _, q := range out.to {
		p.queues[q].fed = true
	}
	return out
}

// events takes in what happens.
func (p *plan) events(run Run) {
	log := run.Log
	began := beginnings{plan: p, anywhere: make([]bool, log.MessageCount())}
	for i := range log.Len() {
		e := log.Event(i)
		if e.Reason == event.Delayed && e.Queue >= 0 {
			p.queues[e.Queue].later = true
		}
		switch e.Kind {
		case event.Accepted, event.Blocked, event.Refused:
			p.queues[e.Queue].fed = true
			if e.Worker >= 0 && e.Arg < 0 {
				p.pools[log.Workers[e.Worker].Pool].publishes(e.Queue)
			}
			if e.Kind == event.Refused && e.Reason == event.GaveUp && e.Arg >= 0 {
				p.producers[e.Arg].gone = append(p.producers[e.Arg].gone, int32(i))
			}
		case event.Crashed, event.HandlerFailed:
			for q := range p.queues {
				p.queues[q].later = true // some may be hidden in nobody's hands
			}
		case event.Acked:
			p.queues[e.Queue].acked = append(p.queues[e.Queue].acked, int32(i))
		case event.DeadLettered:
			p.queues[e.Queue].tray = true
			p.queues[e.Queue].dead = event.QueueRef(e.Arg)
		case event.CallStarted:
			if p.targets[e.Arg].effect {
				began.at(int(e.Arg), e.Message, i)
			}
		case event.CallFailed:
			p.targets[e.Arg].failed = append(p.targets[e.Arg].failed, int32(i))
		case event.TableChanged:
			p.targets[e.Arg].changed = append(p.targets[e.Arg].changed, int32(i))
		case event.Effect:
			r := log.Effect(int(e.Arg))
			began.at(int(r.Target), e.Message, i)
			p.targets[r.Target].repeats = p.targets[r.Target].repeats || r.Nth > 1
		}
	}
}

// beginnings notes when something was first done for each message.
type beginnings struct {
	*plan
	anywhere []bool   // by message
	byTarget [][]bool // by target and message
}

func (b *beginnings) at(t int, m event.MessageRef, i int) {
	if m < 0 {
		return
	}
	if !b.anywhere[m] {
		b.anywhere[m] = true
		b.begun, b.begunAt = append(b.begun, m), append(b.begunAt, int32(i))
	}
	for len(b.byTarget) < len(b.targets) {
		b.byTarget = append(b.byTarget, make([]bool, len(b.anywhere)))
	}
	if f := &b.targets[t]; !b.byTarget[t][m] {
		b.byTarget[t][m] = true
		f.begun, f.begunAt = append(f.begun, m), append(f.begunAt, int32(i))
	}
}

func (l *poolPlan) publishes(q event.QueueRef) {
	for _, have := range l.to {
		if have == q {
			return
		}
	}
	l.to = append(l.to, q)
}

// mentions reports whether the pool's handler names a queue or topic.
func (l *poolPlan) mentions(name string) bool {
	for _, line := range l.lines {
		if strings.Contains(line, "publish(\""+name+"\"") || strings.Contains(line, "publish('"+name+"'") {
			return true
		}
	}
	return false
}

// hubOf is the topic through which pool l publishes to queue q, or -1.
func (p *plan) hubOf(l int, q event.QueueRef) int {
	if p.pools[l].mentions(p.queues[q].name) {
		return -1
	}
	for t := range p.topics {
		if !p.pools[l].mentions(p.topics[t].name) {
			continue
		}
		for _, to := range p.topics[t].to {
			if to == q {
				return t
			}
		}
	}
	return -1
}

// hasRow reports whether queue q needs a rail of its own: a dead-letter queue
// that nobody reads and nobody sends to is a tray under another's.
func (p *plan) hasRow(q event.QueueRef) bool {
	f := &p.queues[q]
	return !f.letters || len(f.readers) > 0 || f.fed
}

// isSingle reports whether the scenario fits the drawing of one rail.
func (p *plan) isSingle() bool {
	rows, letters := 0, 0
	for q := range p.queues {
		if p.hasRow(event.QueueRef(q)) {
			rows++
		} else {
			letters++
		}
	}
	return rows <= 1 && letters <= 1 && len(p.pools) <= 1 && p.pads() <= 1 && len(p.topics) == 0
}

// repeats reports whether any side effect ever happens twice.
func (p *plan) repeats() bool {
	for i := range p.targets {
		if p.targets[i].repeats {
			return true
		}
	}
	return false
}

// longest is how many lines the longest handler has.
func (p *plan) longest() int {
	n := 0
	for i := range p.pools {
		n = max(n, len(p.pools[i].lines))
	}
	return n
}

// deedOfAll is what the side effects of the run are called together.
func (p *plan) deedOfAll() deed {
	all, first := deed{}, true
	for i := range p.targets {
		t := &p.targets[i]
		if !t.effect || len(t.begun) == 0 {
			continue
		}
		switch {
		case first:
			all, first = t.deed, false
		case t.deed != all:
			return deed{"effect", "effects", "calls", "calling", "slip"}
		}
	}
	return all
}

// refused counts the messages of some producers that were turned away for
// good within the first n events.
func (p *plan) refused(producers []event.ProducerRef, n int) int {
	sum := 0
	for _, r := range producers {
		sum += before(p.producers[r].gone, n)
	}
	return sum
}

// before counts the events of an ascending list that are among the first n.
func before(events []int32, n int) int {
	return sort.Search(len(events), func(k int) bool { return int(events[k]) >= n })
}
