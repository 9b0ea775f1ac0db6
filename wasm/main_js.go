//go:build js && wasm

package main

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/browser"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// opened is the page as it is before the first rendering.
var opened *view.Page

// open opens the page, and lets the browser draw a frame before the next long
// piece of work: the recording of the run may be playing.
func open() {
	opened = view.New(browser.New())
	time.Sleep(time.Millisecond)
}

func page() app.Composer { return opened.Root() }
