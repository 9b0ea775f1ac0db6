package player

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/build"
	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/share"
)

// blank is a sandbox as one begins from nothing.
func blank(t *testing.T) *Player {
	t.Helper()
	p := New(Blank())
	require.True(t, p.Work(never))
	require.Equal(t, 10, p.Run().Outcome.Accepted)
	return p
}

// good holds that the last edit was taken and has its run.
func good(t *testing.T, p *Player) {
	t.Helper()
	require.Empty(t, p.Problems())
	require.True(t, p.Work(never))
	require.NotNil(t, p.Run())
}

func field(t *testing.T, p *Player, name string) Field {
	t.Helper()
	f := p.Form()
	for _, all := range append([]Listing{}, f.Lists...) {
		for _, item := range all.Items {
			f.Fields = append(f.Fields, item.Fields...)
		}
	}
	for _, one := range f.Fields {
		if one.Name == name || one.Path == name {
			return one
		}
	}
	t.Fatalf("the form of %s has no field %s", f.Title, name)
	return Field{}
}

func TestAPipelineOfThreeQueuesIsBuiltByHand(t *testing.T) {
	p := blank(t)
	p.RenameThing(Thing{"queues", "queue"}, "orders")
	good(t, p)
	assert.Equal(t, Thing{"queues", "orders"}, p.Chosen(), "what was renamed stays chosen")
	for _, name := range []string{"kitchen", "delivery"} {
		p.RenameThing(p.AddThing("queues"), name)
		good(t, p)
	}
	p.RenameThing(p.AddThing("services"), "send_email")
	good(t, p)
	assert.Equal(t, []string{"worker"}, p.Form().Calls, "nobody calls it yet")
	p.RenameThing(Thing{"workers", "worker"}, "clerk")
	p.Choose(Thing{"workers", "clerk"})
	p.SetHandler("typed", "def on_message(msg):\n    publish(\"kitchen\", msg.body, id=msg.id)\n    ack(msg)\n")
	good(t, p)
	cook := p.AddThing("workers")
	assert.Equal(t, []string{"kitchen"}, member(t, p, "from"), "new workers take from where nobody takes from")
	p.RenameThing(cook, "cook")
	p.SetHandler("typed", "def on_message(msg):\n    publish(\"delivery\", msg.body, id=msg.id)\n    ack(msg)\n")
	good(t, p)
	p.RenameThing(p.AddThing("workers"), "driver")
	p.SetMember("workers.driver.from", "kitchen", false)
	p.SetMember("workers.driver.from", "delivery", true)
	good(t, p)
	o := p.Run().Outcome
	assert.Equal(t, []int{30, 10, 0}, []int{o.Acked, o.Effects, o.Lost}, "ten orders went through three queues")

	p.RenameThing(Thing{"queues", "kitchen"}, "line")
	good(t, p)
	assert.Equal(t, 10, p.Run().Outcome.Effects, "the handlers go on with the new name")

	link := p.Address()
	assert.Contains(t, link, share.ScenarioKey+"=")
	other := New(Blank())
	require.True(t, other.Open("#"+link))
	good(t, other)
	assert.Equal(t, hash(p), hash(other))

	for p.CanUndo() {
		p.Undo()
		require.Empty(t, p.Problems())
	}
	good(t, p)
	assert.Equal(t, hash(blank(t)), hash(p))
}

func member(t *testing.T, p *Player, name string) []string {
	f := field(t, p, name)
	return f.Members()
}

func TestEveryThingCanBeAddedAndRemoved(t *testing.T) {
	for _, section := range build.Sections {
		p := blank(t)
		first := hash(p)
		added := p.AddThing(section)
		good(t, p)
		assert.Equal(t, section, added.Section)
		assert.Equal(t, added, p.Chosen())
		assert.True(t, p.Form().Named)
		assert.Contains(t, p.RemoveThing(added), "Removed "+build.One(section)+" "+added.Name)
		good(t, p)
		assert.Equal(t, first, hash(p))
		assert.NotEqual(t, added, p.Chosen(), "what is gone is not shown")
	}
}

func TestWhatIsWrongIsSaidAtItsField(t *testing.T) {
	p := blank(t)
	before := hash(p)
	p.Choose(Thing{"queues", "queue"})

	p.RenameThing(p.Chosen(), "a b")
	assert.Contains(t, p.Form().Wrong, `"a b" is not a name here`)
	p.SetWritten("queues.queue.ttl", "soon")
	assert.Contains(t, field(t, p, "ttl").Problem, "soon")
	assert.Empty(t, p.Form().Wrong)

	p.Choose(Thing{"producers", "producer"})
	assert.Len(t, p.Form().Knobs, 1)
	p.SetStream("producer", false)
	good(t, p)
	assert.Empty(t, p.Form().Knobs, "exact messages have no rate")
	p.SetRow("producers.producer.send[1].at", "later")
	assert.Contains(t, field(t, p, "producers.producer.send[1].at").Problem, "later")
	assert.NotEqual(t, before, hash(p), "the run of the three messages is on the stage")

	p.Choose(Thing{Section: Expected})
	p.AddRow(Expected)
	good(t, p)
	p.SetRow("expect[0]", "accepted ==")
	require.NotEmpty(t, p.Problems())
	assert.NotEmpty(t, field(t, p, "expect[0]").Problem)
	p.SetRow("expect[0]", "accepted == 3")
	good(t, p)
	p.RemoveRow("expect[0]")
	good(t, p)
}

