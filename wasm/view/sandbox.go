package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/ticketrail/ticketrail/core/build"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/wasm/player"
)

// sandbox are the parts that only the page of that kind has: where to start
// from and how to take the scenario along, the palette over the stage, the form
// of the thing that is chosen, and the scenario as text. Over a field that was
// refused lies what is wrong with it; the last good run stays on the stage.
type sandbox struct {
	page *Page

	said   string // what came of the last copy
	filled string // the thing whose fields have been filled
	wrong  string // the path of the field whose text was refused, or ""
	edits  int    // how many edits there were when the text was typed last
	text   string // what is in the field of the text
	opened string // what that field was made with
}

// starts are the scenarios to begin from; only a sandbox has some.
func (p *Page) starts() []lesson.Scenario { return p.built.Starts }

func (p *Page) inSandbox() bool { return p.built.Kind == SandboxPage }

// sandboxKeys are those of its panels.
func (c *sandbox) keys() map[string]string {
	if !c.page.inSandbox() {
		return nil
	}
	return map[string]string{"start": c.startKey(), "palette": c.paletteKey(), "form": c.formKey(), "yaml": c.yamlKey()}
}

func (c *sandbox) startKey() string {
	p := c.page.player
	return fmt.Sprint(p.UndoLabel(), "/", p.RedoLabel(), "/", c.said)
}

// start is the head of the page: where to begin, and how to take it along.
func (c *sandbox) start() app.UI {
	s := &c.page.settings
	return el("div").Class("sb-start").Body(
		el("div").Class("sb-row").Body(
			c.startFrom(),
			c.button("blank", "New"),
			el("span").Class("btn sb-file").Body(
				el("label").Attr("for", "open-file").Text("Open a file"),
				el("input").ID("open-file").Attr("type", "file").Attr("accept", ".yaml,.yml,.json").OnChange(c.openFile),
			),
		),
		el("div").Class("sb-row").OnClick(c.takeAlong).Body(
			el("span").Class("lbl").Text("Copy as"),
			c.out("yaml", "YAML"), c.out("link", "Link"), c.out("file", "Download YAML"),
			el("span").Class("sb-said").Text(c.said),
		),
		el("div").Class("sb-row undo").Body(
			s.action("undo", "Undo", c.page.player.UndoLabel(), c.page.undo),
			s.action("redo", "Redo", c.page.player.RedoLabel(), c.page.redo),
			s.action("reset", "All as it was", "", c.page.reset),
		),
	)
}

func (c *sandbox) startFrom() app.UI {
	options := []app.UI{el("option").Attr("value", "").Attr("selected", true).Text("Choose ...")}
	for i, s := range c.page.starts() {
		options = append(options, el("option").Attr("value", strconv.Itoa(i)).Text(s.ID))
	}
	return el("span").Class("sb-from").Body(
		el("label").Class("lbl").Attr("for", "from").Text("Start from"),
		el("select").Class("btn").ID("from").OnChange(c.chooseStart).Body(options...),
	)
}

func (c *sandbox) button(id, text string) app.UI {
	return el("button").Class("btn").Attr("type", "button").ID(id).OnClick(func(app.Context, app.Event) {
		c.begin("a new scenario", func(p *player.Player) { p.Start("a new scenario", player.Blank()) })
	}).Text(text)
}

func (c *sandbox) out(way, text string) app.UI {
	return el("button").Class("btn text").Attr("type", "button").ID("out-"+way).DataSet("out", way).Text(text)
}

// begin starts with another scenario, and says so.
func (c *sandbox) begin(label string, start func(*player.Player)) {
	start(c.page.player)
	c.said = ""
	c.page.edited()
	c.page.edge.Say("Here is " + label + ".")
}

func (c *sandbox) chooseStart(ctx app.Context, _ app.Event) {
	value := ctx.JSSrc().Get("value").String()
	c.page.edge.Fill("from", "") // it is a choice of what to do, not of what is
	i := number(value)
	if value == "" || i >= len(c.page.starts()) {
		ctx.PreventUpdate()
		return
	}
	s := c.page.starts()[i]
	c.begin(s.ID, func(p *player.Player) { p.Start("from: "+s.ID, s.Scenario) })
}

