package scene

import (
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/replay"
)

// The painting order.
const (
	zGround = 10 * iota
	zTrail
	zPad
	zSlots
	zPile
	zRailTicket
	zSteel
	zTrayBack
	zTrayTicket
	zTrayFront
	zSpike
	zStation
	zHeldBehind
	zHeld
	zShelf
	zPerson
	zInbox
	zDoor
	zMover
	zText
)

// drawGround paints what never changes in a run: the two zones, the dashed
// line between them, the names of the places and the ways between them.
func (s *Stage) drawGround() {
	l := s.lay
	n := s.frame.add(keyOf(kBackground, 0), zGround)
	if s.memo.known(n, hashStart) {
		return
	}
	p := &s.pen
	p.add(`<rect class="zone-in" width="~" height="~"/>`, l.w, l.h)
	if l.across {
		p.add(`<rect class="zone-out" y="~" width="~" height="~"/><path class="border-out" d="M0 ~H~"/>`, l.border, l.w, l.h-l.border, l.border, l.w)
	} else {
		p.add(`<rect class="zone-out" x="~" width="~" height="~"/><path class="border-out" d="M~ 0V~"/>`, l.border, l.w-l.border, l.h, l.border, l.h)
	}
	for _, y := range l.rules {
		right := l.border
		if l.across {
			right = l.w
		}
		p.add(`<path class="rowline" d="M0 ~H~"/>`, y, right)
	}
	for i := range l.wires {
		p.wire(&l.wires[i])
	}
	for i := range l.hubs {
		p.hub(&l.hubs[i])
	}
	for i := range l.headings {
		h := &l.headings[i]
		word := h.word
		if h.under && word.Term != "" {
			p.add(`<text class="zt" x="~" y="~">~</text>`, h.at.x, h.at.y+15, word.Term)
			word.Term = "" // no room beside it
		}
		p.heading(h.at.x, h.at.y, word.fit(h.room))
	}
	s.memo.keep(n, p)
}

// sentence says the state in words, for those who do not see the stage.
func (s *Stage) sentence() string {
	c := s.st.Counts
	if s.in.Opening {
		c = replay.Counts{Waiting: s.waitAtFirst(event.NoQueue), Delayed: c.Delayed}
	}
	var b strings.Builder
	b.WriteString("At ")
	b.Write(appendClock(nil, s.in.Now))
	b.WriteString(" seconds: ")
	b.WriteString(itoa(c.Waiting) + " waiting, " + itoa(c.InFlight) + " in flight")
	if c.Delayed > 0 {
		b.WriteString(", " + itoa(c.Delayed) + " delayed")
	}
	b.WriteString(", " + itoa(c.Acked) + " done")
	if len(s.lay.trays) > 0 || c.Dead > 0 {
		b.WriteString(", " + itoa(c.Dead) + " dead")
	}
	if c.Expired+c.Dropped > 0 {
		b.WriteString(", " + itoa(c.Expired+c.Dropped) + " expired or dropped")
	}
	b.WriteString(".")
	if s.in.Opening {
		return b.String()
	}
	for w := range s.st.Workers {
		if k := &s.st.Workers[w]; k.Status == downStatus {
			b.WriteString(" " + s.workerName(event.WorkerRef(w)) + " has crashed.")
		}
	}
	for t := range s.st.Targets {
		if i := s.st.Targets[t].Repeated; i >= 0 {
			e := s.run.Log.Event(int(i))
			r := s.run.Log.Effect(int(e.Arg))
			b.WriteString(" " + itoa(int(r.Nth)) + " " + s.plan.targets[t].deed.many + " for " + s.run.Log.Text(e.Text) + ".")
		}
	}
	return b.String()
}

func (s *Stage) workerName(w event.WorkerRef) string {
	return s.words.Worker + " " + personOf(int(w)).letter
}

// appendClock writes an instant in seconds, to the millisecond.
func appendClock(b []byte, t event.Time) []byte {
	ms := int64(t / event.Millisecond)
	if ms/1000 < 10 {
		b = append(b, '0')
	}
	b = appendInt(b, ms/1000)
	ms %= 1000
	return append(b, '.', byte('0'+ms/100), byte('0'+ms/10%10), byte('0'+ms%10))
}

// appendLeft writes a length of time in at most four characters: seconds with
// as many decimals as fit, then minutes and hours.
func appendLeft(b []byte, t event.Time) []byte {
	t = max(t, 0)
	hundredths := int64((t + 5*event.Millisecond) / (10 * event.Millisecond))
	switch {
	case hundredths < 1000:
		return append(b, byte('0'+hundredths/100), '.', byte('0'+hundredths/10%10), byte('0'+hundredths%10))
	case hundredths < 10000:
		b = appendInt(b, hundredths/100)
		return append(b, '.', byte('0'+hundredths/10%10))
	case hundredths < 60000:
		return appendInt(b, hundredths/100)
	case hundredths < 360000:
		return append(appendInt(b, hundredths/6000), 'm')
	}
	return append(appendInt(b, hundredths/360000), 'h')
}

// appendRoughly is appendLeft in at most three characters.
func appendRoughly(b []byte, t event.Time) []byte {
	tenths := int64((t + 50*event.Millisecond) / (100 * event.Millisecond))
	switch {
	case tenths < 100:
		return append(b, byte('0'+tenths/10), '.', byte('0'+tenths%10))
	case tenths < 10000:
		return appendInt(b, tenths/10)
	}
	return appendLeft(b, t)
}

// appendIn writes "in 0.17 s" after a few words.
func appendIn(b []byte, words string, t event.Time) []byte {
	b = append(b, words...)
	b = append(b, " in "...)
	b = appendLeft(b, t)
	if c := b[len(b)-1]; c >= '0' && c <= '9' {
		b = append(b, " s"...)
	}
	return b
}

func appendInt(b []byte, n int64) []byte {
	if n >= 10 {
		b = appendInt(b, n/10)
	}
	return append(b, byte('0'+n%10))
}

// handlerLines splits a handler's text.
func handlerLines(source string) []string {
	return strings.Split(strings.TrimRight(source, "\n"), "\n")
}
