package handler

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// Names are the names that a handler can use besides the builtins.
type Names struct {
	Services, Tables []string
	// Queues are the queues and topics that it can publish to. They are not
	// names in the program.
	Queues []string
}

// Problem is a mistake in a handler's source, at a line and column from 1.
type Problem struct {
	Line, Column int
	Text         string
}

func (p Problem) Error() string { return fmt.Sprintf("%d:%d: %s", p.Line, p.Column, p.Text) }

// Program is a compiled handler.
type Program struct {
	onMessage *starlark.Function
}

var options = &syntax.FileOptions{While: true, TopLevelControl: true, Set: true}

// fileName is what positions in a handler's source name as their file.
const fileName = "handler"

// lineHook is the name of the builtin that every statement is preceded by. No
// source can contain it.
const lineHook = "$line"

// Compile checks source and makes it ready to run.
func Compile(source string, names Names) (*Program, []Problem) {
	if len(source) > scenario.MaxHandlerBytes {
		return nil, []Problem{{1, 1, fmt.Sprintf("the handler has %d bytes: write at most %d (16 KB)", len(source), scenario.MaxHandlerBytes)}}
	}
	file, err := options.Parse(fileName, source, 0)
	if err != nil {
		return nil, problems(err, source, nil)
	}
	if p := shape(file.Stmts); p != nil {
		return nil, []Problem{*p}
	}
	file.Stmts = rewrite(file.Stmts, false)
	predeclared := environment(names)
	program, err := starlark.FileProgram(file, predeclared.Has)
	if err != nil {
		return nil, problems(err, source, slices.Sorted(mapsKeys(predeclared)))
	}
	thread := &starlark.Thread{Name: "load"}
	thread.SetMaxExecutionSteps(scenario.MaxSteps)
	globals, err := program.Init(thread, predeclared)
	if err != nil {
		return nil, problems(err, source, nil)
	}
	globals.Freeze()
	return entry(globals)
}

// Check returns the mistakes in a handler's source.
func Check(source string, names Names) []Problem {
	_, problems := Compile(source, names)
	return problems
}

func entry(globals starlark.StringDict) (*Program, []Problem) {
	value, ok := globals["on_message"]
	if !ok {
		return nil, []Problem{{1, 1, "there is no on_message: write def on_message(msg): and the work below it"}}
	}
	f, ok := value.(*starlark.Function)
	if !ok {
		return nil, []Problem{{1, 1, "on_message is not a function: write def on_message(msg):"}}
	}
	if f.NumParams() != 1 || f.HasVarargs() || f.HasKwargs() {
		at := f.Position()
		return nil, []Problem{{int(at.Line), int(at.Col), "on_message takes one message: write def on_message(msg):"}}
	}
	return &Program{onMessage: f}, nil
}

// problems says what is wrong in the reader's words.
func problems(err error, source string, known []string) []Problem {
	var unresolved resolve.ErrorList
	var parse syntax.Error
	var eval *starlark.EvalError
	switch {
	case errors.As(err, &unresolved):
		var out []Problem
		for _, e := range unresolved {
			out = append(out, Problem{int(e.Pos.Line), int(e.Pos.Col), hint(e.Msg, known)})
		}
		return out
	case errors.As(err, &parse):
		line, column := placeOf(parse, source)
		return []Problem{{line, column, explainSyntax(parse.Msg, source, line)}}
	case errors.As(err, &eval):
		return []Problem{loadProblem(eval)}
	}
	return []Problem{{1, 1, err.Error()}}
}

// shape finds mistakes in the outline of a file that the compiler would report
// in words that do not help.
func shape(stmts []syntax.Stmt) *Problem {
	for _, stmt := range stmts {
		switch s := stmt.(type) {
		case *syntax.LoadStmt:
			at, _ := s.Span()
			return &Problem{int(at.Line), int(at.Col), "there is nothing to load: services, tables and the builtins are there already"}
		case *syntax.DefStmt:
			if s.Name.Name == "on_message" && len(s.Params) != 1 {
				return &Problem{int(s.Name.NamePos.Line), int(s.Name.NamePos.Col), "on_message takes one message: write def on_message(msg):"}
			}
		}
	}
	return nil
}

