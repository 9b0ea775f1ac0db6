package scene

import "encoding/binary"

// The buffer that Differ makes and web/paint.js reads: a version byte, then
// operations until the end, all numbers little-endian. Text is a uint32
// length and UTF-8.
//
//	begin                       forget what is not created before end
//	end                         remove what begin found and nobody claimed
//	size    u16 w, u16 h, text  the viewBox, and the value of data-size
//	label   text                aria-label of the drawing
//	create  key, key before, u32 signature
//	                            a new <g> before another (0: last); one that
//	                            a poster left with this key is taken over
//	remove  key
//	move    key, key before
//	markup  key, u32 signature, text
//	                            the inside; nothing to do when the element
//	                            has this signature already
//	place   key, i32 x, i32 y   1/100 of a unit
//	turn    key, i32 x, i32 y, i32 rot, u32 scale
//	                            1/100 of a degree, 1/1000
//	fade    key, u8             opacity in 1/100
//	class   key, text
//	dash    key, u16            1/10 of a unit, of the element marked data-d
//	text    key, text           of the element marked data-t
const (
	opBegin byte = 1 + iota
	opEnd
	opSize
	opLabel
	opCreate
	opRemove
	opMove
	opMarkup
	opPlace
	opTurn
	opFade
	opClass
	opDash
	opText
)

// Version is the first byte of every buffer.
const Version = 1

// Differ turns frames into buffers of what changed since the one before. The
// zero Differ starts with everything; Reset starts over.
type Differ struct {
	buf   []byte
	old   []sent
	next  []sent
	index map[Key]int32 // into old, made only when the set or order changed
	stay  []int32
	tails []int32
	prev  []int32

	width, height int
	label         string
	started       bool
}

// sent is what the page has of a node.
type sent struct {
	key    Key
	sig    uint32
	class  string
	q      quantum
	text   Label
	keep   bool // it stays where it is among the elements
	exists bool
}

// Reset forgets the page: the next Diff sends everything.
func (d *Differ) Reset() { d.started = false }

// Diff returns what paint.js has to do to show f. The buffer is valid until
// the next call.
func (d *Differ) Diff(f *Frame) []byte {
	d.buf = append(d.buf[:0], Version)
	first := !d.started
	if first {
		d.started = true
		d.old = d.old[:0]
		d.width, d.label = 0, ""
		d.buf = append(d.buf, opBegin)
	}
	d.head(f)
	d.next = d.next[:0]
	if d.sameKeys(f) {
		for i := range f.Nodes {
			n := &f.Nodes[i]
			d.next = append(d.next, d.change(n, &d.old[i], false))
		}
	} else {
		d.rearrange(f)
	}
	d.old, d.next = d.next, d.old
	if first {
		d.buf = append(d.buf, opEnd)
	}
	if len(d.buf) == 1 {
		return nil
	}
	return d.buf
}

func (d *Differ) head(f *Frame) {
	if f.Width != d.width || f.Height != d.height {
		d.width, d.height = f.Width, f.Height
		d.buf = append(d.buf, opSize)
		d.buf = binary.LittleEndian.AppendUint16(d.buf, uint16(f.Width))
		d.buf = binary.LittleEndian.AppendUint16(d.buf, uint16(f.Height))
		d.text(f.Size.String())
	}
	if f.Label != d.label {
		d.label = f.Label
		d.buf = append(d.buf, opLabel)
		d.text(f.Label)
	}
}

func (d *Differ) sameKeys(f *Frame) bool {
	if len(f.Nodes) != len(d.old) {
		return false
	}
	for i := range f.Nodes {
		if f.Nodes[i].Key != d.old[i].key {
			return false
		}
	}
	return true
}

// rearrange handles frames whose nodes or order differ: what left is removed,
// the longest run of nodes still in order stays, the others are put in place
// from the last to the first, so that "before" is always there already.
func (d *Differ) rearrange(f *Frame) {
	if d.index == nil {
		d.index = make(map[Key]int32, 256)
	}
	clear(d.index)
	for i := range d.old {
		d.old[i].keep = false
		d.index[d.old[i].key] = int32(i)
	}
	for range f.Nodes {
		d.next = append(d.next, sent{})
	}
	for i := range f.Nodes {
		if k, ok := d.index[f.Nodes[i].Key]; ok {
			d.old[k].exists = true
			d.next[i] = d.old[k]
		}
	}
	d.removeGone(f)
	d.markStaying(f)
	before := Key(0)
	for i := len(f.Nodes) - 1; i >= 0; i-- {
		n := &f.Nodes[i]
		was := d.next[i]
		switch {
		case !was.exists:
			d.op(opCreate, n.Key)
			d.u32(uint32(before))
			d.u32(n.Sig)
		case !was.keep:
			d.op(opMove, n.Key)
			d.u32(uint32(before))
		}
		d.next[i] = d.change(n, &was, !was.exists)
		before = n.Key
	}
}

