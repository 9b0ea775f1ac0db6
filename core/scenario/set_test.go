package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

const everything = `{
	"until": "60s",
	"queues": {"orders": {"max_receives": 3}, "orders.ttl": {}, "orders.eu-west": {"retry": {"backoff": "fixed"}}},
	"topics": {"placed": {"to": ["orders"]}},
	"producers": {
		"shop": {"to": "orders", "send": [{"id": 1}]},
		"stream": {"to": "placed", "rate": "8/s"}
	},
	"services": {
		"mail": {"fails": {"first": 1}},
		"slow": {"latency": {"mean": "200ms", "spread": "exponential"}},
		"even": {"latency": {"min": "100ms", "max": "300ms"}}
	},
	"tables": {"seen": {}},
	"workers": {
		"mailer": {"from": "orders", "handler": "x"},
		"biller": {"from": ["orders", "orders.ttl"], "handler": "x", "crash": [{"message": 2, "where": "on_line", "line": 3}]}
	}
}`

func sample(t testing.TB) *Scenario {
	s, problems := DecodeJSON([]byte(everything))
	require.NoError(t, problems.Err())
	return s
}

// TestSet: what was set is there, as one would write it.
func TestSet(t *testing.T) {
	for _, test := range []struct{ path, value, got string }{
		{"title", "Two: workers", "Two: workers"},
		{"seed", "18446744073709551615", "18446744073709551615"},
		{"until", "90s", "90s"},
		{"limits.events", "5", "5"},
		{"queues.orders.visibility_timeout", "1500ms", "1.5s"},
		{"queues.orders.visibility_timeout", "", "30s"},
		{"queues.orders.ttl", "5s", "5s"},
		{"queues.orders.ttl.ttl", "5s", "5s"},
		{"queues.orders.eu-west.retry.base", "100ms", "100ms"},
		{"queues.orders.retry.base", "100s", "100s"},
		{"queues.orders.overflow", "drop_oldest", "drop_oldest"},
		{"queues.orders.dead_letter", "graveyard", "graveyard"},
		{"queues.orders.ttl.max_receives", "2", "2"},
		{"topics.placed.to", "[orders, orders.ttl]", "[orders, orders.ttl]"},
		{"producers.stream.rate", "100/m", "100/m"},
		{"producers.stream.count", "50", "50"},
		{"producers.stream.body", `{amount: 10, "to": [a, "2"]}`, `{amount: 10, to: [a, "2"]}`},
		{"producers.stream.when_full", "retry", "retry"},
		{"services.mail.latency", "200ms", "200ms"},
		{"services.mail.latency", "{min: 1s, max: 2s}", "{min: 1s, max: 2s}"},
		{"services.mail.latency", "{mean: 1s, spread: exponential}", "{mean: 1s, spread: exponential}"},
		{"services.slow.latency.mean", "1s", "1s"},
		{"services.even.latency.min", "300ms", "300ms"},
		{"services.mail.fails.first", "0", "0"},
		{"services.mail.fails.probability", "2.5%", "2.5%"},
		{"services.mail.fails.from", "10s", "10s"},
		{"services.mail.error", "timed out", "timed out"},
		{"services.mail.error", "", "mail failed"},
		{"services.mail.rate_limit", "100/m", "100/m"},
		{"services.mail.rate_limit", "0", "0"},
		{"tables.seen.effect", "true", "true"},
		{"workers.mailer.count", "8", "8"},
		{"workers.mailer.from", "[orders.ttl, orders]", "[orders.ttl, orders]"},
		{"workers.mailer.restart_after", "never", "never"},
		{"workers.mailer.crash.probability", "10%", "10%"},
		{"workers.mailer.crash.where", "on_line", "on_line"},
		{"workers.mailer.handler", "def on_message(msg):\n    ack(msg)\n", "def on_message(msg):\n    ack(msg)\n"},
	} {
		s := sample(t)
		require.NoError(t, Set(s, test.path, test.value).Err(), test.path)
		got, ok := Get(s, test.path)
		assert.True(t, ok, test.path)
		assert.Equal(t, test.got, got, test.path)
		again, problems := DecodeJSON(s.EncodeJSON())
		require.NoError(t, problems.Err(), test.path)
		for i := range again.Workers {
			again.Workers[i].HandlerLine, again.Workers[i].HandlerColumn = 0, 0
		}
		assert.Equal(t, s, again, test.path)
	}
}

