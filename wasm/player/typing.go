package player

import (
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/ticketrail/ticketrail/core/sim"
)

// Change is what a key makes of a text that is being typed, and where the
// selection is then. Places are counted in UTF-16, as browsers count.
type Change struct {
	From, To       int // what is replaced
	Insert         string
	SelFrom, SelTo int
}

// Indent and Dedent are asked of Type like keys.
const (
	Indent = "indent"
	Dedent = "dedent"
)

// pairs are what is closed by itself.
var pairs = map[string]string{"(": ")", "[": "]", "{": "}", `"`: `"`, "'": "'"}

// Type returns what a key does to a text in which from to to is selected. ok is
// false where the key does what it always does.
func Type(text string, from, to int, key string) (c Change, ok bool) {
	t := typed{utf16.Encode([]rune(text)), 0, 0}
	t.from, t.to = max(0, min(from, len(t.text))), max(0, min(to, len(t.text)))
	switch key {
	case "Enter":
		return t.enter(), true
	case "Backspace":
		return t.backspace()
	case Indent, Dedent:
		return t.shift(key == Dedent), true
	case ")", "]", "}":
		return t.over(key)
	}
	if closing, is := pairs[key]; is {
		return t.pair(key, closing)
	}
	return Change{}, false
}

// typed is a text that is being typed, and what is selected in it.
type typed struct {
	text     []uint16
	from, to int
}

func (t *typed) slice(from, to int) string { return string(utf16.Decode(t.text[from:to])) }

// lineStart returns where the line begins in which a place lies.
func (t *typed) lineStart(at int) int {
	for at > 0 && t.text[at-1] != '\n' {
		at--
	}
	return at
}

func (t *typed) lineEnd(at int) int {
	for at < len(t.text) && t.text[at] != '\n' {
		at++
	}
	return at
}

// unit is one step of indentation. The line that is being typed may be the only
// one that is indented, by several of them.
func (t *typed) unit() int {
	const usual = 4
	if n := indentUnit(strings.Split(t.slice(0, len(t.text)), "\n")); n%usual != 0 {
		return n
	}
	return usual
}

// at returns the character at a place, 0 at the ends.
func (t *typed) at(i int) rune {
	if i < 0 || i >= len(t.text) {
		return 0
	}
	return rune(t.text[i])
}

func (t *typed) insert(text string) Change {
	end := t.from + len(utf16.Encode([]rune(text)))
	return Change{From: t.from, To: t.to, Insert: text, SelFrom: end, SelTo: end}
}

// enter keeps the indentation, and adds a step after a colon.
func (t *typed) enter() Change {
	line := t.slice(t.lineStart(t.from), t.from)
	width := indent(line)
	code, _, _ := strings.Cut(line, "#")
	if strings.HasSuffix(strings.TrimSpace(code), ":") {
		width += t.unit()
	}
	return t.insert("\n" + strings.Repeat(" ", width))
}

// backspace removes a whole step at the indentation, and both of an empty pair.
func (t *typed) backspace() (Change, bool) {
	if t.from != t.to || t.from == 0 {
		return Change{}, false
	}
	before, next := string(t.at(t.from-1)), string(t.at(t.from))
	if closing, is := pairs[before]; is && closing == next {
		return Change{From: t.from - 1, To: t.from + 1, SelFrom: t.from - 1, SelTo: t.from - 1}, true
	}
	start := t.lineStart(t.from)
	width := t.from - start
	if width == 0 || strings.TrimLeft(t.slice(start, t.from), " ") != "" {
		return Change{}, false
	}
	unit := t.unit()
	less := (width-1)%unit + 1
	return Change{From: t.from - less, To: t.from, SelFrom: t.from - less, SelTo: t.from - less}, true
}

// over steps over a closing bracket that is there already.
func (t *typed) over(key string) (Change, bool) {
	if t.from != t.to || string(t.at(t.from)) != key {
		return Change{}, false
	}
	return Change{From: t.from, To: t.from, SelFrom: t.from + 1, SelTo: t.from + 1}, true
}

// pair closes a bracket or a text as it is opened, or puts it around what is
// selected; not within a word, and not in a comment.
func (t *typed) pair(key, closing string) (Change, bool) {
	if c, is := t.over(key); is && key == closing {
		return c, true
	}
	if t.from != t.to {
		inner := t.slice(t.from, t.to)
		return Change{From: t.from, To: t.to, Insert: key + inner + closing, SelFrom: t.from + 1, SelTo: t.to + 1}, true
	}
	before, next := t.at(t.from-1), t.at(t.from)
	if wordly(next) || key == closing && (wordly(before) || string(before) == key) ||
		strings.Contains(t.slice(t.lineStart(t.from), t.from), "#") {
		return Change{}, false
	}
	return Change{From: t.from, To: t.to, Insert: key + closing, SelFrom: t.from + 1, SelTo: t.from + 1}, true
}

