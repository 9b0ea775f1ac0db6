//go:build !js

package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/lesson"
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
	p.whole = &whole{rest: p.furtherSteps, solved: p.solved, solution: solution}
	for i := range p.session.Lesson().Steps {
		p.session.Want(i)
	}
	p.session.Work(func() bool { return false })
	return app.HTMLString(p.Root())
}

// Masthead returns the header of a page that has no program, with its root and the
// part of the site that it is in, as go-app prints it.
func Masthead(root, here string) string { return app.HTMLString(masthead(root, here)) }

// Prose returns a piece of prose that belongs to no run, as go-app prints it.
func Prose(n *lesson.Node) string {
	return app.HTMLString(el("div").Class("text").Body((&Page{}).kids(n)...))
}

// Poster is the id of the element for the stage of a later step.
func Poster(step int) string { return "poster-" + strconv.Itoa(step+1) }

// furtherSteps are the steps after the one that is shown, one below the other, with a
// picture, the code and the run in sentences of each stage: on the page as it
// is before the program and without it.
func (p *Page) furtherSteps() app.UI {
	var all []app.UI
	for i := 1; i < len(p.session.Lesson().Steps); i++ {
		p.session.Go(i)
		p.player = p.session.Player()
		p.session.Work(func() bool { return false })
		all = append(all, p.stillStep(i))
	}
	p.session.Go(0)
	p.player = p.session.Player()
	if ways := p.ways(); len(ways) > 0 {
		all = append(all, el("nav").Class("ways").Aria("label", "Lessons beside this one").Body(ways...))
	}
	return el("div").Class("rest").Body(all...)
}

func (p *Page) stillStep(i int) app.UI {
	step := &p.session.Lesson().Steps[i]
	id := "step-" + strconv.Itoa(i+1)
	before, beside := parted(step.Blocks)
	body := []app.UI{el("h2").ID(id + "-title").Text(step.Title)}
	body = append(body, p.blocks(before)...)
	if step.Stage() != nil {
		body = append(body,
			el("div").Class("stage poster").ID(Poster(i)),
			el("pre").Class("text").Body(el("code").Text(p.player.Handler())),
			el("details").Class("told").Body(el("summary").Text("The whole run in sentences"), inOrder(p.player.Transcript().Rows)),
		)
	}
	body = append(body, p.blocks(beside)...)
	return el("section").Class("still prose").ID(id).Aria("labelledby", id+"-title").Body(body...)
}

// solved is the answer, folded: for those who have no program to ask.
func (p *Page) solved(q *lesson.Question) app.UI {
	right, fault := p.session.Answer(q)
	if right == nil {
		return el("details").Class("solved").Body(el("summary").Text("Answer"), el("p").Text(fault))
	}
	body := []app.UI{el("summary").Text("Answer"), el("p").Body(el("b").Text(right.Text))}
	body = append(body, p.kids(q.Why)...)
	return el("details").Class("solved").Body(body...)
}

// solution is one that works, folded: for those who have no program to try.
func solution(c *lesson.Challenge) app.UI {
	body := []app.UI{el("summary").Text("A solution")}
	for _, change := range c.Solution {
		body = append(body, el("p").Body(el("code").Text(change.Path)), el("pre").Body(el("code").Text(change.Value)))
	}
	return el("details").Class("solved").Body(body...)
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
func (still) Place() string                        { return "" }
func (still) Save(string, string)                  {}
func (still) ReadFile(string, func(_, _ string))   {}
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
func (still) Width(string) int                     { return 720 }
func (still) Capture(string, int)                  {}
func (still) Lift(float64, float64)                {}
func (still) NearestSlot(float64) int              { return 0 }
func (still) Fragment() string                     { return "" }
func (still) Moved(func())                         {}
func (still) SetFragment(string)                   {}
func (still) Recorded() string                     { return "" }
func (still) Wanted() string                       { return "" }
func (still) Offer(map[string]func(string) string) {}
func (still) Tell(string)                          {}
func (still) printed()                             {}
