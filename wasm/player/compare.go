package player

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/story"
)

// beforeEdit is the version that the run on the stage is compared with: the one
// that was chosen, or the last one before it that has a run; nil without one.
func (p *Player) beforeEdit() *edit {
	if p.shown == nil {
		return nil
	}
	if e := p.against; e != nil && e != p.shown && e.run != nil && slices.Contains(p.edits, e) {
		return e
	}
	for i := p.index(p.shown) - 1; i >= 0; i-- {
		if e := p.edits[i]; e.run != nil {
			return e
		}
	}
	return nil
}

// Before returns the run that the one on the stage is compared with, or nil,
// and what was edited since.
func (p *Player) Before() (*run.Run, string) {
	e := p.beforeEdit()
	if e == nil {
		return nil, ""
	}
	return e.run, p.nameOf(p.shown)
}

// nameOf says what a version is known by: its edit.
func (p *Player) nameOf(e *edit) string {
	if e.label == "" {
		return "as it was"
	}
	return e.label
}

// Versions returns the names of all versions of the scenario, in order, the
// number of the one on the stage, and that of the one it is compared with, -1
// for none.
func (p *Player) Versions() (names []string, shown, against int) {
	before := p.beforeEdit()
	against = -1
	for i, e := range p.edits {
		names = append(names, p.nameOf(e))
		if e == before {
			against = i
		}
	}
	return names, p.index(p.shown), against
}

// CompareWith compares the run on the stage with that of the version with that
// number, which is computed by Work if it was forgotten.
func (p *Player) CompareWith(version int) {
	if version < 0 || version >= len(p.edits) || p.edits[version] == p.shown {
		return
	}
	p.against = p.edits[version]
	p.apart = apart{}
	p.revision++
	if p.work == nil {
		p.fill()
	}
}

// Twin returns the run that the one on the stage is compared with, and its
// state at the playhead; nil without one. The state is valid until the next
// call.
func (p *Player) Twin() (*run.Run, *replay.State) {
	e := p.beforeEdit()
	if e == nil {
		return nil, nil
	}
	if p.twin.of != e.run {
		p.twin.of, p.twin.cursor = e.run, e.run.Index.Cursor()
	}
	return e.run, p.twin.cursor.Seek(p.time)
}

// twin is a cursor in the run before.
type twin struct {
	of     *run.Run
	cursor *replay.Cursor
}

// Figure is one line of the comparison: a measure of the run on the stage and
// of the one before the last edit.
type Figure struct {
	Of              string // what it is a measure of: "" the whole run, a queue, a pool
	Name, Technical string
	Before, After   string
	Verdict         string // better, worse or ""
}

// Comparison returns the outcome of the run, beside that of the run before when
// there is one: what matters for its scenario, or everything.
func (p *Player) Comparison(everything bool) []Figure {
	r := p.Run()
	if r == nil {
		return nil
	}
	before, _ := p.Before()
	var figures []Figure
	for _, m := range p.measures(r, everything) {
		f := Figure{Of: m.group, Name: p.words.In(m.name) + m.whose, Technical: m.technical, After: m.text(m.of(r))}
		idle := m.of(r) == 0
		if before != nil {
			b := m.of(before)
			f.Before = m.text(b)
			idle = idle && b == 0
			f.Verdict = verdict(m.good * cmp.Compare(m.of(r), b))
		}
		if m.rare && idle && !everything {
			continue
		}
		figures = append(figures, f)
	}
	return figures
}

func verdict(n int) string {
	switch {
	case n > 0:
		return "better"
	case n < 0:
		return "worse"
	}
	return ""
}

// measure is one line of an outcome.
type measure struct {
	group, name, whose, technical string

	of   func(*run.Run) int64
	text func(int64) string
	good int  // 1: more is better, -1: less is, 0: neither
	rare bool // left out while it is 0
	more bool // only under everything
}

func count(n int64) string { return strconv.FormatInt(n, 10) }

func seconds(n int64) string {
	return strconv.FormatFloat(event.Time(n).Seconds(), 'f', 2, 64) + " s"
}

func permille(n int64) string { return strconv.FormatFloat(float64(n)/10, 'f', 1, 64) + " %" }

func tenths(n int64) string { return strconv.FormatFloat(float64(n)/10, 'f', 1, 64) }

func counted(of func(*outcome.Outcome) int) func(*run.Run) int64 {
	return func(r *run.Run) int64 { return int64(of(r.Outcome)) }
}

func lasting(of func(*outcome.Outcome) event.Time) func(*run.Run) int64 {
	return func(r *run.Run) int64 { return int64(of(r.Outcome)) }
}

