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
	a.Because = s.words.say(a.Because)
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
	begun                              int // tries of which the handler began
	effects                            int // of this message
	repeat                             int // index of the effect that repeated one, or -1
	rejected, overlapped               bool
	gaveUp                             bool // its failure alone rejected it
	redriven                           bool
	acked, trouble                     int // index of the first ack, and of the first failure or crash after it
}

func (q *inquiry) read() {
	q.state = q.s.index.Where(q.m, q.s.log.Len())
	q.repeat, q.acked, q.trouble = -1, -1, -1
	running := 0
	for _, i := range q.events {
		e := q.s.log.Event(int(i))
		switch e.Kind {
		case event.Delivered:
			q.tries++
			q.overlapped = q.overlapped || running > 0
		case event.HandlerStarted:
			q.begun++
			running++
		case event.HandlerFinished:
			running--
		case event.HandlerFailed, event.Crashed:
			running--
			q.failed(int(i), e)
		case event.HiddenOver:
			q.timeouts++
		case event.Rejected:
			q.rejected = e.Reason != event.OnError
			q.gaveUp = !q.rejected
		case event.Redriven:
			q.redriven = true
		case event.Acked:
			q.acked = int(i)
		case event.Effect:
			q.effects++
			if q.s.log.Effect(int(e.Arg)).Nth > 1 {
				q.repeat = int(i)
			}
		}
	}
}

func (q *inquiry) failed(i int, e *event.Event) {
	if e.Kind == event.Crashed {
		q.crashes++
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
	case q.tries > 1 && q.state.Place == replay.Acked:
		return q.again()
	}
	return q.plainly()
}

// ask builds a question about the message.
func (q *inquiry) ask(text string) string {
	p := phrase{s: q.s, message: q.m}
	p.add(q.s.words.say(text))
	return Sentence{Parts: p.parts}.String()
}

