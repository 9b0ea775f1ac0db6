package player

import (
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
)

// Line is one line of the handler as the code card shows it.
type Line struct {
	Number  int    // from 1
	Text    string // without its indentation
	Depth   int    // how far it is indented, in steps of the program
	Ack     bool   // it settles the message: the line that lessons ask to move
	Movable bool   // it can be put somewhere else, if only it finds a slot
	Comment bool
}

// Slot is a place between two lines where a line may be put.
type Slot struct {
	Before int // the number of the line that it stands before; one more than the last at the end
	Depth  int // how far the line would be indented there
	// Says what follows from putting the line there, or "".
	Says   string
	source string // the handler with the line put there
	line   int    // the number that the line has then
}

// Pools returns the names of the pools, each of which has a handler.
func (p *Player) Pools() []string {
	var names []string
	for i := range p.Scenario().Workers {
		names = append(names, p.Scenario().Workers[i].Name)
	}
	return names
}

// Card returns the index of the pool whose handler the code card shows.
func (p *Player) Card() int { return max(0, min(p.card, len(p.Scenario().Workers)-1)) }

// ShowCard has the code card show the handler of another pool.
func (p *Player) ShowCard(pool int) {
	p.card = pool
	p.slots = nil
}

// Handler returns the handler that the code card shows.
func (p *Player) Handler() string {
	if s := p.Scenario(); p.Card() < len(s.Workers) {
		return s.Workers[p.Card()].Handler
	}
	return ""
}

// SetHandler edits the handler that the code card shows.
func (p *Player) SetHandler(label, source string) {
	path := p.pool("handler")
	p.Edit(label, path, func(s *scenario.Scenario) scenario.Problems { return scenario.Set(s, path, source) })
}

// OwnHandler returns that handler as it is in the original.
func (p *Player) OwnHandler() string {
	if own := poolOf(p.Original(), p.poolName()); own != nil {
		return own.Handler
	}
	return p.Handler()
}

// poolName is that of the pool whose handler the code card shows, or "".
func (p *Player) poolName() string {
	if w := p.Scenario().Workers; p.Card() < len(w) {
		return w[p.Card()].Name
	}
	return ""
}

// poolOf returns the pool of a scenario with that name, or nil.
func poolOf(s *scenario.Scenario, name string) *scenario.Pool {
	for i := range s.Workers {
		if s.Workers[i].Name == name {
			return &s.Workers[i]
		}
	}
	return nil
}

// ResetHandler gives the handler back as it was, as an edit that can be undone.
func (p *Player) ResetHandler() {
	p.SetHandler("card as it was", p.OwnHandler())
	p.Seal()
}

// Mistake is what is wrong with the handler on the code card: at which line, and
// in words that do not name it again.
type Mistake struct {
	Line int
	Text string
}

// Mistake returns the first mistake of that handler, if there is one.
func (p *Player) Mistake() (m Mistake, is bool) {
	for _, problem := range p.Problems() {
		if problem.Path == p.pool("handler") {
			line := max(problem.HandlerLine, 1)
			text := strings.TrimPrefix(problem.Text, "line "+strconv.Itoa(line)+" of the handler ")
			return Mistake{line, strings.TrimSuffix(text, ".")}, true
		}
	}
	return Mistake{}, false
}

// Lines returns the lines of a handler.
func Lines(source string) []Line {
	texts := split(source)
	unit := indentUnit(texts)
	lines := make([]Line, len(texts))
	for i, text := range texts {
		bare := strings.TrimSpace(text)
		lines[i] = Line{
			Number: i + 1, Text: bare, Depth: indent(text) / unit,
			Ack:     strings.HasPrefix(bare, "ack("),
			Comment: strings.HasPrefix(bare, "#"),
			Movable: movable(bare, indent(text)),
		}
	}
	return lines
}

// movable reports whether a line is a statement of its own: not the head of a
// block, not a definition, nothing at the top level.
func movable(bare string, indent int) bool {
	return bare != "" && indent > 0 && !strings.HasSuffix(bare, ":") && !strings.HasPrefix(bare, "#")
}

// Slots returns the places where line n (from 1) of the handler can go and
// leave a valid program, from top to bottom. The place where it is now is not
// among them.
func Slots(source string, n int, names handler.Names) []Slot {
	lines := split(source)
	if n < 1 || n > len(lines) || !movable(strings.TrimSpace(lines[n-1]), indent(lines[n-1])) {
		return nil
	}
	text := strings.TrimSpace(lines[n-1])
	rest := append(append([]string{}, lines[:n-1]...), lines[n:]...)
	var slots []Slot
	for at := 1; at <= len(rest); at++ {
		for _, width := range widths(rest, at) {
			moved := join(rest, at, strings.Repeat(" ", width)+text)
			if moved == strings.Join(lines, "\n") {
				break // where it stands already
			}
			if len(handler.Check(moved+"\n", names)) > 0 {
				continue
			}
			before := at + 1
			if before > n {
				before++ // counted in the lines as they are shown, with line n in its place
			}
			slots = append(slots, Slot{Before: before, Depth: width / indentUnit(lines), Says: consequence(rest, at, text, names), source: moved + "\n", line: at + 1})
			break
		}
	}
	return slots
}

