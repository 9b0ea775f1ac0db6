package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/tools/site"
)

// emptySite is a built site whose shared files are empty.
func emptySite() fstest.MapFS {
	built := fstest.MapFS{}
	for _, name := range site.Files() {
		ext := path.Ext(name)
		built[strings.TrimSuffix(name, ext)+".0123456789"+ext] = &fstest.MapFile{Data: []byte("x")}
	}
	built["icon.0123456789.svg"] = &fstest.MapFile{Data: []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"/>`)}
	return built
}

// myLessons is a folder with one lesson.
func myLessons(t *testing.T) string {
	source, err := os.ReadFile("../../lessons/testdata/right/lesson.md")
	require.NoError(t, err)
	return folder(t, map[string]string{"small/lesson.md": string(source), "small/cook.svg": "<svg/>", "GLOSSARY.md": "## Ack\nDone.\n"})
}

// TestLessonsAreServedAsTheyAreSaved: the page, what it is told, and again
// after a save, over a connection as a browser has it.
func TestLessonsAreServedAsTheyAreSaved(t *testing.T) {
	kit, err := site.OpenKit(emptySite())
	require.NoError(t, err)
	mine := myLessons(t)
	live, err := newLiveSite(mine, t.TempDir(), kit)
	require.NoError(t, err)
	quiet := &terminal{out: io.Discard, err: io.Discard}
	live.update(quiet)

	listener, err := net.Listen("tcp", "localhost:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	stopped, ticks := make(chan error), make(chan time.Time)
	go func() { stopped <- serve(ctx, listener, live) }()
	watching := make(chan bool)
	go func() {
		live.watch(ctx, ticks, quiet)
		close(watching)
	}()
	root := "http://" + shownAddress(listener.Addr())
	get := func(way string) (string, *http.Response) {
		answer, err := http.Get(root + way)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text), answer
	}

	events, err := http.Get(root + "/live")
	require.NoError(t, err)
	defer events.Body.Close()
	assert.Equal(t, "text/event-stream", events.Header.Get("Content-Type"))
	lines := make(chan string)
	go func() {
		defer close(lines)
		for in := bufio.NewScanner(events.Body); in.Scan(); {
			if data, ok := strings.CutPrefix(in.Text(), "data: "); ok {
				var told struct{ Problems string }
				assert.NoError(t, json.Unmarshal([]byte(data), &told))
				lines <- told.Problems
			}
		}
	}()
	assert.Empty(t, <-lines, "nothing is wrong")

	before, answer := get("/lessons/small/")
	assert.Equal(t, "no-store", answer.Header.Get("Cache-Control"))
	assert.Regexp(t, `<script src="/live.js" data-version="[0-9a-f]{10}"></script>\s*</head>`, before)
	script, answer := get("/live.js")
	assert.Equal(t, "text/javascript; charset=utf-8", answer.Header.Get("Content-Type"))
	assert.Contains(t, script, "EventSource")
	_, answer = get("/lessons/none/")
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	picture, _ := get("/lessons/small/cook.svg")
	assert.Equal(t, "<svg/>", picture)

	file := filepath.Join(mine, "small", "lesson.md")
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	save := func(was, is string) string {
		saved(t, file, strings.Replace(string(source), was, is, 1))
		return ticked(ticks, lines)
	}
	assert.Empty(t, save("Two orders", "Both orders"))
	after, _ := get("/lessons/small/")
	assert.Contains(t, after, "Both orders")
	assert.NotEqual(t, versionOf(before), versionOf(after))

	assert.Contains(t, save("level: start", "level: strat"), "small/lesson.md:5:8: the level is one of start, next, deep")
	kept, _ := get("/lessons/small/")
	assert.Equal(t, after, kept, "the page is as it was when it was right")

	stop()
	assert.NoError(t, <-stopped)
	<-watching
	for range lines { // until the connection is closed
	}
}

// versionOf is the version of a served page.
func versionOf(page string) string {
	_, rest, _ := strings.Cut(page, `data-version="`)
	version, _, _ := strings.Cut(rest, `"`)
	return version
}

// TestWhatIsServed: a site as it is, lessons as a site.
func TestWhatIsServed(t *testing.T) {
	var out, errs bytes.Buffer
	term := &terminal{out: &out, err: &errs}
	built := t.TempDir()
	require.NoError(t, os.CopyFS(built, emptySite()))

	_, _, err := (&serveCommand{Folder: t.TempDir()}).handler(term)
	assert.Equal(t, status(exitWrong), err)
	assert.Contains(t, errs.String(), "has no index.html, so it is no site, and no lessons: build a site with rail build -o")

	mine := myLessons(t)
	for _, path := range []string{mine, filepath.Join(mine, "small")} {
		handler, begin, err := (&serveCommand{Folder: path, Site: built}).handler(term)
		require.NoError(t, err, errs.String())
		assert.IsType(t, &liveSite{}, handler)
		assert.Equal(t, mine, handler.(*liveSite).folder)
		ctx, stop := context.WithCancel(context.Background())
		end := begin(ctx)
		stop()
		end()
		assert.NoDirExists(t, handler.(*liveSite).dir)
	}
	assert.Contains(t, out.String(), "1 lesson checked: nothing to be mended")

	errs.Reset()
	_, _, err = (&serveCommand{Folder: mine, Site: mine}).handler(term)
	assert.Equal(t, status(exitWrong), err)
	assert.Contains(t, errs.String(), "it has no program.wasm: name a site that rail build has written")
}

// TestBuildOfOtherLessons: without the source tree.
func TestBuildOfOtherLessons(t *testing.T) {
	built, mine, to := t.TempDir(), myLessons(t), t.TempDir()
	require.NoError(t, os.CopyFS(built, emptySite()))
	unproven := myLessons(t)
	saved(t, filepath.Join(unproven, "GLOSSARY.md"), "## Nack\nNot done.\n")
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"build", "--lessons", mine, "--site", built, "-o", to}, "built " + to, exitHeld},
		{[]string{"build", "--lessons", built, "--site", built, "-o", to}, "there is no lesson here", exitWrong},
		{[]string{"build", "--site", built, "-o", to}, "there are no lessons here: name their folder with --lessons", exitWrong},
		{[]string{"build", "--lessons", unproven, "--site", built, "-o", to}, "mend them, or build them as they are with --unproven", exitFailed},
		{[]string{"build", "--lessons", unproven, "--site", built, "-o", to, "--unproven"}, "built " + to, exitHeld},
		{[]string{"build", "--lessons", mine, "-o", to}, "this rail holds no page's program of its own: name a built site with --site", exitWrong},
		{[]string{"build", "--archive", filepath.Join(to, "site.zip"), "--site", built}, "", exitHeld},
	} {
		var out, errs bytes.Buffer
		code := execute(c.args, &terminal{out: &out, err: &errs})
		assert.Equal(t, c.code, code, errs.String())
		assert.Contains(t, out.String()+errs.String(), c.want)
	}
	assert.FileExists(t, filepath.Join(to, "lessons", "small", "index.html"))
	archive, err := os.ReadFile(filepath.Join(to, "site.zip"))
	require.NoError(t, err)
	_, err = site.OpenArchive(archive)
	assert.NoError(t, err)
}
