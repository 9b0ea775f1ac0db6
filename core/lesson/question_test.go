package lesson

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/scenario"
)

func say(text string) Node { return Node{Text: text} }

// values are choices that say their values.
func values(all ...string) []Option {
	var options []Option
	for _, v := range all {
		options = append(options, Option{Say: say(v), Value: v})
	}
	return options
}

// asked is a question about the run, checked.
func asked(t *testing.T, r *run.Run, q Question) *Question {
	t.Helper()
	q.ID, q.Scenario = "q", "it"
	require.NoError(t, q.Check(Of(r.Scenario)))
	return &q
}

func answered(t *testing.T, r *run.Run, q *Question) *Answer {
	t.Helper()
	a, err := q.Of(r)
	require.NoError(t, err)
	return a
}

func graded(t *testing.T, q *Question, a *Answer, g Given) Verdict {
	t.Helper()
	v, err := q.Grade(a, g)
	require.NoError(t, err)
	return v
}

func num(n float64) Given { return Given{Number: &n} }

func TestChoice(t *testing.T) {
	r := runOf(t, twice)
	q := asked(t, r, Question{Form: Choice, Predict: true, Answer: `effects_of("send_email", 101)`, Choices: values("0", "1", "2", "3")})
	q.Choices[1].Because, q.Choices[1].See = &Node{Text: "that is the first only"}, &Moment{Kind: event.Crashed}
	a := answered(t, r, q)
	assert.Equal(t, []bool{false, false, true, false}, a.Right)
	assert.Equal(t, "2", a.Text)
	assert.True(t, graded(t, q, a, Given{Choices: []int{2}}).Right)
	v := graded(t, q, a, Given{Choices: []int{1}})
	assert.Equal(t, "One more than you said.", v.Text)
	assert.Equal(t, "that is the first only", v.Because.Text)
	assert.Equal(t, event.Crashed, v.See.Kind)
	assert.Equal(t, "One less than you said.", graded(t, q, a, Given{Choices: []int{3}}).Text)
	for _, wrong := range []Given{{}, {Choices: []int{0, 1}}, {Choices: []int{4}}, {Choices: []int{-1}}} {
		_, err := q.Grade(a, wrong)
		assert.Error(t, err)
	}
}

func TestAChoiceHasExactlyOneThatIsRight(t *testing.T) {
	r := runOf(t, twice)
	for _, c := range []struct {
		choices []Option
		answer  string
		want    string
	}{
		{values("0", "1"), `effects_of("send_email", 101)`, `effects_of("send_email", 101) is 2; add one that is`},
		{values("2", "1", "2"), "duplicates + 1", "2 choices are right (2 and 2): make them differ"},
		{values(`"2"`, `"3"`), "duplicates + 1", "no choice is right"},
		{[]Option{{Say: say("a"), Is: "lost > 0"}, {Say: say("b"), Is: "lost < 0"}}, "", "none of their expressions is True"},
		{[]Option{{Say: say("a"), Is: "lost"}, {Say: say("b"), Is: "lost < 0"}}, "", "choice 1: lost is 0, neither True nor False"},
	} {
		q := asked(t, r, Question{Form: Choice, Answer: c.answer, Choices: c.choices})
		_, err := q.Of(r)
		assert.ErrorContains(t, err, c.want)
	}
}

func TestSeveral(t *testing.T) {
	r := runOf(t, twice)
	q := asked(t, r, Question{Form: Several, Answer: "finished", Choices: values("101", `"B 2"`, `"101"`, "7")})
	a := answered(t, r, q)
	assert.Equal(t, []bool{true, true, false, false}, a.Right, "the number 101 and the text are different")
	assert.True(t, graded(t, q, a, Given{Choices: []int{1, 0}}).Right)
	assert.Equal(t, "All of these are right, and one is missing.", graded(t, q, a, Given{Choices: []int{1}}).Text)
	q.Choices[3].Because = &Node{Text: "there is no 7"}
	v := graded(t, q, a, Given{Choices: []int{0, 1, 3}})
	assert.False(t, v.Right)
	assert.Equal(t, "there is no 7", v.Because.Text)

	q = asked(t, r, Question{Form: Several, Choices: []Option{{Say: say("a"), Is: "lost == 0"}, {Say: say("b"), Is: "crashes == 1"}, {Say: say("c"), Is: "dead > 0"}}})
	assert.Equal(t, []bool{true, true, false}, answered(t, r, q).Right)
}

