//go:build embedsite

package main

import _ "embed"

// embedded is what pages share, as rail build --archive writes it: with it
// rail builds and serves lessons without the source tree. make release puts it
// here.
//
//go:embed site.zip
var embedded []byte
