package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/build"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

func read(t testing.TB, file string) *scenario.Scenario {
	t.Helper()
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	s, problems := scenarioyaml.Decode(source)
	require.Empty(t, problems)
	return s
}

func cases(t testing.TB) map[string]*scenario.Scenario {
	t.Helper()
	all := map[string]*scenario.Scenario{}
	for _, pattern := range []string{"*.yaml", "rules/*.yaml"} {
		files, err := filepath.Glob("../testdata/cases/" + pattern)
		require.NoError(t, err)
		for _, file := range files {
			all[file] = read(t, file)
		}
	}
	require.Greater(t, len(all), 40)
	return all
}

// done is the scenario after a change that must be good.
func done(t testing.TB, r build.Result) *scenario.Scenario {
	t.Helper()
	require.NoError(t, r.Problems.Err())
	require.Empty(t, run.Check(r.Scenario))
	return r.Scenario
}

func TestFromNothingToAPipelineOfThreeQueues(t *testing.T) {
	s, problems := scenario.DecodeJSON([]byte("{}"))
	require.Empty(t, problems)
	set := func(path, value string) { require.Empty(t, scenario.Set(s, path, value), path) }
	add := func(section, name string) {
		r := build.Add(s, section)
		s = done(t, r)
		s = done(t, build.Rename(s, section, r.Name, name))
	}
	add("queues", "orders")
	add("queues", "kitchen")
	add("queues", "delivery")
	add("services", "send_email")
	for _, pool := range []struct{ name, from, to string }{{"clerk", "orders", "kitchen"}, {"cook", "kitchen", "delivery"}, {"driver", "delivery", ""}} {
		add("workers", pool.name)
		set("workers."+pool.name+".from", pool.from)
		if pool.to != "" {
			set("workers."+pool.name+".handler", "def on_message(msg):\n    sleep(0.1)\n    publish(\""+pool.to+"\", msg.body, id=msg.id)\n    ack(msg)\n")
		}
	}
	add("producers", "shop")
	set("producers.shop.to", "orders")
	r, err := run.Do(s)
	require.NoError(t, err)
	assert.Equal(t, 10, r.Outcome.Effects, "each of the ten orders has gone through all three queues")
	assert.Equal(t, 30, r.Outcome.Acked)
	assert.Zero(t, r.Outcome.Lost)
}

func TestWhatIsAddedToNothingRuns(t *testing.T) {
	for _, section := range build.Sections {
		s, _ := scenario.DecodeJSON([]byte("{}"))
		s = done(t, build.Add(s, section))
		_, err := run.Do(s)
		require.NoError(t, err, section)
	}
}

func TestAddedThingsTakeTheirPlaces(t *testing.T) {
	s := read(t, "../testdata/cases/rules/pipeline.yaml")
	for _, section := range build.Sections {
		before := append([]string{}, build.Names(s, section)...)
		for range 3 {
			s = done(t, build.Add(s, section))
		}
		assert.Equal(t, before, build.Names(s, section)[:len(before)], "what is there stays where it is")
		assert.Len(t, build.Names(s, section), len(before)+3)
	}
	tree := s.Tree()
	var order []string
	for _, f := range tree.Fields {
		order = append(order, f.Name)
	}
	again, problems := scenario.Decode(tree)
	require.Empty(t, problems)
	var want []string
	for _, f := range again.Tree().Fields {
		want = append(want, f.Name)
	}
	assert.Equal(t, want, order)
}

// TestEveryRemovalIsWholeOrSaysWhy: whatever thing of whatever case is removed,
// what is left is a scenario; where handlers or expectations still name the
// thing, that is what is said, and nothing else.
func TestEveryRemovalIsWholeOrSaysWhy(t *testing.T) {
	removed := 0
	for file, s := range cases(t) {
		before := string(s.EncodeJSON())
		for _, section := range build.Sections {
			for _, name := range build.Names(s, section) {
				r := build.Remove(s, section, name)
				require.NoError(t, r.Problems.Err(), "%s without %s %s", file, section, name)
				assert.NotContains(t, build.Names(r.Scenario, section), name)
				for _, p := range run.Check(r.Scenario) {
					handler := strings.HasSuffix(p.Path, ".handler")
					assert.True(t, handler || strings.Contains(p.Path, "expect"), "%s without %s %s: %s", file, section, name, p)
				}
				removed++
			}
		}
		assert.Equal(t, before, string(s.EncodeJSON()), file)
	}
	assert.Greater(t, removed, 150)
}

