package player

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/story"
)

// Words are one way of naming things on the page: those of the kitchen, the
// field's own, or a broker's. They change what the page says and nothing that
// happens.
type Words struct {
	Key   string // as in addresses, and as wasm/scene calls its words
	Label string // as a reader chooses it
	Story story.Words
	set   int // the column of the table below
}

// AllWords are the words to choose from; the first are those of a page as it
// is opened.
var AllWords = []*Words{
	{Key: "kitchen", Label: "Kitchen", Story: story.Kitchen},
	{Key: "plain", Label: "Plain", Story: story.Plain, set: 1},
	{Key: "sqs", Label: "SQS", Story: story.SQS, set: 2},
	{Key: "rabbitmq", Label: "RabbitMQ", Story: story.RabbitMQ, set: 3},
	{Key: "pubsub", Label: "Pub/Sub", Story: story.PubSub, set: 4},
}

// WordsNamed returns the words with that key, those of the kitchen when there
// are none.
func WordsNamed(key string) *Words {
	for _, w := range AllWords {
		if w.Key == key {
			return w
		}
	}
	return AllWords[0]
}

// labels are what panels say in the kitchen's words, and the same in plain
// words, SQS's, RabbitMQ's and Pub/Sub's. What is not here is the same in all.
var labels = map[string][4]string{
	// places, as groups of settings and columns
	"Cooks":                              {"Workers", "Consumers", "Consumers", "Subscribers"},
	"Cook":                               {"Worker", "Consumer", "Consumer", "Subscriber"},
	"Rail":                               {"Queue", "Queue", "Queue", "Subscription"},
	"Waiter":                             {"Producer", "Sender", "Publisher", "Publisher"},
	"Mail server":                        {"Service", "Service", "Service", "Service"},
	"Kitchen":                            {"Stage", "Stage", "Stage", "Stage"},
	"Kitchen settings":                   {"Settings", "Settings", "Settings", "Settings"},
	"The cook’s card":                    {"The handler", "The consumer's code", "The consumer's code", "The subscriber's code"},
	"Time to ack":                        {"Visibility timeout", "Visibility timeout", "Delivery ack timeout", "Ack deadline"},
	"Tries":                              {"Max receives", "Max receive count", "Delivery limit", "Max delivery attempts"},
	"Rail size":                          {"Queue size", "Queue size", "Max length", "Backlog limit"},
	"order":                              {"message", "message", "message", "message"},
	"orders":                             {"messages", "messages", "messages", "messages"},
	"Order":                              {"Message", "Message", "Message", "Message"},
	"accepted":                           {"accepted", "sent and kept", "queued", "published"},
	"waiting":                            {"waiting", "visible", "ready", "backlog"},
	"delayed":                            {"delayed", "delayed", "delayed", "backing off"},
	"in flight":                          {"in flight", "in flight", "unacked", "leased"},
	"done":                               {"acked", "deleted", "acked", "acked"},
	"dead":                               {"dead", "in DLQ", "dead", "dead"},
	"Every accepted ticket is somewhere": {"Every accepted message is somewhere", "Every message that was kept is somewhere", "Every queued message is somewhere", "Every published message is somewhere"},
	"On the spike":                       {"Acked", "Deleted", "Acked", "Acknowledged"},
	"Still on the rail":                  {"Still in the queue", "Still in the queue", "Still in the queue", "Still unacknowledged"},
	"When full":                          {"When full", "When full", "Overflow", "When full"},
	"Turn away":                          {"Refuse", "Refuse", "reject-publish", "Refuse"},
	"Waiter waits":                       {"Producer waits", "Sender waits", "Publisher waits", "Publisher waits"},
	"Orders":                             {"Messages", "Messages", "Messages", "Messages"},

	"On the head chef's tray": {"Dead letters", "In the dead-letter queue", "Dead-lettered", "In the dead-letter subscription"},
	"Turned away for good":    {"Refused for good", "Refused for good", "Publishes refused for good", "Publishes refused for good"},
	"Turned away":             {"Refused", "Refused", "Publishes refused", "Publishes refused"},
	"Handed out again":        {"Redelivered", "Received again", "Redelivered", "Delivered again"},
	"Handed out":              {"Delivered", "Received", "Delivered", "Delivered"},
	"Longest wait for a cook": {"Longest wait for a worker", "Longest wait to be received", "Longest time ready", "Longest wait to be delivered"},
	"Most in line":            {"Longest line", "Most visible", "Most ready", "Longest backlog"},
	"Cooks at work":           {"Workers busy", "Consumers busy", "Consumers busy", "Subscribers busy"},
	"Hung for too long":       {"Expired", "Beyond retention", "Expired (TTL)", "Beyond retention"},
	"Thrown away for room":    {"Dropped for room", "Dropped for room", "Dropped at max length", "Dropped for room"},
	"Came to spike too late":  {"Acks too late", "Deletes with an old receipt", "Acks too late", "Acks after the deadline"},
	"In the tray":             {"Dead letters", "In the dead-letter queue", "Dead-lettered", "Dead-lettered"},
	"Correct it and clip it back": {
		"Correct it and redrive", "Correct it and redrive", "Correct it and shovel it back", "Correct it and republish",
	},
}

// In returns how the words say what the kitchen calls so.
func (w *Words) In(kitchen string) string {
	if w.set > 0 {
		if others, ok := labels[kitchen]; ok {
			return others[w.set-1]
		}
	}
	return kitchen
}

// Words returns the words in which the page speaks.
func (p *Player) Words() *Words { return p.words }

// SetWords has everything that is said said in other words. The run stays what
// it is.
func (p *Player) SetWords(w *Words) {
	if p.words == w {
		return
	}
	p.words = w
	p.revision++
	if p.shown != nil {
		p.tell(p.shown.run)
	}
}

// WorkerTitle is the name of a worker as it stands by itself: Cook A, mailer/1.
func (p *Player) WorkerTitle(w event.WorkerRef) string {
	_, name := p.story.WorkerName(w)
	if p.words.Story.Letters {
		return upper(name)
	}
	return name
}

// upper gives a text a capital at its start.
func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