func mean(s outcome.Spread) event.Time { return event.Time(s.Mean() * float64(event.Second)) }

var wholeRun = []measure{
	{name: "Done twice", technical: "duplicates", text: count, good: -1, of: counted(func(o *outcome.Outcome) int { return o.Duplicates })},
	{name: "Lost without a word", technical: "lost", text: count, good: -1, of: counted(func(o *outcome.Outcome) int { return o.Lost })},
	{name: "On the spike", technical: "acked", text: count, of: counted(func(o *outcome.Outcome) int { return o.Acked })},
	{name: "On the head chef's tray", technical: "dead", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Dead })},
	{name: "Still on the rail", technical: "waiting + delayed + in_flight", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Waiting + o.Delayed + o.InFlight })},
	{name: "Turned away for good", technical: "refused", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Refused })},
	{name: "Hung for too long", technical: "expired", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Expired })},
	{name: "Thrown away for room", technical: "dropped", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Dropped })},
	{name: "Handed out again", technical: "redeliveries", text: count, good: -1, of: counted(func(o *outcome.Outcome) int { return o.Redeliveries })},
	{name: "Came to spike too late", technical: "stale_acks", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.StaleAcks })},
	{name: "Crashes", technical: "crashes", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Crashes })},
	{name: "Handlers that failed", technical: "failures", text: count, good: -1, rare: true, of: counted(func(o *outcome.Outcome) int { return o.Failures })},
	{name: "Longest wait for a cook", technical: "wait.max", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Wait.Max })},
	{name: "Last thing that happens", technical: "ended_at", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.EndedAt })},

	{more: true, name: "Sent", technical: "sent", text: count, of: counted(func(o *outcome.Outcome) int { return o.Sent })},
	{more: true, name: "Let in", technical: "accepted", text: count, of: counted(func(o *outcome.Outcome) int { return o.Accepted })},
	{more: true, name: "Handed out", technical: "deliveries", text: count, of: counted(func(o *outcome.Outcome) int { return o.Deliveries })},
	{more: true, name: "Side effects", technical: "effects", text: count, of: counted(func(o *outcome.Outcome) int { return o.Effects })},
	{more: true, name: "Wait, on average", technical: "wait.mean", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return mean(o.Wait) })},
	{more: true, name: "Wait, half of them at most", technical: "wait.p50", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Wait.P50 })},
	{more: true, name: "Wait, 95 % at most", technical: "wait.p95", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Wait.P95 })},
	{more: true, name: "From sent to acked, on average", technical: "sojourn.mean", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return mean(o.Sojourn) })},
	{more: true, name: "From sent to acked, half at most", technical: "sojourn.p50", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Sojourn.P50 })},
	{more: true, name: "From sent to acked, 95 % at most", technical: "sojourn.p95", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Sojourn.P95 })},
	{more: true, name: "From sent to acked, at most", technical: "sojourn.max", text: seconds, good: -1, of: lasting(func(o *outcome.Outcome) event.Time { return o.Sojourn.Max })},
}

// measures returns what a run of that scenario is measured by.
func (p *Player) measures(r *run.Run, everything bool) []measure {
	list := append(effects(r), wholeRun...)
	list = append(append(list, ofQueues(r)...), p.ofPools(r)...)
	return slices.DeleteFunc(list, func(m measure) bool { return m.more && !everything })
}

// effects are the side effects, each service and table by its name.
func effects(r *run.Run) []measure {
	var list []measure
	several := len(r.Outcome.Targets) > 1
	for _, t := range r.Outcome.Targets {
		if !t.Effect {
			continue
		}
		name := t.Name
		of := func(what func(outcome.Target) int64) func(*run.Run) int64 {
			return func(r *run.Run) int64 { return what(targetOf(r.Outcome, name)) }
		}
		m := measure{name: deeds(t), technical: fmt.Sprintf("effects_of(%q)", name), text: count, of: of(func(t outcome.Target) int64 { return int64(t.Effects) })}
		if !several {
			m.technical = "effects"
		}
		list = append(list, m)
		if t.Amount != 0 {
			list = append(list, measure{name: "Sum in " + name, technical: fmt.Sprintf("amount(%q)", name), text: count, of: of(func(t outcome.Target) int64 { return t.Amount })})
		}
		if several {
			list = append(list, measure{
				name: "Twice by " + name, technical: "duplicates", text: count, good: -1, rare: true,
				of: of(func(t outcome.Target) int64 { return int64(t.Duplicates) }),
			})
		}
	}
	return list
}

