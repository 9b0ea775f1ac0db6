package naive

import (
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/chance"
)

// Choose decides between n possibilities, from 0: what says between which.
type Choose func(what string, n int) int

// Generate writes a random scenario as one would write it by hand, in YAML.
// Numbers are small and durations few, so that much happens at one instant.
// Every choice has its plainest value first, which is what a shrinking choose
// turns to.
func Generate(choose Choose) string {
	g := &generator{choose: choose}
	return g.scenario()
}

// Seeded chooses by a seed alone: the same scenario everywhere and always, as
// long as the generator does not change.
func Seeded(seed uint64) Choose {
	draws, n := chance.New(seed), 0
	return func(what string, among int) int {
		n++
		return int(draws.Below(uint64(among), chance.For(what), 0, n))
	}
}

type generator struct {
	choose Choose
	b      strings.Builder

	queues, topics, producers, services, tables, pools []string
	chancy                                             map[string]bool // pools that crash by chance
	manned                                             []string        // workers that are there at the start
	letters                                            []string        // dead-letter queues with a name of their own
	streams                                            map[string]bool
	helper                                             bool // the handler at hand has a function help
}

func (g *generator) pick(what string, from ...string) string {
	return from[g.choose(what, len(from))]
}

func (g *generator) number(what string, low, high int) int {
	return low + g.choose(what, high-low+1)
}

// oneIn is true one time in n, and false in the plainest scenario.
func (g *generator) oneIn(n int, what string) bool {
	return g.choose(what, n) == n-1
}

func (g *generator) line(format string, args ...any) {
	fmt.Fprintf(&g.b, format+"\n", args...)
}

// duration is one of few, many of them sums of others.
func (g *generator) duration(what string) string {
	return g.pick(what, "1s", "2s", "3s", "500ms", "1500ms", "4s")
}

func (g *generator) orNone(what string) string {
	return g.pick(what, "0s", "1s", "2s", "500ms")
}

func (g *generator) rate(what string) string {
	return g.pick(what, "1/s", "2/s", "3/s", "30/m", "7/s")
}

// fields gathers "name: value" pairs, leaving many out.
type fields struct {
	g    *generator
	list []string
}

func (f *fields) add(name, value string) { f.list = append(f.list, name+": "+value) }

func (f *fields) maybe(n int, name string, value func() string) {
	if f.g.oneIn(n, "has "+name) {
		f.add(name, value())
	}
}

func (f *fields) String() string { return "{" + strings.Join(f.list, ", ") + "}" }

// scenario draws a whole scenario.
func (g *generator) scenario() string {
	g.line("seed: %d", g.number("seed", 1, 3))
	if g.oneIn(3, "has until") {
		g.line("until: %s", g.pick("until", "5s", "8s", "12s", "2500ms"))
	}
	limit := "40s"
	if g.oneIn(20, "short limit") {
		limit = "5s"
	}
	events := 4000
	if g.oneIn(20, "few events") {
		events = g.number("events", 1, 60)
	}
	g.line("limits: {events: %d, time: %s}", events, limit)
	g.queues = []string{"a", "b", "c"}[:g.number("queues", 1, 3)]
	g.services = []string{"mail", "pay"}[:g.number("services", 1, 2)]
	g.tables = []string{"seen", "sums"}[:g.number("tables", 1, 2)]
	if len(g.queues) > 1 && g.oneIn(3, "has a topic") {
		g.topics = []string{"news"}
	}
	g.line("queues:")
	for i, q := range g.queues {
		g.line("  %s: %s", q, g.queue(i, q))
	}
	if len(g.letters) > 0 && g.oneIn(4, "letters of its own") {
		g.line("  %s: %s", g.letters[0], g.ofLetters())
	}
	if len(g.topics) > 0 {
		g.line("topics: {news: {to: [%s]}}", strings.Join(g.queues[:g.number("topic to", 1, len(g.queues))], ", "))
	}
	g.line("services:")
	for _, s := range g.services {
		g.line("  %s: %s", s, g.service())
	}
	g.line("tables:")
	for _, t := range g.tables {
		g.line("  %s: %s", t, g.table())
	}
	g.line("producers:")
	g.streams, g.chancy = map[string]bool{}, map[string]bool{}
	for i := range g.number("producers", 1, 3) {
		name := []string{"shop", "till", "web"}[i]
		g.producers = append(g.producers, name)
		g.producer(name)
	}
	g.line("workers:")
	for i := range g.number("pools", 1, 3) {
		name := []string{"cook", "mailer", "clerk"}[i]
		g.pools = append(g.pools, name)
		g.pool(name)
	}
	if n := g.number("timeline", 0, 5); n > 0 {
		g.line("timeline:")
		for range n {
			g.line("  - %s", g.entry())
		}
	}
	return g.b.String()
}