func TestWithAQueueGoesWhatHangsOnIt(t *testing.T) {
	s := read(t, "../testdata/cases/slow-worker.yaml")
	r := build.Remove(s, "queues", "orders")
	require.NotNil(t, r.Scenario)
	assert.Equal(t, []string{"producer shop", "pool slow", "pool quick"}, r.Also)
	assert.Empty(t, r.Scenario.Producers)
	assert.Empty(t, r.Scenario.Workers)

	s = done(t, build.Add(done(t, build.Add(s, "queues")), "topics"))
	s = done(t, build.Remove(s, "queues", "queue"))
	assert.Equal(t, []string{"orders"}, s.Topics[0].To, "a topic goes on with the queues that are left")
}

// TestARenamedThingIsTheSame: under another name everything happens as it did.
func TestARenamedThingIsTheSame(t *testing.T) {
	renamed := 0
	for file, s := range cases(t) {
		if s.Until > 3600e9 && len(s.Producers) == 0 {
			continue
		}
		before, err := run.Do(s)
		require.NoError(t, err, file)
		for _, section := range build.Sections {
			for _, name := range build.Names(s, section) {
				r := build.Rename(s, section, name, "another_name")
				require.NoError(t, r.Problems.Err(), "%s: %s %s", file, section, name)
				after, err := run.Do(r.Scenario)
				require.NoError(t, err, "%s: %s %s", file, section, name)
				// By chance, crashes and calls go by the names of pools and services.
				assert.Len(t, after.Outcome.Holds(), len(before.Outcome.Holds()), "%s: %s %s", file, section, name)
				assert.Equal(t, name, build.Rename(r.Scenario, section, "another_name", name).Name)
				renamed++
			}
		}
	}
	assert.Greater(t, renamed, 150)
}

func TestRenameSaysWhatIsWrong(t *testing.T) {
	s := read(t, "../testdata/cases/slow-worker.yaml")
	for name, says := range map[string]string{
		"":       "a name is missing: write one such as worker",
		"quick":  "there is a pool called quick already: write another name",
		"9lives": `"9lives" is not a name here: write letters, digits and _, with no digit first`,
		"a b":    `"a b" is not a name here: write letters, digits and _, with no digit first, such as a_b`,
	} {
		r := build.Rename(s, "workers", "slow", name)
		assert.Nil(t, r.Scenario)
		require.NotEmpty(t, r.Problems, name)
		assert.Equal(t, says, r.Problems[0].Text)
	}
	assert.Equal(t, "there is no pool called none to rename", build.Rename(s, "workers", "none", "some").Problems[0].Text)
}

func TestRenameInHandlersLeavesTextsAndCommentsAlone(t *testing.T) {
	s := read(t, "../testdata/cases/slow-worker.yaml")
	require.Empty(t, scenario.Set(s, "workers.slow.handler", "def on_message(msg):\n    # send_email is slow\n    print(\"send_email\")\n    send_email(msg.id) ; my_send_email = 1\n    ack(msg)\n"))
	s = done(t, build.Rename(s, "services", "send_email", "mail"))
	assert.Equal(t, "def on_message(msg):\n    # send_email is slow\n    print(\"send_email\")\n    mail(msg.id) ; my_send_email = 1\n    ack(msg)\n", s.Workers[0].Handler)
}

