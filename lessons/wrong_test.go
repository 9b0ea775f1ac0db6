package lessons

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/run"
)

var update = flag.Bool("update", false, "rewrite what is said about the wrong lessons")

// TestWrongLessons reads testdata/wrong. Each file there is the right lesson
// with changes that make it wrong: it names the rules that find that, has the
// text that was and the text that is instead, files beside the lesson if need
// be, and what is said about it. Every rule is broken by one of them.
func TestWrongLessons(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.txtar")
	require.NoError(t, err)
	broken := map[string]bool{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			require.NoError(t, err)
			folder := shelfWith(t, a)
			said := saidAbout(t, folder)
			if *update {
				a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" })
				a.Files = append(a.Files, txtar.File{Name: "want", Data: []byte(said)})
				require.NoError(t, os.WriteFile(file, txtar.Format(a), 0o644))
			}
			assert.Equal(t, fileOf(a, "want"), said)
			for _, rule := range rulesOf(t, a) {
				assert.NotEmpty(t, rule.Find(draftIn(t, folder)), "the rule finds nothing: %s", rule.Name)
				broken[rule.Name] = true
			}
		})
	}
	for _, rule := range rules() {
		assert.True(t, broken[rule.Name], "no lesson of testdata/wrong breaks the rule: %s", rule.Name)
	}
}

func TestTheRightLessonIsRight(t *testing.T) {
	assert.Empty(t, saidAbout(t, shelfWith(t, &txtar.Archive{})))
}

func rules() []Rule { return slices.Concat(Checks, Ties, House, Proofs) }

// rulesOf are those that a file says it breaks.
func rulesOf(t *testing.T, a *txtar.Archive) (named []Rule) {
	for _, line := range strings.Split(string(a.Comment), "\n") {
		name, ok := strings.CutPrefix(line, "breaks: ")
		if !ok {
			continue
		}
		i := slices.IndexFunc(rules(), func(r Rule) bool { return r.Name == name })
		require.GreaterOrEqual(t, i, 0, "there is no rule %q", name)
		named = append(named, rules()[i])
	}
	return named
}

func fileOf(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}

// shelfWith writes a shelf with the right lesson, changed as the archive says.
func shelfWith(t *testing.T, a *txtar.Archive) string {
	folder := t.TempDir()
	put := func(name string, data []byte) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, data, 0o644))
	}
	source, err := os.ReadFile("testdata/right/lesson.md")
	require.NoError(t, err)
	picture, err := os.ReadFile("testdata/right/cook.svg")
	require.NoError(t, err)
	text, was := string(source), ""
	put("small/cook.svg", picture)
	put(GlossaryFile, []byte("## Ack\nDone.\n"))
	for _, f := range a.Files {
		switch f.Name {
		case "was":
			was = strings.TrimSuffix(string(f.Data), "\n")
		case "is":
			require.Equal(t, 1, strings.Count(text, was), "once in the right lesson: %s", was)
			text = strings.Replace(text, was, strings.TrimSuffix(string(f.Data), "\n"), 1)
		case "want":
		default:
			put(f.Name, f.Data)
		}
	}
	put("small/lesson.md", []byte(text))
	return folder
}

// saidAbout is all that is said about the lesson of the shelf.
func saidAbout(t *testing.T, folder string) string {
	s, err := OpenShelf(folder)
	require.NoError(t, err)
	if err := s.Prove("small"); err != nil {
		return strings.ReplaceAll(err.Error(), s.Folder+"/small/", "") + "\n"
	}
	return ""
}

// draftIn is the lesson of the shelf as a rule gets it.
func draftIn(t *testing.T, folder string) *draft {
	s, err := OpenShelf(folder)
	require.NoError(t, err)
	source, err := os.ReadFile(filepath.Join(folder, "small", File))
	require.NoError(t, err)
	d, _ := read(source, "small")
	d.shelf, d.runs = s, runs{}
	for _, own := range d.lesson.Scenarios {
		if r, err := run.Do(own.Scenario); err == nil {
			d.runs[own.ID] = r
		}
	}
	return d
}
