package scenario_test

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// A scenario in, a setting changed, a scenario out.
func ExampleSet() {
	s, problems := scenario.DecodeJSON([]byte(`{"queues": {"orders": {"visibility_timeout": "1000ms"}}}`))
	if len(problems) > 0 {
		fmt.Println(problems)
		return
	}
	fmt.Println(scenario.Get(s, "queues.orders.visibility_timeout"))
	scenario.Set(s, "queues.orders.max_receives", "3")
	fmt.Println(string(s.EncodeJSON()))
	fmt.Println(scenario.Set(s, "queues.orders.visibilty_timeout", "2s"))
	// Output:
	// 1s true
	// {"queues":{"orders":{"visibility_timeout":"1s","max_receives":3}}}
	// queues.orders.visibilty_timeout: there is no "visibilty_timeout" in a queue: did you mean "visibility_timeout"?
}

// Everything that is wrong is said at once, with what to write instead.
func ExampleDecodeJSON() {
	_, problems := scenario.DecodeJSON([]byte(`{
  "queues": {"orders": {"ttl": 30, "order": "lifo"}},
  "workers": {"mailer": {"from": "ordrs", "handler": "def on_message(msg): ack(msg)"}}
}`))
	fmt.Println(problems)
	// Output:
	// 2:32: ttl: "30" has no unit: write 30s for seconds, or 30ms
	// 2:45: order: "lifo" is not one of fifo, per_key and priority: did you mean "fifo"?
	// 3:34: from: there is no queue "ordrs": did you mean "orders"?
}
