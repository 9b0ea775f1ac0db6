package scenario

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzQuantities: any text is a duration, a rate or a chance that is written
// and read back as it is, or an error that says something.
func FuzzQuantities(f *testing.F) {
	for _, text := range []string{
		"200ms", "1.5s", "1h30m", "10000h", "10001h", "-1s", "5", "never", "8/s", "0.5/s", "100/m", "9223372036854775807/s", "1/ns", "10%", "2.5%", "101%", "0.1",
		"0.0000000001%", "999999999999999999999999999999s", "1e9s", "1s2s3s4s5s6s7s8s9s", "  1s", "1\u00a0s", "١s", "+", ".", "/", "%", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ParseDuration(text); err == nil {
			require.True(t, d >= 0 && d <= MaxDuration, "%q is %d", text, d)
			again, err := ParseDuration(FormatDuration(d))
			require.NoError(t, err, text)
			require.Equal(t, d, again, text)
		} else {
			require.Less(t, len(err.Error()), 1000, "%q", text)
		}
		if r, err := ParseRate(text); err == nil {
			again, err := ParseRate(r.String())
			require.NoError(t, err, text)
			require.Equal(t, r, again, text)
		} else {
			require.Less(t, len(err.Error()), 1000, "%q", text)
		}
		if p, err := ParseProbability(text); err == nil {
			require.True(t, p >= 0 && p <= Certain, "%q is %d", text, p)
			again, err := ParseProbability(p.String())
			require.NoError(t, err, text)
			require.Equal(t, p, again, text)
		} else {
			require.Less(t, len(err.Error()), 1000, "%q", text)
		}
	})
}
