package chart

import (
	"math"
	"strconv"

	"github.com/ticketrail/ticketrail/core/event"
)

// tick is one labelled place of an axis.
type tick[T any] struct {
	at    T
	label string
}

// steps are the distances that labels of counts may have, each times a power
// of ten.
var steps = [...]int64{1, 2, 5}

// counts returns at most most+1 labels from 0, the last at or above top.
func counts(top int64, most int) []tick[int64] {
	step := int64(1)
	for power := int64(1); ; power *= 10 {
		for _, s := range steps {
			step = s * power
			if (top+step-1)/step <= int64(most) {
				var all []tick[int64]
				for v := int64(0); ; v += step {
					all = append(all, tick[int64]{v, strconv.FormatInt(v, 10)})
					if v >= top {
						return all
					}
				}
			}
		}
	}
}

// unit is what times of an axis are written in.
type unit struct {
	length event.Time
	name   string
}

var units = [...]unit{
	{event.Hour, "h"}, {event.Minute, "min"}, {event.Second, "s"}, {event.Millisecond, "ms"},
}

// unitFor returns the largest unit of which an axis of that length has at
// least one and a half. Tenths of a second read better than hundreds of
// milliseconds.
func unitFor(length event.Time) unit {
	for _, u := range units[:2] {
		if 2*length >= 3*u.length {
			return u
		}
	}
	if length >= 400*event.Millisecond {
		return units[2]
	}
	return units[3]
}

// distances are the distances that labels of times may have, in a unit: clock
// units do not go by tens.
func distance(u unit, smallest event.Time) event.Time {
	if u.length >= event.Minute {
		for _, n := range [...]float64{.25, .5, 1, 2, 5, 10, 15, 30} {
			if d := event.Time(n * float64(u.length)); d >= smallest {
				return d
			}
		}
	}
	for power := event.Time(1); ; power *= 10 {
		for _, s := range [...]event.Time{1, 2, 5} {
			if d := s * power; d >= smallest {
				return d
			}
		}
	}
}

// times returns labels for the times from 0 to end, at most most+1 of them, and
// the unit they are in.
func times(end event.Time, most int) ([]tick[event.Time], unit) {
	all, u := timesOver(end, most)
	if last := len(all) - 1; all[last].at > end {
		all = all[:last]
	}
	return all, u
}

// timesOver returns the same with a last label that is not before end.
func timesOver(end event.Time, most int) ([]tick[event.Time], unit) {
	u := unitFor(end)
	step := distance(u, (max(end, 1)+event.Time(max(most, 1))-1)/event.Time(max(most, 1)))
	places := 0
	for d := step; d%u.length != 0 && places < 3; d *= 10 {
		places++
	}
	var all []tick[event.Time]
	for t := event.Time(0); ; t += step {
		all = append(all, tick[event.Time]{t, strconv.FormatFloat(float64(t)/float64(u.length), 'f', places, 64)})
		if t >= end {
			return all, u
		}
	}
}

// Length writes a length of time with three digits that count and its unit:
// 1.24 s, 83 ms, 12.5 min.
func Length(t event.Time) string {
	u := units[len(units)-1]
	for _, one := range units {
		if t >= one.length {
			u = one
			break
		}
	}
	v := float64(t) / float64(u.length)
	places := 2
	switch {
	case v >= 100 || u.length == event.Millisecond && v >= 10:
		places = 0
	case v >= 10:
		places = 1
	}
	scale := math.Pow(10, float64(places))
	return strconv.FormatFloat(math.Round(v*scale)/scale, 'f', -1, 64) + "\u00a0" + u.name
}
