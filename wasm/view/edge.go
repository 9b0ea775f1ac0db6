package view

import "github.com/ticketrail/ticketrail/wasm/scene"

// Edge is what the page needs of the browser besides elements. The program
// has one that reaches JavaScript; tests have one that writes down what was
// asked of it.
type Edge interface {
	// Data returns what the page was built with: what Data writes.
	Data() []byte
	// Query returns a value of the address's query, "" when there is none,
	// and SetQuery puts one there; "" takes it away.
	Query(name string) string
	SetQuery(name, value string)
	// Kept returns what was kept under a name, "" when nothing was or may
	// be; Keep keeps it, where that is allowed.
	Kept(name string) string
	Keep(name, text string)
	// Frames calls step once a frame, with the time in milliseconds, until
	// it returns false. While it is calling, it does nothing.
	Frames(step func(now float64) (again bool))
	// Now returns a time in milliseconds that only grows.
	Now() float64
	// Paint hands over what has changed: the first stage bytes are the
	// stage's, for paint.js, the others are what is live beside it, for
	// boot.js.
	Paint(size scene.Size, buffer []byte, stage int)
	// PaintTwin does it for the stage of the run before.
	PaintTwin(buffer []byte)
	// Size returns which drawing of the stage fits.
	Size() scene.Size
	// Watch calls changed when the size that fits, the visibility of the
	// stage or the wish for less motion has changed.
	Watch(changed func())
	// Visible reports whether the stage can be seen.
	Visible() bool
	// Reduced reports whether the reader wants less motion.
	Reduced() bool
	// Narrow reports whether the page is a phone's.
	Narrow() bool
	// Say has a screen reader say one sentence.
	Say(sentence string)
	// Fill gives the field with that id another text.
	Fill(id, text string)
	// Check ticks the radio button with that id.
	Check(id string)
	// Value returns what stands in the field with that id.
	Value(id string) string
	// Copy puts a text on the clipboard, and says whether it could.
	Copy(text string, done func(bool))
	// Place returns the page's address up to its #.
	Place() string
	// Save has the browser save a text as a file of that name.
	Save(name, text string)
	// ReadFile reads the file that was chosen in the field with that id.
	ReadFile(id string, done func(name, text string))
	// Focus moves the focus to the element with that id.
	Focus(id string)
	// TabTo makes the element with that id the one among those within a
	// group to which Tab leads.
	TabTo(group, id string)
	// Top scrolls the page so that the element with that id is at its top,
	// and moves the focus there.
	Top(id string)
	// Ring puts one ring around the first of the stage's nodes, named by
	// their keys, that is drawn.
	Ring(keys []string)
	// Nearest returns which child of the element with that id is nearest to
	// a height on the screen, -1 when there is none.
	Nearest(id string, y float64) int
	// Down returns where between top and bottom, 0 to 1, a place on the
	// screen lies beside the element with that id.
	Down(id string, y float64) float64
	// Along returns where between its ends, 0 to 1, a place on the screen
	// lies beside the element with that id.
	Along(id string, x float64) float64
	// Width returns how wide the element with that id is, in CSS pixels.
	Width(id string) int
	// Capture sends the pointer's moves to the element with that id until
	// it is let go.
	Capture(id string, pointer int)
	// Lift shows the dragged line beside the pointer; NearestSlot returns
	// the data-before of the slot that is nearest to it, 0 for none.
	Lift(x, y float64)
	NearestSlot(y float64) int
	// Fragment and SetFragment are the part of the address behind the #.
	Fragment() string
	SetFragment(text string)
	// Moved calls changed when a reader has put another fragment there.
	Moved(changed func())
	// Wanted returns what was pressed before the program was there: "play",
	// or "".
	Wanted() string
	// Recorded takes over from a recording of the first run, and returns where
	// in it the reader is, as JSON; "" when he has not touched it.
	Recorded() string
	// Offer makes functions reachable for tests and for the page around:
	// each takes and returns text.
	Offer(functions map[string]func(string) string)
	// Tell sends a message, as JSON, to the page around this one, if it is in
	// a frame.
	Tell(message string)
}
