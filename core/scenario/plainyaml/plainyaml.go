// Package plainyaml reads and writes scenarios as YAML, without a library and
// so small enough for the page's program. It reads what people write into
// scenarios: block and flow mappings and lists, texts plain, in quotes or as a
// block of lines, comments. What it reads, it reads as scenarioyaml does, with
// the same places; what else YAML has (texts that go on over several lines,
// folded blocks, anchors, tags, several documents) it refuses with a sentence
// that says what to write instead.
//
// Start at Decode, then reader; encode.go is the way back.
package plainyaml

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Decode reads a scenario from YAML. It returns either a complete, valid
// scenario or what is wrong with the text, with what the checks find.
func Decode(src []byte, checks ...scenario.Check) (*scenario.Scenario, scenario.Problems) {
	root, problems := Read(src)
	if len(problems) > 0 {
		return nil, problems
	}
	return scenario.Decode(root, checks...)
}

// Read reads one YAML document with the places of all that is in it. Of what
// is wrong with the YAML itself it finds the first mistake.
func Read(src []byte) (root *scenario.Node, problems scenario.Problems) {
	if p := scenario.TooLarge(len(src)); p != nil {
		return nil, p
	}
	if !utf8.Valid(src) {
		return nil, scenario.Problems{{Line: 1, Column: 1, Text: "this is not text in UTF-8"}}
	}
	defer func() {
		if e := recover(); e != nil {
			p, ours := e.(scenario.Problem)
			if !ours {
				panic(e)
			}
			root, problems = nil, scenario.Problems{p}
		}
	}()
	r := &reader{lines: strings.Split(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n")}
	r.characters()
	return r.document(), nil
}

// reader stands at a byte of a line. It leaves by a panic with a Problem,
// which Read catches.
type reader struct {
	lines []string
	line  int // from 0
	at    int
}

func (r *reader) fail(format string, args ...any) { r.failAt(r.line, r.at, format, args...) }

func (r *reader) failAt(line, at int, format string, args ...any) {
	panic(scenario.Problem{Line: line + 1, Column: r.column(line, at), Text: fmt.Sprintf(format, args...)})
}

// column returns the column, in characters from 1, of a byte of a line.
func (r *reader) column(line, at int) int {
	if line >= len(r.lines) {
		return 1
	}
	return utf8.RuneCountInString(r.lines[line][:min(at, len(r.lines[line]))]) + 1
}

// characters refuses what YAML does, and what it would take for ends of lines.
func (r *reader) characters() {
	for i, line := range r.lines {
		for at, c := range line {
			if c != '\t' && (c < ' ' || c == 0x7f || c == 0xfeff || c&0xfffe == 0xfffe || c >= 0x80 && c < 0xa0 || c == 0x2028 || c == 0x2029) {
				r.failAt(i, at, "there is a control character here: leave it out")
			}
		}
	}
}

func (r *reader) rest() string {
	if r.line >= len(r.lines) {
		return ""
	}
	return r.lines[r.line][r.at:]
}

// blank reports whether nothing but a comment is left of the line.
func (r *reader) blank() bool {
	rest := strings.TrimLeft(r.rest(), " ")
	if strings.HasPrefix(rest, "\t") {
		r.at = len(r.lines[r.line]) - len(rest)
		r.fail("there is a tab: set lines in with spaces")
	}
	return rest == "" || rest[0] == '#' && (r.at == 0 || len(rest) < len(r.rest()) || r.lines[r.line][r.at-1] == ' ')
}

// next moves to the next thing that is written, and reports whether there is
// one. It may be where the reader stands.
func (r *reader) next() bool {
	for r.line < len(r.lines) {
		if !r.blank() {
			r.at += len(r.rest()) - len(strings.TrimLeft(r.rest(), " "))
			if r.at == 0 && (marker(r.rest(), "---") || marker(r.rest(), "...")) {
				r.fail("a second document starts here: one file holds one scenario")
			}
			return true
		}
		r.line, r.at = r.line+1, 0
	}
	return false
}

// marker reports whether a line is a mark between documents.
func marker(line, mark string) bool {
	rest, is := strings.CutPrefix(line, mark)
	return is && (rest == "" || rest[0] == ' ' || rest[0] == '\t')
}

func (r *reader) document() *scenario.Node {
	for r.line < len(r.lines) && r.blank() {
		r.line++
	}
	if marker(r.rest(), "---") {
		r.at = len("---")
	}
	if strings.HasPrefix(r.rest(), "%") {
		r.fail("leave out the line that starts with %%")
	}
	if !r.next() {
		panic(scenario.Problem{Line: 1, Column: 1, Text: "the file is empty: write a scenario, with queues, producers and workers"})
	}
	n := r.block(-1, 0)
	if r.next() {
		r.astray()
	}
	return n
}

// astray says that the line does not belong to what stands above it.
func (r *reader) astray() {
	r.fail("this line does not go with those above: check how far it is set in, its quotes and its brackets")
}

func (r *reader) here(kind scenario.NodeKind) *scenario.Node {
	return &scenario.Node{Kind: kind, Line: r.line + 1, Column: r.column(r.line, r.at)}
}

// block reads the value that begins where the reader stands: a list, a mapping
// or a single value. parent is how far in the thing stands that it belongs to.
func (r *reader) block(parent, depth int) *scenario.Node {
	switch {
	case dashed(r.rest()):
		return r.list(depth)
	case r.named():
		return r.mapping(depth)
	}
	return r.single(parent, depth)
}

// dashed reports whether an entry of a list begins here.
func dashed(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

func (r *reader) nest(depth int) {
	if depth >= scenario.MaxNesting {
		r.fail("more than %d levels are nested here, which is the limit", scenario.MaxNesting)
	}
}

func (r *reader) list(depth int) *scenario.Node {
	r.nest(depth)
	n, line, in := r.here(scenario.ListNode), r.line, r.at
	for {
		r.at++
		n.Items = append(n.Items, r.after(in, line, depth+1, false))
		if !r.next() || r.at < in {
			return n
		}
		if r.at > in || !dashed(r.rest()) {
			if r.at == in {
				return n // of the mapping that the list stands in
			}
			r.astray()
		}
		line = r.line
	}
}

func (r *reader) mapping(depth int) *scenario.Node {
	r.nest(depth)
	n, in := r.here(scenario.MapNode), r.at
	seen := map[string]int{}
	for {
		line := r.line
		m := scenario.Member{Line: r.line + 1, Column: r.column(r.line, r.at)}
		m.Name = r.name()
		r.once(seen, m)
		m.Value = r.after(in, line, depth+1, true)
		n.Fields = append(n.Fields, m)
		if !r.next() || r.at < in {
			return n
		}
		if r.at > in || dashed(r.rest()) {
			r.astray()
		}
		if !r.named() {
			r.fail("a colon is missing: write a name, a colon, a space and the value")
		}
	}
}

func (r *reader) once(seen map[string]int, m scenario.Member) {
	if m.Name == "<<" {
		panic(scenario.Problem{Line: m.Line, Column: m.Column, Text: "merge keys (<<) are not used in scenarios: write the fields again"})
	}
	if line, twice := seen[m.Name]; twice {
		panic(scenario.Problem{Line: m.Line, Column: m.Column, Text: fmt.Sprintf("%q stands here twice, first on line %d: keep one", m.Name, line)})
	}
	seen[m.Name] = m.Line
}

// after reads what stands behind a dash or a name and its colon, which stand in
// a line at `in`.
func (r *reader) after(in, line, depth int, named bool) *scenario.Node {
	end := *r
	if !r.next() {
		return end.nothing()
	}
	if r.line == line {
		switch {
		case !named:
			return r.block(in, depth)
		case dashed(r.rest()):
			r.fail("a list cannot start on this line: write each dash on a line of its own below, or [a, b]")
		case !strings.ContainsAny(r.rest()[:1], "|>") && r.named():
			r.second()
		}
		return r.single(in, depth)
	}
	if r.at > in || named && r.at == in && dashed(r.rest()) {
		return r.block(in, depth)
	}
	return end.nothing()
}

// nothing is a value that was left out.
func (r *reader) nothing() *scenario.Node {
	n := r.here(scenario.NullNode)
	n.TextLine, n.TextColumn = n.Line, n.Column
	return n
}

// second complains of the second colon of a line.
func (r *reader) second() {
	r.name()
	r.at--
	r.fail("a value with a colon and a space in it needs quotes")
}

// named reports whether a name with its colon begins here.
func (r *reader) named() bool {
	look := *r
	text := look.rest()
	if text == "" {
		return false
	}
	switch c := text[0]; {
	case c == '"' || c == '\'':
		end := closing(text)
		return end > 0 && colon(strings.TrimLeft(text[end:], " "))
	case strings.IndexByte("[]{},#&*!|>%@`?:", c) >= 0:
		return false
	}
	end := plainEnd(text, false)
	return end > 0 && colon(text[end:])
}

func colon(text string) bool { return text == ":" || strings.HasPrefix(text, ": ") }

// name reads a name and its colon.
func (r *reader) name() string {
	const longest = 1000 // as YAML has it
	text := r.rest()
	var name string
	if c := text[0]; c == '"' || c == '\'' {
		name = r.quoted()
		r.spaces()
	} else {
		end := plainEnd(text, false)
		name = strings.TrimRight(text[:end], " ")
		r.noTab(name)
		r.at += end
	}
	if len(name) > longest {
		r.fail("a name of more than %d characters is too long", longest)
	}
	r.at++ // the colon
	return name
}

// noTab refuses a tab in what stands here without quotes.
func (r *reader) noTab(text string) {
	if strings.Contains(text, "\t") {
		r.fail("there is a tab: write spaces, or put the value in quotes")
	}
}

func (r *reader) spaces() {
	for strings.HasPrefix(r.rest(), " ") {
		r.at++
	}
}

// single reads a value that is not a list or a mapping of lines.
func (r *reader) single(parent, depth int) *scenario.Node {
	switch c := r.rest()[0]; c {
	case '|':
		return r.lined(parent)
	case '>':
		r.fail("a folded text is not used in scenarios: write | instead of >")
	case '[', '{':
		n := r.flow(parent, depth)
		r.ended("after the bracket")
		return n
	case '"', '\'':
		n := r.text()
		r.ended("after the closing quote")
		return n
	}
	r.starts()
	n := r.here(scenario.NullNode)
	end := plainEnd(r.rest(), false)
	if colon(r.rest()[end:]) {
		r.at += end
		r.fail("a value with a colon and a space in it needs quotes")
	}
	n.Text = strings.TrimRight(r.rest()[:end], " ")
	r.noTab(n.Text)
	r.at += end
	plain(n)
	if r.ended("here"); r.goesOn(parent) {
		r.fail("a value goes on in this line: put it in quotes on one line, or write | and the lines below, set in")
	}
	return n
}

// plain fills in what a value without quotes is.
func plain(n *scenario.Node) {
	n.Kind, n.TextLine, n.TextColumn = scenario.Plain(n.Text), n.Line, n.Column
}

// goesOn reports whether the next line would be part of a plain value.
func (r *reader) goesOn(parent int) bool {
	look := *r
	if !look.next() || look.at <= parent {
		return false
	}
	*r = look
	return true
}

// ended refuses what stands behind a value in its line.
func (r *reader) ended(where string) {
	if !r.blank() {
		r.spaces()
		r.fail("there is something %s that does not belong here: put the whole value in quotes", where)
	}
	r.line, r.at = r.line+1, 0
}

// starts refuses marks with which no plain value starts.
func (r *reader) starts() {
	text := r.rest()
	switch c := text[0]; c {
	case '&':
		r.fail("anchors such as %s are not used in scenarios: leave it out and write the value wherever it is needed", word(text))
	case '*':
		r.fail("aliases such as %s are not used in scenarios: write the value again", word(text))
	case '!':
		r.fail("tags such as %s are not used in scenarios: leave it out, or put a text in quotes", word(text))
	case '@', '`', '%':
		r.fail("a value cannot start with %c: put it in quotes", c)
	case ',', ']', '}', '#':
		r.fail("a value is missing, or a bracket is closed that was not opened")
	case '-':
		if len(text) == 1 || text[1] == ' ' {
			r.astray()
		}
	case '?', ':':
		r.fail("a value cannot start with %c: put it in quotes", c)
	case '\t':
		r.fail("there is a tab: set lines in with spaces")
	}
}

func word(text string) string {
	if end := strings.IndexAny(text, " ,[]{}"); end > 0 {
		text = text[:end]
	}
	const longest = 20
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}

// plainEnd returns where a value without quotes ends: at a colon that ends a
// name, before a comment and, within brackets, at their marks.
func plainEnd(text string, inFlow bool) int {
	for i := range len(text) {
		switch c := text[i]; {
		case c == ':' && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\t'),
			c == '#' && i > 0 && (text[i-1] == ' ' || text[i-1] == '\t'),
			inFlow && strings.IndexByte(",[]{}", c) >= 0:
			return i
		}
	}
	return len(text)
}

// closing returns what lies behind the text in quotes that begins text, 0 when
// it is not closed in this line.
func closing(text string) int {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return i + 1
		}
	}
	return 0
}

// text reads a text in quotes as a node.
func (r *reader) text() *scenario.Node {
	n := r.here(scenario.TextNode)
	n.Quoted = true
	line, at := r.line, r.at+1
	n.Text = r.quoted()
	if !strings.Contains(n.Text, "\n") {
		n.TextLine, n.TextColumn = line+1, r.column(line, at)
	}
	return n
}

// quoted reads a text in quotes, which are closed in the same line.
func (r *reader) quoted() string {
	text := r.rest()
	end := closing(text)
	if end == 0 {
		r.fail("a quote is opened here and not closed in this line")
	}
	inner := text[1 : end-1]
	if text[0] == '"' {
		inner = r.escapes(inner)
	} else {
		inner = strings.ReplaceAll(inner, "''", "'")
	}
	r.at += end
	return inner
}

var escapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'b': "\b", 't': "\t", 'n': "\n", 'v': "\v", 'f': "\f", 'r': "\r", 'e': "\x1b",
	' ': " ", '"': `"`, '/': "/", '\\': `\`, 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// digits are how many of them follow an escape that is a number.
var digits = map[byte]int{'x': 2, 'u': 4, 'U': 8}

func (r *reader) escapes(inner string) string {
	var out strings.Builder
	for i := 0; i < len(inner); i++ {
		if inner[i] != '\\' {
			out.WriteByte(inner[i])
			continue
		}
		i++ // closing makes sure that something follows
		if text, known := escapes[inner[i]]; known {
			out.WriteString(text)
			continue
		}
		n := digits[inner[i]]
		code, ok := hex(inner[i+1:], n)
		if n == 0 || !ok {
			r.at += i
			r.fail(`a backslash in double quotes is written \\; in single quotes it stands alone`)
		}
		out.WriteRune(code)
		i += n
	}
	return out.String()
}

// hex reads n digits as a character.
func hex(text string, n int) (code rune, ok bool) {
	if len(text) < n {
		return 0, false
	}
	for _, c := range text[:n] {
		i := strings.IndexRune("0123456789abcdef", unicode.ToLower(c))
		if i < 0 || code > unicode.MaxRune {
			return 0, false
		}
		code = code<<4 | rune(i)
	}
	return code, utf8.ValidRune(code)
}

// lined reads a text as the lines below, which are set in.
func (r *reader) lined(parent int) *scenario.Node {
	n := r.here(scenario.TextNode)
	n.Quoted = true
	r.at++
	keep, in := byte(0), 0
	for r.rest() != "" && r.rest()[0] != ' ' {
		switch c := r.rest()[0]; {
		case (c == '-' || c == '+') && keep == 0:
			keep = c
		case c >= '1' && c <= '9' && in == 0:
			in = max(parent, 0) + int(c-'0')
		default:
			r.fail("the text begins in the line below: write | alone, and the lines set in")
		}
		r.at++
	}
	r.ended("after |")
	n.TextLine = r.line + 1
	var lines []string
	for ; r.line < len(r.lines); r.line++ {
		line := r.lines[r.line]
		bare := strings.TrimLeft(line, " ")
		set := len(line) - len(bare)
		if bare == "" && (in == 0 || set <= in) {
			lines = append(lines, "")
			continue
		}
		if bare != "" && in == 0 {
			if set <= parent || set == 0 {
				break
			}
			if bare[0] == '\t' {
				r.at = set
				r.fail("there is a tab: set lines in with spaces")
			}
			in = set
			r.before(lines, in)
		}
		if set < in {
			if bare != "" && set > max(parent, 0) && bare[0] != '#' {
				r.at = set
				r.astray()
			}
			if bare != "" && bare[0] == '\t' {
				r.at = set
				r.fail("there is a tab: set lines in with spaces")
			}
			break
		}
		lines = append(lines, line[in:])
	}
	n.Text = chomped(lines, keep, r.line >= len(r.lines))
	if n.TextColumn = 1; strings.TrimSpace(n.Text) != "" {
		n.TextColumn = in + 1
	}
	return n
}

// before refuses blank lines above a text that are set in farther than it.
func (r *reader) before(lines []string, in int) {
	for i := range lines {
		at := r.line - len(lines) + i
		if len(r.lines[at]) > in {
			r.failAt(at, in, "this blank line is set in farther than the text below it: leave it empty")
		}
	}
}

// chomped joins the lines of a text: with one line end, with none (-), or with
// all that there are (+). What follows the last line end of the source is no
// line; what stands there without one has none.
func chomped(lines []string, keep byte, toEnd bool) string {
	text := strings.Join(lines, "\n")
	if !toEnd && len(lines) > 0 {
		text += "\n"
	}
	bare := strings.TrimRight(text, "\n")
	switch {
	case keep == '+':
		return text
	case keep == '-' || bare == "" || bare == text:
		return bare
	}
	return bare + "\n"
}

// flow reads what stands in brackets, over as many lines as it takes.
func (r *reader) flow(parent, depth int) *scenario.Node {
	r.nest(depth)
	line, at := r.line, r.at
	open := r.rest()[0]
	n, closes := r.here(scenario.ListNode), byte(']')
	if open == '{' {
		n.Kind, closes = scenario.MapNode, '}'
	}
	seen := map[string]int{}
	unclosed := func() {
		r.failAt(line, at, "a %c is opened here and not closed with %c, or a comma is missing in it", open, closes)
	}
	inside := func() byte {
		if !r.next() {
			unclosed()
		}
		c := r.rest()[0]
		if r.line > line && (r.at < parent || r.at == parent && c != closes) {
			unclosed()
		}
		return c
	}
	r.at++
	for inside() != closes {
		if open == '{' {
			n.Fields = append(n.Fields, r.member(seen, parent, depth, inside))
		} else {
			n.Items = append(n.Items, r.inFlow(parent, depth+1))
		}
		switch inside() {
		case closes:
		case ',':
			r.at++
		default:
			unclosed()
		}
	}
	r.at++
	return n
}

// member reads a name and its value within braces.
func (r *reader) member(seen map[string]int, parent, depth int, inside func() byte) scenario.Member {
	m := scenario.Member{Line: r.line + 1, Column: r.column(r.line, r.at)}
	if strings.IndexByte("[{", r.rest()[0]) >= 0 {
		r.fail("a name belongs before the colon, not a list, a mapping or an alias")
	}
	line := r.line
	name := r.scalar()
	m.Name = name.Text
	r.once(seen, m)
	end := *r
	if inside() != ':' {
		m.Value = end.nothing()
		return m
	}
	if r.line > line {
		r.fail("the colon belongs into the line of its name")
	}
	if next := r.rest(); len(next) > 1 && next[1] != ' ' && !name.Quoted {
		r.fail("a space belongs after the colon")
	}
	r.at++
	end = *r
	if c := inside(); c == ',' || c == '}' {
		m.Value = end.nothing()
		return m
	}
	m.Value = r.inFlow(parent, depth+1)
	return m
}

// inFlow reads a value within brackets.
func (r *reader) inFlow(parent, depth int) *scenario.Node {
	if strings.IndexByte("[{", r.rest()[0]) >= 0 {
		return r.flow(parent, depth)
	}
	n := r.scalar()
	look := *r
	if look.spaces(); strings.HasPrefix(look.rest(), ":") {
		look.fail("a colon does not belong here: put a text with a colon in quotes, or the name and its value in braces")
	}
	return n
}

// scalar reads a single value or a name within brackets.
func (r *reader) scalar() *scenario.Node {
	text := r.rest()
	if text[0] == '"' || text[0] == '\'' {
		return r.text()
	}
	if text[0] == '|' || text[0] == '>' {
		r.fail("a text over several lines does not go into brackets: write the brackets as lines")
	}
	r.starts()
	if len(text) > 1 && text[0] == '-' && strings.IndexByte(",[]{}", text[1]) >= 0 {
		r.fail("a value is missing here, or belongs in quotes")
	}
	n := r.here(scenario.NullNode)
	end := plainEnd(text, true)
	if end < len(text) && text[end] != ':' && end > 0 && text[end-1] == ':' {
		r.at += end - 1
		r.fail("a space belongs after the colon")
	}
	n.Text = strings.TrimRight(text[:end], " ")
	r.noTab(n.Text)
	r.at += end
	plain(n)
	return n
}
