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
	found, err := Points(s, "mailer", "")
	require.NoError(t, err)
	assert.Equal(t, "101", found.Message.String())
	results := map[int]string{}
	for _, p := range found.Points {
		results[p.Line] = p.Text + ": " + p.Result.String()
		if p.Result != Over {
			assert.Equal(t, 1, p.Run.Outcome.Crashes, "line %d", p.Line)
		}
		assert.Equal(t, &p, found.At(p.Line))
	}
	assert.Nil(t, found.At(1), "a line that does not run has no point")
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

// TestWhatIsLostAnywayIsNotRight: with a mail server that fails once, an ack
// before the work loses the message with or without the crash.
func TestWhatIsLostAnywayIsNotRight(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", `def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n`, 1)))
	require.Empty(t, problems)
	s.Services[0].Fails.First = 1
	s.Workers[0].Count = 1
	found, err := Points(s, "mailer", "")
	require.NoError(t, err)
	assert.Equal(t, 1, found.Whole.Outcome.Lost)
	assert.Equal(t, Lost, found.At(2).Result)
}

func TestNothingToCrash(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", `def on_message(msg):\n    ack(msg)\n`, 1)))
	require.Empty(t, problems)
	s.Producers = nil
	_, err := Points(s, "mailer", "")
	assert.ErrorIs(t, err, ErrNeverRuns)
	_, err = Points(s, "nobody", "")
	assert.EqualError(t, err, `there is no pool "nobody"; the pools are: mailer`)
}

// TestTheLastLineIsTheHandlers: functions may stand below on_message, and a
// line that returns leaves nothing to crash.
func TestTheLastLineIsTheHandlers(t *testing.T) {
	assert.Equal(t, map[int]string{
		2: "deliver(msg): right",
		3: "print(msg.id): right",
		6: "ack(msg): lost",
		7: "send_email(msg.id): right",
	}, points(t, "def on_message(msg):\n    deliver(msg)\n    print(msg.id)\n\ndef deliver(msg):\n    ack(msg)\n    send_email(msg.id)\n"))
	assert.Equal(t, map[int]string{
		2: "send_email(msg.id): done twice",
		3: "ack(msg): right",
		4: "return: over",
	}, points(t, "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n    return\n"))
}

func TestAnotherMessage(t *testing.T) {
	const bySort = `def on_message(msg):\n    if msg.id == 102:\n        ack(msg)\n        send_email(msg.id)\n    else:\n        send_email(msg.id)\n        ack(msg)\n`
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", bySort, 1)))
	require.Empty(t, problems)
	table, err := Points(s, "mailer", "102")
	require.NoError(t, err)
	assert.Equal(t, Lost, table.At(3).Result)
	assert.Nil(t, table.At(6))
	_, err = Points(s, "mailer", "7")
	assert.EqualError(t, err, "message 7 never reaches this handler; those that do are 101, 102")
}

// TestInSlices: made in small steps, a table is the one that is made at once.
func TestInSlices(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(mailer, "HANDLER", `def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n`, 1)))
	require.Empty(t, problems)
	want, err := Points(s, "mailer", "")
	require.NoError(t, err)
	f, err := Start(s, "mailer", "", 0)
	require.NoError(t, err)
	steps := 0
	for more := true; more; steps++ {
		done, of := f.Done()
		assert.LessOrEqual(t, done, of)
		more, err = f.Step(1)
		require.NoError(t, err)
	}
	assert.Greater(t, steps, 10)
	done, of := f.Done()
	assert.Equal(t, []int{2, 2}, []int{done, of})
	for i := range want.Points {
		assert.Equal(t, want.Points[i].Result, f.Table().Points[i].Result)
		assert.Equal(t, want.Points[i].Run.Log.Hash(), f.Table().Points[i].Run.Log.Hash())
	}
}

// TestWithinABound: of a long run only the time is looked at that the bound
// leaves, the same with and without the crash.
func TestWithinABound(t *testing.T) {
	stream := strings.Replace(mailer, `"send": [{"id": 101}, {"id": 102}]`, `"rate": "10/s", "count": 1000, "first_id": 101`, 1)
	s, problems := scenario.DecodeJSON([]byte(strings.Replace(stream, "HANDLER", `def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n`, 1)))
	require.Empty(t, problems)
	f, err := Start(s, "mailer", "", 500)
	require.NoError(t, err)
	for more := true; more; {
		more, err = f.Step(64)
		require.NoError(t, err)
	}
	table := f.Table()
	assert.Positive(t, table.Until)
	assert.Less(t, table.Whole.Log.Len(), 520)
	assert.LessOrEqual(t, table.Whole.Outcome.EndedAt, table.Until)
	assert.Equal(t, []Result{Lost, Right}, []Result{table.Points[0].Result, table.Points[1].Result})
}
