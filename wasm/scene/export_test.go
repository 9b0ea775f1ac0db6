package scene

// What tests of the drawing need to know of it.

// Typeface is what the style sheet makes of a class.
type Typeface struct {
	Font   font
	Size   float64
	Anchor string
}

// faces are the classes of web/css/stage.css that set a font.
var faces = map[string]Typeface{
	"cap": {uiFont, 12, ""}, "zh": {headFont, 15, ""}, "zt": {monoFont, 11, ""}, "rn": {boldFont, 13, ""},
	"nm2": {uiFont, 12, ""}, "wn": {boldFont, 13, ""}, "lt": {monoFont, 12, ""}, "ll": {monoFont, 11, "middle"},
	"cn": {monoFont, 11, "end"}, "nowh": {headFont, 19, ""}, "nowt": {monoFont, 11, ""}, "dupn": {headFont, 46, ""},
	"big-n": {headFont, 20, ""}, "num": {monoFont, 14, "middle"}, "gnum": {monoFont, 14, "middle"}, "nm": {uiFont, 11, "middle"},
	"fullchip": {boldFont, 12, ""}, "badge": {boldFont, 11, "middle"}, "ring": {monoFont, 11.5, "middle"}, "stamp": {headFont, 12, "middle"},
}

var smaller = map[string]float64{"cap": 11.3, "lt": 11.3, "zt": 11.3, "ll": 11.3, "cn": 11.3, "nowt": 11.3}

// FaceOf is the typeface of an element of some classes inside another.
func FaceOf(classes, size string, outer Typeface) Typeface {
	face := outer
	start := 0
	for i := 0; i <= len(classes); i++ {
		if i < len(classes) && classes[i] != ' ' {
			continue
		}
		class := classes[start:i]
		start = i + 1
		if f, ok := faces[class]; ok {
			face = f
			if s, ok := smaller[class]; ok && size != "m" {
				face.Size = s
			}
			if class == "nowh" && size == "t" {
				face.Size = phoneNowSize
			}
		}
		switch class {
		case "strong":
			face.Font = boldFont
		case "less":
			face.Size = 15
		}
	}
	return face
}

// TextWidth is about how wide a text is.
func TextWidth(text string, f Typeface) float64 { return widthOf(text, f.Font, f.Size) }

// Caption is what the stage says of event i, in one line.
func (s *Stage) Caption(i int) string {
	first, second := s.caption(i)
	return first + " " + second
}
