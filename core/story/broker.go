package story

import (
	"reflect"
	"strings"
)

// The words of three brokers: Plain, with the names that each has for the same
// things. What has no counterpart there keeps its plain name. Sources are the
// vendors' documentation.
var (
	// SQS: a message is received, hidden and deleted.
	SQS = renamed("sqs", "consumer",
		"{W} takes {m}", "{W} receives {m}", "takes it", "receives it", "takes the same message", "receives the same message",
		"is handed {m} as well", "receives {m} as well", "handed out", "received", "handed it out", "let it be received", "handed the message out", "let the message be received",
		"gives {m} back", "changes the visibility timeout of {m}", "gives it back", "changes its visibility timeout", "gave it back", "ended its visibility timeout early",
		"on delivery", "on receipt", "the receipt is old", "the receipt handle is old",
		"asks for more time: {m}", "changes the visibility timeout: {m}", "asks for more time, until", "changes the visibility timeout, until",
		" acknowledged", " deleted", "acknowledged", "deleted", "an ack", "a delete", "An ack", "A delete",
		" acked", " deleted", " acking", " deleting", " acks", " deletes", "acks it", "deletes it", " ack", " delete",
	)
	// RabbitMQ: messages are published, delivered, acked and requeued.
	RabbitMQ = renamed("rabbitmq", "consumer",
		"{P} sends", "{P} publishes", "sent by", "published by", "were sent", "were published", "was sent", "was published",
		"{W} takes {m}", "{W} gets {m} delivered", "takes it", "gets it delivered", "takes the same message", "gets the same message delivered",
		"is handed {m} as well", "gets {m} delivered as well", "handed out", "delivered", "handed it out", "delivered it", "handed the message out", "delivered the message",
		"gives {m} back", "nacks {m}", "gives it back", "nacks it", "gave it back", "nacked it", "goes back to the line", "is requeued", "goes back to the head of the line", "is requeued at the head", "goes back to its", "is requeued to its", "back in line", "requeued",
		"visibility timeout", "delivery acknowledgement timeout", "the receipt is old", "the delivery tag is old",
	)
	// PubSub: messages are published to a subscription, whose subscribers have
	// an ack deadline for each.
	PubSub = renamed("pubsub", "subscriber",
		"{P} sends", "{P} publishes", "sent by", "published by", "were sent", "were published", "was sent", "was published",
		"{W} takes {m}", "{W} pulls {m}", "takes it", "pulls it", "takes the same message", "pulls the same message",
		"is handed {m} as well", "pulls {m} as well", "handed out", "delivered", "handed it out", "delivered it", "handed the message out", "delivered the message",
		"gives {m} back", "nacks {m}", "gives it back", "nacks it", "gave it back", "nacked it",
		"asks for more time: {m}", "extends the ack deadline: {m}", "asks for more time, until", "extends the ack deadline, until",
		"visibility timeout", "ack deadline", "the receipt is old", "the ack ID is old",
		"dead-letter queue", "dead-letter subscription", "the queue", "the subscription", "The queue", "The subscription", "A queue", "A subscription", "a queue", "a subscription",
	)
)

// renamed returns Plain with other names: pairs of a phrase and what stands in
// its place, of which the first that fits is taken.
func renamed(name, worker string, pairs ...string) Words {
	w := Plain
	w.WorkerNoun = worker
	w.names = strings.NewReplacer(append(pairs, " worker", " "+worker)...)
	for _, phrases := range []reflect.Value{reflect.ValueOf(&w).Elem(), reflect.ValueOf(&w.Life).Elem()} {
		for i := range phrases.NumField() {
			if f := phrases.Field(i); f.Kind() == reflect.String && f.CanSet() {
				f.SetString(w.say(f.String()))
			}
		}
	}
	w.Name, w.Worker = name, capital(worker)+" "
	return w
}

// say puts a text of Plain into these words.
func (w *Words) say(text string) string {
	if w.names == nil {
		return text
	}
	return w.names.Replace(text)
}
