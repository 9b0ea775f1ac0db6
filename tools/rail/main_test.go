package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/ticketrail/ticketrail/lessons"
)

var update = flag.Bool("update", false, "rewrite the expected output in the scripts")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rail": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: *update,
		Setup:         withLesson,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"status": wantStatus},
	})
}

// withLesson puts a lesson that is as it should be into the folder of a script.
func withLesson(env *testscript.Env) error {
	folder := filepath.Join(env.WorkDir, "lessons")
	if err := os.CopyFS(filepath.Join(folder, "small"), os.DirFS(filepath.Join("..", "..", "lessons", "testdata", "right"))); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, lessons.GlossaryFile), []byte("## Ack\nDone.\n"), 0o644)
}

// wantStatus is the script command "status N COMMAND...": it runs the command and
// wants that exit status.
func wantStatus(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
