package main

import (
	"fmt"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/tools/site"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

type pictureCommand struct {
	File   string `arg:"" predictor:"scenario" help:"A scenario file, LESSON.md#ID, or - for standard input."`
	At     string `default:"0s" placeholder:"TIME" help:"The instant to draw, such as 1.2s; everything that happens at it has happened."`
	Output string `short:"o" default:"-" placeholder:"FILE" help:"The SVG file to write; - for standard output."`
	Size   string `enum:"wide,compact,tall,narrow" default:"wide" help:"The drawing: wide (896 across), compact (720), tall (358) or narrow (288)."`
	Follow string `placeholder:"ID" help:"The message to mark, such as 101."`
	Words  string `enum:"kitchen,plain,sqs,rabbitmq,pubsub" default:"kitchen" help:"What things are called: kitchen, plain, sqs, rabbitmq or pubsub."`
	Theme  string `enum:"system,light,dark" default:"system" help:"The colours: those of the viewer's system, light or dark."`
	settings
}

// Help gives examples.
func (*pictureCommand) Help() string {
	return `Examples:
  rail picture orders.yaml --at 1.2s -o orders.svg
  rail picture orders.yaml --at 1.2s --follow 101 --theme dark --size tall > orders.svg
  rail picture lesson.md#crash --set workers.mailer.count=3 --at 500ms -o crash.svg`
}

// Run draws one instant of a run as an SVG that stands by itself.
func (c *pictureCommand) Run(t *terminal) error {
	at, err := scenario.ParseDuration(c.At)
	if err != nil {
		return wrong(t, fmt.Errorf("--at: %w", err))
	}
	changes, err := c.changes()
	if err != nil {
		return wrong(t, err)
	}
	d, err := oneDocument(c.File)
	if err != nil {
		return wrong(t, err)
	}
	r, err := do(d, changes, t)
	if err != nil {
		return err
	}
	follow, err := c.followed(r.Log)
	if err != nil {
		return wrong(t, err)
	}
	picture, err := c.draw(r, at, follow)
	if err != nil {
		return err
	}
	if c.Output == stdin {
		_, err = fmt.Fprintln(t.out, picture)
		return err
	}
	if err := writeFile(c.Output, []byte(picture+"\n")); err != nil {
		return wrong(t, err)
	}
	return nil
}

func (c *pictureCommand) followed(log *event.Log) (event.MessageRef, error) {
	if c.Follow == "" {
		return event.NoMessage, nil
	}
	for i := range log.MessageCount() {
		if log.MessageID(event.MessageRef(i)).String() == c.Follow {
			return event.MessageRef(i), nil
		}
	}
	return event.NoMessage, fmt.Errorf("--follow: the run has no message %s", c.Follow)
}

func (c *pictureCommand) draw(r *run.Run, at event.Time, follow event.MessageRef) (string, error) {
	size := map[string]scene.Size{"wide": scene.Wide, "compact": scene.Compact, "tall": scene.Tall, "narrow": scene.Narrow}[c.Size]
	words := scene.WordSets()[c.Words]
	stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, words)
	state := r.Index.Cursor().Seek(at)
	svg := scene.Markup(stage.Frame(scene.Input{State: state, Now: at, Follow: follow}))
	theme := c.Theme
	if theme == "system" {
		theme = ""
	}
	return site.Alone(svg, theme)
}
