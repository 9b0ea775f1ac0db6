package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// saved writes a file in one go, so that whoever watches sees all of it or none.
func saved(t *testing.T, name, text string) {
	t.Helper()
	apart := filepath.Join(t.TempDir(), "saved")
	require.NoError(t, os.WriteFile(apart, []byte(text), 0o644))
	require.NoError(t, os.Rename(apart, name))
}

// TestWatch: a change is noticed at a tick after it.
func TestWatch(t *testing.T) {
	dir := folder(t, map[string]string{"one/lesson.md": "a"})
	ctx, stop := context.WithCancel(context.Background())
	ticks, changes, over := make(chan time.Time), make(chan string), make(chan bool)
	go func() {
		watch(ctx, ticks, []string{dir}, func() { changes <- snapshot([]string{dir}) })
		close(over)
	}()
	ticks <- time.Time{} // what was there at first has been looked at
	saved(t, filepath.Join(dir, "one", "lesson.md"), "ab")
	assert.Contains(t, ticked(ticks, changes), "lesson.md 2 ")
	require.NoError(t, os.Remove(filepath.Join(dir, "one", "lesson.md")))
	assert.Empty(t, ticked(ticks, changes))
	stop()
	<-over
}

// ticked lets time go on until something is said.
func ticked(ticks chan<- time.Time, said <-chan string) string {
	for {
		select {
		case ticks <- time.Time{}:
		case text := <-said:
			return text
		}
	}
}

// TestSnapshot: hidden folders, such as an editor's, are not looked at.
func TestSnapshot(t *testing.T) {
	dir := folder(t, map[string]string{"one/lesson.md": "a", ".hidden/x": "x"})
	before := snapshot([]string{dir})
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".hidden", "x"), []byte("xyz"), 0o644))
	assert.Equal(t, before, snapshot([]string{dir}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "one", "picture.svg"), nil, 0o644))
	assert.NotEqual(t, before, snapshot([]string{dir}))
}

// TestCheckWatches: the lesson is checked with each save, also when only what
// lies beside it has changed.
func TestCheckWatches(t *testing.T) {
	source, err := os.ReadFile("../../lessons/testdata/right/lesson.md")
	require.NoError(t, err)
	dir := folder(t, map[string]string{"small/lesson.md": string(source), "small/cook.svg": "<svg/>", "GLOSSARY.md": "## Ack\nDone.\n"})
	var out bytes.Buffer
	said := make(chan string)
	ticks := make(chan time.Time)
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error)
	c := &checkCommand{Paths: []string{filepath.Join(dir, "small")}}
	go func() {
		over <- c.again(ctx, ticks, &terminal{out: writerFunc(func(text []byte) {
			out.Write(text)
			if bytes.Contains(text, []byte("checked")) {
				said <- strings.ReplaceAll(out.String(), dir+string(filepath.Separator), "")
				out.Reset()
			}
		}), err: os.Stderr})
	}()
	ticks <- time.Time{}
	saved(t, filepath.Join(dir, "GLOSSARY.md"), "## Nack\nNot done.\n")
	assert.Equal(t, "\nsmall/lesson.md:11:87: the glossary has no #ack: did you mean #nack? Else add ## and the word to GLOSSARY.md\n"+
		"1 lesson checked: 1 problem in 1 of them\n", filepath.ToSlash(ticked(ticks, said)))
	saved(t, filepath.Join(dir, "GLOSSARY.md"), "## Ack\nDone, and done.\n")
	assert.Equal(t, "\n1 lesson checked: nothing to be mended\n", ticked(ticks, said))
	stop()
	assert.NoError(t, <-over)
}

// writerFunc is a function that is given what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(text []byte) (int, error) {
	f(text)
	return len(text), nil
}