func TestCallStandsBeforeTheAck(t *testing.T) {
	s := read(t, "../testdata/cases/slow-worker.yaml")
	s = done(t, build.Add(s, "services"))
	s = done(t, build.Call(s, "quick", "service"))
	assert.Equal(t, "def on_message(msg):\n    sleep(0.4)\n    send_email(msg.id)\n    service(msg.id)\n    ack(msg)\n", s.Workers[1].Handler)
	assert.NotEmpty(t, build.Call(s, "none", "service").Problems)
}

func TestRows(t *testing.T) {
	s := read(t, "../testdata/cases/slow-worker.yaml")
	s.Timeline = nil
	row := func(path, value string) {
		t.Helper()
		next, problems := scenario.SetRow(s, path, value)
		require.NoError(t, problems.Err(), path)
		s = next
	}
	s = done(t, build.AddRow(s, "producers.shop.send"))
	row("producers.shop.send[1].at", "250ms")
	row("producers.shop.send[1].id", `"A-1"`)
	row("producers.shop.send[1].body", "{email: asha@example.com}")
	assert.Equal(t, "A-1", s.Producers[0].Send[1].ID.Text)
	s = done(t, build.AddRow(s, "timeline"))
	row("timeline[0].at", "300ms")
	s = done(t, build.SetAction(s, 0, "set"))
	row("timeline[0].set", "workers.slow.count")
	row("timeline[0].to", "3")
	assert.Equal(t, scenario.Entry{At: 300e6, Set: "workers.slow.count", To: int64(3)}, s.Timeline[0])
	s = done(t, build.AddRow(s, "workers.slow.crash"))
	row("workers.slow.crash[0].where", "before_effect")
	assert.Equal(t, scenario.BeforeEffect, s.Workers[0].Crash.Exact[0].Where)
	s = done(t, build.AddRow(s, "expect"))
	row("expect[0]", "accepted == 2")
	assert.Equal(t, "accepted == 2", s.Expect[0].Text)

	s = done(t, build.RemoveRow(s, "workers.slow.crash[0]"))
	assert.Empty(t, s.Workers[0].Crash.Exact)
	s = done(t, build.RemoveRow(s, "timeline[0]"))
	s = done(t, build.RemoveRow(s, "producers.shop.send[0]"))
	s = done(t, build.RemoveRow(s, "producers.shop.send[0]"))
	assert.Empty(t, s.Producers[0].Send)

	s = done(t, build.Stream(s, "shop", true))
	assert.Equal(t, int64(10), s.Producers[0].Count)
	s = done(t, build.AddRow(s, "producers.shop.mix"))
	s = done(t, build.Stream(s, "shop", false))
	assert.Len(t, s.Producers[0].Send, 3)

	_, problems := scenario.SetRow(s, "producers.shop.send[0].at", "soon")
	require.NotEmpty(t, problems)
	assert.Equal(t, "producers.shop.send[0].at", problems[0].Path)
	assert.Contains(t, problems[0].Text, "soon")
	for _, path := range []string{"producers.shop.send[9].at", "producers.shop", "x[0]", "producers.shop.send[-1].at"} {
		_, problems := scenario.SetRow(s, path, "1s")
		assert.NotEmpty(t, problems, path)
		assert.NotEmpty(t, build.RemoveRow(s, path).Problems, path)
	}
	assert.NotEmpty(t, build.AddRow(s, "queues").Problems)
}

// TestEveryRowTakesItsOwnValue: what a list shows can be written back.
func TestEveryRowTakesItsOwnValue(t *testing.T) {
	rows := 0
	for file, s := range cases(t) {
		for _, l := range scenario.Lists(s) {
			for i, row := range l.Rows {
				if i > 2 {
					break // each is read from the whole scenario
				}
				for _, f := range row {
					next, problems := scenario.SetRow(s, f.Path, f.Value)
					if f.Value == "" {
						continue // a field that must be there may be empty: a text
					}
					require.NoError(t, problems.Err(), "%s: %s = %q", file, f.Path, f.Value)
					require.Equal(t, string(s.EncodeJSON()), string(next.EncodeJSON()), "%s: %s = %q", file, f.Path, f.Value)
					rows++
				}
			}
		}
	}
	assert.Greater(t, rows, 200)
}
