package scene

import (
	"math"
	"unicode/utf8"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/story"
)

// This file draws single things: paper, steel, people. None knows where it
// stands or why.

// body is the shape of a ticket in one size: every place on it, from its top
// left corner.
type body struct {
	w, h               float64
	bandY, bandH       float64
	number, numberY    float64 // font size, baseline
	name, nameY        float64 // 0: no room for the name
	pipY, pipR, pipGap float64
	tooth              float64
	hole, holeY        float64
}

var (
	mediumBody = body{w: 54, h: 82, bandY: 16, bandH: 12, number: 17, numberY: 48, name: 11, nameY: 61, pipY: 72, pipR: 3.4, pipGap: 11, tooth: 3, hole: 3, holeY: 8}
	smallBody  = body{w: 44, h: 64, bandY: 14, bandH: 10, number: 14.5, numberY: 40, pipY: 51, pipR: 3, pipGap: 10, tooth: 3, hole: 2.6, holeY: 7}
)

// chipBody is a ticket where there is no room for more than its number.
var chipBody = body{w: 40, h: 16, bandY: 4, bandH: 8, number: 11.5}

// paper is the outline of a ticket: straight above, torn below, and a hole
// for the rail's ball when asked for.
func (b *body) paper(hole bool) raw {
	var p pen
	teeth := math.Round(b.w / (b.tooth * 2))
	half := b.w / teeth / 2
	p.add("M0 1.5Q0 0 1.5 0H~Q~ 0 ~ 1.5V~", b.w-1.5, b.w, b.w, b.h-b.tooth)
	for range int(teeth) {
		p.add("l~ ~l~ ~", -half, b.tooth, -half, -b.tooth)
	}
	p.add("Z")
	if hole {
		p.add("M~ ~a~ ~ 0 1 0 ~ 0a~ ~ 0 1 0 ~ 0Z", b.w/2-b.hole, b.holeY, b.hole, b.hole, b.hole*2, b.hole, b.hole, -b.hole*2)
	}
	return raw(p.b)
}

// identity is what makes a message recognisable for life: number, hue and
// pattern, and a person's name when its body has one.
type identity struct {
	number  string
	name    string
	hue     int
	pattern int
}

// identify gives message m its identity. n counts from the first id, so that
// neighbours differ; 64 pairs pass before one comes again.
func identify(log *event.Log, m event.MessageRef) identity {
	msg := log.Message(m)
	n := int64(m)
	if first := log.Message(0); msg.ID.Text == "" && first.ID.Text == "" && msg.ID.Number >= first.ID.Number {
		n = msg.ID.Number - first.ID.Number
	}
	return identity{
		number:  msg.ID.String(),
		name:    cut(story.NameOf(&msg), 8),
		hue:     int(n % 8),
		pattern: int((n + 3*(n/8)) % 8),
	}
}

// look is what of a ticket's state shows on its face.
type look struct {
	tries  int
	max    int // 0: no limit
	failed bool
	follow bool
	ghost  bool
	stamp  string
	tone   string // class of the stamp
	low    bool   // the stamp sits on the torn edge: the rail covers the head
}

func (l look) hash(h hash) hash {
	return h.int(l.tries).int(l.max).bool(l.failed).bool(l.follow).bool(l.ghost).str(l.stamp).str(l.tone).bool(l.low)
}

// ticket draws a ticket around its centre.
func (p *pen) ticket(b *body, id identity, l look) {
	p.add(`<g transform="translate(~ ~)">`, -b.w/2, -b.h/2)
	defer p.add(`</g>`)
	if b == &chipBody {
		p.chipTicket(id, l)
		return
	}
	if l.ghost {
		p.add(`<g class="ghost"><path d="~"/>`, b.paper(true))
		p.number(b, id.number, "gnum", b.numberY)
		p.add(`</g>`)
		return
	}
	if l.follow {
		p.add(`<rect class="halo" x="-4" y="-4" width="~" height="~" rx="4"/>`, b.w+8, b.h+8)
	}
	d := b.paper(true)
	p.add(`<path class="shade" transform="translate(1 2.5)" d="~"/><path class="pap" d="~" fill-rule="evenodd"/>`, d, d)
	p.band(id, 0.5, b.bandY, b.w-1, b.bandH)
	named := b.name > 0 && id.name != ""
	y := b.numberY
	if b.name > 0 && !named {
		y += 4
	}
	p.number(b, id.number, "num", y)
	if named {
		p.add(`<text class="nm" x="~" y="~" font-size="~">~ </text>`, b.w/2, b.nameY, b.name, id.name)
	}
	p.pips(b, l)
	if l.stamp != "" {
		y := -b.number * .43
		if l.low {
			y = b.h - b.number*.75
		}
		p.stamp(b, l.stamp, l.tone, y)
	}
}

