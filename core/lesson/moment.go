package lesson

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// Moment names a place in a run, such as
//
//	first crashed
//	second effect 101
//	delivered 101 #2
//	last acked by cook/1 in orders
//	at 1.2s
//
// An event by its name in the log, the how manyth of those that fit it is, the
// message it happened to, the hand-out it belongs to, the worker or the pool,
// and the queue; or an instant. It is written and read as text.
type Moment struct {
	Nth     int // 1 for the first; 0 when that is not said; Last
	Kind    event.Kind
	Message string // the message's id as one reads it; "" for any
	IsText  bool   // it was written in quotes
	Receive int    // 0 for any
	By      string // a worker, cook/1, or a pool, cook; "" for any
	In      string // a queue; "" for any
	At      event.Time
	Instant bool // only At says where
}

// Last is the Nth of the last event that fits.
const Last = -1

var ordinals = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}

// maxNth bounds what 12th and #12 may say.
const maxNth = 1_000_000

// ParseMoment reads a moment.
func ParseMoment(text string) (Moment, error) {
	words, err := split(text)
	if err != nil {
		return Moment{}, err
	}
	if len(words) == 0 {
		return Moment{}, fmt.Errorf("no moment is named: write an event such as first crashed, or an instant such as at 1.2s")
	}
	p := momentParser{words: words}
	m := p.moment()
	if p.err == nil && len(p.words) > 0 {
		p.fail("%s is not understood here: after the event come a message's id, #2 for its second hand-out, by WORKER and in QUEUE", p.words[0].text)
	}
	return m, p.err
}

// word is a word of a moment.
type word struct {
	text   string
	quoted bool
}

// split cuts a text at its spaces; a part in quotes is one word.
func split(text string) ([]word, error) {
	var words []word
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if text[0] == '"' {
			quoted, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("a quote is not closed in %s: end the id with another \"", text)
			}
			unquoted, _ := strconv.Unquote(quoted)
			words = append(words, word{unquoted, true})
			text = text[len(quoted):]
			continue
		}
		end := strings.IndexAny(text, " \t\n")
		if end < 0 {
			end = len(text)
		}
		words = append(words, word{text: text[:end]})
		text = text[end:]
	}
	return words, nil
}

type momentParser struct {
	words []word
	err   error
}

func (p *momentParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// next takes the next word; "" when there is none.
func (p *momentParser) next() word {
	if len(p.words) == 0 {
		return word{}
	}
	w := p.words[0]
	p.words = p.words[1:]
	return w
}

func (p *momentParser) peek() word {
	if len(p.words) == 0 {
		return word{}
	}
	return p.words[0]
}

func (p *momentParser) moment() (m Moment) {
	if p.peek().text == "at" {
		p.next()
		return Moment{At: p.instant(), Instant: true}
	}
	if nth, ok := ordinal(p.peek().text); ok {
		p.next()
		m.Nth = nth
	}
	m.Kind = p.kind()
	for p.err == nil && len(p.words) > 0 {
		if !p.part(&m) {
			return m
		}
	}
	return m
}

func (p *momentParser) instant() event.Time {
	w := p.next()
	at, err := scenario.ParseDuration(w.text)
	if err != nil {
		p.fail("%q is not an instant: write one such as at 1.2s or at 400ms", w.text)
	}
	return at
}

func (p *momentParser) kind() event.Kind {
	w := p.next()
	kind, ok := event.KindNamed(w.text)
	if ok {
		return kind
	}
	var names []string
	for k := 1; k < event.Kinds; k++ {
		names = append(names, event.Kind(k).String())
	}
	switch near := suggest(w.text, append(names, ordinals...)); {
	case w.text == "":
		p.fail("the event is missing: write one such as first crashed")
	default:
		p.fail("%q is not an event: %s", w.text, near)
	}
	return 0
}

// part reads one of the parts after the event, each at most once and in the
// order in which they are written back.
func (p *momentParser) part(m *Moment) bool {
	w := p.peek()
	switch {
	case !w.quoted && w.text == "in" && m.In == "":
		p.next()
		m.In = p.name("in", "the queue's name, such as in orders")
	case !w.quoted && w.text == "by" && m.By == "" && m.In == "":
		p.next()
		m.By = p.name("by", "the worker, such as by cook/1, or its pool")
	case !w.quoted && strings.HasPrefix(w.text, "#") && m.Receive == 0 && m.By == "" && m.In == "":
		p.next()
		m.Receive = p.number(w.text[1:], "a hand-out is numbered from 1, such as #2, not "+w.text)
	case m.Message == "" && m.Receive == 0 && m.By == "" && m.In == "" && (w.quoted || w.text != "in" && w.text != "by"):
		p.next()
		m.Message, m.IsText = w.text, w.quoted
	default:
		return false
	}
	return true
}

func (p *momentParser) name(after, want string) string {
	w := p.next()
	if w.text == "" {
		p.fail("%s stands alone: write %s", after, want)
	}
	return w.text
}

func (p *momentParser) number(text, wrong string) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > maxNth {
		p.fail("%s", wrong)
	}
	return n
}

// ordinal reads first, 12th or last.
func ordinal(text string) (nth int, ok bool) {
	if text == "last" {
		return Last, true
	}
	if i := slices.Index(ordinals, text); i >= 0 {
		return i + 1, true
	}
	for _, end := range []string{"th", "st", "nd", "rd"} {
		if digits, found := strings.CutSuffix(text, end); found {
			if n, err := strconv.Atoi(digits); err == nil && n > 0 && n <= maxNth {
				return n, true
			}
		}
	}
	return 0, false
}

