package event

// A long run has millions of messages and side effects, so the log keeps them
// small and without pointers, which the garbage collector would have to
// follow: texts are indexes, and what messages of one origin have in common
// stands once, in a form.

// messageRecord is a message as it is kept: 32 bytes.
type messageRecord struct {
	id     int64 // the number, or the index of the text
	sentAt Time
	key    int32 // index of the text
	form   int32 // index into Log.forms
	parent MessageRef
	textID bool
}

// form is what messages have in common that were made alike.
type form struct {
	kind      string // the type
	body      any
	priority  int32
	producer  ProducerRef
	queue     QueueRef
	keyGiven  bool
	keyNumber bool
	typeGiven bool
}

// AddMessage makes a message known and returns its reference. Its Body must
// not change afterwards.
func (l *Log) AddMessage(m *Message) MessageRef {
	r := l.messages.Grow()
	r.id, r.textID = m.ID.Number, m.ID.Text != ""
	if r.textID {
		r.id = int64(l.AddText(m.ID.Text))
	}
	r.sentAt, r.key, r.parent = m.SentAt, l.AddText(m.Key), m.Parent
	r.form = l.formOf(m)
	return MessageRef(l.messages.Len() - 1)
}

// formOf returns the form of a message, a known one where one of the latest
// fits: producers send in turn.
func (l *Log) formOf(m *Message) int32 {
	const latest = 8
	for i := len(l.forms) - 1; i >= max(0, len(l.forms)-latest); i-- {
		if l.forms[i].fits(m) {
			return int32(i)
		}
	}
	l.held += SizeOf(m.Body)
	l.forms = append(l.forms, form{m.Type, m.Body, m.Priority, m.Producer, m.Queue, m.KeyGiven, m.KeyNumber, m.TypeGiven})
	return int32(len(l.forms) - 1)
}

// Held returns about how many bytes the texts and bodies of the run take, and
// what Hold has added to them.
func (l *Log) Held() int { return l.held }

// Hold counts what is held elsewhere for the run, such as the rows of a table;
// n is negative when it is let go.
func (l *Log) Hold(n int) { l.held += n }

// SizeOf returns about how many bytes a body takes.
func SizeOf(body any) int {
	const element = 16 // of a list or an object, beside what it holds
	switch v := body.(type) {
	case string:
		return len(v)
	case []any:
		size := element * len(v)
		for _, x := range v {
			size += SizeOf(x)
		}
		return size
	case Object:
		size := 2 * element * len(v)
		for i := range v {
			size += len(v[i].Name) + SizeOf(v[i].Value)
		}
		return size
	}
	return element
}

func (f *form) fits(m *Message) bool {
	return f.producer == m.Producer && f.queue == m.Queue && f.priority == m.Priority &&
		f.keyGiven == m.KeyGiven && f.keyNumber == m.KeyNumber && f.typeGiven == m.TypeGiven && f.kind == m.Type && same(f.body, m.Body)
}

// same reports whether two bodies are the same one, without looking into them.
func same(a, b any) bool {
	switch a := a.(type) {
	case Object:
		b, ok := b.(Object)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	case []any:
		b, ok := b.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
	}
	switch b.(type) {
	case Object, []any:
		return false
	}
	return a == b
}

// MessageCount returns how many messages there are: their references are 0 to
// MessageCount-1.
func (l *Log) MessageCount() int { return l.messages.Len() }

// Message returns the message with that reference.
func (l *Log) Message(ref MessageRef) Message {
	r := l.messages.At(int(ref))
	f := &l.forms[r.form]
	return Message{
		ID: l.MessageID(ref), Key: l.Text(r.key), KeyGiven: f.keyGiven, KeyNumber: f.keyNumber, Type: f.kind, TypeGiven: f.typeGiven,
		Body: f.body, Priority: f.priority, Producer: f.producer, Parent: r.parent, Queue: f.queue, SentAt: r.sentAt,
	}
}

// MessageID returns the id of a message.
func (l *Log) MessageID(ref MessageRef) ID {
	r := l.messages.At(int(ref))
	if r.textID {
		return ID{Text: l.Text(int32(r.id))}
	}
	return ID{Number: r.id}
}

// MessageParent returns the message whose handler published ref, or NoMessage.
func (l *Log) MessageParent(ref MessageRef) MessageRef { return l.messages.At(int(ref)).parent }

// MessagePriority returns the priority of a message.
func (l *Log) MessagePriority(ref MessageRef) int32 {
	return l.forms[l.messages.At(int(ref)).form].priority
}

// MessageKey returns the index of the text that is the key of a message, 0
// when it has none.
func (l *Log) MessageKey(ref MessageRef) int32 { return l.messages.At(int(ref)).key }

// effectRecord is a side effect as it is kept: 16 bytes.
type effectRecord struct {
	nth    int32
	key    int32 // index of the text
	amount int32 // or, when it is large, an index into Log.amounts
	target TargetRef
	isText bool
	large  bool
}

// AddEffect keeps a side effect and returns its number. key is the index of
// the text that is its key; e.Key is not looked at.
func (l *Log) AddEffect(key int32, e EffectRecord) int32 {
	r := l.effects.Grow()
	*r = effectRecord{nth: e.Nth, key: key, amount: int32(e.Amount), target: e.Target, isText: e.IsText}
	if int64(r.amount) != e.Amount {
		r.large, r.amount = true, int32(len(l.amounts))
		l.amounts = append(l.amounts, e.Amount)
	}
	return int32(l.effects.Len() - 1)
}

// EffectCount returns how many side effects there are.
func (l *Log) EffectCount() int { return l.effects.Len() }

// Effect returns side effect i, 0 ≤ i < EffectCount.
func (l *Log) Effect(i int) EffectRecord {
	r := l.effects.At(i)
	e := EffectRecord{Target: r.target, Nth: r.nth, IsText: r.isText, Amount: int64(r.amount), Key: l.Text(r.key)}
	if r.large {
		e.Amount = l.amounts[r.amount]
	}
	return e
}
