package handler

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/big"
	"strconv"
	"strings"

	"go.starlark.net/starlark"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/meter"
)

// toStarlark returns a fresh, changeable copy of a body.
func toStarlark(v any) starlark.Value {
	switch v := v.(type) {
	case nil:
		return starlark.None
	case bool:
		return starlark.Bool(v)
	case int64:
		return starlark.MakeInt64(v)
	case float64:
		return starlark.Float(v)
	case string:
		return starlark.String(v)
	case []any:
		items := make([]starlark.Value, len(v))
		for i, item := range v {
			items[i] = toStarlark(item)
		}
		return starlark.NewList(items)
	case event.Object:
		dict := starlark.NewDict(len(v))
		for _, f := range v {
			_ = dict.SetKey(starlark.String(f.Name), toStarlark(f.Value)) // a fresh dict and a text key: cannot fail
		}
		return dict
	}
	panic(fmt.Sprintf("handler: a body holds a %T", v))
}

const maxDepth = 32

// maxKey is how large a tuple may be that is a key, as the meter weighs it.
const maxKey = 4 << 10

// fromStarlark copies a value that a handler publishes or stores.
func fromStarlark(v starlark.Value, depth int) (any, error) {
	if depth == 0 && meter.Size(v, maxValue) > maxValue {
		return nil, errValue
	}
	if depth > maxDepth {
		return nil, fmt.Errorf("a body is nested more than %d deep", maxDepth)
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return nil, fmt.Errorf("%s does not fit: write a number below 2^63", v)
		}
		return n, nil
	case starlark.Float:
		return float64(v), nil
	case starlark.String:
		return string(v), nil
	case *starlark.Dict:
		object := make(event.Object, 0, v.Len())
		for _, item := range v.Items() {
			name, ok := starlark.AsString(item[0])
			if !ok {
				return nil, fmt.Errorf("a body's keys are texts: write %q for %s", item[0].String(), item[0])
			}
			value, err := fromStarlark(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			object = append(object, event.Field{Name: name, Value: value})
		}
		return object, nil
	case starlark.Sequence:
		list := make([]any, 0, v.Len())
		for item := range elements(v) {
			value, err := fromStarlark(item, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	}
	return nil, fmt.Errorf("a body cannot hold a %s: write numbers, texts, lists and dicts", v.Type())
}

func elements(s starlark.Iterable) iter.Seq[starlark.Value] { return starlark.Elements(s) }

// toKey names what a value stands for as a key.
func toKey(v starlark.Value) (Key, error) {
	switch v := v.(type) {
	case starlark.String:
		return Key{string(v), true}, nil
	case starlark.Int, starlark.Bool, starlark.NoneType, starlark.Float:
		return Key{v.String(), false}, nil
	case starlark.Tuple:
		if meter.Size(v, maxKey) > maxKey {
			return Key{}, errors.New("a key this large cannot be told from others: write a number or a text, such as msg.id")
		}
		return Key{v.String(), false}, nil
	}
	return Key{}, fmt.Errorf("a %s cannot be a key: write a number or a text, such as msg.id", v.Type())
}

// toDuration turns seconds into virtual time, without going through floating
// point where the value has none.
func toDuration(what string, v starlark.Value) (event.Time, error) {
	switch v := v.(type) {
	case starlark.Int:
		n, ok := v.Int64()
		if ok && n >= 0 && n <= int64(maxWait/event.Second) {
			return event.Time(n) * event.Second, nil
		}
	case starlark.Float:
		// A float64 is an exact fraction; round it to the nanosecond exactly.
		if f := float64(v); f >= 0 && f <= maxWait.Seconds() && !math.IsNaN(f) {
			r := new(big.Rat).SetFloat64(f)
			r.Mul(r, big.NewRat(int64(event.Second), 1))
			return event.Time(roundRat(r)), nil
		}
	default:
		return 0, fmt.Errorf("%s takes seconds, not a %s: write a number such as 0.5", what, v.Type())
	}
	return 0, fmt.Errorf("%s(%s): write seconds from 0 to %d", what, v, int64(maxWait/event.Second))
}

const maxWait = 10_000 * event.Hour

func roundRat(r *big.Rat) int64 {
	twice := new(big.Int).Add(new(big.Int).Mul(r.Num(), big.NewInt(2)), r.Denom())
	return new(big.Int).Quo(twice, new(big.Int).Mul(r.Denom(), big.NewInt(2))).Int64()
}

// messageValue is msg in a handler.
type messageValue struct {
	m    Message
	body starlark.Value // made when it is first asked for
}

var messageAttributes = []string{"body", "id", "key", "receives", "redelivered", "sent_at", "type"}

func (m *messageValue) String() string        { return "message " + m.m.ID.String() }
func (m *messageValue) Type() string          { return "message" }
func (m *messageValue) Freeze()               {}
func (m *messageValue) Truth() starlark.Bool  { return true }
func (m *messageValue) Hash() (uint32, error) { return starlark.String(m.m.ID.String()).Hash() }
func (m *messageValue) AttrNames() []string   { return messageAttributes }

func (m *messageValue) Attr(name string) (starlark.Value, error) {
	switch name {
	case "id":
		if m.m.ID.Text != "" {
			return starlark.String(m.m.ID.Text), nil
		}
		return starlark.MakeInt64(m.m.ID.Number), nil
	case "key":
		if n, err := strconv.ParseInt(m.m.Key, 10, 64); m.m.KeyNumber && err == nil {
			return starlark.MakeInt64(n), nil
		}
		return textOrNone(m.m.Key), nil
	case "type":
		return textOrNone(m.m.Type), nil
	case "body":
		if m.body == nil {
			m.body = toStarlark(m.m.Body)
		}
		return m.body, nil
	case "receives":
		return starlark.MakeInt64(m.m.Receives), nil
	case "redelivered":
		return starlark.Bool(m.m.Receives > 1), nil
	case "sent_at":
		return starlark.Float(m.m.SentAt.Seconds()), nil
	}
	if near := nearest(name, messageAttributes); near != "" {
		return nil, fmt.Errorf("a message has no .%s: did you mean .%s?", name, near)
	}
	return nil, fmt.Errorf("a message has no .%s: it has .%s", name, strings.Join(messageAttributes, ", ."))
}

func textOrNone(s string) starlark.Value {
	if s == "" {
		return starlark.None
	}
	return starlark.String(s)
}
