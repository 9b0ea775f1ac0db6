package player

import (
	"cmp"
	"encoding/base64"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/share"
)

// Address returns the edits and the moment as the fragment of an address: each
// setting that differs from the page's own scenario by its path, handlers that
// differ (handler, handler.<pool>), a crash put at a line (fall), what the
// reader did (crash, redrive, do); the playhead, the ticket that is followed and
// the run in which they were seen. Where that does not say all of it, such as a
// queue that was added, the whole scenario is in it (core/share). It is "" for
// the page's own at its start.
func (p *Player) Address() string {
	if p.links.edited != p.edited || p.links.edits == nil {
		p.links = links{p.edited, p.editsOf(p.Scenario())}
	}
	return share.Fragment(p.moment(p.links.edits))
}

// FullAddress is the address that says everything by itself, for a page that
// has another scenario of its own. It cannot hold a very large scenario.
func (p *Player) FullAddress() (string, error) {
	packed, err := share.Pack(p.Scenario())
	if err != nil {
		return "", err
	}
	return share.Fragment(p.moment(url.Values{share.ScenarioKey: {packed}})), nil
}

// moment adds to an address what is seen.
func (p *Player) moment(edits url.Values) url.Values {
	v := url.Values{}
	for key, values := range edits {
		v[key] = values
	}
	if p.Time() > 0 {
		v.Set(share.AtKey, scenario.FormatDuration(p.Time()))
	}
	if p.following != event.NoMessage {
		v.Set(share.TicketKey, strconv.Itoa(int(p.following)))
	}
	if (v.Has(share.AtKey) || v.Has(share.TicketKey)) && p.shown == p.edits[p.at] {
		v.Set(share.RunKey, p.shown.run.Hash()[:runLetters])
	}
	return v
}

// runLetters are how many letters of a run's hash an address has.
const runLetters = 8

// links is what an address says of the edits, made once an edit.
type links struct {
	edited int
	edits  url.Values
}

// editsOf says how a scenario differs from the page's own: shortly, if whoever
// reads that comes to the same, or else by the whole of it. What is too large
// for that leaves its structure out.
func (p *Player) editsOf(now *scenario.Scenario) url.Values {
	own := p.edits[0].scenario
	if now == own || slices.Equal(now.EncodeJSON(), own.EncodeJSON()) {
		return url.Values{}
	}
	short := editsSince(own, now)
	if next, ok := applied(own, short); ok && alike(next, now) {
		return short
	}
	packed, err := share.Pack(now)
	if err != nil {
		return short
	}
	return url.Values{share.ScenarioKey: {packed}}
}

// alike reports whether two scenarios run alike: where they list what happens
// at different instants in another order, they do.
func alike(a, b *scenario.Scenario) bool {
	inTime := func(s *scenario.Scenario) []byte {
		c := s.Clone()
		slices.SortStableFunc(c.Timeline, func(x, y scenario.Entry) int { return cmp.Compare(x.At, y.At) })
		return c.EncodeJSON()
	}
	return slices.Equal(inTime(a), inTime(b))
}

func editsSince(original, now *scenario.Scenario) url.Values {
	v := url.Values{}
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
	entries := added(now, original)
	ordered := atOneInstant(entries)
	for _, e := range entries {
		switch {
		case ordered:
			v.Add("do", entryText(e))
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

// atOneInstant reports whether entries of different kinds happen at once: then
// their order is said by writing all of them in one way.
func atOneInstant(entries []scenario.Entry) bool {
	for i, e := range entries {
		for _, other := range entries[:i] {
			if e.At == other.At && (e.Crash == "") != (other.Crash == "") || e.At == other.At && (e.Redrive == "") != (other.Redrive == "") {
				return true
			}
		}
	}
	return false
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
// undone, and reports whether it made any. A link that cannot be read leaves
// the page as it is, and Trouble says so; a setting or an entry that it asks for
// and that this page does not understand is left out.
func (p *Player) Open(fragment string) bool {
	v, err := share.Parse(fragment)
	if err != nil {
		p.inTrouble(err)
		return false
	}
	next, ok := p.Scenario(), false
	if v.Has(share.ScenarioKey) {
		if next, err = share.Unpack(v.Get(share.ScenarioKey)); err != nil {
			p.inTrouble(err)
			return false
		}
		ok = true
	} else {
		next, ok = applied(next, v)
	}
	if !ok {
		return false
	}
	p.Edit("from the link", "link", func(s *scenario.Scenario) scenario.Problems {
		*s = *next
		return nil
	})
	p.Seal()
	return true
}

// Trouble is what was wrong with the link that was opened, as a sentence, until
// something is edited; "" when nothing was.
func (p *Player) Trouble() string {
	if p.troubleAt != p.edited {
		return ""
	}
	return p.trouble
}

func (p *Player) inTrouble(err error) {
	p.trouble, p.troubleAt = upper(err.Error())+". The page is as it is without the link.", p.edited
	p.revision++
}

// applied returns a scenario with the edits of a short address, and whether it
// understood any of them.
func applied(s *scenario.Scenario, v url.Values) (*scenario.Scenario, bool) {
	next := s.Clone()
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
			if e, ok := entry(next, what, text); ok && len(next.Timeline) < maxEntries {
				next.Timeline = append(next.Timeline, e)
				changed = true
			}
		}
	}
	if !changed {
		return nil, false
	}
	next, problems := scenario.DecodeJSON(next.EncodeJSON()) // checked as any file is
	return next, len(problems) == 0
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

// OpenMoment moves the playhead where a fragment says and follows its ticket: at
// once, or when the run that they belong to is there.
func (p *Player) OpenMoment(fragment string) {
	v, err := share.Parse(fragment)
	if err != nil || v == nil {
		return
	}
	w := &seen{at: event.Never, ticket: event.NoMessage, run: v.Get(share.RunKey)}
	if at, err := scenario.ParseDuration(v.Get(share.AtKey)); err == nil {
		w.at = at
	}
	if n, err := strconv.Atoi(v.Get(share.TicketKey)); err == nil && n >= 0 && n < scenario.MaxMessages {
		w.ticket = event.MessageRef(n)
	}
	if working, _ := p.Working(); working || p.Run() == nil {
		p.wanted = w.at
		p.linked = w
		return
	}
	if w.at != event.Never {
		p.Seek(w.at)
	}
	p.arrive(w)
}

// seen is what a link was made of.
type seen struct {
	at     event.Time
	ticket event.MessageRef
	run    string
}

// arrive is called when the run of a link is on the stage.
func (p *Player) arrive(w *seen) {
	p.linked = nil
	if w.ticket != event.NoMessage && int(w.ticket) < p.Run().Log.MessageCount() {
		p.Follow(w.ticket)
	}
	if w.run != "" && len(w.run) <= runLetters && !strings.HasPrefix(p.Run().Hash(), w.run) {
		p.trouble, p.troubleAt = "This link was made with another version of Ticketrail: what happens here is not quite what was seen then.", p.edited
		p.revision++
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

// entry reads one entry as Address writes it: 101ms cook/1, or in JSON, where
// the names are those of a scenario.
func entry(of *scenario.Scenario, what, text string) (scenario.Entry, bool) {
	if what == "do" {
		bare := of.Clone()
		bare.Timeline, bare.Expect = nil, nil
		s, problems := scenario.DecodeJSON([]byte(strings.TrimSuffix(string(bare.EncodeJSON()), "}") + `,"timeline":[` + text + `]}`))
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