// TestSetRefused: what is refused says why and changes nothing.
func TestSetRefused(t *testing.T) {
	for _, test := range []struct{ path, value, said string }{
		{"", "1", `there is no "" in a scenario: there are title, seed, until, limits, queues, topics, producers, services, tables, workers, timeline and expect`},
		{"sead", "1", `there is no "sead" in a scenario: did you mean "seed"?`},
		{"queues.ordrs.ttl", "1s", `there is no "ordrs" among the queues: did you mean "orders"?`},
		{"queues.orders.ttll", "1s", `there is no "ttll" in a queue: did you mean "ttl"?`},
		{"queues.orders.retry.bse", "1s", `there is no "bse" in a retry: did you mean "base"?`},
		{"queues.orders.retry.base", "2", `base: "2" has no unit: write 2s for seconds, or 2ms`},
		{"queues.orders.retry.base", "[1", `a comma or "]" belongs here`},
		{"queues.orders.dead_letter", "orders", `dead letters would go round for ever, orders to orders: name another dead_letter for one of them`},
		{"topics.placed.to", "[nowhere]", `to: there is no queue "nowhere": there are orders, orders.ttl, orders.eu-west and orders-dead`},
		{"until", "never", `the stream has no end: give it a count, such as count: 400, or until, such as until: 60s`},
		{"producers.shop.rate", "8/s", `rate and send exclude each other: keep send for exact messages or rate for a stream`},
		{"producers.shop.count", "8", `count belongs to a stream, and there is send: leave it out, or write rate instead of send`},
		{"producers.stream.rate", "0", `rate is 0, so that nothing is sent: write one such as 8/s, or pause the producer in the timeline`},
		{"producers.stream.rate", "9000000/s", `stream sends more messages than the limit of 10000000: lower its rate, or give it a count`},
		{"producers.shop.send", "[]", `producers.shop.send is more than one value: change it where the scenario is written`},
		{"services.mail.latency.mean", "1s", `services.mail.latency is 0s and has no "mean": set it as a whole, such as {min: 100ms, max: 300ms}`},
		{"services.even.latency.min", "1s", `latency: min 1s is above max 300ms: lower min or raise max`},
		{"services.mail.fails.to", "1s", `the outage has an end and no start: write from: 0s beside to`},
		{"workers.mailer.count", "1000", `there are 1001 workers, more than the limit of 1000: lower a count`},
		{"workers.mailer.count", "lots", `count: "lots" is not a whole number: write one such as 3`},
		{"workers.mailer.crash.line", "3", `line goes with where: on_line: write that beside it, or leave line out`},
		{"workers.biller.crash.probability", "3%", `workers.biller.crash is a list of exact crashes and has no "probability": write {probability: 10%} instead of the list`},
		{"workers.mailer.handler", "", "handler is empty: write the code of on_message(msg) under `handler: |`"},
		{"workers.mailer.from", "", "from is empty: write the name of a queue"},
		{"workers.mailer", "3", `workers.mailer stops too early: go on with a field of a pool of workers (from, count, prefetch, acknowledge, on_error, restart_after, rate_limit, crash and handler)`},
		{"workers.mailer.crash", "3", `workers.mailer.crash is more than one value: change it where the scenario is written, or set one of its fields (probability, where and line)`},
		{"workers", "3", `workers is more than one value: change it where the scenario is written`},
	} {
		s := sample(t)
		problems := Set(s, test.path, test.value)
		require.Len(t, problems, 1, "%s: %v", test.path, problems)
		assert.Equal(t, test.said, problems[0].Text, test.path)
		assert.Equal(t, sample(t), s, test.path)
	}
}

