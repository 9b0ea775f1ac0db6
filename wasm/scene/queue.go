package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
)

// placement is where a ticket is and how it is turned and scaled.
type placement struct{ x, y, rot, scale float64 }

func (s *Stage) maxReceives() int {
	if s.queue < 0 {
		return 0
	}
	name := s.run.Log.Queues[s.queue].Name
	for i := range s.run.Scenario.Queues {
		if q := &s.run.Scenario.Queues[i]; q.Name == name {
			return int(q.MaxReceives)
		}
	}
	return 0
}

// drawTicket draws message m: one node for as long as the message lives.
func (s *Stage) drawTicket(m event.MessageRef, layer int32, at placement, v look) *Node {
	n := s.frame.add(keyOf(kTicket, int(m)), layer).at(at.x, at.y)
	n.Rot, n.Scale = float32(at.rot), float32(at.scale)
	n.Class = "tk"
	if s.memo.known(n, v.hash(hashStart)) {
		return n
	}
	id := identify(s.run.Log, m)
	p := &s.pen
	p.add(`<g role="button" tabindex="0" data-act="follow" data-message="~" aria-label="~"><title>~</title>`, id.number, s.ticketLabel(id, v), s.ticketLabel(id, v))
	p.ticket(s.lay.body, id, v)
	p.add(`</g>`)
	s.memo.keep(n, p)
	return n
}

// ticketLabel says in words what a ticket shows. It begins with what is written
// on its face, so that who speaks to the page can name it by that.
func (s *Stage) ticketLabel(id identity, v look) string {
	text := "Order " + id.number
	if id.name != "" {
		text += " " + id.name
	}
	if fraction := v.fraction(); fraction != "" {
		text += " " + fraction
	}
	if v.stamp != "" {
		text += " " + v.stamp
	}
	if v.max > 0 {
		text += ", tries used: " + itoa(v.tries) + " of " + itoa(v.max)
	} else if v.tries > 0 {
		text += ", tries: " + itoa(v.tries)
	}
	return text
}

// tryStamp says which try comes next, or is under way, from the second on.
func tryStamp(try, most int) string {
	switch {
	case try < 2:
		return ""
	case try == most:
		return "LAST TRY"
	}
	if try < len(tryStamps) {
		return tryStamps[try]
	}
	return "TRY " + itoa(try)
}

var tryStamps = [...]string{"", "", "TRY 2", "TRY 3", "TRY 4", "TRY 5", "TRY 6", "TRY 7", "TRY 8", "TRY 9"}

// waitingLook is the look of a ticket in line.
func (s *Stage) waitingLook(m event.MessageRef) look {
	tries := int(s.run.Index.Where(m, s.st.Events).Receives)
	v := look{tries: tries, max: s.maxReceives(), follow: m == s.in.Follow}
	if tries > 0 {
		v.stamp, v.low = tryStamp(tries+1, v.max), true
	}
	return v
}

// drawRail draws the queue: whole tickets while there are places, otherwise
// the newest, edges for the rest, and the head tickets whole.
func (s *Stage) drawRail() {
	s.drawSteel()
	if s.queue < 0 {
		return
	}
	waiting := &s.st.Queues[s.queue].Waiting
	count := waiting.Len()
	s.full = count > s.lay.slots
	whole := count
	if s.full {
		whole = s.lay.heads
	}
	for i := range whole {
		m := waiting.At(i).Message
		if s.ticketStep(m) != nil {
			continue
		}
		at := s.lay.slot(s.visualIndex(m, i, 1<<30))
		n := s.drawTicket(m, zRailTicket, placement{at.x, at.y, 0, 1}, s.waitingLook(m))
		n.Layer -= int32(min(i, 8))
	}
	if s.full {
		s.drawPile(whole, count)
	}
	s.drawRailNotes(count)
	s.drawDelayed()
}

// visualIndex is the place of a ticket in line as it is seen: while the queue
// still moves up after a take, it is between two places. Only what happened
// before event limit counts.
func (s *Stage) visualIndex(m event.MessageRef, i, limit int) float64 {
	at := float64(i)
	if !s.moving {
		return at
	}
	joined := -1
	for k := range s.sched.steps {
		st := &s.sched.steps[k]
		if st.event >= limit {
			break
		}
		if st.message == m && (st.act == clipOn || st.act == comeBack || st.act == redrive) {
			joined = st.event
		}
	}
	for k := range s.sched.steps {
		st := &s.sched.steps[k]
		if st.event >= limit {
			break
		}
		if st.event <= joined || st.message == m || st.queue != s.queue {
			continue
		}
		switch {
		case st.act == take:
			at += 1 - st.shuffle(s.in.Now)
		case st.act == vanish && s.run.Log.Event(st.event).Kind == event.Dropped:
			at += 1 - st.shuffle(s.in.Now)
		case st.act == comeBack && s.run.Log.Event(st.event).Reason == event.Head:
			at -= 1 - easeMove.at(st.progress(s.in.Now))
		}
	}
	return min(max(at, 0), float64(s.lay.slots)+.2)
}

