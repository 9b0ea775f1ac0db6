package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/story"
)

type runCommand struct {
	Files  []string `arg:"" name:"file" predictor:"scenario" help:"Scenario files (.yaml, .yml, .json), lessons (.md, or .md#ID for one of its scenarios), folders of them, or - for standard input."`
	JSON   bool     `name:"json" xor:"form" help:"Print the outcome as one JSON object."`
	Events bool     `xor:"form" help:"Print the log, one JSON object a line."`
	settings
	Words string `enum:"plain,kitchen,sqs,rabbitmq,pubsub" default:"plain" help:"Tell the story in these words: plain, kitchen, sqs, rabbitmq or pubsub."`
	All   bool   `help:"Tell every sentence of a long story."`
}

// Help gives examples.
func (*runCommand) Help() string {
	return `Examples:
  rail run orders.yaml
  rail run orders.yaml --set queues.orders.visibility_timeout=5s --seed 7
  rail run scenarios/                      one line for each, and a count
  rail run lesson.md                       all scenarios of a lesson
  rail run lesson.md#crash                 the one with that id
  rail run orders.yaml --events | jq 'select(.event == "effect")'`
}

// Run runs one scenario and tells it, or several with a line for each.
func (c *runCommand) Run(t *terminal) error {
	changes, err := c.changes()
	if err != nil {
		return wrong(t, err)
	}
	docs, err := documents(c.Files)
	if err != nil {
		return wrong(t, err)
	}
	out := bufio.NewWriterSize(t.out, 1<<16)
	if len(docs) == 1 && !isFolder(c.Files[0]) {
		err = c.tell(docs[0], changes, t, out)
	} else {
		err = c.runAll(docs, changes, t, out)
	}
	if flushed := out.Flush(); flushed != nil {
		return flushed
	}
	return err
}

// wrong reports what is wrong with the command line.
func wrong(t *terminal, err error) error {
	fmt.Fprintf(t.err, "rail: %v\n", err)
	return status(exitWrong)
}

// tell runs one scenario and writes all that there is to say about it.
func (c *runCommand) tell(d document, changes []change, t *terminal, out *bufio.Writer) error {
	r, err := do(d, changes, t)
	if err != nil {
		return err
	}
	failures := r.Outcome.Holds()
	paint := painter(t.colour)
	switch {
	case c.JSON:
		err = writeJSON(out, r, "")
	case c.Events:
		err = writeEvents(out, r)
	default:
		c.writeStory(out, r, paint)
		writeOutcome(out, r.Outcome, paint)
		writeExpectations(out, len(r.Scenario.Expect), failures, paint)
	}
	switch {
	case err != nil:
		return err
	case cutShort(r) != "":
		fmt.Fprintf(t.err, "%s:%s\n", d.file, cutShort(r))
		return status(exitWrong)
	case len(failures) == 0:
		return nil
	case c.JSON || c.Events:
		writeFailures(t.err, d.name+": ", failures)
	}
	return status(exitFailed)
}

// cutShort says of a run that met a limit, which its scenario did not expect,
// where and what to do about it; "" of any other run.
func cutShort(r *run.Run) string {
	if len(r.Scenario.Expect) > 0 {
		return ""
	}
	if place := endless(r); place != "" || r.Outcome.EndedBecause != "limit" {
		return place
	}
	limit := r.Log.Text(r.Log.Last().Text)
	remedy := "end it earlier with until"
	if strings.HasPrefix(limit, "limits.") {
		remedy = "raise it, or " + remedy
	}
	if m, times := mostTried(r); times > 100 {
		remedy = fmt.Sprintf("message %s was handed out %d times: give its queue max_receives, or %s", r.Log.MessageID(m), times, remedy)
	}
	return fmt.Sprintf(" the run met its limit of %s at %s s: %s", limit, secondsText(r.Outcome.EndedAt), remedy)
}

// mostTried is the message that was handed out most often.
func mostTried(r *run.Run) (m event.MessageRef, times int32) {
	for i := range r.Log.Len() {
		if e := r.Log.Event(i); e.Kind == event.Delivered && e.Receive > times {
			m, times = e.Message, e.Receive
		}
	}
	return m, times
}

