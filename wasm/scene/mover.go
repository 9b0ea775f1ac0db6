package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// drawMovers draws the tickets that are between two places.
func (s *Stage) drawMovers() {
	if !s.moving {
		return
	}
	for i := range s.sched.steps {
		st := &s.sched.steps[i]
		if s.in.Now >= st.end || !st.act.movesTicket() || s.ticketStep(st.message) != st || s.drawn(keyOf(kTicket, int(st.message))) {
			continue
		}
		if s.in.Now < st.start {
			s.drawBefore(st)
		} else {
			s.drawMoving(st)
		}
	}
}

func (s *Stage) drawn(k Key) bool {
	for i := range s.frame.drawn {
		if s.frame.drawn[i].Key == k {
			return true
		}
	}
	return false
}

// drawBefore draws a ticket whose turn has not come yet where it still is.
func (s *Stage) drawBefore(st *step) {
	switch st.from {
	case replay.Waiting:
		n := s.drawTicket(st.message, zRailTicket, s.startOf(st), s.lookAt(st.message, st.event, true))
		n.Layer -= int32(min(i8(n.X, s.lay), 8))
	case replay.Door:
		s.drawTicket(st.message, zDoor, s.startOf(st), s.doorLook(&atDoor{message: st.message}))
	case replay.Dead:
		s.drawTicket(st.message, zTrayTicket, s.startOf(st), s.deadLook(st.message))
	case replay.InFlight:
		if st.worker >= 0 && s.st.Workers[st.worker].Status != replay.Down {
			s.drawTicket(st.message, zHeldBehind, s.startOf(st), s.lookAt(st.message, st.event, false))
		}
	}
}

// i8 orders tickets on the rail like drawRail does.
func i8(x float32, l *layout) int {
	return int((l.slot(0).x - float64(x)) / l.pitch)
}

// lookAt is how ticket m looked before event i.
func (s *Stage) lookAt(m event.MessageRef, i int, waiting bool) look {
	tries := int(s.run.Index.Where(m, i).Receives)
	v := look{tries: tries, max: s.maxReceives(), follow: m == s.in.Follow}
	if waiting && tries > 0 {
		v.stamp, v.low = tryStamp(tries+1, v.max), true
	} else if !waiting {
		v.stamp = tryStamp(tries, v.max)
	}
	return v
}

// stationPlace is where worker w holds its ticket.
func (l *layout) stationPlace(w event.WorkerRef) placement {
	if w < 0 || len(l.stations) == 0 {
		return placement{l.workersHead.x + 40, l.workersHead.y + 80, 0, 1}
	}
	t := &l.stations[min(int(w), len(l.stations)-1)]
	scale := t.scale
	if t.chip.w > 0 {
		scale = .6
	}
	return placement{t.ticket.x, t.ticket.y, 0, scale}
}

// startOf is where the ticket of a step comes from.
func (s *Stage) startOf(st *step) placement {
	l := s.lay
	switch st.from {
	case replay.Waiting:
		return s.railPlace(st.message, st.event)
	case replay.InFlight:
		return l.stationPlace(st.worker)
	case replay.Door:
		return l.doorPlace(0)
	case replay.Dead:
		return l.trayPlace(0, 1)
	case replay.Delayed:
		at := s.delayedPlace(0)
		return placement{at.x + 38, at.y + 8, 0, .5}
	}
	if st.act == clipOn && st.worker >= 0 {
		return l.stationPlace(st.worker) // a handler published it
	}
	return placement{l.pad.x, l.pad.y, 0, 1}
}

// endOf is where the ticket of a step goes.
func (s *Stage) endOf(st *step) placement {
	l := s.lay
	switch st.act {
	case take:
		return s.handPlace(st)
	case spikeIt:
		at := l.sheetTop(min(len(s.st.Done), l.sheets) - 1)
		at.scale = .55
		return at
	case fall:
		have := 1
		if s.dead >= 0 {
			have = min(max(s.st.Queues[s.dead].Waiting.Len(), 1), trayShown)
		}
		return l.trayPlace(0, have)
	case turnAway, standBy:
		return l.doorPlace(0)
	case putAside:
		at := s.delayedPlace(max(0, min(len(s.st.Queues[s.queue].Delayed), delayedLimit)-1))
		return placement{at.x + 38, at.y + 8, 0, .5}
	case vanish:
		at := s.startOf(st)
		return placement{at.x - 20, at.y + 130, -24, .8}
	}
	limit := st.event
	if s.queue >= 0 && s.st.Queues[s.queue].Waiting.Find(st.message) >= 0 {
		limit = 1 << 30
	}
	return s.railPlace(st.message, limit)
}

