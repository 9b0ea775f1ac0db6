//go:build !js

package view

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// frame is one of a recording, as recorded.js reads it.
type frame struct {
	micros  uint32
	halts   bool
	buffers [][]byte
}

func decode(t *testing.T, recording []byte) (reel, []frame) {
	text, rest, found := bytes.Cut(recording, []byte("\n"))
	require.True(t, found)
	var head reel
	require.NoError(t, json.Unmarshal(text, &head))
	var frames []frame
	for len(rest) > 0 {
		at := binary.LittleEndian.Uint32(rest)
		f := frame{micros: at &^ halts, halts: at&halts != 0}
		count := binary.LittleEndian.Uint16(rest[4:])
		rest = rest[6:]
		for range count {
			length, stage := binary.LittleEndian.Uint32(rest), binary.LittleEndian.Uint32(rest[4:])
			require.LessOrEqual(t, stage, length)
			f.buffers = append(f.buffers, rest[8:8+length])
			rest = rest[8+length:]
		}
		frames = append(frames, f)
	}
	return head, frames
}

func TestARecordingGoesFromRestToTheEnd(t *testing.T) {
	l := home(t)
	data, err := Data("./", l)
	require.NoError(t, err)
	for _, size := range []scene.Size{scene.Wide, scene.Compact, scene.Tall} {
		recording, err := Record(data, size)
		require.NoError(t, err)
		head, frames := decode(t, recording)
		assert.Equal(t, size.String(), head.Size)
		require.Len(t, frames, head.Frames)
		assert.Zero(t, frames[0].micros)
		assert.NotEmpty(t, frames[0].buffers, "all of it is drawn at rest")
		assert.GreaterOrEqual(t, float64(frames[len(frames)-1].micros)/1e6, head.End)
		for n := 1; n < len(frames); n++ {
			require.LessOrEqual(t, frames[n-1].micros, frames[n].micros)
		}
		again, err := Record(data, size)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(recording, again), "a second build is the same")
	}
}

func TestARecordingHaltsWhereTheLessonDoes(t *testing.T) {
	l := home(t)
	l.Steps[0].Stage().Stops = []lesson.Stop{{Moment: lesson.Moment{Kind: event.Acked, Nth: 3}, Text: "Three are done."}}
	data, err := Data("./", l)
	require.NoError(t, err)
	recording, err := Record(data, scene.Compact)
	require.NoError(t, err)
	_, frames := decode(t, recording)
	halting := 0
	for _, f := range frames {
		if f.halts {
			halting++
		}
	}
	assert.Equal(t, 1, halting)
	assert.False(t, frames[len(frames)-1].halts, "it goes on after it")
}

// The program takes over a recording at any instant: what it draws is what it
// would have drawn, had it played from the start.
func TestWhoTakesOverARecordingDrawsTheSame(t *testing.T) {
	played := New(&notes{lesson: home(t)})
	played.Root()
	played.draw()
	played.play()
	for n := range 300 {
		if !played.frame(float64(n+1) * 16) {
			break
		}
		if n%40 != 7 {
			continue
		}
		at := float64(played.player.Moment()) / float64(event.Second)
		taken := New(&notes{lesson: home(t), recorded: fmt.Sprintf(`{"time":%.9f,"playing":true,"halted":false}`, at)})
		taken.Root()
		taken.draw()
		require.Equal(t, played.player.Moment(), taken.player.Moment())
		assert.True(t, taken.player.Playing())
		want := strings.SplitAfter(scene.Markup(played.stage.Frame(played.input())), ">")
		got := strings.SplitAfter(scene.Markup(taken.stage.Frame(taken.input())), ">")
		for i := 1; i < min(len(want), len(got)); i++ { // the first has the stage's label, which is written now and then
			require.Equal(t, want[i], got[i], "at %.3f s", at)
		}
		require.Equal(t, len(want), len(got), "at %.3f s", at)
	}
}

func TestARecordingThatWasNotTouchedLeavesThePageAtItsStart(t *testing.T) {
	p := New(&notes{lesson: home(t)})
	p.Root()
	assert.True(t, p.player.Opening())
	assert.Zero(t, p.player.Time())
}
