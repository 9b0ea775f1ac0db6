package scenario

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// checker holds a scenario against the rules that concern more than one field.
type checker struct {
	s *Scenario
	d *decoder
	// given reports whether a field was written down, or, after Set, whether
	// it is not at its default.
	given   func(at string) bool
	lenient bool // after Set: rules about what is written do not count

	topics  []string
	queues  []string // those listed, then the dead-letter queues they name
	letters []string // the dead-letter queues among them, made or not
}

// scenario settles and checks all of a decoded scenario.
func (c *checker) scenario() {
	for i := range c.s.Queues {
		settleQueue(&c.s.Queues[i])
	}
	for i := range c.s.Producers {
		p, at := &c.s.Producers[i], ""
		if backoff := join(join("producers", p.Name), "retry/backoff"); c.given(backoff) {
			at = backoff
		}
		settleProducer(p, at)
	}
	for i := range c.s.Services {
		settleService(&c.s.Services[i])
	}
	c.rules()
	if len(c.d.problems) == 0 {
		c.timeline()
	}
}

// rules checks everything but the timeline.
func (c *checker) rules() {
	c.unique("services", "tables", "a service", "handlers could not tell them apart")
	c.unique("queues", "topics", "a queue", "senders could not tell them apart")
	c.gather()
	c.bounds()
	if len(c.queues) > MaxQueues {
		return
	}
	c.cycles()
	for i := range c.s.Queues {
		c.item(&c.s.Queues[i])
	}
	for i := range c.s.Topics {
		c.item(&c.s.Topics[i])
	}
	for i := range c.s.Producers {
		c.item(&c.s.Producers[i])
	}
	for i := range c.s.Services {
		c.item(&c.s.Services[i])
	}
	for i := range c.s.Tables {
		c.item(&c.s.Tables[i])
	}
	for i := range c.s.Workers {
		c.item(&c.s.Workers[i])
	}
}

// touched checks what a set of the timeline can break: it leaves names alone,
// so that only the item itself and the totals count.
func (c *checker) touched(item any) {
	c.gather()
	c.bounds()
	c.item(item)
}

// item checks one named thing.
func (c *checker) item(item any) {
	if c.d.full() {
		return
	}
	switch item := item.(type) {
	case *Queue:
		c.queue(item)
	case *Topic:
		c.topic(item)
	case *Producer:
		c.producer(item)
	case *Service:
		c.service(item)
	case *Table:
		c.latency(join(join("tables", item.Name), "latency"), item.Latency)
	case *Pool:
		c.pool(item)
	}
}

// problem reports something about the value of a path, unless it has a
// problem of its own already.
func (c *checker) problem(at, format string, args ...any) {
	if !c.d.faulty(at) {
		c.d.problemAt(at, format, args...)
	}
}

// unread reports whether a whole section could not be read, so that names may
// be missing through no fault of those who use them.
func (c *checker) unread() bool {
	for _, at := range c.d.bad {
		if !strings.Contains(at, "/") {
			return true
		}
	}
	return false
}

// settle fills in what depends on a field of item that was just set.
func settle(item any, at string) {
	switch item := item.(type) {
	case *Queue:
		settleQueue(item)
	case *Producer:
		settleProducer(item, at)
	case *Service:
		settleService(item)
	case *Pool:
		settlePool(item, at)
	}
}

// settleQueue gives a queue whose messages can die its own dead-letter queue.
func settleQueue(q *Queue) {
	switch own := q.Name + "-dead"; {
	case q.DeadLetter == "" && q.MaxReceives > 0:
		q.DeadLetter = own
	case q.DeadLetter == own && q.MaxReceives == 0:
		q.DeadLetter = ""
	}
}

// settleProducer gives a producer that asks again the delay to do so, and
// takes it from one that does not.
func settleProducer(p *Producer, at string) {
	backoffSet := strings.HasSuffix(at, "/retry/backoff")
	switch {
	case p.WhenFull == RetryWhenFull && p.Retry.Backoff == NoBackoff && !backoffSet:
		p.Retry.Backoff = Fixed
	case p.WhenFull == GiveUp && strings.HasSuffix(at, "/when_full"):
		retryRecord.reset(&p.Retry)
	}
}

