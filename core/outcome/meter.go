package outcome

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/meter"
)

// What an expression makes is bounded by its steps (see package meter): every
// operator, call and slice is replaced by a call of one of the builtins below,
// which first pays as many steps as the operation handles values.

// Names of these builtins; no text can contain them.
const (
	meteredOperator = "$operator"
	meteredCall     = "$call"
	meteredPart     = "$part"
)

var meterNames = starlark.StringDict{
	meteredOperator: starlark.NewBuiltin(meteredOperator, operate),
	meteredCall:     starlark.NewBuiltin(meteredCall, call),
	meteredPart:     starlark.NewBuiltin(meteredPart, pass),
}

var errSteps = fmt.Errorf("it takes more than %d steps", MaxExpressionSteps)

// pay adds to the steps of the thread.
func pay(thread *starlark.Thread, steps int) error {
	thread.Steps += uint64(steps)
	if steps > MaxExpressionSteps || thread.Steps > MaxExpressionSteps {
		return errSteps
	}
	return nil
}

// operate is x op y, for arithmetic, comparison and membership.
func operate(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	code, err := starlark.AsInt32(args[0])
	if err != nil {
		return nil, err
	}
	op, x, y := syntax.Token(code), args[1], args[2]
	cost := weigh(x) + weigh(y)
	if op == syntax.STAR {
		cost = repeated(x, y) + repeated(y, x)
	}
	if err := pay(thread, cost); err != nil {
		return nil, err
	}
	switch op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		holds, err := starlark.Compare(op, x, y)
		return starlark.Bool(holds), err
	case syntax.NOT_IN:
		in, err := starlark.Binary(syntax.IN, x, y)
		if err != nil {
			return nil, err
		}
		return !in.Truth(), nil
	}
	return starlark.Binary(op, x, y)
}

// repeated is the size of x when it is repeated y times.
func repeated(x, y starlark.Value) int {
	times, err := starlark.AsInt32(y)
	if err != nil || times < 1 {
		return weigh(x)
	}
	if _, number := x.(starlark.Int); number {
		return weigh(x)
	}
	if weight := weigh(x); times <= MaxExpressionSteps && weight <= MaxExpressionSteps {
		return weight * times
	}
	return MaxExpressionSteps + 1
}

// call is f(...). A method of a text can make its text times its arguments.
func call(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	f, args := args[0], args[1:]
	cost := 1
	for _, a := range args {
		cost += weigh(a)
	}
	for _, a := range kwargs {
		cost += weigh(a[1])
	}
	if b, ok := f.(*starlark.Builtin); ok && b.Receiver() != nil {
		weight := weigh(b.Receiver())
		if _, text := b.Receiver().(starlark.String); text && cost <= MaxExpressionSteps && weight <= MaxExpressionSteps {
			weight *= cost
		}
		cost += weight
	}
	if err := pay(thread, cost); err != nil {
		return nil, err
	}
	return starlark.Call(thread, f, args, kwargs)
}

// pass passes a slice, or the arguments of a call, on.
func pass(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	return args[0], pay(thread, weigh(args[0]))
}

// weigh is about how many values a value holds, itself included; a text counts
// as its sixteenth. It stops counting past MaxExpressionSteps.
func weigh(v starlark.Value) int {
	return 1 + meter.Size(v, meter.Element*MaxExpressionSteps)/meter.Element
}

// metered rewrites an expression so that it pays for what it does.
func metered(e syntax.Expr) syntax.Expr {
	meter.Parts(e, metered)
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		if e.Op == syntax.AND || e.Op == syntax.OR {
			return e
		}
		code := &syntax.Literal{Token: syntax.INT, TokenPos: e.OpPos, Raw: fmt.Sprint(int(e.Op)), Value: int64(e.Op)}
		return meter.Call(meteredOperator, e.OpPos, code, e.X, e.Y)
	case *syntax.CallExpr:
		return meter.Call(meteredCall, e.Lparen, append([]syntax.Expr{e.Fn}, e.Args...)...)
	case *syntax.SliceExpr:
		return meter.Call(meteredPart, e.Lbrack, e)
	case *syntax.UnaryExpr:
		if e.X != nil && (e.Op == syntax.STAR || e.Op == syntax.STARSTAR) {
			e.X = meter.Call(meteredPart, e.OpPos, e.X) // spread over the arguments of a call
		}
	}
	return e
}
