package event

import (
	"strconv"
	"unicode/utf8"
)

// AppendJSON appends event i as one JSON object without a line break:
//
//	{"n":0,"at":0.2,"event":"acked","queue":"orders","message":101,"receive":1,"worker":"mailer/1"}
//
// Times are seconds, written exactly. Fields that an event does not have are
// left out; an "until" of null is an instant that does not come. Further
// fields, where the Kind has them: until reason producer receipt to line
// target key amount nth entry text.
func (l *Log) AppendJSON(dst []byte, i int) []byte {
	e := l.Event(i)
	w := jsonWriter{log: l, dst: dst}
	w.dst = append(w.dst, `{"n":`...)
	w.dst = strconv.AppendInt(w.dst, int64(i), 10)
	w.name("at")
	w.dst = AppendSeconds(w.dst, e.At)
	w.text("event", e.Kind.String())
	w.place(e)
	w.details(e)
	w.until(e)
	w.text("reason", e.Reason.String())
	return append(w.dst, '}')
}

// jsonWriter appends the fields of one event, each after a comma.
type jsonWriter struct {
	log *Log
	dst []byte
}

func (w *jsonWriter) place(e *Event) {
	if e.Queue != NoQueue {
		w.text("queue", w.log.Queues[e.Queue].Name)
	}
	if e.Message != NoMessage {
		w.name("message")
		w.dst = AppendID(w.dst, w.log.MessageID(e.Message))
	}
	if e.Receive != 0 {
		w.number("receive", int64(e.Receive))
	}
	if e.Worker != NoWorker {
		w.text("worker", w.log.Workers[e.Worker].Name)
	}
}

// details writes what Arg and Text mean for the kind.
func (w *jsonWriter) details(e *Event) {
	text := w.log.Text(e.Text)
	switch e.Kind {
	case Accepted, Refused, Blocked, Unblocked:
		if e.Arg >= 0 {
			w.text("producer", w.log.Producers[e.Arg])
		}
	case Delivered:
		w.number("receipt", int64(e.Arg))
	case DeadLettered, Redriven:
		w.text("to", w.log.Queues[e.Arg].Name)
	case Line:
		w.number("line", int64(e.Arg))
	case CallStarted, CallAnswered:
		w.text("target", w.log.Targets[e.Arg].Name)
		w.text("key", text)
		return
	case CallFailed, TableChanged:
		w.text("target", w.log.Targets[e.Arg].Name)
	case Effect:
		w.effect(w.log.Effect(int(e.Arg)))
		return
	case HandlerFailed, Crashed:
		if e.Arg > 0 {
			w.number("line", int64(e.Arg))
		}
	case Command:
		w.number("entry", int64(e.Arg))
	}
	w.text("text", text)
}

func (w *jsonWriter) effect(r EffectRecord) {
	w.text("target", w.log.Targets[r.Target].Name)
	w.name("key")
	w.dst = AppendString(w.dst, r.Key)
	w.number("amount", r.Amount)
	w.number("nth", int64(r.Nth))
}

func (w *jsonWriter) until(e *Event) {
	switch {
	case e.Until > 0, e.Until == 0 && announces(e):
		w.name("until")
		w.dst = AppendSeconds(w.dst, e.Until)
	case e.Until == Never:
		w.name("until")
		w.dst = append(w.dst, "null"...)
	}
}

// announces says of an event whose Until is 0 whether that is the instant 0
// rather than "none".
func announces(e *Event) bool {
	switch e.Kind {
	case Delivered, Extended, CallStarted, Crashed:
		return true
	}
	return e.Reason == Delayed || e.Reason == WillRetry
}

func (w *jsonWriter) name(s string) {
	w.dst = append(w.dst, ',', '"')
	w.dst = append(w.dst, s...)
	w.dst = append(w.dst, '"', ':')
}

// text writes a field; the empty text is left out.
func (w *jsonWriter) text(name, s string) {
	if s != "" {
		w.name(name)
		w.dst = AppendString(w.dst, s)
	}
}

func (w *jsonWriter) number(name string, n int64) {
	w.name(name)
	w.dst = strconv.AppendInt(w.dst, n, 10)
}

// AppendID appends an id as JSON: a number, or a text in quotes.
func AppendID(dst []byte, id ID) []byte {
	if id.Text != "" {
		return AppendString(dst, id.Text)
	}
	return strconv.AppendInt(dst, id.Number, 10)
}

// AppendSeconds appends t in seconds, exactly, with as few digits as that
// takes: 0, 0.2, 61.000000001.
func AppendSeconds(dst []byte, t Time) []byte {
	if t < 0 {
		dst, t = append(dst, '-'), -t
	}
	dst = strconv.AppendInt(dst, int64(t/Second), 10)
	part := int64(t % Second)
	if part == 0 {
		return dst
	}
	dst = append(dst, '.')
	for unit := int64(Second / 10); part > 0; unit /= 10 {
		dst = append(dst, byte('0'+part/unit))
		part %= unit
	}
	return dst
}

const hexDigits = "0123456789abcdef"

// AppendString appends s as a JSON string. Bytes that are not UTF-8 become
// the replacement character; characters that end a line for JavaScript or
// open a tag in HTML are escaped, so that the result can stand in a script.
func AppendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ' || r == '<' || r == '>' || r == '&' || r == 0x7f:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		case r == '\u2028' || r == '\u2029':
			dst = append(dst, '\\', 'u', '2', '0', '2', hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
		i += size
	}
	return append(dst, '"')
}