func settleService(s *Service) {
	if s.Error == "" {
		s.Error = defaultError(s)
	}
}

// settlePool keeps crash.line to where a crash is on a line.
func settlePool(p *Pool, at string) {
	if !strings.HasSuffix(at, "/crash/where") {
		return
	}
	switch {
	case p.Crash.Where == OnLine && p.Crash.Line == 0:
		p.Crash.Line = 1
	case p.Crash.Where != OnLine:
		p.Crash.Line = 0
	}
}

// gather lists the names that others refer to.
func (c *checker) gather() {
	c.topics = namesIn(c.s, "topics")
	c.queues = namesIn(c.s, "queues")
	if len(c.queues) > MaxQueues {
		return // bounds says so
	}
	for i := range c.s.Queues {
		if dead := c.s.Queues[i].DeadLetter; dead != "" {
			c.letters = append(c.letters, dead)
			if !slices.Contains(c.queues, dead) {
				c.queues = append(c.queues, dead)
			}
		}
	}
}

func (c *checker) unique(first, second, what, why string) {
	taken := namesIn(c.s, first)
	for _, name := range namesIn(c.s, second) {
		if slices.Contains(taken, name) {
			c.problem(join(second, name), "%q is %s already, and %s: choose another name", name, what, why)
		}
	}
}

// namesIn returns the names in a section, in order.
func namesIn(s *Scenario, section string) []string {
	switch section {
	case "queues":
		return collect(s.Queues, func(q *Queue) string { return q.Name })
	case "topics":
		return collect(s.Topics, func(t *Topic) string { return t.Name })
	case "producers":
		return collect(s.Producers, func(p *Producer) string { return p.Name })
	case "services":
		return collect(s.Services, func(s *Service) string { return s.Name })
	case "tables":
		return collect(s.Tables, func(t *Table) string { return t.Name })
	case "workers":
		return collect(s.Workers, func(p *Pool) string { return p.Name })
	}
	return nil
}

func collect[T any](list []T, name func(*T) string) []string {
	names := make([]string, 0, len(list))
	for i := range list {
		names = append(names, name(&list[i]))
	}
	return names
}

// bounds holds the size of the scenario against its limits.
func (c *checker) bounds() {
	if n := len(c.queues); n > MaxQueues {
		c.problem("queues", "there are %d queues, dead-letter queues among them, more than the limit of %d", n, MaxQueues)
	}
	workers, messages := int64(0), int64(0)
	for i := range c.s.Workers {
		workers += c.s.Workers[i].Count
	}
	if workers > MaxWorkers {
		c.problem("workers", "there are %d workers, more than the limit of %d: lower a count", workers, MaxWorkers)
	}
	for i := range c.s.Producers {
		p := &c.s.Producers[i]
		n := c.messages(p)
		if n > MaxMessages {
			c.problem(join("producers", p.Name), "%s sends more messages than the limit of %d: lower its rate, or give it a count", p.Name, MaxMessages)
			return
		}
		messages += n
	}
	if messages > MaxMessages {
		c.problem("producers", "the producers send %d messages, more than the limit of %d: lower a count", messages, MaxMessages)
	}
}

// messages is how many messages a producer sends at most, on average where
// chance decides; MaxMessages + 1 stands for anything above MaxMessages.
func (c *checker) messages(p *Producer) int64 {
	if p.Rate.IsZero() {
		return int64(len(p.Send))
	}
	if p.Count > 0 {
		return p.Count
	}
	end := c.s.Limits.Time
	for _, until := range []Duration{c.s.Until, p.Until} {
		if until != event.Never {
			end = min(end, until)
		}
	}
	span := uint64(max(0, end-p.Start))
	high, low := bits.Mul64(span, uint64(p.Rate.Count))
	if high >= uint64(p.Rate.Period) {
		return MaxMessages + 1
	}
	n, _ := bits.Div64(high, low, uint64(p.Rate.Period))
	return int64(min(n, MaxMessages)) + 1
}

