package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// drawTrails draws the way that things took: while playing for a moment after
// they moved, on a still stage for the last event in full.
func (s *Stage) drawTrails() {
	s.drawFollowed()
	if s.moving {
		after := event.Time(linger * s.in.Speed * 1e9)
		for i := range s.sched.steps {
			st := &s.sched.steps[i]
			if st.message == s.in.Follow && (st.act == comeBack || st.act == take) {
				continue
			}
			if st.start == st.end || s.in.Now < st.start || s.in.Now > st.end+after || !trailed(st.act) {
				continue
			}
			shown := clamp(float64(st.end+after-s.in.Now)/float64(after)*2, 0, 1)
			s.drawTrail(st, min(shown, clamp(st.progress(s.in.Now)*3-.5, 0, 1)))
		}
		return
	}
	if i := s.current(); i >= 0 {
		e := s.run.Log.Event(i)
		a := actOf(e)
		if e.Message == s.in.Follow && (a == comeBack || a == take && e.Receive > 1) {
			return
		}
		if a != noAct && a != stampIt && a != crash {
			st := step{act: a, event: i, message: e.Message, worker: e.Worker, queue: e.Queue}
			s.sched.before(&st)
			s.drawTrail(&st, 1)
		}
	}
}

// trailed reports whether an act leaves a trail while playing: those that
// are out of the ordinary.
func trailed(a act) bool {
	switch a {
	case comeBack, fall, turnAway, send, redrive:
		return true
	}
	return false
}

func (s *Stage) drawTrail(st *step, opacity float64) {
	way, class, head := s.trailOf(st)
	if class == "" || s.drawn(keyOf(kTrail, st.event)) {
		return // it is that of the followed message
	}
	n := s.frame.add(keyOf(kTrail, st.event), zTrail)
	if way.n > 0 {
		n.Layer = zTrail + 1
	}
	n.Opacity = float32(opacity)
	s.text = way.appendData(s.text[:0])
	if s.memo.known(n, hashStart.str(class).bytes(s.text)) {
		return
	}
	s.pen.add(`<path class="trail ~" d="~" marker-end="url(#~)"/>`, class, raw(s.text), head)
	s.memo.keep(n, &s.pen)
}

// appendData writes the course as the value of a d attribute.
func (c *course) appendData(b []byte) []byte {
	if c.n > 0 {
		return appendCorners(b, c.corners[:c.n])
	}
	return c.curve.appendData(b)
}

func curved(p path) course { return course{curve: p} }

// trailOf is the line of a step, clear of the tickets at both ends.
func (s *Stage) trailOf(st *step) (course, string, string) {
	switch st.act {
	case send:
		return s.effectTrail(st)
	case turnAway:
		return s.refusedTrail(st)
	case take:
		return s.takeTrail(st), "take", "s-ah"
	case comeBack:
		return s.returnTrail(st), "exp", "s-ah-exp"
	case bounce, answer, vanish, standBy, putAside:
		return course{}, "", ""
	case clipOn:
		w := s.wireOf(st)
		if w == nil || len(w.points) < 3 {
			return course{}, "", ""
		}
		var c course
		c.add(w.points...)
		return c, "take", "s-ah"
	}
	b := s.lay.body
	from, to := s.startOf(st), s.endOf(st)
	way := s.course(st, from, to)
	switch st.act {
	case spikeIt:
		return curved(s.clearOfStations(way.curve.inner(from.scale*b.h*.3, min(40, b.h*.4)))), "done", "s-ah-done"
	case fall:
		if w := s.wireOf(st); w != nil {
			var c course
			c.add(w.points...)
			return c, "deadp", "s-ah-dead"
		}
		up := b.h/2 + 10
		if s.lay.board {
			up = 12
		}
		return curved(s.clearOfStations(path{way.curve[0], way.curve[1], way.curve[2], {to.x + 10, to.y - up}})), "deadp", "s-ah-dead"
	case redrive:
		return way, "take", "s-ah"
	}
	return course{}, "", ""
}

// effectTrail goes from the line at work to what came of it.
func (s *Stage) effectTrail(st *step) (course, string, string) {
	if !s.atBorder(st.worker) {
		return course{}, "", "" // it would cross other stations
	}
	r := s.run.Log.Effect(int(s.run.Log.Event(st.event).Arg))
	again := r.Nth > 1
	to := s.rowEnd(st.message, int(r.Target), again)
	if again || s.lay.across {
		to.x -= 14
	} else {
		to.x = s.lay.border + 10
	}
	if again {
		return curved(s.crossing(s.lineEnd(st.worker, st.line), to)), "eff", "s-ah-crash"
	}
	return curved(s.crossing(s.lineEnd(st.worker, st.line), to)), "eff old", "s-ah"
}

