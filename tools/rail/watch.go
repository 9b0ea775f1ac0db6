package main

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// watchEvery is how often files are looked at.
const watchEvery = 300 * time.Millisecond

// watch calls changed whenever, at a tick, the files below the folders are not
// as they were, until ctx is done. Modification times and sizes are compared:
// that works on every file system, and the folders of lessons are small.
func watch(ctx context.Context, ticks <-chan time.Time, folders []string, changed func()) {
	was := snapshot(folders)
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		if is := snapshot(folders); is != was {
			was = is
			changed()
		}
	}
}

// snapshot lists the files below the folders with their sizes and times. What
// cannot be read at this moment, because it is being saved, is left out.
func snapshot(folders []string) string {
	var list strings.Builder
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return nil
			}
			if entry.IsDir() {
				if strings.HasPrefix(entry.Name(), ".") && path != folder && entry.Name() != ".." {
					return filepath.SkipDir
				}
				return nil
			}
			if info, err := entry.Info(); err == nil {
				fmt.Fprintln(&list, path, info.Size(), info.ModTime().UnixNano())
			}
			return nil
		})
	}
	return list.String()
}
