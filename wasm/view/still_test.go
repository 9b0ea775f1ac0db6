//go:build !js

package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAllStepsStandOnThePageWithoutTheProgram(t *testing.T) {
	l := lessonOf(t, "ack-after-work")
	built, err := Data("../../", l)
	require.NoError(t, err)
	text := Still(built)
	for i := range l.Steps {
		assert.Contains(t, text, l.Steps[i].Title)
		if i > 0 && l.Steps[i].Stage() != nil {
			assert.Contains(t, text, `id="`+Poster(i)+`"`)
		}
	}
	questions := 0
	for i := range l.Steps {
		for _, b := range l.Steps[i].Blocks {
			if b.Question != nil || b.Challenge != nil {
				questions++
			}
		}
	}
	assert.Equal(t, questions, strings.Count(text, `<details class="solved">`), "each with its answer, folded")
}

func TestALessonThatIsNotValidIsSaid(t *testing.T) {
	p := New(still(`{"root":"./","lesson":{"format":9}}`))
	assert.Contains(t, html(p), "format 9")
}
