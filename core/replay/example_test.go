package replay_test

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
)

func Example() {
	s, problems := scenario.DecodeJSON([]byte(`{
		"queues": {"orders": {}},
		"producers": {"shop": {"to": "orders", "send": [{"id": 1}, {"id": 2}, {"id": 3}]}},
		"services": {"send_email": {"latency": "200ms"}},
		"workers": {"mailer": {"from": "orders", "handler": "def on_message(msg):\n  send_email(msg.id)\n  ack(msg)\n"}}
	}`))
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	log, err := sim.Run(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	cursor := replay.New(log).Cursor()
	for _, at := range []event.Time{100 * event.Millisecond, 300 * event.Millisecond, 0} {
		c := cursor.Seek(at).Counts
		fmt.Printf("at %v s: %d waiting, %d in flight, %d acked\n", at.Seconds(), c.Waiting, c.InFlight, c.Acked)
	}
	// Output:
	// at 0.1 s: 2 waiting, 1 in flight, 0 acked
	// at 0.3 s: 1 waiting, 1 in flight, 1 acked
	// at 0 s: 2 waiting, 1 in flight, 0 acked
}
