package player

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
)

// lessonAt opens a lesson of the tree at a step, from 1, with all runs that the
// step needs.
func lessonAt(t *testing.T, slug string, step int) *Session {
	t.Helper()
	s := NewSession(lessonOf(t, slug))
	s.Go(step - 1)
	require.True(t, s.Work(never))
	return s
}

// question returns the question with that id.
func question(t *testing.T, s *Session, id string) *lesson.Question {
	t.Helper()
	for i := range s.lesson.Steps {
		for _, b := range s.lesson.Steps[i].Blocks {
			if b.Question != nil && b.Question.ID == id {
				return b.Question
			}
		}
	}
	require.Fail(t, "there is no question "+id)
	return nil
}

func choose(choices ...int) func(*lesson.Given) {
	return func(g *lesson.Given) { g.Choices = choices }
}

// playTo plays until a condition holds or time stands still.
func playTo(s *Session, holds func() bool) {
	p := s.Player()
	p.Play()
	for p.Playing() && !holds() {
		p.Advance(.05)
		s.Watch()
	}
}

func TestAPredictionIsAnsweredByItsRun(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 5)
	q := question(t, s, "emails")
	assert.False(t, s.Commit(q))
	assert.Equal(t, "Nothing is chosen.", s.Answered(q).Wrong)
	s.Draft(q, choose(1))
	require.True(t, s.Commit(q))
	assert.True(t, s.Player().Opening(), "the run is at its start")
	assert.Nil(t, s.Watch(), "nothing has happened yet")
	playTo(s, func() bool { return s.Answered(q).Shown })
	require.True(t, s.Answered(q).Shown)
	at, err := q.See.Find(s.Player().Run().Log)
	require.NoError(t, err)
	assert.Greater(t, s.Player().Events(), at)
	v := s.Verdict(q)
	require.NotNil(t, v)
	assert.False(t, v.Right)
	assert.Equal(t, "One more than you said.", v.Text)
	require.True(t, s.Show(*v.See, q.Scenario))
	assert.Equal(t, event.Crashed, s.Player().Run().Log.Event(s.Player().Events()-1).Kind, "the moment of the wrong choice")
	assert.Equal(t, "101", s.Player().Run().Log.MessageID(s.Player().Following()).String())

	s.Draft(q, choose(2))
	assert.Equal(t, []int{1}, s.Answered(q).Given.Choices, "what is committed stays")
	s.Again(q)
	s.Draft(q, choose(2))
	require.True(t, s.Commit(q))
	assert.True(t, s.Verdict(q).Right)
}

func TestAPredictionIsAboutTheLessonsOwnRun(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 1)
	q := question(t, s, "arrive")
	own := hash(s.Player())
	s.Player().NudgeLine(2, 1)
	require.True(t, s.Work(never))
	require.NotEqual(t, own, hash(s.Player()))
	s.Draft(q, choose(2))
	require.True(t, s.Commit(q))
	require.True(t, s.Work(never))
	assert.Equal(t, own, hash(s.Player()))
	s.Player().Undo()
	require.True(t, s.Work(never))
	assert.NotEqual(t, own, hash(s.Player()), "what was edited can be had back")
	s.Player().GoToEnd()
	assert.Nil(t, s.Watch(), "another run does not answer")
}

func TestPassingShowsTheResultWithoutAGuess(t *testing.T) {
	s := lessonAt(t, "ticket-rail", 1)
	q := question(t, s, "free")
	s.Pass(q)
	playTo(s, func() bool { return s.Answered(q).Shown })
	assert.True(t, s.Answered(q).Shown)
	assert.Nil(t, s.Verdict(q))
	assert.Equal(t, "The run says: At once.", s.Outcome(q))
}

// While a prediction waits, it is asked for in every frame.
func TestWaitingForAMomentAllocatesNothing(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 5)
	q := question(t, s, "emails")
	s.Draft(q, choose(1))
	require.True(t, s.Commit(q))
	p := s.Player()
	p.Play()
	p.Advance(.01)
	require.Nil(t, s.Watch())
	assert.Zero(t, testing.AllocsPerRun(100, func() { s.Watch() }))
}

func TestAQuizCanBeTriedAgain(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 7)
	q := question(t, s, "never")
	s.Draft(q, choose(0, 1, 2))
	require.True(t, s.Commit(q))
	assert.Contains(t, s.Verdict(q).Because.Plain(nil), "Nothing is deleted")
	s.Draft(q, choose(0, 1, 3))
	assert.Nil(t, s.Verdict(q), "another try")
	require.True(t, s.Commit(q))
	assert.True(t, s.Verdict(q).Right)
	assert.Equal(t, 2, s.Answered(q).Tries)
}