// wordly reports whether a character can be part of a name or a number.
func wordly(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r > 127
}

// shift moves the lines that are selected by a step.
func (t *typed) shift(back bool) Change {
	start, end := t.lineStart(t.from), t.lineEnd(max(t.from, t.to-1))
	lines, unit := strings.Split(t.slice(start, end), "\n"), t.unit()
	first, all := 0, 0
	for i, line := range lines {
		by := unit
		switch {
		case back:
			by = -min(unit, indent(line))
		case strings.TrimSpace(line) == "" && len(lines) > 1:
			by = 0
		}
		lines[i] = strings.Repeat(" ", max(by, 0)) + line[max(-by, 0):]
		all += by
		if i == 0 {
			first = by
		}
	}
	return Change{
		From: start, To: end, Insert: strings.Join(lines, "\n"),
		SelFrom: max(start, t.from+first), SelTo: max(start, t.to+all),
	}
}

// LineAt returns the number of the line in which a place of a text lies.
func LineAt(text string, at int) int {
	units := utf16.Encode([]rune(text))
	n := 1
	for _, u := range units[:max(0, min(at, len(units)))] {
		if u == '\n' {
			n++
		}
	}
	return n
}

// Span is a part of a line that is of one kind.
type Span struct {
	Text string
	Kind string // kw, str, num, cmt; queue, service, table by their place on the stage; or ""
}

// ofTheQueue are the builtins by which a handler talks to its queue.
var ofTheQueue = []string{"ack", "nack", "reject", "extend", "publish"}

var keywords = []string{
	"and", "break", "continue", "def", "elif", "else", "for", "if", "in", "lambda", "not", "or", "pass", "return", "while",
}

var constants = []string{"True", "False", "None"}

// Painted returns the lines of a handler in parts of one kind.
func (p *Player) Painted(source string) [][]Span {
	names := sim.Names(p.Scenario())
	return painted(source, names.Services, names.Tables)
}

func painted(source string, services, tables []string) [][]Span {
	var lines [][]Span
	open := "" // the quotes of a text that goes over several lines
	for _, line := range strings.Split(source, "\n") {
		var spans []Span
		add := func(text, kind string) {
			if n := len(spans); n > 0 && spans[n-1].Kind == kind {
				spans[n-1].Text += text
			} else if text != "" {
				spans = append(spans, Span{text, kind})
			}
		}
		for line != "" {
			n, kind := 1, ""
			switch c := line[0]; {
			case open != "":
				n, open = endOfText(line, 0, open)
				kind = "str"
			case c == '#':
				n, kind = len(line), "cmt"
			case c == '"' || c == '\'':
				quotes := line[:1]
				if strings.HasPrefix(line, strings.Repeat(quotes, 3)) {
					quotes = line[:3]
				}
				n, open = endOfText(line, len(quotes), quotes)
				if len(quotes) == 1 {
					open = "" // it ends with the line
				}
				kind = "str"
			case c >= '0' && c <= '9':
				n, kind = wordEnd(line), "num"
			case wordly(rune(c)):
				n = wordEnd(line)
				kind = kindOf(line[:n], services, tables)
			}
			add(line[:n], kind)
			line = line[n:]
		}
		lines = append(lines, spans)
	}
	return lines
}

func kindOf(word string, services, tables []string) string {
	switch {
	case slices.Contains(keywords, word):
		return "kw"
	case slices.Contains(constants, word):
		return "num"
	case slices.Contains(ofTheQueue, word):
		return "queue"
	case slices.Contains(services, word):
		return "service"
	case slices.Contains(tables, word):
		return "table"
	}
	return ""
}

func wordEnd(line string) int {
	n := 0
	for n < len(line) && (wordly(rune(line[n])) || line[n] >= 0x80) {
		n++
	}
	return n
}

// endOfText returns where a text ends that is open from a place on, and the
// quotes when it does not end in the line.
func endOfText(line string, from int, quotes string) (end int, open string) {
	for i := from; i < len(line); i++ {
		if line[i] == '\\' {
			i++
		} else if strings.HasPrefix(line[i:], quotes) {
			return i + len(quotes), ""
		}
	}
	return len(line), quotes
}