// deeds names the side effects of a service or table.
func deeds(t outcome.Target) string {
	switch {
	case t.Table:
		return "Entries in " + t.Name
	case strings.Contains(t.Name, "mail"):
		return "Emails sent"
	case strings.Contains(t.Name, "charge"), strings.Contains(t.Name, "pay"):
		return "Charges made"
	}
	return "Calls of " + t.Name
}

func targetOf(o *outcome.Outcome, name string) outcome.Target {
	for _, t := range o.Targets {
		if t.Name == name {
			return t
		}
	}
	return outcome.Target{}
}

// ofQueues are the measures of each queue; of several they matter, of the only
// one the whole run says most.
func ofQueues(r *run.Run) []measure {
	var list []measure
	several := 0
	for _, q := range r.Outcome.Queues {
		if !q.DeadLetter {
			several++
		}
	}
	for _, q := range r.Outcome.Queues {
		name := q.Name
		add := func(label, technical string, text func(int64) string, good int, more bool, of func(*outcome.Outcome, outcome.Queue) int64) {
			list = append(list, measure{
				group: name, name: label, technical: fmt.Sprintf("queue(%q).%s", name, technical), text: text, good: good, more: more || several < 2 || q.DeadLetter,
				of: func(r *run.Run) int64 {
					for _, q := range r.Outcome.Queues {
						if q.Name == name {
							return of(r.Outcome, q)
						}
					}
					return 0
				},
			})
		}
		add("On the spike", "acked", count, 0, false, func(_ *outcome.Outcome, q outcome.Queue) int64 { return int64(q.Counts.Acked) })
		add("Most in line", "waiting_max", count, -1, false, func(_ *outcome.Outcome, q outcome.Queue) int64 { return int64(q.MaxWaiting) })
		add("In line, on average", "waiting_mean", tenths, -1, true, func(o *outcome.Outcome, q outcome.Queue) int64 { return int64(10*o.MeanWaiting(q) + .5) })
		add("Handed out", "deliveries", count, 0, true, func(_ *outcome.Outcome, q outcome.Queue) int64 { return int64(q.Counts.Deliveries) })
		add("In the tray", "dead", count, -1, true, func(_ *outcome.Outcome, q outcome.Queue) int64 { return int64(q.Counts.Dead) })
	}
	return list
}

// ofPools are the measures of each pool of workers.
func (p *Player) ofPools(r *run.Run) []measure {
	var list []measure
	for _, pool := range r.Outcome.Pools {
		name := pool.Name
		add := func(label, technical string, text func(int64) string, good int, of func(*outcome.Outcome, outcome.Pool) int64) {
			list = append(list, measure{
				group: name, name: label, technical: fmt.Sprintf("pool(%q).%s", name, technical), text: text, good: good,
				more: len(r.Outcome.Pools) < 2 || technical != "busy",
				of: func(r *run.Run) int64 {
					for _, pool := range r.Outcome.Pools {
						if pool.Name == name {
							return of(r.Outcome, pool)
						}
					}
					return 0
				},
			})
		}
		add("Part of the time at work", "busy", permille, 0, func(_ *outcome.Outcome, pool outcome.Pool) int64 { return int64(1000*pool.Busy() + .5) })
		add("Cooks at work", "busy_mean", tenths, 0, func(o *outcome.Outcome, pool outcome.Pool) int64 { return int64(10*o.MeanBusy(pool) + .5) })
		add("Handed out", "deliveries", count, 0, func(_ *outcome.Outcome, pool outcome.Pool) int64 { return int64(pool.Deliveries) })
		add("Handlers that failed", "failures", count, -1, func(_ *outcome.Outcome, pool outcome.Pool) int64 { return int64(pool.Failures) })
		add("Crashes", "crashes", count, -1, func(_ *outcome.Outcome, pool outcome.Pool) int64 { return int64(pool.Crashes) })
	}
	return list
}

// Parting is where the run on the stage parts from the one before.
type Parting struct {
	Same  bool   // they do not part
	Clock string // when they do
	Why   string // what was changed
	// Both is what both runs tell at that moment, when they tell the same,
	// and Inside what differs in it. Otherwise the two are told apart.
	Both, Before, After []Part
	Inside              string
	// Seen is the first that one sees of it, when that comes later.
	Seen *Seen
	Goes int // the event of the run on the stage to go to
}

// Seen is where two transcripts part.
type Seen struct {
	Clock         string
	Before, After []Part
}

// apart is a Parting and the runs that it is of.
type apart struct {
	before, after *run.Run
	parting       Parting
}

