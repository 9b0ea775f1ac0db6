package lesson

import (
	"strconv"
	"strings"
)

// Short writes an answer in a form that machines keep: numbers of choices from
// 0 and ids, with commas between, a number, or a line's number. A curve is "".
func (g *Given) Short(form Form) string {
	switch form {
	case Choice, Several:
		return joined(g.Choices)
	case Number:
		if g.Number != nil {
			return strconv.FormatFloat(*g.Number, 'f', -1, 64)
		}
	case Order:
		return strings.Join(g.Order, ",")
	case Message:
		return g.Message
	case Line:
		return strconv.Itoa(g.Line)
	}
	return ""
}

// Short writes what is right as Given.Short does; of several right messages,
// and of several right orders, the first.
func (a *Answer) Short(form Form) string {
	given := Given{Number: &a.Number, Line: a.Line}
	for i, right := range a.Right {
		if right {
			given.Choices = append(given.Choices, i)
		}
	}
	for _, group := range a.Order {
		given.Order = append(given.Order, group...)
	}
	if len(a.Any) > 0 {
		given.Message = a.Any[0]
	}
	return given.Short(form)
}

func joined(numbers []int) string {
	var parts []string
	for _, n := range numbers {
		parts = append(parts, strconv.Itoa(n))
	}
	return strings.Join(parts, ",")
}
