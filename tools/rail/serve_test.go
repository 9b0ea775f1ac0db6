package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/tools/site"
)

func folder(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
	}
	return dir
}

func TestSiteHandler(t *testing.T) {
	handler := siteHandler(folder(t, map[string]string{
		"index.html": "home", "lessons/one/index.html": "one", "app.0123456789.wasm": "plain",
		"app.0123456789.wasm.br": "packed", "app.0123456789.wasm.gz": "zipped",
	}))
	for _, c := range []struct {
		method, path, accept string
		code                 int
		body, kind, encoding string
	}{
		{"GET", "/", "", 200, "home", "text/html; charset=utf-8", ""},
		{"GET", "/index.html", "br", 200, "home", "text/html; charset=utf-8", ""},
		{"GET", "/lessons/one/", "", 200, "one", "text/html; charset=utf-8", ""},
		{"GET", "/lessons/one", "", 301, "<a href=\"/lessons/one/\">Moved Permanently</a>.\n\n", "text/html; charset=utf-8", ""},
		{"GET", "/app.0123456789.wasm", "", 200, "plain", "application/wasm", ""},
		{"GET", "/app.0123456789.wasm", "gzip, br;q=0.9", 200, "packed", "application/wasm", "br"},
		{"GET", "/app.0123456789.wasm", "gzip, br; q=0", 200, "zipped", "application/wasm", "gzip"},
		{"HEAD", "/app.0123456789.wasm", "", 200, "", "application/wasm", ""},
		{"GET", "/nothing", "", 404, "404: there is no such page\n", "text/plain; charset=utf-8", ""},
		{"GET", "/lessons/", "", 404, "404: there is no such page\n", "text/plain; charset=utf-8", ""},
		{"GET", "/../../../etc/passwd", "", 404, "404: there is no such page\n", "text/plain; charset=utf-8", ""},
		{"POST", "/", "", 405, "only GET and HEAD\n", "text/plain; charset=utf-8", ""},
	} {
		request := httptest.NewRequest(c.method, c.path, nil)
		request.Header.Set("Accept-Encoding", c.accept)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, request)
		name := c.method + " " + c.path + " " + c.accept
		assert.Equal(t, c.code, answer.Code, name)
		assert.Equal(t, c.body, answer.Body.String(), name)
		assert.Equal(t, c.kind, answer.Header().Get("Content-Type"), name)
		assert.Equal(t, c.encoding, answer.Header().Get("Content-Encoding"), name)
	}
}

func TestOnlyHashedNamesAreKept(t *testing.T) {
	handler := siteHandler(folder(t, map[string]string{"index.html": "", "app.0123456789.js": ""}))
	for path, want := range map[string]string{"/": "no-cache", "/app.0123456789.js": "public, max-age=31536000, immutable"} {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest("GET", path, nil))
		assert.Equal(t, want, answer.Header().Get("Cache-Control"), path)
	}
}

func TestServeStopsWhenAsked(t *testing.T) {
	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	stopped := make(chan error)
	go func() {
		stopped <- serve(ctx, listener, siteHandler(folder(t, map[string]string{"index.html": "home"})))
	}()
	answer, err := http.Get("http://" + shownAddress(listener.Addr()) + "/")
	require.NoError(t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	assert.Equal(t, "home", string(body))
	stop()
	assert.NoError(t, <-stopped)
}

// failingWriter fails, or panics, when it is written to.
type failingWriter struct {
	err   error
	fault any
}

func (w failingWriter) Write([]byte) (int, error) {
	if w.fault != nil {
		panic(w.fault)
	}
	return 0, w.err
}

func TestAFaultOfRailIsStatus3(t *testing.T) {
	var said bytes.Buffer
	code := execute([]string{"version"}, &terminal{out: failingWriter{fault: "the core broke"}, err: &said})
	assert.Equal(t, exitFault, code)
	assert.Contains(t, said.String(), "a fault of rail itself, not of the scenario: the core broke")
	assert.Contains(t, said.String(), "rail (devel)")
}

func TestAReaderThatHasReadEnoughIsNoFault(t *testing.T) {
	var said bytes.Buffer
	code := execute([]string{"version"}, &terminal{out: failingWriter{err: syscall.EPIPE}, err: &said})
	assert.Equal(t, exitHeld, code)
	assert.Empty(t, said.String())
}

// TestTheCourseInRailIsServed: a released rail serves the site that it holds,
// compressed where a browser takes that.
func TestTheCourseInRailIsServed(t *testing.T) {
	text := strings.Repeat("a queue of tickets ", 200)
	archive, err := site.Archive(fstest.MapFS{"index.html": {Data: []byte(text)}, "lessons/one/index.html": {Data: []byte("one")}})
	require.NoError(t, err)
	was := embedded
	embedded = archive
	t.Cleanup(func() { embedded = was })
	dir, err := unpacked()
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	for _, encoding := range []string{"", "gzip"} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		siteHandler(dir).ServeHTTP(w, r)
		assert.Equal(t, encoding, w.Header().Get("Content-Encoding"))
		var body io.Reader = w.Body
		if encoding != "" {
			assert.Less(t, w.Body.Len(), len(text)/10)
			body, err = gzip.NewReader(body)
			require.NoError(t, err)
		}
		said, err := io.ReadAll(body)
		require.NoError(t, err)
		assert.Equal(t, text, string(said))
	}
}

// TestAHashedNameThatIsNotThereIsAskedForAgain: a site that is being replaced may
// have it a moment later.
func TestAHashedNameThatIsNotThereIsAskedForAgain(t *testing.T) {
	w := httptest.NewRecorder()
	siteHandler(t.TempDir()).ServeHTTP(w, httptest.NewRequest("GET", "/program.0123456789.wasm", nil))
	assert.Equal(t, 404, w.Code)
	assert.Equal(t, "no-cache", w.Header().Get("Cache-Control"))
}