// ofLetters are the settings of a dead-letter queue that the file lists.
func (g *generator) ofLetters() string {
	f := &fields{g: g}
	g.settings(f)
	return f.String()
}

func (g *generator) queue(i int, name string) string {
	f := &fields{g: g}
	g.settings(f)
	if i+1 < len(g.queues) && g.oneIn(4, "dead letters to the next") {
		f.add("dead_letter", g.queues[i+1])
	} else if g.oneIn(4, "dead_letter") {
		f.add("dead_letter", name+"-lost")
		g.letters = append(g.letters, name+"-lost")
	} else {
		g.letters = append(g.letters, name+"-dead")
	}
	return f.String()
}

func (g *generator) settings(f *fields) {
	f.maybe(2, "visibility_timeout", func() string { return g.pick("visibility", "2s", "1s", "3s", "0s", "1500ms", "500ms") })
	f.maybe(2, "max_receives", func() string { return fmt.Sprint(g.number("max_receives", 1, 3)) })
	if g.oneIn(2, "has max_size") {
		f.add("max_size", g.pick("max_size", "2", "1", "3"))
		f.add("overflow", g.pick("overflow", "block", "block", "drop_oldest", "reject"))
	}
	f.maybe(4, "ttl", func() string { return g.duration("ttl") })
	f.maybe(4, "delay", func() string { return g.orNone("delay") })
	f.maybe(2, "order", func() string { return g.pick("order", "per_key", "priority") })
	f.maybe(2, "return_to", func() string { return g.pick("return_to", "head", "original") })
	f.maybe(3, "dead_letter_on", func() string { return "receive" })
	f.maybe(4, "late_ack", func() string { return "ignore" })
	if g.oneIn(2, "notice") {
		f.add("notice", "connection")
		f.maybe(2, "notice_after", func() string { return g.orNone("notice_after") })
	}
	f.maybe(3, "dispatch", func() string { return "round_robin" })
	f.maybe(2, "retry", g.retry)
}

func (g *generator) retry() string {
	f := &fields{g: g}
	f.add("backoff", g.pick("backoff", "fixed", "linear", "exponential"))
	f.add("base", g.pick("base", "1s", "500ms", "2s", "0s"))
	f.maybe(3, "cap", func() string { return g.pick("cap", "2s", "3s") })
	f.maybe(4, "jitter", func() string { return g.pick("jitter", "full", "equal") })
	return f.String()
}

func (g *generator) latency() string {
	switch g.number("latency", 0, 5) {
	case 4:
		return "{min: 500ms, max: 2s}"
	case 5:
		return "{mean: 1s, spread: exponential}"
	default:
		return g.pick("constant latency", "1s", "0s", "500ms", "2s", "3s")
	}
}

func (g *generator) service() string {
	f := &fields{g: g}
	f.add("latency", g.latency())
	switch g.number("fails", 0, 5) {
	case 3:
		f.add("fails", fmt.Sprintf("{first: %d}", g.number("first", 1, 3)))
	case 4:
		f.add("fails", "{probability: 30%}")
	case 5:
		f.add("fails", g.pick("outage", "{from: 1s, to: 3s}", "{from: 2s}", "{first: 1, from: 1s, to: 2s}"))
	}
	f.maybe(4, "rate_limit", func() string { return g.rate("service rate") })
	f.maybe(3, "idempotency", func() string { return "key" })
	f.maybe(5, "error", func() string { return "out of order" })
	return f.String()
}

func (g *generator) table() string {
	f := &fields{g: g}
	f.maybe(3, "latency", g.latency)
	f.maybe(3, "ttl", func() string { return g.duration("ttl") })
	f.maybe(3, "effect", func() string { return "true" })
	return f.String()
}

