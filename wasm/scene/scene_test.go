package scene_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/wasm/scene"
)

var (
	update   = flag.Bool("update", false, "write the golden files")
	pictures = flag.String("pictures", "", "also write each golden state as a page into this folder")
)

// still is a moment of a case to draw.
type still struct {
	name   string
	file   string
	set    map[string]string
	size   scene.Size
	at     string
	speed  float64 // times the natural one; 0 is still
	follow int64
	open   bool
}

const cases = "../../core/testdata/cases/"

var stills = []still{
	{name: "lesson-wide", file: "testdata/lesson.yaml", at: "1.24s", follow: 101},
	{name: "lesson-compact", file: "testdata/lesson.yaml", size: scene.Compact, at: "1.24s", follow: 101},
	{name: "lesson-tall", file: "testdata/lesson.yaml", size: scene.Tall, at: "1.24s", follow: 101},
	{name: "six-ready", file: cases + "six-orders-one-worker.yaml", at: "0s", open: true},
	{name: "six-first", file: cases + "six-orders-one-worker.yaml", at: "0.1s"},
	{name: "six-end", file: cases + "six-orders-one-worker.yaml", at: "2s"},
	{name: "six-eight-workers", file: cases + "six-orders-one-worker.yaml", set: map[string]string{"workers.mailer.count": "8"}, at: "0.1s"},
	{name: "six-compact", file: cases + "six-orders-one-worker.yaml", size: scene.Compact, at: "0.5s"},
	{name: "six-tall", file: cases + "six-orders-one-worker.yaml", size: scene.Tall, at: "0.5s"},
	{name: "six-take", file: cases + "six-orders-one-worker.yaml", at: "0.02s", speed: 1},
	{name: "six-effect", file: cases + "six-orders-one-worker.yaml", at: "0.225s", speed: 1},
	{name: "six-ack", file: cases + "six-orders-one-worker.yaml", at: "0.26s", speed: 1},
	{name: "six-two-workers", file: cases + "six-orders-one-worker.yaml", set: map[string]string{"workers.mailer.count": "2"}, at: "0.3s"},
	{name: "lesson-crash", file: "testdata/lesson.yaml", at: "0.403s", speed: 1, follow: 101},
	{name: "lesson-return", file: "testdata/lesson.yaml", at: "1.005s", speed: 1, follow: 101},
	{name: "lesson-refuse", file: "testdata/lesson.yaml", at: "1.1s", speed: 1},
	{name: "six-four-workers", file: cases + "six-orders-one-worker.yaml", set: map[string]string{"workers.mailer.count": "4"}, at: "0.1s"},
	{name: "six-six-workers", file: cases + "six-orders-one-worker.yaml", set: map[string]string{"workers.mailer.count": "6"}, at: "0.1s"},
	{name: "compact-eight", file: cases + "drain-eight-workers.yaml", size: scene.Compact, at: "1s"},
	{name: "compact-two", file: cases + "drain-two-workers.yaml", size: scene.Compact, at: "1s"},
	{name: "compact-four", file: cases + "drain-eight-workers.yaml", set: map[string]string{"workers.resizer.count": "4"}, size: scene.Compact, at: "1s"},
	{name: "tall-eight", file: cases + "drain-eight-workers.yaml", size: scene.Tall, at: "1s"},
	{name: "wide-eight-drain", file: cases + "drain-eight-workers.yaml", at: "1s"},
	{name: "late-ack", file: cases + "slow-worker.yaml", at: "1.33s", speed: .5, follow: 101},
	{name: "twenty-workers", file: cases + "drain-eight-workers.yaml", set: map[string]string{"workers.resizer.count": "20"}, at: "1.1s"},
	{name: "twelve-tall", file: cases + "drain-eight-workers.yaml", set: map[string]string{"workers.resizer.count": "12"}, size: scene.Tall, at: "1.1s"},
	{name: "two-services", file: cases + "rules/idempotency-key-at-once.yaml", at: "1s"},
	{name: "slow-worker", file: cases + "slow-worker.yaml", at: "0.31s"},
	{name: "delay", file: cases + "backoff.yaml", at: "1s"},
	{name: "prefetch", file: cases + "six-orders-one-worker.yaml", set: map[string]string{"workers.mailer.prefetch": "4"}, at: "0.1s"},
	{name: "poison", file: cases + "naive-payments.yaml", at: "2s"},
	{name: "queue-full", file: cases + "queue-full.yaml", at: "1s"},
	{name: "rush-wide", file: cases + "lunch-rush.yaml", at: "50s"},
	{name: "six-narrow", file: cases + "six-orders-three-workers.yaml", size: scene.Narrow, at: "0.35s"},
	{name: "fan-out", file: cases + "rules/topic-fan-out.yaml", at: "1s"},
	{name: "fan-out-ready", file: cases + "rules/topic-fan-out.yaml", at: "0s", open: true},
	{name: "fan-out-parts", file: "testdata/boards/shop.yaml", at: "2.03s", speed: 1},
	{name: "pipeline", file: cases + "rules/pipeline.yaml", at: "1.4s", speed: 1},
	{name: "pipeline-tall", file: cases + "rules/pipeline.yaml", size: scene.Tall, at: "1.4s"},
	{name: "letters-with-readers", file: cases + "rules/dead-letter-workers.yaml", size: scene.Compact, at: "42s"},
	{name: "pools", file: "testdata/boards/pools.yaml", at: "2s"},
	{name: "pools-narrow", file: "testdata/boards/pools.yaml", size: scene.Narrow, at: "2s"},
	{name: "keys", file: cases + "rules/three-keys.yaml", at: "3s"},
	{name: "priority", file: cases + "rules/priority.yaml", at: "1.5s"},
	{name: "seven-queues", file: "testdata/boards/seven.yaml", at: "2s"},
	{name: "many-queues", file: "testdata/boards/many.yaml", at: "2s"},
	{name: "returns-together", file: "testdata/boards/knot.yaml", at: "1.2s", speed: 1},
}

