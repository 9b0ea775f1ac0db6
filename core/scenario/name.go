package scenario

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/starlark"
)

// Builtins are the names that every handler can use besides Starlark's own,
// its services and its tables.
var Builtins = []string{"ack", "extend", "fail", "nack", "now", "print", "publish", "reject", "sleep"}

// keywords are the words of Starlark that cannot be names, those it keeps for
// later among them.
var keywords = strings.Fields(`and as assert async await break class continue def del elif else except finally for
	from global if import in is lambda load nonlocal not or pass raise return try while with yield`)

// Reserved reports whether a service or table may not have that name, because
// it means something else in a handler.
func Reserved(name string) bool {
	_, universal := starlark.Universe[name]
	return universal || name == "msg" || name == "on_message" ||
		slices.Contains(Builtins, name) || slices.Contains(keywords, name)
}

// nameRule says what is wrong with a name, or "".
type nameRule func(name string) string

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	dashed     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	dashDots   = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
)

// maxName is the longest name, in bytes.
const maxName = 80

// ruled makes a rule of a pattern; marks are what it allows besides letters
// and digits.
func ruled(pattern *regexp.Regexp, marks string) nameRule {
	return func(name string) string {
		switch {
		case len(name) > maxName:
			return fmt.Sprintf("%s is too long for a name: write up to %d characters", shortened(name), maxName)
		case pattern.MatchString(name):
			return ""
		}
		return fmt.Sprintf("%s is not a name here: write letters, digits%s, with no digit first%s", shortened(name), marks, suggestion(name, pattern))
	}
}

var notInNames = regexp.MustCompile(`[^A-Za-z0-9_]+`)

// suggestion is a name that is allowed and close to one that is not.
func suggestion(name string, pattern *regexp.Regexp) string {
	better := strings.Trim(notInNames.ReplaceAllString(name, "_"), "_")
	if better == "" || len(better) > maxName || !pattern.MatchString(better) {
		return ""
	}
	return fmt.Sprintf(", such as %s", better)
}

var (
	queueName    = ruled(dashDots, ", _, - and .")
	producerName = ruled(dashed, ", _ and -")
	poolName     = ruled(identifier, " and _")
)

// calledName is the rule for what handlers call: services and tables.
func calledName(name string) string {
	if Reserved(name) {
		return fmt.Sprintf("%q means something else in a handler: choose another name, such as %s", name, otherName(name))
	}
	return poolName(name)
}

func otherName(name string) string {
	if slices.Contains(keywords, name) {
		return name + "_it"
	}
	return "my_" + name
}
