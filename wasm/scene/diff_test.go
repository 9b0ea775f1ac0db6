package scene_test

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

// element is what the model below keeps of an element of the page.
type element struct {
	key                 scene.Key
	sig                 uint32
	inside, class, text string
	x, y, rot, scale    int32
	opacity, dash       int
	dashed, textGiven   bool
}

// paper is a page as paint.js keeps it: the elements in order.
type paper struct {
	t        testing.TB
	elements []*element
	b        []byte
	size     string
	label    string
}

func (p *paper) u8() byte {
	v := p.b[0]
	p.b = p.b[1:]
	return v
}

func (p *paper) u16() uint16 {
	v := binary.LittleEndian.Uint16(p.b)
	p.b = p.b[2:]
	return v
}

func (p *paper) u32() uint32 {
	v := binary.LittleEndian.Uint32(p.b)
	p.b = p.b[4:]
	return v
}

func (p *paper) text() string {
	n := p.u32()
	s := string(p.b[:n])
	p.b = p.b[n:]
	return s
}

func (p *paper) find(k uint32) (int, *element) {
	for i, e := range p.elements {
		if e.key == scene.Key(k) {
			return i, e
		}
	}
	require.Fail(p.t, "no element with key "+strconv.Itoa(int(k)))
	return 0, nil
}

func (p *paper) insert(e *element, before uint32) {
	at := len(p.elements)
	if before != 0 {
		at, _ = p.find(before)
	}
	p.elements = append(p.elements, nil)
	copy(p.elements[at+1:], p.elements[at:])
	p.elements[at] = e
}

func (p *paper) cut(k uint32) *element {
	i, e := p.find(k)
	p.elements = append(p.elements[:i], p.elements[i+1:]...)
	return e
}

// apply does what paint.js does, operation by operation.
func (p *paper) apply(buffer []byte) {
	if len(buffer) == 0 {
		return
	}
	require.EqualValues(p.t, scene.Version, buffer[0])
	p.b = buffer[1:]
	for len(p.b) > 0 {
		switch op := p.u8(); op {
		case 1, 2:
		case 3:
			w, h := p.u16(), p.u16()
			p.size = strconv.Itoa(int(w)) + "x" + strconv.Itoa(int(h)) + p.text()
		case 4:
			p.label = p.text()
		case 5:
			k, before, sig := p.u32(), p.u32(), p.u32()
			_ = sig
			p.insert(&element{key: scene.Key(k), scale: 1000, opacity: 100}, before)
		case 6:
			p.cut(p.u32())
		case 7:
			k := p.u32()
			e := p.cut(k)
			p.insert(e, p.u32())
		case 8:
			_, e := p.find(p.u32())
			e.sig, e.inside = p.u32(), p.text()
			e.dashed, e.textGiven, e.text, e.dash = false, false, "", 0
		case 9:
			_, e := p.find(p.u32())
			e.x, e.y, e.rot, e.scale = int32(p.u32()), int32(p.u32()), 0, 1000
		case 10:
			_, e := p.find(p.u32())
			e.x, e.y, e.rot, e.scale = int32(p.u32()), int32(p.u32()), int32(p.u32()), int32(p.u32())
		case 11:
			_, e := p.find(p.u32())
			e.opacity = int(p.u8())
		case 12:
			_, e := p.find(p.u32())
			e.class = p.text()
		case 13:
			_, e := p.find(p.u32())
			e.dash, e.dashed = int(p.u16()), true
		case 14:
			_, e := p.find(p.u32())
			e.text, e.textGiven = p.text(), true
		default:
			require.Failf(p.t, "unknown operation", "%d", op)
		}
	}
}

func (p *paper) equal(f *scene.Frame) {
	require.Len(p.t, p.elements, len(f.Nodes))
	for i := range f.Nodes {
		n, e := &f.Nodes[i], p.elements[i]
		if n.Key != e.key || n.Markup != e.inside || n.Class != e.class || n.Text.String() != e.text ||
			!near(n.X, e.x, 100) || !near(n.Y, e.y, 100) || !near(n.Rot, e.rot, 100) || !near(n.Scale, e.scale, 1000) ||
			!near(n.Opacity, int32(e.opacity), 100) || n.HasDash && math.Abs(float64(n.Dash)*10-float64(e.dash)) > 2.6 {
			require.Failf(p.t, "the page differs from the frame", "node %d\n%+v\n%+v", i, *n, *e)
		}
	}
	require.Equal(p.t, f.Label, p.label)
}

// near reports whether v was sent as the nearest whole part of 1/unit.
func near(v float32, sent int32, unit float64) bool {
	return math.Abs(float64(v)*unit-float64(sent)) < .6
}

// show plays a run from start to end at a multiple of its natural speed, at
// 60 frames a second, and calls each with every frame.
func show(r *run.Run, stage *scene.Stage, times float64, each func(*scene.Frame)) {
	cursor := r.Index.Cursor()
	step := event.Time(stage.Natural() * times / 60 * 1e9)
	for now := event.Time(0); now <= r.Log.Last().At+step; now += step {
		each(stage.Frame(scene.Input{
			State: cursor.Seek(now), Now: now, Speed: stage.Natural() * times, Natural: stage.Natural(), Follow: event.NoMessage,
		}))
	}
}

