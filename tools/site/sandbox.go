package site

import (
	_ "embed"
	"fmt"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/testdata"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// opens is what the sandbox opens with, as a lesson of one step.
//
//go:embed sandbox.md
var opens []byte

// starts are the cases that one can start from in the sandbox, in plain words.
var starts = []struct{ title, file string }{
	{"Six orders, one worker", "six-orders-one-worker"},
	{"The ack before the work, and a mail server that fails", "ack-before-work"},
	{"The ack after the work, and a mail server that fails", "ack-after-work"},
	{"A worker that crashes halfway", "crash-halfway"},
	{"A worker slower than the visibility timeout", "slow-worker"},
	{"A message that can never be handled", "poison-to-dead-letters"},
	{"Waiting longer after each try", "backoff"},
	{"A queue with room for three", "queue-full"},
	{"More orders than one worker can do", "lunch-rush"},
	{"A payment done twice", "naive-payments"},
	{"A payment that is remembered", "idempotent-payments"},
	{"An outside service with a rate limit", "rate-limit"},
	{"A backlog of 400, eight workers", "drain-eight-workers"},
	{"One message to several queues", "rules/topic-fan-out"},
	{"A pipeline of queues", "rules/pipeline"},
	{"Everything of one customer in order", "rules/three-keys"},
}

// sandbox writes the page on which scenarios are built by hand.
func (b *builder) sandbox() error {
	text, err := b.sandboxPage()
	if err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	return b.write("sandbox/index.html", text)
}

func (b *builder) sandboxPage() ([]byte, error) {
	l, problems := lessons.Read(opens, "sandbox")
	if len(problems) > 0 {
		return nil, &lessons.Faults{File: "tools/site/sandbox.md", Problems: problems}
	}
	built := view.Built{Kind: view.SandboxPage, Course: &view.Course{}, Lesson: l}
	for _, start := range starts {
		file := "cases/" + start.file + ".yaml"
		source, err := testdata.Cases.ReadFile(file)
		if err != nil {
			return nil, err
		}
		s, problems := scenarioyaml.Decode(source, run.Check)
		if len(problems) > 0 {
			return nil, fmt.Errorf("%s: %w", file, problems)
		}
		built.Starts = append(built.Starts, lesson.Scenario{ID: start.title, Scenario: s})
	}
	return b.render("sandbox/index.html", built, page{
		Title:       "Sandbox - Ticketrail",
		Description: "Build a message queue by hand: queues, producers, workers, services and the code of the handlers. Every change runs at once, in the page.",
	})
}
