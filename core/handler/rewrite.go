package handler

import (
	"fmt"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/meter"
)

// rewrite prepares the statements of a file: the line hook goes before every
// statement of every function, and operations that can make much of little
// are metered. Statements of the file itself run once, before any message,
// and get no hook.
func rewrite(stmts []syntax.Stmt, inFunction bool) []syntax.Stmt {
	if len(stmts) == 0 {
		return nil // an absent else stays absent
	}
	out := make([]syntax.Stmt, 0, 2*len(stmts))
	for _, stmt := range stmts {
		start, _ := stmt.Span()
		if inFunction {
			out = append(out, hookCall(start))
		}
		rewriteStmt(stmt, inFunction)
		out = append(out, stmt)
	}
	return out
}

func rewriteStmt(stmt syntax.Stmt, inFunction bool) {
	switch s := stmt.(type) {
	case *syntax.DefStmt:
		meter.Defaults(s.Params, meterExpr)
		s.Body = rewrite(s.Body, true)
	case *syntax.IfStmt:
		s.Cond = meterExpr(s.Cond)
		s.True, s.False = rewrite(s.True, inFunction), rewrite(s.False, inFunction)
	case *syntax.ForStmt:
		s.X = meterExpr(s.X)
		s.Body = rewrite(s.Body, inFunction)
	case *syntax.WhileStmt:
		s.Cond = meterExpr(s.Cond)
		s.Body = rewrite(s.Body, inFunction)
	case *syntax.ExprStmt:
		s.X = meterExpr(s.X)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = meterExpr(s.Result)
		}
	case *syntax.AssignStmt:
		rewriteAssign(s)
	}
}

// growing are the assignments that keep what stands on their left and add to
// it, with the operator of each.
var growing = map[syntax.Token]syntax.Token{
	syntax.PLUS_EQ: syntax.PLUS, syntax.STAR_EQ: syntax.STAR, syntax.PERCENT_EQ: syntax.PERCENT,
	syntax.PIPE_EQ: syntax.PIPE, syntax.LTLT_EQ: syntax.LTLT,
}

func rewriteAssign(s *syntax.AssignStmt) {
	s.RHS = meterExpr(s.RHS)
	op, grows := growing[s.Op]
	if !grows {
		meterInside(s.LHS)
		return
	}
	if literal, ok := s.RHS.(*syntax.Literal); ok && literal.Token == syntax.INT && op == syntax.PLUS {
		meterInside(s.LHS)
		return // n += 1
	}
	at := s.OpPos
	before := held(s.LHS)
	meterInside(s.LHS)
	number := &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: fmt.Sprint(int(op)), Value: int64(op)}
	s.RHS = meter.Call("$grow", at, number, before, s.RHS)
}

// held returns an expression that gives what the target of an assignment
// holds. Names and constant indexes can be read twice; anything else counts as
// nothing, and only what is added to it is measured.
func held(target syntax.Expr) syntax.Expr {
	if e := again(target); e != nil {
		return e
	}
	start, _ := target.Span()
	return &syntax.Ident{NamePos: start, Name: "None"}
}

// again copies an expression that has no effect of its own, or returns nil.
func again(e syntax.Expr) syntax.Expr {
	switch e := e.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: e.NamePos, Name: e.Name}
	case *syntax.Literal:
		literal := *e
		return &literal
	case *syntax.IndexExpr:
		if x, y := again(e.X), again(e.Y); x != nil && y != nil {
			return &syntax.IndexExpr{X: x, Lbrack: e.Lbrack, Y: y, Rbrack: e.Rbrack}
		}
	case *syntax.DotExpr:
		if x := again(e.X); x != nil {
			return &syntax.DotExpr{X: x, Dot: e.Dot, NamePos: e.NamePos, Name: &syntax.Ident{NamePos: e.Name.NamePos, Name: e.Name.Name}}
		}
	}
	return nil
}

