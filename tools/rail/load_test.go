package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// TestTooLarge: a file's size is said as it is, a pipe's only that it is more.
func TestTooLarge(t *testing.T) {
	text := "title: " + strings.Repeat("x", 2*scenario.MaxSourceBytes)
	file := t.TempDir() + "/large.yaml"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	for name, want := range map[string]string{file: ":1:1: the scenario has 2097159 bytes, more than the limit of 1048576", stdin: "-:1:1: the scenario has more bytes than the limit of 1048576"} {
		var out, errs bytes.Buffer
		assert.Equal(t, exitWrong, execute([]string{"run", name}, &terminal{in: strings.NewReader(text), out: &out, err: &errs}))
		assert.Contains(t, errs.String(), want)
	}
}
