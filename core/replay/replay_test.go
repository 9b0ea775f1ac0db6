package replay_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/sim"
)

// eachCase runs f for the log of every scenario among the cases.
func eachCase(t *testing.T, f func(t *testing.T, log *event.Log)) {
	for _, pattern := range []string{"../testdata/cases/*.yaml", "../testdata/cases/rules/*.yaml"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) { f(t, run(t, file)) })
		}
	}
}

// runs keeps the log of each file, which nothing changes.
var runs = map[string]*event.Log{}

func run(t *testing.T, file string) *event.Log {
	if log, ok := runs[file]; ok {
		return log
	}
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(source)
	require.Empty(t, problems)
	log, err := sim.Run(s)
	require.NoError(t, err)
	runs[file] = log
	return log
}

// describe writes everything that a reader can see of a state.
func describe(s *replay.State) string {
	var b strings.Builder
	fmt.Fprintln(&b, s.At, s.Events, s.Counts, s.Done)
	for i := range s.Queues {
		q := &s.Queues[i]
		fmt.Fprint(&b, q.Counts, q.Delayed, q.Hidden)
		for k := range q.Waiting.Len() {
			fmt.Fprint(&b, " ", q.Waiting.At(k))
		}
		fmt.Fprintln(&b)
	}
	for i := range s.Workers {
		fmt.Fprintf(&b, "%+v\n", s.Workers[i])
	}
	fmt.Fprintf(&b, "%+v\n%+v\n", s.Producers, s.Targets)
	return b.String()
}

func TestCountsAddUpAfterEveryEvent(t *testing.T) {
	eachCase(t, func(t *testing.T, log *event.Log) {
		cursor := replay.New(log).Cursor()
		for n := range log.Len() + 1 {
			s := cursor.SeekEvents(n)
			if !s.Counts.AddsUp() {
				t.Fatalf("after %d events: %+v", n, s.Counts)
			}
			if n < 1000 || n%41 == 0 {
				requireSane(t, log, s)
			}
		}
	})
}

// requireSane checks that counts agree with the places they count.
func requireSane(t *testing.T, log *event.Log, s *replay.State) {
	held := make([]int, len(s.Queues))
	for i := range s.Workers {
		w := &s.Workers[i]
		require.Less(t, w.Running, len(w.Held))
		if w.Running >= 0 {
			require.Equal(t, replay.Busy, w.Status)
		}
		if w.Status == replay.Absent || w.Status == replay.Down {
			require.Empty(t, w.Held)
		}
		for _, h := range w.Held {
			if !h.Settled && !h.Over {
				held[h.Queue]++
			}
		}
	}
	for i := range s.Queues {
		q := &s.Queues[i]
		require.Equal(t, q.Counts.Waiting, q.Waiting.Len())
		require.Equal(t, q.Counts.Delayed, len(q.Delayed))
		between := 0 // given back, and the event that says where to comes next
		if s.Events < log.Len() {
			switch log.Event(s.Events).Kind {
			case event.Returned, event.DeadLettered, event.Expired, event.Nacked:
				between = 1
			}
		}
		require.InDelta(t, q.Counts.InFlight, held[i]+len(q.Hidden), float64(between), "in flight after %d events", s.Events)
	}
}

// A cursor that goes anywhere shows what a fresh replay shows that goes
// straight there, by event and by time.
func TestSeekEqualsFreshReplay(t *testing.T) {
	eachCase(t, func(t *testing.T, log *event.Log) {
		const seed = 7
		random := rand.New(rand.NewPCG(seed, seed))
		index := replay.New(log)
		index.SetSpacing(random.IntN(2000))
		cursor := index.Cursor()
		whole := replay.New(log)
		whole.SetSpacing(math.MaxInt32) // no checkpoints
		fresh := func(n int) string { return describe(whole.Cursor().SeekEvents(n)) }
		for range 30 {
			n := random.IntN(log.Len() + 1)
			require.Equal(t, fresh(n), describe(cursor.SeekEvents(n)), "seed %d, after %d events", seed, n)
			at := event.Time(random.Int64N(int64(log.Last().At) + 2))
			s := cursor.Seek(at)
			require.Equal(t, at, s.At)
			s.At = 0
			if s.Events > 0 {
				s.At = log.Event(s.Events - 1).At
			}
			require.Equal(t, fresh(log.Find(at)), describe(s), "seed %d, at %d", seed, at)
		}
	})
}

// An index that is extended as the log grows answers like one made at the end.
func TestExtend(t *testing.T) {
	eachCase(t, func(t *testing.T, log *event.Log) {
		random := rand.New(rand.NewPCG(3, 3))
		growing := log.Blank()
		index := replay.New(growing)
		cursor := index.Cursor()
		for growing.Len() < log.Len() {
			for range min(1+random.IntN(40), log.Len()-growing.Len()) {
				growing.Append(*log.Event(growing.Len()))
			}
			index.Extend()
			cursor.SeekEvents(growing.Len())
			m := event.MessageRef(random.IntN(max(1, log.MessageCount())))
			requireThread(t, growing, index, m)
		}
		require.Equal(t, describe(replay.New(log).Cursor().SeekEvents(log.Len())), describe(cursor.SeekEvents(log.Len())))
	})
}

