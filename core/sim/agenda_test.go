package sim

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

// Whatever is added in line or not, in order or not, comes in order.
func TestAgendaGivesWhatIsDueInOrder(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(6, seed))
		var a agenda
		var want []item
		for n := range uint64(300) {
			if random.IntN(3) == 0 && len(want) > 0 {
				slices.SortFunc(want, func(x, y item) int {
					if x.before(&y) {
						return -1
					}
					return 1
				})
				require.Equal(t, want[0], *a.next(), "seed %d", seed)
				a.drop(a.next())
				want = want[1:]
				continue
			}
			x := item{at: event.Time(random.IntN(50)), order: n}
			want = append(want, x)
			if random.IntN(2) == 0 {
				x.at += event.Time(n) // mostly later than those before
				want[len(want)-1] = x
				a.addInLine(x)
			} else {
				a.add(x)
			}
		}
		for range want {
			a.drop(a.next())
		}
		require.Nil(t, a.next(), "seed %d", seed)
	}
}
