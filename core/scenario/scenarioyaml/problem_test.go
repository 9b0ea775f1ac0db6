package scenarioyaml

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

var update = flag.Bool("update", false, "write testdata anew")

// wrong is a scenario with what is said about it.
type wrong struct{ src, said string }

// wrongs reads testdata/problems.txt: after a line ==== a scenario, after a
// line ---- its problems.
func wrongs(t testing.TB) []wrong {
	text, err := os.ReadFile("testdata/problems.txt")
	require.NoError(t, err)
	var list []wrong
	for _, part := range strings.Split("\n"+string(text), "\n====\n")[1:] {
		src, said, ok := strings.Cut("\n"+part+"\n", "\n----\n")
		require.True(t, ok, part)
		src = strings.TrimPrefix(src, "\n")
		if src != "" {
			src += "\n"
		}
		list = append(list, wrong{src, strings.TrimRight(said, "\n")})
	}
	require.Greater(t, len(list), 150)
	return list
}

// TestProblems: every mistake has its place and its sentence.
func TestProblems(t *testing.T) {
	var b strings.Builder
	for _, w := range wrongs(t) {
		s, problems := Decode([]byte(w.src))
		require.NotEmpty(t, problems, w.src)
		require.Nil(t, s, w.src)
		b.WriteString("====\n" + w.src + "----\n" + problems.Error() + "\n")
		if !*update {
			assert.Equal(t, w.said, problems.Error(), w.src)
		}
		for _, p := range problems {
			assert.Positive(t, p.Line, w.src)
			assert.Positive(t, p.Column, w.src)
		}
	}
	if *update {
		require.NoError(t, os.WriteFile("testdata/problems.txt", []byte(b.String()), 0o644))
	}
}

// TestProblemsInJSON: the same mistakes are said in the same words when the
// scenario is JSON.
func TestProblemsInJSON(t *testing.T) {
	same := 0
	for _, w := range wrongs(t) {
		root, problems := Read([]byte(w.src))
		if len(problems) > 0 || strings.Contains(w.src, ".nan") {
			continue // what only YAML can get wrong
		}
		_, problems = scenario.DecodeJSON(root.JSON())
		assert.Equal(t, withoutLines(w.said), withoutLines(problems.Error()), "%s\n%s", w.src, root.JSON())
		same++
	}
	require.Greater(t, same, 120)
}

// withoutLines cuts line:column off, and sorts nothing: both forms report in
// the order of the source.
func withoutLines(said string) string {
	lines := strings.Split(said, "\n")
	for i, line := range lines {
		_, after, _ := strings.Cut(line, ": ")
		lines[i] = after
	}
	return strings.Join(lines, "\n")
}

// TestBounds: what is too large is refused by name.
func TestBounds(t *testing.T) {
	pool := "queues: {q: {}}\nworkers:\n  w: {from: q, handler: "
	many := strings.Repeat("  q%: {}\n", scenario.MaxQueues+1)
	for i := 0; strings.Contains(many, "%"); i++ {
		many = strings.Replace(many, "%", string(rune('a'+i/26))+string(rune('a'+i%26)), 1)
	}
	for src, said := range map[string]string{
		"title: " + strings.Repeat("x", scenario.MaxSourceBytes):       "1:1: the scenario has 1048583 bytes, more than the limit of 1048576: send long streams with rate and count instead of one by one",
		pool + strings.Repeat("x", scenario.MaxHandlerBytes+1) + "}\n": "3:25: handler has 16385 bytes, more than the limit of 16384: shorten it",
		"queues:\n" + many: "2:3: there are 65 queues, dead-letter queues among them, more than the limit of 64",
		"title: " + strings.Repeat("[", 100) + strings.Repeat("]", 100):          "1:39: more than 32 levels are nested here, which is the limit",
		"tables:\n" + entries(scenario.MaxNames+1, "  t%d: {}\n"):                "2:3: tables has 1001 entries, more than the limit of 1000",
		"timeline:\n" + entries(scenario.MaxEntries+1, "  - {pause: p%d}\n"):     "2:3: timeline has 10001 entries, more than the limit of 10000",
		"expect:\n" + entries(scenario.MaxEntries+1, "  - lost == %d\n"):         "2:3: expect has 10001 entries, more than the limit of 10000",
		"topics: {t: {to: [" + entries(scenario.MaxQueues+1, "q%d, ") + "q]}}\n": "1:18: to has 66 entries, more than the limit of 64",
		"queues: {" + strings.Repeat("a", 81) + ": {}}\n":                        `1:10: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." is too long for a name: write up to 80 characters`,
	} {
		_, problems := Decode([]byte(src))
		assert.Equal(t, said, problems.Error())
	}
	_, problems := Decode([]byte("queues:\n  q:\n" + strings.Repeat("    x: 1\n", 1) + numbered(300)))
	assert.Len(t, problems, 100, "there is an end to what is collected")
}

// entries repeats a line with numbers in it.
func entries(n int, line string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, line, i)
	}
	return b.String()
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString("    x" + strings.Repeat("y", i+1) + ": 1\n")
	}
	return b.String()
}
