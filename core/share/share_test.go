package share_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
	"github.com/ticketrail/ticketrail/core/share"
)

var update = flag.Bool("update", false, "write links of cases that have none; those that are there never change")

func cases(t testing.TB) map[string]*scenario.Scenario {
	t.Helper()
	all := map[string]*scenario.Scenario{}
	for _, pattern := range []string{"*.yaml", "rules/*.yaml", "combined/*.yaml", "ties/*.yaml"} {
		files, err := filepath.Glob("../testdata/cases/" + pattern)
		require.NoError(t, err)
		for _, file := range files {
			source, err := os.ReadFile(file)
			require.NoError(t, err)
			s, problems := scenarioyaml.Decode(source)
			require.Empty(t, problems)
			all[strings.TrimSuffix(filepath.ToSlash(file)[len("../testdata/cases/"):], ".yaml")] = s
		}
	}
	return all
}

func TestEveryCaseComesOutAsItWentIn(t *testing.T) {
	all := cases(t)
	assert.Greater(t, len(all), 16)
	for name, s := range all {
		packed, err := share.Pack(s)
		require.NoError(t, err, name)
		got, err := share.Unpack(packed, run.Check)
		require.NoError(t, err, name)
		assert.Equal(t, string(s.EncodeJSON()), string(got.EncodeJSON()), name)
		assert.Regexp(t, `^[A-Za-z0-9_-]+$`, packed)
		assert.Less(t, len(packed), len(s.EncodeJSON())*2/3, "%s: a link is shorter than the scenario", name)
	}
}

// links are of version 1: NAME LINK, where NAME is what the case was called. A
// case may change later; what its link opens does not.
const links = "testdata/links-v1.txt"

func TestLinksOfVersion1OpenForEver(t *testing.T) {
	if *update {
		addLinks(t)
	}
	text, err := os.ReadFile(links)
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	assert.Greater(t, len(lines), 16)
	for _, line := range lines {
		parts := strings.Fields(line)
		require.Len(t, parts, 3)
		name, sum, link := parts[0], parts[1], parts[2]
		v, err := share.Parse(link)
		require.NoError(t, err, name)
		s, err := share.Unpack(v.Get(share.ScenarioKey), run.Check)
		require.NoError(t, err, name)
		assert.Equal(t, sum, fmt.Sprintf("%08x", crc32.ChecksumIEEE(s.EncodeJSON())), "%s opens another scenario than it was made of", name)
		again, err := share.Pack(s)
		require.NoError(t, err)
		assert.Equal(t, v.Get(share.ScenarioKey), again, "%s is packed in another way now: that is a new version", name)
	}
}

// addLinks writes links for cases that have none yet.
func addLinks(t *testing.T) {
	old, err := os.ReadFile(links)
	if err != nil {
		require.ErrorIs(t, err, os.ErrNotExist)
	}
	var out bytes.Buffer
	out.Write(old)
	all := cases(t)
	for _, name := range sorted(all) {
		s := all[name]
		if strings.Contains(string(old), name+" ") {
			continue
		}
		packed, err := share.Pack(s)
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s %08x #v=1&at=1s&scenario=%s\n", name, crc32.ChecksumIEEE(s.EncodeJSON()), packed)
	}
	require.NoError(t, os.MkdirAll(filepath.Dir(links), 0o755))
	require.NoError(t, os.WriteFile(links, out.Bytes(), 0o644))
}

func sorted(all map[string]*scenario.Scenario) []string {
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// packed packs any text, valid or not, with the size that is said.
func packed(text string, size uint64) string {
	data := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(text)))
	data = binary.AppendUvarint(data, size)
	return base64.RawURLEncoding.EncodeToString(append(data, share.Squeeze([]byte(text))...))
}

// hostile is a link that nobody has made with the page, and what is said of it.
type hostile struct{ packed, says string }

func hostileLinks(t testing.TB) map[string]hostile {
	good, err := share.Pack(cases(t)["slow-worker"])
	require.NoError(t, err)
	deep := strings.Repeat("[", 5000)
	bomb := strings.Repeat(" ", 2*share.MaxUnpacked)
	return map[string]hostile{
		"empty":                           {"", "damaged or was cut off"},
		"no base64":                       {"<script>alert(1)</script>", "damaged or was cut off"},
		"cut off":                         {good[:len(good)-5], "damaged or was cut off"},
		"cut short":                       {good[:7], "damaged or was cut off"},
		"one letter more":                 {good + "A", "damaged or was cut off"},
		"more letters":                    {good + "AAAAAAAA", "damaged or was cut off"},
		"one other letter":                {good[:20] + string(good[20]^1) + good[21:], "damaged or was cut off"},
		"a bomb":                          {packed(bomb, uint64(len(bomb))), "more than 64 KB"},
		"a bomb that says it is small":    {packed(bomb, 100), "damaged or was cut off"},
		"ten megabytes":                   {strings.Repeat("A", 10<<20), "more than 64 KB"},
		"a size without an end":           {base64.RawURLEncoding.EncodeToString([]byte("sum4\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff")), "damaged or was cut off"},
		"deep":                            {packed(deep, uint64(len(deep))), "levels are nested"},
		"no scenario":                     {packed("[]", 2), "is not valid"},
		"unknown field":                   {packed(`{"onload":"x"}`, 14), "unknown field"},
		"not text":                        {packed("{\"title\":\"\xff\"}", 13), "not text"},
		"a handler that does not compile": {packed(faulty, uint64(len(faulty))), "handler"},
	}
}

