package player

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/lessons"
)

func never() bool { return false }

func open(t *testing.T, path string) *Player {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(text)
	require.Empty(t, problems)
	p := New(s)
	require.True(t, p.Work(never))
	require.Empty(t, p.Problems())
	return p
}

func sixOrders(t *testing.T) *Player {
	t.Helper()
	p := New(lessonOf(t, "ticket-rail").ScenarioOf("six"))
	require.True(t, p.Work(never))
	return p
}

// lessonOf reads a lesson of the tree.
func lessonOf(t *testing.T, slug string) *lesson.Lesson {
	t.Helper()
	l, err := lessons.Open("../../lessons/" + slug)
	require.NoError(t, err)
	return l
}

// set edits a setting and computes the run.
func set(t *testing.T, p *Player, id string, position int) {
	t.Helper()
	p.SetPosition(id, position)
	require.True(t, p.Work(never))
}

func hash(p *Player) string { return p.Run().Log.Hash() }

func TestAnEditIsANewRunAndThePlayheadStays(t *testing.T) {
	p := sixOrders(t)
	first := hash(p)
	p.Seek(300 * event.Millisecond)
	set(t, p, "workers", 2)
	assert.Equal(t, 300*event.Millisecond, p.Time())
	assert.NotEqual(t, first, hash(p))
	assert.Equal(t, 400*event.Millisecond, p.End())
	before, label := p.Before()
	require.NotNil(t, before)
	assert.Equal(t, first, before.Log.Hash())
	assert.Equal(t, "workers 3", label)

	set(t, p, "workers", 7)
	assert.Equal(t, p.End(), p.Time(), "a run that ends earlier holds the playhead at its end")
}

func TestUndoAndRedo(t *testing.T) {
	p := sixOrders(t)
	first := hash(p)
	assert.False(t, p.CanUndo())
	for position := 2; position <= 6; position++ {
		set(t, p, "latency", position) // one drag
	}
	p.Seal()
	dragged := hash(p)
	set(t, p, "workers", 1)

	p.Undo()
	require.True(t, p.Work(never))
	assert.Equal(t, dragged, hash(p))
	p.Undo()
	require.True(t, p.Work(never))
	assert.Equal(t, first, hash(p), "a drag is undone at once")
	assert.False(t, p.CanUndo())
	p.Redo()
	p.Redo()
	require.True(t, p.Work(never))
	assert.Equal(t, 2, len(p.Run().Log.Workers))
	assert.False(t, p.CanRedo())

	p.Reset()
	require.True(t, p.Work(never))
	assert.Equal(t, first, hash(p))
	p.Undo()
	assert.EqualValues(t, 2, p.Scenario().Workers[0].Count)
}

func TestTheUndoStackIsBounded(t *testing.T) {
	p := sixOrders(t)
	for n := range 3 * maxEdits {
		set(t, p, "workers", n%2+1)
		p.Seal()
	}
	assert.LessOrEqual(t, len(p.edits), maxEdits)
	for p.CanUndo() {
		p.Undo()
	}
	assert.Equal(t, p.Original(), p.Scenario())
	require.True(t, p.Work(never))
}

func TestAMistakeKeepsTheLastGoodRun(t *testing.T) {
	p := sixOrders(t)
	good := hash(p)
	p.Seek(500 * event.Millisecond)
	p.SetHandler("typed", "def on_message(msg):\n    send_email(msg.id\n")
	require.True(t, p.Work(never))
	require.NotEmpty(t, p.Problems())
	assert.Positive(t, p.Problems()[0].HandlerLine)
	assert.Equal(t, good, hash(p))
	assert.Equal(t, 500*event.Millisecond, p.Time())
	assert.Contains(t, p.Handler(), "send_email(msg.id\n", "what was typed is kept")
	assert.Empty(t, p.AtLines(), "the run's lines are not those of the card")

	p.SetHandler("typed", "def on_message(msg):\n    send_email(msg.id)\n")
	require.True(t, p.Work(never))
	assert.Empty(t, p.Problems())
	assert.NotEqual(t, good, hash(p))
}

