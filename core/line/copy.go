package line

// AppendTo appends the entries in order, the head first, to dst.
func (l *Line) AppendTo(dst []Entry) []Entry {
	if l.n == 0 {
		return dst
	}
	if end := l.first + l.n; end > len(l.ring) {
		dst = append(dst, l.ring[l.first:]...)
		return append(dst, l.ring[:end-len(l.ring)]...)
	}
	return append(dst, l.ring[l.first:l.first+l.n]...)
}

// Load makes l hold exactly these entries, the head first, and reuses its
// memory. The entries are taken to be in order already.
func (l *Line) Load(entries []Entry, byPriority bool) {
	if len(entries) > len(l.ring) {
		size := 8
		for size < len(entries) {
			size *= 2
		}
		l.ring = make([]Entry, size)
	}
	copy(l.ring, entries)
	l.first, l.n, l.byPriority = 0, len(entries), byPriority
}

// OrderedByPriority reports whether higher priorities wait before lower ones.
func (l *Line) OrderedByPriority() bool { return l.byPriority }
