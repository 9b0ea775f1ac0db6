package scenario

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

func TestReadJSONMistakes(t *testing.T) {
	for src, said := range map[string]string{
		``:                       "1:1: a value is missing at the end",
		`{`:                      `1:2: a field name in double quotes belongs here, such as "queues"`,
		`{"a"}`:                  `1:5: a colon belongs after "a"`,
		`{"a": 1,}`:              `1:9: there is a comma before "}": leave it out`,
		`[1 2]`:                  `1:4: a comma or "]" belongs here`,
		`{"a": 1, "a": 2}`:       `1:10: "a" stands here twice, first on line 1: keep one`,
		"{\n  \"é\": x}":         `2:8: "x" is not JSON: texts stand in double quotes`,
		`[01]`:                   `1:2: "01" is not JSON: texts stand in double quotes`,
		`[.5]`:                   `1:2: ".5" is not JSON: texts stand in double quotes`,
		`["a`:                    "1:4: the closing quote of this text is missing",
		"[\"a\nb\"]":             "1:4: the closing quote of this text is missing",
		"[\"a\tb\"]":             `1:4: control characters in a text are written with a backslash, such as \n`,
		`["\x"]`:                 `1:3: a backslash in a text is written \\`,
		`["\u12"]`:               `1:3: four hexadecimal digits belong after \u`,
		`["\ud800"]`:             `1:9: half of a character: its second \u is missing`,
		`["\ud800\u0041"]`:       `1:15: these two \u do not make one character`,
		`{} {}`:                  "1:4: there is something after the end of the value: one file holds one scenario",
		"\xff":                   "1:1: this is not text in UTF-8",
		strings.Repeat("[", 100): "1:33: more than 32 levels are nested here, which is the limit",
		"{\"title\": \"" + strings.Repeat("x", MaxSourceBytes) + "\"}": "1:1: the scenario has 1048589 bytes, more than the limit of 1048576: send long streams with rate and count instead of one by one",
	} {
		_, problems := ReadJSON([]byte(src))
		assert.Equal(t, said, problems.Error(), src)
	}
}

func TestReadJSONPlaces(t *testing.T) {
	n, problems := ReadJSON([]byte("{\n  \"title\": \"é\", \"seed\": 7,\n  \"list\": [1, 2.5, true, null, \"\\u00e9\\n\\ud83d\\ude00\"]\n}"))
	require.NoError(t, problems.Err())
	assert.Equal(t, [2]int{2, 12}, [2]int{n.Field("title").Line, n.Field("title").Column})
	assert.Equal(t, [2]int{2, 25}, [2]int{n.Field("seed").Line, n.Field("seed").Column})
	assert.Equal(t, [2]int{2, 17}, [2]int{n.Fields[1].Line, n.Fields[1].Column})
	list := n.Field("list")
	var kinds []NodeKind
	for _, item := range list.Items {
		kinds = append(kinds, item.Kind)
	}
	assert.Equal(t, []NodeKind{IntNode, FloatNode, BoolNode, NullNode, TextNode}, kinds)
	assert.Equal(t, "é\n\U0001F600", list.Items[4].Text)
	assert.Nil(t, n.Field("none"))
}

// TestDefaults: a scenario that says nothing has the defaults of the language.
func TestDefaults(t *testing.T) {
	s, problems := DecodeJSON([]byte(`{
		"queues": {"orders": {}, "mails": {"max_receives": 2}},
		"producers": {
			"shop": {"to": "orders", "send": [{}, {"id": "x"}], "first_id": 101},
			"stream": {"to": "orders", "rate": "8/s", "count": 5},
			"patient": {"to": "orders", "rate": "8/s", "count": 5, "when_full": "retry"}
		},
		"services": {"mail": {}}, "tables": {"seen": {}},
		"workers": {"mailer": {"from": "orders", "handler": "x", "crash": {"probability": "10%"}}}
	}`))
	require.NoError(t, problems.Err())
	retry := Retry{Base: event.Second, Cap: event.Minute}
	assert.Equal(t, Queue{Name: "orders", VisibilityTimeout: 30 * event.Second, Retry: retry}, s.Queues[0])
	assert.Equal(t, DefaultQueue("orders"), s.Queues[0])
	assert.Equal(t, "mails-dead", s.Queues[1].DeadLetter)
	assert.Equal(t, Limits{Events: 1_000_000, Time: 24 * event.Hour}, s.Limits)
	assert.Equal(t, uint64(1), s.Seed)
	assert.Equal(t, event.Never, s.Until)
	assert.Equal(t, Producer{
		Name: "shop", To: "orders", FirstID: 101, Until: event.Never, Delay: event.Never, Retry: retry,
		Send: []Message{
			{ID: event.ID{Number: 101}, Delay: event.Never},
			{ID: event.ID{Text: "x"}, Delay: event.Never},
		},
	}, s.Producers[0])
	assert.Equal(t, Producer{
		Name: "stream", To: "orders", Rate: Rate{8, event.Second}, Count: 5, FirstID: 1,
		Until: event.Never, Delay: event.Never, Retry: retry,
	}, s.Producers[1])
	assert.Equal(t, Retry{Backoff: Fixed, Base: event.Second, Cap: event.Minute}, s.Producers[2].Retry)
	assert.Equal(t, Service{Name: "mail", Error: "mail failed", Fails: Fails{From: event.Never, To: event.Never}}, s.Services[0])
	assert.Equal(t, Table{Name: "seen"}, s.Tables[0])
	assert.Equal(t, Pool{
		Name: "mailer", From: []string{"orders"}, Count: 1, Prefetch: 1, RestartAfter: event.Second,
		Handler: "x", Crash: Crash{Probability: Certain / 10, Where: Anywhere},
	}, s.Workers[0])
}

func TestBodies(t *testing.T) {
	s, problems := DecodeJSON([]byte(`{"queues": {"q": {}}, "producers": {"p": {"to": "q", "send": [
		{"body": {"z": 1, "a": [1.0, "t", true, null, {}], "e": []}, "key": 7, "type": "order", "priority": -2, "delay": "0s"}
	]}}}`))
	require.NoError(t, problems.Err())
	m := s.Producers[0].Send[0]
	assert.Equal(t, event.Object{
		{Name: "z", Value: int64(1)},
		{Name: "a", Value: []any{1.0, "t", true, nil, event.Object{}}},
		{Name: "e", Value: []any{}},
	}, m.Body)
	assert.Equal(t, "7", m.Key)
	assert.True(t, m.KeyGiven)
	assert.Equal(t, int64(-2), m.Priority)
	assert.Equal(t, Duration(0), m.Delay)
	assert.Equal(t, `{"queues":{"q":{}},"producers":{"p":{"to":"q","send":[{"id":1,"body":{"z":1,"a":[1.0,"t",true,null,{}],"e":[]},"key":7,"type":"order","priority":-2,"delay":"0s"}]}}}`, string(s.EncodeJSON()))
}

func TestAnIdOfZeroIsWritten(t *testing.T) {
	const text = `{"queues":{"orders":{}},"producers":{"shop":{"to":"orders","send":[{"id":0}]}}}`
	s, problems := DecodeJSON([]byte(text))
	require.Empty(t, problems)
	assert.Equal(t, text, string(s.EncodeJSON()), "without its id the message would be given another")
}
