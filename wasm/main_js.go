//go:build js && wasm

package main

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/browser"
	"github.com/ticketrail/ticketrail/wasm/view"
)

func page() app.Composer { return view.New(browser.New()).Root() }
