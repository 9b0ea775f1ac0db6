package scene

import (
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// drawInbox draws what happened outside the queues: in one list a row an
// order, or a list of the newest for each service; and the twin panel for an
// effect that happened again.
func (s *Stage) drawInbox() {
	if len(s.plan.targets) == 0 {
		if len(s.lay.groups) > 0 {
			s.drawNothingOutside(&s.lay.groups[0])
		}
		s.drawNote()
		return
	}
	for i := range s.lay.groups {
		g := &s.lay.groups[i]
		switch {
		case g.target < 0 && s.rows != nil:
			for k, m := range s.rows {
				s.drawRow(g, k, m)
			}
		case g.target < 0:
			s.drawLatest(i, g)
		default:
			s.drawGroup(i, g)
		}
	}
	if s.drawPanel() && s.size != Wide {
		return
	}
	s.drawNote()
}

func (s *Stage) drawNothingOutside(g *group) {
	at := g.rowPlace(0)
	n := s.frame.add(keyOf(kInbox, 0), zInbox).at(at.x, at.y)
	if !s.memo.known(n, hashStart) {
		s.pen.caption("cap", "", 0, 14, "No services here.")
		s.memo.keep(n, &s.pen)
	}
}

// drawGroup draws one service or table: its name, how much it did, and the
// newest for whom it did something.
func (s *Stage) drawGroup(i int, g *group) {
	n := s.frame.add(keyOf(kGroup, i), zInbox).at(g.head.x, g.head.y)
	if !s.memo.known(n, hashStart) {
		s.pen.name(0, 0, g.name)
		s.memo.keep(n, &s.pen)
	}
	s.drawGroupTotal(i, g)
	s.drawNewest(g, g.count)
}

// drawGroupTotal says how often a service did something, failed, or did it
// again; of a table that counts no effects, how often it was written.
func (s *Stage) drawGroupTotal(i int, g *group) {
	f := &s.plan.targets[g.target]
	k := &s.st.Targets[g.target]
	done, failed := k.Effects, before(f.failed, s.st.Events)
	again := k.Duplicates
	if !f.effect {
		done, again = before(f.changed, s.st.Events), 0
	}
	n := s.frame.add(keyOf(kGroupTotal, i), zInbox).at(g.total.x, g.total.y)
	if s.memo.known(n, hashStart.int(done).int(failed).int(again)) {
		return
	}
	p := &s.pen
	text, class := grouped(done)+" "+f.deed.many, "cap"
	if done == 1 {
		text = "1 " + f.deed.one
	}
	if !f.effect {
		text = grouped(done) + " written"
	}
	if done == 0 {
		text, class = "nothing yet", "cap dim"
	}
	p.caption(class, "", 0, 0, text)
	if g.second && again+failed > 0 {
		p.add(`<text class="cap" y="14">`)
		if again > 0 {
			p.add(`<tspan class="red">~ again</tspan> `, grouped(again))
		}
		if failed > 0 {
			p.add(`<tspan class="exp">~ failed</tspan>`, grouped(failed))
		}
		p.add(`</text>`)
	}
	s.memo.keep(n, p)
}

const noneYet = "none yet"

// rowFacts is what a row says.
type rowFacts struct {
	count   int
	glyphs  [3]byte // targets of the newest effects, plus one
	again   [3]bool // the effect repeated an earlier one
	word    string
	warning bool
}

// rowOf says what has been done outside for message m: by target, or by any
// when that is below 0.
func (s *Stage) rowOf(m event.MessageRef, target int) rowFacts {
	var f rowFacts
	known := false
	for _, i := range s.run.Index.EventsOf(m) {
		if int(i) >= s.st.Events {
			break
		}
		e := s.run.Log.Event(int(i))
		known = known || e.Kind == event.CallAnswered
		if e.Kind != event.Effect || !s.landed(int(i)) {
			continue
		}
		r := s.run.Log.Effect(int(e.Arg))
		if target >= 0 && int(r.Target) != target {
			continue
		}
		k := f.count
		if k >= len(f.glyphs) {
			copy(f.glyphs[:], f.glyphs[1:])
			copy(f.again[:], f.again[1:])
			k = len(f.glyphs) - 1
		}
		f.glyphs[k], f.again[k] = byte(r.Target)+1, r.Nth > 1
		f.count++
	}
	if f.count > 0 {
		return f
	}
	f.word = noneYet
	if target >= 0 {
		s.wordOf(&f, m, target)
		return f
	}
	if known {
		f.word = "known"
		return f
	}
	if s.calling(m) {
		f.word = s.deedOfAll.busy
		return f
	}
	switch s.run.Index.Where(m, s.st.Events).Place {
	case replay.Acked, replay.Expired, replay.Dropped, replay.Refused:
		if s.ticketStep(m) == nil && !s.underway(m) && !s.coveredElsewhere(m) {
			f.word, f.warning = "never", true
		}
	case replay.Dead:
		f.word = "none"
	}
	return f
}

// wordOf says how a call of one target on behalf of m stands that has had no
// effect.
func (s *Stage) wordOf(f *rowFacts, m event.MessageRef, target int) {
	f.word = "cut off"
	list := s.run.Index.EventsOf(m)
	for k := before(list, s.st.Events) - 1; k >= 0; k-- {
		e := s.run.Log.Event(int(list[k]))
		switch {
		case e.Kind == event.CallAnswered && int(e.Arg) == target:
			f.word = "known"
			return
		case e.Kind == event.CallFailed && int(e.Arg) == target:
			f.word, f.warning = "failed", true
			return
		case e.Kind == event.CallStarted && int(e.Arg) == target:
			if s.underway(m) || s.calling(m) {
				f.word = s.plan.targets[target].deed.busy
			}
			return
		}
	}
}

// coveredElsewhere reports whether an effect for another message carries the
// id or key of m.
func (s *Stage) coveredElsewhere(m event.MessageRef) bool {
	msg := s.run.Log.Message(m)
	for i := range s.st.Events {
		e := s.run.Log.Event(i)
		if e.Kind != event.Effect {
			continue
		}
		if key := s.run.Log.Effect(int(e.Arg)).Key; msg.KeyGiven && key == msg.Key || key == msg.ID.String() {
			return true
		}
	}
	return false
}

// calling reports whether a worker waits for a service on behalf of m.
func (s *Stage) calling(m event.MessageRef) bool {
	for w := range s.st.Workers {
		k := &s.st.Workers[w]
		if st := s.workerStep(event.WorkerRef(w)); st != nil {
			if (st.act == send || st.act == bounce) && st.message == m {
				return true
			}
			continue
		}
		if k.Status == replay.Busy && k.Call >= 0 && k.Running >= 0 && k.Running < len(k.Held) && k.Held[k.Running].Message == m {
			return true
		}
	}
	return false
}

// underway reports whether some worker still works on m.
func (s *Stage) underway(m event.MessageRef) bool {
	for w := range s.st.Workers {
		k := &s.st.Workers[w]
		if k.Running >= 0 && k.Running < len(k.Held) && k.Held[k.Running].Message == m {
			return true
		}
	}
	return false
}

func (s *Stage) drawRow(g *group, i int, m event.MessageRef) {
	at := g.rowPlace(i)
	n := s.frame.add(keyOf(kRow, max(0, g.target)<<18|int(m)&(1<<18-1)), zInbox).at(at.x, at.y)
	f := s.rowOf(m, g.target)
	h := hashStart.int(int(m)).int(f.count).str(f.word).bool(f.warning).bool(m == s.in.Follow)
	for k := range f.glyphs {
		h = h.int(int(f.glyphs[k])).bool(f.again[k])
	}
	if s.memo.known(n, h) {
		return
	}
	p := &s.pen
	id := identify(s.run.Log, m)
	width := g.rowWidth()
	p.add(`<g class="irow" data-act="follow" data-message="~">`, id.number)
	if m == s.in.Follow {
		p.add(`<rect class="rowon" x="-5" y="-4" width="~" height="24" rx="3"/>`, width+10)
	}
	p.chip(0, 0, g.chip, 16, id)
	named := g.named && id.name != ""
	if named {
		p.add(`<text class="nm2" x="~" y="12">~</text>`, g.chip+6, cut(id.name, nameRoom(g, &f, width)))
	}
	s.drawRowEnd(g, &f, width, named)
	p.add(`</g>`)
	s.memo.keep(n, p)
}

// nameRoom is how many letters of a name leave a gap to what ends the row.
func nameRoom(g *group, f *rowFacts, width float64) int {
	const letter, gap = 6.4, 6
	end := 16.0
	switch {
	case f.count > 1:
		end = 46
	case f.count == 0 && f.word != noneYet:
		end = letter * float64(len(f.word))
	case f.count == 0:
		end = letter * 4
	}
	return max(2, int((width-g.chip-6-gap-end)/(letter-.3)))
}

func (s *Stage) drawRowEnd(g *group, f *rowFacts, width float64, named bool) {
	p := &s.pen
	left, anchor := width, "end"
	beside := g.columns > 1 && !g.named // right of the chip
	if beside {
		left, anchor = g.chip+6, ""
	}
	if f.count == 0 {
		class := "cap dim"
		if f.warning {
			class = "cap strong red"
		}
		word := f.word
		if (named || s.size != Wide) && word == noneYet {
			word = "none"
		}
		p.caption(class, anchor, left, 12, word)
		return
	}
	have := min(f.count, len(f.glyphs))
	most := have
	if named || g.columns > 1 || f.count > have {
		most = min(have, 1)
	}
	x := width - 16
	if beside {
		x = left
	}
	for k := have - 1; k >= have-most; k-- {
		class := "mail"
		if f.again[k] {
			class = "mail red"
		}
		p.glyph(s.plan.targets[f.glyphs[k]-1].deed.glyph, x, 0, 16, class)
		x -= 19
	}
	if f.count > most {
		class := "cap strong"
		if f.again[have-1] {
			class += " red"
		}
		if beside {
			p.caption(class, "", left+18, 12, itoa(f.count))
		} else {
			p.caption(class, "end", x+14, 12, itoa(f.count)+" ×")
		}
	}
}

// drawNewest draws the newest that have something at a place outside: each
// that begins takes the place of the oldest, so that no row moves. It returns
// how many have begun.
func (s *Stage) drawNewest(g *group, most int) int {
	list, at := s.begunAt(g)
	begun := before(at, s.st.Events)
	for begun > 0 && s.onItsWay(list[begun-1], int(at[begun-1])) {
		begun--
	}
	for k := max(0, begun-most); k < begun && most > 0; k++ {
		s.drawRow(g, k%most, list[k])
	}
	return begun
}

// onItsWay reports whether the ticket is still seen moving to the worker for
// the work that began with event i.
func (s *Stage) onItsWay(m event.MessageRef, i int) bool {
	step := s.ticketStep(m)
	return step != nil && step.act <= take && step.event < i
}

// begunAt lists whose work began at a place outside, and the events.
func (s *Stage) begunAt(g *group) ([]event.MessageRef, []int32) {
	if g.target >= 0 {
		f := &s.plan.targets[g.target]
		return f.begun, f.begunAt
	}
	return s.plan.begun, s.plan.begunAt
}

// drawLatest draws the newest orders when not every one has a row, and how
// much there is in all.
func (s *Stage) drawLatest(i int, g *group) {
	most := g.count - 1
	begun := s.drawNewest(g, most)
	total := 0
	for t := range s.st.Targets {
		total += s.st.Targets[t].Effects
	}
	total = max(0, total-s.pending(send, nil))
	at := g.rowPlace(most)
	if begun == 0 {
		at = g.rowPlace(0)
	}
	n := s.frame.add(keyOf(kInbox, i), zInbox).at(at.x, at.y)
	if s.memo.known(n, hashStart.int(total)) {
		return
	}
	text := "nothing yet"
	if total > 0 {
		d := s.deedOfAll
		text = grouped(total) + " " + d.many
		if total == 1 {
			text = "1 " + d.one
		}
		if g.columns == 1 {
			text += " in all"
		}
	}
	s.pen.caption("cap strong", "", 0, 14, text)
	s.memo.keep(n, &s.pen)
}

// outsideRow is the row of message m among the latest of a group, or -1.
func (s *Stage) outsideRow(g *group, m event.MessageRef) int {
	most := g.count
	if g.target < 0 {
		most--
	}
	list, at := s.begunAt(g)
	begun := before(at, s.st.Events)
	for k := begun - 1; k >= max(0, begun-most); k-- {
		if list[k] == m {
			return k % most
		}
	}
	return -1
}

// repeated finds the newest repeated effect that has been shown.
func (s *Stage) repeated() int {
	best := -1
	for t := range s.st.Targets {
		if i := int(s.st.Targets[t].Repeated); i > best && s.landed(i) {
			best = i
		}
	}
	return best
}

// drawPanel draws a repeated effect as the twins they are, with who sent each
// and when. It reports whether there is one.
func (s *Stage) drawPanel() bool {
	i := s.repeated()
	l := s.lay
	if i < 0 || l.panel.w == 0 {
		return false
	}
	n := s.frame.add(keyOf(kPanel, 0), zInbox).at(l.panel.x, l.panel.y)
	if s.memo.known(n, hashStart.int(i)) {
		return true
	}
	e := s.run.Log.Event(i)
	r := s.run.Log.Effect(int(e.Arg))
	d := s.plan.targets[r.Target].deed
	id := identify(s.run.Log, e.Message)
	p := &s.pen
	p.add(`<g class="dup" role="group" aria-label="~ ~ for order ~"><rect width="~" height="~" rx="3"/>`, int(r.Nth), d.many, id.number, l.panel.w, l.panel.h)
	p.chip(8, 9, 44, 16, id)
	if id.name != "" {
		p.add(`<text class="nm2 b" x="60" y="21.5">~</text>`, id.name)
	}
	top, gap := 33.0, 24.0
	if s.size == Compact {
		top, gap = 29, 21
	}
	left := 0.0
	if s.size.phone() {
		top, gap, left = 9, 25, 150 // beside the rest
		if s.size == Narrow {
			left = 106
		}
	}
	s.panelItem(left, top, d.glyph, s.firstEffect(e), false)
	s.panelItem(left, top+gap, d.glyph, i, true)
	p.add(`<text class="dupn" x="~" y="~" text-anchor="middle">~</text>`, l.panel.w-24, top+gap+13, int(r.Nth))
	text := numeral(int(r.Nth)) + " " + d.many + ", one order"
	if len(text) > 21 {
		text = itoa(int(r.Nth)) + " " + d.many + ", one order"
	}
	if s.size == Compact {
		text = "done twice"
		if r.Nth > 2 {
			text = "done " + itoa(int(r.Nth)) + " times"
		}
	}
	p.add(`<text class="cap strong red" x="8" y="~">~</text></g>`, l.panel.h-9, text)
	s.memo.keep(n, p)
	return true
}

// panelItem is one of the twins: the thing, its sender, its time.
func (s *Stage) panelItem(x, y float64, glyph string, i int, again bool) {
	if i < 0 {
		return
	}
	p := &s.pen
	class, cap := "mail", "cap"
	if again {
		class, cap = "mail red", "cap strong red"
	}
	p.glyph(glyph, x+8, y+1, 17, class)
	e := s.run.Log.Event(i)
	if e.Worker >= 0 {
		p.add(`<g transform="translate(~ ~)">`, x+40, y+9.5)
		p.badge(8, personOf(int(e.Worker)), false)
		p.add(`</g>`)
	}
	if s.size != Compact {
		p.caption(cap, "", x+53, y+13.5, string(appendClock(nil, e.At)))
	}
}

// firstEffect finds the first effect with the key of the repeated one.
func (s *Stage) firstEffect(e *event.Event) int {
	r := s.run.Log.Effect(int(e.Arg))
	for _, i := range s.run.Index.EventsOf(e.Message) {
		o := s.run.Log.Event(int(i))
		if o.Kind == event.Effect && s.run.Log.Effect(int(o.Arg)).Target == r.Target && s.run.Log.Effect(int(o.Arg)).Key == r.Key {
			if o == e {
				return -1
			}
			return int(i)
		}
	}
	return -1
}

func numeral(n int) string {
	if n < 10 {
		return [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}[n]
	}
	return itoa(n)
}

// drawNote says why this side is another world.
func (s *Stage) drawNote() {
	l := s.lay
	if l.noteW == 0 {
		return
	}
	n := s.frame.add(keyOf(kNote, 0), zInbox).at(l.note.x, l.note.y)
	if s.memo.known(n, hashStart) {
		return
	}
	p := &s.pen
	p.add(`<g class="note"><path d="M0 0h~"/>`, l.noteW)
	for i, line := range s.words.Border {
		p.caption("cap", "", 0, 20+16*float64(i), line)
	}
	p.add(`</g>`)
	s.memo.keep(n, p)
}
