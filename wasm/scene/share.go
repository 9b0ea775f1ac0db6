package scene

import "github.com/ticketrail/ticketrail/core/event"

// What the other drawings of a run, charts and lanes, share with the stage.

// Pen writes markup; see pen.
type Pen = pen

// Raw is markup that is already escaped.
type Raw = raw

// Add writes markup in which each ~ stands for the next argument.
func (p *pen) Add(format string, args ...any) { p.add(format, args...) }

// Glyph places a symbol of the sprite.
func (p *pen) Glyph(name string, x, y, size float64, class string) { p.glyph(name, x, y, size, class) }

// String returns what has been written.
func (p *pen) String() string { return string(p.b) }

// Identity is what makes a message recognisable: its number, the person that
// it is about or "", and one of eight hues and patterns.
type Identity struct {
	Number, Name string
	Hue, Pattern int
}

// Identify returns the identity of a message.
func Identify(log *event.Log, m event.MessageRef) Identity {
	id := identify(log, m)
	return Identity{id.number, id.name, id.hue, id.pattern}
}

// EffectGlyph returns the symbol of the side effects of a service or table,
// and what one of them is called.
func EffectGlyph(t event.Target) (glyph, name string) {
	d := deedOf(t.Name, t.Table)
	return d.glyph, d.one
}

// Worker returns the letter and the class of the colour of a worker's badge.
func Worker(w event.WorkerRef) (letter, class string) {
	p := personOf(int(w))
	return p.letter, p.class
}
