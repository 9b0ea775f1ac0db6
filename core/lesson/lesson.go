// Package lesson is a lesson as the page is given it: steps of prose, stages,
// questions and challenges over a few scenarios, as one JSON value. It says
// how moments of a run are named and found, and how answers are computed from
// runs and held against what a reader gave. It never holds the value of an
// answer that a run can give.
//
// Start reading at Lesson; moment.go has the moments, question.go the
// questions, answer.go and grade.go what is right, challenge.go the
// challenges. How a lesson is written is the matter of package lessons.
package lesson

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/spelling"
)

// Format is the version of the form that this package reads and writes.
const Format = 1

// Levels are how far into the subject a lesson is.
var Levels = []string{"start", "next", "deep"}

// Panels are the parts beside the stage that a stage can ask to be shown.
var Panels = []string{"code", "settings", "charts", "lanes", "transcript", "outcome"}

// Unlocked is what a stage unlocks when it unlocks everything, and Handler
// the handlers of its workers.
const (
	Unlocked = "all"
	Handler  = "handler"
)

// Lesson is one lesson.
type Lesson struct {
	Format     int        `json:"format"`
	Slug       string     `json:"slug"`
	Title      string     `json:"title"`
	Minutes    int        `json:"minutes"`
	Level      string     `json:"level"`
	Needs      []string   `json:"needs,omitempty"`
	Objectives []string   `json:"objectives,omitempty"`
	NotHere    []string   `json:"not_here,omitempty"`
	Scenarios  []Scenario `json:"scenarios"`
	Steps      []Step     `json:"steps"`
}

// Scenario is a scenario of the lesson.
type Scenario struct {
	ID string
	*scenario.Scenario
}

// Step is what the page shows at once.
type Step struct {
	Title  string  `json:"title"`
	Blocks []Block `json:"blocks"`
}

// Block is one of its four.
type Block struct {
	Prose     *Node      `json:"prose,omitempty"`
	Stage     *Stage     `json:"stage,omitempty"`
	Question  *Question  `json:"question,omitempty"`
	Challenge *Challenge `json:"challenge,omitempty"`
}

// Stage puts a scenario on the stage.
type Stage struct {
	Scenario string   `json:"scenario"`
	Unlock   []string `json:"unlock,omitempty"` // paths of settings; Handler; Unlocked
	Show     []string `json:"show,omitempty"`   // of Panels; none is all of them
	Stops    []Stop   `json:"stops,omitempty"`
}

// Stop is where play halts, and what is said there.
type Stop struct {
	Moment Moment `json:"at"`
	Text   string `json:"text"`
}

// ScenarioOf returns the scenario with that id, or nil.
func (l *Lesson) ScenarioOf(id string) *scenario.Scenario {
	for _, s := range l.Scenarios {
		if s.ID == id {
			return s.Scenario
		}
	}
	return nil
}

// StageOf returns the stage of step i: its own, or that of the last step
// before it that has one; nil when none has.
func (l *Lesson) StageOf(i int) *Stage {
	for ; i >= 0; i-- {
		if s := l.Steps[i].Stage(); s != nil {
			return s
		}
	}
	return nil
}

// Stage returns the stage that the step has of its own, or nil.
func (s *Step) Stage() *Stage {
	for i := range s.Blocks {
		if s.Blocks[i].Stage != nil {
			return s.Blocks[i].Stage
		}
	}
	return nil
}

// Of returns a lesson of one step that is a stage with everything unlocked.
func Of(s *scenario.Scenario) *Lesson {
	const id = "it"
	title := s.Title
	if title == "" {
		title = "A scenario"
	}
	return &Lesson{
		Format: Format, Title: title, Scenarios: []Scenario{{ID: id, Scenario: s}},
		Steps: []Step{{Title: title, Blocks: []Block{{Stage: &Stage{Scenario: id, Unlock: []string{Unlocked}}}}}},
	}
}

// scenarioForm is how a scenario stands in JSON.
type scenarioForm struct {
	ID       string          `json:"id"`
	Scenario json.RawMessage `json:"scenario"`
}

// MarshalJSON writes the id and the whole scenario.
func (s Scenario) MarshalJSON() ([]byte, error) {
	return json.Marshal(scenarioForm{s.ID, s.Scenario.EncodeJSON()})
}

// UnmarshalJSON reads a scenario as strictly as any other.
func (s *Scenario) UnmarshalJSON(text []byte) error {
	var form scenarioForm
	if err := json.Unmarshal(text, &form); err != nil {
		return err
	}
	decoded, problems := scenario.DecodeJSON(form.Scenario)
	if len(problems) > 0 {
		return fmt.Errorf("scenario %s: %w", form.ID, problems)
	}
	s.ID, s.Scenario = form.ID, decoded
	return nil
}

// EncodeJSON writes the lesson as the page is given it.
func (l *Lesson) EncodeJSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(l); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(out.Bytes()), nil
}

