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

// QueueNames returns the names of all queues that there can be: those that are
// listed, then the dead-letter queues that make themselves. A reject needs no
// setting for that.
func (s *Scenario) QueueNames() []string {
	names := namesIn(s, "queues")
	for i := range s.Queues {
		for _, dead := range []string{s.Queues[i].DeadLetter, s.Queues[i].Name + "-dead"} {
			if dead != "" && !slices.Contains(names, dead) {
				names = append(names, dead)
			}
		}
	}
	return names
}

// nameRule is what names of one kind may look like.
type nameRule struct {
	pattern *regexp.Regexp
	marks   string // what it allows besides letters and digits, for errors
	called  bool   // handlers call it, so that it may not be Reserved
}

var (
	queueName    = nameRule{regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`), ", _, - and .", false}
	producerName = nameRule{regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`), ", _ and -", false}
	poolName     = nameRule{regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`), " and _", false}
	calledName   = nameRule{poolName.pattern, poolName.marks, true}
)

// maxName is the longest name, in bytes.
const maxName = 80

// check says what is wrong with a name, or "".
func (r nameRule) check(name string) string {
	switch {
	case len(name) > maxName:
		return fmt.Sprintf("%s is too long for a name: write up to %d characters", shortened(name), maxName)
	case !r.pattern.MatchString(name):
		return fmt.Sprintf("%s is not a name here: write letters, digits%s, with no digit first%s", shortened(name), r.marks, suggestion(name, r.pattern))
	case r.called && Reserved(name):
		return fmt.Sprintf("%q means something else in a handler: choose another name, such as %s", name, otherName(name))
	}
	return ""
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

func otherName(name string) string {
	if slices.Contains(keywords, name) {
		return name + "_it"
	}
	return "my_" + name
}
