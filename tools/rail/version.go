package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

type versionCommand struct{}

// Run prints the version.
func (*versionCommand) Run(t *terminal) error {
	_, err := fmt.Fprintln(t.out, version())
	return err
}

// version is the module's version, the commit it was built from when there is
// no version, and the Go that built it.
func version() string {
	name := "(devel)"
	info, ok := debug.ReadBuildInfo()
	if ok && info.Main.Version != "" {
		name = info.Main.Version
	}
	commit, changed := "", ""
	if ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && len(s.Value) >= 12:
				commit = " " + s.Value[:12]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with changes"
			}
		}
	}
	return fmt.Sprintf("rail %s%s%s, %s %s/%s", name, commit, changed, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
