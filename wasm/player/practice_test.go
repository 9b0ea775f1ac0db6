package player

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/practice"
)

// answers gives the right or a wrong answer to the open question, and has its
// result shown.
func answers(t *testing.T, p *Practice, right bool) {
	t.Helper()
	s, q := p.Session(), p.question
	require.True(t, s.Work(never))
	a, fault := s.Answer(q)
	require.Empty(t, fault)
	choice := 0
	for a.Right[choice] != right {
		choice++
	}
	s.Draft(q, choose(choice))
	require.True(t, s.Commit(q))
	p.Count()
	p.Count()
	s.Reveal(q)
}

func TestPracticeFollowsTheLearner(t *testing.T) {
	p := NewPractice("")
	assert.Equal(t, practice.Place{Seed: 1, Level: 1, N: 1}, p.Place())
	answers(t, p, true)
	assert.Equal(t, practice.Learner{Level: 1, Streak: 1, Right: 1, Of: 1}, p.Learner())
	assert.Empty(t, p.Said())
	p.Next()
	answers(t, p, true)
	assert.Equal(t, "Two in a row: on to level 2.", p.Said())
	p.Next()
	assert.Equal(t, practice.Place{Seed: 1, Level: 2, N: 3}, p.Place())
	answers(t, p, false)
	assert.Equal(t, "Back to level 1 for a while.", p.Said())
	p.Next()
	assert.Equal(t, 1, p.Place().Level)
	assert.Equal(t, practice.Learner{Level: 1, Right: 2, Of: 3}, p.Learner())
}

func TestTheResultIsNotToldByTheScore(t *testing.T) {
	p := NewPractice("")
	s, q := p.Session(), p.question
	require.True(t, s.Work(never))
	s.Draft(q, choose(0))
	require.True(t, s.Commit(q))
	p.Count()
	assert.Zero(t, p.Learner().Of)
	s.Reveal(q)
	assert.Equal(t, 1, p.Learner().Of)
}

func TestWhoLooksFirstIsNotCounted(t *testing.T) {
	p := NewPractice("")
	s, q := p.Session(), p.question
	require.True(t, s.Work(never))
	s.Pass(q)
	p.Count()
	s.Reveal(q)
	s.Again(q)
	answers(t, p, true)
	assert.Zero(t, p.Learner().Of)
	p.Next()
	assert.Equal(t, 2, p.Place().N)
}

func TestAnAddressIsOneQuestion(t *testing.T) {
	p := NewPractice("")
	require.True(t, p.Open("#seed=42&level=3&n=7"))
	assert.Equal(t, "seed=42&level=3&n=7", p.Address())
	other := NewPractice("")
	other.Open(p.Address())
	assert.Equal(t, p.question.Ask, other.question.Ask)
	assert.False(t, other.Open(p.Address()), "it is open already")
	for _, damaged := range []string{"", "v=1&at=1s", "seed=%", "level=3"} {
		assert.False(t, other.Open(damaged), damaged)
	}
	for _, damaged := range []string{"seed=-1&level=99", "seed=x&level=x&n=x", "seed=99999999999999999999&n=-4"} {
		other.Open(damaged)
		assert.LessOrEqual(t, other.Place().Level, practice.Levels)
		assert.Equal(t, 1, other.Place().N, damaged)
	}
}

func TestPracticeGoesOnWhereItWas(t *testing.T) {
	p := NewPractice("")
	p.Open("seed=42&level=3")
	assert.Equal(t, "seed=42&level=3", NewPractice(p.Keep()).Address(), "the question is still open")
	answers(t, p, true)
	again := NewPractice(p.Keep())
	assert.Equal(t, "seed=42&level=3&n=2", again.Address())
	assert.Equal(t, practice.Learner{Level: 3, Streak: 1, Right: 1, Of: 1}, again.Learner())
	for _, damaged := range []string{"{", `{"v":2}`, `{"v":1,"level":99,"n":1}`, `{"v":1,"level":1,"n":0}`, `{"v":1,"level":2,"n":3,"right":9,"of":1}`} {
		assert.Equal(t, "seed=1&level=1", NewPractice(damaged).Address(), damaged)
	}
}

// what a panel kept of one question is not taken for another's.
func TestQuestionsHaveRevisionsOfTheirOwn(t *testing.T) {
	p := NewPractice("")
	seen := map[int]bool{}
	for range 5 {
		require.False(t, seen[p.Session().Revision()])
		require.False(t, seen[p.Session().Player().Revision()])
		seen[p.Session().Revision()], seen[p.Session().Player().Revision()] = true, true
		assert.Equal(t, lesson.Choice, p.question.Form)
		p.Next()
	}
}
