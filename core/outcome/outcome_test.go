package outcome_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

const ms = event.Millisecond

// builder writes a log by hand: queue 0 is orders, queue 1 its dead letters,
// one pool of two workers, one service.
type builder struct{ log *event.Log }

func newBuilder(ids ...int64) builder {
	var messages []event.Message
	for _, id := range ids {
		messages = append(messages, event.Message{ID: event.ID{Number: id}, Parent: event.NoMessage})
	}
	return newBuilderOf(messages...)
}

func newBuilderOf(messages ...event.Message) builder {
	l := &event.Log{
		Queues:    []event.Queue{{Name: "orders", Target: 1}, {Name: "orders-dead", DeadLetter: true, Target: event.NoQueue}},
		Pools:     []string{"mailer"},
		Workers:   []event.Worker{{Number: 1, Name: "mailer/1"}, {Number: 2, Name: "mailer/2"}},
		Producers: []string{"shop"},
		Targets:   []event.Target{{Name: "send_email", Effect: true}},
	}
	for i := range messages {
		l.AddMessage(&messages[i])
	}
	return builder{l}
}

func (b builder) add(at event.Time, k event.Kind, m event.MessageRef, change ...func(*event.Event)) builder {
	e := event.Event{At: at, Kind: k, Message: m, Worker: event.NoWorker}
	for _, c := range change {
		c(&e)
	}
	b.log.Append(e)
	return b
}

func by(w event.WorkerRef) func(*event.Event) { return func(e *event.Event) { e.Worker = w } }
func try(n int32) func(*event.Event)          { return func(e *event.Event) { e.Receive = n } }
func because(r event.Reason) func(*event.Event) {
	return func(e *event.Event) { e.Reason = r }
}
func to(q int32) func(*event.Event) { return func(e *event.Event) { e.Arg = q } }

// begin hands message m to worker w, whose handler starts.
func (b builder) begin(at event.Time, m event.MessageRef, w event.WorkerRef, n int32) builder {
	return b.add(at, event.Delivered, m, by(w), try(n)).add(at, event.HandlerStarted, m, by(w), try(n))
}

func (b builder) effect(at event.Time, m event.MessageRef, w event.WorkerRef, key string, amount int64) builder {
	return b.record(at, m, w, event.EffectRecord{Key: key, Amount: amount})
}

func (b builder) record(at event.Time, m event.MessageRef, w event.WorkerRef, r event.EffectRecord) builder {
	r.Nth = 1
	for i := range b.log.EffectCount() {
		if b.log.Effect(i).Key == r.Key {
			r.Nth++
		}
	}
	return b.add(at, event.Effect, m, by(w), to(b.log.AddEffect(b.log.AddText(r.Key), r)))
}

// effectOnce is an effect whose key is the message's id, known to be the first.
func (b builder) effectOnce(at event.Time, m event.MessageRef) {
	r := event.EffectRecord{Key: b.log.MessageID(m).String(), Nth: 1}
	b.add(at, event.Effect, m, by(0), to(b.log.AddEffect(b.log.AddText(r.Key), r)))
}

func (b builder) textEffect(at event.Time, m event.MessageRef, w event.WorkerRef, key string) builder {
	return b.record(at, m, w, event.EffectRecord{Key: key, IsText: true})
}

func (b builder) end(at event.Time) *event.Log {
	b.log.Append(event.Event{At: at, Kind: event.Ended, Reason: event.Quiet, Message: event.NoMessage, Queue: event.NoQueue, Worker: event.NoWorker})
	return b.log
}

func oneService() *scenario.Scenario {
	return &scenario.Scenario{
		Title: "By hand", Seed: 7, Until: event.Never,
		Queues:   []scenario.Queue{{Name: "orders", MaxReceives: 2, DeadLetter: "orders-dead"}},
		Services: []scenario.Service{{Name: "send_email"}},
		Workers:  []scenario.Pool{{Name: "mailer", From: []string{"orders"}, Count: 1}},
	}
}

