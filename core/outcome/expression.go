package outcome

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Bounds of an expression.
const (
	MaxExpressionBytes = 4 << 10
	MaxExpressionSteps = 1_000_000
)

// Names are the names that an expression can use besides Starlark's own, in
// the order in which scenario.md lists them.
var Names = []string{
	"sent", "accepted", "refused", "deliveries", "redeliveries", "acked", "stale_acks",
	"waiting", "delayed", "in_flight", "dead", "expired", "dropped", "effects", "duplicates", "lost",
	"failures", "crashes", "ended_at", "ended_because", "wait", "sojourn",
	"effects_of", "amount", "dead_letters", "finished", "at", "queue", "pool",
}

// What stands after the dot, by the name before it.
var (
	spreadFields = []string{"mean", "p50", "p95", "max"}
	momentFields = []string{"waiting", "in_flight", "delayed", "dead", "acked", "accepted", "effects"}
	queueFields  = []string{
		"sent", "accepted", "refused", "deliveries", "redeliveries", "acked", "stale_acks",
		"waiting", "delayed", "in_flight", "dead", "expired", "dropped", "effects", "duplicates",
		"failures", "crashes", "lost", "max_waiting", "mean_waiting",
	}
	poolFields = []string{"busy", "mean_busy", "deliveries", "failures", "crashes"}
	fieldsOf   = map[string][]string{
		"wait": spreadFields, "sojourn": spreadFields, "at": momentFields, "queue": queueFields, "pool": poolFields,
	}
)

var options = &syntax.FileOptions{}

// Check reports what is wrong with an expression before any run: its syntax,
// names that do not exist, measures that a queue or a pool does not have.
func Check(text string) error {
	_, err := parse(text)
	return err
}

// CheckFor is Check, and also looks up the queues, pools, services and tables
// that the expression names in the scenario.
func CheckFor(s *scenario.Scenario, text string) error {
	e, err := parse(text)
	if err != nil {
		return err
	}
	syntax.Walk(e, func(n syntax.Node) bool {
		if call, ok := n.(*syntax.CallExpr); ok && err == nil {
			err = checkArgument(s, call)
		}
		return err == nil
	})
	return err
}

// Error is a fault in an expression.
type Error struct {
	Column int // within the text, from 1; 0 when unknown
	Text   string
}

func (e *Error) Error() string { return e.Text }

func parse(text string) (syntax.Expr, error) {
	if len(text) > MaxExpressionBytes {
		return nil, &Error{Text: fmt.Sprintf("an expression has at most %d characters, this one has %d", MaxExpressionBytes, len(text))}
	}
	e, err := options.ParseExpr("", text, 0)
	if err != nil {
		var fault syntax.Error
		if errors.As(err, &fault) {
			return nil, &Error{Column: int(fault.Pos.Col), Text: "this is not an expression: " + fault.Msg + "; write one such as lost == 0"}
		}
		return nil, &Error{Text: err.Error()}
	}
	if err := checkNames(e); err != nil {
		return nil, err
	}
	return e, checkFields(e)
}

func checkNames(e syntax.Expr) error {
	known := func(name string) bool { return slices.Contains(Names, name) }
	_, err := resolve.ExprOptions(options, e, known, starlark.Universe.Has)
	var list resolve.ErrorList
	if !errors.As(err, &list) || len(list) == 0 {
		return err
	}
	first := list[0]
	text := first.Msg
	if name, ok := strings.CutPrefix(text, "undefined: "); ok {
		name, _, _ = strings.Cut(name, " ")
		text = fmt.Sprintf("%s is not a measure of a run; %s", name, suggest(name, Names))
	}
	return &Error{Column: int(first.Pos.Col), Text: text}
}

