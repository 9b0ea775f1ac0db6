package story

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// command tells what an entry of the timeline does.
func (t *teller) command() {
	w := &t.s.words
	if int(t.e.Arg) >= len(t.s.scenario.Timeline) || t.e.Arg < 0 {
		t.add(w.Set)
		return
	}
	entry := &t.s.scenario.Timeline[t.e.Arg]
	switch {
	case entry.Set != "":
		t.text = t.setting(entry.Set, value(entry.To))
		t.add(w.Set)
	case entry.Crash != "":
		t.worker = t.s.workerNamed(entry.Crash)
		t.add(w.CrashCommand)
	case entry.Pause != "":
		t.producer = t.s.producerNamed(entry.Pause)
		t.add(w.Pause)
	case entry.Resume != "":
		t.producer = t.s.producerNamed(entry.Resume)
		t.add(w.Resume)
	case entry.Redrive != "":
		t.redrive(entry.Redrive, entry.RedriveTo)
	default:
		t.edit(entry.Edit, entry.EditBody)
	}
}

// setting says what a value is from now on.
func (t *teller) setting(path, value string) string {
	pool, of, _ := strings.Cut(strings.TrimPrefix(path, "workers."), ".")
	switch {
	case !strings.HasPrefix(path, "workers."):
	case of == "handler":
		return pool + " has another handler"
	case of == "count" && value == "1":
		return pool + " has 1 " + t.s.words.WorkerNoun
	case of == "count":
		return pool + " has " + value + " " + t.s.words.WorkerNoun + "s"
	}
	return path + " is " + value
}

func (t *teller) redrive(from, to string) {
	t.queue, t.target = t.s.queueNamed(from), t.s.queueNamed(to)
	if t.target == event.NoQueue {
		t.add(t.s.words.Redrive)
		return
	}
	t.add(t.s.words.RedriveTo)
}

func (t *teller) edit(id event.ID, body any) {
	t.text = value(body)
	for i := range t.s.log.MessageCount() {
		if t.s.log.MessageID(event.MessageRef(i)) == id {
			t.message = event.MessageRef(i)
			t.add(t.s.words.Edit)
			return
		}
	}
	t.plain("Somebody looks for " + id.String() + " to change it, but it was never sent.")
}

// value writes a value as one writes it in a scenario.
func value(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case string:
		return v
	case []any:
		items := make([]string, len(v))
		for i := range v {
			items[i] = value(v[i])
		}
		return "[" + strings.Join(items, ", ") + "]"
	case event.Object:
		fields := make([]string, len(v))
		for i, f := range v {
			fields[i] = f.Name + ": " + value(f.Value)
		}
		return "{" + strings.Join(fields, ", ") + "}"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	}
	return fmt.Sprint(v)
}

func (s *Story) workerNamed(name string) event.WorkerRef {
	for i := range s.log.Workers {
		if s.log.Workers[i].Name == name {
			return event.WorkerRef(i)
		}
	}
	return event.NoWorker
}

func (s *Story) producerNamed(name string) event.ProducerRef {
	for i, p := range s.log.Producers {
		if p == name {
			return event.ProducerRef(i)
		}
	}
	return event.NoProducer
}

func (s *Story) queueNamed(name string) event.QueueRef {
	for i := range s.log.Queues {
		if s.log.Queues[i].Name == name {
			return event.QueueRef(i)
		}
	}
	return event.NoQueue
}