// handPlace is where a taken ticket comes to rest: in hand, or behind.
func (s *Stage) handPlace(st *step) placement {
	at := s.lay.stationPlace(st.worker)
	if int(st.worker) >= len(s.lay.stations) || s.lay.stations[st.worker].chip.w > 0 {
		return at
	}
	k := &s.st.Workers[st.worker]
	if k.Running >= 0 && k.Running < len(k.Held) && k.Held[k.Running].Message != st.message {
		behind := 0
		for i := range k.Held {
			if i == k.Running {
				continue
			}
			behind++
			if k.Held[i].Message == st.message {
				return s.lay.stations[st.worker].extraPlace(min(behind, extraShown))
			}
		}
	}
	return at
}

// course is the line along which a ticket moves.
func (s *Stage) course(st *step, a, b placement) path {
	from, to := point{a.x, a.y}, point{b.x, b.y}
	tall := s.size == Tall
	switch st.act {
	case take:
		if tall {
			return path{from, {from.x, from.y + 70}, {to.x, to.y - 110}, to}
		}
		drop := max(60, (to.y-from.y)*.75)
		return path{from, {from.x + 4, from.y + drop}, {to.x - 80, to.y}, to}
	case spikeIt:
		if tall {
			return path{from, {from.x + 60, from.y - 60}, {to.x, to.y - 90}, to}
		}
		return path{from, {from.x - 60, from.y - 20}, {to.x + 6, to.y - 170}, to}
	case comeBack:
		if tall {
			return path{from, {from.x + 150, from.y - 30}, {to.x + 20, to.y + 140}, to}
		}
		return path{from, {from.x - 90, from.y + 110}, {to.x - 6, to.y + 190}, to}
	case fall:
		if tall {
			return path{from, {from.x + 110, from.y - 40}, {to.x, to.y - 70}, to}
		}
		return path{from, {from.x - 80, from.y + 30}, {to.x + 50, to.y - 120}, to}
	case redrive:
		return path{from, {from.x, from.y - 90}, {to.x, to.y + 120}, to}
	case putAside:
		return path{from, {from.x - 60, from.y + 40}, {to.x + 60, to.y + 20}, to}
	}
	return line(from, to)
}

// drawMoving draws a ticket on its way.
func (s *Stage) drawMoving(st *step) {
	if st.act == turnAway || st.act == standBy {
		s.drawTurnedAway(st)
		return
	}
	a, b := s.startOf(st), s.endOf(st)
	t := st.progress(s.in.Now)
	p := easeMove.at(t)
	v := s.lookAt(st.message, st.event, st.from == replay.Waiting)
	v.stamp = ""
	switch st.act {
	case vanish:
		p = easeDrop.at(t)
	case spikeIt:
		p = easeSettle.at(t)
	}
	course := s.course(st, a, b)
	at := course.at(p)
	scale := a.scale + (b.scale-a.scale)*p
	n := s.drawTicket(st.message, s.moverLayer(st, at, scale), placement{at.x, at.y, a.rot + (b.rot-a.rot)*p, scale}, v)
	switch st.act {
	case spikeIt:
		// It lies down on the spike: the sheet takes over at the end.
		n.Rot += float32(-70 * p * p)
		n.Opacity = float32(clamp((1-t)*5, 0, 1))
	case clipOn:
		if st.from == replay.Nowhere {
			n.Opacity = float32(clamp(t*6, 0, 1))
		}
	case vanish:
		n.Opacity = float32(1 - p)
	case take:
		if s.lay.stations != nil && int(st.worker) < len(s.lay.stations) && s.lay.stations[st.worker].chip.w > 0 {
			n.Opacity = float32(clamp((1-t)*4, 0, 1))
		}
	}
}

// moverLayer keeps a ticket behind the steel as long as it hangs there.
func (s *Stage) moverLayer(st *step, at point, scale float64) int32 {
	r := s.lay.rail
	top := at.y - s.lay.body.h*scale/2
	if (st.act == take || st.act == clipOn || st.act == comeBack || st.act == redrive) && at.x > r.x-10 && top < r.bottom() {
		return zRailTicket + 1
	}
	return zMover
}

// drawTurnedAway lets a ticket touch the end of the rail and drop.
func (s *Stage) drawTurnedAway(st *step) {
	l := s.lay
	a, b := s.startOf(st), s.endOf(st)
	t := st.progress(s.in.Now)
	touch := point{l.rail.x - l.body.w/2 + 3, l.rail.y + 2 + l.body.h/2}
	if l.size == Tall {
		touch = point{l.rail.x + 60, l.rail.y - l.body.h/2 + 6}
	}
	at, rot := point{}, 0.0
	v := s.doorLook(&atDoor{message: st.message, blocked: st.act == standBy})
	if t < .4 {
		p := easeMove.at(t / .4)
		at = point{a.x + (touch.x-a.x)*p, a.y + (touch.y-a.y)*p}
		rot = a.rot * (1 - p)
		v.stamp = ""
	} else {
		p := easeDrop.at(min((t-.4)/.4, 1))
		course := path{touch, {touch.x - 4, touch.y + 20}, {b.x + 20, b.y - 40}, point{b.x, b.y}}
		at, rot = course.at(p), b.rot*p
		if t < .8 {
			v.stamp = ""
		}
	}
	s.drawTicket(st.message, zMover, placement{at.x, at.y, rot, 1}, v)
}

