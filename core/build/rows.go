package build

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// AddRow adds an entry to a list of scenario.Lists: a message like the last
// one, a crash of the first worker. Where a field has one value or a list, the
// list takes its place.
func AddRow(s *scenario.Scenario, path string) Result {
	row := freshRow(s, path)
	if row == nil {
		return refused(path + " is not a list that has entries to add")
	}
	owner, field := path, ""
	if at := strings.LastIndexByte(path, '.'); at >= 0 {
		owner, field = path[:at], path[at+1:]
	}
	return changed(s, func(root *scenario.Node) {
		holder, name := root, path
		if field != "" {
			holder, name = root.At(s, owner), field
		}
		if holder == nil {
			return
		}
		if n := holder.Field(name); n == nil || n.Kind != scenario.ListNode {
			if holder == root && n == nil {
				put(root, name, list())
			} else {
				holder.Put(name, list())
			}
			if field == "mix" {
				holder.Remove("body") // a mix has the bodies
			}
		}
		n := holder.Field(name)
		n.Items = append(n.Items, row)
	})
}

// freshRow is a new entry for a list.
func freshRow(s *scenario.Scenario, path string) *scenario.Node {
	switch {
	case path == "timeline":
		return Action(s, "crash", 1)
	case path == "expect":
		return text("lost == 0")
	case strings.HasSuffix(path, ".send"):
		return nextMessage(s, strings.TrimSuffix(strings.TrimPrefix(path, "producers."), ".send"))
	case strings.HasSuffix(path, ".mix"):
		return flow("{share: 1}")
	case strings.HasSuffix(path, ".crash"):
		n := mapping()
		n.Put("message", firstID(s))
		n.Put("where", text("after_effect"))
		return n
	}
	return nil
}

// nextMessage goes on with the numbers of a producer's messages.
func nextMessage(s *scenario.Scenario, producer string) *scenario.Node {
	next, at := int64(1), ""
	for i := range s.Producers {
		if p := &s.Producers[i]; p.Name == producer {
			next = p.FirstID
			for _, m := range p.Send {
				next = max(next, m.ID.Number+1)
				at = scenario.FormatDuration(m.At)
			}
		}
	}
	n := flow("{id: " + strconv.FormatInt(next, 10) + "}")
	if at != "" {
		n.Put("at", text(at))
	}
	return n
}

// firstID is the id of the first message that the scenario sends.
func firstID(s *scenario.Scenario) *scenario.Node {
	for i := range s.Producers {
		switch p := &s.Producers[i]; {
		case len(p.Send) > 0 && p.Send[0].ID.Text != "":
			return text(p.Send[0].ID.Text)
		case len(p.Send) > 0:
			return flow(strconv.FormatInt(p.Send[0].ID.Number, 10))
		default:
			return flow(strconv.FormatInt(p.FirstID, 10))
		}
	}
	return flow("1")
}

// Actions are what an entry of the timeline can do.
var Actions = []string{"crash", "set", "redrive", "edit", "pause", "resume"}

// Action returns a new entry of the timeline, at a second, or nil for what is
// no action.
func Action(s *scenario.Scenario, action string, second int) *scenario.Node {
	n := flow("{at: " + strconv.Itoa(second) + "s}")
	first := func(section, none string) string {
		if names := Names(s, section); len(names) > 0 {
			return names[0]
		}
		return none
	}
	switch pool := first("workers", "worker"); action {
	case "crash":
		n.Put("crash", text(pool+"/1"))
	case "set":
		n.Put("set", text("workers."+pool+".count"))
		n.Put("to", flow("2"))
	case "redrive":
		n.Put("redrive", text(first("queues", "queue")+"-dead"))
	case "edit":
		n.Put("edit", firstID(s))
		n.Put("body", flow("{email: asha@example.com}"))
	case "pause", "resume":
		n.Put(action, text(first("producers", "producer")))
	default:
		return nil
	}
	return n
}

// SetAction has an entry of the timeline do something else, at its time.
func SetAction(s *scenario.Scenario, i int, action string) Result {
	row := Action(s, action, 1)
	if row == nil || i < 0 || i >= len(s.Timeline) {
		return refused("there is no action called " + action + ": choose one of " + strings.Join(Actions, ", "))
	}
	row.Put("at", text(scenario.FormatDuration(s.Timeline[i].At)))
	return changed(s, func(root *scenario.Node) { root.Field("timeline").Items[i] = row })
}

// RemoveRow takes an entry out of a list: producers.shop.send[0].
func RemoveRow(s *scenario.Scenario, path string) Result {
	at, number, ok := strings.Cut(strings.TrimSuffix(path, "]"), "[")
	i, err := strconv.Atoi(number)
	if n := s.Tree().At(s, at); !ok || err != nil || n == nil || i < 0 || i >= len(n.Items) {
		return refused(path + " is not an entry of a list")
	}
	return changed(s, func(root *scenario.Node) {
		n := root.At(s, at)
		n.Items = slices.Delete(n.Items, i, i+1)
		if len(n.Items) == 0 && !strings.HasSuffix(at, ".send") { // without a stream, that is what a producer sends
			empty(root, s, at)
		}
	})
}

// empty takes away a list in which nothing is left.
func empty(root *scenario.Node, s *scenario.Scenario, path string) {
	if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
		root.At(s, path[:dot]).Remove(path[dot+1:])
		return
	}
	root.Remove(path)
}

// Stream has a producer send a stream, or exact messages.
func Stream(s *scenario.Scenario, producer string, stream bool) Result {
	i := slices.IndexFunc(s.Producers, func(p scenario.Producer) bool { return p.Name == producer })
	if i < 0 {
		return refused("there is no producer called " + producer)
	}
	return changed(s, func(root *scenario.Node) {
		old := root.At(s, "producers."+producer)
		n := mapping()
		for _, f := range old.Fields {
			if f.Name == "to" || f.Name == "when_full" || f.Name == "retry" || f.Name == "first_id" {
				n.Put(f.Name, f.Value)
			}
		}
		if stream {
			n.Put("rate", text("2/s"))
			n.Put("count", flow("10"))
		} else {
			first := s.Producers[i].FirstID
			n.Remove("first_id")
			messages := list()
			for j := range int64(3) {
				messages.Items = append(messages.Items, flow("{id: "+strconv.FormatInt(first+j, 10)+"}"))
			}
			n.Put("send", messages)
		}
		*old = *n
	})
}

// Call has the handler of a pool call a service: before its first ack, or at
// its end.
func Call(s *scenario.Scenario, pool, service string) Result {
	i := slices.IndexFunc(s.Workers, func(p scenario.Pool) bool { return p.Name == pool })
	if i < 0 {
		return refused("there is no pool called " + pool)
	}
	lines := strings.Split(strings.TrimRight(s.Workers[i].Handler, "\n"), "\n")
	at, in := len(lines), "    "
	for j, line := range lines {
		if bare := strings.TrimLeft(line, " \t"); strings.HasPrefix(bare, "ack(") {
			at, in = j, line[:len(line)-len(bare)]
			break
		}
	}
	handler := strings.Join(slices.Insert(lines, at, in+service+"(msg.id)"), "\n") + "\n"
	return changed(s, func(root *scenario.Node) { root.At(s, "workers."+pool).Put("handler", text(handler)) })
}