// drawSteel draws the rail itself and its empty places.
func (s *Stage) drawSteel() {
	l := s.lay
	n := s.frame.add(keyOf(kRail, 0), zSteel).at(l.rail.x, l.rail.y)
	if !s.memo.known(n, hashStart) {
		balls := make([]float64, l.slots)
		for i := range balls {
			balls[i] = l.slot(float64(i)).x - l.rail.x
		}
		s.pen.rail(l.rail.w, l.rail.h, l.railBall, balls)
		s.memo.keep(n, &s.pen)
	}
	if !l.bounded {
		return
	}
	n = s.frame.add(keyOf(kSlots, 0), zSlots)
	if !s.memo.known(n, hashStart) {
		d := l.body.paper(false)
		s.pen.add(`<g class="places">`)
		for i := range l.slots {
			at := l.slot(float64(i))
			s.pen.add(`<path class="slot" d="~" transform="translate(~ ~)"/>`, d, at.x-l.body.w/2, at.y-l.body.h/2)
		}
		s.pen.add(`</g>`)
		s.memo.keep(n, &s.pen)
	}
}

// drawRailNotes says how full the rail is and which ticket is next out.
func (s *Stage) drawRailNotes(count int) {
	l := s.lay
	capacity := 0
	name := s.run.Log.Queues[s.queue].Name
	for i := range s.run.Scenario.Queues {
		if q := &s.run.Scenario.Queues[i]; q.Name == name {
			capacity = int(q.MaxSize)
		}
	}
	for k := range s.sched.steps {
		if st := &s.sched.steps[k]; s.moving && st.act == take && st.queue == s.queue && s.in.Now <= st.start {
			count++
		}
	}
	n := s.frame.add(keyOf(kFull, 0), zText).at(l.full.x, l.full.y)
	if !s.memo.known(n, hashStart.int(count).int(capacity)) {
		switch {
		case capacity > 0 && count >= capacity:
			s.pen.add(`<g class="fullchip"><text text-anchor="end">full: ~ of ~</text></g>`, grouped(count), grouped(capacity))
		case capacity > 0:
			s.pen.caption("cap", "end", 0, 0, grouped(count)+" of "+grouped(capacity))
		default:
			s.pen.caption("cap", "end", 0, 0, grouped(count)+" waiting")
		}
		s.memo.keep(n, &s.pen)
	}
	if count == 0 {
		return
	}
	at := l.slot(0)
	n = s.frame.add(keyOf(kRailNote, 0), zText).at(at.x, at.y+l.body.h/2+15)
	if !s.memo.known(n, hashStart) {
		s.pen.caption("cap strong", "middle", 0, 0, s.words.NextOut)
		s.memo.keep(n, &s.pen)
	}
}

// units are what one edge of the pile can stand for.
var units = [...]int{1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 100000, 1000000}

// maxEdges is how many edges a pile has at most.
const maxEdges = 40

// edgeUnit picks the least unit with which count tickets make few enough edges.
func edgeUnit(count, edges int) int {
	for _, u := range units {
		if count/u <= edges {
			return u
		}
	}
	return units[len(units)-1]
}

// drawPile draws what waits behind the first whole tickets: the newest whole,
// an edge for every unit of the others, and their count.
func (s *Stage) drawPile(whole, count int) {
	l, b := s.lay, s.lay.body
	waiting := &s.st.Queues[s.queue].Waiting
	left := l.rail.x + 10
	room := l.slot(float64(whole-1)).x - l.pitch/2 - 6 - left - b.w
	edgePitch := 5.0
	most := min(maxEdges, int(room/edgePitch))
	if most < 1 {
		return
	}
	behind := count - whole - 1
	unit := edgeUnit(behind, most)
	edges := behind / unit
	newest := waiting.At(count - 1).Message

	s.drawEdges(left, count, edges, unit, edgePitch)
	s.drawPileNote(left, behind, unit)
	if s.ticketStep(newest) == nil {
		s.drawTicket(newest, zPile+5, s.pilePlace(), s.waitingLook(newest))
	}
}