// openFile begins with a scenario from the reader's disk.
func (c *sandbox) openFile(ctx app.Context, _ app.Event) {
	ctx.PreventUpdate()
	c.page.edge.ReadFile("open-file", func(name, text string) {
		if problems := c.page.player.OpenText(name, text); len(problems) > 0 {
			more := ""
			if len(problems) > 1 {
				more = fmt.Sprintf(" (and %d more)", len(problems)-1)
			}
			c.tell(name + " cannot be opened. " + problems[0].String() + more)
			return
		}
		c.begin(name, func(*player.Player) {})
		c.page.refresh()
	})
}

func (c *sandbox) tell(text string) {
	c.said = text
	c.page.edge.Say(text)
	c.page.refresh()
}

// takeAlong copies or saves the scenario.
func (c *sandbox) takeAlong(ctx app.Context, e app.Event) {
	ctx.PreventUpdate()
	p := c.page.player
	copied := func(could bool) {
		if could {
			c.tell("Copied.")
		} else {
			c.tell("The browser does not allow to copy here.")
		}
	}
	switch clicked(e, "out") {
	case "yaml":
		c.page.edge.Copy(p.YAML(), copied)
	case "link":
		fragment, err := p.FullAddress()
		if err != nil {
			c.tell(err.Error())
			return
		}
		c.page.edge.Copy(c.page.edge.Place()+"#"+fragment, copied)
	case "file":
		c.page.edge.Save(fileName(p.Scenario().Title), p.YAML())
	}
}

// fileName is a title as the name of a file.
func fileName(title string) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(title))
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), "-")
	const longest = 60
	if name = name[:min(len(name), longest)]; name == "" {
		name = "scenario"
	}
	return name + ".yaml"
}

func (c *sandbox) paletteKey() string { return fmt.Sprint(c.page.player.Revision()) }

// palette adds things, and chooses between those that there are.
func (c *sandbox) palette() app.UI {
	add := []app.UI{el("span").Class("lbl").Text("Add")}
	for _, section := range [...]string{"queues", "producers", "workers", "services", "topics", "tables"} {
		word := build.One(section)
		if section == "workers" {
			word = "workers"
		}
		add = append(add, el("button").Class("btn").Attr("type", "button").ID("add-"+section).DataSet("add", section).
			Aria("label", "Add "+word).Text(word))
	}
	groups := []app.UI{}
	for _, g := range c.page.player.Groups() {
		items := []app.UI{el("span").Class("lbl").Text(g.Label)}
		for _, t := range g.Things {
			items = append(items, c.thing(t, t.Name))
		}
		groups = append(groups, el("div").Class("sb-group").Role("group").Aria("label", g.Label).Body(items...))
	}
	groups = append(groups, el("div").Class("sb-group").Role("group").Aria("label", "The whole").Body(
		c.thing(player.Thing{Section: player.Timeline}, "What happens when"),
		c.thing(player.Thing{Section: player.Expected}, "Expectations"),
		c.thing(player.Thing{Section: player.TheRun}, "The run"),
	))
	return el("div").Class("palette").Body(
		el("div").Class("sb-add").Role("group").Aria("label", "Add").OnClick(c.add).Body(add...),
		el("div").Class("sb-things").OnClick(c.choose).Body(groups...),
	)
}

func (c *sandbox) thing(t player.Thing, text string) app.UI {
	return el("button").Class("sb-thing").Attr("type", "button").ID("thing-"+t.ID()).
		DataSet("section", t.Section).DataSet("name", t.Name).
		Aria("pressed", strconv.FormatBool(t == c.page.player.Chosen())).Text(text)
}

func (c *sandbox) add(ctx app.Context, e app.Event) {
	section := clicked(e, "add")
	if section == "" {
		ctx.PreventUpdate()
		return
	}
	t := c.page.player.AddThing(section)
	c.page.edited()
	c.page.edge.Say("Added " + build.One(section) + " " + t.Name + ". Its form has the focus.")
	ctx.Defer(func(app.Context) { c.page.edge.Focus("thing-title") })
}

func (c *sandbox) choose(ctx app.Context, e app.Event) {
	section := clicked(e, "section")
	if section == "" {
		ctx.PreventUpdate()
		return
	}
	c.page.player.Choose(player.Thing{Section: section, Name: clicked(e, "name")})
	c.page.redraw()
}

func (c *sandbox) formKey() string {
	return fmt.Sprint(c.page.player.Revision(), c.page.folds["form-more"])
}