func TestTheTimelineIsBuiltByHand(t *testing.T) {
	p := blank(t)
	p.Choose(Thing{Section: Timeline})
	p.AddRow(Timeline)
	good(t, p)
	assert.Equal(t, "crash", p.Form().Lists[0].Items[0].Action)
	for _, action := range build.Actions {
		p.SetAction(0, action)
		good(t, p)
		assert.Equal(t, action, p.Form().Lists[0].Items[0].Action)
	}
	p.SetRow("timeline[0].at", "2s")
	good(t, p)
	assert.Equal(t, 2*event.Second, p.Scenario().Timeline[0].At)
}

func TestAServiceThatIsGoneIsMissedInTheHandler(t *testing.T) {
	p := blank(t)
	p.AddThing("services")
	p.Call("worker", "service")
	good(t, p)
	assert.Equal(t, 10, p.Run().Outcome.Effects)
	good := hash(p)
	p.RemoveThing(Thing{"services", "service"})
	require.NotEmpty(t, p.Problems())
	m, wrong := p.Mistake()
	require.True(t, wrong)
	assert.Equal(t, 3, m.Line)
	assert.Equal(t, good, hash(p), "the last good run stays on the stage")
	p.Undo()
	assert.Empty(t, p.Problems())
}

// TestUndoneIsNotWhatStays: back at an edit with a mistake, the stage shows the
// last good run before it, not what came after it.
func TestUndoneIsNotWhatStays(t *testing.T) {
	p := blank(t)
	before := hash(p)
	p.SetWritten("queues.queue.ttl", "soon")
	p.RemoveThing(Thing{"producers", "producer"})
	good(t, p)
	assert.NotEqual(t, before, hash(p))
	p.Undo()
	require.NotEmpty(t, p.Problems())
	require.True(t, p.Work(never))
	assert.Equal(t, before, hash(p))
}

func TestYAMLGoesBothWays(t *testing.T) {
	p := blank(t)
	first := hash(p)
	text := p.YAML()
	p.SetYAML(strings.Replace(text, "count: 10", "count: 4", 1))
	good(t, p)
	assert.Equal(t, 4, p.Run().Outcome.Accepted)
	p.SetYAML(strings.Replace(text, "count: 10", "cuont: 10", 1))
	mistakes := p.YAMLMistakes()
	assert.Contains(t, mistakes.Error(), `2:46: unknown field "cuont": did you mean "count"?`)
	assert.Equal(t, 4, p.Run().Outcome.Accepted, "the last good run stays on the stage")
	p.SetYAML(strings.Replace(text, "ack(msg)", "ack(", 1))
	mistakes = p.YAMLMistakes()
	require.NotEmpty(t, mistakes)
	assert.Greater(t, mistakes[0].Line, 5, "a handler's mistake has its line in the text")
	p.SetYAML(text)
	good(t, p)
	assert.Equal(t, first, hash(p))
	p.Seal()
	p.Undo()
	assert.Equal(t, text, p.YAML(), "typing is one edit")
}

func TestAStartIsWhatChangesAreHeldAgainst(t *testing.T) {
	p := blank(t)
	p.AddThing("queues")
	s := sixOrders(t).Scenario()
	p.Start("from six orders", s)
	good(t, p)
	assert.Equal(t, hash(sixOrders(t)), hash(p))
	p.SetWritten("workers.cook.count", "3")
	good(t, p)
	assert.Equal(t, s, p.Original())
	p.Reset()
	good(t, p)
	assert.Equal(t, hash(sixOrders(t)), hash(p))
	for p.CanUndo() {
		p.Undo()
	}
	assert.Equal(t, string(Blank().EncodeJSON()), string(p.Original().EncodeJSON()))
	assert.NotEmpty(t, p.OpenText("a.yaml", "queues: ["))
	assert.Empty(t, p.OpenText("a.json", `{"queues":{"orders":{}}}`))
	good(t, p)
	assert.Equal(t, []string{"orders"}, build.Names(p.Scenario(), "queues"))
}

