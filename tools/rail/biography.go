package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/story"
)

type biographyCommand struct {
	File     string   `arg:"" predictor:"scenario" help:"A scenario file, LESSON.md#ID, or - for standard input."`
	Messages []string `arg:"" name:"message" help:"Ids of messages, such as 101."`
	settings
	Words string `enum:"plain,kitchen,sqs,rabbitmq,pubsub" default:"plain" help:"Tell the story in these words: plain, kitchen, sqs, rabbitmq or pubsub."`
	JSON  bool   `name:"json" help:"Print one JSON object for each message."`
}

// Help gives examples.
func (*biographyCommand) Help() string {
	return `Tells the life of a message, try by try, and answers the question that one asks about it: why was it done twice, why is it lost, why is it in the dead letters? Messages with the same id, such as the copies that a topic makes, are told one after the other.

Examples:
  rail biography orders.yaml 101
  rail biography orders.yaml 101 104 --seed 7
  rail biography orders.yaml 101 --set queues.orders.visibility_timeout=5s`
}

// Run tells the life of each message.
func (c *biographyCommand) Run(t *terminal) error {
	changes, err := c.changes()
	if err != nil {
		return wrong(t, err)
	}
	d, err := oneDocument(c.File)
	if err != nil {
		return wrong(t, err)
	}
	r, err := do(d, changes, t)
	if err != nil {
		return err
	}
	var refs []event.MessageRef
	for _, id := range c.Messages {
		found := messagesNamed(r.Log, id)
		if len(found) == 0 {
			return wrong(t, noMessage(r.Log, id))
		}
		refs = append(refs, found...)
	}
	told := story.Of(r.Scenario, r.Index, vocabularies[c.Words])
	told.Judge(r.Outcome)
	for i, m := range refs {
		if c.JSON {
			if err := writeLifeJSON(t.out, told, r, m); err != nil {
				return err
			}
			continue
		}
		if i > 0 {
			fmt.Fprintln(t.out)
		}
		writeLife(t.out, told, r, m, painter(t.colour))
	}
	return nil
}

// messagesNamed returns all messages with that id, in order.
func messagesNamed(log *event.Log, id string) (refs []event.MessageRef) {
	for m := range event.MessageRef(log.MessageCount()) {
		if log.MessageID(m).String() == id {
			refs = append(refs, m)
		}
	}
	return refs
}

// noMessage says that there is no such message, and which there are.
func noMessage(log *event.Log, id string) error {
	const most = 8
	var names []string
	seen := map[string]bool{}
	for m := range event.MessageRef(log.MessageCount()) {
		if name := log.MessageID(m).String(); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 0:
		return fmt.Errorf("the run has no message %s, nor any other", id)
	case len(names) > most:
		return fmt.Errorf("the run has no message %s; its messages are %s ... %s", id, strings.Join(names[:3], ", "), names[len(names)-1])
	}
	return fmt.Errorf("the run has no message %s; its messages are %s", id, strings.Join(names, ", "))
}

// writeLife writes the sentences under headings of tries, and then why.
func writeLife(w io.Writer, told *story.Story, r *run.Run, m event.MessageRef, p painter) {
	message := r.Log.Message(m)
	heading := strings.ToUpper(told.Words().Message[:1]) + told.Words().Message[1:] + " " + message.ID.String()
	if message.Queue >= 0 {
		heading += " in " + told.QueueName(message.Queue)
	}
	fmt.Fprintln(w, p.strong(heading))
	sentences := told.Biography(m)
	clock := clockFor(sentences)
	try := int32(0)
	for _, s := range sentences {
		if s.Try != try && s.Try > 0 {
			_, worker := told.WorkerName(s.Worker)
			fmt.Fprintf(w, "%s\n", p.strong(fmt.Sprintf("Try %d, %s", s.Try, worker)))
		}
		try = s.Try
		fmt.Fprintf(w, "  %s  %s\n", p.faint(clock.show(s.At)+" s"), visible(s.String()))
	}
	answer := told.Why(m)
	if answer.Because == "" {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.strong(answer.Question))
	writeWrapped(w, answer.Because)
}

// writeWrapped writes a paragraph in lines of up to textWidth.
func writeWrapped(w io.Writer, text string) {
	line := ""
	for _, word := range strings.Fields(visible(text)) {
		if line != "" && len(line)+1+len(word) > textWidth {
			fmt.Fprintln(w, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(w, line)
}

func messageJSON(id event.ID) json.RawMessage { return event.AppendID(nil, id) }

func secondsJSON(t event.Time) json.RawMessage { return event.AppendSeconds(nil, t) }

// sentenceJSON is a sentence as JSON.
type sentenceJSON struct {
	At     json.RawMessage `json:"at"`
	Event  *int            `json:"n,omitempty"` // into the log; none of a gap
	Try    int32           `json:"try"`
	Worker string          `json:"worker,omitempty"`
	Text   string          `json:"text"`
}

func sentenceOf(s story.Sentence, log *event.Log) sentenceJSON {
	out := sentenceJSON{At: secondsJSON(s.At), Try: s.Try, Text: s.String()}
	if s.Event >= 0 {
		out.Event = &s.Event
	}
	if s.Worker >= 0 {
		out.Worker = log.Workers[s.Worker].Name
	}
	return out
}

func writeLifeJSON(w io.Writer, told *story.Story, r *run.Run, m event.MessageRef) error {
	answer := told.Why(m)
	out := struct {
		Message   json.RawMessage `json:"message"`
		Queue     string          `json:"queue"`
		Sentences []sentenceJSON  `json:"sentences"`
		Question  string          `json:"question"`
		Because   string          `json:"because"`
	}{Message: messageJSON(r.Log.MessageID(m)), Sentences: []sentenceJSON{}, Question: answer.Question, Because: answer.Because}
	if q := r.Log.Message(m).Queue; q >= 0 {
		out.Queue = r.Log.Queues[q].Name
	}
	for _, s := range told.Biography(m) {
		out.Sentences = append(out.Sentences, sentenceOf(s, r.Log))
	}
	return json.NewEncoder(w).Encode(out)
}
