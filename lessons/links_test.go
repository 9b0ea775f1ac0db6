package lessons

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// shelf is a folder with the small lesson twice, as here and as there.
func shelf(t *testing.T) *Shelf {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{
		"here/lesson.md": strings.Replace(small, "needs: [before]\n", "", 1), "here/picture.svg": "<svg/>",
		"there/lesson.md": strings.Replace(small, "## A *second* step", "## It's a *second* step", 1),
		GlossaryFile:      "# Words\n\n## Ack\nDone.\n\n## Dead-letter queue\nA tray.\n",
	} {
		file := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	s, err := OpenShelf(folder)
	require.NoError(t, err)
	return s
}

func TestResolve(t *testing.T) {
	s := shelf(t)
	for href, want := range map[string]Target{
		"https://example.com/a":                {},
		"mailto:asha@example.com":              {},
		"#a-second-step":                       {Lesson: "here", Step: 1},
		"lesson.md":                            {Lesson: "here"},
		"../there/lesson.md":                   {Lesson: "there"},
		"../there/lesson.md#its-a-second-step": {Lesson: "there", Step: 1},
		"../there/lesson.md#a-small-lesson":    {Lesson: "there"},
		"../GLOSSARY.md":                       {Glossary: true},
		"../GLOSSARY.md#dead-letter-queue":     {Glossary: true, Word: "dead-letter-queue"},
		"picture.svg":                          {Lesson: "here", File: "picture.svg"},
	} {
		got, err := s.Resolve("here", href)
		assert.NoError(t, err, href)
		assert.Equal(t, want, got, href)
	}
}

func TestLinksThatLeadNowhere(t *testing.T) {
	s := shelf(t)
	for href, want := range map[string]string{
		"../ther/lesson.md":               `there is no lesson "ther" beside this one yet: did you mean there? Else write it, or leave the link out`,
		"../order-pipeline/lesson.md":     `there is no lesson "order-pipeline" beside this one yet: write it, or leave the link out`,
		"../there/lesson.md#the-price":    "the lesson there has no step #the-price: there are a-small-lesson, its-a-second-step",
		"#a-secnd-step":                   "the lesson here has no step #a-secnd-step: did you mean a-second-step?",
		"../GLOSSARY.md#dead-leter-queue": "the glossary has no #dead-leter-queue: did you mean #dead-letter-queue? Else add ## and the word to GLOSSARY.md",
		"../GLOSSARY.md#topic":            "the glossary has no #topic: add ## and the word to GLOSSARY.md",
		"../there/":                       "../there/ is a folder: write ../there/lesson.md",
		"../there/picture.svg":            "../there/picture.svg is not beside this lesson: put the file into its folder",
		"../../README.md":                 "../../README.md leads out of the folder of the lessons",
		"other.svg":                       "there is no file other.svg in the lesson's folder",
		"/lessons/there/":                 "/lessons/there/ works on one host only: write the way from this file",
		"//example.com/":                  "//example.com/ works on one host only",
		"javascript:alert(1)":             "javascript:alert(1) works on one host only",
		"%zz":                             "%zz is no address",
	} {
		_, err := s.Resolve("here", href)
		assert.ErrorContains(t, err, want, href)
	}
}

func TestRelinkFindsAllLinks(t *testing.T) {
	linked := small
	for was, is := range map[string]string{
		"Prose with": "[a](x) ![b](x) with", "question: When is": `question: "[c](x) When is`, "101** done?": `101** done?"`,
		"  First line.": "  First [d](x).", "say: no": `say: "[e](x)"`, "because: It is not.": `because: "[f](x)"`,
		"task: Faster.": `task: "[g](x)"`, `"More cooks"`: `"[h](x)"`,
	} {
		require.Contains(t, linked, was)
		linked = strings.Replace(linked, was, is, 1)
	}
	l, problems := Read([]byte(linked), "small")
	require.Empty(t, problems)
	n := 0
	Relink(l, func(string) string { n++; return "y" })
	assert.Equal(t, 1+8, n, "and the one that it has")
	l.EachNode(func(n *lesson.Node) { assert.NotEqual(t, "x", n.Href) })
}

func TestGlossaryMistakes(t *testing.T) {
	for source, want := range map[string]string{
		"## Topic\nOne.\n\n## Ack\nTwo.\n": "4:1: Ack comes before Topic in the alphabet: move it up",
		"## Ack\nOne.\n\n## Ack\nTwo.\n":   "4:1: Ack stands here twice: keep one",
		"## Ack\n":                         "1:1: Ack has no meaning",
		"# Words\n\n## Ack\n<b>One</b>.\n": "4:1: HTML is not used in lessons",
	} {
		words, problems := ReadGlossary([]byte(source))
		assert.NotEmpty(t, words)
		if assert.NotEmpty(t, problems, source) {
			assert.Contains(t, problems[0].String(), want)
		}
	}
}

func TestWhatIsWrongBesideLessons(t *testing.T) {
	s := shelf(t)
	assert.Empty(t, s.Faults)
	require.NoError(t, os.WriteFile(filepath.Join(s.Folder, CoverageFile), []byte("# What is where\n\n"+
		"| section | says | lesson |\n|---|---|---|\n"+
		"| Acks | delete | [a](here/lesson.md), [b](there/lesson.md#its-a-second-step) |\n"+
		"| Crashes | come back | [c](here/lesson.md#a-thrd-step) |\n"+
		"| Words | mean something | [d](GLOSSARY.md) |\n"+
		"| Retries | wait | The third lesson |\n\n| no | table |\n"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(s.Folder, GlossaryFile), []byte("## Ack\n\n## Nack\nNot done.\n"), 0o644))
	s, err := OpenShelf(s.Folder)
	require.NoError(t, err)
	require.Len(t, s.Faults, 2)
	assert.Equal(t, strings.ReplaceAll("F:6:1: the lesson here has no step #a-thrd-step: there are a-small-lesson, a-second-step\n"+
		"F:7:1: GLOSSARY.md is no lesson: write the one that carries this part\n"+
		"F:8:1: this row names no lesson: write the step that carries it as a link, such as [the price](ack-after-work/lesson.md#the-price)",
		"F:", filepath.Join(s.Folder, CoverageFile)+":"), s.Faults[0].Error())
	assert.ErrorContains(t, s.Faults[1], GlossaryFile+":1:1: Ack has no meaning")
}
