package scene_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/naive"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

var sizes = []scene.Size{scene.Wide, scene.Compact, scene.Tall, scene.Narrow}

// box is where a text or a button of the drawing is.
type box struct {
	left, top, right, bottom float64
	text                     string
	node                     string // key of the node it belongs to
	paper                    bool   // on a ticket, a sheet or a stamp: these may lie over each other
	button                   bool
}

func (b *box) touches(o *box) bool {
	const slack = 1.5
	return min(b.right, o.right)-max(b.left, o.left) > slack && min(b.bottom, o.bottom)-max(b.top, o.top) > slack
}

// matrix is the part of an SVG transform that the drawings use.
type matrix struct{ a, b, c, d, e, f float64 }

func (m matrix) at(x, y float64) (float64, float64) { return m.a*x + m.c*y + m.e, m.b*x + m.d*y + m.f }

func (m matrix) times(o matrix) matrix {
	return matrix{
		m.a*o.a + m.c*o.b, m.b*o.a + m.d*o.b, m.a*o.c + m.c*o.d, m.b*o.c + m.d*o.d,
		m.a*o.e + m.c*o.f + m.e, m.b*o.e + m.d*o.f + m.f,
	}
}

func parseTransform(text string) matrix {
	m := matrix{1, 0, 0, 1, 0, 0}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		name, rest, _ := strings.Cut(text, "(")
		inside, after, _ := strings.Cut(rest, ")")
		var v []float64
		for _, f := range strings.Fields(inside) {
			n, _ := strconv.ParseFloat(f, 64)
			v = append(v, n)
		}
		switch name {
		case "translate":
			m = m.times(matrix{1, 0, 0, 1, v[0], v[1]})
		case "rotate":
			s, c := math.Sincos(v[0] * math.Pi / 180)
			m = m.times(matrix{c, s, -s, c, 0, 0})
		case "scale":
			m = m.times(matrix{v[0], 0, 0, v[0], 0, 0})
		}
		text = after
	}
	return m
}

// reader goes through a drawing and gathers its boxes.
type reader struct {
	size  string
	stack []frame
	boxes []box
	now   *box
	width float64
}

type frame struct {
	m      matrix
	node   string
	paper  bool
	button bool
	hidden bool
	face   scene.Typeface
}

func boxesOf(t *testing.T, markup string) (boxes []box, width, height float64) {
	t.Helper()
	r := &reader{}
	d := xml.NewDecoder(strings.NewReader(markup))
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "svg" && width == 0 {
				width, height = number(attr(e, "width"), 0), number(attr(e, "height"), 0)
				r.size = attr(e, "data-size")
			}
			r.open(e)
		case xml.EndElement:
			r.close(e)
		case xml.CharData:
			if r.now != nil {
				top := &r.stack[len(r.stack)-1]
				r.width += scene.TextWidth(string(e), top.face)
				r.now.text += string(e)
			}
		}
	}
	return r.boxes, width, height
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func number(text string, without float64) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return without
	}
	return v
}

func has(classes, class string) bool {
	for _, c := range strings.Fields(classes) {
		if c == class {
			return true
		}
	}
	return false
}

func (r *reader) open(e xml.StartElement) {
	f := frame{m: matrix{1, 0, 0, 1, 0, 0}}
	if n := len(r.stack); n > 0 {
		f = r.stack[n-1]
	}
	f.m = f.m.times(parseTransform(attr(e, "transform")))
	class := attr(e, "class")
	if k := attr(e, "data-k"); k != "" {
		f.node = k
	}
	f.paper = f.paper || has(class, "tk") || has(class, "spike") || has(class, "stamp") || has(class, "chip")
	f.hidden = f.hidden || number(attr(e, "opacity"), 1) < .3 || e.Name.Local == "title"
	f.face = scene.FaceOf(class, r.size, f.face)
	if s := attr(e, "font-size"); s != "" {
		f.face.Size = number(s, 11)
	}
	if e.Name.Local == "text" && attr(e, "text-anchor") != "" {
		f.face.Anchor = attr(e, "text-anchor")
	}
	if has(class, "sbtn") && !has(class, "touch") || has(class, "tbtn") || has(class, "following") {
		f.button = true
	}
	r.stack = append(r.stack, f)
	switch {
	case e.Name.Local == "rect" && f.button && !f.hidden:
		x, y := f.m.at(number(attr(e, "x"), 0), number(attr(e, "y"), 0))
		r.boxes = append(r.boxes, box{x, y, x + number(attr(e, "width"), 0), y + number(attr(e, "height"), 0), "button", f.node, false, true})
	case e.Name.Local == "text" && !f.hidden:
		r.now = &box{left: number(attr(e, "x"), 0), top: number(attr(e, "y"), 0), node: f.node, paper: f.paper}
		r.width = 0
	case e.Name.Local == "tspan":
		r.width += number(attr(e, "dx"), 0)
	}
}

