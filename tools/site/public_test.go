package site

import (
	"encoding/json"
	"encoding/xml"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// few is a folder with two of the lessons.
func few(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"ticket-rail", "share-the-work"} {
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("..", "..", "lessons", name))))
	}
	glossary, err := os.ReadFile(filepath.Join("..", "..", "lessons", "GLOSSARY.md"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "GLOSSARY.md"), glossary, 0o644))
	return dir
}

// A site that knows its address lists each of its pages but those for frames,
// and every lesson can be made a frame of.
func TestASiteWithAnAddressTellsMachinesOfIt(t *testing.T) {
	dir := t.TempDir()
	const address = "https://example.org/rail/"
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t)), At(strings.TrimSuffix(address, "/"))))
	text, err := os.ReadFile(filepath.Join(dir, "sitemap.xml"))
	require.NoError(t, err)
	var list struct {
		URLs []string `xml:"url>loc"`
	}
	require.NoError(t, xml.Unmarshal(text, &list))
	assert.ElementsMatch(t, pagesOf(t, dir, address), list.URLs)
	text, err = os.ReadFile(filepath.Join(dir, "embed", "v1", "ticket-rail", "index.html"))
	require.NoError(t, err)
	assert.Contains(t, string(text), `<link rel="canonical" href="`+address+`lessons/ticket-rail/">`)
	for _, page := range list.URLs {
		folder := filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(page, address)))
		text, err := os.ReadFile(filepath.Join(folder, "index.html"))
		require.NoError(t, err)
		assert.Contains(t, string(text), `<link rel="canonical" href="`+page+`">`)
		found := regexp.MustCompile(`<link rel="alternate" type="application/json\+oembed" href="([^"]+)"`).FindSubmatch(text)
		if !strings.Contains(page, "/lessons/") || strings.HasSuffix(page, "/lessons/") {
			assert.Nil(t, found, page)
			continue
		}
		require.NotNil(t, found, page)
		var answer struct {
			Version, Type, HTML string
			Width, Height       int
		}
		text, err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(string(found[1]), address))))
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &answer))
		assert.Equal(t, []string{"1.0", "rich"}, []string{answer.Version, answer.Type})
		assert.Contains(t, answer.HTML, `src="`+strings.Replace(page, "/lessons/", "/embed/v1/", 1)+`"`)
		assert.Positive(t, answer.Width*answer.Height)
	}
}

// pagesOf are the addresses of all pages below a folder but those for frames.
func pagesOf(t *testing.T, dir, address string) []string {
	t.Helper()
	var pages []string
	require.NoError(t, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Name() == "index.html" && !strings.HasPrefix(name, embedFolder) {
			pages = append(pages, address+strings.TrimSuffix(name, "index.html"))
		}
		return err
	}))
	return pages
}

// Without an address nothing in a site says where it is.
func TestASiteWithoutAnAddressNamesNone(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t))))
	assert.NoFileExists(t, filepath.Join(dir, "sitemap.xml"))
	assert.NoFileExists(t, filepath.Join(dir, "robots.txt"))
	text, err := os.ReadFile(filepath.Join(dir, "lessons", "ticket-rail", "index.html"))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "canonical")
	text, err = os.ReadFile(filepath.Join(dir, "embed", "v1", "ticket-rail", "index.html"))
	require.NoError(t, err)
	assert.NotContains(t, string(text), "canonical")
	assert.NotContains(t, string(text), "oembed")
	manifest, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	var read struct {
		Start string              `json:"start_url"`
		Icons []map[string]string `json:"icons"`
	}
	require.NoError(t, json.Unmarshal(manifest, &read))
	assert.Equal(t, "./", read.Start)
	require.NotEmpty(t, read.Icons)
	assert.FileExists(t, filepath.Join(dir, read.Icons[0]["src"]))
}

// Two builds of the same tree are the same bytes.
func TestASecondBuildIsTheSame(t *testing.T) {
	first, second := t.TempDir(), filepath.Join(t.TempDir(), "elsewhere")
	for _, dir := range []string{first, second} {
		require.NoError(t, Build(dir, With(bare()), Lessons(few(t)), At("https://example.org/")))
	}
	names, err := filesBelow(first)
	require.NoError(t, err)
	again, err := filesBelow(second)
	require.NoError(t, err)
	assert.Equal(t, names, again)
	for _, name := range names {
		a, err := os.ReadFile(filepath.Join(first, name))
		require.NoError(t, err)
		b, err := os.ReadFile(filepath.Join(second, name))
		require.NoError(t, err)
		assert.True(t, string(a) == string(b), name)
	}
}

func filesBelow(dir string) (names []string, err error) {
	err = fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	return names, err
}