// TestSettled: what depends on a setting follows it.
func TestSettled(t *testing.T) {
	s := sample(t)
	require.NoError(t, Set(s, "queues.orders.max_receives", "0").Err())
	assert.Equal(t, "", s.Queues[0].DeadLetter)
	require.NoError(t, Set(s, "queues.orders.max_receives", "2").Err())
	assert.Equal(t, "orders-dead", s.Queues[0].DeadLetter)

	require.NoError(t, Set(s, "producers.stream.when_full", "retry").Err())
	assert.Equal(t, patient, s.Producers[1].Retry)
	require.NoError(t, Set(s, "producers.stream.retry.base", "5s").Err())
	require.NotEmpty(t, Set(s, "producers.stream.retry.backoff", "none"), "it would ask again at once, for ever")
	require.NoError(t, Set(s, "producers.stream.when_full", "give_up").Err())
	assert.Equal(t, DefaultQueue("").Retry, s.Producers[1].Retry)

	require.NoError(t, Set(s, "workers.mailer.crash.where", "on_line").Err())
	require.NoError(t, Set(s, "workers.mailer.crash.line", "3").Err())
	require.NoError(t, Set(s, "workers.mailer.crash.where", "anywhere").Err())
	assert.Zero(t, s.Workers[0].Crash.Line)
}

// TestApplySet: the values of a timeline, in place.
func TestApplySet(t *testing.T) {
	s := sample(t)
	pool, queue := &s.Workers[0], &s.Queues[0]
	require.NoError(t, ApplySet(s, "workers.mailer.count", int64(8)))
	require.NoError(t, ApplySet(s, "workers.mailer.handler", "y"))
	require.NoError(t, ApplySet(s, "queues.orders.visibility_timeout", "5s"))
	require.NoError(t, ApplySet(s, "services.mail.latency", event.Object{{Name: "min", Value: "1s"}, {Name: "max", Value: "2s"}}))
	require.NoError(t, ApplySet(s, "tables.seen.effect", true))
	require.NoError(t, ApplySet(s, "workers.mailer.rate_limit", int64(0)))
	assert.Equal(t, int64(8), pool.Count)
	assert.Equal(t, "y", pool.Handler)
	assert.Equal(t, 5*event.Second, queue.VisibilityTimeout)
	assert.Equal(t, UniformLatency, s.Services[0].Latency.Kind)
	assert.True(t, s.Tables[0].Effect)

	require.EqualError(t, ApplySet(s, "workers.mailer.count", "8"), `workers.mailer.count: count: "8" is a text: write 8 without quotes`)
	require.Error(t, ApplySet(s, "seed", int64(8)))
	require.Error(t, ApplySet(s, "services.mail.error", "x"))
	require.Error(t, ApplySet(s, "workers.mailer.count", struct{}{}))
	assert.Equal(t, int64(8), pool.Count)
}

func TestPaths(t *testing.T) {
	settings := map[string]Setting{}
	for _, setting := range Paths(sample(t)) {
		settings[setting.Path] = setting
	}
	assert.Equal(t, Setting{
		Path: "queues.orders.overflow", Kind: KindChoice, Default: "reject", Options: []string{"reject", "block", "drop_oldest"},
		During: true, Doc: "what a full queue does with a new message", Value: "reject",
	}, settings["queues.orders.overflow"])
	assert.Equal(t, Setting{
		Path: "workers.mailer.count", Kind: KindCount, Default: "1", Min: 0, Max: MaxWorkers, During: true, Doc: "how many workers", Value: "1",
	}, settings["workers.mailer.count"])
	assert.Equal(t, Setting{Path: "until", Kind: KindDuration, Default: "never", Never: true, Doc: "when the run ends; by default when nothing more can happen", Value: "60s"}, settings["until"])
	for _, path := range []string{"services.slow.latency.mean", "services.even.latency.max", "services.mail.latency", "workers.mailer.crash.probability", "queues.orders.ttl.retry.cap", "producers.stream.keys"} {
		assert.Contains(t, settings, path)
	}
	for _, path := range []string{"services.mail.latency.mean", "workers.biller.crash.probability", "producers.shop.keys", "producers.shop.send", "workers.mailer.crash"} {
		assert.NotContains(t, settings, path)
	}
}

func TestClone(t *testing.T) {
	s := sample(t)
	c := s.Clone()
	c.Topics[0].To[0], c.Producers[0].Send[0].Priority, c.Workers[1].From[0], c.Workers[1].Crash.Exact[0].Line = "x", 9, "x", 9
	c.Queues[0].MaxSize, c.Services[0].Error, c.Tables[0].Effect = 9, "x", true
	assert.Equal(t, sample(t), s)
}

func TestReserved(t *testing.T) {
	for _, name := range []string{"ack", "publish", "msg", "on_message", "print", "len", "True", "for", "class"} {
		assert.True(t, Reserved(name), name)
	}
	assert.False(t, Reserved("send_email"))
}
