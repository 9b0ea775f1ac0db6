package scenarioyaml

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/plainyaml"
)

// same holds that the small reader reads a text as the large one does, or says
// where it does not want to.
func same(t testing.TB, src []byte) (read bool) {
	small, problems := plainyaml.Read(src)
	if len(problems) > 0 {
		require.Nil(t, small)
		for _, p := range problems {
			require.Positive(t, p.Line, p.Text)
			require.Positive(t, p.Column, p.Text)
			require.NotEmpty(t, p.Text)
		}
		return false
	}
	large, problems := Read(src)
	require.NoError(t, problems.Err(), "only the small reader reads this:\n%s", src)
	require.Equal(t, placed(large), placed(small), "%q", src)
	return true
}

// placed is a tree without the places of what was left out, which mistakes are
// never reported at.
func placed(n *scenario.Node) *scenario.Node {
	c := *n
	if c.Kind == scenario.NullNode && c.Text == "" {
		c.Line, c.Column, c.TextLine, c.TextColumn = 0, 0, 0, 0
	}
	for i, item := range c.Items {
		c.Items[i] = placed(item)
	}
	for i := range c.Fields {
		c.Fields[i].Value = placed(c.Fields[i].Value)
	}
	return &c
}

func TestTheSmallReaderReadsAllCases(t *testing.T) {
	files := caseFiles(t)
	for _, pattern := range []string{"combined/*.yaml", "ties/*.yaml"} {
		more, err := filepath.Glob("../../testdata/cases/" + pattern)
		require.NoError(t, err)
		files = append(files, more...)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, same(t, src), file)
		s, problems := plainyaml.Decode(src)
		require.NoError(t, problems.Err())
		require.True(t, same(t, plainyaml.Encode(s)), file)
	}
	require.True(t, same(t, []byte(language)))
}

func TestTheSmallReaderKnowsTheForms(t *testing.T) {
	for _, src := range forms {
		assert.True(t, same(t, []byte(src)), "%q: %v", src, refused(src))
	}
}

func refused(src string) error {
	_, problems := plainyaml.Read([]byte(src))
	return problems.Err()
}

var forms = []string{
	"a: 1", "a: 1\n", "---\na: 1\n", "# only\na: b # c\n", "a:\nb:\n", "a: # c\n  b: 1\n", "a: b#c\n", "a: 'it''s'\n",
	"a: \"x\\n\\u00e9\\x41\\\\\"\n", "\"a b\": 1\n'c': 2\n", "a:\n- 1\n- 2\nb: 3\n", "a:\n  - 1\n  - b: 2\n    c: 3\n  -\n    d: 4\n", "- - 1\n  - 2\n- 3\n",
	"a: [1, 2.5, true, null, ~, x y, 'q', \"r\"]\n", "a: {b: 1, c: [d, {e: f}], g: , h}\n", "a: [\n  1,\n  2, # c\n]\nb: 2\n", "a: {\n  b: 1,\n\n  c: 2\n  }\n", "a: []\nb: {}\n", "a: [1, ]\n", "{\"a\": 1, \"b\":2}\n", "{a:1}",
	"a: |\n  x\n  y\nb: 1\n", "a: |-\n  x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n", "a: |\n\n  x\n    y\n\n  z\n", "a: |2\n    x\n  y\n", "a: |  # c\n  x\n", "a: |\n  x", "a: |\n  # not a comment\n  x\n# a comment\nb: 1\n", "a: |\nb: 1\n", "- |\n  x\n- |-\n   y\n", "a:\n  - |\n    x\n", "- a: |\n    x\n  b: 1\n",
	"a: http://x:8/y\n", "a: x:y\n", "a: -1\n", "a: -x\n", "a: 10%\n", "a: 8/s\n", "a: yes\n", "a: 0x1F\n", "a: 1_000\n", "a: .inf\n", "a:  spaced   out  \n", "ünïcode: größer\n", "a: [größer, b]\nc: d\n", "a: \"\"\n", "a: x # y # z\n", "a.b-c: 1\n", "  a: 1\n  b: 2\n", "a: (x)\n", "a: x, y\n", "a: ok]\n",
	"a:\n    b:\n        c: 1\n    d: 2\n", "\n\na: 1\n\n\n", "a: 1\r\nb: |\r\n  x\r\n  y\r\n", "text", "'text'", "[1]", "a:\n  x\n", "a:\n  'x'\n", "a:\n  [1]\n",
}