// Parting returns where the two runs part; nil without a run before.
func (p *Player) Parting() *Parting {
	e := p.beforeEdit()
	if e == nil {
		return nil
	}
	if p.apart.before != e.run || p.apart.after != p.Run() {
		p.apart = apart{e.run, p.Run(), p.findParting(e)}
	}
	return &p.apart.parting
}

func (p *Player) findParting(e *edit) Parting {
	was := teller{r: e.run, story: story.Of(e.run.Scenario, e.run.Index, p.words.Story), end: p.End()}
	was.story.Judge(e.run.Outcome)
	is := teller{r: p.Run(), story: p.story, end: p.End()}
	d := story.FirstDifference(was.story, is.story)
	if d.Same {
		return Parting{Same: true, Why: p.changes(e)}
	}
	at := min(was.when(d.A), is.when(d.B))
	found := Parting{Clock: Clock(at, p.End()), Why: p.changes(e), Goes: min(d.B, is.r.Log.Len()-1)}
	before, after := was.sentence(d.A, at), is.sentence(d.B, at)
	if d.Inside != "" {
		found.Both, found.Inside = after, strings.NewReplacer("in the first", "before", "in the second", "now").Replace(d.Inside)
	} else {
		found.Before, found.After = before, after
	}
	if d.Inside != "" || !was.told(d.A) && !is.told(d.B) {
		found.Seen, found.Goes = firstSeen(&was, d.A, &is, d.B, found.Goes)
	}
	return found
}

// teller tells one of the two runs.
type teller struct {
	r     *run.Run
	story *story.Story
	end   event.Time
}

func (t *teller) told(i int) bool { return i < t.r.Log.Len() && t.story.Told(i) }

func (t *teller) when(i int) event.Time { return t.r.Log.Event(min(i, t.r.Log.Len()-1)).At }

// sentence tells event i, and when it comes if that is later than at.
func (t *teller) sentence(i int, at event.Time) []Part {
	if i >= t.r.Log.Len() {
		return []Part{{Text: "Nothing more happens."}}
	}
	var parts []Part
	if when := t.when(i); when > at {
		parts = append(parts, Part{Text: "At " + story.Length(when) + ": "})
	}
	for _, part := range t.story.Sentence(i).Parts {
		parts = append(parts, partOf(t.r.Log, part))
	}
	return parts
}

// next returns the first told event from i on, or the length of the log.
func (t *teller) next(i int) int {
	for i < t.r.Log.Len() && !t.story.Told(i) {
		i++
	}
	return i
}

// firstSeen finds the first sentences from events i and j on in which the two
// differ, and the event of the second to go to.
func firstSeen(was *teller, i int, is *teller, j, otherwise int) (*Seen, int) {
	for {
		i, j = was.next(i), is.next(j)
		over, done := i >= was.r.Log.Len(), j >= is.r.Log.Len()
		if over && done {
			return nil, otherwise
		}
		if over || done || was.when(i) != is.when(j) || was.story.Sentence(i).String() != is.story.Sentence(j).String() {
			at := was.when(i)
			if over || !done && is.when(j) < at {
				at = is.when(j)
			}
			return &Seen{Clock: Clock(at, is.end), Before: was.sentence(i, at), After: is.sentence(j, at)}, min(j, is.r.Log.Len()-1)
		}
		i, j = i+1, j+1
	}
}

// changes says what was changed between a version and the one on the stage.
func (p *Player) changes(e *edit) string {
	was, is := e.scenario, p.shown.scenario
	texts := p.differences(was, is)
	for i := range is.Workers {
		if old := poolOf(was, is.Workers[i].Name); old != nil && old.Handler != is.Workers[i].Handler {
			texts = append(texts, handlerChange(old.Handler, is.Workers[i].Handler))
		}
	}
	if was.Seed != is.Seed {
		texts = append(texts, fmt.Sprintf("the seed was %d and is %d: chance draws differently", was.Seed, is.Seed))
	}
	if n := len(is.Timeline) - len(was.Timeline); n != 0 {
		texts = append(texts, p.nameOf(p.shown))
	}
	if len(texts) == 0 {
		return p.nameOf(p.shown)
	}
	return strings.Join(texts, "; ")
}

func handlerChange(was, is string) string {
	a, b := AckLine(was), AckLine(is)
	switch {
	case a > 0 && b > 0 && a != b:
		return fmt.Sprintf("the ack stood on line %d and stands on line %d", a, b)
	case a > 0 && b == 0:
		return "the ack is gone"
	case a == 0 && b > 0:
		return fmt.Sprintf("there is an ack now, on line %d", b)
	}
	return "the code is another one"
}
