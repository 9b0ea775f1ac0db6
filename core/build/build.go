// Package build changes what a scenario consists of: it adds, removes, renames
// and connects queues, topics, producers, workers, services and tables, and the
// entries of lists. Each change gives a new scenario, decoded like any file, or
// says what would be wrong with it; the one that it began with is never
// touched. Whether handlers and expectations still go with it, run.Check says.
//
// What hangs on a thing goes with it: a renamed queue is renamed wherever it is
// named, in handlers too, and a producer whose only queue is removed is removed
// as well. Start reading at Add, Remove and Rename; rows.go has the lists.
package build

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Sections are the kinds of things that a scenario consists of, in the order
// of the language.
var Sections = []string{"queues", "topics", "producers", "services", "tables", "workers"}

// Result is a scenario after a change, or what is wrong with it.
type Result struct {
	Scenario *scenario.Scenario // nil when there are problems
	Problems scenario.Problems
	Name     string   // what was added is called so
	Also     []string // what went with what was removed: "producer shop"
}

func changed(s *scenario.Scenario, change func(root *scenario.Node)) Result {
	next, problems := scenario.Change(s, change)
	return Result{Scenario: next, Problems: problems}
}

func refused(text string) Result { return Result{Problems: scenario.Problems{{Text: text}}} }

