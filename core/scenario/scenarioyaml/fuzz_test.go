package scenarioyaml

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// FuzzDecodeYAML: any text gives a scenario that comes back unchanged from
// both of its forms, or problems with places; nothing panics.
func FuzzDecodeYAML(f *testing.F) {
	for _, file := range caseFiles(f) {
		src, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(src)
	}
	for _, w := range wrongs(f) {
		f.Add([]byte(w.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, problems := Decode(src)
		checkDecoded(t, s, problems)
	})
}

// FuzzDecodeJSON does the same for JSON.
func FuzzDecodeJSON(f *testing.F) {
	for _, file := range caseFiles(f) {
		src, err := os.ReadFile(file)
		require.NoError(f, err)
		s, problems := Decode(src)
		require.NoError(f, problems.Err())
		f.Add(s.EncodeJSON())
	}
	for _, w := range wrongs(f) {
		if root, problems := Read([]byte(w.src)); len(problems) == 0 {
			f.Add(root.JSON())
		}
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		s, problems := scenario.DecodeJSON(src)
		checkDecoded(t, s, problems)
	})
}

// FuzzSet: any value for any setting is taken or refused, and what is taken
// can be written and read.
func FuzzSet(f *testing.F) {
	src, err := os.ReadFile("../../testdata/cases/rules/pipeline.yaml")
	require.NoError(f, err)
	original, problems := Decode(src)
	require.NoError(f, problems.Err())
	for i, value := range []string{"", "5s", "8/s", "10%", "3", "true", "never", "{min: 1s, max: 2s}", "[a, b]", "a\n", `{"a": [1, 2.5, null]}`} {
		f.Add(7*i, value)
	}
	settings := scenario.Paths(original)
	f.Fuzz(func(t *testing.T, n int, value string) {
		s := original.Clone()
		if scenario.Set(s, settings[uint(n)%uint(len(settings))].Path, value) == nil {
			roundTrip(t, s)
		}
		require.Equal(t, string(original.EncodeJSON()), string(original.Clone().EncodeJSON()))
	})
}

func checkDecoded(t *testing.T, s *scenario.Scenario, problems scenario.Problems) {
	if len(problems) > 0 {
		require.Nil(t, s)
		for _, p := range problems {
			require.NotEmpty(t, p.Text)
			require.Positive(t, p.Line, p.Text)
			require.Positive(t, p.Column, p.Text)
		}
		return
	}
	roundTrip(t, s)
}
