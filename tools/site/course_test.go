package site

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

func made(slugs ...string) course {
	var c course
	for _, s := range slugs {
		slug, needs, _ := strings.Cut(s, "<")
		c = append(c, &lesson.Lesson{Slug: slug, Title: "The " + slug, Level: "start", Minutes: 5, Needs: strings.Fields(needs)})
	}
	return c
}

func slugs(c course) string {
	var all []string
	for _, l := range c {
		all = append(all, l.Slug)
	}
	return strings.Join(all, " ")
}

func TestALessonStandsAfterThoseItNeeds(t *testing.T) {
	for _, test := range []struct{ list, want string }{
		{"", "b c a d"},
		{"d c b", "d b c a"},
		{"c a b d", "b c a d"},
	} {
		c := made("a<c", "b", "c<b", "d").ordered(strings.Fields(test.list))
		assert.Equal(t, test.want, slugs(c), test.list)
	}
	assert.Equal(t, "a b", slugs(made("a<b", "b<a").ordered(nil)), "a circle ends")
}

func TestTheOrderOfTheTreeNeedsNoChange(t *testing.T) {
	shelf, err := lessons.OpenShelf("../../lessons")
	require.NoError(t, err)
	c, err := openCourse(shelf)
	require.NoError(t, err)
	assert.Equal(t, "ticket-rail", c[0].Slug)
	for i, l := range c {
		for _, slug := range l.Needs {
			assert.NotContains(t, slugs(c[i:]), slug, "%s comes before what it needs", l.Slug)
		}
	}
}

func TestWaysToTheLessonsBesideIt(t *testing.T) {
	c := made("a", "b<a", "c<a b gone")
	assert.Equal(t, &view.Course{Number: 1, Of: 3, Next: way(c[1])}, c.place(c[0]))
	assert.Equal(t, &view.Course{Number: 3, Of: 3, Back: way(c[1]), Needs: []view.Way{*way(c[0]), *way(c[1])}}, c.place(c[2]))
}

func TestTheMapIsAListOfLinks(t *testing.T) {
	c := made("a", "b<a")
	c[1].Objectives = []string{"tell <one> from another"}
	text, err := fragment("map", mapped{Way: "./../", Alone: true, Extent: c.extent(), Levels: c.levels("./../")})
	require.NoError(t, err)
	for _, want := range []string{
		"Two lessons, about 10 minutes", `href="./../lessons/b/"`, "tell &lt;one&gt; from another", `href="#a"`, `data-needs="a"`,
	} {
		assert.Contains(t, string(text), want)
	}
}

// the home page's question is held against its run like any lesson's.
func TestTheHomePageIsTrue(t *testing.T) {
	l, problems := lessons.Read(home, "home")
	require.Empty(t, problems)
	q := l.Steps[0].Blocks[2].Question
	require.NotNil(t, q)
	require.NoError(t, q.Check(l))
	r := ranOf(t, l, q.Scenario)
	assert.Empty(t, r.Outcome.Holds())
	a, err := q.Of(r)
	require.NoError(t, err)
	assert.Equal(t, "2", a.Text)
	for i := range q.Choices {
		if m := q.Choices[i].See; m != nil {
			at, err := m.Find(r.Log)
			assert.NoError(t, err)
			assert.GreaterOrEqual(t, at, 0)
		}
	}
}

func TestWhatIsFound(t *testing.T) {
	shelf, err := lessons.OpenShelf("../../lessons")
	require.NoError(t, err)
	c, err := openCourse(shelf)
	require.NoError(t, err)
	guide, err := readGuide("")
	require.NoError(t, err)
	text, err := index(shelf, c, guide)
	require.NoError(t, err)
	const each = 6 << 10
	assert.Less(t, len(text), each*len(c)+300*len(shelf.Words), "the index is small")
	var all []found
	require.NoError(t, json.Unmarshal(text, &all))
	kinds := map[string]int{}
	for _, f := range all {
		kinds[f.Kind]++
		assert.NotEmpty(t, f.Title)
		assert.LessOrEqual(t, len([]rune(f.Says)), mostSaid*4, f.Title)
		if f.Kind == "step" {
			assert.NotEmpty(t, f.In, f.Title)
		}
	}
	assert.Equal(t, len(c), kinds["lesson"])
	assert.Equal(t, len(shelf.Words), kinds["word"])
	assert.Equal(t, len(guidePages), kinds["guide"])
	assert.Greater(t, kinds["step"], len(c))
}

func TestWordsOnceAndNotThoseSaidAlready(t *testing.T) {
	assert.Equal(t, "email lost send_email", words("The email, the email; send_email is LOST to Asha", "asha's"))
}

func TestFirstUses(t *testing.T) {
	c := made("a", "b")
	link := func(href string) []lesson.Step {
		return []lesson.Step{{Blocks: []lesson.Block{{Prose: &lesson.Node{Tag: "p", Kids: []lesson.Node{{Tag: "a", Href: href}}}}}}}
	}
	c[0].Steps, c[1].Steps = link("../GLOSSARY.md#ack"), append(link("../GLOSSARY.md#ack"), link("../GLOSSARY.md#queue")...)
	shelf, err := lessons.OpenShelf(filepath.Join("..", "..", "lessons"))
	require.NoError(t, err)
	first := c.firstUses(shelf)
	assert.Equal(t, "The a", first["ack"].Title)
	assert.Equal(t, "The b", first["queue"].Title)
}

func ranOf(t *testing.T, l *lesson.Lesson, id string) *run.Run {
	t.Helper()
	r, err := run.Do(l.ScenarioOf(id))
	require.NoError(t, err)
	return r
}