// loadProblem says what went wrong in the statements of the file itself, at
// the innermost call that stands in the source.
func loadProblem(eval *starlark.EvalError) Problem {
	p := Problem{Line: 1, Column: 1, Text: plain(eval.Msg)}
	if strings.Contains(eval.Msg, "too many steps") {
		p.Text = fmt.Sprintf("it ran for %d steps without an end before the first message: is there a loop that never stops?", scenario.MaxSteps)
	}
	for i := range eval.CallStack {
		if at := eval.CallStack.At(i).Pos; at.Line > 0 && at.Filename() == fileName {
			p.Line, p.Column = int(at.Line), int(at.Col)
			break
		}
	}
	return p
}

// placeOf returns where a syntax error is. The parser puts what is wrong at
// the end of a line at the start of the next one.
func placeOf(e syntax.Error, source string) (line, column int) {
	line, column = int(e.Pos.Line), int(e.Pos.Col)
	lines := strings.Split(source, "\n")
	if unclosed(e.Msg) {
		line = openBracket(source, line)
		if line <= len(lines) {
			return line, len([]rune(strings.TrimRight(lines[line-1], " \t\r"))) + 1
		}
	}
	if strings.Contains(e.Msg, "got newline") && column == 1 && line > 1 && line <= len(lines)+1 {
		line--
		column = len([]rune(strings.TrimRight(lines[line-1], " \t\r"))) + 1
	}
	if line <= len(lines) {
		column = startOf(e.Msg, []rune(lines[line-1]), column)
	}
	return line, column
}

// startOf returns where the token starts that the parser did not want; it
// often reports where that ends.
func startOf(message string, line []rune, column int) int {
	token, _, _ := strings.Cut(strings.TrimPrefix(message, "got "), ", want ")
	token = strings.Trim(token, "'")
	start := column - 1 - len(token)
	if start >= 0 && column-1 <= len(line) && string(line[start:column-1]) == token {
		return start + 1
	}
	return column
}

// hint adds the nearest known name to an "undefined: x".
func hint(message string, known []string) string {
	name, ok := strings.CutPrefix(message, "undefined: ")
	if !ok {
		return message
	}
	name, _, _ = strings.Cut(name, " ")
	near := nearest(name, known)
	if near == "" {
		var own []string
		for _, k := range known {
			if !strings.HasPrefix(k, "$") {
				own = append(own, k)
			}
		}
		return fmt.Sprintf("there is no %q here: a handler can use %s", name, strings.Join(own, ", "))
	}
	return fmt.Sprintf("there is no %q here: did you mean %s?", name, near)
}

// explainSyntax turns the parser's words into what to write.
func explainSyntax(message, source string, line int) string {
	lines := strings.Split(source, "\n")
	text := ""
	if line >= 1 && line <= len(lines) {
		text = strings.TrimSpace(lines[line-1])
	}
	switch {
	case strings.Contains(message, "got newline, want ':'"):
		return fmt.Sprintf("line %d of the handler needs a colon at its end: write %s:", line, text)
	case strings.Contains(message, "want indent"):
		return fmt.Sprintf("something must stand below the colon of line %d of the handler, indented: write at least pass", max(1, line-1))
	case strings.Contains(message, "got indent"):
		return fmt.Sprintf("line %d of the handler is indented further than the line above it: start it in the same column", line)
	case strings.Contains(message, "unindent does not match"):
		return fmt.Sprintf("line %d of the handler starts in a column that no line above it has: start it in the column of the block that it belongs to", line)
	case strings.Contains(message, "newline in string"):
		return fmt.Sprintf("a text on line %d of the handler is not closed: write the quotation mark at its end", line)
	case unclosed(message):
		return fmt.Sprintf("a bracket that opens on line %d of the handler is not closed: close it where what it holds ends", line)
	case strings.Contains(message, "got end of file"):
		return "the handler ends in the middle of something: close the bracket, or write the rest of the line"
	}
	for _, f := range foreign {
		if slices.ContainsFunc(f.signs, func(sign string) bool { return strings.Contains(message, sign) }) ||
			slices.ContainsFunc(f.words, func(word string) bool {
				return text == word || strings.HasPrefix(text, word+" ") || strings.HasPrefix(text, word+":")
			}) {
			return f.instead
		}
	}
	if strings.HasPrefix(text, "def ") && (strings.Contains(message, "got ':', want ')'") || strings.Contains(message, "got '-', want ':'")) {
		return "there are no types in a handler: leave them out, as in def on_message(msg):"
	}
	if strings.Contains(message, "got string literal") && fText.MatchString(text) {
		return `there are no f-texts in a handler: write "order %s" % msg.id`
	}
	return "this cannot be read: " + strings.NewReplacer("want primary expression", "where a value is to stand", "got ", "there is ", ", want ", " in place of ").Replace(message)
}

