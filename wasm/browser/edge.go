//go:build js && wasm

// Package browser is the edge to JavaScript: frames, the stage's buffer, what
// can be seen, the address, and what go-app has no word for. It is the only
// importer of safejs. Everything above it sees the interface view.Edge, which
// an Edge satisfies.
//
// A call that throws is not an accident of the program but of the page (an
// element that is gone, a refused storage): it is dropped, and the page goes
// on. Start reading at New.
package browser

import (
	"strings"

	"github.com/hack-pad/safejs"

	"github.com/ticketrail/ticketrail/wasm/scene"
)

// Edge reaches the page that the program runs in.
type Edge struct {
	window, document, shared safejs.Value

	step      func(now float64) bool
	frame     safejs.Func // calls step; the one callback of all frames
	requested bool

	buffer safejs.Value // a Uint8Array that grows as needed
	length int

	size     scene.Size
	visible  bool
	reduced  bool // less motion is wanted
	onScreen bool

	live map[string]safejs.Value // elements written to in every frame
	last map[string]string       // what was written there

	widths map[string]*width // by the id of the element
}

// New returns the edge of the current page.
func New() *Edge {
	e := &Edge{
		window: safejs.Global(), document: get(safejs.Global(), "document"), shared: get(safejs.Global(), "ticketrail"),
		visible: true, onScreen: true, live: map[string]safejs.Value{}, last: map[string]string{}, widths: map[string]*width{},
	}
	e.reduced = truth(get(e.less(), "matches"))
	e.frame, _ = safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		now, _ := args[0].Float()
		e.requested = e.step(now)
		return e.requested
	})
	e.size = e.measure()
	return e
}

// Data is described with view.Edge, as are the other methods.
func (e *Edge) Data() []byte {
	return []byte(text(get(e.element("page"), "textContent")))
}

func (e *Edge) Kept(name string) string {
	kept := call(get(e.window, "localStorage"), "getItem", name)
	if kept.IsNull() || kept.IsUndefined() {
		return ""
	}
	return text(kept)
}

func (e *Edge) Keep(name, text string) {
	call(get(e.window, "localStorage"), "setItem", name, text)
}

func (e *Edge) Query(name string) string {
	value := call(e.query(), "get", name)
	if value.IsNull() {
		return ""
	}
	return text(value)
}

func (e *Edge) query() safejs.Value {
	return construct(e.window, "URLSearchParams", get(get(e.window, "location"), "search"))
}

func (e *Edge) SetQuery(name, value string) {
	call(e.shared, "remembered")
	query := e.query()
	if value == "" {
		call(query, "delete", name)
	} else {
		call(query, "set", name, value)
	}
	location := get(e.window, "location")
	address := text(get(location, "pathname"))
	if search := text(call(query, "toString")); search != "" {
		address += "?" + search
	}
	call(get(e.window, "history"), "replaceState", safejs.Null(), "", address+text(get(location, "hash")))
}

func (e *Edge) Frames(step func(now float64) bool) {
	e.step = step
	if !e.requested {
		e.requested = true
		call(e.shared, "frames", e.frame)
	}
}

// Paint copies the changes into one array, which paint.js and boot.js read;
// that is the only crossing of a frame.
func (e *Edge) Paint(size scene.Size, changes []byte, stage int) {
	if e.hand(changes) {
		call(e.shared, "paint", e.buffer, len(changes), size.String(), stage)
	}
}

func (e *Edge) PaintTwin(changes []byte) {
	if e.hand(changes) {
		call(e.shared, "paintTwin", e.buffer, len(changes))
	}
}

// hand copies bytes into the array that JavaScript reads.
func (e *Edge) hand(changes []byte) bool {
	if len(changes) > e.length {
		e.length = 2 * len(changes)
		e.buffer = construct(e.window, "Uint8Array", e.length)
	}
	_, err := safejs.CopyBytesToJS(e.buffer, changes)
	return err == nil
}

func (e *Edge) Now() float64 {
	now, _ := call(get(e.window, "performance"), "now").Float()
	return now
}

func (e *Edge) Size() scene.Size { return e.size }

func (e *Edge) Visible() bool { return e.visible && e.onScreen }

func (e *Edge) Reduced() bool { return e.reduced }

func (e *Edge) Narrow() bool {
	return truth(get(call(e.window, "matchMedia", "(max-width: 700px)"), "matches"))
}

// Watch observes the stage for as long as the page lives.
func (e *Edge) Watch(changed func()) {
	resized := callback(func([]safejs.Value) {
		if size := e.measure(); size != e.size {
			e.size = size
			changed()
		}
	})
	call(construct(e.window, "ResizeObserver", resized), "observe", e.element("stage"))

	e.onSight(changed, "stage", "timeblock")

	call(e.document, "addEventListener", "visibilitychange", callback(func([]safejs.Value) {
		e.visible = text(get(e.document, "visibilityState")) != "hidden"
		changed()
	}))
	less := e.less()
	call(less, "addEventListener", "change", callback(func([]safejs.Value) {
		e.reduced = truth(get(less, "matches"))
		changed()
	}))
}

