package chart

import (
	"flag"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

var update = flag.Bool("update", false, "write the goldens anew")

const caseFolder = "../../core/testdata/cases/"

func do(t testing.TB, source string) *run.Run {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(source))
	require.Empty(t, problems)
	r, err := run.Do(s)
	require.NoError(t, err)
	return r
}

func file(t testing.TB, path string) *run.Run {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return do(t, string(text))
}

// everyCase runs a test for each case that is not too long for it.
func everyCase(t *testing.T, check func(t *testing.T, r *run.Run)) {
	t.Helper()
	files, err := filepath.Glob(caseFolder + "*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob(caseFolder + "rules/*.yaml")
	require.NoError(t, err)
	files = append(files, rules...)
	require.Greater(t, len(files), 50)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			if r := file(t, name); r.Log.Len() < 20_000 {
				check(t, r)
			}
		})
	}
}

// instants are those of a run at which a test looks: every event's, thinned,
// and the middle between two of them.
func instants(log *event.Log) []event.Time {
	var all []event.Time
	step := log.Len()/150 + 1
	for i := 0; i < log.Len(); i += step {
		at := log.Event(i).At
		all = append(all, at, at+(log.Event(min(i+step, log.Len()-1)).At-at)/2)
	}
	return all
}

func TestSeriesAreTheCountsOfTheReplay(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		c, cursor := Of(r.Index), r.Index.Cursor()
		assert.Equal(t, r.Outcome.EndedAt, c.End)
		for _, at := range instants(r.Log) {
			n := cursor.Seek(at).Counts
			got := [...]int64{c.Waiting.After(at), c.InFlight.After(at), c.Delayed.After(at), c.Dead.After(at)}
			assert.Equal(t, [...]int64{int64(n.Waiting), int64(n.InFlight), int64(n.Delayed), int64(n.Dead)}, got, "at %d", at)
		}
	})
}

// area is the sum of a series over time.
func area(s *Series, end event.Time) *big.Int {
	sum := new(big.Int)
	for k, v := range s.Value {
		to := end
		if k+1 < len(s.At) {
			to = s.At[k+1]
		}
		sum.Add(sum, new(big.Int).Mul(big.NewInt(v), big.NewInt(int64(to-s.At[k]))))
	}
	return sum
}

// TestAreasAreTheTimesOfTheMessages is Little's law: what a line holds over
// time is the sum of the times that messages were in it.
func TestAreasAreTheTimesOfTheMessages(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		c := Of(r.Index)
		waited := new(big.Int)
		for _, q := range r.Outcome.Queues {
			if !q.DeadLetter {
				waited.Add(waited, big.NewInt(int64(q.WaitingTime)))
			}
		}
		assert.Equal(t, waited.String(), area(&c.Waiting, c.End).String())

		lanes := new(big.Int)
		for m := range r.Log.MessageCount() {
			for _, s := range LaneOf(r.Index, event.MessageRef(m)).Stretches {
				if s.Is == Waiting {
					lanes.Add(lanes, big.NewInt(int64(s.To-s.From)))
				}
			}
		}
		assert.Equal(t, waited.String(), lanes.String(), "the lanes show the same waiting")
	})
}

func TestTheWaitIsThatOfTheOutcome(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		assert.LessOrEqual(t, Of(r.Index).Wait.Max(), int64(r.Outcome.Wait.Max))
	})
	r := file(t, caseFolder+"drain-eight-workers.yaml")
	assert.Equal(t, int64(r.Outcome.Wait.Max), Of(r.Index).Wait.Max())
}

var placeOf = map[Being]replay.Place{
	Waiting: replay.Waiting, Delayed: replay.Delayed, Held: replay.InFlight,
	Hidden: replay.InFlight, Dead: replay.Dead, AtDoor: replay.Door,
}

// TestLanesCoverEveryMessage: at any instant a lane says of its message what
// the replay says.
func TestLanesCoverEveryMessage(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		step := r.Log.MessageCount()/20 + 1
		for m := 0; m < r.Log.MessageCount(); m += step {
			lane := LaneOf(r.Index, event.MessageRef(m))
			for _, at := range instants(r.Log) {
				if at == r.Outcome.EndedAt {
					continue
				}
				want := r.Index.Where(event.MessageRef(m), r.Log.Find(at))
				place, worker := replay.Nowhere, event.NoWorker
				for _, s := range lane.Stretches {
					if s.Is != Worked && s.From <= at && at < s.To {
						assert.Equal(t, replay.Nowhere, place, "two places at %d", at)
						place = placeOf[s.Is]
						if s.Is == Held {
							worker = s.Worker
						}
					}
				}
				switch want.Place {
				case replay.Acked, replay.Expired, replay.Dropped, replay.Refused:
					want.Place = replay.Nowhere
				}
				assert.Equal(t, want.Place, place, "message %d at %d", m, at)
				if worker != event.NoWorker {
					assert.Equal(t, want.Worker, worker, "message %d at %d", m, at)
				}
			}
		}
	})
}

func TestALateWorkerIsDrawnBesideItsMessage(t *testing.T) {
	r := file(t, caseFolder+"slow-worker.yaml")
	found := 0
	for m := range r.Log.MessageCount() {
		for _, s := range LaneOf(r.Index, event.MessageRef(m)).Stretches {
			if s.Is == Worked {
				found++
			}
		}
	}
	assert.Positive(t, found, "the timeout ends while the worker is still at work")
}

func TestEveryNotableEventHasOneMark(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		for _, width := range []int{280, 752} {
			marks := MarksOf(r.Index, Axis{r.Outcome.EndedAt, width})
			var got []int32
			for _, m := range marks.List {
				got = append(got, m.Events...)
			}
			slices.Sort(got)
			stops := StopsOf(r.Log)
			assert.Equal(t, stops.marked, got)
			assert.Equal(t, len(marks.List), strings.Count(marks.Markup, "data-mark="))
		}
	})
}

func TestMarksCanBePressedOneByOne(t *testing.T) {
	everyCase(t, func(t *testing.T, r *run.Run) {
		axis := Axis{r.Outcome.EndedAt, 752}
		m := marker{log: r.Log, axis: axis, twins: twins(r.Log)}
		for i := range r.Log.Len() {
			m.event(i)
		}
		for _, row := range [][]heap{spread(m.above, axis), spread(m.below, axis)} {
			for k := 1; k < len(row); k++ {
				a, b := &row[k-1], &row[k]
				left := axis.px(a.At) + a.shift + a.width()/2
				right := axis.px(b.At) + b.shift - b.width()/2
				assert.GreaterOrEqual(t, right-left, -1e-6)
			}
		}
	})
}

func TestSteppingByKind(t *testing.T) {
	r := file(t, caseFolder+"slow-worker.yaml")
	s := StopsOf(r.Log)
	for k := Delivery; k <= Kinds; k++ {
		var forth, back []int
		for i := s.Next(k, 0); i >= 0; i = s.Next(k, i+1) {
			forth = append(forth, i)
		}
		for i := s.Prev(k, r.Log.Len()+1); i >= 0; i = s.Prev(k, i+1) {
			back = append(back, i)
		}
		slices.Reverse(back)
		assert.Equal(t, forth, back)
		assert.Len(t, forth, s.Count(k))
	}
	assert.Positive(t, s.Count(Timeout))
}

func TestTicks(t *testing.T) {
	for top, want := range map[int64]string{1: "0 1", 6: "0 2 4 6", 7: "0 2 4 6 8", 400: "0 100 200 300 400", 381: "0 100 200 300 400", 23: "0 10 20 30"} {
		var labels []string
		for _, tick := range counts(top, 4) {
			labels = append(labels, tick.label)
		}
		assert.Equal(t, want, strings.Join(labels, " "))
	}
	for _, c := range []struct {
		end  event.Time
		most int
		want string
		unit string
	}{
		{1200 * event.Millisecond, 10, "0.0 0.2 0.4 0.6 0.8 1.0 1.2", "s"},
		{2400 * event.Millisecond, 6, "0.0 0.5 1.0 1.5 2.0", "s"},
		{80 * event.Millisecond, 8, "0 10 20 30 40 50 60 70 80", "ms"},
		{36 * event.Second, 10, "0 5 10 15 20 25 30 35", "s"},
		{10 * event.Minute, 6, "0 2 4 6 8 10", "min"},
	} {
		ticks, u := times(c.end, c.most)
		var labels []string
		for _, tick := range ticks {
			labels = append(labels, tick.label)
		}
		assert.Equal(t, c.want, strings.Join(labels, " "))
		assert.Equal(t, c.unit, u.name)
	}
	for top := event.Time(1); top < 100*event.Hour; top += top/7 + 1 {
		for _, most := range []int{1, 2, 4, 10} {
			over, _ := timesOver(top, most)
			under, _ := times(top, most)
			require.GreaterOrEqual(t, over[len(over)-1].at, top)
			require.LessOrEqual(t, under[len(under)-1].at, top)
			require.LessOrEqual(t, len(over), most+1, "%d in %d", top, most)
			levels := counts(int64(top), most)
			require.GreaterOrEqual(t, levels[len(levels)-1].at, int64(top))
			require.LessOrEqual(t, len(levels), most+1)
		}
	}
	assert.Equal(t, "1.24\u00a0s", Length(1240*event.Millisecond))
	assert.Equal(t, "83\u00a0ms", Length(83*event.Millisecond))
}

// TestGoldens holds the drawings of two runs; look at them when they change.
func TestGoldens(t *testing.T) {
	for _, name := range []string{"slow-worker", "drain-eight-workers"} {
		r := file(t, caseFolder+name+".yaml")
		axis := Axis{r.Outcome.EndedAt, 752}
		c := Of(r.Index)
		expected := Expect(r.Scenario, r.Log, r.Outcome)
		messages := make([]event.MessageRef, min(r.Log.MessageCount(), 12))
		for m := range messages {
			messages[m] = event.MessageRef(m)
		}
		target := event.Target{}
		if len(r.Log.Targets) > 0 {
			target = r.Log.Targets[0]
		}
		got := strings.Join([]string{
			MarksOf(r.Index, axis).Markup,
			Counts{Axis: axis, Now: c, Before: c, Expected: expected, Capacity: r.Scenario.Queues[0].MaxSize}.Draw().Markup,
			Waits{Axis: axis, Now: c, Expected: expected}.Draw().Markup,
			Labels(axis),
			Lanes{Axis: axis, Index: r.Index, Following: 0, Target: target}.Draw(messages),
			expected.Model + ": " + expected.Says,
		}, "\n") + "\n"
		got = strings.ReplaceAll(got, "><", ">\n<")
		golden := "testdata/" + name + ".html"
		if *update {
			require.NoError(t, os.MkdirAll("testdata", 0o755))
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		assert.Equal(t, string(want), got)
	}
}
