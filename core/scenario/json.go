package scenario

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// ReadJSON reads one JSON value with the places of all that is in it. It is
// strict: no comments, no trailing commas, no field twice, no more than
// MaxNesting levels and MaxSourceBytes bytes.
func ReadJSON(src []byte) (*Node, Problems) {
	if p := TooLarge(len(src)); p != nil {
		return nil, p
	}
	if !utf8.Valid(src) {
		return nil, Problems{{Line: 1, Column: 1, Text: "this is not text in UTF-8"}}
	}
	return readAll(&reader{src: string(src), line: 1, column: 1}, 0)
}

// readFlow reads a value as one types it into a field: 30s, [a, b],
// {mean: 1s, spread: exponential}. Words need no quotes.
func readFlow(text string) (*Node, Problems) {
	if p := TooLarge(len(text)); p != nil {
		return nil, p
	}
	text = strings.TrimSpace(text)
	if text == "" || !strings.Contains(`[{"`, text[:1]) {
		return &Node{Kind: Plain(text), Text: text}, nil
	}
	const inside = 6 // levels of a scenario that may be around the value
	n, problems := readAll(&reader{src: text, line: 1, column: 1, words: true}, inside)
	for i := range problems {
		problems[i].Line, problems[i].Column = 0, 0
	}
	return n, problems
}

// TooLarge returns the problem with a source of that many bytes, if there is one.
func TooLarge(size int) Problems {
	if size <= MaxSourceBytes {
		return nil
	}
	return Problems{{Line: 1, Column: 1, Text: fmt.Sprintf("the scenario has %d bytes, more than the limit of %d: send long streams with rate and count instead of one by one", size, MaxSourceBytes)}}
}

func readAll(r *reader, depth int) (n *Node, problems Problems) {
	defer func() {
		if e := recover(); e != nil {
			p, ours := e.(Problem)
			if !ours {
				panic(e)
			}
			n, problems = nil, Problems{p}
		}
	}()
	r.space()
	n = r.value(depth)
	r.space()
	if r.at < len(r.src) {
		r.fail("there is something after the end of the value: one file holds one scenario")
	}
	return n, nil
}

// reader reads JSON; with words it also takes texts without quotes. It leaves
// by a panic with a Problem, which readAll catches.
type reader struct {
	src          string
	at           int
	line, column int
	words        bool
}

func (r *reader) fail(format string, args ...any) {
	panic(Problem{Line: r.line, Column: r.column, Text: fmt.Sprintf(format, args...)})
}

func (r *reader) peek() byte {
	if r.at < len(r.src) {
		return r.src[r.at]
	}
	return 0
}

// skip moves on by n bytes of one line.
func (r *reader) skip(n int) {
	r.column += utf8.RuneCountInString(r.src[r.at : r.at+n])
	r.at += n
}

func (r *reader) space() {
	for r.at < len(r.src) {
		switch r.src[r.at] {
		case '\n':
			r.at++
			r.line++
			r.column = 1
		case ' ', '\t', '\r':
			r.skip(1)
		default:
			return
		}
	}
}

func (r *reader) value(depth int) *Node {
	n := &Node{Line: r.line, Column: r.column}
	switch c := r.peek(); {
	case r.at >= len(r.src):
		r.fail("a value is missing at the end")
	case c == '{' || c == '[':
		if depth >= MaxNesting {
			r.fail("more than %d levels are nested here, which is the limit", MaxNesting)
		}
		if c == '{' {
			r.object(n, depth)
		} else {
			r.array(n, depth)
		}
	case c == '"':
		n.Kind, n.Quoted, n.Text = TextNode, true, r.quoted()
	default:
		r.word(n)
	}
	return n
}

func (r *reader) object(n *Node, depth int) {
	n.Kind = MapNode
	seen := map[string]int{}
	r.skip(1)
	r.space()
	for r.peek() != '}' {
		f := Member{Line: r.line, Column: r.column}
		switch {
		case r.peek() == '"':
			f.Name = r.quoted()
		case r.words:
			f.Name = r.bareWord()
		default:
			r.fail(`a field name in double quotes belongs here, such as "queues"`)
		}
		if line, twice := seen[f.Name]; twice {
			panic(Problem{Line: f.Line, Column: f.Column, Text: fmt.Sprintf("%q stands here twice, first on line %d: keep one", f.Name, line)})
		}
		seen[f.Name] = f.Line
		r.space()
		if r.peek() != ':' {
			r.fail("a colon belongs after %q", f.Name)
		}
		r.skip(1)
		r.space()
		f.Value = r.value(depth + 1)
		n.Fields = append(n.Fields, f)
		r.comma('}')
	}
	r.skip(1)
}

