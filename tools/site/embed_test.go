package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/lessons"
)

// embeddedText is the embedded page of the first lesson.
func embeddedText(t *testing.T) string {
	t.Helper()
	b := &builder{dir: t.TempDir(), sizes: map[string]int{}, runs: map[string]string{}, names: map[string]string{
		"style.css": "style.css", "boot.js": "boot.js", "wasm_exec.js": "wasm_exec.js", "paint.js": "paint.js",
		"icon.svg": "icon.svg", "program.wasm": "program.wasm", "program.js": "program.js", "embed_frame.js": "embed_frame.js",
	}}
	shelf, err := lessons.OpenShelf("../../lessons")
	require.NoError(t, err)
	l, err := lessons.Open("../../lessons/ticket-rail")
	require.NoError(t, err)
	require.NoError(t, b.embed(shelf, l))
	text, err := os.ReadFile(filepath.Join(b.dir, "embed", "v1", "ticket-rail", "index.html"))
	require.NoError(t, err)
	return string(text)
}

func TestTheEmbeddedPageIsWholeWithoutTheProgram(t *testing.T) {
	page := embeddedText(t)
	for _, want := range []string{
		`data-asked="no"`, `href="../../../lessons/ticket-rail/"`, ">Six orders on the rail</h1>", "send_email(msg.id)", "<noscript>",
		`data-size="m"`, `data-size="s"`, `data-size="t"`, `id="begin"`,
	} {
		assert.Contains(t, page, want)
	}
	for _, m := range regexp.MustCompile(`(?:href|src|data-program|data-inlined)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		assert.NotRegexp(t, `^(/|[a-z]+:)`, m[1])
	}
	assert.NotRegexp(t, `<[^>]*\s(style|on[a-z]+)=`, page)
	assert.NotContains(t, page, `class="rest"`, "the other steps are on the lesson's own page")
}

func TestTheInlinedProgramIsTheProgram(t *testing.T) {
	program := bytes.Repeat([]byte("\x00asm of a program"), 1000)
	script, err := inlined(program)
	require.NoError(t, err)
	found := regexp.MustCompile(`^ticketrail\.inlined\("([A-Za-z0-9+/=]+)"\);\n$`).FindSubmatch(script)
	require.NotNil(t, found)
	packed, err := base64.StdEncoding.DecodeString(string(found[1]))
	require.NoError(t, err)
	z, err := gzip.NewReader(bytes.NewReader(packed))
	require.NoError(t, err)
	got, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, program, got)
	again, err := inlined(program)
	require.NoError(t, err)
	assert.Equal(t, script, again)
}