func (r *reader) close(e xml.EndElement) {
	f := r.stack[len(r.stack)-1]
	r.stack = r.stack[:len(r.stack)-1]
	if e.Name.Local != "text" || r.now == nil {
		return
	}
	b := *r.now
	r.now = nil
	if b.text = strings.TrimSpace(b.text); b.text == "" || f.button {
		return
	}
	x := b.left
	switch f.face.Anchor {
	case "middle":
		x -= r.width / 2
	case "end":
		x -= r.width
	}
	// From the top of a capital letter to a little below the line.
	x0, y0 := f.m.at(x, b.top-.66*f.face.Size)
	x1, y1 := f.m.at(x+r.width, b.top+.1*f.face.Size)
	b.left, b.right, b.top, b.bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
	r.boxes = append(r.boxes, b)
}

// illegible lists texts that lie over others or leave the drawing.
func illegible(t *testing.T, markup string) []string {
	t.Helper()
	boxes, w, h := boxesOf(t, markup)
	var out []string
	sort.SliceStable(boxes, func(i, k int) bool { return boxes[i].left < boxes[k].left })
	for i := range boxes {
		a := &boxes[i]
		if a.left < -.5 || a.top < -2 || a.right > w+.5 || a.bottom > h+.5 {
			out = append(out, fmt.Sprintf("%q leaves the drawing: %.0f %.0f to %.0f %.0f", a.text, a.left, a.top, a.right, a.bottom))
		}
		for k := i + 1; k < len(boxes) && boxes[k].left < a.right; k++ {
			c := &boxes[k]
			if a.node == c.node && a.text == c.text || a.paper && c.paper || isLineNumber(a, c) || !a.touches(c) {
				continue
			}
			out = append(out, fmt.Sprintf("%q (%s) over %q (%s) at %.0f %.0f", a.text, a.node, c.text, c.node, c.left, c.top))
		}
	}
	return out
}

// isLineNumber reports whether one is the tag of the line at work over the
// same number in the listing.
func isLineNumber(a, b *box) bool { return a.text == b.text && len(a.text) <= 3 }

func checkLegible(t *testing.T, r *run.Run, words *scene.Words, name string, instants event.Time) {
	t.Helper()
	end := r.Log.Last().At
	cursor := r.Index.Cursor()
	for _, size := range sizes {
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, words)
		for k := range instants + 1 {
			now := end / instants * k
			markup := scene.Markup(stage.Frame(scene.Input{State: cursor.Seek(now), Now: now, Follow: event.NoMessage}))
			require.Empty(t, illegible(t, markup), "%s, %s (%d), at %v s", name, size, size, now.Seconds())
		}
	}
}

