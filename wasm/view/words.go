package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// keptWords is the name under which the choice of words is kept.
const keptWords = "ticketrail.words"

// chosenWords are the words of the page's address or, without any, those that
// the reader chose last.
func (p *Page) chosenWords() *player.Words {
	key := p.edge.Query("words")
	if key == "" {
		key = p.edge.Kept(keptWords)
	}
	return player.WordsNamed(key)
}

func (p *Page) wordsKey() string { return p.player.Words().Key }

// wordsSwitch lets a reader choose the words: a row of buttons and, where there
// is no room for it, a list.
func (p *Page) wordsSwitch() app.UI {
	var buttons, options []app.UI
	for _, w := range player.AllWords {
		chosen := w == p.player.Words()
		buttons = append(buttons, el("button").Attr("type", "button").ID("words-"+w.Key).DataSet("words", w.Key).Aria("pressed", strconv.FormatBool(chosen)).Text(w.Label))
		options = append(options, el("option").Attr("value", w.Key).Attr("selected", chosen).Text(w.Label))
	}
	return el("div").Class("words").Body(
		el("span").Class("lbl").Aria("hidden", "true").Text("Words"),
		el("div").Class("seg").Role("group").Aria("label", "Words").OnClick(func(ctx app.Context, e app.Event) {
			p.speak(ctx, clicked(e, "words"))
		}).Body(buttons...),
		el("select").Class("btn").ID("words").Aria("label", "Words").OnChange(func(ctx app.Context, _ app.Event) {
			p.speak(ctx, ctx.JSSrc().Get("value").String())
		}).Body(options...),
	)
}

// speak has the page speak in other words, and remembers them.
func (p *Page) speak(ctx app.Context, key string) {
	if key == "" {
		ctx.PreventUpdate()
		return
	}
	w := player.WordsNamed(key)
	p.session.SetWords(w)
	p.edge.Keep(keptWords, w.Key)
	address := w.Key
	if w == player.AllWords[0] {
		address = ""
	}
	p.edge.SetQuery("words", address)
	p.redraw()
	p.edge.Say("Words: " + w.Label)
}
