package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is a block of the README that begins with a command of rail and goes
// on with what it prints; a line of three dots stands for lines left out.
var example = regexp.MustCompile("(?s)```console\n\\$ rail ([^\n]*)\n(.*?)```")

// TestReadmeExamples runs the commands of the README, from the top of the tree
// as a reader does, and wants what it says that they print.
func TestReadmeExamples(t *testing.T) {
	t.Chdir("../..")
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	found := example.FindAllStringSubmatch(string(readme), -1)
	require.GreaterOrEqual(t, len(found), 6, "each command that works on scenarios has its example")
	for _, f := range found {
		var out, errs bytes.Buffer
		execute(words(f[1]), &terminal{out: &out, err: &errs})
		want := "^" + strings.ReplaceAll(regexp.QuoteMeta(f[2]), regexp.QuoteMeta("\n...\n"), "\n(?s:.*)") + "$"
		assert.Regexp(t, want, errs.String()+out.String(), "rail %s prints something else now", f[1])
	}
}

// words takes a command line apart as a shell does, with single quotes only.
func words(line string) (list []string) {
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			list = append(list, part)
			continue
		}
		list = append(list, strings.Fields(part)...)
	}
	return list
}