// fText finds a text with an f before it.
var fText = regexp.MustCompile(`\b[fF]["']`)

// foreign is what Python has and Starlark has not, by what the parser says or
// by the first word of the line, and what to write instead.
var foreign = []struct {
	signs, words []string
	instead      string
}{
	{[]string{"got import"}, []string{"import", "from"}, "a handler cannot import anything: services, tables and the builtins are there already"},
	{[]string{"got try"}, []string{"try", "except", "finally"}, "there is no try in a handler: an error ends the run, and the pool's on_error decides what becomes of the message"},
	{[]string{"got class"}, []string{"class"}, "there are no classes in a handler: write functions, lists and dicts"},
	{[]string{"got async", "got await"}, nil, "a handler waits by itself: leave async and await out"},
	{[]string{"got raise"}, []string{"raise"}, `there is no raise in a handler: write fail("what went wrong")`},
	{nil, []string{"assert"}, `there is no assert in a handler: write if not ...: and below it fail("what is wrong")`},
	{[]string{"got with"}, []string{"with"}, "there is no with in a handler: write what stands below it without it"},
	{[]string{"got yield"}, []string{"yield"}, "there is no yield in a handler: write return"},
	{[]string{"got global", "got nonlocal"}, nil, "a handler keeps nothing from one message to the next: leave it out, or keep the value in a table"},
	{[]string{"got del"}, []string{"del"}, "there is no del in a handler: write d.pop(key)"},
	{[]string{"got is,"}, nil, "there is no `is` in a handler: write == in its place, or != for `is not`"},
	{[]string{"got '=', want ':'"}, nil, "one = stores a value: write == to compare"},
	{[]string{"does not associate"}, nil, "only two values are compared at a time: write a < b and b < c"},
	{[]string{"got '&', want primary"}, nil, "write `and` in place of &&"},
	{[]string{"got '|', want primary"}, nil, "write `or` in place of ||"},
	{[]string{"character '!'"}, nil, "write `not` in place of !"},
	{[]string{"got '**'"}, nil, "there is no ** in a handler: write a product such as x * x"},
	{[]string{"unexpected ')'", "unexpected ']'", "unexpected '}'"}, nil, "a bracket is closed here that was not opened: leave it out"},
	{[]string{"character '@'"}, nil, "there are no decorators in a handler: leave the line out"},
}

// unclosed reports whether the parser missed the end of a bracket.
func unclosed(message string) bool {
	got, want, ok := strings.Cut(message, ", want ")
	if !ok || len(want) < 3 || !strings.Contains(",)]}", want[1:2]) {
		return false
	}
	for _, end := range []string{"newline", "outdent", "indent", "identifier", "end of file", "def", "if", "for", "return", "pass"} {
		if got == "got "+end {
			return true
		}
	}
	return false
}

// openBracket returns the line of the last bracket that is opened and not
// closed before line, or line itself.
func openBracket(source string, line int) int {
	var open []int
	for i, text := range strings.Split(source, "\n") {
		if i+1 > line {
			break
		}
		for _, r := range withoutTexts(text) {
			switch {
			case strings.ContainsRune("([{", r):
				open = append(open, i+1)
			case strings.ContainsRune(")]}", r) && len(open) > 0:
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) == 0 {
		return line
	}
	return open[len(open)-1]
}

// withoutTexts leaves quoted texts and comments out of a line.
func withoutTexts(line string) string {
	var out []rune
	quote, escaped := rune(0), false
	for _, r := range line {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			escaped = r == '\\'
			if r == quote {
				quote = 0
			}
		case r == '"' || r == '\'':
			quote = r
		case r == '#':
			return string(out)
		default:
			out = append(out, r)
		}
	}
	return string(out)
}

// plain takes Starlark's decoration off a message, and says in the reader's
// words what a body that is not there leads to.
func plain(message string) string {
	if strings.HasPrefix(message, "unhandled index operation NoneType[") {
		return "there is nothing to look into, only None: give the message a body, or ask first, as in if msg.body:"
	}
	return strings.TrimPrefix(message, "fail: ")
}
