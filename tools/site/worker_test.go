package site

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// keptBy reads what the worker of a built site keeps.
func keptBy(t *testing.T, dir string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, workerFile))
	require.NoError(t, err)
	line, rest, _ := strings.Cut(string(text), "\n")
	require.Contains(t, rest, "addEventListener")
	var addresses map[string]string
	require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(strings.TrimPrefix(line, "const kept = "), ";")), &addresses))
	return addresses
}

// TestEveryPageIsKept: each page that is not for frames, and every file that
// such a page names in its markup, is kept for when there is no network.
func TestEveryPageIsKept(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t))))
	addresses := keptBy(t, dir)
	pages := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(dir, path)
		name = filepath.ToSlash(name)
		if err != nil || d.IsDir() || filepath.Base(path) != "index.html" || strings.HasPrefix(name, "embed/") {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		assert.Equal(t, hash(text), addresses[strings.TrimSuffix(name, "index.html")], name)
		assert.Regexp(t, `<script src="[./]*offline\.[0-9a-f]{10}\.js" defer>`, string(text), name)
		return nil
	}))
	assert.Greater(t, pages, 10)
	for _, name := range []string{"style.css", "boot.js", "paint.js", "recorded.js", "wasm_exec.js", "program.wasm", "search.js", "icon.svg", "found.json", "offline.js", "course.js", "embed_panel.js"} {
		ext := filepath.Ext(name)
		found, err := filepath.Glob(filepath.Join(dir, strings.TrimSuffix(name, ext)+".??????????"+ext))
		require.NoError(t, err)
		require.Len(t, found, 1, name)
		assert.Contains(t, addresses, filepath.Base(found[0]))
	}
	for address := range addresses {
		assert.NotRegexp(t, `^embed/|run_|scorm|program\..*\.js$|sw\.js`, address)
		file := filepath.Join(dir, filepath.FromSlash(address))
		if address == "" || strings.HasSuffix(address, "/") {
			file = filepath.Join(file, "index.html")
		}
		assert.FileExists(t, file)
	}
}

// TestAFrameKeepsNothing: what other sites show leaves nothing behind.
func TestAFrameKeepsNothing(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t))))
	pages, err := filepath.Glob(filepath.Join(dir, "embed", "v1", "*", "index.html"))
	require.NoError(t, err)
	require.NotEmpty(t, pages)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.NotContains(t, string(text), "offline.")
	}
}

// TestASiteThatIsWrittenAnewIsNotKept: a page of an author shows what was saved
// last, also where a worker of another site was before.
func TestASiteThatIsWrittenAnewIsNotKept(t *testing.T) {
	dir := t.TempDir()
	live, err := NewLive(dir, few(t), bare())
	require.NoError(t, err)
	require.NoError(t, live.Update())
	text, err := os.ReadFile(filepath.Join(dir, workerFile))
	require.NoError(t, err)
	assert.Contains(t, string(text), "unregister")
	page, err := os.ReadFile(filepath.Join(dir, "index.html"))
	require.NoError(t, err)
	assert.NotContains(t, string(page), "offline.")
}