func (c *checker) queue(q *Queue) {
	at := join("queues", q.Name)
	c.retry(join(at, "retry"), q.Retry)
	if own := q.Name + "-dead"; (q.DeadLetter == "" || q.DeadLetter == own) && slices.Contains(c.topics, own) {
		c.problem(join("topics", own), "%q is where the dead letters of %s go: choose another name for the topic", own, q.Name)
		return
	}
	if q.DeadLetter == "" {
		return
	}
	here := join(at, "dead_letter")
	if text := queueName.check(q.DeadLetter); text != "" {
		c.problem(here, "dead_letter: %s", text)
	} else if slices.Contains(c.topics, q.DeadLetter) {
		c.problem(here, "dead_letter: %q is a topic: name a queue", q.DeadLetter)
	}
}

// retry refuses a base above a cap that was written down; the default cap
// just cuts it.
func (c *checker) retry(at string, r Retry) {
	if r.Base <= r.Cap || !c.given(join(at, "cap")) {
		return
	}
	here := join(at, "base")
	if !c.given(here) {
		here = join(at, "cap")
	}
	c.problem(here, "base %s is above cap %s: lower base or raise cap", FormatDuration(r.Base), FormatDuration(r.Cap))
}

// cycles finds dead letters that would go round for ever.
func (c *checker) cycles() {
	next := map[string]string{}
	for i := range c.s.Queues {
		q := &c.s.Queues[i]
		if next[q.Name] = q.DeadLetter; q.DeadLetter == "" {
			next[q.Name] = q.Name + "-dead" // where a reject would send it
		}
	}
	reported := map[string]bool{}
	for i := range c.s.Queues {
		start := c.s.Queues[i].Name
		way := []string{start}
		for name := next[start]; name != "" && !reported[name] && len(way) <= len(next); name = next[name] {
			way = append(way, name)
			if name == start {
				for _, step := range way {
					reported[step] = true
				}
				c.problem(join(join("queues", start), "dead_letter"), "dead letters would go round for ever, %s: name another dead_letter for one of them", strings.Join(way, " to "))
				break
			}
		}
	}
}

func (c *checker) topic(t *Topic) {
	at := join(join("topics", t.Name), "to")
	if len(t.To) == 0 {
		c.problem(at, "to is empty: name the queues that get a copy, such as [emails, analytics]")
	}
	for i, name := range t.To {
		if slices.Contains(t.To[:i], name) {
			c.problem(index(at, i), "to: %q stands here twice: name each queue once", name)
			continue
		}
		c.queueNamed(index(at, i), "to", name)
	}
}

// queueNamed checks that a name is that of a queue.
func (c *checker) queueNamed(at, field, name string) {
	switch {
	case name == "" || c.isQueue(name) || c.unread():
	case slices.Contains(c.topics, name):
		c.problem(at, "%s: %q is a topic: name a queue (%s)", field, name, listed(c.queues))
	default:
		c.problem(at, "%s: there is no queue %q: %s", field, name, hint(name, c.queues, "list it under queues"))
	}
}

// isQueue reports whether there is such a queue or, once a message is
// rejected, such a dead-letter queue.
func (c *checker) isQueue(name string) bool {
	for {
		if slices.Contains(c.queues, name) {
			return true
		}
		source, ok := strings.CutSuffix(name, "-dead")
		if !ok {
			return false
		}
		name = source
	}
}

// isDeadLetter reports whether dead letters can get into a queue.
func (c *checker) isDeadLetter(name string) bool {
	source, ok := strings.CutSuffix(name, "-dead")
	return slices.Contains(c.letters, name) || ok && c.isQueue(source)
}

// streamOnly are the fields of a producer that exact messages do not use.
var streamOnly = []string{"arrivals", "count", "until", "start", "keys", "body", "mix", "type", "priority", "delay"}

func (c *checker) producer(p *Producer) {
	at := join("producers", p.Name)
	sends := len(p.Send) > 0 || !c.lenient && c.given(join(at, "send"))
	if to := join(at, "to"); p.To != "" && !c.unread() && !slices.Contains(c.topics, p.To) && !c.isQueue(p.To) {
		c.problem(to, "to: there is no queue or topic %q: %s", p.To, hint(p.To, append(slices.Clone(c.queues), c.topics...), "list it under queues"))
	}
	switch {
	case sends && !p.Rate.IsZero():
		c.problem(join(at, "rate"), "rate and send exclude each other: keep send for exact messages or rate for a stream")
	case sends:
		for _, name := range streamOnly {
			if c.given(join(at, name)) {
				c.problem(join(at, name), "%s belongs to a stream, and there is send: %s", name, insteadOf(name))
			}
		}
	case c.d.faulty(at) && p.Rate.IsZero():
	case !c.lenient && !c.given(join(at, "rate")):
		c.problem(at, "%s sends nothing: write send with exact messages, such as send: [{id: 101}], or rate and count for a stream", p.Name)
	case p.Rate.IsZero():
		c.problem(join(at, "rate"), "rate is 0, so that nothing is sent: write one such as 8/s, or pause the producer in the timeline")
	default:
		c.stream(at, p)
	}
	c.whenFull(at, p)
}

