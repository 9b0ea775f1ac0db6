package sim

import (
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/worker"
)

// command does one entry of the timeline.
func (r *Sim) command(i int) {
	e := &r.scenario.Timeline[i]
	r.log.Append(event.Event{
		At: r.now, Kind: event.Command, Arg: int32(i), Text: r.log.AddText(describe(e)),
		Message: event.NoMessage, Queue: event.NoQueue, Worker: event.NoWorker,
	})
	switch {
	case e.Set != "":
		r.set(e.Set, e.To)
	case e.Crash != "":
		if w, ok := r.byName[e.Crash]; ok {
			r.workers[w].Crash()
		}
	case e.Pause != "":
		r.pause(r.producers[r.producerNamed(e.Pause)])
	case e.Resume != "":
		r.resume(r.producers[r.producerNamed(e.Resume)])
	case e.Redrive != "":
		r.redrive(e.Redrive, e.RedriveTo)
	case e.EditSet:
		r.edit(e.Edit, e.EditBody)
	}
}

// describe says an entry as one would write it.
func describe(e *scenario.Entry) string {
	switch {
	case e.Set != "":
		if text := fmt.Sprint(e.To); !strings.Contains(text, "\n") {
			return "set " + e.Set + " to " + text
		}
		return "set " + e.Set
	case e.Crash != "":
		return "crash " + e.Crash
	case e.Pause != "":
		return "pause " + e.Pause
	case e.Resume != "":
		return "resume " + e.Resume
	case e.Redrive != "" && e.RedriveTo != "":
		return "redrive " + e.Redrive + " to " + e.RedriveTo
	case e.Redrive != "":
		return "redrive " + e.Redrive
	}
	return "edit " + e.Edit.String()
}

func (r *Sim) producerNamed(name string) int {
	for i := range r.scenario.Producers {
		if r.scenario.Producers[i].Name == name {
			return i
		}
	}
	panic("sim: a valid scenario names producers that exist")
}

func (r *Sim) redrive(from, to string) {
	source, ok := r.queue(from)
	if !ok {
		return
	}
	target := event.NoQueue
	if to != "" {
		target, _ = r.queue(to)
	}
	r.broker.Redrive(r.now, source, target)
}

// edit changes the body of every message with that id that is in a queue. A
// hand-out under way keeps its copy.
func (r *Sim) edit(id event.ID, body any) {
	r.bodies = append(r.bodies, body)
	for m := range event.MessageRef(r.log.MessageCount()) {
		if r.log.MessageID(m) == id && r.broker.Present(m) {
			r.editions[m] = worker.Edition(len(r.bodies))
		}
	}
}

// set changes one value of the scenario; it holds for what begins afterwards.
func (r *Sim) set(path string, value any) {
	before := r.scenario.Clone()
	if err := scenario.ApplySet(r.scenario, path, value); err != nil {
		panic(fmt.Sprintf("sim: a valid scenario sets what can be set: %v", err))
	}
	r.setProducers(before)
	for i := range r.scenario.Services {
		r.services[r.scenario.Services[i].Name].Config = r.scenario.Services[i]
	}
	for i := range r.scenario.Tables {
		r.tables[r.scenario.Tables[i].Name].Config = r.scenario.Tables[i]
	}
	for i := range r.pools {
		r.setPool(i, &before.Workers[i])
	}
	for i, q := range r.scenario.Queues {
		if q.MaxReceives > 0 {
			r.broker.LinkDeadLetters(event.QueueRef(i))
		}
		if q.Order != before.Queues[i].Order {
			r.log.Orders = append(r.log.Orders, event.OrderChange{
				Event: int32(r.log.Len() - 1), Queue: event.QueueRef(i), ByPriority: q.Order == scenario.ByPriority,
			})
		}
	}
	for i, q := range r.scenario.Queues {
		if q != before.Queues[i] {
			r.broker.Configure(r.now, event.QueueRef(i), q)
		}
	}
}

func (r *Sim) setProducers(before *scenario.Scenario) {
	for i, p := range r.producers {
		p.config = &r.scenario.Producers[i]
		if old := before.Producers[i].Rate; p.config.Rate != old {
			r.rateChanged(p, old)
		} else if p.config.Count != before.Producers[i].Count || p.config.Until != before.Producers[i].Until {
			r.scheduleSend(p)
		}
	}
}

func (r *Sim) setPool(i int, before *scenario.Pool) {
	pool, config := r.pools[i], r.scenario.Workers[i]
	pool.Config = config
	if config.Handler != before.Handler {
		program, problems := handler.Compile(config.Handler, Names(r.scenario))
		if len(problems) > 0 {
			panic("sim: a valid scenario sets handlers that compile")
		}
		pool.Handler = program
		pool.Version++
	}
	if config.Prefetch != before.Prefetch || config.RateLimit != before.RateLimit || config.Acknowledge != before.Acknowledge {
		r.broker.ConfigurePool(r.now, i, &config)
	}
	if config.Count != before.Count {
		r.scale(i, config.Count)
	}
}

// scale brings a pool to n workers.
func (r *Sim) scale(pool int, n int64) {
	present := r.present(pool)
	for number := len(present) + 1; int64(number) <= n; number++ {
		r.addWorker(pool, number)
	}
	if int64(len(present)) > n {
		leaving := present[n:]
		for i := len(leaving) - 1; i >= 0; i-- {
			r.removeWorker(leaving[i])
		}
		for _, w := range leaving {
			w.GiveBack()
		}
	}
	r.broker.Serve(r.now, pool)
}

// present returns the workers of a pool that have not left, by number.
func (r *Sim) present(pool int) []*worker.Worker {
	var present []*worker.Worker
	for n := 1; ; n++ {
		ref, ok := r.byName[workerName(r.log.Pools[pool], n)]
		if !ok || r.workers[ref].Gone() {
			return present
		}
		present = append(present, r.workers[ref])
	}
}

func workerName(pool string, n int) string { return fmt.Sprintf("%s/%d", pool, n) }

func (r *Sim) addWorker(pool, number int) {
	name := workerName(r.log.Pools[pool], number)
	ref, known := r.byName[name]
	if known {
		r.workers[ref].Stay()
	} else {
		ref = event.WorkerRef(len(r.workers))
		r.byName[name] = ref
		r.workers = append(r.workers, worker.New(ref, number, r.pools[pool]))
		r.log.Workers = append(r.log.Workers, event.Worker{Pool: pool, Number: number, Name: name})
	}
	r.log.Append(event.Event{At: r.now, Kind: event.WorkerAdded, Worker: ref, Message: event.NoMessage, Queue: event.NoQueue})
	r.broker.AddWorker(r.now, ref, pool, number)
}

func (r *Sim) removeWorker(w *worker.Worker) {
	r.log.Append(event.Event{At: r.now, Kind: event.WorkerRemoved, Worker: w.Ref, Message: event.NoMessage, Queue: event.NoQueue})
	w.Leave()
}

// mayReject reports whether a message of the queue may be sent to its dead
// letters although its receives are not limited.
func (r *Sim) mayReject(queue string) bool {
	for i := range r.scenario.Workers {
		p := &r.scenario.Workers[i]
		for _, from := range p.From {
			if from == queue && (p.OnError == scenario.RejectOnError || strings.Contains(p.Handler, "reject")) {
				return true
			}
		}
	}
	return false
}
