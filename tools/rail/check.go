package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/ticketrail/ticketrail/core/spelling"
	"github.com/ticketrail/ticketrail/lessons"
)

type checkCommand struct {
	Paths []string `arg:"" optional:"" name:"path" default:"lessons" help:"Lessons, or folders of lessons."`
	Watch bool     `short:"w" help:"Check again whenever a file is saved, until Ctrl-C."`
}

// Help says what is checked.
func (*checkCommand) Help() string {
	return `Reads each lesson, runs its scenarios, and says what is not as it should be: file:line:column, what is wrong, and what to write instead. A lesson is looked at among those beside it in its folder, and with their GLOSSARY.md.

The exit status is 1 when a lesson is not proven by its runs or not as a lesson should be, and 2 when there is one that the page could not show at all.

Examples:
  rail check                           all lessons below lessons/
  rail check lessons/ack-after-work    one of them
  rail check my-lessons --watch        again with each save`
}

// slowLesson is from when on it is said how long a lesson took.
const slowLesson = 2 * time.Second

// Run proves each lesson, once or with each save.
func (c *checkCommand) Run(t *terminal) error {
	result := c.check(t)
	if !c.Watch {
		return result
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ticks := time.NewTicker(watchEvery)
	defer ticks.Stop()
	return c.again(ctx, ticks.C, t)
}

// again checks with each save, until ctx is done.
func (c *checkCommand) again(ctx context.Context, ticks <-chan time.Time, t *terminal) error {
	var folders []string
	for _, path := range c.Paths {
		if found, err := lessonFolders(path); err == nil && !isShelf(path) {
			path = besides(found[0])
		}
		folders = append(folders, path)
	}
	watch(ctx, ticks, folders, func() {
		fmt.Fprintln(t.out)
		_ = c.check(t) // what there is to say was said; the next save may mend it
	})
	return nil
}

// check proves each lesson once.
func (c *checkCommand) check(t *terminal) error {
	var folders []string
	for _, path := range c.Paths {
		found, err := lessonFolders(path)
		if err != nil {
			return wrong(t, err)
		}
		folders = append(folders, found...)
	}
	shelves, err := shelvesOf(folders)
	if err != nil {
		return wrong(t, err)
	}
	subject = fmt.Sprintf("checking %d lessons", len(folders))
	verdicts := prove(folders, shelves)
	return c.report(t, folders, shelves, verdicts)
}

// verdict is what came of one lesson.
type verdict struct {
	err  error
	took time.Duration
}

// report says what is wrong, shelf by shelf and lesson by lesson.
func (c *checkCommand) report(t *terminal, folders []string, shelves map[string]*lessons.Shelf, verdicts []verdict) error {
	result := status(exitHeld)
	problems, bad := 0, 0
	say := func(faults *lessons.Faults) {
		fmt.Fprintln(t.out, faults)
		problems += len(faults.Problems)
		if faults.Unproven {
			result = max(result, exitFailed)
		} else {
			result = exitWrong
		}
	}
	for _, beside := range sortedKeys(shelves) {
		for _, faults := range shelves[beside].Faults {
			say(faults)
		}
	}
	for i, v := range verdicts {
		var faults *lessons.Faults
		switch {
		case errors.As(v.err, &faults):
			bad++
			say(faults)
		case v.err != nil:
			return wrong(t, v.err)
		}
		if v.took >= slowLesson {
			fmt.Fprintf(t.out, "%s took %.1f s\n", folders[i], v.took.Seconds())
		}
	}
	checked := quantity(uint64(len(folders)), "lesson")
	if problems == 0 {
		_, err := fmt.Fprintf(t.out, "%s checked: nothing to be mended\n", checked)
		return err
	}
	fmt.Fprintf(t.out, "%s checked: %s in %d of them\n", checked, quantity(uint64(problems), "problem"), bad)
	return result
}

func sortedKeys(shelves map[string]*lessons.Shelf) []string {
	var all []string
	for name := range shelves {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}

// shelvesOf opens the folders in which those of the lessons are.
func shelvesOf(folders []string) (map[string]*lessons.Shelf, error) {
	shelves := map[string]*lessons.Shelf{}
	for _, folder := range folders {
		beside := besides(folder)
		if shelves[beside] != nil {
			continue
		}
		shelf, err := lessons.OpenShelf(beside)
		if err != nil {
			return nil, err
		}
		shelves[beside] = shelf
	}
	return shelves, nil
}

// besides is the folder in which that of a lesson is.
func besides(folder string) string {
	if base := filepath.Base(folder); base == "." || base == ".." {
		return filepath.Join(folder, "..")
	}
	return filepath.Dir(folder)
}

// slugOf is the name of a lesson's folder.
func slugOf(folder string) string {
	full, err := filepath.Abs(folder)
	if err != nil {
		return filepath.Base(folder)
	}
	return filepath.Base(full)
}

// prove proves the lessons, on all cores.
func prove(folders []string, shelves map[string]*lessons.Shelf) []verdict {
	verdicts := make([]verdict, len(folders))
	next := make(chan int)
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(folders)) {
		all.Go(func() {
			for i := range next {
				start := time.Now()
				err := shelves[besides(folders[i])].Prove(slugOf(folders[i]))
				verdicts[i] = verdict{err, time.Since(start)}
			}
		})
	}
	for i := range folders {
		next <- i
	}
	close(next)
	all.Wait()
	return verdicts
}

// lessonFolders returns the folders of the lessons that a path names: a
// lesson's file, its folder, or a folder of such folders.
func lessonFolders(path string) ([]string, error) {
	if _, err := os.Stat(path); err != nil {
		return named(path, explainFile(path, err))
	}
	if filepath.Base(path) == lessons.File {
		return []string{filepath.Dir(path)}, nil
	}
	if !isShelf(path) {
		return []string{path}, nil
	}
	folders, err := lessons.Folders(path)
	if err == nil && len(folders) == 0 {
		err = fmt.Errorf("%s: there is no lesson here: a lesson is a folder with a file %s, which rail new begins", path, lessons.File)
	}
	return folders, err
}

// named is the lesson of that name in the folder lessons here, for a path at
// which there is nothing; otherwise the fault, with the name that is closest.
func named(name string, fault error) ([]string, error) {
	const shelf = "lessons"
	folders, err := lessons.Folders(shelf)
	if err != nil {
		return nil, fault
	}
	var names []string
	for _, folder := range folders {
		if filepath.Base(folder) == name {
			return []string{folder}, nil
		}
		names = append(names, filepath.Base(folder))
	}
	if near := spelling.Nearest(filepath.Base(name), names); near != "" {
		return nil, fmt.Errorf("%w: did you mean %s?", fault, filepath.Join(shelf, near))
	}
	return nil, fault
}

// isShelf reports whether a path is not a lesson but a folder of lessons.
func isShelf(path string) bool {
	if filepath.Base(path) == lessons.File {
		return false
	}
	_, err := os.Stat(filepath.Join(path, lessons.File))
	return err != nil
}
