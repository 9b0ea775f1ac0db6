package lessons

import (
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/spelling"
)

// Shelf is a folder of lessons with their glossary: what a lesson's links lead
// to.
type Shelf struct {
	Folder string
	Words  []Word
	Faults []*Faults        // of its glossary and its coverage
	books  map[string]*book // by slug
	course []string         // what Course returns
}

// book is what others need to know of a lesson, even of one that has mistakes.
type book struct {
	anchors []string // of its steps
	needs   []string
}

// OpenShelf looks at all lessons of a folder. A lesson with mistakes is on the
// shelf as far as it could be read.
func OpenShelf(folder string) (*Shelf, error) {
	s := &Shelf{Folder: folder, books: map[string]*book{}}
	folders, err := Folders(folder)
	if err != nil {
		return nil, err
	}
	for _, f := range folders {
		source, err := os.ReadFile(filepath.Join(f, File))
		if err != nil {
			return nil, err
		}
		d, _ := read(source, filepath.Base(f))
		s.Put(d.lesson)
	}
	return s, s.around()
}

// Put puts a lesson on the shelf, in the place of the one with its slug.
func (s *Shelf) Put(l *lesson.Lesson) {
	s.books[l.Slug] = &book{anchors: anchors(l), needs: l.Needs}
}

// around reads what lies on the shelf besides lessons.
func (s *Shelf) around() error {
	text, err := os.ReadFile(filepath.Join(s.Folder, CourseFile))
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	s.course = strings.Fields(string(text))
	for name, read := range map[string]func([]byte) scenario.Problems{
		GlossaryFile: func(source []byte) (problems scenario.Problems) {
			s.Words, problems = ReadGlossary(source)
			return problems
		},
		CoverageFile: s.coverage,
	} {
		file := filepath.Join(s.Folder, name)
		source, err := os.ReadFile(file)
		switch {
		case os.IsNotExist(err):
			continue
		case err != nil:
			return err
		}
		if problems := read(source); len(problems) > 0 {
			s.Faults = append(s.Faults, &Faults{File: file, Problems: inOrder(problems), Unproven: true})
		}
	}
	slices.SortFunc(s.Faults, func(a, b *Faults) int { return strings.Compare(a.File, b.File) })
	return nil
}

// CoverageFile is where a course says which lesson carries which part of its
// sources.
const CoverageFile = "COVERAGE.md"

// covers is what carries a part of the sources: a link to a lesson, or to a
// step of it.
var covers = regexp.MustCompile(`\]\(([^)]*)\)`)

// coverage follows the links in the last column of the tables.
func (s *Shelf) coverage(source []byte) (problems scenario.Problems) {
	body := false
	for i, line := range strings.Split(string(source), "\n") {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		last := cells[len(cells)-1]
		switch {
		case !strings.HasPrefix(line, "|"):
			body = false
		case strings.Trim(last, "-: ") == "":
			body = true
		case body:
			if problem := s.carries(last); problem != "" {
				problems = append(problems, place{i + 1, 1}.problem(problem))
			}
		}
	}
	return problems
}

// carries reports what is wrong with the links of a cell.
func (s *Shelf) carries(cell string) string {
	links := covers.FindAllStringSubmatch(cell, -1)
	for _, link := range links {
		to, err := s.Resolve("", link[1])
		if err != nil {
			return err.Error()
		}
		if to.Lesson == "" {
			return link[1] + " is no lesson: write the one that carries this part"
		}
	}
	if len(links) == 0 {
		return "this row names no lesson: write the step that carries it as a link, such as [the price](ack-after-work/lesson.md#the-price)"
	}
	return ""
}

// CourseFile names the lessons of a course in the order in which they are
// read, a line each.
const CourseFile = "course.txt"

// Course returns the slugs that the shelf's course names, of lessons that are
// there and of others; none where there is no course.
func (s *Shelf) Course() []string { return s.course }

// slugs are those of the lessons on the shelf, in alphabetical order.
func (s *Shelf) slugs() []string {
	var all []string
	for slug := range s.books {
		all = append(all, slug)
	}
	slices.Sort(all)
	return all
}

// Target is where a link leads: to a step of a lesson, to a file beside a
// lesson, or to a word of the glossary. The zero value is elsewhere: another
// host's page.
type Target struct {
	Lesson   string // its slug
	Step     int    // its index
	File     string // in the folder of that lesson; "" for the lesson itself
	Glossary bool
	Word     string // the anchor of a word; "" for all of them
}

// Resolve says where a link in a lesson leads, or what is wrong with it and
// what to write instead.
func (s *Shelf) Resolve(slug, href string) (Target, error) {
	u, err := url.Parse(href)
	switch {
	case err != nil:
		return Target{}, fmt.Errorf("%s is no address: write ../other-lesson/lesson.md, ../GLOSSARY.md#word or https://example.com/", href)
	case u.Scheme == "https" || u.Scheme == "http" || u.Scheme == "mailto":
		return Target{}, nil
	case u.IsAbs() || u.Host != "" || path.IsAbs(u.Path):
		return Target{}, fmt.Errorf("%s works on one host only: write the way from this file, such as ../other-lesson/lesson.md", href)
	}
	way := path.Join(slug, u.Path)
	if u.Path == "" {
		way = path.Join(slug, File)
	}
	return s.resolve(slug, way, u.Fragment, href)
}

