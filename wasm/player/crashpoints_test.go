package player

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// matrix asks what a crash would do, and waits for it.
func matrix(t *testing.T, p *Player) Matrix {
	t.Helper()
	if !p.AsksCrashes() {
		p.AskCrashes(true)
	}
	require.True(t, p.WorkCrashes(never))
	require.False(t, p.CrashesWorking())
	m, asked := p.Crashes()
	require.True(t, asked)
	require.Empty(t, m.Fault)
	return m
}

func TestCrashesAreFoundOutOnRequest(t *testing.T) {
	p := sixOrders(t)
	assert.False(t, p.CrashesWorking())
	_, asked := p.Crashes()
	assert.False(t, asked)

	m := matrix(t, p)
	assert.Equal(t, map[int]CrashPoint{2: {Result: CrashTwice}, 3: {Result: CrashRight}}, m.Points)
	assert.Equal(t, []int{2, 2}, []int{m.Done, m.Of})
	assert.Equal(t, "101", m.Message)
	assert.Empty(t, m.Within)

	_, ok := p.NudgeLine(3, -1)
	require.True(t, ok)
	require.True(t, p.Work(never))
	assert.True(t, p.CrashesWorking(), "an edit asks again")
	assert.Equal(t, map[int]CrashPoint{2: {Result: CrashLost}, 3: {Result: CrashRight}}, matrix(t, p).Points)

	p.AskCrashes(false)
	assert.False(t, p.CrashesWorking())
}

func TestCrashesAreFoundOutInSlices(t *testing.T) {
	p := sixOrders(t)
	p.AskCrashes(true)
	slices, revision := 0, p.CrashesRevision()
	for !p.WorkCrashes(func() bool { return true }) {
		slices++
	}
	assert.Greater(t, slices, 20)
	assert.GreaterOrEqual(t, p.CrashesRevision()-revision, 2, "each line is shown as it becomes known")
}

func TestACellPutsItsCrashIntoTheScenario(t *testing.T) {
	p := sixOrders(t)
	first := hash(p)
	matrix(t, p)
	require.True(t, p.CrashAt(2))
	require.True(t, p.Work(never))
	assert.Equal(t, 1, p.Run().Outcome.Crashes)
	assert.Equal(t, 1, p.Run().Outcome.Duplicates)
	assert.Equal(t, "crash after line 2", p.UndoLabel())
	assert.Less(t, p.Time(), 200*event.Millisecond, "just before the crash")
	assert.Greater(t, p.Time(), event.Time(0))
	assert.False(t, p.CrashesWorking(), "what was found still holds")
	assert.True(t, matrix(t, p).Points[2].Chosen)

	again := sixOrders(t)
	require.True(t, again.Open(p.Address()))
	require.True(t, again.Work(never))
	assert.Equal(t, hash(p), hash(again), "a link has the crash too")

	require.True(t, p.CrashAt(3))
	require.True(t, p.Work(never))
	m := matrix(t, p)
	assert.Equal(t, []bool{false, true}, []bool{m.Points[2].Chosen, m.Points[3].Chosen})

	assert.False(t, p.CrashAt(3), "pressed again, it is taken out")
	require.True(t, p.Work(never))
	assert.True(t, matrix(t, p).Points[2].Chosen, "as before it was put in")
	p.Undo()
	assert.Equal(t, first, hash(p))
	assert.False(t, p.CanUndo())
}

func TestNothingIsFoundOutAboutAHandlerWithAMistake(t *testing.T) {
	p := sixOrders(t)
	matrix(t, p)
	p.SetHandler("typed", "def on_message(msg)\n")
	require.NotEmpty(t, p.Problems())
	assert.False(t, p.CrashesWorking())
	assert.True(t, p.WorkCrashes(never))
	p.Undo()
	assert.Len(t, matrix(t, p).Points, 2)
}

func TestCrashesOfALongRunAreLookedAtWithinABound(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(`{"queues":{"q":{"visibility_timeout":"1s"}},"services":{"send":{"latency":"10ms"}},
		"producers":{"p":{"to":"q","rate":"50/s","count":5000}},
		"workers":{"w":{"from":"q","handler":"def on_message(msg):\n    send(msg.id)\n    ack(msg)\n"}}}`))
	require.Empty(t, problems)
	p := New(s)
	require.True(t, p.Work(never))
	require.Greater(t, p.Run().Log.Len(), crashEvents)
	m := matrix(t, p)
	assert.NotEmpty(t, m.Within)
	assert.Equal(t, map[int]CrashPoint{2: {Result: CrashTwice}, 3: {Result: CrashRight}}, m.Points)
}

func TestWithoutMessagesThereIsNothingToCrash(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(`{"queues":{"q":{}},"workers":{"w":{"from":"q","handler":"def on_message(msg):\n    ack(msg)\n"}}}`))
	require.Empty(t, problems)
	p := New(s)
	require.True(t, p.Work(never))
	p.AskCrashes(true)
	require.True(t, p.WorkCrashes(never))
	m, _ := p.Crashes()
	assert.Contains(t, m.Fault, "no message reaches this handler")
	assert.False(t, p.CrashesWorking())
}
