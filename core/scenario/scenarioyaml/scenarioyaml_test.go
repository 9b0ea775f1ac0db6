package scenarioyaml

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

func caseFiles(t testing.TB) []string {
	files, err := filepath.Glob("../../testdata/cases/*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob("../../testdata/cases/rules/*.yaml")
	require.NoError(t, err)
	files = append(files, rules...)
	require.Greater(t, len(files), 50)
	return files
}

// TestCases: every case reads without a problem, and is the same scenario in
// JSON.
func TestCases(t *testing.T) {
	for _, file := range caseFiles(t) {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		s, problems := Decode(src)
		require.NoError(t, problems.Err(), file)
		encoded := s.EncodeJSON()
		again, problems := scenario.DecodeJSON(encoded)
		require.NoError(t, problems.Err(), "%s\n%s", file, encoded)
		require.Equal(t, string(encoded), string(again.EncodeJSON()), file)
	}
}
