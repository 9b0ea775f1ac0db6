package lessons

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// A number that an author writes with digits is one of the scenario, or it has
// to come from the run. The rule, in this order, for the prose of a step and
// the runs of the scenarios that the step shows or asks about:
//
//   - 0, a number that stands in such a scenario outside of its expectations,
//     and one that stands in an expression of the step, are right as they are.
//   - A time, in s or ms, or a count from 4 on that is a measure of such a run
//     is asked to be {{run ...}}, so that it stays true.
//   - A time at which something happens in such a run is right.
//   - Any other time is wrong: neither the scenario nor the run has it.
//
// Counts that are no measure, counts below 4, and times in other units are not
// looked at: they may be about anything. Nor is a paragraph or a table that
// names a real broker, whose facts are its own, nor a quiz question without a scenario. What
// is not about the run can be said in words: ten seconds.
func numbers(d *draft) (problems scenario.Problems) {
	steps := map[int]*known{}
	for _, m := range d.mentions {
		if m.prose == nil || m.of != nil && m.of.Scenario == "" || productNames.MatchString(m.prose.text()+" "+m.prose.table) {
			continue
		}
		if steps[m.step] == nil {
			steps[m.step] = d.knownIn(m.step)
		}
		for _, n := range numbersIn(written(&m.prose.node)) {
			if text := steps[m.step].judge(n); text != "" {
				problems = append(problems, m.problem(text))
			}
		}
	}
	return problems
}

// number is one that an author wrote.
type number struct {
	text  string // as it is written, with its unit
	value float64
	time  bool // in seconds
}

var (
	anyNumber = regexp.MustCompile(`(^|[^\w.,#/-])([0-9]+(?:\.[0-9]+)?)((?:[ \x{a0}](?:s|ms|seconds?|milliseconds?)\b|(?:s|ms)\b)?)(\w|[.,/%][0-9a-z]|[ \x{a0}]?%)?`)
	notCounts = regexp.MustCompile(`(?i)(line|step|try|lesson|number|order|ticket|message|seed)s?[ \x{a0}]$`)
)

// numbersIn finds them. Numbers that name something, as in line 4, are left
// out, and so are those in words and shares.
func numbersIn(text string) (all []number) {
	for _, at := range anyNumber.FindAllStringSubmatchIndex(text, -1) {
		part := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		value, err := strconv.ParseFloat(part(2), 64)
		unit := strings.Trim(part(3), " \u00a0")
		if err != nil || part(4) != "" || unit == "" && notCounts.MatchString(text[:at[4]]) {
			continue
		}
		if strings.HasPrefix(unit, "m") {
			value /= 1000
		}
		all = append(all, number{text: strings.TrimSpace(part(2) + part(3)), value: value, time: unit != ""})
	}
	return all
}

// productNames are the brokers and libraries about which lessons state facts.
var productNames = regexp.MustCompile(`\b(SQS|SNS|EventBridge|RabbitMQ|Pub/Sub|Redis|Kafka|Celery|RQ|BullMQ|NATS|Azure|queue\.Queue)\b`)

// known is what the scenarios of a step and their runs say of numbers.
type known struct {
	given    []float64 // in a scenario, or in an expression of the step
	measures []measure
	instants []float64 // at which something happens
	names    []string  // of the scenarios
}

// measure is a figure of a run, with how it is written in a lesson.
type measure struct {
	value float64
	time  bool
	write string
}

// knownIn gathers it for a step.
func (d *draft) knownIn(step int) *known {
	k := &known{given: []float64{0}}
	if stage := d.lesson.StageOf(step); stage != nil {
		k.add(d, stage.Scenario)
	}
	for _, m := range d.mentions {
		if m.step != step {
			continue
		}
		switch {
		case m.figure != nil:
			k.add(d, m.figure.Scenario)
		case m.question != nil:
			k.add(d, m.question.Scenario)
			k.stated(m.question.Answer)
			for _, o := range m.question.Choices {
				k.stated(o.Is + " " + o.Value)
			}
		case m.challenge != nil:
			k.add(d, m.challenge.Scenario)
			k.stated(m.challenge.Goal)
			k.solved(d, m.challenge)
		}
	}
	return k
}

