//go:build embedsite

package main

import _ "embed"

// embedded is a site, as rail build --archive writes it: with it rail serves the
// course, and builds and serves other lessons, without the source tree. make
// release puts it here.
//
//go:embed site.zip
var embedded []byte
