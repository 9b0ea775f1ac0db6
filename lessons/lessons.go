// Package lessons reads lessons: Markdown files with front matter and with
// scenarios, stages, questions and challenges in fenced blocks, and makes of
// them what the page is given. Whatever is wrong is said with its place and
// with what to write instead. It runs only in the terminal: the page gets
// core/lesson's JSON.
//
// Start reading at Read; form.go has the blocks, prose.go the text between
// them, checks.go what is looked at when all is read, and proofs.go what only
// running the scenarios can show.
package lessons

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// File is the name of a lesson in its folder.
const File = "lesson.md"

// Open reads the lesson of a folder, whose name is its slug. The error is a
// *Faults when it is the lesson that is wrong.
func Open(folder string) (*lesson.Lesson, error) {
	file := filepath.Join(folder, File)
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	l, problems := Read(source, filepath.Base(folder))
	if len(problems) > 0 {
		return nil, &Faults{File: file, Problems: problems}
	}
	return l, nil
}

// Folders returns the folders below root that have a lesson, in alphabetical
// order.
func Folders(root string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(root, "*", File))
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, file := range files {
		folders = append(folders, filepath.Dir(file))
	}
	slices.Sort(folders)
	return folders, nil
}

// Faults are the problems of a lesson's file.
type Faults struct {
	File     string
	Problems scenario.Problems
	Unproven bool // the page can show it, but it is not as it should be
}