func TestNumber(t *testing.T) {
	r := runOf(t, twice)
	q := asked(t, r, Question{Form: Number, Predict: true, Answer: "time at second effect 101", Unit: "s", Tolerance: "10%", To: 2})
	a := answered(t, r, q)
	assert.Equal(t, 0.5, a.Number)
	assert.Equal(t, "0.5\u00a0s", a.Text)
	for given, want := range map[float64]string{
		0.5: "You called it.", 0.55: "Close enough: it is 0.5\u00a0s.", 0.45: "Close enough: it is 0.5\u00a0s.",
		0.56: "0.06\u00a0s less than you said.", 0.4: "0.1\u00a0s more than you said.",
	} {
		v := graded(t, q, a, num(given))
		assert.Equal(t, want, v.Text)
		assert.Equal(t, given >= 0.45 && given <= 0.55, v.Right)
	}
	for _, wrong := range []Given{{}, num(2.1), num(-0.1)} {
		_, err := q.Grade(a, wrong)
		assert.Error(t, err)
	}
	q.Predict = false
	assert.Equal(t, "It is more than that.", graded(t, q, a, num(0)).Text, "a quiz does not give the answer away")

	_, err := asked(t, r, Question{Form: Number, Answer: "finished"}).Of(r)
	assert.ErrorContains(t, err, "which is not a number")
	_, err = asked(t, r, Question{Form: Number, Answer: "effects", To: 2}).Of(r)
	assert.ErrorContains(t, err, "the answer is 4, beyond what can be given: from 0 to 2")
	exact := asked(t, r, Question{Form: Number, Answer: "0.1 + 0.2"})
	assert.True(t, graded(t, exact, answered(t, r, exact), num(0.3)).Right)
}

func TestOrder(t *testing.T) {
	r := runOf(t, twice)
	q := asked(t, r, Question{Form: Order, Answer: "order of accepted"})
	a := answered(t, r, q)
	assert.Equal(t, [][]string{{"101", "B 2"}, {"103"}}, a.Order, "two of one instant are a tie")
	assert.True(t, graded(t, q, a, Given{Order: []string{"B 2", "101", "103"}}).Right)
	assert.True(t, graded(t, q, a, Given{Order: []string{"101", "B 2", "103"}}).Right)
	assert.Equal(t, "The first is right, then it goes another way.", graded(t, q, a, Given{Order: []string{"101", "103", "B 2"}}).Text)
	assert.Equal(t, "It begins with another one.", graded(t, q, a, Given{Order: []string{"103", "101", "B 2"}}).Text)
	for _, wrong := range [][]string{nil, {"101"}, {"101", "B 2", "103", "104"}} {
		_, err := q.Grade(a, Given{Order: wrong})
		assert.Error(t, err)
	}
	q = asked(t, r, Question{Form: Order, Answer: "finished"})
	assert.Equal(t, [][]string{{"B 2"}, {"103"}, {"101"}}, answered(t, r, q).Order)
	_, err := asked(t, r, Question{Form: Order, Answer: "order of dead_lettered"}).Of(r)
	assert.ErrorContains(t, err, "nothing is dead_lettered in this run")
	_, err = asked(t, r, Question{Form: Order, Answer: "[1, 2]"}).Of(r)
	assert.ErrorContains(t, err, "which is no message of the run")
	for seed := range uint64(50) {
		mixed := q.Mixed(answered(t, r, q), seed)
		assert.Equal(t, mixed, q.Mixed(answered(t, r, q), seed))
		assert.NotEqual(t, []string{"B 2", "103", "101"}, mixed)
	}
}

func TestMessage(t *testing.T) {
	r := runOf(t, twice)
	q := asked(t, r, Question{Form: Message, Answer: "message at first crashed"})
	a := answered(t, r, q)
	assert.Equal(t, []string{"101"}, a.Any)
	assert.True(t, graded(t, q, a, Given{Message: "101"}).Right)
	assert.Equal(t, "It is 101, not 103.", graded(t, q, a, Given{Message: "103"}).Text)
	any := asked(t, r, Question{Form: Message, Answer: "finished[:2]"})
	assert.True(t, graded(t, any, answered(t, r, any), Given{Message: "B 2"}).Right)
	assert.True(t, graded(t, any, answered(t, r, any), Given{Message: "103"}).Right)
	_, err := asked(t, r, Question{Form: Message, Answer: "finished[3:]"}).Of(r)
	assert.ErrorContains(t, err, "gives no message")
	_, err = asked(t, r, Question{Form: Message, Answer: "message at ended"}).Of(r)
	assert.ErrorContains(t, err, "is about no message")
}