func (r *reader) array(n *Node, depth int) {
	n.Kind = ListNode
	r.skip(1)
	r.space()
	for r.peek() != ']' {
		n.Items = append(n.Items, r.value(depth+1))
		r.comma(']')
	}
	r.skip(1)
}

// comma reads what stands between two entries, or stops before the end.
func (r *reader) comma(end byte) {
	r.space()
	switch r.peek() {
	case end:
	case ',':
		r.skip(1)
		r.space()
		if r.peek() == end && !r.words {
			r.fail("there is a comma before %q: leave it out", string(end))
		}
	default:
		r.fail("a comma or %q belongs here", string(end))
	}
}

// bareWord reads a text without quotes, up to a mark.
func (r *reader) bareWord() string {
	start := r.at
	for r.at < len(r.src) && !strings.ContainsRune(",[]{}\n\"", rune(r.src[r.at])) {
		if r.src[r.at] == ':' && (r.at+1 == len(r.src) || strings.ContainsRune(" \n", rune(r.src[r.at+1]))) {
			break
		}
		r.at++
	}
	word := strings.TrimSpace(r.src[start:r.at])
	r.column += utf8.RuneCountInString(r.src[start:r.at])
	if word == "" {
		r.fail("a value is missing here")
	}
	return word
}

func (r *reader) word(n *Node) {
	if r.words {
		n.Text = r.bareWord()
		n.Kind = Plain(n.Text)
		return
	}
	end := r.at
	for end < len(r.src) && !strings.ContainsRune(" \t\r\n,:[]{}\"", rune(r.src[end])) {
		end++
	}
	n.Text = r.src[r.at:end]
	switch {
	case n.Text == "null":
		n.Kind = NullNode
	case n.Text == "true" || n.Text == "false":
		n.Kind = BoolNode
	case jsonInt(n.Text):
		n.Kind = IntNode
	case jsonNumber.MatchString(n.Text):
		n.Kind = FloatNode
	case n.Text == "":
		r.fail("a value is missing here")
	default:
		r.fail("%s is not JSON: texts stand in double quotes", shortened(n.Text))
	}
	r.skip(end - r.at)
}

// quoted reads a text in double quotes.
func (r *reader) quoted() string {
	r.skip(1)
	var b strings.Builder
	for {
		switch c := r.peek(); {
		case r.at >= len(r.src), c == '\n':
			r.fail("the closing quote of this text is missing")
		case c == '"':
			r.skip(1)
			return b.String()
		case c == '\\':
			r.escape(&b)
		case c < ' ':
			r.fail("control characters in a text are written with a backslash, such as \\n")
		default:
			_, size := utf8.DecodeRuneInString(r.src[r.at:])
			b.WriteString(r.src[r.at : r.at+size])
			r.skip(size)
		}
	}
}

const escapes = `""\\//b` + "\b" + `f` + "\f" + `n` + "\n" + `r` + "\r" + `t` + "\t"

func (r *reader) escape(b *strings.Builder) {
	if r.at+1 >= len(r.src) {
		r.fail("the closing quote of this text is missing")
	}
	c := r.src[r.at+1]
	for i := 0; i < len(escapes); i += 2 {
		if escapes[i] == c {
			b.WriteByte(escapes[i+1])
			r.skip(2)
			return
		}
	}
	if c != 'u' {
		r.fail(`a backslash in a text is written \\`)
	}
	first := r.hex()
	if utf16.IsSurrogate(first) {
		if !strings.HasPrefix(r.src[r.at:], `\u`) {
			r.fail("half of a character: its second \\u is missing")
		}
		if first = utf16.DecodeRune(first, r.hex()); first == utf8.RuneError {
			r.fail("these two \\u do not make one character")
		}
	}
	b.WriteRune(first)
}

// hex reads \uXXXX.
func (r *reader) hex() rune {
	if r.at+6 > len(r.src) {
		r.fail("four hexadecimal digits belong after \\u")
	}
	v, err := strconv.ParseUint(r.src[r.at+2:r.at+6], 16, 16)
	if err != nil {
		r.fail("four hexadecimal digits belong after \\u")
	}
	r.skip(6)
	return rune(v)
}

// jsonInt reports whether s is a whole number as JSON writes it.
func jsonInt(s string) bool {
	digits := strings.TrimPrefix(s, "-")
	return intPattern.MatchString(digits) && digits[0] != '+' && digits[0] != '-' && (digits == "0" || digits[0] != '0')
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$`)

// shortened keeps a quoted piece of the source short enough for a sentence.
func shortened(s string) string {
	const most = 40
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most]) + "..."
	}
	return strconv.Quote(s)
}