// resolve does it for a way from the shelf's folder.
func (s *Shelf) resolve(slug, way, anchor, href string) (Target, error) {
	folder, file := path.Split(way)
	folder = strings.TrimSuffix(folder, "/")
	other := s.books[folder]
	switch {
	case way == GlossaryFile:
		return s.word(anchor)
	case strings.HasPrefix(way, ".."):
		return Target{}, fmt.Errorf("%s leads out of the folder of the lessons, which is all that a site has: put the file beside the lesson", href)
	case folder == "" && (s.books[way] != nil || !strings.Contains(way, ".")):
		return Target{}, fmt.Errorf("%s is a folder: write ../%s/%s", href, way, File)
	case file == File && other == nil:
		return Target{}, fmt.Errorf("there is no lesson %q beside this one yet: %s", folder, noLesson(folder, s.slugs()))
	case file == File && anchor == "":
		return Target{Lesson: folder}, nil
	case file == File:
		step := slices.Index(other.anchors, anchor)
		if step < 0 {
			return Target{}, fmt.Errorf("the lesson %s has no step #%s: %s", folder, anchor, instead(anchor, other.anchors))
		}
		return Target{Lesson: folder, Step: step}, nil
	case folder != slug:
		return Target{}, fmt.Errorf("%s is not beside this lesson: put the file into its folder", href)
	}
	if info, err := os.Stat(filepath.Join(s.Folder, filepath.FromSlash(way))); err != nil || info.IsDir() {
		return Target{}, fmt.Errorf("there is no file %s in the lesson's folder", file)
	}
	return Target{Lesson: slug, File: file}, nil
}

func noLesson(slug string, known []string) string {
	const forNow = "write it, or leave the link out"
	if near := spelling.Nearest(slug, known); near != "" {
		return "did you mean " + near + "? Else " + forNow
	}
	return forNow
}

// word finds a word of the glossary.
func (s *Shelf) word(anchor string) (Target, error) {
	var known []string
	for _, w := range s.Words {
		known = append(known, w.Anchor)
	}
	if anchor != "" && !slices.Contains(known, anchor) {
		const add = "add ## and the word to " + GlossaryFile
		if near := spelling.Nearest(anchor, known); near != "" {
			return Target{}, fmt.Errorf("the glossary has no #%s: did you mean #%s? Else %s", anchor, near, add)
		}
		return Target{}, fmt.Errorf("the glossary has no #%s: %s", anchor, add)
	}
	return Target{Glossary: true, Word: anchor}, nil
}

// links follows all links and pictures, and what a lesson needs.
func links(d *draft) (problems scenario.Problems) {
	if d.shelf == nil {
		return nil
	}
	for _, m := range d.mentions {
		href := m.link
		if m.image != nil {
			href = m.image.Href
		}
		if href == "" {
			continue
		}
		to, err := d.shelf.Resolve(d.lesson.Slug, href)
		switch {
		case err != nil:
			problems = append(problems, m.problem(err.Error()))
		case m.image != nil && to.File == "":
			problems = append(problems, m.problem("a picture lies beside the lesson, so that the page works on its own: put the file into its folder and write ![what it shows](file)"))
		}
	}
	return problems
}

// Relink changes every link and picture of a lesson to what to says.
func Relink(l *lesson.Lesson, to func(href string) string) {
	l.EachNode(func(n *lesson.Node) {
		if n.Tag == "a" || n.Tag == "img" {
			n.Href = to(n.Href)
		}
	})
}

// Ties are what holds a lesson among the others of its shelf.
var Ties = []Rule{
	{"links lead somewhere, pictures are there", links},
	{"what a lesson needs is there, without a circle", needs},
}

// needs follows what a lesson needs, and what that needs.
func needs(d *draft) (problems scenario.Problems) {
	if d.shelf == nil {
		return nil
	}
	items := d.front.items("needs")
	for i, slug := range d.lesson.Needs {
		at := place{items[i].Line, items[i].Column}
		if d.shelf.books[slug] == nil {
			problems = append(problems, at.problem(fmt.Sprintf("there is no lesson %q beside this one yet: %s", slug, noLesson(slug, d.shelf.slugs()))))
		} else if way := d.shelf.way(slug, d.lesson.Slug, map[string]bool{}); way != nil {
			problems = append(problems, at.problem(fmt.Sprintf("%s needs itself, by %s: leave one of them out of needs", d.lesson.Slug, strings.Join(way, " and "))))
		}
	}
	return problems
}

// way returns the lessons by which one needs another, with both, or nil.
func (s *Shelf) way(from, to string, seen map[string]bool) []string {
	if from == to {
		return []string{to}
	}
	if s.books[from] == nil || seen[from] {
		return nil
	}
	seen[from] = true
	for _, next := range s.books[from].needs {
		if way := s.way(next, to, seen); way != nil {
			return append([]string{from}, way...)
		}
	}
	return nil
}
