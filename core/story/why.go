package story

import (
	"slices"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// Answer says why something became of a message.
type Answer struct {
	Question string     // Why did 101 get two emails?
	Steps    []Sentence // the events that led there, in order
	Because  string     // what is to be learned from it; "" when all went well
}

// maxSteps is how many steps an Answer has at most; the middle is left out.
const maxSteps = 12

// Why walks back from what became of a message to what caused it: lost, done
// twice, dead, tried again, refused, or simply done.
func (s *Story) Why(m event.MessageRef) Answer {
	q := inquiry{s: s, m: m, events: s.events(m)}
	q.read()
	a := q.answer()
	a.Steps = q.steps()
	return a
}

// inquiry is what Why has found out about a message.
type inquiry struct {
	s      *Story
	m      event.MessageRef
	events []int32
	state  replay.MessageState

	tries, crashes, failures, timeouts int
	effects                            int // of this message
	repeat                             int // index of the effect that repeated one, or -1
	rejected, overlapped               bool
	gaveUp                             bool // its failure alone rejected it
	acked, trouble                     int  // order of the first ack, and of the first failure or crash after it
	effectThenCrash                    bool
}

func (q *inquiry) read() {
	q.state = q.s.index.Where(q.m, q.s.log.Len())
	q.repeat, q.acked, q.trouble = -1, -1, -1
	open := false // an effect of this try, and no ack yet
	running := 0
	for _, i := range q.events {
		e := q.s.log.Event(int(i))
		switch e.Kind {
		case event.Delivered:
			q.tries++
			q.overlapped = q.overlapped || running > 0
			open = false
		case event.HandlerStarted:
			running++
		case event.HandlerFinished:
			running--
		case event.HandlerFailed, event.Crashed:
			running--
			q.failed(int(i), e, open)
		case event.HiddenOver:
			q.timeouts++
		case event.Rejected:
			q.rejected = e.Reason != event.OnError
			q.gaveUp = !q.rejected
		case event.Acked:
			q.acked = int(i)
		case event.Effect:
			q.effects++
			open = true
			if q.s.log.Effect(int(e.Arg)).Nth > 1 {
				q.repeat = int(i)
			}
		}
	}
}

func (q *inquiry) failed(i int, e *event.Event, effect bool) {
	if e.Kind == event.Crashed {
		q.crashes++
		q.effectThenCrash = q.effectThenCrash || effect && q.acked < 0
	} else {
		q.failures++
	}
	if q.acked >= 0 {
		q.trouble = i
	}
}

func (q *inquiry) answer() Answer {
	switch {
	case q.s.isLost(q.m):
		return q.lost()
	case q.repeat >= 0:
		return q.twice()
	case q.state.Place == replay.Dead:
		return q.dead()
	case q.tries > 1:
		return q.again()
	}
	return q.plainly()
}

// ask builds a question about the message.
func (q *inquiry) ask(text string) string {
	p := phrase{s: q.s, message: q.m}
	p.add(text)
	return Sentence{Parts: p.parts}.String()
}

func (q *inquiry) lost() Answer {
	a := Answer{Question: q.ask("Why is {m} lost?")}
	switch {
	case q.state.Place == replay.Expired && q.tries > 0:
		a.Because = "It came back without an ack after its time to live was over. A queue with a time to live forgets what it cannot hand out in time."
	case q.state.Place == replay.Expired:
		a.Because = "Nobody took it within its time to live. A queue with a time to live forgets what it cannot hand out in time."
	case q.state.Place == replay.Dropped:
		a.Because = "The queue was full and made room for a newer one. Whoever drops the oldest decides that newer ones matter more."
	case q.trouble >= 0:
		a.Because = "An ack tells the queue to forget the message. It came before the work, and what goes wrong after the ack is never tried again."
	default:
		a.Because = "It was acked by a run that did nothing for it. The queue believes every ack."
	}
	return a
}

func (q *inquiry) twice() Answer {
	record := q.s.log.Effect(int(q.s.log.Event(q.repeat).Arg))
	d := deedOf(q.s.log.Targets[record.Target].Name)
	a := Answer{Question: q.ask("Why did {m} get " + number(int(record.Nth)) + " " + d.many + "?")}
	if d.verb == "" {
		a.Question = q.ask("Why was {m} done " + times(int(record.Nth)) + "?")
	}
	switch {
	case q.effects == int(record.Nth) && q.tries < 2:
		a.Because = "Its handler did the work more than once in one run."
	case q.tries < 2:
		a.Because = "Another message carried the same key, and the work was done for each of them."
	case q.effectThenCrash:
		a.Because = "Doing the work and acking it are two acts. When a crash falls between them, the queue sees only the missing ack, so it has to try again."
	case q.overlapped || q.timeouts > 0 && q.failures == 0 && q.crashes == 0:
		a.Because = "The visibility timeout was shorter than the work. The queue cannot tell a slow worker from a dead one, so it handed the message out again while the first try was still going on."
	case q.failures > 0:
		a.Because = "The handler failed after the work was done and before the ack. The queue sees only the missing ack, so it has to try again."
	default:
		a.Because = "The work was done and no ack followed in time, so the queue had to try again."
	}
	return a
}

// number writes small numbers as words.
func number(n int) string {
	words := [...]string{"no", "one", "two", "three", "four", "five", "six"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

func (q *inquiry) dead() Answer {
	a := Answer{Question: q.ask("Why is {m} in ") + q.s.QueueName(q.state.Queue) + "?"}
	switch {
	case q.rejected:
		a.Because = "The handler said that it can never be done. A dead-letter queue keeps such messages for somebody to look at."
	case q.gaveUp:
		a.Because = "Its handler failed, and its pool rejects what fails instead of trying again (on_error: reject). A dead-letter queue keeps such messages for somebody to look at."
	case q.failures >= q.tries && q.tries > 0:
		a.Because = "It failed on every try, so one more would fail as well. The dead-letter queue takes it out of the way of the others and keeps it for somebody to look at."
	default:
		a.Because = "None of its tries ended with an ack. The dead-letter queue takes it out of the way of the others and keeps it for somebody to look at."
	}
	return a
}

func (q *inquiry) again() Answer {
	a := Answer{Question: q.ask("Why was {m} handed out " + times(q.tries) + "?")}
	switch {
	case q.crashes > 0:
		a.Because = "A worker crashed before it could ack. The queue keeps a message until it is acked, so another try was made and nothing was lost."
	case q.failures > 0:
		a.Because = "A try failed before the ack. The queue keeps a message until it is acked, so another try was made."
	case q.overlapped || q.timeouts > 0:
		a.Because = "Its visibility timeout ended before the ack came. The queue cannot tell a slow worker from a dead one."
	default:
		a.Because = "It was given back without an ack."
	}
	return a
}

func (q *inquiry) plainly() Answer {
	switch q.state.Place {
	case replay.Refused:
		return Answer{Question: q.ask("Why did {m} never get in?"), Because: "The queue was full. Turning work away early tells the sender the truth while it can still do something about it."}
	case replay.Waiting, replay.Delayed, replay.Door:
		a := Answer{Question: q.ask("Why has nobody done {m}?"), Because: "The run ended before its turn came."}
		if !q.s.served(q.state.Queue) {
			a.Because = "No worker takes messages from " + q.s.log.Queues[q.state.Queue].Name + "."
		}
		return a
	case replay.InFlight:
		return Answer{Question: q.ask("Why is {m} still in flight?"), Because: "It was handed out, and the run ended before it was acked or came back."}
	}
	return Answer{Question: q.ask("What became of {m}?")}
}

// served reports whether a pool takes messages from a queue.
func (s *Story) served(q event.QueueRef) bool {
	for i := range s.scenario.Workers {
		if slices.Contains(s.scenario.Workers[i].From, s.log.Queues[q].Name) {
			return true
		}
	}
	return false
}

// steps returns the sentences that tell the way there.
func (q *inquiry) steps() []Sentence {
	var steps []Sentence
	for _, i := range q.events {
		switch q.s.log.Event(int(i)).Kind {
		case event.TableChanged, event.Printed, event.HandlerStarted, event.Extended:
			continue
		}
		if s := q.s.Sentence(int(i)); s.Shown {
			steps = append(steps, s)
		}
	}
	if len(steps) > maxSteps {
		head, tail := steps[:maxSteps/2:maxSteps/2], steps[len(steps)-maxSteps/2:]
		steps = append(head, tail...)
	}
	return steps
}