// refusedTrail goes from the end of the rail to the door.
func (s *Stage) refusedTrail(st *step) (course, string, string) {
	r, b, to := s.railOf(st.queue), s.lay.body, s.endOf(st)
	switch {
	case r == nil || r.summary:
		return course{}, "", ""
	case s.lay.board:
		return curved(line(point{r.touch.x, r.touch.y + 4}, point{to.x + 14, to.y - 10})), "refused", "s-ah-ref"
	case s.size.phone():
		return curved(path{{r.steel.x + 92, r.steel.y}, {r.steel.x + 96, r.steel.y - 20}, {to.x - 50, to.y + 50}, {to.x - 24, to.y + 30}}), "refused", "s-ah-ref"
	}
	return curved(path{{r.steel.x, r.steel.y + 14}, {r.steel.x - 26, r.steel.y + 18}, {to.x + 50, to.y - b.h}, {to.x + 26, to.y - b.h/2 - 8}}), "refused", "s-ah-ref"
}

// takeTrail goes from the head of the rail to the worker who took.
func (s *Stage) takeTrail(st *step) course {
	t, r, b := s.station(st.worker), s.railOf(st.queue), s.lay.body
	if t == nil || r == nil || r.summary {
		return course{}
	}
	head := r.slot(b, 0)
	y := t.y + t.h/2
	var c course
	switch {
	case s.size.phone():
		if t.right() < s.lay.w-20 {
			return course{} // it would cross the column beside it
		}
		edge := s.lay.w - 3.5
		c.add(point{head.x + b.w/2 + 3, head.y}, point{edge, head.y}, point{edge, y}, point{t.right() + 1, y})
	case s.lay.board:
		if t.x > s.lay.workersX+20 {
			return course{}
		}
		from := point{r.steel.right() + 3, head.y}
		c.curve = path{from, {from.x + 16, from.y}, {t.x - 18, y}, {t.x - 2, y}}
	default:
		if t.ticket.y < head.y+b.h/2+50 || t.x > s.lay.workersX+20 {
			return course{} // no room for a line of its own, or a column in between
		}
		// Close to the stations, clear of what is written left of them.
		x, y := t.x-5, head.y+b.h/2+22
		c.curve = path{{head.x + 10, y}, {x - 3, y + 30}, {x - 13, t.ticket.y - 26}, {x, t.ticket.y}}
	}
	return c
}

// returnTrail is the long way back to the rail. Several at once share one line
// along the stations and below the rail, so that they never make a knot.
func (s *Stage) returnTrail(st *step) course {
	from, to := s.startOf(st), s.endOf(st)
	r, b := s.railOf(st.to), s.lay.body
	if r == nil || r.summary || st.from != replay.InFlight {
		return course{}
	}
	if s.byLane(st) {
		return s.lane(st, from, to)
	}
	x := min(from.x-b.w*from.scale/2-8, s.lay.workersX-4)
	return curved(path{{x, from.y + 6}, {x - 36, from.y + 80}, {to.x - 8, to.y + b.h/2 + 70}, {to.x - 8, to.y + b.h/2 + 20}})
}

// byLane reports whether a return takes the shared line: always where many
// work, since one return would cross another.
func (s *Stage) byLane(st *step) bool {
	return st.shared || s.size.phone() || s.lay.board || len(s.lay.stations) > 3
}

// lane is the line that returns share: out of the station to the side, along
// all stations, and below the rail to the place.
func (s *Stage) lane(st *step, from, to placement) course {
	r, b := s.railOf(st.to), s.lay.body
	var c course
	y := from.y
	start := s.lay.workersX
	if t := s.station(st.worker); t != nil {
		y = min(from.y+8, t.bottom()-10)
		if t.x > start+20 {
			// The second column goes below its neighbour.
			y = t.bottom() - 2
		}
	}
	side := start - 6
	if s.size.phone() {
		side = 3.5
	}
	x := to.x
	switch {
	case s.full[s.lay.railOf[st.to]] && to.x < r.steel.x+20+b.w/2:
		x -= b.w/2 + 5 // clear of what is written below the pile
	case to.x > r.slot(b, .5).x && r.next > 0:
		x -= r.pitch / 2 // clear of what is written below the head
	}
	c.add(point{start, y}, point{side, y}, point{side, r.lane}, point{x, r.lane}, point{x, to.y + b.h/2 + 5})
	return c
}

