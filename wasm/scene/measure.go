package scene

import "unicode/utf8"

// font is one of the three families of the stage.
type font uint8

const (
	uiFont   font = iota // captions
	boldFont             // strong captions and the names of rows
	headFont             // headings: bold and condensed
	monoFont
)

// widths are those of Helvetica and its like, from the space to the tilde, in
// thousandths of the size.
var widths = [...]uint16{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

// widthOf is about how wide a text is. Readers have other fonts than we do, so
// it is a little more than in any common one.
func widthOf(text string, f font, size float64) float64 {
	if f == monoFont {
		return float64(utf8.RuneCountInString(text)) * .605 * size
	}
	sum := 0
	for _, r := range text {
		w := 600
		if r >= ' ' && r <= '~' {
			w = int(widths[r-' '])
		} else if r > 0x2e80 {
			w = 1000
		}
		sum += w
	}
	factor := 1.03
	switch f {
	case boldFont:
		factor = 1.11
	case headFont:
		factor = .93
	}
	return float64(sum) / 1000 * factor * size
}

// fit shortens a text until it is no wider than room, the last letter an
// ellipsis.
func fit(text string, f font, size, room float64) string {
	if widthOf(text, f, size) <= room {
		return text
	}
	for n := utf8.RuneCountInString(text) - 1; n > 1; n-- {
		if short := cut(text, n); widthOf(short, f, size) <= room {
			return short
		}
	}
	return "…"
}
