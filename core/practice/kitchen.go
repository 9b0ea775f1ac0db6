package practice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// ms is a time in milliseconds, which all times of practice are.
type ms int

func (t ms) String() string { return strconv.Itoa(int(t)) + "ms" }

// said is the time in seconds, as one reads it.
func (t ms) said() string { return seconds(strconv.FormatFloat(float64(t)/1000, 'f', -1, 64)) }

func seconds(number string) string { return number + "\u00a0s" }

// fall is a crash of the cook who has an order for the nth time.
type fall struct {
	order, receive int
	after          bool // the email is out; otherwise he falls before
}

// kitchen is what a question is about: a scenario, by the few of its settings
// that practice turns. A mistaken idea of it is a kitchen as well.
type kitchen struct {
	orders  int
	every   ms // between two orders; 0: all at once
	cooks   int
	latency ms // of an email

	ackFirst    bool
	slow        int // an order that takes longer,
	slower      ms  // by so much
	bad         int // an order that always fails
	nack        bool
	visibility  ms // 0 for no timer
	maxReceives int
	falls       []fall
	restart     ms

	size       int
	dropOldest bool
	ttl        ms
	backoff    string
	base       ms
	prefetch   int // 0 is 1
	inTurn     bool
}

// mostEvents bounds a run: some kitchens never come to rest.
const mostEvents = 1000

const first = 101 // the id of the first order

