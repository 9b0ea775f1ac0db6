package main

import (
	"fmt"

	"github.com/ticketrail/ticketrail/tools/site"
)

type buildCommand struct {
	Output     string `short:"o" default:"build/site" type:"path" help:"The folder to write; made if need be."`
	Compressed bool   `help:"Also write .gz and .br files, for hosts that hand them out; takes a minute."`
}

// Run builds the site.
func (c *buildCommand) Run(t *terminal) error {
	subject = "building the site into " + c.Output
	var options []site.Option
	if c.Compressed {
		options = append(options, site.Compressed())
	}
	if err := site.Build(c.Output, options...); err != nil {
		fmt.Fprintf(t.err, "rail build: %v\n", err)
		return status(exitWrong)
	}
	_, err := fmt.Fprintf(t.out, "built %s\n", c.Output)
	return err
}
