package lessons

import (
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	markdown "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// parser reads Markdown with tables, quotes as they are printed, and {{...}}.
var parser = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Typographer),
	goldmark.WithParserOptions(markdown.WithInlineParsers(util.Prioritized(bracesParser{}, 50)))).Parser()

// braces is {{...}} in a text: what stands between them.
type braces struct {
	ast.BaseInline
	inside string
	offset int
}

var kindBraces = ast.NewNodeKind("Braces")

func (*braces) Kind() ast.NodeKind              { return kindBraces }
func (n *braces) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type bracesParser struct{}

func (bracesParser) Trigger() []byte { return []byte{'{'} }

func (bracesParser) Parse(_ ast.Node, block text.Reader, _ markdown.Context) ast.Node {
	line, segment := block.PeekLine()
	rest, ok := strings.CutPrefix(string(line), "{{")
	if !ok {
		return nil
	}
	inside, _, ok := strings.Cut(rest, "}}")
	if !ok {
		return nil
	}
	block.Advance(len(inside) + len("{{}}"))
	return &braces{inside: strings.TrimSpace(inside), offset: segment.Start}
}

// at returns where a node begins.
func (r *reader) at(n ast.Node) place { return placeOf(r.source, max(n.Pos(), 0)) }

// proseOf reads a text of a form as Markdown. Its places are those of the text
// where its lines are lines of the file.
func (r *reader) proseOf(n *scenario.Node) *lesson.Node {
	if n.Kind == scenario.ListNode || n.Kind == scenario.MapNode {
		r.problem(place{n.Line, n.Column}, "this is one text: put it in quotes when it has a colon or begins with {")
		return &lesson.Node{Tag: "div"}
	}
	line, column := n.Line, n.Column
	if n.TextLine > 0 {
		line, column = n.TextLine, n.TextColumn
	}
	var at strings.Builder
	at.WriteString(strings.Repeat("\n", max(0, line-1)))
	for _, own := range strings.Split(strings.TrimRight(n.Text, "\n"), "\n") {
		at.WriteString(own + "\n")
	}
	inner := &reader{source: []byte(at.String()), lesson: r.lesson, step: r.step, aside: r.aside}
	root := parser.Parse(text.NewReader(inner.source))
	prose := &lesson.Node{Tag: "div"}
	for child := root.FirstChild(); child != nil; child = child.NextSibling() {
		prose.Kids = append(prose.Kids, inner.block(child)...)
	}
	for _, p := range inner.problems {
		p.Column += max(0, column-1)
		r.problems = append(r.problems, p)
	}
	for _, m := range inner.mentions {
		m.column += max(0, column-1)
		r.mentions = append(r.mentions, m)
	}
	return prose
}

// block makes a block of Markdown into nodes.
func (r *reader) block(n ast.Node) []lesson.Node {
	switch n := n.(type) {
	case *ast.Paragraph:
		return r.one("p", r.read(n, true))
	case *ast.TextBlock:
		return r.read(n, true)
	case *ast.Heading:
		return r.one([]string{"h3", "h4"}[min(max(n.Level-3, 0), 1)], r.read(n, false))
	case *ast.List:
		tag := "ul"
		if n.IsOrdered() {
			tag = "ol"
		}
		return r.one(tag, r.blocks(n))
	case *ast.ListItem:
		return r.one("li", r.blocks(n))
	case *ast.Blockquote:
		return r.one("blockquote", r.blocks(n))
	case *ast.ThematicBreak:
		return []lesson.Node{{Tag: "hr"}}
	case *ast.FencedCodeBlock:
		return r.listing(n)
	case *ast.CodeBlock:
		return r.listing(n)
	case *tables.Table:
		return r.table(n)
	case *ast.LinkReferenceDefinition:
		return nil
	case *ast.HTMLBlock:
		r.problem(r.at(n), "HTML is not used in lessons: write Markdown")
		return nil
	}
	r.problem(r.at(n), "a %s is not used in lessons: write paragraphs, lists, tables or listings", n.Kind())
	return nil
}

// one is a list of one element.
func (r *reader) one(tag string, kids []lesson.Node) []lesson.Node {
	return []lesson.Node{{Tag: tag, Kids: kids}}
}

func (r *reader) blocks(parent ast.Node) []lesson.Node {
	var all []lesson.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		all = append(all, r.block(n)...)
	}
	return all
}

func (r *reader) listing(n ast.Node) []lesson.Node {
	code := lesson.Node{Tag: "code", Kids: []lesson.Node{{Text: string(n.Lines().Value(r.source))}}}
	return []lesson.Node{{Tag: "pre", Kids: []lesson.Node{code}}}
}