func (g *generator) target() string {
	return g.pick("to", append(append([]string{}, g.queues...), g.topics...)...)
}

func (g *generator) producer(name string) {
	to := g.target()
	if len(g.letters) > 0 && g.oneIn(10, "to the dead letters") {
		to = g.letters[0]
	}
	if g.oneIn(2, "stream") {
		g.streams[name] = true
		g.line("  %s: %s", name, g.stream(to))
		return
	}
	g.line("  %s:", name)
	g.line("    to: %s", to)
	if g.oneIn(5, "ids from") {
		g.line("    first_id: %d", g.number("first_id", -2, 2))
	}
	g.line("    send:")
	for range g.number("messages", 1, 8) {
		f := &fields{g: g}
		f.maybe(3, "id", func() string { return g.pick("id", "1", "2", "7", `"1"`, "order-7") })
		f.maybe(2, "at", func() string { return g.pick("at", "1s", "2s", "500ms", "3s", "0s") })
		f.maybe(2, "key", func() string { return g.pick("key", "ann", "bob") })
		f.maybe(3, "priority", func() string { return g.pick("priority", "1", "2", "-1") })
		f.maybe(5, "delay", func() string { return g.orNone("message delay") })
		f.maybe(3, "body", func() string { return g.pick("body", "{n: 2}", "{n: 0, type: order}", "text") })
		f.maybe(5, "type", func() string { return "note" })
		g.line("      - %s", f)
	}
	g.whenFull()
}

func (g *generator) whenFull() {
	if g.oneIn(2, "when_full") {
		g.line("    when_full: retry")
		if g.oneIn(2, "retry") {
			g.line("    retry: %s", g.pick("producer retry", "{backoff: fixed, base: 1s}", "{backoff: fixed, base: 500ms}", "{backoff: linear, base: 1s, cap: 2s}", "{backoff: exponential, base: 500ms, jitter: equal}"))
		}
	}
}

func (g *generator) stream(to string) string {
	f := &fields{g: g}
	f.add("to", to)
	f.add("rate", g.rate("rate"))
	f.maybe(4, "arrivals", func() string { return "poisson" })
	if g.oneIn(8, "no count") {
		f.add("until", g.pick("stream until", "2s", "3s", "2500ms"))
	} else {
		f.add("count", fmt.Sprint(g.number("count", 1, 8)))
		f.maybe(5, "until", func() string { return g.pick("stream until", "3s", "4s") })
	}
	f.maybe(3, "start", func() string { return g.orNone("start") })
	f.maybe(5, "first_id", func() string { return fmt.Sprint(g.number("first_id", -2, 2)) })
	f.maybe(3, "keys", func() string { return fmt.Sprint(g.number("keys", 1, 3)) })
	f.maybe(5, "priority", func() string { return g.pick("priority", "1", "-1") })
	f.maybe(5, "delay", func() string { return g.orNone("stream delay") })
	f.maybe(5, "type", func() string { return "note" })
	if g.oneIn(3, "mix") {
		f.add("mix", "[{share: 2, body: {n: 1}}, {share: 1, body: {n: 2}, key: ann, priority: 1}, {share: 1, body: 5, type: note}]")
	} else {
		f.maybe(3, "body", func() string { return g.pick("stream body", "{n: 2}", "{n: 0, type: order}", "[1, x]") })
	}
	if g.oneIn(2, "when_full") {
		f.add("when_full", "retry")
		f.maybe(2, "retry", func() string { return "{backoff: linear, base: 500ms}" })
	}
	return f.String()
}

// froms are the queues that a pool takes from.
func (g *generator) froms() string {
	from := append([]string{}, g.queues...)
	if g.oneIn(4, "dead letters too") {
		from = append(from, g.letters...)
	}
	for i := range from {
		j := i + g.choose("from", len(from)-i)
		from[i], from[j] = from[j], from[i]
	}
	return "[" + strings.Join(from[:g.number("how many", 1, min(3, len(from)))], ", ") + "]"
}

