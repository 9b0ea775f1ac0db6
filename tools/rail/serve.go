package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/ticketrail/ticketrail/tools/site"
)

type serveCommand struct {
	Folder string `arg:"" optional:"" type:"path" help:"The built site, or a folder of lessons. Default: the course that rail itself holds, or build/site."`
	Site   string `type:"path" value:"FOLDER" help:"For lessons: a built site to take the page's program from. Default: the one in rail itself, or the source tree, which compiles it."`
	Addr   string `default:"localhost:0" value:"HOST:PORT" help:"Where to listen; port 0 takes a free one."`
}

// Help says what becomes of lessons.
func (*serveCommand) Help() string {
	return `A folder of lessons is served as the site that rail build makes of it, and checked. As often as a file is saved, its page is written again, and an open page shows it at the moment, at the step and with the answers that it had. What is wrong stands in the terminal and in the page.

Examples:
  rail serve                the course in rail itself, or the site in build/site
  rail serve my-lessons     your own lessons, while you write them`
}

// shutdownTime is how long requests under way have to end.
const shutdownTime = 3 * time.Second

// Run serves the folder until it is interrupted.
func (c *serveCommand) Run(t *terminal) error {
	if c.Folder == "" && len(embedded) == 0 {
		c.Folder = filepath.Join("build", "site")
	}
	if c.Folder == "" {
		dir, err := unpacked()
		defer os.RemoveAll(dir) // of temporary files
		if err != nil {
			return err
		}
		c.Folder = dir
	}
	subject = "serving " + c.Folder
	handler, begin, err := c.handler(t)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		fmt.Fprintf(t.err, "rail serve: %v; choose another address with --addr\n", err)
		return status(exitWrong)
	}
	if _, err := fmt.Fprintf(t.out, "http://%s/\n", shownAddress(listener.Addr())); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer begin(ctx)()
	return serve(ctx, listener, handler)
}

// unpacked writes the site that rail holds into a folder of temporary files, and
// each of them compressed beside it: a room full of pupils fetches all at once.
func unpacked() (dir string, err error) {
	built, err := site.OpenArchive(embedded)
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "ticketrail-site-"); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, built); err != nil {
		return dir, err
	}
	return dir, fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		var small bytes.Buffer
		z := gzip.NewWriter(&small)
		_, _ = z.Write(data) // to memory
		_ = z.Close()
		return os.WriteFile(filepath.Join(dir, filepath.FromSlash(name))+".gz", small.Bytes(), 0o644)
	})
}

// handler returns what serves the folder: a site as it is, or lessons as a
// site. begin starts what goes on beside that, and returns what ends it.
func (c *serveCommand) handler(t *terminal) (handler http.Handler, begin func(context.Context) func(), err error) {
	if _, err := os.Stat(filepath.Join(c.Folder, "index.html")); err == nil {
		return siteHandler(c.Folder), func(context.Context) func() { return func() {} }, nil
	}
	folders, err := lessonFolders(c.Folder)
	if err != nil {
		fmt.Fprintf(t.err, "rail serve: %s has no index.html, so it is no site, and no lessons: build a site with rail build -o %s, or begin a lesson with rail new %s\n",
			c.Folder, c.Folder, filepath.Join(c.Folder, "my-lesson"))
		return nil, nil, status(exitWrong)
	}
	kit, err := kitFrom(c.Site)
	if err != nil {
		return nil, nil, wrong(t, err)
	}
	dir, err := os.MkdirTemp("", "ticketrail-site-")
	if err != nil {
		return nil, nil, err
	}
	folder := c.Folder
	if !isShelf(folder) {
		folder = besides(folders[0])
	}
	live, err := newLiveSite(fromHere(folder), dir, kit)
	if err != nil {
		return nil, nil, err
	}
	return live, func(ctx context.Context) func() {
		live.update(t)
		ticks := time.NewTicker(watchEvery)
		go live.watch(ctx, ticks.C, t)
		return func() {
			ticks.Stop()
			_ = os.RemoveAll(dir) // of temporary files
		}
	}, nil
}

