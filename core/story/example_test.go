package story_test

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/story"
)

func Example() {
	s, problems := scenario.DecodeJSON([]byte(`{
		"queues": {"orders": {"visibility_timeout": "1s"}},
		"producers": {"shop": {"to": "orders", "send": [{"id": 101, "body": {"email": "asha@example.com"}}]}},
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
	st := story.New(s, log, story.Kitchen)
	for _, i := range st.Shown(0, log.Len()) {
		fmt.Println(st.Sentence(i))
	}
	// Output:
	// The waiter clips 101 to the rail.
	// Cook A takes 101. First try.
	// Cook A sends Asha an email for 101.
	// Cook A spikes 101. Done.
	// Nothing more can happen. The run ends at 0.2 s.
}
