package player

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/handler"
)

var kitchen = handler.Names{Services: []string{"send_email"}, Tables: []string{"seen"}, Queues: []string{"orders"}}

const seenFirst = `def on_message(msg):
    if seen.has(msg.id):
        return ack(msg)
    send_email(msg.id)
    seen.add(msg.id)
    ack(msg)
`

// at writes the slots of a line as "before:depth".
func at(source string, line int) []string {
	var all []string
	for _, s := range Slots(source, line, kitchen) {
		all = append(all, string(rune('0'+s.Before))+":"+string(rune('0'+s.Depth)))
	}
	return all
}

func TestSlotsOfTheAck(t *testing.T) {
	assert.Equal(t, []string{"2:1", "3:2", "4:1", "5:1"}, at(seenFirst, 6))
	assert.Equal(t, []string{"2:1"}, at("def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n", 3))
	assert.Equal(t, []string{"4:1"}, at("def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n", 2))
}

func TestOnlyStatementsOfTheirOwnCanBeMoved(t *testing.T) {
	assert.Empty(t, at(seenFirst, 1), "the definition")
	assert.Empty(t, at(seenFirst, 2), "the head of a block")
	assert.Empty(t, at(seenFirst, 3), "the only line of a block")
	assert.Empty(t, at(seenFirst, 0))
	assert.Empty(t, at(seenFirst, 99))
	for _, l := range Lines(seenFirst) {
		assert.Equal(t, l.Number >= 3, l.Movable, l.Text)
	}
}

// Every slot leaves a program that compiles and has the same statements.
func TestEverySlotIsAValidProgram(t *testing.T) {
	sources := []string{
		seenFirst,
		"def on_message(msg):\n    send_email(msg.id)\n    ack(msg)\n",
		"def on_message(msg):\n\n    # first the work\n    send_email(msg.id)\n\n    ack(msg)\n",
		"def on_message(msg):\n  if msg.receives > 1:\n    print(\"again\")\n    nack(msg)\n  else:\n    send_email(msg.id)\n    ack(msg)\n  print(\"end\")\n",
		"def name(msg):\n    return msg.id\n\ndef on_message(msg):\n    for i in range(3):\n        send_email(name(msg))\n    ack(msg)\n",
	}
	for _, source := range sources {
		require.Empty(t, handler.Check(source, kitchen), source)
		for _, line := range Lines(source) {
			for _, slot := range Slots(source, line.Number, kitchen) {
				assert.Empty(t, handler.Check(slot.source, kitchen), slot.source)
				assert.NotEqual(t, source, slot.source)
				assert.ElementsMatch(t, words(source), words(slot.source))
				assert.Equal(t, line.Text, Lines(slot.source)[slot.line-1].Text)
			}
		}
	}
}

func words(source string) []string { return strings.Fields(source) }

func TestConsequences(t *testing.T) {
	says := map[int]string{}
	for _, s := range Slots(seenFirst, 6, kitchen) {
		says[s.Before] = s.Says
	}
	assert.Equal(t, map[int]string{
		2: "gone before the work is done", 3: "gone before the work is done",
		4: "gone before the work is done", 5: "kept until the work is done",
	}, says)
}

func TestMovingThereAndBack(t *testing.T) {
	p := sixOrders(t)
	first := p.Handler()
	to, ok := p.NudgeLine(3, -1)
	require.True(t, ok)
	assert.Equal(t, 2, to)
	assert.Equal(t, "def on_message(msg):\n    ack(msg)\n    send_email(msg.id)\n", p.Handler())
	assert.False(t, p.CanNudge(2, -1))
	was, depth := p.AckWas()
	assert.Equal(t, []int{4, 1}, []int{was, depth})
	assert.Equal(t, "gone before the work is done", p.Consequence(2))

	to, ok = p.MoveLine(2, 4)
	require.True(t, ok)
	assert.Equal(t, 3, to)
	assert.Equal(t, first, p.Handler())
	_, ok = p.MoveLine(3, 1)
	assert.False(t, ok, "not above the definition")
}
