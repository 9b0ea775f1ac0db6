package player

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// maxAddress bounds what is read from a fragment.
const maxAddress = 64 << 10

// Address returns the edits and the moment as the fragment of an address:
// v=1, each setting that differs from the original by its path, the seed and
// the handler when they differ, what the reader did (crash, redrive, do), and at, the playhead. It is "" for the original at its
// start.
func (p *Player) Address() string {
	v := url.Values{}
	now, original := p.Scenario(), p.Original()
	for _, k := range p.knobs() {
		path := k.path(now)
		is, _ := scenario.Get(now, path)
		if was, _ := scenario.Get(original, path); path != "" && is != was {
			v.Set(path, is)
		}
	}
	if now.Seed != original.Seed {
		v.Set("seed", strconv.FormatUint(now.Seed, 10))
	}
	if len(now.Workers) > 0 && now.Workers[0].Handler != original.Workers[0].Handler {
		v.Set("handler", base64.RawURLEncoding.EncodeToString([]byte(now.Workers[0].Handler)))
	}
	for _, e := range added(now, original) {
		switch {
		case e.Crash != "":
			v.Add("crash", scenario.FormatDuration(e.At)+" "+e.Crash)
		case e.Redrive != "" && e.RedriveTo == "":
			v.Add("redrive", scenario.FormatDuration(e.At)+" "+e.Redrive)
		default:
			v.Add("do", entryText(e))
		}
	}
	if p.Time() > 0 {
		v.Set("at", scenario.FormatDuration(p.Time()))
	}
	if len(v) == 0 {
		return ""
	}
	v.Set("v", "1")
	return v.Encode()
}

// Open makes the edits that a fragment asks for, as one edit that can be
// undone, and reports whether it made any. What it does not understand, it
// leaves out: an old or damaged link opens the original.
func (p *Player) Open(fragment string) bool {
	v, ok := parse(fragment)
	if !ok {
		return false
	}
	next := p.Scenario().Clone()
	changed := false
	set := func(path, value string) {
		if path == "" || value == "" {
			return
		}
		if problems := scenario.Set(next, path, value); len(problems) == 0 {
			changed = true
		}
	}
	for _, k := range p.knobs() {
		path := k.path(next)
		set(path, v.Get(path))
	}
	set("seed", v.Get("seed"))
	for _, what := range []string{"do", "crash", "redrive"} {
		for _, text := range v[what] {
			if e, ok := entry(what, text); ok && len(next.Timeline) < maxEntries {
				next.Timeline = append(next.Timeline, e)
				changed = true
			}
		}
	}
	if source, err := base64.RawURLEncoding.DecodeString(v.Get("handler")); err == nil {
		set(pool(next, "handler"), string(source))
	}
	if !changed {
		return false
	}
	next, problems := scenario.DecodeJSON(next.EncodeJSON()) // checked as any file is
	if len(problems) > 0 {
		return false
	}
	p.Edit("from the link", "link", func(s *scenario.Scenario) scenario.Problems {
		*s = *next
		return nil
	})
	p.Seal()
	return true
}

// OpenMoment moves the playhead where a fragment says: at once, or when the run
// that it belongs to is there.
func (p *Player) OpenMoment(fragment string) {
	v, ok := parse(fragment)
	if !ok {
		return
	}
	if at, err := scenario.ParseDuration(v.Get("at")); err == nil {
		if working, _ := p.Working(); working || p.Run() == nil {
			p.wanted = at
			return
		}
		p.Seek(at)
	}
}

// maxEntries bounds what a link may add to a timeline.
const maxEntries = 1000

// added returns the entries that a reader has added to the timeline: those
// after the original's.
func added(now, original *scenario.Scenario) []scenario.Entry {
	return now.Timeline[min(len(original.Timeline), len(now.Timeline)):]
}

// entryText writes an entry of a timeline as a scenario has it in JSON.
func entryText(e scenario.Entry) string {
	s := scenario.Scenario{Timeline: []scenario.Entry{e}}
	_, text, _ := strings.Cut(string(s.EncodeJSON()), `"timeline":[`)
	return strings.TrimSuffix(text, "]}")
}

// entry reads one entry as Address writes it: 101ms cook/1, or in JSON.
func entry(what, text string) (scenario.Entry, bool) {
	if what == "do" {
		s, problems := scenario.DecodeJSON([]byte(`{"timeline":[` + text + `]}`))
		if len(problems) > 0 || len(s.Timeline) != 1 {
			return scenario.Entry{}, false
		}
		return s.Timeline[0], true
	}
	at, name, ok := strings.Cut(text, " ")
	when, err := scenario.ParseDuration(at)
	if !ok || err != nil {
		return scenario.Entry{}, false
	}
	if what == "crash" {
		return scenario.Entry{At: when, Crash: name}, true
	}
	return scenario.Entry{At: when, Redrive: name}, true
}

func parse(fragment string) (url.Values, bool) {
	fragment = strings.TrimPrefix(fragment, "#")
	if fragment == "" || len(fragment) > maxAddress {
		return nil, false
	}
	v, err := url.ParseQuery(fragment)
	return v, err == nil && v.Get("v") == "1"
}
