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
)

// extensions are those of scenario files.
var extensions = []string{".yaml", ".yml", ".json"}

// stdin is the name under which standard input is given and reported.
const stdin = "-"

// scenarioFiles lists the files that the arguments name: files as they are,
// folders with every scenario file below them, in alphabetical order.
func scenarioFiles(arguments []string) ([]string, error) {
	var files []string
	for _, name := range arguments {
		info, err := statArgument(name)
		if err != nil {
			return nil, err
		}
		if info == nil || !info.IsDir() {
			files = append(files, name)
			continue
		}
		below, err := filesBelow(name)
		if err != nil {
			return nil, err
		}
		if len(below) == 0 {
			return nil, fmt.Errorf("%s: no scenario in this folder; scenario files end in %s", name, strings.Join(extensions, ", "))
		}
		files = append(files, below...)
	}
	return files, nil
}

// statArgument returns nil for standard input.
func statArgument(name string) (fs.FileInfo, error) {
	if name == stdin {
		return nil, nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, explainFile(name, err)
	}
	return info, nil
}

func filesBelow(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return explainFile(path, err)
		}
		hidden := strings.HasPrefix(entry.Name(), ".") && path != folder
		if entry.IsDir() && hidden {
			return filepath.SkipDir
		}
		if !entry.IsDir() && !hidden && slices.Contains(extensions, filepath.Ext(path)) {
			files = append(files, path)
		}
		return nil
	})
	return files, err
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

// load reads one scenario, applies the changes of the command line and checks
// it. Problems are what is wrong with the scenario; an error is that it could
// not be read.
func load(name string, in io.Reader, changes []change) (*scenario.Scenario, scenario.Problems, error) {
	source, err := read(name, in)
	if err != nil {
		return nil, nil, err
	}
	s, problems := decode(name, source)
	if len(problems) > 0 {
		return nil, problems, nil
	}
	for _, c := range changes {
		for _, p := range scenario.Set(s, c.path, c.value) {
			problems = append(problems, scenario.Problem{Text: c.flag + ": " + p.Text})
		}
	}
	if len(changes) > 0 && len(problems) == 0 {
		problems = run.Check(s)
	}
	return s, problems, nil
}

// read reads a scenario, and no more of it than a scenario may have.
func read(name string, in io.Reader) ([]byte, error) {
	if name != stdin {
		file, err := os.Open(name)
		if err != nil {
			return nil, explainFile(name, err)
		}
		defer file.Close()
		in = file
	}
	source, err := io.ReadAll(io.LimitReader(in, scenario.MaxSourceBytes+1))
	if err != nil {
		return nil, explainFile(name, err)
	}
	return source, nil
}

// decode reads JSON where the name or the first character says so, else YAML.
func decode(name string, source []byte) (*scenario.Scenario, scenario.Problems) {
	if filepath.Ext(name) == ".json" || name == stdin && bytes.HasPrefix(bytes.TrimSpace(source), []byte("{")) {
		return scenario.DecodeJSON(source, run.Check)
	}
	return scenarioyaml.Decode(source, run.Check)
}

// change is one setting that the command line replaces.
type change struct{ flag, path, value string }

// changes are those that the flags ask for, in the order in which they apply.
func (c *runCommand) changes() ([]change, error) {
	var list []change
	for _, text := range c.Set {
		path, value, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("--set %s: write a path and a value, such as --set workers.mailer.count=3", text)
		}
		list = append(list, change{"--set " + text, path, value})
	}
	if c.Seed != nil {
		value := fmt.Sprint(*c.Seed)
		list = append(list, change{"--seed " + value, "seed", value})
	}
	if c.Until != "" {
		list = append(list, change{"--until " + c.Until, "until", c.Until})
	}
	return list, nil
}