var played = []string{
	"testdata/lesson.yaml", cases + "six-orders-one-worker.yaml", cases + "six-orders-three-workers.yaml",
	cases + "slow-worker.yaml", cases + "crash-halfway.yaml", cases + "poison-payments.yaml", cases + "backoff.yaml",
	cases + "queue-full.yaml", cases + "drain-eight-workers.yaml",
	"testdata/boards/shop.yaml", "testdata/boards/pools.yaml", cases + "rules/pipeline.yaml",
}

func TestDifferencesAddUpToEveryFrame(t *testing.T) {
	for _, file := range played {
		for _, size := range sizes {
			t.Run(file+" "+size.String(), func(t *testing.T) {
				r := load(t, file, nil)
				stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
				var d scene.Differ
				p := &paper{t: t}
				show(r, stage, 3.9, func(f *scene.Frame) {
					p.apply(d.Diff(f))
					p.equal(f)
				})
			})
		}
	}
}

// A ticket has one body, and every node one key.
func TestNoKeyTwiceInAFrame(t *testing.T) {
	for _, file := range played {
		r := load(t, file, nil)
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.PlainWords)
		show(r, stage, 2.3, func(f *scene.Frame) {
			seen := map[scene.Key]bool{}
			for i := range f.Nodes {
				require.False(t, seen[f.Nodes[i].Key], "%s: key %v", file, f.Nodes[i].Key)
				seen[f.Nodes[i].Key] = true
			}
		})
	}
}

// The same instant gives the same frame, whatever was drawn before.
func TestFrameDependsOnTheInstantOnly(t *testing.T) {
	for _, file := range []string{"testdata/lesson.yaml", "testdata/boards/shop.yaml"} {
		dependsOnTheInstantOnly(t, file)
	}
}

func dependsOnTheInstantOnly(t *testing.T, file string) {
	r := load(t, file, nil)
	source := scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}
	stage := scene.New(source, scene.Wide, scene.KitchenWords)
	at := func(s *scene.Stage, now event.Time, speed float64) string {
		return scene.Markup(s.Frame(scene.Input{State: r.Index.Cursor().Seek(now), Now: now, Speed: speed, Follow: event.NoMessage}))
	}
	for k := range event.Time(40) {
		now := (k * 37 % 40) * 53 * event.Millisecond
		require.Equal(t, at(scene.New(source, scene.Wide, scene.KitchenWords), now, .2), at(stage, now, .2))
		require.Equal(t, at(scene.New(source, scene.Wide, scene.KitchenWords), now, 0), at(stage, now, 0))
	}
}

// Playing from a stage at rest goes on from what one sees.
func TestWhatWasToldIsNotShownAgain(t *testing.T) {
	r := load(t, "testdata/lesson.yaml", nil)
	stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.KitchenWords)
	for _, now := range []event.Time{0, 400 * event.Millisecond, 980 * event.Millisecond, 1232 * event.Millisecond} {
		places := func(in scene.Input) map[scene.Key][2]float32 {
			state := r.Index.Cursor().Seek(now)
			in.State, in.Now, in.Follow = state, now, event.NoMessage
			at := map[scene.Key][2]float32{}
			f := stage.Frame(in)
			for i := range f.Nodes {
				if f.Nodes[i].Class == "tk" {
					at[f.Nodes[i].Key] = [2]float32{f.Nodes[i].X, f.Nodes[i].Y}
				}
			}
			return at
		}
		events := r.Log.Find(now)
		require.Equal(t, places(scene.Input{}), places(scene.Input{Speed: .1, Told: events}), "at %v", now.Seconds())
	}
}

func TestFramesDoNotAllocate(t *testing.T) {
	r := load(t, "testdata/lesson.yaml", nil)
	stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.KitchenWords)
	var d scene.Differ
	cursor := r.Index.Cursor()
	now := 1242 * event.Millisecond
	frame := func() {
		now += 100 * event.Microsecond
		d.Diff(stage.Frame(scene.Input{State: cursor.Seek(now), Now: now, Speed: .1, Follow: event.NoMessage}))
	}
	frame()
	require.Zero(t, testing.AllocsPerRun(50, frame), "while nothing new happens")
}

func BenchmarkFrame(b *testing.B) {
	for _, file := range []string{"testdata/lesson.yaml", cases + "drain-eight-workers.yaml", "testdata/boards/shop.yaml", "testdata/boards/many.yaml"} {
		b.Run(file, func(b *testing.B) {
			r := load(b, file, nil)
			stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.KitchenWords)
			var d scene.Differ
			cursor := r.Index.Cursor()
			step := event.Time(stage.Natural() / 60 * 1e9)
			now := event.Time(0)
			bytes := 0
			b.ReportAllocs()
			for b.Loop() {
				now += step
				if now > r.Log.Last().At {
					now = 0
				}
				f := stage.Frame(scene.Input{State: cursor.Seek(now), Now: now, Speed: stage.Natural(), Natural: stage.Natural(), Follow: event.NoMessage})
				bytes += len(d.Diff(f))
			}
			b.ReportMetric(float64(bytes)/float64(b.N), "bytes/frame")
		})
	}
}

