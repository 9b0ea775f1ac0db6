package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/ticketrail/ticketrail/tools/site"
)

//go:embed live.js live.css
var liveFiles embed.FS

// liveSite is the site of a folder of lessons, written again as they are
// saved. Pages that are open hear of it.
type liveSite struct {
	folder string // of the lessons
	dir    string // of the site
	pages  *site.Live

	lock     sync.Mutex
	problems string        // what is wrong with the lessons now
	saved    chan struct{} // closed when something was saved
}

func newLiveSite(folder, dir string, kit *site.Kit) (*liveSite, error) {
	pages, err := site.NewLive(dir, folder, kit)
	if err != nil {
		return nil, err
	}
	return &liveSite{folder: folder, dir: dir, pages: pages, saved: make(chan struct{})}, nil
}

// update writes what has changed, and says what is wrong on the terminal and
// to the pages.
func (l *liveSite) update(t *terminal) {
	err := l.pages.Update()
	var said bytes.Buffer
	check := &checkCommand{Paths: []string{l.folder}}
	result := check.check(&terminal{out: &said, err: &said})
	if err != nil && result == nil { // the lessons themselves are as they should be
		fmt.Fprintf(&said, "the pages could not be written: %v\n", err)
		result = err
	}
	_, _ = t.out.Write(said.Bytes())
	l.lock.Lock()
	defer l.lock.Unlock()
	l.problems = ""
	if result != nil {
		l.problems = said.String()
	}
	close(l.saved)
	l.saved = make(chan struct{})
}

// watch updates the site with each save until ctx is done.
func (l *liveSite) watch(ctx context.Context, ticks <-chan time.Time, t *terminal) {
	watch(ctx, ticks, []string{l.folder}, func() {
		fmt.Fprintln(t.out)
		l.update(t)
	})
}

// now returns what is wrong, and what is closed when that may have changed.
func (l *liveSite) now() (problems string, saved <-chan struct{}) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.problems, l.saved
}

// ServeHTTP serves the site, with live.js in its pages, and /live, which tells
// them of what was saved.
func (l *liveSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := path.Clean("/" + r.URL.Path)
	if strings.HasSuffix(r.URL.Path, "/") {
		name = path.Join(name, "index.html")
	}
	switch {
	case name == "/live":
		l.tell(w, r)
	case name == "/live.js" || name == "/live.css":
		w.Header().Set("Content-Type", contentType(name))
		w.Header().Set("Cache-Control", "no-cache")
		http.ServeFileFS(w, r, liveFiles, path.Base(name))
	case path.Ext(name) == ".html" && l.page(w, name):
	default:
		siteHandler(l.dir).ServeHTTP(w, r)
	}
}

// page sends a page with live.js in it, and reports whether there is one. Its
// version changes with its text.
func (l *liveSite) page(w http.ResponseWriter, name string) bool {
	text, err := os.ReadFile(filepath.Join(l.dir, filepath.FromSlash(name)))
	if err != nil {
		return false
	}
	const end = "</head>"
	sum := sha256.Sum256(text)
	live := fmt.Sprintf("<link rel=\"stylesheet\" href=\"/live.css\">\n<script src=\"/live.js\" data-version=\"%x\"></script>\n", sum[:5])
	w.Header().Set("Content-Type", contentType(name))
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write(bytes.Replace(text, []byte(end), []byte(live+end), 1))
	return true
}

// tell sends an event now and with each save, until the page is gone.
func (l *liveSite) tell(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	out := http.NewResponseController(w)
	for {
		problems, saved := l.now()
		data, err := json.Marshal(map[string]string{"problems": problems})
		if err != nil {
			return
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", data); err != nil || out.Flush() != nil {
			return
		}
		select {
		case <-saved:
		case <-r.Context().Done():
			return
		}
	}
}
