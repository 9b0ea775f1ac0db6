package view

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// panel is the one component of the page besides its root: a part that is
// rendered again when its Key has changed, and only then. What it shows is in
// a function, out of reach of go-app's reflection, so that the program need
// not carry the descriptions of all the types behind it.
type panel struct {
	app.Compo
	Key string

	render func() app.UI
	shown  func(app.Context) // called after each rendering; may be nil
}

// Render is called by go-app, as are OnMount and OnUpdate.
func (c *panel) Render() app.UI { return c.render() }

// OnMount is described with Render.
func (c *panel) OnMount(ctx app.Context) { c.OnUpdate(ctx) }

// OnUpdate is described with Render.
func (c *panel) OnUpdate(ctx app.Context) {
	if c.shown != nil {
		c.shown(ctx)
	}
}

// root is the page as go-app sees it.
type root struct {
	app.Compo

	render func() app.UI
	begin  func(app.Context)
}

// Render is called by go-app, as is OnMount.
func (c *root) Render() app.UI { return c.render() }

// OnMount is described with Render.
func (c *root) OnMount(ctx app.Context) { c.begin(ctx) }
