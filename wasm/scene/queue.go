package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
)

// placement is where a ticket is and how it is turned and scaled.
type placement struct{ x, y, rot, scale float64 }

// maxReceives is how often queue q hands a message out at most, or 0.
func (s *Stage) maxReceives(q event.QueueRef) int {
	if q < 0 {
		return 0
	}
	return s.plan.queues[q].max
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
func (s *Stage) waitingLook(m event.MessageRef, q event.QueueRef) look {
	if s.plan.queues[q].letters {
		return s.deadLook(m)
	}
	tries := int(s.run.Index.Where(m, s.st.Events).Receives)
	v := look{tries: tries, max: s.maxReceives(q), follow: m == s.in.Follow}
	if tries > 0 {
		v.stamp, v.low = tryStamp(tries+1, v.max), true
	}
	return v
}

// drawRails draws every queue: whole tickets while there are places, otherwise
// the newest, edges for the rest, and the head tickets whole.
func (s *Stage) drawRails() {
	for i := range s.lay.rails {
		r := &s.lay.rails[i]
		if r.summary {
			s.drawRailSum(i)
			continue
		}
		s.drawRail(i, r)
	}
}

func (s *Stage) drawRail(i int, r *rail) {
	s.drawSteel(i, r)
	q := r.queues[0]
	waiting := &s.st.Queues[q].Waiting
	count := waiting.Len()
	s.full[i] = count > r.slots
	whole := count
	if s.full[i] {
		whole = r.heads
	}
	for k := range whole {
		m := waiting.At(k).Message
		if s.ticketStep(m) != nil {
			continue
		}
		at := r.slot(s.lay.body, s.visualIndex(r, m, k, 1<<30))
		n := s.drawTicket(m, zRailTicket, placement{at.x, at.y, 0, 1}, s.waitingLook(m, q))
		n.Layer -= int32(min(k, 8))
	}
	if s.full[i] {
		s.drawPile(i, r, whole, count)
	}
	s.drawRailNotes(i, r, count)
	if r.redrive.w > 0 && count > 0 {
		s.drawRedrive(keyOf(kRedrive, 1<<12+i), r.redrive, q)
	}
	s.drawLater(i, r)
}

// visualIndex is the place of a ticket in line as it is seen: while the queue
// still moves up after a take, it is between two places. Only what happened
// before event limit counts.
func (s *Stage) visualIndex(r *rail, m event.MessageRef, i, limit int) float64 {
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
		if st.message == m && st.act.joins() {
			joined = st.event
		}
	}
	for k := range s.sched.steps {
		st := &s.sched.steps[k]
		if st.event >= limit {
			break
		}
		if st.event <= joined || st.message == m {
			continue
		}
		switch {
		case st.act == take && st.queue == r.queues[0]:
			at += 1 - st.shuffle(s.in.Now)
		case st.act == vanish && st.queue == r.queues[0] && s.run.Log.Event(st.event).Kind == event.Dropped:
			at += 1 - st.shuffle(s.in.Now)
		case st.act == comeBack && st.to == r.queues[0] && s.run.Log.Event(st.event).Reason == event.Head:
			at -= 1 - easeMove.at(st.progress(s.in.Now))
		}
	}
	return min(max(at, 0), float64(r.slots)+.2)
}

// drawSteel draws the rail itself and its empty places.
func (s *Stage) drawSteel(i int, r *rail) {
	b := s.lay.body
	n := s.frame.add(keyOf(kRail, i), zSteel).at(r.steel.x, r.steel.y)
	if !s.memo.known(n, hashStart) {
		balls := make([]float64, r.slots)
		for k := range balls {
			balls[k] = r.slot(b, float64(k)).x - r.steel.x
		}
		s.pen.rail(r.steel.w, r.steel.h, r.ball, balls)
		s.memo.keep(n, &s.pen)
	}
	if r.name != "" {
		n = s.frame.add(keyOf(kHeading, i), zText).at(r.head.x, r.head.y)
		if !s.memo.known(n, hashStart) {
			s.pen.name(0, 0, r.name)
			if note := s.railKind(r); note != "" {
				s.pen.add(`<text class="zt" x="~">~</text>`, widthOf(r.name, boldFont, nameSize)+6, note)
			}
			s.memo.keep(n, &s.pen)
		}
	}
	if !r.bounded {
		return
	}
	n = s.frame.add(keyOf(kSlots, i), zSlots)
	if !s.memo.known(n, hashStart) {
		d := b.paper(false)
		s.pen.add(`<g class="places">`)
		for k := range r.slots {
			at := r.slot(b, float64(k))
			if b == &chipBody {
				s.pen.add(`<rect class="slot" x="~" y="~" width="~" height="~" rx="1.5"/>`, at.x-b.w/2, at.y-b.h/2, b.w, b.h)
				continue
			}
			s.pen.add(`<path class="slot" d="~" transform="translate(~ ~)"/>`, d, at.x-b.w/2, at.y-b.h/2)
		}
		s.pen.add(`</g>`)
		s.memo.keep(n, &s.pen)
	}
}

