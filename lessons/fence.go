// Package lessons reads lessons: Markdown files with scenarios, stages and
// questions in fenced blocks. It says where each block stands and what is in
// it, and never runs a scenario. Start reading at Scenarios.
package lessons

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
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
}

// Scenarios returns the scenario blocks of a Markdown file, in its order.
func Scenarios(source []byte) []Block {
	var blocks []Block
	root := goldmark.DefaultParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		fence, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering || fence.Info == nil {
			return ast.WalkContinue, nil
		}
		words := strings.Fields(string(fence.Info.Segment.Value(source)))
		if len(words) > 0 && words[0] == "scenario" {
			blocks = append(blocks, block(source, fence, words))
		}
		return ast.WalkContinue, nil
	}) // the walker returns no error of its own
	return blocks
}

func block(source []byte, fence *ast.FencedCodeBlock, words []string) Block {
	b := Block{Name: words[0], Line: 1 + bytes.Count(source[:fence.Info.Segment.Start], []byte("\n"))}
	for _, word := range words[1:] {
		if id, ok := strings.CutPrefix(word, "id="); ok {
			b.ID = strings.Trim(id, `"`)
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
	return b
}
