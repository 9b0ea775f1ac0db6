package run_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/naive"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

var update = flag.Bool("update", false, "write the hashes of the logs anew; in a commit of their own that says why they changed")

// hashes holds the hashes of logs against those of a file, or writes it. They
// are the same on every architecture, today and tomorrow: `make test` holds
// against them natively, for newer processors, in 32 bits and as WebAssembly.
type hashes struct {
	file, want string
	got        strings.Builder
}

func hashesOf(t *testing.T, file string) *hashes {
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	return &hashes{file: file, want: string(want)}
}

func (h *hashes) add(t *testing.T, s *scenario.Scenario, name string) *run.Run {
	r, err := run.Do(s)
	require.NoError(t, err)
	line := fmt.Sprintf("%s %s\n", r.Log.Hash(), name)
	h.got.WriteString(line)
	if !*update {
		assert.True(t, strings.Contains(h.want, line), "%s: another log than before, or a new scenario: see -update", name)
	}
	return r
}

// done checks that the file has the hashes of n scenarios, not more.
func (h *hashes) done(t *testing.T, n int) {
	if *update {
		require.NoError(t, os.WriteFile(h.file, []byte(h.got.String()), 0o644))
		return
	}
	assert.Equal(t, n, strings.Count(h.want, "\n"), "%s has a hash of what is not there any more: see -update", h.file)
}

func TestLogHashes(t *testing.T) {
	h := hashesOf(t, "testdata/hashes.txt")
	n := eachCase(t, func(t *testing.T, s *scenario.Scenario) {
		h.add(t, s, strings.TrimPrefix(t.Name(), "TestLogHashes/"))
	})
	h.done(t, n)
}

// TestRandomLogHashes runs scenarios drawn from seeds. Together they have every
// kind of event, so that a kind that goes another way somewhere is seen.
func TestRandomLogHashes(t *testing.T) {
	const seeds = 300
	h := hashesOf(t, "testdata/random.txt")
	kinds := map[event.Kind]int{}
	for seed := uint64(1); seed <= seeds; seed++ {
		s, problems := scenarioyaml.Decode([]byte(naive.Generate(naive.Seeded(seed))))
		require.Empty(t, problems, "seed %d", seed)
		r := h.add(t, s, fmt.Sprintf("seed %d", seed))
		for i := range r.Log.Len() {
			kinds[r.Log.Event(i).Kind]++
		}
	}
	for kind := event.Accepted; kind <= event.Ended; kind++ {
		assert.Positive(t, kinds[kind], "no run of the %d has an event %s", seeds, kind)
	}
	h.done(t, seeds)
}