// form is that of the thing that is chosen.
func (c *sandbox) form() app.UI {
	f := c.page.player.Form()
	head := []app.UI{el("h2").ID("thing-title").Attr("tabindex", -1).Text(f.Title)}
	var body []app.UI
	if f.Named {
		head = append(head, el("button").Class("btn text").Attr("type", "button").ID("remove").
			OnClick(func(ctx app.Context, _ app.Event) { c.remove(ctx, f.Thing) }, app.EventScope(f.Thing.ID())).
			Body(app.Text("Remove"), el("span").Class("vh").Text(" "+f.Title)))
		body = append(body, c.name(f))
	}
	body = append(body, c.stream(f), c.calls(f))
	if len(f.Knobs) > 0 {
		var knobs []app.UI
		for _, s := range f.Knobs {
			knobs = append(knobs, c.page.settings.knob(s))
		}
		body = append(body, el("div").Class("sb-knobs").Body(knobs...))
	}
	for _, field := range f.Fields {
		body = append(body, c.page.settings.field(field))
	}
	for _, l := range f.Lists {
		body = append(body, c.list(l))
	}
	body = append(body, c.more(f.More))
	return el("section").Class("code sb-form all").Aria("labelledby", "thing-title").Body(
		el("header").Body(head...),
		el("div").Class("sb-fields").Body(body...),
	)
}

// more are the settings that are as always, folded away.
func (c *sandbox) more(fields []player.Field) app.UI {
	if len(fields) == 0 {
		return el("div").Class("sb-none")
	}
	body := []app.UI{el("summary").Text(fmt.Sprintf("%d more settings", len(fields)))}
	if c.page.folds["form-more"] {
		for _, field := range fields {
			body = append(body, c.page.settings.field(field))
		}
	}
	return el("details").Class("all").ID("form-more").Attr("open", c.page.folds["form-more"]).
		On("toggle", func(ctx app.Context, _ app.Event) { c.page.unfolded(ctx, "form-more") }).Body(body...)
}

func (c *sandbox) name(f player.Form) app.UI {
	input := el("input").ID("thing-name").Attr("type", "text").Attr("value", f.Thing.Name).Spellcheck(false).
		Attr("autocomplete", "off").Attr("autocapitalize", "off").
		OnChange(func(ctx app.Context, _ app.Event) {
			c.page.player.RenameThing(f.Thing, ctx.JSSrc().Get("value").String())
			c.page.edited()
		}, app.EventScope(f.Thing.ID()))
	body := []app.UI{
		el("label").Attr("for", "thing-name").Text("name"), nil,
		el("p").ID("thing-name-about").Text("wherever it is named, it is named anew"),
	}
	about := "thing-name-about"
	if f.Wrong != "" {
		input, about = input.Aria("invalid", "true"), about+" thing-name-wrong"
		body = append(body, wrongText("thing-name-wrong", f.Wrong))
	}
	body[1] = input.Aria("describedby", about)
	return el("div").Class("field").Body(body...)
}

// wrongText says below a field what is wrong with it.
func wrongText(id, text string) app.UI {
	return el("p").Class("errmsg").ID(id).Role("alert").Body(icon("crash", "s"), el("span").Text(text))
}

func (c *sandbox) remove(ctx app.Context, t player.Thing) {
	text := c.page.player.RemoveThing(t)
	c.page.edited()
	c.page.edge.Say(text)
	ctx.Defer(func(app.Context) { c.page.edge.Focus("thing-title") })
}

// stream chooses between a stream and exact messages.
func (c *sandbox) stream(f player.Form) app.UI {
	if f.Stream == 0 {
		return el("div").Class("sb-none")
	}
	body := []app.UI{el("legend").Text("sends")}
	for i, text := range [...]string{"Exact messages", "A stream"} {
		stream := i == 1
		body = append(body, el("label").Body(
			el("input").Attr("type", "radio").Attr("name", "stream").ID("stream-"+strconv.Itoa(i)).Attr("value", strconv.Itoa(i)).
				Attr("checked", stream == (f.Stream > 0)).OnChange(func(app.Context, app.Event) {
				c.page.player.SetStream(f.Thing.Name, stream)
				c.page.edited()
			}, app.EventScope(f.Thing.Name, i)),
			el("span").Text(text)))
	}
	return el("fieldset").Class("sb-stream").Body(body...)
}

