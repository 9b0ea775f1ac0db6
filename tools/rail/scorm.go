package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/ticketrail/ticketrail/tools/site"
)

type scormCommand struct {
	Paths []string `arg:"" name:"lesson" help:"Lessons, or folders of lessons."`
	Out   string   `short:"o" placeholder:"FILE" value:"FILE" type:"path" help:"The package to write, or for several lessons the folder; without it, LESSON.zip here."`
	Pass  int      `default:"60" placeholder:"SCORE" value:"SCORE" help:"The score, of 100, from which a lesson is passed."`
	Site  string   `type:"path" value:"FOLDER" help:"A built site to take the page's program from. Default: the one in rail itself, or the source tree, which compiles it."`
}

// Help says what a package does.
func (*scormCommand) Help() string {
	return `A package holds one lesson and all that it needs; in Moodle, add an activity "SCORM package" and drop it there. It keeps the place and the answers, notes each answer to a quiz question, and gives a score: the share of quiz questions whose last answer is right. When nothing is left to do, the lesson is passed or failed by that score. A course of several lessons is several packages, one activity each, in the order that is printed.

Examples:
  rail scorm lessons/ack-after-work
  rail scorm lessons/ack-after-work --pass 80 -o ack.zip
  rail scorm lessons -o packages`
}

// stockUpload is the most that PHP takes in one file as it is installed.
const stockUpload = 2 << 20

// Run writes one package for each lesson.
func (c *scormCommand) Run(t *terminal) error {
	if c.Pass < 0 || c.Pass > 100 {
		return wrong(t, fmt.Errorf("--pass: %d is no score: write a number from 0 to 100", c.Pass))
	}
	var folders []string
	for _, path := range c.Paths {
		found, err := lessonFolders(path)
		if err != nil {
			return wrong(t, err)
		}
		folders = append(folders, found...)
	}
	if len(folders) > 1 && c.Out != "" {
		if err := os.MkdirAll(c.Out, 0o755); err != nil {
			return wrong(t, explainFile(c.Out, err))
		}
	}
	kit, err := kitFrom(c.Site)
	if err != nil {
		return wrong(t, err)
	}
	large := false
	for _, folder := range folders {
		slug := slugOf(folder)
		data, err := site.Scorm(kit, folder, slug, c.Pass)
		if err != nil {
			return wrong(t, err)
		}
		name := c.name(slug, len(folders))
		if err := writeFile(name, data); err != nil {
			return wrong(t, err)
		}
		fmt.Fprintf(t.out, "%s  %.1f MB\n", fromHere(name), float64(len(data))/1e6)
		large = large || len(data) > stockUpload
	}
	if large {
		fmt.Fprintln(t.err, "A package is larger than 2 MB, which is all that PHP takes as it is installed: where an upload is refused, have upload_max_filesize and post_max_size raised to 8M.")
	}
	return nil
}

// name is the file of one of several packages.
func (c *scormCommand) name(slug string, of int) string {
	switch {
	case of > 1:
		return filepath.Join(c.Out, slug+".zip")
	case c.Out != "":
		return c.Out
	}
	return slug + ".zip"
}