// While the simulator still runs, its log and tables grow between seeks.
func TestExtendDuringRun(t *testing.T) {
	const seed = 11
	random := rand.New(rand.NewPCG(seed, seed))
	for _, name := range []string{"rules/scale-down-busy", "rules/redrive-after-edit", "rules/what-is-lost", "rules/pipeline", "rules/retry-wave"} {
		source, err := os.ReadFile("../testdata/cases/" + name + ".yaml")
		require.NoError(t, err)
		s, problems := scenarioyaml.Decode(source)
		require.Empty(t, problems)
		r, err := sim.New(s)
		require.NoError(t, err)
		index := replay.New(r.Log())
		cursor := index.Cursor()
		for more := true; more; {
			more = r.Step(1 + random.IntN(20))
			index.Extend()
			require.Equal(t, r.Log().Len(), index.Len())
			s := cursor.SeekEvents(random.IntN(index.Len() + 1))
			require.True(t, s.Counts.AddsUp(), "%s, seed %d: %+v", name, seed, s.Counts)
		}
		log := run(t, "../testdata/cases/"+name+".yaml")
		require.Equal(t, describe(replay.New(log).Cursor().SeekEvents(log.Len())), describe(cursor.SeekEvents(log.Len())), name)
	}
}

func requireThread(t *testing.T, log *event.Log, index *replay.Index, m event.MessageRef) {
	var want []int32
	for i := range log.Len() {
		if log.Event(i).Message == m {
			want = append(want, int32(i))
		}
	}
	got := index.EventsOf(m)
	if len(want) == 0 {
		require.Empty(t, got)
		return
	}
	require.Equal(t, want, got)
}

// Where a message is, event by event, agrees with the state's places.
func TestWhereAgreesWithState(t *testing.T) {
	eachCase(t, func(t *testing.T, log *event.Log) {
		index := replay.New(log)
		cursor := index.Cursor()
		random := rand.New(rand.NewPCG(5, 5))
		for range min(40, log.Len()) {
			n := random.IntN(log.Len() + 1)
			s := cursor.SeekEvents(n)
			for i := range s.Queues {
				q := &s.Queues[i]
				for k := range min(q.Waiting.Len(), 50) {
					w := index.Where(q.Waiting.At(k).Message, n)
					require.Contains(t, []replay.Place{replay.Waiting, replay.Dead}, w.Place)
					require.Equal(t, event.QueueRef(i), w.Queue)
				}
				for _, m := range q.Delayed {
					require.Equal(t, replay.Delayed, index.Where(m, n).Place)
				}
				for _, m := range q.Hidden {
					require.Equal(t, replay.InFlight, index.Where(m, n).Place)
				}
			}
			for i := range s.Workers {
				for _, h := range s.Workers[i].Held {
					w := index.Where(h.Message, n)
					if !h.Settled && !h.Over {
						require.Equal(t, replay.MessageState{Place: replay.InFlight, Queue: h.Queue, Worker: event.WorkerRef(i),
							Receives: h.Receive, Receipt: h.Receipt, Since: h.At, Until: h.Until}, w)
					}
				}
			}
			for i := range s.Producers {
				for _, d := range s.Producers[i].Door {
					w := index.Where(d.Message, n)
					require.Equal(t, replay.Door, w.Place)
					require.Equal(t, d.RetryAt, w.Until)
				}
			}
		}
	})
}

func TestNextAndPrev(t *testing.T) {
	log := run(t, "../testdata/cases/slow-worker.yaml")
	index := replay.New(log)
	deliveries := replay.KindsOf(event.Delivered)
	first := index.NextOf(0, deliveries)
	second := index.NextOf(first+1, deliveries)
	require.Equal(t, -1, index.NextOf(second+1, deliveries))
	require.Equal(t, second, index.PrevOf(log.Len(), deliveries))
	require.Equal(t, first, index.PrevOf(second, deliveries))
	require.Equal(t, -1, index.PrevOf(first, deliveries))
	require.Equal(t, []event.Time{0, event.Second}, []event.Time{log.Event(first).At, log.Event(second).At})
}

func TestNextSend(t *testing.T) {
	log := run(t, "../testdata/cases/rules/producer-retries.yaml")
	index := replay.New(log)
	n, sends := 0, 0
	for {
		i := index.NextSend(0, n)
		if i < 0 {
			break
		}
		e := log.Event(i)
		require.Equal(t, index.EventsOf(e.Message)[0], int32(i), "a send is the first event of its message")
		n, sends = i+1, sends+1
	}
	require.Equal(t, log.MessageCount(), sends)
	require.Equal(t, -1, index.NextSend(event.NoProducer, 0))
}

func TestGoingForwardDoesNotAllocate(t *testing.T) {
	log := run(t, "../testdata/cases/drain-eight-workers.yaml")
	cursor := replay.New(log).Cursor()
	cursor.SeekEvents(log.Len())
	pass := func() {
		for n := range log.Len() {
			cursor.SeekEvents(n)
		}
	}
	require.Zero(t, testing.AllocsPerRun(3, pass))
}
