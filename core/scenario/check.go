package scenario

import (
	"fmt"
	"regexp"
)

// nameRule says what is wrong with a name, or "".
type nameRule func(name string) string

var (
	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	dashed     = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	dottedName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)
)

// maxName is the longest name, in bytes.
const maxName = 80

func ruled(pattern *regexp.Regexp, marks string) nameRule {
	return func(name string) string {
		if pattern.MatchString(name) && len(name) <= maxName {
			return ""
		}
		return fmt.Sprintf("%s is not a name: write a letter, then up to %d letters, digits%s", shortened(name), maxName-1, marks)
	}
}

var (
	queueName      = ruled(dottedName, ", _, - and .")
	producerName   = ruled(dashed, ", _ and -")
	identifierName = ruled(identifier, " and _")
)

// handlerName is the rule for names that handlers call.
func handlerName(name string) string { return identifierName(name) }

// checker holds a complete scenario against the rules that concern more than
// one field, and fills in the defaults that depend on other fields.
type checker struct {
	s     *Scenario
	d     *decoder
	given func(at string) bool
}

func (c *checker) all() {
	for i := range c.s.Services {
		if sv := &c.s.Services[i]; sv.Error == "" {
			sv.Error = defaultError(sv)
		}
	}
	for i := range c.s.Queues {
		settleQueue(&c.s.Queues[i])
	}
	for i := range c.s.Producers {
		if p := &c.s.Producers[i]; p.WhenFull == RetryWhenFull && p.Retry.Backoff == NoBackoff {
			p.Retry.Backoff = Fixed
		}
	}
}

// settleQueue gives a queue whose messages can die its own dead-letter queue.
func settleQueue(q *Queue) {
	switch {
	case q.DeadLetter == "" && q.MaxReceives > 0:
		q.DeadLetter = q.Name + "-dead"
	case q.DeadLetter == q.Name+"-dead" && q.MaxReceives == 0:
		q.DeadLetter = ""
	}
}
