package scenario

import (
	"math"
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
)

// The tables: every field of the language with its form, its default and what
// it means. Whatever deals with fields goes by them.

const maxPriority = 1_000_000_000

var retryRecord = lead("backoff", finished(newRecord[Retry]("a retry", "{backoff: fixed, base: 1s}",
	describe("backoff", choice[Backoff]("none", "fixed", "linear", "exponential"), "none", "how the delay grows from one hand-out to the next", func(r *Retry) any { return &r.Backoff }),
	describe("base", durationForm{}, "1s", "the delay after the first hand-out", func(r *Retry) any { return &r.Base }),
	describe("cap", durationForm{}, "60s", "the longest delay", func(r *Retry) any { return &r.Cap }),
	describe("jitter", choice[Jitter]("none", "full", "equal"), "none", "draw the delay: full from 0 to it, equal from half of it to it", func(r *Retry) any { return &r.Jitter }),
), finishRetry))

var queueRecord = newRecord[Queue]("a queue", "{visibility_timeout: 30s}",
	describe("visibility_timeout", durationForm{}, "30s", "how long a taken message stays hidden; 0s: no timer", func(q *Queue) any { return &q.VisibilityTimeout }),
	describe("max_receives", countForm{0, 1_000_000}, "0", "hand-outs before a message is dead-lettered; 0: no limit", func(q *Queue) any { return &q.MaxReceives }),
	describe("dead_letter", deadLetterForm{}, "", "the queue that dead letters go to; by default <queue>-dead", func(q *Queue) any { return q }),
	describe("max_size", countForm{0, MaxMessages}, "0", "most messages waiting; 0: no bound", func(q *Queue) any { return &q.MaxSize }),
	describe("overflow", choice[Overflow]("reject", "block", "drop_oldest"), "reject", "what a full queue does with a new message", func(q *Queue) any { return &q.Overflow }),
	describe("ttl", durationForm{}, "0s", "a message still waiting this long after it was accepted is removed; 0s: never", func(q *Queue) any { return &q.TTL }),
	describe("delay", durationForm{}, "0s", "before a newly accepted message can be handed out", func(q *Queue) any { return &q.Delay }),
	describe("order", choice[Order]("fifo", "per_key", "priority"), "fifo", "who is next", func(q *Queue) any { return &q.Order }),
	describe("return_to", choice[ReturnTo]("tail", "head", "original"), "tail", "where a message that comes back waits", func(q *Queue) any { return &q.ReturnTo }),
	describe("dead_letter_on", choice[DeadLetterOn]("return", "receive"), "return", "moved when its last hand-out ends, or when it would be handed out again", func(q *Queue) any { return &q.DeadLetterOn }),
	describe("late_ack", choice[LateAck]("accept", "ignore"), "accept", "an ack after the timer ended, while nobody else has the message yet", func(q *Queue) any { return &q.LateAck }),
	describe("notice", choice[Notice]("timer", "connection"), "timer", "how the broker learns that a worker died", func(q *Queue) any { return &q.Notice }),
	describe("notice_after", durationForm{}, "0s", "with notice: connection, how long until it notices", func(q *Queue) any { return &q.NoticeAfter }),
	describe("dispatch", choice[Dispatch]("first_idle", "round_robin"), "first_idle", "which worker gets the next message", func(q *Queue) any { return &q.Dispatch }),
	describe("retry", retryRecord, "", "how long a message waits before the next try", func(q *Queue) any { return &q.Retry }),
)

var topicRecord = newRecord[Topic]("a topic", "{to: [emails, analytics]}",
	need(describe("to", namesForm{of: "a queue"}, "", "the queues that get a copy of every message, such as [emails, analytics]", func(t *Topic) any { return &t.To })),
)

