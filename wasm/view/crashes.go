package view

import (
	"fmt"
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/wasm/player"
)

// crashMark is how a result is shown: in which columns, in which word and by
// which glyph.
type crashMark struct {
	column, word, glyph, whole string
}

var crashMarks = map[player.Crashed][]crashMark{
	player.CrashRight: {{"right", "right", "ack", "right"}},
	player.CrashLost:  {{"lost", "lost", "close", "lost"}},
	player.CrashTwice: {{"twice", "twice", "mail", "done twice"}},
	player.CrashBoth:  {{"lost", "lost", "close", "lost, and another done twice"}, {"twice", "twice", "mail", "done twice, and another lost"}},
	player.CrashDead:  {{"lost", "dead", "dead", "dead letter"}},
}

var crashColumns = []string{"lost", "twice", "right"}

// crashHead heads the columns.
func crashHead(asked bool) app.UI {
	if !asked {
		return el("div").Class("crash-head")
	}
	return el("div").Class("crash-head", "on").Aria("hidden", "true").Body(
		el("span").Text("if it crashes right after"),
		el("i").Text("lost"), el("i").Text("twice"), el("i").Text("right"),
	)
}

// crashCells are the cells of a line: what a crash right after it does.
func crashCells(line int, point player.CrashPoint) app.UI {
	marks := crashMarks[point.Result]
	if len(marks) == 0 {
		text := "..."
		if point.Result == player.CrashNothing {
			text = "ends here"
		}
		return el("span").Class("cells").Body(el("span").Class("cell-none").Text(text))
	}
	var cells []app.UI
	for _, column := range crashColumns {
		cell := app.UI(el("i").Aria("hidden", "true"))
		for _, m := range marks {
			if m.column == column {
				cell = crashCell(line, m, point.Chosen)
			}
		}
		cells = append(cells, cell)
	}
	return el("span").Class("cells").Body(cells...)
}

func crashCell(line int, m crashMark, chosen bool) app.UI {
	return el("button").Class("cell", "x-"+m.word).Attr("type", "button").ID("crash-"+m.column+"-"+strconv.Itoa(line)).DataSet("crash", line).
		Aria("pressed", strconv.FormatBool(chosen)).Aria("label", fmt.Sprintf("%s: crash right after line %d", m.whole, line)).
		Body(icon(m.glyph, "s"), el("span").Text(m.word))
}

// whatIf asks for the crashes, and says what is seen.
func (c *code) whatIf(m player.Matrix, asked bool) app.UI {
	button := el("button").Class("btn").Attr("type", "button").ID("what-if").Aria("pressed", strconv.FormatBool(asked)).OnClick(c.ask).
		Body(icon("crash", "s"), el("span").Text("What if it crashes here?"))
	body := []app.UI{button}
	if asked {
		body = append(body, el("p").Class("lbl").Text(whatIfText(m, len(c.page.player.Problems()) > 0)))
	}
	return el("div").Class("what-if").Body(body...)
}

func whatIfText(m player.Matrix, wrong bool) string {
	switch {
	case wrong:
		return "The card has a mistake. Once it is mended, this is found out."
	case m.Fault != "":
		return "Nothing to see: " + m.Fault + "."
	case m.Of == 0:
		return "Running it once without a crash."
	case m.Done < m.Of:
		return fmt.Sprintf("Line %d of %d is being tried.", m.Done+1, m.Of)
	}
	text := "Tried with " + m.Message + ". Press a cell to watch that crash."
	if m.Within != "" {
		text += " The run is long: only its first " + m.Within + " were looked at."
	}
	return text
}

func (c *code) ask(app.Context, app.Event) {
	c.page.player.AskCrashes(!c.page.player.AsksCrashes())
	c.page.redraw()
}

// crashAt puts the crash after a line into the scenario and plays from just
// before it.
func (c *code) crashAt(line int) {
	p := c.page
	p.player.Pause()
	watch := p.player.CrashAt(line)
	p.edited()
	if !watch {
		p.edge.Say("The crash is taken out again.")
		return
	}
	p.edge.Say(fmt.Sprintf("A crash right after line %d. Playing from just before it.", line))
	p.play()
}
