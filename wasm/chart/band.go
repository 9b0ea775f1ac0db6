package chart

import (
	"slices"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// Band is how many messages were waiting over time in runs that differ in
// their seed alone. Each run adds its numbers at the same instants; after that
// it can be forgotten.
type Band struct {
	End  event.Time
	Runs int

	values [][]int32 // by instant: one value a run, ascending
}

// bandInstants is at how many instants a Band looks; one is at each end.
const bandInstants = 181

// NewBand returns a band without runs, from 0 to end.
func NewBand(end event.Time) *Band {
	return &Band{End: max(end, 1), values: make([][]int32, bandInstants)}
}

// at returns the instant k.
func (b *Band) at(k int) event.Time {
	return event.Time(float64(b.End) * float64(k) / (bandInstants - 1))
}

// Sample follows one run of a band while it is computed.
type Sample struct {
	band   *Band
	index  *replay.Index
	cursor *replay.Cursor
	values []int32
	read   int
}

// Sample begins with a run, of which the log may still grow.
func (b *Band) Sample(log *event.Log) *Sample {
	ix := replay.New(log)
	return &Sample{band: b, index: ix, cursor: ix.Cursor()}
}

// Read takes in what the log has now.
func (s *Sample) Read() {
	s.index.Extend()
	for ; s.read < s.index.Len(); s.read++ {
		s.until(s.index.Log().Event(s.read).At)
		s.cursor.SeekEvents(s.read + 1)
	}
}

// until notes what was waiting at the instants before t.
func (s *Sample) until(t event.Time) {
	for len(s.values) < bandInstants && s.band.at(len(s.values)) < t {
		s.values = append(s.values, int32(s.cursor.State().Counts.Waiting))
	}
}

// Done adds the run, which is complete, to its band. What was waiting at its
// end stays there.
func (s *Sample) Done() {
	s.Read()
	s.until(s.band.End + 1)
	for k, v := range s.values {
		list := s.band.values[k]
		i, _ := slices.BinarySearch(list, v)
		s.band.values[k] = slices.Insert(list, i, v)
	}
	s.band.Runs++
}

// part returns, for each instant, the value that a share of the runs does not
// exceed, by nearest rank.
func (b *Band) part(share float64) []int64 {
	all := make([]int64, bandInstants)
	for k, list := range b.values {
		if len(list) > 0 {
			rank := int(share*float64(len(list)) + .999999)
			all[k] = int64(list[max(0, min(rank, len(list))-1)])
		}
	}
	return all
}

// most returns the top of the band.
func (b *Band) most() int64 { return slices.Max(b.part(.9)) }

// After returns the middle and the edges of the band at the last of its
// instants that is not after t.
func (b *Band) After(t event.Time) (low, middle, high int64) {
	k := int(float64(t) / float64(b.End) * (bandInstants - 1))
	k = max(0, min(k, bandInstants-1))
	return b.part(.1)[k], b.part(.5)[k], b.part(.9)[k]
}
