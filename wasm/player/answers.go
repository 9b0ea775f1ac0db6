package player

import (
	"errors"
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Answered is what a reader has done with a question.
type Answered struct {
	Given     lesson.Given `json:"given"` // a draft until it is committed
	Committed bool         `json:"committed,omitempty"`
	Skipped   bool         `json:"skipped,omitempty"` // a prediction that was not made
	// Shown: the result stands beside the guess. Of a quiz question: the
	// right answer was asked for.
	Shown bool   `json:"shown,omitempty"`
	Tries int    `json:"tries,omitempty"`
	Wrong string `json:"-"` // what cannot be given as it is, in a sentence

	of   *run.Run // the run in which due was found
	last int      // the event after which the run has answered
}

// Answered returns what has been done with a question; it can be changed.
func (s *Session) Answered(q *lesson.Question) *Answered {
	a := s.answers[q.ID]
	if a == nil {
		a = &Answered{}
		s.answers[q.ID] = a
	}
	return a
}

// Draft changes what is about to be given.
func (s *Session) Draft(q *lesson.Question, change func(*lesson.Given)) {
	a := s.Answered(q)
	if q.Predict && a.Committed {
		return
	}
	change(&a.Given)
	a.Wrong = ""
	if !q.Predict {
		a.Committed = false // another try
	}
	s.revision++
}

// Answer returns what is right, nil while its run is not there. A text says
// what is wrong with the question itself.
func (s *Session) Answer(q *lesson.Question) (*lesson.Answer, string) {
	if q.Scenario == "" {
		a, err := q.Of(nil)
		return a, textOf(err)
	}
	r := s.room(q.Scenario)
	own := r.ownRun()
	if own == nil {
		r.wanted = true
		return nil, r.fault
	}
	a, err := q.Of(own)
	return a, textOf(err)
}

// Settled returns what is right, for those who can wait until its run is
// computed.
func (s *Session) Settled(q *lesson.Question) (*lesson.Answer, error) {
	a, fault := s.Answer(q)
	for a == nil && fault == "" {
		s.Work(func() bool { return false })
		a, fault = s.Answer(q)
	}
	if fault != "" {
		return nil, errors.New(fault)
	}
	return a, nil
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Commit gives the answer as it is drafted and reports whether it could be
// given. After a prediction, the lesson's own run is ready to be played from
// its start.
func (s *Session) Commit(q *lesson.Question) bool {
	a := s.Answered(q)
	s.revision++
	right, fault := s.Answer(q)
	if right == nil {
		a.Wrong = fault
		if fault == "" {
			a.Wrong = "The run is still being computed. Try again in a moment."
		}
		return false
	}
	if _, err := q.Grade(right, a.Given); err != nil {
		a.Wrong = sentenceOf(err.Error())
		return false
	}
	a.Wrong, a.Committed = "", true
	a.Tries++
	s.ready(q)
	return true
}

// Pass lets a prediction be: its run is ready to be played.
func (s *Session) Pass(q *lesson.Question) {
	a := s.Answered(q)
	a.Skipped, a.Wrong = true, ""
	s.revision++
	s.ready(q)
}

// ready puts the lesson's own run at its start.
func (s *Session) ready(q *lesson.Question) {
	if !q.Predict || q.Scenario != s.Stage().Scenario {
		return
	}
	p := s.Player()
	p.Pause()
	s.own(p)
	p.Restart()
}

// Again lets a question be answered once more.
func (s *Session) Again(q *lesson.Question) {
	delete(s.answers, q.ID)
	s.revision++
}

// Reveal shows the result of a question.
func (s *Session) Reveal(q *lesson.Question) {
	s.Answered(q).Shown = true
	s.revision++
}

// Watch reveals the predictions whose moment the playhead has passed, and
// returns the last one of them, nil when there was none. It is called in every
// frame.
func (s *Session) Watch() (revealed *lesson.Question) {
	blocks := s.Blocks()
	for i := range blocks {
		if q := blocks[i].Question; q != nil && s.due(q) {
			s.Reveal(q)
			revealed = q
		}
	}
	return revealed
}

// due reports whether a prediction waits for its result and the playhead is
// there.
func (s *Session) due(q *lesson.Question) bool {
	a := s.answers[q.ID]
	if !q.Predict || a == nil || a.Shown || !a.Committed && !a.Skipped {
		return false
	}
	if q.Scenario != s.Stage().Scenario {
		return true
	}
	p := s.Player()
	if p.Run() == nil || p.Run() != s.room(q.Scenario).ownRun() || p.Opening() {
		return false
	}
	if a.of != p.Run() {
		a.of, a.last = p.Run(), p.Run().Log.Len()-1
		if q.See != nil && q.Form != lesson.Draw {
			if at := s.eventOf(*q.See, p); at >= 0 {
				a.last = at
			}
		}
	}
	return p.Events() > a.last
}

// Outcome says what came of a prediction, in a sentence.
func (s *Session) Outcome(q *lesson.Question) string {
	if v := s.Verdict(q); v != nil {
		return v.Text
	}
	right, fault := s.Answer(q)
	if right == nil {
		return fault
	}
	return "The run says: " + right.Text + "."
}

// Verdict returns what came of an answer that was given, nil when none was.
func (s *Session) Verdict(q *lesson.Question) *lesson.Verdict {
	a := s.answers[q.ID]
	if a == nil || !a.Committed {
		return nil
	}
	right, _ := s.Answer(q)
	if right == nil {
		return nil
	}
	v, err := q.Grade(right, a.Given)
	if err != nil {
		return nil
	}
	return &v
}

// CanShow reports whether a moment of a question can be shown on the stage.
func (s *Session) CanShow(q *lesson.Question, m *lesson.Moment) bool {
	return m != nil && q.Scenario == s.Stage().Scenario
}

// Asked returns the open question of that form in the step that is shown, or
// nil: what is picked on the stage or on the code card answers it.
func (s *Session) Asked(form lesson.Form) *lesson.Question {
	for _, b := range s.Blocks() {
		if q := b.Question; q != nil && q.Form == form && q.Scenario == s.Stage().Scenario {
			if a := s.answers[q.ID]; a == nil || !a.Committed && !a.Skipped {
				return q
			}
		}
	}
	return nil
}

// Messages returns the messages of a question's scenario as chips; those that
// one could not tell apart, by their id, as one.
func (s *Session) Messages(q *lesson.Question) []Chip {
	own := s.room(q.Scenario).ownRun()
	if own == nil {
		return nil
	}
	var chips []Chip
	for _, m := range lesson.IDs(own.Log) {
		chips = append(chips, ChipOf(own.Log, m))
	}
	return chips
}

// Guessing returns the first prediction of this step about the stage that is
// neither committed nor skipped, or nil.
func (s *Session) Guessing() *lesson.Question {
	return s.predicted(func(a *Answered) bool { return a == nil || !a.Committed && !a.Skipped })
}

// Secret reports whether the page keeps to itself what the playhead has not
// reached: a prediction of this step about the stage waits for its answer.
func (s *Session) Secret() bool {
	return s.predicted(func(a *Answered) bool { return a == nil || !a.Shown && !a.Skipped }) != nil
}

// predicted returns the first prediction of this step about the stage for which
// something holds of what was done with it, which is nil for nothing.
func (s *Session) predicted(holds func(*Answered) bool) *lesson.Question {
	blocks := s.Blocks()
	for i := range blocks {
		if q := blocks[i].Question; q != nil && q.Predict && q.Scenario == s.Stage().Scenario && holds(s.answers[q.ID]) {
			return q
		}
	}
	return nil
}

// Unsaid stands where a secret is kept; it is "" where none is.
func (s *Session) Unsaid() string {
	switch {
	case s.Guessing() != nil:
		return "Predict first, or run without a guess."
	case s.Secret():
		return "The run answers when it gets there."
	}
	return ""
}

// Extent returns how long the run of a question is and how much is sent in it,
// which is what an axis needs; it is not ok while the run is not there.
func (s *Session) Extent(q *lesson.Question) (end event.Time, sent int, ok bool) {
	own := s.room(q.Scenario).ownRun()
	if own == nil {
		return 0, 0, false
	}
	return own.Outcome.EndedAt, own.Outcome.Sent, true
}

// Chip returns how a message of the stage's scenario is recognised in a text,
// and whether there is such a message.
func (s *Session) Chip(id string) (Chip, bool) {
	r := s.room(s.Stage().Scenario)
	own := r.ownRun()
	if own == nil {
		r.wanted = true
		return Chip{Number: id}, false
	}
	for m := range own.Log.MessageCount() {
		if c := ChipOf(own.Log, event.MessageRef(m)); c.Number == id {
			return c, true
		}
	}
	return Chip{Number: id}, false
}

// Ordered returns what a question of order puts in order, as it was drafted:
// ids of messages, or numbers of choices. It begins shuffled.
func (s *Session) Ordered(q *lesson.Question) []string {
	a := s.Answered(q)
	if len(a.Given.Order) > 0 {
		return a.Given.Order
	}
	right, _ := s.Answer(q)
	if right == nil {
		return nil
	}
	a.Given.Order = q.Mixed(right, s.seed())
	return a.Given.Order
}

// Move moves one of what is put in order to another place.
func (s *Session) Move(q *lesson.Question, from, to int) {
	order := s.Ordered(q)
	if from < 0 || from >= len(order) || to < 0 || to >= len(order) || from == to {
		return
	}
	s.Draft(q, func(g *lesson.Given) {
		moved := slices.Clone(order)
		one := moved[from]
		moved = slices.Delete(moved, from, from+1)
		g.Order = slices.Insert(moved, to, one)
	})
}

// Choices returns the indexes of a question's choices in the order in which
// they are shown.
func (s *Session) Choices(q *lesson.Question) []int { return q.Shuffled(s.seed()) }

// seed is what the choices of a lesson are shuffled with: the same for every
// reader, so that a class looks at the same page.
func (s *Session) seed() uint64 { return uint64(len(s.lesson.Slug)) }

// HandlerOf returns the handler that a question of a line is about.
func (s *Session) HandlerOf(q *lesson.Question) []Line {
	own := s.room(q.Scenario).own
	if len(own.Workers) == 0 {
		return nil
	}
	return Lines(own.Workers[0].Handler)
}

// Attempt is how far a reader is with a challenge.
type Attempt struct {
	Solved bool
	Hints  int // how many are shown
	Tries  int // checks that were made
	Result *lesson.Trial
	Stale  bool // the scenario has changed since
	Fault  string
	Answer bool // the solution was asked for

	trial *lesson.Trial // the check that is under way
	of    int           // the player's revision that it is of
}

// Attempt returns how far the reader is with a challenge.
func (s *Session) Attempt(c *lesson.Challenge) *Attempt {
	a := s.attempts[c.ID]
	if a == nil {
		a = &Attempt{}
		s.attempts[c.ID] = a
	}
	a.Stale = a.Result != nil && a.of != s.player(c.Scenario).edited
	return a
}

// Check begins to hold the scenario, as it is now, against the goal on all
// seeds. Work goes on with it.
func (s *Session) Check(c *lesson.Challenge) {
	a := s.Attempt(c)
	if a.trial != nil {
		return
	}
	s.revision++
	r := s.room(c.Scenario)
	p := s.player(c.Scenario)
	if problems := p.Problems(); len(problems) > 0 {
		a.Fault = "The scenario has a mistake: " + sentenceOf(problems[0].Text)
		return
	}
	attempt, _ := c.Attempt(r.own, p.Scenario())
	trial, err := c.Try(attempt)
	if err != nil {
		a.Fault = sentenceOf(err.Error())
		return
	}
	a.trial, a.of, a.Fault = trial, p.edited, ""
}

// Checking reports how many seeds of how many are done, while a check is under
// way.
func (a *Attempt) Checking() (done, of int, under bool) {
	if a.trial == nil {
		return 0, 0, false
	}
	return len(a.trial.Results), a.trial.Of(), true
}

// Checked returns how many seeds are done of the checks that are under way.
func (s *Session) Checked() int {
	n := 0
	for _, a := range s.attempts {
		done, _, _ := a.Checking()
		n += done
	}
	return n
}

// check goes on with a check.
func (s *Session) check(a *Attempt, over func() bool) bool {
	for n := 1; ; n = min(2*n, maxSlice) {
		more, err := a.trial.Step(n)
		switch {
		case err != nil:
			a.trial, a.Fault = nil, sentenceOf(err.Error())
			s.revision++
			return true
		case !more:
			a.Result, a.trial = a.trial, nil
			a.Tries++
			a.Solved = a.Solved || a.Result.Holds()
			s.revision++
			return true
		case over():
			return false
		}
	}
}

// Hint shows one hint more.
func (s *Session) Hint(c *lesson.Challenge) {
	a := s.Attempt(c)
	a.Hints = min(a.Hints+1, len(c.Hints))
	s.revision++
}

// OpenSeed puts the run of a seed on the stage, as an edit that can be undone.
func (s *Session) OpenSeed(c *lesson.Challenge, seed uint64) {
	p := s.player(c.Scenario)
	p.SetSeed(seed)
}

// Solve puts a challenge's solution in place, as an edit that can be undone.
func (s *Session) Solve(c *lesson.Challenge) {
	p := s.player(c.Scenario)
	s.Attempt(c).Answer = true
	s.revision++
	p.Edit("the solution", "solution", func(now *scenario.Scenario) scenario.Problems {
		for _, change := range c.Solution {
			if problems := scenario.Set(now, change.Path, change.Value); len(problems) > 0 {
				return problems
			}
		}
		return nil
	})
	p.Seal()
}

// sentenceOf makes an error a sentence.
func sentenceOf(text string) string {
	if text == "" {
		return ""
	}
	first := text[:1]
	if first[0] >= 'a' && first[0] <= 'z' {
		first = string(first[0] - 'a' + 'A')
	}
	text = first + text[1:]
	if end := text[len(text)-1]; end != '.' && end != '?' && end != '!' {
		text += "."
	}
	return text
}
