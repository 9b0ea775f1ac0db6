package scene

import (
	"math"

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
	if r := s.railOf(st.queue); r != nil && r.summary {
		return // it is counted
	}
	switch st.from {
	case replay.Waiting:
		at := s.startOf(st)
		n := s.drawTicket(st.message, zRailTicket, at, s.lookAt(st.message, st.event, true))
		if r := s.railOf(st.queue); r != nil {
			n.Layer -= int32(min(max(0, int((r.slot(s.lay.body, 0).x-at.x)/max(r.pitch, 1))), 8))
		}
	case replay.Door:
		s.drawTicket(st.message, zDoor, s.startOf(st), s.doorLook(&atDoor{message: st.message, queue: st.queue}))
	case replay.Dead:
		s.drawTicket(st.message, zTrayTicket, s.startOf(st), s.deadLook(st.message))
	case replay.InFlight:
		if st.worker >= 0 && s.st.Workers[st.worker].Status != replay.Down {
			s.drawTicket(st.message, zHeldBehind, s.startOf(st), s.lookAt(st.message, st.event, false))
		}
	}
}

// lookAt is how ticket m looked before event i.
func (s *Stage) lookAt(m event.MessageRef, i int, waiting bool) look {
	was := s.run.Index.Where(m, i)
	v := look{tries: int(was.Receives), max: s.maxReceives(was.Queue), follow: m == s.in.Follow}
	if was.Queue < 0 {
		v.max = s.maxReceives(s.run.Log.Message(m).Queue)
	}
	if waiting && v.tries > 0 {
		v.stamp, v.low = tryStamp(v.tries+1, v.max), true
	} else if !waiting {
		v.stamp = tryStamp(v.tries, v.max)
	}
	return v
}

// stationPlace is where worker w holds its ticket.
func (s *Stage) stationPlace(w event.WorkerRef) placement {
	t := s.station(w)
	if t == nil {
		at := s.lay.nobody
		if w >= 0 {
			at = s.lay.pools[s.lay.poolOf[s.run.Log.Workers[w].Pool]].more
			at.x -= 30
		}
		return placement{at.x, at.y - 4, 0, .8 * s.lay.small()}
	}
	scale := t.scale
	if t.chip.w > 0 {
		scale = s.lay.small()
	}
	return placement{t.ticket.x, t.ticket.y, 0, scale}
}

// startOf is where the ticket of a step comes from.
func (s *Stage) startOf(st *step) placement {
	switch st.from {
	case replay.Waiting:
		return s.railPlace(st.queue, st.message, st.event)
	case replay.InFlight:
		return s.stationPlace(st.worker)
	case replay.Door:
		if p := s.padOf(st); p != nil {
			return p.doorPlace(0)
		}
	case replay.Dead:
		if r := s.railOf(st.queue); r != nil {
			return s.railPlace(st.queue, st.message, st.event)
		}
		if t := s.trayOf(st.queue); t != nil {
			return t.place(s.lay.body, 0, 1)
		}
	case replay.Delayed:
		return s.laterPlace(st.queue, 0)
	}
	if p := s.padOf(st); p != nil && st.worker < 0 {
		at := placement{p.at.x, p.at.y, 0, 1}
		if !p.paper {
			at.scale = s.lay.small()
		}
		return at
	}
	return s.stationPlace(st.worker) // a handler published it
}

// padOf is where the message of a step was sent from, or nil.
func (s *Stage) padOf(st *step) *pad {
	if st.producer < 0 || s.lay.padOf[st.producer] < 0 {
		return nil
	}
	return &s.lay.pads[s.lay.padOf[st.producer]]
}

// laterPlace is the middle of the small paper of a delayed message.
func (s *Stage) laterPlace(q event.QueueRef, i int) placement {
	r := s.railOf(q)
	if r == nil {
		return s.railPlace(q, event.NoMessage, 1<<30)
	}
	at := r.delayedPlace(max(0, min(i, r.delayedMost-1)))
	return placement{at.x + 38, at.y + 8, 0, min(.5, s.lay.small())}
}

