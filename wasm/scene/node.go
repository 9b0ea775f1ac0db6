package scene

import "strconv"

// Key names a node for as long as it is on the stage. It is also the value of
// the data-k attribute of its element, in base 36.
type Key uint32

// String returns k as it stands in data-k.
func (k Key) String() string { return strconv.FormatUint(uint64(k), 36) }

// kind is what a node is; with a reference it makes a Key.
type kind uint32

const (
	_ kind = iota
	kBackground
	kHeading
	kFull
	kNow
	kFollowing
	kPad
	kPadCount
	kDoorText
	kDoorCount
	kSlots
	kPile
	kPileNote
	kRail
	kRailNote
	kTicket
	kTrail
	kTrailNote
	kManager
	kTrayBack
	kTrayFront
	kTrayText
	kRedrive
	kSpike
	kSpikeText
	kStation
	kShelf
	kShelfLeft
	kShelfRight
	kBadge
	kCrashButton
	kRing
	kRingNote
	kListing
	kLine
	kGhost
	kFlag
	kCrashText
	kCrashCount
	kHeldMore
	kInbox
	kRow
	kPanel
	kNote
	kEnvelope
	kDelayed
	kDelayedCount
	kSheet
	kSend
	kPause
	kEdit
	kAdd
	kRemove
	kPool
	kPoolNote
	kGroup
	kGroupTotal
	kHalo
	kEmpty
)

const refBits = 24

// keyOf makes a Key of a kind and a reference of at most 24 bits.
func keyOf(k kind, ref int) Key { return Key(uint32(k)<<refBits | uint32(ref)&(1<<refBits-1)) }

// Node is one coarse thing on the stage: a <g> with a transform. The origin
// of a movable thing is its centre, so that turning and scaling stay simple.
type Node struct {
	Key   Key
	Layer int32 // painting order, from 0; equal layers keep the order of adding

	X, Y    float32 // in the units of the frame
	Rot     float32 // degrees, clockwise
	Scale   float32
	Opacity float32 // 0 to 1

	Class  string
	Markup string // the inside of the <g>
	Sig    uint32 // equal Sig of one key: equal Markup

	Dash    float32 // length of the arc that remains of the element marked data-d
	HasDash bool
	Text    Label // content of the element marked data-t
}

// Label is a short text that changes while playing, kept without allocation.
type Label struct {
	n byte
	b [31]byte
}

// String returns the text.
func (l *Label) String() string { return string(l.b[:l.n]) }

func (l *Label) set(b []byte) { l.n = byte(copy(l.b[:], b)) }

// Frame is everything on the stage at one instant, in painting order. It
// belongs to its Stage and is overwritten by the next call of Stage.Frame.
type Frame struct {
	Width, Height int
	Size          Size
	Label         string // the state in one sentence, for aria-label
	Nodes         []Node

	drawn []Node   // in the order of drawing
	order []uint32 // layer and index of each
}

// add appends a node at rest at the origin.
func (f *Frame) add(k Key, layer int32) *Node {
	f.drawn = append(f.drawn, Node{Key: k, Layer: layer, Scale: 1, Opacity: 1})
	return &f.drawn[len(f.drawn)-1]
}

func (n *Node) at(x, y float64) *Node {
	n.X, n.Y = float32(x), float32(y)
	return n
}

// sort puts the nodes into painting order, stably. They are almost in order
// already; numbers are sorted, since nodes are large.
func (f *Frame) sort() {
	f.order = f.order[:0]
	for i := range f.drawn {
		v := uint32(f.drawn[i].Layer)<<16 | uint32(i)
		k := len(f.order)
		f.order = append(f.order, v)
		for k > 0 && f.order[k-1] > v {
			f.order[k] = f.order[k-1]
			k--
		}
		f.order[k] = v
	}
	f.Nodes = f.Nodes[:0]
	for _, v := range f.order {
		f.Nodes = append(f.Nodes, f.drawn[v&0xffff])
	}
}

// hash is FNV-1a over whatever a markup depends on.
type hash uint32

const hashStart hash = 2166136261

func (h hash) int(v int) hash {
	for s := 0; s < 64; s += 16 {
		h = (h ^ hash(uint64(v)>>s&0xffff)) * 16777619
	}
	return h
}

func (h hash) str(s string) hash {
	for i := 0; i < len(s); i++ {
		h = (h ^ hash(s[i])) * 16777619
	}
	return (h ^ 0xff) * 16777619
}

func (h hash) bool(v bool) hash {
	if v {
		return h.int(1)
	}
	return h.int(0)
}

// memo keeps the markup of each key, so that a frame in which nothing new
// happened makes no text. It is a cache only: it never changes what is drawn.
type memo struct {
	byKey map[Key]drawn
	of    hash // of the node that is being drawn
}

type drawn struct {
	of     hash   // what it was drawn from, within one Stage
	sig    uint32 // of the markup itself, so that it holds across runs
	markup string
}

// memoLimit bounds the cache: a long run has many tickets.
const memoLimit = 4096

// known fills in the markup of n when it was drawn before from the same
// things, and reports whether it was.
func (m *memo) known(n *Node, h hash) bool {
	d, ok := m.byKey[n.Key]
	if !ok || d.of != h {
		m.of = h
		return false
	}
	n.Sig, n.Markup = d.sig, d.markup
	return true
}

// keep remembers what p drew as the markup of n.
func (m *memo) keep(n *Node, p *pen) {
	if m.byKey == nil || len(m.byKey) >= memoLimit {
		m.byKey = make(map[Key]drawn, 256)
	}
	n.Markup, n.Sig = string(p.b), uint32(hashStart.bytes(p.b))
	p.b = p.b[:0]
	m.byKey[n.Key] = drawn{m.of, n.Sig, n.Markup}
}

func (h hash) bytes(b []byte) hash {
	for _, c := range b {
		h = (h ^ hash(c)) * 16777619
	}
	return h
}
