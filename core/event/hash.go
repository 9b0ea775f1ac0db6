package event

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"math"
)

// Hash returns 32 hexadecimal digits that stand for everything that happened:
// two logs have the same hash when they tell the same events, at the same
// times, with the same names, messages and side effects. Names and messages
// are written in full where the log first mentions them and by the order of
// that mention afterwards, so the order of the Log's tables does not matter.
// It is the same natively and in WebAssembly.
func (l *Log) Hash() string {
	h := hasher{log: l, sum: sha256.New(), wholes: map[int32]int32{}}
	h.text("ticketrail log 1")
	for i := range l.Len() {
		h.event(l.Event(i))
	}
	for _, o := range l.Orders {
		h.number(int64(o.Event))
		h.queue(o.Queue)
		h.flag(o.ByPriority)
	}
	h.flush()
	return hex.EncodeToString(h.sum.Sum(nil)[:16])
}

// mentions gives each reference its number in the order of first mention,
// from 1; 0 means that it was not mentioned yet.
type mentions struct {
	number []int32
	count  int32
}

// see returns the number of reference i and whether this is its first mention.
func (m *mentions) see(i int) (int64, bool) {
	if i >= len(m.number) {
		grown := make([]int32, max(i+1, 2*len(m.number)))
		copy(grown, m.number)
		m.number = grown
	}
	if n := m.number[i]; n > 0 {
		return int64(n), false
	}
	m.count++
	m.number[i] = m.count
	return int64(m.count), true
}

type hasher struct {
	log  *Log
	sum  hash.Hash
	buf  []byte
	last Time // of the event before

	messages, queues, pools, workers, producers, targets, texts mentions

	wholes map[int32]int32 // as mentions, of texts that are whole numbers
}

// event writes one event: its fields in the order of the struct, references
// and indexes resolved.
func (h *hasher) event(e *Event) {
	h.number(int64(e.Kind))
	h.number(int64(e.Reason))
	h.number(int64(e.At - h.last))
	h.last = e.At
	h.number(int64(e.Until))
	h.number(int64(e.Receive))
	h.message(e.Message)
	h.queue(e.Queue)
	h.worker(e.Worker)
	h.argument(e)
	h.indexed(e.Text)
	if len(h.buf) >= 1<<14 {
		h.flush()
	}
}

// argument writes Arg as what the kind makes of it.
func (h *hasher) argument(e *Event) {
	switch e.Kind {
	case Accepted, Refused, Blocked, Unblocked:
		h.producer(ProducerRef(e.Arg))
	case DeadLettered, Redriven:
		h.queue(QueueRef(e.Arg))
	case CallStarted, CallFailed, CallAnswered, TableChanged:
		h.target(TargetRef(e.Arg))
	case Effect:
		h.effect(int(e.Arg))
	default:
		h.number(int64(e.Arg))
	}
}

// mention writes the number of reference i and, the first time, what it
// stands for. Absent references are 0.
func (h *hasher) mention(m *mentions, i int, write func()) {
	if i < 0 {
		h.number(0)
		return
	}
	n, first := m.see(i)
	h.number(n)
	if first {
		write()
	}
}

// indexed writes the text with an index. Those of whole numbers are negative.
func (h *hasher) indexed(i int32) {
	write := func() { h.text(h.log.Text(i)) }
	if i >= 0 {
		h.mention(&h.texts, int(i), write)
		return
	}
	if n, seen := h.wholes[i]; seen {
		h.number(int64(n))
		return
	}
	h.texts.count++
	h.wholes[i] = h.texts.count
	h.number(int64(h.texts.count))
	write()
}

func (h *hasher) message(ref MessageRef) {
	h.mention(&h.messages, int(ref), func() {
		m := h.log.Message(ref)
		h.id(m.ID)
		h.text(m.Key)
		h.byte(bit(m.KeyGiven) | bit(m.KeyNumber)<<1)
		h.text(m.Type)
		h.value(m.Body)
		h.number(int64(m.Priority))
		h.producer(m.Producer)
		h.message(m.Parent)
		h.queue(m.Queue)
		h.number(int64(m.SentAt))
	})
}

func (h *hasher) queue(ref QueueRef) {
	h.mention(&h.queues, int(ref), func() {
		q := &h.log.Queues[ref]
		h.text(q.Name)
		h.flag(q.DeadLetter)
		h.flag(q.ByPriority)
		h.queue(q.Target)
	})
}

func (h *hasher) worker(ref WorkerRef) {
	h.mention(&h.workers, int(ref), func() {
		w := &h.log.Workers[ref]
		h.text(w.Name)
		h.number(int64(w.Number))
		h.mention(&h.pools, w.Pool, func() { h.text(h.log.Pools[w.Pool]) })
	})
}

func (h *hasher) producer(ref ProducerRef) {
	h.mention(&h.producers, int(ref), func() { h.text(h.log.Producers[ref]) })
}

func (h *hasher) target(ref TargetRef) {
	h.mention(&h.targets, int(ref), func() {
		t := &h.log.Targets[ref]
		h.text(t.Name)
		h.flag(t.Table)
		h.flag(t.Effect)
	})
}

func (h *hasher) effect(i int) {
	e := h.log.Effect(i)
	h.target(e.Target)
	h.number(int64(e.Nth))
	h.number(e.Amount)
	h.flag(e.IsText)
	h.text(e.Key)
}

func (h *hasher) id(id ID) {
	h.flag(id.Text != "")
	if id.Text != "" {
		h.text(id.Text)
	} else {
		h.number(id.Number)
	}
}

// value writes a body: a letter for its type, then what it holds.
func (h *hasher) value(v any) {
	switch v := v.(type) {
	case nil:
		h.buf = append(h.buf, 'n')
	case bool:
		h.buf = append(h.buf, 'b')
		h.flag(v)
	case int64:
		h.buf = append(h.buf, 'i')
		h.number(v)
	case float64:
		h.buf = append(h.buf, 'f')
		h.number(int64(math.Float64bits(v)))
	case string:
		h.buf = append(h.buf, 's')
		h.text(v)
	case []any:
		h.buf = append(h.buf, 'l')
		h.number(int64(len(v)))
		for _, item := range v {
			h.value(item)
		}
	case Object:
		h.buf = append(h.buf, 'o')
		h.number(int64(len(v)))
		for _, f := range v {
			h.text(f.Name)
			h.value(f.Value)
		}
	default:
		panic(fmt.Sprintf("a message body holds a %T, which bodies do not have", v))
	}
}

func (h *hasher) text(s string) {
	h.number(int64(len(s)))
	h.buf = append(h.buf, s...)
}

func (h *hasher) number(n int64) { h.buf = binary.AppendVarint(h.buf, n) }

func (h *hasher) flag(b bool) { h.byte(bit(b)) }

func (h *hasher) byte(b byte) { h.buf = append(h.buf, b) }

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

func (h *hasher) flush() {
	h.sum.Write(h.buf)
	h.buf = h.buf[:0]
}