// endOf is where the ticket of a step goes.
func (s *Stage) endOf(st *step) placement {
	b := s.lay.body
	switch st.act {
	case take:
		return s.handPlace(st)
	case spikeIt:
		return s.spikePlace(st.queue)
	case fall:
		if t := s.trayOf(st.to); t != nil {
			have := min(max(s.st.Queues[st.to].Waiting.Len(), 1), t.shown())
			at := t.place(b, 0, have)
			if t.chip {
				at.scale = s.lay.small()
			}
			return at
		}
	case turnAway, standBy:
		if p := s.padOf(st); p != nil {
			return p.doorPlace(0)
		}
		return s.stationPlace(st.worker)
	case putAside:
		return s.laterPlace(st.queue, len(s.st.Queues[st.queue].Delayed)-1)
	case vanish:
		at := s.startOf(st)
		return placement{at.x - 20, at.y + 130, -24, .8}
	}
	limit := st.event
	if s.railOf(st.to) != nil && s.st.Queues[st.to].Waiting.Find(st.message) >= 0 {
		limit = 1 << 30
	}
	return s.railPlace(st.to, st.message, limit)
}

// spikePlace is where the next done message of a queue goes.
func (s *Stage) spikePlace(q event.QueueRef) placement {
	p := s.spikeOf(q)
	if p == nil {
		return s.railPlace(q, event.NoMessage, 1<<30)
	}
	if p.sheets == 0 {
		return placement{p.note.x - 8, p.note.y - 5, 0, .5}
	}
	have := min(before(s.plan.queues[q].acked, s.st.Events), p.sheets)
	at := p.top(have - 1)
	at.scale = min(.55, p.width/62*.6)
	return at
}

// handPlace is where a taken ticket comes to rest: in hand, or behind.
func (s *Stage) handPlace(st *step) placement {
	at := s.stationPlace(st.worker)
	t := s.station(st.worker)
	if t == nil || t.chip.w > 0 {
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
				return t.extraPlace(min(behind, extraShown))
			}
		}
	}
	return at
}

// course is a line along which things move: a curve, or on a board along the
// wires from corner to corner.
type course struct {
	curve   path
	corners [10]point
	n       int     // corners, 0 for a curve
	part    float64 // where copies part: the way up to there takes a fixed share of the time
}

// partShare is the share of its time that a copy takes to where it parts from
// the others, so that they come there together.
const partShare = .45

func (c *course) add(points ...point) {
	for _, q := range points {
		if c.n < len(c.corners) {
			c.corners[c.n] = q
			c.n++
		}
	}
}

// at is the point where the fraction u of the way is behind.
func (c *course) at(u float64) point {
	if c.n == 0 {
		return c.curve.at(u)
	}
	length := 0.0
	for i := 1; i < c.n; i++ {
		length += distance(c.corners[i-1], c.corners[i])
	}
	left := length * clamp(u, 0, 1)
	if c.part > 0 && u < partShare {
		left = c.part * u / partShare
	} else if c.part > 0 {
		left = c.part + (length-c.part)*min((u-partShare)/(1-partShare), 1)
	}
	for i := 1; i < c.n; i++ {
		d := distance(c.corners[i-1], c.corners[i])
		if left <= d || i == c.n-1 {
			return along(c.corners[i-1], c.corners[i], left, d)
		}
		left -= d
	}
	return c.corners[0]
}

func distance(a, b point) float64 { return math.Hypot(b.x-a.x, b.y-a.y) }

// along is the point that is left of d away from a on the way to b.
func along(a, b point, left, d float64) point {
	if d == 0 {
		return b
	}
	t := min(left/d, 1)
	return point{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t}
}

// course is the line along which a ticket moves.
func (s *Stage) course(st *step, a, b placement) course {
	if w := s.wireOf(st); w != nil {
		var c course
		c.add(point{a.x, a.y})
		c.add(w.points...)
		if w.part > 0 {
			c.part = w.part + distance(c.corners[0], c.corners[1])
		}
		c.add(point{b.x, b.y})
		return c
	}
	if r := s.railOf(st.to); st.act == comeBack && st.from == replay.InFlight && r != nil && !r.summary && s.byLane(st) {
		c := s.lane(st, a, b)
		if s.size.phone() {
			c.corners[1].x, c.corners[2].x = 13, 13 // not half outside
		}
		c.corners[0] = point{a.x, a.y}
		c.corners[c.n-1] = point{b.x, b.y}
		return c
	}
	if s.lay.board {
		return course{curve: s.boardCurve(st, point{a.x, a.y}, point{b.x, b.y})}
	}
	return course{curve: s.curve(st, point{a.x, a.y}, point{b.x, b.y})}
}

