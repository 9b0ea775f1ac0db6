package scenario

import (
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
)

// unit is a unit of time with its name in scenarios.
type unit struct {
	name   string
	length Duration
}

var units = []unit{
	{"h", event.Hour}, {"m", event.Minute}, {"s", event.Second},
	{"ms", event.Millisecond}, {"us", event.Microsecond}, {"ns", event.Nanosecond},
}

var (
	quantity = regexp.MustCompile(`^([-+]?)([0-9]+)(\.[0-9]+)?\s*([^\s0-9.].*)?$`)
	compound = regexp.MustCompile(`^([0-9]+(\.[0-9]+)?(h|m|s|ms|us|ns)){2,}$`)
	part     = regexp.MustCompile(`([0-9]+(?:\.[0-9]+)?)(h|ms|m|s|us|ns)`)
)

// longest is the most digits that a number in a scenario may have.
const longest = 30

// ParseDuration reads 200ms, 1.5s, 2m, 1h, 0s exactly. Its error says what to
// write instead.
func ParseDuration(s string) (Duration, error) {
	if s == "0" {
		return 0, nil
	}
	if compound.MatchString(s) && len(s) <= longest {
		sum := Duration(0)
		for _, p := range part.FindAllString(s, -1) {
			d, err := ParseDuration(p)
			if err != nil {
				return 0, err
			}
			sum += d
		}
		return 0, fmt.Errorf("%q has several units: write %s", s, FormatDuration(sum))
	}
	m := quantity.FindStringSubmatch(s)
	if m == nil || len(s) > longest {
		return 0, fmt.Errorf("%s is not a duration: write one such as 200ms, 1.5s or 2m", shortened(s))
	}
	sign, number, name := m[1], m[2]+m[3], strings.TrimSpace(m[4])
	switch {
	case sign == "-":
		return 0, fmt.Errorf("%q is negative: a duration is 0s or more", s)
	case name == "":
		return 0, fmt.Errorf("%q has no unit: write %ss for seconds, or %sms", s, number, number)
	}
	for _, u := range units {
		if u.name == name {
			return scaled(s, number, u.length)
		}
	}
	if days, err := strconv.ParseInt(number, 10, 32); err == nil && strings.HasPrefix(name, "d") {
		return 0, fmt.Errorf("%q counts in days: write %dh", s, 24*days)
	}
	return 0, fmt.Errorf("%q has an unknown unit %q: write %s%s (there are h, m, s, ms, us and ns)", s, name, number, meant(name))
}

// meant is the unit that someone who wrote name was after.
func meant(name string) string {
	name = strings.ToLower(name)
	switch {
	case strings.HasPrefix(name, "mi") && !strings.HasPrefix(name, "mil"), name == "m":
		return "m"
	case strings.HasPrefix(name, "ms"), strings.HasPrefix(name, "mil"):
		return "ms"
	case strings.HasPrefix(name, "us"), strings.HasPrefix(name, "mic"), strings.HasPrefix(name, "µ"), strings.HasPrefix(name, "μ"):
		return "us"
	case strings.HasPrefix(name, "n"):
		return "ns"
	case strings.HasPrefix(name, "h"):
		return "h"
	}
	return "s"
}

// scaled multiplies a decimal number by a unit without rounding.
func scaled(s, number string, length Duration) (Duration, error) {
	v, _ := new(big.Rat).SetString(number)
	v.Mul(v, new(big.Rat).SetInt64(int64(length)))
	switch {
	case v.Cmp(new(big.Rat).SetInt64(int64(MaxDuration))) > 0:
		return 0, fmt.Errorf("%q is longer than the limit of %s", s, FormatDuration(MaxDuration))
	case !v.IsInt():
		return 0, fmt.Errorf("%q is finer than a nanosecond: leave out the last digits", s)
	}
	return Duration(v.Num().Int64()), nil
}

// FormatDuration writes d the way people do: 200ms, 1.5s, 60s, 2m, 24h.
// Minutes are used from two on, because one says 60s and 90s.
func FormatDuration(d Duration) string {
	switch {
	case d == event.Never:
		return "never"
	case d == 0:
		return "0s"
	case d%event.Hour == 0:
		return strconv.FormatInt(int64(d/event.Hour), 10) + "h"
	case d%event.Minute == 0 && d >= 2*event.Minute:
		return strconv.FormatInt(int64(d/event.Minute), 10) + "m"
	}
	for _, u := range units[2:] {
		if d >= u.length {
			return decimal(int64(d), int64(u.length)) + u.name
		}
	}
	return strconv.FormatInt(int64(d), 10) + "ns"
}

// decimal writes n/scale, scale a power of ten, without trailing zeros.
func decimal(n, scale int64) string {
	whole, rest := n/scale, n%scale
	s := strconv.FormatInt(whole, 10)
	if rest == 0 {
		return s
	}
	digits := strconv.FormatInt(scale+rest, 10)[1:]
	return s + "." + strings.TrimRight(digits, "0")
}

