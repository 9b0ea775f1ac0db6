package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"github.com/ticketrail/ticketrail/lessons"
)

type newCommand struct {
	Path  string `arg:"" name:"slug" help:"The lesson's name in addresses, such as late-orders, or the folder to make, such as my-lessons/late-orders."`
	Title string `value:"TEXT" help:"The title. Default: the name in words."`
}

// Help says what is written.
func (*newCommand) Help() string {
	return `Writes a lesson that works, with one of everything: a scenario, a stage, a prediction, a challenge, a question. Make it yours, and let rail check say what is still missing.

Examples:
  rail new late-orders                 in lessons/, where there is that folder
  rail new my-lessons/late-orders      in a folder of your own`
}

//go:embed new.md
var newLesson string

var slugForm = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Run writes the lesson.
func (c *newCommand) Run(t *terminal) error {
	folder := filepath.Clean(c.Path)
	slug := filepath.Base(folder)
	if !slugForm.MatchString(slug) {
		return wrong(t, fmt.Errorf("%q cannot stand in addresses: write small letters and digits with hyphens between them, such as late-orders", slug))
	}
	if folder == slug && isFolder("lessons") {
		folder = filepath.Join("lessons", slug)
	}
	file := filepath.Join(folder, lessons.File)
	text, err := c.text(slug)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return wrong(t, explainFile(folder, err))
	}
	out, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return wrong(t, fmt.Errorf("%s is there already: choose another name, or delete it first", file))
	}
	if err != nil {
		return wrong(t, explainFile(file, err))
	}
	_, err = out.WriteString(text)
	if err := errors.Join(err, out.Close()); err != nil {
		return wrong(t, explainFile(file, err))
	}
	_, err = fmt.Fprintf(t.out, "wrote %s\n\nNext:\n  rail serve %s    opens it in the browser, and again with each save\n  rail check %s    says what is still to be written\n",
		file, filepath.Dir(folder), folder)
	return err
}

// text is the lesson with its title.
func (c *newCommand) text(slug string) (string, error) {
	title := c.Title
	if title == "" {
		words := strings.ReplaceAll(slug, "-", " ")
		title = strings.ToUpper(words[:1]) + words[1:]
	}
	if strings.ContainsAny(title, ":#\"'{}[]&*!|>%@`") {
		title = fmt.Sprintf("%q", title) // as YAML has such a text
	}
	var out strings.Builder
	err := template.Must(template.New("new.md").Parse(newLesson)).Execute(&out, map[string]string{"Title": title})
	return out.String(), err
}