func TestHostileLinksGiveASentence(t *testing.T) {
	for name, c := range hostileLinks(t) {
		t.Run(name, func(t *testing.T) {
			s, err := share.Unpack(c.packed, run.Check)
			assert.Nil(t, s)
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.says)
			assert.Less(t, len(err.Error()), 400, "a sentence, whatever is in the link")
		})
	}
}

const faulty = `{"queues":{"a":{}},"workers":{"w":{"from":"a","handler":"def on_message(msg):\n  nope()\n"}}}`

func TestWhatIsTooLargeIsNotPacked(t *testing.T) {
	s := cases(t)["slow-worker"].Clone()
	s.Title = strings.Repeat("long ", share.MaxUnpacked/5)
	_, err := share.Pack(s)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "keep it as a file")
}

func TestWhatDoesNotCompressFits(t *testing.T) {
	s := cases(t)["slow-worker"].Clone()
	noise, x := make([]byte, share.MaxUnpacked-1000), uint32(7)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-"[x>>26]
	}
	s.Title = string(noise)
	packed, err := share.Pack(s)
	require.NoError(t, err)
	assert.Less(t, len(packed), share.MaxPacked)
	got, err := share.Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, s.Title, got.Title)
}

func TestMarkupIsText(t *testing.T) {
	const evil = `</script><img src=x onerror=alert(1)>`
	s := cases(t)["slow-worker"].Clone()
	s.Title = evil
	packed, err := share.Pack(s)
	require.NoError(t, err)
	assert.NotContains(t, packed, "<")
	got, err := share.Unpack(packed)
	require.NoError(t, err)
	assert.Equal(t, evil, got.Title, "it comes out as the text that it was: whoever shows it, shows text")
}

func TestParse(t *testing.T) {
	for fragment, want := range map[string]string{
		"#v=1&at=1s":                     "1s",
		"v=1&at=1s":                      "1s",
		"#v=1&at=1s).":                   "1s", // as it is pasted from a sentence
		"":                               "no link",
		"#step-3":                        "no link",
		"#step=3":                        "no link",
		"#v=2&at=1s":                     "this link is of version 2",
		"#v=" + strings.Repeat("<", 999): "this link is of version <<<<<<<<...",
		"#scenario=abc":                  "damaged",
		"#v=1&at=%zz":                    "damaged",
		"#v=1&scenario=" + strings.Repeat("A", 10<<20): "more than 64 KB",
	} {
		v, err := share.Parse(fragment)
		switch {
		case err != nil:
			assert.Contains(t, err.Error(), want)
		case v == nil:
			assert.Equal(t, want, "no link")
		default:
			assert.Equal(t, want, v.Get(share.AtKey))
			assert.Equal(t, "#"+share.Fragment(v), "#v=1&at=1s")
		}
	}
	assert.Empty(t, share.Fragment(nil))
}

func FuzzUnpack(f *testing.F) {
	for _, s := range cases(f) {
		packed, err := share.Pack(s)
		require.NoError(f, err)
		f.Add(packed)
	}
	f.Add(packed(`{"title":"<b>"}`, 15))
	for _, c := range hostileLinks(f) {
		if len(c.packed) < 1<<20 { // the larger ones are only refused
			f.Add(c.packed)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := share.Unpack(text, run.Check)
		if err != nil {
			require.Nil(t, s)
			require.NotEmpty(t, err.Error())
			return
		}
		packed, err := share.Pack(s)
		if err != nil {
			return // what a link leaves out at its default may be long when it is written
		}
		again, err := share.Unpack(packed, run.Check)
		require.NoError(t, err)
		require.Equal(t, string(s.EncodeJSON()), string(again.EncodeJSON()))
	})
}

// FuzzParse holds that what a fragment is read as is written as the same again,
// whoever has written it.
func FuzzParse(f *testing.F) {
	text, err := os.ReadFile(links)
	require.NoError(f, err)
	for line := range strings.Lines(string(text)) {
		f.Add(strings.Fields(line)[2])
	}
	for _, fragment := range []string{"", "#", "#step-3", "#v=1&at=1s).", "#v=2&at=1s", "#v=1&v=2", "#scenario=abc", "#v=1&at=%zz", "#v=1&title=%3Cscript%3E", "#v=1;at=1s"} {
		f.Add(fragment)
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		v, err := share.Parse(fragment)
		if err != nil {
			require.Nil(t, v)
			require.Less(t, len(err.Error()), 400)
			return
		}
		written := share.Fragment(v)
		require.NotContains(t, written, "<")
		again, err := share.Parse(written)
		require.NoError(t, err)
		require.Equal(t, written, share.Fragment(again))
	})
}

// FuzzSqueeze holds that any text comes out as it went in.
func FuzzSqueeze(f *testing.F) {
	f.Add([]byte("{}"))
	f.Add([]byte(strings.Repeat("ab", 999)))
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) > share.MaxUnpacked {
			return
		}
		data := share.Squeeze(text)
		got, whole := share.Release(data, len(text))
		require.True(t, whole)
		require.Equal(t, string(text), string(got))
	})
}