// Error returns file:line:column: text for each problem.
func (f *Faults) Error() string {
	lines := make([]string, len(f.Problems))
	for i, p := range f.Problems {
		lines[i] = f.File + ":" + p.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns the problems.
func (f *Faults) Unwrap() error { return f.Problems }

// Read reads a lesson. It returns either a lesson that the page can show or
// everything that is wrong with the text, in its order.
func Read(source []byte, slug string) (*lesson.Lesson, scenario.Problems) {
	d, problems := read(source, slug)
	if len(problems) > 0 {
		return nil, problems
	}
	return d.lesson, nil
}

// draft is a lesson with all that the rules look at.
type draft struct {
	lesson   *lesson.Lesson
	front    form      // the front matter
	steps    []place   // of the headings
	mentions []mention // in the order of the file
	shelf    *Shelf    // what lies beside it; nil when that does not matter
	runs     runs      // of the scenarios; nil until they are proved
	begun    bool      // it has front matter: without, nothing else is looked at
}

// read returns a lesson with where everything stands, as far as it can be
// read.
func read(source []byte, slug string) (*draft, scenario.Problems) {
	r := &reader{source: source, lesson: &lesson.Lesson{Slug: slug}}
	front, body := r.front()
	d := &draft{lesson: r.lesson, front: front, begun: body != nil}
	if d.begun {
		r.body(body)
		d.steps, d.mentions = r.steps, r.mentions
		r.problems = append(r.problems, d.sound(r.problems).find(Checks)...)
	}
	return d, inOrder(r.problems)
}

// sound returns the draft without the mentions in which problems were found
// already: one mistake is said once.
func (d *draft) sound(problems scenario.Problems) *draft {
	kept := *d
	kept.mentions = nil
	for _, m := range d.mentions {
		if !slices.ContainsFunc(problems, func(p scenario.Problem) bool { return p.Line >= m.line && p.Line <= max(m.line, m.end) }) {
			kept.mentions = append(kept.mentions, m)
		}
	}
	return &kept
}

func inOrder(problems scenario.Problems) scenario.Problems {
	slices.SortStableFunc(problems, func(a, b scenario.Problem) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return problems
}

// reader is a lesson that is being read.
type reader struct {
	source   []byte
	lesson   *lesson.Lesson
	step     int     // the index of the step that is being read
	steps    []place // of the headings so far
	aside    bool    // what is read now is seen only by some readers
	mentions []mention
	problems scenario.Problems
}

// mention is something that the checks look at, with its place and its step.
type mention struct {
	place
	end       int // the last line of a block; 0 for what stands on one line
	step      int
	prose     *prose
	of        *lesson.Question // to which the prose belongs; nil for that of a step
	scenario  *lesson.Scenario
	set       string
	figure    *lesson.Figure
	link      string
	image     *lesson.Node
	stage     *lesson.Stage
	question  *lesson.Question
	challenge *lesson.Challenge
	moment    *lesson.Moment
	in        string // the scenario in whose run the moment is
	form      form   // the fields of a question or a challenge
}

// field is where a field of a question or a challenge stands, or the block when
// it has none.
func (m *mention) field(name string) place {
	if m.form.node != nil && m.form.has(name) {
		return m.form.placeOf(name)
	}
	return m.place
}

// choice is where the choice with that index stands.
func (m *mention) choice(i int) place {
	if items := m.form.items("choices"); i < len(items) {
		return place{items[i].Line, items[i].Column}
	}
	return m.place
}

func (r *reader) mention(at place, m mention) {
	m.place, m.step = at, r.step
	r.mentions = append(r.mentions, m)
}

func (r *reader) problem(at place, format string, args ...any) {
	const enough = 100
	if len(r.problems) < enough {
		r.problems = append(r.problems, at.problem(fmt.Sprintf(format, args...)))
	}
}

// front reads the front matter and returns the rest of the file, with empty
// lines in the place of what has been read.
func (r *reader) front() (form, []byte) {
	const fence = "---\n"
	r.source = bytes.ReplaceAll(r.source, []byte("\r\n"), []byte("\n"))
	text := string(r.source)
	end := strings.Index(text, "\n"+fence)
	if !strings.HasPrefix(text, fence) || end < 0 {
		r.problem(place{1, 1}, "the front matter is missing: begin the file with a line ---, then format: 1, title and the rest, then another ---")
		return form{r: r, at: place{1, 1}, node: &scenario.Node{}}, nil
	}
	end += len("\n" + fence)
	head := "\n" + text[len(fence):end-len(fence)]
	f := r.form([]byte(head), place{1, 1}, "the front matter", frontForm)
	r.lesson.Format = f.whole("format")
	r.lesson.Title = f.text("title")
	r.lesson.Minutes = f.whole("minutes")
	r.lesson.Level = f.text("level")
	r.lesson.Needs = f.texts("needs")
	r.lesson.Objectives = f.texts("objectives")
	r.lesson.NotHere = f.texts("not_here")
	f.check("format", r.lesson.Format == lesson.Format, "only format %d is known: write format: %d", lesson.Format, lesson.Format)
	f.check("minutes", r.lesson.Minutes >= shortest && r.lesson.Minutes <= longest, "a lesson takes %d to %d minutes", shortest, longest)
	f.check("level", slices.Contains(lesson.Levels, r.lesson.Level), "the level is one of %s", strings.Join(lesson.Levels, ", "))
	return f, append(bytes.Repeat([]byte("\n"), strings.Count(text[:end], "\n")), text[end:]...)
}

// body reads what follows the front matter.
func (r *reader) body(body []byte) {
	r.source = body
	root := parser.Parse(text.NewReader(body))
	r.begin(r.lesson.Title, place{1, 1})
	var prose []lesson.Node
	flush := func() {
		if len(prose) > 0 {
			r.add(lesson.Block{Prose: &lesson.Node{Tag: "div", Kids: prose}})
			prose = nil
		}
	}
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if n.Level == 2 {
				flush()
				r.heading(n)
				continue
			}
			if n.Level == 1 {
				r.problem(r.at(n), "the title stands in the front matter: write ## for the steps of a lesson")
			}
		case *ast.FencedCodeBlock:
			if slices.Contains(blockNames, nameOf(n, body)) {
				flush()
				r.fence(n)
				continue
			}
			if name := nameOf(n, body); name != "" && !slices.Contains(languages, name) {
				r.problem(r.at(n), "%q is not a block of a lesson: %s; for a listing write ```python, ```yaml or ```text",
					name, instead(name, blockNames))
			}
		}
		prose = append(prose, r.block(n)...)
	}
	flush()
	if len(r.lesson.Steps) > 1 && len(r.lesson.Steps[0].Blocks) == 0 {
		r.lesson.Steps, r.steps = r.lesson.Steps[1:], r.steps[1:] // nothing stands before the first heading
		for i := range r.mentions {
			r.mentions[i].step--
		}
	}
}

// languages are those of listings.
var languages = []string{"text", "python", "yaml", "json", "go", "sh"}

// begin begins a step.
func (r *reader) begin(title string, at place) {
	r.lesson.Steps = append(r.lesson.Steps, lesson.Step{Title: title})
	r.steps = append(r.steps, at)
	r.step = len(r.lesson.Steps) - 1
}

func (r *reader) add(b lesson.Block) {
	step := &r.lesson.Steps[r.step]
	step.Blocks = append(step.Blocks, b)
}

func (r *reader) heading(n *ast.Heading) {
	title := lesson.Node{Kids: r.inlines(n)}
	text := title.Plain(nil)
	if text == "" {
		r.problem(r.at(n), "a step has no title: write it after ##")
	}
	r.begin(text, r.at(n))
}

// scenario reads a block with a scenario.
func (r *reader) scenario(b Block) {
	r.only(b, "id")
	at := place{b.Line, 1}
	s, problems := scenarioyaml.Decode(b.Source, run.Check)
	r.problems = append(r.problems, problems...)
	switch {
	case b.ID == "":
		r.problem(at, "a scenario has an id, by which stages and questions name it: write ```scenario id=crash")
		return
	case r.lesson.ScenarioOf(b.ID) != nil:
		r.problem(at, "there are two scenarios with the id %s: give one of them another", b.ID)
		return
	}
	if s == nil {
		s = &scenario.Scenario{} // its id is known: what names it is not wrong as well
	}
	r.lesson.Scenarios = append(r.lesson.Scenarios, lesson.Scenario{ID: b.ID, Scenario: s})
	r.mention(at, mention{end: b.end(), scenario: &lesson.Scenario{ID: b.ID, Scenario: s}})
}
