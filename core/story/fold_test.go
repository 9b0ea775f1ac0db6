package story_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sim"
	"github.com/ticketrail/ticketrail/core/story"
)

// folded tells what becomes of messages that are sent at one instant.
func folded(t *testing.T, send string) []string {
	t.Helper()
	s, problems := scenario.DecodeJSON([]byte(`{"queues": {"orders": {}}, "producers": {"shop": {"to": "orders", "send": [` + send + `]}}}`))
	require.Empty(t, problems)
	log, err := sim.Run(s)
	require.NoError(t, err)
	st := story.New(s, log, story.Plain)
	var all []story.Sentence
	for _, i := range st.Shown(0, log.Len()) {
		all = append(all, st.Sentence(i))
	}
	var texts []string
	for _, s := range st.Fold(all) {
		texts = append(texts, s.String())
	}
	return texts[:len(texts)-1] // without the end
}

func TestFold(t *testing.T) {
	for send, want := range map[string]string{
		`{"id": 101}`:                             "shop sends 101 to orders.",
		`{"id": 101}, {"id": 102}`:                "shop sends 101 and 102 to orders.",
		`{"id": 101}, {"id": 103}, {"id": 102}`:   "shop sends 101, 103 and 102 to orders.",
		ids("101", "102", "103", "104", "105"):    "shop sends 101, 102 ... 105 to orders.",
		ids("101", "102", "103", "104", "106"):    "shop sends 101, 102, 103, 104 and 106 to orders.",
		ids("9", "8", "7", "6", "5", "4", "3"):    "shop sends messages 9, 8 ... 3 (7) to orders.",
		`{"id": 101}, {"id": 102, "at": "1s"}`:    "shop sends 101 to orders.|shop sends 102 to orders.",
		`{"id": 101}, {"id": 102, "delay": "1s"}`: "shop sends 101 to orders.|shop sends 102 to orders. It can be handed out in 1 s.|102 can be handed out now.",
	} {
		assert.Equal(t, want, strings.Join(folded(t, send), "|"), send)
	}
}

func ids(all ...string) string { return `{"id": ` + strings.Join(all, `}, {"id": `) + `}` }

// TestAMarkOfItsOwn: no full stop follows a question mark that is quoted.
func TestAMarkOfItsOwn(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(`{
		"queues": {"jobs": {}},
		"producers": {"api": {"to": "jobs", "send": [{"id": 1}, {"id": 2}]}},
		"services": {"charge": {"error": "is the bank open?", "fails": {"first": 1}}},
		"workers": {"worker": {"from": "jobs", "handler": "def on_message(msg):\n  charge(msg.id)\n  fail('why?')\n"}}
	}`))
	require.Empty(t, problems)
	log, err := sim.Run(s)
	require.NoError(t, err)
	st := story.New(s, log, story.Plain)
	asked := 0
	for i := range log.Len() {
		text := st.Sentence(i).String()
		asked += strings.Count(text, "?")
		assert.NotContains(t, text, "?.")
	}
	assert.GreaterOrEqual(t, asked, 3, "the call that fails, and both handlers")
}
