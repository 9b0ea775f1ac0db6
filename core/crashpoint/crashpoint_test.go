package crashpoint

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

const mailer = `{
  "queues": {"orders": {"visibility_timeout": "1s", "max_receives": 3}},
  "producers": {"shop": {"to": "orders", "send": [{"id": 101}, {"id": 102}]}},
  "services": {"send_email": {"latency": "100ms"}},
  "tables": {"seen": {}},
  "workers": {"mailer": {"from": "orders", "count": 2, "handler": "HANDLER"}}
}`

func points(t *testing.T, handler string) map[int]string {
	t.Helper()
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", strings.ReplaceAll(handler, "\n", `\n`), 1)))
	require.Empty(t, problems)
	found, err := Points(s, "mailer")
	require.NoError(t, err)
	results := map[int]string{}
	for _, p := range found {
		results[p.Line] = p.Text + ": " + p.Result.String()
		assert.Equal(t, 1, p.Run.Outcome.Crashes, "line %d", p.Line)
	}
	return results
}

func TestWhereTheAckSits(t *testing.T) {
	assert.Equal(t, map[int]string{
		2: "send_email(msg.id): done twice",
		3: "ack(msg): right",
	}, points(t, "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n"))
	assert.Equal(t, map[int]string{
		2: "ack(msg): lost",
		3: "send_email(msg.id): right",
	}, points(t, "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)"))
}

func TestRecordFirstIsLostAndRecordLastIsTwice(t *testing.T) {
	assert.Equal(t, map[int]string{
		2: "if seen.insert(msg.id):: lost",
		3: "send_email(msg.id): right",
		4: "ack(msg): right",
	}, points(t, "def on_message(msg):\n    if seen.insert(msg.id):\n        send_email(msg.id)\n    ack(msg)\n"))
	assert.Equal(t, map[int]string{
		2: "if not seen.has(msg.id):: right",
		3: "send_email(msg.id): done twice",
		4: "seen.add(msg.id): right",
		5: "ack(msg): right",
	}, points(t, "def on_message(msg):\n    if not seen.has(msg.id):\n        send_email(msg.id)\n        seen.add(msg.id)\n    ack(msg)\n"))
}

func TestNothingToCrash(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", `def on_message(msg):\n    ack(msg)\n`, 1)))
	require.Empty(t, problems)
	s.Producers = nil
	_, err := Points(s, "mailer")
	assert.ErrorIs(t, err, ErrNeverRuns)
	_, err = Points(s, "nobody")
	assert.ErrorContains(t, err, `there is no pool "nobody"`)
}