var (
	ratePattern = regexp.MustCompile(`^([-+]?[0-9]+)(\.[0-9]+)?\s*/\s*(\S.*)$`)
	// maxRate is the most that a rate may count in its period.
	maxRate = int64(1_000_000_000)
)

// ParseRate reads 8/s, 100/m, 30/h.
func ParseRate(s string) (Rate, error) {
	m := ratePattern.FindStringSubmatch(s)
	if m == nil || len(s) > longest {
		if v, err := strconv.ParseInt(s, 10, 64); err == nil && v > 0 {
			return Rate{}, fmt.Errorf("%q has no period: write %d/s or %d/m", s, v, v)
		}
		return Rate{}, fmt.Errorf("%s is not a rate: write one such as 8/s or 100/m", shortened(s))
	}
	period := Duration(0)
	for _, u := range units[:3] {
		if u.name == m[3] {
			period = u.length
		}
	}
	if period == 0 {
		return Rate{}, fmt.Errorf("%q counts per %q: write %s%s/%s (per s, m or h)", s, m[3], m[1], m[2], meantPeriod(m[3]))
	}
	if m[2] != "" {
		return Rate{}, wholeRate(s, m[1]+m[2], period)
	}
	v, err := strconv.ParseInt(m[1], 10, 64)
	switch {
	case err != nil || v > maxRate:
		return Rate{}, fmt.Errorf("%q is more than the limit of %d in a period", s, maxRate)
	case v <= 0:
		return Rate{}, fmt.Errorf("%q is not above 0: write one such as 8/s or 100/m", s)
	}
	return Rate{Count: v, Period: period}, nil
}

func meantPeriod(name string) string {
	switch name = strings.ToLower(name); {
	case strings.HasPrefix(name, "h"):
		return "h"
	case strings.HasPrefix(name, "m"):
		return "m"
	}
	return "s"
}

// wholeRate says how a rate with a fraction is written with a whole number:
// 0.5/s is 30/m.
func wholeRate(s, number string, period Duration) error {
	v, _ := new(big.Rat).SetString(number)
	for _, u := range []unit{units[2], units[1], units[0]} {
		scaled := new(big.Rat).Mul(v, big.NewRat(int64(u.length), int64(period)))
		if u.length >= period && scaled.IsInt() && scaled.Sign() > 0 {
			return fmt.Errorf("%q is not a whole number: write %s/%s", s, scaled.Num(), u.name)
		}
	}
	return fmt.Errorf("%q is not a whole number: write one such as 30/m", s)
}

// String writes the rate: 8/s. The zero rate is 0.
func (r Rate) String() string {
	for _, u := range units[:3] {
		if r.Period == u.length && r.Count > 0 {
			return strconv.FormatInt(r.Count, 10) + "/" + u.name
		}
	}
	return "0"
}

// percent is 1% of a Probability.
const percent = Certain / 100

// ParseProbability reads 10%, 2.5%.
func ParseProbability(s string) (Probability, error) {
	if s == "0" {
		return 0, nil
	}
	number, ok := strings.CutSuffix(s, "%")
	number = strings.TrimSpace(number)
	v, numeric := new(big.Rat), len(s) <= longest && floatPattern.MatchString(number) && !strings.ContainsAny(number, "eE")
	if numeric {
		_, numeric = v.SetString(number)
	}
	switch {
	case !numeric:
		return 0, fmt.Errorf("%s is not a probability: write one such as 10%% or 2.5%%", shortened(s))
	case v.Sign() < 0:
		return 0, fmt.Errorf("%q is negative: a probability lies from 0%% to 100%%", s)
	case !ok:
		return 0, withoutPercent(s, v)
	case v.Cmp(big.NewRat(100, 1)) > 0:
		return 0, fmt.Errorf("%q is more than 100%%: a probability lies from 0%% to 100%%", s)
	}
	v.Mul(v, big.NewRat(int64(percent), 1))
	if !v.IsInt() {
		return 0, fmt.Errorf("%q has too many digits: up to 7 may stand after the point", s)
	}
	return Probability(v.Num().Int64()), nil
}

// withoutPercent says how 0.1 or 10 is written as a probability.
func withoutPercent(s string, v *big.Rat) error {
	one := big.NewRat(1, 1)
	switch {
	case v.Cmp(one) < 0:
		hundredfold := new(big.Rat).Mul(v, big.NewRat(100, 1))
		text := hundredfold.FloatString(7)
		return fmt.Errorf("%q has no percent sign: write %s%%", s, strings.TrimRight(strings.TrimRight(text, "0"), "."))
	case v.Cmp(one) == 0:
		return fmt.Errorf("%q has no percent sign: write 100%% for always, or 1%%", s)
	}
	return fmt.Errorf("%q has no percent sign: write %s%%", s, s)
}

// String writes the probability: 2.5%.
func (p Probability) String() string { return decimal(int64(p), int64(percent)) + "%" }