// drawEdges draws what is seen of the tickets behind the newest. It stays the
// same while tickets leave at the head, until there is an edge less.
func (s *Stage) drawEdges(left float64, count, edges, unit int, pitch float64) {
	b := s.lay.body
	waiting := &s.st.Queues[s.queue].Waiting
	h := hashStart.int(edges).int(unit)
	for i := range edges {
		h = h.int(int(waiting.At(count - 2 - i*unit).Message))
	}
	n := s.frame.add(keyOf(kPile, 0), zPile).at(left, s.lay.rail.y+2)
	if s.memo.known(n, h) {
		return
	}
	p := &s.pen
	p.add(`<g class="pile">`)
	for i := edges - 1; i >= 0; i-- {
		id := identify(s.run.Log, waiting.At(count-2-i*unit).Message)
		x := b.w + float64(i)*pitch
		p.add(`<rect class="pap two" x="~" width="~" height="~" rx="1"/><rect class="h~" x="~" y="~" width="~" height="~"/>`,
			x-3, pitch+3, b.h-1-float64(i%2)*2, id.hue, x-.5, b.bandY, pitch, b.bandH)
	}
	y := b.h + 8
	if s.size != Wide {
		y = b.h + 3
	}
	p.add(`<path class="brace" d="M~ ~v5H~v-5"/></g>`, b.w+3, y, b.w+float64(edges)*pitch)
	s.memo.keep(n, p)
}

// drawPileNote says how many the edges stand for, and how many one is.
func (s *Stage) drawPileNote(left float64, behind, unit int) {
	y, class := s.lay.body.h+32, "big-n"
	if s.size != Wide {
		y, class = s.lay.body.h+19, "big-n less"
	}
	n := s.frame.add(keyOf(kPileNote, 0), zPile).at(left, s.lay.rail.y+2+y)
	if !s.memo.known(n, hashStart.int(unit)) {
		s.pen.add(`<text class="cap"><tspan class="~" data-t=""></tspan> more`, class)
		if unit > 1 {
			s.pen.add(`, 1 edge = ~`, grouped(unit))
		}
		s.pen.add(`</text>`)
		s.memo.keep(n, &s.pen)
	}
	s.text = appendGrouped(s.text[:0], behind)
	n.Text.set(s.text)
}

// pilePlace is where the newest ticket of a pile hangs.
func (s *Stage) pilePlace() placement {
	l := s.lay
	return placement{l.rail.x + 10 + l.body.w/2, l.rail.y + 2 + l.body.h/2, 0, 1}
}

// railPlace is where message m hangs, or will hang, on the rail.
func (s *Stage) railPlace(m event.MessageRef, limit int) placement {
	i := 0
	if s.queue >= 0 {
		waiting := &s.st.Queues[s.queue].Waiting
		if k := waiting.Find(m); k >= 0 {
			i = k
		}
	}
	if s.full && i >= s.lay.heads {
		return s.pilePlace()
	}
	at := s.lay.slot(s.visualIndex(m, i, limit))
	return placement{at.x, at.y, 0, 1}
}

// delayedLimit is how many delayed tickets are drawn.
const delayedLimit = 4

// drawDelayed draws those that cannot be handed out yet, each with its time.
func (s *Stage) drawDelayed() {
	delayed := s.st.Queues[s.queue].Delayed
	if len(delayed) == 0 {
		return
	}
	most := delayedLimit
	if s.size != Wide {
		most = 2
	}
	for i, m := range delayed {
		if i == most {
			break
		}
		at := s.delayedPlace(i)
		n := s.frame.add(keyOf(kDelayed, int(m)), zText).at(at.x, at.y)
		if !s.memo.known(n, hashStart) {
			p := &s.pen
			p.glyph("clock", 0, 1, 14, "ev-expiry")
			p.chip(18, 0, 42, 16, identify(s.run.Log, m))
			p.add(`<text class="cap" x="64" y="12" data-t=""></text>`)
			s.memo.keep(n, p)
		}
		s.text = appendIn(s.text[:0], "", s.run.Index.Where(m, s.st.Events).Until-s.in.Now)
		n.Text.set(s.text[1:])
		if s.ticketStep(m) != nil {
			n.Opacity = 0
		}
	}
	if more := len(delayed) - most; more > 0 {
		at := s.delayedPlace(most)
		n := s.frame.add(keyOf(kDelayedCount, 0), zText).at(at.x, at.y)
		if !s.memo.known(n, hashStart.int(more)) {
			s.pen.caption("cap", "", 0, 12, "+"+grouped(more)+" later")
			s.memo.keep(n, &s.pen)
		}
	}
}

func (s *Stage) delayedPlace(i int) point {
	if s.size == Wide {
		return point{s.lay.delayed.x + float64(i%2)*128, s.lay.delayed.y + float64(i/2)*18 - 10}
	}
	return point{s.lay.delayed.x, s.lay.delayed.y + float64(i)*18}
}
