package chunk_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/chunk"
)

func TestElementsStayWhereTheyAre(t *testing.T) {
	var l chunk.List[int]
	var where []*int
	for i := range 3*chunk.Size + 1 {
		require.Equal(t, i, l.Len())
		e := l.Grow()
		require.Zero(t, *e)
		*e = i
		where = append(where, e)
	}
	for i, e := range where {
		require.Same(t, e, l.At(i))
		require.Equal(t, i, *e)
	}
}