// twice is a run in which 101 is done twice, 102 is acked without its email,
// and 103 dies; the second worker comes at 1 s.
func twice() *event.Log {
	b := newBuilder(101, 102, 103)
	for m := range event.MessageRef(3) {
		b.add(0, event.Accepted, m)
	}
	b.begin(0, 0, 0, 1)
	b.effect(200*ms, 0, 0, "101", 5)
	b.add(200*ms, event.Crashed, 0, by(0), to(3))
	b.add(1000*ms, event.WorkerAdded, event.NoMessage, by(1))
	b.begin(1000*ms, 1, 1, 1)
	b.add(1000*ms, event.HiddenOver, 0, try(1)).add(1000*ms, event.Returned, 0, because(event.Tail))
	b.add(1500*ms, event.Acked, 1, by(1)).add(1500*ms, event.HandlerFinished, 1, by(1))
	b.begin(1500*ms, 2, 1, 1)
	b.add(2000*ms, event.HandlerFailed, 2, by(1)).add(2000*ms, event.Rejected, 2, by(1)).add(2000*ms, event.DeadLettered, 2, to(1))
	b.begin(2000*ms, 0, 0, 2)
	b.effect(2500*ms, 0, 0, "101", 6)
	b.add(2500*ms, event.Acked, 0, by(0)).add(2500*ms, event.AckIgnored, 0, by(0), because(event.Stale)).add(2500*ms, event.HandlerFinished, 0, by(0))
	return b.end(4000 * ms)
}

func TestMeasures(t *testing.T) {
	o := outcome.Of(oneService(), twice())
	for _, expression := range []string{
		`sent == 3 and accepted == 3 and refused == 0`,
		`deliveries == 4 and redeliveries == 1`,
		`acked == 2 and stale_acks == 1 and dead == 1`,
		`waiting == 0 and delayed == 0 and in_flight == 0 and expired == 0 and dropped == 0`,
		`effects == 2 and duplicates == 1 and lost == 1`,
		`failures == 1 and crashes == 1`,
		`ended_at == 4.0 and ended_because == "quiet"`,
		`effects_of("send_email", 101) == 2 and effects_of("send_email", "101") == 0 and effects_of("send_email", 102) == 0`,
		`amount("send_email") == 11`,
		`dead_letters("orders") == [103] and dead_letters("orders-dead") == [103]`,
		`finished == [102, 101]`,
		`wait.p50 == 1.0 and wait.max == 1.5 and wait.p95 == 1.5 and abs(wait.mean - 2.5 / 3) < 1e-9`,
		`sojourn.p50 == 1.5 and sojourn.max == 2.5 and sojourn.mean == 2.0`,
		`at(-1).accepted == 0 and at(0).accepted == 3 and at(0).waiting == 2 and at(0).in_flight == 1`,
		`at(0.999999999).in_flight == 1 and at(1).in_flight == 1 and at(1).waiting == 2`,
		`at(1.999).dead == 0 and at(2).dead == 1 and at(2.4).effects == 1 and at(99).effects == 2`,
		`queue("orders").accepted == 3 and queue("orders").max_waiting == 2 and queue("orders").dead == 1`,
		`queue("orders").lost == 1 and queue("orders-dead").lost == 0`,
		`queue("orders-dead").waiting == 1 and queue("orders-dead").dead == 1 and queue("orders-dead").accepted == 0`,
		// 102 waits 1 s, 103 1.5 s, 101 1 s more: 3.5 of 4.
		`queue("orders").mean_waiting == 3.5 / 4`,
		// Busy .2 + .5 + .5 + .5 of 4 + 3: the first worker's time goes on while it is down.
		`abs(pool("mailer").busy - 1.7 / 7) < 1e-9 and abs(pool("mailer").mean_busy - 1.7 / 4) < 1e-9`,
		`pool("mailer").deliveries == 4`,
		`[q for q in ["orders"] if queue(q).acked == 2] == ["orders"]`,
	} {
		v, err := o.Eval(expression)
		require.NoError(t, err, expression)
		assert.Equal(t, "True", v.String(), expression)
	}
}

func TestCountsAddUpAfterEveryEvent(t *testing.T) {
	log := twice()
	o := outcome.Of(oneService(), log)
	for n := range log.Len() + 1 {
		m := o.After(n)
		assert.True(t, m.AddsUp(), "after %d events: %+v", n, m)
	}
}

