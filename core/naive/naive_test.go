package naive

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
)

// difference runs s by both simulators and says where they part, or "". It
// also returns how many events were compared.
func difference(s *scenario.Scenario) (string, int) {
	log, err := sim.Run(s)
	if err != nil {
		return err.Error(), 0
	}
	theirs := Project(log)
	result := Run(s)
	ours := slices.DeleteFunc(result.Events, func(e Event) bool { return !Compared(e.Name) })
	for i := range max(len(ours), len(theirs)) {
		if i >= len(ours) || i >= len(theirs) || ours[i] != theirs[i] {
			return part(ours, theirs, i), i
		}
	}
	if d := atTheEnd(result, log); d != "" {
		return d, len(theirs)
	}
	return measures(result, ours, outcome.Of(s, log)), len(theirs)
}

// atTheEnd compares where the messages are at the end with what the replay of
// the log makes of it, in which every message is in one place at every event.
func atTheEnd(result *Result, log *event.Log) string {
	index, names := replay.New(log), Names(log)
	cursor := index.Cursor()
	var state *replay.State
	for n := range log.Len() + 1 {
		if state = cursor.SeekEvents(n); !state.Counts.AddsUp() {
			return fmt.Sprintf("after event %d messages are missing or double: %+v", n-1, state.Counts)
		}
	}
	for q := range state.Queues {
		var line []string
		for i := range state.Queues[q].Waiting.Len() {
			line = append(line, names[state.Queues[q].Waiting.At(i).Message])
		}
		name := log.Queues[q].Name
		if !slices.Equal(line, result.Lines[name]) {
			return fmt.Sprintf("the line of %s at the end: naive %v, replay %v", name, result.Lines[name], line)
		}
	}
	for m := range log.MessageCount() {
		place := index.Where(event.MessageRef(m), log.Len()).Place
		theirs, ours := place.String(), result.Places[names[m]]
		switch place {
		case replay.Nowhere, replay.Door, replay.Refused:
			theirs = ""
		case replay.Dead: // waiting or delayed there
			if ours == "waiting" || ours == "delayed" {
				continue
			}
		}
		if theirs != ours {
			return fmt.Sprintf("%s at the end: naive %q, replay %q", names[m], ours, theirs)
		}
	}
	return ""
}

// part shows the first event at which two traces part, with those before it.
func part(ours, theirs []Event, i int) string {
	var b strings.Builder
	for j := max(0, i-12); j < i; j++ {
		fmt.Fprintf(&b, "    both: %v\n", ours[j])
	}
	show := func(who string, trace []Event) {
		for j := i; j < min(len(trace), i+4); j++ {
			fmt.Fprintf(&b, "%8s: %v\n", who, trace[j])
		}
		if i >= len(trace) {
			fmt.Fprintf(&b, "%8s: nothing more\n", who)
		}
	}
	show("naive", ours)
	show("sim", theirs)
	return b.String()
}

func TestCases(t *testing.T) {
	for _, pattern := range []string{"../testdata/cases/*.yaml", "../testdata/cases/*/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				source, err := os.ReadFile(file)
				require.NoError(t, err)
				s, problems := scenarioyaml.Decode(source)
				require.Empty(t, problems)
				if d, _ := difference(s); d != "" {
					t.Error("\n" + d)
				}
			})
		}
	}
}

// setDefault sets a flag that was not given.
func setDefault(name, value string) {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	if !given {
		_ = flag.Set(name, value)
	}
}

// TestMain makes a plain `go test` compare a good number of scenarios; more
// with -rapid.checks. What rapid finds it prints; it leaves no files.
func TestMain(m *testing.M) {
	flag.Parse()
	setDefault("rapid.checks", "1500")
	setDefault("rapid.nofailfile", "true")
	os.Exit(m.Run())
}

func TestRandomScenarios(t *testing.T) {
	runs, events := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		source := Generate(func(what string, n int) int { return rapid.IntRange(0, n-1).Draw(rt, what) })
		s, problems := scenarioyaml.Decode([]byte(source))
		if len(problems) > 0 {
			rt.Fatalf("the generator wrote a scenario that is wrong:\n%s\n%v", source, problems)
		}
		d, n := difference(s)
		runs++
		events += n
		if d != "" {
			rt.Fatalf("they part:\n%s\n%s", source, d)
		}
	})
	t.Logf("%d scenarios, %d events compared", runs, events)
}
