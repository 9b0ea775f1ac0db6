package handler

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/spelling"
)

func nearest(name string, known []string) string { return spelling.Nearest(name, known) }

func mapsKeys(d starlark.StringDict) iter.Seq[string] { return maps.Keys(d) }

// run is one run of a handler by one worker, kept in its thread.
type run struct {
	host    Host
	thread  *starlark.Thread
	message messageValue
	line    int
	limit   uint64 // of the thread's steps; the line hook's own do not count
	memory  int    // bytes made so far, as the meter counts them
	counted uint64 // steps that the host knows of
	breath  uint64 // steps at which the host is next let breathe
	args    starlark.Tuple
	program *Program
}

const runKey = "run"

// stepsOfHook is what a call of the line hook adds to the step count: two
// operands, the call and the discarding of its result.
const stepsOfHook = 4

// stepsABreath is how many steps a handler runs before its host may breathe:
// a few milliseconds' worth in WebAssembly.
const stepsABreath = 10_000

// Start returns a runner for one worker.
func (p *Program) Start() Runner {
	r := &run{program: p, thread: &starlark.Thread{Name: "worker"}}
	r.thread.SetLocal(runKey, r)
	r.thread.Print = func(t *starlark.Thread, text string) {
		if err := r.host.Print(text); err != nil {
			t.Cancel(err.Error())
		}
	}
	r.args = starlark.Tuple{&r.message}
	return r
}

// Run calls on_message for the host's message.
func (r *run) Run(h Host) error {
	r.host, r.line, r.memory = h, 0, 0
	r.message = messageValue{m: h.Message()}
	r.thread.Uncancel()
	r.limit = r.thread.Steps + scenario.MaxSteps
	r.thread.SetMaxExecutionSteps(r.limit)
	r.breath = r.thread.Steps + stepsABreath
	_, err := starlark.Call(r.thread, r.program.onMessage, r.args, nil)
	if b, ok := h.(Breather); ok {
		r.count(b)
	}
	if err == nil {
		return nil
	}
	if errors.Is(err, ErrCrash) {
		return ErrCrash
	}
	return r.failure(err)
}

// count tells the steps that were run since the last time.
func (r *run) count(b Breather) {
	b.Ran(r.thread.Steps - r.counted)
	r.counted = r.thread.Steps
}

func (r *run) failure(err error) *Failure {
	text := err.Error()
	var eval *starlark.EvalError
	if errors.As(err, &eval) {
		text = plain(eval.Msg)
	}
	if r.thread.ExecutionSteps() >= r.limit {
		return &Failure{Line: r.line, Endless: true, Text: fmt.Sprintf("it ran for %d steps without an end: is there a loop that never stops?", scenario.MaxSteps)}
	}
	return &Failure{Line: r.line, Text: text}
}

type builtin = func(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error)

// wrap makes a builtin of f, which can only be used while a message is being
// handled.
func wrap(name string, f builtin) *starlark.Builtin {
	return starlark.NewBuiltin(name, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		r, ok := t.Local(runKey).(*run)
		if !ok {
			return nil, fmt.Errorf("%s can only be called in on_message, while there is a message", name)
		}
		return f(r, name, args, kwargs)
	})
}

func environment(names Names) starlark.StringDict {
	env := starlark.StringDict{
		lineHook:  wrap("line", hook),
		"ack":     wrap("ack", ack),
		"nack":    wrap("nack", nack),
		"reject":  wrap("reject", reject),
		"extend":  wrap("extend", extend),
		"sleep":   wrap("sleep", sleep),
		"now":     wrap("now", now),
		"fail":    starlark.NewBuiltin("fail", fail),
		"publish": wrap("publish", publisher(names.Queues)),
	}
	meterEnvironment(env)
	for _, s := range names.Services {
		env[s] = wrap(s, callService)
	}
	for _, t := range names.Tables {
		env[t] = newTable(t)
	}
	return env
}

func hook(r *run, _ string, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	r.limit += stepsOfHook
	r.thread.SetMaxExecutionSteps(r.limit)
	if r.thread.Steps >= r.breath {
		r.breath = r.thread.Steps + stepsABreath
		if b, ok := r.host.(Breather); ok {
			r.count(b)
			if err := b.Breathe(); err != nil {
				return nil, err
			}
		}
	}
	n, _ := args[0].(starlark.Int).Int64()
	if int(n) != r.line {
		r.line = int(n)
		if err := r.host.Line(r.line); err != nil {
			return nil, err
		}
	}
	return starlark.None, nil
}

// own checks that the argument of ack and its like is the message at hand.
func (r *run) own(name string, v starlark.Value) error {
	if m, ok := v.(*messageValue); !ok || m != &r.message {
		return fmt.Errorf("%s takes the message: write %s(msg)", name, name)
	}
	return nil
}

// onlyMessage checks the arguments of a builtin that takes just the message.
func (r *run) onlyMessage(name string, args starlark.Tuple, kwargs []starlark.Tuple) error {
	if len(args) == 1 && len(kwargs) == 0 {
		return r.own(name, args[0])
	}
	var msg starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "msg", &msg); err != nil {
		return err
	}
	return r.own(name, msg)
}

