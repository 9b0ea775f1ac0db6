package site

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// programFlags are the flags of go build with which the page's program is
// compiled. Calls are not inlined: the browser does that again, and faster
// programs did not come of it, but a program of 2.30 MB, compressed, became
// one of 2.00. Packages of the network are left as they are, because what they
// set up at the start is found to be of no use only when it is inlined. HTTP/2
// is the browser's.
var programFlags = []string{
	"-trimpath", "-ldflags=-s -w", "-tags=nethttpomithttp2", "-gcflags=all=-l",
	"-gcflags=net/...=", "-gcflags=crypto/...=", "-gcflags=vendor/...=", "-gcflags=mime/...=",
	"-gcflags=errors=", "-gcflags=sync/...=",
}

// Compile compiles a package of the tree at root as the page's program is, and
// packs it. The package tls of this folder takes the place of crypto/tls. A
// toolchain whose net/http asks for more of it than there is gets its own,
// which makes a program that does the same and is larger.
func Compile(root, what string) ([]byte, error) {
	folder, err := os.MkdirTemp("", "ticketrail-program-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	overlay, err := withoutTLS(root, folder)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(folder, "program.wasm")
	build := func(more ...string) error {
		command := exec.Command("go", append(append(append([]string{"build"}, programFlags...), more...), "-o", out, what)...)
		command.Dir = root
		command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		if text, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("compiling %s: %w\n%s", what, err, text)
		}
		return nil
	}
	if first := build("-overlay=" + overlay); first != nil {
		if err := build(); err != nil {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "the program is larger than it could be, because tools/site/tls does not fit this version of Go: %s\n", first)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return nil, err
	}
	small, err := packed(program)
	if err != nil {
		return nil, fmt.Errorf("packing %s: %w", what, err)
	}
	return small, nil
}

// withoutTLS writes what go build is to read in the place of crypto/tls into a
// folder, and returns the file's name.
func withoutTLS(root, folder string) (string, error) {
	goroot, err := Goroot()
	if err != nil {
		return "", err
	}
	tls := filepath.Join(goroot, "src", "crypto", "tls")
	files, err := filepath.Glob(filepath.Join(tls, "*.go"))
	if err != nil {
		return "", err
	}
	replace := map[string]string{}
	for _, file := range files {
		replace[file] = "" // as if it were not there
	}
	replace[filepath.Join(tls, "tls.go")] = filepath.Join(root, "tools", "site", "tls", "tls.go")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "overlay.json")
	return name, os.WriteFile(name, text, 0o644)
}

// Goroot returns the folder of the toolchain.
func Goroot() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("asking the go command for its root: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
