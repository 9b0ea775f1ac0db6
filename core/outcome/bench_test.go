package outcome_test

import (
	"testing"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
)

// long is a run of many messages, each handed out, done and acked.
func long(messages int) *event.Log {
	ids := make([]int64, messages)
	for i := range ids {
		ids[i] = int64(i)
	}
	b := newBuilder(ids...)
	for m := range event.MessageRef(messages) {
		at := event.Time(m) * ms
		b.add(at, event.Accepted, m).begin(at, m, 0, 1)
		b.effectOnce(at, m)
		b.add(at, event.Acked, m, by(0)).add(at, event.HandlerFinished, m, by(0))
	}
	return b.end(event.Time(messages) * ms)
}

func BenchmarkOf(b *testing.B) {
	s, log := oneService(), long(10_000)
	b.ReportAllocs()
	for b.Loop() {
		outcome.Of(s, log)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(log.Len()), "ns/event")
}

func BenchmarkHash(b *testing.B) {
	log := long(10_000)
	b.ReportAllocs()
	for b.Loop() {
		log.Hash()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(log.Len()), "ns/event")
}