// checkFields looks at what stands after the dots, as in wait.p90.
func checkFields(e syntax.Expr) (err error) {
	syntax.Walk(e, func(n syntax.Node) bool {
		dot, ok := n.(*syntax.DotExpr)
		if !ok || err != nil {
			return err == nil
		}
		owner := dot.X
		if call, ok := owner.(*syntax.CallExpr); ok {
			owner = call.Fn
		}
		name, ok := owner.(*syntax.Ident)
		if !ok {
			return true
		}
		fields, ok := fieldsOf[name.Name]
		if ok && !slices.Contains(fields, dot.Name.Name) {
			err = &Error{Column: int(dot.Name.NamePos.Col), Text: fmt.Sprintf("%s has no .%s; %s", name.Name, dot.Name.Name, suggest(dot.Name.Name, fields))}
		}
		return err == nil
	})
	return err
}

// checkArgument looks up the name in a call such as queue("orders").
func checkArgument(s *scenario.Scenario, call *syntax.CallExpr) error {
	fn, ok := call.Fn.(*syntax.Ident)
	if !ok || len(call.Args) == 0 {
		return nil
	}
	arg, ok := call.Args[0].(*syntax.Literal)
	if !ok {
		return nil
	}
	name, ok := arg.Value.(string)
	if !ok {
		return nil
	}
	what, names := namesFor(s, fn.Name)
	if what == "" || slices.Contains(names, name) {
		return nil
	}
	return &Error{Column: int(arg.TokenPos.Col), Text: fmt.Sprintf("there is no %s %q; %s", what, name, suggest(name, names))}
}

// namesFor returns what a function's first argument names, and which there are.
func namesFor(s *scenario.Scenario, function string) (what string, names []string) {
	switch function {
	case "queue", "dead_letters":
		return "queue", s.QueueNames()
	case "pool":
		for i := range s.Workers {
			names = append(names, s.Workers[i].Name)
		}
		return "pool", names
	case "effects_of", "amount":
		for i := range s.Services {
			names = append(names, s.Services[i].Name)
		}
		for i := range s.Tables {
			names = append(names, s.Tables[i].Name)
		}
		return "service or table", names
	}
	return "", nil
}

// Eval evaluates an expression over the outcome. Counts are whole numbers,
// times are seconds; ids are numbers or texts, as the scenario gives them.
func (o *Outcome) Eval(text string) (starlark.Value, error) {
	if err := CheckFor(o.Scenario, text); err != nil {
		return nil, err
	}
	thread := &starlark.Thread{Name: "expect", Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(MaxExpressionSteps)
	e, err := options.ParseExpr("", text, 0)
	if err != nil {
		return nil, err
	}
	v, err := starlark.EvalExprOptions(options, thread, metered(e), o.bindings())
	if err == nil {
		return v, nil
	}
	if strings.Contains(err.Error(), "too many steps") {
		return nil, &Error{Text: errSteps.Error()}
	}
	var fault *starlark.EvalError
	if errors.As(err, &fault) {
		return nil, &Error{Text: fault.Msg}
	}
	return nil, &Error{Text: err.Error()}
}

// test returns "" when the expectation holds, and else what there is instead.
func (o *Outcome) test(text string) string {
	v, err := o.Eval(text)
	if err != nil {
		return err.Error()
	}
	if b, ok := v.(starlark.Bool); ok {
		if b {
			return ""
		}
		return o.explain(text)
	}
	return fmt.Sprintf("it is %s, neither True nor False; compare it with something, as in lost == 0", v)
}

// explain says what the measures in an expression are: "lost is 1, acked is 5".
func (o *Outcome) explain(text string) string {
	e, err := options.ParseExpr("", text, 0)
	if err != nil {
		return ""
	}
	var parts []string
	syntax.Walk(e, func(n syntax.Node) bool {
		if n == nil || !measures(n) {
			return true
		}
		start, end := n.Span()
		part := slice(text, start, end)
		if v, err := o.Eval(part); err == nil {
			if said := part + " is " + v.String(); !slices.Contains(parts, said) {
				parts = append(parts, said)
			}
		}
		return false
	})
	if len(parts) == 0 {
		return "it is False"
	}
	return strings.Join(parts, ", ")
}

// measures reports whether a node is one measure as a whole: lost, wait.max,
// queue("orders").waiting, effects_of("send_email", 101).
func measures(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Ident:
		return slices.Contains(Names, n.Name)
	case *syntax.CallExpr:
		name, ok := n.Fn.(*syntax.Ident)
		return ok && slices.Contains(Names, name.Name)
	case *syntax.DotExpr:
		return measures(n.X)
	}
	return false
}

