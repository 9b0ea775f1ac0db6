package story

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

func TestLength(t *testing.T) {
	for want, length := range map[string]event.Time{
		"0 s": 0, "0.2 s": 200 * event.Millisecond, "1 s": event.Second, "1.5 s": 1500 * event.Millisecond,
		"0.000002 s": 2 * event.Microsecond, "0.013 s": 12_600 * event.Microsecond, "36 s": 36 * event.Second,
		"90 s": 90 * event.Second, "300 s": 5 * event.Minute, "12 min": 12 * event.Minute, "1.5 h": 90 * event.Minute,
		"24 h": 24 * event.Hour, "601 s": 601 * event.Second, "never": event.Never,
	} {
		require.Equal(t, want, Length(length))
	}
}

func TestNameOf(t *testing.T) {
	object := func(name, value string) event.Object { return event.Object{{Name: name, Value: value}} }
	for want, body := range map[string]any{
		"Asha": object("email", "asha@example.com"), "Ravi": object("email", "ravi.k+shop@example.com"),
		"Omar": object("who", "Omar"), "Émile": object("name", "émile Zola"), "": object("email", "7@example.com"),
		"Li": event.Object{{Name: "email", Value: "x@y.z"}, {Name: "customer", Value: "li"}},
	} {
		require.Equal(t, want, NameOf(&event.Message{Body: body}))
	}
	require.Empty(t, NameOf(&event.Message{Body: "asha@example.com"}), "a body that is only text names nobody")
}

func TestLetter(t *testing.T) {
	for want, number := range map[string]int{"A": 1, "C": 3, "Z": 26, "AA": 27, "AB": 28, "AZ": 52, "BA": 53, "ALL": 1000} {
		require.Equal(t, want, Letter(number))
	}
}

func TestOrdinal(t *testing.T) {
	for want, n := range map[string]int{"first": 1, "tenth": 10, "11th": 11, "12th": 12, "13th": 13, "21st": 21, "22nd": 22, "103rd": 103, "111th": 111} {
		require.Equal(t, want, ordinal(n))
	}
}

func TestDeedOf(t *testing.T) {
	for service, want := range map[string]deed{
		"send_email":      {"sends", "an email", "email", "emails", "sent"},
		"charge_card":     {"charges", "a card", "card", "cards", "charged"},
		"reserve_stock":   {"reserves", "stock", "stock", "stock", "reserved"},
		"push_update":     {"pushes", "an update", "update", "updates", "pushed"},
		"apply_discount":  {"applies", "a discount", "discount", "discounts", "applied"},
		"pay_supply":      {"pays", "a supply", "supply", "supplies", "paid"},
		"send_sms_text":   {"sends", "a sms text", "sms text", "sms texts", "sent"},
		"send_emails":     {"sends", "emails", "emails", "emails", "sent"},
		"charge":          {"", "", "call of charge", "calls of charge", ""},
		"partner_api":     {"", "", "call of partner_api", "calls of partner_api", ""},
		"send_":           {"", "", "call of send_", "calls of send_", ""},
		"make_lunch_box":  {"makes", "a lunch box", "lunch box", "lunch boxes", "made"},
		"issue_tax_class": {"issues", "a tax class", "tax class", "tax classes", "issued"},
	} {
		require.Equal(t, want, deedOf(service), service)
	}
}

// Every word set has every phrase, under a name of its own.
func TestPhrasesAreWhole(t *testing.T) {
	names := map[string]bool{}
	for _, w := range []Words{Plain, Kitchen, SQS, RabbitMQ, PubSub} {
		require.Empty(t, unfilled(w), "phrases of %s without text", w.Name)
		require.False(t, names[w.Name], w.Name)
		names[w.Name] = true
	}
}

// A phrase that is told in other words still names the same things.
func TestPhrasesNameTheSame(t *testing.T) {
	for _, w := range []Words{SQS, RabbitMQ, PubSub} {
		plain, theirs := reflect.ValueOf(Plain), reflect.ValueOf(w)
		for _, v := range [][2]reflect.Value{{plain, theirs}, {reflect.ValueOf(Plain.Life), reflect.ValueOf(w.Life)}} {
			for i := range v[0].NumField() {
				if v[0].Field(i).Kind() == reflect.String {
					require.Equal(t, braces.FindAllString(v[0].Field(i).String(), -1), braces.FindAllString(v[1].Field(i).String(), -1), "%s: %s", w.Name, v[1].Field(i))
				}
			}
		}
	}
}

var braces = regexp.MustCompile(`\{\w+\}`)
