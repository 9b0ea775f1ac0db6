package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/scene"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// embedFolder is where the embedded pages are, from the site's root. Their
// addresses, options and messages are promised for as long as it is v1.
const embedFolder = "embed/v1/"

// The program as a script, for where a page may load scripts but fetch nothing:
// a sandboxed frame on a host that sends no CORS header, or a site that is
// opened from a disk. A script needs no permission of its host.
const inlinedFile = "program.js"

// embeds writes what all embedded pages share: embed.js under the name by which
// other sites load it, and the inlined program.
func (b *builder) embeds() error {
	if script, ok := b.kit.files["embed.js"]; ok {
		if err := b.write(embedFolder+"embed.js", script); err != nil {
			return err
		}
	}
	program, err := inlined(b.kit.files[programFile])
	if err != nil {
		return fmt.Errorf("%s: %w", inlinedFile, err)
	}
	return b.hashed(inlinedFile, program)
}

// inlined is a script that hands the program to boot.js, packed.
func inlined(program []byte) ([]byte, error) {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := z.Write(program); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return []byte("ticketrail.inlined(\"" + base64.StdEncoding.EncodeToString(packed.Bytes()) + "\");\n"), nil
}

// embedOf is the folder of a lesson's embedded page, from the site's root.
func embedOf(slug string) string { return embedFolder + slug + "/" }

// embed writes the page of a lesson for frames.
func (b *builder) embed(shelf *lessons.Shelf, l *lesson.Lesson) error {
	name := embedOf(l.Slug) + "index.html"
	own, _, err := linked(shelf, l, rootFrom(name)) // the lesson's page brings the files
	if err != nil {
		return err
	}
	built := view.Built{Kind: view.EmbedPage, Lesson: own}
	if b.same(name, built) {
		return nil
	}
	runs, err := b.record(pageOf(l.Slug), view.Built{Lesson: own})
	if err != nil {
		return err
	}
	var of public // the lesson's own page is the one for search engines
	if b.address != "" {
		of.Address = b.address + pageOf(l.Slug)
	}
	text, err := b.render(name, built, page{
		Runs: runs, Public: of,
		Title: l.Title + " - Ticketrail", Description: strings.Join(l.Objectives, "; "),
		Frame: b.names["embed_frame.js"], Lesson: pageOf(l.Slug),
	})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err := b.write(name, text); err != nil {
		return err
	}
	return b.card(l)
}

// card writes the picture of a lesson for links to it: its stage at the start.
func (b *builder) card(l *lesson.Lesson) error {
	p, err := opened(l, 0)
	if err != nil {
		return err
	}
	picture, err := Alone(drawn(p, scene.Wide)[0], "")
	if err != nil {
		return err
	}
	return b.write(embedOf(l.Slug)+"picture.svg", []byte(picture+"\n"))
}

// panelled is what the template of the embed panel is filled with.
type panelled struct{ Frames, Page, Guide, Slug, Title string }

// embedPanel is the part of a lesson's page that writes the lines with which
// other pages show the lesson.
func embedPanel(l *lesson.Lesson) (template.HTML, error) {
	root := rootFrom(pageOf(l.Slug) + "index.html")
	return fragment("embedpanel", panelled{Frames: root + embedFolder, Page: root + pageOf(l.Slug), Guide: root + guideFolder, Slug: l.Slug, Title: l.Title})
}