// meterInside meters the parts of an assignment's target, not the target.
func meterInside(target syntax.Expr) {
	switch e := target.(type) {
	case *syntax.IndexExpr:
		e.X, e.Y = meterExpr(e.X), meterExpr(e.Y)
	case *syntax.DotExpr:
		e.X = meterExpr(e.X)
	case *syntax.ParenExpr:
		meterInside(e.X)
	case *syntax.TupleExpr:
		for _, x := range e.List {
			meterInside(x)
		}
	case *syntax.ListExpr:
		for _, x := range e.List {
			meterInside(x)
		}
	}
}

// meterExpr returns an expression that does the same, and first looks at the
// sizes of what it is given.
func meterExpr(e syntax.Expr) syntax.Expr {
	if call, ok := e.(*syntax.CallExpr); ok {
		return meterCall(call)
	}
	meter.Parts(e, meterExpr)
	switch e := e.(type) {
	case *syntax.BinaryExpr:
		return meterBinary(e)
	case *syntax.UnaryExpr:
		if e.X != nil && (e.Op == syntax.STAR || e.Op == syntax.STARSTAR) {
			e.X = meter.Call("$keep", e.OpPos, e.X) // spread out before it is passed
		}
	case *syntax.DotExpr:
		if methodNames[e.Name.Name] {
			return meter.Call("$method", e.Dot, e.X, text(e.Name))
		}
	case *syntax.SliceExpr:
		return meter.Call("$keep", e.Lbrack, e)
	case *syntax.TupleExpr:
		if start, _ := e.Span(); len(e.List) > 0 && !allLiterals(e.List) {
			return meter.Call("$keep", start, &syntax.ParenExpr{Lparen: start, X: e, Rparen: start})
		}
	}
	return e
}

func allLiterals(list []syntax.Expr) bool {
	for _, e := range list {
		if _, ok := e.(*syntax.Literal); !ok {
			return false
		}
	}
	return true
}

func meterBinary(e *syntax.BinaryExpr) syntax.Expr {
	name, ok := operators[e.Op]
	if !ok || harmless(e) {
		return e
	}
	return meter.Call(name, e.OpPos, e.X, e.Y)
}

// harmless reports whether an operand that stands in the source makes the
// operation cheap: n + 1, msg.id == 3, "@" in address.
func harmless(e *syntax.BinaryExpr) bool {
	x, xIs := e.X.(*syntax.Literal)
	y, yIs := e.Y.(*syntax.Literal)
	switch e.Op {
	case syntax.PLUS:
		return xIs && x.Token == syntax.INT || yIs && y.Token == syntax.INT
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE:
		return xIs || yIs
	case syntax.IN, syntax.NOT_IN:
		return xIs && x.Token == syntax.STRING
	}
	return false
}

func meterCall(e *syntax.CallExpr) syntax.Expr {
	dot, ok := e.Fn.(*syntax.DotExpr)
	if !ok || !methodNames[dot.Name.Name] {
		meter.Parts(e, meterExpr)
		return e
	}
	dot.X = meterExpr(dot.X)
	meter.Arguments(e.Args, meterExpr)
	e.Args = append([]syntax.Expr{dot.X, text(dot.Name)}, e.Args...)
	e.Fn = &syntax.Ident{NamePos: dot.Dot, Name: "$call"}
	return e
}

// methodNames are the methods of Starlark's own values.
var methodNames = func() map[string]bool {
	names := map[string]bool{}
	for _, v := range []starlark.HasAttrs{
		starlark.String(""), starlark.Bytes(""), starlark.NewList(nil), starlark.NewDict(0), starlark.NewSet(0),
	} {
		for _, name := range v.AttrNames() {
			names[name] = true
		}
	}
	return names
}()

func text(name *syntax.Ident) syntax.Expr {
	return &syntax.Literal{Token: syntax.STRING, TokenPos: name.NamePos, Raw: fmt.Sprintf("%q", name.Name), Value: name.Name}
}

func hookCall(at syntax.Position) syntax.Stmt {
	line := &syntax.Literal{Token: syntax.INT, TokenPos: at, Raw: fmt.Sprint(at.Line), Value: int64(at.Line)}
	return &syntax.ExprStmt{X: meter.Call(lineHook, at, line)}
}
