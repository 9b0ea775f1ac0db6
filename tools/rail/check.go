package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/ticketrail/ticketrail/lessons"
)

type checkCommand struct {
	Paths []string `arg:"" optional:"" name:"path" default:"lessons" help:"Lessons, or folders of lessons."`
}

// Help says what is checked.
func (*checkCommand) Help() string {
	return `Reads each lesson, runs its scenarios, and says what is not as it should be, with the place and with what to write instead.

Examples:
  rail check                         all lessons below lessons/
  rail check lessons/ack-after-work  one of them`
}

// Run proves each lesson.
func (c *checkCommand) Run(t *terminal) error {
	var folders []string
	for _, path := range c.Paths {
		found, err := lessonFolders(path)
		if err != nil {
			return wrong(t, err)
		}
		folders = append(folders, found...)
	}
	shelves := map[string]*lessons.Shelf{}
	bad := 0
	for _, folder := range folders {
		subject = "the lesson " + folder
		err := prove(shelves, folder)
		var faults *lessons.Faults
		switch {
		case errors.As(err, &faults):
			bad++
			fmt.Fprintln(t.out, faults)
		case err != nil:
			return wrong(t, err)
		}
	}
	if bad > 0 {
		fmt.Fprintf(t.out, "%d of %s to be mended\n", bad, quantity(uint64(len(folders)), "lesson"))
		return status(exitFailed)
	}
	_, err := fmt.Fprintf(t.out, "%s: nothing to be mended\n", quantity(uint64(len(folders)), "lesson"))
	return err
}

// prove proves the lesson of a folder among those beside it.
func prove(shelves map[string]*lessons.Shelf, folder string) error {
	full, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	beside := filepath.Dir(folder)
	if filepath.Base(folder) != filepath.Base(full) { // . or ..
		beside = filepath.Join(folder, "..")
	}
	if shelves[beside] == nil {
		shelf, err := lessons.OpenShelf(beside)
		if err != nil {
			return err
		}
		shelves[beside] = shelf
	}
	return shelves[beside].Prove(filepath.Base(full))
}

// lessonFolders returns the folders of the lessons that a path names: a
// lesson's file, its folder, or a folder of such folders.
func lessonFolders(path string) ([]string, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, explainFile(path, err)
	}
	if filepath.Base(path) == lessons.File {
		return []string{filepath.Dir(path)}, nil
	}
	if _, err := os.Stat(filepath.Join(path, lessons.File)); err == nil {
		return []string{path}, nil
	}
	folders, err := lessons.Folders(path)
	if err == nil && len(folders) == 0 {
		err = fmt.Errorf("%s: there is no lesson here: a lesson is a folder with a file %s", path, lessons.File)
	}
	return folders, err
}
