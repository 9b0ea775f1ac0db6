package scenarioyaml

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// language has every field of the language, most of them at their default.
const language = `
title: Two workers, one flaky mail server
seed: 7                          # default 1
until: 60s                       # default: until nothing more can happen
limits: {events: 1000000, time: 24h}   # the defaults; reaching one ends the run and says so

queues:
  orders:
    visibility_timeout: 1s
    max_receives: 3
    dead_letter: orders-dead
    max_size: 0
    overflow: reject
    ttl: 0s
    delay: 0s
    order: fifo
    return_to: tail
    dead_letter_on: return
    late_ack: accept
    notice: timer
    notice_after: 0s
    dispatch: first_idle
    retry: {backoff: none, base: 1s, cap: 60s, jitter: none}
  emails:
  analytics: {}

topics:
  order-placed: {to: [emails, analytics]}

producers:
  shop:
    to: orders
    send:
      - {id: 101, body: {email: asha@example.com}, at: 0s}
  stream:
    to: order-placed
    rate: 8/s
    arrivals: steady
    count: 400
    start: 0s
    first_id: 1
    keys: 10
    mix: [{share: 95, body: {amount: 10}}, {share: 5, body: {amount: "not-a-number"}}]
    when_full: give_up

services:
  send_email:
    latency: 200ms
    fails: {first: 1}
    error: mail server timed out
    rate_limit: 100/m
    idempotency: none

tables:
  seen: {ttl: 0s, latency: 0s, effect: false}

workers:
  mailer:
    from: orders
    count: 3
    prefetch: 1
    acknowledge: manual
    on_error: wait
    restart_after: 1s
    rate_limit: 0
    crash: {probability: 10%, where: anywhere}
    handler: |
      def on_message(msg):
          if "@" not in msg.body["email"]:
              fail("bad address %r" % msg.body["email"])
          send_email(msg.id)
          ack(msg)

timeline:
  - {at: 20s, set: workers.mailer.count, to: 8}
  - {at: 5s, crash: mailer/1}
  - {at: 6s, crash: mailer/8}     # there from 20 s on
  - {at: 30s, redrive: orders-dead, to: orders}
  - {at: 30s, redrive: emails-dead}
  - {at: 30s, edit: 102, body: {email: ravi@example.com}}
  - {at: 9s, pause: shop}
  - {at: 10s, resume: shop}

expect:
  - lost == 0
  - effects_of("send_email", 101) == 1
`

// TestLanguage: the page that defines the language is read as it says, and
// what is at its default is not written again.
func TestLanguage(t *testing.T) {
	s, problems := Decode([]byte(language))
	require.NoError(t, problems.Err())
	roundTrip(t, s)

	q := scenario.DefaultQueue("orders")
	q.VisibilityTimeout, q.MaxReceives, q.DeadLetter = event.Second, 3, "orders-dead"
	assert.Equal(t, []scenario.Queue{q, scenario.DefaultQueue("emails"), scenario.DefaultQueue("analytics")}, s.Queues)
	assert.Equal(t, uint64(7), s.Seed)
	assert.Equal(t, int64(8), s.Timeline[0].To)
	assert.Equal(t, "orders", s.Timeline[3].RedriveTo)
	assert.Equal(t, event.Object{{Name: "email", Value: "ravi@example.com"}}, s.Timeline[5].EditBody)
	assert.Equal(t, [2]int{68, 7}, [2]int{s.Workers[0].HandlerLine, s.Workers[0].HandlerColumn})
	assert.Equal(t, [2]int{75, 5}, [2]int{s.Timeline[0].Line, s.Timeline[0].Column})
	assert.Equal(t, [2]int{85, 5}, [2]int{s.Expect[0].Line, s.Expect[0].Column})

	encoded := string(s.EncodeJSON())
	assert.True(t, strings.HasPrefix(encoded, `{"title":"Two workers, one flaky mail server","seed":7,"until":"60s",`+
		`"queues":{"orders":{"visibility_timeout":"1s","max_receives":3},"emails":{},"analytics":{}},`), encoded)
	for _, atDefault := range []string{"limits", "overflow", "retry", "arrivals", "when_full", "rate_limit\":\"0", "prefetch", "where"} {
		assert.NotContains(t, encoded, `"`+atDefault)
	}
}
