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
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"

	"github.com/ticketrail/ticketrail/core/lesson"
)

// Option changes how a site is built.
type Option func(*builder)

// Compressed writes a .gz and a .br beside each text and the program, for
// servers that hand them out as they are. It takes a while.
func Compressed() Option { return func(b *builder) { b.compressed = true } }

// With builds the pages around that kit.
func With(k *Kit) Option { return func(b *builder) { b.kit = k } }

// Lessons builds the pages of the lessons of that folder.
func Lessons(folder string) Option { return func(b *builder) { b.folder = folder } }

// At says at which address the site will be, such as
// https://example.org/ticketrail/. With it, the site has what can only be said
// with whole addresses: a list of its pages for search engines, which page is
// meant where one can be reached in several ways, and what systems need that
// make a frame of a lesson's address (oEmbed).
func At(address string) Option {
	return func(b *builder) { b.address = strings.TrimSuffix(address, "/") + "/" }
}

type builder struct {
	dir        string
	folder     string // of the lessons
	kit        *Kit
	compressed bool
	address    string            // of the site; "" when it is not known
	listed     []string          // pages for search engines, from the root
	names      map[string]string // a file's name in this tree -> its name in the site
	sizes      map[string]int
	runs       map[string]string         // addresses of recordings, by their names
	written    map[string]string         // the hash of each file of the site
	last       map[string]*lesson.Lesson // as they could be read last; of a Live site
	drawn      map[string]string         // what each page was drawn from; of a Live site
}

// Build writes the site to dir, which need not exist. Files that it does not
// write again are left alone. Without other options it is the site of the
// source tree, and needs that and the go command.
func Build(dir string, options ...Option) error {
	b := &builder{dir: dir}
	for _, o := range options {
		o(b)
	}
	if b.kit == nil || b.folder == "" {
		root, err := Root()
		if err != nil {
			return err
		}
		if b.folder == "" {
			b.folder = filepath.Join(root, "lessons")
		}
		if b.kit == nil {
			if b.kit, err = Make(root); err != nil {
				return err
			}
		}
	}
	if err := b.shared(); err != nil {
		return err
	}
	return b.lessons()
}

// shared writes what all pages share.
func (b *builder) shared() error {
	b.names, b.sizes, b.runs, b.listed = map[string]string{}, map[string]int{}, map[string]string{}, nil
	b.written = map[string]string{}
	if err := os.MkdirAll(b.dir, 0o755); err != nil {
		return err
	}
	for _, name := range b.kit.list() {
		if err := b.hashed(name, b.kit.files[name]); err != nil {
			return err
		}
	}
	if err := b.pictures(); err != nil {
		return err
	}
	return b.embeds()
}

// hashed writes a file under a name that changes with its content, so that it
// can be kept by browsers for ever.
func (b *builder) hashed(name string, data []byte) error {
	ext, as := filepath.Ext(name), hashedName(name, data)
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

func hashedName(name string, data []byte) string {
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + hash(data) + ext
}

// hash tells a file from its other versions.
func hash(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:5])
}

// write writes one file of the site, unless it is there already.
func (b *builder) write(name string, data []byte) error {
	if b.written != nil {
		b.written[name] = hash(data)
	}
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
