package site

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// A new version of Go may ask for more of crypto/tls than the package in its
// place has. The program is compiled all the same; here one learns why it has
// grown.
func TestWhatTakesThePlaceOfTLSFitsNetHTTP(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	overlay, err := withoutTLS(root, t.TempDir())
	require.NoError(t, err)
	command := exec.Command("go", "build", "-tags=nethttpomithttp2", "-overlay="+overlay, "net/http")
	command.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	text, err := command.CombinedOutput()
	require.NoError(t, err, string(text))
}
