package event_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ticketrail/ticketrail/core/event"
)

// small returns a log with one event of most kinds.
func small() *event.Log {
	l := &event.Log{
		Messages: []event.Message{
			{ID: event.ID{Number: 101}, Producer: 0, Parent: event.NoMessage, Queue: 0, Body: event.Object{{Name: "email", Value: "asha@example.com"}}},
			{ID: event.ID{Text: "101.1"}, Producer: event.NoProducer, Parent: 0, Queue: 1},
		},
		Queues:    []event.Queue{{Name: "orders", Target: 1}, {Name: "orders-dead", DeadLetter: true, Target: event.NoQueue}},
		Pools:     []string{"mailer"},
		Workers:   []event.Worker{{Pool: 0, Number: 1, Name: "mailer/1"}},
		Producers: []string{"shop"},
		Targets:   []event.Target{{Name: "send_email", Effect: true}},
		Effects:   []event.EffectRecord{{Target: 0, Nth: 1, Amount: 5, Key: "101"}},
	}
	add := func(e event.Event) { l.Append(e) }
	add(event.Event{Kind: event.Accepted, Message: 0, Worker: event.NoWorker})
	add(event.Event{Kind: event.Delivered, Message: 0, Receive: 1, Arg: 1, Until: 500 * event.Millisecond})
	add(event.Event{Kind: event.Line, Message: 0, Receive: 1, Arg: 2})
	add(event.Event{Kind: event.CallStarted, Message: 0, Receive: 1, Text: l.AddText("101"), Until: 200 * event.Millisecond})
	add(event.Event{At: 200 * event.Millisecond, Kind: event.Effect, Message: 0, Receive: 1})
	add(event.Event{At: 200*event.Millisecond + 1, Kind: event.Printed, Message: 0, Receive: 1, Text: l.AddText("\"done\"\n<ok> \xff")})
	add(event.Event{At: 500 * event.Millisecond, Kind: event.Crashed, Message: 0, Receive: 1, Arg: 2, Until: event.Never})
	add(event.Event{At: event.Second, Kind: event.DeadLettered, Message: 0, Receive: 1, Worker: event.NoWorker, Arg: 1})
	add(event.Event{At: event.Minute, Kind: event.Accepted, Message: 1, Queue: 1, Arg: -1, Reason: event.Delayed, Until: 61 * event.Second})
	add(event.Event{At: event.Minute, Kind: event.Ended, Message: event.NoMessage, Queue: event.NoQueue, Worker: event.NoWorker, Reason: event.Quiet})
	return l
}

func ExampleLog_AppendJSON() {
	log := small()
	for i := range log.Len() {
		fmt.Println(string(log.AppendJSON(nil, i)))
	}
	// Output:
	// {"n":0,"at":0,"event":"accepted","queue":"orders","message":101,"producer":"shop"}
	// {"n":1,"at":0,"event":"delivered","queue":"orders","message":101,"receive":1,"worker":"mailer/1","receipt":1,"until":0.5}
	// {"n":2,"at":0,"event":"line","queue":"orders","message":101,"receive":1,"worker":"mailer/1","line":2}
	// {"n":3,"at":0,"event":"call_started","queue":"orders","message":101,"receive":1,"worker":"mailer/1","target":"send_email","key":"101","until":0.2}
	// {"n":4,"at":0.2,"event":"effect","queue":"orders","message":101,"receive":1,"worker":"mailer/1","target":"send_email","key":"101","amount":5,"nth":1}
	// {"n":5,"at":0.200000001,"event":"printed","queue":"orders","message":101,"receive":1,"worker":"mailer/1","text":"\"done\"\n\u003cok\u003e �"}
	// {"n":6,"at":0.5,"event":"crashed","queue":"orders","message":101,"receive":1,"worker":"mailer/1","line":2,"until":null}
	// {"n":7,"at":1,"event":"dead_lettered","queue":"orders","message":101,"receive":1,"to":"orders-dead"}
	// {"n":8,"at":60,"event":"accepted","queue":"orders-dead","message":"101.1","worker":"mailer/1","until":61,"reason":"delayed"}
	// {"n":9,"at":60,"event":"ended","reason":"quiet"}
}

func TestAppendSecondsIsExact(t *testing.T) {
	for nanoseconds, want := range map[event.Time]string{
		0: "0", 1: "0.000000001", 100: "0.0000001", 999_999_999: "0.999999999",
		event.Second: "1", 25_400_000_000: "25.4", event.Never: "-0.000000001", 9_007_199_254_740_993: "9007199.254740993",
	} {
		assert.Equal(t, want, string(event.AppendSeconds(nil, nanoseconds)))
	}
}

func TestHashDoesNotDependOnTheOrderOfTables(t *testing.T) {
	a, b := small(), small()
	b.Queues = []event.Queue{{Name: "orders-dead", DeadLetter: true, Target: event.NoQueue}, {Name: "orders", Target: 0}}
	b.Messages[0].Queue, b.Messages[1].Queue = 1, 0
	swapped := &event.Log{
		Messages: b.Messages, Queues: b.Queues, Pools: b.Pools, Workers: b.Workers,
		Producers: b.Producers, Targets: b.Targets, Effects: b.Effects,
	}
	swapped.AddText("a text that no event uses")
	for i := range a.Len() {
		e := *a.Event(i)
		e.Text = swapped.AddText(a.Text(e.Text))
		if e.Queue >= 0 {
			e.Queue = 1 - e.Queue
		}
		if e.Kind == event.DeadLettered {
			e.Arg = 1 - e.Arg
		}
		swapped.Append(e)
	}
	assert.Equal(t, a.Hash(), swapped.Hash())
	assert.Len(t, a.Hash(), 32)
}

func TestHashTellsLogsApart(t *testing.T) {
	changes := map[string]func(*event.Log){
		"a message's id":   func(l *event.Log) { l.Messages[0].ID = event.ID{Text: "101"} },
		"a message's body": func(l *event.Log) { l.Messages[0].Body = "asha@example.com" },
		"a queue's name":   func(l *event.Log) { l.Queues[1].Name = "tray" },
		"an amount":        func(l *event.Log) { l.Effects[0].Amount = 6 },
		"a time":           func(l *event.Log) { l.Event(1).Until++ },
		"a kind":           func(l *event.Log) { l.Event(7).Kind = event.Redriven },
		"one event more":   func(l *event.Log) { l.Append(*l.Last()) },
	}
	known := map[string]string{small().Hash(): "nothing"}
	for name, change := range changes {
		l := small()
		change(l)
		other, taken := known[l.Hash()]
		assert.False(t, taken, "changing %s gives the hash of changing %s", name, other)
		known[l.Hash()] = name
	}
}
