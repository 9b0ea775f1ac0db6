package plainyaml

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// width is up to where a mapping or list goes on one line.
const width = 100

// Encode writes a scenario as YAML the way people do: short things on one
// line, handlers as blocks, nothing that is at its default. Decoding it gives
// the same scenario, apart from places.
func Encode(s *scenario.Scenario) []byte {
	root := s.Tree()
	if len(root.Fields) == 0 {
		return []byte("{}\n")
	}
	w := &writer{}
	w.mapping(root, 0)
	return []byte(w.String())
}

type writer struct{ strings.Builder }

func (w *writer) indent(depth int) { w.WriteString(strings.Repeat("  ", depth)) }

// mapping writes one field a line. The first line is not set in: the caller
// has done so.
func (w *writer) mapping(n *scenario.Node, depth int) {
	for i, f := range n.Fields {
		if i > 0 {
			w.indent(depth)
		}
		name := (&scenario.Node{Kind: scenario.TextNode, Text: f.Name}).Flow()
		w.WriteString(name + ":")
		w.value(f.Value, depth, 2*depth+len(name)+2)
	}
}

// value writes what stands after a colon or a dash, up to the end of the line;
// column is where it would start.
func (w *writer) value(n *scenario.Node, depth, column int) {
	switch {
	case isBlock(n):
		w.block(n.Text, depth+1)
	case n.Kind == scenario.TextNode && plainLine(n.Text):
		w.WriteString(" " + n.Text + "\n")
	case onOneLine(n, column, depth):
		w.WriteString(" " + n.Flow() + "\n")
	case n.Kind == scenario.ListNode:
		w.WriteString("\n")
		for _, item := range n.Items {
			w.indent(depth + 1)
			w.item(item, depth+1)
		}
	default:
		w.WriteString("\n")
		w.indent(depth + 1)
		w.mapping(n, depth+1)
	}
}

// item writes one entry of a list.
func (w *writer) item(n *scenario.Node, depth int) {
	w.WriteString("-")
	if n.Kind == scenario.MapNode && !onOneLine(n, 2*depth+2, depth) {
		w.WriteString(" ")
		w.mapping(n, depth+1)
		return
	}
	w.value(n, depth, 2*depth+2)
}

// onOneLine reports whether a value is short enough for the rest of a line.
// The sections at the top get a line for each of their entries, lists of
// texts one for each text.
func onOneLine(n *scenario.Node, column, depth int) bool {
	switch {
	case n.Kind != scenario.ListNode && n.Kind != scenario.MapNode, len(n.Items) == 0 && len(n.Fields) == 0:
		return true
	case hasBlock(n):
		return false
	case n.Kind == scenario.ListNode && depth == 0:
		return false
	}
	return column+len(n.Flow()) <= width
}

func hasBlock(n *scenario.Node) bool {
	if isBlock(n) {
		return true
	}
	for _, item := range n.Items {
		if hasBlock(item) {
			return true
		}
	}
	for _, f := range n.Fields {
		if hasBlock(f.Value) {
			return true
		}
	}
	return false
}

// isBlock reports whether a node is a text that reads best, and exactly, as a
// block of lines.
func isBlock(n *scenario.Node) bool {
	s := n.Text
	if n.Kind != scenario.TextNode || !strings.Contains(s, "\n") || strings.TrimSpace(s) == "" || strings.ContainsAny(s[:1], " \t\n") {
		return false
	}
	for _, r := range s {
		if r != '\n' && r != '\t' && !prints(r) {
			return false
		}
	}
	return true
}

func prints(r rune) bool { return r == ' ' || unicode.IsGraphic(r) && r != 0x2028 && r != 0x2029 }

func (w *writer) block(s string, depth int) {
	body := strings.TrimRight(s, "\n")
	switch len(s) - len(body) {
	case 0:
		w.WriteString(" |-\n")
	case 1:
		w.WriteString(" |\n")
	default:
		w.WriteString(" |+\n")
	}
	for _, line := range strings.Split(body, "\n") {
		if line != "" {
			w.indent(depth)
		}
		w.WriteString(line + "\n")
	}
	for range max(0, len(s)-len(body)-1) {
		w.WriteString("\n")
	}
}

var (
	plainStart = regexp.MustCompile(`^[\pL0-9_(./]`)
	notPlain   = regexp.MustCompile(`: |:$| #|\s$|\s\s`)
)

// plainLine reports whether a text needs no quotes where it has the rest of
// a line to itself.
func plainLine(s string) bool {
	if !plainStart.MatchString(s) || notPlain.MatchString(s) || scenario.Plain(s) != scenario.TextNode || scenario.OldWord(s) {
		return false
	}
	for _, r := range s {
		if !prints(r) {
			return false
		}
	}
	return true
}
