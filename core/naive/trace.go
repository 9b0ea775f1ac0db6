package naive

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/event"
)

// Event is one thing that happened, in the form in which two simulators can
// be compared. Fields that the kind does not have are empty.
type Event struct {
	At      event.Time
	Name    string
	Queue   string
	Message string // its id, with #2 for the second message of that id
	Receive int64
	Worker  string
	Key     string
	Amount  int64
	More    string // what else the kind says: a reason, an instant, a target
}

func (e Event) String() string {
	s := fmt.Sprintf("%.9f %s", e.At.Seconds(), e.Name)
	for _, f := range []struct{ name, value string }{
		{"queue", e.Queue}, {"message", e.Message}, {"worker", e.Worker}, {"key", e.Key}, {"", e.More},
	} {
		if f.value != "" {
			s += " " + f.name + " " + f.value
		}
	}
	if e.Receive != 0 {
		s += fmt.Sprintf(" receive %d", e.Receive)
	}
	if e.Amount != 0 {
		s += fmt.Sprintf(" amount %d", e.Amount)
	}
	return s
}

// Compared reports whether the rules say when an event of that name happens;
// the others are a log's own way of telling.
func Compared(name string) bool {
	switch name {
	case "line", "printed", "table_changed", "command", "worker_added", "worker_removed":
		return false
	}
	return true
}

// Names returns what a trace calls the messages of a log, by reference.
func Names(log *event.Log) []string {
	names := make([]string, log.MessageCount())
	seen := map[event.ID]int{}
	for i := range log.MessageCount() {
		id := log.MessageID(event.MessageRef(i))
		seen[id]++
		names[i] = messageName(id, seen[id])
	}
	return names
}

// Project writes a simulator's log in the form of a trace.
func Project(log *event.Log) []Event {
	names := Names(log)
	trace := make([]Event, 0, log.Len())
	for i := range log.Len() {
		if e := log.Event(i); Compared(e.Kind.String()) {
			trace = append(trace, project(log, names, e))
		}
	}
	return trace
}

func project(log *event.Log, names []string, e *event.Event) Event {
	t := Event{At: e.At, Name: e.Kind.String()}
	if e.Message != event.NoMessage {
		t.Message = names[e.Message]
	}
	if e.Queue != event.NoQueue {
		t.Queue = log.Queues[e.Queue].Name
	}
	worker := ""
	if e.Worker != event.NoWorker {
		worker = log.Workers[e.Worker].Name
	}
	switch e.Kind {
	case event.Accepted, event.Refused, event.Blocked, event.Unblocked:
		t.Worker = worker
		if e.Arg >= 0 {
			t.More = log.Producers[e.Arg]
		}
		t.More += later(e)
	case event.Delivered, event.Extended:
		t.Worker, t.Receive, t.More = worker, int64(e.Receive), instant(e.Until)
	case event.Acked, event.AckIgnored, event.Nacked, event.Rejected, event.Noticed:
		t.Worker, t.Receive, t.More = worker, int64(e.Receive), later(e)
	case event.HiddenOver:
		t.Receive, t.More = int64(e.Receive), later(e)
	case event.Returned:
		t.More = e.Reason.String()
	case event.DeadLettered, event.Redriven:
		t.More = log.Queues[e.Arg].Name
	case event.CallStarted:
		t.Worker, t.Key, t.More, t.Queue = worker, log.Text(e.Text), log.Targets[e.Arg].Name+" "+instant(e.Until), ""
	case event.CallAnswered:
		t.Worker, t.Key, t.More, t.Queue = worker, log.Text(e.Text), log.Targets[e.Arg].Name, ""
	case event.CallFailed:
		t.Worker, t.More, t.Queue = worker, log.Targets[e.Arg].Name+": "+log.Text(e.Text), ""
	case event.Effect:
		x := log.Effect(int(e.Arg))
		t.Worker, t.Key, t.Amount, t.More, t.Queue = worker, keyName(x.Key, x.IsText), x.Amount, log.Targets[x.Target].Name, ""
	case event.HandlerStarted, event.HandlerFinished:
		t.Worker, t.Receive, t.Queue = worker, int64(e.Receive), ""
	case event.HandlerFailed:
		t.Worker, t.Receive, t.More, t.Queue = worker, int64(e.Receive), fmt.Sprintf("line %d: %s", e.Arg, log.Text(e.Text)), ""
	case event.Crashed:
		t.Worker, t.More, t.Queue = worker, fmt.Sprintf("line %d %s", e.Arg, instant(e.Until)), ""
	case event.Restarted:
		t.Worker, t.Queue, t.Message = worker, "", ""
	case event.Ended:
		t.More = e.Reason.String()
	}
	return t
}

// keyName tells the text "1" from the number 1.
func keyName(key string, isText bool) string {
	if isText {
		return fmt.Sprintf("%q", key)
	}
	return key
}

// later says the reason of an event and the instant that it announces.
func later(e *event.Event) string { return reason(e.Reason, e.Until) }

func reason(why event.Reason, until event.Time) string {
	switch why {
	case event.None:
		return ""
	case event.Delayed, event.WillRetry:
		return " " + why.String() + " " + instant(until)
	}
	return " " + why.String()
}

func instant(t event.Time) string {
	if t == event.Never {
		return "never"
	}
	return fmt.Sprintf("until %.9f", t.Seconds())
}
