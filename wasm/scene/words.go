package scene

import (
	"strconv"
	"strings"
)

// Word names a place on the stage: as the skin calls it, and the technical term
// that stays beside it.
type Word struct{ Name, Term string }

const headingSize, termSize = 15, 11

// width is what the word takes as a heading.
func (w Word) width() float64 {
	n := widthOf(w.Name, headFont, headingSize)
	if w.Term != "" && w.Term != w.Name {
		n += 8 + widthOf(w.Term, monoFont, termSize)
	}
	return n
}

// fit is the word as it fits into room: without its term where that is too
// much, and shortened where even the name is. Room 0 is enough for anything.
func (w Word) fit(room float64) Word {
	if room == 0 || w.width() <= room {
		return w
	}
	return Word{Name: fit(w.Name, headFont, headingSize, room)}
}

// Words are the labels of the stage. They change what things are called,
// never what happens.
type Words struct {
	Producer, Queue, Workers, Outside, DeadLetters, Done Word

	// Producers and Queues head the columns of a board.
	Producers, Queues Word

	Worker               string // one worker, before its letter: Cook
	Refused              string // a message turned away
	NextOut              string
	Returned             string // who brings a message back, and how
	DoneNote             [2]string
	DeadNote             [2]string
	Redrive              string // what the tray's button says
	Border               [3]string
	Free                 string    // a worker without work
	Waits                string    // said of how many are in line
	DeadShort, DoneShort [2]string // the notes in few words
	InTray               string    // said below the tray, after the count
	Ticket               string    // a message as it lies in the tray
	Gone                 string    // said of a message that was acked
	Buried               string    // said of a message that became a dead letter
	DoneWord             string    // said of how many are done
	DeadWord             string    // said of how many are dead
}

// KitchenWords are the words of the restaurant.
var KitchenWords = &Words{
	Producer:    Word{"Waiter", "producer"},
	Producers:   Word{"Waiters", "producers"},
	Queue:       Word{"Rail", "queue"},
	Queues:      Word{"Rails", "queues"},
	Workers:     Word{"Cooks", "workers"},
	Outside:     Word{"Inbox", "outside"},
	DeadLetters: Word{"Head chef's tray", "dead letters"},
	Done:        Word{"Done spike", "ack"},
	Worker:      "Cook",
	Refused:     "busy, try again",
	NextOut:     "next out",
	Returned:    "manager clips it back",
	DoneNote:    [2]string{"off the rail", "for good"},
	DeadNote:    [2]string{"given up after", "too many tries"},
	Redrive:     "Clip back",
	Border:      [3]string{"The queue cannot see", "past the dashed line.", "It only counts acks."},
	Free:        "hands free",
	Waits:       "waiting",
	DeadShort:   [2]string{"dead in", "the tray"},
	DoneShort:   [2]string{"on the", "done spike"},
	InTray:      "in tray",
	Ticket:      "ticket",
	Gone:        "Off the rail.",
	Buried:      "lands in the tray",
	DoneWord:    "done",
	DeadWord:    "dead",
}

// PlainWords are the field's own words.
var PlainWords = &Words{
	Producer:    Word{"Producer", ""},
	Producers:   Word{"Producers", ""},
	Queue:       Word{"Queue", ""},
	Queues:      Word{"Queues", ""},
	Workers:     Word{"Workers", ""},
	Outside:     Word{"Services", "outside"},
	DeadLetters: Word{"Dead letters", "queue"},
	Done:        Word{"Acked", ""},
	Worker:      "Worker",
	Refused:     "refused: queue full",
	NextOut:     "next out",
	Returned:    "the broker puts it back",
	DoneNote:    [2]string{"deleted from", "the queue"},
	DeadNote:    [2]string{"moved after", "too many tries"},
	Redrive:     "Redrive",
	Border:      [3]string{"The queue cannot see", "past the dashed line.", "It only counts acks."},
	Free:        "idle",
	Waits:       "waiting",
	DeadShort:   [2]string{"dead", "letters"},
	DoneShort:   [2]string{"acked", "so far"},
	InTray:      "dead",
	Ticket:      "message",
	Gone:        "Off the queue.",
	Buried:      "joins the dead letters",
	DoneWord:    "acked",
	DeadWord:    "dead",
}

