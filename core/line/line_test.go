package line

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

// naive is a line as one would write it without a thought for cost.
type naive struct {
	entries    []Entry
	byPriority bool
}

func (n *naive) insert(before func(x Entry) bool, e Entry) {
	i := slices.IndexFunc(n.entries, before)
	if i < 0 {
		i = len(n.entries)
	}
	n.entries = slices.Insert(n.entries, i, e)
}

func (n *naive) push(where event.Reason, e Entry) {
	n.insert(func(x Entry) bool {
		switch {
		case where == event.Original && n.byPriority && x.Priority != e.Priority:
			return x.Priority < e.Priority
		case where == event.Original:
			return x.Order > e.Order
		case where == event.Head:
			return !n.byPriority || x.Priority <= e.Priority
		}
		return n.byPriority && x.Priority < e.Priority
	}, e)
}

func (n *naive) order(on bool) {
	if on && !n.byPriority {
		slices.SortStableFunc(n.entries, func(x, y Entry) int { return int(y.Priority) - int(x.Priority) })
	}
	n.byPriority = on
}

// Random pushes, removals, switches of order, saving and loading leave a Line
// and a naive one with the same entries.
func TestLineAgainstNaive(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 1))
		var l Line
		n := &naive{}
		for step := range int32(120) {
			e := Entry{Message: event.MessageRef(step), Priority: random.Int32N(3), Order: random.Int32N(200)}
			switch random.IntN(8) {
			case 0, 1:
				l.PushTail(e)
				n.push(event.Tail, e)
			case 2:
				l.PushHead(e)
				n.push(event.Head, e)
			case 3:
				l.PushOriginal(e)
				n.push(event.Original, e)
			case 4, 5:
				if len(n.entries) > 0 {
					i := random.IntN(len(n.entries))
					require.Equal(t, i, l.Find(n.entries[i].Message), "seed %d", seed)
					require.Equal(t, n.entries[i], l.Remove(i), "seed %d", seed)
					n.entries = slices.Delete(n.entries, i, i+1)
				}
			case 6:
				on := random.IntN(2) == 0
				l.ByPriority(on)
				n.order(on)
			case 7:
				var other Line
				other.PushTail(Entry{})
				other.Load(l.AppendTo(nil), l.OrderedByPriority())
				l.CopyFrom(&other)
			}
			require.Equal(t, len(n.entries), l.Len(), "seed %d", seed)
			require.Equal(t, n.byPriority, l.OrderedByPriority(), "seed %d", seed)
			require.Equal(t, slices.Clip(append([]Entry{}, n.entries...)), l.AppendTo([]Entry{}), "seed %d, step %d", seed, step)
			require.Equal(t, -1, l.Find(-5), "seed %d", seed)
		}
	}
}
