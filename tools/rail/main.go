// Command rail runs scenarios in the terminal, and builds and serves the page.
//
//	rail run core/testdata/cases/six-orders-one-worker.yaml
//
// Start reading at cli: each command is a field of it and has a file of its
// own. Everything that a command needs to know about a scenario comes from
// core; here it is only read, said and written.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/willabides/kongplete"
)

// Exit statuses.
const (
	exitHeld   = 0 // everything asked for was done; all expectations hold
	exitFailed = 1 // an expectation does not hold
	exitWrong  = 2 // the scenario, or the command line, is wrong
	exitFault  = 3 // a fault of rail itself
)

type cli struct {
	Run        runCommand        `cmd:"" help:"Run scenarios: tell what happens, what came of it, and which expectations do not hold."`
	Sweep      sweepCommand      `cmd:"" help:"Run a scenario under many seeds: means, spreads, and the seeds for which an expectation fails."`
	Crashes    crashesCommand    `cmd:"" help:"Let a worker die after each line of its handler: is the work lost, done twice or right?"`
	Diff       diffCommand       `cmd:"" help:"Put two runs side by side: what differs, where they part, and why."`
	Biography  biographyCommand  `cmd:"" help:"Tell the life of a message, and why it was done twice, lost or left in the dead letters."`
	Picture    pictureCommand    `cmd:"" help:"Draw one instant of a run as an SVG file."`
	Link       linkCommand       `cmd:"" help:"Pack a scenario into a link that opens it in a browser."`
	Unpack     unpackCommand     `cmd:"" help:"Print the scenario of a link as YAML."`
	Schema     schemaCommand     `cmd:"" help:"Print the JSON Schema of scenarios or of lessons, with which an editor completes and checks them."`
	New        newCommand        `cmd:"" help:"Begin a lesson: a folder with a lesson that works, to be made your own."`
	Check      checkCommand      `cmd:"" help:"Check lessons: read them, run them, and say what is not as it should be."`
	Gift       giftCommand       `cmd:"" help:"Write the quizzes of lessons for the question bank of a course system."`
	Scorm      scormCommand      `cmd:"" help:"Pack lessons for a course system such as Moodle, as SCORM 1.2 packages."`
	Build      buildCommand      `cmd:"" help:"Build the site: a folder of static files that any host can serve."`
	Serve      serveCommand      `cmd:"" help:"Serve a built site on this machine."`
	Completion completionCommand `cmd:"" help:"Print the lines that make a shell complete rail's commands."`
	Version    versionCommand    `cmd:"" help:"Print rail's version."`
}

const description = `A message queue, a pool of workers and a virtual clock: run a scenario and see what happens.

Exit status: 0 all expectations hold, 1 one does not, 2 a scenario or the command line is wrong, 3 a fault of rail itself.`

// terminal is where a command reads and writes.
type terminal struct {
	in       io.Reader
	out, err io.Writer
	colour   bool
	bar      bool // err is a terminal, on which a progress bar can be drawn
}

// status is an error that only carries the exit status: everything there is
// to say was said.
type status int

func (s status) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func main() {
	os.Exit(execute(os.Args[1:], &terminal{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		colour: coloured(isTerminal(os.Stdout), os.Getenv),
		bar:    isTerminal(os.Stderr) && os.Getenv("TERM") != "dumb",
	}))
}

// coloured reports whether output is coloured: on a terminal that can, unless
// NO_COLOR says otherwise (no-color.org).
func coloured(terminal bool, getenv func(string) string) bool {
	return terminal && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"
}

// execute runs one command line and returns the exit status.
func execute(args []string, t *terminal) (code int) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Fprintf(t.err, "rail: a fault of rail itself, not of the scenario: %v\n%s, %s\n\n%s", fault, version(), subject, debug.Stack())
			code = exitFault
		}
	}()
	parser, exited := newParser(t)
	kongplete.Complete(parser, kongplete.WithPredictor("scenario", scenarioPredictor()))
	if exited.yes {
		return exited.code
	}
	ctx, err := parser.Parse(args)
	if exited.yes { // --help
		return exited.code
	}
	if err != nil {
		fmt.Fprintf(t.err, "rail: %v\nTry rail --help.\n", err)
		return exitWrong
	}
	return statusOf(ctx.Run(t), t)
}

// exit notes that the parser wanted to end the program, as --help does.
type exit struct {
	yes  bool
	code int
}

func newParser(t *terminal) (*kong.Kong, *exit) {
	exited := &exit{}
	parser := kong.Must(&cli{},
		kong.Name("rail"),
		kong.Description(description),
		kong.Writers(t.out, t.err),
		kong.Exit(func(code int) { exited.yes, exited.code = true, code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	)
	nameValues(parser.Model.Node)
	return parser, exited
}

// nameValues shows each flag's value under the name that its "value" tag gives.
func nameValues(node *kong.Node) {
	for _, flag := range node.Flags {
		if name := flag.Tag.Get("value"); name != "" {
			flag.PlaceHolder = name
		}
	}
	for _, child := range node.Children {
		nameValues(child)
	}
}

func statusOf(err error, t *terminal) int {
	var s status
	switch {
	case err == nil, errors.Is(err, syscall.EPIPE):
		return exitHeld // whoever read has read enough
	case errors.As(err, &s):
		return int(s)
	}
	fmt.Fprintf(t.err, "rail: %v\n", err)
	return exitFault
}

// subject says what is being worked on, for the report of a fault.
var subject = "before any scenario"

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
