package site

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/web"
)

// Kit is what all pages of a site share: the program, the runtime of the
// toolchain that compiled it, the style sheet, the scripts and the icon. With
// it the pages of any lessons are written without the source tree and without
// the go command.
type Kit struct {
	files map[string][]byte // by their names in this tree: program.wasm
}

// The files of a kit that are put together; the others are those of web.
const (
	programFile = "program.wasm"
	runtimeFile = "wasm_exec.js"
	styleFile   = "style.css"
)

var (
	styles  = []string{"tokens", "stage", "page", "code", "evidence", "time", "lesson", "course", "sandbox", "secret", "act", "present", "embed"}
	scripts = []string{"boot.js", "paint.js", "recorded.js", "offline.js", "course.js", "search.js", "embed.js", "embed_frame.js", "embed_panel.js", "scorm.js", "icon.svg"}
)

// Files are the names of what is in every kit.
func Files() []string { return append([]string{programFile, runtimeFile, styleFile}, scripts...) }

// list returns the names of a kit's files, in alphabetical order.
func (k *Kit) list() []string {
	var names []string
	for name := range k.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Make makes the kit of the source tree at root, which compiles the program.
func Make(root string) (*Kit, error) {
	k := &Kit{files: map[string][]byte{}}
	program, err := Compile(root, "./wasm")
	if err != nil {
		return nil, err
	}
	k.files[programFile] = program
	for _, name := range styles {
		text, err := fs.ReadFile(web.Files, "css/"+name+".css")
		if err != nil {
			return nil, err
		}
		k.files[styleFile] = append(append(k.files[styleFile], text...), '\n')
	}
	for _, name := range scripts {
		if k.files[name], err = fs.ReadFile(web.Files, name); err != nil {
			return nil, err
		}
	}
	goroot, err := Goroot()
	if err != nil {
		return nil, err
	}
	k.files[runtimeFile], err = os.ReadFile(filepath.Join(goroot, "lib", "wasm", runtimeFile))
	return k, err
}

// hashed is the name of a file in a site: its own with a hash in it.
var hashed = regexp.MustCompile(`^([a-z_]+)\.[0-9a-f]{10}(\.[a-z]+)$`)

// OpenKit takes the kit out of a built site.
func OpenKit(built fs.FS) (*Kit, error) {
	k := &Kit{files: map[string][]byte{}}
	entries, err := fs.ReadDir(built, ".")
	if err != nil {
		return nil, err
	}
	wanted := Files()
	for _, entry := range entries {
		found := hashed.FindStringSubmatch(entry.Name())
		if found == nil || !slices.Contains(wanted, found[1]+found[2]) {
			continue
		}
		name := found[1] + found[2]
		if k.files[name] != nil {
			return nil, fmt.Errorf("there are two files %s: build that site again, into an empty folder", name)
		}
		if k.files[name], err = fs.ReadFile(built, entry.Name()); err != nil {
			return nil, err
		}
	}
	for _, name := range wanted {
		if k.files[name] == nil {
			return nil, fmt.Errorf("it has no %s: name a site that rail build has written", name)
		}
	}
	return k, nil
}

// Archive returns a built site as a zip archive: the same bytes for the same
// site. Files that are another one compressed are left out.
func Archive(built fs.FS) ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	err := fs.WalkDir(built, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || path.Ext(name) == ".gz" || path.Ext(name) == ".br" {
			return err
		}
		data, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		w, err := archive.Create(name)
		if err != nil {
			return err
		}
		_, err = w.Write(data)
		return err
	})
	if err != nil {
		return nil, err
	}
	if err := archive.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// OpenArchive opens what Archive has written.
func OpenArchive(archive []byte) (fs.FS, error) {
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}

// Root returns the source tree that the working folder is in.
func Root() (string, error) {
	out, err := exec.Command("go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("asking the go command for the module: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	text, err := os.ReadFile(mod)
	if err != nil || !bytes.HasPrefix(text, []byte("module github.com/ticketrail/ticketrail\n")) {
		return "", fmt.Errorf("the site is built from its source tree: run this inside it, or name a built site")
	}
	return filepath.Dir(mod), nil
}
