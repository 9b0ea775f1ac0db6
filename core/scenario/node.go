package scenario

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ticketrail/ticketrail/core/event"
)

// NodeKind is what a Node holds.
type NodeKind uint8

// The kinds of nodes.
const (
	NullNode NodeKind = iota
	BoolNode
	IntNode
	FloatNode
	TextNode
	ListNode
	MapNode
)

// Node is one value of a source text, with its place. JSON and YAML are both
// read into nodes, so that one decoder serves both.
type Node struct {
	Kind   NodeKind
	Text   string   // of a scalar: as written, without quotes
	Quoted bool     // a text in quotes or a block: never a number or a word
	Items  []*Node  // of a ListNode
	Fields []Member // of a MapNode, in the order of the source
	Line   int      // of the first character, from 1; 0 when not from a source
	Column int      // in characters, from 1
	// TextLine and TextColumn are where the first line of a text over several
	// lines stands in the source, 0 when its lines are not lines there.
	TextLine, TextColumn int
}

// Member is one entry of a MapNode.
type Member struct {
	Name         string
	Value        *Node
	Line, Column int // of the name
}

// Field returns the value under a name, or nil.
func (n *Node) Field(name string) *Node {
	for _, f := range n.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return nil
}

var (
	intPattern   = regexp.MustCompile(`^[-+]?[0-9]+$`)
	baseTwoEight = regexp.MustCompile(`^0(o[0-7]+|x[0-9a-fA-F]+)$`)
	floatPattern = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)
	infinity     = regexp.MustCompile(`^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$`)
)

// Plain gives the kind of a scalar without quotes, by the core schema of YAML
// 1.2: yes, no, on and off are texts, and 010 is ten.
func Plain(text string) NodeKind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return NullNode
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return BoolNode
	}
	switch {
	case intPattern.MatchString(text), baseTwoEight.MatchString(text):
		return IntNode
	case floatPattern.MatchString(text), infinity.MatchString(text):
		return FloatNode
	}
	return TextNode
}

// integer returns the value of an IntNode, and false when it does not fit.
func (n *Node) integer() (int64, bool) {
	if baseTwoEight.MatchString(n.Text) {
		v, err := strconv.ParseInt(n.Text, 0, 64)
		return v, err == nil
	}
	v, err := strconv.ParseInt(n.Text, 10, 64)
	return v, err == nil
}

// number returns the value of a FloatNode, and false when it is not finite.
func (n *Node) number() (float64, bool) {
	v, err := strconv.ParseFloat(strings.TrimPrefix(n.Text, "+"), 64)
	return v, err == nil && !math.IsInf(v, 0) && !math.IsNaN(v)
}

func (n *Node) truth() bool { return strings.EqualFold(n.Text, "true") }

func textNode(s string) *Node  { return &Node{Kind: TextNode, Text: s} }
func quoteNode(s string) *Node { return &Node{Kind: TextNode, Text: s, Quoted: true} }
func intNode(i int64) *Node    { return &Node{Kind: IntNode, Text: strconv.FormatInt(i, 10)} }
func boolNode(b bool) *Node    { return &Node{Kind: BoolNode, Text: strconv.FormatBool(b)} }
func listNode(items ...*Node) *Node {
	return &Node{Kind: ListNode, Items: items}
}

func (n *Node) add(name string, value *Node) *Node {
	n.Fields = append(n.Fields, Member{Name: name, Value: value})
	return n
}

// valueNode is the node of a value as bodies hold it.
func valueNode(v any) *Node {
	switch v := v.(type) {
	case nil:
		return &Node{Kind: NullNode, Text: "null"}
	case bool:
		return boolNode(v)
	case int:
		return intNode(int64(v))
	case int64:
		return intNode(v)
	case float64:
		return &Node{Kind: FloatNode, Text: writeFloat(v)}
	case string:
		return quoteNode(v)
	case []any:
		n := listNode()
		for _, item := range v {
			n.Items = append(n.Items, valueNode(item))
		}
		return n
	case event.Object:
		n := &Node{Kind: MapNode}
		for _, f := range v {
			n.add(f.Name, valueNode(f.Value))
		}
		return n
	}
	return nil
}

// writeFloat writes a float so that it is read as a float again: 1.0, not 1.
func writeFloat(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// JSON writes the node as compact JSON.
func (n *Node) JSON() []byte { return n.appendJSON(nil) }

func (n *Node) appendJSON(b []byte) []byte {
	switch n.Kind {
	case NullNode:
		return append(b, "null"...)
	case BoolNode:
		return strconv.AppendBool(b, n.truth())
	case IntNode:
		if v, ok := n.integer(); ok {
			return strconv.AppendInt(b, v, 10)
		}
		return append(b, strings.TrimPrefix(n.Text, "+")...)
	case FloatNode:
		if v, ok := n.number(); ok {
			return append(b, writeFloat(v)...)
		}
		return AppendQuoted(b, n.Text)
	case TextNode:
		return AppendQuoted(b, n.Text)
	case ListNode:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	}
	b = append(b, '{')
	for i, f := range n.Fields {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendQuoted(b, f.Name)
		b = append(b, ':')
		b = f.Value.appendJSON(b)
	}
	return append(b, '}')
}

// Flow writes the node on one line the way people do: {share: 95, body: late}.
// It is read by YAML and by Set.
func (n *Node) Flow() string { return string(n.appendFlow(nil)) }

func (n *Node) appendFlow(b []byte) []byte {
	switch n.Kind {
	case TextNode:
		return append(b, bareOrQuoted(n.Text, !n.Quoted || Plain(n.Text) == TextNode)...)
	case ListNode:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = item.appendFlow(b)
		}
		return append(b, ']')
	case MapNode:
		b = append(b, '{')
		for i, f := range n.Fields {
			if i > 0 {
				b = append(b, ", "...)
			}
			b = append(b, bareOrQuoted(f.Name, true)...)
			b = append(b, ": "...)
			b = f.Value.appendFlow(b)
		}
		return append(b, '}')
	}
	return n.appendJSON(b)
}

// bare are the texts that need no quotes in any style.
var bare = regexp.MustCompile(`^[A-Za-z0-9_./][A-Za-z0-9_./@%+-]*( [A-Za-z0-9_./][A-Za-z0-9_./@%+-]*)*$`)

func bareOrQuoted(s string, allowed bool) string {
	if allowed && bare.MatchString(s) && Plain(s) == TextNode && !OldWord(s) {
		return s
	}
	return string(AppendQuoted(nil, s))
}

// OldWord reports whether older YAML readers would take s for something other
// than a text.
func OldWord(s string) bool {
	switch strings.ToLower(s) {
	case "yes", "no", "on", "off", "y", "n", "true", "false", "null":
		return true
	}
	return strings.HasPrefix(s, ".") || s == "---" || s == "..."
}

// AppendQuoted appends s in double quotes so that JSON and YAML both read it
// back unchanged: whatever does not print is escaped.
func AppendQuoted(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < ' ', r >= 0x7f && r <= 0x9f, r == 0x2028, r == 0x2029, r == 0xfeff, r&0xfffe == 0xfffe && r <= 0xffff:
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