// Names returns the names of all things of a section, in their order.
func Names(s *scenario.Scenario, section string) []string {
	var names []string
	if n := s.Tree().Field(section); n != nil {
		for _, f := range n.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// Targets are what a producer or a handler can send to.
func Targets(s *scenario.Scenario) []string {
	return append(Names(s, "queues"), Names(s, "topics")...)
}

// firstNames are what things are called that have no name yet.
var firstNames = map[string]string{
	"queues": "queue", "topics": "topic", "producers": "producer", "services": "service", "tables": "table", "workers": "worker",
}

// One is what one thing of a section is called.
func One(section string) string {
	if section == "workers" {
		return "pool"
	}
	return firstNames[section]
}

func freeName(s *scenario.Scenario, section string) string {
	var taken []string
	for _, other := range Sections {
		taken = append(taken, Names(s, other)...)
	}
	taken = append(taken, s.QueueNames()...)
	name := firstNames[section]
	for i := 2; slices.Contains(taken, name); i++ {
		name = firstNames[section] + "_" + strconv.Itoa(i)
	}
	return name
}

// Add adds a thing that works as it is: workers take from the queue that nobody
// takes from yet, a producer sends ten messages to the newest queue. Where there
// is no queue, one comes with it.
func Add(s *scenario.Scenario, section string) Result {
	if len(s.Queues) == 0 && (section == "producers" || section == "workers" || section == "topics") {
		with := Add(s, "queues")
		if with.Scenario == nil {
			return with
		}
		s = with.Scenario
	}
	name := freeName(s, section)
	thing := fresh(s, section)
	if thing == nil {
		return refused("there is nothing called " + section + " to add: add one of " + strings.Join(Sections, ", "))
	}
	r := changed(s, func(root *scenario.Node) {
		if root.Field(section) == nil {
			put(root, section, mapping())
		}
		root.Field(section).Put(name, thing)
	})
	r.Name = name
	return r
}

// put gives the root a section, in the order of the language.
func put(root *scenario.Node, section string, value *scenario.Node) {
	order := append(append([]string{"title", "seed", "until", "limits"}, Sections...), "timeline", "expect")
	at := slices.IndexFunc(root.Fields, func(m scenario.Member) bool {
		return slices.Index(order, m.Name) > slices.Index(order, section)
	})
	if at < 0 {
		at = len(root.Fields)
	}
	root.Fields = slices.Insert(root.Fields, at, scenario.Member{Name: section, Value: value})
}

// fresh is a new thing of a section.
func fresh(s *scenario.Scenario, section string) *scenario.Node {
	switch section {
	case "queues", "tables":
		return mapping()
	case "topics":
		return flow("{to: [" + strings.Join(Names(s, "queues"), ", ") + "]}")
	case "producers":
		first := 100*len(s.Producers) + 1
		n := flow("{rate: 2/s, count: 10, first_id: " + strconv.Itoa(first) + "}")
		n.Put("to", text(newest(s)))
		return n
	case "services":
		return flow("{latency: 200ms}")
	case "workers":
		n := mapping()
		n.Put("from", text(untaken(s)))
		n.Put("handler", text(handlerOf(s)))
		return n
	}
	return nil
}

func newest(s *scenario.Scenario) string { return s.Queues[len(s.Queues)-1].Name }

// untaken is the queue that no worker takes from, or the newest.
func untaken(s *scenario.Scenario) string {
	for i := range s.Queues {
		name := s.Queues[i].Name
		if !slices.ContainsFunc(s.Workers, func(p scenario.Pool) bool { return slices.Contains(p.From, name) }) {
			return name
		}
	}
	return newest(s)
}

// handlerOf is the handler of new workers: they call the first service or, when
// there is none, take some time.
func handlerOf(s *scenario.Scenario) string {
	work := "sleep(0.2)"
	if len(s.Services) > 0 {
		work = s.Services[0].Name + "(msg.id)"
	}
	return "def on_message(msg):\n    " + work + "\n    ack(msg)\n"
}

func mapping() *scenario.Node { return &scenario.Node{Kind: scenario.MapNode} }

func list() *scenario.Node { return &scenario.Node{Kind: scenario.ListNode} }

func text(s string) *scenario.Node {
	return &scenario.Node{Kind: scenario.TextNode, Text: s, Quoted: true}
}

// flow reads a value that is written in this package.
func flow(source string) *scenario.Node {
	n, problems := scenario.Flow(source)
	if len(problems) > 0 {
		panic(source + ": " + problems.Error())
	}
	return n
}

// Remove takes a thing away, and what cannot be without it: producers and
// workers of which it was the only queue, and what the timeline does to it.
func Remove(s *scenario.Scenario, section, name string) Result {
	if !slices.Contains(Names(s, section), name) {
		return refused("there is no " + One(section) + " called " + name + " to remove")
	}
	var also []string
	r := changed(s, func(root *scenario.Node) { also = remove(root, section, name) })
	r.Also = also
	return r
}

func remove(root *scenario.Node, section, name string) (also []string) {
	take(root, section, name)
	forget(root, section, name)
	if dead := deadOf(root, section, name); dead != "" {
		forget(root, section, dead)
		also = unhang(root, dead)
	}
	if section == "queues" || section == "topics" {
		also = append(also, unhang(root, name)...)
	}
	return also
}

// deadOf is the dead-letter queue that a queue makes by itself, "" where there
// is none.
func deadOf(root *scenario.Node, section, name string) string {
	dead := name + "-dead"
	if things := root.Field("queues"); section != "queues" || things != nil && things.Field(dead) != nil {
		return ""
	}
	return dead
}

// unhang takes a queue or topic out of what names it, and removes what names
// nothing else.
func unhang(root *scenario.Node, name string) (also []string) {
	for _, user := range []struct{ section, field string }{{"topics", "to"}, {"producers", "to"}, {"workers", "from"}} {
		if root.Field(user.section) == nil {
			continue
		}
		for _, f := range slices.Clone(root.Field(user.section).Fields) {
			if left := without(f.Value.Field(user.field), name); !left {
				also = append(also, One(user.section)+" "+f.Name)
				also = append(also, remove(root, user.section, f.Name)...)
			}
		}
	}
	return also
}

// take takes a thing out of its section.
func take(root *scenario.Node, section, name string) {
	if things := root.Field(section); things != nil {
		things.Remove(name)
		if len(things.Fields) == 0 {
			root.Remove(section)
		}
	}
}

// without takes a name out of a name or a list of names, and reports whether
// any is left.
func without(n *scenario.Node, name string) bool {
	if n == nil {
		return true
	}
	if n.Kind != scenario.ListNode {
		return n.Text != name
	}
	n.Items = slices.DeleteFunc(n.Items, func(item *scenario.Node) bool { return item.Text == name })
	return len(n.Items) > 0
}

// forget takes out of the timeline what is done to a thing.
func forget(root *scenario.Node, section, name string) {
	entries := root.Field("timeline")
	if entries == nil {
		return
	}
	entries.Items = slices.DeleteFunc(entries.Items, func(e *scenario.Node) bool {
		is := false
		each(e, section, name, func(*scenario.Node) { is = true })
		return is
	})
	if len(entries.Items) == 0 {
		root.Remove("timeline")
	}
}

// each calls use for every value of a timeline's entry that names a thing.
func each(e *scenario.Node, section, name string, use func(*scenario.Node)) {
	field := func(of string, names func(text string) bool) {
		if n := e.Field(of); n != nil && names(n.Text) {
			use(n)
		}
	}
	is := func(text string) bool { return text == name }
	field("set", func(text string) bool { return strings.HasPrefix(text, section+"."+name+".") })
	switch section {
	case "workers":
		field("crash", func(text string) bool { return strings.HasPrefix(text, name+"/") })
	case "producers":
		field("pause", is)
		field("resume", is)
	case "queues":
		field("redrive", is)
		if e.Field("redrive") != nil {
			field("to", is)
		}
	}
}