var names = []string{"Asha", "Bala", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari", "Indu", "Jaya", "Kabir", "Lata"}

// nameOf is the guest of an order.
func nameOf(order int) string { return names[order-first] }

// scenario writes the kitchen as a scenario.
func (k kitchen) scenario() (*scenario.Scenario, error) {
	var send []string
	for i := range k.orders {
		send = append(send, fmt.Sprintf(`{"id":%d,"at":"%s","body":{"name":%q}}`, first+i, ms(i)*k.every, names[i]))
	}
	queue := []string{fmt.Sprintf(`"visibility_timeout":"%s"`, k.visibility)}
	if k.maxReceives > 0 {
		queue = append(queue, fmt.Sprintf(`"max_receives":%d`, k.maxReceives))
	}
	if k.size > 0 {
		queue = append(queue, fmt.Sprintf(`"max_size":%d`, k.size))
	}
	if k.dropOldest {
		queue = append(queue, `"overflow":"drop_oldest"`)
	}
	if k.ttl > 0 {
		queue = append(queue, fmt.Sprintf(`"ttl":"%s"`, k.ttl))
	}
	if k.backoff != "" {
		queue = append(queue, fmt.Sprintf(`"retry":{"backoff":%q,"base":"%s"}`, k.backoff, k.base))
	}
	if k.inTurn {
		queue = append(queue, `"dispatch":"round_robin"`)
	}
	pool := []string{`"from":"orders"`, fmt.Sprintf(`"count":%d`, k.cooks), fmt.Sprintf(`"handler":%q`, k.handler())}
	if k.prefetch > 0 {
		pool = append(pool, fmt.Sprintf(`"prefetch":%d`, k.prefetch))
	}
	if k.nack {
		pool = append(pool, `"on_error":"nack"`)
	}
	if k.restart > 0 {
		pool = append(pool, fmt.Sprintf(`"restart_after":"%s"`, k.restart))
	}
	if len(k.falls) > 0 {
		pool = append(pool, `"crash":[`+strings.Join(k.crashes(), ",")+`]`)
	}
	text := `{"queues":{"orders":{` + strings.Join(queue, ",") + `}},"producers":{"waiter":{"to":"orders","send":[` + strings.Join(send, ",") +
		`]}},"services":{"send_email":{"latency":"` + k.latency.String() + `"}},"workers":{"cook":{` + strings.Join(pool, ",") + `}}`
	s, problems := scenario.DecodeJSON([]byte(text + fmt.Sprintf(`,"limits":{"events":%d}}`, mostEvents)))
	if len(problems) > 0 {
		return nil, problems
	}
	return s, nil
}

// run runs the kitchen; nil when it does not come to rest.
func (k kitchen) run() (*run.Run, error) {
	s, err := k.scenario()
	if err != nil {
		return nil, err
	}
	r, err := run.Do(s)
	if err != nil || r.Outcome.EndedBecause == "limit" {
		return nil, err
	}
	return r, nil
}

func (k kitchen) crashes() []string {
	var all []string
	for _, f := range k.falls {
		where := "before_effect"
		if f.after {
			where = "after_effect"
		}
		all = append(all, fmt.Sprintf(`{"message":%d,"receive":%d,"where":%q}`, f.order, f.receive, where))
	}
	return all
}

// handler is the cook's card.
func (k kitchen) handler() string {
	lines := []string{"def on_message(msg):"}
	if k.bad > 0 {
		lines = append(lines, fmt.Sprintf("    if msg.id == %d:", k.bad), `        fail("no address")`)
	}
	if k.slow > 0 {
		lines = append(lines, fmt.Sprintf("    if msg.id == %d:", k.slow), "        sleep("+strconv.FormatFloat(float64(k.slower)/1000, 'f', -1, 64)+")")
	}
	work := []string{"    send_email(msg.id)", "    ack(msg)"}
	if k.ackFirst {
		slices.Reverse(work)
	}
	return strings.Join(append(lines, work...), "\n") + "\n"
}

// facts are what one has to know of the kitchen, a sentence each.
func (k kitchen) facts() []string {
	come := "all at once"
	switch {
	case k.orders == 1:
		come = "at 0\u00a0s"
	case k.every > 0:
		come = "one every " + k.every.said()
	}
	all := []string{
		fmt.Sprintf("%s, %s.", many(k.orders, "order"), come),
		fmt.Sprintf("%s, and an email takes %s.", many(k.cooks, "cook"), k.latency.said()),
	}
	say := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	say(k.slow > 0, "Order %d takes %s longer than the others.", k.slow, k.slower.said())
	for _, f := range k.falls {
		when := "before the email is out"
		if f.after {
			when = "right after the email is out"
		}
		what := ""
		if f.receive > 1 {
			what = fmt.Sprintf(" for the %s time", nth(f.receive))
		}
		all = append(all, fmt.Sprintf("The cook who has %s's order (%d)%s falls, %s.", nameOf(f.order), f.order, what, when))
	}
	say(k.bad > 0, "Order %d fails on every try, at once.", k.bad)
	say(k.visibility > 0 && (len(k.falls) > 0 || k.bad > 0 && !k.nack || k.visibility < k.latency), "A ticket that is not spiked %s after it was taken goes back to the end of the rail.", k.visibility.said())
	say(k.nack && k.backoff == "", "A cook who fails gives the ticket back at once.")
	say(k.backoff == "fixed", "A failed try is repeated after %s.", k.base.said())
	say(k.backoff == "exponential", "A failed try is repeated after %s, the next one after twice that, and so on.", k.base.said())
	say(k.maxReceives > 0, "After %s a ticket goes to the tray.", many(k.maxReceives, "try"))
	say(len(k.falls) > 0, "What a cook does first is on his card.")
	say(len(k.falls) > 0, "A cook who fell is back after %s.", k.restart.said())
	say(k.size > 0 && !k.dropOldest, "The rail has room for %s; a ticket that finds none is refused.", many(k.size, "ticket"))
	say(k.size > 0 && k.dropOldest, "The rail has room for %s; one too many pushes the oldest off.", many(k.size, "ticket"))
	say(k.ttl > 0, "A ticket that still waits after %s is thrown away.", k.ttl.said())
	say(k.prefetch > 1, "A cook takes up to %d tickets at a time and does them one after the other.", k.prefetch)
	return all
}

func nth(n int) string { return []string{"", "first", "second", "third", "fourth"}[n] }

var numerals = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// many counts things at the start of a sentence or within one.
func many(n int, what string) string {
	if n != 1 {
		what = strings.TrimSuffix(what, "y") + map[bool]string{true: "ies", false: "s"}[strings.HasSuffix(what, "y")]
	}
	return numerals[n] + " " + what
}

// capital begins a sentence.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
