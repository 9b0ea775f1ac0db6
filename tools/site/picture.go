package site

import (
	"regexp"
	"strings"

	"github.com/ticketrail/ticketrail/wasm/scene"
	"github.com/ticketrail/ticketrail/web"
)

var comments = regexp.MustCompile(`(?s)/\*.*?\*/`)

// Alone makes a drawing of the stage one that stands by itself: it puts into it
// what it finds in a page otherwise, its colours, its style and the shapes that
// it uses. theme is light or dark, or "" for that of the viewer's system.
func Alone(svg, theme string) (string, error) {
	var style strings.Builder
	for _, name := range []string{"css/tokens.css", "css/stage.css"} {
		css, err := web.Files.ReadFile(name)
		if err != nil {
			return "", err
		}
		for line := range strings.Lines(comments.ReplaceAllString(string(css), "")) {
			if line = strings.TrimSpace(line); line != "" {
				style.WriteString(line + "\n")
			}
		}
	}
	if theme != "" {
		theme = ` data-theme="` + theme + `"`
	}
	open, rest, _ := strings.Cut(svg, ">")
	return open + ` xmlns="http://www.w3.org/2000/svg"` + theme + "><style>\n" + style.String() + "</style>" + scene.Sprite() + rest, nil
}
