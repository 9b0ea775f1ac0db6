package lessons

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const twoBlocks = "---\nformat: 1\ntitle: Two blocks\n---\nProse.\n\n" +
	"```scenario id=crash\nqueues: {orders: {}}\n```\n\n" +
	"```stage scenario=crash\nshow: code\n```\n\n" +
	"1. In a list:\n\n   ~~~scenario id=\"set-in\"\n   queues:\n     inbox: {}\n\n   workers: {}\n   ~~~\n\n" +
	"````markdown\n```scenario id=shown\nnot: a scenario\n```\n````\n\n" +
	"> ```scenario\n> queues: {}\n> ```\n\n" +
	"```scenarios\nno\n```\n"

func TestScenarios(t *testing.T) {
	blocks := Scenarios([]byte(twoBlocks))
	require.Len(t, blocks, 3, "not the stage, nor what is only shown")
	assert.Equal(t, []string{"crash", "set-in", ""}, []string{blocks[0].ID, blocks[1].ID, blocks[2].ID})
	whole := strings.Split(twoBlocks, "\n")
	for _, b := range blocks {
		assert.Contains(t, whole[b.Line-1], b.Name)
		for i, line := range strings.Split(string(b.Source), "\n") {
			if strings.TrimSpace(line) != "" {
				assert.Equal(t, strings.ReplaceAll(whole[i], ">", " "), line, "line %d keeps its place", i+1)
			}
		}
	}
	assert.Equal(t, 3, strings.Count(strings.TrimSpace(string(blocks[1].Source)), "\n"), "four lines, one of them empty")
}

func TestNoScenarios(t *testing.T) {
	for _, source := range []string{"", "Prose only.", "```\ncode\n```", "```scenario", "    scenario\n"} {
		for _, b := range Scenarios([]byte(source)) {
			assert.Equal(t, "```scenario", source)
			assert.Empty(t, strings.TrimSpace(string(b.Source)))
		}
	}
}

func FuzzScenarios(f *testing.F) {
	f.Add([]byte(twoBlocks))
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, b := range Scenarios(source) {
			assert.LessOrEqual(t, b.Line, 1+strings.Count(string(source), "\n"))
			assert.GreaterOrEqual(t, strings.Count(string(b.Source), "\n"), b.Line)
		}
	})
}
