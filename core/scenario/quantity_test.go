package scenario

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/ticketrail/ticketrail/core/event"
)

func TestParseDuration(t *testing.T) {
	for text, want := range map[string]Duration{
		"0": 0, "0s": 0, "200ms": 200 * event.Millisecond, "1.5s": 1500 * event.Millisecond,
		"2m": 2 * event.Minute, "1h": event.Hour, "10.15s": 10150 * event.Millisecond,
		"0.000000001s": 1, "1ns": 1, "1.5us": 1500, "5 s": 5 * event.Second, "+3s": 3 * event.Second,
		"0.1h": 6 * event.Minute, "10000h": MaxDuration, "00.50s": 500 * event.Millisecond,
	} {
		got, err := ParseDuration(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
}

func TestFormatDuration(t *testing.T) {
	for want, d := range map[string]Duration{
		"0s": 0, "200ms": 200 * event.Millisecond, "1.5s": 1500 * event.Millisecond, "60s": event.Minute,
		"90s": 90 * event.Second, "2m": 2 * event.Minute, "90m": 90 * event.Minute, "24h": 24 * event.Hour,
		"1.5us": 1500, "7ns": 7, "never": event.Never, "61.001s": 61001 * event.Millisecond,
	} {
		assert.Equal(t, want, FormatDuration(d))
	}
}

// TestQuantitiesRoundTrip: what is written is read back exactly.
func TestQuantitiesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Duration(rapid.Int64Range(0, int64(MaxDuration)).Draw(t, "duration"))
		again, err := ParseDuration(FormatDuration(d))
		require.NoError(t, err)
		require.Equal(t, d, again)

		r := Rate{rapid.Int64Range(1, maxRate).Draw(t, "count"), rapid.SampledFrom([]Duration{event.Second, event.Minute, event.Hour}).Draw(t, "period")}
		rate, err := ParseRate(r.String())
		require.NoError(t, err)
		require.Equal(t, r, rate)

		p := Probability(rapid.Int64Range(0, int64(Certain)).Draw(t, "probability"))
		probability, err := ParseProbability(p.String())
		require.NoError(t, err)
		require.Equal(t, p, probability)
	})
}
