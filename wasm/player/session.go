package player

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/share"
)

// Session is an open lesson: which step is shown, the player of each of its
// scenarios, with what was edited there, and what was answered. Like a Player
// it is a value with updates.
type Session struct {
	lesson   *lesson.Lesson
	step     int
	rooms    []*room // by index of Lesson.Scenarios
	answers  map[string]*Answered
	attempts map[string]*Attempt
	entered  []bool // by step: it was shown
	done     []bool // by step: it is over, and stays so
	revision int
	apart    int    // of the revisions of other sessions
	words    *Words // nil for those that a player has by itself
}

// room is what belongs to one scenario.
type room struct {
	id      string
	own     *scenario.Scenario // as the lesson has it
	player  *Player            // nil until its stage is shown
	run     *run.Run           // of the lesson's own scenario
	wanted  bool               // something on the page needs that run
	running *run.Running       // that run on its way
	fault   string             // why there is no such run
}

// NewSession opens a lesson at its first step.
func NewSession(l *lesson.Lesson) *Session {
	s := &Session{lesson: l, answers: map[string]*Answered{}, attempts: map[string]*Attempt{}, entered: make([]bool, len(l.Steps)), done: make([]bool, len(l.Steps))}
	for i := range l.Scenarios {
		s.rooms = append(s.rooms, &room{id: l.Scenarios[i].ID, own: l.Scenarios[i].Scenario})
	}
	s.enter()
	return s
}

// Lesson returns what is open. It must not be changed.
func (s *Session) Lesson() *lesson.Lesson { return s.lesson }

// Step returns the index of the step that is shown.
func (s *Session) Step() int { return s.step }

// Blocks returns the blocks of the step that is shown.
func (s *Session) Blocks() []lesson.Block { return s.lesson.Steps[s.step].Blocks }

// Stage returns the stage that is shown.
func (s *Session) Stage() *lesson.Stage { return s.lesson.StageOf(s.step) }

// Revision changes with every step, answer and check.
func (s *Session) Revision() int { return s.revision }

// Player returns the player of the stage that is shown.
func (s *Session) Player() *Player {
	return s.player(s.Stage().Scenario)
}

func (s *Session) index(id string) int {
	return slices.IndexFunc(s.rooms, func(r *room) bool { return r.id == id })
}

// room returns that of a scenario. A lesson names only scenarios that it has.
func (s *Session) room(id string) *room { return s.rooms[s.index(id)] }

// player returns that of a scenario. Revisions of different players differ, so
// that whatever is kept of one is not taken for another's.
func (s *Session) player(id string) *Player {
	r := s.room(id)
	if r.player == nil {
		r.player = New(r.own)
		r.player.revision += s.apart + s.index(id)*roomApart
	}
	return r.player
}

// The distances between revisions of players, and of sessions.
const (
	roomApart    = 1 << 24
	sessionApart = 1 << 32
)

// standApart keeps the revisions of the nth session on a page from those of
// the others.
func (s *Session) standApart(n int) {
	s.apart = n * sessionApart
	s.revision += s.apart
	for _, r := range s.rooms {
		if r.player != nil {
			r.player.revision += s.apart
		}
	}
}

// SetWords has all stages of the lesson speak in these words.
func (s *Session) SetWords(w *Words) {
	s.words = w
	s.Player().SetWords(w)
}

// Go shows another step. The player that is left stands still.
func (s *Session) Go(step int) {
	if step < 0 || step >= len(s.lesson.Steps) || step == s.step {
		return
	}
	s.Player().Pause()
	s.step = step
	s.enter()
}

// enter is called when a step has come.
func (s *Session) enter() {
	s.revision++
	s.entered[s.step] = true
	p := s.Player()
	p.SetStops(s.stops(s.Stage()))
	if s.words != nil {
		p.SetWords(s.words)
	}
	p.unlocks = s.unlocks()
	if c := s.challenge(); c != nil {
		if _, whole := c.Attempt(s.room(c.Scenario).own, p.Scenario()); !whole {
			p.Reset()
			p.Seal()
		}
	}
	s.Want(s.step)
}

// stops returns how the author's stops are found in a run of the stage: those
// that do not happen in it are not there.
func (s *Session) stops(stage *lesson.Stage) func(*run.Run) []Stop {
	return func(r *run.Run) []Stop {
		var all []Stop
		for i := range stage.Stops {
			if at, err := stage.Stops[i].Moment.Find(r.Log); err == nil && at >= 0 {
				all = append(all, Stop{Event: at, Text: stage.Stops[i].Text})
			}
		}
		return all
	}
}

