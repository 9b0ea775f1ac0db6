package story

import (
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// effect tells a side effect in the words of its service's name, and says when
// it is not the first.
func (t *teller) effect() {
	record := t.s.log.Effect(int(t.e.Arg))
	target := &t.s.log.Targets[record.Target]
	switch {
	case target.Table:
		t.tableEffect(target, record)
	case deedOf(target.Name).verb != "":
		t.deed(deedOf(target.Name), record)
	case record.Amount != 0 && verbs[target.Name]:
		t.add("{W} " + third(target.Name) + " " + strconv.FormatInt(record.Amount, 10) + " for {m}" + t.keyed(record, false) + ".")
	default:
		t.add("{W} calls " + target.Name + " for {m}" + t.keyed(record, true) + ".")
	}
	if record.Nth > 1 {
		t.repeat(target, record)
	}
}

// deed tells an effect whose service says what it does: send_email.
func (t *teller) deed(d deed, record event.EffectRecord) {
	name := ""
	if t.s.words.People && d.verb == "sends" {
		m := t.s.log.Message(t.e.Message)
		name = NameOf(&m)
	}
	what := d.verb + " " + d.object
	if name != "" {
		what = d.verb + " " + name + " " + d.object
	}
	t.add("{W} " + what + " for {m}" + t.keyed(record, true) + ".")
}

// keyed names a key that is not the id of the message and, where asked, the
// amount.
func (t *teller) keyed(record event.EffectRecord, amount bool) string {
	var notes []string
	if record.Key != t.s.log.MessageID(t.e.Message).String() {
		notes = append(notes, "key "+record.Key)
	}
	if amount && record.Amount != 0 {
		notes = append(notes, "amount "+strconv.FormatInt(record.Amount, 10))
	}
	if len(notes) == 0 {
		return ""
	}
	return safe(" (" + strings.Join(notes, ", ") + ")")
}

// safe keeps text of the scenario from being read as part of a phrase.
func safe(text string) string { return strings.NewReplacer("{", "(", "}", ")", "*", "").Replace(text) }

func (t *teller) tableEffect(target *event.Target, record event.EffectRecord) {
	if record.Amount != 0 {
		t.add("{W} adds " + strconv.FormatInt(record.Amount, 10) + " to " + target.Name + " for {m}.")
		return
	}
	t.add("{W} writes " + safe(record.Key) + " to " + target.Name + " for {m}.")
}

// repeat says that an effect is not the first with its key.
func (t *teller) repeat(target *event.Target, record event.EffectRecord) {
	d := deedOf(target.Name)
	name := ""
	if t.s.words.People {
		m := t.s.log.Message(t.e.Message)
		name = NameOf(&m)
	}
	own := record.Key == t.s.log.MessageID(t.e.Message).String()
	nth := ordinal(int(record.Nth))
	switch {
	case target.Table:
		t.add("*This now counts " + times(int(record.Nth)) + ".*")
	case d.verb == "" || d.verb != "sends" && own:
		t.add("*This is the " + nth + " time.*")
	case d.verb != "sends":
		t.add("*This is the " + nth + " time for " + safe(record.Key) + ".*")
	case own && name != "":
		t.add("*This is " + name + "'s " + nth + " " + d.one + ".*")
	case own:
		t.add("*This is its " + nth + " " + d.one + ".*")
	default:
		t.add("*This is the " + nth + " " + d.one + " for " + safe(record.Key) + ".*")
	}
}

// times returns "once", "twice", "3 times".
func times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// tableChanged tells a write, unless the side effect that it was says it.
func (t *teller) tableChanged() {
	target := &t.s.log.Targets[t.e.Arg]
	t.shown = !target.Effect
	t.add("{W} " + written(t.text, target.Name) + ".")
}

// written says what a write to a table did, such as "add 101".
func written(change, table string) string {
	op, what, _ := strings.Cut(change, " ")
	switch op {
	case "add", "insert":
		return "notes " + safe(what) + " in " + table
	case "delete":
		return "deletes " + safe(what) + " from " + table
	}
	return "sets " + safe(what) + " in " + table
}
