package main

import (
	"fmt"
	"path/filepath"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/tools/gift"
)

type giftCommand struct {
	Paths []string `arg:"" name:"lesson" help:"Lessons, or folders of lessons."`
	Out   string   `short:"o" placeholder:"FILE" value:"FILE" type:"path" help:"The file to write; without it the questions are printed."`
	Site  string   `placeholder:"URL" value:"URL" help:"The address of a site that has the lessons, such as https://example.org/ticketrail/: each question then links to its lesson."`
}

// Help says what becomes of the questions.
func (*giftCommand) Help() string {
	return `Moodle imports the file under Question bank, Import, GIFT format; other course systems have the same. Every answer is computed from its run. Each question shows the scenario that it is about. Predictions are left out, because nobody grades a guess, and so are questions that ask for a curve to be drawn, which GIFT has no form for: what is left out is said.

Examples:
  rail gift lessons/ack-after-work
  rail gift lessons -o quiz.gift --site https://example.org/ticketrail/`
}

// Run writes the quizzes of lessons.
func (c *giftCommand) Run(t *terminal) error {
	var all []byte
	for _, path := range c.Paths {
		folders, err := lessonFolders(path)
		if err != nil {
			return wrong(t, err)
		}
		for _, folder := range folders {
			l, err := lessons.Open(folder)
			if err != nil {
				return wrong(t, err)
			}
			text, left := gift.Write(l, c.Site)
			for _, q := range left {
				fmt.Fprintf(t.err, "%s: question %s is left out: %v\n", filepath.Join(folder, lessons.File), q.ID, q.Why)
			}
			if len(all) > 0 {
				all = append(all, '\n')
			}
			all = append(all, text...)
		}
	}
	if c.Out == "" {
		_, err := t.out.Write(all)
		return err
	}
	if err := writeFile(c.Out, all); err != nil {
		return wrong(t, err)
	}
	return nil
}
