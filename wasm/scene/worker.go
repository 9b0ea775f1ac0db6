package scene

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// workerView is a worker as it is seen: what has been told of it so far, which
// while a chain of acts plays is less than what has happened.
type workerView struct {
	busy    bool // something is in hand or being worked on
	message event.MessageRef
	queue   event.QueueRef
	ghost   bool // the ticket itself has left: acked early, or its timer ended
	late    bool // its timer ended
	line    int
	since   event.Time // of the hand-out
	until   event.Time // end of the visibility timeout, or Never
	receive int
	stuck   bool // it publishes to a full queue, and waits
	extra   int  // hand-outs that wait their turn

	down      bool
	broken    float64 // how far the crash has got, 0 to 1
	lost      event.MessageRef
	lostUntil event.Time
	flag      string  // a big stamp, or ""
	landing   float64 // of the flag, 0 to 1
}

// view says what to show of worker w.
func (s *Stage) view(w event.WorkerRef) workerView {
	k := &s.st.Workers[w]
	v := workerView{message: event.NoMessage, lost: event.NoMessage, until: event.Never, lostUntil: event.Never, broken: 1, landing: 1}
	if s.in.Opening {
		return v // hands are free
	}
	if st := s.workerStep(w); st != nil {
		s.viewBefore(&v, st)
		return v
	}
	s.flagOf(&v, w)
	v.stuck = k.Event >= 0 && s.run.Log.Event(k.Event).Kind == event.Blocked
	switch {
	case k.Status == replay.Down:
		v.down, v.line = true, k.Line
		if len(k.Lost) > 0 {
			h := &k.Lost[0]
			v.lost, v.lostUntil = h.Message, h.Until
			if h.Over || h.Settled {
				v.lostUntil = event.Never
			}
		}
	case k.Running >= 0 && k.Running < len(k.Held):
		h := &k.Held[k.Running]
		v.busy, v.message, v.queue, v.line = true, h.Message, h.Queue, k.Line
		v.ghost, v.late = h.Over || h.Settled, h.Over && !h.Settled
		v.since, v.until, v.receive = h.At, h.Until, int(h.Receive)
		v.extra = len(k.Held) - 1
	case len(k.Held) > 0:
		h := &k.Held[0]
		v.busy, v.message, v.queue = true, h.Message, h.Queue
		v.ghost = h.Over || h.Settled
		v.since, v.until, v.receive = h.At, h.Until, int(h.Receive)
		v.extra = len(k.Held) - 1
	}
	return v
}

// viewBefore shows the worker as it was before a step that is not over.
func (s *Stage) viewBefore(v *workerView, st *step) {
	began := s.in.Now >= st.start
	switch st.act {
	case take:
		return // its hands are free until the ticket lands
	case crash:
		if began {
			v.down, v.broken, v.line = true, st.progress(s.in.Now), st.line
			v.lost = st.message
			return
		}
	case spikeIt, comeBack, putAside, fall:
		if began {
			v.busy, v.line = true, st.line
			return
		}
	case stampIt:
		if began {
			v.flag, v.landing = flagText(s.run.Log.Event(st.event)), st.progress(s.in.Now)
		}
	}
	if st.message < 0 {
		return
	}
	v.busy, v.message, v.queue, v.line = true, st.message, st.queue, st.line
	v.ghost = st.from != replay.InFlight || st.holder != st.worker
	v.since, v.until = st.since, st.until
	v.late = v.ghost && !s.settledBy(st)
	v.receive = int(s.run.Index.Where(st.message, st.event).Receives)
}

// settledBy reports whether the worker of a step had acked or given back what
// it works on before the step: it goes on without it, and not too late.
func (s *Stage) settledBy(st *step) bool {
	for i := st.event - 1; i >= 0 && i > st.event-200; i-- {
		e := s.run.Log.Event(i)
		if e.Worker != st.worker || e.Message != st.message {
			continue
		}
		switch e.Kind {
		case event.Acked, event.Nacked, event.Rejected:
			return true
		case event.HandlerStarted, event.Delivered:
			return false
		}
	}
	return false
}

// flagOf finds the stamp that a worker's last failure left, for a while.
func (s *Stage) flagOf(v *workerView, w event.WorkerRef) {
	i := s.st.Workers[w].Event
	for ; i >= 0; i-- {
		e := s.run.Log.Event(i)
		if e.At < s.st.At && !s.moving || e.At < s.in.Now-event.Time(linger*2*s.in.Speed*1e9) {
			return
		}
		if e.Worker != w {
			continue
		}
		switch e.Kind {
		case event.Delivered, event.HandlerStarted, event.Crashed, event.Restarted:
			return
		}
		if v.flag = flagText(e); v.flag != "" {
			return
		}
	}
}