// Copies of a message cannot be told apart by their id: they are one choice.
func TestMessagesOfOneID(t *testing.T) {
	r := runOf(t, `{"queues": {"emails": {}, "audit": {}}, "topics": {"placed": {"to": ["emails", "audit"]}},
		"producers": {"shop": {"to": "placed", "send": [{"id": 7}, {"id": 8}]}},
		"workers": {"mailer": {"from": "emails", "handler": "def on_message(msg):\n  publish('audit', 'sent', id=msg.id)\n  ack(msg)\n"}}}`)
	require.Equal(t, 6, r.Log.MessageCount())
	assert.Equal(t, []string{"7", "8"}, MessagesOf(r.Log))
}

func TestLine(t *testing.T) {
	r := runOf(t, twice)
	for text, want := range map[string]int{
		"line at first effect 101": 2, "line at last acked": 3, "line at last handler_finished": 3, "line at delivered 101 #2": 0, "line at handler_started 103": 0,
	} {
		a, err := asked(t, r, Question{Form: Line, Answer: text}).Of(r)
		if want == 0 {
			assert.ErrorContains(t, err, "no handler is running", text)
			continue
		}
		require.NoError(t, err, text)
		assert.Equal(t, want, a.Line, text)
	}
	q := asked(t, r, Question{Form: Line, Answer: "line at last acked"})
	assert.Equal(t, "It is line 3, not line 2.", graded(t, q, answered(t, r, q), Given{Line: 2}).Text)
	_, err := q.Grade(answered(t, r, q), Given{})
	assert.Error(t, err)
}

func TestDraw(t *testing.T) {
	r := runOf(t, sixOrders)
	q := asked(t, r, Question{Form: Draw, Answer: "curve of waiting"})
	a := answered(t, r, q)
	assert.Equal(t, 5.0, a.Curve.Max())
	assert.Equal(t, 5.0, a.Curve.Value(199*event.Millisecond))
	assert.Equal(t, 4.0, a.Curve.Value(200*event.Millisecond))
	assert.Equal(t, 0.0, a.Curve.Value(-1))
	end := r.Outcome.EndedAt
	assert.True(t, graded(t, q, a, Given{Curve: a.Curve, End: end}).Right)
	straight := Curve{}
	for i := range event.Time(12) {
		straight = append(straight, Sample{At: end * i / 12, Value: 5 - 5*float64(i)/12})
	}
	assert.True(t, graded(t, q, a, Given{Curve: straight, End: end}).Right)
	assert.Contains(t, graded(t, q, a, Given{Curve: Curve{{0, 12}}, End: end}).Text, "does not get that high")
	assert.Contains(t, graded(t, q, a, Given{Curve: Curve{{0, 1}}, End: end}).Text, "gets higher than that: at most 5")
	assert.Contains(t, graded(t, q, a, Given{Curve: Curve{{0, 5}}, End: end}).Text, "another way")
	_, err := q.Grade(a, Given{})
	assert.Error(t, err)
}

const sixOrders = `{"queues": {"q": {}}, "producers": {"p": {"to": "q", "send": [{"id": 1}, {"id": 2}, {"id": 3}, {"id": 4}, {"id": 5}, {"id": 6}]}},
	"services": {"mail": {"latency": "200ms"}},
	"workers": {"w": {"from": "q", "handler": "def on_message(msg):\n    mail(msg.id)\n    ack(msg)\n"}}}`

func TestStatedQuestions(t *testing.T) {
	l := Of(runOf(t, twice).Scenario)
	q := Question{ID: "q", Form: Choice, Choices: []Option{{Say: say("a")}, {Say: say("b"), Right: true}, {Say: say("c")}}}
	require.NoError(t, q.Check(l))
	a := answered(t, nil, &q)
	assert.True(t, graded(t, &q, a, Given{Choices: []int{1}}).Right)
	assert.Equal(t, "Not that one.", graded(t, &q, a, Given{Choices: []int{0}}).Text)

	q = Question{ID: "q", Form: Number, Stated: 36, Unit: "s"}
	require.NoError(t, q.Check(l))
	assert.True(t, graded(t, &q, answered(t, nil, &q), num(36)).Right)

	q = Question{ID: "q", Form: Order, Choices: []Option{{Say: say("first")}, {Say: say("second")}, {Say: say("third")}}}
	require.NoError(t, q.Check(l))
	a = answered(t, nil, &q)
	assert.Equal(t, "first, second then third", a.Text)
	assert.True(t, graded(t, &q, a, Given{Order: []string{"0", "1", "2"}}).Right)
	assert.NotEqual(t, []string{"0", "1", "2"}, q.Mixed(a, 1))
}

