package lessons

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Rule finds one sort of fault in a lesson.
type Rule struct {
	Name string
	Find func(*draft) scenario.Problems
}

func (d *draft) find(rules []Rule) (problems scenario.Problems) {
	for _, rule := range rules {
		problems = append(problems, rule.Find(d)...)
	}
	return problems
}

// Checks are made whenever a lesson is read: the page can show only what they
// let pass. They run no scenario; Proofs do.
var Checks = []Rule{
	{"a lesson opens on a stage", opensOnStage},
	{"ids are given once", idsOnce},
	{"stages show what there is", stages},
	{"numbers to be dragged are unlocked settings", settings},
	{"figures are expressions over their scenario", figures},
	{"questions and challenges can be asked", questions},
	{"images have words", images},
}

func opensOnStage(d *draft) scenario.Problems {
	if d.lesson.StageOf(0) == nil {
		return scenario.Problems{place{1, 1}.problem("the first step has no stage: open with something to see, ```stage scenario=ID")}
	}
	return nil
}

func idsOnce(d *draft) (problems scenario.Problems) {
	seen := map[string]int{}
	for _, m := range d.mentions {
		id := ""
		switch {
		case m.question != nil:
			id = m.question.ID
		case m.challenge != nil:
			id = m.challenge.ID
		default:
			continue
		}
		if line, twice := seen[id]; twice {
			problems = append(problems, m.problem("the id "+id+" is taken on line "+itoa(line)+": give this one another"))
		}
		seen[id] = m.line
	}
	return problems
}

func stages(d *draft) (problems scenario.Problems) {
	last := -1
	for _, m := range d.mentions {
		if m.stage == nil {
			continue
		}
		if m.step == last {
			problems = append(problems, m.problem("a step has one stage: begin another step with ## for this one"))
		}
		last = m.step
		if err := d.lesson.CheckScenario(m.stage.Scenario); err != nil {
			problems = append(problems, m.problem(err.Error()))
			continue
		}
		problems = append(problems, unlocked(d.lesson.ScenarioOf(m.stage.Scenario), m.stage.Unlock, m)...)
		for _, panel := range m.stage.Show {
			if !slices.Contains(lesson.Panels, panel) {
				problems = append(problems, m.problem("a stage cannot show "+panel+": "+instead(panel, lesson.Panels)))
			}
		}
	}
	return problems
}

// unlocked reports settings that the scenario does not have.
func unlocked(s *scenario.Scenario, paths []string, m mention) (problems scenario.Problems) {
	for _, path := range paths {
		if path == lesson.Unlocked || path == lesson.Handler {
			continue
		}
		if _, ok := scenario.Get(s, path); !ok {
			problems = append(problems, m.problem("there is no setting "+path+" to unlock: "+instead(path, pathsOf(s))))
		}
	}
	return problems
}

func pathsOf(s *scenario.Scenario) []string {
	names := []string{lesson.Unlocked, lesson.Handler}
	for _, setting := range scenario.Paths(s) {
		names = append(names, setting.Path)
	}
	return names
}

func settings(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		stage := d.lesson.StageOf(m.step)
		if m.set == "" || stage == nil {
			continue
		}
		s := d.lesson.ScenarioOf(stage.Scenario)
		if s == nil {
			continue
		}
		if _, ok := scenario.Get(s, m.set); !ok {
			problems = append(problems, m.problem("scenario "+stage.Scenario+" has no setting "+m.set+": "+instead(m.set, pathsOf(s))))
		} else if !stage.Unlocks(m.set) {
			problems = append(problems, m.problem(m.set+" cannot be dragged, because the stage of this step does not unlock it: add it to unlock="))
		}
	}
	return problems
}

func figures(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.figure == nil {
			continue
		}
		err := d.lesson.CheckScenario(m.figure.Scenario)
		if err == nil {
			err = outcome.CheckFor(d.lesson.ScenarioOf(m.figure.Scenario), m.figure.Of)
		}
		if err != nil {
			problems = append(problems, m.problem(err.Error()))
		}
	}
	return problems
}

func questions(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		var err error
		switch {
		case m.question != nil:
			err = m.question.Check(d.lesson)
		case m.challenge != nil:
			if err = m.challenge.Check(d.lesson); err == nil {
				problems = append(problems, unlocked(d.lesson.ScenarioOf(m.challenge.Scenario), m.challenge.Unlock, m)...)
			}
		}
		if err != nil {
			problems = append(problems, m.where(err.Error()).problem(oneLine(err)))
		}
	}
	return problems
}

// where is the field that an error about a question or a challenge names at
// its beginning, or the block.
func (m *mention) where(text string) place {
	for _, name := range []string{"answer", "goal", "solution"} {
		if strings.HasPrefix(text, "the "+name) {
			return m.field(name)
		}
	}
	if found := ofChoice.FindStringSubmatch(text); found != nil {
		n, _ := strconv.Atoi(found[1])
		return m.choice(n - 1)
	}
	return m.place
}

var ofChoice = regexp.MustCompile("^(?:`is` of |the value of )?choice ([0-9]+)")

// oneLine keeps an error of several problems to its first.
func oneLine(err error) string {
	var several scenario.Problems
	if errors.As(err, &several) && len(several) > 0 {
		text, _, _ := strings.Cut(err.Error(), "\n")
		return text
	}
	return err.Error()
}

func images(d *draft) (problems scenario.Problems) {
	for _, m := range d.mentions {
		if m.image != nil && strings.TrimSpace(m.image.Alt) == "" {
			problems = append(problems, m.problem("this picture has no words for those who do not see it: write ![what it shows](file)"))
		}
	}
	return problems
}