// less is the media query for less motion.
func (e *Edge) less() safejs.Value {
	return call(e.window, "matchMedia", "(prefers-reduced-motion: reduce)")
}

// onSight observes whether any of these elements is in sight. Who has scrolled
// the stage away and presses play wants the clock and the charts to move.
func (e *Edge) onSight(changed func(), ids ...string) {
	inSight := map[string]bool{}
	seen := callback(func(args []safejs.Value) {
		n, _ := args[0].Length()
		for i := range n {
			entry, err := args[0].Index(i)
			if err != nil {
				return
			}
			inSight[text(get(get(entry, "target"), "id"))] = truth(get(entry, "isIntersecting"))
		}
		now := false
		for _, in := range inSight {
			now = now || in
		}
		if now != e.onScreen {
			e.onScreen = now
			changed()
		}
	})
	observer := construct(e.window, "IntersectionObserver", seen)
	for _, id := range ids {
		if part := e.element(id); !part.IsNull() {
			call(observer, "observe", part)
		}
	}
}

// measure returns the drawing for the width of the stage. css/page.css shows
// the same one.
func (e *Edge) measure() scene.Size {
	width, _ := get(e.element("stage"), "clientWidth").Float()
	return scene.SizeFor(int(width))
}

func (e *Edge) TabTo(group, id string) {
	call(e.shared, "tabTo", group, id)
}

// lasting returns an element that stays for as long as the program runs.
func (e *Edge) lasting(id string) safejs.Value {
	if found, ok := e.live[id]; ok {
		return found
	}
	found := e.element(id)
	if !found.IsNull() && !found.IsUndefined() {
		e.live[id] = found
	}
	return found
}

func (e *Edge) Say(sentence string) {
	if said := e.lasting("said"); !said.IsUndefined() {
		set(said, "textContent", sentence)
	}
}

func (e *Edge) Fill(id, text string) {
	if field := e.element(id); !field.IsNull() {
		set(field, "value", text)
	}
}

func (e *Edge) Check(id string) {
	if button := e.element(id); !button.IsNull() {
		set(button, "checked", true)
	}
}

func (e *Edge) Value(id string) string {
	field := e.element(id)
	if field.IsNull() {
		return ""
	}
	return text(get(field, "value"))
}

func (e *Edge) Copy(text string, done func(bool)) {
	var once safejs.Func
	once, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		once.Release()
		done(len(args) > 0 && truth(args[0]))
		return nil
	})
	if err == nil {
		call(e.shared, "copy", text, once)
	}
}

func (e *Edge) Place() string {
	address, _, _ := strings.Cut(text(get(get(e.window, "location"), "href")), "#")
	return address
}

func (e *Edge) Save(name, text string) { call(e.shared, "save", name, text) }

func (e *Edge) ReadFile(id string, done func(name, text string)) {
	var once safejs.Func
	once, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		once.Release()
		if len(args) > 1 {
			done(text(args[0]), text(args[1]))
		}
		return nil
	})
	if err == nil {
		call(e.shared, "readFile", id, once)
	}
}

func (e *Edge) Focus(id string) {
	if element := e.element(id); !element.IsNull() {
		call(element, "focus")
	}
}

// Top leaves a page alone whose element is in sight at its top already.
func (e *Edge) Top(id string) {
	element := e.element(id)
	if element.IsNull() {
		return
	}
	call(element, "focus", map[string]any{"preventScroll": true})
	if top := number(get(call(element, "getBoundingClientRect"), "top")); top < 0 || top > number(get(e.window, "innerHeight"))/2 {
		call(element, "scrollIntoView", map[string]any{"block": "start"})
	}
}

// Ring is drawn by the style sheet, once, where the node is now.
func (e *Edge) Ring(keys []string) {
	ring, stage := e.element("ring"), e.element("stage")
	if ring.IsNull() || stage.IsNull() {
		return
	}
	classes := get(ring, "classList")
	call(classes, "remove", "on")
	for _, key := range keys {
		box := e.drawn(stage, key)
		if number(get(box, "width")) == 0 {
			continue
		}
		around, style := call(stage, "getBoundingClientRect"), get(ring, "style")
		call(style, "setProperty", "--x", pixels(number(get(box, "left"))-number(get(around, "left"))))
		call(style, "setProperty", "--y", pixels(number(get(box, "top"))-number(get(around, "top"))))
		call(style, "setProperty", "--w", pixels(number(get(box, "width"))))
		call(style, "setProperty", "--h", pixels(number(get(box, "height"))))
		get(ring, "offsetWidth") // measured in between, it begins anew
		call(classes, "add", "on")
		return
	}
}

