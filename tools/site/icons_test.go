package site

import (
	"bytes"
	"encoding/json"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestIconsAreDrawn: each size that the manifest names is a picture of that
// size, with what the icon shows; one that is cut has ground in its corners.
func TestIconsAreDrawn(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t))))
	text, err := os.ReadFile(filepath.Join(dir, manifestFile))
	require.NoError(t, err)
	var manifest struct {
		Icons []struct{ Src, Type, Sizes, Purpose string }
	}
	require.NoError(t, json.Unmarshal(text, &manifest))
	var purposes []string
	for _, icon := range manifest.Icons {
		data, err := os.ReadFile(filepath.Join(dir, icon.Src))
		require.NoError(t, err)
		if icon.Type != "image/png" {
			continue
		}
		purposes = append(purposes, icon.Sizes+" "+icon.Purpose)
		picture, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		size := picture.Bounds().Dx()
		red := color.RGBA{0xff, 0, 0, 0xff}
		assert.Equal(t, red, color.RGBAModel.Convert(picture.At(size*3/10, size/2)), icon.Src)
		corner, right := red, color.RGBA{}
		if icon.Purpose == "maskable" {
			corner, right = ground, ground
		}
		assert.Equal(t, corner, color.RGBAModel.Convert(picture.At(1, 1)), icon.Src)
		assert.Equal(t, right, color.RGBAModel.Convert(picture.At(size*7/10, size/2)), icon.Src)
	}
	assert.Equal(t, []string{"192x192 ", "512x512 ", "512x512 maskable", "180x180 maskable"}, purposes)
}
