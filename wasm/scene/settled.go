package scene

import "github.com/ticketrail/ticketrail/core/event"

// trayShown is how many dead letters lie in the tray, and sheetsShown the
// most sheets on the spike; the rest are counts.
const (
	trayShown   = 3
	sheetsShown = 7
)

// drawTray draws the dead letters.
func (s *Stage) drawTray() {
	l := s.lay
	if !l.hasTray {
		return
	}
	n := s.frame.add(keyOf(kTrayBack, 0), zTrayBack).at(l.tray.x, l.tray.y)
	if !s.memo.known(n, hashStart) {
		s.pen.trayBack(l.tray.w)
		s.memo.keep(n, &s.pen)
	}
	n = s.frame.add(keyOf(kTrayFront, 0), zTrayFront).at(l.tray.x, l.tray.y)
	if !s.memo.known(n, hashStart) {
		s.pen.trayFront(l.tray.w, l.tray.h)
		s.memo.keep(n, &s.pen)
	}
	count := 0
	if s.dead >= 0 {
		waiting := &s.st.Queues[s.dead].Waiting
		count = waiting.Len()
		for k := range min(count, trayShown) {
			m := waiting.At(count - 1 - k).Message
			if s.ticketStep(m) != nil {
				continue
			}
			n := s.drawTicket(m, zTrayTicket, l.trayPlace(k, min(count, trayShown)), s.deadLook(m))
			n.Layer -= int32(k)
		}
	}
	s.drawTrayNote(max(0, count-s.pending(fall)))
}

// trayPlace is where the k-th newest of have dead letters lies.
func (l *layout) trayPlace(k, have int) placement {
	x, y := l.tray.x+l.tray.w/2, l.tray.y-l.body.h/2+l.tray.h/2-2
	if have == 1 {
		return placement{x - 2, y, -6, 1}
	}
	spread := []placement{{16, 1, 8, 1}, {-4, 0, -1, 1}, {-22, -1, -10, 1}}
	o := spread[k]
	return placement{x + o.x, y + o.y, o.rot, 1}
}

var triesStamps = [...]string{"", "", "2 TRIES", "3 TRIES", "4 TRIES", "5 TRIES", "6 TRIES", "7 TRIES", "8 TRIES", "9 TRIES"}

func (s *Stage) deadLook(m event.MessageRef) look {
	tries := int(s.run.Index.Where(m, s.st.Events).Receives)
	v := look{tries: tries, max: s.maxReceives(), failed: true, follow: m == s.in.Follow, stamp: "DEAD", tone: "dead"}
	if s.lay.body == &mediumBody && tries > 1 && tries < 10 {
		v.stamp = triesStamps[tries]
	}
	return v
}

func (s *Stage) drawTrayNote(count int) {
	l := s.lay
	n := s.frame.add(keyOf(kTrayText, 0), zText).at(l.trayNote.x, l.trayNote.y)
	if !s.memo.known(n, hashStart.int(count)) {
		p := &s.pen
		switch s.size {
		case Wide:
			word := " tickets"
			if count == 1 {
				word = " ticket"
			}
			if count == 0 {
				p.caption("cap", "", 0, 44, "none yet: too")
				p.caption("cap", "", 0, 60, "many tries: it")
				p.caption("cap", "", 0, 75, "lands here")
			} else {
				p.add(`<text class="cap"><tspan class="big-n">~</tspan>~</text>`, grouped(count), word)
				p.caption("cap", "", 0, 17, s.words.DeadNote[0])
				p.caption("cap", "", 0, 31, s.words.DeadNote[1])
			}
		case Compact:
			p.add(`<text class="cap"><tspan class="big-n">~</tspan></text>`, grouped(count))
			p.caption("cap", "", 0, 16, "dead in")
			p.caption("cap", "", 0, 29, "the tray")
		default:
			p.add(`<text class="cap" text-anchor="middle"><tspan class="big-n">~</tspan> in tray</text>`, grouped(count))
		}
		s.memo.keep(n, p)
	}
	if count == 0 || l.redrive.w == 0 {
		return
	}
	n = s.frame.add(keyOf(kRedrive, 0), zText).at(l.redrive.x, l.redrive.y)
	if !s.memo.known(n, hashStart) {
		name := s.run.Log.Queues[s.dead].Name
		s.pen.add(`<g class="tbtn" role="button" tabindex="0" data-act="redrive" data-queue="~" aria-label="~ all dead letters"><rect width="~" height="~" rx="4"/><text x="~" y="17.5">~</text></g>`,
			name, s.words.Redrive, l.redrive.w, l.redrive.h, l.redrive.w/2, s.words.Redrive)
		s.memo.keep(n, &s.pen)
	}
}

// drawSpike draws the newest acked messages as sheets on the spike.
func (s *Stage) drawSpike() {
	l := s.lay
	late := s.pending(spikeIt)
	done := s.st.Done[:max(0, len(s.st.Done)-late)]
	if len(done) > l.sheets {
		done = done[len(done)-l.sheets:]
	}
	count := max(0, s.st.Counts.Acked-late)
	h := hashStart.int(count)
	for _, m := range done {
		h = h.int(int(m))
	}
	n := s.frame.add(keyOf(kSpike, 0), zSpike).at(l.spike.x, l.spike.y)
	if !s.memo.known(n, h) {
		s.ids = s.ids[:0]
		for _, m := range done {
			s.ids = append(s.ids, identify(s.run.Log, m))
		}
		s.pen.add(`<title>~ done</title>`, grouped(count))
		s.pen.spike(s.ids, l.sheetStep, l.sheetW, l.over, s.size != Wide)
		s.memo.keep(n, &s.pen)
	}
	n = s.frame.add(keyOf(kSpikeText, 0), zText).at(l.spikeNote.x, l.spikeNote.y)
	if s.memo.known(n, hashStart.int(count)) {
		return
	}
	p := &s.pen
	switch s.size {
	case Wide:
		if count == 0 {
			p.caption("cap", "", 0, 26, "none yet:")
			p.caption("cap", "", 0, 42, "acked ones")
			p.caption("cap", "", 0, 57, "land here")
			break
		}
		p.add(`<text class="cap"><tspan class="big-n">~</tspan> done</text>`, grouped(count))
		p.caption("cap", "", 0, 18, s.words.DoneNote[0])
		p.caption("cap", "", 0, 33, s.words.DoneNote[1])
	case Compact:
		p.add(`<text class="cap"><tspan class="big-n">~</tspan></text>`, grouped(count))
		p.caption("cap", "", 0, 16, "on the")
		p.caption("cap", "", 0, 29, "done spike")
	default:
		p.add(`<text class="cap" text-anchor="middle"><tspan class="big-n">~</tspan> done</text>`, grouped(count))
	}
	s.memo.keep(n, p)
}

// sheetTop is where the next sheet will lie when have are shown.
func (l *layout) sheetTop(have int) placement {
	i := min(have, l.sheets-1)
	dx, dy, tilt := sheetPlace(i, l.sheetStep)
	return placement{l.spike.x + dx, l.spike.y + dy, tilt, 1}
}