// wireOf is the way that the ticket of a step takes on a board, or nil when it
// goes straight.
func (s *Stage) wireOf(st *step) *wire {
	pool, pad := -1, -1
	switch {
	case st.act == fall && st.worker >= 0:
		pool = s.run.Log.Workers[st.worker].Pool
	case st.act == clipOn && st.from == replay.Nowhere:
		if st.producer >= 0 {
			pad = s.lay.padOf[st.producer]
		} else if st.worker >= 0 {
			pool = s.run.Log.Workers[st.worker].Pool
		}
	}
	if pool < 0 && pad < 0 {
		return nil
	}
	for i := range s.lay.wires {
		if w := &s.lay.wires[i]; w.to == st.to && (w.pool == pool && pool >= 0 || w.pad == pad && pad >= 0) {
			return w
		}
	}
	return nil
}

// boardCurve is a way within a row of a board.
func (s *Stage) boardCurve(st *step, from, to point) path {
	tall := s.size.phone()
	switch st.act {
	case clipOn:
		return path{from, {(from.x + to.x) / 2, from.y}, {from.x + 20, to.y}, to}
	case take:
		if tall {
			return path{from, {from.x, from.y + 50}, {to.x, to.y - 60}, to}
		}
		return path{from, {from.x + 4, from.y + 46}, {to.x - 60, to.y}, to}
	case spikeIt:
		return path{from, {from.x - 50, from.y + 10}, {to.x + 10, to.y - 60}, to}
	case comeBack:
		if tall {
			return path{from, {from.x + 60, from.y - 20}, {to.x, to.y + 70}, to}
		}
		return path{from, {from.x - 70, from.y + 50}, {to.x - 4, to.y + 90}, to}
	case fall:
		return path{from, {from.x - 60, from.y + 40}, {to.x + 30, to.y - 60}, to}
	case redrive:
		return path{from, {from.x, from.y - 50}, {to.x, to.y + 60}, to}
	case putAside:
		return path{from, {from.x - 40, from.y + 30}, {to.x + 40, to.y + 10}, to}
	}
	return line(from, to)
}

// curve is a way in the drawing of one rail.
func (s *Stage) curve(st *step, from, to point) path {
	tall := s.size.phone()
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
	way := s.course(st, a, b)
	at := way.at(p)
	scale := a.scale + (b.scale-a.scale)*p
	if way.n > 4 && way.part == 0 {
		// Along a wire it is smaller: it passes between other things.
		scale *= 1 - .45*math.Sin(math.Pi*p)
	}
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
		if hand := s.station(st.worker); hand == nil || hand.chip.w > 0 && s.lay.body != &chipBody {
			n.Opacity = float32(clamp((1-t)*4, 0, 1))
		}
	}
}

// moverLayer keeps a ticket behind the steel as long as it hangs there.
func (s *Stage) moverLayer(st *step, at point, scale float64) int32 {
	q := st.queue
	if st.act != take {
		q = st.to
	}
	r := s.railOf(q)
	if r == nil || r.summary {
		return zMover
	}
	top := at.y - s.lay.body.h*scale/2
	if (st.act == take || st.act.joins()) && st.act != fall && at.x > r.steel.x-10 && at.x < r.steel.right()+10 && top < r.steel.bottom() && top > r.steel.y-20 {
		return zRailTicket + 1
	}
	return zMover
}

