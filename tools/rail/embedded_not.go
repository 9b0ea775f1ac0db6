//go:build !embedsite

package main

var embedded []byte // only in a release: see embedded.go