func (q *inquiry) lost() Answer {
	a := Answer{Question: q.ask("Why is {m} lost?")}
	dead := q.s.log.Queues[q.state.Queue].DeadLetter
	switch {
	case q.state.Place == replay.Expired && dead:
		a.Because = "Nobody looked at it in " + q.s.QueueName(q.state.Queue) + " within its time to live. Dead letters with a time to live have to be looked at before it is over."
	case q.state.Place == replay.Expired && q.tries > 0:
		a.Because = "It came back without an ack after its time to live was over. A queue with a time to live forgets what it cannot hand out in time."
	case q.state.Place == replay.Expired:
		a.Because = "Nobody took it within its time to live. A queue with a time to live forgets what it cannot hand out in time."
	case q.state.Place == replay.Dropped:
		a.Because = "The queue was full and made room for a newer one. Whoever drops the oldest decides that newer ones matter more."
	case q.begun == 0:
		a.Because = "It was acked on delivery, and its worker was gone before it began. An ack tells the queue to forget the message, so it was never handed out again."
	case q.trouble >= 0:
		a.Because = "An ack tells the queue to forget the message. It came before the work, and what goes wrong after the ack is never tried again."
	default:
		a.Because = "It was acked by a run that did nothing for it. The queue believes every ack."
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
	const kept = "keeps it for somebody to look at."
	switch {
	case q.rejected:
		a.Because = "The handler said that it can never be done. A dead-letter queue " + kept
	case q.gaveUp:
		a.Because = "Its handler failed, and its pool rejects what fails instead of trying again (on_error: reject). A dead-letter queue " + kept
	case q.effects > 0:
		a.Because = "Its work was done, but no try ended with an ack, and the queue sees only acks. Who sends it again from there has it done twice."
	case q.tries == 0:
		a.Because = "It was sent there. A dead-letter queue " + kept
	case q.failures >= q.tries:
		a.Because = "It failed on every try, so one more would most likely fail as well. The dead-letter queue moves it out of the way of the others and " + kept
	case q.crashes >= q.tries:
		a.Because = "Its worker crashed on every try, perhaps because of this very message. The dead-letter queue moves it out of the way of the others and " + kept
	default:
		a.Because = "None of its tries ended with an ack. The dead-letter queue moves it out of the way of the others and " + kept
	}
	return a
}

func (q *inquiry) again() Answer {
	a := Answer{Question: q.ask("Why was {m} handed out " + times(q.tries) + "?")}
	switch {
	case q.redriven && len(q.s.edits(q.m)) > 0:
		a.Because = "It was a dead letter. Somebody corrected it and sent it back, so its tries started again from one."
	case q.redriven:
		a.Because = "It was a dead letter, and somebody sent it back. Its tries started again from one."
	case q.crashes > 0:
		a.Because = "A worker crashed before it could ack. The queue keeps a message until it is acked, so another try was made and nothing was lost."
	case q.failures > 0:
		a.Because = "A try failed before the ack. The queue keeps a message until it is acked, so another try was made."
	case q.overlapped || q.timeouts > 0:
		a.Because = "Its visibility timeout ended before the ack came. The queue cannot tell a slow worker from a dead one."
	case q.begun < q.tries:
		a.Because = "A worker that had it for later left before it began. What nobody has begun goes back at once."
	default:
		a.Because = "Its handler gave it back. The queue keeps a message until it is acked, so another try was made."
	}
	return a
}

// plainly answers for a message of which nothing went wrong, or not yet.
func (q *inquiry) plainly() Answer {
	switch q.state.Place {
	case replay.Refused:
		return Answer{Question: q.ask("Why did {m} never get in?"), Because: "The queue was full. Turning work away early tells the sender the truth while it can still do something about it."}
	case replay.Waiting, replay.Delayed:
		return Answer{Question: q.ask("Why has nobody done {m}?"), Because: q.undone()}
	case replay.Door:
		return q.atDoor()
	case replay.InFlight:
		return Answer{Question: q.ask("Why is {m} still in flight?"), Because: q.inFlight()}
	}
	a := Answer{Question: q.ask("What became of {m}?")}
	if q.timeouts > 0 && q.tries == 1 {
		a.Because = "Its visibility timeout ended before the ack came. Nobody else had taken it by then, so the late ack still counted."
	}
	return a
}

// undone says what a message in line or in a delay would still need.
func (q *inquiry) undone() string {
	switch {
	case !q.s.served(q.state.Queue):
		return "No worker takes messages from " + q.s.log.Queues[q.state.Queue].Name + "."
	case q.state.Place == replay.Delayed && q.tries > 0:
		return "The run ended before its next try, which was to come at " + Length(q.state.Until) + "."
	case q.state.Place == replay.Delayed:
		return "The run ended before its delay was over, at " + Length(q.state.Until) + "."
	case !q.s.manned(q.state.Queue):
		return "No worker was left to take it from " + q.s.log.Queues[q.state.Queue].Name + "."
	}
	return "The run ended before its turn came."
}

// atDoor answers for a message that stands before a full queue, or stood
// there until its sender crashed.
func (q *inquiry) atDoor() Answer {
	a := Answer{Question: q.ask("Why did {m} never get in?"), Because: "The queue was full, and the run ended while its sender was still waiting for room."}
	if q.s.withdrawn(q.m) >= 0 {
		a.Because = "The queue was full, and the worker that waited there to publish it crashed. What was never accepted is gone with its sender."
	}
	return a
}

func (q *inquiry) inFlight() string {
	last := q.s.log.Event(int(q.events[len(q.events)-1]))
	never := q.state.Until == event.Never
	switch {
	case last.Kind == event.Crashed && never:
		return "Its worker crashed, and the queue has no visibility timeout by which it could come back."
	case last.Kind == event.HandlerFailed && never:
		return "Its handler failed without giving it back, and the queue has no visibility timeout by which it could come back."
	case last.Kind == event.HandlerFinished && never:
		return "Its handler finished without an ack, and the queue has no visibility timeout by which it could come back."
	case last.Kind == event.Crashed || last.Kind == event.HandlerFailed || last.Kind == event.HandlerFinished:
		return "It was not acked, and the run ended before its visibility timeout."
	case q.begun < q.tries:
		return "The run ended before its worker began with it."
	}
	return "The run ended while its worker was still busy with it."
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

// manned reports whether a worker that takes messages from a queue was there at
// the end.
func (s *Story) manned(queue event.QueueRef) bool {
	gone := map[event.WorkerRef]bool{} // by its last event of these kinds
	moves := replay.KindsOf(event.Crashed, event.Restarted, event.WorkerAdded, event.WorkerRemoved)
	for i := s.index.NextOf(0, moves); i >= 0; i = s.index.NextOf(i+1, moves) {
		e := s.log.Event(i)
		gone[e.Worker] = e.Kind == event.Crashed || e.Kind == event.WorkerRemoved
	}
	for i := range s.log.Workers {
		pool := &s.scenario.Workers[s.log.Workers[i].Pool]
		if slices.Contains(pool.From, s.log.Queues[queue].Name) && !gone[event.WorkerRef(i)] {
			return true
		}
	}
	return false
}

// edits returns the entries of the timeline that changed a message while it
// was in a queue, as indexes of their events.
func (s *Story) edits(m event.MessageRef) (edits []int) {
	commands := replay.KindsOf(event.Command)
	for i := s.index.NextOf(0, commands); i >= 0; i = s.index.NextOf(i+1, commands) {
		entry := s.log.Event(i).Arg
		if int(entry) >= len(s.scenario.Timeline) || s.scenario.Timeline[entry].Edit != s.log.MessageID(m) {
			continue
		}
		switch s.index.Where(m, i).Place {
		case replay.Waiting, replay.Delayed, replay.InFlight, replay.Dead:
			edits = append(edits, i)
		}
	}
	return edits
}

// withdrawn returns the index of the crash that took a message away with its
// sender, a worker that stood before a full queue to publish it, or -1.
func (s *Story) withdrawn(m event.MessageRef) int {
	events := s.events(m)
	if len(events) == 0 {
		return -1
	}
	last := int(events[len(events)-1])
	blocked := s.log.Event(last)
	if blocked.Kind != event.Blocked || blocked.Worker == event.NoWorker {
		return -1
	}
	return s.index.Next(last+1, func(e *event.Event) bool { return e.Kind == event.Crashed && e.Worker == blocked.Worker })
}

// told returns the events that tell the way there; what another message did
// first is among them where that is the cause.
func (q *inquiry) told() []int {
	var told []int
	for _, i := range q.events {
		switch q.s.log.Event(int(i)).Kind {
		case event.TableChanged, event.Printed, event.HandlerStarted, event.Extended:
			continue
		}
		if q.s.Told(int(i)) {
			told = append(told, int(i))
		}
	}
	told = append(told, q.s.edits(q.m)...)
	if i := q.s.withdrawn(q.m); i >= 0 {
		told = append(told, i)
	}
	if first := q.firstTime(); first >= 0 && q.s.log.Event(first).Message != q.m {
		told = append(told, first)
	}
	slices.Sort(told)
	return told
}

// steps returns the sentences that tell the way there.
func (q *inquiry) steps() []Sentence {
	told := q.told()
	if len(told) > maxSteps {
		told = slices.Concat(told[:maxSteps/2], told[len(told)-maxSteps/2:])
	}
	steps := make([]Sentence, len(told))
	for k, i := range told {
		steps[k] = q.s.Sentence(i)
	}
	return steps
}
