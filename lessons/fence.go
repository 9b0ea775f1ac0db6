package lessons

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Block is a fenced block of a lesson.
type Block struct {
	Name string // the first word after the fence: scenario
	ID   string // what id= says; "" without one
	Line int    // of the opening fence, from 1
	// Source is the text of the block at the place where it has it in the
	// file: before it are as many empty lines, and spaces before each of its
	// lines where it is set in. Whoever finds a fault in it finds its place.
	Source []byte

	options []option // all that stands after the name
}

// end is the line of the closing fence.
func (b *Block) end() int { return 1 + bytes.Count(b.Source, []byte("\n")) }

// option is one name=value after a fence.
type option struct {
	name, value string
	place
}

// place is where something stands in the file, from 1.
type place struct{ line, column int }

func (p place) problem(text string) scenario.Problem {
	return scenario.Problem{Line: p.line, Column: p.column, Text: text}
}

// Scenarios returns the scenario blocks of a Markdown file, in its order.
func Scenarios(source []byte) []Block {
	var blocks []Block
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if fence, ok := n.(*ast.FencedCodeBlock); ok && entering && nameOf(fence, source) == "scenario" {
			b, _ := block(source, fence)
			blocks = append(blocks, b)
		}
		return ast.WalkContinue, nil
	}) // the walker returns no error of its own
	return blocks
}

// nameOf returns the first word after a fence, "" when there is none.
func nameOf(fence *ast.FencedCodeBlock, source []byte) string {
	if fence.Info == nil {
		return ""
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(fence.Info.Segment.Value(source))), " ")
	return name
}

// block reads a fenced block. The problem is the first thing after its name
// that is not understood.
func block(source []byte, fence *ast.FencedCodeBlock) (Block, *scenario.Problem) {
	b := Block{Name: nameOf(fence, source)}
	at := placeOf(source, fence.Info.Segment.Start)
	b.Line = at.line
	options, problem := optionsOf(string(fence.Info.Segment.Value(source))[len(b.Name):], place{at.line, at.column + len(b.Name)})
	b.options = options
	for _, o := range options {
		if o.name == "id" {
			b.ID = o.value
		}
	}
	b.Source = bytes.Repeat([]byte("\n"), b.Line)
	lines := fence.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		start := 1 + bytes.LastIndexByte(source[:segment.Start], '\n')
		before := strings.Repeat(" ", len([]rune(string(source[start:segment.Start]))))
		b.Source = append(b.Source, before...)
		b.Source = append(b.Source, segment.Value(source)...)
	}
	return b, problem
}

// optionsOf reads name=value and name="a value" from what follows a block's
// name.
func optionsOf(text string, at place) ([]option, *scenario.Problem) {
	var options []option
	for {
		trimmed := strings.TrimLeft(text, " \t")
		at.column += len(text) - len(trimmed)
		if text = strings.TrimRight(trimmed, " \t\r\n"); text == "" {
			return options, nil
		}
		name, rest, ok := strings.Cut(text, "=")
		if !ok || strings.ContainsAny(name, " \t") {
			p := at.problem("only name=value stands here: write such as id=crash, with quotes around a value that has spaces")
			return options, &p
		}
		value, after, _ := strings.Cut(rest, " ")
		if strings.HasPrefix(rest, `"`) {
			if value, after, ok = strings.Cut(rest[1:], `"`); !ok {
				p := at.problem("a quote is not closed: end the value of " + name + ` with another "`)
				return options, &p
			}
		}
		options = append(options, option{name, value, at})
		at.column += len([]rune(text)) - len([]rune(after))
		text = after
	}
}

// placeOf returns the line and column of an offset.
func placeOf(source []byte, offset int) place {
	before := source[:min(offset, len(source))]
	start := 1 + bytes.LastIndexByte(before, '\n')
	return place{1 + bytes.Count(before, []byte("\n")), 1 + len([]rune(string(before[start:])))}
}
