// Package tidy holds the rules of this tree that no compiler knows: which
// package may import which, what the core must not use, and what does not
// belong in the tree at all. Its test is part of make lint and names the file
// and line that break a rule.
//
// Start reading at Rules; imports.go has the order of the packages, source.go
// the rules for Go files, files.go those for all files.
package tidy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Fault is a broken rule at a place.
type Fault struct {
	File string // from the root of the tree, with slashes
	Line int    // 0: the file as a whole
	Text string
}

func (f Fault) String() string {
	if f.Line == 0 {
		return f.File + ": " + f.Text
	}
	return fmt.Sprintf("%s:%d: %s", f.File, f.Line, f.Text)
}

// file is one file of the tree, as the rules see it.
type file struct {
	name string // from the root, with slashes
	text []byte
	set  *token.FileSet
	ast  *ast.File // nil unless it is a Go file
}

func (f *file) dir() string         { return path.Dir(f.name) }
func (f *file) isTest() bool        { return strings.HasSuffix(f.name, "_test.go") }
func (f *file) below(d string) bool { return strings.HasPrefix(f.name, d+"/") }

func (f *file) fault(at token.Pos, format string, args ...any) Fault {
	line := 0
	if at.IsValid() {
		line = f.set.Position(at).Line
	}
	return Fault{f.name, line, fmt.Sprintf(format, args...)}
}

// Rules are all rules. Each looks at one file.
var Rules = []func(*file) []Fault{
	importOrder, thirdParty, corePurity, stateWithoutFloats, testHabits, packageComment,
	unfinished, placesOfOneMachine, copies, scriptSize,
}

// Check applies all rules to the tree below root.
func Check(root string) ([]Fault, error) {
	files, err := read(root)
	if err != nil {
		return nil, err
	}
	faults := packageComments(files)
	for _, f := range files {
		for _, rule := range Rules {
			faults = append(faults, rule(f)...)
		}
	}
	slices.SortFunc(faults, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, strings.Compare(a.Text, b.Text))
	})
	return faults, nil
}

// notOurs are folders whose files are made by commands and never committed.
var notOurs = []string{".git", "build", "node_modules"}

func read(root string) ([]*file, error) {
	var files []*file
	err := filepath.WalkDir(root, func(full string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if slices.Contains(notOurs, entry.Name()) && full != root {
				return filepath.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		name, err := filepath.Rel(root, full)
		if err != nil {
			return err
		}
		f, err := parse(full, filepath.ToSlash(name))
		files = append(files, f)
		return err
	})
	return files, err
}

func parse(full, name string) (*file, error) {
	text, err := os.ReadFile(full)
	if err != nil {
		return nil, err
	}
	f := &file{name: name, text: text, set: token.NewFileSet()}
	if path.Ext(name) == ".go" {
		f.ast, err = parser.ParseFile(f.set, name, text, parser.ParseComments|parser.SkipObjectResolution)
	}
	return f, err
}
