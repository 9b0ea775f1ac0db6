package scenarioyaml

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// TestSchema: what the decoder takes, the schema takes; what is wrong with
// one field, the schema refuses.
func TestSchema(t *testing.T) {
	var schema map[string]any
	require.NoError(t, json.Unmarshal(scenario.Schema(), &schema))
	for _, file := range caseFiles(t) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		root, problems := Read(src)
		require.NoError(t, problems.Err())
		assert.NoError(t, conforms(schema, root, ""), file)
	}
	refused := 0
	for _, w := range wrongs(t) {
		root, problems := Read([]byte(w.src))
		if len(problems) > 0 {
			continue
		}
		bad := conforms(schema, root, "") != nil
		if bad {
			refused++
		}
		if strings.Contains(w.said, "unknown field") || strings.Contains(w.said, "ttl: \"30\" has no unit") || strings.Contains(w.said, " needs \"") {
			assert.True(t, bad, w.src)
		}
	}
	assert.Greater(t, refused, 70)
}

// conforms checks a node against the part of JSON Schema that Schema uses.
func conforms(schema map[string]any, n *scenario.Node, at string) error {
	if forms, ok := schema["anyOf"].([]any); ok {
		for _, form := range forms {
			if conforms(form.(map[string]any), n, at) == nil {
				return nil
			}
		}
		return fmt.Errorf("%s: no form fits", at)
	}
	if kinds := typesOf(schema["type"]); len(kinds) > 0 && !kinds[typeOf(n)] && !(n.Kind == scenario.IntNode && kinds["number"]) {
		return fmt.Errorf("%s: %s is none of %v", at, typeOf(n), kinds)
	}
	if words, ok := schema["enum"].([]any); ok && !contains(words, n.Text) {
		return fmt.Errorf("%s: %s is none of %v", at, n.Text, words)
	}
	if pattern, ok := schema["pattern"].(string); ok && n.Kind == scenario.TextNode && !regexp.MustCompile(pattern).MatchString(n.Text) {
		return fmt.Errorf("%s: %s does not match %s", at, n.Text, pattern)
	}
	if n.Kind == scenario.IntNode {
		if err := within(schema, n.Text, at); err != nil {
			return err
		}
	}
	if items, ok := schema["items"].(map[string]any); ok {
		for i, item := range n.Items {
			if err := conforms(items, item, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	}
	if n.Kind == scenario.MapNode {
		return fieldsConform(schema, n, at)
	}
	return nil
}

func fieldsConform(schema map[string]any, n *scenario.Node, at string) error {
	properties, _ := schema["properties"].(map[string]any)
	for _, f := range n.Fields {
		here := at + "/" + f.Name
		inner, ok := properties[f.Name].(map[string]any)
		if !ok {
			switch more := schema["additionalProperties"].(type) {
			case map[string]any:
				inner = more
			case bool:
				return fmt.Errorf("%s: unknown", here)
			default:
				continue
			}
		}
		if err := conforms(inner, f.Value, here); err != nil {
			return err
		}
	}
	required, _ := schema["required"].([]any)
	for _, name := range required {
		if n.Field(name.(string)) == nil {
			return fmt.Errorf("%s: %s is missing", at, name)
		}
	}
	return nil
}

func within(schema map[string]any, text, at string) error {
	var v float64
	if _, err := fmt.Sscan(text, &v); err != nil {
		return err
	}
	if least, ok := schema["minimum"].(float64); ok && v < least {
		return fmt.Errorf("%s: %v is below %v", at, v, least)
	}
	if most, ok := schema["maximum"].(float64); ok && v > most {
		return fmt.Errorf("%s: %v is above %v", at, v, most)
	}
	return nil
}

func typesOf(v any) map[string]bool {
	kinds := map[string]bool{}
	switch v := v.(type) {
	case string:
		kinds[v] = true
	case []any:
		for _, k := range v {
			kinds[k.(string)] = true
		}
	}
	return kinds
}

func typeOf(n *scenario.Node) string {
	return map[scenario.NodeKind]string{
		scenario.NullNode: "null", scenario.BoolNode: "boolean", scenario.IntNode: "integer", scenario.FloatNode: "number",
		scenario.TextNode: "string", scenario.ListNode: "array", scenario.MapNode: "object",
	}[n.Kind]
}

func contains(words []any, text string) bool {
	for _, w := range words {
		if w == text {
			return true
		}
	}
	return false
}
