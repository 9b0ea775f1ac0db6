package scene

import (
	"sort"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// drawInbox draws what happened outside the queue: a row an order, and the
// twin panel for an effect that happened again.
func (s *Stage) drawInbox() {
	if len(s.run.Log.Targets) == 0 {
		at := s.lay.rowPlace(0)
		n := s.frame.add(keyOf(kInbox, 0), zInbox).at(at.x, at.y)
		if !s.memo.known(n, hashStart) {
			s.pen.caption("cap", "", 0, 14, "No services here.")
			s.memo.keep(n, &s.pen)
		}
		s.drawNote(true)
		return
	}
	if s.rows != nil {
		for i, m := range s.rows {
			s.drawRow(i, m)
		}
	} else {
		s.drawLatest()
	}
	if s.drawPanel() && (s.size != Wide) {
		return
	}
	s.drawNote(false)
}

// rowPlace is the top left corner of row i.
func (l *layout) rowPlace(i int) point {
	columns := max(l.rowColumns, 1)
	return point{
		l.rows.x + float64(i%columns)*(l.rows.w/float64(columns)+10),
		l.rows.y + float64(i/columns)*l.rowH,
	}
}

func (l *layout) rowWidth() float64 {
	if l.rowColumns > 1 {
		return l.rows.w/float64(l.rowColumns) - 10
	}
	return l.rows.w
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

func (s *Stage) rowOf(m event.MessageRef) rowFacts {
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
	if known {
		f.word = "known"
		return f
	}
	if s.calling(m) {
		f.word = s.mainDeed.busy
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

func (s *Stage) drawRow(i int, m event.MessageRef) {
	l := s.lay
	at := l.rowPlace(i)
	n := s.frame.add(keyOf(kRow, int(m)), zInbox).at(at.x, at.y)
	f := s.rowOf(m)
	h := hashStart.int(f.count).str(f.word).bool(f.warning).bool(m == s.in.Follow)
	for k := range f.glyphs {
		h = h.int(int(f.glyphs[k])).bool(f.again[k])
	}
	if s.memo.known(n, h) {
		return
	}
	p := &s.pen
	id := identify(s.run.Log, m)
	width := l.rowWidth()
	p.add(`<g class="irow" data-act="follow" data-message="~">`, id.number)
	if m == s.in.Follow {
		p.add(`<rect class="rowon" x="-5" y="-4" width="~" height="24" rx="3"/>`, width+10)
	}
	p.chip(0, 0, l.rowChip, 16, id)
	named := l.rowName && id.name != ""
	if named {
		p.add(`<text class="nm2" x="~" y="12">~</text>`, l.rowChip+6, cut(id.name, s.nameRoom(&f, width)))
	}
	s.drawRowEnd(&f, width, named)
	p.add(`</g>`)
	s.memo.keep(n, p)
}

// nameRoom is how many letters of a name leave a gap to what ends the row.
func (s *Stage) nameRoom(f *rowFacts, width float64) int {
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
	return max(2, int((width-s.lay.rowChip-6-gap-end)/(letter-.3)))
}

func (s *Stage) drawRowEnd(f *rowFacts, width float64, named bool) {
	p := &s.pen
	left, anchor := width, "end"
	beside := s.lay.rowColumns > 1 && !s.lay.rowName // right of the chip
	if beside {
		left, anchor = s.lay.rowChip+6, ""
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
	if named || s.lay.rowColumns > 1 {
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
		p.glyph(s.deeds[f.glyphs[k]-1].glyph, x, 0, 16, class)
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

// drawLatest draws the newest orders when not every one has a row: each that
// begins takes the place of the oldest, so that no row moves.
func (s *Stage) drawLatest() {
	l := s.lay
	most := l.rowCount - 1
	begun := sort.Search(len(s.outsideAt), func(k int) bool { return int(s.outsideAt[k]) >= s.st.Events })
	for k := max(0, begun-most); k < begun; k++ {
		s.drawRow(k%most, s.outside[k])
	}
	total := 0
	for t := range s.st.Targets {
		total += s.st.Targets[t].Effects
	}
	total = max(0, total-s.pending(send))
	at := l.rowPlace(most)
	if begun == 0 {
		at = l.rowPlace(0)
	}
	n := s.frame.add(keyOf(kInbox, 0), zInbox).at(at.x, at.y)
	if s.memo.known(n, hashStart.int(total)) {
		return
	}
	text := "nothing yet"
	if total > 0 {
		d := s.mainDeed
		text = grouped(total) + " " + d.many
		if total == 1 {
			text = "1 " + d.one
		}
		if s.lay.rowColumns == 1 {
			text += " in all"
		}
	}
	s.pen.caption("cap strong", "", 0, 14, text)
	s.memo.keep(n, &s.pen)
}

// findOutside lists the messages in the order in which something was first
// done for them outside, with the events that began it.
func (s *Stage) findOutside() {
	log := s.run.Log
	seen := make([]bool, log.MessageCount())
	for i := range log.Len() {
		e := log.Event(i)
		if e.Message < 0 || seen[e.Message] || e.Kind != event.Effect && (e.Kind != event.CallStarted || !log.Targets[e.Arg].Effect) {
			continue
		}
		seen[e.Message] = true
		s.outside, s.outsideAt = append(s.outside, e.Message), append(s.outsideAt, int32(i))
	}
}

// outsideRow is the row of message m among the latest, or -1.
func (s *Stage) outsideRow(m event.MessageRef) int {
	most := s.lay.rowCount - 1
	begun := sort.Search(len(s.outsideAt), func(k int) bool { return int(s.outsideAt[k]) >= s.st.Events })
	for k := begun - 1; k >= max(0, begun-most); k-- {
		if s.outside[k] == m {
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
	d := s.deeds[r.Target]
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
	if s.size == Tall {
		top, gap, left = 9, 25, 150 // beside the rest
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
func (s *Stage) drawNote(empty bool) {
	l := s.lay
	if l.noteW == 0 {
		return
	}
	n := s.frame.add(keyOf(kNote, 0), zInbox).at(l.note.x, l.note.y)
	if s.memo.known(n, hashStart.bool(empty)) {
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