func flagText(e *event.Event) string {
	switch e.Kind {
	case event.HandlerFailed:
		return "RAISED"
	case event.AckIgnored:
		if e.Reason == event.Stale {
			return "TOO LATE"
		}
	}
	return ""
}

// drawWorkers draws every station and what is in it.
func (s *Stage) drawWorkers() {
	if len(s.st.Workers) == 0 && (!s.lay.board || len(s.plan.pools) == 0) {
		s.drawNobody()
	}
	for i := range s.lay.stations {
		w := s.lay.stations[i].worker
		if s.st.Workers[w].Status == replay.Absent {
			s.drawAbsent(w)
			continue
		}
		v := s.view(w)
		s.drawStation(w, &v)
		s.drawPerson(w, &v)
		s.drawInHand(w, &v)
		s.drawFlag(w, &v)
	}
	for i := range s.lay.pools {
		s.drawPool(i)
	}
}

// drawPool writes over the stations of a pool what they are together, and
// counts what they do not show: workers without a station, and messages in
// hand that have no place there.
func (s *Stage) drawPool(i int) {
	l := &s.lay.pools[i]
	if len(l.pools) == 0 {
		return
	}
	t := poolTally{last: event.NoWorker}
	for _, pool := range l.pools {
		s.tally(&t, pool)
	}
	if l.name != "" {
		s.drawPoolName(i)
	}
	if !s.drawFocus(i) {
		s.drawPoolCount(i, &t)
	}
	name := s.run.Log.Pools[l.pools[0]]
	if n := s.button(keyOf(kAdd, i), l.add, 0); n != nil {
		s.face(n, l.add, face{"sbtn quiet", "plus", "add", "pool", name, "Add one " + strings.ToLower(s.words.Worker) + " to " + name})
	}
	if t.last == event.NoWorker || t.here < 2 {
		return
	}
	if n := s.button(keyOf(kRemove, i), l.remove, int(t.last)); n != nil {
		s.face(n, l.remove, face{"sbtn quiet", "minus", "remove", "worker", s.run.Log.Workers[t.last].Name, "Send " + s.workerName(t.last) + " away"})
	}
}

// poolTally is what the workers of a pool come to.
type poolTally struct {
	here, busy, without int // workers; without a station
	held                int // in hands that do not show it
	last                event.WorkerRef
}

func (s *Stage) tally(t *poolTally, pool int) {
	counts := s.lay.pools[s.lay.poolOf[pool]].counts
	for _, w := range s.plan.pools[pool].workers {
		k := &s.st.Workers[w]
		if k.Status == replay.Absent {
			continue
		}
		t.here++
		if !k.Leaving {
			t.last = w
		}
		if k.Status == replay.Busy {
			t.busy++
		}
		without := s.lay.stationOf[w] < 0
		if without {
			t.without++
		}
		if without || counts {
			t.held += inHand(k)
		}
	}
}

// inHand counts what a worker holds that is still in flight.
func inHand(k *replay.Worker) int {
	n := 0
	for i := range k.Held {
		if !k.Held[i].Over && !k.Held[i].Settled {
			n++
		}
	}
	return n
}

// drawPoolCount says how many there are of what the stations do not show.
func (s *Stage) drawPoolCount(i int, t *poolTally) {
	l := &s.lay.pools[i]
	if !l.sum && !l.counts && (l.rest == 0 || t.without == 0) {
		return
	}
	n := s.frame.add(keyOf(kPoolNote, i), zText).at(l.more.x, l.more.y)
	if s.memo.known(n, hashStart.int(t.here).int(t.busy).int(t.held).int(t.without)) {
		return
	}
	text := grouped(t.held) + " in hand"
	switch {
	case l.sum:
		text = grouped(t.busy) + " of " + grouped(t.here) + " busy, " + text
	case t.without > 0:
		text = grouped(t.without) + " more, " + text
	}
	s.pen.caption("cap", "end", 0, 0, text)
	s.memo.keep(n, &s.pen)
}