// A question that cannot be asked says what to write instead.
func TestQuestionsAreChecked(t *testing.T) {
	l := Of(runOf(t, twice).Scenario)
	ok := []Option{{Say: say("a"), Value: "1"}, {Say: say("b"), Value: "2"}}
	marked := []Option{{Say: say("a"), Right: true}, {Say: say("b")}}
	for want, q := range map[string]Question{
		"did you mean choice?":                      {Form: "choise"},
		"a prediction needs a scenario":             {Form: Choice, Predict: true, Choices: marked},
		`there is no scenario "its": did you mean`:  {Form: Choice, Scenario: "its"},
		"at least two choices":                      {Form: Choice, Scenario: "it", Answer: "lost", Choices: ok[:1]},
		"13 choices are more":                       {Form: Choice, Scenario: "it", Choices: make([]Option, 13)},
		"is marked as right, and the question has":  {Form: Choice, Scenario: "it", Answer: "lost", Choices: marked},
		"choice 1 has `is`, and the question":       {Form: Choice, Scenario: "it", Answer: "lost", Choices: []Option{{Is: "True"}, {}}},
		"choice 2 has no value":                     {Form: Choice, Scenario: "it", Answer: "lost", Choices: []Option{ok[0], {Say: say("x")}}},
		"choice 1 says nothing that a run":          {Form: Choice, Scenario: "it", Choices: []Option{{Say: say("x")}, {}}},
		"`is` of choice 1: lots is not a measure":   {Form: Choice, Scenario: "it", Choices: []Option{{Is: "lots == 0"}, {Is: "True"}}},
		"choice 1 says by `is`":                     {Form: Choice, Choices: []Option{{Is: "True"}, {}}},
		"2 choices are marked as right":             {Form: Choice, Choices: []Option{{Right: true}, {Right: true}}},
		"no choice is marked as right":              {Form: Several, Choices: make([]Option, 2)},
		"needs at least three choices":              {Form: Order, Choices: make([]Option, 2)},
		"is about a run: name a scenario":           {Form: Line},
		"there is no run for it: name a scenario":   {Form: Number, Answer: "lost"},
		"the answer is missing: write how":          {Form: Line, Scenario: "it"},
		`"lost" gives no line: write one such as`:   {Form: Line, Scenario: "it", Answer: "lost"},
		"did you mean waiting?":                     {Form: Draw, Scenario: "it", Answer: "curve of wating"},
		"did you mean crashed?":                     {Form: Line, Scenario: "it", Answer: "line at first crash"},
		"the answer: lots is not a measure":         {Form: Number, Scenario: "it", Answer: "lots"},
		`"line at first crashed" gives no message`:  {Form: Message, Scenario: "it", Answer: "line at first crashed"},
		`"a bit" is not a tolerance`:                {Form: Number, Scenario: "it", Answer: "lost", Tolerance: "a bit"},
		"a question of the form number has no choi": {Form: Number, Scenario: "it", Answer: "lost", Choices: ok},
	} {
		q.ID = "q"
		assert.ErrorContains(t, q.Check(l), want)
	}
}

func TestShuffled(t *testing.T) {
	q := Question{ID: "q", Choices: []Option{{Say: say("a")}, {Say: say("b")}, {Say: say("c")}, {Say: say("d")}}}
	seen := map[string]bool{}
	for seed := range uint64(40) {
		order := q.Shuffled(seed)
		assert.Equal(t, order, q.Shuffled(seed), "the same seed, the same order")
		sorted := slices.Sorted(slices.Values(order))
		assert.Equal(t, []int{0, 1, 2, 3}, sorted)
		seen[string(rune('0'+order[0]))] = true
	}
	assert.Len(t, seen, 4, "each comes first with some seed")
	q.Kept = true
	assert.Equal(t, []int{0, 1, 2, 3}, q.Shuffled(7))
	q.Kept, q.Choices = false, values("3", "1", "2")
	assert.Equal(t, []int{0, 1, 2}, q.Shuffled(7), "numbers stay as they are written")
}