var messageRecord = newRecord[Message]("a message", "{id: 101}",
	always(describe("id", idForm{}, "", "a whole number or a text; by default first_id and its position", func(m *Message) any { return &m.ID })),
	describe("body", bodyForm{}, "", "what it carries: any value", func(m *Message) any { return &m.Body }),
	describe("at", durationForm{}, "0s", "when it is sent", func(m *Message) any { return &m.At }),
	describe("key", keyForm{}, "", "its key, for order: per_key and for `lost`", func(m *Message) any { return keyRef{&m.Key, &m.KeyGiven, &m.KeyNumber} }),
	describe("type", textForm{"a text such as order"}, "", "what msg.type gives", func(m *Message) any { return &m.Type }),
	describe("priority", countForm{-maxPriority, maxPriority}, "0", "with order: priority, higher goes first", func(m *Message) any { return &m.Priority }),
	describe("delay", ownDelay{durationForm{never: true}}, "never", "before it can be handed out, instead of the queue's delay", func(m *Message) any { return &m.Delay }),
)

var shareRecord = newRecord[Share]("a share of a mix", "{share: 95, body: good}",
	need(describe("share", countForm{1, 1_000_000_000}, "", "its weight among the shares, such as 95", func(m *Share) any { return &m.Share })),
	describe("body", bodyForm{}, "", "what its messages carry: any value", func(m *Share) any { return &m.Body }),
	describe("key", keyForm{}, "", "the key of its messages", func(m *Share) any { return keyRef{&m.Key, &m.KeyGiven, &m.KeyNumber} }),
	describe("type", textForm{"a text such as order"}, "", "what msg.type gives", func(m *Share) any { return &m.Type }),
	describe("priority", countForm{-maxPriority, maxPriority}, "0", "with order: priority, higher goes first", func(m *Share) any { return &m.Priority }),
)

var producerRecord = idling(finished(newRecord[Producer]("a producer", "{to: orders, rate: 8/s, count: 400}",
	need(describe("to", nameForm{"a queue or topic"}, "", "the queue or topic that it sends to", func(p *Producer) any { return &p.To })),
	describe("send", sendForm{}, "", "exact messages, such as [{id: 101}, {id: 102}]", func(p *Producer) any { return p }),
	describe("rate", rateForm{}, "0", "a stream of messages, such as 8/s", func(p *Producer) any { return &p.Rate }),
	describe("arrivals", choice[Arrivals]("steady", "poisson"), "steady", "even gaps, or gaps by chance", func(p *Producer) any { return &p.Arrivals }),
	describe("count", countForm{1, MaxMessages}, "", "how many messages the stream has", func(p *Producer) any { return &p.Count }),
	describe("until", durationForm{never: true}, "never", "when the stream ends", func(p *Producer) any { return &p.Until }),
	describe("start", durationForm{}, "0s", "when the stream starts", func(p *Producer) any { return &p.Start }),
	describe("first_id", countForm{math.MinInt32, math.MaxInt64 - MaxMessages}, "1", "ids count up from here", func(p *Producer) any { return &p.FirstID }),
	describe("keys", countForm{0, MaxMessages}, "0", "a message's key is its id modulo keys; 0: no key", func(p *Producer) any { return &p.Keys }),
	describe("body", bodyForm{}, "", "what each message of the stream carries: any value", func(p *Producer) any { return &p.Body }),
	describe("mix", listOf[Share]{shareRecord}, "", "the bodies that the stream draws from, such as [{share: 95, body: good}, {share: 5, body: bad}]", func(p *Producer) any { return &p.Mix }),
	describe("type", textForm{"a text such as order"}, "", "what msg.type gives", func(p *Producer) any { return &p.Type }),
	describe("priority", countForm{-maxPriority, maxPriority}, "0", "with order: priority, higher goes first", func(p *Producer) any { return &p.Priority }),
	describe("delay", ownDelay{durationForm{never: true}}, "never", "before a message can be handed out, instead of the queue's delay", func(p *Producer) any { return &p.Delay }),
	describe("when_full", choice[WhenFull]("give_up", "retry"), "give_up", "what it does when the queue refuses a message", func(p *Producer) any { return &p.WhenFull }),
	describe("retry", producerRetry{retryRecord}, "", "with when_full: retry, how long it waits before it asks again", func(p *Producer) any { return p }),
), finishProducer), idleWithSend)