// drawFocus says of a pool that shows badges only who holds the followed
// message, and how long it has for it.
func (s *Stage) drawFocus(i int) bool {
	l, m := &s.lay.pools[i], s.in.Follow
	if !l.counts || m < 0 || int(m) >= s.run.Log.MessageCount() {
		return false
	}
	where := s.run.Index.Where(m, s.st.Events)
	if where.Place != replay.InFlight || where.Worker < 0 || s.lay.poolOf[s.run.Log.Workers[where.Worker].Pool] != i {
		return false
	}
	n := s.frame.add(keyOf(kPoolNote, i), zText).at(l.more.x, l.more.y)
	if !s.memo.known(n, hashStart.str("focus").int(int(m)).int(int(where.Worker))) {
		id := fit(s.run.Log.MessageID(m).String(), boldFont, 12, 44)
		s.pen.add(`<text class="cap strong" text-anchor="end">~ holds ~<tspan data-t=""></tspan></text>`, personOf(int(where.Worker)).letter, id)
		s.memo.keep(n, &s.pen)
	}
	if where.Until != event.Never {
		s.text = append(s.text[:0], ": "...)
		s.text = appendLeft(s.text, where.Until-s.in.Now)
		n.Text.set(s.text)
	}
	if t := s.station(where.Worker); t != nil {
		n := s.frame.add(keyOf(kHalo, i), zPerson).at(t.badge.x, t.badge.y)
		if !s.memo.known(n, hashStart) {
			s.pen.add(`<circle class="halo" r="17"/>`)
			s.memo.keep(n, &s.pen)
		}
	}
	return true
}

// drawPoolName writes a pool's name and what holds it back.
func (s *Stage) drawPoolName(i int) {
	l := &s.lay.pools[i]
	n := s.frame.add(keyOf(kPool, i), zText).at(l.head.x, l.head.y)
	if !s.memo.known(n, hashStart) {
		s.pen.name(0, 0, l.name)
		if note := s.poolNote(l); note != "" {
			s.pen.add(`<text class="zt" x="~">~</text>`, widthOf(l.name, boldFont, nameSize)+7, note)
		}
		s.memo.keep(n, &s.pen)
	}
}

// poolNote says what a pool reads when that is not plain, and how fast it may.
func (s *Stage) poolNote(l *poolPlace) string {
	if len(l.pools) > 1 {
		return ""
	}
	f, room := &s.plan.pools[l.pools[0]], l.noteRoom
	text := ""
	if f.limit.Count > 0 {
		text = "at most " + f.limit.String()
	}
	if len(f.from) > 1 {
		names := make([]string, len(f.from))
		for k, q := range f.from {
			names[k] = s.plan.queues[q].name
		}
		order := strings.Join(names, " > ")
		if text != "" {
			order += ", "
		}
		if widthOf(order+text, monoFont, termSize) <= room {
			text = order + text
		}
	}
	return fit(text, monoFont, termSize, room)
}

func (s *Stage) drawNobody() {
	n := s.frame.add(keyOf(kEmpty, 0), zStation).at(s.lay.nobody.x, s.lay.nobody.y)
	if !s.memo.known(n, hashStart) {
		s.pen.caption("cap", "", 0, 0, "Nobody takes tickets here.")
		s.memo.keep(n, &s.pen)
	}
}

func (s *Stage) drawAbsent(w event.WorkerRef) {
	t := s.station(w)
	n := s.frame.add(keyOf(kStation, int(w)), zStation).at(t.x, t.y)
	if s.memo.known(n, hashStart.str("absent")) {
		return
	}
	s.pen.add(`<g class="station absent"><rect class="bg" width="~" height="~" rx="4"/></g>`, t.w, t.h-6)
	s.memo.keep(n, &s.pen)
}

// drawStation draws the place itself: wall, shelf, name, button, handler.
func (s *Stage) drawStation(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	n := s.frame.add(keyOf(kStation, int(w)), zStation).at(t.x, t.y)
	state := "idle"
	switch {
	case v.down:
		state = "crashed"
	case v.busy:
		state = "working"
	}
	if !s.memo.known(n, hashStart.str(state).int(int(v.message)).int(v.line).bool(v.flag != "")) {
		p := &s.pen
		p.add(`<g class="station ~" role="group" aria-label="~">`, state, s.stationLabel(w, v))
		bottom := t.h - 6
		if t.shelf > 0 && t.shelf < t.bottom()-9 {
			bottom = t.h
		}
		p.add(`<rect class="bg" width="~" height="~" rx="4"/>`, t.w, bottom)
		if v.down {
			p.add(`<rect width="~" height="~" rx="4" fill="url(#s-hatch)"/>`, t.w, bottom)
		}
		if t.shelf > 0 && !v.down && !v.busy {
			b := s.lay.body
			// Open below: it stands on the shelf.
			p.add(`<path class="slot" d="M~ ~V~h~V~"/>`, t.ticket.x-t.x-b.w*t.scale/2, t.shelf-t.y, t.ticket.y-t.y-b.h*t.scale/2, b.w*t.scale, t.shelf-t.y)
		}
		if name := s.workerName(w); s.showsName(t, v, name) {
			p.add(`<text class="wn" x="~" y="~">~</text>`, t.name.x-t.x, t.name.y-t.y, name)
		}
		if !v.down && !v.busy && v.flag == "" {
			s.freeNote(t)
		}
		p.add(`</g>`)
		s.memo.keep(n, p)
	}
	s.drawShelf(w, v)
	s.drawListing(w, v)
	if t.button.w > 0 && !v.down {
		s.drawCrashButton(w)
	}
}

