package scene

import "github.com/ticketrail/ticketrail/core/event"

// trayShown is how many dead letters lie in the tray, and sheetsShown the
// most sheets on the spike; the rest are counts.
const (
	trayShown   = 3
	sheetsShown = 7
)

// drawTrays draws the dead letters that nobody reads.
func (s *Stage) drawTrays() {
	for i := range s.lay.trays {
		s.drawTray(i, &s.lay.trays[i])
	}
}

func (s *Stage) drawTray(i int, t *tray) {
	if !t.glyph {
		s.drawTrayItself(i, t)
	}
	count := 0
	if len(t.queues) > 0 {
		waiting := &s.st.Queues[t.queues[0]].Waiting
		count = waiting.Len()
		for k := range min(count, t.shown()) {
			m := waiting.At(count - 1 - k).Message
			if s.ticketStep(m) != nil {
				continue
			}
			s.drawLetter(t, m, k, min(count, t.shown()))
		}
	}
	s.drawTrayNote(i, t, max(0, count-s.pending(fall, t.queues)))
}

func (s *Stage) drawTrayItself(i int, t *tray) {
	n := s.frame.add(keyOf(kTrayBack, i), zTrayBack).at(t.lip.x, t.lip.y)
	if !s.memo.known(n, hashStart) {
		s.pen.trayBack(t.lip.w)
		s.memo.keep(n, &s.pen)
	}
	n = s.frame.add(keyOf(kTrayFront, i), zTrayFront).at(t.lip.x, t.lip.y)
	if !s.memo.known(n, hashStart) {
		s.pen.trayFront(t.lip.w, t.lip.h)
		s.memo.keep(n, &s.pen)
	}
}

// shown is how many letters lie in the tray.
func (t *tray) shown() int {
	switch {
	case t.glyph:
		return 0
	case t.chip:
		return 2
	}
	return trayShown
}

func (s *Stage) drawLetter(t *tray, m event.MessageRef, k, have int) {
	at := t.place(s.lay.body, k, have)
	if !t.chip {
		n := s.drawTicket(m, zTrayTicket, at, s.deadLook(m))
		n.Layer -= int32(k)
		return
	}
	n := s.frame.add(keyOf(kTicket, int(m)), zTrayTicket).at(at.x, at.y)
	n.Rot, n.Class, n.Layer = float32(at.rot), "tk", zTrayTicket-int32(k)
	v := s.deadLook(m)
	if s.memo.known(n, v.hash(hashStart.str("chip"))) {
		return
	}
	s.letterChip(m, v)
	s.memo.keep(n, &s.pen)
}

// letterChip draws a dead letter as a small paper around its centre.
func (s *Stage) letterChip(m event.MessageRef, v look) {
	p, id := &s.pen, identify(s.run.Log, m)
	label := s.ticketLabel(id, v)
	p.add(`<g role="button" tabindex="0" data-act="follow" data-message="~" aria-label="~"><title>~</title>`, id.number, label, label)
	if v.follow {
		p.add(`<rect class="halo" x="-23" y="-11" width="46" height="22" rx="3"/>`)
	}
	p.chip(-20, -8, 40, 16, id)
	p.add(`</g>`)
}

var triesStamps = [...]string{"", "", "2 TRIES", "3 TRIES", "4 TRIES", "5 TRIES", "6 TRIES", "7 TRIES", "8 TRIES", "9 TRIES"}

// deadLook is the look of a dead letter: what it tried, it tried in the queue
// that it came from.
func (s *Stage) deadLook(m event.MessageRef) look {
	tries := int(s.run.Index.Where(m, s.st.Events).Receives)
	v := look{tries: tries, max: s.maxReceives(s.run.Log.Message(m).Queue), failed: true, follow: m == s.in.Follow, stamp: "DEAD", tone: "dead"}
	if s.lay.body == &mediumBody && tries > 1 && tries < 10 {
		v.stamp = triesStamps[tries]
	}
	if s.lay.board {
		v.low = true
	}
	return v
}

