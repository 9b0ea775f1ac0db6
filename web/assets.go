// Package web holds what a browser is sent besides the program: the page's
// template, style sheets, scripts and icons. It only embeds them; tools/site
// puts them together.
package web

import "embed"

// Files are the files of this folder by name: page.html, boot.js, css/page.css ...
//
//go:embed *.html *.js *.svg css/*.css
var Files embed.FS