// endless names the first run of a handler that met the step limit.
func endless(r *run.Run) string {
	first, runs := "", 0
	for i := range r.Log.Len() {
		e := r.Log.Event(i)
		if e.Kind != event.HandlerFailed || e.Reason != event.LimitReached {
			continue
		}
		if runs++; runs > 1 {
			continue
		}
		pool := &r.Scenario.Workers[r.Log.Workers[e.Worker].Pool]
		place := ""
		if pool.HandlerLine > 0 {
			place = fmt.Sprintf("%d:%d:", pool.HandlerLine+int(e.Arg)-1, max(pool.HandlerColumn, 1))
		}
		first = fmt.Sprintf("%s line %d of the handler of %s, with message %s: %s", place, e.Arg, pool.Name, r.Log.MessageID(e.Message), r.Log.Text(e.Text))
	}
	if runs > 1 {
		first += fmt.Sprintf(" (so did %d more)", runs-1)
	}
	return first
}

// runAll runs many scenarios, with a line for each and a count at the end.
func (c *runCommand) runAll(docs []document, changes []change, t *terminal, out *bufio.Writer) error {
	width := 0
	for _, d := range docs {
		width = max(width, len(d.name))
	}
	passed, code := 0, exitHeld
	for _, d := range docs {
		r, err := do(d, changes, t)
		if err != nil {
			code = exitWrong
			c.line(out, "wrong", width, d.name, "see the errors", nil)
			continue
		}
		failures := r.Outcome.Holds()
		if err := c.lineFor(out, width, d.name, r, failures); err != nil {
			return err
		}
		switch {
		case cutShort(r) != "":
			code = exitWrong
		case len(failures) > 0:
			code = max(code, exitFailed)
		default:
			passed++
		}
	}
	if !c.JSON && !c.Events {
		fmt.Fprintf(out, "%d passed, %d failed\n", passed, len(docs)-passed)
	}
	if code != exitHeld {
		return status(code)
	}
	return nil
}

// lineFor writes what is said of one run among many.
func (c *runCommand) lineFor(out *bufio.Writer, width int, file string, r *run.Run, failures []outcome.Failure) error {
	n := len(r.Scenario.Expect)
	switch {
	case c.JSON:
		return writeJSON(out, r, file)
	case c.Events:
		return writeEvents(out, r)
	case len(failures) > 0:
		c.line(out, "FAIL", width, file, fmt.Sprintf("%d of %s", len(failures), failing(len(failures), n)), failures)
	case cutShort(r) != "":
		c.line(out, "limit", width, file, cutShort(r), nil)
	case n == 0:
		c.line(out, "ok", width, file, "expects nothing", nil)
	default:
		c.line(out, "ok", width, file, holding(n), nil)
	}
	return nil
}

func (c *runCommand) line(out *bufio.Writer, mark string, width int, file, said string, failures []outcome.Failure) {
	if c.JSON || c.Events {
		return
	}
	fmt.Fprintf(out, "%-5s  %-*s  %s\n", mark, width, file, said)
	writeFailures(out, "       ", failures)
}

func writeJSON(out *bufio.Writer, r *run.Run, file string) error {
	b, err := r.Outcome.MarshalJSON()
	if err != nil {
		return err
	}
	if file != "" {
		b = append([]byte(fmt.Sprintf(`{"file":%q,`, file)), b[1:]...)
	}
	_, err = out.Write(append(b, '\n'))
	return err
}

func writeEvents(out *bufio.Writer, r *run.Run) error {
	var line []byte
	for i := range r.Log.Len() {
		line = append(r.Log.AppendJSON(line[:0], i), '\n')
		if _, err := out.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// vocabularies are those in which a story can be told.
var vocabularies = map[string]story.Words{
	"plain": story.Plain, "kitchen": story.Kitchen, "sqs": story.SQS, "rabbitmq": story.RabbitMQ, "pubsub": story.PubSub,
}
