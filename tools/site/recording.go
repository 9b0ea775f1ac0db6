package site

import (
	"fmt"
	"strings"

	"github.com/ticketrail/ticketrail/wasm/scene"
	"github.com/ticketrail/ticketrail/wasm/view"
)

// record writes the recordings of a page's first run into a folder of the site,
// and returns their addresses from its root, by the sizes of the stage.
func (b *builder) record(folder string, built view.Built) (map[string]string, error) {
	runs := map[string]string{}
	for _, size := range []scene.Size{scene.Wide, scene.Compact, scene.Tall} {
		name := fmt.Sprintf("%srun_%s.js", folder, size)
		if known, ok := b.runs[name]; ok { // an embedded page plays that of the lesson's own
			runs[size.String()] = known
			continue
		}
		encoded, err := built.Encode()
		if err != nil {
			return nil, err
		}
		recording, err := view.Record(encoded, size)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if err := b.hashed(name, asScript(recording)); err != nil {
			return nil, err
		}
		runs[size.String()], b.runs[name] = b.names[name], b.names[name]
	}
	return runs, nil
}

// asScript is a script that hands bytes to recorded.js, each as one letter of
// the same number: every server sends it packed, which it may not do with
// files of a kind that it does not know.
func asScript(data []byte) []byte {
	var out strings.Builder
	out.WriteString("ticketrail.recording(\"")
	for _, b := range data {
		switch b {
		case 0, '\n', '\r':
			fmt.Fprintf(&out, "\\x%02x", b)
		case '"', '\\':
			out.WriteByte('\\')
			out.WriteByte(b)
		default:
			out.WriteRune(rune(b))
		}
	}
	out.WriteString("\");\n")
	return []byte(out.String())
}
