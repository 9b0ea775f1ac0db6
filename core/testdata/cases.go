// Package testdata holds the cases for programs that show them where the
// source tree is not: the sandbox begins with some. It only embeds them.
package testdata

import "embed"

// Cases are the files of the folder cases, by names such as
// cases/slow-worker.yaml.
//
//go:embed cases
var Cases embed.FS
