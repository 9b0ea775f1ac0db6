// Package site writes the site: static pages that are whole without the
// program, the program, and what it needs. The files work from any folder of
// any host; every address in them is relative. Two builds of one tree are the
// same bytes.
//
// Start reading at Build; page.go puts a page together, program.go and pack.go
// make the program small.
package site

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/ticketrail/ticketrail/web"
)

// Option changes how a site is built.
type Option func(*builder)

// Compressed writes a .gz and a .br beside each text and the program, for
// servers that hand them out as they are. It takes a while.
func Compressed() Option { return func(b *builder) { b.compressed = true } }

type builder struct {
	dir        string
	root       string // of the module
	compressed bool
	names      map[string]string // a file's name in this tree -> its name in the site
	sizes      map[string]int
}

// Build writes the site to dir, which need not exist. Files that it does not
// write again are left alone. It needs the source tree and the go command.
func Build(dir string, options ...Option) error {
	b := &builder{dir: dir, names: map[string]string{}, sizes: map[string]int{}}
	for _, o := range options {
		o(b)
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	b.root = root
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, step := range []func() error{b.program, b.assets, b.lessons} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func moduleRoot() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("asking the go command for the module: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("the site is built from its source tree: run this inside it")
	}
	return filepath.Dir(mod), nil
}

// program compiles the page's program.
func (b *builder) program() error {
	wasm, err := Compile(b.root, "./wasm")
	if err != nil {
		return err
	}
	return b.hashed("program.wasm", wasm)
}

// assets writes the style sheets as one, the scripts, the icon, and the
// runtime of the toolchain that compiled the program.
func (b *builder) assets() error {
	var style []byte
	for _, name := range []string{"css/tokens.css", "css/stage.css", "css/page.css", "css/code.css", "css/evidence.css", "css/time.css", "css/lesson.css", "css/course.css", "css/sandbox.css", "css/secret.css", "css/act.css"} {
		text, err := fs.ReadFile(web.Files, name)
		if err != nil {
			return err
		}
		style = append(append(style, text...), '\n')
	}
	if err := b.hashed("style.css", style); err != nil {
		return err
	}
	for _, name := range []string{"boot.js", "paint.js", "course.js", "search.js", "icon.svg"} {
		text, err := fs.ReadFile(web.Files, name)
		if err != nil {
			return err
		}
		if err := b.hashed(name, text); err != nil {
			return err
		}
	}
	goroot, err := Goroot()
	if err != nil {
		return err
	}
	runtime, err := os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		return err
	}
	return b.hashed("wasm_exec.js", runtime)
}

// hashed writes a file under a name that changes with its content, so that it
// can be kept by browsers for ever.
func (b *builder) hashed(name string, data []byte) error {
	sum := sha256.Sum256(data)
	ext := filepath.Ext(name)
	as := strings.TrimSuffix(name, ext) + "." + hex.EncodeToString(sum[:5]) + ext
	b.names[name], b.sizes[name] = as, len(data)
	if old, err := filepath.Glob(filepath.Join(b.dir, strings.TrimSuffix(name, ext)+".??????????"+ext+"*")); err == nil {
		for _, o := range old {
			if !strings.HasPrefix(filepath.Base(o), as) {
				os.Remove(o)
			}
		}
	}
	return b.write(as, data)
}

// write writes one file of the site, unless it is there already.
func (b *builder) write(name string, data []byte) error {
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if old, err := os.ReadFile(path); err != nil || !bytes.Equal(old, data) {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	if !b.compressed {
		return nil
	}
	var gz, br bytes.Buffer
	z, _ := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	z.Write(data)
	z.Close()
	w := brotli.NewWriterLevel(&br, brotli.BestCompression)
	w.Write(data)
	w.Close()
	if err := os.WriteFile(path+".gz", gz.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(path+".br", br.Bytes(), 0o644)
}
