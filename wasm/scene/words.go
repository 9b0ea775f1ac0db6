package scene

import (
	"strconv"
	"strings"
)

// Word names a place on the stage: as the skin calls it, and the technical
// term that stays beside it.
type Word struct{ Name, Term string }

// Words are the labels of the stage. They change what things are called,
// never what happens.
type Words struct {
	Producer, Queue, Workers, Outside, DeadLetters, Done Word

	Worker   string // one worker, before its letter: Cook
	Refused  string // a message turned away
	NextOut  string
	Returned string // who brings a message back, and how
	Letter   string // the badge of whoever does
	DoneNote [2]string
	DeadNote [2]string
	Redrive  string // what the tray's button says
	Border   [3]string
	Free     string // a worker without work
}

// KitchenWords are the words of the restaurant.
var KitchenWords = &Words{
	Producer:    Word{"Waiter", "producer"},
	Queue:       Word{"Rail", "queue"},
	Workers:     Word{"Cooks", "workers"},
	Outside:     Word{"Inbox", "outside"},
	DeadLetters: Word{"Head chef's tray", "dead letters"},
	Done:        Word{"Done spike", "ack"},
	Worker:      "Cook",
	Refused:     "busy, try again",
	NextOut:     "next out",
	Returned:    "manager clips it back",
	Letter:      "M",
	DoneNote:    [2]string{"off the rail", "for good"},
	DeadNote:    [2]string{"given up after", "too many tries"},
	Redrive:     "Clip back",
	Border:      [3]string{"The queue cannot see", "past the dashed line.", "It only counts acks."},
	Free:        "hands free",
}

// PlainWords are the field's own words.
var PlainWords = &Words{
	Producer:    Word{"Producer", ""},
	Queue:       Word{"Queue", ""},
	Workers:     Word{"Workers", ""},
	Outside:     Word{"Services", "outside"},
	DeadLetters: Word{"Dead letters", "queue"},
	Done:        Word{"Acked", ""},
	Worker:      "Worker",
	Refused:     "refused: queue full",
	NextOut:     "next out",
	Returned:    "the broker puts it back",
	Letter:      "B",
	DoneNote:    [2]string{"deleted from", "the queue"},
	DeadNote:    [2]string{"moved after", "too many tries"},
	Redrive:     "Redrive",
	Border:      [3]string{"The queue cannot see", "past the dashed line.", "It only counts acks."},
	Free:        "idle",
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