func ack(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := r.onlyMessage(name, args, kwargs); err != nil {
		return nil, err
	}
	return starlark.Bool(r.host.Ack()), nil
}

func nack(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var msg, delay starlark.Value = nil, starlark.None
	if err := starlark.UnpackArgs(name, args, kwargs, "msg", &msg, "delay?", &delay); err != nil {
		return nil, err
	}
	if err := r.own(name, msg); err != nil {
		return nil, err
	}
	wait, err := optionalDuration("nack's delay", delay)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(r.host.Nack(wait)), nil
}

func optionalDuration(what string, v starlark.Value) (event.Time, error) {
	if v == starlark.None {
		return event.Never, nil
	}
	return toDuration(what, v)
}

func reject(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := r.onlyMessage(name, args, kwargs); err != nil {
		return nil, err
	}
	return starlark.Bool(r.host.Reject()), nil
}

func extend(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var msg, seconds starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "msg", &msg, "seconds", &seconds); err != nil {
		return nil, err
	}
	if err := r.own(name, msg); err != nil {
		return nil, err
	}
	by, err := toDuration(name, seconds)
	if err != nil {
		return nil, err
	}
	return starlark.Bool(r.host.Extend(by)), nil
}

func sleep(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var seconds starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "seconds", &seconds); err != nil {
		return nil, err
	}
	d, err := toDuration(name, seconds)
	if err != nil {
		return nil, err
	}
	return starlark.None, r.host.Sleep(d)
}

func now(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if err := starlark.UnpackArgs(name, args, kwargs); err != nil {
		return nil, err
	}
	return starlark.Float(r.host.Now().Seconds()), nil
}

func fail(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(kwargs) > 0 {
		return nil, errors.New("fail takes no named arguments: write fail(\"what went wrong\")")
	}
	if err := chargeDeep(t, args...); err != nil {
		return nil, err
	}
	var parts []string
	for _, a := range args {
		if s, ok := starlark.AsString(a); ok {
			parts = append(parts, s)
		} else {
			parts = append(parts, a.String())
		}
	}
	if len(parts) == 0 {
		return nil, errors.New("failed")
	}
	return nil, errors.New(strings.Join(parts, " "))
}

func callService(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if len(args) == 1 && len(kwargs) == 0 { // nearly every call, without the allocations below
		k, err := toKey(args[0])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return starlark.None, r.host.Call(name, Call{Key: k})
	}
	return callWithAmount(r, name, args, kwargs)
}

func callWithAmount(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	var key, amount, once starlark.Value = nil, starlark.MakeInt(0), starlark.None
	if err := starlark.UnpackArgs(name, args, kwargs, "key", &key, "amount?", &amount, "idempotency_key?", &once); err != nil {
		return nil, err
	}
	var c Call
	var err error
	if c.Key, err = toKey(key); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if c.Amount, err = toAmount(amount); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if once != starlark.None {
		k, err := toKey(once)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.IdempotencyKey = &k
	}
	return starlark.None, r.host.Call(name, c)
}

func toAmount(v starlark.Value) (int64, error) {
	i, ok := v.(starlark.Int)
	if !ok {
		return 0, fmt.Errorf("amounts are whole numbers, not the %s %s: write cents", v.Type(), v)
	}
	n, ok := i.Int64()
	if !ok || n > 1e15 || n < -1e15 {
		return 0, fmt.Errorf("the amount %s is too large: write at most 10^15", i)
	}
	return n, nil
}

func publisher(queues []string) builtin {
	known := map[string]bool{}
	for _, q := range queues {
		known[q] = true
	}
	return func(r *run, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var to string
		var body, key, id, kind, priority, delay starlark.Value = nil, starlark.None, starlark.None, starlark.None, starlark.MakeInt(0), starlark.None
		if err := starlark.UnpackArgs(name, args, kwargs, "to", &to, "body", &body, "key?", &key, "id?", &id, "type?", &kind, "priority?", &priority, "delay?", &delay); err != nil {
			return nil, err
		}
		if !known[to] {
			return nil, unknownQueue(to, queues)
		}
		p := Publication{To: to}
		if err := fillPublication(&p, body, key, id, kind, priority, delay); err != nil {
			return nil, fmt.Errorf("publish: %w", err)
		}
		taken, err := r.host.Publish(p)
		return starlark.Bool(taken), err
	}
}

func unknownQueue(to string, queues []string) error {
	if near := nearest(to, queues); near != "" {
		return fmt.Errorf("publish: there is no queue or topic %q: did you mean %q?", to, near)
	}
	return fmt.Errorf("publish: there is no queue or topic %q: there are %s", to, strings.Join(queues, ", "))
}