func (g *generator) pool(name string) {
	g.line("  %s:", name)
	g.line("    from: %s", g.froms())
	f := &fields{g: g}
	count := 1
	if g.oneIn(2, "has count") {
		count = g.number("count", 1, 4) % 4 // 1, 2, 3 or, seldom, none
		f.add("count", fmt.Sprint(count))
	}
	for n := 1; n <= count; n++ {
		g.manned = append(g.manned, fmt.Sprintf("%s/%d", name, n))
	}
	f.maybe(3, "prefetch", func() string { return fmt.Sprint(g.number("prefetch", 0, 3)) })
	f.maybe(3, "acknowledge", func() string { return g.pick("acknowledge", "on_return", "on_delivery") })
	f.maybe(2, "on_error", func() string { return g.pick("on_error", "nack", "reject", "wait") })
	f.maybe(3, "restart_after", func() string { return g.pick("restart_after", "0s", "2s", "500ms", "never") })
	f.maybe(5, "rate_limit", func() string { return g.rate("pool rate") })
	if g.oneIn(2, "has crash") {
		crash, byChance := g.crash()
		f.add("crash", crash)
		g.chancy[name] = byChance
	}
	for _, field := range f.list {
		g.line("    %s", field)
	}
	g.line("    handler: |")
	g.line("%s", g.handler())
}

func (g *generator) crash() (text string, byChance bool) {
	where := func() string {
		return g.pick("where", "anywhere", "before_effect", "after_effect", "on_line, line: 3", "on_line, line: 2", "on_line, line: 5")
	}
	if g.oneIn(2, "by chance") {
		return fmt.Sprintf("{probability: %s, where: %s}", g.pick("probability", "50%", "20%", "100%"), where()), true
	}
	var list []string
	for range g.number("exact", 1, 3) {
		f := &fields{g: g}
		f.add("message", g.pick("message", "1", "2", "3", `"1"`))
		f.maybe(3, "receive", func() string { return fmt.Sprint(g.number("receive", 1, 2)) })
		f.add("where", where())
		list = append(list, f.String())
	}
	return "[" + strings.Join(list, ", ") + "]", false
}

// handler draws a program from a small grammar.
func (g *generator) handler() string {
	var b strings.Builder
	if g.helper = g.oneIn(4, "helper"); g.helper {
		g.helper = false // it does not call itself
		b.WriteString("      def help(msg):\n")
		g.block(&b, "          ", g.number("helping statements", 1, 2), 1)
		g.helper = true
	}
	b.WriteString("      def on_message(msg):\n")
	g.block(&b, "          ", g.number("statements", 1, 5), 0)
	return strings.TrimRight(b.String(), "\n")
}

func (g *generator) block(b *strings.Builder, indent string, statements, depth int) {
	for range statements {
		g.statement(b, indent, depth)
	}
}

func (g *generator) statement(b *strings.Builder, indent string, depth int) {
	compound := func(head string) {
		fmt.Fprintf(b, "%s%s\n", indent, head)
		g.block(b, indent+"    ", g.number("inner statements", 1, 2), depth+1)
	}
	if depth < 2 && g.oneIn(4, "compound") {
		switch g.number("which compound", 0, 2) {
		case 0:
			compound("if " + g.condition() + ":")
		case 1:
			compound(fmt.Sprintf("for i in range(%d):", g.number("times", 1, 3)))
		case 2:
			compound("if " + g.condition() + ":")
			fmt.Fprintf(b, "%selse:\n", indent)
			g.block(b, indent+"    ", 1, depth+1)
		}
		return
	}
	fmt.Fprintf(b, "%s%s\n", indent, g.simple())
}

func (g *generator) key() string {
	return g.pick("key", "msg.id", "msg.key", `"x"`, "msg.receives")
}