// drawTurnedAway lets a ticket touch the end of the rail and drop.
func (s *Stage) drawTurnedAway(st *step) {
	a, b := s.startOf(st), s.endOf(st)
	t := st.progress(s.in.Now)
	touch := point{a.x, a.y}
	if r := s.railOf(st.queue); r != nil {
		touch = r.touch
	}
	var at point
	rot, scale := 0.0, a.scale
	v := s.doorLook(&atDoor{message: st.message, queue: st.queue, blocked: st.act == standBy})
	if t < .4 {
		p := easeMove.at(t / .4)
		at = point{a.x + (touch.x-a.x)*p, a.y + (touch.y-a.y)*p}
		rot = a.rot * (1 - p)
		v.stamp = ""
	} else {
		p := easeDrop.at(min((t-.4)/.4, 1))
		way := path{touch, {touch.x - 4, touch.y + 20}, {b.x + 20, b.y - 40}, point{b.x, b.y}}
		if s.lay.board {
			way = line(touch, point{b.x, b.y})
		}
		at, rot = way.at(p), b.rot*p
		scale = a.scale + (b.scale-a.scale)*p
		if t < .8 {
			v.stamp = ""
		}
	}
	s.drawTicket(st.message, zMover, placement{at.x, at.y, rot, scale}, v)
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
	from, to := s.lineEnd(st.worker, st.line), s.rowEnd(st.message, target, again)
	t := st.progress(s.in.Now)
	way := s.crossing(from, to)
	p := easeMove.at(t)
	at := way.at(p)
	n := s.frame.add(keyOf(kEnvelope, st.event), zMover+1)
	switch st.act {
	case bounce, answer:
		// To the border, and then down: nothing comes of it.
		half := easeMove.at(min(t*2, 1)) * .5
		at = way.at(half)
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
	if target < len(s.plan.targets) {
		glyph = s.plan.targets[target].deed.glyph
	}
	s.pen.add(`<g class="envelope"><rect class="pap" x="-13" y="-10" width="26" height="20" rx="2"/>`)
	s.pen.glyph(glyph, -8.5, -8.5, 17, class)
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}

// lineEnd is where an effect leaves a station.
func (s *Stage) lineEnd(w event.WorkerRef, line int) point {
	t := s.station(w)
	if t == nil {
		at := s.stationPlace(w)
		return point{at.x, at.y}
	}
	y := t.line.y + t.line.h/2
	if t.line.w == 0 {
		y = t.y + t.h/2
	}
	if t.lines > 1 && line > 0 {
		y = t.listing.y - 4 + float64(line-1-s.firstLine(t, len(s.linesOf(w)), line))*t.linePit
	}
	if s.lay.across {
		return point{t.x + t.w*.6, y}
	}
	return point{t.right() - 12, y}
}

// rowEnd is where an effect of target for message m lands.
func (s *Stage) rowEnd(m event.MessageRef, target int, again bool) point {
	l := s.lay
	if again && l.panel.w > 0 {
		if l.across {
			return point{l.panel.x + 166, l.panel.y + 44}
		}
		return point{l.panel.x + 18, l.panel.y + 66}
	}
	g := s.groupOf(target)
	if g == nil {
		return point{l.w - 20, l.h / 2}
	}
	if g.target < 0 {
		for i, r := range s.rows {
			if r == m {
				return g.rowEnd(i)
			}
		}
	}
	if k := s.outsideRow(g, m); k >= 0 {
		return g.rowEnd(k)
	}
	if g.target >= 0 {
		return point{g.total.x + 20, g.total.y - 4}
	}
	return g.rowEnd(0)
}

// rowEnd is where the signs of a row stand.
func (g *group) rowEnd(i int) point {
	at := g.rowPlace(i)
	if g.columns > 1 && !g.named {
		return point{at.x + g.chip + 16, at.y + 8}
	}
	return point{at.x + g.rowWidth() - 8, at.y + 8}
}

// groupOf is where target's effects are drawn, or nil.
func (s *Stage) groupOf(target int) *group {
	if target < 0 || target >= len(s.lay.groupOf) || s.lay.groupOf[target] < 0 {
		return nil
	}
	return &s.lay.groups[s.lay.groupOf[target]]
}

func (s *Stage) crossing(from, to point) path {
	if s.lay.across {
		return path{from, {from.x, from.y + 60}, {to.x, to.y - 60}, to}
	}
	middle := (s.lay.border + s.lay.w) / 2
	if to.x < middle {
		return path{from, {from.x + 40, from.y}, {to.x - 34, to.y}, to}
	}
	return path{from, {from.x + 34, from.y}, {to.x - 150, to.y}, to}
}
