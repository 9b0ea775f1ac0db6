//go:build !(js && wasm)

package main

import "github.com/maxence-charriere/go-app/v10/pkg/app"

func open() {}

// page is not reached outside a browser: there is nothing to show a page in.
func page() app.Composer { panic("this program runs in a browser: build it with GOOS=js GOARCH=wasm") }
