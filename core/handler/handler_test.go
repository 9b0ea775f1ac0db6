package handler

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

var shop = Names{Services: []string{"send_email"}, Tables: []string{"seen"}, Queues: []string{"orders", "mails"}}

func TestMistakesSayWhereAndWhatToWrite(t *testing.T) {
	for name, c := range map[string]struct {
		source string
		want   []string
	}{
		"no colon":         {"def on_message(msg)\n    ack(msg)", []string{"1:20: line 1 of the handler needs a colon at its end: write def on_message(msg):"}},
		"no colon at if":   {"def on_message(msg):\n    if msg.id\n        ack(msg)", []string{"2:14: line 2 of the handler needs a colon at its end: write if msg.id:"}},
		"empty block":      {"def on_message(msg):\nack(msg)", []string{"2:4: something must stand below the colon of line 1 of the handler, indented: write at least pass"}},
		"indent":           {"def on_message(msg):\n    ack(msg)\n        ack(msg)", []string{"3:9: line 3 of the handler is indented further than the line above it: start it in the same column"}},
		"bracket":          {"def on_message(msg):\n    ack(msg", []string{"2:12: a bracket that opens on line 2 of the handler is not closed: close it where what it holds ends"}},
		"bracket above":    {"def on_message(msg):\n    if msg.id == 1:\n        ack(msg\n    ack(msg)\n", []string{"3:16: a bracket that opens on line 3 of the handler is not closed"}},
		"bracket at end":   {"def on_message(msg):\n    print(\"(\", [1, 2\n", []string{"2:21: a bracket that opens on line 2 of the handler"}},
		"no parameter":     {"def on_message():\n    ack(msg)\n", []string{"1:5: on_message takes one message: write def on_message(msg):"}},
		"load":             {"load(\"x.star\", \"y\")\n", []string{"1:1: there is nothing to load"}},
		"garbage":          {"asdf ((( ]]\n", []string{"this cannot be read: there is ']' in place of"}},
		"quote":            {"def on_message(msg):\n    fail(\"no)\n", []string{"a text on line 2 of the handler is not closed"}},
		"import":           {"import time\n", []string{"a handler cannot import anything"}},
		"try":              {"def on_message(msg):\n    try:\n        ack(msg)\n", []string{"there is no try in a handler"}},
		"class":            {"class A:\n    pass\n", []string{"1:1: there are no classes in a handler: write functions"}},
		"async":            {"async def on_message(msg):\n    pass\n", []string{"1:1: a handler waits by itself: leave async"}},
		"raise":            {"def on_message(msg):\n    raise ValueError(1)\n", []string{`2:5: there is no raise in a handler: write fail("what went wrong")`}},
		"assert":           {"def on_message(msg):\n    assert msg.key\n", []string{"there is no assert in a handler: write if not"}},
		"with":             {"def on_message(msg):\n    with x:\n        pass\n", []string{"2:5: there is no with in a handler"}},
		"yield":            {"def on_message(msg):\n    yield 1\n", []string{"2:5: there is no yield in a handler: write return"}},
		"global":           {"def on_message(msg):\n    global n\n", []string{"2:5: a handler keeps nothing from one message to the next"}},
		"del":              {"def on_message(msg):\n    del msg.body[1]\n", []string{"2:5: there is no del in a handler: write d.pop(key)"}},
		"is":               {"def on_message(msg):\n    if msg.key is None:\n        pass\n", []string{"2:16: there is no `is` in a handler: write =="}},
		"one =":            {"def on_message(msg):\n    if msg.id = 5:\n        pass\n", []string{"2:15: one = stores a value: write == to compare"}},
		"three compared":   {"def on_message(msg):\n    if 1 < msg.id < 5:\n        pass\n", []string{"only two values are compared at a time: write a < b and b < c"}},
		"&&":               {"def on_message(msg):\n    if msg.id && msg.key:\n        pass\n", []string{"write `and` in place of &&"}},
		"||":               {"def on_message(msg):\n    if msg.id || msg.key:\n        pass\n", []string{"write `or` in place of ||"}},
		"!":                {"def on_message(msg):\n    if !msg.key:\n        pass\n", []string{"2:8: write `not` in place of !"}},
		"power":            {"def on_message(msg):\n    x = 2 ** 3\n", []string{"2:11: there is no ** in a handler: write a product"}},
		"closed twice":     {"def on_message(msg):\n    ack(msg))\n", []string{"2:13: a bracket is closed here that was not opened: leave it out"}},
		"types":            {"def on_message(msg: int) -> None:\n    pass\n", []string{"1:19: there are no types in a handler"}},
		"returns":          {"def on_message(msg) -> None:\n    pass\n", []string{"1:21: there are no types in a handler"}},
		"decorator":        {"@once\ndef on_message(msg):\n    pass\n", []string{"1:1: there are no decorators in a handler"}},
		"f-text":           {"def on_message(msg):\n    print(f\"order {msg.id}\")\n", []string{`there are no f-texts in a handler: write "order %s" % msg.id`}},
		"misspelt service": {"def on_message(msg):\n    send_mail(msg.id)\n    akc(msg)\n", []string{`2:5: there is no "send_mail" here: did you mean send_email?`, `3:5: there is no "akc" here: did you mean ack?`}},
		"unknown":          {"def on_message(msg):\n    telephone(msg.id)\n", []string{`2:5: there is no "telephone" here: a handler can use ack, `}},
		"no handler":       {"x = 1\n", []string{"1:1: there is no on_message: write def on_message(msg):"}},
		"empty":            {"", []string{"1:1: there is no on_message"}},
		"parameters":       {"def on_message(a, b):\n    pass\n", []string{"1:5: on_message takes one message"}},
		"not a function":   {"on_message = 3\n", []string{"on_message is not a function"}},
		"at load":          {"ack(3)\ndef on_message(msg):\n    pass\n", []string{"1:4: ack can only be called in on_message"}},
		"endless at load":  {"while True:\n    pass\ndef on_message(msg):\n    pass\n", []string{"without an end"}},
		"too large":        {strings.Repeat("#", 20000), []string{"the handler has 20000 bytes: write at most 16384"}},
	} {
		t.Run(name, func(t *testing.T) {
			problems := Check(c.source, shop)
			require.Len(t, problems, len(c.want), "%v", problems)
			for i, p := range problems {
				assert.Contains(t, p.Error(), c.want[i])
			}
		})
	}
}

