//go:build !js

package view

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Still returns the elements of a page as they are when its program begins, as
// go-app prints them: for the page that is there before the program and
// without it. What the program writes past go-app is empty in it: the stage
// and the clock. After what the program begins with come the other steps, with
// all answers, which the program shows one by one; Poster is the id of the
// place for a stage in them.
func Still(data []byte) string {
	p := New(still(data))
	p.whole = true
	for i := range p.session.Lesson().Steps {
		p.session.Want(i)
	}
	p.session.Work(func() bool { return false })
	return app.HTMLString(p.Root())
}

// still is an Edge without a browser behind it: a wide page, opened at its
// start. Its bytes are the page's data.
type still []byte

func (s still) Data() []byte                       { return s }
func (still) Kept(string) string                   { return "" }
func (still) Keep(string, string)                  {}
func (still) Check(string)                         {}
func (still) Top(string)                           {}
func (still) Ring([]string)                        {}
func (still) Nearest(string, float64) int          { return -1 }
func (still) Down(string, float64) float64         { return 0 }
func (still) Query(string) string                  { return "" }
func (still) SetQuery(string, string)              {}
func (still) PaintTwin([]byte)                     {}
func (still) Value(string) string                  { return "" }
func (still) Copy(string, func(bool))              {}
func (still) Frames(func(float64) bool)            {}
func (still) Now() float64                         { return 0 }
func (still) Paint(scene.Size, []byte, int)        {}
func (still) Size() scene.Size                     { return scene.Wide }
func (still) Watch(func())                         {}
func (still) Visible() bool                        { return false }
func (still) Reduced() bool                        { return false }
func (still) Narrow() bool                         { return false }
func (still) TabTo(string, string)                 {}
func (still) Say(string)                           {}
func (still) Fill(string, string)                  {}
func (still) Focus(string)                         {}
func (still) Along(string, float64) float64        { return 0 }
func (still) Width(string) int                     { return 752 }
func (still) Capture(string, int)                  {}
func (still) Lift(float64, float64)                {}
func (still) NearestSlot(float64) int              { return 0 }
func (still) Fragment() string                     { return "" }
func (still) Moved(func())                         {}
func (still) SetFragment(string)                   {}
func (still) Wanted() string                       { return "" }
func (still) Offer(map[string]func(string) string) {}
