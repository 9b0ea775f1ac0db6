package lessons

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// validators compiles the schemas of the head and of the blocks with a library
// that knows all of JSON Schema. The head's name is "".
func validators(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	source, err := Schema()
	require.NoError(t, err)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(source))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("lesson.schema.json", schema))
	all := map[string]*jsonschema.Schema{}
	for _, name := range []string{"", "predict", "quiz", "challenge", "scenario"} {
		at := "lesson.schema.json"
		if name != "" {
			at += "#/$defs/" + name
		}
		all[name], err = compiler.Compile(at)
		require.NoError(t, err)
	}
	return all
}

func validate(t *testing.T, schema *jsonschema.Schema, yaml []byte) error {
	t.Helper()
	node, problems := scenarioyaml.Read(yaml)
	require.NoError(t, problems.Err(), string(yaml))
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(node.JSON()))
	require.NoError(t, err)
	return schema.Validate(instance)
}

// TestSchemaTakesAllLessons: their heads, and their blocks with fields.
func TestSchemaTakesAllLessons(t *testing.T) {
	all := validators(t)
	files, err := filepath.Glob("*/" + File)
	require.NoError(t, err)
	blocks := map[string]int{}
	for _, file := range append(files, "testdata/right/"+File) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		_, rest, _ := strings.Cut(string(source), "---\n")
		head, body, _ := strings.Cut(rest, "\n---\n")
		assert.NoError(t, validate(t, all[""], []byte(head)), file)
		root := goldmark.DefaultParser().Parse(text.NewReader([]byte(body)))
		for n := root.FirstChild(); n != nil; n = n.NextSibling() {
			fence, ok := n.(*ast.FencedCodeBlock)
			if !ok || all[nameOf(fence, []byte(body))] == nil || nameOf(fence, []byte(body)) == "" {
				continue
			}
			b, _ := block([]byte(body), fence)
			blocks[b.Name]++
			assert.NoError(t, validate(t, all[b.Name], b.Source), "%s:%d", file, b.Line)
		}
	}
	for _, name := range []string{"predict", "quiz", "challenge", "scenario"} {
		assert.Positive(t, blocks[name], name)
	}
}

// TestSchemaRefuses: what the reader refuses of one field, the schema refuses.
func TestSchemaRefuses(t *testing.T) {
	all := validators(t)
	const head = "format: 1\ntitle: T\nminutes: 3\nlevel: start\n"
	require.NoError(t, validate(t, all[""], []byte(head)))
	for _, c := range []struct{ block, was, is string }{
		{"", "format: 1", "format: 2"}, {"", "title: T\n", ""}, {"", "minutes: 3", "minutes: soon"},
		{"", "minutes: 3", "minutes: 99"}, {"", "level: start", "level: hard"}, {"", "level", "levle"},
		{"", "title: T", "needs: [a: b]\ntitle: T"},
	} {
		assert.Error(t, validate(t, all[c.block], []byte(strings.Replace(head, c.was, c.is, 1))), c.is)
	}
	for source, block := range map[string]string{
		"qestion: Why?": "predict", "answer: lost": "quiz", "question: Why?\nform: numbr": "quiz",
		"question: Why?\norder: keep": "quiz", "question: Why?\nto: two": "predict", "question: Why?\nchoices: one": "quiz",
		"question: Why?\nchoices: [{say: a, rigth: true}]": "quiz", "question: Why?\nchoices: [{say: a, right: yes}]": "quiz",
		"goal: lost == 0": "challenge", "goal: lost == 0\nunlock: all\nsolution: 3": "challenge",
		"goal: lost == 0\nunlock: all\nhint: {a: b}": "challenge", "queues: [orders]": "scenario",
	} {
		assert.Error(t, validate(t, all[block], []byte(source)), source)
	}
}