// A run as long as several checkpoints: at(t) must not depend on where they are.
func TestAtFarIntoARun(t *testing.T) {
	const n = 3000
	b := newBuilder(make([]int64, n)...)
	for m := range event.MessageRef(n) {
		b.add(event.Time(m)*event.Second, event.Accepted, m)
	}
	o := outcome.Of(oneService(), b.end(n*event.Second))
	for _, s := range []int{0, 1, 510, 511, 512, 513, 1023, 1024, 2999, 4000} {
		assert.Equal(t, min(s+1, n), o.At(event.Time(s)*event.Second).Waiting, "at %d s", s)
	}
}

func TestLost(t *testing.T) {
	two := event.Message{ID: event.ID{Number: 2}, Parent: event.NoMessage}
	acked := func(b builder, m event.MessageRef) builder {
		b.add(0, event.Accepted, m).begin(0, m, 0, 1)
		return b.add(0, event.Acked, m, by(0)).add(0, event.HandlerFinished, m, by(0))
	}
	for name, c := range map[string]struct {
		log  func() builder
		s    func(*scenario.Scenario)
		want int
	}{
		"acked, no effect": {log: func() builder { return acked(newBuilder(1), 0) }, want: 1},
		"an effect elsewhere carries its id": {log: func() builder {
			return acked(newBuilder(1, 2), 0).add(0, event.Accepted, 1).effect(0, 1, 0, "1", 0)
		}},
		"an effect elsewhere carries its id as text, which is another id": {log: func() builder {
			return acked(newBuilder(1, 2), 0).add(0, event.Accepted, 1).textEffect(0, 1, 0, "1")
		}, want: 1},
		"an effect elsewhere carries its given key": {log: func() builder {
			b := newBuilderOf(event.Message{ID: event.ID{Number: 1}, Parent: event.NoMessage, Key: "asha", KeyGiven: true}, two)
			return acked(b, 0).add(0, event.Accepted, 1).textEffect(0, 1, 0, "asha")
		}},
		"a key that keys: N made does not count": {log: func() builder {
			b := newBuilderOf(event.Message{ID: event.ID{Number: 1}, Parent: event.NoMessage, Key: "asha"}, two)
			return acked(b, 0).add(0, event.Accepted, 1).textEffect(0, 1, 0, "asha")
		}, want: 1},
		"answered by an idempotency key": {log: func() builder {
			return newBuilder(1).add(0, event.Accepted, 0).begin(0, 0, 0, 1).add(0, event.CallAnswered, 0, by(0)).add(0, event.Acked, 0, by(0))
		}},
		"published a message": {log: func() builder {
			child := two
			child.Parent = 0
			return acked(newBuilderOf(event.Message{ID: event.ID{Number: 1}, Parent: event.NoMessage}, child), 0).add(0, event.Accepted, 1)
		}},
		"its run still goes on": {log: func() builder {
			return newBuilder(1).add(0, event.Accepted, 0).begin(0, 0, 0, 1).add(0, event.Acked, 0, by(0))
		}},
		"expired": {log: func() builder { return newBuilder(1).add(0, event.Accepted, 0).add(0, event.Expired, 0) }, want: 1},
		"a dead letter is not gone": {log: func() builder {
			return newBuilder(1).add(0, event.Accepted, 0).begin(0, 0, 0, 1).add(0, event.HandlerFailed, 0, by(0)).add(0, event.DeadLettered, 0, to(1))
		}},
		"nothing to show for work, and the run finished": {
			log: func() builder { return acked(newBuilder(1), 0) }, s: func(s *scenario.Scenario) { s.Services = nil }},
		"nothing to show for work, and the run crashed": {log: func() builder {
			return newBuilder(1).add(0, event.Accepted, 0).begin(0, 0, 0, 1).add(0, event.Acked, 0, by(0)).add(0, event.Crashed, 0, by(0))
		}, s: func(s *scenario.Scenario) { s.Services = nil }, want: 1},
		"publishing is something to show": {
			log: func() builder { return acked(newBuilder(1), 0) }, want: 1,
			s: func(s *scenario.Scenario) {
				s.Services = nil
				s.Workers[0].Handler = "def on_message(msg):\n    publish(\"orders\", None)\n"
			}},
		"a comment about publishing is not": {
			log: func() builder { return acked(newBuilder(1), 0) },
			s: func(s *scenario.Scenario) {
				s.Services = nil
				s.Workers[0].Handler = "def on_message(msg):\n    ack(msg)  # does not publish\n"
			}},
	} {
		s := oneService()
		if c.s != nil {
			c.s(s)
		}
		assert.Equal(t, c.want, outcome.Of(s, c.log().end(0)).Lost, name)
	}
}