// widths returns the indentations that make sense before line `at` (from 0) of
// lines, the likeliest first.
func widths(lines []string, at int) []int {
	unit := indentUnit(lines)
	above := ""
	width := 0
	for i := at - 1; i >= 0 && above == ""; i-- {
		above, width = strings.TrimSpace(lines[i]), indent(lines[i])
	}
	if strings.HasSuffix(above, ":") {
		return []int{width + unit}
	}
	below := unit
	if at < len(lines) && strings.TrimSpace(lines[at]) != "" {
		below = indent(lines[at])
	}
	if below == 0 {
		below = unit
	}
	if below == width {
		return []int{width}
	}
	return []int{below, width}
}

// consequence says what putting a line at `at` means, when it is the ack.
func consequence(rest []string, at int, text string, names handler.Names) string {
	if !strings.HasPrefix(text, "ack(") {
		return ""
	}
	first, last := -1, -1
	for i, line := range rest {
		for _, service := range names.Services {
			if strings.Contains(line, service+"(") {
				if first < 0 {
					first = i
				}
				last = i
			}
		}
	}
	switch {
	case first < 0:
		return ""
	case at <= first:
		return "gone before the work is done"
	case at > last:
		return "kept until the work is done"
	}
	return "gone halfway through the work"
}

// AckLine returns the number of the first line that is an ack, or 0.
func AckLine(source string) int {
	for _, line := range Lines(source) {
		if line.Ack {
			return line.Number
		}
	}
	return 0
}

// slotsOf returns Slots of a line of the current handler, from memory while the
// handler is the same.
func (p *Player) slotsOf(line int) []Slot {
	if !p.Unlocked(lesson.Handler) {
		return nil
	}
	if source := p.Handler(); p.slotsFor != source || p.slots == nil {
		p.slotsFor, p.slots = source, map[int][]Slot{}
	}
	slots, known := p.slots[line]
	if !known {
		slots = Slots(p.slotsFor, line, sim.Names(p.Scenario()))
		p.slots[line] = slots
	}
	return slots
}

// Slots returns where line n of the handler can go.
func (p *Player) Slots(n int) []Slot { return p.slotsOf(n) }

// MoveLine puts line n of the handler into the slot before line `before`. It
// returns the number that the line has then, and whether there is such a slot.
func (p *Player) MoveLine(n, before int) (to int, ok bool) {
	for _, slot := range p.slotsOf(n) {
		if slot.Before == before {
			return p.moveInto(slot)
		}
	}
	return n, false
}

// CanNudge reports whether line n has a slot above (by < 0) or below it.
func (p *Player) CanNudge(n, by int) bool {
	_, ok := p.neighbour(n, by)
	return ok
}

// NudgeLine puts line n into the next slot up (by < 0) or down, and returns as
// MoveLine does.
func (p *Player) NudgeLine(n, by int) (to int, ok bool) {
	slot, ok := p.neighbour(n, by)
	if !ok {
		return n, false
	}
	return p.moveInto(slot)
}

func (p *Player) neighbour(n, by int) (found Slot, ok bool) {
	for _, slot := range p.slotsOf(n) {
		if by < 0 && slot.Before <= n {
			found, ok = slot, true // the last one above it
		}
		if by > 0 && slot.Before > n {
			return slot, true
		}
	}
	return found, ok
}

func (p *Player) moveInto(slot Slot) (int, bool) {
	label := "moved a line"
	if lines := Lines(slot.source); lines[slot.line-1].Ack {
		label = "ack on line " + strconv.Itoa(slot.line)
	}
	p.SetHandler(label, slot.source)
	p.Seal()
	return slot.line, true
}

// Consequence says what it means that line n, when it is the ack, stands where
// it stands; or "".
func (p *Player) Consequence(n int) string {
	lines := split(p.Handler())
	if n < 1 || n > len(lines) {
		return ""
	}
	rest := append(append([]string{}, lines[:n-1]...), lines[n:]...)
	return consequence(rest, n-1, strings.TrimSpace(lines[n-1]), sim.Names(p.Scenario()))
}

// AckWas returns the line before which the ack stood in the handler before
// this one, as a place in this one, and how far it was indented there; 0 when
// it stands where it stood.
func (p *Player) AckWas() (before, depth int) {
	old := p.handlerBefore()
	was, is := AckLine(old), AckLine(p.Handler())
	if was == 0 || is == 0 || was == is {
		return 0, 0
	}
	depth = Lines(old)[was-1].Depth
	if was > is {
		was++
	}
	return was, depth
}

// handlerBefore returns the last handler that was another one, or "".
func (p *Player) handlerBefore() string {
	for i := p.at - 1; i >= 0; i-- {
		if was := poolOf(p.edits[i].scenario, p.poolName()); was != nil && was.Handler != p.Handler() {
			return was.Handler
		}
	}
	return ""
}

func split(source string) []string {
	return strings.Split(strings.TrimRight(strings.ReplaceAll(source, "\t", "    "), "\n "), "\n")
}

func join(lines []string, at int, line string) string {
	all := append(append(append([]string{}, lines[:at]...), line), lines[at:]...)
	return strings.Join(all, "\n")
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// indentUnit returns the width of one step of indentation: that of the first
// indented line.
func indentUnit(lines []string) int {
	for _, line := range lines {
		if n := indent(line); n > 0 && strings.TrimSpace(line) != "" {
			return n
		}
	}
	return 4
}
