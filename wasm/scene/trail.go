package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
)

// drawTrails draws the way that things took: while playing for a moment after
// they moved, on a still stage for the last event in full.
func (s *Stage) drawTrails() {
	if s.moving {
		after := event.Time(linger * s.in.Speed * 1e9)
		for i := range s.sched.steps {
			st := &s.sched.steps[i]
			if st.start == st.end || s.in.Now < st.start || s.in.Now > st.end+after || !trailed(st.act) {
				continue
			}
			s.drawTrail(st, clamp(float64(st.end+after-s.in.Now)/float64(after)*2, 0, 1))
		}
		return
	}
	if i := s.current(); i >= 0 {
		e := s.run.Log.Event(i)
		if a := actOf(e); a != noAct && a != stampIt && a != crash {
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
	if st.act == send {
		n.Layer = zInbox - 1
	}
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
		e := s.run.Log.Event(st.event)
		again := s.run.Log.Effects[e.Arg].Nth > 1
		to := s.rowEnd(st.message, again)
		to.x -= 14
		if again {
			return s.crossing(s.lineEnd(st.worker), to), "eff", "s-ah-crash"
		}
		return s.crossing(s.lineEnd(st.worker), to), "eff old", "s-ah"
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
		if s.size == Tall {
			return path{{from.x, from.y + b.h/2 + 4}, {from.x, from.y + b.h/2 + 50}, {t.x, t.y - b.h - 30}, {t.x, t.y - b.h*t.scale/2 - 8}}, "take", "s-ah"
		}
		x := l.stations[min(int(st.worker), len(l.stations)-1)].x - 5
		return path{{from.x + 10, from.y + b.h/2 + 6}, {from.x + 12, from.y + b.h/2 + max(30, (t.y-from.y)*.6)}, {x - 40, t.y}, {x, t.y}}, "take", "s-ah"
	case spikeIt:
		return course.inner(from.scale*b.h*.3, 40), "done", "s-ah-done"
	case comeBack:
		if s.size == Tall {
			return path{course[0], course[1], {to.x + 14, to.y + b.h/2 + 60}, {to.x + 8, to.y + b.h/2 + 6}}, "exp", "s-ah-exp"
		}
		return path{{from.x - b.w*from.scale/2 - 8, from.y + 6}, {from.x - 70, from.y + 80}, {to.x - 8, to.y + b.h/2 + 70}, {to.x - 8, to.y + b.h/2 + 20}}, "exp", "s-ah-exp"
	case fall:
		return path{course[0], course[1], course[2], {to.x + 10, to.y - b.h/2 - 10}}, "deadp", "s-ah-dead"
	case redrive:
		return course, "take", "s-ah"
	}
	return path{}, "", ""
}

// inner is the path without its first and last stretch.
func (p *path) inner(first, last float64) path {
	q := *p
	q[0] = p.at(.08)
	q[3].y -= last
	return q
}