// fake is a Host that takes everything and notes what was asked of it.
type fake struct {
	message Message
	calls   []string
	crashAt int
}

func (f *fake) note(s string) { f.calls = append(f.calls, s) }

func (f *fake) Message() Message { return f.message }
func (f *fake) Line(n int) error {
	if n == f.crashAt {
		return ErrCrash
	}
	f.note("line " + string(rune('0'+n)))
	return nil
}
func (f *fake) Ack() bool { f.note("ack"); return true }
func (f *fake) Nack(d event.Time) bool {
	f.note("nack " + (event.ID{Number: int64(d)}).String())
	return true
}
func (f *fake) Reject() bool { f.note("reject"); return true }
func (f *fake) Extend(d event.Time) bool {
	f.note("extend " + (event.ID{Number: int64(d)}).String())
	return true
}
func (f *fake) Sleep(d event.Time) error {
	f.note("sleep " + (event.ID{Number: int64(d)}).String())
	return nil
}
func (f *fake) Now() event.Time         { return 1500 * event.Millisecond }
func (f *fake) Print(text string) error { f.note("print " + text); return nil }
func (f *fake) Table(string) Table      { return rows{} }
func (f *fake) Call(s string, c Call) error {
	f.note(s + " " + c.Key.Text)
	if c.Amount == 13 {
		return errors.New("mail server timed out")
	}
	return nil
}
func (f *fake) Publish(p Publication) (bool, error) { f.note("publish " + p.To); return true, nil }