// slice returns what stands between two places of a text.
func slice(text string, start, end syntax.Position) string {
	return text[offset(text, start):offset(text, end)]
}

// offset turns a line and column, which counts characters, into an offset.
func offset(text string, p syntax.Position) int {
	line, column := int32(1), int32(1)
	for i, r := range text {
		if line == p.Line && column == p.Col {
			return i
		}
		if column++; r == '\n' {
			line, column = line+1, 1
		}
	}
	return len(text)
}

// bindings are the names and their values.
func (o *Outcome) bindings() starlark.StringDict {
	d := starlark.StringDict{
		"lost":          starlark.MakeInt(o.Lost),
		"ended_at":      seconds(o.EndedAt),
		"ended_because": starlark.String(o.EndedBecause),
		"wait":          spreadRecord("wait", o.Wait),
		"sojourn":       spreadRecord("sojourn", o.Sojourn),
		"finished":      o.finished(),
		"effects_of":    starlark.NewBuiltin("effects_of", o.effectsOf),
		"amount":        starlark.NewBuiltin("amount", o.amount),
		"dead_letters":  starlark.NewBuiltin("dead_letters", o.deadLetters),
		"at":            starlark.NewBuiltin("at", o.at),
		"queue":         starlark.NewBuiltin("queue", o.queue),
		"pool":          starlark.NewBuiltin("pool", o.pool),
	}
	for _, f := range o.Counts.fields() {
		d[f.name] = f.value
	}
	maps.Copy(d, meterNames)
	return d
}

// fields are the counts by name, in the order of the table in scenario.md.
func (c Counts) fields() []field {
	var fields []field
	for _, f := range c.list() {
		fields = append(fields, field{f.name, starlark.MakeInt(f.n)})
	}
	return fields
}

type namedCount struct {
	name string
	n    int
}

func (c Counts) list() []namedCount {
	return []namedCount{
		{"sent", c.Sent}, {"accepted", c.Accepted}, {"refused", c.Refused},
		{"deliveries", c.Deliveries}, {"redeliveries", c.Redeliveries},
		{"acked", c.Acked}, {"stale_acks", c.StaleAcks},
		{"waiting", c.Waiting}, {"delayed", c.Delayed}, {"in_flight", c.InFlight},
		{"dead", c.Dead}, {"expired", c.Expired}, {"dropped", c.Dropped},
		{"effects", c.Effects}, {"duplicates", c.Duplicates},
		{"failures", c.Failures}, {"crashes", c.Crashes},
	}
}

func (o *Outcome) effectsOf(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var service string
	var key starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "service", &service, "key", &key); err != nil {
		return nil, err
	}
	t, err := o.target("effects_of", service)
	if err != nil || t == event.NoTarget {
		return starlark.MakeInt(0), err
	}
	return starlark.MakeInt(o.EffectsOf(t, keyOf(key))), nil
}

func keyOf(v starlark.Value) Key {
	if s, ok := starlark.AsString(v); ok {
		return Key{s, true}
	}
	return Key{v.String(), false}
}

func (o *Outcome) amount(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var service string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "service", &service); err != nil {
		return nil, err
	}
	t, err := o.target("amount", service)
	if err != nil || t == event.NoTarget {
		return starlark.MakeInt(0), err
	}
	return starlark.MakeInt64(o.Targets[t].Amount), nil
}

func (o *Outcome) deadLetters(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "queue", &name); err != nil {
		return nil, err
	}
	q, err := o.queueNamed("dead_letters", name)
	if err != nil {
		return nil, err
	}
	return o.ids(q.DeadLetters), nil
}