func (s *Stage) drawTrayNote(i int, t *tray, count int) {
	n := s.frame.add(keyOf(kTrayText, i), zText).at(t.note.x, t.note.y)
	if !s.memo.known(n, hashStart.int(count)) {
		p := &s.pen
		switch t.form {
		case fullNote:
			word := " " + s.words.Ticket
			if count != 1 {
				word += "s"
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
		case shortNote:
			p.add(`<text class="cap"><tspan class="big-n">~</tspan></text>`, grouped(count))
			p.caption("cap", "", 0, 16, s.words.DeadShort[0])
			p.caption("cap", "", 0, 29, s.words.DeadShort[1])
		case underNote:
			p.add(`<text class="cap" text-anchor="middle"><tspan class="big-n">~</tspan> ~</text>`, grouped(count), s.words.InTray)
		case countNote:
			if t.glyph {
				p.glyph("dead", -17, -11, 13, "ev-dead")
			}
			p.add(`<text class="cap"><tspan class="big-n less">~</tspan> ~</text>`, grouped(count), s.words.DeadWord)
			if t.name != "" {
				p.add(`<text class="zt" y="-13">~</text>`, fit(t.name, monoFont, termSize, t.nameRoom))
			}
		}
		s.memo.keep(n, p)
	}
	if count == 0 || len(t.queues) == 0 {
		return
	}
	s.drawRedrive(keyOf(kRedrive, i), t.redrive, t.queues[0])
	if t.touch.w > 0 {
		s.drawTouch(i, t)
	}
	if newest := &s.st.Queues[t.queues[0]].Waiting; newest.Len() > 0 {
		m := newest.At(newest.Len() - 1).Message
		if n := s.button(keyOf(kEdit, i), t.edit, int(m)); n != nil {
			id := s.run.Log.MessageID(m).String()
			s.face(n, t.edit, face{"sbtn quiet", "edit", "edit", "message", id, "Edit order " + id})
		}
	}
}

// drawRedrive puts a button by the dead letters, in words where there is room.
func (s *Stage) drawRedrive(k Key, r rect, q event.QueueRef) {
	n := s.button(k, r, 0)
	if n == nil {
		return
	}
	name, label := s.run.Log.Queues[q].Name, s.words.Redrive+" all dead letters"
	if r.w < 44 {
		s.face(n, r, face{"sbtn quiet", "redrive", "redrive", "queue", name, label})
		return
	}
	s.pen.add(`<g class="tbtn" role="button" tabindex="0" data-act="redrive" data-queue="~" aria-label="~"><rect width="~" height="~" rx="4"/><text x="~" y="~">~</text></g>`,
		name, label, r.w, r.h, r.w/2, r.h/2+4.5, fit(s.words.Redrive, boldFont, 12, r.w-8))
	s.memo.keep(n, &s.pen)
}

// drawTouch makes the tray itself the button that empties it.
func (s *Stage) drawTouch(i int, t *tray) {
	n := s.button(keyOf(kRedrive, i), t.touch, 0)
	if n == nil {
		return
	}
	p, label := &s.pen, s.words.Redrive+" all dead letters"
	p.add(`<g class="sbtn quiet touch" role="button" tabindex="0" data-act="redrive" data-queue="~" aria-label="~"><title>~</title><rect width="~" height="~" rx="4"/>`,
		s.run.Log.Queues[t.queues[0]].Name, label, label, t.touch.w, t.touch.h)
	p.glyph("redrive", t.touch.w-15, t.touch.h-14, 13, "")
	p.add(`</g>`)
	s.memo.keep(n, p)
}

// drawSpikes draws the newest acked messages as sheets on their spikes.
func (s *Stage) drawSpikes() {
	for i := range s.lay.spikes {
		s.drawSpike(i, &s.lay.spikes[i])
	}
}

// drawSpike draws one of them, and how many there are.
func (s *Stage) drawSpike(i int, p *spike) {
	count, late := 0, s.pending(spikeIt, p.queues)
	for _, q := range p.queues {
		count += before(s.plan.queues[q].acked, s.st.Events)
	}
	count = max(0, count-late)
	if p.sheets > 0 {
		s.drawSheets(i, p, count)
	}
	n := s.frame.add(keyOf(kSpikeText, i), zText).at(p.note.x, p.note.y)
	if s.memo.known(n, hashStart.int(count)) {
		return
	}
	w := &s.pen
	switch p.form {
	case fullNote:
		if count == 0 {
			w.caption("cap", "", 0, 26, "none yet:")
			w.caption("cap", "", 0, 42, "acked ones")
			w.caption("cap", "", 0, 57, "land here")
			break
		}
		w.add(`<text class="cap"><tspan class="big-n">~</tspan> ~</text>`, grouped(count), s.words.DoneWord)
		w.caption("cap", "", 0, 18, s.words.DoneNote[0])
		w.caption("cap", "", 0, 33, s.words.DoneNote[1])
	case shortNote:
		w.add(`<text class="cap"><tspan class="big-n">~</tspan></text>`, grouped(count))
		w.caption("cap", "", 0, 16, s.words.DoneShort[0])
		w.caption("cap", "", 0, 29, s.words.DoneShort[1])
	case underNote:
		w.add(`<text class="cap" text-anchor="middle"><tspan class="big-n">~</tspan> ~</text>`, grouped(count), s.words.DoneWord)
	case countNote:
		w.add(`<text class="cap"><tspan class="big-n less">~</tspan> ~</text>`, grouped(count), s.words.DoneWord)
	case endNote:
		w.add(`<text class="cap" text-anchor="end">~ ~</text>`, grouped(count), s.words.DoneWord)
	}
	s.memo.keep(n, w)
}

// drawSheets draws the newest of count sheets: of one queue, since only one
// queue's sheets are drawn on a spike.
func (s *Stage) drawSheets(i int, p *spike, count int) {
	var acked []int32
	if len(p.queues) > 0 { // a scenario may have no queue yet
		acked = s.plan.queues[p.queues[0]].acked[max(0, count-p.sheets):count]
	}
	h := hashStart.int(count)
	n := s.frame.add(keyOf(kSpike, i), zSpike).at(p.foot.x, p.foot.y)
	if s.memo.known(n, h) {
		return
	}
	s.ids = s.ids[:0]
	for _, k := range acked {
		s.ids = append(s.ids, identify(s.run.Log, s.run.Log.Event(int(k)).Message))
	}
	s.pen.add(`<title>~ done</title>`, grouped(count))
	s.pen.spike(s.ids, p.step, p.width, p.over, s.size != Wide || s.lay.board)
	s.memo.keep(n, &s.pen)
}
