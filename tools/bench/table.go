package main

import (
	"fmt"
	"strconv"
	"strings"
)

// row is one measured figure beside its budget.
type row struct {
	what      string
	value     float64
	unit      string
	must, aim float64 // 0: none is set
	more      bool    // more is better
}

// verdict says how the figure stands to its budget.
func (r row) verdict() string {
	better := func(a, b float64) bool { return a <= b }
	if r.more {
		better = func(a, b float64) bool { return a >= b }
	}
	switch {
	case r.must == 0 && r.aim == 0:
		return ""
	case r.aim != 0 && better(r.value, r.aim):
		return "aim"
	case r.must == 0:
		return "below the aim"
	case better(r.value, r.must):
		return "must"
	}
	return "MISSED"
}

func printRows(title string, rows []row) {
	fmt.Printf("\n%-58s %12s  %-10s %10s %10s  %s\n", title, "measured", "", "must", "aim", "reached")
	for _, r := range rows {
		fmt.Printf("%-58s %12s  %-10s %10s %10s  %s\n", r.what, number(r.value), r.unit, budget(r.must), budget(r.aim), r.verdict())
	}
}

func budget(v float64) string {
	if v == 0 {
		return ""
	}
	return number(v)
}

// number writes a figure with three digits that count, thousands apart.
func number(v float64) string {
	if v < 1000 {
		return strconv.FormatFloat(round(v), 'f', -1, 64)
	}
	digits := strconv.FormatInt(int64(round(v)), 10)
	var groups []string
	for len(digits) > 3 {
		groups = append([]string{digits[len(digits)-3:]}, groups...)
		digits = digits[:len(digits)-3]
	}
	return strings.Join(append([]string{digits}, groups...), ",")
}

// round keeps the three digits that count.
func round(v float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 3, 64), 64)
	if err != nil {
		return v
	}
	return rounded
}

func printCore(native, wasm figures) {
	const rate = "messages/s"
	printRows("The core, natively", []row{
		{what: "broker alone: send, hand out, ack; 10^3 messages", value: native["broker/1000"], unit: rate, aim: 5e6, more: true},
		{what: "  10^5", value: native["broker/100000"], unit: rate, aim: 5e6, more: true},
		{what: "  10^6", value: native["broker/1000000"], unit: rate, aim: 5e6, more: true},
		{what: "  10^7", value: native["broker/10000000"], unit: rate, aim: 5e6, more: true},
		{what: "  a message's cost at 10^7 to that at 10^3", value: native["broker/1000"] / native["broker/10000000"], unit: "times"},
		{what: "  allocations a message after warm-up", value: native["broker/allocations"], must: 0.01},
		{what: "whole run, Go handler, 8 workers at 80% load", value: native["run/go"], unit: rate, must: 1e6, aim: 3e6, more: true},
		{what: "  with crashes", value: native["run/crash"], unit: rate},
		{what: "whole run, Starlark handler", value: native["run/starlark"], unit: rate, must: 2e5, aim: 4e5, more: true},
		{what: "log: the record of an event", value: native["log/record"], unit: "bytes", must: 48, aim: 32},
		{what: "log: with messages, effects and texts", value: native["log/event"], unit: "bytes/event", must: 48, aim: 32},
		{what: "seek in a run of 10^6 events, median", value: native["seek/median"], unit: "ms"},
		{what: "edit to new run, about 5,000 events", value: native["edit"], unit: "ms"},
	})
	printRows("The core, as WebAssembly in Node", []row{
		{what: "broker alone; 10^5 messages", value: wasm["broker/100000"], unit: rate},
		{what: "whole run, Go handler, 8 workers at 80% load", value: wasm["run/go"], unit: rate, must: 2e5, aim: 6e5, more: true},
		{what: "whole run, Starlark handler", value: wasm["run/starlark"], unit: rate, must: 25e3, aim: 6e4, more: true},
		{what: "seek in a run of 10^6 events, median", value: wasm["seek/median"], unit: "ms", must: 8, aim: 2},
		{what: "  the worst of 200", value: wasm["seek/worst"], unit: "ms", must: 8, aim: 2},
		{what: "edit to new run, about 5,000 events", value: wasm["edit"], unit: "ms", must: 50, aim: 16},
	})
}

func printSize(size figures) {
	printRows("The page's program", []row{
		{what: "raw", value: size["raw"], unit: "MB"},
		{what: "gzip 9", value: size["gzip"], unit: "MB"},
		{what: "brotli 11", value: size["brotli"], unit: "MB", must: 2, aim: 1.75},
	})
}

func printPage(page figures) {
	const ms = "ms"
	printRows("The page playing, in headless Chromium", []row{
		{what: "a lesson's scene: the main thread's work a frame, median", value: page["lesson/frame/median"], unit: ms, must: 5, aim: 2.5},
		{what: "  of 20 frames the worst (p95)", value: page["lesson/frame/p95"], unit: ms, must: 10, aim: 6},
		{what: "  Go's part of it, median", value: page["lesson/go/median"], unit: ms, must: 1, aim: 0.3},
		{what: "  Go's allocations in it, median", value: page["lesson/go/allocations"], must: 20, aim: 0.5},
		{what: "the burst of 400 jobs, 8 workers: median", value: page["burst/frame/median"], unit: ms, must: 6, aim: 3},
		{what: "  of 20 frames the worst (p95)", value: page["burst/frame/p95"], unit: ms, must: 12, aim: 8},
		{what: "  Go's part of it, median", value: page["burst/go/median"], unit: ms, must: 1, aim: 0.3},
		{what: "  Go's allocations in it, median", value: page["burst/go/allocations"], must: 20, aim: 0.5},
		{what: "an hour of playing, round and round: the page's heap grows", value: page["hour/page"], unit: "KB"},
		{what: "  the program's heap grows", value: page["hour/program"], unit: "KB"},
	})
	printRows("The page answering", []row{
		{what: "edit to new run on screen, lesson", value: page["lesson/edit/median"], unit: ms, must: 50, aim: 16},
		{what: "edit to new run on screen, burst, about 3,000 events", value: page["burst/edit/median"], unit: ms, must: 50, aim: 16},
		{what: "scrub in a run of 10,000 messages, page in step, median", value: page["long/seek/median"], unit: ms, must: 33, aim: 16},
		{what: "  the worst of 24", value: page["long/seek/worst"], unit: ms, must: 33, aim: 16},
	})
	printRows("The page starting, cold, median of 7", []row{
		{what: "first contentful paint", value: page["start/paint"], unit: ms, aim: 300},
		{what: "  with the program held back for good", value: page["start/paint/without"], unit: ms, aim: 300},
		{what: "program running", value: page["start/running"], unit: ms},
		{what: "  go-app hello world in the same run", value: page["start/hello/running"], unit: ms},
		{what: "  ratio", value: page["start/ratio"], unit: "times", must: 1.5, aim: 1.2},
		{what: "play is pressed and something moves", value: page["start/moves"], unit: ms},
		{what: "10 Mbit/s and 40 ms: first contentful paint", value: page["start/slow/paint"], unit: ms},
		{what: "  play can be pressed and something moves", value: page["start/slow/moves"], unit: ms, must: 700, aim: 350},
		{what: "  program running", value: page["start/slow/running"], unit: ms},
		{what: "program, as brotli sends it", value: page["weight/program"], unit: "KB", must: 2000, aim: 1750},
		{what: "all of the page besides it", value: page["weight/rest"], unit: "KB", must: 80, aim: 50},
	})
}