// A recording is buffers alone: it plays without the program.
func TestRecordingStartsFromNothing(t *testing.T) {
	for _, file := range append(played[:4:4], cases+"drain-eight-workers.yaml") {
		r := load(t, file, nil)
		stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, scene.Wide, scene.KitchenWords)
		var d scene.Differ
		var buffers [][]byte
		var last string
		show(r, stage, 1, func(f *scene.Frame) {
			buffers = append(buffers, append([]byte(nil), d.Diff(f)...))
			last = scene.Markup(f)
		})
		total := 0
		for _, b := range buffers[1:] {
			total += len(b)
		}
		require.Less(t, total/len(buffers), len(buffers[0])/10, "a frame is much less than the first")
		if *pictures != "" {
			film(t, file, buffers, last)
		}
	}
}

// film writes a page that plays the buffers with paint.js: play(n) applies up
// to frame n, check() compares the page with the markup of the last frame.
func film(t *testing.T, file string, buffers [][]byte, last string) {
	read := func(name string) string {
		b, err := os.ReadFile("../../web/" + name)
		require.NoError(t, err)
		return string(b)
	}
	encoded, err := json.Marshal(buffers)
	require.NoError(t, err)
	expected, err := json.Marshal(last)
	require.NoError(t, err)
	html := "<!doctype html><meta charset=utf-8><style>" + read("css/tokens.css") + read("css/stage.css") +
		"body{margin:8px;background:var(--c-ground)} .stage{width:896px}</style>" + scene.Sprite() + "<div class=stage></div><script>" + read("paint.js") +
		"const film=" + string(encoded) + ".map(s=>Uint8Array.from(atob(s||''),c=>c.charCodeAt(0)));const want=" + string(expected) + `;
let at=0;ticketrailPaint.attach(document.querySelector(".stage"));
function play(n){while(at<=n&&at<film.length)ticketrailPaint.apply(film[at++])}
function check(){const d=document.createElement("div");d.innerHTML=want;const a=[...d.querySelector("svg").children],b=[...document.querySelector(".stage svg").children];
if(a.length!==b.length)return "count "+a.length+" "+b.length;for(let i=0;i<a.length;i++){a[i].removeAttribute("data-s");if(!a[i].isEqualNode(b[i]))return a[i].outerHTML+"\n"+b[i].outerHTML}return "same "+a.length}
</script>`
	name := "film-" + filepath.Base(file) + ".html"
	require.NoError(t, os.WriteFile(filepath.Join(*pictures, name), []byte(html), 0o644))
}

// Whatever the scenario, every node stands on the stage or close to it, and
// nothing panics: all cases, at many instants, playing and still.
func TestEveryCaseCanBeDrawn(t *testing.T) {
	files, err := filepath.Glob(cases + "*.yaml")
	require.NoError(t, err)
	rules, err := filepath.Glob(cases + "rules/*.yaml")
	require.NoError(t, err)
	for _, file := range append(files, rules...) {
		r := load(t, file, nil)
		for _, size := range sizes {
			stands(t, r, size, file)
		}
	}
}

// Whatever a scenario is made of, it can be drawn, playing and still.
func TestRandomScenariosCanBeDrawn(t *testing.T) {
	for seed := range uint64(60) {
		r := random(t, seed)
		for _, size := range sizes {
			stands(t, r, size, "seed "+strconv.FormatUint(seed, 10))
		}
	}
}

func TestAnyNumberOfWorkersCanBeDrawn(t *testing.T) {
	for n := range 12 {
		r := load(t, cases+"six-orders-one-worker.yaml", map[string]string{"workers.mailer.count": strconv.Itoa(1 + n*n)})
		for _, size := range sizes {
			stands(t, r, size, strconv.Itoa(1+n*n)+" workers")
		}
	}
}

func stands(t *testing.T, r *run.Run, size scene.Size, name string) {
	t.Helper()
	stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, size, scene.KitchenWords)
	w, h := stage.Size()
	cursor := r.Index.Cursor()
	end := r.Log.Last().At
	const instants = 25
	for k := range event.Time(instants + 1) {
		now := end / instants * k
		for _, speed := range []float64{0, stage.Natural(), 3 * stage.Natural()} {
			f := stage.Frame(scene.Input{State: cursor.Seek(now), Now: now, Speed: speed, Follow: event.MessageRef(int(k) % max(1, r.Log.MessageCount()))})
			seen := map[scene.Key]bool{}
			for i := range f.Nodes {
				n := &f.Nodes[i]
				if seen[n.Key] || !(n.X > -80 && n.X < float32(w)+80 && n.Y > -80 && n.Y < float32(h)+80) || !(n.Opacity >= 0 && n.Opacity <= 1) {
					require.Failf(t, "misplaced", "%s, %s, at %v, speed %v: %+v", name, size, now.Seconds(), speed, *n)
				}
				seen[n.Key] = true
			}
		}
	}
}
