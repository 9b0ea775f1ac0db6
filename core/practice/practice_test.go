package practice

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
)

// drawn draws questions and hands them over with their runs.
func drawn(t *testing.T, many int, each func(q *Question, r *run.Run, a *lesson.Answer)) {
	t.Helper()
	for i := range many {
		q, err := Draw(Place{Seed: uint64(i), Level: i%Levels + 1, N: i/Levels%9 + 1})
		require.NoError(t, err, i)
		r, err := run.Do(q.Lesson.ScenarioOf(ScenarioID))
		require.NoError(t, err, i)
		a, err := q.Question().Of(r)
		require.NoError(t, err, "%s: seed %d", q.Kind, i)
		each(q, r, a)
	}
}

// draws is how many are looked at; WebAssembly is slower, and draws the same.
func draws() int {
	if runtime.GOARCH == "wasm" {
		return 500
	}
	return 5000
}

// Whatever is drawn is a valid lesson, small, with one right answer among
// different ones, each wrong one with what is said to it. And answers vary: a
// question that always has the same one, or always in the same place, is none.
func TestEveryDrawIsAGoodQuestion(t *testing.T) {
	answers, places, of := map[string]map[string]int{}, map[string]map[int]int{}, map[string]int{}
	drawn(t, draws(), func(q *Question, r *run.Run, a *lesson.Answer) {
		name := fmt.Sprintf("%s: seed %d, level %d, question %d", q.Kind, q.Seed, q.Level, q.N)
		asked := q.Question()
		require.NoError(t, asked.Check(q.Lesson), name)
		require.NotEqual(t, "limit", r.Outcome.EndedBecause, name)
		if answers[q.Kind] == nil {
			answers[q.Kind], places[q.Kind] = map[string]int{}, map[int]int{}
		}
		of[q.Kind]++
		answers[q.Kind][a.Text]++
		said, right := map[string]bool{}, 0
		for i := range asked.Choices {
			text := asked.Choices[i].Say.Plain(nil)
			require.False(t, said[text], "%s: %s stands there twice", name, text)
			said[text] = true
			if a.Right[i] {
				right++
				places[q.Kind][i]++
				continue
			}
			require.NotNil(t, asked.Choices[i].Because, name)
		}
		require.Equal(t, 1, right, name)
		require.GreaterOrEqual(t, len(said), fewest, name)
		require.LessOrEqual(t, len(said), most, name)
	})
	const tooOften, fewest = 0.6, 0.01
	for _, k := range kinds {
		assert.Greater(t, float64(of[k.name])/float64(draws()), fewest, "%s is hardly ever asked", k.name)
		for text, n := range answers[k.name] {
			assert.LessOrEqual(t, float64(n)/float64(of[k.name]), tooOften, "%s: it is %s too often", k.name, text)
		}
		for i, n := range places[k.name] {
			assert.LessOrEqual(t, float64(n)/float64(of[k.name]), tooOften, "%s: it is choice %d too often", k.name, i+1)
		}
		t.Log(k.name, of[k.name], answers[k.name], places[k.name])
	}
}

func TestTheFirstLevelIsSeenAtAGlance(t *testing.T) {
	for seed := range uint64(300) {
		q, err := Draw(Place{Seed: seed, Level: 1, N: 1})
		require.NoError(t, err)
		s := q.Lesson.ScenarioOf(ScenarioID)
		assert.LessOrEqual(t, len(s.Producers[0].Send), 6, seed)
		assert.LessOrEqual(t, s.Workers[0].Count, int64(2), seed)
		assert.Empty(t, s.Workers[0].Crash.Exact, seed)
		r, err := run.Do(s)
		require.NoError(t, err)
		assert.Equal(t, r.Outcome.Sent, r.Outcome.Deliveries, seed)
	}
}

func TestTheSamePlaceIsTheSameQuestion(t *testing.T) {
	for level := 1; level <= Levels; level++ {
		at := Place{Seed: 42, Level: level, N: 3}
		one, err := Draw(at)
		require.NoError(t, err)
		two, err := Draw(at)
		require.NoError(t, err)
		a, err := one.Lesson.EncodeJSON()
		require.NoError(t, err)
		b, err := two.Lesson.EncodeJSON()
		require.NoError(t, err)
		assert.Equal(t, string(a), string(b))
		_, err = lesson.DecodeJSON(a)
		assert.NoError(t, err)
	}
	low, err := Draw(Place{Seed: 1, Level: -3, N: -1})
	require.NoError(t, err)
	assert.Equal(t, Place{Seed: 1, Level: 1, N: 1}, low.Place)
	high, err := Draw(Place{Seed: 1, Level: 99, N: 1})
	require.NoError(t, err)
	assert.Equal(t, Levels, high.Level)
}

func TestTheLevelFollowsTheLearner(t *testing.T) {
	l := Learner{Level: 1}
	for _, step := range []struct {
		right bool
		level int
	}{{true, 1}, {true, 2}, {true, 2}, {false, 1}, {false, 1}, {true, 1}, {true, 2}, {true, 2}, {true, 3}} {
		l = l.After(step.right)
		assert.Equal(t, step.level, l.Level, "%+v", l)
	}
	assert.Equal(t, Learner{Level: 3, Right: 7, Of: 9}, l)
	top := Learner{Level: Levels, Streak: 1}.After(true)
	assert.Equal(t, Levels, top.Level)
}
