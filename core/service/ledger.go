package service

import "github.com/ticketrail/ticketrail/core/event"

// Ledger counts side effects by target and key. The counts stand in pages of
// neighbouring keys: keys are mostly numbers that follow each other.
type Ledger struct {
	pages map[page]*counts
	last  page // the one looked at last
	now   *counts
}

const (
	pageBits = 4
	pageSize = 1 << pageBits
)

type counts [pageSize]int32

// page is some neighbouring keys of a target.
type page struct {
	target event.TargetRef
	isText bool
	keys   int32 // indexes of the keys' texts, without the lowest bits
}

// Record completes at, whose Text is the key, and writes it to the log.
func (l *Ledger) Record(log *event.Log, at *event.Event, target event.TargetRef, isText bool, amount int64) {
	n := l.count(target, at.Text, isText)
	*n++
	at.Kind = event.Effect
	at.Arg = log.AddEffect(at.Text, event.EffectRecord{Target: target, Nth: *n, Amount: amount, IsText: isText})
	log.Append(*at)
}

// count returns where the effects with that key are counted.
func (l *Ledger) count(target event.TargetRef, key int32, isText bool) *int32 {
	p := page{target, isText, key >> pageBits}
	if l.now == nil || l.last != p {
		l.turnTo(p)
	}
	return &l.now[key&(pageSize-1)]
}

func (l *Ledger) turnTo(p page) {
	c, ok := l.pages[p]
	if !ok {
		if l.pages == nil {
			l.pages = map[page]*counts{}
		}
		c = new(counts)
		l.pages[p] = c
	}
	l.last, l.now = p, c
}
