package scene

import (
	"strconv"
)

// pen writes markup. Its one verb is "~", which stands for the next argument:
// numbers are written with at most two decimals, text is escaped, raw is not.
type pen struct{ b []byte }

// raw is markup that is already escaped.
type raw string

func (p *pen) add(format string, args ...any) {
	k := 0
	for i := 0; i < len(format); i++ {
		if format[i] != '~' {
			p.b = append(p.b, format[i])
			continue
		}
		p.value(args[k])
		k++
	}
	if k != len(args) {
		panic("scene: " + format + " has other arguments than it uses")
	}
}

func (p *pen) value(v any) {
	switch v := v.(type) {
	case float64:
		p.b = appendNumber(p.b, v)
	case int:
		p.b = strconv.AppendInt(p.b, int64(v), 10)
	case raw:
		p.b = append(p.b, v...)
	case string:
		p.b = appendEscaped(p.b, v)
	default:
		panic("scene: a pen writes float64, int, string and raw only")
	}
}

// appendNumber writes v rounded to 1/100, without trailing zeros.
func appendNumber(b []byte, v float64) []byte {
	n := int64(v*100 + 0.5)
	if v < 0 {
		n = -int64(-v*100 + 0.5)
	}
	return appendHundredths(b, n)
}

func appendHundredths(b []byte, n int64) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/100, 10)
	switch rest := n % 100; {
	case rest == 0:
	case rest%10 == 0:
		b = append(b, '.', byte('0'+rest/10))
	default:
		b = append(b, '.', byte('0'+rest/10), byte('0'+rest%10))
	}
	return b
}

func appendEscaped(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '&':
			b = append(b, "&amp;"...)
		case '<':
			b = append(b, "&lt;"...)
		case '>':
			b = append(b, "&gt;"...)
		case '"':
			b = append(b, "&quot;"...)
		default:
			b = append(b, s[i])
		}
	}
	return b
}

// cut shortens s to at most n characters, the last of them an ellipsis.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	if n <= 1 {
		return "…"
	}
	return string(r[:n-1]) + "…"
}
