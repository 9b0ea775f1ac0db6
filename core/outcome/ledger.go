package outcome

import "github.com/ticketrail/ticketrail/core/event"

// ledger knows the side effects of a run by their keys. It is made when it is
// first asked: most outcomes are never asked about single keys.
type ledger struct {
	targets []account // by event.TargetRef
}

// account are the side effects of one target.
type account struct {
	keys  []KeyCount
	place map[Key]int // in keys
}

func (a *account) count(key Key) int {
	if i, ok := a.place[key]; ok {
		return a.keys[i].Count
	}
	return 0
}

func (a *account) add(key Key) {
	i, known := a.place[key]
	if !known {
		i = len(a.keys)
		a.place[key] = i
		a.keys = append(a.keys, KeyCount{Key: key})
	}
	a.keys[i].Count++
}

// of returns the account of a target.
func (l *ledger) of(log *event.Log, target event.TargetRef) *account {
	if l.targets == nil {
		l.targets = make([]account, len(log.Targets))
		for i := range l.targets {
			l.targets[i].place = map[Key]int{}
		}
		for i := range log.EffectCount() {
			e := log.Effect(i)
			l.targets[e.Target].add(Key{e.Key, e.IsText})
		}
	}
	return &l.targets[target]
}

// carries reports whether any side effect has that key.
func (l *ledger) carries(log *event.Log, key Key) bool {
	for i := range log.Targets {
		if l.of(log, event.TargetRef(i)).count(key) > 0 {
			return true
		}
	}
	return false
}
