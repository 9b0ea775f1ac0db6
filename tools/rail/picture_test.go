package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadmePicture holds the README's picture against the program.
func TestReadmePicture(t *testing.T) {
	const file = "../../lessons/ticket-rail/picture.svg"
	var out, errs bytes.Buffer
	status := execute([]string{"picture", "../../lessons/ticket-rail/crash.yaml", "--at", "830ms", "--follow", "101"}, &terminal{out: &out, err: &errs})
	require.Zero(t, status, errs.String())
	if *update {
		require.NoError(t, os.WriteFile(file, out.Bytes(), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.True(t, string(kept) == out.String(), "the picture is another now: go test ./tools/rail -run Picture -update draws it anew; look at it")
}

func TestPictureIsWellFormed(t *testing.T) {
	for _, size := range []string{"wide", "compact", "tall"} {
		var out, errs bytes.Buffer
		status := execute([]string{"picture", "../../core/testdata/cases/poison-to-dead-letters.yaml", "--at", "0.4s", "--size", size, "--theme", "dark", "--words", "plain"}, &terminal{out: &out, err: &errs})
		require.Zero(t, status, errs.String())
		decoder := xml.NewDecoder(&out)
		for {
			_, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			require.NoError(t, err)
		}
	}
}

func TestPictureMistakes(t *testing.T) {
	for arguments, want := range map[string]string{
		"--at 1":          "--at: ",
		"--follow 999":    "--follow: the run has no message 999",
		"--set seed=x":    "seed",
		"--size enormous": "--size",
		"-o none/x.svg":   "none/x.svg: there is no folder none to write it to",
	} {
		var out, errs bytes.Buffer
		status := execute(append([]string{"picture", "../../core/testdata/cases/slow-worker.yaml"}, strings.Fields(arguments)...), &terminal{out: &out, err: &errs})
		assert.Equal(t, exitWrong, status, arguments)
		assert.Contains(t, errs.String(), want)
	}
}
