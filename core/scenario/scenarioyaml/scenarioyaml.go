// Package scenarioyaml reads and writes scenarios as YAML, the form in which
// people keep them, with all that YAML has for mistakes to be told by. Start at
// Decode. The page's program does not import it: plainyaml, which
// tells fewer mistakes apart, does for it.
package scenarioyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/plainyaml"
)

// Decode reads a scenario from YAML. It returns either a complete, valid
// scenario or everything that is wrong with the text, with what the checks
// find.
func Decode(src []byte, checks ...scenario.Check) (*scenario.Scenario, scenario.Problems) {
	root, problems := Read(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return scenario.Decode(root, checks...)
}

// Encode writes a scenario as YAML the way people do. Decoding it gives the
// same scenario, apart from places.
func Encode(s *scenario.Scenario) []byte { return plainyaml.Encode(s) }

// Read reads one YAML document with the places of all that is in it. Words
// and numbers are those of YAML 1.2. Anchors, aliases, merge keys and tags are
// refused: a scenario says everything where it stands.
func Read(src []byte) (*scenario.Node, scenario.Problems) {
	if len(src) > scenario.MaxSourceBytes {
		return nil, scenario.TooLarge(len(src))
	}
	decoder := yaml.NewDecoder(bytes.NewReader(src))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, scenario.Problems{{Line: 1, Column: 1, Text: "the file is empty: write a scenario, with queues, producers and workers"}}
	case err != nil:
		return nil, scenario.Problems{syntax(src, err)}
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, scenario.Problems{{Line: second.Line, Column: 1, Text: "a second document starts here: one file holds one scenario"}}
	case !errors.Is(err, io.EOF):
		return nil, scenario.Problems{syntax(src, err)}
	}
	c := converter{lines: strings.Split(string(src), "\n")}
	root := c.node(document.Content[0], 0)
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	return root, nil
}

// converter turns yaml's nodes into the scenario's.
type converter struct {
	lines    []string
	problems scenario.Problems
}

func (c *converter) problem(y *yaml.Node, format string, args ...any) {
	const enough = 100
	if len(c.problems) < enough {
		c.problems = append(c.problems, scenario.Problem{Line: y.Line, Column: y.Column, Text: fmt.Sprintf(format, args...)})
	}
}

func (c *converter) node(y *yaml.Node, depth int) *scenario.Node {
	n := &scenario.Node{Line: y.Line, Column: y.Column}
	if y.Anchor != "" {
		c.problem(y, "anchors such as &%s are not used in scenarios: leave it out and write the value wherever it is needed", y.Anchor)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		c.problem(y, "tags such as %s are not used in scenarios: leave it out, or put a text in quotes", y.Tag)
	}
	if depth >= scenario.MaxNesting && y.Kind != yaml.ScalarNode {
		c.problem(y, "more than %d levels are nested here, which is the limit", scenario.MaxNesting)
		return n
	}
	switch y.Kind {
	case yaml.AliasNode:
		c.problem(y, "aliases such as *%s are not used in scenarios: write the value again", y.Value)
	case yaml.MappingNode:
		c.mapping(n, y, depth)
	case yaml.SequenceNode:
		n.Kind = scenario.ListNode
		for _, item := range y.Content {
			n.Items = append(n.Items, c.node(item, depth+1))
		}
	case yaml.ScalarNode:
		c.scalar(n, y)
	}
	return n
}

func (c *converter) mapping(n *scenario.Node, y *yaml.Node, depth int) {
	n.Kind = scenario.MapNode
	seen := map[string]int{}
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		line, twice := seen[key.Value]
		switch {
		case key.Kind != yaml.ScalarNode:
			c.problem(key, "a name belongs before the colon, not a list, a mapping or an alias")
			continue
		case key.Tag == "!!merge":
			c.problem(key, "merge keys (<<) are not used in scenarios: write the fields again")
			continue
		case key.Anchor != "" || key.Style&yaml.TaggedStyle != 0:
			c.problem(key, "a name has no anchor and no tag in scenarios: write the name alone")
			continue
		case twice:
			c.problem(key, "%q stands here twice, first on line %d: keep one", key.Value, line)
			continue
		}
		seen[key.Value] = key.Line
		n.Fields = append(n.Fields, scenario.Member{Name: key.Value, Value: c.node(value, depth+1), Line: key.Line, Column: key.Column})
	}
}

func (c *converter) scalar(n *scenario.Node, y *yaml.Node) {
	n.Text = y.Value
	quotes := y.Style & (yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle)
	blocks := y.Style & (yaml.LiteralStyle | yaml.FoldedStyle)
	if quotes|blocks == 0 {
		n.Kind = scenario.Plain(y.Value)
	} else {
		n.Kind, n.Quoted = scenario.TextNode, true
	}
	switch {
	case y.Style&yaml.LiteralStyle != 0:
		n.TextLine, n.TextColumn = y.Line+1, c.indent(y.Line, y.Value)+1
	case blocks == 0 && !strings.Contains(y.Value, "\n"):
		n.TextLine, n.TextColumn = y.Line, y.Column
		if quotes != 0 {
			n.TextColumn++
		}
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