// drawn returns the box of a node in the drawing that is shown.
func (e *Edge) drawn(stage safejs.Value, key string) safejs.Value {
	found := call(stage, "querySelector", `svg[data-size="`+e.size.String()+`"] [data-k="`+key+`"]`)
	if found.IsNull() || found.IsUndefined() {
		return safejs.Undefined()
	}
	return call(found, "getBoundingClientRect")
}

func (e *Edge) Nearest(id string, y float64) int {
	element := e.element(id)
	if element.IsNull() {
		return -1
	}
	children := get(element, "children")
	n, _ := children.Length()
	best, least := -1, 0.0
	for i := range n {
		child, err := children.Index(i)
		if err != nil {
			continue
		}
		box := call(child, "getBoundingClientRect")
		far := abs(number(get(box, "top")) + number(get(box, "height"))/2 - y)
		if best < 0 || far < least {
			best, least = i, far
		}
	}
	return best
}

func (e *Edge) Down(id string, y float64) float64 {
	box := call(e.element(id), "getBoundingClientRect")
	top, height := number(get(box, "top")), number(get(box, "height"))
	if height == 0 {
		return 0
	}
	return max(0, min((y-top)/height, 1))
}

func (e *Edge) Along(id string, x float64) float64 {
	box := call(e.element(id), "getBoundingClientRect")
	left, width := number(get(box, "left")), number(get(box, "width"))
	if width == 0 {
		return 0
	}
	return max(0, min((x-left)/width, 1))
}

// Width asks for the page's layout once, and again when another element has
// taken the place: asked in the midst of changes, the browser would lay the
// page out at once. From then on an observer tells.
func (e *Edge) Width(id string) int {
	element := e.element(id)
	if element.IsNull() {
		return wideLine
	}
	known := e.widths[id]
	if known == nil || !known.element.Equal(element) {
		known = &width{element: element, pixels: number(get(element, "clientWidth"))}
		e.widths[id] = known
		seen := callback(func([]safejs.Value) { known.pixels = number(get(element, "clientWidth")) })
		call(construct(e.window, "ResizeObserver", seen), "observe", element)
	}
	if known.pixels == 0 {
		return wideLine
	}
	return int(known.pixels)
}

// wideLine is the width of the timeline on a wide page.
const wideLine = 720

// width is what an element measured last.
type width struct {
	element safejs.Value
	pixels  float64
}

func (e *Edge) Capture(id string, pointer int) {
	if element := e.element(id); !element.IsNull() {
		call(element, "setPointerCapture", pointer)
	}
}

func (e *Edge) Lift(x, y float64) {
	lifted := e.element("lifted")
	if lifted.IsNull() {
		return
	}
	call(get(lifted, "classList"), "toggle", "on", y >= 0)
	box := call(get(lifted, "parentElement"), "getBoundingClientRect")
	style := get(lifted, "style")
	call(style, "setProperty", "--x", pixels(x-number(get(box, "left"))))
	call(style, "setProperty", "--y", pixels(y-number(get(box, "top"))-18))
}

func (e *Edge) NearestSlot(y float64) int {
	slots := call(e.document, "querySelectorAll", "#listing .slot[data-before]")
	n, _ := slots.Length()
	best, nearest := 0, 80.0 // farther away than that, the line goes back
	for i := range n {
		slot, err := slots.Index(i)
		if err != nil {
			continue
		}
		box := call(slot, "getBoundingClientRect")
		middle := number(get(box, "top")) + number(get(box, "height"))/2
		if far := abs(middle - y); far < nearest {
			nearest = far
			best = int(number(call(slot, "getAttribute", "data-before")))
		}
	}
	return best
}

func (e *Edge) Fragment() string { return text(get(get(e.window, "location"), "hash")) }

// Moved hears of links that are opened while the page is open, and of steps
// back and forth between them.
func (e *Edge) Moved(changed func()) {
	call(e.window, "addEventListener", "hashchange", callback(func([]safejs.Value) { changed() }))
}

func (e *Edge) SetFragment(fragment string) {
	if fragment == e.last["fragment"] {
		return
	}
	e.last["fragment"] = fragment
	call(e.shared, "remember", fragment)
}

func (e *Edge) Wanted() string { return text(get(e.shared, "wanted")) }

func (e *Edge) Recorded() string {
	recording := get(e.shared, "recorded")
	if recording.IsUndefined() {
		return ""
	}
	return text(call(recording, "handOver"))
}

func (e *Edge) Offer(functions map[string]func(string) string) {
	for name, do := range functions {
		f, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
			in := ""
			if len(args) > 0 {
				in = text(args[0])
			}
			return do(in)
		})
		if err == nil {
			set(e.shared, name, f)
		}
	}
}

func (e *Edge) Tell(message string) { call(e.shared, "tell", message) }
