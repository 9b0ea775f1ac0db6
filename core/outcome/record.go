package outcome

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/spelling"
)

// record is a value with named parts, such as wait or queue("orders").
type record struct {
	name  string
	parts []field
}

type field struct {
	name  string
	value starlark.Value
}

var _ starlark.HasAttrs = record{}

func (r record) Type() string          { return r.name }
func (r record) Freeze()               {}
func (r record) Truth() starlark.Bool  { return true }
func (r record) Hash() (uint32, error) { return 0, fmt.Errorf("%s cannot be a key", r.name) }

// String writes the parts: wait(mean = 1.5, p50 = 1.0, ...).
func (r record) String() string {
	parts := make([]string, len(r.parts))
	for i, f := range r.parts {
		parts[i] = f.name + " = " + f.value.String()
	}
	return r.name + "(" + strings.Join(parts, ", ") + ")"
}

// Attr returns a part; an unknown one is an error that lists them.
func (r record) Attr(name string) (starlark.Value, error) {
	for _, f := range r.parts {
		if f.name == name {
			return f.value, nil
		}
	}
	return nil, starlark.NoSuchAttrError(fmt.Sprintf("%s has no .%s; %s", r.name, name, suggest(name, r.AttrNames())))
}

// AttrNames lists the parts.
func (r record) AttrNames() []string {
	names := make([]string, len(r.parts))
	for i, f := range r.parts {
		names[i] = f.name
	}
	return names
}

// suggest says what to write instead of an unknown name: the nearest of the
// known ones, or all of them.
func suggest(name string, known []string) string {
	nearest := spelling.Nearest(name, known)
	switch {
	case nearest != "":
		return "did you mean " + nearest + "?"
	case len(known) == 0:
		return "there are none"
	default:
		return "there are " + strings.Join(known, ", ")
	}
}