// clearOfStations is the path from where it leaves the workers' stations: it would
// show in bits in the gaps between them.
func (s *Stage) clearOfStations(p path) path {
	if s.lay.across {
		return p
	}
	edge := s.lay.workersX - 3
	t := 0.0
	for t < .9 && p.at(t).x > edge {
		t += .01
	}
	return p.from(t)
}

// from is the part of the path from t on.
func (p *path) from(t float64) path {
	mix := func(a, b point) point { return point{a.x + (b.x-a.x)*t, a.y + (b.y-a.y)*t} }
	ab, bc, cd := mix(p[0], p[1]), mix(p[1], p[2]), mix(p[2], p[3])
	abc, bcd := mix(ab, bc), mix(bc, cd)
	return path{mix(abc, bcd), bcd, cd, p[3]}
}

// atBorder reports whether nobody stands between worker w and the outside.
func (s *Stage) atBorder(w event.WorkerRef) bool {
	t := s.station(w)
	if t == nil {
		return false
	}
	if s.lay.across {
		return t.bottom() > s.lay.border-30
	}
	return t.right() > s.lay.border-30
}

// inner is the path without its first and last stretch.
func (p *path) inner(first, last float64) path {
	q := *p
	q[0] = p.at(.08)
	q[3].y -= last
	return q
}

// drawFollowed keeps the last return of the followed message in sight, and
// the hand-out after it, with their times.
func (s *Stage) drawFollowed() {
	m := s.in.Follow
	if m < 0 || int(m) >= s.run.Log.MessageCount() {
		return
	}
	back, again := -1, -1
	for _, i := range s.run.Index.EventsOf(m) {
		if int(i) >= s.st.Events {
			break
		}
		switch e := s.run.Log.Event(int(i)); {
		case e.Kind == event.Returned && e.Reason != event.Delayed:
			back, again = int(i), -1
		case e.Kind == event.Delivered && back >= 0 && again < 0:
			again = int(i)
		case e.Kind == event.Acked, e.Kind == event.DeadLettered:
			return
		}
	}
	if back >= 0 && s.begun(back) {
		s.drawFollowedStep(back, 0)
	}
	if again >= 0 && s.begun(again) {
		s.drawFollowedStep(again, 1)
	}
}

func (s *Stage) drawFollowedStep(i, nth int) {
	e := s.run.Log.Event(i)
	st := step{act: actOf(e), event: i, message: e.Message, worker: e.Worker, queue: e.Queue}
	s.sched.before(&st)
	s.drawTrail(&st, 1)
	if s.size != Wide || s.lay.board || len(s.lay.stations) > 3 {
		return
	}
	l, r := s.lay, s.railOf(st.to)
	if r == nil {
		return
	}
	at := r.slot(l.body, 0)
	n := s.frame.add(keyOf(kTrailNote, nth), zText)
	clock := string(appendClock(nil, e.At))
	if nth == 0 {
		n.at(at.x-20, at.y+l.body.h/2+48)
		if !s.memo.known(n, hashStart.int(i)) {
			first, second := s.returned(i, "")
			if first != " is back in line." && first != "" {
				first = clock + first[:len(first)-1] + ","
				second = s.words.Returned
			}
			s.pen.caption("cap exp strong", "end", 0, 0, first)
			s.pen.caption("cap exp", "end", 0, 15, second)
			s.memo.keep(n, &s.pen)
		}
		return
	}
	n.at(at.x+2, at.y+l.body.h/2+104)
	if !s.memo.known(n, hashStart.int(i)) {
		s.pen.caption("cap strong", "end", 0, 0, clock+" taken again")
		s.memo.keep(n, &s.pen)
	}
}

// drawFollowing says which message is followed, and lets go of it.
func (s *Stage) drawFollowing() {
	m, l := s.in.Follow, s.lay
	if m < 0 || int(m) >= s.run.Log.MessageCount() || l.following.x < 0 {
		return
	}
	n := s.frame.add(keyOf(kFollowing, 0), zText).at(l.following.x, l.following.y)
	if s.memo.known(n, hashStart.int(int(m))) {
		return
	}
	id := s.run.Log.MessageID(m).String()
	s.pen.add(`<g class="following" role="button" tabindex="0" data-act="unfollow" aria-label="Following ~, stop"><rect width="124" height="27" rx="4"/><text x="10" y="18">Following ~</text>`, id, fit(id, boldFont, 12, 30))
	s.pen.glyph("close", 106, 7.5, 12, "")
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}
