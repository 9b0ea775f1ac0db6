package tidy

import (
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/ticketrail/ticketrail/"

// order lists the packages so that each imports only packages before it.
var order = []string{
	// The core.
	"core/spelling",
	"core/chance",
	"core/chunk",
	"core/event",
	"core/line",
	"core/meter",
	"core/scenario",
	"core/scenario/plainyaml",
	"core/scenario/scenarioyaml",
	"core/broker",
	"core/handler",
	"core/service",
	"core/worker",
	"core/sim",
	"core/naive",
	"core/replay",
	"core/outcome",
	"core/theory",
	"core/story",
	"core/run",
	"core/sweep",
	"core/crashpoint",
	"core/lesson",
	"core/testdata",
	"core/practice",
	"core/share",
	"core/build",
	// What is shown.
	"lessons",
	"web",
	"wasm/scene",
	"wasm/chart",
	"wasm/player",
	"wasm/browser",
	"wasm/view",
	"wasm",
	// The commands.
	"tools/site/tls",
	"tools/site",
	"tools/gift",
	"tools/bench/measure",
	"tools/bench",
	"tools/rail",
	"tools/e2e/scenarios",
	"tools/e2e/answers",
	"tools/tidy",
}

// apart lists what a package must not import although it comes before it:
// everything shown is read off the log, never off the simulation.
var apart = map[string][]string{
	"core/replay":  {"core/broker", "core/handler", "core/service", "core/worker", "core/sim"},
	"core/outcome": {"core/broker", "core/handler", "core/service", "core/worker", "core/sim"},
	"core/story":   {"core/broker", "core/handler", "core/service", "core/worker", "core/sim"},
	"wasm/chart":   {"core/broker", "core/handler", "core/service", "core/worker", "core/sim"},
	"wasm/scene":   {"core/broker", "core/handler", "core/service", "core/worker", "core/sim"},
	"web":          {"core", "lessons"},
	"tools":        {"wasm/browser"},
	"tools/rail":   {"wasm/view"}, // tools/site shows the page's parts
	"tools/bench":  {"wasm/view"},
}

// yaml is for the host only: the page gets JSON.
const yaml = "core/scenario/scenarioyaml"

// importOrder holds every import of one of our packages against the order.
func importOrder(f *file) (faults []Fault) {
	if f.ast == nil || f.isTest() {
		return nil
	}
	from := f.dir()
	place := slices.Index(order, from)
	if place < 0 {
		return []Fault{f.fault(f.ast.Package, "package %s has no place in the order of imports; give it one in tools/tidy/imports.go", from)}
	}
	for _, spec := range f.ast.Imports {
		to, ours := strings.CutPrefix(unquote(spec.Path.Value), module)
		if !ours {
			continue
		}
		switch {
		case slices.Index(order, to) > place || !slices.Contains(order, to):
			faults = append(faults, f.fault(spec.Pos(), "%s must not import %s: imports point one way, in the order of tools/tidy/imports.go", from, to))
		case isApart(from, to):
			faults = append(faults, f.fault(spec.Pos(), "%s must not import %s: see tools/tidy/imports.go", from, to))
		case to == yaml && !strings.HasPrefix(from, "tools/") && from != "lessons":
			faults = append(faults, f.fault(spec.Pos(), "%s must not import %s: the page's program gets JSON", from, to))
		}
	}
	return faults
}

func isApart(from, to string) bool {
	for owner, banned := range apart {
		if from != owner && !strings.HasPrefix(from, owner+"/") {
			continue
		}
		for _, b := range banned {
			if to == b || strings.HasPrefix(to, b+"/") {
				return true
			}
		}
	}
	return false
}

// heavy are packages that would make the page's program too large or that
// only a server needs.
var heavy = []string{"net/http", "html/template", "text/template", "go.yaml.in", "github.com/yuin/goldmark"}

// thirdParty says which packages of others a folder may use.
func thirdParty(f *file) (faults []Fault) {
	if f.ast == nil || f.isTest() {
		return nil
	}
	for _, spec := range f.ast.Imports {
		name := unquote(spec.Path.Value)
		if strings.HasPrefix(name, module) {
			continue
		}
		if why := refuseImport(f, name); why != "" {
			faults = append(faults, f.fault(spec.Pos(), "%s must not import %s: %s", f.dir(), name, why))
		}
	}
	return faults
}

func refuseImport(f *file, name string) string {
	host, _, _ := strings.Cut(name, "/")
	others := strings.Contains(host, ".")
	switch {
	case f.dir() == yaml:
		if others && host != "go.yaml.in" {
			return "it uses the standard library and go.yaml.in only"
		}
	case f.below("core"):
		if others && host != "go.starlark.net" {
			return "the core uses the standard library and go.starlark.net only"
		}
	case f.below("web"):
		if others {
			return "web uses the standard library only"
		}
	case f.below("wasm") || f.below("lessons"):
		return refuseInPage(f, name)
	}
	return ""
}

func refuseInPage(f *file, name string) string {
	if f.below("wasm") && slices.ContainsFunc(heavy, func(h string) bool { return name == h || strings.HasPrefix(name, h+"/") }) {
		return "it makes the page's program too large"
	}
	if strings.Contains(name, "go-app") && !f.below("wasm/view") && f.dir() != "wasm" {
		return "only wasm/view, and the program's start, use go-app"
	}
	if (strings.Contains(name, "safejs") || name == "syscall/js") && !f.below("wasm/browser") {
		return "only wasm/browser touches JavaScript"
	}
	return ""
}

func unquote(s string) string {
	text, err := strconv.Unquote(s)
	if err != nil {
		return s
	}
	return text
}