func fillPublication(p *Publication, body, key, id, kind, priority, delay starlark.Value) (err error) {
	if p.Body, err = fromStarlark(body, 0); err != nil {
		return err
	}
	if key != starlark.None {
		k, err := toKey(key)
		if err != nil {
			return err
		}
		p.Key, p.KeyNumber = k.Text, !k.IsText
	}
	switch v := id.(type) {
	case starlark.NoneType:
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return fmt.Errorf("the id %s is too large", v)
		}
		p.ID, p.HasID = event.ID{Number: n}, true
	case starlark.String:
		if v == "" {
			return errors.New("an id cannot be empty: write a number or a text")
		}
		p.ID, p.HasID = event.ID{Text: string(v)}, true
	default:
		return fmt.Errorf("an id is a number or a text, not a %s", v.Type())
	}
	if kind != starlark.None {
		s, ok := starlark.AsString(kind)
		if !ok {
			return fmt.Errorf("a type is a text, not a %s", kind.Type())
		}
		p.Type = s
	}
	i, ok := priority.(starlark.Int)
	if !ok {
		return fmt.Errorf("a priority is a whole number, not a %s", priority.Type())
	}
	if p.Priority, ok = i.Int64(); !ok || p.Priority > 1e9 || p.Priority < -1e9 {
		return fmt.Errorf("the priority %s is too large: write at most 10^9", i)
	}
	p.Delay, err = optionalDuration("delay", delay)
	return err
}

// newTable returns the value that a table's name stands for: a module with a
// function for each operation.
func newTable(name string) *tableValue {
	t := &tableValue{name: name, methods: map[string]*starlark.Builtin{}}
	for op, f := range tableMethods {
		t.methods[op] = wrap(name+"."+op, func(r *run, full string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			v, err := f(r.host.Table(name), full, args, kwargs)
			if err != nil && !errors.Is(err, ErrCrash) {
				return nil, fmt.Errorf("%s: %w", full, err)
			}
			return v, err
		})
	}
	return t
}

type tableValue struct {
	name    string
	methods map[string]*starlark.Builtin
}

var tableOperations = []string{"add", "delete", "get", "has", "insert", "set"}

func (t *tableValue) String() string        { return "table " + t.name }
func (t *tableValue) Type() string          { return "table" }
func (t *tableValue) Freeze()               {}
func (t *tableValue) Truth() starlark.Bool  { return true }
func (t *tableValue) Hash() (uint32, error) { return starlark.String(t.name).Hash() }
func (t *tableValue) AttrNames() []string   { return tableOperations }

func (t *tableValue) Attr(name string) (starlark.Value, error) {
	if m, ok := t.methods[name]; ok {
		return m, nil
	}
	if near := nearest(name, tableOperations); near != "" {
		return nil, fmt.Errorf("a table has no .%s: did you mean .%s?", name, near)
	}
	return nil, fmt.Errorf("a table has no .%s: it has .%s", name, strings.Join(tableOperations, ", ."))
}

var tableMethods = map[string]func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error){
	"has": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		k, err := onlyKey(name, args, kwargs)
		if err != nil {
			return nil, err
		}
		found, err := t.Has(k)
		return starlark.Bool(found), err
	},
	"get": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		k, err := onlyKey(name, args, kwargs)
		if err != nil {
			return nil, err
		}
		v, err := t.Get(k)
		return toStarlark(v), err
	},
	"delete": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		k, err := onlyKey(name, args, kwargs)
		if err != nil {
			return nil, err
		}
		return starlark.None, t.Delete(k)
	},
	"set": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var key, value starlark.Value
		if err := starlark.UnpackArgs(name, args, kwargs, "key", &key, "value", &value); err != nil {
			return nil, err
		}
		k, err := toKey(key)
		if err != nil {
			return nil, err
		}
		v, err := fromStarlark(value, 0)
		if err != nil {
			return nil, err
		}
		return starlark.None, t.Set(k, v)
	},
	"add": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var key, amount starlark.Value = nil, starlark.MakeInt(0)
		if err := starlark.UnpackArgs(name, args, kwargs, "key", &key, "amount?", &amount); err != nil {
			return nil, err
		}
		k, err := toKey(key)
		if err != nil {
			return nil, err
		}
		n, err := toAmount(amount)
		if err != nil {
			return nil, err
		}
		return starlark.None, t.Add(k, n)
	},
	"insert": func(t Table, name string, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
		var key, value, amount starlark.Value = nil, starlark.None, starlark.MakeInt(0)
		if err := starlark.UnpackArgs(name, args, kwargs, "key", &key, "value?", &value, "amount?", &amount); err != nil {
			return nil, err
		}
		k, err := toKey(key)
		if err != nil {
			return nil, err
		}
		v, err := fromStarlark(value, 0)
		if err != nil {
			return nil, err
		}
		n, err := toAmount(amount)
		if err != nil {
			return nil, err
		}
		inserted, err := t.Insert(k, v, n)
		return starlark.Bool(inserted), err
	},
}

func onlyKey(name string, args starlark.Tuple, kwargs []starlark.Tuple) (Key, error) {
	var key starlark.Value
	if err := starlark.UnpackArgs(name, args, kwargs, "key", &key); err != nil {
		return Key{}, err
	}
	return toKey(key)
}