func load(t testing.TB, path string, set map[string]string) *run.Run {
	t.Helper()
	src, err := os.ReadFile(path)
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(src)
	require.Empty(t, problems)
	for path, value := range set {
		require.Empty(t, scenario.Set(s, path, value))
	}
	r, err := run.Do(s)
	require.NoError(t, err)
	return r
}

func seconds(t testing.TB, text string) event.Time {
	t.Helper()
	var v float64
	_, err := fmt.Sscanf(text, "%fs", &v)
	require.NoError(t, err)
	return event.Time(v*1e9 + .5)
}

func find(r *run.Run, id int64) event.MessageRef {
	for i := range r.Log.MessageCount() {
		if id != 0 && r.Log.MessageID(event.MessageRef(i)).Number == id {
			return event.MessageRef(i)
		}
	}
	return event.NoMessage
}

func draw(t testing.TB, c still) string {
	r := load(t, c.file, c.set)
	stage := scene.New(scene.Run{Scenario: r.Scenario, Log: r.Log, Index: r.Index}, c.size, scene.KitchenWords)
	now := seconds(t, c.at)
	return scene.Markup(stage.Frame(scene.Input{
		State: r.Index.Cursor().Seek(now), Now: now,
		Speed: c.speed * stage.Natural(), Natural: stage.Natural(), Follow: find(r, c.follow), Opening: c.open,
	}))
}

func TestGolden(t *testing.T) {
	for _, c := range stills {
		t.Run(c.name, func(t *testing.T) {
			got := draw(t, c)
			golden := filepath.Join("testdata", c.name+".svg")
			got = strings.ReplaceAll(got, "<g data-k", "\n<g data-k") + "\n"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			if *pictures != "" {
				page(t, c, got)
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// page writes a drawing with its style sheets, to look at.
func page(t *testing.T, c still, svg string) {
	tokens, err := os.ReadFile("../../web/css/tokens.css")
	require.NoError(t, err)
	drawing, err := os.ReadFile("../../web/css/stage.css")
	require.NoError(t, err)
	width := [...]int{896, 720, 358, 288}[c.size]
	html := fmt.Sprintf("<!doctype html><meta charset=utf-8><style>%s%s body{margin:8px;background:var(--c-ground)} .stage{width:%dpx}</style>%s<div class=stage>%s</div>", tokens, drawing, width, scene.Sprite(), svg)
	require.NoError(t, os.WriteFile(filepath.Join(*pictures, c.name+".html"), []byte(html), 0o644))
}
