package player

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
)

func texts(w Window) string {
	var all []string
	for _, row := range w.Rows {
		all = append(all, row.Clock+" "+row.Text)
	}
	return strings.Join(all, "\n")
}

func TestATranscriptIsConfined(t *testing.T) {
	p := sixOrders(t)
	everything := p.Transcript().Total
	p.FollowID("103")
	assert.Equal(t, everything, p.Transcript().Total, "to follow is not to confine")

	p.SetFilter(Filter{Followed: true, Worker: event.NoWorker})
	assert.Equal(t, strings.TrimSpace(`
00.000 The waiter clips 103 to the rail.
00.400 Cook A takes 103. First try.
00.600 Cook A sends Chitra an email for 103.
00.600 Cook A spikes 103. Done.`), texts(p.Transcript()))
	text, lines := p.TranscriptText()
	assert.Equal(t, 4, lines)
	assert.Equal(t, 4, strings.Count(text, "\n"))
	p.FollowID("103")
	assert.Equal(t, everything, p.Transcript().Total, "nobody is followed any more")

	counted := 0
	for _, topic := range p.Topics() {
		p.SetFilter(Filter{Worker: event.NoWorker, Topic: topic.Key})
		assert.Equal(t, topic.Count, p.Transcript().Total, topic.Name)
		counted += topic.Count
	}
	assert.Equal(t, everything-1, counted, "all but the end of the run belong to a topic")
	p.SetFilter(Filter{Worker: 0})
	assert.Equal(t, 18, p.Transcript().Total)
}

func TestEveryToldKindButTheEndHasATopic(t *testing.T) {
	for _, path := range []string{"poison-to-dead-letters", "naive-payments", "slow-worker", "queue-full", "lunch-rush", "rules/redrive-after-edit", "rules/topic-fan-out", "rules/pause-and-resume", "rules/drop-oldest", "rules/tables"} {
		p := open(t, "../../core/testdata/cases/"+path+".yaml")
		for _, i := range p.told {
			kind, known := p.Run().Log.Event(int(i)).Kind, false
			for _, topic := range topics {
				known = known || topic.kinds.Has(kind)
			}
			assert.True(t, known || untopical[kind], "%s: %s has no topic", path, kind)
		}
	}
}

// untopical are told, but nobody would look for them alone.
var untopical = map[event.Kind]bool{event.Ended: true, event.HandlerFinished: true, event.Printed: true, event.CallStarted: true, event.Line: true}

func TestTheCurrentSentenceOfAConfinedTranscript(t *testing.T) {
	p := sixOrders(t)
	p.SetFilter(Filter{Worker: event.NoWorker, Topic: "acks"})
	for i := range p.Run().Log.Len() {
		p.GoTo(i)
		first, current := p.WindowStart()
		assert.Zero(t, first)
		w := p.Transcript()
		if current >= 0 {
			assert.LessOrEqual(t, w.Rows[current].Event, i)
		}
		if current+1 < len(w.Rows) {
			assert.Greater(t, w.Rows[current+1].Event, i)
		}
	}
}

func TestALifeIsToldInTries(t *testing.T) {
	p := sixOrders(t)
	_, followed := p.Biography()
	assert.False(t, followed)
	set(t, p, "fails", 1)
	p.FollowID("101")
	b, followed := p.Biography()
	require.True(t, followed)
	assert.Equal(t, "Why was 101 handed out twice?", b.Question)
	assert.Contains(t, b.About, "Asha")
	assert.NotEmpty(t, b.Because)
	require.Len(t, b.Tries, 3)
	assert.Equal(t, []int{0, 1, 2}, []int{b.Tries[0].N, b.Tries[1].N, b.Tries[2].N})
	assert.Equal(t, "Cook A", b.Tries[1].Name)
	assert.True(t, b.Tries[2].Again)

	lines := []LifeLine{}
	for _, try := range b.Tries {
		lines = append(lines, try.Lines...)
	}
	for n, line := range lines {
		if line.Event < 0 {
			assert.Empty(t, line.Clock)
			continue
		}
		p.GoTo(line.Event)
		assert.Equal(t, n, p.Lived(&b), "after a click on line %d it is the current one", n)
	}
	p.Restart()
	assert.Equal(t, -1, p.Lived(&b))
}

func TestMessagesWorthFollowing(t *testing.T) {
	p := open(t, "../../core/testdata/cases/poison-to-dead-letters.yaml")
	names := map[string]int{}
	for _, g := range p.Notable() {
		names[g.Name] = g.Count
		assert.LessOrEqual(t, len(g.Shown), mostShown)
	}
	assert.Equal(t, p.Run().Outcome.Dead, names["dead letters"])
	assert.Positive(t, names["dead letters"])
	assert.NotContains(t, names, "lost")
	lives := p.Lives(3)
	assert.NotEmpty(t, lives)
	seen := map[event.MessageRef]bool{}
	for _, life := range lives {
		assert.False(t, seen[life.Message])
		seen[life.Message] = true
	}
}

