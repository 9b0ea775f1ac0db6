//go:build !js

package view

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// A recording is a page's first run as the program would hand it over, frame by
// frame, for a reader who presses play before the program is there. Recording
// writes it when the site is built, web/recorded.js plays it; both sides of the
// format change together. It is a line of JSON, of a head, and after it the
// frames, of each:
//
//	u32  the instant, in microseconds of the run; the highest bit says that
//	     play halts there
//	u16  how many buffers follow, of each: u32 length, u32 of it the stage's,
//	     bytes, as Edge.Paint has them
//
// The first frame is what the page shows at rest.
type recording struct {
	still
	size    scene.Size
	now     float64
	frames  []byte
	buffers uint16 // that the frame which is being written has
}

// reel is what a player of a recording has to know beforehand.
type reel struct {
	Size   string  `json:"size"`
	Rate   int     `json:"rate"`   // frames a second on the wall
	Frames int     `json:"frames"` // how many
	End    float64 `json:"end"`    // of the run, in seconds
	Axis   float64 `json:"axis"`   // what the timeline ends with, in seconds
}

const (
	// recordedRate is how many frames a second a recording has.
	recordedRate = 30
	// mostRecorded bounds a recording, in seconds on the wall: what nobody
	// waits for before the program is there.
	mostRecorded = 60
	// mostBytes bounds it too: a busy run of a minute is larger than the
	// program.
	mostBytes = 1 << 20
	halts     = 1 << 31
)

// Record returns the recording of a page's first run in a drawing of that size.
func Record(data []byte, size scene.Size) ([]byte, error) {
	r := &recording{still: data, size: size}
	p := New(r)
	if p.fault != "" {
		return nil, errors.New(p.fault)
	}
	p.session.Work(func() bool { return false })
	if problems := p.player.Problems(); len(problems) > 0 {
		return nil, problems
	}
	_ = app.HTMLString(p.Root()) // the charts are drawn
	p.windowsAt = math.Inf(1)    // the page's sentences stay those of the start
	p.paced("transcript", p.transcriptKey())
	h := reel{Size: size.String(), Rate: recordedRate, End: p.player.End().Seconds(), Axis: p.player.Axis(1).End.Seconds()}
	r.frame(p, func() {
		p.draw()
		p.follow()
	})
	for p.play(); p.player.Playing() && h.Frames < mostRecorded*recordedRate && len(r.frames) < mostBytes; h.Frames++ {
		r.now += 1000. / recordedRate
		if r.frame(p, func() { p.frame(r.now) }) {
			p.play()
		}
	}
	h.Frames++
	text, err := json.Marshal(h)
	if err != nil {
		return nil, fmt.Errorf("the head of a recording: %w", err)
	}
	return append(append(text, '\n'), r.frames...), nil
}

// frame writes what a page hands over while it moves on, and reports whether
// play has halted there.
func (r *recording) frame(p *Page, move func()) bool {
	from := len(r.frames)
	r.frames = append(r.frames, 0, 0, 0, 0, 0, 0)
	r.buffers = 0
	move()
	at := uint32(p.player.Moment() / event.Microsecond)
	_, halted := p.player.Halted()
	if halted {
		at |= halts
	}
	binary.LittleEndian.PutUint32(r.frames[from:], at)
	binary.LittleEndian.PutUint16(r.frames[from+4:], r.buffers)
	return halted
}

// Paint is described with Edge, as are the other methods.
func (r *recording) Paint(_ scene.Size, buffer []byte, stage int) {
	r.frames = binary.LittleEndian.AppendUint32(r.frames, uint32(len(buffer)))
	r.frames = binary.LittleEndian.AppendUint32(r.frames, uint32(stage))
	r.frames = append(r.frames, buffer...)
	r.buffers++
}

func (r *recording) Size() scene.Size { return r.size }
func (r *recording) Now() float64     { return r.now }
func (r *recording) Visible() bool    { return true }
