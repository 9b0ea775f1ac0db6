package site

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/lessons"
	"github.com/ticketrail/ticketrail/web"
)

// guideBuilt is a folder with the guide of this tree's lessons.
func guideBuilt(t *testing.T, address string) string {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, Build(dir, With(bare()), Lessons(few(t)), At(address)))
	return dir
}

// Each page is in the list of each, every link leads to a page that is there,
// and to a heading where it names one.
func TestTheLinksOfTheGuideLeadSomewhere(t *testing.T) {
	dir := guideBuilt(t, "https://example.org/rail/")
	seen := 0
	for _, p := range guidePages {
		folder := filepath.Join(dir, "docs", p.folder)
		text, err := os.ReadFile(filepath.Join(folder, "index.html"))
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(text), "<h1"), p.file)
		assert.Equal(t, 1, strings.Count(string(text), `aria-current="page"`), p.file)
		assert.NotContains(t, string(text), exampleAddress, "%s has the address of the site, which is known", p.file)
		assert.NotRegexp(t, `<[^>]*\s(style|on[a-z]+)=`, string(text), p.file)
		for _, m := range regexp.MustCompile(`<a [^>]*?href="([^":]*)"`).FindAllStringSubmatch(string(text), -1) {
			seen++
			way, fragment, _ := strings.Cut(m[1], "#")
			to := filepath.Join(folder, way, "index.html")
			linked, err := os.ReadFile(to)
			if assert.NoError(t, err, "%s: %s", p.file, m[1]) && fragment != "" {
				assert.Contains(t, string(linked), `id="`+fragment+`"`, "%s: %s", p.file, m[1])
			}
		}
	}
	assert.Greater(t, seen, 50)
}

func TestALinkOfTheGuideThatLeadsNowhereIsAnError(t *testing.T) {
	_, err := guideLink("gone.md", &lessons.Shelf{Folder: t.TempDir()})
	assert.ErrorContains(t, err, "gone.md leads nowhere")
}

// webFile is a file of web as text.
func webFile(t *testing.T, name string) string {
	t.Helper()
	text, err := web.Files.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// quoted are the texts in double quotes of the first match of a pattern's group.
func quoted(t *testing.T, pattern, text string) []string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, found, pattern)
	var all []string
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(found[1], -1) {
		all = append(all, m[1])
	}
	return all
}

// tableRow returns the code words of one cell of the row that begins with name.
func tableRow(t *testing.T, text, name string, cell int) []string {
	t.Helper()
	found := regexp.MustCompile("(?m)^\\| `" + name + "` \\|.*$").FindString(text)
	require.NotEmpty(t, found, "the guide has no row for %s", name)
	var all []string
	for _, m := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(strings.Split(found, "|")[cell], -1) {
		all = append(all, m[1])
	}
	return all
}

