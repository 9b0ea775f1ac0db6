package event

import "strconv"

// texts gives texts their indexes. A text that is a whole number, as most ids
// and keys are, is its own index and is kept nowhere.
type texts struct {
	list  []string // index 1 is list[0]
	index map[string]int32
}

// AddText returns the index under which Text gives s back: 0 for "", negative
// for a number. The same text has the same index.
func (l *Log) AddText(s string) int32 {
	if s == "" {
		return 0
	}
	if n, ok := wholeNumber(s); ok {
		return -1 - n
	}
	t := &l.texts
	if i, ok := t.index[s]; ok {
		return i
	}
	if t.index == nil {
		t.index = map[string]int32{}
	}
	l.held += len(s)
	t.list = append(t.list, s)
	i := int32(len(t.list))
	t.index[s] = i
	return i
}

// Text returns the text with that index; index 0 is "".
func (l *Log) Text(i int32) string {
	if i < 0 {
		return decimal(int(-1 - i))
	}
	if i == 0 || int(i) > len(l.texts.list) {
		return ""
	}
	return l.texts.list[i-1]
}

// wholeNumber returns the number below 10^9 that s is, written as one writes
// it, and whether it is one.
func wholeNumber(s string) (n int32, ok bool) {
	if len(s) > 9 || s[0] == '0' && len(s) > 1 {
		return 0, false
	}
	for i := range len(s) {
		digit := s[i] - '0'
		if digit > 9 {
			return 0, false
		}
		n = 10*n + int32(digit)
	}
	return n, true
}

// decimals has the numbers from 100 to 999, one after the other: strconv has
// those below ready. A picture asks for such texts in every frame.
var decimals = func() string {
	var all []byte
	for n := 100; n < 1000; n++ {
		all = strconv.AppendInt(all, int64(n), 10)
	}
	return string(all)
}()

func decimal(n int) string {
	if n < 100 || n > 999 {
		return strconv.Itoa(n)
	}
	return decimals[3*(n-100) : 3*(n-99)]
}