// fromHere is the way to a folder from the working folder, where it is below
// that.
func fromHere(folder string) string {
	here, err := os.Getwd()
	if err != nil {
		return folder
	}
	if way, err := filepath.Rel(here, folder); err == nil && filepath.IsLocal(way) {
		return way
	}
	return folder
}

// serve answers requests until ctx is done.
func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, BaseContext: func(net.Listener) context.Context { return ctx }}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	ending, cancel := context.WithTimeout(context.Background(), shutdownTime)
	defer cancel()
	if err := server.Shutdown(ending); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return nil
}

// shownAddress is an address one can open: a loopback is called localhost.
func shownAddress(a net.Addr) string {
	host, port, err := net.SplitHostPort(a.String())
	if err != nil {
		return a.String()
	}
	if ip := net.ParseIP(host); ip != nil && (ip.IsLoopback() || ip.IsUnspecified()) {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// contentTypes are those of the files of a site; a machine's own list of
// types often has no application/wasm.
var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".json": "application/json", ".wasm": "application/wasm", ".svg": "image/svg+xml",
	".png": "image/png", ".webp": "image/webp", ".ico": "image/x-icon", ".txt": "text/plain; charset=utf-8",
	".webmanifest": "application/manifest+json", ".woff2": "font/woff2", ".yaml": "text/yaml; charset=utf-8",
}

// hashedName is a name that changes with the content of its file.
var hashedName = regexp.MustCompile(`\.[0-9a-f]{10}\.[a-z]+$`)

// encodings are the compressed forms that may lie beside a file, best first.
var encodings = []struct{ name, extension string }{{"br", ".br"}, {"gzip", ".gz"}}

// siteHandler serves the files of a folder as a plain static host does, with
// the compressed form of a file where there is one and the browser takes it.
func siteHandler(folder string) http.Handler {
	files := http.Dir(folder)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
			return
		}
		name := path.Clean("/" + r.URL.Path)
		if info, err := stat(files, name); err == nil && info.IsDir() {
			if !strings.HasSuffix(r.URL.Path, "/") {
				http.Redirect(w, r, path.Base(name)+"/", http.StatusMovedPermanently)
				return
			}
			name = path.Join(name, "index.html")
		}
		sendFile(w, r, files, name)
	})
}

func stat(files http.Dir, name string) (os.FileInfo, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Stat()
}

func sendFile(w http.ResponseWriter, r *http.Request, files http.Dir, name string) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "no-cache")
	if hashedName.MatchString(name) {
		header.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Access-Control-Allow-Origin", "*") // a page in a sandboxed frame has no origin of its own
	header.Add("Vary", "Accept-Encoding")
	for _, e := range encodings {
		if accepts(r, e.name) && r.Header.Get("Range") == "" && sendPart(w, r, files, name+e.extension, e.name) {
			return
		}
	}
	if !sendPart(w, r, files, name, "") {
		header.Del("Content-Type")
		header.Del("Vary")
		header.Set("Cache-Control", "no-cache") // it may be there the next time
		http.Error(w, "404: there is no such page", http.StatusNotFound)
	}
}

// sendPart sends one file of the folder and reports whether it is there.
func sendPart(w http.ResponseWriter, r *http.Request, files http.Dir, name, encoding string) bool {
	f, err := files.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.IsDir() {
		return false
	}
	if encoding != "" {
		w.Header().Set("Content-Encoding", encoding)
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return true
}

func contentType(name string) string {
	extension := path.Ext(name)
	if t, ok := contentTypes[extension]; ok {
		return t
	}
	if t := mime.TypeByExtension(extension); t != "" {
		return t
	}
	return "application/octet-stream"
}

// accepts reports whether the browser takes an encoding.
func accepts(r *http.Request, encoding string) bool {
	for _, header := range r.Header.Values("Accept-Encoding") {
		for _, item := range strings.Split(header, ",") {
			name, parameters, _ := strings.Cut(strings.TrimSpace(item), ";")
			refused := strings.ReplaceAll(parameters, " ", "")
			if strings.EqualFold(strings.TrimSpace(name), encoding) && refused != "q=0" && refused != "q=0.0" {
				return true
			}
		}
	}
	return false
}