// showsName reports whether the name is written beside the badge, which says
// the same: not where it does not fit, or a stamp needs the place.
func (s *Stage) showsName(t *station, v *workerView, name string) bool {
	if t.name.x == 0 || v.down && t.lines == 0 {
		return false
	}
	box := rect{t.name.x, t.name.y - 11, widthOf(name, boldFont, nameSize), 14}
	if t.button.w > 0 && box.right() > t.button.x-2 && box.bottom() > t.button.y && box.y < t.button.bottom() {
		return false
	}
	return v.flag == "" || !box.meets(t.flagBox(t.flag))
}

// flagBox is what a stamp covers.
func (t *station) flagBox(at point) rect {
	_, h := t.flagSize()
	return rect{at.x - t.flagW/2, at.y - h/2, t.flagW, h}
}

// flagSize is the size of a stamp's letters, and its height.
func (t *station) flagSize() (size, height float64) {
	switch {
	case t.flagW > 90:
		return 16, 24
	case t.flagW < 80:
		return 11.5, 18
	}
	return 14, 21
}

func (s *Stage) freeNote(t *station) {
	switch {
	case t.bare:
	case t.chip.w > 0:
		s.pen.caption("cap", "", t.chip.x-t.x, t.chip.y-t.y+12, "free")
	case t.number:
		s.pen.caption("cap", "", t.ring.x-t.x-t.ringR, t.ring.y-t.y+4, "free")
	case t.ringMid:
		s.pen.caption("cap", "middle", t.ring.x-t.x, t.ring.y-t.y+4, s.words.Free)
	case t.ringEnd && t.lines > 1:
		s.pen.caption("cap", "end", t.ring.x-t.x+t.ringR, t.ring.y-t.y+4, s.words.Free)
	case t.ringEnd:
		s.pen.caption("cap", "", t.line.x-t.x, t.line.y-t.y+13, s.words.Free)
	case t.line.w > 0 && t.lines == 0 && (t.line.w < 100 || t.ringNote.x == 0):
		s.pen.caption("cap", "", t.line.x-t.x, t.line.y-t.y+13, s.words.Free)
	default:
		s.pen.caption("cap", "", t.ring.x-t.x-t.ringR, t.ring.y-t.y+4, s.words.Free)
	}
}

func (s *Stage) stationLabel(w event.WorkerRef, v *workerView) string {
	name := s.workerName(w)
	switch {
	case v.down:
		return name + " has crashed"
	case v.message >= 0:
		text := name + " holds order " + s.run.Log.MessageID(v.message).String()
		if v.line > 0 {
			text += ", at line " + itoa(v.line)
		}
		return text
	}
	return name + ", idle"
}

// drawShelf draws the shelf, in one piece or broken in two.
func (s *Stage) drawShelf(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if t.shelf == 0 {
		return
	}
	if !v.down {
		n := s.frame.add(keyOf(kShelf, int(w)), zShelf).at(t.x, t.shelf)
		if !s.memo.known(n, hashStart) {
			s.pen.add(`<rect class="shelf" width="~" height="7" rx="1.5" fill="url(#s-steel)"/>`, t.w)
			s.memo.keep(n, &s.pen)
		}
		return
	}
	p := easeDrop.at(v.broken)
	n := s.frame.add(keyOf(kShelfLeft, int(w)), zShelf).at(t.x, t.shelf+4)
	n.Rot = float32(2.6 * p)
	if !s.memo.known(n, hashStart) {
		s.pen.add(`<rect class="shelf" y="-4" width="~" height="7" rx="1.5" fill="url(#s-steel)"/>`, t.w*.46)
		s.memo.keep(n, &s.pen)
	}
	n = s.frame.add(keyOf(kShelfRight, int(w)), zShelf).at(t.right(), t.shelf+4)
	n.Rot = float32(-3.4 * p)
	if !s.memo.known(n, hashStart) {
		s.pen.add(`<rect class="shelf" x="~" y="-4" width="~" height="7" rx="1.5" fill="url(#s-steel)"/>`, -t.w*.49, t.w*.49)
		s.memo.keep(n, &s.pen)
	}
}