// railKind says beside a row's name what is special about its queue, when
// there is room.
func (s *Stage) railKind(r *rail) string {
	f := &s.plan.queues[r.queues[0]]
	if r.next == 0 && f.perKey {
		return "" // the count says what its key holds back
	}
	note := ""
	switch {
	case f.letters:
		note = "dead letters"
	case f.byPriority:
		note = "by priority"
	case f.perKey:
		note = "per key"
	}
	const count = 96 // what the count of those that wait may take
	if r.full.x-r.head.x-count < widthOf(r.name, boldFont, nameSize)+6+widthOf(note, monoFont, termSize) {
		return ""
	}
	return note
}

// drawRailNotes says how full the rail is and which ticket is next out.
func (s *Stage) drawRailNotes(i int, r *rail, count int) {
	q := r.queues[0]
	capacity := s.plan.queues[q].capacity
	for k := range s.sched.steps {
		if st := &s.sched.steps[k]; s.moving && st.act == take && st.queue == q && s.in.Now <= st.start {
			count++
		}
	}
	unit := 0
	if r.pileY == 0 && s.full[i] {
		_, unit, _ = s.pileOf(r, r.heads, count)
	}
	held := 0
	if r.next == 0 && s.plan.queues[q].perKey {
		held = s.heldBack(r) // there is no room below the tickets
	}
	n := s.frame.add(keyOf(kFull, i), zText).at(r.full.x, r.full.y)
	if !s.memo.known(n, hashStart.int(count).int(capacity).int(unit).int(held)) {
		edges := ""
		if unit > 1 {
			edges = ", 1 edge = " + grouped(unit)
		}
		if held > 0 {
			edges += ", " + grouped(held) + " held by key"
		}
		switch {
		case capacity > 0 && count >= capacity:
			s.pen.add(`<g class="fullchip"><text text-anchor="end">full: ~ of ~~</text></g>`, grouped(count), grouped(capacity), edges)
		case capacity > 0:
			s.pen.caption("cap", "end", 0, 0, grouped(count)+" of "+grouped(capacity)+edges)
		default:
			s.pen.caption("cap", "end", 0, 0, grouped(count)+" "+s.words.Waits+edges)
		}
		s.memo.keep(n, &s.pen)
	}
	if count == 0 || r.next == 0 {
		return
	}
	if s.plan.queues[q].perKey || s.plan.queues[q].byPriority {
		whole := min(s.st.Queues[q].Waiting.Len(), r.slots)
		if s.full[i] {
			whole = r.heads
		}
		s.drawMarks(i, r, whole)
		return
	}
	at := r.slot(s.lay.body, 0)
	n = s.frame.add(keyOf(kRailNote, i), zText).at(at.x, r.next)
	if !s.memo.known(n, hashStart) {
		s.pen.caption("cap strong", "middle", 0, 0, s.words.NextOut)
		s.memo.keep(n, &s.pen)
	}
}

