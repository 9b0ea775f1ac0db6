package player

import (
	"os"
	"testing"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// BenchmarkEdit is what an edit of a run of some 5,000 events costs, up to
// everything that the panels need.
func BenchmarkEdit(b *testing.B) {
	p := burst(b)
	b.ReportMetric(float64(p.Run().Log.Len()), "events")
	for n := 0; b.Loop(); n++ {
		p.SetPosition("workers", n%2+6)
		p.Work(never)
		p.AddsUp()
		p.Transcript()
		p.Comparison(false)
	}
}

// BenchmarkScrub is what the panels need at another place of the run.
func BenchmarkScrub(b *testing.B) {
	p := burst(b)
	for n := 0; b.Loop(); n++ {
		p.Seek(event.Time(n*7919%1000) * p.End() / 1000)
		p.AddsUp()
		p.Transcript()
		p.AtLines()
		p.Sentence()
	}
}

func burst(b *testing.B) *Player {
	text, err := os.ReadFile("../../core/testdata/cases/drain-eight-workers.yaml")
	if err != nil {
		b.Fatal(err)
	}
	s, problems := scenarioyaml.Decode(text)
	if len(problems) > 0 {
		b.Fatal(problems)
	}
	p := New(s)
	p.Work(never)
	return p
}
