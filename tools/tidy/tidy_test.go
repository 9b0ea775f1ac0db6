package tidy

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTree(t *testing.T) {
	faults, err := Check("../..")
	require.NoError(t, err)
	for _, f := range faults {
		t.Error(f)
	}
}

// Each rule must be able to fail.
func TestRules(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"core/event/x.go", `import "github.com/ticketrail/ticketrail/core/sim"`, "core/event must not import core/sim"},
		{"core/outcome/x.go", `import "github.com/ticketrail/ticketrail/core/broker"`, "core/outcome must not import core/broker"},
		{"core/run/x.go", `import "github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"`, "gets JSON"},
		{"core/util/x.go", `import "fmt"`, "has no place in the order"},
		{"core/sim/x.go", `import "github.com/some/thing"`, "go.starlark.net only"},
		{"wasm/scene/x.go", `import "net/http"`, "too large"},
		{"wasm/player/x.go", `import "syscall/js"`, "only wasm/browser"},
		{"wasm/scene/x.go", `import "github.com/maxence-charriere/go-app/v10/pkg/app"`, "only wasm/view, and"},
		{"tools/rail/x.go", `import "github.com/ticketrail/ticketrail/wasm/view"`, "tools/rail must not import wasm/view"},
		{"web/x.go", `import "github.com/ticketrail/ticketrail/core/event"`, "web must not import core/event"},
		{"core/sim/x.go", `import "time"`, "must not import time"},
		{"core/sim/x.go", `func f() { go f() }`, "no goroutines"},
		{"core/sim/x.go", `var c chan int`, "no channels"},
		{"core/broker/x.go", `var f float64`, "no float64"},
		{"core/broker/x.go", `var f = 1.5`, "no floating point"},
		{"core/sim/x_test.go", `func f() { t.Skip() }`, "no skipped"},
		{"core/sim/x_test.go", `func f() { time.Sleep(1) }`, "no sleeps"},
		{"core/sim/x.go", "// TO" + "DO: later", "finish it"},
		{"core/sim/x.go", "// see /ro" + "ot/notes", "a path of one machine"},
		{"web/lib.min.js", "", "does not belong in the tree"},
		{"web/lib.js", "// Copy" + "right (c) Somebody", "never as a copy"},
		{"web/boot.js", strings.Repeat("x", maxScript+1), "bytes of JavaScript"},
	} {
		assert.Contains(t, check(t, c.name, c.text), c.want, "%s: %s", c.name, c.text)
	}
	assert.Empty(t, check(t, "core/sim/x.go", `import "github.com/ticketrail/ticketrail/core/event"`))
}

// check applies all rules to one file and returns what they say.
func check(t *testing.T, name, text string) string {
	f := &file{name: name, text: []byte(text), set: token.NewFileSet()}
	if strings.HasSuffix(name, ".go") {
		var err error
		f.ast, err = parser.ParseFile(f.set, name, "package x\n"+text, parser.ParseComments)
		require.NoError(t, err)
	}
	var said []string
	for _, rule := range Rules {
		for _, fault := range rule(f) {
			said = append(said, fault.String())
		}
	}
	return strings.Join(said, "\n")
}