// rows is a Table that is always empty.
type rows struct{}

func (rows) Has(Key) (bool, error)                { return false, nil }
func (rows) Get(Key) (any, error)                 { return nil, nil }
func (rows) Set(Key, any) error                   { return nil }
func (rows) Add(Key, int64) error                 { return nil }
func (rows) Insert(Key, any, int64) (bool, error) { return true, nil }
func (rows) Delete(Key) error                     { return nil }

func runOnce(t *testing.T, source string, f *fake) error {
	t.Helper()
	program, problems := Compile(source, shop)
	require.Empty(t, problems)
	return program.Start().Run(f)
}

func TestRunCallsTheHost(t *testing.T) {
	f := &fake{message: Message{ID: event.ID{Number: 101}, Receives: 2, Body: event.Object{{Name: "email", Value: "a@b"}}}}
	err := runOnce(t, `def on_message(msg):
    if msg.redelivered and "@" in msg.body["email"]:
        print(msg.id, msg.receives, now())
    send_email(msg.id)
    sleep(0.1)
    publish("mails", {"to": msg.body["email"]})
    ack(msg)
`, f)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"line 2", "line 3", "print 101 2 1.5", "line 4", "send_email 101", "line 5", "sleep 100000000",
		"line 6", "publish mails", "line 7", "ack",
	}, f.calls)
}

func TestFailuresKnowTheirLine(t *testing.T) {
	for name, c := range map[string]struct {
		source, want string
		line         int
	}{
		"fail":         {"def on_message(msg):\n    fail(\"bad address %r\" % msg.id)\n", `bad address 101`, 2},
		"service":      {"def on_message(msg):\n    ack(msg)\n    send_email(msg.id, amount=13)\n", "mail server timed out", 3},
		"endless":      {"def on_message(msg):\n    while True:\n        pass\n", "it ran for 1000000 steps without an end: is there a loop that never stops?", 3},
		"attribute":    {"def on_message(msg):\n    msg.boddy\n", "a message has no .boddy: did you mean .body?", 2},
		"not the msg":  {"def on_message(msg):\n    ack(msg.id)\n", "ack takes the message: write ack(msg)", 2},
		"queue":        {"def on_message(msg):\n    publish(\"order\", 1)\n", `publish: there is no queue or topic "order": did you mean "orders"?`, 2},
		"cents":        {"def on_message(msg):\n    send_email(msg.id, amount=1.5)\n", "send_email: amounts are whole numbers, not the float 1.5: write cents", 2},
		"negative":     {"def on_message(msg):\n    sleep(-1)\n", "sleep(-1): write seconds from 0 to 36000000", 2},
		"no body":      {"def on_message(msg):\n    msg.body[\"email\"]\n", "there is nothing to look into, only None: give the message a body, or ask first, as in if msg.body:", 2},
		"deep helper":  {"def help(x):\n    fail(x)\n\ndef on_message(msg):\n    help(\"no\")\n", "no", 2},
		"frozen":       {"L = []\ndef on_message(msg):\n    L.append(1)\n", "append: cannot append to frozen list", 3},
		"recursive":    {"def on_message(msg):\n    on_message(msg)\n", "function on_message called recursively", 2},
		"endless list": {"def on_message(msg):\n    publish(\"mails\", [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]])\n", "publish: a body is nested more than 32 deep", 2},
	} {
		t.Run(name, func(t *testing.T) {
			err := runOnce(t, c.source, &fake{message: Message{ID: event.ID{Number: 101}}})
			var failure *Failure
			require.ErrorAs(t, err, &failure)
			assert.Equal(t, c.want, failure.Text)
			assert.Equal(t, c.line, failure.Line)
		})
	}
}

func TestACrashUnwindsAndTheRunnerGoesOn(t *testing.T) {
	program, problems := Compile("def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n", shop)
	require.Empty(t, problems)
	runner := program.Start()
	f := &fake{crashAt: 3}
	require.ErrorIs(t, runner.Run(f), ErrCrash)
	assert.Equal(t, []string{"line 2", "send_email 0"}, f.calls)
	require.NoError(t, runner.Run(&fake{}))
}