// The guide has the options of a frame as embed_frame.js knows them, and those
// of the element as embed.js does.
func TestTheGuideHasEveryOption(t *testing.T) {
	frame, guide := webFile(t, "embed_frame.js"), webFile(t, "docs/options.md")
	options, _, found := strings.Cut(guide, "## Messages")
	require.True(t, found)
	assert.Equal(t, quoted(t, `const words = \[(.*?)\]`, frame), tableRow(t, options, "words", 2))
	assert.Equal(t, append([]string{"all"}, quoted(t, `const parts = \[(.*?)\]`, frame)...), tableRow(t, options, "show", 2))
	for _, name := range []string{"theme", "lang", "answers"} {
		assert.Equal(t, quoted(t, name+`: \[(.*?)\]`, frame), tableRow(t, options, name, 2), name)
	}
	var rows []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)` \\|").FindAllStringSubmatch(options, -1) {
		rows = append(rows, m[1])
	}
	slices.Sort(rows)
	known := quoted(t, `const options = \[(.*?)\]`, webFile(t, "embed.js"))
	slices.Sort(known)
	assert.Equal(t, known, rows)
}

// The guide has every message that a frame sends, and every command that it
// takes, and no other.
func TestTheGuideHasEveryMessage(t *testing.T) {
	frame, guide := webFile(t, "embed_frame.js"), webFile(t, "docs/options.md")
	_, messages, found := strings.Cut(guide, "## Messages")
	require.True(t, found)
	from, to, found := strings.Cut(messages, "\nTo the frame")
	require.True(t, found)
	to, _, _ = strings.Cut(to, "\n## ")
	program, err := os.ReadFile("../../wasm/view/embed.go")
	require.NoError(t, err)
	sent := map[string]bool{}
	for _, m := range regexp.MustCompile(`send\("([a-z]+)"`).FindAllStringSubmatch(frame, -1) {
		sent[m[1]] = true
	}
	for _, m := range regexp.MustCompile(`p\.tell\("([a-z]+)"`).FindAllStringSubmatch(string(program), -1) {
		sent[m[1]] = true
	}
	delete(sent, "note") // stays in the console
	assert.Equal(t, sent, named(from))
	commands := map[string]bool{}
	for _, name := range quoted(t, `const names = \[(.*?)\]`, frame) {
		commands[name] = true
		assert.Regexp(t, `\b`+name+`\(`, webFile(t, "embed.js"), "the element has a method for it")
	}
	assert.Equal(t, commands, named(to))
	for _, m := range regexp.MustCompile(`"([a-zA-Z]+)": `).FindAllStringSubmatch(regexp.MustCompile(`(?s)func \(p \*Page\) publicState.*?\n}`).FindString(string(program)), -1) {
		assert.Contains(t, from, "`"+m[1]+"`", "a field of state")
	}
}

// named are the messages that rows of a table begin with.
func named(text string) map[string]bool {
	all := map[string]bool{}
	for _, row := range regexp.MustCompile("(?m)^\\| (`ticketrail:[^|]*) \\|").FindAllStringSubmatch(text, -1) {
		for _, m := range regexp.MustCompile("`ticketrail:([a-zA-Z]+)`").FindAllStringSubmatch(row[1], -1) {
			all[m[1]] = true
		}
	}
	return all
}

// configuration is a block of the guide's page about hosts.
func configuration(t *testing.T, language string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)```" + language + "\n(.*?)\n```").FindStringSubmatch(webFile(t, "docs/host.md"))
	require.NotNil(t, found, language)
	return found[1] + "\n"
}

// Every kind of file that a site has is given its type by the lines for nginx,
// which takes the place of its own list.
func TestTheLinesForNginxKnowEveryFile(t *testing.T) {
	lines := configuration(t, "nginx")
	dir := guideBuilt(t, "https://example.org/rail/")
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			assert.Regexp(t, `\s`+strings.TrimPrefix(filepath.Ext(path), ".")+`;`, lines, path)
		}
		return err
	}))
}

// Where nginx and Caddy are installed, they accept their lines.
func TestServersAcceptTheirLines(t *testing.T) {
	dir := t.TempDir()
	if _, err := exec.LookPath("caddy"); err == nil {
		file := filepath.Join(dir, "Caddyfile")
		require.NoError(t, os.WriteFile(file, []byte(configuration(t, "caddy")), 0o644))
		out, err := exec.Command("caddy", "adapt", "--adapter", "caddyfile", "--config", file).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
	if _, err := exec.LookPath("nginx"); err == nil {
		file := filepath.Join(dir, "nginx.conf")
		lines := strings.Replace(configuration(t, "nginx"), "        brotli_static on;\n", "", 1) // of a module that may not be there
		lines = "pid " + filepath.Join(dir, "pid") + ";\nevents {}\nhttp {\n" + strings.ReplaceAll(lines, "listen 80;", "listen 127.0.0.1:18080;") + "}\n"
		require.NoError(t, os.WriteFile(file, []byte(lines), 0o644))
		out, err := exec.Command("nginx", "-t", "-e", filepath.Join(dir, "errors"), "-c", file).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
	assert.NotContains(t, configuration(t, "nginx")+configuration(t, "caddy"), "X-Frame-Options")
}
