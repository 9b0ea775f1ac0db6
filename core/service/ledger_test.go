package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

// Each key of each target has a count of its own, whatever page it is on.
func TestLedgerCountsEachKey(t *testing.T) {
	keys := []string{"0", "1", "14", "15", "16", "17", "99999", "asha", "ben", "1 ", "015"}
	for i := range 40 {
		keys = append(keys, string(rune('a'+i%26))+"-"+string(rune('a'+i/26)))
	}
	var ledger Ledger
	log := &event.Log{}
	for round := range int32(3) {
		for target := range event.TargetRef(2) {
			for _, isText := range []bool{false, true} {
				for _, key := range keys {
					ledger.Record(log, &event.Event{Text: log.AddText(key)}, target, isText, 7)
					want := event.EffectRecord{Target: target, Nth: round + 1, IsText: isText, Amount: 7, Key: key}
					require.Equal(t, want, log.Effect(int(log.Last().Arg)))
				}
			}
		}
	}
}