func (o *Outcome) at(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var when starlark.Value
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "seconds", &when); err != nil {
		return nil, err
	}
	s, ok := starlark.AsFloat(when)
	if !ok || math.IsNaN(s) {
		return nil, fmt.Errorf("at(seconds) takes a number such as at(1.5), not %s", when)
	}
	limit := scenario.MaxDuration.Seconds()
	t := event.Time(math.Round(min(max(s, -1), limit) * 1e9))
	m := o.At(t)
	return record{"at", []field{
		{"waiting", starlark.MakeInt(m.Waiting)}, {"in_flight", starlark.MakeInt(m.InFlight)},
		{"delayed", starlark.MakeInt(m.Delayed)}, {"dead", starlark.MakeInt(m.Dead)},
		{"acked", starlark.MakeInt(m.Acked)}, {"accepted", starlark.MakeInt(m.Accepted)},
		{"effects", starlark.MakeInt(m.Effects)},
	}}, nil
}

func (o *Outcome) queue(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	q, err := o.queueNamed("queue", name)
	if err != nil {
		return nil, err
	}
	fields := append(q.Counts.fields(),
		field{"lost", starlark.MakeInt(q.Lost)},
		field{"max_waiting", starlark.MakeInt(q.MaxWaiting)},
		field{"mean_waiting", starlark.Float(o.MeanWaiting(q))})
	return record{"queue", fields}, nil
}

func (o *Outcome) pool(_ *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var name string
	if err := starlark.UnpackArgs(b.Name(), args, kwargs, "name", &name); err != nil {
		return nil, err
	}
	i := slices.IndexFunc(o.Pools, func(p Pool) bool { return p.Name == name })
	if i < 0 {
		return nil, o.unknown("pool", name)
	}
	p := o.Pools[i]
	return record{"pool", []field{
		{"busy", starlark.Float(p.Busy())}, {"mean_busy", starlark.Float(o.MeanBusy(p))},
		{"deliveries", starlark.MakeInt(p.Deliveries)},
		{"failures", starlark.MakeInt(p.Failures)}, {"crashes", starlark.MakeInt(p.Crashes)},
	}}, nil
}

// queueNamed finds a queue. A dead-letter queue that no message needed is not
// in the log; it is empty.
func (o *Outcome) queueNamed(function, name string) (Queue, error) {
	for i := range o.Queues {
		if o.Queues[i].Name == name {
			return o.Queues[i], nil
		}
	}
	if _, names := namesFor(o.Scenario, "queue"); slices.Contains(names, name) {
		return Queue{Name: name}, nil
	}
	return Queue{}, o.unknown(function, name)
}

// target finds a service or table. One that the scenario has and the log does
// not is NoTarget: nothing came of it.
func (o *Outcome) target(function, name string) (event.TargetRef, error) {
	for i := range o.Targets {
		if o.Targets[i].Name == name {
			return event.TargetRef(i), nil
		}
	}
	if _, names := namesFor(o.Scenario, function); slices.Contains(names, name) {
		return event.NoTarget, nil
	}
	return event.NoTarget, o.unknown(function, name)
}

func (o *Outcome) unknown(function, name string) error {
	what, names := namesFor(o.Scenario, function)
	return fmt.Errorf("there is no %s %q; %s", what, name, suggest(name, names))
}

// finished is made once; it may be long.
func (o *Outcome) finished() *starlark.List {
	if o.finishedIDs == nil {
		o.finishedIDs = o.ids(o.Finished)
		o.finishedIDs.Freeze()
	}
	return o.finishedIDs
}

// ids returns the ids of messages as a list.
func (o *Outcome) ids(refs []event.MessageRef) *starlark.List {
	list := make([]starlark.Value, len(refs))
	for i, ref := range refs {
		if id := o.Log.MessageID(ref); id.Text != "" {
			list[i] = starlark.String(id.Text)
		} else {
			list[i] = starlark.MakeInt64(id.Number)
		}
	}
	return starlark.NewList(list)
}

func seconds(t event.Time) starlark.Float { return starlark.Float(t.Seconds()) }

func spreadRecord(name string, s Spread) record {
	return record{name, []field{
		{"mean", starlark.Float(s.Mean())}, {"p50", seconds(s.P50)}, {"p95", seconds(s.P95)}, {"max", seconds(s.Max)},
	}}
}
