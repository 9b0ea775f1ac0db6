package view

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
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

// BenchmarkBurst is a frame of eight workers that work off four hundred jobs,
// with what follows the playhead.
func BenchmarkBurst(b *testing.B) {
	text, err := os.ReadFile("../../core/testdata/cases/drain-eight-workers.yaml")
	require.NoError(b, err)
	s, problems := scenarioyaml.Decode(text)
	require.Empty(b, problems)
	edge := &notes{scenario: string(s.EncodeJSON())}
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