var latencyRecord = newRecord[Latency]("a latency", "{min: 100ms, max: 300ms}",
	describe("mean", durationForm{}, "", "the mean, with spread: exponential", func(l *Latency) any { return &l.Mean }),
	describe("spread", spreadForm{}, "", "exponential", func(l *Latency) any { return &l.Kind }),
	describe("min", durationForm{}, "", "the least, with max", func(l *Latency) any { return &l.Min }),
	describe("max", durationForm{}, "", "the most, with min", func(l *Latency) any { return &l.Max }),
)

var failsRecord = newRecord[Fails]("the fails of a service", "{first: 1}, {probability: 10%} or {from: 10s, to: 20s}",
	describe("first", countForm{0, MaxMessages}, "0", "how many calls fail at the beginning", func(f *Fails) any { return &f.First }),
	describe("probability", probabilityForm{}, "0%", "the chance that a call fails", func(f *Fails) any { return &f.Probability }),
	describe("from", durationForm{never: true}, "never", "when an outage starts", func(f *Fails) any { return &f.From }),
	describe("to", durationForm{never: true}, "never", "when the outage is over", func(f *Fails) any { return &f.To }),
)

var serviceRecord = newRecord[Service]("a service", "{latency: 200ms}",
	describe("latency", latencyForm{}, "0s", "how long a call takes: 200ms, {mean: 200ms, spread: exponential} or {min: 100ms, max: 300ms}", func(s *Service) any { return &s.Latency }),
	describe("fails", failsRecord, "", "which calls fail", func(s *Service) any { return &s.Fails }),
	describe("error", errorForm{}, "", "what a failing call says; by default <service> failed", func(s *Service) any { return s }),
	describe("rate_limit", rateForm{}, "0", "calls above it fail at once with \"too many requests\"; 0: no limit", func(s *Service) any { return &s.RateLimit }),
	describe("idempotency", choice[Idempotency]("none", "key"), "none", "key: a repeated idempotency_key has no second effect", func(s *Service) any { return &s.Idempotency }),
)

var tableRecord = newRecord[Table]("a table", "{effect: true}",
	describe("ttl", durationForm{}, "0s", "how long a row stays after its last write; 0s: for ever", func(t *Table) any { return &t.TTL }),
	describe("latency", latencyForm{}, "0s", "how long a call takes", func(t *Table) any { return &t.Latency }),
	describe("effect", boolForm{}, "false", "whether its inserts and adds count as side effects", func(t *Table) any { return &t.Effect }),
)

var whereChoice = choice[Where]("anywhere", "before_effect", "after_effect", "on_line")

var crashRecord = lead("probability", newRecord[Crash]("a crash", "{probability: 10%}",
	describe("probability", probabilityForm{}, "0%", "the chance that a run of the handler crashes, such as 10%", func(c *Crash) any { return &c.Probability }),
	describe("where", whereChoice, "anywhere", "where in the run", func(c *Crash) any { return &c.Where }),
	describe("line", countForm{1, MaxHandlerBytes}, "", "with where: on_line, before which line of the handler", func(c *Crash) any { return &c.Line }),
))

var exactCrashRecord = newRecord[ExactCrash]("an exact crash", "{message: 2, where: after_effect}",
	need(describe("message", idForm{}, "", "the id of the message, such as 101", func(c *ExactCrash) any { return &c.Message })),
	describe("receive", countForm{1, 1_000_000}, "1", "in which of its hand-outs", func(c *ExactCrash) any { return &c.Receive }),
	describe("where", whereChoice, "anywhere", "where in the run", func(c *ExactCrash) any { return &c.Where }),
	describe("line", countForm{1, MaxHandlerBytes}, "", "with where: on_line, before which line of the handler", func(c *ExactCrash) any { return &c.Line }),
)