// drawPerson draws the badge: standing, or fallen and hollow.
func (s *Stage) drawPerson(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	n := s.frame.add(keyOf(kBadge, int(w)), zPerson).at(t.badge.x, t.badge.y)
	if v.down {
		p := easeDrop.at(v.broken)
		floor := t.bottom() - 8
		if t.shelf > 0 {
			floor = t.shelf
		}
		if t.chip.w == 0 && !t.bare { // elsewhere there is nowhere to fall to
			n.X = float32(t.badge.x + (t.right()-t.badgeR-10-t.badge.x)*p)
			n.Y = float32(t.badge.y + (floor-t.badgeR-1-t.badge.y)*p)
		}
		n.Rot = float32(104 * p)
	}
	if !s.memo.known(n, hashStart.bool(v.down)) {
		s.pen.badge(t.badgeR, personOf(int(w)), v.down)
		s.memo.keep(n, &s.pen)
	}
}

// drawCrashButton has a node of its own, so that it keeps the focus.
func (s *Stage) drawCrashButton(w event.WorkerRef) {
	t := s.station(w)
	n := s.frame.add(keyOf(kCrashButton, int(w)), zPerson).at(t.button.x, t.button.y)
	if s.memo.known(n, hashStart) {
		return
	}
	name, b := s.workerName(w), t.button
	s.pen.add(`<g class="sbtn" role="button" tabindex="0" data-act="crash" data-worker="~" aria-label="Crash ~ now"><title>Crash ~ now</title><rect width="~" height="~" rx="4"/>`,
		s.run.Log.Workers[w].Name, name, name, b.w, b.h)
	s.pen.glyph("crash", (b.w-15)/2, (b.h-15)/2, 15, "ev-crash")
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}

// drawListing pins the handler to the station, where there is room.
func (s *Stage) drawListing(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if t.lines < 2 || v.down && t.ringEnd {
		return
	}
	lines := s.linesOf(w)
	first := s.firstLine(t, len(lines), v.line)
	n := s.frame.add(keyOf(kListing, int(w)), zShelf).at(t.x, t.listing.y)
	if s.memo.known(n, hashStart.int(first)) {
		return
	}
	char := 7.22
	if s.size != Wide {
		char = 6.62
	}
	width := t.line.w - 22
	s.pen.add(`<g class="card">`)
	for i := 0; i < t.lines && first+i < len(lines); i++ {
		y := float64(i) * t.linePit
		text := lines[first+i]
		indent := len(text) - len(strings.TrimLeft(text, " "))
		// Two columns an indentation are enough to see the structure.
		s.pen.add(`<text class="cn" x="~" y="~">~</text><text class="lt" x="~" y="~">~</text>`,
			t.line.x-t.x+13, y, first+i+1, t.line.x-t.x+21+float64(indent)*2.5, y, cut(strings.TrimSpace(text), int((width-float64(indent)*2.5)/char)))
	}
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}

// firstLine is the first line of a listing that has to scroll.
func (s *Stage) firstLine(t *station, have, line int) int {
	if have <= t.lines || line == 0 {
		return 0
	}
	return int(clamp(float64(line-1-t.lines/2), 0, float64(have-t.lines)))
}

// drawInHand draws the ticket at the station, its ring and its line.
func (s *Stage) drawInHand(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if v.down {
		if v.lost >= 0 && !t.bare {
			s.drawGhost(w, v.lost)
		}
		s.drawLine(w, v)
		return
	}
	if !v.busy {
		return
	}
	if t.bare {
		s.drawBareRing(w, v)
		return
	}
	s.drawExtra(w, v)
	if v.message >= 0 && s.ticketAt(v.message, w) {
		s.drawHeld(w, v)
	} else if v.message >= 0 && (v.extra == 0 || t.shelf == 0) {
		s.drawGhost(w, v.message) // others would show through it
	}
	s.drawLine(w, v)
	if v.ghost && v.flag == "" && v.message >= 0 {
		s.drawStillAtIt(w, v)
	}
	if v.stuck && t.lines > 1 && v.flag == "" {
		s.drawStuck(w, v)
	}
	if v.until == event.Never || v.ghost || v.flag != "" || t.ringR == 0 || v.message < 0 || s.in.Now > v.until {
		return
	}
	s.drawRing(w, v)
}

// drawBareRing draws the time left around the badge.
func (s *Stage) drawBareRing(w event.WorkerRef, v *workerView) {
	if v.until != event.Never && !v.ghost && v.message >= 0 && s.in.Now <= v.until {
		s.drawRing(w, v)
	}
}

// ticketAt reports whether the body of the ticket is with worker w.
func (s *Stage) ticketAt(m event.MessageRef, w event.WorkerRef) bool {
	if st := s.ticketStep(m); st != nil {
		return st.from == replay.InFlight && s.in.Now < st.start && st.worker == w
	}
	where := s.run.Index.Where(m, s.st.Events)
	return where.Place == replay.InFlight && where.Worker == w
}

