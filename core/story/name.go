package story

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ticketrail/ticketrail/core/event"
)

// NameOf returns the person that a message is about, "" when its body names
// none: a field name, who, customer or user, or what stands before the @ of an
// email, with a capital: asha@example.com is Asha.
func NameOf(m *event.Message) string {
	body, ok := m.Body.(event.Object)
	if !ok {
		return ""
	}
	for _, field := range [...]string{"name", "who", "customer", "user", "email"} {
		v, _ := body.Get(field)
		text, _ := v.(string)
		if name := person(text); name != "" {
			return name
		}
	}
	return ""
}

// person returns the name at the start of a name or an address, at most 20
// letters of it.
func person(text string) string {
	local, _, _ := strings.Cut(text, "@")
	end := strings.IndexFunc(local, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' })
	if end >= 0 {
		local = local[:end]
	}
	if n := utf8.RuneCountInString(local); n < 2 || n > 20 {
		return ""
	}
	return capital(local)
}

// capital returns s with its first letter as a capital.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || !unicode.IsLower(r) {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// Letter returns the letter of the worker with that number, from 1: A to Z,
// then AA, AB and so on.
func Letter(number int) string {
	var letters []byte
	for n := number; n > 0; n = (n - 1) / 26 {
		letters = append([]byte{byte('A' + (n-1)%26)}, letters...)
	}
	return string(letters)
}

// Length returns a length of time, or an instant, as one reads it: 0.2 s,
// 36 s, 12 min, 1.5 h. It is rounded to a millisecond unless it is shorter.
func Length(t event.Time) string {
	switch {
	case t < 0:
		return "never"
	case t >= event.Hour && t%(event.Minute*6) == 0:
		return decimal(int64(t/event.Minute), 60, 1) + " h"
	case t >= 10*event.Minute && t%event.Minute == 0:
		return strconv.FormatInt(int64(t/event.Minute), 10) + " min"
	case t < event.Millisecond:
		return decimal(int64(t), int64(event.Second), 9) + " s"
	}
	return decimal(int64((t+event.Millisecond/2)/event.Millisecond), 1000, 3) + " s"
}

// decimal writes n/unit with at most that many places, without zeros at the end.
func decimal(n, unit int64, places int) string {
	text := strconv.FormatInt(n/unit, 10)
	rest := n % unit
	if rest == 0 {
		return text
	}
	text += "."
	for ; places > 0 && rest > 0; places-- {
		rest *= 10
		text += strconv.FormatInt(rest/unit, 10)
		rest %= unit
	}
	return text
}

var ordinals = [...]string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// ordinal returns first, second ... tenth, 11th, 12th ...
func ordinal(n int) string {
	if n > 0 && n < len(ordinals) {
		return ordinals[n]
	}
	end := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}

// Count returns "1 email", "6 emails", "no emails".
func Count(n int, one, many string) string {
	switch n {
	case 0:
		return "no " + many
	case 1:
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// deed is what a service does, read from its name: send_email sends an email.
type deed struct {
	verb   string // sends; "" when the name is not a verb and its object
	object string // an email
	one    string // email
	many   string // emails
	done   string // sent
}

// verbs are the words with which names of services commonly begin.
var verbs = map[string]bool{
	"add": true, "apply": true, "book": true, "build": true, "call": true, "charge": true, "convert": true,
	"create": true, "deliver": true, "do": true, "draw": true, "export": true, "import": true, "index": true,
	"issue": true, "log": true, "make": true, "order": true, "pay": true, "post": true, "print": true,
	"publish": true, "push": true, "record": true, "refund": true, "render": true, "reserve": true,
	"resize": true, "save": true, "send": true, "ship": true, "store": true, "transfer": true,
	"update": true, "upload": true, "write": true,
}

// uncountable are objects that take no article and no plural.
var uncountable = map[string]bool{"stock": true, "money": true, "mail": true, "food": true, "data": true, "it": true, "work": true}

func deedOf(service string) deed {
	verb, object, ok := strings.Cut(service, "_")
	if !ok || !verbs[verb] || object == "" {
		return deed{one: "call of " + service, many: "calls of " + service}
	}
	object = strings.ReplaceAll(object, "_", " ")
	d := deed{verb: third(verb), object: object, one: object, many: object, done: participle(verb)}
	d.many = plural(object)
	if uncountable[object] || d.many == object {
		d.many = object
		return d
	}
	if strings.ContainsRune("aeiou", rune(object[0])) {
		d.object = "an " + object
	} else {
		d.object = "a " + object
	}
	return d
}

// third returns the form of a verb after he, she or it.
func third(verb string) string {
	switch {
	case strings.HasSuffix(verb, "sh") || strings.HasSuffix(verb, "ch") || strings.HasSuffix(verb, "o") || strings.HasSuffix(verb, "x"):
		return verb + "es"
	case strings.HasSuffix(verb, "y") && !strings.HasSuffix(verb, "ay"):
		return verb[:len(verb)-1] + "ies"
	}
	return verb + "s"
}

// irregular are the participles of those verbs that do not end with -ed.
var irregular = map[string]string{
	"build": "built", "do": "done", "draw": "drawn", "log": "logged", "make": "made", "pay": "paid",
	"send": "sent", "ship": "shipped", "transfer": "transferred", "write": "written",
}

// participle returns the form of a verb after was: charged.
func participle(verb string) string {
	switch {
	case irregular[verb] != "":
		return irregular[verb]
	case strings.HasSuffix(verb, "e"):
		return verb + "d"
	case strings.HasSuffix(verb, "ly"):
		return verb[:len(verb)-1] + "ied"
	}
	return verb + "ed"
}

// plural returns the plural of a noun that follows the common rules, or is in
// the plural already.
func plural(noun string) string {
	switch {
	case strings.HasSuffix(noun, "ss") || strings.HasSuffix(noun, "x") || strings.HasSuffix(noun, "ch") || strings.HasSuffix(noun, "sh"):
		return noun + "es"
	case strings.HasSuffix(noun, "s"):
		return noun
	case strings.HasSuffix(noun, "y") && len(noun) > 1 && !strings.ContainsRune("aeiou", rune(noun[len(noun)-2])):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}