func (g *generator) simple() string {
	if g.helper && g.oneIn(3, "help") {
		return "help(msg)"
	}
	switch g.number("statement", 0, 12) {
	case 0:
		return "ack(msg)"
	case 1, 2:
		service := g.pick("service", g.services...)
		switch g.number("arguments", 0, 3) {
		case 1:
			return fmt.Sprintf("%s(%s, amount=%d)", service, g.key(), g.number("amount", 1, 3))
		case 2, 3:
			return fmt.Sprintf("%s(%s, idempotency_key=%s)", service, g.key(), g.key())
		}
		return fmt.Sprintf("%s(%s)", service, g.key())
	case 3:
		return fmt.Sprintf("sleep(%s)", g.pick("sleep", "1", "0.5", "2", "0"))
	case 4:
		return fmt.Sprintf("nack(msg%s)", g.pick("nack delay", ", delay=1", ", delay=0.5", ", delay=2", "", ", delay=0", ", delay=None")) + "\n"
	case 5:
		return "reject(msg)"
	case 6:
		return fmt.Sprintf("extend(msg, %s)", g.pick("extend", "1", "2", "0", "0.5"))
	case 7:
		return g.publish()
	case 8:
		return g.tableCall()
	case 9:
		return fmt.Sprintf("if not ack(msg): %s", g.pick("after a refused ack", "fail(\"late\")", "nack(msg, 1)", "mail(msg.id)"))
	case 10:
		return `fail("no")`
	case 11:
		return "print(msg.type, msg.redelivered, msg.sent_at, now())"
	default:
		return "pass"
	}
}

func (g *generator) publish() string {
	f := ""
	if g.oneIn(3, "key") {
		f += ", key=msg.key or \"ann\""
	}
	if g.oneIn(4, "id") {
		f += ", id=" + g.pick("published id", "msg.id", "7", `"p"`)
	}
	if g.oneIn(4, "priority") {
		f += ", priority=1"
	}
	if g.oneIn(4, "type") {
		f += `, type="order"`
	}
	if g.oneIn(4, "delay") {
		f += ", delay=" + g.pick("published delay", "1", "0", "0.5")
	}
	to := g.target()
	if len(g.letters) > 0 && g.oneIn(10, "publish to the dead letters") {
		to = g.letters[0]
	}
	call := fmt.Sprintf("publish(%q, %s%s)", to, g.pick("published body", "msg.body", "None", `{"n": 2}`), f)
	// Without a bound a handler that publishes to its own queue never ends.
	return fmt.Sprintf("if type(msg.id) == \"int\" and not %s: print(\"refused\")", call)
}

func (g *generator) tableCall() string {
	t := g.pick("table", g.tables...)
	k := g.key()
	switch g.number("table call", 0, 7) {
	case 0:
		return fmt.Sprintf("%s.insert(%s, amount=2)", t, k)
	case 1:
		return fmt.Sprintf("%s.add(%s, amount=1)", t, k)
	case 2:
		return fmt.Sprintf("%s.set(%s, (%s.get(%s) or 0) + 1)", t, k, t, k)
	case 3:
		return fmt.Sprintf("%s.delete(%s)", t, k)
	case 4:
		return fmt.Sprintf("if not %s.insert(%s): ack(msg)", t, k)
	case 5:
		return fmt.Sprintf("if %s.has(%s): fail(\"seen\")", t, k)
	case 6:
		return fmt.Sprintf("%s.insert(%s, value=2)", t, k)
	default:
		return fmt.Sprintf("if (%s.get(%s) or 0) > 1: ack(msg)", t, k)
	}
}

func (g *generator) condition() string {
	return g.pick("condition",
		"msg.receives > 1", "msg.receives > 2", "msg.id == 1", "msg.id == 2", `msg.key == "ann"`, `msg.type == "order"`,
		`type(msg.body) == "dict" and msg.body["n"] > 1`, "now() >= 2", "not "+g.tables[0]+".has(msg.id)",
		`type(msg.id) == "int" and msg.id % 2 == 0`)
}

func (g *generator) entry() string {
	at := g.pick("entry at", "1s", "2s", "500ms", "3s", "0s", "4s", "1500ms", "6s", "9s")
	what := g.action()
	return fmt.Sprintf("{at: %s, %s}", at, what)
}

func (g *generator) action() string {
	switch g.number("action", 0, 10) {
	case 0:
		if len(g.manned) > 0 {
			return "crash: " + g.pick("worker", g.manned...)
		}
		return "pause: " + g.producers[0]
	case 1:
		return "pause: " + g.pick("producer", g.producers...)
	case 2:
		return "resume: " + g.pick("producer", g.producers...)
	case 3, 10:
		if len(g.letters) == 0 {
			return fmt.Sprintf("redrive: %s-dead", g.queues[0])
		}
		to := ""
		if g.oneIn(3, "redrive to") {
			to = ", to: " + g.pick("queue", g.queues...)
		}
		return "redrive: " + g.pick("letters", g.letters...) + to
	case 4:
		return fmt.Sprintf("edit: %s, body: {n: 5, type: order}", g.pick("id", "1", "2", "7", `"1"`, "order-7", `"1.1"`))
	case 5, 9:
		return fmt.Sprintf("set: workers.%s.count, to: %d", g.pick("pool", g.pools...), g.number("count", 0, 4))
	case 6:
		return g.setQueue()
	case 7:
		return g.setPool()
	default:
		return g.setOther()
	}
}

