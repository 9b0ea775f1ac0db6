package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
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
	course, class, head := s.trailOf(st)
	if class == "" {
		return
	}
	n := s.frame.add(keyOf(kTrail, st.event), zTrail)
	n.Opacity = float32(opacity)
	s.text = course.appendData(s.text[:0])
	if s.memo.known(n, hashStart.str(class).bytes(s.text)) {
		return
	}
	s.pen.add(`<path class="trail ~" d="~" marker-end="url(#~)"/>`, class, raw(s.text), head)
	s.memo.keep(n, &s.pen)
}

// trailOf is the line of a step, clear of the tickets at both ends.
func (s *Stage) trailOf(st *step) (path, string, string) {
	l := s.lay
	b := l.body
	switch st.act {
	case send:
		if !s.lay.atBorder(st.worker) {
			return path{}, "", "" // it would cross other stations
		}
		e := s.run.Log.Event(st.event)
		again := s.run.Log.Effect(int(e.Arg)).Nth > 1
		to := s.rowEnd(st.message, again)
		if again || s.lay.across {
			to.x -= 14
		} else {
			to.x = l.rows.x - 4
		}
		if again {
			return s.crossing(s.lineEnd(st.worker, st.line), to), "eff", "s-ah-crash"
		}
		return s.crossing(s.lineEnd(st.worker, st.line), to), "eff old", "s-ah"
	case turnAway:
		to := l.doorPlace(0)
		if s.size == Tall {
			return path{{l.rail.x + 92, l.rail.y}, {l.rail.x + 96, l.rail.y - 20}, {to.x - 50, to.y + 50}, {to.x - 24, to.y + 30}}, "refused", "s-ah-ref"
		}
		return path{{l.rail.x, l.rail.y + 14}, {l.rail.x - 26, l.rail.y + 18}, {to.x + 50, to.y - b.h}, {to.x + 26, to.y - b.h/2 - 8}}, "refused", "s-ah-ref"
	case bounce, answer, vanish, standBy, putAside, clipOn:
		return path{}, "", ""
	}
	from, to := s.startOf(st), s.endOf(st)
	course := s.course(st, from, to)
	switch st.act {
	case take:
		t := l.stationPlace(st.worker)
		if s.size == Tall || t.y < from.y+b.h/2+50 {
			return path{}, "", "" // no room for a line of its own
		}
		x := l.stations[min(int(st.worker), len(l.stations)-1)].x - 5
		if x > l.workersHead.x {
			return path{}, "", "" // it would cross the first column
		}
		// Close to the stations, clear of what is written left of them.
		y := from.y + b.h/2 + 22
		return path{{from.x + 10, y}, {x - 3, y + 30}, {x - 13, t.y - 26}, {x, t.y}}, "take", "s-ah"
	case spikeIt:
		return s.clearOfStations(course.inner(from.scale*b.h*.3, 40)), "done", "s-ah-done"
	case comeBack:
		if s.size == Tall {
			return path{}, "", ""
		}
		x := min(from.x-b.w*from.scale/2-8, l.workersHead.x-4)
		return path{{x, from.y + 6}, {x - 36, from.y + 80}, {to.x - 8, to.y + b.h/2 + 70}, {to.x - 8, to.y + b.h/2 + 20}}, "exp", "s-ah-exp"
	case fall:
		return s.clearOfStations(path{course[0], course[1], course[2], {to.x + 10, to.y - b.h/2 - 10}}), "deadp", "s-ah-dead"
	case redrive:
		return course, "take", "s-ah"
	}
	return path{}, "", ""
}

// clearOfStations is the path from where it leaves the workers' stations: it would
// show in bits in the gaps between them.
func (s *Stage) clearOfStations(p path) path {
	if s.lay.across {
		return p
	}
	edge := s.lay.workersHead.x - 3
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
func (l *layout) atBorder(w event.WorkerRef) bool {
	if w < 0 || len(l.stations) == 0 {
		return false
	}
	t := &l.stations[min(int(w), len(l.stations)-1)]
	if l.across {
		return t.bottom() > l.border-30
	}
	return t.right() > l.border-30
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
	if s.size != Wide || len(s.lay.stations) > 3 {
		return
	}
	l := s.lay
	at := l.slot(0)
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
	id := cut(identify(s.run.Log, m).number, 6)
	s.pen.add(`<g class="following" role="button" tabindex="0" data-act="unfollow" aria-label="Stop following order ~"><rect width="112" height="27" rx="4"/><text x="10" y="18">Following ~</text>`, id, id)
	s.pen.glyph("close", 94, 7.5, 12, "")
	s.pen.add(`</g>`)
	s.memo.keep(n, &s.pen)
}