// unlocks returns what a reader may change here: what the stage unlocks, or
// what the challenge on it does.
func (s *Session) unlocks() *lesson.Stage {
	stage := *s.Stage()
	if c := s.challenge(); c != nil {
		stage.Unlock = c.Unlock
	}
	return &stage
}

// challenge returns the step's challenge that is about the stage's scenario.
func (s *Session) challenge() *lesson.Challenge {
	for _, b := range s.Blocks() {
		if b.Challenge != nil && b.Challenge.Scenario == s.Stage().Scenario {
			return b.Challenge
		}
	}
	return nil
}

// Want has the runs computed that a step needs.
func (s *Session) Want(step int) {
	for _, b := range s.lesson.Steps[step].Blocks {
		if b.Question != nil && b.Question.Scenario != "" {
			s.room(b.Question.Scenario).wanted = true
			s.wantIn(&b.Question.Ask)
			s.wantIn(b.Question.Why)
			for i := range b.Question.Choices {
				s.wantIn(b.Question.Choices[i].Because)
			}
		}
		s.wantIn(b.Prose)
	}
}

func (s *Session) wantIn(n *lesson.Node) {
	if n == nil {
		return
	}
	if n.Run != nil {
		s.room(n.Run.Scenario).wanted = true
	}
	for i := range n.Kids {
		s.wantIn(&n.Kids[i])
	}
}

// Working reports whether anything is being computed besides the run of the
// stage.
func (s *Session) Working() bool {
	for _, r := range s.rooms {
		if r.pending() {
			return true
		}
	}
	for _, a := range s.attempts {
		if a.trial != nil {
			return true
		}
	}
	return false
}

// pending reports whether a run is wanted and can be had.
func (r *room) pending() bool { return r.wanted && r.ownRun() == nil && r.fault == "" }

// ownRun returns the run of the lesson's own scenario, or nil.
func (r *room) ownRun() *run.Run {
	if r.run == nil && r.player != nil {
		r.run = r.player.edits[0].run
	}
	return r.run
}

// Work computes on until nothing is left or over says that the time is up, and
// reports whether nothing is left.
func (s *Session) Work(over func() bool) bool {
	if !s.Player().Work(over) {
		return false
	}
	for _, r := range s.rooms {
		if r.pending() && !s.compute(r, over) {
			return false
		}
	}
	for _, a := range s.attempts {
		if a.trial != nil && !s.check(a, over) {
			return false
		}
	}
	return true
}

// compute goes on with the run of the lesson's own scenario.
func (s *Session) compute(r *room, over func() bool) bool {
	if r.running == nil {
		running, err := run.Start(r.own)
		if err != nil {
			r.fault = err.Error()
			return true
		}
		r.running = running
	}
	for n := 1; r.running.Step(n); n = min(2*n, maxSlice) {
		if over() {
			return false
		}
	}
	r.run, r.running = r.running.Finish(), nil
	s.revision++
	return true
}

// Figure returns what a run gives, "…" while it is not there.
func (s *Session) Figure(f *lesson.Figure) string {
	const coming = "…"
	r := s.room(f.Scenario)
	of := r.ownRun()
	if f.Live && r.player != nil {
		if of = r.player.Run(); r.player.shown != r.player.edits[r.player.at] {
			return coming
		}
	}
	if of == nil {
		r.wanted = true
		return coming
	}
	text, err := f.Text(of.Outcome)
	if err != nil {
		return err.Error()
	}
	return text
}

// Address returns edits, moment and step as the fragment of an address.
func (s *Session) Address() string {
	address := s.Player().Address()
	if s.step == 0 {
		return address
	}
	if address == "" {
		address = share.VersionKey + "=" + share.Version
	}
	return address + "&step=" + strconv.Itoa(s.step+1)
}

// Open shows the step that a fragment names: step=3 among the rest of an
// address, or step-3, as the page without the program has it.
func (s *Session) Open(fragment string) {
	fragment = strings.TrimPrefix(fragment, "#")
	name := strings.TrimPrefix(fragment, "step-")
	if name == fragment {
		v, err := url.ParseQuery(fragment)
		if err != nil || len(fragment) > share.MaxPacked {
			return
		}
		name = v.Get("step")
	}
	if n, err := strconv.Atoi(name); err == nil {
		s.Go(n - 1)
	}
}

