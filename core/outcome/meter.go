package outcome

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Starlark's steps bound how long an expression runs, but a single step can
// make or walk through any amount: "x" * 10**9, sorted(range(10**9)), a
// comparison of long lists. So every operator, call and slice of an expression
// is replaced by a call of one of the builtins below, which first pays as many
// steps as the operation handles values.

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

// weigh is how many values a value holds, itself included; a text counts as
// its sixteenth. It stops counting past MaxExpressionSteps.
func weigh(v starlark.Value) int { return weighUpTo(v, MaxExpressionSteps) }

func weighUpTo(v starlark.Value, limit int) int {
	switch v := v.(type) {
	case starlark.String:
		return 1 + len(v)/16
	case starlark.Bytes:
		return 1 + len(v)/16
	case starlark.Int:
		return 1 + v.BigInt().BitLen()/128
	case *starlark.Dict:
		items := v.Items()
		return 1 + each(2*len(items), func(i int) starlark.Value { return items[i/2][i%2] }, limit)
	case *starlark.List:
		return 1 + each(v.Len(), v.Index, limit)
	case starlark.Tuple:
		return 1 + each(v.Len(), v.Index, limit)
	case starlark.Sequence: // ranges and sets
		return 1 + v.Len()
	}
	return 1
}

func each(n int, item func(int) starlark.Value, limit int) (weight int) {
	for i := 0; i < n && weight <= limit; i++ {
		weight += weighUpTo(item(i), limit-weight)
	}
	return weight
}

// metered rewrites an expression so that it pays for what it does.
func metered(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		e.X, e.Y = metered(e.X), metered(e.Y)
		if e.Op == syntax.AND || e.Op == syntax.OR {
			return e
		}
		code := &syntax.Literal{Token: syntax.INT, TokenPos: e.OpPos, Raw: fmt.Sprint(int(e.Op)), Value: int64(e.Op)}
		return hidden(meteredOperator, e.OpPos, code, e.X, e.Y)
	case *syntax.CallExpr:
		return hidden(meteredCall, e.Lparen, append([]syntax.Expr{metered(e.Fn)}, meteredArguments(e.Args)...)...)
	case *syntax.SliceExpr:
		for _, part := range []*syntax.Expr{&e.X, &e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part = metered(*part)
			}
		}
		return hidden(meteredPart, e.Lbrack, e)
	case *syntax.ParenExpr:
		e.X = metered(e.X)
	case *syntax.UnaryExpr:
		if e.X == nil {
			break
		}
		e.X = metered(e.X)
		if e.Op == syntax.STAR || e.Op == syntax.STARSTAR {
			e.X = hidden(meteredPart, e.OpPos, e.X) // spread over the arguments of a call
		}
	case *syntax.DotExpr:
		e.X = metered(e.X)
	case *syntax.IndexExpr:
		e.X, e.Y = metered(e.X), metered(e.Y)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = metered(e.Cond), metered(e.True), metered(e.False)
	case *syntax.ListExpr:
		e.List = meteredArguments(e.List)
	case *syntax.TupleExpr:
		e.List = meteredArguments(e.List)
	case *syntax.DictExpr:
		for _, entry := range e.List {
			meteredEntry(entry)
		}
	case *syntax.LambdaExpr:
		e.Params, e.Body = meteredArguments(e.Params), metered(e.Body)
	case *syntax.Comprehension:
		meteredComprehension(e)
	}
	return e
}

// meteredArguments rewrites a list in which "name = value" may stand.
func meteredArguments(list []syntax.Expr) []syntax.Expr {
	for i, e := range list {
		if named, ok := e.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			named.Y = metered(named.Y)
		} else {
			list[i] = metered(e)
		}
	}
	return list
}

func meteredEntry(e syntax.Expr) {
	if entry, ok := e.(*syntax.DictEntry); ok {
		entry.Key, entry.Value = metered(entry.Key), metered(entry.Value)
	}
}

func meteredComprehension(e *syntax.Comprehension) {
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		meteredEntry(entry)
	} else {
		e.Body = metered(e.Body)
	}
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			c.X = metered(c.X)
		case *syntax.IfClause:
			c.Cond = metered(c.Cond)
		}
	}
}

func hidden(name string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}