func (r *reader) table(t *tables.Table) []lesson.Node {
	var head, body []lesson.Node
	own := len(r.mentions)
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		_, isHead := row.(*tables.TableHeader)
		var cells []lesson.Node
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			tag := "td"
			if isHead {
				tag = "th"
			}
			cells = append(cells, lesson.Node{Tag: tag, Kids: r.read(cell, false)})
		}
		if isHead {
			head = append(head, lesson.Node{Tag: "tr", Kids: cells})
		} else {
			body = append(body, lesson.Node{Tag: "tr", Kids: cells})
		}
	}
	whole := lesson.Node{Tag: "table", Kids: []lesson.Node{{Tag: "thead", Kids: head}, {Tag: "tbody", Kids: body}}}
	var cells []string
	for _, m := range r.mentions[own:] {
		if m.prose != nil {
			cells = append(cells, m.prose.text())
		}
	}
	for _, m := range r.mentions[own:] {
		if m.prose != nil {
			m.prose.table = strings.Join(cells, " ")
		}
	}
	return []lesson.Node{whole}
}

// read is inlines of a text that is read in one go, which is mentioned.
func (r *reader) read(n ast.Node, spoken bool) []lesson.Node {
	kids := r.inlines(n)
	r.mention(r.at(n), mention{prose: &prose{node: lesson.Node{Kids: kids}, spoken: spoken, aside: r.aside}})
	return kids
}

// inlines makes what is in a block into nodes; texts that follow each other
// become one.
func (r *reader) inlines(parent ast.Node) []lesson.Node {
	var all []lesson.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		for _, node := range r.inline(n) {
			if last := len(all) - 1; last >= 0 && isText(&node) && isText(&all[last]) {
				all[last].Text += node.Text
				continue
			}
			all = append(all, node)
		}
	}
	return all
}

func isText(n *lesson.Node) bool { return n.Tag == "" && n.Text != "" }

func (r *reader) inline(n ast.Node) []lesson.Node {
	switch n := n.(type) {
	case *ast.Text:
		return r.text(n)
	case *ast.String:
		return []lesson.Node{{Text: html.UnescapeString(string(n.Value))}}
	case *ast.CodeSpan:
		return r.one("code", r.inlines(n))
	case *ast.Emphasis:
		return r.one([]string{"em", "strong"}[min(n.Level, 2)-1], r.inlines(n))
	case *ast.Link:
		r.mention(r.at(n), mention{link: string(n.Destination)})
		return []lesson.Node{{Tag: "a", Href: string(n.Destination), Kids: r.inlines(n)}}
	case *ast.AutoLink:
		url := string(n.URL(r.source))
		r.mention(r.at(n), mention{link: url})
		return []lesson.Node{{Tag: "a", Href: url, Kids: []lesson.Node{{Text: string(n.Label(r.source))}}}}
	case *ast.Image:
		alt := lesson.Node{Kids: r.inlines(n)}
		image := lesson.Node{Tag: "img", Href: string(n.Destination), Alt: alt.Plain(nil)}
		r.mention(r.at(n), mention{image: &image})
		return []lesson.Node{image}
	case *ast.RawHTML:
		r.problem(placeOf(r.source, n.Segments.At(0).Start), "HTML is not used in lessons: write Markdown, or ` around what is code")
		return nil
	case *braces:
		return r.braces(n)
	}
	r.problem(r.at(n), "a %s is not used in lessons", n.Kind())
	return nil
}

func (r *reader) text(n *ast.Text) []lesson.Node {
	raw := n.Segment.Value(r.source)
	if !n.IsRaw() {
		raw = util.UnescapePunctuations(util.ResolveEntityNames(util.ResolveNumericReferences(raw)))
	}
	nodes := []lesson.Node{{Text: string(raw)}}
	switch {
	case n.HardLineBreak():
		nodes = append(nodes, lesson.Node{Tag: "br"})
	case n.SoftLineBreak():
		nodes[0].Text += " "
	}
	if nodes[0].Text == "" {
		return nodes[1:]
	}
	return nodes
}

// braces reads {{set PATH}}, {{run ID EXPRESSION}}, {{live ID EXPRESSION}} and
// {{message ID}}.
func (r *reader) braces(n *braces) []lesson.Node {
	at := placeOf(r.source, n.offset)
	what, rest, _ := strings.Cut(n.inside, " ")
	rest = strings.TrimSpace(rest)
	switch {
	case what == "set" && rest != "":
		path, form, err := lesson.CutForm(rest)
		if err != nil {
			r.problem(at, "%s", err)
			return nil
		}
		r.mention(at, mention{set: path})
		return []lesson.Node{{Set: path, As: form}}
	case what == "message" && rest != "":
		return []lesson.Node{{Message: rest}}
	case what == "run" || what == "live":
		figure, err := lesson.ParseFigure(rest)
		if err != nil {
			r.problem(at, "%s", err)
			return nil
		}
		figure.Live = what == "live"
		r.mention(at, mention{figure: figure})
		return []lesson.Node{{Run: figure}}
	}
	r.problem(at, "{{%s}} is not known: write {{set queues.orders.max_receives}}, {{run crash lost}}, {{live crash lost}} or {{message 101}}", n.inside)
	return nil
}
