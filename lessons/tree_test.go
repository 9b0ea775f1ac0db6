package lessons

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// The words of the glossary are in order, each has a meaning, and what the
// coverage names is there.
func TestWhatIsBesideTheLessons(t *testing.T) {
	shelf, err := OpenShelf(".")
	require.NoError(t, err)
	assert.Empty(t, shelf.Faults)
	assert.Greater(t, len(shelf.Words), 40)
	assert.Equal(t, "accepted", shelf.Words[0].Anchor)
}

// Every lesson of the tree can be read, is what running it shows, and is the
// same after it was written as the page gets it.
func TestLessonsOfTheTree(t *testing.T) {
	folders, err := Folders(".")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	shelf, err := OpenShelf(".")
	require.NoError(t, err)
	for _, folder := range folders {
		assert.NoError(t, shelf.Prove(folder))
		l, err := Open(folder)
		require.NoError(t, err)
		text, err := l.EncodeJSON()
		require.NoError(t, err)
		again, err := lesson.DecodeJSON(text)
		require.NoError(t, err)
		written, err := again.EncodeJSON()
		require.NoError(t, err)
		assert.JSONEq(t, string(text), string(written))
	}
}
