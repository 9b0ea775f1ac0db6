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

// Places are fixed, and none covers another: random scenarios and large ones.
func TestPlacesDoNotOverlap(t *testing.T) {
	var sources []string
	for seed := range uint64(120) {
		sources = append(sources, naive.Generate(naive.Seeded(seed)))
	}
	for _, n := range []int{2, 5, 9, 20, 32} {
		sources = append(sources, wideScenario(n, 1), wideScenario(n, 5), wideScenario(n, 12))
	}
	for _, source := range sources {
		sc, problems := scenarioyaml.Decode([]byte(source))
		require.Empty(t, problems, source)
		r, err := run.Do(sc)
		require.NoError(t, err)
		for _, size := range []Size{Wide, Compact, Tall, Narrow} {
			s := New(Run{Scenario: sc, Log: r.Log, Index: r.Index}, size, KitchenWords)
			boxes := s.lay.places()
			for i, a := range boxes {
				require.True(t, a.x >= -.01 && a.y >= 0 && a.right() <= s.lay.w+.01 && a.bottom() <= s.lay.h+.01, "%v of %v by %v, size %d\n%s", a, s.lay.w, s.lay.h, size, source)
				for _, b := range boxes[i+1:] {
					require.False(t, a.meets(b), "%v and %v, size %d\n%s", a, b, size, source)
				}
			}
		}
	}
}

// wideScenario has n queues with a producer and a pool each.
func wideScenario(n, workers int) string {
	var q, p, w strings.Builder
	for i := range n {
		id := strconv.Itoa(i)
		q.WriteString("  q" + id + ": {max_receives: 2}\n")
		p.WriteString("  p" + id + ": {to: q" + id + ", send: [{id: 1}]}\n")
		w.WriteString("  w" + id + ":\n    from: q" + id + "\n    count: " + strconv.Itoa(workers) + "\n    handler: |\n      def on_message(msg):\n          ack(msg)\n")
	}
	return "queues:\n" + q.String() + "producers:\n" + p.String() + "workers:\n" + w.String()
}

// places are the areas of a layout that nothing else may cover.
func (l *layout) places() []rect {
	var out []rect
	add := func(r rect) {
		if r.w > 0 && r.h > 0 {
			out = append(out, r)
		}
	}
	for i := range l.pads {
		add(l.pads[i].box)
	}
	for i := range l.rails {
		add(l.rails[i].box)
	}
	for i := range l.pools {
		add(l.pools[i].box)
	}
	for i := range l.groups {
		add(l.groups[i].box)
	}
	add(l.panel)
	if !l.board {
		for i := range l.stations {
			add(l.stations[i].rect)
		}
	}
	return out
}
