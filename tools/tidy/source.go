package tidy

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// impure are packages that would let the outside world, or the scheduler,
// into the core.
var impure = []string{"time", "math/rand", "sync", "sync/atomic", "os", "net", "runtime", "unsafe", "context"}

// corePurity keeps clocks, goroutines and other people's chance out of the core.
func corePurity(f *file) (faults []Fault) {
	if f.ast == nil || f.isTest() || !f.below("core") {
		return nil
	}
	for _, spec := range f.ast.Imports {
		if name := unquote(spec.Path.Value); slices.Contains(impure, name) {
			faults = append(faults, f.fault(spec.Pos(), "the core must not import %s: same scenario and seed, same run, everywhere", name))
		}
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			faults = append(faults, f.fault(n.Pos(), "no goroutines in the core; workers are coroutines (iter.Pull)"))
		case *ast.ChanType:
			faults = append(faults, f.fault(n.Pos(), "no channels in the core"))
		case *ast.SelectStmt:
			faults = append(faults, f.fault(n.Pos(), "no select in the core"))
		}
		return true
	})
	return faults
}

// integersOnly are the packages whose state and sampling must not be floats,
// which differ between machines.
var integersOnly = []string{"core/chance", "core/line", "core/broker", "core/service", "core/sim", "core/replay"}

// stateWithoutFloats keeps floating point out of what a run is made of.
func stateWithoutFloats(f *file) (faults []Fault) {
	if f.ast == nil || f.isTest() || !slices.Contains(integersOnly, f.dir()) {
		return nil
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if n.Name == "float64" || n.Name == "float32" {
				faults = append(faults, f.fault(n.Pos(), "no %s in %s: integers only in state, sampling and log", n.Name, f.dir()))
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT {
				faults = append(faults, f.fault(n.Pos(), "no floating point in %s: integers only in state, sampling and log", f.dir()))
			}
		}
		return true
	})
	return faults
}

// testHabits keeps tests honest: none is skipped, none waits for the clock.
func testHabits(f *file) (faults []Fault) {
	if f.ast == nil || !f.isTest() || f.below("tools/tidy") {
		return nil
	}
	ast.Inspect(f.ast, func(n ast.Node) bool {
		call, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		owner, _ := call.X.(*ast.Ident)
		switch name := call.Sel.Name; {
		case name == "Skip" || name == "SkipNow" || name == "Skipf":
			faults = append(faults, f.fault(n.Pos(), "no skipped tests"))
		case name == "Sleep" && owner != nil && owner.Name == "time":
			faults = append(faults, f.fault(n.Pos(), "no sleeps in tests"))
		}
		return true
	})
	return faults
}

// packageComment wants a package comment to begin as godoc shows it.
func packageComment(f *file) []Fault {
	if f.ast == nil || f.isTest() || f.ast.Doc == nil || f.ast.Name.Name == "main" {
		return nil
	}
	want := "Package " + f.ast.Name.Name + " "
	if text := f.ast.Doc.Text(); text != "" && !strings.HasPrefix(text, want) {
		return []Fault{f.fault(f.ast.Doc.Pos(), "a package comment begins with %q", want)}
	}
	return nil
}

// packageComments wants one for every package.
func packageComments(files []*file) (faults []Fault) {
	first, has := map[string]*file{}, map[string]bool{}
	for _, f := range files {
		if f.ast == nil || f.isTest() {
			continue
		}
		if first[f.dir()] == nil {
			first[f.dir()] = f
		}
		has[f.dir()] = has[f.dir()] || f.ast.Doc != nil
	}
	for dir, f := range first {
		if !has[dir] {
			faults = append(faults, f.fault(f.ast.Package, "package %s has no package comment: say what it does and where to start reading", dir))
		}
	}
	return faults
}
