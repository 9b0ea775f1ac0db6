package lessons

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// The limits of the house: what a lesson is at most, so that somebody who has
// never heard of queues reads it to its end.
const (
	minMinutes, maxMinutes = 3, 12
	maxApart               = 2 // minutes between what a lesson says and what is estimated
	maxSteps               = 12
	maxStepWords           = 450
	maxParagraphWords      = 120
	maxSentenceWords       = 35
	maxGrade               = 8 // of Flesch and Kincaid: thirteen years old
	linesToRemember        = 3
	minQuestions           = 2 // of the quiz
)

// How the minutes of a lesson are estimated. Adults read 238 words of plain
// English a minute (Brysbaert 2019). The rest is what it takes to watch a
// stage, to think about a question, and to solve a challenge.
const (
	wordsAMinute     = 238
	stageMinutes     = 0.25
	questionMinutes  = 0.25
	challengeMinutes = 1
)

// House rules are what a lesson of this house has besides being right.
var House = []Rule{
	{"the front matter is complete", complete},
	{"there is something to guess, to change, to solve and to be asked", parts},
	{"questions explain, and their answers are computed", explained},
	{"what is asked is on the stage", onStage},
	{"the last step says what to take along", takenAlong},
	{"a course says where real brokers differ", brokers},
	{"a lesson is as long as it says, and no step too long", lengths},
	{"sentences are easy to read", readable},
}

func complete(d *draft) (problems scenario.Problems) {
	for _, list := range []struct {
		name, write string
		items       []string
	}{
		{"objectives", "what a reader can do afterwards", d.lesson.Objectives},
		{"not_here", "what is left for another lesson", d.lesson.NotHere},
	} {
		if len(list.items) == 0 {
			problems = append(problems, d.front.placeOf(list.name).problem(
				fmt.Sprintf("the front matter has no %s: write %s: and, in lines that begin with -, %s", list.name, list.name, list.write)))
		}
	}
	return problems
}

// parts counts what a lesson must have.
func parts(d *draft) (problems scenario.Problems) {
	predictions, asked, unlocked, challenges := 0, 0, 0, 0
	for _, m := range d.mentions {
		switch {
		case m.stage != nil:
			unlocked += len(m.stage.Unlock)
		case m.question != nil && m.question.Predict:
			predictions++
		case m.question != nil:
			asked++
		case m.challenge != nil:
			challenges++
		}
	}
	for _, p := range []struct {
		has, needs  int
		what, write string
	}{
		{predictions, 1, "the lesson has no prediction", "let readers guess before they see, with ```predict id=ID scenario=ID"},
		{unlocked, 1, "nothing in the lesson can be changed", "give a stage something to unlock, such as unlock=handler"},
		{challenges, 1, "the lesson has no challenge", "let readers mend something themselves, with ```challenge id=ID scenario=ID"},
		{asked, minQuestions, fmt.Sprintf("the quiz has %d of at least %d questions", asked, minQuestions), "ask for the same idea in another setting, with ```quiz id=ID"},
	} {
		if p.has < p.needs {
			problems = append(problems, place{1, 1}.problem(p.what+": "+p.write))
		}
	}
	return problems
}

// explained looks at why a question has its answer, and at who says so.
func explained(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		q := m.question
		if q == nil {
			continue
		}
		if q.Why == nil {
			problems = append(problems, m.problem("the question "+q.ID+" does not say why: write why: and what readers should see now"))
		}
		if q.Scenario != "" && q.Answer != "" && !measured(q.Answer) {
			problems = append(problems, m.field("answer").problem(fmt.Sprintf("the answer %s is written, not computed: write what the run gives, such as answer: effects", q.Answer)))
		}
		for i := range q.Choices {
			if is := q.Choices[i].Is; is != "" && !measured(is) {
				problems = append(problems, m.choice(i).problem(fmt.Sprintf("`is: %s` of choice %d asks nothing of the run: write what is so in the run when it is right", is, i+1)))
			}
		}
	}
	return problems
}

var anyName = regexp.MustCompile(`[a-z_]+`)

// measured reports whether an answer depends on a run.
func measured(expression string) bool {
	if regexp.MustCompile(`^(line|message|time) at |^(order|curve) of `).MatchString(expression) {
		return true
	}
	return slices.ContainsFunc(anyName.FindAllString(expression, -1), func(name string) bool {
		return slices.Contains(outcome.Names, name)
	})
}

