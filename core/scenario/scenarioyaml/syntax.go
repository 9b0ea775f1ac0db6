package scenarioyaml

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/ticketrail/ticketrail/core/scenario"
)

// syntax turns what the YAML reader says into a place and a sentence. The
// reader's own line numbers are those of the construct around a mistake, or
// one off, so that the place is found again here.
func syntax(src []byte, err error) scenario.Problem {
	lines := strings.SplitAfter(string(src), "\n")
	bad := badLine(lines)
	if bad > 1 && lines[bad-1] == "" {
		bad--
	}
	line := strings.TrimRight(lines[bad-1], "\r\n")
	p := scenario.Problem{Line: bad, Column: spaces(line) + 1}
	text := err.Error()
	for _, known := range mistakes {
		if strings.Contains(text, known.said) {
			known.explain(&p, lines[bad-1:])
			return p
		}
	}
	p.Text = "this is not YAML: " + readerLine.ReplaceAllString(text, "")
	return p
}

var readerLine = regexp.MustCompile(`^(yaml: )?(line \d+: )?`)

// badLine returns the line, from 1, at which the source goes wrong, or at
// which what goes wrong begins: the one after the last line up to which the
// source can be read.
func badLine(lines []string) int {
	const budget = 4 << 20 // bytes to read while lines are tried one by one
	size := 1
	for _, line := range lines {
		size += len(line)
	}
	patience := min(400, max(4, budget/size))
	good, bad := 0, len(lines)
	for bad-good > patience {
		if middle := (good + bad) / 2; reads(lines[:middle]) {
			good = middle
		} else {
			bad = middle
		}
	}
	for ; bad > good+1; bad-- {
		if reads(lines[:bad-1]) {
			break
		}
	}
	return bad
}

func reads(lines []string) bool {
	var n yaml.Node
	return yaml.Unmarshal([]byte(strings.Join(lines, "")), &n) == nil
}

// mistake is a kind of mistake: a part of what the reader says, and how to
// tell people; lines are those from the mistake on.
type mistake struct {
	said    string
	explain func(p *scenario.Problem, lines []string)
}

func say(text string) func(*scenario.Problem, []string) {
	return func(p *scenario.Problem, _ []string) { p.Text = text }
}

var mistakes = []mistake{
	{"tab character", explainTab},
	{"cannot start any token", explainCharacter},
	{"mapping values are not allowed", explainColon},
	{"did not find expected ',' or '}'", explainBracket},
	{"did not find expected ',' or ']'", explainBracket},
	{"did not find expected node content", say("a value is missing, or a bracket is closed that was not opened")},
	{"could not find expected ':'", say("a colon is missing: write a name, a colon, a space and the value")},
	{"found unexpected end of stream", explainAt(`"'`, "a quote is opened here and not closed")},
	{"found unknown escape character", say(`a backslash in double quotes is written \\; in single quotes it stands alone`)},
	{"block sequence entries are not allowed", say("a list cannot start on this line: write each dash on a line of its own below, or [a, b]")},
	{"unknown anchor", explainAt("*", "aliases such as *name are not used in scenarios: write the value again")},
	{"exceeded max depth", say(fmt.Sprintf("more than %d levels are nested here, which is the limit", scenario.MaxNesting))},
	{"incompatible YAML document", say("leave out the line that starts with %YAML")},
	{"control characters", say("there is a control character here: leave it out")},
	{"UTF-8", say("this is not text in UTF-8")},
	{"did not find expected", say("this line does not go with those above: check how far it is set in, its quotes and its brackets")},
	{"did not find expected alphabetic", say("a name belongs after & and *; put a text that starts with one in quotes")},
}

func explainTab(p *scenario.Problem, lines []string) {
	line := lines[0]
	if i := strings.IndexByte(line, '\t'); i >= 0 {
		p.Column = columnOf(line, i)
	}
	p.Text = "there is a tab: set lines in with spaces"
}

func explainCharacter(p *scenario.Problem, lines []string) {
	line := lines[0]
	if trimmed := strings.TrimLeft(line, " "); strings.HasPrefix(trimmed, "\t") {
		explainTab(p, lines)
		return
	}
	p.Text = "a value cannot start so: put it in quotes"
	if m := badStart.FindStringSubmatchIndex(line); m != nil {
		p.Column = columnOf(line, m[2])
		p.Text = fmt.Sprintf("a value cannot start with %s: put it in quotes", line[m[2]:m[3]])
	}
}

var badStart = regexp.MustCompile("[ ,[{]([@`%])")

func explainColon(p *scenario.Problem, lines []string) {
	line := lines[0]
	p.Text = "a value with a colon and a space in it needs quotes"
	first := strings.Index(line, ": ")
	if first < 0 {
		p.Text = "this line does not go with those above: check how far it is set in"
		return
	}
	if second := strings.Index(line[first+1:], ":"); second >= 0 {
		p.Column = columnOf(line, first+1+second)
	}
}

// explainAt says a text of the first of some characters in the line.
func explainAt(characters, text string) func(*scenario.Problem, []string) {
	return func(p *scenario.Problem, lines []string) {
		if i := strings.IndexAny(lines[0], characters); i >= 0 {
			p.Column = columnOf(lines[0], i)
		}
		p.Text = text
	}
}

// explainBracket finds the innermost bracket that is not closed as it should.
func explainBracket(p *scenario.Problem, lines []string) {
	type opened struct {
		bracket      byte
		line, column int
	}
	var open []opened
	quote := byte(0)
scan:
	for i, line := range lines {
		for j := 0; j < len(line); j++ {
			switch c := line[j]; {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case (c == '"' || c == '\'') && j > 0 && strings.IndexByte(" [{,", line[j-1]) >= 0:
				quote = c
			case c == '{' || c == '[':
				open = append(open, opened{c, i, columnOf(line, j)})
			case (c == '}' || c == ']') && len(open) > 0:
				if last := open[len(open)-1]; c != last.bracket+2 {
					break scan
				}
				open = open[:len(open)-1]
			}
		}
	}
	p.Text = "a bracket is not closed, or a comma is missing"
	if len(open) > 0 {
		last := open[len(open)-1]
		p.Line, p.Column = p.Line+last.line, last.column
		p.Text = fmt.Sprintf("a %c is opened here and not closed with %c, or a comma is missing in it", last.bracket, last.bracket+2)
	}
}

// columnOf returns the column, from 1, of a byte of a line.
func columnOf(line string, i int) int { return utf8.RuneCountInString(line[:i]) + 1 }
