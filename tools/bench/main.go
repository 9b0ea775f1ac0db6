// Command bench measures what budgets are set for and prints each figure
// beside its budget: throughput of the core natively and as WebAssembly in
// Node, memory of the log, seeking, the size of the page's program; the same
// model in other simulators; and, where the browser tests are installed, frames
// and start in a real browser. Arguments are the parts to measure: core, peers,
// size, page; without any it is all of them.
//
// Times of the core are processor time, so that a shared machine does not show
// in them; caches still do. Compare two runs of bench rather than one figure
// with a memory. Start reading at main.
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/ticketrail/ticketrail/tools/site"
)

// figures are measured values by name.
type figures map[string]float64

func main() {
	if err := bench(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// parts are what bench measures, in the order of its tables. Each prints its
// own; folder is for what it compiles.
var parts = []struct {
	name    string
	measure func(folder string) error
}{
	{"core", core},
	{"peers", peers},
	{"size", size},
	{"page", func(string) error { return browser() }},
}

// bench measures the parts that are named, or all of them.
func bench(named []string) error {
	for _, name := range named {
		if !slices.Contains(partNames(), name) {
			return fmt.Errorf("there is no part %q: write PART=%s", name, strings.Join(partNames(), ", PART="))
		}
	}
	folder, err := os.MkdirTemp("", "ticketrail-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	for _, p := range parts {
		if len(named) > 0 && !slices.Contains(named, p.name) {
			continue
		}
		if err := p.measure(folder); err != nil {
			return err
		}
	}
	return nil
}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// core measures the simulator natively and as WebAssembly.
func core(folder string) error {
	native, err := measure(folder, "native")
	if err != nil {
		return err
	}
	wasm, err := measure(folder, "wasm")
	if err != nil {
		return err
	}
	printCore(native, wasm)
	return nil
}

// size measures the page's program.
func size(folder string) error {
	size, err := programSize(folder)
	if err != nil {
		return err
	}
	printSize(size)
	return nil
}

// measure builds the measuring program for a world and runs it there, for the
// parts that are named, or all of them.
func measure(folder, world string, parts ...string) (figures, error) {
	program := filepath.Join(folder, world)
	if err := compile(program, "./tools/bench/measure", world); err != nil {
		return nil, err
	}
	command := exec.Command(program, parts...)
	if world == "wasm" {
		root, err := site.Goroot()
		if err != nil {
			return nil, err
		}
		command = exec.Command(filepath.Join(root, "lib", "wasm", "go_js_wasm_exec"), append([]string{program}, parts...)...)
	}
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("measuring in %s: %w", world, err)
	}
	return parse(out)
}

func compile(to, what, world string) error {
	if world == "wasm" {
		program, err := site.Compile(".", what)
		if err != nil {
			return err
		}
		return os.WriteFile(to, program, 0o644)
	}
	command := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", to, what)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("compiling %s: %w\n%s", what, err, out)
	}
	return nil
}

// parse reads lines of a name, a tab and a number.
func parse(out []byte) (figures, error) {
	f := figures{}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for lines.Scan() {
		name, value, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			continue
		}
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("figure %q: %w", lines.Text(), err)
		}
		f[name] = number
	}
	return f, lines.Err()
}

// programSize compiles the page's program and packs it as servers do.
func programSize(folder string) (figures, error) {
	name := filepath.Join(folder, "page.wasm")
	if err := compile(name, "./wasm", "wasm"); err != nil {
		return nil, err
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var gz, br bytes.Buffer
	z, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	z.Write(raw)
	z.Close()
	b := brotli.NewWriterLevel(&br, brotli.BestCompression)
	b.Write(raw)
	b.Close()
	const million = 1e6
	return figures{
		"raw": float64(len(raw)) / million, "gzip": float64(gz.Len()) / million, "brotli": float64(br.Len()) / million,
	}, nil
}

// browser measures what only a browser shows, where that is installed.
func browser() error {
	const script = "tools/e2e/bench.mjs"
	if _, err := os.Stat("tools/e2e/node_modules"); err != nil {
		fmt.Println("\nFrames and start in a browser are measured once `make test-browser` has installed it.")
		return nil
	}
	command := exec.Command("node", filepath.Base(script))
	command.Dir = filepath.Dir(script)
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return fmt.Errorf("measuring in the browser: %w", err)
	}
	page, err := parse(out)
	if err != nil {
		return err
	}
	printPage(page)
	return nil
}
