// Package story tells a run in sentences: what happened, what was surprising
// about it and what it led to, in words that a reader chooses.
//
// It reads a log and never changes it; a Sentence has references beside its
// text so that a page can draw tickets and badges into it. Start reading at
// Story; words.go has every phrase, tell.go says which one is used when.
package story

import (
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Part is a piece of a sentence. At most one of the references is set.
type Part struct {
	Text    string
	Message event.MessageRef // Text is the id of this message; or NoMessage
	Worker  event.WorkerRef  // Text is the name of this worker; or NoWorker
	Strong  bool             // a reader should not miss it
}

// Sentence is what there is to tell about one event. It may be more than one
// sentence, or empty.
type Sentence struct {
	At    event.Time
	Event int // index into the log
	Kind  event.Kind
	Parts []Part
	Shown bool // it belongs in a transcript; the others are details of it

	// In a biography: which hand-out it belongs to, 0 before the first, and
	// who had it then.
	Try    int32
	Worker event.WorkerRef
}

// String returns the sentence as text.
func (s Sentence) String() string {
	var b strings.Builder
	for _, p := range s.Parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

// Story tells one run.
type Story struct {
	scenario *scenario.Scenario
	log      *event.Log
	words    Words
	index    *replay.Index
	twins    bool // different messages may carry one id (topics copy)
	shortIDs bool // ids look like counts: say "message 2"

	lost map[event.MessageRef]bool // nil until it is known
}

// New returns a story of a run. The log may still grow.
func New(s *scenario.Scenario, log *event.Log, words Words) *Story {
	return Of(s, replay.New(log), words)
}

// Of returns a story of a run that is indexed already.
func Of(s *scenario.Scenario, index *replay.Index, words Words) *Story {
	st := &Story{scenario: s, log: index.Log(), words: words, index: index, twins: len(s.Topics) > 0}
	st.shortIDs = hasShortIDs(s)
	return st
}

// hasShortIDs reports whether a bare id could be taken for a count.
func hasShortIDs(s *scenario.Scenario) bool {
	for i := range s.Producers {
		p := &s.Producers[i]
		for k := range p.Send {
			if id := p.Send[k].ID; id.Text == "" && id.Number < 100 {
				return true
			}
		}
		if len(p.Send) == 0 && p.FirstID < 100 {
			return true
		}
	}
	return false
}

// Words returns the words that the story is told in.
func (s *Story) Words() Words { return s.words }

// Len returns how many sentences there are: one an event, shown or not.
func (s *Story) Len() int { return s.log.Len() }

// Sentence tells event i.
func (s *Story) Sentence(i int) Sentence {
	if s.index.Len() < s.log.Len() {
		s.index.Extend()
	}
	e := s.log.Event(i)
	t := teller{s: s, i: i, e: e, shown: true}
	t.tell()
	return Sentence{At: e.At, Event: i, Kind: e.Kind, Parts: t.parts,
		Shown: t.shown && len(t.parts) > 0, Worker: event.NoWorker}
}

// Shown returns the indexes of the first events up to limit that are told in
// a transcript, from event n on.
func (s *Story) Shown(n, limit int) []int {
	var shown []int
	for i := n; i < s.log.Len() && len(shown) < limit; i++ {
		if s.Told(i) {
			shown = append(shown, i)
		}
	}
	return shown
}

// Told reports whether a transcript tells event i: what Sentence(i).Shown
// says, mostly without building the sentence.
func (s *Story) Told(i int) bool {
	switch s.log.Event(i).Kind {
	case event.Line, event.HandlerStarted, event.CallStarted, event.Unblocked:
		return false
	case event.Returned, event.HandlerFinished, event.CallFailed, event.Nacked, event.Rejected,
		event.TableChanged, event.WorkerAdded:
		return s.Sentence(i).Shown
	}
	return true
}

// isLost reports whether m is gone, at the end of the run, although nothing
// came of it.
func (s *Story) isLost(m event.MessageRef) bool {
	if _, ended := s.log.Ended(); ended == "" {
		return false
	}
	if s.lost == nil {
		s.Judge(outcome.Of(s.scenario, s.log))
	}
	return s.lost[m]
}

// Judge takes what was lost from an outcome of the whole run, where there is
// one already; otherwise the story finds it out when it first needs it.
func (s *Story) Judge(o *outcome.Outcome) {
	s.lost = map[event.MessageRef]bool{}
	for _, m := range o.LostMessages {
		s.lost[m] = true
	}
}

// WorkerName returns the badge of a worker (A, or mailer/1) and the whole name
// as it stands within a sentence.
func (s *Story) WorkerName(w event.WorkerRef) (badge, name string) {
	worker := &s.log.Workers[w]
	badge = worker.Name
	if s.words.Letters {
		badge = Letter(worker.Number)
	}
	return badge, s.words.WorkerWithin + badge + s.poolSuffix(worker)
}

// poolSuffix tells lettered workers of several pools apart.
func (s *Story) poolSuffix(w *event.Worker) string {
	if !s.words.Letters || len(s.log.Pools) < 2 {
		return ""
	}
	return " (" + s.log.Pools[w.Pool] + ")"
}

// QueueName returns the name of a queue as it stands within a sentence.
func (s *Story) QueueName(q event.QueueRef) string {
	if q < 0 {
		return "(nowhere)"
	}
	one, many := s.words.OneQueue, s.words.Queue
	dead := s.log.Queues[q].DeadLetter
	if dead {
		one, many = s.words.OneDead, s.words.DeadLetters
	}
	same := 0
	for i := range s.log.Queues {
		if s.log.Queues[i].DeadLetter == dead {
			same++
		}
	}
	if same == 1 {
		many = one
	}
	return strings.ReplaceAll(many, "{x}", s.log.Queues[q].Name)
}

// ProducerName returns the name of a producer as it stands within a sentence.
func (s *Story) ProducerName(p event.ProducerRef) string {
	if p < 0 {
		return "(nobody)"
	}
	phrase := s.words.Producer
	if len(s.log.Producers) == 1 {
		phrase = s.words.OneProducer
	}
	return strings.ReplaceAll(phrase, "{x}", s.log.Producers[p])
}

// handlerOf returns the handler that the worker had at that time.
func (s *Story) handlerOf(w event.WorkerRef, at event.Time) string {
	pool := s.log.Workers[w].Pool
	handler := s.scenario.Workers[pool].Handler
	for i := range s.scenario.Timeline {
		e := &s.scenario.Timeline[i]
		if text, ok := e.To.(string); ok && e.At <= at && e.Set == "workers."+s.log.Pools[pool]+".handler" {
			handler = text
		}
	}
	return handler
}

// code returns line n of the handler that the worker ran at that time,
// without its indentation.
func (s *Story) code(w event.WorkerRef, n int32, at event.Time) string {
	handler := s.handlerOf(w, at)
	for ; n > 1; n-- {
		_, handler, _ = strings.Cut(handler, "\n")
	}
	line, _, _ := strings.Cut(handler, "\n")
	return strings.TrimSpace(line)
}

// phrase builds parts from phrases with names in braces.
type phrase struct {
	s      *Story
	parts  []Part
	strong bool
	placed bool // the phrase names the queue: no need to tell copies apart

	message       event.MessageRef
	worker, other event.WorkerRef
	queue, target event.QueueRef
	producer      event.ProducerRef
	service, text string
	length        event.Time
	number        int
}

// phraseOf returns an empty phrase with what the event itself names.
func (s *Story) phraseOf(e *event.Event) phrase {
	return phrase{s: s, message: e.Message, worker: e.Worker, other: event.NoWorker,
		queue: e.Queue, target: event.NoQueue, number: int(e.Receive), text: s.log.Text(e.Text)}
}

// add appends a phrase, after a space when it is not the first.
func (p *phrase) add(text string) {
	if text == "" {
		return
	}
	if len(p.parts) > 0 {
		p.plain(" ")
	}
	for text != "" {
		i := strings.IndexAny(text, "{*")
		if i < 0 {
			p.plain(text)
			return
		}
		p.plain(text[:i])
		if text[i] == '*' {
			p.strong = !p.strong
			text = text[i+1:]
			continue
		}
		end := i + strings.IndexByte(text[i:], '}')
		p.name(text[i+1 : end])
		text = text[end+1:]
	}
}

// plain appends text, to the part before where that is of the same make.
func (p *phrase) plain(text string) {
	if text == "" {
		return
	}
	if n := len(p.parts); n > 0 {
		last := &p.parts[n-1]
		if strings.HasPrefix(text, ".") && strings.HasSuffix(last.Text, "?") {
			text = text[1:] // what is quoted ends with a mark of its own
			if text == "" {
				return
			}
		}
		if last.Message == event.NoMessage && last.Worker == event.NoWorker && last.Strong == p.strong {
			last.Text += text
			return
		}
	}
	p.parts = append(p.parts, Part{Text: text, Message: event.NoMessage, Worker: event.NoWorker, Strong: p.strong})
}

// name appends what a name in braces stands for.
func (p *phrase) name(name string) {
	switch name {
	case "m", "M":
		p.addMessage(name == "M")
	case "w", "W":
		p.addWorker(p.worker, name == "W")
	case "v", "V":
		p.addWorker(p.other, name == "V")
	case "q":
		p.plain(p.s.QueueName(p.queue))
	case "Q":
		p.plain(capitalName(p.s.QueueName(p.queue)))
	case "t":
		p.plain(p.s.QueueName(p.target))
	case "p":
		p.plain(p.s.ProducerName(p.producer))
	case "P":
		p.plain(capitalName(p.s.ProducerName(p.producer)))
	case "s":
		p.plain(p.service)
	case "d":
		p.plain(Length(p.length))
	case "n":
		p.plain(strconv.Itoa(p.number))
	case "nth":
		p.plain(ordinal(p.number))
	case "Nth":
		p.plain(capital(ordinal(p.number)))
	case "x":
		p.plain(p.text)
	default:
		panic("story: no name {" + name + "}")
	}
}

// capitalName begins a sentence with a phrase; a bare name stays as it is
// written in the scenario.
func capitalName(name string) string {
	if strings.Contains(name, " ") {
		return capital(name)
	}
	return name
}

func (p *phrase) addMessage(start bool) {
	m := p.s.log.Message(p.message)
	if p.s.shortIDs || m.ID.Text != "" {
		noun := p.s.words.Message + " "
		if start {
			noun = capital(noun)
		}
		p.plain(noun)
	}
	p.parts = append(p.parts, Part{Text: m.ID.String(), Message: p.message, Worker: event.NoWorker, Strong: p.strong})
	if p.s.twins && !p.placed && m.Queue >= 0 && m.Parent == event.NoMessage {
		p.plain(" (" + p.s.log.Queues[m.Queue].Name + ")")
	}
}

func (p *phrase) addWorker(w event.WorkerRef, start bool) {
	if w < 0 {
		p.plain("(nobody)")
		return
	}
	before := p.s.words.WorkerWithin
	if start {
		before = p.s.words.Worker
	}
	p.plain(before)
	badge, _ := p.s.WorkerName(w)
	p.parts = append(p.parts, Part{Text: badge, Message: event.NoMessage, Worker: w, Strong: p.strong})
	p.plain(p.s.poolSuffix(&p.s.log.Workers[w]))
}