// insteadOf says where something goes that is not for a producer with send.
func insteadOf(name string) string {
	switch name {
	case "body", "type", "priority", "delay":
		return "write it in each message"
	case "keys":
		return "write a key in each message"
	case "start":
		return "write `at` in each message"
	}
	return "leave it out, or write rate instead of send"
}

func (c *checker) stream(at string, p *Producer) {
	if faulty := c.d.faulty(join(at, "count")) || c.d.faulty(join(at, "until")) || c.d.faulty("until"); !faulty && p.Count == 0 && p.Until == event.Never && c.s.Until == event.Never {
		c.problem(join(at, "rate"), "the stream has no end: give it a count, such as count: 400, or until, such as until: 60s")
	}
	if len(p.Mix) > 0 && c.given(join(at, "body")) {
		c.problem(join(at, "body"), "body and mix exclude each other: keep body where all messages are alike, or mix")
	}
	if p.Until != event.Never && p.Until < p.Start {
		c.problem(join(at, "until"), "until %s is before start %s: raise until or lower start", FormatDuration(p.Until), FormatDuration(p.Start))
	}
}

func (c *checker) whenFull(at string, p *Producer) {
	retry := join(at, "retry")
	c.retry(retry, p.Retry)
	switch {
	case p.WhenFull == RetryWhenFull && p.Retry.Backoff == NoBackoff:
		c.problem(join(retry, "backoff"), "backoff: a producer that retries has to wait in between: write fixed, linear or exponential")
	case p.WhenFull == GiveUp && (!c.lenient && c.given(retry) || p.Retry != DefaultQueue("").Retry):
		c.problem(retry, "retry is for a producer that asks again: write when_full: retry beside it")
	}
}

func (c *checker) service(s *Service) {
	at := join("services", s.Name)
	c.latency(join(at, "latency"), s.Latency)
	switch f, fails := s.Fails, join(at, "fails"); {
	case f.From == event.Never && f.To != event.Never:
		c.problem(join(fails, "to"), "the outage has an end and no start: write from: 0s beside to")
	case f.From != event.Never && f.To != event.Never && f.To <= f.From:
		c.problem(join(fails, "to"), "the outage ends at %s, not after its start at %s: raise to or lower from", FormatDuration(f.To), FormatDuration(f.From))
	}
}

func (c *checker) latency(at string, l Latency) {
	if l.Kind == UniformLatency && l.Min > l.Max {
		c.problem(at, "latency: min %s is above max %s: lower min or raise max", FormatDuration(l.Min), FormatDuration(l.Max))
	}
}

func (c *checker) pool(p *Pool) {
	at := join("workers", p.Name)
	from := join(at, "from")
	if len(p.From) == 0 {
		c.problem(from, "from is empty: name the queue that they take from")
	}
	for i, name := range p.From {
		here := index(from, i)
		if slices.Contains(p.From[:i], name) {
			c.problem(here, "from: %q stands here twice: name each queue once", name)
			continue
		}
		c.queueNamed(here, "from", name)
	}
	crash := join(at, "crash")
	c.crashLine(crash, p.Crash.Where, p.Crash.Line)
	for i, e := range p.Crash.Exact {
		c.crashLine(index(crash, i), e.Where, e.Line)
	}
}

func (c *checker) crashLine(at string, where Where, line int64) {
	switch {
	case where == OnLine && line == 0 && !c.d.faulty(join(at, "line")):
		c.problem(join(at, "where"), "where: on_line needs a line: write line: 2 beside it for the handler's second line")
	case where != OnLine && line != 0:
		c.problem(join(at, "line"), "line goes with where: on_line: write that beside it, or leave line out")
	}
}