// SQSWords are those of Amazon SQS.
var SQSWords = &Words{
	Producer:    Word{"Sender", "producer"},
	Producers:   Word{"Senders", "producers"},
	Queue:       Word{"Queue", ""},
	Queues:      Word{"Queues", ""},
	Workers:     Word{"Consumers", "workers"},
	Outside:     Word{"Services", "outside"},
	DeadLetters: Word{"Dead-letter queue", "DLQ"},
	Done:        Word{"Deleted", "ack"},
	Worker:      "Consumer",
	Refused:     "refused: queue full",
	NextOut:     "next out",
	Returned:    "visible again",
	DoneNote:    [2]string{"DeleteMessage:", "gone for good"},
	DeadNote:    [2]string{"beyond max", "receive count"},
	Redrive:     "Redrive",
	Border:      [3]string{"The queue cannot see", "past the dashed line.", "It counts deletes."},
	Free:        "polling",
	Waits:       "visible",
	DeadShort:   [2]string{"in the", "DLQ"},
	DoneShort:   [2]string{"deleted", "so far"},
	InTray:      "in DLQ",
	Ticket:      "message",
	Gone:        "It is deleted.",
	Buried:      "moves to the DLQ",
	DoneWord:    "deleted",
	DeadWord:    "in DLQ",
}

// RabbitWords are those of RabbitMQ.
var RabbitWords = &Words{
	Producer:    Word{"Publisher", "producer"},
	Producers:   Word{"Publishers", "producers"},
	Queue:       Word{"Queue", ""},
	Queues:      Word{"Queues", ""},
	Workers:     Word{"Consumers", "workers"},
	Outside:     Word{"Services", "outside"},
	DeadLetters: Word{"Dead-letter queue", "DLX"},
	Done:        Word{"Acked", "basic.ack"},
	Worker:      "Consumer",
	Refused:     "rejected: queue full",
	NextOut:     "next out",
	Returned:    "requeued",
	DoneNote:    [2]string{"removed from", "the queue"},
	DeadNote:    [2]string{"over the", "delivery limit"},
	Redrive:     "Shovel back",
	Border:      [3]string{"The broker can't see", "past the dashed line.", "It only counts acks."},
	Free:        "idle",
	Waits:       "ready",
	DeadShort:   [2]string{"dead-", "lettered"},
	DoneShort:   [2]string{"acked", "so far"},
	InTray:      "dead",
	Ticket:      "message",
	Gone:        "Off the queue.",
	Buried:      "joins the dead letters",
	DoneWord:    "acked",
	DeadWord:    "dead",
}

// PubSubWords are those of Google Cloud Pub/Sub.
var PubSubWords = &Words{
	Producer:    Word{"Publisher", "producer"},
	Producers:   Word{"Publishers", "producers"},
	Queue:       Word{"Subscription", "queue"},
	Queues:      Word{"Subscriptions", "queues"},
	Workers:     Word{"Subscribers", "workers"},
	Outside:     Word{"Services", "outside"},
	DeadLetters: Word{"Dead-letter topic", ""},
	Done:        Word{"Acknowledged", "ack"},
	Worker:      "Subscriber",
	Refused:     "refused: no quota",
	NextOut:     "next out",
	Returned:    "delivered again",
	DoneNote:    [2]string{"gone from the", "subscription"},
	DeadNote:    [2]string{"past the most", "delivery tries"},
	Redrive:     "Republish",
	Border:      [3]string{"Pub/Sub cannot see", "past the dashed line.", "It only counts acks."},
	Free:        "idle",
	Waits:       "unacked",
	DeadShort:   [2]string{"dead-", "lettered"},
	DoneShort:   [2]string{"acked", "so far"},
	InTray:      "dead",
	Ticket:      "message",
	Gone:        "Gone for good.",
	Buried:      "joins the dead letters",
	DoneWord:    "acked",
	DeadWord:    "dead",
}

func itoa(n int) string { return strconv.Itoa(n) }

// grouped writes n with a comma between thousands.
func grouped(n int) string { return string(appendGrouped(nil, n)) }

func appendGrouped(b []byte, n int) []byte {
	if n < 1000 {
		return strconv.AppendInt(b, int64(n), 10)
	}
	b = append(appendGrouped(b, n/1000), ',')
	n %= 1000
	return append(b, byte('0'+n/100), byte('0'+n/10%10), byte('0'+n%10))
}

// deed is what one side effect of a target is called, for one and for many.
type deed struct{ one, many, verb, busy, glyph string }

// deedOf names the side effects of a service or table after its name.
func deedOf(target string, table bool) deed {
	switch {
	case table:
		return deed{"entry", "entries", "writes", "writing", "slip"}
	case strings.Contains(target, "mail"):
		return deed{"email", "emails", "emails", "sending", "mail"}
	case strings.Contains(target, "charge"), strings.Contains(target, "pay"), strings.Contains(target, "bill"):
		return deed{"charge", "charges", "charges", "charging", "coin"}
	case strings.Contains(target, "sms"), strings.Contains(target, "notify"), strings.Contains(target, "push"):
		return deed{"message", "messages", "messages", "sending", "mail"}
	}
	return deed{"call", "calls", "calls", "calling", "slip"}
}

// WordSets returns the five sets by the names that settings and addresses give
// them.
func WordSets() map[string]*Words {
	return map[string]*Words{"kitchen": KitchenWords, "plain": PlainWords, "sqs": SQSWords, "rabbitmq": RabbitWords, "pubsub": PubSubWords}
}
