// The page's program. It is compiled to WebAssembly and started by boot.js
// over a page that is already there; every page of the site runs the same one.
// Package view is what it shows, browser how it reaches the page.
package main

import "github.com/maxence-charriere/go-app/v10/pkg/app"

func main() {
	open()
	app.RouteWithRegexp("^/.*", page)
	app.RunWhenOnBrowser()
}
