package site

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/ticketrail/ticketrail/web"
)

const workerFile = "sw.js"

// worker writes the service worker, which keeps the site for when there is no
// network. That of a Live site keeps nothing, and ends one that another site
// left at the same address.
func (b *builder) worker() error {
	if b.live() {
		text, err := web.Files.ReadFile("sw_gone.js")
		if err != nil {
			return err
		}
		return b.write(workerFile, text)
	}
	text, err := web.Files.ReadFile(workerFile)
	if err != nil {
		return err
	}
	list, err := json.Marshal(kept(b.written))
	if err != nil {
		return err
	}
	return b.write(workerFile, fmt.Appendf(nil, "const kept = %s;\n%s", list, text))
}

// kept are the addresses of what a reader needs without a network, with the
// hashes of those whose names do not hold it. Not among them are pages for
// frames, which other sites show; the program as a script, which is for those
// frames; and recordings, which are for the time until the program is there.
func kept(written map[string]string) map[string]string {
	addresses := map[string]string{}
	for name, hash := range written {
		switch {
		case strings.HasPrefix(name, "embed/"), name == workerFile:
		case path.Base(name) == "index.html":
			addresses[strings.TrimSuffix(name, "index.html")] = hash
		case hashed.MatchString(path.Base(name)):
			if base := path.Base(name); !apart(base) {
				addresses[name] = ""
			}
		case name == manifestFile, strings.HasPrefix(name, "lessons/") && path.Base(name) != oEmbedFile:
			addresses[name] = hash // pictures of a lesson, say
		}
	}
	return addresses
}

// apart reports whether a hashed file is of no use without a network.
func apart(base string) bool {
	for _, start := range []string{"run_", "icon_", "embed.", "embed_frame.", "scorm."} {
		if strings.HasPrefix(base, start) {
			return true
		}
	}
	return strings.HasPrefix(base, "program.") && strings.HasSuffix(base, ".js")
}