var poolRecord = newRecord[Pool]("a pool of workers", "from, count and handler",
	need(describe("from", namesForm{one: true, of: "a queue"}, "", "the queue that they take from, or several in order of preference", func(p *Pool) any { return &p.From })),
	describe("count", countForm{0, MaxWorkers}, "1", "how many workers", func(p *Pool) any { return &p.Count }),
	describe("prefetch", countForm{0, 1_000_000}, "1", "most unacknowledged messages one worker holds; 0: no bound", func(p *Pool) any { return &p.Prefetch }),
	describe("acknowledge", choice[Acknowledge]("manual", "on_delivery", "on_return"), "manual", "who acks, and when", func(p *Pool) any { return &p.Acknowledge }),
	describe("on_error", choice[OnError]("wait", "nack", "reject"), "wait", "what becomes of a message whose handler failed: wait for the timer, give it back, or send it to the dead letters", func(p *Pool) any { return &p.OnError }),
	describe("restart_after", durationForm{never: true}, "1s", "after a crash; never keeps it down", func(p *Pool) any { return &p.RestartAfter }),
	describe("rate_limit", rateForm{}, "0", "hand-outs for the whole pool, such as 100/m; 0: no limit", func(p *Pool) any { return &p.RateLimit }),
	describe("crash", crashForm{}, "", "{probability: 10%}, or a list of exact ones such as [{message: 2, where: after_effect}]", func(p *Pool) any { return &p.Crash }),
	need(describe("handler", handlerForm{}, "", "the code of on_message(msg), in Starlark", func(p *Pool) any { return handlerRef{p} })),
)

var entryRecord = finished(newRecord[Entry]("an entry of the timeline", "{at: 5s, crash: mailer/1}",
	describe("at", durationForm{}, "0s", "when", func(e *Entry) any { return &e.At }),
	describe("set", nameForm{"a setting, such as workers.mailer.count"}, "", "the path of the setting to change; `to` is its new value", func(e *Entry) any { return &e.Set }),
	describe("crash", nameForm{"a worker, such as mailer/1"}, "", "the worker that dies, such as mailer/1", func(e *Entry) any { return &e.Crash }),
	describe("redrive", nameForm{"a dead-letter queue"}, "", "the dead-letter queue whose messages go back; `to` is where, by default where they came from", func(e *Entry) any { return &e.Redrive }),
	describe("to", toForm{}, "", "with set: the new value; with redrive: a queue", func(e *Entry) any { return e }),
	describe("edit", editForm{}, "", "the id of the messages to change; `body` is their new body", func(e *Entry) any { return e }),
	describe("body", editBody{}, "", "with edit: the new body", func(e *Entry) any { return e }),
	describe("pause", nameForm{"a producer"}, "", "the producer to pause", func(e *Entry) any { return &e.Pause }),
	describe("resume", nameForm{"a producer"}, "", "the producer to go on", func(e *Entry) any { return &e.Resume }),
), finishEntry)

var limitsRecord = newRecord[Limits]("the limits", "{events: 1000000, time: 24h}",
	describe("events", countForm{1, MaxEvents}, "1000000", "the most events of a run", func(l *Limits) any { return &l.Events }),
	describe("time", durationForm{}, "24h", "the longest run, in virtual time", func(l *Limits) any { return &l.Time }),
)

var (
	queuesForm    = named[Queue]{queueRecord, func(q *Queue) *string { return &q.Name }, queueName}
	topicsForm    = named[Topic]{topicRecord, func(t *Topic) *string { return &t.Name }, queueName}
	producersForm = named[Producer]{producerRecord, func(p *Producer) *string { return &p.Name }, producerName}
	servicesForm  = named[Service]{serviceRecord, func(s *Service) *string { return &s.Name }, calledName}
	tablesForm    = named[Table]{tableRecord, func(t *Table) *string { return &t.Name }, calledName}
	workersForm   = named[Pool]{poolRecord, func(p *Pool) *string { return &p.Name }, poolName}
)

