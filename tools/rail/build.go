package main

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/tools/site"
)

type buildCommand struct {
	Output     string `short:"o" default:"build/site" type:"path" help:"The folder to write; made if need be."`
	Lessons    string `type:"path" value:"FOLDER" help:"The folder of the lessons. Default: those of the source tree."`
	Site       string `type:"path" value:"FOLDER" help:"A built site to take the page's program from. Default: the one in rail itself, or the source tree, which compiles it."`
	Address    string `placeholder:"URL" value:"URL" help:"The address at which the site will be, such as https://example.org/ticketrail/: for a sitemap, canonical links and oEmbed, which need it whole."`
	Compressed bool   `help:"Also write .gz and .br files, for hosts that hand them out; takes a minute."`
	Unproven   bool   `help:"Build lessons also when rail check finds problems in them."`
	Archive    string `type:"path" value:"FILE" hidden:"" help:"Write the site into this file, for a rail that holds it."`
}

// Help gives examples.
func (*buildCommand) Help() string {
	return `Examples:
  rail build                                     the site of the source tree
  rail build --lessons my-lessons -o my-site     the site of your own lessons
  rail build --lessons my-lessons --site build/site -o my-site`
}

// Run builds the site.
func (c *buildCommand) Run(t *terminal) error {
	subject = "building the site into " + c.Output
	if c.Archive != "" {
		return c.archive(t)
	}
	folder, err := c.lessons()
	if err != nil {
		return wrong(t, err)
	}
	if err := c.checked(t, folder); err != nil {
		return err
	}
	options := []site.Option{site.Lessons(folder)}
	if c.Address != "" {
		at, err := url.Parse(c.Address)
		if err != nil || at.Scheme != "https" && at.Scheme != "http" || at.Host == "" || at.RawQuery != "" || at.Fragment != "" {
			return wrong(t, fmt.Errorf("--address: %q is not the address of a site: write one such as https://example.org/ticketrail/", c.Address))
		}
		options = append(options, site.At(c.Address))
	}
	if c.Compressed {
		options = append(options, site.Compressed())
	}
	kit, err := kitFrom(c.Site)
	if err != nil {
		return wrong(t, err)
	}
	var faults *lessons.Faults
	switch err := site.Build(c.Output, append(options, site.With(kit))...); {
	case errors.As(err, &faults):
		fmt.Fprintln(t.err, faults)
		return status(exitWrong)
	case err != nil:
		return wrong(t, err)
	}
	_, err = fmt.Fprintf(t.out, "built %s\n", c.Output)
	return err
}

// lessons is the folder of the lessons.
func (c *buildCommand) lessons() (string, error) {
	if c.Lessons != "" {
		_, err := lessonFolders(c.Lessons)
		return c.Lessons, err
	}
	root, err := site.Root()
	if err != nil {
		return "", errors.New("there are no lessons here: name their folder with --lessons, or run this inside the source tree")
	}
	return filepath.Join(root, "lessons"), nil
}

// checked refuses lessons that are not as they should be, and says why.
func (c *buildCommand) checked(t *terminal, folder string) error {
	if c.Unproven {
		return nil
	}
	var said bytes.Buffer
	err := (&checkCommand{Paths: []string{fromHere(folder)}}).check(&terminal{out: &said, err: &said})
	if err != nil {
		_, _ = t.err.Write(said.Bytes())
		fmt.Fprintln(t.err, "rail build: nothing is built of lessons with problems; mend them, or build them as they are with --unproven")
	}
	return err
}

// archive writes a site, built before or now, as one file.
func (c *buildCommand) archive(t *terminal) error {
	dir := c.Site
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "ticketrail-site-"); err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		into := *c
		into.Archive, into.Output = "", dir
		if err := into.Run(t); err != nil {
			return err
		}
	} else if _, err := kitFrom(dir); err != nil {
		return wrong(t, err)
	}
	archive, err := site.Archive(os.DirFS(dir))
	if err != nil {
		return err
	}
	if err := writeFile(c.Archive, archive); err != nil {
		return wrong(t, err)
	}
	return nil
}

// kitFrom returns what pages share: of a built site that is named, or of the
// one in rail itself, or else of the source tree that the working folder is in.
func kitFrom(built string) (*site.Kit, error) {
	if built != "" {
		kit, err := site.OpenKit(os.DirFS(built))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", built, err)
		}
		return kit, nil
	}
	if len(embedded) > 0 {
		built, err := site.OpenArchive(embedded)
		if err != nil {
			return nil, err
		}
		return site.OpenKit(built)
	}
	root, err := site.Root()
	if err != nil {
		return nil, fmt.Errorf("this rail holds no page's program of its own: name a built site with --site, run it inside the source tree, or make a rail that holds one with make release")
	}
	return site.Make(root)
}
