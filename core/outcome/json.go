package outcome

import (
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
)

// MarshalJSON returns the outcome as one object with the names of
// scenario.md: the counts and times as they are named in expressions; queues,
// pools, effects_by (service, key, count), amounts and dead_letters as objects
// by name; finished as a list; title, seed, events and log_hash. Times are
// seconds.
func (o *Outcome) MarshalJSON() ([]byte, error) {
	w := &writer{}
	w.open('{')
	w.name("title").text(o.Scenario.Title)
	w.name("seed").raw(strconv.AppendUint(nil, o.Scenario.Seed, 10))
	w.counts(o.Counts)
	w.name("lost").number(o.Lost)
	w.name("ended_at").seconds(o.EndedAt)
	w.name("ended_because").text(o.EndedBecause)
	w.name("wait").spread(o.Wait)
	w.name("sojourn").spread(o.Sojourn)
	w.name("finished").ids(o, o.Finished)
	w.queues(o)
	w.pools(o)
	w.targets(o)
	w.deadLetters(o)
	w.name("events").number(o.Log.Len())
	w.name("log_hash").text(o.Log.Hash())
	w.close('}')
	return w.dst, nil
}

// writer writes JSON; comma is whether the next value needs one before it.
type writer struct {
	dst   []byte
	comma bool
}

func (w *writer) open(bracket byte)  { w.dst, w.comma = append(w.dst, bracket), false }
func (w *writer) close(bracket byte) { w.dst, w.comma = append(w.dst, bracket), true }

func (w *writer) separate() {
	if w.comma {
		w.dst = append(w.dst, ',')
	}
	w.comma = true
}

func (w *writer) name(s string) *writer {
	w.separate()
	w.dst = append(event.AppendString(w.dst, s), ':')
	return w
}

func (w *writer) raw(b []byte)         { w.dst = append(w.dst, b...) }
func (w *writer) text(s string)        { w.dst = event.AppendString(w.dst, s) }
func (w *writer) number(n int)         { w.dst = strconv.AppendInt(w.dst, int64(n), 10) }
func (w *writer) amount(n int64)       { w.dst = strconv.AppendInt(w.dst, n, 10) }
func (w *writer) seconds(t event.Time) { w.dst = event.AppendSeconds(w.dst, t) }
func (w *writer) float(f float64)      { w.dst = strconv.AppendFloat(w.dst, f, 'f', -1, 64) }

func (w *writer) counts(c Counts) {
	for _, f := range c.list() {
		w.name(f.name).number(f.n)
	}
}

func (w *writer) spread(s Spread) {
	w.open('{')
	w.name("mean").float(s.Mean())
	w.name("p50").seconds(s.P50)
	w.name("p95").seconds(s.P95)
	w.name("max").seconds(s.Max)
	w.close('}')
}

func (w *writer) ids(o *Outcome, refs []event.MessageRef) {
	w.open('[')
	for _, ref := range refs {
		w.separate()
		w.dst = event.AppendID(w.dst, o.Log.MessageID(ref))
	}
	w.close(']')
}

func (w *writer) queues(o *Outcome) {
	w.name("queues").open('{')
	for _, q := range o.Queues {
		w.name(q.Name).open('{')
		w.counts(q.Counts)
		w.name("lost").number(q.Lost)
		w.name("max_waiting").number(q.MaxWaiting)
		w.name("mean_waiting").float(o.MeanWaiting(q))
		w.close('}')
	}
	w.close('}')
}

func (w *writer) pools(o *Outcome) {
	w.name("pools").open('{')
	for _, p := range o.Pools {
		w.name(p.Name).open('{')
		w.name("busy").float(p.Busy())
		w.name("mean_busy").float(o.MeanBusy(p))
		w.name("deliveries").number(p.Deliveries)
		w.name("failures").number(p.Failures)
		w.name("crashes").number(p.Crashes)
		w.close('}')
	}
	w.close('}')
}

func (w *writer) targets(o *Outcome) {
	w.name("effects_by").open('{')
	for i := range o.Targets {
		if t := &o.Targets[i]; t.Effect {
			w.name(t.Name).open('{')
			w.keys(o.ledger.of(o.Log, event.TargetRef(i)))
			w.close('}')
		}
	}
	w.close('}')
	w.name("amounts").open('{')
	for i := range o.Targets {
		if t := &o.Targets[i]; t.Effect {
			w.name(t.Name).amount(t.Amount)
		}
	}
	w.close('}')
}

// keys writes the count of each key. JSON has only texts for names: the keys
// 1 and "1" are one name there, counted together.
func (w *writer) keys(a *account) {
	for i, k := range a.keys {
		twin, has := a.place[Key{k.Text, !k.IsText}]
		switch {
		case !has:
			w.name(k.Text).number(k.Count)
		case i < twin:
			w.name(k.Text).number(k.Count + a.keys[twin].Count)
		}
	}
}

func (w *writer) deadLetters(o *Outcome) {
	w.name("dead_letters").open('{')
	for i := range o.Queues {
		if q := &o.Queues[i]; q.DeadLetter {
			w.name(q.Name).ids(o, q.DeadLetters)
		}
	}
	w.close('}')
}