// Nothing that is written lies over anything else, and nothing leaves the
// drawing: every case, in every size.
func TestEveryCaseIsLegible(t *testing.T) {
	files, err := filepath.Glob(cases + "*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob(cases + "rules/*.yaml")
	require.NoError(t, err)
	boards, err := filepath.Glob("testdata/boards/*.yaml")
	require.NoError(t, err)
	for _, file := range append(append(files, rules...), boards...) {
		checkLegible(t, load(t, file, nil), scene.KitchenWords, file, 8)
	}
}

// The same for scenarios that nobody has thought of.
func TestRandomScenariosAreLegible(t *testing.T) {
	for seed := range uint64(40) {
		checkLegible(t, random(t, seed), scene.KitchenWords, fmt.Sprintf("seed %d", seed), 5)
	}
}

// random runs the scenario that a seed makes.
func random(t *testing.T, seed uint64) *run.Run {
	t.Helper()
	s, problems := scenarioyaml.Decode([]byte(naive.Generate(naive.Seeded(seed))))
	require.Empty(t, problems, "seed %d", seed)
	r, err := run.Do(s)
	require.NoError(t, err, "seed %d", seed)
	return r
}

// Every set of words fits its places.
func TestWordsFit(t *testing.T) {
	for name, words := range scene.WordSets() {
		for _, file := range []string{"testdata/lesson.yaml", cases + "drain-eight-workers.yaml", cases + "poison-to-dead-letters.yaml", cases + "queue-full.yaml", "testdata/boards/shop.yaml", "testdata/boards/pools.yaml"} {
			checkLegible(t, load(t, file, nil), words, name+" "+file, 6)
		}
	}
}

// The caption has seven words at most.
func TestCaptionIsShort(t *testing.T) {
	rules, err := filepath.Glob(cases + "rules/*.yaml")
	require.NoError(t, err)
	for _, file := range append(rules, played...) {
		r := load(t, file, nil)
		for name, words := range scene.WordSets() {
			stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, words)
			for i := range min(r.Log.Len(), 400) {
				text := stage.Caption(i)
				require.LessOrEqual(t, len(strings.Fields(text)), 7, "%s, %s, event %d: %s", file, name, i, text)
			}
		}
	}
}

// A crash is told by what the broker has heard of the message in hand.
func TestCaptionOfACrash(t *testing.T) {
	late := load(t, cases+"naive-payments.yaml", nil)
	early := load(t, cases+"naive-payments.yaml", map[string]string{
		"workers.biller.handler": "def on_message(msg):\n    ack(msg)\n    balance.add(msg.id, amount=msg.body[\"amount\"])\n",
	})
	require.Equal(t, "Cook A crashes. 2 was never acked.", crashCaption(late))
	require.Equal(t, "Cook A crashes. 2 was already acked.", crashCaption(early))
}

// crashCaption is what the stage says of the first crash.
func crashCaption(r *run.Run) string {
	crash := r.Index.Next(0, func(e *event.Event) bool { return e.Kind == event.Crashed })
	return scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.KitchenWords).Caption(crash)
}

// Whoever cannot use a pointer finds every control and hears what it does.
func TestControlsHaveNames(t *testing.T) {
	for _, file := range []string{"testdata/lesson.yaml", "testdata/boards/shop.yaml", "testdata/boards/pools.yaml"} {
		r := load(t, file, nil)
		acts := map[string]bool{}
		for _, size := range sizes {
			stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
			for k := range event.Time(12) {
				now := r.Log.Last().At / 11 * k
				d := xml.NewDecoder(strings.NewReader(scene.Markup(stage.Frame(scene.Input{State: r.Index.Cursor().Seek(now), Now: now, Follow: event.NoMessage}))))
				for {
					token, err := d.Token()
					if err == io.EOF {
						break
					}
					e, ok := token.(xml.StartElement)
					if !ok || attr(e, "role") != "button" {
						continue
					}
					require.Equal(t, "0", attr(e, "tabindex"))
					require.NotEmpty(t, attr(e, "aria-label"))
					require.NotEmpty(t, attr(e, "data-act"))
					acts[attr(e, "data-act")] = true
				}
			}
		}
		for _, act := range []string{"follow", "add", "remove", "send"} {
			require.True(t, acts[act], "%s: nothing to %s", file, act)
		}
	}
}

// A busy second is as legible as a quiet one: eight workers who crash, time out
// and are tried again many times a second, at every event of it, with whom one
// follows.
func TestABusySecondIsLegible(t *testing.T) {
	r := load(t, cases+"drain-eight-workers.yaml", map[string]string{
		"queues.jobs.visibility_timeout": "150ms", "queues.jobs.max_receives": "3", "queues.jobs.return_to": "head",
		"workers.resizer.crash.probability": "30%", "workers.resizer.restart_after": "100ms",
	})
	from, to := r.Log.Find(2*event.Second), r.Log.Find(2500*event.Millisecond)
	kinds := map[event.Kind]int{}
	for i := from; i < to; i++ {
		kinds[r.Log.Event(i).Kind]++
	}
	require.Greater(t, kinds[event.HiddenOver], 10, "timeouts")
	require.Greater(t, kinds[event.Crashed], 4, "crashes")
	require.Greater(t, kinds[event.DeadLettered], 2, "dead letters")
	cursor := r.Index.Cursor()
	for _, words := range []*scene.Words{scene.KitchenWords, scene.WordSets()["sqs"], scene.WordSets()["pubsub"]} {
		for _, size := range sizes {
			stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, words)
			for i := from; i < to; i += 3 {
				e := r.Log.Event(i)
				markup := scene.Markup(stage.Frame(scene.Input{State: cursor.SeekEvents(i + 1), Now: e.At, Stepped: true, Follow: e.Message}))
				require.Empty(t, illegible(t, markup), "size %d, event %d at %v s", size, i, e.At.Seconds())
			}
		}
	}
}

// What a reader adds finds its place: workers who join and leave, a message
// sent by hand, a producer that stands still.
func TestWhatAReaderDoesIsLegible(t *testing.T) {
	for _, file := range []string{cases + "drain-two-workers.yaml", cases + "poison-to-dead-letters.yaml", "testdata/boards/shop.yaml", "testdata/boards/pools.yaml"} {
		before := load(t, file, nil)
		s := before.Scenario.Clone()
		half := before.Log.Last().At / 2 / event.Millisecond * event.Millisecond
		for i := range s.Workers {
			s.Timeline = append(s.Timeline,
				scenario.Entry{At: half, Set: "workers." + s.Workers[i].Name + ".count", To: s.Workers[i].Count + 3},
				scenario.Entry{At: half + event.Millisecond, Crash: s.Workers[i].Name + "/1"})
		}
		for i := range s.Producers {
			s.Timeline = append(s.Timeline, scenario.Entry{At: half, Pause: s.Producers[i].Name})
		}
		mine := s.Producers[0]
		mine.Name, mine.Rate, mine.Count, mine.Mix = scene.ByHand, scenario.Rate{}, 0, nil
		mine.Send = []scenario.Message{{ID: event.ID{Number: 9001}, At: half, Body: mine.Body, Delay: event.Never}}
		s.Producers = append(s.Producers, mine)
		r, err := run.Do(s)
		require.NoError(t, err, file)
		checkLegible(t, r, scene.KitchenWords, "acted on: "+file, 8)
	}
}