func TestStepsKeepWhatWasDoneInThem(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 1)
	first := s.Player()
	first.NudgeLine(2, 1)
	require.True(t, s.Work(never))
	s.Go(2)
	assert.Same(t, first, s.Player(), "the same scenario, the same player")
	s.Go(3)
	require.True(t, s.Work(never))
	other := s.Player()
	assert.NotSame(t, first, other)
	assert.NotEqual(t, first.Revision(), other.Revision(), "what is kept of one is not taken for the other's")
	s.Go(2)
	assert.True(t, s.Player().CanUndo())
	s.Go(99)
	s.Go(-1)
	assert.Equal(t, 2, s.Step())
}

func TestTheStageSaysWhatIsUnlocked(t *testing.T) {
	s := lessonAt(t, "ticket-rail", 3)
	p := s.Player()
	var open []string
	for _, one := range p.Settings() {
		if !one.Locked {
			open = append(open, one.ID)
		}
	}
	assert.Equal(t, []string{"workers", "latency"}, open)
	own := p.Scenario()
	p.SetPosition("fails", 2)
	_, moved := p.NudgeLine(3, -1)
	assert.False(t, moved)
	assert.Same(t, own, p.Scenario(), "what is locked stays")
	p.SetPosition("workers", 2)
	assert.NotSame(t, own, p.Scenario())
}

func TestAChallengeIsCheckedOnAllSeedsInSlices(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 6)
	c := s.challenge()
	require.NotNil(t, c)
	s.Check(c)
	slices := 0
	for !s.Work(func() bool { return true }) {
		slices++
		done, of, under := s.Attempt(c).Checking()
		require.True(t, under)
		require.Less(t, done, of)
	}
	assert.Greater(t, slices, 10)
	a := s.Attempt(c)
	require.NotNil(t, a.Result)
	assert.False(t, a.Solved)
	failed := a.Result.Failed()
	require.NotNil(t, failed)
	s.OpenSeed(c, failed.Seed)
	require.True(t, s.Work(never))
	assert.Positive(t, s.Player().Run().Outcome.Lost, "the seed that fails, on the stage")
	assert.True(t, s.Attempt(c).Stale)

	s.Hint(c)
	s.Hint(c)
	s.Hint(c)
	assert.Equal(t, len(c.Hints), s.Attempt(c).Hints)
	s.Player().NudgeLine(2, 1)
	s.Check(c)
	require.True(t, s.Work(never))
	assert.True(t, s.Attempt(c).Solved)
	assert.False(t, s.Attempt(c).Stale)
}

func TestAChallengeCountsOnlyWhatItUnlocks(t *testing.T) {
	s := lessonAt(t, "ticket-rail", 4)
	s.Player().SetPosition("latency", 1) // 50 ms: unlocked here, and a way round the challenge
	require.True(t, s.Work(never))
	s.Go(4)
	c := s.challenge()
	require.NotNil(t, c)
	s.Check(c)
	require.True(t, s.Work(never))
	assert.False(t, s.Attempt(c).Solved)
	s.Solve(c)
	s.Check(c)
	require.True(t, s.Work(never))
	assert.True(t, s.Attempt(c).Solved)
}

func TestPlayHaltsAtTheStopsOfTheStep(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 4)
	p := s.Player()
	require.Len(t, s.Stage().Stops, 3)
	for _, stop := range s.Stage().Stops {
		playTo(s, func() bool { return false })
		at, halted := p.Halted()
		require.True(t, halted)
		assert.Equal(t, stop.Text, at.Text)
	}
	playTo(s, func() bool { return false })
	assert.Equal(t, p.End(), p.Time(), "then it plays to its end")
	s.Go(4)
	s.Work(never)
	assert.Empty(t, s.Player().Stops(), "another step has its own")
}

func TestFiguresFollowTheirRun(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 3)
	own := &lesson.Figure{Scenario: "before", Of: "lost"}
	live := &lesson.Figure{Scenario: "before", Of: "lost", Live: true}
	assert.Equal(t, "1", s.Figure(own))
	assert.Equal(t, "1", s.Figure(live))
	s.Player().NudgeLine(2, 1)
	assert.Equal(t, "…", s.Figure(live), "until the run is there")
	require.True(t, s.Work(never))
	assert.Equal(t, "0", s.Figure(live))
	assert.Equal(t, "1", s.Figure(own), "the lesson's own run stays what it was")
	other := &lesson.Figure{Scenario: "twice", Of: "duplicates"}
	assert.Equal(t, "…", s.Figure(other))
	assert.True(t, s.Working())
	require.True(t, s.Work(never))
	assert.Equal(t, "1", s.Figure(other))
}