func TestARunnerGoesOnAfterAnEndlessLoop(t *testing.T) {
	program, problems := Compile("def on_message(msg):\n    while msg.id == 1:\n        pass\n", shop)
	require.Empty(t, problems)
	runner := program.Start()
	require.Error(t, runner.Run(&fake{message: Message{ID: event.ID{Number: 1}}}))
	require.NoError(t, runner.Run(&fake{message: Message{ID: event.ID{Number: 2}}}))
}

func TestStepsOfHook(t *testing.T) {
	steps := func(source string) uint64 {
		program, problems := Compile(source, shop)
		require.Empty(t, problems)
		r := program.Start().(*run)
		require.NoError(t, r.Run(&fake{}))
		return r.thread.ExecutionSteps()
	}
	one := steps("def on_message(msg):\n    pass\n")
	two := steps("def on_message(msg):\n    pass\n    pass\n")
	assert.Equal(t, uint64(stepsOfHook), two-one, "pass itself takes no step")
}

func TestLineHookIsFree(t *testing.T) {
	// A pass of this loop takes ten steps, and four of the hook that do not
	// count: 90,000 passes are allowed, 110,000 are not.
	require.NoError(t, runOnce(t, "def on_message(msg):\n    n = 0\n    for i in range(90000):\n        n += 1\n", &fake{}))
	require.Error(t, runOnce(t, "def on_message(msg):\n    n = 0\n    for i in range(110000):\n        n += 1\n", &fake{}))
}

// TestNothingMakesMuchOfLittle: each of these would take gigabytes, or for
// ever, within a few steps.
func TestNothingMakesMuchOfLittle(t *testing.T) {
	for _, line := range []string{
		`x = "a" * 1000000000`,
		`x = [0] * 100000000`,
		`x = (0,) * 100000000`,
		`x = 1000000 * "abc" * 1000`,
		`x = list(range(1000000000))`,
		`x = tuple(range(1000000000))`,
		`x = sorted(range(1000000000))`,
		`x = max(range(1000000000))`,
		`x = any([False for i in range(1000000000)])`,
		`x = [list(range(60000)) for i in range(60000)]`,
		`x = dict(zip(range(1000000000), range(1000000000)))`,
		`x = max(*range(1000000000))`,
		`x = 1 << 1000000000`,
		`x = ",".join(["a" * 1000] * 60000)`,
		`x = ("a" * 1000000).replace("a", "b" * 100000)`,
		`x = ("{0}" * 100000).format("a" * 100000)`,
		`x = "%s" % ([["a" * 1000] * 1000] * 1000)`,
		`f = "x".join; x = f(["a" * 1000] * 60000)`,
		`f = getattr("a" * 100000, "replace"); x = f("a", "b" * 100000)`,
		`l = [1]; l.extend(range(1000000000))`,
		`d = {"s": "a"}; d["s"] *= 1000000000`,
		`l = [1]; l += range(1000000000)`,
	} {
		steps := strings.Split(line, "; ")
		source := "def on_message(msg):\n    " + strings.Join(steps, "\n    ") + "\n"
		err := runOnce(t, source, &fake{message: Message{Body: event.Object{{Name: "a", Value: int64(3)}}}})
		assert.Error(t, err, line)
	}
	for name, body := range map[string]string{
		"doubled text":         "s = \"a\"\n    for i in range(100):\n        s = s + s",
		"doubled in place":     "s = \"a\"\n    for i in range(100):\n        s += s",
		"doubled list":         "s = [1]\n    for i in range(100):\n        s += s",
		"doubled slices":       "s = [1] * 60000\n    k = []\n    for i in range(10000):\n        k.append(s[:])",
		"held twice, printed":  "s = [1]\n    for i in range(100):\n        s = [s, s]\n    print(s)",
		"held twice, compared": "s = [1]\n    r = [1]\n    for i in range(9):\n        s = [s] * 1000\n        r = [r] * 1000\n    x = s == r",
		"held twice, a key":    "s = (1,)\n    for i in range(100):\n        s = (s, s)\n    d = {s: 1}",
		"held twice, sent":     "s = [1]\n    for i in range(30):\n        s = [s, s]\n    publish(\"mails\", s)",
		"held twice, service":  "s = (1,)\n    for i in range(100):\n        s = (s, s)\n    send_email(s)",
		"many pieces":          "s = \"a \" * 400000\n    k = [s.split() for i in range(1000)]",
		"a called index":       "d = [\"a\"]\n    def f(): return 0\n    for i in range(100):\n        d[f()] += d[f()]",
		"big numbers":          "n = 3\n    for i in range(100):\n        n *= n",
	} {
		t.Run(name, func(t *testing.T) {
			assert.Error(t, runOnce(t, "def on_message(msg):\n    "+body+"\n", &fake{}))
		})
	}
}