func TestChallenge(t *testing.T) {
	s := runOf(t, sixOrders).Scenario
	c := &Challenge{ID: "c", Scenario: "it", Goal: "ended_at <= 0.4", Unlock: []string{"workers.w.count"}, Seeds: "1..3",
		Solution: []Change{{"workers.w.count", "3"}}}
	require.NoError(t, c.Check(Of(s)))
	start, err := c.Try(s)
	require.NoError(t, err)
	require.NoError(t, start.Finish())
	assert.False(t, start.Holds())
	assert.Equal(t, Result{Seed: 1, Got: "ended_at is 1.2"}, *start.Failed())

	solved, err := c.Solved(s)
	require.NoError(t, err)
	trial, err := c.Try(solved)
	require.NoError(t, err)
	slices := 0
	for more := true; more; slices++ {
		more, err = trial.Step(1)
		require.NoError(t, err)
	}
	assert.Greater(t, slices, 3, "it can be done in slices")
	assert.True(t, trial.Holds())
	assert.Equal(t, 3, trial.Reached())
	assert.Nil(t, trial.Failed())
	assert.EqualValues(t, 1, s.Workers[0].Count, "the start is left as it was")

	reader := s.Clone()
	require.Empty(t, scenario.Set(reader, "services.mail.latency", "10ms"))
	require.Empty(t, scenario.Set(reader, "workers.w.count", "2"))
	attempt, whole := c.Attempt(s, reader)
	assert.False(t, whole, "the latency is not unlocked")
	assert.EqualValues(t, 2, attempt.Workers[0].Count)
	latency, _ := scenario.Get(attempt, "services.mail.latency")
	assert.Equal(t, "200ms", latency)
}

func TestChallengesAreChecked(t *testing.T) {
	s := runOf(t, sixOrders).Scenario
	good := Challenge{ID: "c", Scenario: "it", Goal: "lost == 0", Unlock: []string{"handler"}, Seeds: "1..3"}
	for want, spoil := range map[string]func(*Challenge){
		"there is no scenario":            func(c *Challenge) { c.Scenario = "no" },
		"the goal is missing":             func(c *Challenge) { c.Goal = "" },
		"the goal: losst is not":          func(c *Challenge) { c.Goal = "losst == 0" },
		"nothing is unlocked":             func(c *Challenge) { c.Unlock = nil },
		"is not a range of seeds":         func(c *Challenge) { c.Seeds = "some" },
		"at most 200 are checked":         func(c *Challenge) { c.Seeds = "1..201" },
		"workers.w.count, which is not u": func(c *Challenge) { c.Solution = []Change{{"workers.w.count", "3"}} },
		"the solution: workers.w.handler": func(c *Challenge) { c.Solution = []Change{{"workers.w.handler", "def on_message(msg)\n  ack(msg)\n"}} },
	} {
		c := good
		spoil(&c)
		assert.ErrorContains(t, c.Check(Of(s)), want)
	}
}

func TestFigures(t *testing.T) {
	o := runOf(t, twice).Outcome
	for text, want := range map[string]string{
		"it lost":                           "0",
		"it effects as words":               "four",
		"it lost as words":                  "none",
		"it ended_at as seconds":            "0.5\u00a0s",
		`it pool("cook").busy as percent`:   "40\u00a0%",
		"it crashes as crash, crashes":      "1\u00a0crash",
		"it effects as email, emails":       "4\u00a0emails",
		"it finished":                       "B 2, 103 and 101",
		"it lost == 0":                      "yes",
		"it 1 / 3":                          "0.33",
		`it "a" + "b"`:                      "ab",
		`it effects_of("send_email", 101)`:  "2",
		`it "known as" + " it" as words`:    "known as it",
		"it ended_because":                  "quiet",
		"it -0.001":                         "0",
		"it effects - 6":                    "-2",
		"it 100 as words":                   "100",
		"it [1, 2] as words":                "one and two",
		"it at(0.1).in_flight as words":     "two",
		`it queue("orders").deliveries + 0`: "4",
	} {
		f, err := ParseFigure(text)
		require.NoError(t, err, text)
		got, err := f.Text(o)
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	for text, want := range map[string]string{
		"it": "names no scenario or no expression", "it lots": "did you mean", "it lost as wrods": "did you mean words?", "it lost ==": "not an expression",
	} {
		_, err := ParseFigure(text)
		assert.ErrorContains(t, err, want, text)
	}
}
