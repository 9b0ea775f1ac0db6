package lesson

import (
	"fmt"
	"math"
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
)

// Curves are the counts whose course can be drawn.
var Curves = []string{"waiting", "in_flight", "delayed", "dead", "acked", "accepted", "effects"}

// Curve is how a count goes over time: each sample holds until the next, the
// last one until the end. Before the first the count is 0.
type Curve []Sample

// Sample is a count from an instant on.
type Sample struct {
	At    event.Time `json:"at"`
	Value float64    `json:"value"`
}

// CurveOf reads a curve off a run.
func CurveOf(o *outcome.Outcome, name string) Curve {
	var c Curve
	for i := range o.Log.Len() {
		at := o.Log.Event(i).At
		if i+1 < o.Log.Len() && o.Log.Event(i+1).At == at {
			continue // not all that happens at this instant has happened
		}
		if v := countAfter(o, i+1, name); len(c) == 0 || c[len(c)-1].Value != v {
			c = append(c, Sample{at, v})
		}
	}
	return c
}

func countAfter(o *outcome.Outcome, events int, name string) float64 {
	m := o.After(events)
	return float64(map[string]int{
		"waiting": m.Waiting, "in_flight": m.InFlight, "delayed": m.Delayed, "dead": m.Dead,
		"acked": m.Acked, "accepted": m.Accepted, "effects": m.Effects,
	}[name])
}

// Value returns the count at an instant.
func (c Curve) Value(at event.Time) float64 {
	n := sort.Search(len(c), func(i int) bool { return c[i].At > at })
	if n == 0 {
		return 0
	}
	return c[n-1].Value
}

// Max returns the highest count.
func (c Curve) Max() float64 {
	top := 0.0
	for _, s := range c {
		top = max(top, s.Value)
	}
	return top
}

// String says how the curve goes: where it is highest, and where it ends.
func (c Curve) String() string {
	if len(c) == 0 {
		return "0 all the time"
	}
	highest := c[0]
	for _, s := range c {
		if s.Value > highest.Value {
			highest = s
		}
	}
	return fmt.Sprintf("at most %s, from %s%ss on; %s in the end",
		places(highest.Value), places(highest.At.Seconds()), noBreak, places(c[len(c)-1].Value))
}

// apart returns how far two curves lie apart between 0 and end, as a share of
// the height of the first: 0 is the same, 1 is that they differ by as much as
// the first is high, on average.
func (c Curve) apart(other Curve, end event.Time) float64 {
	top := c.Max()
	if top == 0 {
		top = max(other.Max(), 1)
	}
	sum := 0.0
	const samples = 240
	for i := range event.Time(samples) {
		at := end * i / samples
		sum += math.Abs(c.Value(at) - other.Value(at))
	}
	return sum / samples / top
}
