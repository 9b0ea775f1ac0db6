package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Range is the seeds From to To, both included.
type Range struct{ From, To uint64 }

// ParseRange reads 1..500, or 7 for one seed.
func ParseRange(text string) (Range, error) {
	first, last, two := strings.Cut(text, "..")
	if !two {
		last = first
	}
	from, err := strconv.ParseUint(first, 10, 64)
	to, err2 := strconv.ParseUint(last, 10, 64)
	switch {
	case err != nil || err2 != nil:
		return Range{}, fmt.Errorf("%q is not a range of seeds: write the first and the last with two dots between them, such as 1..500", text)
	case to < from:
		return Range{}, fmt.Errorf("%s is empty: write the smaller seed first, %d..%d", text, to, from)
	case from == 0 && to == math.MaxUint64:
		return Range{}, fmt.Errorf("%s are more seeds than can be counted", text)
	}
	return Range{from, to}, nil
}

// Len returns how many seeds there are.
func (r Range) Len() uint64 { return r.To - r.From + 1 }

// String returns the range as ParseRange takes it.
func (r Range) String() string {
	if r.From == r.To {
		return strconv.FormatUint(r.From, 10)
	}
	return fmt.Sprintf("%d..%d", r.From, r.To)
}

// Ranges are seeds in ascending order, as few ranges as it takes.
type Ranges []Range

// Len returns how many seeds there are in all of them.
func (r Ranges) Len() (n uint64) {
	for _, part := range r {
		n += part.Len()
	}
	return n
}

// joined puts ranges that do not overlap into order, and those that touch
// together.
func (r Ranges) joined() Ranges {
	slices.SortFunc(r, func(x, y Range) int {
		if x.From < y.From {
			return -1
		}
		return 1
	})
	var out Ranges
	for _, part := range r {
		if n := len(out); n > 0 && out[n-1].To+1 == part.From {
			out[n-1].To = part.To
			continue
		}
		out = append(out, part)
	}
	return out
}

// within reports whether every seed of r is one of all.
func (r Ranges) within(all Ranges) bool {
	for _, part := range r {
		if !slices.ContainsFunc(all, func(a Range) bool { return a.From <= part.From && part.To <= a.To }) {
			return false
		}
	}
	return true
}

// union joins the seeds of several results. A seed that two of them have is a
// *Conflict.
func union(parts []Ranges) (Ranges, error) {
	type owned struct {
		Range
		part int
	}
	var all []owned
	var seeds Ranges
	for i, part := range parts {
		for _, r := range part {
			all = append(all, owned{r, i})
		}
		seeds = append(seeds, part...)
	}
	slices.SortFunc(all, func(x, y owned) int {
		if x.From < y.From {
			return -1
		}
		return 1
	})
	for i := 1; i < len(all); i++ {
		if a, b := all[i-1], all[i]; b.From <= a.To {
			return nil, &Conflict{min(a.part, b.part), max(a.part, b.part), fmt.Sprintf("seed %d is in both, and each seed counts once", b.From)}
		}
	}
	return seeds.joined(), nil
}
