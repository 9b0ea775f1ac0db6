package naive

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// measures takes the measures of a run again and compares them with the outcome.
func measures(result *Result, events []Event, o *outcome.Outcome) string {
	for _, compare := range []func() string{
		func() string { return counts(events, o) },
		func() string { return times(events, o) },
		func() string { return queues(result, o) },
		func() string { return pools(result, o) },
		func() string { return lost(result, events, o) },
	} {
		if d := compare(); d != "" {
			return d
		}
	}
	return ""
}

func counts(events []Event, o *outcome.Outcome) string {
	var c outcome.Counts
	var finished []string
	done := map[string]bool{}
	messages := map[string]bool{}
	for _, e := range events {
		messages[e.Message] = true
		switch e.Name {
		case "accepted":
			c.Accepted++
		case "refused":
			if strings.Contains(e.More, "gave_up") {
				c.Refused++
			}
		case "delivered":
			c.Deliveries++
			if e.Receive > 1 {
				c.Redeliveries++
			}
		case "acked":
			c.Acked++
			finished = append(finished, e.Message)
		case "ack_ignored":
			if strings.Contains(e.More, "stale") {
				c.StaleAcks++
			}
		case "expired":
			c.Expired++
		case "dropped":
			c.Dropped++
		case "effect":
			c.Effects++
			if key := e.More + " " + e.Key; done[key] {
				c.Duplicates++
			} else {
				done[key] = true
			}
		case "handler_failed":
			c.Failures++
		case "crashed":
			if e.Message != "" {
				c.Crashes++
			}
		}
	}
	delete(messages, "")
	c.Sent = len(messages)
	// How what is left divides is compared by place.
	left := o.Waiting + o.Delayed + o.InFlight + o.Dead
	theirs := o.Counts
	theirs.Waiting, theirs.Delayed, theirs.InFlight, theirs.Dead = 0, 0, 0, 0
	if theirs != c || left != c.Accepted-c.Acked-c.Expired-c.Dropped {
		return fmt.Sprintf("the counts: naive %+v, outcome %+v, left %d", c, theirs, left)
	}
	var theirFinished []string
	names := Names(o.Log)
	for _, m := range o.Finished {
		theirFinished = append(theirFinished, names[m])
	}
	if !slices.Equal(finished, theirFinished) {
		return fmt.Sprintf("finished: naive %v, outcome %v", finished, theirFinished)
	}
	return ""
}

// times compares how long messages waited for their first hand-out and for
// their ack.
func times(events []Event, o *outcome.Outcome) string {
	var wait, sojourn []event.Time
	accepted, begun := map[string]event.Time{}, map[string]bool{}
	for _, e := range events {
		switch e.Name {
		case "accepted":
			accepted[e.Message] = e.At
		case "delivered":
			if !begun[e.Message] {
				begun[e.Message] = true
				wait = append(wait, e.At-accepted[e.Message])
			}
		case "acked":
			sojourn = append(sojourn, e.At-accepted[e.Message])
		}
	}
	if ours := spread(wait); ours != o.Wait {
		return fmt.Sprintf("wait: naive %+v, outcome %+v", ours, o.Wait)
	}
	if ours := spread(sojourn); ours != o.Sojourn {
		return fmt.Sprintf("sojourn: naive %+v, outcome %+v", ours, o.Sojourn)
	}
	return ""
}

func spread(list []event.Time) outcome.Spread {
	if len(list) == 0 {
		return outcome.Spread{}
	}
	slices.Sort(list)
	s := outcome.Spread{N: len(list), Max: list[len(list)-1]}
	for _, d := range list {
		s.Sum += d
	}
	// By nearest rank: the least one that so many per cent do not exceed.
	rank := func(percent int) event.Time {
		for i := range list {
			if (i+1)*100 >= percent*len(list) {
				return list[i]
			}
		}
		panic("a percentage above 100")
	}
	s.P50, s.P95 = rank(50), rank(95)
	return s
}

func queues(result *Result, o *outcome.Outcome) string {
	names := Names(o.Log)
	for _, q := range o.Queues {
		ours := result.Queues[q.Name]
		if q.MaxWaiting < ours.Longest || q.MaxWaiting > ours.Peak || q.WaitingTime != ours.Waited {
			return fmt.Sprintf("the line of %s: naive longest %d to %d, waited %d; outcome %d, %d", q.Name, ours.Longest, ours.Peak, ours.Waited, q.MaxWaiting, q.WaitingTime)
		}
		var theirs []string
		for _, m := range q.DeadLetters {
			theirs = append(theirs, names[m])
		}
		letters := ours.Letters
		if q.DeadLetter {
			letters = ours.Present
		}
		if !slices.Equal(letters, theirs) {
			return fmt.Sprintf("the dead letters of %s: naive %v, outcome %v", q.Name, letters, theirs)
		}
	}
	return ""
}

func pools(result *Result, o *outcome.Outcome) string {
	for _, p := range o.Pools {
		if ours := result.Pools[p.Name]; ours != (PoolResult{p.WorkerTime, p.BusyTime}) {
			return fmt.Sprintf("pool %s: naive there %d, busy %d; outcome %d, %d", p.Name, ours.There, ours.Busy, p.WorkerTime, p.BusyTime)
		}
	}
	return ""
}

// shows reports whether a scenario has services, effect tables or publishing,
// by which one sees what came of a message.
func shows(s *scenario.Scenario) bool {
	return len(s.Services) > 0 ||
		slices.ContainsFunc(s.Tables, func(t scenario.Table) bool { return t.Effect }) ||
		slices.ContainsFunc(s.Workers, func(p scenario.Pool) bool { return strings.Contains(p.Handler, "publish(") })
}

// lost finds the messages that are gone although nothing came of them; where
// nothing can be seen to come of them, although none of their runs finished.
func lost(result *Result, events []Event, o *outcome.Outcome) string {
	came, carried := map[string]bool{}, map[string]bool{}
	running := map[string]int{}
	for _, e := range events {
		switch e.Name {
		case "effect":
			came[e.Message] = true
			carried[e.Key] = true
		case "call_answered":
			came[e.Message] = true
		case "handler_started":
			running[e.Message]++
		case "handler_finished", "handler_failed", "crashed":
			running[e.Message]--
			if !shows(o.Scenario) && e.Name == "handler_finished" {
				came[e.Message] = true
			}
		}
	}
	var ours, theirs []string
	for i, name := range Names(o.Log) {
		m := o.Log.Message(event.MessageRef(i))
		if m.Parent != event.NoMessage && result.Places[name] != "" {
			came[Names(o.Log)[m.Parent]] = true
		}
	}
	for i, name := range Names(o.Log) {
		m := o.Log.Message(event.MessageRef(i))
		id := keyName(m.ID.String(), m.ID.Text != "")
		gone := result.Places[name] == "acked" || result.Places[name] == "expired" || result.Places[name] == "dropped"
		byKey := m.KeyGiven && (carried[m.Key] || carried[keyName(m.Key, true)])
		if gone && !came[name] && !carried[id] && !byKey && running[name] == 0 {
			ours = append(ours, name)
		}
	}
	for _, m := range o.LostMessages {
		theirs = append(theirs, Names(o.Log)[m])
	}
	if !slices.Equal(ours, theirs) {
		return fmt.Sprintf("lost: naive %v, outcome %v", ours, theirs)
	}
	return ""
}