func TestNearestRank(t *testing.T) {
	for n, want := range map[int][2]event.Time{1: {0, 0}, 2: {0, 1}, 20: {9, 18}, 21: {10, 19}, 100: {49, 94}} {
		b := newBuilder(make([]int64, n)...)
		for m := range event.MessageRef(n) {
			b.add(0, event.Accepted, m)
		}
		for m := range event.MessageRef(n) {
			b.add(event.Time(m)*ms, event.Delivered, m, by(0), try(1))
		}
		o := outcome.Of(oneService(), b.end(event.Minute))
		assert.Equal(t, want[0]*ms, o.Wait.P50, "median of %d", n)
		assert.Equal(t, want[1]*ms, o.Wait.P95, "95th percentile of %d", n)
	}
}

func TestHoldsSaysWhatThereIsInstead(t *testing.T) {
	s := oneService()
	for _, text := range []string{
		`lost == 0`, `acked == 2`, `lost == 0 and queue("orders").acked == 3`, `wait.max < 1`, `lost`, `1 == 2`, `finished[7] == 1`,
	} {
		s.Expect = append(s.Expect, scenario.Expectation{Text: text})
	}
	var got []string
	for _, f := range outcome.Of(s, twice()).Holds() {
		got = append(got, f.Expectation.Text+": "+f.Got)
	}
	assert.Equal(t, []string{
		`lost == 0: lost is 1`,
		`lost == 0 and queue("orders").acked == 3: lost is 1, queue("orders").acked is 2`,
		`wait.max < 1: wait.max is 1.5`,
		`lost: it is 1, neither True nor False; compare it with something, as in lost == 0`,
		`1 == 2: it is False`,
		`finished[7] == 1: list index 7 out of range [-2:1]`,
	}, got)
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`lost == 0`: "",
		`[m for m in finished if type(m) == "int"] != []`: "",
		`effets == 1`:                 "effets is not a measure of a run; did you mean effects?",
		`wait.p90 < 1`:                "wait has no .p90; did you mean p50?",
		`queue("orders").akced == 1`:  "queue has no .akced; did you mean acked?",
		`at(3).refused == 0`:          "at has no .refused; there are waiting, in_flight, delayed, dead, acked, accepted, effects",
		`queue("oders").acked == 1`:   `there is no queue "oders"; did you mean orders?`,
		`amount("send_mail") == 1`:    `there is no service or table "send_mail"; did you mean send_email?`,
		`pool("kitchen").busy == 1`:   `there is no pool "kitchen"; there are mailer`,
		`dead_letters("orders-dead")`: "",
	} {
		err := outcome.CheckFor(oneService(), text)
		if want == "" {
			assert.NoError(t, err, text)
		} else {
			assert.EqualError(t, err, want, text)
		}
	}
	assert.ErrorContains(t, outcome.Check(`lost == `), "this is not an expression")
	assert.ErrorContains(t, outcome.Check(`lost = 0`), "this is not an expression")
}

// Each of these would take for ever, or gigabytes.
func TestAnExpressionCannotRunForEver(t *testing.T) {
	o := outcome.Of(oneService(), twice())
	for _, text := range []string{
		`len([1 for a in range(100000) for b in range(100000)]) == 0`,
		`len("a" * 1000000000) == 0`,
		`len(1000000000 * [1]) == 0`,
		`len(list(range(1000000000))) == 0`,
		`max(*range(1000000000)) == 0`,
		`[list(range(60000)) for a in range(60000)] == []`,
		`[range(1000000) == list(range(1000000)) for a in range(100000)] == []`,
		`("a" * 100000).replace("a", "b" * 100000) == ""`,
		`",".join(["a" * 1000] * 60000) == ""`,
		`[("a" * 100000)[1:] for a in range(1000000)] == []`,
		`(lambda x = "a" * 1000000000: x)() == ""`,
		`[[[[1] * 1000] * 1000] * 1000 for a in range(100000)] == []`,
		`sorted(range(1000000000)) == []`,
		`getattr("a" * 100000, "replace")("a", "b" * 100000) == ""`,
	} {
		_, err := o.Eval(text)
		assert.EqualError(t, err, "it takes more than 1000000 steps", text)
	}
}

