package lessons

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// small is a lesson with one of everything.
const small = `---
format: 1
title: A small lesson
minutes: 3
level: start
needs: [before]
objectives: [one, two]
not_here: [three]
---
Prose with {{set workers.cook.count as cook, cooks}} and {{run it lost as words}}.

` + "```scenario id=it" + `
queues: {orders: {visibility_timeout: 1s}}
producers: {shop: {to: orders, send: [{id: 101}, {id: 102}]}}
services: {send_email: {latency: 100ms}}
workers:
  cook:
    from: orders
    handler: |
      def on_message(msg):
          send_email(msg.id)
          ack(msg)
expect: [lost == 0]
` + "```" + `

` + "```stage scenario=it unlock=\"handler, workers.cook.count\" show=\"code, transcript\"" + `
stop at first acked: One is done.
stop at 100ms: A tenth of a second.
` + "```" + `

## A *second* step

| a | b |
|---|---|
| 1 | ` + "`x`" + ` |

- one {{message 101}}
- [two](../other/)

` + "```python\nack(msg)\n```" + `

` + "```predict id=when scenario=it" + `
question: When is **101** done?
form: number
answer: time at acked 101 #1   # a comment
unit: s
tolerance: 10%
from: 0
to: 2
why: |
  First line.

  - with {{run it acked}} in a list
see: delivered 101 #1          # the first hand-out
` + "```" + `

` + "```quiz id=many" + `
question: Which?
form: several
order: kept
choices:
  - {say: yes it is, right: true}
  - say: no
    because: It is not.
` + "```" + `

` + "```challenge id=fast scenario=it" + `
task: Faster.
goal: ended_at <= 0.1
unlock: workers.cook.count
seeds: 1..2
hint: ["More cooks", "{{run it effects}} emails"]
solution: {workers.cook.count: 2}
` + "```" + `
`

func TestRead(t *testing.T) {
	l, problems := Read([]byte(small), "small")
	require.Empty(t, problems)
	assert.Equal(t, []string{"A small lesson", "A second step"}, []string{l.Steps[0].Title, l.Steps[1].Title})
	assert.Equal(t, []string{"before"}, l.Needs)
	assert.Equal(t, 3, l.Minutes)

	first := l.Steps[0].Blocks
	require.Len(t, first, 2)
	p := first[0].Prose.Kids[0]
	assert.Equal(t, "p", p.Tag)
	assert.Equal(t, lesson.Node{Set: "workers.cook.count", As: "cook, cooks"}, p.Kids[1])
	assert.Equal(t, &lesson.Figure{Scenario: "it", Of: "lost", As: "words"}, p.Kids[3].Run)
	stage := first[1].Stage
	assert.Equal(t, []string{"handler", "workers.cook.count"}, stage.Unlock)
	assert.Equal(t, []string{"code", "transcript"}, stage.Show)
	assert.Equal(t, "first acked: One is done.", stage.Stops[0].Moment.String()+": "+stage.Stops[0].Text)
	assert.Equal(t, "at 100ms", stage.Stops[1].Moment.String())

	second := l.Steps[1].Blocks
	require.Len(t, second, 4)
	assert.Equal(t, "ab1xone 101twoack(msg)\n", second[0].Prose.Plain(nil))
	q := second[1].Question
	assert.True(t, q.Predict)
	assert.Equal(t, []any{lesson.Number, "time at acked 101 #1", "s", "10%", 0.0, 2.0, "delivered 101 #1"},
		[]any{q.Form, q.Answer, q.Unit, q.Tolerance, q.From, q.To, q.See.String()})
	assert.Equal(t, []string{"p", "ul"}, []string{q.Why.Kids[0].Tag, q.Why.Kids[1].Tag})
	quiz := second[2].Question
	assert.True(t, quiz.Kept)
	assert.True(t, quiz.Choices[0].Right)
	assert.Equal(t, "It is not.", quiz.Choices[1].Because.Plain(nil))
	c := second[3].Challenge
	assert.Equal(t, []lesson.Change{{Path: "workers.cook.count", Value: "2"}}, c.Solution)
	assert.Len(t, c.Hints, 2)
	d, _ := read([]byte(small), "small")
	assert.Empty(t, d.prove(nil))
}

