package share

// The compression of a link: each bit is predicted from the bytes before it,
// by several orders of context and by the last place where the text went the
// same way, and coded by how unexpected it was. It is all integer arithmetic,
// and so the same everywhere. The predictor has read `primer` before it begins:
// that is why a scenario of a kilobyte becomes some 250 bytes, half of what
// DEFLATE makes of it, and why nothing in this file and nothing in the primer
// may change: links of version 1 would not open any more.

const (
	tableBits = 15
	longest   = 32 // of a match, as far as its length is told apart
	inputs    = len(reaches) + 1
	mostSeen  = 60 // after so many bits a prediction learns no slower
)

// reaches are how many bytes each order of context looks back. The last
// letters of a word and what stands before a quote tell most of JSON.
var reaches = [...]int{0, 1, 2, 3, 4, 6}

// guess is the chance that the next bit is 1, in the upper 22 bits, and how
// often it was looked at, in the lower ten.
type guess uint32

const unknown guess = 1 << 31

func (g guess) chance() int { return int(g >> 20) } // of 4096

func (g *guess) learn(bit int) {
	seen := int(*g & 1023)
	p := int(*g >> 10)
	p += ((bit << 22) - bit - p) * 2 / (2*seen + 3)
	if seen < mostSeen {
		seen++
	}
	*g = guess(p)<<10 | guess(seen)
}

// predictor gives chances of bits. Bits are told to it by learn.
type predictor struct {
	text    []byte
	partial uint32 // the bits of the byte under way, behind a one
	tables  [len(reaches)][]guess
	hashes  [len(reaches)]uint32 // of the context of each order, at the last byte
	slots   [len(reaches)]*guess
	places  []int32 // by hash of the last bytes: where the text went on after them
	match   int     // where the text went on the last time, 0: nowhere
	length  int     // how long it has gone the same way
	runs    [longest + 1]guess
	run     *guess
	agreed  int           // the bit that the match expects
	weights [inputs]int64 // as wide on every machine
	signals [inputs]int
	chance  int // of 4096
}

func newPredictor() *predictor {
	p := &predictor{partial: 1, places: make([]int32, 1<<tableBits)}
	for i := range p.tables {
		p.tables[i] = make([]guess, 1<<tableBits)
		for j := range p.tables[i] {
			p.tables[i][j] = unknown
		}
	}
	for i := range p.runs {
		p.runs[i] = unknown
	}
	for i := range p.weights {
		p.weights[i] = 1 << 14
	}
	p.predict()
	for i := range len(primer) {
		for b := 7; b >= 0; b-- {
			p.learn(int(primer[i]) >> b & 1)
		}
	}
	return p
}

// predict works out the chance that the next bit is 1.
func (p *predictor) predict() {
	total := int64(0)
	for i := range p.tables {
		at := (p.hashes[i] + p.partial*0x9e3779b1) * 0x85ebca6b
		p.slots[i] = &p.tables[i][at>>(32-tableBits)]
		p.signals[i] = stretch(p.slots[i].chance())
		total += p.weights[i] * int64(p.signals[i])
	}
	p.run, p.signals[inputs-1] = nil, 0
	if p.length > 0 {
		expected := uint32(p.text[p.match]) | 256
		shift := 8
		for v := p.partial; v > 1; v >>= 1 {
			shift--
		}
		if expected>>shift == p.partial {
			p.agreed = int(expected >> (shift - 1) & 1)
			p.run = &p.runs[min(p.length, longest)]
			signal := stretch(p.run.chance())
			if p.agreed == 0 {
				signal = -signal
			}
			p.signals[inputs-1] = signal
			total += p.weights[inputs-1] * int64(signal)
		}
	}
	p.chance = squash(int(max(-1<<30, min(total>>16, 1<<30))))
}

// learn takes the bit that came and predicts the next one.
func (p *predictor) learn(bit int) {
	miss := ((bit << 12) - p.chance) * 6
	for i, signal := range p.signals {
		p.weights[i] += int64((signal*miss + 0x2000) >> 14)
	}
	for i := range p.slots {
		p.slots[i].learn(bit)
	}
	if p.run != nil {
		right := 0
		if bit == p.agreed {
			right = 1
		}
		p.run.learn(right)
		if right == 0 {
			p.length = 0
		}
	}
	p.partial = p.partial<<1 | uint32(bit)
	if p.partial >= 256 {
		p.byteDone(byte(p.partial))
	}
	p.predict()
}

