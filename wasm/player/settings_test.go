package player

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/scenario"
)

const kitchenOfTwo = `{
  "queues": {"orders": {"visibility_timeout": "30s", "max_size": 50, "overflow": "drop_oldest"}, "mails": {}},
  "producers": {"waiter": {"to": "orders", "rate": "100/m", "count": 4}},
  "services": {"send_email": {"latency": {"min": "100ms", "max": "300ms"}}, "charge": {"latency": "750ms"}},
  "tables": {"seen": {"ttl": "5s"}},
  "workers": {
    "cook": {"from": "orders", "count": 12, "handler": "def on_message(msg):\n    publish(\"mails\", msg.body)\n    ack(msg)\n"},
    "clerk": {"from": "mails", "crash": [{"message": 1, "where": "on_line", "line": 2}], "handler": "def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n"}
  }
}`

func ofTwo(t *testing.T) *Player {
	t.Helper()
	s, problems := scenario.DecodeJSON([]byte(kitchenOfTwo))
	require.Empty(t, problems)
	p := New(s)
	require.True(t, p.Work(never))
	require.Empty(t, p.Problems())
	return p
}

func settingOf(t *testing.T, p *Player, id string) Setting {
	t.Helper()
	for _, s := range p.Settings() {
		if s.ID == id {
			return s
		}
	}
	require.Fail(t, "there is no setting "+id)
	return Setting{}
}

func TestEveryPlaceHasItsSettings(t *testing.T) {
	p := ofTwo(t)
	ids := map[string]string{}
	for _, s := range p.Settings() {
		ids[s.ID] = s.Label
	}
	assert.Equal(t, map[string]string{
		"visibility-timeout": "Rail orders, Time to ack", "visibility-timeout-mails": "Rail mails, Time to ack",
		"max-receives": "Rail orders, Tries", "max-receives-mails": "Rail mails, Tries",
		"max-size": "Rail orders, Rail size", "max-size-mails": "Rail mails, Rail size",
		"overflow": "Rail orders, When full", // the other rail cannot be full
		"workers":  "Cooks cook, Cooks", "workers-clerk": "Cooks clerk, Cooks",
		"crash": "Cooks cook, Crash chance", // the clerk has an exact one
		"fails": "Send email, Fails at first", "fails-charge": "Charge, Fails at first",
		"latency-charge": "Charge, Time for a call", // the other's is drawn from a range
		"rate":           "Orders",
	}, ids)
}

func TestAValueLiesOnItsControl(t *testing.T) {
	p := ofTwo(t)
	for id, shown := range map[string][2]string{
		"visibility-timeout": {"30", "s"}, "workers": {"12", ""}, "rate": {"100", "/ m"}, "overflow": {"Drop oldest", ""}, "latency-charge": {"750", "ms"},
	} {
		s := settingOf(t, p, id)
		assert.Equal(t, shown, [2]string{s.Value, s.Unit}, id)
		assert.LessOrEqual(t, s.Position, s.Steps/2+1, "%s lies in the first half, with room above", id)
		p.SetPosition(id, s.Position+1)
		moved := settingOf(t, p, id)
		assert.NotEqual(t, s.Value, moved.Value, id)
		assert.NotEmpty(t, moved.Was, id)
		p.PutBack(s.Path)
		assert.Empty(t, settingOf(t, p, id).Was, id)
	}
	assert.Equal(t, string(p.Original().EncodeJSON()), string(p.Scenario().EncodeJSON()), "to the letter, 750 ms too")
}

func TestChoicesHaveTheirWords(t *testing.T) {
	p := ofTwo(t)
	assert.Equal(t, []string{"Turn away", "Drop oldest", "Waiter waits"}, settingOf(t, p, "overflow").Options)
	p.SetPosition("overflow", 2)
	assert.Equal(t, scenario.Overflow(1), p.Scenario().Queues[0].Overflow)
	assert.Equal(t, "overflow Waiter waits", p.UndoLabel())
}