// drawRailSum draws a queue, or several, as counts only.
func (s *Stage) drawRailSum(i int) {
	r := &s.lay.rails[i]
	var waiting, later, dead int
	for _, q := range r.queues {
		c := &s.st.Queues[q]
		waiting += c.Waiting.Len()
		later += len(c.Delayed) + len(c.Hidden)
		if d := s.plan.queues[q].dead; d >= 0 && !s.plan.hasRow(d) && s.trayOf(d) == nil {
			dead += s.st.Queues[d].Waiting.Len()
		}
	}
	n := s.frame.add(keyOf(kRail, i), zSteel).at(r.head.x, r.head.y)
	if s.memo.known(n, hashStart.int(waiting).int(later).int(dead)) {
		return
	}
	p := &s.pen
	p.name(0, 0, r.name)
	text := grouped(waiting) + " " + s.words.Waits
	if later > 0 {
		text += ", " + grouped(later) + " later"
	}
	if dead > 0 {
		text += ", " + grouped(dead) + " " + s.words.DeadWord
	}
	p.caption("cap", "end", r.full.x-r.head.x, 0, text)
	full := min(r.steel.w, float64(waiting)*3)
	p.add(`<rect class="bar" y="5" width="~" height="3" rx="1.5"/><rect class="bar on" x="~" y="5" width="~" height="3" rx="1.5"/>`, r.steel.w, r.steel.w-full, full)
	s.memo.keep(n, p)
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

// edgePitch is from one edge of a pile to the next.
const edgePitch = 5.0

// pileOf says how many edges a pile has, what one stands for, and how many are
// meant by all of them. There is none where the head leaves no room for one.
func (s *Stage) pileOf(r *rail, whole, count int) (edges, unit, behind int) {
	b := s.lay.body
	room := r.slot(b, float64(whole-1)).x - r.pitch/2 - 6 - r.steel.x - 10 - b.w
	behind = count - whole - 1
	most := min(maxEdges, int(room/edgePitch))
	if most < 1 {
		return 0, 0, behind
	}
	unit = edgeUnit(behind, most)
	return behind / unit, unit, behind
}

// drawPile draws what waits behind the first whole tickets: the newest whole,
// an edge for every unit of the others, and their count.
func (s *Stage) drawPile(i int, r *rail, whole, count int) {
	q := r.queues[0]
	waiting := &s.st.Queues[q].Waiting
	edges, unit, behind := s.pileOf(r, whole, count)
	if unit == 0 {
		return
	}
	newest := waiting.At(count - 1).Message
	s.drawEdges(i, r, count, edges, unit)
	if r.pileY > 0 {
		s.drawPileNote(i, r, behind, unit)
	}
	if s.ticketStep(newest) == nil {
		s.drawTicket(newest, zPile+5, s.pilePlace(r), s.waitingLook(newest, q))
	}
}

// drawEdges draws what is seen of the tickets behind the newest. It stays the
// same while tickets leave at the head, until there is an edge less.
func (s *Stage) drawEdges(i int, r *rail, count, edges, unit int) {
	b := s.lay.body
	waiting := &s.st.Queues[r.queues[0]].Waiting
	h := hashStart.int(edges).int(unit)
	for k := range edges {
		h = h.int(int(waiting.At(count - 2 - k*unit).Message))
	}
	n := s.frame.add(keyOf(kPile, i), zPile).at(r.steel.x+10, r.steel.y+r.drop)
	if s.memo.known(n, h) {
		return
	}
	p := &s.pen
	p.add(`<g class="pile">`)
	for k := edges - 1; k >= 0; k-- {
		id := identify(s.run.Log, waiting.At(count-2-k*unit).Message)
		x := b.w + float64(k)*edgePitch
		p.add(`<rect class="pap two" x="~" width="~" height="~" rx="1"/><rect class="h~" x="~" y="~" width="~" height="~"/>`,
			x-3, edgePitch+3, b.h-1-float64(k%2)*2, id.hue, x-.5, b.bandY, edgePitch, b.bandH)
	}
	if r.brace > 0 {
		p.add(`<path class="brace" d="M~ ~v5H~v-5"/>`, b.w+3, b.h+r.brace, b.w+float64(edges)*edgePitch)
	}
	p.add(`</g>`)
	s.memo.keep(n, p)
}

// drawPileNote says how many the edges stand for, and how many one is.
func (s *Stage) drawPileNote(i int, r *rail, behind, unit int) {
	class := "big-n"
	if s.size != Wide {
		class = "big-n less"
	}
	n := s.frame.add(keyOf(kPileNote, i), zPile).at(r.steel.x+10, r.steel.y+r.drop+s.lay.body.h+r.pileY)
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
func (s *Stage) pilePlace(r *rail) placement {
	return placement{r.steel.x + 10 + s.lay.body.w/2, r.steel.y + r.drop + s.lay.body.h/2, 0, 1}
}

// railPlace is where message m hangs, or will hang, in queue q.
func (s *Stage) railPlace(q event.QueueRef, m event.MessageRef, limit int) placement {
	r := s.railOf(q)
	if r == nil {
		if t := s.trayOf(q); t != nil {
			return t.place(s.lay.body, 0, 1)
		}
		return placement{s.lay.w / 2, s.lay.h / 2, 0, .5}
	}
	if r.summary {
		return placement{r.steel.right() - 24, r.steel.y, 0, .8}
	}
	i := 0
	if k := s.st.Queues[q].Waiting.Find(m); k >= 0 {
		i = k
	}
	if s.full[s.lay.railOf[q]] && i >= r.heads {
		return s.pilePlace(r)
	}
	at := r.slot(s.lay.body, s.visualIndex(r, m, i, limit))
	return placement{at.x, at.y, 0, 1}
}

// drawLater draws those that cannot be handed out yet, each with its time:
// they are delayed, or hidden although nobody has them any more.
func (s *Stage) drawLater(i int, r *rail) {
	later := s.laterOf(i, r)
	if len(later) == 0 {
		return
	}
	most := r.delayedMost
	if len(later) > most && (s.lay.board || s.size.phone() || len(s.lay.trays) > 0) {
		most = max(0, most-1) // the last place says how many more
	}
	delayed := len(s.st.Queues[r.queues[0]].Delayed)
	for k, m := range later {
		if k == most {
			break
		}
		at := r.delayedPlace(k)
		n := s.frame.add(keyOf(kDelayed, int(m)), zText).at(at.x, at.y)
		hidden := k >= delayed
		if !s.memo.known(n, hashStart.bool(hidden).bool(m == s.in.Follow)) {
			s.laterChip(m, hidden)
		}
		until := s.run.Index.Where(m, s.st.Events).Until
		if until == event.Never {
			n.Text.set([]byte("no timer"))
		} else {
			s.text = appendIn(s.text[:0], "", until-s.in.Now)
			n.Text.set(s.text[1:])
		}
		if st := s.ticketStep(m); st != nil && (st.act == putAside || st.act == comeBack) {
			n.Opacity = 0
		}
	}
	if more := len(later) - most; more > 0 {
		at := r.delayedPlace(most)
		n := s.frame.add(keyOf(kDelayedCount, i), zText).at(at.x, at.y)
		if !s.memo.known(n, hashStart.int(more)) {
			s.pen.caption("cap", "", 0, 12, "+"+grouped(more)+" later")
			s.memo.keep(n, &s.pen)
		}
	}
}

// laterOf lists what drawLater draws: the delayed, then those hidden in
// nobody's hands that no crashed worker's station shows.
func (s *Stage) laterOf(i int, r *rail) []event.MessageRef {
	q := &s.st.Queues[r.queues[0]]
	list := append(s.later[i][:0], q.Delayed...)
	for _, m := range q.Hidden {
		if !s.isLost(m) {
			list = append(list, m)
		}
	}
	s.later[i] = list
	return list
}

// isLost reports whether a crashed worker's station shows that it held m.
func (s *Stage) isLost(m event.MessageRef) bool {
	for w := range s.st.Workers {
		k := &s.st.Workers[w]
		if k.Status == downStatus && len(k.Lost) > 0 && k.Lost[0].Message == m && s.lay.stationOf[w] >= 0 {
			return true
		}
	}
	return false
}

// laterChip draws a message that waits for an instant: with a clock when it is
// delayed, with an hourglass and a dashed edge when it is hidden.
func (s *Stage) laterChip(m event.MessageRef, hidden bool) {
	p, id := &s.pen, identify(s.run.Log, m)
	what, glyph := "delayed", "clock"
	if hidden {
		what, glyph = "held by nobody until its timer ends", "expiry"
	}
	label := "Order " + id.number + ", " + what
	p.add(`<g class="tk" role="button" tabindex="0" data-act="follow" data-message="~" aria-label="~"><title>~</title>`, id.number, label, label)
	p.glyph(glyph, 0, 1, 14, "ev-expiry")
	if m == s.in.Follow {
		p.add(`<rect class="halo" x="15" y="-3" width="48" height="22" rx="3"/>`)
	}
	p.chip(18, 0, 42, 16, id)
	if hidden {
		p.add(`<rect class="hidden" x="18" width="42" height="16" rx="1.5"/>`)
	}
	p.add(`<text class="cap" x="64" y="12" data-t=""></text></g>`)
	s.memo.keep(&s.frame.drawn[len(s.frame.drawn)-1], p)
}

// drawChip draws message m as a small paper with its left top corner at a
// point.
func (s *Stage) drawChip(k Key, layer int32, at point, m event.MessageRef) *Node {
	n := s.frame.add(k, layer).at(at.x, at.y)
	n.Class = "tk"
	if s.memo.known(n, hashStart.int(int(m)).bool(m == s.in.Follow)) {
		return n
	}
	id := identify(s.run.Log, m)
	s.pen.add(`<g role="button" tabindex="0" data-act="follow" data-message="~" aria-label="Order ~"><title>Order ~</title>`, id.number, id.number, id.number)
	if m == s.in.Follow {
		s.pen.add(`<rect class="halo" x="-3" y="-3" width="46" height="22" rx="3"/>`)
	}
	s.pen.chip(0, 0, 40, 16, id)
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
	return n
}

// drawMarks writes below the tickets of a queue that has an order of its own
// why each stands where it does: its priority, or who holds its key back. The
// first that nothing holds back is next out.
func (s *Stage) drawMarks(i int, r *rail, whole int) {
	q := r.queues[0]
	waiting := &s.st.Queues[q].Waiting
	perKey := s.plan.queues[q].perKey
	h := hashStart
	for k := range whole {
		m := waiting.At(k).Message
		h = h.int(int(s.run.Log.MessagePriority(m)))
		if perKey {
			h = h.int(int(s.holder(q, m)))
		}
	}
	n := s.frame.add(keyOf(kRailNote, i), zText).at(0, r.next)
	if s.memo.known(n, h) {
		return
	}
	p, next := &s.pen, true
	for k := range whole {
		m := waiting.At(k).Message
		x := r.slot(s.lay.body, float64(k)).x
		holder := event.NoMessage
		if perKey {
			holder = s.holder(q, m)
		}
		switch {
		case holder >= 0:
			number := fit(s.run.Log.MessageID(holder).String(), uiFont, 11, r.pitch-17)
			w := widthOf(number, uiFont, 11) + 13
			p.add(`<g class="held"><title>~ holds back its key</title>`, number)
			p.glyph("lock", x-w/2, -9.5, 11, "")
			p.caption("cap", "", x-w/2+13, 0, number)
			p.add(`</g>`)
		case next:
			p.caption("cap strong", "middle", x, 0, s.words.NextOut)
			next = false
		case !perKey:
			p.caption("cap", "middle", x, 0, "prio "+itoa(int(s.run.Log.MessagePriority(m))))
		}
	}
	s.memo.keep(n, p)
}

// heldBack counts the tickets at the head whose key somebody holds.
func (s *Stage) heldBack(r *rail) int {
	q := r.queues[0]
	waiting, n := &s.st.Queues[q].Waiting, 0
	for k := range min(waiting.Len(), r.slots) {
		if s.holder(q, waiting.At(k).Message) >= 0 {
			n++
		}
	}
	return n
}

// holder is the message that keeps m of a queue by key from being handed out:
// one of its key in flight, or an earlier one that waits for its retry.
func (s *Stage) holder(q event.QueueRef, m event.MessageRef) event.MessageRef {
	key := s.run.Log.MessageKey(m)
	if key == 0 {
		return event.NoMessage
	}
	same := func(o event.MessageRef) bool { return o != m && s.run.Log.MessageKey(o) == key }
	for w := range s.st.Workers {
		for k := range s.st.Workers[w].Held {
			h := &s.st.Workers[w].Held[k]
			if h.Queue == q && !h.Over && !h.Settled && same(h.Message) {
				return h.Message
			}
		}
	}
	for _, o := range s.st.Queues[q].Hidden {
		if same(o) {
			return o
		}
	}
	for _, o := range s.st.Queues[q].Delayed {
		if o < m && same(o) {
			return o
		}
	}
	return event.NoMessage
}
