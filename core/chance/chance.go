// Package chance draws by name. A draw depends on the seed, on what it is
// for, on whom it concerns (a message, a producer) and on which time, never
// on how many draws came before: changing one setting of a scenario leaves
// every other draw as it was. All arithmetic is on integers, so that native
// and WebAssembly runs agree bit for bit.
package chance

import (
	"math/bits"
	"math/rand/v2"
)

// Source is where the draws of one run come from.
type Source struct{ seed uint64 }

// New returns the source of a seed.
func New(seed uint64) Source { return Source{mix(seed ^ 0x9e3779b97f4a7c15)} }

// Purpose names what a draw is for.
type Purpose uint64

// For returns the purpose with a name such as "crash" or "latency send_email".
func For(name string) Purpose { return Purpose(Name(name)) }

// Name returns a number that stands for a name among the parts of a draw.
func Name(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(name); i++ {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return mix(h)
}

// Join makes one identity of two numbers, such as a producer's name and the
// number of its message.
func Join(a, b uint64) uint64 { return mix(a ^ mix(b+0x632be59bd9b4e019)) }

// Uint64 returns the 64 random bits of the n-th draw for a purpose that
// concerns who.
func (s Source) Uint64(p Purpose, who uint64, n int) uint64 {
	var pcg rand.PCG
	pcg.Seed(Join(s.seed, uint64(p)), Join(who, uint64(n)))
	return pcg.Uint64()
}

// Below returns a whole number in [0, n), n > 0.
func (s Source) Below(n uint64, p Purpose, who uint64, nth int) uint64 {
	high, _ := bits.Mul64(s.Uint64(p, who, nth), n)
	return high
}

// Exponential returns a whole number from the exponential distribution with
// the given mean, rounded down.
func (s Source) Exponential(mean int64, p Purpose, who uint64, nth int) int64 {
	e := negativeLog(s.Uint64(p, who, nth))
	high, low := bits.Mul64(e, uint64(mean))
	return int64(high<<(64-32) | low>>32)
}

// steps is how many equal steps the table of logarithms divides [1, 2) into.
const steps = 256

// ln2 is ln(2), and logs are ln(1 + i/steps), with 40 binary places.
const ln2 = uint64(762123384786)

var logs = table()

func table() (t [steps]uint64) {
	for i := range t {
		high, low := bits.Mul64(log2((steps+uint64(i))<<(63-8)), ln2)
		t[i] = high<<24 | low>>40
	}
	return t
}

// log2 returns log2(m / 2^63) with 40 binary places, 2^63 ≤ m: one place for
// each squaring of m.
func log2(m uint64) (places uint64) {
	for range 40 {
		high, low := bits.Mul64(m, m) // in [2^126, 2^128)
		places <<= 1
		if high>>63 == 1 {
			places |= 1
			m = high
		} else {
			m = high<<1 | low>>63
		}
	}
	return places
}

// negativeLog returns -ln((x+1) / 2^64) with 32 binary places.
//
// With x+1 = 2^whole·m and 1 ≤ m < 2, the table gives the logarithm of the
// step at or below m, and four terms of the series of ln(1+r) the small rest:
// r < 2^-8, so that what is left out is below 2^-42.
func negativeLog(x uint64) uint64 {
	if x == ^uint64(0) {
		return 0
	}
	x++
	whole := uint64(bits.Len64(x) - 1)
	m := x << (63 - whole) // with 63 binary places
	i := m >> (63 - 8) & (steps - 1)
	base := (steps + i) << (63 - 8)
	rest := m - base
	r, _ := bits.Div64(rest>>24, rest<<40, base) // with 40 binary places, below 2^32
	r2 := r * r >> 40
	r3 := r2 * r >> 40
	r4 := r2 * r2 >> 40
	log := whole*ln2 + logs[i] + r - r2/2 + r3/3 - r4/4
	return (64*ln2 - log) >> 8
}

// mix is the finalizer of SplitMix64: every bit of x decides every bit of it.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	x ^= x >> 31
	return x
}