// What has no control is a field, and every value is one or the other.
func TestAllOthersAreFields(t *testing.T) {
	p := ofTwo(t)
	all := map[string]bool{}
	for _, f := range p.Fields() {
		all[f.Path] = true
		assert.NotEmpty(t, f.Doc, f.Path)
	}
	for _, s := range p.Settings() {
		assert.False(t, all[s.Path], s.Path)
		all[s.Path] = true
	}
	for _, s := range scenario.Paths(p.Scenario()) {
		assert.Equal(t, s.Kind != scenario.KindHandler, all[s.Path], s.Path)
	}
}

func fieldAt(p *Player, path string) Field {
	for _, f := range p.Fields() {
		if f.Path == path {
			return f
		}
	}
	return Field{}
}

func TestAFieldThatIsRefusedSaysWhy(t *testing.T) {
	p := ofTwo(t)
	first := hash(p)
	const path = "tables.seen.ttl"
	assert.Equal(t, Field{
		ID: "f-tables-seen-ttl", Path: path, Group: "tables.seen", Name: "ttl", Value: "5s", Default: "0s",
		Doc: "how long a row stays after its last write; 0s: for ever",
	}, fieldAt(p, path))
	p.SetWritten(path, "soon")
	f := fieldAt(p, path)
	assert.Contains(t, f.Problem, "soon")
	assert.Equal(t, "5s", f.Value)
	assert.Equal(t, first, hash(p), "the last good run stays")
	p.SetWritten(path, "5s")
	assert.Empty(t, fieldAt(p, path).Problem, "the value that it has is one that is written")
	p.SetWritten(path, "2m")
	require.True(t, p.Work(never))
	f = fieldAt(p, path)
	assert.Equal(t, []string{"2m", "5s", ""}, []string{f.Value, f.Was, f.Problem})
	assert.Equal(t, "ttl 2m", p.UndoLabel())
	p.SetWritten(path, "")
	assert.Equal(t, "0s", fieldAt(p, path).Value, "nothing is the default")
	p.PutBack(path)
	assert.Empty(t, fieldAt(p, path).Was)
}

func TestALinkHasEverySetting(t *testing.T) {
	p := ofTwo(t)
	p.SetWritten("tables.seen.ttl", "2m")
	p.SetWritten("services.send_email.latency.max", "1s")
	p.SetWritten("queues.mails.overflow", "block")
	p.SetWritten("queues.mails.max_size", "3")
	p.SetWritten("seed", "7")
	p.ShowCard(1)
	p.SetHandler("typed", "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n")
	require.True(t, p.Work(never))
	require.Empty(t, p.Problems())
	again := ofTwo(t)
	require.True(t, again.Open(p.Address()))
	require.True(t, again.Work(never))
	assert.Equal(t, string(p.Scenario().EncodeJSON()), string(again.Scenario().EncodeJSON()))
	assert.Equal(t, hash(p), hash(again))
}

func TestEveryPoolHasItsCard(t *testing.T) {
	p := ofTwo(t)
	assert.Equal(t, []string{"cook", "clerk"}, p.Pools())
	assert.Contains(t, p.Handler(), "publish")
	p.ShowCard(1)
	assert.Contains(t, p.Handler(), "send_email")
	first := p.Handler()
	_, ok := p.NudgeLine(3, -1)
	require.True(t, ok)
	require.True(t, p.Work(never))
	assert.NotEqual(t, first, p.Handler())
	assert.Equal(t, p.Original().Workers[0].Handler, p.Scenario().Workers[0].Handler)
	assert.Equal(t, "ack on line 2", p.UndoLabel())
	before, _ := p.AckWas()
	assert.Equal(t, 4, before)
	p.ResetHandler()
	assert.Equal(t, first, p.Handler())
	p.Seek(p.End())
	for line := range p.AtLines() {
		assert.Contains(t, []int{2, 3}, line)
	}
	p.ShowCard(9)
	assert.Equal(t, 1, p.Card(), "there are two")
	p.SetHandler("typed", "def on_message(msg)\n")
	m, wrong := p.Mistake()
	assert.True(t, wrong)
	assert.Equal(t, 1, m.Line)
	p.ShowCard(0)
	_, wrong = p.Mistake()
	assert.False(t, wrong, "the mistake is on the other card")
}
