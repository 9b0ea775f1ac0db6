package view

import (
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

// live takes in what boot.js would: it is the same reader, written in Go.
func (n *notes) live(b []byte) {
	number := func() float64 {
		v := math.Float64frombits(binary.LittleEndian.Uint64(b))
		b = b[8:]
		return v
	}
	text := func() string {
		size := int(binary.LittleEndian.Uint16(b))
		s := string(b[2 : 2+size])
		b = b[2+size:]
		return s
	}
	for len(b) > 0 {
		op := b[0]
		b = b[1:]
		switch op {
		case liveAt:
			n.at = number()
			n.moved++
		case liveHover:
			n.hover = number()
		case liveText:
			slot := int(b[0])
			b = b[1:]
			n.texts[slot] = text()
			n.clock = n.texts[clockFaint] + n.texts[clockNow]
		case liveHeight, liveShare:
			b = b[3:]
		case liveBad:
			b = b[2:]
		case liveRow:
			n.row = int(int32(binary.LittleEndian.Uint32(b)))
			b = b[4:]
		case liveLife:
			n.life = int(int32(binary.LittleEndian.Uint32(b)))
			b = b[4:]
		case liveLines:
			count := int(binary.LittleEndian.Uint16(b))
			b = b[2:]
			n.lines = map[int]string{}
			for range count {
				line, workers := int(binary.LittleEndian.Uint16(b)), int(b[2])
				b = b[3:]
				here := ""
				for range workers {
					here += text()
					b = b[2:]
					text()
				}
				n.lines[line] = here + " " + text()
			}
		case liveSeen:
			for k := range n.seen {
				n.seen[k] = int(binary.LittleEndian.Uint32(b))
				b = b[4:]
			}
		case liveLane:
			b = b[4:]
		case liveValue:
			number()
			n.spoken = text()
		default:
			panic("no such operation")
		}
	}
}

func TestOnlyWhatDiffersIsWritten(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.draw()
	p.live.begin(nil)
	p.moving()
	p.pacing()
	p.live.begin(nil)
	p.moving()
	p.pacing()
	assert.Empty(t, p.live.buffer)
	p.player.Seek(300 * event.Millisecond)
	p.moving()
	assert.NotEmpty(t, p.live.buffer)
	p.live.forget()
	p.live.begin(nil)
	p.moving()
	p.pacing()
	edge.live(p.live.buffer)
	assert.InDelta(t, .25, edge.at, 1e-9)
	assert.Equal(t, "00:00.300", edge.clock)
	assert.Equal(t, "6", edge.texts[accepted])
}

// TestTheLegendIsTheStrip: charts and strip say the same at every event.
func TestTheLegendIsTheStrip(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.render()
	for i := range p.player.Run().Log.Len() {
		p.player.GoTo(i)
		p.draw()
		p.follow()
		a := p.player.AddsUp()
		sum := 0
		for _, s := range a.Shares {
			sum += s.Count
			if s.Class == "waiting" {
				assert.Equal(t, edge.texts[valueWaiting], strings.TrimSpace(summand(0, s.Count)))
			}
		}
		require.Equal(t, a.Accepted, sum)
	}
}

func TestHoveringReadsAnotherInstant(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.player.GoToEnd()
	p.draw()
	assert.Equal(t, "0", edge.texts[valueWaiting])
	p.chart.hover = .25
	p.draw()
	assert.InDelta(t, .25, edge.hover, 0)
	assert.NotEqual(t, "0", edge.texts[valueWaiting])
	p.chart.hover = -1
	p.draw()
	assert.Equal(t, "0", edge.texts[valueWaiting])
}

// TestAFrameAllocatesLittle: playing makes no work for the collector.
func TestAFrameAllocatesLittle(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	p.play()
	edge.pass(60)
	got := testing.AllocsPerRun(200, func() {
		p.player.Advance(.001)
		p.live.begin(nil)
		p.moving()
	})
	assert.LessOrEqual(t, got, 1.0)
}

// TestWindowsFollowAtLeisure: in a busy run the window of the transcript moves
// once a second at most, and a row is marked only where its sentence is shown.
func TestWindowsFollowAtLeisure(t *testing.T) {
	text, err := os.ReadFile("../../core/testdata/cases/drain-eight-workers.yaml")
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(text)
	require.Empty(t, problems)
	edge := &notes{scenario: string(s.EncodeJSON())}
	p, engine := mounted(t, edge)
	p.player.SetSpeed(1)
	p.play()
	shown := map[string]bool{}
	var rows []int
	for range 5 * 62 {
		edge.pass(1)
		engine.ConsumeAll()
		shown[p.paced("transcript", p.transcriptKey())] = true
		rows = append(rows, edge.row)
	}
	assert.Less(t, len(shown), 8)
	assert.Greater(t, len(shown), 3)
	assert.Less(t, slices.Max(rows), len(p.transcript.window.Rows))
	assert.GreaterOrEqual(t, slices.Min(rows), -1)
	p.player.Pause()
	p.follow()
	assert.Equal(t, p.transcriptKey(), p.paced("transcript", p.transcriptKey()), "it is right as soon as time stands")
}

func TestWhoIsAtALineIsWrittenPastTheElements(t *testing.T) {
	edge := &notes{}
	p, _ := mounted(t, edge)
	key := p.codeKey()
	p.player.Seek(100 * event.Millisecond)
	p.follow()
	require.Len(t, edge.lines, 1)
	for line := range edge.lines {
		assert.Equal(t, "A ", edge.lines[line])
		assert.Len(t, p.player.AtLines()[line].Workers, 1)
	}
	assert.Equal(t, key, p.codeKey(), "the card is not rendered anew")
	edge.lines = nil
	p.follow()
	assert.Nil(t, edge.lines, "nobody has moved")
	p.player.Restart()
	p.follow()
	assert.Empty(t, edge.lines)
	assert.NotNil(t, edge.lines)
}
