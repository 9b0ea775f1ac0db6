package view

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// The page as text: the whole run in headings, sentences and tables, with what
// can be changed, and without a stage. It is read from top to bottom, by eye,
// by ear or on paper.

const (
	// mostSentences bounds the transcript of the text view.
	mostSentences = 2000
	// mostLives bounds how many biographies it has.
	mostLives = 6
)

// link is the address of this page in another view, "" for the one with the
// stage. boot.js adds the fragment as it is when the link is followed.
func (p *Page) link(view string) string {
	address, join := "?", ""
	if view != "" {
		address, join = address+"view="+view, "&"
	}
	if w := p.player.Words(); w != player.AllWords[0] {
		address += join + "words=" + w.Key
	}
	return address
}

// otherView leads back from the text to the stage. The way there is in the
// transcript.
func (p *Page) otherView() app.UI {
	if !p.textual {
		return el("span")
	}
	return el("a").Class("btn").Attr("href", p.link("")).DataSet("do", "open").Text("With the stage")
}

// asText are the parts of the text view.
func (p *Page) asText() app.UI {
	return el("main").Class("textual", p.secret()).ID("player").Body(
		&panel{Key: p.scriptKey(), render: p.before.render},
		&panel{Key: p.scriptKey(), render: p.beside.render},
		&panel{Key: p.noticesKey(), render: p.notices.render},
		&panel{Key: p.codeKey(), render: p.code.render},
		&panel{Key: p.settingsKey(), render: p.settings.render},
		&panel{Key: p.outcomeKey(), render: p.outcome.render},
		&panel{Key: p.textKey() + "lives", render: p.lives},
		&panel{Key: p.textKey() + "sentences", render: p.sentences},
		el("p").Class("vh").ID("said").Aria("live", "polite"),
	)
}

func (p *Page) textKey() string { return fmt.Sprint(p.player.Revision(), p.session.Unsaid()) }

// lives tells those messages of which something is to be learned.
func (p *Page) lives() app.UI {
	body := []app.UI{el("h2").Text("Lives worth telling"), p.unsaid()}
	told := 0
	for _, life := range p.player.Lives(mostLives) {
		told++
		body = append(body, el("h3").Text(life.Question))
		for _, t := range life.Tries {
			if t.N > 0 {
				body = append(body, el("h4").Text(fmt.Sprintf("Try %d, %s", t.N, t.Name)))
			}
			body = append(body, made(func(m *markup) {
				m.wrapped("ol", "", func() {
					for _, line := range t.Lines {
						m.timed(line.Clock, line.Parts)
					}
				})
			}))
		}
		if life.Because != "" {
			body = append(body, el("p").Text(life.Because))
		}
	}
	if told == 0 {
		body = append(body, el("p").Text("All went as one would wish."))
	}
	return el("section").Class("lives").Aria("label", "Lives").Body(body...)
}

// sentences is the whole transcript.
func (p *Page) sentences() app.UI {
	w := p.player.Whole(mostSentences)
	body := []app.UI{el("h2").Text("The run in sentences"), p.unsaid(), inOrder(w.Rows)}
	if w.Total > len(w.Rows) {
		body = append(body, el("p").Text(fmt.Sprintf("The first %d of %d sentences.", len(w.Rows), w.Total)))
	}
	return el("section").Class("all").Aria("label", "Transcript").Body(body...)
}