func (s *Stage) drawHeld(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if t.chip.w > 0 {
		s.drawHeldChip(w, v)
		return
	}
	s.drawTicket(v.message, zHeld, placement{t.ticket.x, t.ticket.y, 0, t.scale}, s.heldLook(v.message, v.queue, v.receive))
}

func (s *Stage) heldLook(m event.MessageRef, q event.QueueRef, receive int) look {
	most := s.maxReceives(q)
	return look{tries: receive, max: most, follow: m == s.in.Follow, stamp: tryStamp(receive, most)}
}

// drawHeldChip stands for the ticket where it does not fit.
func (s *Stage) drawHeldChip(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	s.drawChip(keyOf(kGhost, int(w)), zHeld, point{t.chip.x, t.chip.y}, v.message)
}

// drawGhost draws the outline of a ticket that has left the hand.
func (s *Stage) drawGhost(w event.WorkerRef, m event.MessageRef) {
	t := s.station(w)
	n := s.frame.add(keyOf(kGhost, int(w)), zHeldBehind).at(t.ticket.x, t.ticket.y)
	n.Scale = float32(t.scale)
	if s.memo.known(n, hashStart.int(int(m)).str("ghost")) {
		return
	}
	id := identify(s.run.Log, m)
	if t.chip.w > 0 {
		s.pen.add(`<g class="ghost"><path d="M~ ~h~v~h~z"/><text class="gnum" y="4" font-size="11">~</text></g>`,
			-t.chip.w/2, -t.chip.h/2, t.chip.w, t.chip.h, -t.chip.w, cut(id.number, 5))
	} else {
		s.pen.ticket(s.lay.body, id, look{ghost: true})
	}
	s.memo.keep(n, &s.pen)
}

// extraShown is how many prefetched tickets show behind the one in hand.
const extraShown = 3

// drawExtra draws what waits on the shelf behind the one being worked on.
func (s *Stage) drawExtra(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	k := &s.st.Workers[w]
	if v.extra == 0 || t.bare {
		return
	}
	if t.shelf == 0 {
		s.drawExtraCount(w)
		return
	}
	shown := 0
	for i := range k.Held {
		h := &k.Held[i]
		if i == k.Running || h.Message == v.message || h.Over || h.Settled {
			continue
		}
		shown++
		if shown > extraShown || s.ticketStep(h.Message) != nil {
			continue
		}
		n := s.drawTicket(h.Message, zHeldBehind, t.extraPlace(shown), s.heldLook(h.Message, h.Queue, int(h.Receive)))
		n.Layer -= int32(shown)
	}
	if shown > extraShown {
		at, anchor := t.morePlace()
		n := s.frame.add(keyOf(kHeldMore, int(w)), zText).at(at.x, at.y)
		if !s.memo.known(n, hashStart.int(shown)) {
			s.pen.caption("cap strong", anchor, 0, 0, "+"+itoa(shown-extraShown))
			s.memo.keep(n, &s.pen)
		}
	}
}

// morePlace is where a station says how many more wait on its shelf, clear of
// ring and line.
func (t *station) morePlace() (at point, anchor string) {
	switch {
	case t.number:
		return point{t.line.right(), t.shelf - 2}, "end"
	case t.lines > 0 || t.ringEnd:
		return point{t.ticket.x + 30, t.shelf - 4}, ""
	case t.ringNote.x > 0:
		return point{t.ringNote.x, t.ring.y + 25}, ""
	}
	return point{t.ring.x + t.ringR + 6, t.ring.y + 4}, ""
}

// drawExtraCount says how many more a worker holds than its small paper shows.
func (s *Stage) drawExtraCount(w event.WorkerRef) {
	t, more := s.station(w), inHand(&s.st.Workers[w])-1
	if more <= 0 {
		return
	}
	n := s.frame.add(keyOf(kHeldMore, int(w)), zText).at(t.chip.right(), t.chip.y-1)
	if !s.memo.known(n, hashStart.int(more)) {
		s.pen.caption("cap strong", "end", 0, 0, "+"+itoa(more))
		s.memo.keep(n, &s.pen)
	}
}

func (t *station) extraPlace(k int) placement {
	return placement{t.ticket.x + float64(k)*5, t.ticket.y - float64(k)*3, float64(k) * 1.5, t.scale}
}