func ordinalText(nth int) string {
	switch {
	case nth == Last:
		return "last"
	case nth <= len(ordinals):
		return ordinals[nth-1]
	}
	end := "th"
	if nth%100 < 11 || nth%100 > 13 {
		end = map[int]string{1: "st", 2: "nd", 3: "rd"}[nth%10]
		if end == "" {
			end = "th"
		}
	}
	return strconv.Itoa(nth) + end
}

// String writes the moment as ParseMoment reads it.
func (m Moment) String() string {
	if m.Instant {
		return "at " + scenario.FormatDuration(m.At)
	}
	var parts []string
	if m.Nth != 0 {
		parts = append(parts, ordinalText(m.Nth))
	}
	parts = append(parts, m.Kind.String())
	if m.IsText {
		parts = append(parts, strconv.Quote(m.Message))
	} else if m.Message != "" {
		parts = append(parts, m.Message)
	}
	if m.Receive > 0 {
		parts = append(parts, "#"+strconv.Itoa(m.Receive))
	}
	if m.By != "" {
		parts = append(parts, "by "+nameText(m.By))
	}
	if m.In != "" {
		parts = append(parts, "in "+nameText(m.In))
	}
	return strings.Join(parts, " ")
}

// nameText puts a name into quotes where it would be read as several words.
func nameText(name string) string {
	if strings.ContainsAny(name, " \t\n\"") {
		return strconv.Quote(name)
	}
	return name
}

// MarshalJSON writes the moment as its text.
func (m Moment) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// UnmarshalJSON reads it.
func (m *Moment) UnmarshalJSON(text []byte) error {
	var s string
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	parsed, err := ParseMoment(s)
	*m = parsed
	return err
}

// Find returns the event that the moment names. Of an instant it is the last
// event at or before it, -1 when there is none.
func (m Moment) Find(log *event.Log) (int, error) {
	if m.Instant {
		return log.Find(m.At) - 1, nil
	}
	if err := m.known(log); err != nil {
		return 0, err
	}
	found, count := -1, 0
	for i := range log.Len() {
		if !m.fits(log, log.Event(i)) {
			continue
		}
		found = i
		if count++; count == max(m.Nth, 1) && m.Nth != Last {
			return i, nil
		}
	}
	if m.Nth == Last && found >= 0 {
		return found, nil
	}
	return 0, m.missing(log, count, found)
}

func (m Moment) fits(log *event.Log, e *event.Event) bool {
	if e.Kind != m.Kind || m.Receive > 0 && int(e.Receive) != m.Receive {
		return false
	}
	if m.Message != "" && (e.Message == event.NoMessage || !m.names(log.MessageID(e.Message))) {
		return false
	}
	if m.In != "" && (e.Queue == event.NoQueue || log.Queues[e.Queue].Name != m.In) {
		return false
	}
	if m.By == "" {
		return true
	}
	if e.Worker == event.NoWorker {
		return false
	}
	w := log.Workers[e.Worker]
	return w.Name == m.By || log.Pools[w.Pool] == m.By
}

// names reports whether the moment means the message with that id: a bare
// word means either kind of id, one in quotes a text only.
func (m Moment) names(id event.ID) bool {
	return id.String() == m.Message && (!m.IsText || id.Text != "")
}

// known reports a message, worker or queue that the run does not have.
func (m Moment) known(log *event.Log) error {
	var messages, workers, queues []string
	found := m.Message == ""
	for i := range log.MessageCount() {
		id := log.MessageID(event.MessageRef(i))
		messages = append(messages, id.String())
		found = found || m.names(id)
	}
	if !found {
		return fmt.Errorf("%s: the run has no message %s; %s", m, m.Message, suggest(m.Message, bounded(messages)))
	}
	for _, w := range log.Workers {
		workers = append(workers, w.Name)
	}
	if workers = append(workers, log.Pools...); m.By != "" && !slices.Contains(workers, m.By) {
		return fmt.Errorf("%s: the run has no worker or pool %s; %s", m, m.By, suggest(m.By, bounded(workers)))
	}
	for _, q := range log.Queues {
		queues = append(queues, q.Name)
	}
	if m.In != "" && !slices.Contains(queues, m.In) {
		return fmt.Errorf("%s: the run has no queue %s; %s", m, m.In, suggest(m.In, queues))
	}
	return nil
}

// bounded keeps what an error lists short.
func bounded(names []string) []string { return names[:min(len(names), 24)] }

// missing says how often the event happens instead.
func (m Moment) missing(log *event.Log, count, last int) error {
	any := m
	any.Nth = 0
	switch count {
	case 0:
		return fmt.Errorf("%s does not happen in this run: %s", any, m.instead(log))
	case 1:
		return fmt.Errorf("%s happens once, at %s: write last %s, or change the scenario", any, scenario.FormatDuration(log.Event(last).At), any)
	}
	return fmt.Errorf("%s happens %d times, the last time at %s: write a smaller number, or last %s", any, count, scenario.FormatDuration(log.Event(last).At), any)
}

// instead says how often the kind happens at all, or which kinds do.
func (m Moment) instead(log *event.Log) string {
	count := make([]int, event.Kinds)
	for i := range log.Len() {
		count[log.Event(i).Kind]++
	}
	if n := count[m.Kind]; n > 0 {
		return fmt.Sprintf("there are %d %s of others", n, m.Kind)
	}
	var names []string
	for k, n := range count {
		if n > 0 {
			names = append(names, event.Kind(k).String())
		}
	}
	return "what happens is " + listed(names, "and")
}