// chipTicket draws a ticket as a small paper: tries show as dots below.
func (p *pen) chipTicket(id identity, l look) {
	b := &chipBody
	if l.follow {
		p.add(`<rect class="halo" x="-3" y="-3" width="~" height="~" rx="3"/>`, b.w+6, b.h+6)
	}
	p.chip(0, 0, b.w, b.h, id)
	if l.failed {
		p.add(`<path class="pipx" d="M~ 2.5l5 5m0 -5l-5 5"/>`, b.w-7.5)
	} else if l.tries > 1 {
		p.add(`<path class="again" d="M~ .5v~"/>`, b.w-1.5, b.h-1)
	}
}

// number writes a ticket's number as large as it fits.
func (p *pen) number(b *body, number, class string, y float64) {
	size := b.number
	if n := utf8.RuneCountInString(number); n > 4 {
		size = max(11, (b.w-6)/float64(n)/0.6)
		number = cut(number, int((b.w-4)/(size*0.6)))
	}
	// The space keeps it apart from what follows when the texts are read in a row.
	p.add(`<text class="~" x="~" y="~" font-size="~">~ </text>`, class, b.w/2, y, size, number)
}

// band is the coloured strip of a ticket.
func (p *pen) band(id identity, x, y, w, h float64) {
	p.add(`<rect class="h~" x="~" y="~" width="~" height="~"/>`, id.hue, x, y, w, h)
	if id.pattern > 0 {
		p.add(`<rect fill="url(#s-p~)" x="~" y="~" width="~" height="~"/>`, id.pattern, x, y, w, h)
	}
}

// pips are the tries used out of those there are: discs, or crosses when all
// failed. Above five, a fraction.
func (p *pen) pips(b *body, l look) {
	if text := l.fraction(); text != "" {
		p.add(`<text class="nm" x="~" y="~" font-size="11">~ </text>`, b.w/2, b.pipY+4, text)
		return
	}
	if l.max == 0 && l.tries == 0 {
		return
	}
	count := l.max
	if count == 0 {
		count = l.tries
	}
	r := b.pipR
	x := b.w/2 - float64(count-1)*b.pipGap/2
	for i := range count {
		switch {
		case i < l.tries && l.failed:
			p.add(`<path class="pipx" d="M~ ~l~ ~m0 ~l~ ~"/>`, x-r+.4, b.pipY-r+.4, 2*r-.8, 2*r-.8, -2*r+.8, -2*r+.8, 2*r-.8)
		case i < l.tries:
			p.add(`<circle class="pip on" cx="~" cy="~" r="~"/>`, x, b.pipY, r)
		default:
			p.add(`<circle class="pip" cx="~" cy="~" r="~"/>`, x, b.pipY, r-.6)
		}
		x += b.pipGap
	}
}

// fraction stands for the pips where there would be more than five; else "".
func (l look) fraction() string {
	switch {
	case l.max > 5:
		return itoa(l.tries) + "/" + itoa(l.max)
	case l.max == 0 && l.tries > 5:
		return "try " + itoa(l.tries)
	}
	return ""
}

// stamp sits across a ticket's head or foot, never over band or number.
func (p *pen) stamp(b *body, text, tone string, y float64) {
	w := float64(len(text))*b.number*.42 + 10
	h := b.number * .95
	p.add(`<g class="stamp ~" transform="translate(~ ~) rotate(-5)"><rect width="~" height="~" rx="1.5"/><text x="~" y="~" font-size="~">~</text></g>`,
		tone, (b.w-w)/2+1, y, w, h, w/2, h*.76, max(11, b.number*.68), text)
}

// chip is the small paper that stands for a ticket in lists.
func (p *pen) chip(x, y, w, h float64, id identity) {
	p.add(`<g class="chip" transform="translate(~ ~)"><rect class="pap" width="~" height="~" rx="1.5"/>`, x, y, w, h)
	band, size := 11.0, 11.5
	if n := utf8.RuneCountInString(id.number); n > 4 {
		band, size = 7, 11
	}
	p.band(id, .5, .5, band, h-1)
	p.add(`<text class="num" x="~" y="~" font-size="~">~</text></g>`, (w+band)/2, h/2+4, size, cut(id.number, int((w-band-1)/6.4)))
}