// onStage wants predictions and challenges where their scenario can be played.
func onStage(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		what, asks := "", ""
		switch {
		case m.question != nil && m.question.Predict:
			what, asks = "the prediction "+m.question.ID, m.question.Scenario
		case m.challenge != nil:
			what, asks = "the challenge "+m.challenge.ID, m.challenge.Scenario
		}
		if stage := d.lesson.StageOf(m.step); what != "" && stage != nil && stage.Scenario != asks {
			problems = append(problems, m.problem(fmt.Sprintf("%s is about %s, and the stage of its step shows %s: give the step a stage, ```stage scenario=%s", what, asks, stage.Scenario, asks)))
		}
	}
	return problems
}

// takenAlong looks for the lines to remember.
func takenAlong(d *draft) scenario.Problems {
	last := len(d.lesson.Steps) - 1
	for _, b := range d.lesson.Steps[last].Blocks {
		if b.Prose == nil {
			continue
		}
		for _, n := range b.Prose.Kids {
			if n.Tag == "ol" && len(n.Kids) == linesToRemember {
				return nil
			}
		}
	}
	return scenario.Problems{d.steps[last].problem(fmt.Sprintf(
		"the last step does not say what to take along: write a list numbered 1. to %d.", linesToRemember))}
}

// differ is how the part about real brokers begins.
const differ = "Where real brokers differ"

func brokers(d *draft) scenario.Problems {
	if d.shelf == nil || !slices.Contains(d.shelf.course, d.lesson.Slug) {
		return nil
	}
	for _, m := range d.mentions {
		if m.prose != nil && strings.HasPrefix(m.prose.text(), differ) {
			return nil
		}
	}
	last := len(d.lesson.Steps) - 1
	return scenario.Problems{d.steps[last].problem("a lesson of this course says how real brokers do it: write a paragraph that begins with **" + differ + ".**")}
}

// lengths holds the words against the limits, and the minutes against the
// words.
func lengths(d *draft) (problems scenario.Problems) {
	all := 0
	steps := make([]int, len(d.lesson.Steps))
	estimate := 0.0
	for _, m := range d.mentions {
		switch {
		case m.prose != nil:
			if m.prose.aside {
				continue
			}
			n := len(wordsOf(m.prose.text()))
			all, steps[m.step] = all+n, steps[m.step]+n
			if n > maxParagraphWords {
				problems = append(problems, m.problem(fmt.Sprintf("a paragraph of %d words, at most %d: begin another one where another thought begins", n, maxParagraphWords)))
			}
		case m.stage != nil:
			estimate += stageMinutes
		case m.question != nil:
			estimate += questionMinutes
		case m.challenge != nil:
			estimate += challengeMinutes
		}
	}
	for i, n := range steps {
		if n > maxStepWords {
			problems = append(problems, d.steps[i].problem(fmt.Sprintf("a step of %d words, at most %d: cut it, or begin another step with ##", n, maxStepWords)))
		}
	}
	if len(steps) > maxSteps {
		problems = append(problems, d.steps[maxSteps].problem(fmt.Sprintf("a lesson of %d steps, at most %d: make two lessons of it", len(steps), maxSteps)))
	}
	return append(problems, d.minutes(math.Round(estimate+float64(all)/wordsAMinute))...)
}

func (d *draft) minutes(estimate float64) scenario.Problems {
	at, says := d.front.placeOf("minutes"), float64(d.lesson.Minutes)
	estimate = max(estimate, minMinutes)
	switch {
	case says < minMinutes || says > maxMinutes:
		return scenario.Problems{at.problem(fmt.Sprintf("a lesson takes %d to %d minutes: make two of it, or say more", minMinutes, maxMinutes))}
	case math.Abs(says-estimate) > maxApart:
		return scenario.Problems{at.problem(fmt.Sprintf("reading and playing it takes about %g minutes: write minutes: %g, or change its length", estimate, estimate))}
	}
	return nil
}

// readable looks at every sentence, and at all of them together.
func readable(d *draft) (problems scenario.Problems) {
	var all reading
	for _, m := range d.mentions {
		if m.prose == nil || !m.prose.spoken {
			continue
		}
		all.add(m.prose.text())
		for _, s := range sentencesOf(m.prose.text()) {
			if words := wordsOf(s); len(words) > maxSentenceWords {
				problems = append(problems, m.problem(fmt.Sprintf("a sentence of %d words, at most %d: make two of %q", len(words), maxSentenceWords, beginning(s))))
			}
		}
	}
	if grade := all.grade(); grade > maxGrade {
		problems = append(problems, place{1, 1}.problem(fmt.Sprintf("the text reads like one for school year %.0f, at most %d: use shorter sentences and shorter words", grade, maxGrade)))
	}
	return problems
}

// beginning returns the first words of a text.
func beginning(text string) string {
	words := strings.Fields(text)
	if len(words) <= 5 {
		return text
	}
	return strings.Join(words[:5], " ") + " ..."
}
