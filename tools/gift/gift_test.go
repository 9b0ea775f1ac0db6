package gift_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/tools/gift"
)

// question is one of a GIFT file, as a strict reader takes it.
type question struct {
	title, text, why string
	answers          []answer
}

type answer struct {
	sign     string  // = ~ or #
	share    float64 // of 100
	text     string
	feedback string
}

// read reads a GIFT file, and fails on whatever its grammar does not have: an
// unescaped ~ = # { } or : outside its place, an unclosed brace, two questions
// without an empty line between them.
func read(t *testing.T, text string) []question {
	t.Helper()
	var all []question
	for _, block := range strings.Split(strings.TrimSpace(text), "\n\n") {
		block = strings.TrimSpace(block)
		if strings.HasPrefix(block, "//") || strings.HasPrefix(block, "$CATEGORY: ") {
			require.NotContains(t, block, "\n", "a comment and a category are one line each")
			continue
		}
		var q question
		rest, found := strings.CutPrefix(block, "::")
		require.True(t, found, block)
		q.title, rest, found = cut(rest, "::")
		require.True(t, found, block)
		rest, found = strings.CutPrefix(rest, "[html]")
		require.True(t, found, block)
		q.text, rest, found = cut(rest, "{")
		require.True(t, found, block)
		rest, found = strings.CutSuffix(rest, "\n}")
		require.True(t, found, block)
		for _, line := range strings.Split(strings.TrimSpace(rest), "\n") {
			line = strings.TrimSpace(line)
			if why, is := strings.CutPrefix(line, "####"); is {
				q.why = plain(t, why)
				continue
			}
			q.answers = append(q.answers, readAnswer(t, line))
		}
		q.title, q.text = plain(t, q.title), plain(t, q.text)
		all = append(all, q)
	}
	return all
}

func readAnswer(t *testing.T, line string) answer {
	a := answer{sign: line[:1]}
	require.Contains(t, "=~#", a.sign, line)
	line = line[1:]
	if share, rest, found := strings.Cut(strings.TrimPrefix(line, "%"), "%"); found && strings.HasPrefix(line, "%") {
		n, err := strconv.ParseFloat(share, 64)
		require.NoError(t, err)
		a.share, line = n, rest
	}
	text, feedback, _ := cut(line, "#")
	if a.sign == "#" { // a number and its margin
		value, margin, found := cut(text, ":")
		require.True(t, found, text)
		for _, n := range []string{value, margin} {
			_, err := strconv.ParseFloat(n, 64)
			require.NoError(t, err)
		}
		a.text = value + "±" + margin
		return a
	}
	a.text, a.feedback = plain(t, text), plain(t, feedback)
	return a
}

// cut cuts at a sign that is not escaped.
func cut(text, at string) (before, after string, found bool) {
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(text[i:], at) {
			return text[:i], text[i+len(at):], true
		}
	}
	return text, "", false
}

// plain takes the escapes out of a text, which must have no bare sign.
func plain(t *testing.T, text string) string {
	t.Helper()
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
			require.Less(t, i, len(text))
			require.Contains(t, `\~=#{}:n`, string(text[i]))
			if text[i] == 'n' {
				out.WriteByte('\n')
			} else {
				out.WriteByte(text[i])
			}
		default:
			require.NotContains(t, "~=#{}:\n", string(text[i]), text)
			out.WriteByte(text[i])
		}
	}
	return out.String()
}

func TestEveryQuizIsGIFTAndHasTheRightAnswers(t *testing.T) {
	folders, err := lessons.Folders("../../lessons")
	require.NoError(t, err)
	require.NotEmpty(t, folders)
	for _, folder := range folders {
		l, err := lessons.Open(folder)
		require.NoError(t, err)
		text, left := gift.Write(l, "https://example.org/ticketrail/")
		questions := read(t, string(text))
		assert.Len(t, questions, quizzes(l)-len(left), l.Slug)
		titles := map[string]bool{}
		for _, q := range questions {
			assert.False(t, titles[q.title], "%s is there twice", q.title)
			titles[q.title] = true
			assert.Contains(t, q.text, fmt.Sprintf(`<a href="https://example.org/ticketrail/lessons/%s/#step-`, l.Slug))
			assert.NotContains(t, q.text, "expect:", "what is expected may tell the answer")
			checkAnswers(t, q)
		}
		for _, q := range left {
			assert.ErrorIs(t, q.Why, gift.ErrForm, q.ID)
		}
	}
}

// checkAnswers holds that a question can be answered: something is right, and
// shares add up to all of it.
func checkAnswers(t *testing.T, q question) {
	t.Helper()
	right, shares := 0, 0.0
	for _, a := range q.answers {
		if a.sign != "~" || a.share > 0 {
			right++
		}
		shares += max(a.share, 0)
	}
	assert.Positive(t, right, q.title)
	if shares > 0 {
		assert.InDelta(t, 100, shares, 0.001, q.title)
	}
}

func quizzes(l *lesson.Lesson) int {
	count := 0
	for i := range l.Steps {
		for _, b := range l.Steps[i].Blocks {
			if b.Question != nil && !b.Question.Predict {
				count++
			}
		}
	}
	return count
}

// A lesson with a question of every form, and with every sign of the format in
// its words.
func TestEachFormBecomesOneOfGIFT(t *testing.T) {
	source, err := os.ReadFile("testdata/forms.md")
	require.NoError(t, err)
	l, problems := lessons.Read(source, "forms")
	require.Empty(t, problems)
	text, left := gift.Write(l, "")
	byID := map[string]question{}
	for _, q := range read(t, string(text)) {
		byID[strings.TrimPrefix(q.title, "forms ")] = q
	}
	texts := func(id string) (all []string) {
		for _, a := range byID[id].answers {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s%g %s", a.sign, a.share, a.text)))
		}
		return all
	}
	assert.Equal(t, []string{"~0 a {b} = c: ~d #1 \\ e", "=0 <code>x</code> &lt; 2"}, texts("choice"))
	assert.Equal(t, []string{"~50 one", "~-100 two", "~50 three"}, texts("several"))
	assert.Equal(t, []string{"#0 0±0.5"}, texts("number"))
	assert.Contains(t, byID["number"].text, "Answer in s.")
	assert.Equal(t, []string{"=0 1. -> 101", "=0 2. -> 102", "=0 3. -> 103"}, texts("order"))
	assert.Equal(t, []string{"=0 101 102 103", "=0 101 103 102", "=0 102 101 103", "=0 102 103 101", "=0 103 101 102", "=0 103 102 101"}, texts("ties"))
	assert.Equal(t, []string{"~0 101", "~0 102", "=0 103"}, texts("message"))
	assert.Equal(t, []string{"~0 <code>1  def on_message(msg):</code>", "=0 <code>2  work(msg.id)</code>", "~0 <code>3  ack(msg)</code>"}, texts("line"))
	require.Len(t, left, 1)
	assert.Equal(t, "draw", left[0].ID)
	assert.NotContains(t, byID, "guess", "a prediction is not graded")
}