func (g *generator) setQueue() string {
	q := g.pick("queue", g.queues...)
	return fmt.Sprintf("set: queues.%s.%s", q, g.pick("setting",
		"visibility_timeout, to: 1s", "visibility_timeout, to: 0s", "max_receives, to: 1", "max_receives, to: 2", "max_size, to: 1", "max_size, to: 4",
		"max_size, to: 0", "overflow, to: block", "overflow, to: drop_oldest", "overflow, to: reject", "ttl, to: 1s", "ttl, to: 0s", "delay, to: 1s", "delay, to: 0s",
		"order, to: fifo", "order, to: per_key", "order, to: priority", "return_to, to: head", "return_to, to: original", "dead_letter_on, to: receive",
		"dead_letter_on, to: return", "late_ack, to: ignore", "notice, to: connection", "notice, to: timer", "notice_after, to: 1s",
		"dispatch, to: round_robin", "dispatch, to: first_idle", "retry.backoff, to: fixed", "retry.backoff, to: none", "retry.backoff, to: linear", "retry.backoff, to: exponential", "retry.base, to: 500ms", "retry.jitter, to: equal"))
}

func (g *generator) setPool() string {
	p := g.pick("pool", g.pools...)
	if g.chancy[p] && g.oneIn(3, "set its crashes") {
		return fmt.Sprintf("set: workers.%s.crash.%s", p, g.pick("setting", "probability, to: 0%", "probability, to: 100%", "where, to: before_effect", "where, to: on_line", "where, to: anywhere"))
	}
	return fmt.Sprintf("set: workers.%s.%s", p, g.pick("setting",
		"prefetch, to: 1", "prefetch, to: 2", "prefetch, to: 0", "acknowledge, to: manual", "acknowledge, to: on_return", "acknowledge, to: on_delivery",
		"on_error, to: nack", "on_error, to: reject", "on_error, to: wait", "restart_after, to: 0s", "restart_after, to: never", "rate_limit, to: 2/s", "rate_limit, to: 0",
		`handler, to: "def on_message(msg):\n    ack(msg)\n"`, `handler, to: "def on_message(msg):\n    sleep(1)\n    fail(\"new\")\n"`))
}

func (g *generator) setOther() string {
	switch g.number("what to set", 0, 2) {
	case 0:
		return fmt.Sprintf("set: services.%s.%s", g.pick("service", g.services...), g.pick("setting",
			"latency, to: 2s", "latency, to: 0s", "fails.first, to: 5", "fails.from, to: 500ms", "idempotency, to: none", "fails.probability, to: 50%", "fails.to, to: never", "latency, to: {min: 500ms, max: 1s}", "latency, to: {mean: 1s, spread: exponential}", "idempotency, to: key", "rate_limit, to: 1/s", "rate_limit, to: 0"))
	case 1:
		return fmt.Sprintf("set: tables.%s.%s", g.pick("table", g.tables...), g.pick("setting", "ttl, to: 1s", "ttl, to: 0s", "latency, to: 1s", "latency, to: 0s", "effect, to: true", "effect, to: false"))
	}
	p := g.pick("producer", g.producers...)
	if g.streams[p] {
		return fmt.Sprintf("set: producers.%s.%s", p, g.pick("setting", "rate, to: 4/s", "rate, to: 1/s", "arrivals, to: poisson", "keys, to: 2", "count, to: 12", "count, to: 2", "until, to: 4s", "priority, to: 2", "arrivals, to: steady", "keys, to: 0", "first_id, to: 20", "delay, to: 1s", "start, to: 1s", "when_full, to: retry"))
	}
	return fmt.Sprintf("set: producers.%s.when_full, to: %s", p, g.pick("when_full", "give_up", "retry"))
}
