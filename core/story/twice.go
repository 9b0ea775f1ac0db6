package story

import (
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// twice answers for a message whose side effect was not the first with its key.
func (q *inquiry) twice() Answer {
	record := q.s.log.Effect(int(q.s.log.Event(q.repeat).Arg))
	target := &q.s.log.Targets[record.Target]
	d := deedOf(target.Name)
	a := Answer{Question: q.ask("Why did {m} get " + number(int(record.Nth)) + " " + d.many + "?")}
	whose := q.s.log.MessageID(q.m).String()
	switch {
	case target.Table || d.verb == "":
		a.Question = q.ask("Why was {m} done " + times(int(record.Nth)) + "?")
	case d.verb != "sends" && record.Key != whose:
		a.Question = q.ask("Why was " + d.object + " " + d.done + " " + times(int(record.Nth)) + " for " + safe(record.Key) + ", once for {m}?")
	case d.verb != "sends":
		a.Question = q.ask("Why was " + d.object + " " + d.done + " " + times(int(record.Nth)) + " for {m}?")
	case record.Key != whose:
		a.Question = q.ask("Why did " + safe(record.Key) + " get " + number(int(record.Nth)) + " " + d.many + ", one of them for {m}?")
	}
	first := q.firstTime()
	if first < 0 {
		return a
	}
	if table := q.raced(first); table != "" {
		a.Because = "Both runs looked into " + table + " before either had written there. Looking and then doing are two acts, and another worker can come between them; an insert that succeeds only once is one act."
	} else if q.s.log.Event(first).Message != q.m {
		a.Because = q.another(first)
	} else {
		a.Because = q.notSettled(first)
	}
	if q.state.Place == replay.Dead {
		a.Because += " It ended in " + q.s.QueueName(q.state.Queue) + " although its work was done."
	}
	return a
}

// firstTime returns the index of the effect that the last repeated one
// repeats, or -1.
func (q *inquiry) firstTime() int {
	if q.repeat < 0 {
		return -1
	}
	again := q.s.log.Effect(int(q.s.log.Event(q.repeat).Arg))
	effects := replay.KindsOf(event.Effect)
	for i := q.s.index.PrevOf(q.repeat, effects); i >= 0; i = q.s.index.PrevOf(i, effects) {
		e := q.s.log.Effect(int(q.s.log.Event(i).Arg))
		if e.Target == again.Target && e.Key == again.Key && e.IsText == again.IsText {
			return i
		}
	}
	return -1
}

// another says what the messages have in common of which each was done.
func (q *inquiry) another(first int) string {
	other := q.s.log.Event(first).Message
	parent := q.s.log.MessageParent(q.m)
	switch {
	case parent != event.NoMessage && parent == q.s.log.MessageParent(other):
		p := phrase{s: q.s, message: parent}
		p.add("The handler of {m} published twice, and each of the two messages was done.")
		return Sentence{Parts: p.parts}.String() + " " + q.publishedAgain(parent)
	case q.s.log.MessageID(q.m) == q.s.log.MessageID(other):
		return "Two messages with this id were sent, and the work was done for each of them. To a queue they are two messages; only an idempotency key or a unique insert tells that they are one."
	}
	return "Another message carried the same key, and the work was done for each of them. To a queue they are two messages; only an idempotency key or a unique insert tells that they are one."
}

// publishedAgain says why a handler published more than once.
func (q *inquiry) publishedAgain(parent event.MessageRef) string {
	p := inquiry{s: q.s, m: parent, events: q.s.events(parent)}
	p.read()
	if p.tries < 2 {
		return "It did so in one run."
	}
	return "It ran " + times(p.begun) + ": " + lower(p.again().Because)
}

// lower returns a sentence so that it can follow a colon.
func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// notSettled walks from the first time that the work was done to the hand-out
// that had it done again, and says why no ack was in between.
func (q *inquiry) notSettled(first int) string {
	if q.sentBack(first) {
		return "Its work was done, but no ack followed, so it became a dead letter. Then somebody sent it back, and it was done once more."
	}
	before := q.s.log.Event(first)
	over := false // the visibility timeout ended before the work
	for _, i := range q.events {
		e := q.s.log.Event(int(i))
		own := e.Worker == before.Worker && e.Receive == before.Receive
		switch {
		case int(i) < first:
			over = e.Kind == event.HiddenOver || over && e.Kind != event.Delivered
		case int(i) == first:
		case e.Kind == event.Delivered && over:
			return "The visibility timeout was shorter than the work: it was over before the work was, so the queue handed the message out again."
		case e.Kind == event.Delivered:
			return q.handedOutAgain()
		case e.Kind == event.Crashed && own:
			return "Doing the work and acking it are two acts. When a crash falls between them, the queue sees only the missing ack, so it has to try again."
		case e.Kind == event.HandlerFailed && own:
			return "The handler failed after the work was done and before the ack. The queue sees only the missing ack, so it has to try again."
		case (e.Kind == event.Nacked || e.Kind == event.Rejected) && own:
			return "The handler did the work and then gave the message back. Giving back asks for another try, whatever was done in this one."
		case e.Kind == event.AckIgnored && e.Reason == event.Stale && own && q.state.Receipt > 1:
			return "The visibility timeout was shorter than the work, so the ack came too late to count. The queue cannot tell a slow worker from a dead one and handed the message out again."
		case e.Kind == event.HandlerFinished && own:
			return "The handler did the work and finished without an ack. The queue sees only the missing ack, so it has to try again."
		case int(i) == q.repeat:
			if e.Receive == before.Receive && e.Worker == before.Worker {
				return "Its handler did the work more than once in one run."
			}
			return q.handedOutAgain()
		}
	}
	return q.handedOutAgain()
}

// sentBack reports whether the message was redriven after the first time that
// its work was done, and done again after that.
func (q *inquiry) sentBack(first int) bool {
	return slices.ContainsFunc(q.events, func(i int32) bool {
		return int(i) > first && int(i) < q.repeat && q.s.log.Event(int(i)).Kind == event.Redriven
	})
}

// handedOutAgain is said when two tries went on at the same time.
func (q *inquiry) handedOutAgain() string {
	return "The visibility timeout was shorter than the work. The queue cannot tell a slow worker from a dead one, so it handed the message out again while the first try was still going on."
}

// raced returns the table in which two runs looked for each other, each before
// the other had written there; "" when that is not what happened.
func (q *inquiry) raced(first int) string {
	a, b := q.runOf(first), q.runOf(q.repeat)
	for i := range q.s.log.Targets {
		target := &q.s.log.Targets[i]
		if !target.Table || !q.looksInto(target.Name) {
			continue
		}
		wroteA, wroteB := q.wrote(event.TargetRef(i), a, first), q.wrote(event.TargetRef(i), b, q.repeat)
		if wroteA > b && wroteB >= 0 {
			return target.Name
		}
	}
	return ""
}

// runOf returns the index of the start of the handler's run with effect i.
func (q *inquiry) runOf(i int) int {
	e := q.s.log.Event(i)
	return q.s.index.Prev(i, func(x *event.Event) bool {
		return x.Kind == event.HandlerStarted && x.Worker == e.Worker
	})
}

// wrote returns the index of the first write to a table by the run with effect
// i that starts at event start, or -1.
func (q *inquiry) wrote(table event.TargetRef, start, i int) int {
	e := q.s.log.Event(i)
	for k := start; k >= 0; {
		k = q.s.index.Next(k+1, func(x *event.Event) bool { return x.Worker == e.Worker })
		if k < 0 {
			return -1
		}
		switch x := q.s.log.Event(k); x.Kind {
		case event.TableChanged:
			if event.TargetRef(x.Arg) == table {
				return k
			}
		case event.HandlerStarted, event.HandlerFinished, event.HandlerFailed, event.Crashed:
			return -1
		}
	}
	return -1
}

// looksInto reports whether the handler that repeated the work looks into a
// table.
func (q *inquiry) looksInto(table string) bool {
	e := q.s.log.Event(q.repeat)
	handler := q.s.handlerOf(e.Worker, e.At)
	return slices.ContainsFunc([]string{".has(", ".get("}, func(call string) bool { return strings.Contains(handler, table+call) })
}
