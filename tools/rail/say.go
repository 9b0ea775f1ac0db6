package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/run"
	"github.com/ticketrail/ticketrail/core/story"
)

// A long story is told from both ends unless --all asks for everything.
const (
	toldAtStart = 120
	toldAtEnd   = 40
)

// painter colours headings and failures, or leaves text as it is.
type painter bool

func (p painter) strong(s string) string { return p.with("1", s) }
func (p painter) faint(s string) string  { return p.with("2", s) }
func (p painter) bad(s string) string    { return p.with("31", s) }
func (p painter) good(s string) string   { return p.with("32", s) }

func (p painter) with(code, s string) string {
	if !p {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// writeStory tells the run in sentences, each after its time.
func (c *runCommand) writeStory(w io.Writer, r *run.Run, p painter) {
	if r.Scenario.Title != "" {
		fmt.Fprintf(w, "%s\n", p.strong(r.Scenario.Title))
	}
	fmt.Fprintf(w, "%s\n\n", p.faint(fmt.Sprintf("seed %d", r.Scenario.Seed)))
	teller := story.Of(r.Scenario, r.Index, vocabularies[c.Words])
	told := teller.Fold(sentences(r, teller))
	clock := clockFor(told)
	from, to := len(told), len(told) // the part that is left out
	if !c.All && len(told) > toldAtStart+toldAtEnd {
		from, to = toldAtStart, len(told)-toldAtEnd
	}
	writeSentences(w, told[:from], clock, p)
	if from < to {
		fmt.Fprintf(w, "%s\n", p.faint(fmt.Sprintf("%*s  ... %d sentences more; --all tells them ...", clock.width+2, "", to-from)))
	}
	writeSentences(w, told[to:], clock, p)
	fmt.Fprintln(w)
}

func writeSentences(w io.Writer, told []story.Sentence, c clock, p painter) {
	for _, s := range told {
		fmt.Fprintf(w, "%s  %s\n", p.faint(c.show(s.At)+" s"), visible(s.String()))
	}
}

// visible writes control characters out, so that what a scenario prints cannot
// command the terminal.
func visible(text string) string {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// clock shows times in a column, with as many decimals as the times need, but
// at most three: a story is read, --events has every nanosecond.
type clock struct{ decimals, width int }

func clockFor(told []story.Sentence) (c clock) {
	for _, s := range told {
		for c.decimals < 3 && s.At%(event.Second/pow10(c.decimals)) != 0 {
			c.decimals++
		}
	}
	for _, s := range told {
		c.width = max(c.width, len(c.show(s.At)))
	}
	return c
}

func (c clock) show(t event.Time) string {
	return fmt.Sprintf("%*s", c.width, strconv.FormatFloat(t.Seconds(), 'f', c.decimals, 64))
}

func pow10(n int) event.Time {
	p := event.Time(1)
	for range n {
		p *= 10
	}
	return p
}

// sentences are those that are worth telling.
func sentences(r *run.Run, told *story.Story) []story.Sentence {
	var shown []story.Sentence
	for i := range r.Log.Len() {
		if s := told.Sentence(i); s.Shown {
			shown = append(shown, s)
		}
	}
	return shown
}

func secondsText(t event.Time) string { return string(event.AppendSeconds(nil, t)) }

// writeOutcome writes the measures as a table.
func writeOutcome(w io.Writer, o *outcome.Outcome, p painter) {
	fmt.Fprintf(w, "%s  ended at %s s%s\n", p.strong("Outcome"), secondsText(o.EndedAt), becauseText(o))
	grid(w, [][]string{
		{"messages", "sent", n(o.Sent), "", "hand-outs", "deliveries", n(o.Deliveries), "", "work", "effects", n(o.Effects)},
		{"", "accepted", n(o.Accepted), "", "", "redeliveries", n(o.Redeliveries), "", "", "duplicates", n(o.Duplicates)},
		{"", "refused", n(o.Refused), "", "", "acked", n(o.Acked), "", "", "lost", n(o.Lost)},
		{"", "expired", n(o.Expired), "", "", "stale acks", n(o.StaleAcks), "", "", "failures", n(o.Failures)},
		{"", "dropped", n(o.Dropped), "", "", "", "", "", "", "crashes", n(o.Crashes)},
	})
	fmt.Fprintf(w, "\n  accepted %d = acked %d + waiting %d + delayed %d + in flight %d + dead %d + expired %d + dropped %d\n\n",
		o.Accepted, o.Acked, o.Waiting, o.Delayed, o.InFlight, o.Dead, o.Expired, o.Dropped)
	rows := [][]string{{"", "mean", "p50", "p95", "max"}, spreadRow("wait", o.Wait), spreadRow("sojourn", o.Sojourn)}
	grid(w, rows)
	writeQueues(w, o)
	writePools(w, o)
	writeTargets(w, o)
	fmt.Fprintln(w)
}

func becauseText(o *outcome.Outcome) string {
	switch o.EndedBecause {
	case "quiet":
		return ": nothing more can happen"
	case "until":
		return ": that is how long the scenario runs"
	case "limit":
		return ": a limit was met: " + o.Log.Text(o.Log.Last().Text)
	}
	return ""
}

func spreadRow(name string, s outcome.Spread) []string {
	cells := []string{name}
	for _, seconds := range []float64{s.Mean(), s.P50.Seconds(), s.P95.Seconds(), s.Max.Seconds()} {
		cells = append(cells, decimal(seconds, 3)+" s")
	}
	return cells
}

func writeQueues(w io.Writer, o *outcome.Outcome) {
	rows := [][]string{{"queue", "accepted", "acked", "waiting", "delayed", "in flight", "dead", "longest line", "mean line"}}
	for _, q := range o.Queues {
		c := q.Counts
		if q.DeadLetter && q.MaxWaiting+c.Dead+c.Deliveries == 0 {
			continue // nothing ever died
		}
		rows = append(rows, []string{q.Name, n(c.Accepted), n(c.Acked), n(c.Waiting), n(c.Delayed), n(c.InFlight), n(c.Dead), n(q.MaxWaiting), decimal(o.MeanWaiting(q), 2)})
	}
	fmt.Fprintln(w)
	grid(w, rows)
}

func writePools(w io.Writer, o *outcome.Outcome) {
	if len(o.Pools) == 0 {
		return
	}
	rows := [][]string{{"pool", "deliveries", "busy", "mean busy"}}
	for _, pool := range o.Pools {
		rows = append(rows, []string{pool.Name, n(pool.Deliveries), decimal(100*pool.Busy(), 1) + " %", decimal(o.MeanBusy(pool), 2)})
	}
	fmt.Fprintln(w)
	grid(w, rows)
}

func writeTargets(w io.Writer, o *outcome.Outcome) {
	rows := [][]string{{"side effects", "count", "repeated", "amount"}}
	for i := range o.Targets {
		if t := &o.Targets[i]; t.Effect {
			rows = append(rows, []string{t.Name, n(t.Effects), n(t.Duplicates), strconv.FormatInt(t.Amount, 10)})
		}
	}
	if len(rows) > 1 {
		fmt.Fprintln(w)
		grid(w, rows)
	}
}

// grid writes rows in columns: numbers to the right, words to the left.
func grid(w io.Writer, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(cell))
		}
	}
	for _, row := range rows {
		line := " "
		for i, cell := range row {
			if numeric(rows, i) {
				line += fmt.Sprintf(" %*s ", widths[i], cell)
			} else {
				line += fmt.Sprintf(" %-*s ", widths[i], cell)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

// numeric reports whether a column's last row holds a number.
func numeric(rows [][]string, column int) bool {
	for _, row := range rows {
		if column < len(row) && row[column] != "" && row[column][0] >= '0' && row[column][0] <= '9' {
			return true
		}
	}
	return false
}

// writeExpectations says which expectations do not hold, or that all do.
func writeExpectations(w io.Writer, total int, failures []outcome.Failure, p painter) {
	switch {
	case total == 0:
	case len(failures) == 0:
		fmt.Fprintln(w, p.good(holding(total)))
	default:
		fmt.Fprintln(w, p.bad(fmt.Sprintf("%d of %s", len(failures), failing(len(failures), total))))
		writeFailures(w, "  ", failures)
	}
}

func writeFailures(w io.Writer, prefix string, failures []outcome.Failure) {
	for _, f := range failures {
		fmt.Fprintf(w, "%sexpected %s; %s\n", prefix, f.Expectation.Text, f.Got)
	}
}

func holding(n int) string {
	if n == 1 {
		return "1 expectation holds"
	}
	return quantity(uint64(n), "expectation") + " hold"
}

// failing follows the number of expectations that do not hold.
func failing(failed, n int) string {
	verb := "do"
	if failed == 1 {
		verb = "does"
	}
	return fmt.Sprintf("%s %s not hold", quantity(uint64(n), "expectation"), verb)
}

func n(i int) string { return strconv.Itoa(i) }

// decimal writes f with at most that many decimals.
func decimal(f float64, decimals int) string {
	s := strconv.FormatFloat(f, 'f', decimals, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
}
