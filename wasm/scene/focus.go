package scene

import "github.com/ticketrail/ticketrail/core/event"

// Focus returns the keys of the nodes at which an event can be seen, the best
// first: what broke, what reached the outside, or the ticket. Not all of them
// are drawn at every moment.
func Focus(log *event.Log, i int) []string {
	e := log.Event(i)
	var keys []string
	if e.Kind == event.Effect && e.Message != event.NoMessage {
		target := int(log.Effect(int(e.Arg)).Target)
		keys = append(keys, keyOf(kRow, target<<18|int(e.Message)&(1<<18-1)).String())
		if log.Effect(int(e.Arg)).Nth > 1 {
			keys = append([]string{keyOf(kPanel, 0).String()}, keys...)
		}
	}
	if e.Worker != event.NoWorker && (e.Kind == event.Crashed || e.Kind == event.HandlerFailed || e.Kind == event.CallFailed) {
		keys = append(keys, keyOf(kStation, int(e.Worker)).String())
	}
	if e.Message != event.NoMessage {
		keys = append(keys, keyOf(kTicket, int(e.Message)).String())
	}
	if e.Worker != event.NoWorker {
		keys = append(keys, keyOf(kStation, int(e.Worker)).String())
	}
	return keys
}
