// Package web holds what a browser is sent besides the program: the page's
// template, style sheets, scripts, icons and the texts of the guide. It only
// embeds them; tools/site puts them together.
package web

import "embed"

// Files are the files of this folder by name: page.html, css/page.css, docs/host.md ...
//
//go:embed *.html *.js *.svg css/*.css docs/*.md
var Files embed.FS
