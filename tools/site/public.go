package site

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// public is what a page says of itself to machines: to search engines, to
// whatever shows a card for its address, and to a browser that installs it.
type public struct {
	Manifest string // its name
	Touch    string // the icon for home screens
	Offline  string // the script that has the site kept for when there is no network
	Address  string // of the page; "" where the site's is not known
	OEmbed   string // the address of what makes a frame of it
}

const manifestFile = "manifest.webmanifest"

// public notes a page for the list of all and returns what it says of itself.
func (b *builder) public(name string) public {
	p := public{Manifest: manifestFile, Touch: b.names["icon_touch.png"], Offline: b.names["offline.js"]}
	if b.live() {
		p.Offline = ""
	}
	if b.address == "" {
		return p
	}
	folder := strings.TrimSuffix(name, "index.html")
	b.listed = append(b.listed, folder)
	p.Address = b.address + folder
	if slug, found := strings.CutPrefix(folder, "lessons/"); found && slug != "" {
		p.OEmbed = p.Address + oEmbedFile
	}
	return p
}

// forMachines writes what is there for no reader: how a browser installs the
// site and, where its address is known, the list of its pages.
func (b *builder) forMachines() error {
	text, err := json.MarshalIndent(map[string]any{
		"name": "Ticketrail", "short_name": "Ticketrail", "description": "Message queues, one ticket at a time.",
		"start_url": "./", "scope": "./", "display": "minimal-ui", "background_color": "#eceeec", "theme_color": "#191f24",
		"icons": b.iconList(),
	}, "", "  ")
	if err != nil {
		return err
	}
	if err := b.write(manifestFile, append(text, '\n')); err != nil {
		return err
	}
	if err := b.worker(); err != nil {
		return err
	}
	if b.address == "" {
		return nil
	}
	if text, err = b.sitemap(); err != nil {
		return err
	}
	if err := b.write("sitemap.xml", text); err != nil {
		return err
	}
	return b.write("robots.txt", []byte("User-agent: *\nAllow: /\nSitemap: "+b.address+"sitemap.xml\n"))
}

// sitemap lists all pages but those for frames, which are the lessons again.
func (b *builder) sitemap() ([]byte, error) {
	type location struct {
		Loc string `xml:"loc"`
	}
	list := struct {
		XMLName   xml.Name   `xml:"urlset"`
		Namespace string     `xml:"xmlns,attr"`
		URLs      []location `xml:"url"`
	}{Namespace: "http://www.sitemaps.org/schemas/sitemap/0.9"}
	pages := slices.Clone(b.listed)
	slices.Sort(pages)
	for _, page := range slices.Compact(pages) {
		list.URLs = append(list.URLs, location{b.address + page})
	}
	text, err := xml.MarshalIndent(list, "", "  ")
	if err != nil {
		return nil, err
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}

const oEmbedFile = "oembed.json"

// oEmbed writes, beside a lesson, what makes a frame of its address in systems
// that know oEmbed (oembed.com), as they find it through a link in the page.
func (b *builder) oEmbed(l *lesson.Lesson) error {
	if b.address == "" {
		return nil
	}
	const width, height = 720, 520
	frame := fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" loading="lazy" allow="fullscreen; clipboard-write" style="border:0; color-scheme: light dark"></iframe>`,
		html.EscapeString(b.address+embedOf(l.Slug)), html.EscapeString("Interactive lesson: "+l.Title), width, height)
	text, err := json.MarshalIndent(map[string]any{
		"version": "1.0", "type": "rich", "title": l.Title, "provider_name": "Ticketrail", "provider_url": b.address,
		"html": frame, "width": width, "height": height, "cache_age": 86400,
	}, "", "  ")
	if err != nil {
		return err
	}
	return b.write(pageOf(l.Slug)+oEmbedFile, append(text, '\n'))
}
