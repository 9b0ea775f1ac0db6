// Package chart turns a finished run into pictures over time: the numbers of a
// run as lines, its messages as lanes, its notable events as marks. All of them
// share one axis, from 0 to Axis.End; places along it are percentages or are
// stretched by the browser, so that a drawing is made once for a run and holds
// for every width that is near the one it was made for.
//
// It knows no browser and no playhead: what moves while a run is watched lies
// over these drawings. It never changes a run. Start reading at Course and
// Plot; lane.go has the lanes, mark.go the marks, expect.go the theory.
package chart

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// Axis is what lies between the two ends of all drawings.
type Axis struct {
	End   event.Time // what the right end stands for
	Width int        // in CSS pixels, about: which ticks and labels have room
}

// share returns where t lies, 0 to 1 within the axis.
func (a Axis) share(t event.Time) float64 { return float64(t) / float64(max(a.End, 1)) }

// percent returns the same in hundredths, held within the axis.
func (a Axis) percent(t event.Time) float64 { return 100 * max(0, min(a.share(t), 1)) }

// px returns the same in CSS pixels at the axis' width.
func (a Axis) px(t event.Time) float64 { return a.share(t) * float64(a.Width) }

// Series is how one number went: Value[i] from At[i] on, up to At[i+1]; 0
// before At[0]. What is there and gone again at one instant does not show.
type Series struct {
	At    []event.Time
	Value []int64
}

func (s *Series) add(t event.Time, v int64) {
	n := len(s.At)
	if n > 0 && s.At[n-1] == t {
		s.At, s.Value = s.At[:n-1], s.Value[:n-1]
		n--
	}
	if n > 0 && s.Value[n-1] == v || n == 0 && v == 0 {
		return
	}
	s.At, s.Value = append(s.At, t), append(s.Value, v)
}

// After returns the number after all that happens at t.
func (s *Series) After(t event.Time) int64 {
	k := sort.Search(len(s.At), func(k int) bool { return s.At[k] > t })
	if k == 0 {
		return 0
	}
	return s.Value[k-1]
}

// Max returns the greatest value.
func (s *Series) Max() int64 {
	var most int64
	for _, v := range s.Value {
		most = max(most, v)
	}
	return most
}

// Course is how the numbers of a run went. Counts leave out dead-letter
// queues, whose messages are Dead.
type Course struct {
	End                              event.Time
	Waiting, InFlight, Delayed, Dead Series
	// Wait is how long the message that was last handed out for the first
	// time had been there by then, in nanoseconds.
	Wait Series
}

// Of reads the course of a run off its log.
func Of(ix *replay.Index) *Course {
	log := ix.Log()
	c := &Course{}
	cursor := ix.Cursor()
	accepted := make([]event.Time, log.MessageCount())
	for i := range ix.Len() {
		e := log.Event(i)
		n := &cursor.SeekEvents(i + 1).Counts
		c.Waiting.add(e.At, int64(n.Waiting))
		c.InFlight.add(e.At, int64(n.InFlight))
		c.Delayed.add(e.At, int64(n.Delayed))
		c.Dead.add(e.At, int64(n.Dead))
		switch {
		case e.Kind == event.Accepted:
			accepted[e.Message] = e.At
		case e.Kind == event.Delivered && e.Arg == 1:
			c.Wait.add(e.At, int64(e.At-accepted[e.Message]))
		}
		c.End = e.At
	}
	return c
}
