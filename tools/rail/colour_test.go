package main

import (
	"bytes"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var colours = regexp.MustCompile("\x1b\\[[0-9]*m")

func TestWhereThereIsColour(t *testing.T) {
	for _, c := range []struct {
		terminal bool
		env      map[string]string
		want     bool
	}{
		{true, nil, true},
		{false, nil, false},
		{true, map[string]string{"NO_COLOR": "1"}, false},
		{true, map[string]string{"NO_COLOR": ""}, true},
		{true, map[string]string{"TERM": "dumb"}, false},
	} {
		assert.Equal(t, c.want, coloured(c.terminal, func(name string) string { return c.env[name] }), "%v", c)
	}
}

// TestColour: none without a terminal; with one, the same text.
func TestColour(t *testing.T) {
	for _, command := range [][]string{
		{"run", "../../core/testdata/cases/slow-worker.yaml"},
		{"sweep", "../../core/testdata/cases/slow-worker.yaml", "--seeds", "1..3"},
		{"crashes", "../../core/testdata/cases/slow-worker.yaml"},
		{"diff", "../../core/testdata/cases/slow-worker.yaml", "--set", "workers.slow.count=2"},
		{"biography", "../../core/testdata/cases/slow-worker.yaml", "101"},
	} {
		var plain, coloured, errs bytes.Buffer
		require.Zero(t, execute(command, &terminal{out: &plain, err: &errs}), errs.String())
		require.Zero(t, execute(command, &terminal{out: &coloured, err: &errs, colour: true}), errs.String())
		assert.NotContains(t, plain.String(), "\x1b", command)
		assert.Contains(t, coloured.String(), "\x1b[", command)
		assert.Equal(t, plain.String(), colours.ReplaceAllString(coloured.String(), ""), command)
	}
}
