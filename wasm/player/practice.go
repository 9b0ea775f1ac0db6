package player

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/practice"
)

// Practice is a series of questions: the one that is open, as a session, and
// how far the learner is. Like a Session it is a value with updates.
type Practice struct {
	at       practice.Place
	learner  practice.Learner // with the open question's answer, once it is given
	before   practice.Learner // without it
	counted  bool
	session  *Session
	question *lesson.Question
	opened   int // sessions so far
}

// firstSeed is that of the series of one who names none.
const firstSeed = 1

// NewPractice goes on with what was kept, or begins with the question that the
// page shows before there is a program.
func NewPractice(text string) *Practice {
	p := &Practice{at: practice.Place{Seed: firstSeed, Level: 1, N: 1}, learner: practice.Learner{Level: 1}}
	var k keptPractice
	if json.Unmarshal([]byte(text), &k) == nil && k.Version == 1 && k.Level >= 1 && k.Level <= practice.Levels && k.N >= 1 && k.N <= mostQuestions && k.Right >= 0 && k.Right <= k.Of {
		p.learner = practice.Learner{Level: k.Level, Streak: k.Streak, Right: k.Right, Of: k.Of}
		p.at = practice.Place{Seed: k.Seed, Level: k.Level, N: k.N}
	}
	p.draw()
	return p
}

// keptPractice is what outlives the page: where the next question is.
type keptPractice struct {
	Version int    `json:"v"`
	Seed    uint64 `json:"seed"`
	Level   int    `json:"level"`
	N       int    `json:"n"`
	Streak  int    `json:"streak,omitempty"`
	Right   int    `json:"right,omitempty"`
	Of      int    `json:"of,omitempty"`
}

// Bounds of what an address can ask for.
const (
	mostQuestions = 1_000_000
	longestPlace  = 200 // characters
)

// Keep returns what is to be kept, as text.
func (p *Practice) Keep() string {
	next := p.next()
	text, err := json.Marshal(keptPractice{1, next.Seed, next.Level, next.N, p.learner.Streak, p.learner.Right, p.learner.Of})
	if err != nil {
		return ""
	}
	return string(text)
}

// next is where the question is with which a reader who comes back goes on:
// the open one, until it was answered.
func (p *Practice) next() practice.Place {
	if !p.counted {
		return p.at
	}
	return practice.Place{Seed: p.at.Seed, Level: p.learner.Level, N: p.at.N + 1}
}

// draw opens the question at the place.
func (p *Practice) draw() {
	p.at.Seed %= 1 << 53 // what a number of JSON holds
	q, err := practice.Draw(p.at)
	for err != nil { // this place has none: the next one has
		p.at.N++
		q, err = practice.Draw(p.at)
	}
	p.at = q.Place
	p.session = NewSession(q.Lesson)
	p.opened++
	p.session.standApart(p.opened)
	p.question = q.Question()
	p.before, p.counted = p.learner, false
}

// Session is the open question.
func (p *Practice) Session() *Session { return p.session }

// Place is where it is.
func (p *Practice) Place() practice.Place { return p.at }

// Learner is how far the learner is, as far as the open question's result is
// known to him.
func (p *Practice) Learner() practice.Learner {
	if p.Known() {
		return p.learner
	}
	return p.before
}

// Known reports whether the result of the open question is shown.
func (p *Practice) Known() bool { return p.session.Answered(p.question).Shown }

// Count counts the first answer to the open question. Who lets the run say it
// first has none to be counted.
func (p *Practice) Count() {
	v := p.session.Verdict(p.question)
	passed := p.session.Answered(p.question).Skipped
	if v == nil && !passed || p.counted {
		return
	}
	p.counted = true
	if !passed {
		p.learner = p.learner.After(v.Right)
	}
}

// Next opens the next question, at the learner's level.
func (p *Practice) Next() {
	p.at.Level, p.at.N = p.learner.Level, p.at.N+1
	p.draw()
}

// SetLevel opens a question of that level instead.
func (p *Practice) SetLevel(level int) {
	p.learner.Level, p.learner.Streak = max(1, min(level, practice.Levels)), 0
	p.Next()
}

// SetSeed begins another series.
func (p *Practice) SetSeed(seed uint64) {
	p.at.Seed, p.at.N = seed, 0
	p.Next()
}

// Said says what the result does to the level, "" when nothing.
func (p *Practice) Said() string {
	switch was, now := p.before.Level, p.learner.Level; {
	case !p.Known() || was == now:
		return ""
	case now > was:
		return fmt.Sprintf("Two in a row: on to level %d.", now)
	default:
		return fmt.Sprintf("Back to level %d for a while.", now)
	}
}

// Address is where the open question is found again, everywhere.
func (p *Practice) Address() string {
	address := fmt.Sprintf("seed=%d&level=%d", p.at.Seed, p.at.Level)
	if p.at.N > 1 {
		address += fmt.Sprintf("&n=%d", p.at.N)
	}
	return address
}

// Open opens the question of an address and reports whether it is another one.
// What it does not say, or not rightly, stays.
func (p *Practice) Open(fragment string) bool {
	fragment = strings.TrimPrefix(fragment, "#")
	v, err := url.ParseQuery(fragment)
	if err != nil || len(fragment) > longestPlace || !v.Has("seed") {
		return false
	}
	at := practice.Place{Seed: firstSeed, Level: p.learner.Level, N: 1}
	if seed, err := strconv.ParseUint(v.Get("seed"), 10, 53); err == nil {
		at.Seed = seed
	}
	if level, err := strconv.Atoi(v.Get("level")); err == nil {
		at.Level = max(1, min(level, practice.Levels))
	}
	if n, err := strconv.Atoi(v.Get("n")); err == nil && n >= 1 && n <= mostQuestions {
		at.N = n
	}
	if at == p.at {
		return false
	}
	if at.Level != p.learner.Level {
		p.learner.Level, p.learner.Streak = at.Level, 0
	}
	p.at = at
	p.draw()
	return true
}
