package player

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// done lets the run come and returns the current scenario's timeline.
func done(t *testing.T, p *Player) []scenario.Entry {
	t.Helper()
	require.Empty(t, p.Problems())
	require.True(t, p.Work(never))
	return p.Scenario().Timeline
}

func TestEachDeedIsAnEditThatCanBeUndoneAndLinked(t *testing.T) {
	for name, do := range map[string]func(*Player){
		"crash":  func(p *Player) { p.CrashNow("cook/1") },
		"pause":  func(p *Player) { p.PauseNow("waiter") },
		"resume": func(p *Player) { p.ResumeNow("waiter") },
		"add":    func(p *Player) { p.AddNow("cook") },
		"remove": func(p *Player) { p.RemoveNow("cook/1") },
	} {
		p := sixOrders(t)
		p.Seek(100 * event.Millisecond)
		before := p.Run().Log.Hash()
		do(p)
		entries := done(t, p)
		require.Len(t, entries, 1, name)
		assert.Equal(t, 101*event.Millisecond, entries[0].At, name)
		hash := p.Run().Log.Hash()
		assert.NotEqual(t, before, hash, name)

		other := sixOrders(t)
		require.True(t, other.Open(p.Address()), name)
		require.True(t, other.Work(never))
		assert.Equal(t, hash, other.Run().Log.Hash(), "%s by the link", name)

		p.Undo()
		p.Work(never)
		assert.Equal(t, before, p.Run().Log.Hash(), name)
		p.Redo()
		p.Work(never)
		assert.Equal(t, hash, p.Run().Log.Hash(), name)
	}
}

func TestDeedsFollowEachOther(t *testing.T) {
	p := sixOrders(t)
	p.Play()
	for range 3 { // at one instant
		p.AddNow("cook")
		done(t, p)
	}
	assert.EqualValues(t, 4, p.poolSize("cook", event.Second))
	p.Pause()
	p.Seek(event.Second)
	p.RemoveNow("cook/4")
	entries := done(t, p)
	assert.EqualValues(t, 3, entries[len(entries)-1].To)
	assert.EqualValues(t, 1, p.poolSize("cook", 0), "what was before stays")
}

func TestOneMoreIsSentByHand(t *testing.T) {
	p := sixOrders(t)
	p.Seek(100 * event.Millisecond)
	last := p.Original().Producers[0].Send
	id := p.SendNow("waiter")
	done(t, p)
	assert.Equal(t, "107", id)
	assert.Equal(t, 7, p.Run().Outcome.Sent)
	require.Len(t, p.Scenario().Producers, 1, "its list takes one more")
	mine := p.Scenario().Producers[0].Send
	assert.Equal(t, last[len(last)-1].Body, mine[len(mine)-1].Body)

	p.PauseNow("waiter")
	done(t, p)
	p.SendNow("waiter")
	done(t, p)
	require.Len(t, p.Scenario().Producers, 2, "the reader stands beside one who pauses")
	assert.Equal(t, "reader", p.Scenario().Producers[1].Name)
	assert.Equal(t, 8, p.Run().Outcome.Sent)
}

func TestAStreamKeepsItsSchedule(t *testing.T) {
	p := open(t, "../../core/testdata/cases/drain-two-workers.yaml")
	p.Seek(event.Second)
	sent := p.Run().Outcome.Sent
	first := p.SendNow(p.Scenario().Producers[0].Name)
	done(t, p)
	second := p.SendNow(p.Scenario().Producers[0].Name)
	done(t, p)
	assert.NotEqual(t, first, second)
	assert.Equal(t, sent+2, p.Run().Outcome.Sent)
	require.Len(t, p.Scenario().Producers, 2)
	assert.Len(t, p.Scenario().Producers[1].Send, 2)
	assert.Empty(t, done(t, p))
	again, problems := scenario.DecodeJSON(p.Scenario().EncodeJSON())
	require.Empty(t, problems, "what comes of it is a scenario as any other")
	assert.Equal(t, p.Scenario().EncodeJSON(), again.EncodeJSON())
}

func acts(p *Player) (all []string) {
	for _, d := range p.Deeds() {
		all = append(all, d.Act+" "+d.Name)
	}
	return all
}

func TestDeedsListsWhatCanBeDone(t *testing.T) {
	stream := open(t, "../../core/testdata/cases/lunch-rush.yaml")
	stream.Seek(event.Second)
	stream.AddNow("mailer")
	done(t, stream)
	list := strings.Join(acts(stream), "\n")
	for _, act := range []string{"send ", "pause ", "add ", "crash ", "remove "} {
		assert.Contains(t, list, act)
	}
	p := open(t, "../../core/testdata/cases/poison-to-dead-letters.yaml")
	assert.False(t, slices.ContainsFunc(p.Deeds(), func(d Deed) bool { return d.Act == "redrive" }), "no letter is dead yet")
	p.GoToEnd()
	list = strings.Join(acts(p), "\n")
	assert.Contains(t, list, "redrive ")
	assert.Contains(t, list, "edit ")
	assert.NotContains(t, list, "pause ", "all is sent")
}

func TestADeadLetterIsCorrectedWithItsHandler(t *testing.T) {
	p := open(t, "../../core/testdata/cases/poison-to-dead-letters.yaml")
	p.GoToEnd()
	var edit Deed
	for _, d := range p.Deeds() {
		if d.Act == "edit" {
			edit = d
		}
	}
	d, ok := p.DeadLetter(edit.Name)
	require.True(t, ok)
	require.NotEmpty(t, d.Pool)
	assert.Equal(t, p.Scenario().Workers[0].Handler, d.Handler)
	before := p.Scenario()
	assert.NotEmpty(t, p.Correct(d, "{", d.Handler))
	assert.NotEmpty(t, p.Correct(d, d.Body, "def on_message(msg:"))
	assert.Equal(t, before, p.Scenario(), "what is wrong changes nothing")

	dead := p.Run().Outcome.Dead
	require.Empty(t, p.Correct(d, d.Body, "def on_message(msg):\n    ack(msg)\n"))
	entries := done(t, p)
	require.Len(t, entries, 3, "the body, the handler, the way back")
	assert.Less(t, p.Run().Outcome.Dead, dead)
	_, ok = p.DeadLetter("no such")
	assert.False(t, ok)
}
