package outcome

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
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
	best, distance := "", len(name)/2+1
	for _, k := range known {
		if d := editDistance(name, k); d < distance {
			best, distance = k, d
		}
	}
	switch {
	case best != "":
		return "did you mean " + best + "?"
	case len(known) == 0:
		return "there are none"
	default:
		return "there are " + strings.Join(known, ", ")
	}
}

// editDistance is the number of characters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
