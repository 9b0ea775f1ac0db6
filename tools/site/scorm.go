package site

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// Scorm returns a lesson of a folder of lessons as a SCORM 1.2 package: a zip
// archive of one lesson that needs nothing else, the program included. A score
// of pass, of 100, passes it.
func Scorm(kit *Kit, folder, slug string, pass int) ([]byte, error) {
	shelf, err := lessons.OpenShelf(filepath.Dir(folder))
	if err != nil {
		return nil, err
	}
	l, err := lessons.Open(folder)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ticketrail-scorm-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	b := &builder{dir: dir, kit: kit, names: map[string]string{}, sizes: map[string]int{}, runs: map[string]string{}}
	if err := b.packaged(shelf, l, pass); err != nil {
		return nil, fmt.Errorf("%s: %w", slug, err)
	}
	return zipped(dir)
}

// packagedFiles are those of a kit that a package has; the program comes as a
// script, since a course system may refuse to have it fetched.
var packagedFiles = []string{runtimeFile, styleFile, "boot.js", "paint.js", "recorded.js", "embed_frame.js", "scorm.js", "icon.svg"}

// packaged writes the files of a package.
func (b *builder) packaged(shelf *lessons.Shelf, l *lesson.Lesson, pass int) error {
	for _, name := range packagedFiles {
		if err := b.hashed(name, b.kit.files[name]); err != nil {
			return err
		}
	}
	program, err := inlined(b.kit.files[programFile])
	if err != nil {
		return err
	}
	if err := b.hashed(inlinedFile, program); err != nil {
		return err
	}
	b.names[programFile], b.sizes[programFile] = b.names[inlinedFile], len(b.kit.files[programFile])
	own, files, err := linked(shelf, l, "")
	if err != nil {
		return err
	}
	unlink(own, files)
	for _, file := range files {
		data, err := os.ReadFile(filepath.Join(shelf.Folder, l.Slug, file))
		if err != nil {
			return err
		}
		if err := b.write(file, data); err != nil {
			return err
		}
	}
	built := view.Built{Kind: view.EmbedPage, Lesson: own, Alone: true}
	runs, err := b.record("", view.Built{Lesson: own})
	if err != nil {
		return err
	}
	text, err := b.render("index.html", built, page{
		Title: l.Title, Description: strings.Join(l.Objectives, "; "), Runs: runs,
		Frame: b.names["embed_frame.js"], Scorm: b.names["scorm.js"], Pass: pass, Slug: l.Slug,
	})
	if err != nil {
		return err
	}
	if err := b.write("index.html", text); err != nil {
		return err
	}
	names, err := filesOf(b.dir)
	if err != nil {
		return err
	}
	text, err = manifest(l, names)
	if err != nil {
		return err
	}
	return b.write("imsmanifest.xml", text)
}

// unlink makes text of links to other pages of the site, which a package does
// not have. Files of the lesson and addresses on the web stay.
func unlink(l *lesson.Lesson, files []string) {
	l.EachNode(func(n *lesson.Node) {
		if n.Tag != "a" || strings.Contains(n.Href, "://") {
			return
		}
		for _, file := range files {
			if strings.HasSuffix(n.Href, "/"+file) {
				n.Href = file
				return
			}
		}
		n.Tag, n.Href = "", ""
	})
}

// The manifest of a package, as SCORM 1.2 wants it.
type described struct {
	XMLName        xml.Name `xml:"manifest"`
	Identifier     string   `xml:"identifier,attr"`
	Version        string   `xml:"version,attr"`
	Namespace      string   `xml:"xmlns,attr"`
	ADL            string   `xml:"xmlns:adlcp,attr"`
	XSI            string   `xml:"xmlns:xsi,attr"`
	SchemaLocation string   `xml:"xsi:schemaLocation,attr"`
	Schema         string   `xml:"metadata>schema"`
	SchemaVersion  string   `xml:"metadata>schemaversion"`
	Organizations  organizations
	Resource       resource `xml:"resources>resource"`
}

type organizations struct {
	XMLName      xml.Name     `xml:"organizations"`
	Default      string       `xml:"default,attr"`
	Organization organization `xml:"organization"`
}

type organization struct {
	Identifier string `xml:"identifier,attr"`
	Title      string `xml:"title"`
	Item       item   `xml:"item"`
}

type item struct {
	Identifier    string `xml:"identifier,attr"`
	IdentifierRef string `xml:"identifierref,attr"`
	Visible       bool   `xml:"isvisible,attr"`
	Parameters    string `xml:"parameters,attr"`
	Title         string `xml:"title"` // no mastery score: with one, a course system fails whoever leaves early
}

type resource struct {
	Identifier string `xml:"identifier,attr"`
	Type       string `xml:"type,attr"`
	ScormType  string `xml:"adlcp:scormtype,attr"`
	Href       string `xml:"href,attr"`
	Files      []file `xml:"file"`
}

type file struct {
	Href string `xml:"href,attr"`
}

// manifest is the imsmanifest.xml of a package with those files.
func manifest(l *lesson.Lesson, files []string) ([]byte, error) {
	const adl = "http://www.adlnet.org/xsd/adlcp_rootv1p2"
	const ims = "http://www.imsproject.org/xsd/imscp_rootv1p1p2"
	m := described{
		Identifier: "ticketrail-" + l.Slug, Version: "1.0", Namespace: ims, ADL: adl, XSI: "http://www.w3.org/2001/XMLSchema-instance",
		SchemaLocation: ims + " imscp_rootv1p1p2.xsd " + adl + " adlcp_rootv1p2.xsd",
		Schema:         "ADL SCORM", SchemaVersion: "1.2",
		Organizations: organizations{Default: "lesson", Organization: organization{
			Identifier: "lesson", Title: l.Title,
			Item: item{Identifier: "item", IdentifierRef: "page", Visible: true, Parameters: "?show=" + scormShows, Title: l.Title},
		}},
		Resource: resource{Identifier: "page", Type: "webcontent", ScormType: "sco", Href: "index.html"},
	}
	for _, name := range files {
		m.Resource.Files = append(m.Resource.Files, file{name})
	}
	text, err := xml.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

// scormShows are the parts of the page that a package shows: its frame is as
// large as a page.
const scormShows = "prose,questions,code,settings,charts,transcript"

// zipped returns the files of a folder as a zip archive, the same for the same
// files.
func zipped(dir string) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	names, err := filesOf(dir)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// filesOf are the files below a folder, in alphabetical order.
func filesOf(dir string) ([]string, error) {
	var names []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			names = append(names, name)
		}
		return err
	})
	slices.Sort(names)
	return names, err
}