// TestEveryCaseGoesThroughALink: the address of any scenario opens it on a page
// that has another one of its own, at the same moment with the same ticket.
func TestEveryCaseGoesThroughALink(t *testing.T) {
	files, err := filepath.Glob("../../core/testdata/cases/*.yaml")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		p := New(Blank())
		require.Empty(t, p.OpenText(file, string(text)), file)
		good(t, p)
		p.Seek(p.End() / 2)
		p.Follow(0)
		link := p.Address()
		full, err := p.FullAddress()
		require.NoError(t, err)
		assert.Equal(t, full, link)
		other := New(sixOrders(t).Scenario())
		require.True(t, other.Open(link), file)
		other.OpenMoment(link)
		good(t, other)
		assert.Equal(t, hash(p), hash(other), file)
		assert.Equal(t, p.Time(), other.Time(), file)
		assert.Equal(t, p.Following(), other.Following(), file)
		assert.Empty(t, other.Trouble(), file)
	}
}

// TestOrderAtOneInstantSurvives: at one instant, what stands first happens
// first.
func TestOrderAtOneInstantSurvives(t *testing.T) {
	entries := []scenario.Entry{
		{At: event.Second, Crash: "cook/1"},
		{At: event.Second, Set: "workers.cook.count", To: int64(3)},
		{At: event.Second, Redrive: "orders-dead"},
		{At: event.Second, Crash: "cook/1"},
	}
	for _, order := range [][]int{{0, 1, 2, 3}, {1, 0, 2, 3}, {2, 1, 0, 3}, {3, 2, 1, 0}} {
		p := sixOrders(t)
		p.Edit("all at once", "all", func(s *scenario.Scenario) scenario.Problems {
			for _, i := range order {
				s.Timeline = append(s.Timeline, entries[i])
			}
			return nil
		})
		require.Empty(t, p.Problems())
		other := sixOrders(t)
		require.True(t, other.Open(p.Address()))
		assert.Equal(t, p.Scenario().Timeline, withoutPlaces(other.Scenario().Timeline), "%v", order)
	}
}

func withoutPlaces(entries []scenario.Entry) []scenario.Entry {
	for i := range entries {
		entries[i].Line, entries[i].Column = 0, 0
	}
	return entries
}

func TestALinkThatCannotBeReadSaysSo(t *testing.T) {
	full, err := blank(t).FullAddress()
	require.NoError(t, err)
	for link, says := range map[string]string{
		full[:len(full)-4]: "This link is damaged or was cut off: copy it again, as a whole. The page is as it is without the link.",
		"v=2&at=1s":        "This link is of version 2",
		"v=1&scenario=" + strings.Repeat("A", 10<<20): "This link holds more than 64 KB",
		"v=1&scenario=%3Cscript%3E":                   "This link is damaged",
	} {
		p := sixOrders(t)
		assert.False(t, p.Open(link))
		p.OpenMoment(link)
		assert.Contains(t, p.Trouble(), says)
		assert.Equal(t, p.Original(), p.Scenario())
		set(t, p, "workers", 2)
		assert.Empty(t, p.Trouble(), "it is said until something is changed")
	}
}

func TestALinkOfAnotherVersionSaysSo(t *testing.T) {
	p := sixOrders(t)
	p.Seek(300 * event.Millisecond)
	link := p.Address()
	v, err := url.ParseQuery(link)
	require.NoError(t, err)
	require.Len(t, v.Get(share.RunKey), runLetters)
	p.OpenMoment(link)
	assert.Empty(t, p.Trouble())
	p.OpenMoment(strings.Replace(link, v.Get(share.RunKey), "ffffffff", 1))
	assert.Contains(t, p.Trouble(), "made with another version")
	assert.Equal(t, 300*event.Millisecond, p.Time(), "it opens all the same")
}

func TestAScenarioThatFitsIntoNoLinkIsSaid(t *testing.T) {
	p := blank(t)
	p.SetWritten("title", strings.Repeat("long ", share.MaxUnpacked/5))
	_, err := p.FullAddress()
	require.Error(t, err)
	assert.Contains(t, err.Error(), "keep it as a file")
	assert.NotContains(t, p.Address(), share.ScenarioKey+"=")
}

func TestAnythingCanBeTakenAway(t *testing.T) {
	p := blank(t)
	for _, thing := range []Thing{{"workers", "worker"}, {"producers", "producer"}, {"queues", "queue"}} {
		p.RemoveThing(thing)
		good(t, p)
		p.GoToEnd()
		p.AddsUp()
		p.Form()
		assert.NotEmpty(t, p.Chosen().Section)
		assert.NotPanics(t, func() { p.Handler(); p.AtLines(); p.Address(); p.Transcript() })
	}
	assert.Equal(t, "{}\n", p.YAML())
}

func TestPaintedYAMLIsTheText(t *testing.T) {
	p := sixOrders(t)
	lines := strings.Split(p.YAML(), "\n")
	painted := p.PaintedYAML(p.YAML())
	require.Len(t, painted, len(lines))
	kinds := map[string]bool{}
	for i, spans := range painted {
		text := ""
		for _, s := range spans {
			text += s.Text
			kinds[s.Kind] = true
		}
		assert.Equal(t, lines[i], text)
	}
	for _, kind := range []string{"kw", "num", "service", "queue"} {
		assert.True(t, kinds[kind], kind)
	}
}
