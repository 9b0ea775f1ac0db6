package sim

// agenda is everything that is due, the next first.
//
// Most of it would be visibility timers: one a hand-out, nearly all of them
// cancelled by an ack long before they end. They are scheduled in the order in
// which they end, as long as queues have one timeout, so they stand in a line
// of their own, where adding and removing cost nothing to speak of; and a
// cancelled one is forgotten as soon as it is the first of that line. The heap
// then stays as small as the number of things under way.
type agenda struct {
	heap  heap
	line  []item // a ring: its length is a power of two, or 0
	first int
	count int
}

// add makes x due.
func (a *agenda) add(x item) { a.heap.push(x) }

// addInLine makes x due. It is fastest for what is added in order of time.
func (a *agenda) addInLine(x item) {
	if a.count > 0 && x.before(a.at(a.count-1)) {
		a.heap.push(x)
		return
	}
	if a.count == len(a.line) {
		a.grow()
	}
	a.count++
	*a.at(a.count - 1) = x
}

// at returns the item i places from the head of the line.
func (a *agenda) at(i int) *item { return &a.line[(a.first+i)&(len(a.line)-1)] }

func (a *agenda) grow() {
	line := make([]item, max(16, 2*len(a.line)))
	for i := range a.count {
		line[i] = *a.at(i)
	}
	a.line, a.first = line, 0
}

// inLine returns the head of the line, or nil.
func (a *agenda) inLine() *item {
	if a.count == 0 {
		return nil
	}
	return &a.line[a.first]
}

func (a *agenda) dropInLine() {
	a.first = (a.first + 1) & (len(a.line) - 1)
	a.count--
}

// next returns what is due next, or nil.
func (a *agenda) next() *item {
	head := a.inLine()
	switch {
	case len(a.heap) == 0:
		return head
	case head == nil || a.heap[0].before(head):
		return &a.heap[0]
	}
	return head
}

// drop removes x, which next returned.
func (a *agenda) drop(x *item) {
	if x == a.inLine() {
		a.dropInLine()
		return
	}
	a.heap.pop()
}