// drawEnvelopes draws the side effects that are crossing the dashed line.
func (s *Stage) drawEnvelopes() {
	if !s.moving {
		return
	}
	for i := range s.sched.steps {
		st := &s.sched.steps[i]
		if st.act != send && st.act != bounce && st.act != answer || s.in.Now < st.start || s.in.Now >= st.end || st.message < 0 {
			continue
		}
		s.drawEnvelope(st)
	}
}

func (s *Stage) drawEnvelope(st *step) {
	e := s.run.Log.Event(st.event)
	target := int(e.Arg)
	again := false
	if st.act == send {
		r := s.run.Log.Effect(int(e.Arg))
		target, again = int(r.Target), r.Nth > 1
	}
	from, to := s.lineEnd(st.worker, st.line), s.rowEnd(st.message, again)
	t := st.progress(s.in.Now)
	course := s.crossing(from, to)
	p := easeMove.at(t)
	at := course.at(p)
	n := s.frame.add(keyOf(kEnvelope, st.event), zMover+1)
	switch st.act {
	case bounce, answer:
		// To the border, and then down: nothing comes of it.
		half := easeMove.at(min(t*2, 1)) * .5
		at = course.at(half)
		if t > .5 && st.act == bounce {
			d := easeDrop.at(t*2 - 1)
			at.y += 60 * d
			n.Rot = float32(70 * d)
			n.Opacity = float32(1 - d)
		}
	default:
		n.Opacity = float32(clamp(t*8, 0, 1))
	}
	n.at(at.x, at.y)
	n.Scale = float32(1 + .25*(1-p))
	if s.memo.known(n, hashStart.bool(again).int(int(st.act)).int(target)) {
		return
	}
	class := "mail"
	if again || st.act == bounce {
		class = "mail red"
	}
	glyph := "mail"
	if target < len(s.deeds) {
		glyph = s.deeds[target].glyph
	}
	s.pen.add(`<g class="envelope"><rect class="pap" x="-13" y="-10" width="26" height="20" rx="2"/>`)
	s.pen.glyph(glyph, -8.5, -8.5, 17, class)
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}

// lineEnd is where an effect leaves a station.
func (s *Stage) lineEnd(w event.WorkerRef, line int) point {
	if w < 0 || len(s.lay.stations) == 0 {
		return point{s.lay.workersHead.x, s.lay.workersHead.y + 40}
	}
	t := &s.lay.stations[min(int(w), len(s.lay.stations)-1)]
	y := t.line.y + t.line.h/2
	if t.line.w == 0 {
		y = t.y + t.h/2
	}
	if t.lines > 1 && line > 0 {
		lines := s.pools[s.run.Log.Workers[w].Pool].lines
		y = t.listing.y - 4 + float64(line-1-s.firstLine(t, len(lines), line))*t.linePit
	}
	if s.lay.across {
		return point{t.x + t.w*.6, y}
	}
	return point{t.right() - 12, y}
}

// rowEnd is where an effect of message m lands.
func (s *Stage) rowEnd(m event.MessageRef, again bool) point {
	l := s.lay
	if again && l.panel.w > 0 {
		if l.across {
			return point{l.panel.x + 166, l.panel.y + 44}
		}
		return point{l.panel.x + 18, l.panel.y + 66}
	}
	for i, r := range s.rows {
		if r == m {
			at := l.rowPlace(i)
			if l.rowColumns > 1 && !l.rowName {
				return point{at.x + l.rowChip + 16, at.y + 8}
			}
			return point{at.x + l.rowWidth() - 8, at.y + 8}
		}
	}
	at := l.rowPlace(max(0, s.outsideRow(m)))
	return point{at.x + l.rowWidth() - 8, at.y + 8}
}

func (s *Stage) crossing(from, to point) path {
	if s.lay.across {
		return path{from, {from.x, from.y + 60}, {to.x, to.y - 60}, to}
	}
	if to.x < s.lay.rows.x+s.lay.rows.w/2 {
		return path{from, {from.x + 40, from.y}, {to.x - 34, to.y}, to}
	}
	return path{from, {from.x + 34, from.y}, {to.x - 150, to.y}, to}
}