// Every mistake is said with its place and with what to write instead.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"---\nformat", "format", "1:1: the front matter is missing: begin the file with a line ---"},
		{"format: 1\n", "format: 2\n", "2:9: only format 1 is known"},
		{"format: 1\n", "format: one\n", `2:9: format is a whole number, not "one"`},
		{"title: A small lesson\n", "", "2:1: the front matter has no title: write title: ..."},
		{"minutes: 3", "minuts: 3", "4:1: the front matter has no minuts: did you mean minutes?"},
		{"minutes: 3", "minutes: 99", "4:10: a lesson takes 1 to 60 minutes"},
		{"level: start", "level: hard", "5:8: the level is one of start, next, deep"},
		{"level: start", "level: [start]", "5:8: level is one text"},
		{"needs: [before]", "needs: [a: b]", "6:9: needs is a list of texts"},
		{"{{set workers.cook.count as cook, cooks}}", "{{set workers.cok.count}}", "10:12: scenario it has no setting workers.cok.count: did you mean workers.cook.count?"},
		{"{{set workers.cook.count as cook, cooks}}", "{{set workers.cook.prefetch}}", "10:12: workers.cook.prefetch cannot be dragged, because the stage of this step does not unlock it"},
		{"{{set workers.cook.count as cook, cooks}}", "{{set workers.cook.count as cook}}", "10:12: a figure cannot be written as cook"},
		{"{{run it lost", "{{run its lost", `10:58: there is no scenario "its": did you mean it?`},
		{"{{run it lost", "{{run it lots", "10:58: lots is not a measure of a run; did you mean lost?"},
		{"{{run it lost as words}}", `{{run it effects_of("mail", 1)}}`, `10:58: there is no service or table "mail"; `},
		{"Prose with", "Prose <b>with</b>", "10:7: HTML is not used in lessons"},
		{"Prose with", "{{sett x}}", "10:1: {{sett x}} is not known: write {{set"},
		{"Prose with", "![](picture.png) with", "10:1: this picture has no words for those who do not see it"},
		{"Prose with", "# Title\n\nProse with", "10:1: the title stands in the front matter"},
		{"scenario id=it", "scenario", "12:1: a scenario has an id"},
		{"scenario id=it", "scenario id=it colour=red", "12:19: a scenario has no colour=: there are id"},
		{"scenario id=it", "scenario it", "12:13: only name=value stands here"},
		{"scenario id=it", "scenaro id=it", `12:1: "scenaro" is not a block of a lesson: did you mean scenario?`},
		{"visibility_timeout: 1s", "visibility_timout: 1s", "13:19: "},
		{"          send_email(msg.id)", "          sendemail(msg.id)", "21:11: there is no \"sendemail\" here"},
		{"```stage scenario=it", "```stage", "26:1: a stage shows a scenario"},
		{"```stage scenario=it", "```stage scenario=its", `26:1: there is no scenario "its"`},
		{"unlock=\"handler, workers.cook.count\"", "unlock=\"handler, workers.cook.cont\"", "26:1: there is no setting workers.cook.cont to unlock"},
		{"unlock=\"handler,", "unlock=\"handler", "26:1: there is no setting handler workers.cook.count to unlock"},
		{"show=\"code, transcript\"", "show=\"code, transcript", `26:59: a quote is not closed: end the value of show`},
		{"show=\"code, transcript\"", "show=\"cod\"", "26:1: a stage cannot show cod: did you mean code?"},
		{"stop at first acked:", "stop at first ackd:", `27:9: "ackd" is not an event: did you mean acked?`},
		{"stop at first acked: One is done.", "stop at first acked", "27:1: a line of a stage says where play halts"},
		{"## A *second* step", "##", "31:1: a step has no title"},
		{"## A *second* step\n", "## A *second* step\n\n```stage scenario=it\n```\n\n```stage scenario=it\n```\n", "36:1: a step has one stage"},
		{"predict id=when", "predict", "44:1: a predict has an id"},
		{"form: number", "form: numbr", "44:1: a question has no form \"numbr\": did you mean number?"},
		{"question: When", "qestion: When", "45:1: a predict has no qestion: did you mean question?"},
		{"answer: time at acked 101 #1", "answer: time at acked 101 #0", "44:1: a hand-out is numbered from 1"},
		{"to: 2", "to: two", `51:5: to is a number, not "two"`},
		{"  First line.", "  First {{run it lots}} line.", "53:9: lots is not a measure"},
		{"see: delivered 101 #1", "see: deliverd 101 #1", `56:6: "deliverd" is not an event`},
		{"order: kept", "order: keep", "62:8: the order of choices is kept or shuffled, not keep"},
		{", right: true}", "}", "59:1: no choice is marked as right"},
		{", right: true}", ", right: yes}", "64:29: right is true or false"},
		{", right: true}", ", right: true, rigth: 1}", "64:35: a choice has no rigth: did you mean right?"},
		{"quiz id=many", "quiz id=when", "59:1: the id when is taken on line 44"},
		{"goal: ended_at", "goal: ended_art", "71:7: the goal: ended_art is not a measure of a run; did you mean ended_at?"},
		{"goal: ended_at <= 0.1\n", "", "70:1: a challenge has no goal"},
		{"seeds: 1..2", "seeds: some", "69:1: \"some\" is not a range of seeds"},
		{"solution: {workers.cook.count: 2}", "solution: {workers.cook.prefetch: 2}", "75:11: the solution: it sets workers.cook.prefetch, which is not unlocked"},
		{"solution: {workers.cook.count: 2}", "solution: 3", "75:11: a solution is a handler as text"},
	} {
		require.Contains(t, small, c.was)
		l, problems := Read([]byte(strings.Replace(small, c.was, c.is, 1)), "small")
		said := []string{}
		for _, p := range problems {
			said = append(said, p.String())
		}
		assert.Nil(t, l)
		assert.Contains(t, "\n"+strings.Join(said, "\n"), "\n"+c.want, "%s instead of %s", c.is, c.was)
	}
}