func TestADeadLetterIsCorrectedAndSentBack(t *testing.T) {
	p := open(t, "../../core/testdata/cases/poison-to-dead-letters.yaml")
	first := hash(p)
	dead := p.Run().Outcome.Queues
	p.GoToEnd()
	var letter event.MessageRef
	for _, q := range dead {
		if q.DeadLetter && len(q.DeadLetters) > 0 {
			letter = q.DeadLetters[0]
		}
	}
	p.Follow(letter)
	queue, body := p.Letter()
	require.NotEmpty(t, queue)
	require.NotEmpty(t, body)
	assert.NotEmpty(t, p.EditLetter("{"), "a body that is no JSON is said")
	assert.NotEmpty(t, p.EditLetter(`1},{"at":"1s","crash":"x"`), "one value, not more entries")
	assert.Equal(t, first, hash(p))

	require.Empty(t, p.EditLetter(`{"to": "dev@example.com"}`))
	require.True(t, p.Work(never))
	require.Empty(t, p.Problems())
	assert.NotEqual(t, first, hash(p))
	timeline := p.Scenario().Timeline
	require.GreaterOrEqual(t, len(timeline), 2)
	assert.Equal(t, queue, timeline[len(timeline)-1].Redrive)

	again := New(p.Original())
	require.True(t, again.Open(p.Address()))
	require.True(t, again.Work(never))
	assert.Equal(t, hash(p), hash(again), "a link has the correction in it, before the letter is sent back")

	p.GoToEnd()
	p.Undo()
	require.True(t, p.Work(never))
	assert.Equal(t, first, hash(p))
	p.Seek(0)
	queue, _ = p.Letter()
	assert.Empty(t, queue, "it is no letter yet")
}

func TestWordsChangeNothingThatHappens(t *testing.T) {
	p := sixOrders(t)
	set(t, p, "fails", 1)
	first := hash(p)
	p.FollowID("101")
	seen := map[string]bool{}
	for _, w := range AllWords {
		p.SetWords(w)
		assert.Equal(t, first, hash(p))
		assert.Same(t, w, WordsNamed(w.Key))
		b, _ := p.Biography()
		text, _ := p.TranscriptText()
		seen[text] = true
		assert.NotEmpty(t, b.Because)
		for _, f := range p.Comparison(true) {
			assert.NotEmpty(t, f.Technical, "the technical term stays beside %s", f.Name)
		}
	}
	assert.Len(t, seen, len(AllWords))
	assert.Equal(t, "kitchen", WordsNamed("nonsense").Key)
}

func TestARunIsComparedWithAnyOtherVersion(t *testing.T) {
	p := sixOrders(t)
	assert.Nil(t, p.Parting())
	set(t, p, "workers", 1)
	p.Seal()
	set(t, p, "fails", 1)
	p.Seal()
	set(t, p, "latency", 8)
	names, shown, against := p.Versions()
	assert.Equal(t, []string{"as it was", "workers 2", "fails.first 1", "latency 400 ms"}, names)
	assert.Equal(t, 3, shown)
	assert.Equal(t, 2, against)
	assert.Equal(t, "latency was 200 ms and is 400 ms", p.Parting().Why)

	p.CompareWith(1) // its run was forgotten
	require.True(t, p.Work(never))
	_, _, against = p.Versions()
	assert.Equal(t, 1, against)
	before, _ := p.Before()
	assert.Zero(t, before.Outcome.Failures)
	assert.Equal(t, "latency was 200 ms and is 400 ms; fails.first was never and is 1", p.Parting().Why)
	r, _ := p.Twin()
	assert.Same(t, before, r)
	p.GoToEnd()
	_, state := p.Twin()
	assert.Equal(t, before.Log.Len(), state.Events)

	p.CompareWith(shown)
	_, _, against = p.Versions()
	assert.Equal(t, 1, against, "with itself nothing is compared")
	p.Undo()
	p.Undo()
	require.True(t, p.Work(never))
	_, shown, against = p.Versions()
	assert.Equal(t, []int{1, 0}, []int{shown, against}, "what is shown itself is compared with the one before")
}

func TestWhereTwoRunsPart(t *testing.T) {
	p := sixOrders(t)
	set(t, p, "fails", 1)
	d := p.Parting()
	require.NotNil(t, d)
	assert.Equal(t, "00.200", d.Clock)
	assert.Contains(t, plain(d.Before), "email for 101")
	assert.Contains(t, plain(d.After), "fails for 101")
	p.GoTo(d.Goes)
	assert.Equal(t, 200*event.Millisecond, p.Time())

	p = sixOrders(t)
	set(t, p, "visibility-timeout", 20)
	d = p.Parting()
	assert.NotEmpty(t, d.Both, "both take it; only how long it stays hidden differs")
	assert.Contains(t, d.Inside, "before")
	assert.Nil(t, d.Seen, "nobody sees it")

	p = sixOrders(t)
	set(t, p, "max-receives", 9)
	assert.True(t, p.Parting().Same)
}

func plain(parts []Part) string {
	var b strings.Builder
	for _, part := range parts {
		b.WriteString(part.Text)
	}
	return b.String()
}

func TestWhatARunIsMeasuredBy(t *testing.T) {
	p := open(t, "../../core/testdata/cases/naive-payments.yaml")
	var names []string
	for _, f := range p.Comparison(false) {
		names = append(names, f.Technical)
		assert.Empty(t, f.Before)
	}
	assert.Contains(t, names, "lost")
	few := len(names)
	assert.Greater(t, len(p.Comparison(true)), few)
	set(t, p, "workers", 3)
	for _, f := range p.Comparison(true) {
		assert.NotEmpty(t, f.Before, f.Name)
		if f.Before == f.After {
			assert.Empty(t, f.Verdict, f.Name)
		}
	}
}
