package run_test

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

const twoOrders = `
queues: {orders: {visibility_timeout: 1s}}
producers: {shop: {to: orders, send: [{id: 101}, {id: 102}]}}
services: {send_email: {latency: 200ms, fails: {first: 1}}}
workers:
  mailer:
    from: orders
    handler: |
      def on_message(msg):
          send_email(msg.id)
          ack(msg)
`

func ExampleDo() {
	s, problems := scenarioyaml.Decode([]byte(twoOrders))
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	r, err := run.Do(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := r.Outcome
	fmt.Println(o.Acked, "acked in", o.EndedAt.Seconds(), "s with", o.Deliveries, "hand-outs;", o.Lost, "lost")
	v, _ := o.Eval(`effects_of("send_email", 101)`)
	fmt.Println("emails for 101:", v)
	// Output:
	// 2 acked in 1.2 s with 3 hand-outs; 0 lost
	// emails for 101: 1
}

func ExampleCheck() {
	s, _ := scenarioyaml.Decode([]byte(twoOrders + "expect:\n  - lst == 0\n"))
	fmt.Println(run.Check(s))
	// Output:
	// 13:5: lst == 0: lst is not a measure of a run; did you mean lost?
}
