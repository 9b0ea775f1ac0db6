package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/lessons"
)

// extensions are those of scenario files.
var extensions = []string{".yaml", ".yml", ".json"}

// stdin is the name under which standard input is given and reported.
const stdin = "-"

// lesson is the extension of lessons, which have scenarios in blocks.
const lesson = ".md"

// document is one scenario that the command line names.
type document struct {
	name  string // as it is shown: the file, or FILE.md#ID for a block of a lesson
	file  string // where its problems are
	block []byte // the block of a lesson, or what a link holds; nil when the scenario is the whole file
}

// documents lists the scenarios that the arguments name: files as they are,
// the blocks of lessons, folders with all that is below them, in alphabetical
// order.
func documents(arguments []string) ([]document, error) {
	var list []document
	for _, name := range arguments {
		found, err := documentsOf(name)
		if err != nil {
			return nil, err
		}
		list = append(list, found...)
	}
	return list, nil
}

// oneDocument is the scenario of a command that takes only one.
func oneDocument(name string) (document, error) {
	if isFolder(name) {
		return document{}, fmt.Errorf("%s is a folder: name one scenario file in it", name)
	}
	found, err := documentsOf(name)
	if err != nil {
		return document{}, err
	}
	if len(found) > 1 {
		var names []string
		for _, d := range found {
			names = append(names, d.name)
		}
		return document{}, fmt.Errorf("%s has %d scenarios: choose one of %s", name, len(found), strings.Join(names, ", "))
	}
	return found[0], nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func documentsOf(name string) ([]document, error) {
	if name == stdin {
		return []document{{name: name, file: name}}, nil
	}
	if file, id, ok := strings.Cut(name, lesson+"#"); ok {
		return blockOf(file+lesson, id)
	}
	if d, is, err := linked(name); is {
		return []document{d}, err
	}
	if isFolder(name) {
		return documentsBelow(name)
	}
	if _, err := os.Stat(name); err != nil {
		return nil, explainFile(name, err)
	}
	if filepath.Ext(name) != lesson {
		return []document{{name: name, file: name}}, nil
	}
	found, err := blocksOf(name)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("%s: no scenario in this file: a lesson has them in blocks that begin with ```scenario id=NAME", name)
	}
	return found, err
}

// blocksOf returns the scenarios of a lesson.
func blocksOf(file string) ([]document, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, explainFile(file, err)
	}
	var list []document
	for _, b := range lessons.Scenarios(source) {
		d := document{name: file + "#" + b.ID, file: file, block: b.Source}
		if b.ID == "" {
			d.name = fmt.Sprintf("%s:%d", file, b.Line)
		}
		list = append(list, d)
	}
	return list, nil
}

// blockOf returns the scenario of a lesson that has an id.
func blockOf(file, id string) ([]document, error) {
	all, err := blocksOf(file)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, d := range all {
		if d.name == file+"#"+id {
			return []document{d}, nil
		}
		names = append(names, d.name)
	}
	if len(names) == 0 {
		names = []string{"none"}
	}
	return nil, fmt.Errorf("%s: no scenario has the id %q; there is %s", file, id, strings.Join(names, ", "))
}

func documentsBelow(folder string) ([]document, error) {
	var list []document
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return explainFile(path, err)
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != folder
		switch extension := filepath.Ext(path); {
		case entry.IsDir() && hidden:
			return filepath.SkipDir
		case entry.IsDir() || hidden:
		case extension == lesson: // or any text, which then has no scenario in it
			found, err := blocksOf(path)
			list = append(list, found...)
			return err
		case slices.Contains(extensions, extension):
			list = append(list, document{name: path, file: path})
		}
		return nil
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s: no scenario in this folder; scenario files end in %s, and lessons in %s", folder, strings.Join(extensions, ", "), lesson)
	}
	return list, err
}

// explainFile says why a file cannot be read, starting with its name.
func explainFile(name string, err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no such file or folder", name)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to read it", name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// writeFile writes what a command made, and says why it cannot.
func writeFile(name string, data []byte) error {
	err := os.WriteFile(name, data, 0o644)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: there is no folder %s to write it to", name, filepath.Dir(name))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: no permission to write it", name)
	}
	return explainFile(name, err)
}