// rail is the steel strip that holds the tickets, with a ball over each.
func (p *pen) rail(w, h, ballR float64, balls []float64) {
	p.add(`<g class="rail"><rect class="railshade" y="~" width="~" height="5"/><rect width="~" height="~" rx="2" fill="url(#s-steel)" class="steel-edge"/><path class="railline" d="M2 ~H~"/>`,
		h-1, w, w, h, h*.36, w-2)
	for _, x := range balls {
		p.add(`<circle class="ball" cx="~" cy="~" r="~"/>`, x, h/2+.5, ballR)
	}
	p.add(`<circle class="bolt" cx="7" cy="~" r="2"/><circle class="bolt" cx="~" cy="~" r="2"/></g>`, h/2, w-7, h/2)
}

// badge is a worker: a circle with a letter, around its centre.
func (p *pen) badge(r float64, who person, down bool) {
	class := "badge " + who.class
	if down {
		class += " down"
	}
	if who.second {
		h := r * .93
		p.add(`<g class="~"><rect class="second" x="~" y="~" width="~" height="~" rx="2.5"/>`, class, -h, -h, 2*h, 2*h)
	} else {
		p.add(`<g class="~"><circle r="~"/>`, class, r)
	}
	size := r * 1.08
	if len(who.letter) > 1 {
		size = r * .95
	}
	p.add(`<text y="~" font-size="~">~</text></g>`, r*.36, size, who.letter)
}

// person is how a worker is told from the others.
type person struct {
	letter string
	class  string // w-a to w-d
	second bool   // the second time round the colours: a square
}

func personOf(w int) person {
	p := person{class: "w-" + string(rune('a'+w%4)), second: w/4%2 == 1}
	if w < 26 {
		p.letter = string(rune('A' + w))
	} else {
		p.letter = itoa(w + 1)
	}
	return p
}

// spike is the done spike around the centre of its foot: ids are the newest
// sheets, the newest last.
func (p *pen) spike(ids []identity, step, w, over float64, onlyTop bool) {
	n := float64(len(ids))
	top := -min(16+n*step+over, sheetsShown*step+26)
	p.add(`<g class="spike"><ellipse class="shadow" cy="3" rx="~" ry="7"/><ellipse rx="~" ry="7" fill="url(#s-steel)" class="steel-edge"/><ellipse class="lip" cy="-2" rx="~" ry="4"/><path class="needle" d="M0 -3V~"/>`,
		w*.62, w*.55, w*.4, top)
	for i, id := range ids {
		dx, dy, tilt := sheetPlace(i, step)
		p.add(`<g transform="translate(~ ~) rotate(~)">`, dx, dy, tilt)
		p.sheet(w, id, !onlyTop || i == len(ids)-1)
		p.add(`</g>`)
	}
	tip := -3.0
	if n > 0 {
		tip = -14 - (n-1)*step - 2
	}
	p.add(`<path class="needle" d="M0 ~V~"/><path class="needletip" d="M-1.3 ~L0 ~L1.3 ~z"/></g>`, tip, top+4, top+5, top-3, top+5)
}

// sheetPlace is where sheet i of a spike lies, from the foot.
func sheetPlace(i int, step float64) (x, y, tilt float64) {
	tilts := [...]float64{-3, 2, -1.5, 3.5, -2.5, 1.5, -1}
	shifts := [...]float64{3, -4, 1, -2, 4, -3, 0}
	return shifts[i%7], -14 - float64(i)*step, tilts[i%7]
}

// sheet is a ticket seen from its edge, on the spike.
func (p *pen) sheet(w float64, id identity, numbered bool) {
	half := w / 2
	p.add(`<path class="shade" d="M~ 7.5h~l-8 -11h~z"/><path class="pap" d="M~ 5h~l-8 -12h~z"/><path class="h~" d="M~ 4.6h9l6.6-11h-8.6z"/>`,
		-half+1, w, -w+16, -half, w, -w+16, id.hue, -half+.6)
	if id.pattern > 0 {
		p.add(`<path fill="url(#s-p~)" d="M~ 4.6h9l6.6-11h-8.6z"/>`, id.pattern, -half+.6)
	}
	if numbered {
		p.add(`<text class="num" x="8" y="3" font-size="11">~</text>`, cut(id.number, 5))
	}
}

// trayBack and trayFront hold the dead letters between them; the origin is
// the left end of the lip.
func (p *pen) trayBack(w float64) {
	p.add(`<path class="trayback" d="M8 -10h~l8 10H0z"/>`, w-16)
}

