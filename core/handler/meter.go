package handler

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/meter"
)

// The meter bounds what a run of a handler makes (see package meter): each
// value, and all of them together. meterExpr and meteredUniverse say which
// operations look at the sizes first.
const (
	// maxValue is how large one value may be: bytes of text, with 16 for
	// each element of a list, tuple, dict or set, those inside it included.
	maxValue = 1 << 20
	// maxMemory is how much a run of a handler may make in all.
	maxMemory = 32 << 20
)

var (
	errValue  = fmt.Errorf("this would make a value of more than 1 MB: a handler is for small things, so keep less in it")
	errMemory = fmt.Errorf("the handler made more than 32 MB of data: keep less in it")
)

// length is the size of a value without what it holds.
func length(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	case starlark.Int:
		if n, ok := v.Int64(); ok && n > -1<<31 && n < 1<<31 {
			return 4
		}
		return v.BigInt().BitLen() / 8
	}
	if n := starlark.Len(v); n >= 0 {
		return meter.Element * n
	}
	return meter.Element
}

// charge counts what the run is about to make.
func charge(t *starlark.Thread, size int) error {
	if size > maxValue {
		return errValue
	}
	if r, ok := t.Local(runKey).(*run); ok {
		if r.memory += size; r.memory > maxMemory {
			return errMemory
		}
	}
	return nil
}

// chargeDeep counts values that are about to be walked through or written out.
func chargeDeep(t *starlark.Thread, values ...starlark.Value) error {
	size := 0
	for _, v := range values {
		if size += meter.Size(v, maxValue-size); size > maxValue {
			return errValue
		}
	}
	return charge(t, size)
}

// meterFunc is a builtin of the meter.
type meterFunc = func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// meters are the builtins that take the place of operations. No source can
// contain their names. The second figure is how many steps each adds to those
// of the operation that it replaces; they are not counted.
var meters = map[string]struct {
	call  meterFunc
	steps uint64
}{
	"$+":      {binary(syntax.PLUS), 1},
	"$*":      {binary(syntax.STAR), 1},
	"$%":      {binary(syntax.PERCENT), 1},
	"$|":      {binary(syntax.PIPE), 1},
	"$<<":     {binary(syntax.LTLT), 1},
	"$==":     {compare(syntax.EQL), 1},
	"$!=":     {compare(syntax.NEQ), 1},
	"$<":      {compare(syntax.LT), 1},
	"$<=":     {compare(syntax.LE), 1},
	"$>":      {compare(syntax.GT), 1},
	"$>=":     {compare(syntax.GE), 1},
	"$in":     {member(syntax.IN), 1},
	"$not in": {member(syntax.NOT_IN), 1},
	"$method": {method, 1},
	"$call":   {callMethod, 1},
	"$keep":   {keep, 2},
	"$grow":   {grow, 3},
}

var operators = map[syntax.Token]string{
	syntax.PLUS: "$+", syntax.STAR: "$*", syntax.PERCENT: "$%", syntax.PIPE: "$|", syntax.LTLT: "$<<",
	syntax.EQL: "$==", syntax.NEQ: "$!=", syntax.LT: "$<", syntax.LE: "$<=", syntax.GT: "$>", syntax.GE: "$>=",
	syntax.IN: "$in", syntax.NOT_IN: "$not in",
}

func meterEnvironment(env starlark.StringDict) {
	for name, m := range meters {
		env[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if r, ok := t.Local(runKey).(*run); ok {
				r.limit += m.steps
				t.SetMaxExecutionSteps(r.limit)
			}
			return m.call(t, b, args, kwargs)
		})
	}
	for _, name := range meteredUniverse {
		original := starlark.Universe[name].(*starlark.Builtin)
		env[name] = starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := chargeArguments(t, args, kwargs); err != nil {
				return nil, err
			}
			return original.CallInternal(t, args, kwargs)
		})
	}
	env["getattr"] = starlark.NewBuiltin("getattr", func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		v, err := starlark.Universe["getattr"].(*starlark.Builtin).CallInternal(t, args, kwargs)
		return metered(v), err
	})
}

// meteredUniverse are Starlark's own functions that walk through or copy what
// they are given.
var meteredUniverse = []string{
	"all", "any", "bytes", "dict", "enumerate", "hash", "list", "max", "min", "print", "repr", "reversed", "set", "sorted", "str", "tuple", "zip",
}

