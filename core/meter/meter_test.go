package meter

import (
	"testing"

	"github.com/stretchr/testify/require"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

func TestSize(t *testing.T) {
	for source, want := range map[string]int{
		`""`: 0, `"four"`: 4, `b"four"`: 4, `None`: 16, `True`: 16, `1 << 400`: 50, `[]`: 0, `["four", "x"]`: 37,
		`("four",)`: 20, `{"k": "four"}`: 37, `[["x"]]`: 33,
	} {
		v, err := starlark.EvalOptions(&syntax.FileOptions{}, &starlark.Thread{}, "size", source, nil)
		require.NoError(t, err)
		require.Equal(t, want, Size(v, 1000), source)
	}
}

// A list that holds itself twice, many times over, is not walked to its end.
func TestSizeStopsAtTheLimit(t *testing.T) {
	v := starlark.NewList([]starlark.Value{starlark.String("x")})
	for range 200 {
		v = starlark.NewList([]starlark.Value{v, v})
	}
	require.Greater(t, Size(v, 1000), 1000)
	require.Less(t, Size(v, 1000), 1100)
}

// Every name of an expression is one of its parts, wherever it stands; names
// of arguments, parameters and loops are not.
func TestPartsReachEverything(t *testing.T) {
	const source = `(a + f(b, k=c, *d, **e)[g:h:i] if not j.attr else {l: [m, (n, o)]})[p] or ` +
		`[(lambda v, w=q: r)(s) for v in t if u]`
	file, err := new(syntax.FileOptions).ParseExpr("parts", source, 0)
	require.NoError(t, err)
	seen := map[string]bool{}
	var visit func(e syntax.Expr) syntax.Expr
	visit = func(e syntax.Expr) syntax.Expr {
		if name, ok := e.(*syntax.Ident); ok {
			seen[name.Name] = true
		}
		Parts(e, visit)
		return e
	}
	visit(file)
	require.Len(t, seen, 20)
	for name := 'a'; name <= 'u'; name++ {
		require.Equal(t, name != 'k', seen[string(name)], string(name))
	}
}
