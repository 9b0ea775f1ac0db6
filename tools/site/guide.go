package site

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/web"
)

// guideFolder is where the guide for teachers is, from the site's root.
const guideFolder = "docs/"

// authoringFile is the text of the guide that lies with the lessons.
const authoringFile = "AUTHORING.md"

// exampleAddress stands in the guide for the site's own, where that is not
// known.
const exampleAddress = "https://HOST/PATH/"

// guidePages are the pages of the guide in the order of its list.
var guidePages = []guidePage{
	{"", "guide.md"}, {"embed/", "embed.md"}, {"options/", "options.md"}, {"courses/", "courses.md"},
	{"classroom/", "classroom.md"}, {"host/", "host.md"}, {"writing/", authoringFile},
}

type guidePage struct{ folder, file string }

// listedPage is an entry of the list beside a page.
type listedPage struct {
	Href, Title string
	Here        bool
}

// guideText is a text of the guide, read.
type guideText struct {
	guidePage
	title, lead string
	source      []byte
	root        ast.Node
}

var guideMarkdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// guideSource is the Markdown of a page.
func guideSource(file string) ([]byte, error) {
	if file == authoringFile {
		return lessons.Authoring, nil
	}
	return fs.ReadFile(web.Files, "docs/"+file)
}

// readGuide reads the texts of the guide, with the site's address in them where
// it is known.
func readGuide(address string) ([]guideText, error) {
	var all []guideText
	for _, p := range guidePages {
		source, err := guideSource(p.file)
		if err != nil {
			return nil, err
		}
		if address != "" {
			source = bytes.ReplaceAll(source, []byte(exampleAddress), []byte(address))
		}
		t := guideText{guidePage: p, source: source, root: guideMarkdown.Parser().Parse(text.NewReader(source))}
		heading, paragraph := t.root.FirstChild(), ast.Node(nil)
		if heading != nil {
			paragraph = heading.NextSibling()
		}
		if paragraph == nil || heading.Kind() != ast.KindHeading || paragraph.Kind() != ast.KindParagraph {
			return nil, fmt.Errorf("%s: a text of the guide begins with its title and a paragraph", p.file)
		}
		t.title, t.lead = textOf(heading, source), textOf(paragraph, source)
		all = append(all, t)
	}
	return all, nil
}

// guide writes the guide for teachers.
func (b *builder) guide(shelf *lessons.Shelf, all []guideText) error {
	for _, t := range all {
		name := guideFolder + t.folder
		way := rootFrom(name)
		var pages []listedPage
		for _, other := range all {
			pages = append(pages, listedPage{way + guideFolder + other.folder, other.title, other.folder == t.folder})
		}
		written, err := t.html(way, shelf)
		if err != nil {
			return fmt.Errorf("%s: %w", t.file, err)
		}
		main, err := fragment("guide", map[string]any{"Pages": pages, "Text": written})
		if err != nil {
			return err
		}
		if err := b.plainPage(name, plainPage{Title: t.title + " - Ticketrail", Description: opening(t.lead), Main: main}); err != nil {
			return err
		}
	}
	return nil
}

// html is the text as it stands in a page at that way from the site's root.
func (t guideText) html(way string, shelf *lessons.Shelf) (template.HTML, error) {
	err := ast.Walk(t.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		link, ok := n.(*ast.Link)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		to, err := guideLink(string(link.Destination), shelf)
		if err != nil {
			return ast.WalkStop, err
		}
		if !strings.Contains(to, ":") && !strings.HasPrefix(to, "#") {
			to = way + to
		}
		link.Destination = []byte(to)
		return ast.WalkContinue, nil
	})
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	err = guideMarkdown.Renderer().Render(&out, t.source, t.root)
	return template.HTML(out.String()), err
}

// guideLink is where the site has what a link of the guide leads to, from its
// root: links lead from file to file, so that they work in the tree as well.
func guideLink(href string, shelf *lessons.Shelf) (string, error) {
	u, err := url.Parse(href)
	if err != nil {
		return "", err
	}
	if u.Scheme != "" || u.Path == "" {
		return href, nil
	}
	file, fragment := path.Base(u.Path), ""
	if u.Fragment != "" {
		fragment = "#" + u.Fragment
	}
	for _, p := range guidePages {
		if p.file == file {
			return guideFolder + p.folder + fragment, nil
		}
	}
	if to, err := shelf.Resolve("", u.Path); err == nil && to.Lesson != "" {
		return pageOf(to.Lesson), nil
	}
	if file == "course.txt" || file == lessons.File { // a lesson that this site does not have
		return "lessons/", nil
	}
	return "", fmt.Errorf("%s leads nowhere: name a text of the guide or a lesson", href)
}

// textOf is the plain text of a part of a text.
func textOf(n ast.Node, source []byte) string {
	var out strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // which has no error to give
		if t, ok := n.(*ast.Text); ok && entering {
			out.Write(t.Value(source))
			if t.SoftLineBreak() {
				out.WriteByte(' ')
			}
		} else if !entering && n.Type() == ast.TypeBlock {
			out.WriteByte(' ')
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(out.String())
}
