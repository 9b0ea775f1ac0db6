package player

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// typing presses keys in a text in which | is the caret, or the ends of what is
// selected, and writes the text that comes of it in the same way. A key that
// has no change of its own writes itself.
func typing(text string, keys ...string) string {
	from, to := strings.Index(text, "|"), strings.LastIndex(text, "|")
	text = strings.ReplaceAll(text, "|", "")
	if to > from {
		to--
	}
	runes := []rune(text)
	from, to = len([]rune(text[:from])), len([]rune(text[:to]))
	for _, key := range keys {
		c, ok := Type(string(runes), from, to, key)
		if !ok {
			if key == "Backspace" {
				c = Change{From: from - 1, To: to, SelFrom: from - 1, SelTo: from - 1}
			} else {
				c = Change{From: from, To: to, Insert: key, SelFrom: from + 1, SelTo: from + 1}
			}
		}
		runes = []rune(string(runes[:c.From]) + c.Insert + string(runes[c.To:]))
		from, to = c.SelFrom, c.SelTo
	}
	marked := string(runes[:from]) + "|" + string(runes[from:to])
	if to > from {
		marked += "|"
	}
	return marked + string(runes[to:])
}

func TestTyping(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		keys             []string
	}{
		{"enter keeps the indentation", "def f():\n    a()|", "def f():\n    a()\n    |", []string{"Enter"}},
		{"enter adds a step after a colon", "def f():|", "def f():\n    |", []string{"Enter"}},
		{"also behind a comment", "    if a:  # so:|", "    if a:  # so:\n        |", []string{"Enter"}},
		{"but not for a colon in one", "    a()  # so:|", "    a()  # so:\n    |", []string{"Enter"}},
		{"the step is the text's own", "def f():\n  if a:|", "def f():\n  if a:\n    |", []string{"Enter"}},
		{"enter replaces what is selected", "  a|bc|d", "  a\n  |d", []string{"Enter"}},
		{"backspace takes a step", "def f():\n        |a", "def f():\n    |a", []string{"Backspace"}},
		{"and what is over it first", "    a\n      |", "    a\n    |", []string{"Backspace"}},
		{"but only at the indentation", "    a|", "    |", []string{"Backspace"}},
		{"at the start of a line it joins", "a\n|b", "a|b", []string{"Backspace"}},
		{"a bracket is closed", "ack|", "ack(|)", []string{"("}},
		{"and stepped over", "ack|", "ack(a)|", []string{"(", "a", ")"}},
		{"an empty pair goes at once", "ack|", "ack|", []string{"(", "Backspace"}},
		{"no pair before a word", "|msg", "(|msg", []string{"("}},
		{"what is selected goes inside", "a = |msg|", "a = (|msg|)", []string{"("}},
		{"a text is closed and left", "print(|)", "print(\"\"|)", []string{`"`, `"`}},
		{"three quotes are three", "a = |", `a = """|`, []string{`"`, `"`, `"`}},
		{"an apostrophe in a word is one", "# don|t", "# don'|t", []string{"'"}},
		{"nothing is closed in a comment", "# (|", "# ((|", []string{"("}},
		{"a closing bracket that is not there is written", "a|", "a)|", []string{")"}},
		{"a line is indented", "def f():\na|b", "def f():\n    a|b", []string{Indent}},
		{"and taken back", "def f():\n    a|b", "def f():\na|b", []string{Dedent}},
		{"several lines", "i|f a:\n    b\n\nc|\n", "    i|f a:\n        b\n\n    c|\n", []string{Indent}},
		{"and back", "    i|f a:\n        b\n\n  c|\n", "i|f a:\n    b\n\nc|\n", []string{Dedent}},
		{"there and back", "a\n    b|c", "a\n    b|c", []string{Indent, Dedent}},
		{"beyond ASCII", "# späť ☃\na|", "# späť ☃\na(|)", []string{"("}},
	} {
		assert.Equal(t, c.want, typing(c.text, c.keys...), c.name)
	}
}

// Browsers count in UTF-16: an emoji is two.
func TestPlacesAreCountedAsBrowsersCount(t *testing.T) {
	c, ok := Type("# 😀\na", 6, 6, "(")
	assert.True(t, ok)
	assert.Equal(t, Change{From: 6, To: 6, Insert: "()", SelFrom: 7, SelTo: 7}, c)
	_, ok = Type("abc", 99, 99, "x")
	assert.False(t, ok)
}

// kinds writes a text with the kind of each part that has one.
func kinds(source string) string {
	var lines []string
	for _, line := range painted(source, []string{"send_email"}, []string{"seen"}) {
		text := ""
		for _, s := range line {
			if s.Kind == "" {
				text += s.Text
			} else {
				text += s.Kind + "<" + s.Text + ">"
			}
		}
		lines = append(lines, text)
	}
	return strings.Join(lines, "\n")
}

func TestPainted(t *testing.T) {
	assert.Equal(t, strings.Join([]string{
		"kw<def> on_message(msg):  cmt<# a \"comment\">",
		"    kw<if> kw<not> table<seen>.has(msg.id) kw<and> num<1>:",
		"        service<send_email>(msg.id, str<'it\\'s'> + str<\"b\">)",
		"        x = str<\"\"\"one>",
		"str<if \"two\">",
		"str<three\"\"\"> + y",
		"    queue<ack>(msg, num<None>)",
		"    sender = str<'open>",
		"    acknowledge()",
	}, "\n"), kinds(`def on_message(msg):  # a "comment"
    if not seen.has(msg.id) and 1:
        send_email(msg.id, 'it\'s' + "b")
        x = """one
if "two"
three""" + y
    ack(msg, None)
    sender = 'open
    acknowledge()`))
}

// Whatever is typed, painting leaves every letter where it was.
func FuzzPainted(f *testing.F) {
	for _, s := range []string{seenFirst, "'''", "\"\\", "\"\"\"\\", "0x#\n\n", "päck()", "#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var all []string
		for _, line := range painted(source, []string{"send"}, []string{"seen"}) {
			text := ""
			for _, s := range line {
				text += s.Text
			}
			all = append(all, text)
		}
		if got := strings.Join(all, "\n"); got != source {
			t.Errorf("%q became %q", source, got)
		}
	})
}