var scenarioRecord = newRecord[Scenario]("a scenario", "queues, producers and workers",
	describe("title", textForm{"a title"}, "", "what it shows", func(s *Scenario) any { return &s.Title }),
	describe("seed", seedForm{}, "1", "all chance of a run comes from it", func(s *Scenario) any { return &s.Seed }),
	describe("until", durationForm{never: true}, "never", "when the run ends; by default when nothing more can happen", func(s *Scenario) any { return &s.Until }),
	describe("limits", limitsRecord, "", "reaching one ends the run and says so", func(s *Scenario) any { return &s.Limits }),
	describe("queues", queuesForm, "", "the queues of the broker", func(s *Scenario) any { return &s.Queues }),
	describe("topics", topicsForm, "", "each hands a copy of every message to several queues", func(s *Scenario) any { return &s.Topics }),
	describe("producers", producersForm, "", "who sends messages", func(s *Scenario) any { return &s.Producers }),
	describe("services", servicesForm, "", "where side effects happen; the queue cannot see them", func(s *Scenario) any { return &s.Services }),
	describe("tables", tablesForm, "", "the workers' database, shared by all of them", func(s *Scenario) any { return &s.Tables }),
	describe("workers", workersForm, "", "pools of workers that run one handler each", func(s *Scenario) any { return &s.Workers }),
	describe("timeline", listOf[Entry]{entryRecord}, "", "what the reader, or the outside world, does", func(s *Scenario) any { return &s.Timeline }),
	describe("expect", expectForm{}, "", "expressions over the outcome that are to hold", func(s *Scenario) any { return &s.Expect }),
)

func finished[T any](r *record, finish func(d *decoder, n *Node, at string, v *T)) *record {
	r.finish = func(d *decoder, n *Node, at string, v any) { finish(d, n, at, v.(*T)) }
	return r
}

// idleWithSend says which fields of a producer have no use with exact
// messages.
func idleWithSend(p *Producer, name string) bool {
	return p.Rate.IsZero() && (name == "rate" || name == "first_id" || slices.Contains(streamOnly, name))
}

func idling[T any](r *record, idle func(*T, string) bool) *record {
	r.idle = func(v any, name string) bool { return idle(v.(*T), name) }
	return r
}

func lead(name string, r *record) *record {
	r.lead = name
	return r
}

// finishRetry refuses delays that nothing would use.
func finishRetry(d *decoder, n *Node, at string, r *Retry) {
	for _, name := range []string{"base", "cap", "jitter"} {
		if f := n.Field(name); f != nil && n.Field("backoff") == nil {
			d.problem(f, join(at, name), "%s needs a backoff: write backoff: fixed, linear or exponential beside it", name)
			return
		}
	}
}

// finishProducer numbers the messages that have no id.
func finishProducer(d *decoder, n *Node, at string, p *Producer) {
	for i := range p.Send {
		if !d.given(join(index(join(at, "send"), i), "id")) {
			p.Send[i].ID = event.ID{Number: p.FirstID + int64(i)}
		}
	}
}

// finishEntry keeps where the entry stands and sorts out its action.
func finishEntry(d *decoder, n *Node, at string, e *Entry) {
	e.Line, e.Column = n.Line, n.Column
	if d.faulty(at) {
		return
	}
	var actions []string
	for _, name := range []string{"set", "crash", "redrive", "edit", "pause", "resume"} {
		if n.Field(name) != nil {
			actions = append(actions, name)
		}
	}
	switch {
	case len(actions) == 0:
		d.problem(n, at, "the entry does nothing: write one of set, crash, redrive, edit, pause or resume")
		return
	case len(actions) > 1:
		d.problem(n, at, "the entry does several things, %s: write one entry for each", listed(actions))
		return
	}
	action := actions[0]
	to, body := n.Field("to"), n.Field("body")
	if to != nil && action != "set" && action != "redrive" {
		d.problem(to, join(at, "to"), "`to` goes with set and redrive, not with %s: leave it out", action)
	}
	if to == nil && action == "set" {
		d.problem(n, at, "set needs `to`, the new value: {set: %s, to: ...}", e.Set)
	}
	if body != nil && action != "edit" {
		d.problem(body, join(at, "body"), "`body` goes with edit, not with %s: leave it out", action)
	}
	if body == nil && action == "edit" {
		d.problem(n, at, "edit needs `body`, the new body: {edit: %s, body: ...}", e.Edit)
	}
	if action == "redrive" && to != nil {
		nameForm{"a queue"}.read(d, to, join(at, "to"), &e.RedriveTo)
		e.To = nil
	}
}
