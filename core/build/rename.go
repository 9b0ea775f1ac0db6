package build

import (
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Rename gives a thing another name, wherever it is named: by producers,
// workers and topics, in the timeline, in expectations and in handlers.
func Rename(s *scenario.Scenario, section, old, name string) Result {
	name = strings.TrimSpace(name)
	switch names := Names(s, section); {
	case !slices.Contains(names, old):
		return refused("there is no " + One(section) + " called " + old + " to rename")
	case name == "":
		return refused("a name is missing: write one such as " + firstNames[section])
	case slices.Contains(names, name):
		return refused("there is a " + One(section) + " called " + name + " already: write another name")
	}
	r := changed(s, func(root *scenario.Node) { rename(root, section, old, name) })
	r.Name = name
	return r
}

func rename(root *scenario.Node, section, old, name string) {
	things := root.Field(section)
	for i := range things.Fields {
		if things.Fields[i].Name == old {
			things.Fields[i].Name = name
		}
	}
	if dead := deadOf(root, section, old); dead != "" {
		renameNamed(root, section, dead, name+"-dead")
	}
	renameNamed(root, section, old, name)
}

// renameNamed renames where a thing is named.
func renameNamed(root *scenario.Node, section, old, name string) {
	if section == "queues" || section == "topics" {
		for _, user := range []struct{ section, field string }{{"topics", "to"}, {"producers", "to"}, {"workers", "from"}, {"queues", "dead_letter"}} {
			renameIn(root.Field(user.section), user.field, old, name)
		}
	}
	if entries := root.Field("timeline"); entries != nil {
		for _, e := range entries.Items {
			each(e, section, old, func(n *scenario.Node) { n.Text = renamed(n.Text, section, old, name) })
		}
	}
	if pools := root.Field("workers"); pools != nil {
		for _, f := range pools.Fields {
			if h := f.Value.Field("handler"); h != nil {
				h.Text = inCode(h.Text, section, old, name)
			}
		}
	}
	if expect := root.Field("expect"); expect != nil {
		for _, e := range expect.Items {
			e.Text = inTexts(e.Text, section, old, name)
		}
	}
}

// renameIn renames in one field of all things of a section.
func renameIn(things *scenario.Node, field, old, name string) {
	if things == nil {
		return
	}
	for _, f := range things.Fields {
		n := f.Value.Field(field)
		if n == nil {
			continue
		}
		for _, at := range append([]*scenario.Node{n}, n.Items...) {
			if at.Text == old {
				at.Text = name
			}
		}
	}
}

// renamed renames in a value of the timeline: a name, the path of a setting, a
// worker.
func renamed(text, section, old, name string) string {
	if rest, is := strings.CutPrefix(text, section+"."+old+"."); is {
		return section + "." + name + "." + rest
	}
	if rest, is := strings.CutPrefix(text, old+"/"); is && section == "workers" {
		return name + "/" + rest
	}
	if text == old {
		return name
	}
	return text
}

// inCode renames in a handler: services and tables where they are called,
// queues and topics in the texts that name them.
func inCode(source, section, old, name string) string {
	switch section {
	case "queues", "topics":
		return inTexts(source, section, old, name)
	case "services", "tables":
		return tokens(source, func(token string, quoted bool) string {
			if !quoted && token == old {
				return name
			}
			return token
		})
	}
	return source
}

// inTexts renames in the texts of an expression or a handler: "orders".
func inTexts(source, section, old, name string) string {
	return tokens(source, func(token string, quoted bool) string {
		if !quoted || len(token) < 2 {
			return token
		}
		inner := token[1 : len(token)-1]
		return token[:1] + renamed(inner, section, old, name) + token[len(token)-1:]
	})
}

// tokens goes through the names and the texts in quotes of a source, and puts
// what change returns in their place. Comments stay as they are.
func tokens(source string, change func(token string, quoted bool) string) string {
	var out strings.Builder
	for source != "" {
		n := 1
		switch c := source[0]; {
		case c == '#':
			if n = strings.IndexByte(source, '\n'); n < 0 {
				n = len(source)
			}
			out.WriteString(source[:n])
		case c == '"' || c == '\'':
			n = textEnd(source)
			out.WriteString(change(source[:n], true))
		case inName(c):
			for n < len(source) && inName(source[n]) {
				n++
			}
			out.WriteString(change(source[:n], false))
		default:
			out.WriteByte(c)
		}
		source = source[n:]
	}
	return out.String()
}

func inName(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// textEnd returns the length of the text in quotes that begins a source.
func textEnd(source string) int {
	if quotes := source[:min(3, len(source))]; quotes == `"""` || quotes == "'''" {
		if end := strings.Index(source[3:], quotes); end >= 0 {
			return end + 6
		}
		return len(source)
	}
	for i := 1; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case source[0]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(source)
}
