// Package sweep runs one scenario under many seeds and keeps what the
// outcomes have in common: mean, spread and the seeds for which an expectation
// does not hold. Parts merge exactly and in any order, because every value is
// kept as a whole number with its count: the measures of ten thousand runs take
// little more room than those of ten, and no rounding depends on who ran what.
//
// It runs one seed at a time and starts nothing by itself; whoever has several
// cores calls One on each of them. Start reading at Result.
package sweep

import (
	"fmt"
	"slices"
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Result is what came of the seeds that were run. The zero Result is that of
// no seed.
type Result struct {
	Title    string
	Scenario string // names what was swept: results of different scenarios do not merge
	Seeds    Ranges
	Measures []Measure
	// Expectations are those of the scenario, in its order, each with the
	// seeds for which it does not hold.
	Expectations []Expectation
	// CutShort are the seeds whose run, or a handler in it, met a limit.
	CutShort Ranges
}

// Expectation is one expectation over all seeds.
type Expectation struct {
	Text   string
	Failed Ranges
}

// Runs returns how many seeds were run.
func (r *Result) Runs() uint64 { return r.Seeds.Len() }

// Held reports whether every expectation holds for every seed.
func (r *Result) Held() bool {
	return !slices.ContainsFunc(r.Expectations, func(e Expectation) bool { return len(e.Failed) > 0 })
}

// One runs the scenario with one seed.
func One(s *scenario.Scenario, seed uint64) (*Result, error) {
	own := s.Clone()
	own.Seed = seed
	r, err := run.Do(own)
	if err != nil {
		return nil, err
	}
	return of(r), nil
}

func of(r *run.Run) *Result {
	s := r.Scenario
	this := Ranges{{s.Seed, s.Seed}}
	result := &Result{Title: s.Title, Scenario: name(s), Seeds: this, Measures: measures(r.Outcome)}
	for _, e := range s.Expect {
		result.Expectations = append(result.Expectations, Expectation{Text: e.Text})
	}
	for _, f := range r.Outcome.Holds() {
		i := slices.IndexFunc(s.Expect, func(e scenario.Expectation) bool { return e == f.Expectation })
		result.Expectations[i].Failed = this
	}
	if metLimit(r) {
		result.CutShort = this
	}
	return result
}

// name tells scenarios apart whatever their seed.
func name(s *scenario.Scenario) string {
	own := s.Clone()
	own.Seed = 0
	return string(own.EncodeJSON())
}

// metLimit reports whether the run, or a handler in it, went on until a limit
// stopped it.
func metLimit(r *run.Run) bool {
	if r.Outcome.EndedBecause == "limit" {
		return true
	}
	if r.Outcome.Failures == 0 {
		return false
	}
	for i := range r.Log.Len() {
		if e := r.Log.Event(i); e.Kind == event.HandlerFailed && e.Reason == event.LimitReached {
			return true
		}
	}
	return false
}

// measures are the numbers of an outcome that are swept, under the names that
// they have in expressions.
func measures(o *outcome.Outcome) []Measure {
	list := []Measure{
		count("sent", o.Sent), count("accepted", o.Accepted), count("refused", o.Refused),
		count("deliveries", o.Deliveries), count("redeliveries", o.Redeliveries),
		count("acked", o.Acked), count("stale_acks", o.StaleAcks),
		count("waiting", o.Waiting), count("delayed", o.Delayed), count("in_flight", o.InFlight),
		count("dead", o.Dead), count("expired", o.Expired), count("dropped", o.Dropped),
		count("effects", o.Effects), count("duplicates", o.Duplicates), count("lost", o.Lost),
		count("failures", o.Failures), count("crashes", o.Crashes),
		length("ended_at", o.EndedAt),
	}
	list = append(list, spread("wait", o.Wait)...)
	list = append(list, spread("sojourn", o.Sojourn)...)
	return append(list, named(o)...)
}

// named are the measures of what the scenario itself names: a dead-letter
// queue that one run makes and another does not is left out.
func named(o *outcome.Outcome) (list []Measure) {
	for i := range o.Scenario.Queues {
		for _, q := range o.Queues {
			if q.Name == o.Scenario.Queues[i].Name && !q.DeadLetter {
				list = append(list, count(fmt.Sprintf("queue(%q).max_waiting", q.Name), q.MaxWaiting))
			}
		}
	}
	for _, p := range o.Pools {
		list = append(list, share(fmt.Sprintf("pool(%q).busy", p.Name), p.BusyTime, p.WorkerTime))
	}
	for i := range o.Targets {
		if t := &o.Targets[i]; t.Effect {
			list = append(list, single(fmt.Sprintf("amount(%q)", t.Name), Count, t.Amount))
		}
	}
	return list
}

// Merge adds up the results of different seeds of one scenario, in whatever
// order they come. The error is a *Conflict when two of them are not of one
// scenario or have a seed in common, which would count twice.
func Merge(parts ...*Result) (*Result, error) {
	var merged Result
	first, all, seeds := -1, []*Result{}, make([]Ranges, len(parts))
	for i, p := range parts {
		if p.Runs() == 0 {
			continue
		}
		if first < 0 {
			first = i
			merged.Title, merged.Scenario = p.Title, p.Scenario
		}
		if text := unlike(parts[first], p); text != "" {
			return nil, &Conflict{first, i, text}
		}
		all, seeds[i] = append(all, p), p.Seeds
	}
	var err error
	if merged.Seeds, err = union(seeds); err != nil || first < 0 {
		return &merged, err
	}
	for i := range parts[first].Measures {
		merged.Measures = append(merged.Measures, sum(all, i))
	}
	for i, e := range parts[first].Expectations {
		failed := Expectation{Text: e.Text}
		for _, p := range all {
			failed.Failed = append(failed.Failed, p.Expectations[i].Failed...)
		}
		failed.Failed = failed.Failed.joined()
		merged.Expectations = append(merged.Expectations, failed)
	}
	for _, p := range all {
		merged.CutShort = append(merged.CutShort, p.CutShort...)
	}
	merged.CutShort = merged.CutShort.joined()
	return &merged, nil
}

// Conflict is why two of the results that were to be merged, by their place
// among them, do not go together.
type Conflict struct {
	First, Second int
	Text          string
}

func (c *Conflict) Error() string {
	return fmt.Sprintf("results %d and %d do not go together: %s", c.First+1, c.Second+1, c.Text)
}

// unlike says why two results cannot be added up, or "".
func unlike(a, b *Result) string {
	if a.Scenario != b.Scenario {
		return "they are of different scenarios, or of one with different settings"
	}
	same := slices.EqualFunc(a.Measures, b.Measures, func(x, y Measure) bool { return x.Name == y.Name && x.Unit == y.Unit }) &&
		slices.EqualFunc(a.Expectations, b.Expectations, func(x, y Expectation) bool { return x.Text == y.Text })
	if !same {
		return "they have different measures: one of them is from another version of rail"
	}
	return ""
}

// sum puts the values of one measure of several results together.
func sum(parts []*Result, measure int) Measure {
	m := Measure{Name: parts[0].Measures[measure].Name, Unit: parts[0].Measures[measure].Unit}
	var all []Value
	for _, p := range parts {
		all = append(all, p.Measures[measure].Values...)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Value < all[j].Value })
	for _, v := range all {
		if n := len(m.Values); n > 0 && m.Values[n-1].Value == v.Value {
			m.Values[n-1].Runs += v.Runs
			continue
		}
		m.Values = append(m.Values, v)
	}
	return m
}
