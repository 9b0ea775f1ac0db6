package story_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
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
			s, log := ending(t, file)
			got := source(t, file)
			for _, words := range []story.Words{story.Plain, story.Kitchen} {
				got += "----\n" + endings(story.New(s, log, words), log.MessageCount())
			}
			golden(t, file, got)
		})
	}
}

// TestWordsOfBrokers tells four endings in the words of each broker.
func TestWordsOfBrokers(t *testing.T) {
	for _, words := range []story.Words{story.SQS, story.RabbitMQ, story.PubSub} {
		t.Run(words.Name, func(t *testing.T) {
			var got strings.Builder
			for _, name := range []string{"twice-slow-worker", "again-given-back", "dead-failed-every-time", "lost-on-delivery"} {
				s, log := ending(t, "testdata/endings/"+name+".txt")
				fmt.Fprintf(&got, "## %s\n%s\n", name, endings(story.New(s, log, words), log.MessageCount()))
			}
			golden(t, "testdata/"+words.Name+".txt", got.String())
		})
	}
}

// ending runs the scenario at the start of a file.
func ending(t *testing.T, file string) (*scenario.Scenario, *event.Log) {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(source(t, file)))
	require.NoError(t, problems.Err())
	log, err := sim.Run(s)
	require.NoError(t, err)
	return s, log
}

func source(t *testing.T, file string) string {
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	source, _, _ := strings.Cut(string(text), "----\n")
	return source
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
