package tidy

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
)

// ourText are the files whose text is held against the rules.
var ourText = []string{".go", ".js", ".mjs", ".css", ".html", ".yaml", ".yml", ".sh", ".md", ".txtar", ""}

// lockFiles are written by package managers.
var lockFiles = []string{"go.sum", "package-lock.json"}

func (f *file) isOurText() bool {
	return slices.Contains(ourText, path.Ext(f.name)) && !slices.Contains(lockFiles, path.Base(f.name)) && f.name != "LICENSE"
}

// The words are put together here so that this file does not break its rules.
var (
	unfinishedWords = regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b|not ` + `implemented|coming ` + `soon|place` + `holder text`)
	machinePlaces   = regexp.MustCompile(`(^|[\s"'(=:])/(ro` + `ot|ho` + `me|wo` + `rk|Us` + `ers)/`)
	notices         = regexp.MustCompile(`(?i)copy` + `right (\(c\)|©|\d{4})|@lic` + `ense`)
)

// lines returns a fault for every line of f that matches.
func lines(f *file, pattern *regexp.Regexp, text string) (faults []Fault) {
	for i, line := range bytes.Split(f.text, []byte("\n")) {
		if found := pattern.Find(line); found != nil {
			faults = append(faults, Fault{f.name, i + 1, fmt.Sprintf("%s: %q", text, bytes.TrimSpace(found))})
		}
	}
	return faults
}

// unfinished finds marks of unfinished work.
func unfinished(f *file) []Fault {
	if !f.isOurText() {
		return nil
	}
	return lines(f, unfinishedWords, "finish it, or say it in an issue")
}

// placesOfOneMachine finds absolute paths that exist on one machine only.
func placesOfOneMachine(f *file) []Fault {
	if !f.isOurText() {
		return nil
	}
	return lines(f, machinePlaces, "a path of one machine")
}

// copies finds copies of other people's code, and files that commands make.
func copies(f *file) []Fault {
	base := path.Base(f.name)
	if base == "wasm_exec.js" || path.Ext(f.name) == ".wasm" || regexp.MustCompile(`\.min\.(js|css)$`).MatchString(base) {
		return []Fault{{f.name, 0, "this is made or brought by a command; it does not belong in the tree"}}
	}
	if !f.isOurText() {
		return nil
	}
	return lines(f, notices, "third-party code comes through Go modules or npm, never as a copy")
}

// maxScript bounds the JavaScript of the page, a file: the program is Go, and
// scripts only start it and apply what it has drawn.
const maxScript = 24 << 10

// scriptSize keeps the page's scripts small.
func scriptSize(f *file) []Fault {
	if !f.below("web") || path.Ext(f.name) != ".js" || len(f.text) <= maxScript {
		return nil
	}
	return []Fault{{f.name, 0, fmt.Sprintf("%d bytes of JavaScript, at most %d: the page's program is Go", len(f.text), maxScript)}}
}