// drawRing draws the time left of the visibility timeout.
func (s *Stage) drawRing(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	n := s.frame.add(keyOf(kRing, int(w)), zPerson).at(t.ring.x, t.ring.y)
	if !s.memo.known(n, hashStart) {
		size := 11.5
		if t.ringR > 18 {
			size = 13.5
		}
		if t.ringR > 28 {
			size = 16
		}
		if t.ringR < 16 {
			size = 11
		}
		s.pen.add(`<circle class="rt" r="~"/><circle class="ra" r="~" transform="rotate(-90)" data-d=""/>`, t.ringR, t.ringR)
		if !t.bare {
			s.pen.add(`<text y="~" font-size="~" data-t=""></text>`, size*.36, size)
		}
		s.memo.keep(n, &s.pen)
	}
	left, whole := v.until-s.in.Now, v.until-v.since
	fraction := 0.0
	if whole > 0 {
		fraction = clamp(float64(left)/float64(whole), 0, 1)
	}
	n.Class = "ring"
	if fraction < .25 {
		n.Class = "ring low"
	}
	n.Dash, n.HasDash = float32(2*3.14159265*t.ringR*fraction), true
	if t.bare {
		n.Class += " bare"
		return
	}
	if t.ringR < 16 {
		s.text = appendRoughly(s.text[:0], left)
	} else {
		s.text = appendLeft(s.text[:0], left)
	}
	n.Text.set(s.text)
	if t.ringNote.x == 0 || v.stuck && t.lines > 1 {
		return
	}
	n = s.frame.add(keyOf(kRingNote, int(w)), zPerson).at(t.ringNote.x, t.ringNote.y)
	if !s.memo.known(n, hashStart) {
		anchor := ""
		switch {
		case t.ringEnd:
			anchor = "end"
		case t.ringMid:
			anchor = "middle"
		}
		s.pen.caption("cap", anchor, 0, 0, "seconds")
		s.pen.caption("cap", anchor, 0, 13, "to ack")
		s.memo.keep(n, &s.pen)
	}
}

// drawStuck says of a worker whose listing shows where it is that it waits
// there for room in a queue.
func (s *Stage) drawStuck(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	at, anchor := t.ringNote, "middle"
	if at.x == 0 || v.until == event.Never {
		at = point{t.ring.x, t.ring.y}
	} else if !t.ringMid {
		anchor = ""
		if t.ringEnd {
			anchor = "end"
		}
	}
	n := s.frame.add(keyOf(kRingNote, int(w)), zPerson).at(at.x, at.y)
	if !s.memo.known(n, hashStart.str("stuck")) {
		s.pen.caption("cap strong ref", anchor, 0, 0, "no room:")
		s.pen.caption("cap ref", anchor, 0, 14, "it waits")
		s.memo.keep(n, &s.pen)
	}
}

// drawStillAtIt says, in the ring's place, why a worker goes on without a
// ticket: its time is up, or the ack came early.
func (s *Stage) drawStillAtIt(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if t.ringR == 0 {
		return
	}
	n := s.frame.add(keyOf(kRing, int(w)), zPerson).at(t.ring.x, t.ring.y)
	n.Class = "late"
	if s.memo.known(n, hashStart.str("late").bool(v.late)) {
		return
	}
	first, second, class := "still", "at it", "cap strong"
	if v.late {
		first, second, class = "time", "is up", "cap strong exp"
	}
	switch {
	case t.ringEnd:
		s.pen.caption(class, "end", t.ringR, 4, first+" "+second)
	case t.ringMid:
		s.pen.caption(class, "middle", 0, 4, first+" "+second)
	case t.ringNote.x > 0:
		s.pen.caption(class, "", -t.ringR, 4, first+" "+second)
	default:
		s.pen.caption(class, "middle", 0, -2, first)
		s.pen.caption(class, "middle", 0, 11, second)
	}
	s.memo.keep(n, &s.pen)
}

// drawLine marks the line that the worker is at.
func (s *Stage) drawLine(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	if v.line == 0 || t.line.w == 0 || v.down && (t.lines == 0 || t.ringEnd) {
		return
	}
	lines := s.linesOf(w)
	if v.flag != "" && t.lines <= 1 && t.line.meets(t.flagBox(t.flag)) {
		return
	}
	y := t.line.y
	if t.lines > 1 {
		y = t.listing.y - 13 + float64(v.line-1-s.firstLine(t, len(lines), v.line))*t.linePit
	}
	n := s.frame.add(keyOf(kLine, int(w)), zPerson).at(t.line.x, y)
	n.Class = lineClass[int(w)%4]
	if s.memo.known(n, hashStart.int(v.line).bool(v.stuck)) {
		return
	}
	p := &s.pen
	box := 18.0
	if !t.number {
		class := "lnbg"
		if t.lines > 1 {
			class = "lnat"
		}
		p.add(`<rect class="~" width="~" height="18" rx="2"/>`, class, t.line.w)
	}
	p.add(`<rect class="lb" width="~" height="18" rx="2"/><text class="ll" x="~" y="13">~</text>`, box, box/2, v.line)
	switch {
	case t.number:
	case v.stuck && t.lines <= 1:
		p.glyph("refused", 23, 2.5, 13, "ev-refused")
		p.caption("cap ref", "", 40, 13, fit("full: waits", uiFont, 12, t.line.w-42))
	case t.lines <= 1 && v.line <= len(lines):
		char := 7.22
		if s.size != Wide {
			char = 6.62
		}
		p.add(`<text class="lt" x="23" y="13">~</text>`, shortLine(lines[v.line-1], int((t.line.w-26)/char)))
	}
	s.memo.keep(n, p)
}