func (d *Differ) removeGone(f *Frame) {
	for i := range f.Nodes {
		delete(d.index, f.Nodes[i].Key)
	}
	if len(d.index) == 0 {
		return
	}
	for i := range d.old {
		if _, gone := d.index[d.old[i].key]; gone {
			d.op(opRemove, d.old[i].key)
		}
	}
}

// markStaying finds the longest increasing subsequence of old places.
func (d *Differ) markStaying(f *Frame) {
	clear(d.index)
	for i := range d.old {
		d.index[d.old[i].key] = int32(i)
	}
	d.tails, d.prev, d.stay = d.tails[:0], d.prev[:0], d.stay[:0]
	for i := range d.next {
		d.prev = append(d.prev, -1)
		place := int32(-1)
		if d.next[i].exists {
			place = d.index[f.Nodes[i].Key]
		}
		d.stay = append(d.stay, place)
		if place < 0 {
			continue
		}
		low, high := 0, len(d.tails)
		for low < high {
			mid := (low + high) / 2
			if d.stay[d.tails[mid]] < place {
				low = mid + 1
			} else {
				high = mid
			}
		}
		if low > 0 {
			d.prev[i] = d.tails[low-1]
		}
		if low == len(d.tails) {
			d.tails = append(d.tails, int32(i))
		} else {
			d.tails[low] = int32(i)
		}
	}
	if len(d.tails) == 0 {
		return
	}
	for i := d.tails[len(d.tails)-1]; i >= 0; i = d.prev[i] {
		d.next[i].keep = true
	}
}

// change sends what differs between a node and what the page has of it.
func (d *Differ) change(n *Node, was *sent, fresh bool) sent {
	now := sent{key: n.Key, sig: n.Sig, class: n.Class, q: quantize(n), text: n.Text}
	if fresh || n.Sig != was.sig {
		d.op(opMarkup, n.Key)
		d.u32(n.Sig)
		d.text(n.Markup)
		was.text, was.q.dash = Label{}, -1
	}
	if fresh {
		was.q = quantum{scale: 1000, opacity: 100, dash: -1}
		was.class = ""
		if now.q.rot == 0 && now.q.scale == 1000 {
			was.q.x = now.q.x + 1 // sent in any case: a poster may have another
		}
	}
	d.transform(n.Key, &now.q, &was.q)
	if now.q.opacity != was.q.opacity || fresh {
		d.op(opFade, n.Key)
		d.buf = append(d.buf, byte(max(0, min(100, now.q.opacity))))
	}
	if now.class != was.class || fresh {
		d.op(opClass, n.Key)
		d.text(n.Class)
	}
	if n.HasDash && now.q.dash != was.q.dash {
		d.op(opDash, n.Key)
		d.buf = binary.LittleEndian.AppendUint16(d.buf, uint16(max(0, now.q.dash)))
	}
	if now.text != was.text {
		d.op(opText, n.Key)
		d.u32(uint32(n.Text.n))
		d.buf = append(d.buf, n.Text.b[:n.Text.n]...)
	}
	return now
}

func (d *Differ) transform(k Key, now, was *quantum) {
	switch {
	case now.x == was.x && now.y == was.y && now.rot == was.rot && now.scale == was.scale:
	case now.rot == 0 && now.scale == 1000:
		d.op(opPlace, k)
		d.u32(uint32(now.x))
		d.u32(uint32(now.y))
	default:
		d.op(opTurn, k)
		d.u32(uint32(now.x))
		d.u32(uint32(now.y))
		d.u32(uint32(now.rot))
		d.u32(uint32(now.scale))
	}
}

func (d *Differ) op(op byte, k Key) {
	d.buf = append(d.buf, op)
	d.u32(uint32(k))
}

func (d *Differ) u32(v uint32) { d.buf = binary.LittleEndian.AppendUint32(d.buf, v) }

func (d *Differ) text(s string) {
	d.u32(uint32(len(s)))
	d.buf = append(d.buf, s...)
}
