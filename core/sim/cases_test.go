package sim

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

func TestCasesHold(t *testing.T) {
	for _, pattern := range []string{"../testdata/cases/*.yaml", "../testdata/cases/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				source, err := os.ReadFile(file)
				require.NoError(t, err)
				s, problems := scenarioyaml.Decode(source)
				require.Empty(t, problems)
				log, err := Run(s)
				require.NoError(t, err)
				o := outcome.Of(s, log)
				for _, f := range o.Holds() {
					t.Errorf("%+v", f)
				}
				index := replay.New(log)
				cursor := index.Cursor()
				for n := range log.Len() + 1 {
					state := cursor.SeekEvents(n)
					require.True(t, state.Counts.AddsUp(), "after event %d: %+v %+v", n, log.Event(max(n-1, 0)), state.Counts)
				}
			})
		}
	}
}