func TestTheMeterChangesNothingElse(t *testing.T) {
	f := &fake{message: Message{Body: event.Object{{Name: "tags", Value: []any{"a", "b"}}}}}
	err := runOnce(t, `def check(got, want):
    if got != want:
        fail("%r is not %r" % (got, want))

def on_message(msg):
    x = [1]
    y = x
    x += [2]
    check(y, [1, 2])
    d = {"n": 1, "l": [1]}
    d["n"] += 4
    d["l"] += [2]
    check(d, {"n": 5, "l": [1, 2]})
    check(" ".join(msg.body["tags"]), "a b")
    check("a-%s-%d" % ("b", 3), "a-b-3")
    check("{x}".format(x = 3), "3")
    check([k for k, v in d.items() if v == 5], ["n"])
    check((1, 2) + (3,), (1, 2, 3))
    check("abc"[1:], "bc")
    check({"a": 1} | {"b": 2}, {"a": 1, "b": 2})
    a, b = (1, 2)
    check([a, b] * 2, [1, 2, 1, 2])
    check(3 in range(5) and "b" in msg.body["tags"] and 7 not in [1], True)
    f = "x".upper
    check(f() + str(3) + repr("a"), "X3\"a\"")
    check(sorted([3, 1, 2], reverse = True), [3, 2, 1])
    check(max(1, *[5, 3]), 5)
    check((lambda n = 2 + 1: n * 2)(), 6)
    check(1 << 4 | 1, 17)
    check(len(msg.body) in range(1000000000), True)
`, f)
	require.NoError(t, err)
}

func TestBodyIsTheWorkersOwnCopy(t *testing.T) {
	body := event.Object{{Name: "tags", Value: []any{int64(1)}}}
	f := &fake{message: Message{Body: body}}
	require.NoError(t, runOnce(t, "def on_message(msg):\n    msg.body[\"tags\"].append(2)\n    msg.body[\"x\"] = 1\n", f))
	assert.Equal(t, event.Object{{Name: "tags", Value: []any{int64(1)}}}, body)
}

func FuzzCompile(f *testing.F) {
	for _, source := range []string{
		"def on_message(msg):\n    ack(msg)\n", "def on_message(msg):\n    if seen.has(msg.id): return ack(msg)\n    elif msg.key:\n        nack(msg, 1)\n    else:\n        reject(msg)\n",
		"def f(x):\n  return [y for y in x if y]\ndef on_message(msg):\n  for i in f([1,2]): sleep(i)\n", "x = lambda: 1\ndef on_message(m): x()\n", "\t", "def", "\"\"\"", "while True: pass",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		program, problems := Compile(source, shop)
		if (program == nil) == (len(problems) == 0) {
			t.Fatalf("a program or problems, not %v and %v", program, problems)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 0 || p.Text == "" {
				t.Fatalf("problem without a place: %+v", p)
			}
		}
		if program != nil {
			_ = program.Start().Run(&fake{message: Message{ID: event.ID{Number: 1}}})
		}
	})
}