// load reads one scenario, applies the changes of the command line and checks
// it. Problems are what is wrong with the scenario; an error is that it could
// not be read.
func load(d document, in io.Reader, changes []change) (*scenario.Scenario, scenario.Problems, error) {
	source, problems, err := read(d, in)
	if err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	s, problems := decode(d, source)
	if len(problems) > 0 {
		return nil, problems, nil
	}
	problems = apply(s, changes)
	return s, problems, nil
}

// apply makes the changes of the command line, and checks the scenario again.
func apply(s *scenario.Scenario, changes []change) (problems scenario.Problems) {
	for _, c := range changes {
		for _, p := range scenario.Set(s, c.path, c.value) {
			problems = append(problems, scenario.Problem{Text: c.flag + ": " + p.Text})
		}
	}
	if len(changes) > 0 && len(problems) == 0 {
		problems = run.Check(s)
	}
	return problems
}

// read reads a scenario, and no more of it than a scenario may have.
func read(d document, in io.Reader) ([]byte, scenario.Problems, error) {
	if d.block != nil {
		return d.block, nil, nil
	}
	if d.file != stdin {
		file, err := os.Open(d.file)
		if err != nil {
			return nil, nil, explainFile(d.file, err)
		}
		defer file.Close()
		if info, err := file.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > scenario.MaxSourceBytes {
			return nil, scenario.TooLarge(int(info.Size())), nil
		}
		in = file
	}
	source, err := io.ReadAll(io.LimitReader(in, scenario.MaxSourceBytes+1))
	if err != nil {
		return nil, nil, explainFile(d.file, err)
	}
	if len(source) > scenario.MaxSourceBytes { // of a pipe, whose end may never come
		return nil, scenario.Problems{{Line: 1, Column: 1, Text: fmt.Sprintf("the scenario has more bytes than the limit of %d: send long streams with rate and count instead of one by one", scenario.MaxSourceBytes)}}, nil
	}
	return source, nil, nil
}

// decode reads JSON where the name or the first character says so, else YAML.
func decode(d document, source []byte) (*scenario.Scenario, scenario.Problems) {
	if d.block == nil && (filepath.Ext(d.file) == ".json" || d.file == stdin && bytes.HasPrefix(bytes.TrimSpace(source), []byte("{"))) {
		return scenario.DecodeJSON(source, run.Check)
	}
	s, problems := scenarioyaml.Decode(source, run.Check)
	if _, form := scenarioyaml.Read(source); len(form) > 0 && len(bytes.TrimSpace(source)) > 0 {
		problems = append(problems, scenario.Problem{Text: "this is a fault of the YAML itself, so nothing else has been checked yet"})
	}
	if line := firstLine(d.block); len(problems) > 0 && problems[0].Line < line && problems[0].Line > 0 {
		problems[0].Line = line // it is about the block as a whole
	}
	return s, problems
}

// firstLine returns where the text of a lesson's block begins, from 1.
func firstLine(block []byte) int {
	return 1 + len(block) - len(bytes.TrimLeft(block, "\n"))
}

// do loads and runs one scenario. The error is a status, with everything
// said, when there is something wrong with it.
func do(d document, changes []change, t *terminal) (*run.Run, error) {
	s, err := ready(d, changes, t)
	if err != nil {
		return nil, err
	}
	r, err := run.Do(s)
	if err != nil {
		fmt.Fprintf(t.err, "%s: %v\n", d.name, err)
		return nil, status(exitWrong)
	}
	return r, nil
}

// ready loads one scenario. The error is a status, with everything said.
func ready(d document, changes []change, t *terminal) (*scenario.Scenario, error) {
	subject = d.name
	s, problems, err := load(d, t.in, changes)
	if err != nil {
		return nil, wrong(t, err)
	}
	if len(problems) > 0 {
		report(t.err, d.file, problems)
		return nil, status(exitWrong)
	}
	subject = fmt.Sprintf("%s with seed %d", d.name, s.Seed)
	return s, nil
}

// report writes each problem with its place: file:line:col: message.
func report(w io.Writer, file string, problems scenario.Problems) {
	for _, p := range problems {
		switch {
		case p.Line > 0:
			fmt.Fprintf(w, "%s:%s\n", file, p)
		default:
			fmt.Fprintf(w, "%s: %s\n", file, p)
		}
	}
}
