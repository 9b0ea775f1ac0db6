// Package scenarioyaml reads and writes scenarios as YAML, the form in which
// people keep them. Start at Decode. The page's program does not import it:
// there a scenario is JSON.
package scenarioyaml

import (
	"bytes"
	"errors"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Decode reads a scenario from YAML. It returns either a complete, valid
// scenario or everything that is wrong with the text.
func Decode(src []byte) (*scenario.Scenario, scenario.Problems) {
	root, problems := Read(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return scenario.Decode(root)
}

// Read reads one YAML document with the places of all that is in it.
func Read(src []byte) (*scenario.Node, scenario.Problems) {
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	var document yaml.Node
	if err := decoder.Decode(&document); errors.Is(err, io.EOF) {
		return nil, scenario.Problems{{Line: 1, Column: 1, Text: "the file is empty: a scenario has at least queues, producers and workers"}}
	} else if err != nil {
		return nil, scenario.Problems{{Line: 1, Column: 1, Text: err.Error()}}
	}
	c := converter{lines: strings.Split(string(src), "\n")}
	return c.node(document.Content[0]), nil
}

type converter struct{ lines []string }

func (c *converter) node(y *yaml.Node) *scenario.Node {
	n := &scenario.Node{Line: y.Line, Column: y.Column}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = scenario.MapNode
		for i := 0; i < len(y.Content); i += 2 {
			key := y.Content[i]
			n.Fields = append(n.Fields, scenario.Member{Name: key.Value, Value: c.node(y.Content[i+1]), Line: key.Line, Column: key.Column})
		}
	case yaml.SequenceNode:
		n.Kind = scenario.ListNode
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item))
		}
	case yaml.ScalarNode:
		c.scalar(n, y)
	}
	return n
}

func (c *converter) scalar(n *scenario.Node, y *yaml.Node) {
	n.Text = y.Value
	if y.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
		n.Kind = scenario.Plain(y.Value)
		return
	}
	n.Kind, n.Quoted = scenario.TextNode, true
	n.TextLine, n.TextColumn = y.Line, y.Column
	if y.Style&yaml.LiteralStyle != 0 {
		n.TextLine, n.TextColumn = y.Line+1, c.indent(y.Line, y.Value)+1
	}
}

// indent is how far the text of a block is set in; line is the one above it.
func (c *converter) indent(line int, text string) int {
	for i, own := range strings.Split(text, "\n") {
		if strings.TrimSpace(own) == "" || line+i >= len(c.lines) {
			continue
		}
		return spaces(c.lines[line+i]) - spaces(own)
	}
	return 0
}

func spaces(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }
