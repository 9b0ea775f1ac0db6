package site

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// bare is a kit whose files are empty but for their names.
func bare() *Kit {
	k := &Kit{files: map[string][]byte{}}
	for _, name := range Files() {
		k.files[name] = []byte("the " + name)
	}
	k.files["icon.svg"] = []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="2" height="4" fill="#ff0000"/></svg>`)
	return k
}

// TestAKitIsTakenOutOfASite: out of a folder, and out of an archive.
func TestAKitIsTakenOutOfASite(t *testing.T) {
	dir := t.TempDir()
	b := &builder{dir: dir, kit: bare(), compressed: true}
	require.NoError(t, b.shared())
	require.NoError(t, b.hashed("found.json", []byte("[]")))
	k, err := OpenKit(os.DirFS(dir))
	require.NoError(t, err)
	assert.Equal(t, bare(), k)
	archive, err := Archive(os.DirFS(dir))
	require.NoError(t, err)
	built, err := OpenArchive(archive)
	require.NoError(t, err)
	k, err = OpenKit(built)
	require.NoError(t, err)
	assert.Equal(t, bare(), k)
	again, err := Archive(built)
	require.NoError(t, err)
	assert.Equal(t, archive, again, "the same site is the same archive")
	compressed, err := fs.Glob(built, "*.br")
	require.NoError(t, err)
	assert.Empty(t, compressed)
}

func TestWhatIsNoKit(t *testing.T) {
	_, err := OpenKit(fstest.MapFS{"index.html": {}})
	assert.ErrorContains(t, err, "it has no program.wasm: name a site that rail build has written")
	_, err = OpenKit(fstest.MapFS{"style.0123456789.css": {Data: []byte("a")}, "style.1234567890.css": {Data: []byte("b")}})
	assert.ErrorContains(t, err, "there are two files style.css: build that site again, into an empty folder")
	_, err = OpenArchive([]byte("no archive"))
	assert.Error(t, err)
}

// TestLessonsOfAnyFolder: pages need a kit and lessons, and no source tree.
func TestLessonsOfAnyFolder(t *testing.T) {
	folder, dir := mine(t), t.TempDir()
	t.Chdir(t.TempDir())
	require.NoError(t, Build(dir, With(bare()), Lessons(folder)))
	page, err := os.ReadFile(filepath.Join(dir, "lessons", "small", "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(page), "A small lesson")
	assert.FileExists(t, filepath.Join(dir, "lessons", "small", "cook.svg"))
	assert.ErrorContains(t, Build(dir, Lessons(folder)), "run this inside it, or name a built site")
}

// mine is a folder with one lesson, away from the source tree.
func mine(t *testing.T) string {
	folder, err := filepath.Abs(t.TempDir())
	require.NoError(t, err)
	require.NoError(t, os.CopyFS(filepath.Join(folder, "small"), os.DirFS("../../lessons/testdata/right")))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "GLOSSARY.md"), []byte("## Ack\nDone.\n"), 0o644))
	return folder
}

// TestLive: what is saved is written, what cannot be read stays as it was.
func TestLive(t *testing.T) {
	folder, dir := mine(t), t.TempDir()
	live, err := NewLive(dir, folder, bare())
	require.NoError(t, err)
	require.NoError(t, live.Update())
	read := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "lessons", "small", "index.html"))
		require.NoError(t, err)
		return string(text)
	}
	source, err := os.ReadFile(filepath.Join(folder, "small", "lesson.md"))
	require.NoError(t, err)
	save := func(was, is string) {
		require.Contains(t, string(source), was)
		text := strings.Replace(string(source), was, is, 1)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "small", "lesson.md"), []byte(text), 0o644))
		require.NoError(t, live.Update())
	}
	assert.NotContains(t, read(), "Three orders")
	save("Two orders", "Three orders")
	assert.Contains(t, read(), "Three orders")
	before := read()
	save("level: start", "level: strat")
	assert.Equal(t, before, read())
	save("Two orders", "Four orders")
	assert.Contains(t, read(), "Four orders")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "small", "cook.svg"), []byte("<svg/>"), 0o644))
	require.NoError(t, live.Update())
	picture, err := os.ReadFile(filepath.Join(dir, "lessons", "small", "cook.svg"))
	require.NoError(t, err)
	assert.Equal(t, "<svg/>", string(picture))
}
