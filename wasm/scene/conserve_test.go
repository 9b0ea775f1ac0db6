package scene

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/naive"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// seen adds up what a still frame shows, by what is written and by what is
// drawn one by one.
type seen struct{ waiting, later, held, dead, done int }

var tags, numerals = regexp.MustCompile(`<[^>]*>`), regexp.MustCompile(`[0-9][0-9,]*`)

// firstNumber reads the first number of a node's text.
func firstNumber(n *Node) int {
	text := tags.ReplaceAllString(n.Markup, " ")
	v, _ := strconv.Atoi(strings.ReplaceAll(numerals.FindString(text), ",", ""))
	return v
}

func (s *Stage) count(f *Frame) seen {
	var sum seen
	shown := map[event.MessageRef]bool{}
	for i := range f.Nodes {
		n := &f.Nodes[i]
		ref := int(n.Key) & (1<<refBits - 1)
		switch kind(n.Key >> refBits) {
		case kFull:
			text := strings.TrimPrefix(tags.ReplaceAllString(n.Markup, ""), "full: ")
			v, _ := strconv.Atoi(strings.ReplaceAll(numerals.FindString(text), ",", ""))
			sum.waiting += v
		case kRail:
			if r := &s.lay.rails[ref]; r.summary {
				s.countSummary(&sum, n)
			}
		case kDelayed:
			sum.later++
			shown[event.MessageRef(ref)] = true
		case kDelayedCount:
			sum.later += firstNumber(n)
		case kTrayText:
			sum.dead += firstNumber(n)
		case kSpikeText:
			sum.done += firstNumber(n)
		case kTicket:
			shown[event.MessageRef(ref)] = true
		case kPoolNote:
			text := tags.ReplaceAllString(n.Markup, "")
			v := numerals.FindAllString(text, -1)
			held, _ := strconv.Atoi(strings.ReplaceAll(v[len(v)-1], ",", ""))
			sum.held += held
		case kHeldMore:
			sum.held += firstNumber(n)
		}
	}
	s.countHeld(&sum, f, shown)
	return sum
}

// countSummary reads "12 waiting, 3 later, 2 dead" after the name.
func (s *Stage) countSummary(sum *seen, n *Node) {
	_, text, _ := strings.Cut(n.Markup, `class="cap"`)
	text = tags.ReplaceAllString("<"+text, "")
	for _, part := range strings.Split(text, ", ") {
		v, _ := strconv.Atoi(strings.ReplaceAll(numerals.FindString(part), ",", ""))
		switch {
		case strings.HasSuffix(part, "later"):
			sum.later += v
		case strings.HasSuffix(part, s.words.DeadWord):
			sum.dead += v
		default:
			sum.waiting += v
		}
	}
}

// countHeld counts what stands in the stations, and the ghosts of what a
// crashed worker held.
func (s *Stage) countHeld(sum *seen, f *Frame, shown map[event.MessageRef]bool) {
	chips := map[int]bool{}
	for i := range f.Nodes {
		if n := &f.Nodes[i]; kind(n.Key>>refBits) == kGhost {
			chips[int(n.Key)&(1<<refBits-1)] = true
		}
	}
	for w := range s.st.Workers {
		t, k := s.station(event.WorkerRef(w)), &s.st.Workers[w]
		if t == nil || t.bare {
			continue
		}
		for i := range k.Held {
			if h := &k.Held[i]; !h.Over && !h.Settled && shown[h.Message] {
				sum.held++
			}
		}
		if t.chip.w > 0 && chips[w] && len(k.Held) > 0 {
			if h := &k.Held[max(k.Running, 0)]; !h.Over && !h.Settled {
				sum.held++
			}
		}
	}
	for q := range s.st.Queues {
		for _, m := range s.st.Queues[q].Hidden {
			if s.isLost(m) {
				sum.later++
			}
		}
	}
}

// Every message that a queue has accepted is on the stage, drawn or counted.
func TestEveryMessageIsSeen(t *testing.T) {
	files, err := filepath.Glob("testdata/boards/*.yaml")
	require.NoError(t, err)
	more, err := filepath.Glob("../../core/testdata/cases/rules/*.yaml")
	require.NoError(t, err)
	for _, file := range append(files, more...) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		conserves(t, string(source), file)
	}
	for seed := range uint64(60) {
		conserves(t, naive.Generate(naive.Seeded(seed)), "seed "+strconv.FormatUint(seed, 10))
	}
}

func conserves(t *testing.T, source, name string) {
	t.Helper()
	sc, problems := scenarioyaml.Decode([]byte(source))
	require.Empty(t, problems, name)
	r, err := run.Do(sc)
	require.NoError(t, err, name)
	for _, size := range []Size{Wide, Compact, Tall, Narrow} {
		s := New(Run{Scenario: sc, Log: r.Log, Index: r.Index}, size, KitchenWords)
		for k := range event.Time(9) {
			now := r.Log.Last().At / 8 * k
			state := r.Index.Cursor().Seek(now)
			got := s.count(s.Frame(Input{State: state, Now: now, Follow: event.NoMessage}))
			want := s.want()
			require.Equal(t, want, got, "%s, size %d, at %v s", name, size, now.Seconds())
			c := state.Counts
			require.Equal(t, c.Accepted-c.Expired-c.Dropped, got.waiting+got.later+got.held+got.dead+got.done, "%s: it adds up", name)
		}
	}
}

// want is what the state says is there.
func (s *Stage) want() seen {
	var sum seen
	for q := range s.st.Queues {
		k := &s.st.Queues[q]
		if s.lay.railOf[q] >= 0 {
			sum.waiting += k.Waiting.Len()
		} else {
			sum.dead += k.Waiting.Len()
		}
		sum.later += len(k.Delayed) + len(k.Hidden)
	}
	for w := range s.st.Workers {
		sum.held += inHand(&s.st.Workers[w])
	}
	sum.done = s.st.Counts.Acked
	return sum
}