// eventOf finds a moment in the run on the stage; -1 when it does not happen.
func (s *Session) eventOf(m lesson.Moment, p *Player) int {
	if p.Run() == nil {
		return -1
	}
	at, err := m.Find(p.Run().Log)
	if err != nil {
		return -1
	}
	return at
}

// Show puts the playhead after a moment of the lesson's own run, on the stage
// that is shown, and reports whether it could. What was edited is taken back,
// which can be undone.
func (s *Session) Show(m lesson.Moment, id string) bool {
	if id != s.Stage().Scenario {
		return false
	}
	p := s.Player()
	p.Pause()
	s.own(p)
	p.Work(func() bool { return false })
	at := s.eventOf(m, p)
	if at < 0 {
		p.Restart()
		return false
	}
	p.GoTo(at)
	p.Follow(p.Run().Log.Event(at).Message)
	return true
}

// own takes edits back, if there are any.
func (s *Session) own(p *Player) {
	if p.at > 0 && p.Scenario() != p.Original() && string(p.Scenario().EncodeJSON()) != string(p.Original().EncodeJSON()) {
		p.Reset()
		p.Seal()
	}
}

// kept is what of a session outlives the page. The course map reads At and
// Done, and may add to Done what comes from another device.
type kept struct {
	Version int                  `json:"v"`
	At      int                  `json:"at,omitempty"`   // the step that was shown last, from 1
	Done    []int                `json:"done,omitempty"` // the steps that are over, from 1
	Answers map[string]*Answered `json:"answers,omitempty"`
	Solved  []string             `json:"solved,omitempty"`
}

// over reports whether nothing is left to do in a step: its predictions are
// made or skipped, its questions answered, its challenge solved. One without
// any of these is over when the next one is shown.
func (s *Session) over(step int) bool {
	asked := false
	for _, b := range s.lesson.Steps[step].Blocks {
		switch {
		case b.Question != nil && !s.settled(b.Question):
			return false
		case b.Challenge != nil:
			if a := s.attempts[b.Challenge.ID]; a == nil || !a.Solved && !a.Answer {
				return false
			}
		}
		asked = asked || b.Question != nil || b.Challenge != nil
	}
	next := min(step+1, len(s.entered)-1)
	return s.entered[step] && (asked || s.entered[next])
}

func (s *Session) settled(q *lesson.Question) bool {
	a := s.answers[q.ID]
	if a == nil || q.Predict {
		return a != nil && (a.Committed || a.Skipped)
	}
	v := s.Verdict(q)
	return a.Shown || v != nil && v.Right
}

// Keep returns what is to be kept of the session, as text.
func (s *Session) Keep() string {
	k := kept{Version: 1, At: s.step + 1, Answers: map[string]*Answered{}}
	for i := range s.done {
		if s.done[i] = s.done[i] || s.over(i); s.done[i] {
			k.Done = append(k.Done, i+1)
		}
	}
	for id, a := range s.answers {
		if a.Committed || a.Skipped {
			k.Answers[id] = a
		}
	}
	for _, c := range s.challenges() {
		if a := s.attempts[c.ID]; a != nil && a.Solved {
			k.Solved = append(k.Solved, c.ID)
		}
	}
	text, err := json.Marshal(k)
	if err != nil {
		return ""
	}
	return string(text)
}

// Over reports whether every step is over, as of the last Keep.
func (s *Session) Over() bool { return !slices.Contains(s.done, false) }

// Restore takes up what was kept. What it does not understand, it leaves out.
func (s *Session) Restore(text string) {
	var k kept
	if json.Unmarshal([]byte(text), &k) != nil || k.Version != 1 {
		return
	}
	for i := range s.lesson.Steps {
		s.done[i] = s.done[i] || slices.Contains(k.Done, i+1)
		for _, b := range s.lesson.Steps[i].Blocks {
			if q := b.Question; q != nil && k.Answers[q.ID] != nil {
				s.answers[q.ID] = k.Answers[q.ID]
			}
		}
	}
	for _, c := range s.challenges() {
		if slices.Contains(k.Solved, c.ID) {
			s.Attempt(c).Solved = true
		}
	}
	s.revision++
}

// challenges returns those of all steps.
func (s *Session) challenges() []*lesson.Challenge {
	var all []*lesson.Challenge
	for i := range s.lesson.Steps {
		for _, b := range s.lesson.Steps[i].Blocks {
			if b.Challenge != nil {
				all = append(all, b.Challenge)
			}
		}
	}
	return all
}
