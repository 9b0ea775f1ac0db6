package outcome

import (
	"strings"

	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// lost finds the messages that are gone although nothing came of them.
//
// Where a scenario has anything that can come of a message (services, effect
// tables, publishing), something came of it when one of its runs had an
// effect, published a message or was answered by a service's idempotency key,
// or when an effect anywhere carries its id or the key that the scenario gave
// it. Elsewhere, a run that finished without error is what can come of it.
func (t *tally) lost() {
	visible := showsWork(t.o.Scenario)
	for i := range t.messages {
		m := &t.messages[i]
		if m.place < acked || m.running > 0 {
			continue
		}
		came := m.finished
		if visible {
			came = m.fruitful || t.carried(event.MessageRef(i))
		}
		if !came {
			t.o.LostMessages = append(t.o.LostMessages, event.MessageRef(i))
			t.o.Queues[m.queue].Lost++
		}
	}
	t.o.Lost = len(t.o.LostMessages)
}

// carried reports whether a side effect, of whatever message, carries the
// message's id or the key that the scenario gave it.
func (t *tally) carried(ref event.MessageRef) bool {
	m := t.log.Message(ref)
	carries := func(k Key) bool { return t.o.ledger.carries(t.log, k) }
	return carries(idKey(m.ID)) || m.KeyGiven && (carries(Key{m.Key, true}) || carries(Key{m.Key, false}))
}

// idKey is the key of an effect that was given a message's id.
func idKey(id event.ID) Key { return Key{id.String(), id.Text != ""} }

// showsWork reports whether the scenario has services, effect tables or
// handlers that publish: things by which one sees what came of a message.
func showsWork(s *scenario.Scenario) bool {
	if len(s.Services) > 0 {
		return true
	}
	for i := range s.Tables {
		if s.Tables[i].Effect {
			return true
		}
	}
	for i := range s.Workers {
		if publishes(s.Workers[i].Handler) {
			return true
		}
	}
	for i := range s.Timeline {
		text, ok := s.Timeline[i].To.(string)
		if ok && strings.HasSuffix(s.Timeline[i].Set, ".handler") && publishes(text) {
			return true
		}
	}
	return false
}

// publishes reports whether a handler's text uses the name publish.
func publishes(handler string) bool {
	if !strings.Contains(handler, "publish") {
		return false
	}
	file, err := new(syntax.FileOptions).Parse("handler", handler, 0)
	if err != nil {
		return false
	}
	found := false
	syntax.Walk(file, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Ident); ok && name.Name == "publish" {
			found = true
		}
		return !found
	})
	return found
}
