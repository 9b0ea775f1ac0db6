package player

import (
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// maxAddress bounds what is read from a fragment.
const maxAddress = 64 << 10

// Address returns the edits and the moment as the fragment of an address: v=1,
// each setting that differs from the original by its path, handlers that
// differ (handler, handler.<pool>), a crash put at a line (fall), what the
// reader did (crash, redrive, do), and at, the playhead. It is "" for the original
// at its start.
func (p *Player) Address() string {
	if p.links.edited != p.edited || p.links.edits == nil {
		p.links = links{p.edited, p.editsOf(p.Scenario())}
	}
	v := url.Values{}
	for key, values := range p.links.edits {
		v[key] = values
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

// links is what an address says of the edits, made once an edit.
type links struct {
	edited int
	edits  url.Values
}

func (p *Player) editsOf(now *scenario.Scenario) url.Values {
	v, original := url.Values{}, p.Original()
	was := map[string]string{}
	for _, s := range scenario.Paths(original) {
		was[s.Path] = s.Value
	}
	for _, s := range scenario.Paths(now) {
		if before, ok := was[s.Path]; ok && before == s.Value {
			continue
		}
		if s.Kind == scenario.KindHandler {
			v.Set(handlerKey(now, s.Path), base64.RawURLEncoding.EncodeToString([]byte(s.Value)))
		} else {
			v.Set(s.Path, s.Value)
		}
	}
	for i := range now.Workers {
		if i < len(original.Workers) && !slices.Equal(now.Workers[i].Crash.Exact, original.Workers[i].Crash.Exact) {
			for _, c := range now.Workers[i].Crash.Exact {
				v.Add("fall", fallText(now.Workers[i].Name, c))
			}
		}
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
	return v
}

// handlerKey is the name under which an address has a handler.
func handlerKey(s *scenario.Scenario, path string) string {
	if path == "workers."+s.Workers[0].Name+".handler" {
		return "handler"
	}
	return "handler." + strings.TrimSuffix(strings.TrimPrefix(path, "workers."), ".handler")
}

// fallText writes a crash at a line: cook 101 1 4, or cook "a" 1 4 for an id
// that is a text.
func fallText(pool string, c scenario.ExactCrash) string {
	id := c.Message.String()
	if c.Message.Text != "" {
		id = strconv.Quote(id)
	}
	return pool + " " + id + " " + count(c.Receive) + " " + count(c.Line)
}

// fall reads what fallText writes.
func fall(text string) (pool string, c scenario.ExactCrash, ok bool) {
	parts := strings.Split(text, " ")
	if len(parts) < 4 {
		return "", c, false
	}
	n := len(parts)
	var errs [3]error
	c.Receive, errs[0] = strconv.ParseInt(parts[n-2], 10, 64)
	c.Line, errs[1] = strconv.ParseInt(parts[n-1], 10, 64)
	c.Where = scenario.OnLine
	id := strings.Join(parts[1:n-2], " ")
	if strings.HasPrefix(id, `"`) {
		c.Message.Text, errs[2] = strconv.Unquote(id)
	} else {
		c.Message.Number, errs[2] = strconv.ParseInt(id, 10, 64)
	}
	return parts[0], c, errs == [3]error{}
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
	changed := openPaths(next, v)
	for _, text := range v["fall"] {
		pool, c, ok := fall(text)
		i := slices.IndexFunc(next.Workers, func(w scenario.Pool) bool { return w.Name == pool })
		if ok && i >= 0 && len(v["fall"]) <= maxEntries {
			next.Workers[i].Crash = scenario.Crash{Exact: append(next.Workers[i].Crash.Exact, c)}
			changed = true
		}
	}
	for _, what := range []string{"do", "crash", "redrive"} {
		for _, text := range v[what] {
			if e, ok := entry(what, text); ok && len(next.Timeline) < maxEntries {
				next.Timeline = append(next.Timeline, e)
				changed = true
			}
		}
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

// openPaths sets what a link says of settings, in the order of the language;
// what is refused is tried once more, when the others are there that it may
// need.
func openPaths(s *scenario.Scenario, v url.Values) (changed bool) {
	for range 2 {
		for _, setting := range scenario.Paths(s) {
			value, given := v.Get(setting.Path), v.Has(setting.Path)
			if setting.Kind == scenario.KindHandler {
				key := handlerKey(s, setting.Path)
				source, err := base64.RawURLEncoding.DecodeString(v.Get(key))
				value, given = string(source), err == nil && v.Has(key)
			}
			if given && value != setting.Value && len(scenario.Set(s, setting.Path, value)) == 0 {
				changed = true
			}
		}
	}
	return changed
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
