package main

import (
	"bytes"
	"encoding/json"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/lessons"
)

type schemaCommand struct {
	What string `arg:"" optional:"" enum:"scenario,lesson" default:"scenario" help:"scenario, or lesson: the head of a lesson, with its blocks in $$defs."`
}

// Help says what the schema is for.
func (*schemaCommand) Help() string {
	return `An editor that knows the schema completes the names of fields, says what they mean and marks what is wrong while you type.

Write it to a file once:
  rail schema > scenario.schema.json

For editors that use yaml-language-server (VS Code with the YAML extension, Neovim, Helix, Emacs), begin a scenario with
  # yaml-language-server: $schema=scenario.schema.json

or, in VS Code, name all of them at once in settings.json:
  "yaml.schemas": {"scenario.schema.json": ["scenarios/*.yaml"]}

A schema says what each field takes. Rules between fields, names that must exist, handlers and expectations are checked by rail run and rail check.`
}

// Run prints the JSON Schema of scenarios, or of lessons.
func (c *schemaCommand) Run(t *terminal) error {
	schema := scenario.Schema()
	if c.What == "lesson" {
		var err error
		if schema, err = lessons.Schema(); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if err := json.Indent(&out, schema, "", "  "); err != nil {
		return err
	}
	out.WriteByte('\n')
	_, err := t.out.Write(out.Bytes())
	return err
}
