package view

import (
	"encoding/json"
	"runtime"

	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// open takes edits and the moment from the fragment of the address.
func (p *Page) open(fragment string) {
	if p.player.Open(fragment) {
		p.session.Work(p.deadline())
	}
	p.player.OpenMoment(fragment)
}

// remember writes edits and the moment into the address, and in practice which
// question it is.
func (p *Page) remember() {
	if p.series != nil {
		p.edge.SetFragment(p.series.Address())
		return
	}
	p.edge.SetFragment(p.session.Address())
	p.tellState()
}

// offers are what the page lets others ask: its state, the address of this very
// moment, what a scenario comes to here, the memory it takes, the moments at
// which play is to halt, and the commands of the page around. All
// answer in JSON.
func (p *Page) offers() map[string]func(string) string {
	return map[string]func(string) string{
		"state":   func(string) string { return p.stateJSON() },
		"address": func(string) string { return marshal(p.session.Address()) },
		"run":     runJSON,
		"memory":  memoryJSON,
		"stops":   p.stopsJSON,
		"obey":    p.obey,
	}
}

func (p *Page) stateJSON() string {
	r := p.player.Run()
	working, _ := p.player.Working()
	if r == nil {
		return marshal(map[string]any{"working": working})
	}
	c := p.player.Counts()
	a := p.player.AddsUp()
	problems := []string{}
	for _, problem := range p.player.Problems() {
		problems = append(problems, problem.Text)
	}
	return marshal(map[string]any{
		"time": p.player.Time().Seconds(), "end": p.player.End().Seconds(), "axis": p.player.Axis(1).End.Seconds(), "event": p.player.Events(), "events": r.Log.Len(),
		"playing": p.player.Playing(), "speed": p.player.Speed(), "hash": r.Hash(), "revision": p.player.Revision(),
		"accepted": c.Accepted, "waiting": c.Waiting, "delayed": c.Delayed, "in_flight": c.InFlight, "acked": c.Acked,
		"dead": c.Dead, "expired": c.Expired, "dropped": c.Dropped, "refused": c.Refused, "effects": c.Effects,
		"duplicates": a.Twice, "lost": a.Lost, "handler": p.player.Handler(), "problems": problems,
		"before": beforeHash(p.player), "step": p.session.Step() + 1, "working": working,
	})
}

func beforeHash(p *player.Player) string {
	if r, _ := p.Before(); r != nil {
		return r.Hash()
	}
	return ""
}

// runJSON runs a scenario, given as JSON, beside the one that is open.
func runJSON(text string) string {
	s, problems := scenario.DecodeJSON([]byte(text))
	if len(problems) == 0 {
		problems = run.Check(s)
	}
	if len(problems) > 0 {
		texts := []string{}
		for _, p := range problems {
			texts = append(texts, p.String())
		}
		return marshal(map[string]any{"problems": texts})
	}
	r, err := run.Do(s)
	if err != nil {
		return marshal(map[string]any{"problems": []string{err.Error()}})
	}
	failed := []string{}
	for _, f := range r.Outcome.Holds() {
		failed = append(failed, f.Expectation.Text+": "+f.Got)
	}
	return marshal(map[string]any{"hash": r.Hash(), "events": r.Log.Len(), "failed": failed})
}

// memoryJSON says how often the program has allocated so far, and how much of
// that is in use.
func memoryJSON(string) string {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return marshal(map[string]any{"allocations": m.Mallocs, "heap": m.HeapAlloc})
}

// stopsJSON takes a list of stops, [{"event": 12, "text": "..."}], in place of
// those before, and says how many of them are in this run.
func (p *Page) stopsJSON(text string) string {
	var stops []player.Stop
	if err := json.Unmarshal([]byte(text), &stops); err != nil {
		return marshal(map[string]string{"problem": "stops are a list such as [{\"event\": 12, \"text\": \"...\"}]: " + err.Error()})
	}
	p.player.SetStops(func(*run.Run) []player.Stop { return stops })
	p.refresh()
	return marshal(map[string]int{"stops": len(p.player.Stops())})
}

func marshal(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return "{}"
	}
	return string(text)
}
