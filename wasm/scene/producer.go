package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

const downStatus = replay.Down

// drawProducer draws the order pad with the next order on top, and below it
// those that were turned away.
func (s *Stage) drawProducer() {
	if len(s.st.Producers) == 0 {
		return
	}
	next, at := s.nextSend()
	s.drawPad(next)
	s.drawPadNote(next, at)
	s.drawDoor()
}

// nextSend finds the message that is sent next, and when.
func (s *Stage) nextSend() (event.MessageRef, event.Time) {
	best := -1
	for p := range s.st.Producers {
		if i := s.run.Index.NextSend(event.ProducerRef(p), s.st.Events); i >= 0 && (best < 0 || i < best) {
			best = i
		}
	}
	if best < 0 {
		return event.NoMessage, event.Never
	}
	e := s.run.Log.Event(best)
	return e.Message, e.At
}

func (s *Stage) drawPad(next event.MessageRef) {
	l := s.lay
	n := s.frame.add(keyOf(kPad, 0), zPad).at(l.pad.x, l.pad.y)
	if s.memo.known(n, hashStart.int(int(next))) {
		return
	}
	p, b := &s.pen, l.body
	d := b.paper(false)
	p.add(`<g class="pad" transform="translate(~ ~)">`, -b.w/2, -b.h/2)
	p.add(`<path class="shade" d="~" transform="translate(4 6)"/><path class="pap two" d="~" transform="translate(4 4)"/><path class="pap two" d="~" transform="translate(2 2)"/><path class="pap" d="~"/>`, d, d, d, d)
	p.add(`<rect class="padtop" x="-3" y="-4" width="~" height="10" rx="2" fill="url(#s-steel)"/>`, b.w+9)
	if next >= 0 {
		p.number(b, identify(s.run.Log, next).number, "num dim", b.numberY)
		p.add(`<path class="rule" d="M9 ~h~M9 ~h~"/>`, b.numberY+10, b.w-18, b.numberY+17, b.w-26)
	}
	p.add(`</g>`)
	s.memo.keep(n, p)
}

func (s *Stage) drawPadNote(next event.MessageRef, at event.Time) {
	l := s.lay
	n := s.frame.add(keyOf(kPadCount, 0), zText).at(l.padNote.x, l.padNote.y)
	if !s.memo.known(n, hashStart) {
		p := &s.pen
		p.add(`<text class="cap" data-t=""`)
		if l.padAnchor != "" {
			p.add(` text-anchor="~"`, l.padAnchor)
		}
		p.add(`></text>`)
		s.memo.keep(n, p)
	}
	switch {
	case next < 0:
		n.Text.set([]byte("all sent"))
	case s.paused():
		n.Text.set([]byte("paused"))
	default:
		s.text = appendIn(s.text[:0], "next", at-s.in.Now)
		n.Text.set(s.text)
	}
}

func (s *Stage) paused() bool {
	for i := range s.st.Producers {
		if !s.st.Producers[i].Paused {
			return false
		}
	}
	return true
}

// atDoor is who stands at the producer's door, the newest last.
type atDoor struct {
	message event.MessageRef
	retry   event.Time
	blocked bool
	gone    bool // turned away for good
}

// doorLimit is how many are drawn there.
const doorLimit = 3

func (s *Stage) door() (shown [doorLimit]atDoor, count int) {
	for i := range s.st.Producers {
		for _, d := range s.st.Producers[i].Door {
			s.enter(&shown, &count, atDoor{message: d.Message, retry: d.RetryAt, blocked: d.RetryAt == event.Never})
		}
	}
	if count > 0 {
		return shown, count
	}
	for i := range s.st.Producers {
		for _, m := range s.st.Producers[i].GaveUp {
			s.enter(&shown, &count, atDoor{message: m, retry: event.Never, gone: true})
		}
	}
	return shown, count
}

func (s *Stage) enter(shown *[doorLimit]atDoor, count *int, d atDoor) {
	if *count >= doorLimit {
		copy(shown[:], shown[1:])
		shown[doorLimit-1] = d
	} else {
		shown[*count] = d
	}
	*count++
}

// doorPlace is where the k-th newest at the door stands.
func (l *layout) doorPlace(k int) placement {
	return placement{l.door.x + float64(k)*5, l.door.y - float64(k)*9, -7 + float64(k)*5, 1}
}

func (s *Stage) drawDoor() {
	shown, count := s.door()
	if count == 0 {
		return
	}
	have := min(count, doorLimit)
	landed := 0
	for i := range have {
		d := &shown[i]
		if s.ticketStep(d.message) != nil {
			continue
		}
		landed++
		where := s.lay.doorPlace(have - 1 - i)
		v := s.doorLook(d)
		if i < have-1 {
			v.stamp = "" // one stamp is enough where they overlap
		}
		n := s.drawTicket(d.message, zDoor, where, v)
		n.Layer += int32(i)
	}
	if landed == 0 {
		return
	}
	newest := &shown[have-1]
	s.drawDoorText(newest, count)
}

func (s *Stage) doorLook(d *atDoor) look {
	v := look{max: s.maxReceives(), follow: d.message == s.in.Follow}
	if d.blocked && !d.gone {
		v.stamp, v.tone = "WAITS", "ref"
	} else {
		v.stamp, v.tone = "BUSY", "ref"
	}
	return v
}

func (s *Stage) drawDoorText(d *atDoor, count int) {
	l := s.lay
	n := s.frame.add(keyOf(kDoorText, 0), zText).at(l.doorNote.x, l.doorNote.y)
	h := hashStart.bool(d.gone).bool(d.blocked).int(count)
	if !s.memo.known(n, h) {
		p := &s.pen
		first, third := s.words.Refused, "not accepted yet"
		switch {
		case d.gone:
			first = "turned away"
			third = grouped(s.st.Counts.Refused) + " in all"
		case d.blocked:
			first = "waits for a place"
			third = ""
		}
		if count > 1 && !d.gone {
			third = grouped(count) + " at the door"
		}
		p.caption("cap strong ref", "", 0, 0, first)
		if d.gone {
			p.caption("cap", "", 0, l.doorGap, "for good: full")
		} else {
			p.add(`<text class="cap" y="~" data-t=""></text>`, l.doorGap)
		}
		p.caption("cap", "", 0, 2*l.doorGap, third)
		s.memo.keep(n, p)
	}
	switch {
	case d.gone:
	case d.blocked:
		n.Text.set([]byte("the queue is full"))
	default:
		s.text = appendIn(s.text[:0], "asks", d.retry-s.in.Now)
		n.Text.set(s.text)
	}
}