func chargeArguments(t *starlark.Thread, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if err := chargeDeep(t, args...); err != nil {
		return err
	}
	for _, kv := range kwargs {
		if err := chargeDeep(t, kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func binary(op syntax.Token) meterFunc {
	return func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		x, y := args[0], args[1]
		if err := chargeBinary(t, op, x, y); err != nil {
			return nil, err
		}
		return starlark.Binary(op, x, y)
	}
}

func chargeBinary(t *starlark.Thread, op syntax.Token, x, y starlark.Value) error {
	n, xIsInt := x.(starlark.Int)
	m, yIsInt := y.(starlark.Int)
	switch {
	case xIsInt && yIsInt && op == syntax.LTLT:
		shift, ok := m.Int64()
		if !ok || shift > 8*maxValue {
			return errValue
		}
		return charge(t, length(x)+int(shift/8))
	case xIsInt && yIsInt:
		return charge(t, length(x)+length(y))
	case op == syntax.STAR && yIsInt:
		return chargeTimes(t, x, m)
	case op == syntax.STAR && xIsInt:
		return chargeTimes(t, y, n)
	case op == syntax.PERCENT:
		return chargeDeep(t, x, y)
	}
	if _, ok := x.(starlark.Tuple); ok { // tuples are keys: hashing walks through them
		return chargeDeep(t, x, y)
	}
	return charge(t, length(x)+length(y))
}

func chargeTimes(t *starlark.Thread, x starlark.Value, n starlark.Int) error {
	times, ok := n.Int64()
	if ok && times <= 0 {
		return nil
	}
	size := length(x)
	if _, isTuple := x.(starlark.Tuple); isTuple {
		size = meter.Size(x, maxValue)
	}
	if size == 0 {
		return nil
	}
	if !ok || times > maxValue || size > maxValue {
		return errValue
	}
	return charge(t, size*int(times))
}

func compare(op syntax.Token) meterFunc {
	return func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if err := chargeWalk(t, args[0], args[1]); err != nil {
			return nil, err
		}
		ok, err := starlark.Compare(op, args[0], args[1])
		return starlark.Bool(ok), err
	}
}

// chargeWalk checks values that are walked through but not copied.
func chargeWalk(_ *starlark.Thread, values ...starlark.Value) error {
	for _, v := range values {
		if meter.Size(v, maxValue) > maxValue {
			return errValue
		}
	}
	return nil
}

func member(op syntax.Token) meterFunc {
	return func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
		if _, isRange := args[1].(starlark.Indexable); !isRange || starlark.Len(args[1]) < maxValue/meter.Element {
			if err := chargeWalk(t, args[0], args[1]); err != nil {
				return nil, err
			}
		}
		return starlark.Binary(op, args[0], args[1])
	}
}

// keep counts a copy that was just made of something that fits.
func keep(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if _, isTuple := args[0].(starlark.Tuple); isTuple {
		return args[0], chargeDeep(t, args[0])
	}
	return args[0], charge(t, length(args[0]))
}

// grow checks x op= y and gives y back. Its first argument names the operator.
func grow(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	op, _ := args[0].(starlark.Int).Int64()
	return args[2], chargeBinary(t, syntax.Token(op), args[1], args[2])
}

// method is x.name where that could be a method which makes much of little.
func method(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	v, err := attribute(args[0], string(args[1].(starlark.String)))
	return metered(v), err
}

func attribute(x starlark.Value, name string) (starlark.Value, error) {
	if holder, ok := x.(starlark.HasAttrs); ok {
		v, err := holder.Attr(name)
		if err != nil || v != nil {
			return v, err
		}
		if near := nearest(name, holder.AttrNames()); near != "" {
			return nil, fmt.Errorf("a %s has no .%s: did you mean .%s?", x.Type(), name, near)
		}
	}
	return nil, fmt.Errorf("a %s has no .%s", x.Type(), name)
}

// metered makes a method that is kept for later count what it makes.
func metered(v starlark.Value) starlark.Value {
	b, ok := v.(*starlark.Builtin)
	if !ok || b.Receiver() == nil {
		return v
	}
	return starlark.NewBuiltin(b.Name(), func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		return callBound(t, b, args, kwargs)
	})
}

// callMethod is x.name(...).
func callMethod(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, err := attribute(args[0], string(args[1].(starlark.String)))
	if err != nil {
		return nil, err
	}
	b, ok := f.(*starlark.Builtin)
	if !ok || b.Receiver() == nil {
		return starlark.Call(t, f, args[2:], kwargs)
	}
	return callBound(t, b, args[2:], kwargs)
}

// callBound calls a method of a text, list, dict or set.
func callBound(t *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := chargeArguments(t, args, kwargs); err != nil {
		return nil, err
	}
	size := length(b.Receiver())
	switch b.Name() {
	case "join": // the separator stands between all elements
		if len(args) == 1 {
			size *= max(1, starlark.Len(args[0]))
		}
	case "replace": // each place may become the longer text
		if len(args) > 1 {
			size = (size + 1) * (1 + length(args[1]))
		}
	case "split", "rsplit", "splitlines": // each piece is a text of its own
		size *= 2 * meter.Element
	case "format":
		for _, a := range args {
			size += meter.Size(a, maxValue) * (1 + size/2) // {0} may stand anywhere
		}
		for _, kv := range kwargs {
			size += meter.Size(kv[1], maxValue) * (1 + size/2)
		}
	}
	if err := charge(t, size); err != nil {
		return nil, err
	}
	return b.CallInternal(t, args, kwargs)
}
