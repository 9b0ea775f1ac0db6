package site

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// tidied makes a page's elements, as go-app prints them, what the program will
// make of them in the browser: text without the spaces of the printing,
// attributes in a fixed order, those that are false left out. within has
// markup, by id, for elements that go-app leaves empty.
func tidied(printed string, within map[string]string) (string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(strings.NewReader(requoted(printed)), body)
	if err != nil {
		return "", fmt.Errorf("the page's elements: %w", err)
	}
	var out bytes.Buffer
	for _, n := range nodes {
		if err := tidy(n, 0, within); err != nil {
			return "", err
		}
		if err := html.Render(&out, n); err != nil {
			return "", fmt.Errorf("the page's elements: %w", err)
		}
	}
	return out.String(), nil
}

// tidy does it for one node, which stands at that depth of the tree.
func tidy(n *html.Node, depth int, within map[string]string) error {
	switch n.Type {
	case html.TextNode:
		n.Data = unindented(n.Data, depth)
	case html.ElementNode:
		n.Attr = attributes(n.Attr)
		if inside, ok := within[id(n)]; ok {
			return fill(n, inside)
		}
	}
	for child := n.FirstChild; child != nil; {
		next := child.NextSibling
		if err := tidy(child, depth+1, within); err != nil {
			return err
		}
		if child.Type == html.TextNode && child.Data == "" {
			n.RemoveChild(child)
		}
		child = next
	}
	return nil
}

// unindented takes away what go-app prints around a text that stands at that
// depth: a line break and two spaces for each level.
func unindented(text string, depth int) string {
	text = strings.ReplaceAll(text, "\n"+strings.Repeat("  ", depth), "")
	return strings.TrimSuffix(text, "\n"+strings.Repeat("  ", max(0, depth-1)))
}

// requoted gives attributes the quotes of HTML. go-app prints their values as
// Go writes strings; in texts, which it escapes, no quotes are left.
func requoted(printed string) string {
	const opens = `="`
	var out strings.Builder
	for {
		before, after, found := strings.Cut(printed, opens)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		quoted, err := strconv.QuotedPrefix(`"` + after)
		value := after[:max(0, strings.IndexByte(after, '"'))]
		if err == nil {
			value, _ = strconv.Unquote(quoted)
			after = after[len(quoted)-1:]
		} else { // markup of ours, over several lines
			after = after[len(value)+1:]
		}
		out.WriteString(opens + html.EscapeString(html.UnescapeString(value)) + `"`)
		printed = after
	}
}

// attributes are those that are there in a browser: go-app prints one that is
// true by its name alone, and one that is false with its value.
func attributes(printed []html.Attribute) []html.Attribute {
	kept := printed[:0]
	for _, a := range printed {
		aria := strings.HasPrefix(a.Key, "aria-")
		switch {
		case a.Val == "false" && !aria && !strings.HasPrefix(a.Key, "data-"):
			continue
		case a.Val == "" && aria:
			a.Val = "true"
		}
		kept = append(kept, a)
	}
	slices.SortFunc(kept, func(a, b html.Attribute) int { return cmp.Compare(a.Key, b.Key) })
	return kept
}

func id(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "id" {
			return a.Val
		}
	}
	return ""
}

func fill(n *html.Node, inside string) error {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	nodes, err := html.ParseFragment(strings.NewReader(inside), n)
	if err != nil {
		return fmt.Errorf("the inside of #%s: %w", id(n), err)
	}
	for _, child := range nodes {
		n.AppendChild(child)
	}
	return nil
}