// DecodeJSON reads a lesson and checks it.
func DecodeJSON(text []byte) (*Lesson, error) {
	if len(text) > MaxBytes {
		return nil, fmt.Errorf("this lesson has %d bytes, at most %d can be opened", len(text), MaxBytes)
	}
	var l Lesson
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&l); err != nil {
		return nil, fmt.Errorf("this is not a lesson: %w", err)
	}
	if l.Format != Format {
		return nil, fmt.Errorf("this lesson has format %d, this page reads format %d: build the page again", l.Format, Format)
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return &l, nil
}

// MaxBytes bounds a lesson that is read.
const MaxBytes = 4 << 20

// check holds what the other functions rely on. A question or a challenge that
// cannot be asked says so itself, where it stands; Question.Check and
// Challenge.Check are for whoever writes one.
func (l *Lesson) check() error {
	if len(l.Steps) == 0 {
		return fmt.Errorf("this lesson has no steps: it needs at least one, with a stage")
	}
	if l.Steps[0].Stage() == nil {
		return fmt.Errorf("the first step has no stage: a lesson opens with something to see")
	}
	for i := range l.Steps {
		for _, b := range l.Steps[i].Blocks {
			if err := l.checkBlock(b); err != nil {
				return fmt.Errorf("step %d: %w", i+1, err)
			}
		}
	}
	return nil
}

func (l *Lesson) checkBlock(b Block) error {
	switch {
	case b.Prose != nil:
		return l.checkProse(b.Prose)
	case b.Stage != nil:
		return l.CheckScenario(b.Stage.Scenario)
	case b.Question != nil && b.Question.Scenario != "":
		return l.CheckScenario(b.Question.Scenario)
	case b.Challenge != nil:
		return l.CheckScenario(b.Challenge.Scenario)
	case b.Question != nil:
		return nil
	}
	return fmt.Errorf("a block is empty: it is prose, a stage, a question or a challenge")
}

func (l *Lesson) checkProse(n *Node) error {
	if !n.Known() {
		return fmt.Errorf("prose has no <%s>", n.Tag)
	}
	if n.Run != nil {
		return l.CheckScenario(n.Run.Scenario)
	}
	for i := range n.Kids {
		if err := l.checkProse(&n.Kids[i]); err != nil {
			return err
		}
	}
	return nil
}

// CheckScenario reports an id that no scenario of the lesson has.
func (l *Lesson) CheckScenario(id string) error {
	var ids []string
	for _, s := range l.Scenarios {
		ids = append(ids, s.ID)
	}
	if l.ScenarioOf(id) == nil {
		return fmt.Errorf("there is no scenario %q: %s", id, suggest(id, ids))
	}
	return nil
}

// Unlocks reports whether the stage lets a reader change that setting; of a
// handler it is asked by its path or as Handler.
func (s *Stage) Unlocks(path string) bool {
	for _, u := range s.Unlock {
		if u == Unlocked || u == path || u == Handler && isHandler(path) {
			return true
		}
	}
	return false
}

// Shows reports whether the stage shows that panel.
func (s *Stage) Shows(panel string) bool {
	for _, p := range s.Show {
		if p == panel {
			return true
		}
	}
	return len(s.Show) == 0
}

func isHandler(path string) bool {
	return path == Handler || len(path) > len(Handler) && path[len(path)-len(Handler)-1:] == "."+Handler
}

// suggest says what to write instead of an unknown name.
func suggest(name string, known []string) string {
	switch near := spelling.Nearest(name, known); {
	case near != "":
		return "did you mean " + near + "?"
	case len(known) == 0:
		return "there are none"
	}
	return "there are " + listed(known, "and")
}

// listed joins names as one says them: a, b and c.
func listed(names []string, last string) string {
	text := ""
	for i, name := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " " + last + " "
		default:
			text += ", "
		}
		text += name
	}
	return text
}

// EachNode visits all prose of the lesson, that of its questions and
// challenges as well, in its order; visit may change what it is given.
func (l *Lesson) EachNode(visit func(*Node)) {
	for i := range l.Steps {
		for _, b := range l.Steps[i].Blocks {
			b.Prose.each(visit)
			if q := b.Question; q != nil {
				q.eachNode(visit)
			}
			if c := b.Challenge; c != nil {
				c.Task.each(visit)
				for h := range c.Hints {
					c.Hints[h].each(visit)
				}
				c.Why.each(visit)
			}
		}
	}
}

func (q *Question) eachNode(visit func(*Node)) {
	q.Ask.each(visit)
	for i := range q.Choices {
		q.Choices[i].Say.each(visit)
		q.Choices[i].Because.each(visit)
	}
	q.Why.each(visit)
}

// each visits the node and all that is in it.
func (n *Node) each(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for i := range n.Kids {
		n.Kids[i].each(visit)
	}
}
