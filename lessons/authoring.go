package lessons

import _ "embed"

// Authoring is the text on how a lesson is written, in Markdown.
//
//go:embed AUTHORING.md
var Authoring []byte