// TestTheSmallReaderRefuses: what it does not read, it says; the sentence says
// what to write instead.
func TestTheSmallReaderRefuses(t *testing.T) {
	for src, said := range map[string]string{
		"":                             "1:1: the file is empty: write a scenario, with queues, producers and workers",
		"# nothing\n":                  "1:1: the file is empty: write a scenario, with queues, producers and workers",
		"a: b\n  c\n":                  "2:3: a value goes on in this line: put it in quotes on one line, or write | and the lines below, set in",
		"a: >\n  b\n":                  "1:4: a folded text is not used in scenarios: write | instead of >",
		"a: &x 1\nb: *x\n":             "1:4: anchors such as &x are not used in scenarios: leave it out and write the value wherever it is needed",
		"a: *x\n":                      "1:4: aliases such as *x are not used in scenarios: write the value again",
		"a: !!str 1\n":                 "1:4: tags such as !!str are not used in scenarios: leave it out, or put a text in quotes",
		"a: 1\n---\nb: 2\n":            "2:1: a second document starts here: one file holds one scenario",
		"a: 1\na: 2\n":                 `2:1: "a" stands here twice, first on line 1: keep one`,
		"a: {b: 1, b: 2}\n":            `1:11: "b" stands here twice, first on line 1: keep one`,
		"<<: 1\n":                      "1:1: merge keys (<<) are not used in scenarios: write the fields again",
		"a: b: c\n":                    "1:5: a value with a colon and a space in it needs quotes",
		"a:\n\tb: 1\n":                 "2:1: there is a tab: set lines in with spaces",
		"a: [1, 2\nb: 3\n":             "1:4: a [ is opened here and not closed with ], or a comma is missing in it",
		"a: [1 2}\n":                   "1:4: a [ is opened here and not closed with ], or a comma is missing in it",
		"a: {b: 1\n":                   "1:4: a { is opened here and not closed with }, or a comma is missing in it",
		"a: \"b\n":                     "1:4: a quote is opened here and not closed in this line",
		"a: 'b' c\n":                   "1:8: there is something after the closing quote that does not belong here: put the whole value in quotes",
		"a: \"\\q\"\n":                 `1:5: a backslash in double quotes is written \\; in single quotes it stands alone`,
		"a: @b\n":                      "1:4: a value cannot start with @: put it in quotes",
		"a: - b\n":                     "1:4: a list cannot start on this line: write each dash on a line of its own below, or [a, b]",
		"a: 1\nb\n":                    "2:1: a colon is missing: write a name, a colon, a space and the value",
		"a: 1\n  b: 2\n":               "2:3: a value goes on in this line: put it in quotes on one line, or write | and the lines below, set in",
		"a:\n  b: 1\n c: 2\n":          "3:2: this line does not go with those above: check how far it is set in, its quotes and its brackets",
		"a: |\n    x\n  y\n":           "3:3: this line does not go with those above: check how far it is set in, its quotes and its brackets",
		"a: | x\n":                     "1:6: there is something after | that does not belong here: put the whole value in quotes",
		"a: ]\n":                       "1:4: a value is missing, or a bracket is closed that was not opened",
		"? a\n: b\n":                   "1:1: a value cannot start with ?: put it in quotes",
		"[a: 1]":                       "1:3: a colon does not belong here: put a text with a colon in quotes, or the name and its value in braces",
		"a: \x01\n":                    "1:4: there is a control character here: leave it out",
		"\xff":                         "1:1: this is not text in UTF-8",
		strings.Repeat("[", 99):        "1:33: more than 32 levels are nested here, which is the limit",
		strings.Repeat("- ", 99) + "a": "1:65: more than 32 levels are nested here, which is the limit",
	} {
		_, problems := plainyaml.Read([]byte(src))
		if assert.NotEmpty(t, problems, src) {
			assert.Equal(t, said, problems.Error(), src)
		}
	}
}

// FuzzPlain: whatever the small reader takes, the large one reads alike.
func FuzzPlain(f *testing.F) {
	for _, src := range forms {
		f.Add([]byte(src))
	}
	for _, w := range wrongs(f) {
		f.Add([]byte(w.src))
	}
	f.Add([]byte(language))
	f.Fuzz(func(t *testing.T, src []byte) { same(t, src) })
}
