//go:build js && wasm

package browser

import (
	"strconv"

	"github.com/hack-pad/safejs"
)

// The calls below give an undefined value where JavaScript throws.

func get(v safejs.Value, name string) safejs.Value {
	found, err := v.Get(name)
	if err != nil {
		return safejs.Undefined()
	}
	return found
}

func set(v safejs.Value, name string, value any) {
	_ = v.Set(name, value) // a property that cannot be set leaves the page as it is
}

func call(v safejs.Value, name string, args ...any) safejs.Value {
	result, err := v.Call(name, args...)
	if err != nil {
		return safejs.Undefined()
	}
	return result
}

func construct(window safejs.Value, class string, args ...any) safejs.Value {
	made, err := get(window, class).New(args...)
	if err != nil {
		return safejs.Undefined()
	}
	return made
}

// callback is a function that JavaScript may call for as long as it likes.
func callback(do func(args []safejs.Value)) safejs.Func {
	f, _ := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) any {
		do(args)
		return nil
	})
	return f
}

func (e *Edge) element(id string) safejs.Value { return call(e.document, "getElementById", id) }

func text(v safejs.Value) string {
	s, err := v.String()
	if err != nil {
		return ""
	}
	return s
}

func truth(v safejs.Value) bool {
	b, err := v.Bool()
	return err == nil && b
}

// number reads a number, or a text that is one.
func number(v safejs.Value) float64 {
	if f, err := v.Float(); err == nil {
		return f
	}
	f, _ := strconv.ParseFloat(text(v), 64)
	return f
}

func pixels(f float64) string { return strconv.FormatFloat(f, 'f', 1, 64) + "px" }

func abs(f float64) float64 { return max(f, -f) }