// timeline tries the entries in the order in which they take effect.
func (c *checker) timeline() {
	if n := len(c.s.Timeline); n > MaxEntries {
		c.problem("timeline", "timeline has %d entries, more than the limit of %d", n, MaxEntries)
		return
	}
	order := make([]int, len(c.s.Timeline))
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(i, j int) bool { return c.s.Timeline[order[i]].At < c.s.Timeline[order[j]].At })
	var trial *Scenario
	largest := map[string]int64{}
	for i := range c.s.Workers {
		largest[c.s.Workers[i].Name] = c.s.Workers[i].Count
	}
	for _, i := range order {
		e, at := &c.s.Timeline[i], index("timeline", i)
		if e.Set == "" {
			continue
		}
		if trial == nil {
			trial = c.s.Clone()
		}
		c.set(at, trial, e)
		if c.d.full() {
			return
		}
		for i := range trial.Workers {
			p := &trial.Workers[i]
			largest[p.Name] = max(largest[p.Name], p.Count)
		}
	}
	for i := range c.s.Timeline {
		if c.d.full() {
			return
		}
		c.entry(index("timeline", i), &c.s.Timeline[i], largest)
	}
}

// set tries a set entry on a scenario that it may change.
func (c *checker) set(at string, trial *Scenario, e *Entry) {
	badPath, problems := applySet(trial, e.Set, e.To)
	here := join(at, "to")
	if badPath {
		here = join(at, "set")
	}
	for _, p := range problems {
		c.problem(here, "%s", p.Text)
	}
}

// entry checks that what an entry names is there.
func (c *checker) entry(at string, e *Entry, largest map[string]int64) {
	switch {
	case e.Crash != "":
		c.worker(join(at, "crash"), e.Crash, largest)
	case e.Pause != "":
		c.producerNamed(join(at, "pause"), "pause", e.Pause)
	case e.Resume != "":
		c.producerNamed(join(at, "resume"), "resume", e.Resume)
	case e.Redrive != "":
		c.redrive(at, e)
	}
}

func (c *checker) producerNamed(at, action, name string) {
	if names := namesIn(c.s, "producers"); !slices.Contains(names, name) {
		c.problem(at, "%s: there is no producer %q: %s", action, name, hint(name, names, "there is none"))
	}
}

func (c *checker) redrive(at string, e *Entry) {
	switch here := join(at, "redrive"); {
	case c.isDeadLetter(e.Redrive):
	case c.isQueue(e.Redrive):
		c.problem(here, "redrive: %q is not a dead-letter queue: name one, such as %s", e.Redrive, e.Redrive+"-dead")
	default:
		dead := slices.Clone(c.letters)
		for _, name := range namesIn(c.s, "queues") {
			if own := name + "-dead"; !slices.Contains(dead, own) {
				dead = append(dead, own)
			}
		}
		c.problem(here, "redrive: there is no dead-letter queue %q: %s", e.Redrive, hint(e.Redrive, dead, "there is none"))
	}
	if e.RedriveTo != "" {
		c.queueNamed(join(at, "to"), "to", e.RedriveTo)
	}
}

// worker checks a name such as mailer/1.
func (c *checker) worker(at, name string, largest map[string]int64) {
	pool, number, found := strings.Cut(name, "/")
	pools := namesIn(c.s, "workers")
	n, err := strconv.ParseInt(number, 10, 64)
	switch {
	case !slices.Contains(pools, pool):
		c.problem(at, "crash: there is no pool of workers %q: %s", pool, hint(pool, pools, "there is none"))
	case !found:
		c.problem(at, "crash: %q is a pool: name one of its workers, such as %s/1", name, pool)
	case err != nil || n < 1 || number != strconv.FormatInt(n, 10):
		c.problem(at, "crash: %q is not a worker: write the pool and a number from 1, such as %s/1", name, pool)
	case n > largest[pool]:
		c.problem(at, "crash: there is no %s: %s has %s", name, pool, plural(largest[pool], "worker"))
	}
}

func plural(n int64, what string) string {
	switch n {
	case 0:
		return "no " + what + "s"
	case 1:
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