func TestProgressIsKept(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 5)
	q := question(t, s, "emails")
	s.Draft(q, choose(2))
	require.True(t, s.Commit(q))
	s.Reveal(q)
	s.Draft(question(t, s, "line"), func(g *lesson.Given) { g.Line = 2 }) // not committed
	s.Go(5)
	s.Solve(s.challenge())
	s.Check(s.challenge())
	require.True(t, s.Work(never))

	again := lessonAt(t, "ack-after-work", 1)
	again.Restore(s.Keep())
	assert.True(t, again.Answered(q).Shown)
	require.True(t, again.Work(never))
	again.Go(4)
	require.True(t, again.Work(never))
	assert.True(t, again.Verdict(q).Right)
	assert.False(t, again.Answered(question(t, again, "line")).Committed)
	again.Go(5)
	assert.True(t, again.Attempt(again.challenge()).Solved)

	for _, text := range []string{"", "null", "[]", "{", `{"v":9,"answers":{"emails":{"committed":true}}}`, `{"v":1,"answers":{"emails":null,"gone":{}}}`, `{"v":1,"answers":{"emails":{"given":{"choices":[99]},"committed":true}}}`} {
		fresh := lessonAt(t, "ack-after-work", 5)
		fresh.Restore(text)
		assert.Nil(t, fresh.Verdict(q), text)
	}
}

func TestTheAddressHoldsTheStep(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 1)
	assert.Empty(t, s.Address())
	s.Go(4)
	assert.Equal(t, "v=1&step=5", s.Address())
	require.True(t, s.Work(never))
	s.Player().Seek(300 * event.Millisecond)
	address := s.Address()
	again := lessonAt(t, "ack-after-work", 1)
	again.Open("#" + address)
	assert.Equal(t, 4, again.Step())
	again.Open("#step-2")
	assert.Equal(t, 1, again.Step())
	for _, wrong := range []string{"", "#step-99", "#step-", "#%%%", "#v=1&step=x", "#v=1&step=-4"} {
		again.Open(wrong)
		assert.Equal(t, 1, again.Step(), wrong)
	}
}

func TestAnOrderIsMovedByPlaces(t *testing.T) {
	l := lesson.Of(lessonOf(t, "ticket-rail").ScenarioOf("six"))
	q := &lesson.Question{ID: "o", Form: lesson.Order, Scenario: "it", Answer: "finished"}
	l.Steps[0].Blocks = append(l.Steps[0].Blocks, lesson.Block{Question: q})
	s := NewSession(l)
	require.True(t, s.Work(never))
	order := s.Ordered(q)
	require.Len(t, order, 6)
	first := order[0]
	s.Move(q, 0, 5)
	assert.Equal(t, first, s.Ordered(q)[5])
	s.Move(q, 5, 6)
	assert.Equal(t, first, s.Ordered(q)[5], "there is no place beyond the last")
	for at, id := range []string{"101", "102", "103", "104", "105", "106"} {
		for k, is := range s.Ordered(q) {
			if is == id {
				s.Move(q, k, at)
				break
			}
		}
	}
	require.True(t, s.Commit(q))
	assert.True(t, s.Verdict(q).Right)
	assert.Len(t, s.Messages(q), 6)
}

// what is kept says which steps are over, and keeps what another device did.
func TestStepsThatAreOver(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 1)
	done := func(s *Session) []int {
		var k kept
		require.NoError(t, json.Unmarshal([]byte(s.Keep()), &k))
		return k.Done
	}
	assert.Empty(t, done(s), "its question is open")
	q := question(t, s, "arrive")
	s.Draft(q, choose(1))
	require.True(t, s.Commit(q))
	assert.Equal(t, []int{1}, done(s))
	s.Go(2)
	require.True(t, s.Work(never))
	assert.Equal(t, []int{1}, done(s), "nothing is asked in step 3, and step 4 was not shown")
	s.Go(3)
	require.True(t, s.Work(never))
	assert.Equal(t, []int{1, 3}, done(s))
	s.Again(q)
	assert.Equal(t, []int{1, 3}, done(s), "a second guess takes nothing away")

	other := lessonAt(t, "ack-after-work", 1)
	other.Restore(`{"v":1,"done":[2,3,99,-1]}`)
	assert.Equal(t, []int{2, 3}, done(other))
}

func TestASecretIsKeptUntilTheRunHasAnswered(t *testing.T) {
	s := lessonAt(t, "ack-after-work", 4)
	rescue, line := question(t, s, "rescue"), question(t, s, "line")
	require.True(t, s.Secret())
	assert.Equal(t, rescue, s.Guessing())
	n := 1.0
	s.Draft(rescue, func(g *lesson.Given) { g.Number = &n })
	require.True(t, s.Commit(rescue))
	assert.Equal(t, line, s.Guessing(), "the next one is open")
	s.Pass(line)
	assert.Nil(t, s.Guessing())
	assert.True(t, s.Secret(), "the run has not answered the first one")
	assert.Equal(t, "The run answers when it gets there.", s.Unsaid())
	s.Player().GoToEnd()
	require.NotNil(t, s.Watch())
	assert.False(t, s.Secret())
	assert.Empty(t, s.Unsaid())
	s.Go(2)
	assert.False(t, s.Secret(), "a step that asks nothing beforehand")
}