func TestTheMeterChangesNothingElse(t *testing.T) {
	o := outcome.Of(oneService(), twice())
	for _, text := range []string{
		`2 + 3 * 4 == 14 and 7 // 2 == 3 and 7 % 4 == 3 and 7 / 2 == 3.5 and -2 < 1 and 1 << 4 | 1 == 17`,
		`"a" + "b" == "ab" and "a" * 3 == "aaa" and "%d-%s" % (1, "x") == "1-x" and "," .join(["a", "b"]) == "a,b"`,
		`102 in finished and 7 not in finished and finished[:1] == [102] and finished[::-1] == [101, 102]`,
		`sorted([3, 1, 2], reverse = True) == [3, 2, 1] and max([1, 2], key = lambda x: -x) == 1 and max(*[1, 5]) == 5`,
		`{k: v for k, v in [("a", 1)] if v == 1} == {"a": 1} and dict(a = 1) == {"a": 1}`,
		`(lambda a, b = 2: a + b)(1) == 3 and (1 if lost else 2) == 1 and not (lost == 0)`,
		`pool(name = "mailer").deliveries == 4 and wait.max != 0`,
	} {
		v, err := o.Eval(text)
		require.NoError(t, err, text)
		assert.Equal(t, "True", v.String(), text)
	}
}

// Whatever is written, an expression ends, without a panic and within bounds.
func FuzzEval(f *testing.F) {
	o := outcome.Of(oneService(), twice())
	for _, text := range []string{`lost == 0`, `at(1).acked`, `queue("orders").max_waiting`, `[x for x in finished if x > 1]`, `"a" * 3`, `effects_of("send_email", 101)`, `(lambda x=1: x)()`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := o.Eval(text)
		if err == nil && v == nil {
			t.Errorf("%q gives neither a value nor an error", text)
		}
	})
}

func TestMarshalJSON(t *testing.T) {
	o := outcome.Of(oneService(), twice())
	b, err := json.Marshal(o)
	require.NoError(t, err)
	assert.JSONEq(t, fmt.Sprintf(`{
		"title": "By hand", "seed": 7, "sent": 3, "accepted": 3, "refused": 0, "deliveries": 4, "redeliveries": 1,
		"acked": 2, "stale_acks": 1, "waiting": 0, "delayed": 0, "in_flight": 0, "dead": 1, "expired": 0, "dropped": 0,
		"effects": 2, "duplicates": 1, "failures": 1, "crashes": 1, "lost": 1, "ended_at": 4, "ended_because": "quiet",
		"wait": {"mean": 0.8333333333333334, "p50": 1, "p95": 1.5, "max": 1.5},
		"sojourn": {"mean": 2, "p50": 1.5, "p95": 2.5, "max": 2.5},
		"finished": [102, 101],
		"queues": {
			"orders": {"sent": 3, "accepted": 3, "refused": 0, "deliveries": 4, "redeliveries": 1, "acked": 2, "stale_acks": 1,
				"waiting": 0, "delayed": 0, "in_flight": 0, "dead": 1, "expired": 0, "dropped": 0, "effects": 2, "duplicates": 1,
				"failures": 1, "crashes": 1, "lost": 1, "max_waiting": 2, "mean_waiting": 0.875},
			"orders-dead": {"sent": 0, "accepted": 0, "refused": 0, "deliveries": 0, "redeliveries": 0, "acked": 0, "stale_acks": 0,
				"waiting": 1, "delayed": 0, "in_flight": 0, "dead": 1, "expired": 0, "dropped": 0, "effects": 0, "duplicates": 0,
				"failures": 0, "crashes": 0, "lost": 0, "max_waiting": 1, "mean_waiting": 0.5}},
		"pools": {"mailer": {"busy": 0.24285714285714285, "mean_busy": 0.425, "deliveries": 4, "failures": 1, "crashes": 1}},
		"effects_by": {"send_email": {"101": 2}}, "amounts": {"send_email": 11},
		"dead_letters": {"orders-dead": [103]},
		"events": %d, "log_hash": %q}`, o.Log.Len(), o.Log.Hash()), string(b))
}
