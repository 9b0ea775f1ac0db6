package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

const downStatus = replay.Down

// drawPads draws each producer's pad with the next order on top, and by it
// those that were turned away.
func (s *Stage) drawPads() {
	for i := range s.lay.pads {
		p := &s.lay.pads[i]
		next, at := s.nextSend(p)
		s.drawPad(i, next)
		s.drawPadNote(i, next, at)
		s.drawDoor(i)
		if s.owners(p) == 1 && p.pause.w > 0 {
			s.drawProducerButtons(i, next)
		}
	}
}

// nextSend finds the message that is sent next from a pad, and when.
func (s *Stage) nextSend(p *pad) (event.MessageRef, event.Time) {
	best := -1
	for _, r := range p.producers {
		if i := s.run.Index.NextSend(r, s.st.Events); i >= 0 && (best < 0 || i < best) {
			best = i
		}
	}
	if best < 0 {
		return event.NoMessage, event.Never
	}
	e := s.run.Log.Event(best)
	return e.Message, e.At
}

func (s *Stage) drawPad(i int, next event.MessageRef) {
	l := &s.lay.pads[i]
	n := s.frame.add(keyOf(kPad, i), zPad).at(l.at.x, l.at.y)
	if s.memo.known(n, hashStart.int(int(next))) {
		return
	}
	p, b := &s.pen, s.lay.body
	if l.name != "" {
		p.name(l.head.x-l.at.x, l.head.y-l.at.y, l.name)
	}
	if l.noChip {
		s.memo.keep(n, p)
		return
	}
	if !l.paper {
		p.smallPad(next >= 0, func() identity { return identify(s.run.Log, next) })
		s.memo.keep(n, p)
		return
	}
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

func (s *Stage) drawPadNote(i int, next event.MessageRef, at event.Time) {
	l := &s.lay.pads[i]
	n := s.frame.add(keyOf(kPadCount, i), zText).at(l.note.x, l.note.y)
	if !s.memo.known(n, hashStart) {
		p := &s.pen
		p.add(`<text class="cap" data-t=""`)
		if l.anchor != "" {
			p.add(` text-anchor="~"`, l.anchor)
		}
		p.add(`></text>`)
		s.memo.keep(n, p)
	}
	switch {
	case s.paused(l):
		n.Text.set([]byte("paused"))
	case next < 0:
		n.Text.set([]byte("all sent"))
	default:
		s.text = appendIn(s.text[:0], "next", at-s.in.Now)
		n.Text.set(s.text)
	}
}

// paused reports whether all producers of a pad stand still.
func (s *Stage) paused(l *pad) bool {
	for _, r := range l.producers {
		if !s.st.Producers[r].Paused && s.plan.producers[r].host < 0 {
			return false
		}
	}
	return len(l.producers) > 0
}

// owners counts the producers of a pad besides the reader.
func (s *Stage) owners(l *pad) int {
	n := 0
	for _, r := range l.producers {
		if s.plan.producers[r].host < 0 {
			n++
		}
	}
	return n
}

// drawProducerButtons lets the reader be the producer.
func (s *Stage) drawProducerButtons(i int, next event.MessageRef) {
	l := &s.lay.pads[i]
	name := s.plan.producers[l.producers[0]].name
	if n := s.button(keyOf(kSend, i), l.send, 0); n != nil {
		s.face(n, l.send, face{"sbtn quiet", "plus", "send", "producer", name, "Send one more from " + name})
	}
	paused := s.paused(l)
	switch {
	case next < 0 && !paused: // there is nothing to pause
	case paused:
		if n := s.button(keyOf(kPause, i), l.pause, 1); n != nil {
			s.face(n, l.pause, face{"sbtn quiet", "resume", "resume", "producer", name, "Let " + name + " go on"})
		}
	default:
		if n := s.button(keyOf(kPause, i), l.pause, 0); n != nil {
			s.face(n, l.pause, face{"sbtn quiet", "pause", "pause", "producer", name, "Pause " + name})
		}
	}
}

// button adds a node for a square button, so that it keeps the focus. It
// returns nil when its face needs no drawing: sig tells one face from another.
func (s *Stage) button(k Key, r rect, sig int) *Node {
	if r.w == 0 {
		return nil
	}
	n := s.frame.add(k, zPerson).at(r.x, r.y)
	if s.memo.known(n, hashStart.int(sig)) {
		return nil
	}
	return n
}

// face is what a button shows and does: what it acts on stands in data-<kind>.
type face struct{ class, glyph, act, kind, value, label string }

func (s *Stage) face(n *Node, r rect, f face) {
	p := &s.pen
	p.add(`<g class="~" role="button" tabindex="0" data-act="~" data-~="~" aria-label="~"><title>~</title><rect width="~" height="~" rx="4"/>`,
		f.class, f.act, f.kind, f.value, f.label, f.label, r.w, r.h)
	p.glyph(f.glyph, (r.w-15)/2, (r.h-15)/2, 15, "")
	p.add(`</g>`)
	s.memo.keep(n, p)
}

// atDoor is who stands at the producer's door, the newest last.
type atDoor struct {
	message event.MessageRef
	queue   event.QueueRef
	retry   event.Time
	blocked bool
	gone    bool // turned away for good
}

// doorLimit is how many are drawn there.
const doorLimit = 3

func (s *Stage) door(p *pad) (shown [doorLimit]atDoor, count int) {
	for _, r := range p.producers {
		for _, d := range s.st.Producers[r].Door {
			enter(&shown, &count, atDoor{message: d.Message, queue: d.Queue, retry: d.RetryAt, blocked: d.RetryAt == event.Never})
		}
	}
	if count > 0 {
		return shown, count
	}
	for _, r := range p.producers {
		for _, m := range s.st.Producers[r].GaveUp {
			enter(&shown, &count, atDoor{message: m, queue: s.run.Log.Message(m).Queue, retry: event.Never, gone: true})
		}
	}
	return shown, count
}

func enter(shown *[doorLimit]atDoor, count *int, d atDoor) {
	if *count >= doorLimit {
		copy(shown[:], shown[1:])
		shown[doorLimit-1] = d
	} else {
		shown[*count] = d
	}
	*count++
}

func (s *Stage) drawDoor(i int) {
	l := &s.lay.pads[i]
	shown, count := s.door(l)
	if count == 0 {
		return
	}
	have := min(count, doorLimit)
	if l.noChip {
		return
	}
	if l.doorChip {
		s.drawDoorChip(i, &shown[have-1], count)
		return
	}
	landed := 0
	for k := range have {
		d := &shown[k]
		if s.ticketStep(d.message) != nil {
			continue
		}
		landed++
		where := l.doorPlace(have - 1 - k)
		v := s.doorLook(d)
		if k < have-1 {
			v.stamp = "" // one stamp is enough where they overlap
		}
		n := s.drawTicket(d.message, zDoor, where, v)
		n.Layer += int32(k)
	}
	if landed > 0 {
		s.drawDoorText(i, &shown[have-1], count)
	}
}

// drawDoorChip draws the newest at the door as a small paper with its sign.
func (s *Stage) drawDoorChip(i int, d *atDoor, count int) {
	l := &s.lay.pads[i]
	if l.paper && s.ticketStep(d.message) == nil {
		n := s.drawChip(keyOf(kDoorCount, i), zDoor, l.door, d.message)
		n.Class = "tk door"
	}
	s.drawDoorText(i, d, count)
}

func (s *Stage) doorLook(d *atDoor) look {
	v := look{max: s.maxReceives(d.queue), follow: d.message == s.in.Follow, tone: "ref", stamp: "BUSY"}
	if d.blocked && !d.gone {
		v.stamp = "WAITS"
	}
	return v
}

func (s *Stage) drawDoorText(i int, d *atDoor, count int) {
	l := &s.lay.pads[i]
	n := s.frame.add(keyOf(kDoorText, i), zText).at(l.doorNote.x, l.doorNote.y)
	h := hashStart.bool(d.gone).bool(d.blocked).int(count).int(int(d.message))
	if !s.memo.known(n, h) {
		if l.doorChip {
			s.doorWords(l, d, count)
		} else {
			s.doorSentence(i, d, count)
		}
		s.memo.keep(n, &s.pen)
	}
	switch {
	case d.gone:
	case d.blocked && l.doorChip:
		n.Text.set([]byte("full: waits"))
	case d.blocked:
		n.Text.set([]byte("the queue is full"))
	default:
		s.text = appendIn(s.text[:0], "asks", d.retry-s.in.Now)
		n.Text.set(s.text)
	}
}

// doorWords says in one short line what the small paper at the door does.
func (s *Stage) doorWords(l *pad, d *atDoor, count int) {
	p := &s.pen
	p.glyph("refused", 0, -11, 13, "ev-refused")
	if d.gone {
		p.caption("cap ref", "", 17, 0, grouped(s.plan.refused(l.producers, s.st.Events))+" refused")
		return
	}
	more := ""
	if !l.paper && s.size != Compact {
		more = fit(s.run.Log.MessageID(d.message).String(), uiFont, 12, 30) + " "
	} else if count > 1 {
		more = grouped(count) + ": "
	}
	p.add(`<text class="cap ref" x="17">~<tspan data-t=""></tspan></text>`, more)
}

func (s *Stage) doorSentence(i int, d *atDoor, count int) {
	l, p := &s.lay.pads[i], &s.pen
	first, third := s.words.Refused, "not accepted yet"
	switch {
	case d.gone:
		first = "turned away"
		third = grouped(s.plan.refused(l.producers, s.st.Events)) + " in all"
	case d.blocked:
		first = "waits for room"
		third = ""
	}
	if count > 1 && !d.gone {
		third = grouped(count) + " at the door"
	}
	if l.doorRoom > 0 {
		first = fit(first, boldFont, 12, l.doorRoom)
	}
	p.caption("cap strong ref", "", 0, 0, first)
	if d.gone {
		p.caption("cap", "", 0, l.doorGap, "for good: full")
	} else {
		p.add(`<text class="cap" y="~" data-t=""></text>`, l.doorGap)
	}
	p.caption("cap", "", 0, 2*l.doorGap, third)
}
