package story_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/story"
)

// TestEndings tells every way in which the life of a message can end. A file
// is a scenario and, after a line ----, what is told of its messages: why it
// went so, by which steps, and the whole life.
func TestEndings(t *testing.T) {
	files, err := filepath.Glob("testdata/endings/*.txt")
	require.NoError(t, err)
	require.Greater(t, len(files), 40)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			source, _, _ := strings.Cut(string(text), "----\n")
			s, problems := scenarioyaml.Decode([]byte(source))
			require.NoError(t, problems.Err())
			log, err := sim.Run(s)
			require.NoError(t, err)
			got := source
			for _, words := range []story.Words{story.Plain, story.Kitchen} {
				got += "----\n" + endings(story.New(s, log, words), log.MessageCount())
			}
			golden(t, file, got)
		})
	}
}

// endings tells of each message why it ended as it did, and how.
func endings(st *story.Story, messages int) string {
	var b strings.Builder
	for m := range messages {
		ref := event.MessageRef(m)
		answer := st.Why(ref)
		fmt.Fprintf(&b, "\n%s\n%s\n", answer.Question, answer.Because)
		for _, step := range answer.Steps {
			fmt.Fprintf(&b, "%8.3f  %s\n", step.At.Seconds(), marked(step))
		}
		b.WriteString("Its life\n")
		life(&b, st, ref)
	}
	return b.String()
}
