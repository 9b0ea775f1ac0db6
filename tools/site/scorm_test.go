package site

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// unzipped are the files of a package.
func unzipped(t *testing.T, data []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	files := map[string]string{}
	for _, file := range archive.File {
		opened, err := file.Open()
		require.NoError(t, err)
		text, err := io.ReadAll(opened)
		require.NoError(t, err)
		files[file.Name] = string(text)
	}
	return files
}

// TestAPackageListsItsFiles: all that are there and no other, the page first of
// all, and the same bytes each time.
func TestAPackageListsItsFiles(t *testing.T) {
	folder := filepath.Join(mine(t), "small")
	data, err := Scorm(bare(), folder, "small", 80)
	require.NoError(t, err)
	again, err := Scorm(bare(), folder, "small", 80)
	require.NoError(t, err)
	assert.Equal(t, data, again)

	files := unzipped(t, data)
	var m struct {
		Resource struct {
			Href  string `xml:"href,attr"`
			Files []struct {
				Href string `xml:"href,attr"`
			} `xml:"file"`
		} `xml:"resources>resource"`
	}
	require.NoError(t, xml.Unmarshal([]byte(files["imsmanifest.xml"]), &m))
	assert.Equal(t, "index.html", m.Resource.Href)
	listed := []string{"imsmanifest.xml"}
	for _, file := range m.Resource.Files {
		listed = append(listed, file.Href)
	}
	var there []string
	for name := range files {
		there = append(there, name)
	}
	assert.ElementsMatch(t, there, listed)
	assert.Contains(t, listed, "cook.svg", "a picture of the lesson")
	assert.Contains(t, files["imsmanifest.xml"], `adlcp:scormtype="sco"`)
}

// TestAPackageLeadsNowhere: it has no page but its own.
func TestAPackageLeadsNowhere(t *testing.T) {
	data, err := Scorm(bare(), filepath.Join(mine(t), "small"), "small", 80)
	require.NoError(t, err)
	page := unzipped(t, data)["index.html"]
	assert.Contains(t, page, `data-pass="80" data-lesson="small"`)
	for _, other := range []string{`href="sandbox/`, `href="lessons/`, `rel="canonical"`, "Open the lesson", "Open in the sandbox"} {
		assert.NotContains(t, page, other)
	}
}