func TestALongRunIsComputedInSlices(t *testing.T) {
	p := open(t, "../../core/testdata/cases/lunch-rush.yaml")
	whole := hash(p)
	again := New(p.Original())
	slices := 0
	for !again.Work(func() bool { return true }) {
		slices++
		working, done := again.Working()
		assert.True(t, working)
		assert.GreaterOrEqual(t, done, 0.0)
		assert.LessOrEqual(t, done, 1.0)
	}
	assert.Greater(t, slices, 10)
	assert.Equal(t, whole, hash(again))
}

func TestPlayingGoesToTheEndAndBeginsAgain(t *testing.T) {
	p := sixOrders(t)
	assert.InDelta(t, 0.1, p.Speed(), 1e-9, "six orders take about twelve seconds to watch")
	p.Play()
	for range 10_000 {
		if !p.Playing() {
			break
		}
		p.Advance(1.0 / 60)
		require.Equal(t, p.Run().Log.Find(p.Moment()), p.Events())
	}
	assert.False(t, p.Playing())
	assert.Equal(t, p.End(), p.Time())
	assert.Equal(t, p.Run().Log.Len(), p.Events())
	p.Play()
	assert.Zero(t, p.Time())
}

func TestStepsVisitEverySentence(t *testing.T) {
	p := sixOrders(t)
	p.Restart()
	for p.Events() > 0 {
		p.StepBack()
	}
	var forth []int
	for p.Events() < p.Run().Log.Len() {
		p.StepForward()
		forth = append(forth, p.Events())
	}
	assert.GreaterOrEqual(t, len(forth), len(p.told))
	p.GoTo(int(p.told[len(p.told)-1]))
	for n := len(p.told) - 2; n >= 0; n-- {
		p.StepBack()
		require.Equal(t, int(p.told[n])+1, p.Events())
	}
	p.StepBack()
	assert.Zero(t, p.Events())
	p.StepBack()
	assert.Zero(t, p.Events())
}

func TestAddsUpAtEveryEvent(t *testing.T) {
	for _, path := range []string{
		"../../core/testdata/cases/six-orders-one-worker.yaml",
		"../../core/testdata/cases/queue-full.yaml",
		"../../core/testdata/cases/poison-to-dead-letters.yaml",
		"../../core/testdata/cases/ack-before-work.yaml",
		"../../core/testdata/cases/naive-payments.yaml",
	} {
		p := open(t, path)
		for i := range p.Run().Log.Len() {
			p.GoTo(i)
			a := p.AddsUp()
			sum := 0
			for _, s := range a.Shares {
				sum += s.Count
			}
			require.Equal(t, a.Accepted, sum, "%s after event %d", path, i)
		}
		assert.Equal(t, p.Run().Outcome.Lost, p.AddsUp().Lost, path)
		assert.Equal(t, p.Run().Outcome.Duplicates, p.AddsUp().Twice, path)
	}
}

// TestALinkOpensOnASlowMachine: the run is not there when the link is read.
func TestALinkOpensOnASlowMachine(t *testing.T) {
	from := sixOrders(t)
	set(t, from, "workers", 1)
	from.Seek(300 * event.Millisecond)
	link := from.Address()

	p := New(from.Original())
	require.True(t, p.Open(link))
	p.OpenMoment(link)
	for !p.Work(func() bool { return true }) { // a little at a time
	}
	assert.Equal(t, 300*event.Millisecond, p.Time())
	assert.False(t, p.Opening())
	assert.Equal(t, from.Run().Log.Hash(), p.Run().Log.Hash())
	before, _ := p.Before()
	require.NotNil(t, before, "what the edit is compared with")
	assert.NotEqual(t, before.Log.Hash(), p.Run().Log.Hash())
}

