// Package meter helps to bound what Starlark programs make. Steps bound how
// long a program runs, but one step can make or walk through any amount of
// data: "x" * 10**9, sorted(range(10**9)). So operations are replaced, before
// compiling, by calls of builtins that look at the sizes first; handlers and
// expectations each say which and what the bound is. What they share is here:
// the size of a value (Size), and walking over the parts of an expression
// (Parts).
package meter

import (
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Element is what an element of a list, tuple, dict or set counts, beside the
// size of what it holds.
const Element = 16

// Size returns the size of a value and all that it holds, about in bytes, or
// more than limit as soon as it is clear that it is more.
func Size(v starlark.Value, limit int) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v)
	case starlark.Bytes:
		return len(v)
	case *starlark.Dict:
		size := 2 * Element * v.Len()
		for _, item := range v.Items() {
			if size > limit {
				return size
			}
			size += Size(item[0], limit-size) + Size(item[1], limit-size)
		}
		return size
	case starlark.Int:
		return v.BigInt().BitLen() / 8
	case starlark.Sequence:
		size := Element * v.Len()
		if size > limit {
			return size
		}
		for item := range starlark.Elements(v) {
			if size += Size(item, limit-size); size > limit {
				return size
			}
		}
		return size
	}
	return Element
}

// Call is a call of a builtin whose name no source can contain.
func Call(name string, at syntax.Position, args ...syntax.Expr) *syntax.CallExpr {
	return &syntax.CallExpr{Fn: &syntax.Ident{NamePos: at, Name: name}, Lparen: at, Args: args, Rparen: at}
}

// Parts replaces each expression that e consists of by what f makes of it.
func Parts(e syntax.Expr, f func(syntax.Expr) syntax.Expr) {
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		e.X, e.Y = f(e.X), f(e.Y)
	case *syntax.CallExpr:
		e.Fn = f(e.Fn)
		Arguments(e.Args, f)
	case *syntax.SliceExpr:
		for _, part := range []*syntax.Expr{&e.X, &e.Lo, &e.Hi, &e.Step} {
			if *part != nil {
				*part = f(*part)
			}
		}
	case *syntax.ParenExpr:
		e.X = f(e.X)
	case *syntax.UnaryExpr:
		if e.X != nil {
			e.X = f(e.X)
		}
	case *syntax.DotExpr:
		e.X = f(e.X)
	case *syntax.IndexExpr:
		e.X, e.Y = f(e.X), f(e.Y)
	case *syntax.CondExpr:
		e.Cond, e.True, e.False = f(e.Cond), f(e.True), f(e.False)
	case *syntax.ListExpr:
		each(e.List, f)
	case *syntax.TupleExpr:
		each(e.List, f)
	case *syntax.DictExpr:
		for _, entry := range e.List {
			Parts(entry, f)
		}
	case *syntax.DictEntry:
		e.Key, e.Value = f(e.Key), f(e.Value)
	case *syntax.LambdaExpr:
		Defaults(e.Params, f)
		e.Body = f(e.Body)
	case *syntax.Comprehension:
		comprehension(e, f)
	}
}

// Arguments does the same for what is passed in a call: values, name=value,
// *list and **dict.
func Arguments(args []syntax.Expr, f func(syntax.Expr) syntax.Expr) {
	for i, arg := range args {
		if named, ok := arg.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			named.Y = f(named.Y)
		} else {
			args[i] = f(arg)
		}
	}
}

// Defaults does the same for the default values of parameters.
func Defaults(params []syntax.Expr, f func(syntax.Expr) syntax.Expr) {
	for _, p := range params {
		if named, ok := p.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			named.Y = f(named.Y)
		}
	}
}

func comprehension(e *syntax.Comprehension, f func(syntax.Expr) syntax.Expr) {
	if entry, ok := e.Body.(*syntax.DictEntry); ok {
		Parts(entry, f)
	} else {
		e.Body = f(e.Body)
	}
	for _, clause := range e.Clauses {
		switch c := clause.(type) {
		case *syntax.ForClause:
			c.X = f(c.X)
		case *syntax.IfClause:
			c.Cond = f(c.Cond)
		}
	}
}

func each(list []syntax.Expr, f func(syntax.Expr) syntax.Expr) {
	for i := range list {
		list[i] = f(list[i])
	}
}