// calls offers to have a service called that no handler calls.
func (c *sandbox) calls(f player.Form) app.UI {
	if len(f.Calls) == 0 {
		return el("div").Class("sb-none")
	}
	body := []app.UI{el("span").Text("No handler calls it yet.")}
	for _, pool := range f.Calls {
		body = append(body, el("button").Class("btn").Attr("type", "button").ID("call-"+pool).
			OnClick(func(app.Context, app.Event) {
				c.page.player.Call(pool, f.Thing.Name)
				c.page.edited()
				c.page.edge.Say("The handler of " + pool + " calls " + f.Thing.Name + ".")
			}, app.EventScope(pool, f.Thing.Name)).Text("Call it in "+pool))
	}
	return el("div").Class("sb-calls").Body(body...)
}

// list is a list of entries: messages, exact crashes, what happens when.
func (c *sandbox) list(l player.Listing) app.UI {
	id := strings.ReplaceAll(l.Path, ".", "-")
	body := []app.UI{el("h3").Text(l.Name), el("p").Class("lbl").Text(l.Doc)}
	for i, item := range l.Items {
		body = append(body, c.item(l, item, i))
	}
	if l.Problem != "" {
		body = append(body, wrongText(id+"-wrong", l.Problem))
	}
	body = append(body, el("button").Class("btn").Attr("type", "button").ID("more-"+id).
		OnClick(func(ctx app.Context, _ app.Event) {
			c.page.player.AddRow(l.Path)
			c.page.edited()
		}, app.EventScope(l.Path)).Text("Add "+article(l.Add)))
	return el("div").Class("sb-list").Role("group").Aria("label", l.Name).Body(body...)
}

func article(noun string) string {
	if strings.HasPrefix(noun, "e") {
		return "an " + noun
	}
	return "a " + noun
}

func (c *sandbox) item(l player.Listing, item player.Item, i int) app.UI {
	name := l.Add + " " + strconv.Itoa(i+1)
	head := []app.UI{el("h4").Text(name)}
	if item.Action != "" {
		head = append(head, c.action(item, i))
	}
	head = append(head, el("button").Class("btn text").Attr("type", "button").ID("less-"+strings.NewReplacer(".", "-", "[", "-", "]", "").Replace(item.Path)).
		OnClick(func(ctx app.Context, _ app.Event) {
			c.page.player.RemoveRow(item.Path)
			c.page.edited()
			c.page.edge.Say("Removed " + name + ".")
			ctx.Defer(func(app.Context) { c.page.edge.Focus("more-" + strings.ReplaceAll(l.Path, ".", "-")) })
		}, app.EventScope(item.Path)).Body(app.Text("Remove"), el("span").Class("vh").Text(" "+name)))
	var fields []app.UI
	for _, f := range item.Fields {
		fields = append(fields, c.page.settings.field(f))
	}
	return el("div").Class("sb-item").Body(
		el("div").Class("sb-item-h").Body(head...),
		el("div").Class("sb-item-f").Body(fields...),
	)
}

// action chooses what an entry of the timeline does.
func (c *sandbox) action(item player.Item, i int) app.UI {
	var options []app.UI
	for _, action := range build.Actions {
		options = append(options, el("option").Attr("value", action).Attr("selected", action == item.Action).Text(action))
	}
	return el("select").Class("btn").ID("action-"+strconv.Itoa(i)).Aria("label", "What event "+strconv.Itoa(i+1)+" does").
		OnChange(func(ctx app.Context, _ app.Event) {
			c.page.player.SetAction(i, ctx.JSSrc().Get("value").String())
			c.page.edited()
		}, app.EventScope(i)).Body(options...)
}

// shown is called before the form is rendered, and waits until it is.
func (c *sandbox) shown(ctx app.Context) { ctx.Defer(func(app.Context) { c.fill() }) }

// fill fills the fields of another thing, and one whose refusal is gone: to
// go-app they have always had their values.
func (c *sandbox) fill() {
	f := c.page.player.Form()
	wrong, _ := c.page.player.WrongAt()
	anew := c.filled != f.Thing.ID()
	if !anew && (c.wrong == "" || c.wrong == wrong) {
		c.wrong = wrong
		return
	}
	fill := func(field player.Field) {
		if len(field.Several) == 0 && field.Path != wrong && (anew || field.Path == c.wrong) {
			c.page.edge.Fill(field.ID, field.Value)
		}
	}
	for _, field := range append(f.Fields, f.More...) {
		fill(field)
	}
	for _, l := range f.Lists {
		for _, item := range l.Items {
			for _, field := range item.Fields {
				fill(field)
			}
		}
	}
	if f.Named && f.Wrong == "" {
		c.page.edge.Fill("thing-name", f.Thing.Name)
	}
	c.filled, c.wrong = f.Thing.ID(), wrong
}