var lineClass = [...]string{"ln w-a", "ln w-b", "ln w-c", "ln w-d"}

// shortLine fits a line of the handler into n characters: whole, or what it
// calls.
func shortLine(text string, n int) string {
	text = strings.TrimSpace(text)
	if len(text) <= n {
		return text
	}
	if i := strings.IndexByte(text, '('); i > 0 {
		head := text[:i]
		if k := strings.LastIndexByte(head, ' '); k >= 0 && len(head) > n {
			head = head[k+1:]
		}
		text = head
	}
	return cut(text, n)
}

// drawFlag stamps the station: CRASHED, RAISED or TOO LATE.
func (s *Stage) drawFlag(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	text, landing := v.flag, v.landing
	if v.down {
		text, landing = "CRASHED", v.broken
	}
	if text == "" || t.bare {
		return
	}
	at := t.flag
	if v.down {
		at = t.crashFlag()
	}
	n := s.frame.add(keyOf(kFlag, int(w)), zText).at(at.x, at.y)
	if !t.signs() {
		n.Rot = -5
	}
	n.Scale = float32(1 + .7*(1-easeStamp.at(landing)))
	n.Opacity = float32(clamp(landing*3, 0, 1))
	if !s.memo.known(n, hashStart.str(text)) {
		if t.signs() {
			s.pen.add(`<title>~</title>`, text)
			s.pen.glyph(flagGlyph[text], -8, -8, 16, "ev-crash")
		} else {
			size, h := t.flagSize()
			s.pen.bigStamp(text, t.flagW, h, size)
		}
		s.memo.keep(n, &s.pen)
	}
	if v.down && v.broken >= 1 {
		s.drawCrashText(w, v)
	}
}

// signs reports whether there is no room for a stamp, so that a sign stands for
// its word.
func (t *station) signs() bool { return t.chip.w > 0 && t.flagW < 80 }

var flagGlyph = map[string]string{"CRASHED": "crash", "RAISED": "refused", "TOO LATE": "expiry"}

// crashFlag is where CRASHED is stamped.
func (t *station) crashFlag() point {
	if t.crash != (point{}) {
		return t.crash
	}
	if t.ringEnd || t.number || t.chip.w > 0 || t.lines > 0 || t.name.x == 0 {
		return t.flag
	}
	return point{t.flag.x - 2, t.y + 26}
}

// drawCrashText says where the worker stopped, what it lost, and when it is up.
func (s *Stage) drawCrashText(w event.WorkerRef, v *workerView) {
	t := s.station(w)
	k := &s.st.Workers[w]
	if t.texts == 0 || k.Status != replay.Down {
		return
	}
	n := s.frame.add(keyOf(kCrashText, int(w)), zText).at(t.text.x, t.text.y)
	if !s.memo.known(n, hashStart.int(v.line).int(int(v.lost)).bool(k.RestartAt == event.Never)) {
		p := &s.pen
		first := "stopped while idle"
		if v.line > 0 {
			first = "stopped at line " + itoa(v.line)
		} else if v.lost >= 0 {
			first = "stopped"
		}
		if t.texts < 3 && v.line > 0 {
			first = "at line " + itoa(v.line)
		}
		p.caption("cap strong", "", 0, 0, first)
		y := t.textGap
		if t.texts > 2 && v.lost >= 0 {
			p.caption("cap", "", 0, y, "lost hold of "+s.run.Log.MessageID(v.lost).String())
			y += t.textGap
		}
		if k.RestartAt == event.Never {
			p.caption("cap", "", 0, y, "stays down")
		} else {
			p.add(`<text class="cap" y="~" data-t=""></text>`, y)
		}
		s.memo.keep(n, p)
	}
	if k.RestartAt != event.Never {
		s.text = appendIn(s.text[:0], "up", k.RestartAt-s.in.Now)
		n.Text.set(s.text)
	}
}

// linesOf is the handler that worker w runs.
func (s *Stage) linesOf(w event.WorkerRef) []string {
	return s.plan.pools[s.run.Log.Workers[w].Pool].lines
}
