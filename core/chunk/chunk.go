// Package chunk keeps lists that only grow, in pieces of equal size that never
// move: adding to a long list copies nothing, a pointer to an element stays
// valid, and memory is asked for piece by piece. What a run keeps of its
// events and messages stands in such lists. Start reading at List.
package chunk

// Size is how many elements a piece has. Pieces of elements of up to 64 bytes
// stay below the 32 KB from where on Go's allocator takes each one from the
// system's pages: larger and smaller ones were slower.
const Size = 1 << 9

// List is a list that only grows. The zero List is empty.
type List[T any] struct {
	pieces []*[Size]T
	length int
}

// Len returns how many elements the list has.
func (l *List[T]) Len() int { return l.length }

// At returns element i, 0 ≤ i < Len.
func (l *List[T]) At(i int) *T { return &l.pieces[uint(i)/Size][uint(i)%Size] }

// Grow adds a zero element and returns it.
func (l *List[T]) Grow() *T {
	i := l.length
	if i%Size == 0 {
		l.pieces = append(l.pieces, new([Size]T))
	}
	l.length++
	return &l.pieces[len(l.pieces)-1][uint(i)%Size]
}
