package spelling

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	known := []string{"visibility_timeout", "max_receives", "max_size", "ttl", "ack", "nack"}
	for name, want := range map[string]string{
		"visibilty_timeout": "visibility_timeout",
		"max_recieves":      "max_receives",
		"maxsize":           "max_size",
		"akc":               "ack",
		"tll":               "ttl",
		"nakc":              "nack",
		"colour":            "",
		"":                  "",
		"ack":               "nack", // never itself
	} {
		assert.Equal(t, want, Nearest(name, known), name)
	}
}
