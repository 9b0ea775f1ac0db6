package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/story"
)

type diffCommand struct {
	Files   []string `arg:"" name:"file" predictor:"scenario" help:"Two scenario files, or one and --set; LESSON.md#ID for a scenario of a lesson."`
	Set     []string `sep:"none" value:"PATH=VALUE" help:"A setting to change; see above."`
	Against []string `sep:"none" value:"PATH=VALUE" help:"With one file: a setting of the second run. All --set are then those of the first."`
	Seed    *uint64  `placeholder:"N" help:"Another seed for both runs."`
	Until   string   `placeholder:"DURATION" help:"End both runs at this time, such as 90s."`
	JSON    bool     `name:"json" help:"Print one JSON object."`
}

// Help says what is compared with what.
func (*diffCommand) Help() string {
	return `Puts two runs, A and B, side by side: the settings that differ, the outcomes with a mark at what differs, and the first event at which the runs part, with what happens in each and why. The same seed gives both the same chances, so that all that differs comes from the settings.

  rail diff A.yaml B.yaml                 one file against the other; --set changes both
  rail diff FILE --set x=1                the file as it is against the file with x=1
  rail diff FILE --set x=1 --set x=2      the file with x=1 against the file with x=2
  rail diff FILE --set x=1 --set y=5 --against x=2
                                          all --set against all --against

The exit status is 0 whether or not the runs differ, and 2 when a scenario is wrong.

Examples:
  rail diff crash.yaml fixed.yaml
  rail diff orders.yaml --set queues.orders.visibility_timeout=5s
  rail diff orders.yaml --set workers.mailer.count=2 --set workers.mailer.count=4
  rail diff orders.yaml --set seed=1 --set seed=2`
}

// side is one of the two runs.
type side struct {
	name string
	run  *run.Run
	told *story.Story
}

// Run compares two runs.
func (c *diffCommand) Run(t *terminal) error {
	plans, err := c.plans()
	if err != nil {
		return wrong(t, err)
	}
	var sides [2]*side
	for i, p := range plans {
		r, err := do(p.document, p.changes, t)
		if err != nil {
			return err
		}
		told := story.Of(r.Scenario, r.Index, story.Plain)
		told.Judge(r.Outcome)
		sides[i] = &side{p.name, r, told}
	}
	d, err := compare(sides[0], sides[1])
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(t.out).Encode(d)
	}
	d.write(t.out, painter(t.colour))
	return nil
}

// plan is what one side is made of.
type plan struct {
	document
	name    string
	changes []change
}

// plans reads from the command line what is compared with what.
func (c *diffCommand) plans() (plans [2]plan, err error) {
	sets, err := assignments("--set", c.Set)
	if err != nil {
		return plans, err
	}
	against, err := assignments("--against", c.Against)
	if err != nil {
		return plans, err
	}
	both, err := (&settings{Seed: c.Seed, Until: c.Until}).changes()
	if err != nil {
		return plans, err
	}
	first, second, err := c.split(sets, against)
	if err != nil {
		return plans, err
	}
	for i, own := range [][]change{first, second} {
		file := c.Files[min(i, len(c.Files)-1)]
		d, err := oneDocument(file)
		if err != nil {
			return plans, err
		}
		plans[i] = plan{d, describe(file, own), append(slices.Clone(own), both...)}
	}
	return plans, nil
}

// split says which side each change belongs to.
func (c *diffCommand) split(sets, against []change) (first, second []change, err error) {
	switch {
	case len(c.Files) > 2:
		return nil, nil, fmt.Errorf("%d files: two can be put side by side", len(c.Files))
	case len(c.Files) == 2 && len(against) > 0:
		return nil, nil, errors.New("--against is for one file: with two, --set changes both")
	case len(c.Files) == 2 && c.Files[0] == stdin && c.Files[1] == stdin:
		return nil, nil, errors.New("standard input can be read once: name a file for one of the two")
	case len(c.Files) == 2:
		return sets, sets, nil
	case c.Files[0] == stdin:
		return nil, nil, errors.New("standard input can be read once: write the scenario to a file")
	case len(against) > 0:
		return sets, against, nil
	case len(sets) == 0:
		return nil, nil, fmt.Errorf("one file is the same as itself: name a second, or change something, as in rail diff %s --set workers.mailer.count=3", c.Files[0])
	case len(sets) == 1:
		return nil, sets, nil
	case len(sets) == 2:
		return sets[:1], sets[1:], nil
	}
	return nil, nil, errors.New("three or more --set could be sides in several ways: write --set for the first run and --against for the second")
}

// describe names a side by its file and what was changed in it.
func describe(file string, changes []change) string {
	if len(changes) == 0 {
		return file
	}
	var texts []string
	for _, c := range changes {
		value, _, more := strings.Cut(c.value, "\n")
		if more {
			value += " ..."
		}
		texts = append(texts, c.path+"="+value)
	}
	return file + " with " + strings.Join(texts, ", ")
}

// pair is a setting or a measure on both sides; "" where it has none.
type pair struct {
	Path string `json:"path"`
	A    string `json:"a"`
	B    string `json:"b"`
	Same bool   `json:"-"`
}

// pairs lines up the values of two objects, in the order of the first.
func pairs(a, b []leaf) []pair {
	var list []pair
	inA, inB := map[string]bool{}, map[string]string{}
	for _, l := range b {
		inB[l.path] = l.text
	}
	for _, l := range a {
		inA[l.path] = true
		list = append(list, pair{l.path, l.text, inB[l.path], l.text == inB[l.path]})
	}
	for _, l := range b {
		if !inA[l.path] {
			list = append(list, pair{l.path, "", l.text, false})
		}
	}
	return list
}

// settingPairs are the settings that differ, with the defaults that they have
// on the side that does not write them.
func settingPairs(a, b *scenario.Scenario) ([]pair, error) {
	left, err := leaves(a.EncodeJSON())
	if err != nil {
		return nil, err
	}
	right, err := leaves(b.EncodeJSON())
	if err != nil {
		return nil, err
	}
	var list []pair
	for _, p := range pairs(left, right) {
		if p.A == "" {
			p.A, _ = scenario.Get(a, p.Path)
		}
		if p.B == "" {
			p.B, _ = scenario.Get(b, p.Path)
		}
		if p.A != p.B {
			list = append(list, p)
		}
	}
	return list, nil
}
