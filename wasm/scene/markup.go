package scene

// Markup writes a frame as a whole <svg>. Each node carries its key and the
// signature of its content, so that web/paint.js can take the drawing over
// without drawing it again. The definitions of Sprite must be on the page.
func Markup(f *Frame) string {
	p := pen{b: make([]byte, 0, 1<<15)}
	p.add(`<svg class="stage-svg" viewBox="0 0 ~ ~" width="~" height="~" data-size="~" role="group" aria-label="~">`,
		f.Width, f.Height, f.Width, f.Height, f.Size.String(), f.Label)
	for i := range f.Nodes {
		f.Nodes[i].write(&p)
	}
	p.add(`</svg>`)
	return string(p.b)
}

func (n *Node) write(p *pen) {
	p.add(`<g data-k="~" data-s="~"`, n.Key.String(), base36(n.Sig))
	if n.Class != "" {
		p.add(` class="~"`, n.Class)
	}
	q := quantize(n)
	if q.x != 0 || q.y != 0 || q.rot != 0 || q.scale != 1000 {
		p.b = append(p.b, ` transform="`...)
		p.b = q.appendTransform(p.b)
		p.b = append(p.b, '"')
	}
	if q.opacity != 100 {
		p.add(` opacity="~"`, float64(q.opacity)/100)
	}
	p.b = append(p.b, '>')
	p.b = appendFilled(p.b, n, q)
	p.add(`</g>`)
}

// appendFilled writes the markup of n with its dash and text in their slots.
func appendFilled(b []byte, n *Node, q quantum) []byte {
	m := n.Markup
	if n.HasDash {
		if head, tail, ok := cutAt(m, ` data-d=""`); ok {
			b = append(b, head...)
			b = append(b, ` data-d="" stroke-dasharray="`...)
			b = appendHundredths(b, int64(q.dash)*10)
			b = append(b, ` 999"`...)
			m = tail
		}
	}
	if n.Text.n > 0 {
		if head, tail, ok := cutAt(m, ` data-t=""`); ok {
			b = append(b, head...)
			b = append(b, ` data-t=""`...)
			for i := range tail {
				b = append(b, tail[i])
				if tail[i] == '>' {
					b = appendEscaped(b, n.Text.String())
					m = tail[i+1:]
					break
				}
			}
		}
	}
	return append(b, m...)
}

func cutAt(s, sep string) (head, tail string, found bool) {
	for i := 0; i+len(sep) <= len(s); i++ {
		if s[i:i+len(sep)] == sep {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

func base36(v uint32) string { return Key(v).String() }

// quantum is what of a node's dynamic values is sent: whole hundredths of a
// unit, so that a change too small to be seen is no change.
type quantum struct {
	x, y    int32 // 1/100
	rot     int32 // 1/100 degree
	scale   int32 // 1/1000
	opacity int32 // 1/100
	dash    int32 // 1/10, in steps of a half: a ring drains every frame
}

func quantize(n *Node) quantum {
	return quantum{
		round(n.X * 100), round(n.Y * 100), round(n.Rot * 100),
		round(n.Scale * 1000), round(n.Opacity * 100), 5 * round(n.Dash*2),
	}
}

func round(v float32) int32 {
	if v < 0 {
		return -int32(-v + .5)
	}
	return int32(v + .5)
}

func (q quantum) appendTransform(b []byte) []byte {
	b = append(b, "translate("...)
	b = appendHundredths(b, int64(q.x))
	b = append(b, ' ')
	b = appendHundredths(b, int64(q.y))
	b = append(b, ')')
	if q.rot != 0 {
		b = append(b, " rotate("...)
		b = appendHundredths(b, int64(q.rot))
		b = append(b, ')')
	}
	if q.scale != 1000 {
		b = append(b, " scale("...)
		b = appendThousandths(b, int64(q.scale))
		b = append(b, ')')
	}
	return b
}

func appendThousandths(b []byte, n int64) []byte {
	if n%10 == 0 {
		return appendHundredths(b, n/10)
	}
	b = appendInt(b, n/1000)
	r := n % 1000
	return append(b, '.', byte('0'+r/100), byte('0'+r/10%10), byte('0'+r%10))
}