// TestTheOpening: before anything is touched, the six orders hang on the rail
// and hands are free; playing tells it from there, and stepping goes to after
// all that happens at 0.
func TestTheOpening(t *testing.T) {
	p := sixOrders(t)
	require.True(t, p.Opening())
	a := p.AddsUp()
	assert.Equal(t, 6, a.Accepted)
	assert.Equal(t, 6, a.Shares[0].Count, "all wait")
	assert.Empty(t, p.AtLines())
	assert.Equal(t, -1, p.Transcript().Current)
	_, next := p.Sentence()
	assert.Contains(t, next.Text, "takes 101")

	p.Play()
	assert.False(t, p.Opening())
	assert.Zero(t, p.Told(), "what happens at 0 is still to be told")

	p.Restart()
	assert.True(t, p.Opening())
	p.StepForward()
	assert.False(t, p.Opening())
	assert.Equal(t, 5, p.AddsUp().Shares[0].Count, "one is in the cook's hands")
	assert.NotEmpty(t, p.AtLines())

	p.StepForward()
	assert.True(t, p.Stepped())
	p.Play()
	assert.Equal(t, p.Events(), p.Told(), "what stood on the stage does not happen again")
	p.Advance(1000)
	assert.False(t, p.Playing())
	assert.True(t, p.Settled(), "at its end a run has come to rest")
}

// TestAFullRailDoesNotOpen: with room for one, a rail cannot show six orders.
func TestAFullRailDoesNotOpen(t *testing.T) {
	p := open(t, "../../core/testdata/cases/queue-full.yaml")
	assert.False(t, p.Opening())
	a := p.AddsUp()
	assert.Equal(t, 3, a.Accepted)
	assert.Equal(t, 3, a.Shares[0].Count)
	p.Restart()
	assert.False(t, p.Opening())
}

func TestTheWindowOfALongTranscript(t *testing.T) {
	p := open(t, "../../core/testdata/cases/lunch-rush.yaml")
	for _, at := range []event.Time{1, p.End() / 3, p.End() / 2, p.End()} {
		p.Seek(at)
		w := p.Transcript()
		assert.LessOrEqual(t, len(w.Rows), windowSize)
		require.GreaterOrEqual(t, w.Current, 0)
		require.Less(t, w.Current, len(w.Rows))
		assert.Less(t, w.Rows[w.Current].Event, p.Events())
		if w.Current+1 < len(w.Rows) {
			assert.GreaterOrEqual(t, w.Rows[w.Current+1].Event, p.Events())
		}
	}
}

func TestTheAddressOpensTheSameRunAtTheSameMoment(t *testing.T) {
	p := sixOrders(t)
	assert.Empty(t, p.Address())
	set(t, p, "workers", 1)
	set(t, p, "fails", 2)
	set(t, p, "visibility-timeout", 3)
	_, ok := p.NudgeLine(3, -1)
	require.True(t, ok)
	require.True(t, p.Work(never))
	p.Seek(250 * event.Millisecond)
	p.CrashNow("cook/2")
	require.True(t, p.Work(never))

	other := New(p.Original())
	other.Work(never)
	require.True(t, other.Open("#"+p.Address()))
	require.True(t, other.Work(never))
	other.OpenMoment("#" + p.Address())
	assert.Equal(t, hash(p), hash(other))
	assert.Equal(t, p.Time(), other.Time())
	assert.Equal(t, p.Address(), other.Address())
}

func TestADamagedLinkOpensTheOriginal(t *testing.T) {
	for _, fragment := range []string{"", "#", "#v=2&workers.cook.count=3", "#v=1&workers.cook.count=many", "#v=1&handler=%%%", "#v=1&handler=!!", "#%zz", "#v=1&at=yesterday", "#v=1&crash=cook", "#v=1&crash=1s+nobody/7", "#" + strings.Repeat("v=1&", 1<<16)} {
		p := sixOrders(t)
		p.Open(fragment)
		p.OpenMoment(fragment)
		assert.Equal(t, p.Original(), p.Scenario(), "%.40s", fragment)
		assert.Zero(t, p.Time(), "%.40s", fragment)
	}
}