const least = 5 // bytes that have to be the same for a match

func (p *predictor) byteDone(b byte) {
	p.text = append(p.text, b)
	p.partial = 1
	n := len(p.text)
	for i, reach := range reaches {
		h := uint32(reach+1) * 0x2545f491
		for _, c := range p.text[max(0, n-reach):] {
			h = (h + uint32(c) + 1) * 0x2f0b4a27
			h ^= h >> 15
		}
		p.hashes[i] = h
	}
	if p.length > 0 {
		p.length++
		p.match++
	}
	if n < least {
		return
	}
	h := uint32(0)
	for _, c := range p.text[n-least:] {
		h = (h + uint32(c) + 1) * 0x2f0b4a27
	}
	place := &p.places[h>>(32-tableBits)]
	if p.length == 0 && *place > 0 {
		p.match = int(*place)
		for p.length < longest && p.length < p.match && p.text[p.match-1-p.length] == p.text[n-1-p.length] {
			p.length++
		}
	}
	*place = int32(n)
}

// stretch is ln(p/(1-p)) and squash its inverse, in steps of 1/256 from -2047
// to 2047 and for chances of 4096.
func stretch(p int) int { return int(stretched[p]) }

func squash(x int) int {
	x = max(-2047, min(x, 2047)) + 2048
	at, between := x>>7, x&127
	return max(1, min((squashed[at]*(128-between)+squashed[at+1]*between+64)>>7, 4095))
}

var squashed = [...]int{
	1, 2, 3, 6, 10, 16, 27, 45, 73, 120, 194, 310, 488, 747, 1101, 1546, 2047,
	2549, 2994, 3348, 3607, 3785, 3901, 3975, 4024, 4050, 4068, 4079, 4085, 4089, 4092, 4093, 4094,
}

var stretched = stretches()

func stretches() (table [4096]int16) {
	p := 0
	for x := -2047; x <= 2047; x++ {
		for to := squash(x); p <= to; p++ {
			table[p] = int16(x)
		}
	}
	for ; p < len(table); p++ {
		table[p] = 2047
	}
	return table
}

// squeeze compresses a text; release gives it back. The text's length is not
// in what squeeze returns.
func squeeze(text []byte) []byte {
	var out []byte
	p := newPredictor()
	low, high := uint32(0), ^uint32(0)
	for _, b := range text {
		for i := 7; i >= 0; i-- {
			bit := int(b) >> i & 1
			low, high = narrowed(low, high, p.chance, bit)
			p.learn(bit)
			for (low^high)>>24 == 0 {
				out = append(out, byte(high>>24))
				low, high = low<<8, high<<8|255
			}
		}
	}
	return append(out, byte(high>>24)) // zeros behind it lie between the bounds, or 255 does
}

// narrowed returns the part of the range that a bit has.
func narrowed(low, high uint32, chance, bit int) (uint32, uint32) {
	middle := low + uint32(uint64(high-low)*uint64(chance)>>12)
	if bit == 1 {
		return low, middle
	}
	return middle + 1, high
}

// release decompresses so many bytes, and reports whether that took all of
// data. A text that is cut off goes on with zeros.
func release(data []byte, size int) (text []byte, whole bool) {
	p := newPredictor()
	at := 0
	next := func() uint32 {
		at++
		if at <= len(data) {
			return uint32(data[at-1])
		}
		return 0
	}
	var code uint32
	for range 4 {
		code = code<<8 | next()
	}
	low, high := uint32(0), ^uint32(0)
	for range size {
		for range 8 {
			middle := low + uint32(uint64(high-low)*uint64(p.chance)>>12)
			bit := 0
			if code <= middle {
				bit = 1
			}
			low, high = narrowed(low, high, p.chance, bit)
			p.learn(bit)
			for (low^high)>>24 == 0 {
				low, high, code = low<<8, high<<8|255, code<<8|next()
			}
		}
	}
	const ahead = 3 // bytes that the bounds hold besides the last one written
	return p.text[len(primer):], at == len(data)+ahead
}
