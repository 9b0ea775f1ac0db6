package story_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/story"
)

var update = flag.Bool("update", false, "write what is told now as what is to be told")

const cases = "../testdata/cases/"

type loaded struct {
	scenario *scenario.Scenario
	log      *event.Log
}

// runs keeps the run of each file, which nothing changes.
var runs = map[string]loaded{}

func load(t testing.TB, file string) (*scenario.Scenario, *event.Log) {
	if r, ok := runs[file]; ok {
		return r.scenario, r.log
	}
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(source)
	require.Empty(t, problems)
	log, err := sim.Run(s)
	require.NoError(t, err)
	runs[file] = loaded{s, log}
	return s, log
}

// Each case is told in both words: as a transcript, and for messages with
// something to explain their biography and the answer to why.
func TestNarration(t *testing.T) {
	files, err := filepath.Glob(cases + "*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob(cases + "rules/*.yaml")
	require.NoError(t, err)
	for _, file := range append(files, rules...) {
		name := strings.TrimSuffix(filepath.Base(file), ".yaml")
		t.Run(name, func(t *testing.T) {
			s, log := load(t, file)
			for _, words := range []story.Words{story.Plain, story.Kitchen} {
				golden(t, filepath.Join("testdata", name+"."+words.Name+".txt"), narrate(s, log, words))
			}
		})
	}
}

func golden(t *testing.T, file, got string) {
	if *update {
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test ./core/story -update writes it")
	require.Equal(t, string(want), got)
}

// longest is how many sentences of a run a golden file keeps, and half of it
// how many lives.
const longest = 60

func narrate(s *scenario.Scenario, log *event.Log, words story.Words) string {
	var b strings.Builder
	st := story.New(s, log, words)
	fmt.Fprintf(&b, "%s\n\n", s.Title)
	shown := st.Shown(0, log.Len())
	for n, i := range shown {
		if len(shown) > longest && n >= longest/2 && n < len(shown)-longest/2 {
			if n == longest/2 {
				fmt.Fprintf(&b, "... %d sentences\n", len(shown)-longest)
			}
			continue
		}
		sentence := st.Sentence(i)
		fmt.Fprintf(&b, "%8.3f  %s\n", sentence.At.Seconds(), marked(sentence))
	}
	fmt.Fprintf(&b, "\n%s\n", marked(st.Summary(outcome.Of(s, log))))
	for m, lives := 0, 0; m < log.MessageCount() && lives < 3; m++ {
		answer := st.Why(event.MessageRef(m))
		if answer.Because == "" && m > 0 {
			continue
		}
		lives++
		fmt.Fprintf(&b, "\n%s\n%s\n", answer.Question, answer.Because)
		life(&b, st, event.MessageRef(m))
	}
	return b.String()
}

func life(b *strings.Builder, st *story.Story, m event.MessageRef) {
	try := int32(-1)
	for n, sentence := range st.Biography(m) {
		if n == longest/2 {
			fmt.Fprintln(b, "  ...")
			return
		}
		if sentence.Try != try {
			try = sentence.Try
			if try > 0 {
				badge, _ := st.WorkerName(sentence.Worker)
				fmt.Fprintf(b, "  Try %d, %s\n", try, badge)
			}
		}
		fmt.Fprintf(b, "%8.3f  %s\n", sentence.At.Seconds(), marked(sentence))
	}
}

// marked is the text of a sentence with its references and what is strong in it.
func marked(s story.Sentence) string {
	var b strings.Builder
	strong := false
	for _, p := range s.Parts {
		if p.Strong != strong {
			b.WriteString("*")
			strong = p.Strong
		}
		switch {
		case p.Message != event.NoMessage:
			fmt.Fprintf(&b, "[%s]", p.Text)
		case p.Worker != event.NoWorker:
			fmt.Fprintf(&b, "<%s>", p.Text)
		default:
			b.WriteString(p.Text)
		}
	}
	if strong {
		b.WriteString("*")
	}
	return b.String()
}

// The order in which a handler acks is the first thing that differs.
func TestFirstDifference(t *testing.T) {
	before, a := load(t, cases+"ack-before-work.yaml")
	after, b := load(t, cases+"ack-after-work.yaml")
	d := story.FirstDifference(story.New(before, a, story.Plain), story.New(after, b, story.Plain))
	require.False(t, d.Same)
	require.Equal(t, event.Acked, a.Event(d.A).Kind)
	require.Equal(t, event.CallStarted, b.Event(d.B).Kind)
	golden(t, "testdata/difference.txt", d.Text+"\n")
}

// A queue that nobody uses moves all references; the runs are the same by name.
func TestNoDifference(t *testing.T) {
	s, a := load(t, cases+"slow-worker.yaml")
	other := s.Clone()
	other.Queues = append([]scenario.Queue{scenario.DefaultQueue("spare")}, other.Queues...)
	b, err := sim.Run(other)
	require.NoError(t, err)
	require.NotEqual(t, a.Event(a.Len()-2).Queue, b.Event(b.Len()-2).Queue)
	d := story.FirstDifference(story.New(s, a, story.Plain), story.New(other, b, story.Plain))
	require.True(t, d.Same)
	require.Equal(t, []int{a.Len(), b.Len()}, []int{d.A, d.B})
}

// A story of a log that still grows tells what it has so far.
func TestGrowingLog(t *testing.T) {
	s, log := load(t, cases+"crash-halfway.yaml")
	run, err := sim.New(s)
	require.NoError(t, err)
	st := story.New(s, run.Log(), story.Plain)
	whole := story.New(s, log, story.Plain)
	for more := true; more; {
		more = run.Step(1)
		for i := range run.Log().Len() {
			require.NotEmpty(t, st.Sentence(i).String(), "event %d", i)
		}
	}
	for i := range log.Len() {
		require.Equal(t, whole.Sentence(i), st.Sentence(i))
	}
}

// odd is what no sentence may have in it.
var odd = regexp.MustCompile(`\{\}|\(nobody\)|\(nowhere\)|\.\.|  | \.| ,`)

// Every event of every case can be told, in a sentence that is whole.
func TestEveryEventHasASentence(t *testing.T) {
	for _, pattern := range []string{"*.yaml", "rules/*.yaml"} {
		files, err := filepath.Glob(cases + pattern)
		require.NoError(t, err)
		for _, file := range files {
			s, log := load(t, file)
			for _, words := range []story.Words{story.Plain, story.Kitchen} {
				st := story.New(s, log, words)
				for i := range min(log.Len(), 1000) {
					sentence := st.Sentence(i)
					text := sentence.String()
					if sentence.Shown != st.Told(i) || text == "" || odd.MatchString(text) {
						t.Errorf("%s, event %d, told %v: %q", file, i, st.Told(i), text)
					}
				}
			}
		}
	}
}