func (p *pen) trayFront(w, h float64) {
	p.add(`<g class="tray"><ellipse class="shadow" cx="~" cy="~" rx="~" ry="5"/><path d="M0 0l8 ~h~l8 ~" fill="url(#s-steel)" class="steel-edge"/><path class="traylip" d="M-5 0h~"/></g>`,
		w/2, h+3, w*.5, h, w-16, -h, w+10)
}

// glyph places a symbol of the sprite.
func (p *pen) glyph(name string, x, y, size float64, class string) {
	p.add(`<use href="#s-~" x="~" y="~" width="~" height="~" class="~"/>`, name, x, y, size, size, class)
}

// caption is a line of small text.
func (p *pen) caption(class, anchor string, x, y float64, text string) {
	p.add(`<text class="~" x="~" y="~"`, class, x, y)
	if anchor != "" {
		p.add(` text-anchor="~"`, anchor)
	}
	p.add(`>~</text>`, text)
}

// heading names a place, with the technical term beside it.
func (p *pen) heading(x, y float64, word Word) {
	p.add(`<text class="zh" x="~" y="~">~`, x, y, word.Name)
	if word.Term != "" && word.Term != word.Name {
		p.add(` <tspan class="zt" dx="3">~</tspan>`, word.Term)
	}
	p.add(`</text>`)
}

// bigStamp is the stamp of a station: CRASHED, RAISED, TOO LATE.
func (p *pen) bigStamp(text string, w, h, size float64) {
	p.add(`<g class="stamp big"><rect x="~" y="~" width="~" height="~" rx="2"/><text y="~" font-size="~">~</text></g>`, -w/2, -h/2, w, h, size*.36, size, text)
}

// name is what a row of a board is called.
func (p *pen) name(x, y float64, text string) {
	p.add(`<text class="rn" x="~" y="~">~</text>`, x, y, text)
}

// wire is a way that messages can take.
func (p *pen) wire(w *wire) {
	p.add(`<path class="wire ~" d="`, w.class)
	p.b = appendCorners(p.b, w.points)
	p.add(`"/>`)
}

// appendCorners writes a line with rounded corners as the value of a d
// attribute.
func appendCorners(b []byte, points []point) []byte {
	for i, q := range points {
		if i == 0 || i == len(points)-1 {
			b = append(b, "ML"[min(i, 1)])
			b = appendNumber(b, q.x)
			b = append(b, ' ')
			b = appendNumber(b, q.y)
			continue
		}
		in, out := toward(q, points[i-1], 6), toward(q, points[i+1], 6)
		b = append(b, 'L')
		for k, c := range [...]float64{in.x, in.y, q.x, q.y, out.x, out.y} {
			if k == 2 {
				b = append(b, 'Q')
			} else if k > 0 {
				b = append(b, ' ')
			}
			b = appendNumber(b, c)
		}
	}
	return b
}

// toward is the point that is d away from a on the way to b, or half-way where
// that is nearer.
func toward(a, b point, d float64) point {
	dx, dy := b.x-a.x, b.y-a.y
	length := math.Hypot(dx, dy)
	if length == 0 {
		return a
	}
	t := min(d/length, .5)
	return point{a.x + dx*t, a.y + dy*t}
}

// hub is a topic: a bar to which a message comes and from which its copies
// go.
func (p *pen) hub(h *hub) {
	p.add(`<g class="hub"><title>topic ~</title><rect x="~" y="~" width="6" height="~" rx="3" fill="url(#s-steel)" class="steel-edge"/>`, h.name, h.x-3, h.top, h.bottom-h.top)
	p.add(`<text class="zt" transform="translate(~ ~) rotate(-90)" text-anchor="middle">~</text></g>`,
		h.x-7, (h.top+h.bottom)/2, fit(h.name, monoFont, termSize, h.bottom-h.top))
}

// smallPad is a pad of orders where there is little room, around its centre.
func (p *pen) smallPad(more bool, next func() identity) {
	p.add(`<g class="pad"><rect class="pap two" x="-18" y="-6" width="40" height="16" rx="1.5"/><rect class="pap two" x="-20" y="-8" width="40" height="16" rx="1.5"/>`)
	if more {
		id := next()
		p.add(`<text class="num dim" y="4" font-size="11.5">~ </text>`, cut(id.number, 5))
	}
	p.add(`<rect class="padtop" x="-22" y="-11" width="44" height="6" rx="2" fill="url(#s-steel)"/></g>`)
}