func TestNoStage(t *testing.T) {
	_, problems := Read([]byte("---\nformat: 1\ntitle: T\nminutes: 1\nlevel: start\n---\nProse only.\n"), "none")
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0].String(), "the first step has no stage")
}

// What only running can show.
func TestProofs(t *testing.T) {
	for _, c := range []struct{ was, is, want string }{
		{"expect: [lost == 0]", "expect: [acked == 1]", "acked == 1 does not hold: acked is 2"},
		{"stop at first acked", "stop at first crashed", "27:9: crashed does not happen in this run"},
		{"see: delivered 101 #1", "see: delivered 101 #2", "56:6: delivered 101 #2 does not happen"},
		{"answer: time at acked 101 #1", "answer: effects + 1", "the answer is 3, beyond what can be given: from 0 to 2"},
		{"{{run it acked}}", "{{run it 1 // 0}}", "division by zero"},
		{"goal: ended_at <= 0.1", "goal: acked == 2", "the challenge is solved before anybody has changed anything"},
		{"solution: {workers.cook.count: 2}", "solution: {workers.cook.count: 1}", "the solution does not reach the goal with seed 1: ended_at is 0.2"},
		{"solution: {workers.cook.count: 2}\n", "", "the challenge has no solution"},
	} {
		require.Contains(t, small, c.was)
		d, problems := read([]byte(strings.Replace(small, c.was, c.is, 1)), "small")
		require.Empty(t, problems, c.is)
		assert.Contains(t, fmt.Sprint(d.prove(nil)), c.want, c.is)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("---\nformat: 1\n---\n{{set"))
	f.Fuzz(func(t *testing.T, source []byte) {
		l, problems := Read(source, "fuzzed")
		assert.Equal(t, l == nil, len(problems) > 0)
		d, _ := read(source, "fuzzed")
		d.shelf = &Shelf{Folder: "testdata"}
		if d.begun {
			problems = append(problems, append(d.find(Ties), d.find(House)...)...)
		}
		for _, p := range problems {
			assert.NotEmpty(t, p.Text)
		}
	})
}
