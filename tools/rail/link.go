package main

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/share"
)

type linkCommand struct {
	File string `arg:"" predictor:"scenario" help:"A scenario file, FILE.md#ID for a scenario of a lesson, or - for standard input."`
	At   string `placeholder:"TIME" value:"TIME" help:"The moment that the link opens, such as 1.2s."`
	Site string `placeholder:"URL" value:"URL" default:"" help:"The address of the site that is to open it, such as https://example.org/ticketrail/. Without it only the part from the # on is printed, to be put behind the address of a sandbox page."`
}

// Help gives examples.
func (*linkCommand) Help() string {
	return `The whole scenario is in the link: whoever opens it needs no file, and nothing of it reaches a server.

Examples:
  rail link orders.yaml --site https://example.org/ticketrail/
  rail link orders.yaml --at 1.2s
  rail link lesson.md#crash`
}

// Run prints the link of one scenario.
func (c *linkCommand) Run(t *terminal) error {
	d, err := oneDocument(c.File)
	if err != nil {
		return wrong(t, err)
	}
	s, err := ready(d, nil, t)
	if err != nil {
		return err
	}
	packed, err := share.Pack(s)
	if err != nil {
		return wrong(t, fmt.Errorf("%s: %w", d.name, err))
	}
	v := url.Values{share.ScenarioKey: {packed}}
	if c.At != "" {
		at, err := scenario.ParseDuration(c.At)
		if err != nil {
			return wrong(t, fmt.Errorf("--at: %w", err))
		}
		v.Set(share.AtKey, scenario.FormatDuration(at))
	}
	page := c.Site
	if page != "" {
		page = strings.TrimSuffix(page, "/") + "/sandbox/"
	}
	_, err = fmt.Fprintln(t.out, page+"#"+share.Fragment(v))
	return err
}

type unpackCommand struct {
	Link string `arg:"" help:"A link, whole or from the # on; in quotes, because of the & in it."`
}

// Help gives examples.
func (*unpackCommand) Help() string {
	return `Examples:
  rail unpack 'https://example.org/ticketrail/sandbox/#v=1&scenario=...' > orders.yaml
  rail run 'https://example.org/ticketrail/sandbox/#v=1&scenario=...'`
}

// Run prints the scenario of a link as YAML.
func (c *unpackCommand) Run(t *terminal) error {
	s, is, err := unpack(c.Link)
	if !is {
		err = fmt.Errorf("%s is no link: give one such as 'https://example.org/ticketrail/sandbox/#v=1&scenario=...'", c.Link)
	}
	if err != nil {
		return wrong(t, err)
	}
	_, err = t.out.Write(scenarioyaml.Encode(s))
	return err
}

// unpack reads the scenario of a link, and reports whether it is meant to be
// one.
func unpack(link string) (s *scenario.Scenario, is bool, err error) {
	_, fragment, found := strings.Cut(link, "#")
	v, err := share.Parse(fragment)
	switch {
	case !found || err == nil && v == nil:
		return nil, false, nil
	case err != nil:
		return nil, true, err
	case !v.Has(share.ScenarioKey):
		return nil, true, errors.New("this link holds only what was changed on its page: open it there, go on in the sandbox, and copy the link there")
	}
	s, err = share.Unpack(v.Get(share.ScenarioKey), run.Check)
	return s, true, err
}

// linked is the scenario of a link as a document.
func linked(link string) (d document, is bool, err error) {
	s, is, err := unpack(link)
	if !is || err != nil {
		return document{}, is, err
	}
	const name = "the link"
	return document{name: name, file: name, block: scenarioyaml.Encode(s)}, true, nil
}