func TestWhatAReaderDoesIsAnEntryOfTheTimeline(t *testing.T) {
	p := sixOrders(t)
	p.Seek(100 * event.Millisecond)
	seen := p.Events()
	p.CrashNow("cook/1")
	require.True(t, p.Work(never))
	assert.Equal(t, 101*event.Millisecond, p.Time(), "a playhead at rest goes along")
	require.Greater(t, p.Events(), seen)
	assert.Equal(t, event.Command, p.Run().Log.Event(seen).Kind, "what has been seen stays as it was")
	assert.Equal(t, 1, p.Run().Outcome.Crashes)
	p.Undo()
	p.Work(never)
	assert.Zero(t, p.Run().Outcome.Crashes)
}

func TestComparison(t *testing.T) {
	p := sixOrders(t)
	set(t, p, "fails", 1)
	_, ok := p.NudgeLine(3, -1)
	require.True(t, ok)
	require.True(t, p.Work(never))
	found := false
	for _, f := range p.Comparison(false) {
		if f.Technical == "lost" {
			found = true
			assert.Equal(t, Figure{Name: "Lost without a word", Technical: "lost", Before: "0", After: "1", Verdict: "worse"}, f)
		}
	}
	assert.True(t, found)
}

func TestEverySettingWritesWhatItReads(t *testing.T) {
	p := sixOrders(t)
	for _, s := range p.Settings() {
		for position := range s.Steps + 1 {
			p.SetPosition(s.ID, position)
			require.Empty(t, p.Problems(), "%s at %d", s.ID, position)
			require.Equal(t, position, positionOf(p, s.ID), "%s at %d", s.ID, position)
		}
		p.SetPosition(s.ID, s.Position)
		p.Seal()
	}
	assert.Equal(t, string(p.Original().EncodeJSON()), string(p.Scenario().EncodeJSON()))
}

func positionOf(p *Player, id string) int {
	for _, s := range p.Settings() {
		if s.ID == id {
			return s.Position
		}
	}
	return -1
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		at, length  event.Time
		faint, rest string
	}{
		{0, event.Second, "00:0", "0.000"},
		{1240 * event.Millisecond, 2 * event.Second, "00:0", "1.240"},
		{41 * event.Second, event.Minute - 1, "00:", "41.000"},
		{61_500 * event.Millisecond, 2 * event.Minute, "0", "1:01.500"},
	} {
		faint, rest := ClockParts(c.at)
		assert.Equal(t, []string{c.faint, c.rest}, []string{faint, rest})
	}
}

func TestASettingThatTheScenarioLacksIsNotThere(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(`{"queues":{"q":{}},"producers":{"p":{"to":"q","send":[{"id":1}]}}}`))
	require.Empty(t, problems)
	p := New(s)
	require.True(t, p.Work(never))
	for _, one := range p.Settings() {
		assert.NotContains(t, one.Path, "workers")
		assert.NotContains(t, one.Path, "services")
	}
	assert.Empty(t, p.Handler())
	assert.Empty(t, p.AtLines())
	assert.Empty(t, p.Address())
}

// A link can bring a handler with a mistake before the first run is there.
func TestAMistakeBeforeTheFirstRunLeavesTheOriginalOnTheStage(t *testing.T) {
	p := New(lessonOf(t, "ticket-rail").ScenarioOf("six"))
	p.SetHandler("from the link", "def on_message(msg)\n")
	require.NotEmpty(t, p.Problems())
	require.True(t, p.Work(never))
	require.NotNil(t, p.Run())
	assert.Equal(t, hash(sixOrders(t)), hash(p))
}
