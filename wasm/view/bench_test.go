package view

import (
	"testing"

	"github.com/ticketrail/ticketrail/core/event"
)

// BenchmarkFrame is one frame of playing, without the panels: state, layout,
// difference and hand-over.
func BenchmarkFrame(b *testing.B) {
	edge := &notes{lesson: home(b)}
	p := New(edge)
	p.play()
	b.ReportAllocs()
	for b.Loop() {
		edge.now += 16
		if !p.frame(edge.now) {
			p.play()
		}
	}
}

// BenchmarkPanels builds, at another moment each time, the elements of the
// panels that have changed, as it happens about ten times a second.
func BenchmarkPanels(b *testing.B) {
	p := New(&notes{lesson: home(b)})
	last := map[string]string{}
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		p.player.Seek(event.Time(n%120) * 10 * event.Millisecond)
		p.render()
		for name, part := range p.parts() {
			if key := part.key(); key != last[name] {
				last[name] = key
				part.render()
			}
		}
	}
}
