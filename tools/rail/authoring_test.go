package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/tools/site"
)

// snippet is a block of AUTHORING.md: a piece of a lesson, or a command with
// what it prints.
var snippet = regexp.MustCompile("(?ms)^```````markdown\n(.*?)^```````$|^```console\n\\$ rail ([^\n]*)\n(.*?)^```$")

// TestAuthoring does what AUTHORING.md says, in its order, in an empty folder:
// each piece goes under the one before it, each command prints what it says.
// The pieces of the reference are tried in the finished lesson, one by one.
func TestAuthoring(t *testing.T) {
	text, err := os.ReadFile("../../lessons/AUTHORING.md")
	require.NoError(t, err)
	guide, reference, ok := strings.Cut(string(text), "\n## Reference\n")
	require.True(t, ok)
	releasedWith(t)
	t.Chdir(t.TempDir())
	written := ""
	const folder = "my-lessons/one-more-try"
	pieces, commands := 0, 0
	for _, s := range snippet.FindAllStringSubmatch(guide, -1) {
		if s[1] != "" {
			pieces++
			written += s[1] + "\n"
			require.NoError(t, os.WriteFile(filepath.Join(folder, lessons.File), []byte(written), 0o644))
			continue
		}
		commands++
		var out bytes.Buffer
		execute(words(s[2]), &terminal{out: &out, err: &out})
		want := "^" + strings.ReplaceAll(regexp.QuoteMeta(s[3]), regexp.QuoteMeta("\n...\n"), "\n(?s:.*)") + "$"
		said := strings.ReplaceAll(filepath.ToSlash(out.String()), "built "+filepath.ToSlash(here(t))+"/", "built ")
		assert.Regexp(t, want, said, "rail %s prints something else now", s[2])
	}
	assert.Equal(t, 5, pieces)
	assert.Equal(t, 5, commands)

	tried := snippet.FindAllStringSubmatch(reference, -1)
	assert.GreaterOrEqual(t, len(tried), 6)
	head, rest, _ := strings.Cut(written, "\n## Tries are counted\n")
	for _, s := range tried {
		with := head + "\n## Another step\n\nA word.\n\n" + s[1] + "\n## Tries are counted\n" + rest
		require.NoError(t, os.WriteFile(filepath.Join(folder, lessons.File), []byte(with), 0o644))
		shelf, err := lessons.OpenShelf("my-lessons")
		require.NoError(t, err)
		assert.NoError(t, shelf.Prove("one-more-try"), s[1])
	}
}

func here(t *testing.T) string {
	folder, err := os.Getwd()
	require.NoError(t, err)
	return folder
}

// releasedWith has rail hold an empty program, as one of make release holds the
// page's.
func releasedWith(t *testing.T) {
	archive, err := site.Archive(emptySite())
	require.NoError(t, err)
	was := embedded
	embedded = archive
	t.Cleanup(func() { embedded = was })
}
