package event_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/ticketrail/ticketrail/core/event"
)

// parts are what a small log is made of.
type parts struct {
	messages []event.Message
	queues   []event.Queue
	effect   event.EffectRecord
}

func smallParts() parts {
	return parts{
		messages: []event.Message{
			{ID: event.ID{Number: 101}, Producer: 0, Parent: event.NoMessage, Queue: 0, Body: event.Object{{Name: "email", Value: "asha@example.com"}}},
			{ID: event.ID{Text: "101.1"}, Producer: event.NoProducer, Parent: 0, Queue: 1},
		},
		queues: []event.Queue{{Name: "orders", Target: 1}, {Name: "orders-dead", DeadLetter: true, Target: event.NoQueue}},
		effect: event.EffectRecord{Target: 0, Nth: 1, Amount: 5, Key: "101"},
	}
}

// log returns a log of these parts without events.
func (p parts) log() *event.Log {
	l := &event.Log{
		Queues:    p.queues,
		Pools:     []string{"mailer"},
		Workers:   []event.Worker{{Pool: 0, Number: 1, Name: "mailer/1"}},
		Producers: []string{"shop"},
		Targets:   []event.Target{{Name: "send_email", Effect: true}},
	}
	for i := range p.messages {
		l.AddMessage(&p.messages[i])
	}
	l.AddEffect(l.AddText(p.effect.Key), p.effect)
	return l
}

// small returns a log with one event of most kinds.
func small() *event.Log { return smallParts().told() }

// told returns a log of these parts with the events.
func (p parts) told() *event.Log {
	l := p.log()
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
	a, other := small(), smallParts()
	other.queues = []event.Queue{{Name: "orders-dead", DeadLetter: true, Target: event.NoQueue}, {Name: "orders", Target: 0}}
	other.messages[0].Queue, other.messages[1].Queue = 1, 0
	swapped := other.log()
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
	changes := map[string]func(*parts){
		"a message's id":   func(p *parts) { p.messages[0].ID = event.ID{Text: "101"} },
		"a message's body": func(p *parts) { p.messages[0].Body = "asha@example.com" },
		"a queue's name":   func(p *parts) { p.queues[1].Name = "tray" },
		"an amount":        func(p *parts) { p.effect.Amount = 6 },
		"a large amount":   func(p *parts) { p.effect.Amount = 6e12 },
		"a key":            func(p *parts) { p.effect.Key = "101 " },
		"a key's type":     func(p *parts) { p.effect.IsText = true },
	}
	events := map[string]func(*event.Log){
		"a time":         func(l *event.Log) { l.Event(1).Until++ },
		"a kind":         func(l *event.Log) { l.Event(7).Kind = event.Redriven },
		"a text":         func(l *event.Log) { l.Event(3).Text = l.AddText("102") },
		"one event more": func(l *event.Log) { l.Append(*l.Last()) },
	}
	known := map[string]string{small().Hash(): "nothing"}
	tell := func(name string, l *event.Log) {
		other, taken := known[l.Hash()]
		assert.False(t, taken, "changing %s gives the hash of changing %s", name, other)
		known[l.Hash()] = name
	}
	for name, change := range changes {
		p := smallParts()
		change(&p)
		tell(name, p.told())
	}
	for name, change := range events {
		l := small()
		change(l)
		tell(name, l)
	}
}

// What the log keeps small it gives back whole.
func TestRecordsGiveBackWhatWasAdded(t *testing.T) {
	body := event.Object{{Name: "email", Value: "asha@example.com"}}
	messages := []event.Message{
		{ID: event.ID{Number: 7}, Key: "3", Type: "order", TypeGiven: true, Body: body, Priority: 2, Parent: event.NoMessage, SentAt: 5},
		{ID: event.ID{Number: 8}, Key: "asha", KeyGiven: true, Type: "order", TypeGiven: true, Body: body, Priority: 2, Parent: 0, SentAt: 6},
		{ID: event.ID{Text: "7"}, Body: event.Object{{Name: "email", Value: "ben@example.com"}}, Producer: event.NoProducer},
		{ID: event.ID{Text: "7.1"}, Body: []any{int64(1)}},
		{ID: event.ID{Number: -1}, Body: int64(1), Queue: 1},
		{ID: event.ID{Number: -2}, Body: 1.0, Queue: 1},
		{ID: event.ID{Number: 1 << 40}, Queue: 1},
	}
	var l event.Log
	for i := range messages {
		assert.Equal(t, event.MessageRef(i), l.AddMessage(&messages[i]))
	}
	assert.Equal(t, len(messages), l.MessageCount())
	for i, m := range messages {
		assert.Equal(t, m, l.Message(event.MessageRef(i)))
		assert.Equal(t, m.ID, l.MessageID(event.MessageRef(i)))
	}
	effects := []event.EffectRecord{
		{Target: 1, Nth: 2, Amount: -5, Key: "101"},
		{Target: 1, Nth: 2, Amount: 1e15, Key: "101", IsText: true},
		{Target: 2, Nth: 1, Amount: -1 << 31, Key: "asha", IsText: true},
	}
	for i, e := range effects {
		assert.Equal(t, int32(i), l.AddEffect(l.AddText(e.Key), e))
	}
	assert.Equal(t, len(effects), l.EffectCount())
	for i, e := range effects {
		assert.Equal(t, e, l.Effect(i))
	}
}

func TestTextsKeepTheirIndexes(t *testing.T) {
	texts := []string{
		"", "0", "1", "99", "100", "101", "999", "1000", "999999999", "1000000000", "00", "01", "-1", "+1", "1.", "1 ", "asha", "1e3", "٣",
	}
	var l event.Log
	index := map[int32]string{}
	for _, s := range texts {
		i := l.AddText(s)
		other, taken := index[i]
		assert.False(t, taken, "%q has the index of %q", s, other)
		index[i] = s
	}
	for i, s := range index {
		assert.Equal(t, s, l.Text(i))
		assert.Equal(t, i, l.AddText(s))
	}
}