func (c *sandbox) yamlKey() string {
	return fmt.Sprint(c.page.player.Revision(), c.page.folds["yaml"])
}

// yaml is the whole scenario as text, to be read, typed and taken along.
func (c *sandbox) yaml() app.UI {
	if now := c.page.player.Edits(); now != c.edits {
		c.edits, c.text = now, c.page.player.YAML()
	}
	if c.opened == "" {
		c.opened = c.text
	}
	body := []app.UI{el("summary").Body(el("h2").Text("The scenario as text"))}
	if c.page.folds["yaml"] {
		body = append(body, c.textField(), c.mistakes())
	}
	return el("details").Class("fold card sb-yaml").ID("yaml").Attr("open", c.page.folds["yaml"]).
		On("toggle", func(ctx app.Context, _ app.Event) {
			c.opened = c.text
			c.page.unfolded(ctx, "yaml")
		}).Body(body...)
}

func (c *sandbox) textField() app.UI {
	wrong := c.page.player.YAMLMistakes()
	at := map[int]string{}
	for _, m := range wrong {
		if at[m.Line] == "" {
			at[m.Line] = m.Text
		}
	}
	var lines []app.UI
	for i, spans := range c.page.player.PaintedYAML(c.text) {
		body := []app.UI{el("span").Class("no").Text(i + 1), el("code").Body(colours(spans)...)}
		class := "ln"
		if text := at[i+1]; text != "" {
			class += " bad"
			body = append(body, el("em").Class("lint").Text(text))
		}
		lines = append(lines, el("li").Class(class).Body(body...))
	}
	return el("div").Class("edit").Body(
		el("ol").Class("typed").Aria("hidden", "true").Body(lines...),
		el("textarea").Class("typing").ID("yaml-text").Aria("label", "The scenario as YAML").Aria("describedby", "yaml-wrong").
			Aria("invalid", strconv.FormatBool(len(wrong) > 0)).Spellcheck(false).Attr("autocapitalize", "off").
			Attr("autocomplete", "off").Attr("autocorrect", "off").Attr("rows", 1).
			OnInput(c.input).OnChange(func(app.Context, app.Event) { c.page.player.Seal() }).OnKeyDown(typeKey).Text(c.opened),
	)
}

// mistakes are what is wrong with the text, each at its line and column.
func (c *sandbox) mistakes() app.UI {
	const most = 5
	var body []app.UI
	wrong := c.page.player.YAMLMistakes()
	for i, m := range wrong {
		if i == most {
			body = append(body, el("p").Class("lbl").Text(fmt.Sprintf("and %d more", len(wrong)-most)))
			break
		}
		place := ""
		if m.Line > 0 {
			place = fmt.Sprintf("Line %d, column %d: ", m.Line, m.Column)
		}
		body = append(body, el("p").Class("errmsg").Body(icon("crash", ""), el("span").Body(el("b").Text(ended(place+m.Text)))))
	}
	if len(wrong) > 0 {
		body = append(body, el("p").Class("lbl").Text("The last good run stays on the stage."))
	}
	return el("div").ID("yaml-wrong").Role("alert").Body(body...)
}

func (c *sandbox) input(ctx app.Context, _ app.Event) {
	c.text = ctx.JSSrc().Get("value").String()
	c.page.player.SetYAML(c.text)
	c.edits = c.page.player.Edits()
	c.page.remember()
	c.page.redraw() // the run is computed in frames: typing comes first
}

// textShown brings the field up to date when the scenario was changed elsewhere.
func (c *sandbox) textShown(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		if c.page.folds["yaml"] && c.page.edge.Value("yaml-text") != c.text {
			c.page.edge.Fill("yaml-text", c.text)
		}
	})
}

// toSandbox leads from a lesson's stage to the sandbox, where there is one, with
// what was changed.
func (p *Page) toSandbox() app.UI {
	if p.built.Alone {
		return el("span")
	}
	take := func(ctx app.Context, _ app.Event) {
		ctx.PreventUpdate()
		address := p.built.Root + "sandbox/"
		if fragment, err := p.player.FullAddress(); err == nil {
			address += "#" + fragment
		}
		ctx.JSSrc().Set("href", address)
	}
	return el("a").Class("btn text").ID("to-sandbox").Attr("href", p.built.Root+"sandbox/").
		On("pointerdown", take).On("focus", take).OnClick(take).Text("Open in the sandbox")
}