// add takes up a scenario and its run.
func (k *known) add(d *draft, id string) {
	r := d.runs[id]
	if r == nil || slices.Contains(k.names, id) {
		return
	}
	k.names = append(k.names, id)
	own := r.Scenario.Clone()
	own.Expect = nil
	k.stated(string(own.EncodeJSON()))
	for _, setting := range scenario.Paths(own) {
		k.stated(setting.Value)
	}
	for _, id := range lesson.MessagesOf(r.Log) {
		k.stated(id)
	}
	k.measures = append(k.measures, measuresOf(id, r)...)
	k.happens(r)
}

// solved takes up the run of a challenge's solution, of which figures cannot
// be asked.
func (k *known) solved(d *draft, c *lesson.Challenge) {
	start := d.lesson.ScenarioOf(c.Scenario)
	if start == nil {
		return
	}
	s, err := c.Solved(start)
	if err != nil {
		return
	}
	if r, err := run.Do(s); err == nil {
		k.happens(r)
	}
}

func (k *known) happens(r *run.Run) {
	for i := range r.Log.Len() {
		k.instants = append(k.instants, r.Log.Event(i).At.Seconds())
	}
}

var statedNumber = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)?(ns|us|ms|s|m|h)?`)

// stated takes up all numbers of a text, durations in seconds.
func (k *known) stated(text string) {
	for _, found := range statedNumber.FindAllString(text, -1) {
		if n, err := strconv.ParseFloat(found, 64); err == nil {
			k.given = append(k.given, n)
		} else if d, err := scenario.ParseDuration(found); err == nil {
			k.given = append(k.given, d.Seconds())
		}
	}
}

// judge says what is wrong with a number, or "".
func (k *known) judge(n number) string {
	const least = 4 // smaller counts are too often about something else
	switch {
	case len(k.names) == 0 || k.has(k.given, n.value) || !n.time && n.value < least:
		return ""
	}
	for _, m := range k.measures {
		if m.time == n.time && near(m.value, n.value) {
			return fmt.Sprintf("%s is what the run gives: write {{run %s}}, so that it stays true", n.text, m.write)
		}
	}
	if !n.time || k.has(k.instants, n.value) {
		return ""
	}
	return fmt.Sprintf("%s is neither in the scenario %s nor in its run: write {{run %s ...}}, or in words what is not about this run", n.text, strings.Join(k.names, " or "), k.names[0])
}

func (k *known) has(list []float64, n float64) bool {
	return slices.ContainsFunc(list, func(v float64) bool { return near(v, n) })
}

// near compares numbers as they are written: with at most two places.
func near(a, b float64) bool { return math.Abs(a-b) < 0.005 }

// measuresOf lists the figures of a run that have names.
func measuresOf(id string, r *run.Run) (all []measure) {
	o := r.Outcome
	for _, expression := range []string{"ended_at", "wait.max", "wait.mean", "wait.p95", "wait.p50", "sojourn.max", "sojourn.mean", "sojourn.p95", "sojourn.p50"} {
		if v, ok := numberOf(o, expression); ok {
			all = append(all, measure{v, true, id + " " + expression + " as seconds"})
		}
	}
	counts := []string{"effects", "deliveries", "redeliveries", "acked", "accepted", "sent", "refused", "lost", "duplicates", "dead", "expired", "dropped", "failures", "crashes", "stale_acks", "waiting"}
	for i := range o.Queues {
		counts = append(counts, fmt.Sprintf("queue(%q).max_waiting", o.Queues[i].Name))
	}
	for _, expression := range counts {
		if v, ok := numberOf(o, expression); ok {
			all = append(all, measure{v, false, id + " " + expression})
		}
	}
	return all
}

func numberOf(o *outcome.Outcome, expression string) (float64, bool) {
	v, err := o.Eval(expression)
	if err != nil {
		return 0, false
	}
	return starlark.AsFloat(v)
}
