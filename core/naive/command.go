package naive

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// command does one entry of the timeline.
func (r *run) command(e *scenario.Entry) {
	r.emit(Event{Name: "command"})
	switch {
	case e.Set != "":
		r.set(e)
	case e.Crash != "":
		r.crashNamed(e.Crash)
	case e.Pause != "":
		r.pause(r.producerNamed(e.Pause))
	case e.Resume != "":
		r.resume(r.producerNamed(e.Resume))
	case e.Redrive != "":
		r.redrive(e)
	case e.EditSet:
		for _, m := range r.messages {
			if m.id == e.Edit && m.inQueue() {
				m.body = e.EditBody
			}
		}
	}
}

func (r *run) set(e *scenario.Entry) {
	for _, q := range r.queues { // who stands in line keeps the place
		r.settleOrder(q)
	}
	if err := scenario.ApplySet(r.s, e.Set, e.To); err != nil {
		panic(err)
	}
	for _, p := range r.producers {
		r.reschedule(p)
	}
	for _, p := range r.pools {
		r.scale(p)
	}
	r.settle()
}

// settleOrder brings a queue's line into the order of its priorities.
func (r *run) settleOrder(q *queue) {
	if q.config.Order == scenario.ByPriority {
		sort.SliceStable(q.line, func(i, j int) bool { return q.line[i].priority > q.line[j].priority })
	}
}

// scale brings a pool to its count.
func (r *run) scale(p *pool) {
	for n := 1; int64(n) <= p.config.Count; n++ {
		if n > len(p.workers) {
			r.hire(p)
		}
		if w := p.workers[n-1]; w.leaving {
			w.leaving = false
			r.emit(Event{Name: "worker_added"})
		} else if w.gone {
			w.gone, w.down, w.idle = false, false, r.next()
			r.emit(Event{Name: "worker_added"})
		}
	}
	r.settle()
	var leavers []*worker
	for _, w := range p.workers {
		if int64(w.number) > p.config.Count && !w.gone && !w.leaving {
			w.leaving = true
			leavers = append(leavers, w)
		}
	}
	for _, w := range leavers {
		r.leave(w)
	}
}

// leave sends a worker away: at once, or when its run is over. Messages that
// it has not begun go back at once.
func (r *run) leave(w *worker) {
	r.emit(Event{Name: "worker_removed"})
	given := w.held
	if w.run != nil {
		given, w.held = w.held[1:], w.held[:1:1]
	} else {
		w.held, w.gone, w.leaving = nil, true, false
		w.begin.cancel()
		w.restart.cancel()
	}
	for _, h := range given {
		if h.open {
			r.endHandout(h, "nacked", event.Never, event.None)
		}
	}
}

func (r *run) crashNamed(name string) {
	for _, p := range r.pools {
		for _, w := range p.workers {
			if w.name == name && !w.gone && !w.down {
				r.crash(w)
			}
		}
	}
}

func (r *run) producerNamed(name string) *producer {
	for _, p := range r.producers {
		if p.config.Name == name {
			return p
		}
	}
	panic("no producer " + name)
}

func (r *run) pause(p *producer) {
	if !p.paused {
		p.paused, p.pausedAt = true, r.now
		r.schedule(p)
	}
}

// resume moves the rest of the schedule by the length of the pause.
func (r *run) resume(p *producer) {
	if p.paused {
		p.paused = false
		length := r.now - p.pausedAt
		p.shift += length
		p.base += length
		p.last += length
		r.schedule(p)
	}
}

// redrive moves the letters that wait in a dead-letter queue, in the order in
// which they arrived. Its door stays shut until all are moved.
func (r *run) redrive(e *scenario.Entry) {
	from := r.queue(e.Redrive)
	from.shut = true
	letters := append([]*message(nil), from.line...)
	sort.SliceStable(letters, func(i, j int) bool { return letters[i].rank < letters[j].rank })
	for _, m := range letters {
		to := m.origin
		if e.RedriveTo != "" {
			to = r.queue(e.RedriveTo)
		}
		if to == nil || m.place != waiting || m.queue != from {
			continue
		}
		if to.full() {
			if to.config.Overflow != scenario.DropOldest {
				continue
			}
			r.dropOldest(to)
		}
		r.remove(m, outside)
		r.emit(Event{Name: "redriven", Queue: from.name, Message: m.name, More: to.name})
		m.origin, m.receives = nil, 0
		r.arrive(m, to)
		r.wait(m, scenario.ToTail)
		r.settle()
	}
	from.shut = false
	r.settle()
}
