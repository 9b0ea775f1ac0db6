package worker

import (
	"errors"
	"fmt"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/handler"
	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/service"
)

// Message returns what the handler sees of the message at hand.
func (w *Worker) Message() handler.Message {
	m := w.pool.World.Message(w.current.Message, w.current.edition)
	m.Receives = int64(w.current.Receive)
	return m
}

// Now returns the virtual time.
func (w *Worker) Now() event.Time { return w.pool.World.Now() }

// Line notes the line that is about to run; a planned crash may strike first.
func (w *Worker) Line(n int) error {
	w.line = n
	if w.plan.armed && w.plan.where == scenario.OnLine && w.plan.line == int64(n) {
		return handler.ErrCrash
	}
	w.emit(&event.Event{Kind: event.Line, Arg: int32(n)})
	return nil
}

// Ack acknowledges the message at hand.
func (w *Worker) Ack() bool {
	return w.settle(w.pool.Broker.Ack(w.Now(), w.current.Delivery, event.None))
}

// Nack gives the message at hand back.
func (w *Worker) Nack(delay event.Time) bool {
	return w.settle(w.pool.Broker.Nack(w.Now(), w.current.Delivery, delay, event.None))
}

// Reject sends the message at hand to the dead letters.
func (w *Worker) Reject() bool {
	return w.settle(w.pool.Broker.Reject(w.Now(), w.current.Delivery, event.None))
}

func (w *Worker) settle(accepted bool) bool {
	w.settled = w.settled || accepted
	return accepted
}

// Extend moves the end of the visibility timeout of the message at hand.
func (w *Worker) Extend(by event.Time) bool {
	return w.pool.Broker.Extend(w.Now(), w.current.Delivery, by)
}

// errHeld ends a handler in the middle: within one instant it could fill the
// memory before the simulator sees that the run has met its limit.
var errHeld = fmt.Errorf("the run holds more than %d MB of texts, bodies and rows", scenario.MaxHeld>>20)

// room reports whether the run may hold more.
func (w *Worker) room() error {
	if w.pool.Log.Held() > scenario.MaxHeld {
		return errHeld
	}
	return nil
}

// Print writes a line to the log.
func (w *Worker) Print(text string) error {
	w.emit(&event.Event{Kind: event.Printed, Text: w.pool.Log.AddText(text)})
	return w.room()
}

// Sleep lets virtual time pass.
func (w *Worker) Sleep(d event.Time) error { return w.wait(d) }

// wait hands control back until d has passed. A wait of zero lets nothing
// else run in between.
func (w *Worker) wait(d event.Time) error {
	if d == 0 {
		return nil
	}
	w.turn++
	w.pool.World.ResumeAt(w.Now()+d, w.Ref, w.turn)
	return w.pause()
}

func (w *Worker) pause() error {
	if !w.yield(waits) || w.dying {
		return handler.ErrCrash
	}
	return nil
}

// Ran implements handler.Breather.
func (w *Worker) Ran(steps uint64) { w.pool.World.Ran(steps) }

// Breathe implements handler.Breather.
func (w *Worker) Breathe() error {
	if !w.yield(breathes) || w.dying {
		return handler.ErrCrash
	}
	return nil
}

// Publish sends a message and waits where its queue blocks.
func (w *Worker) Publish(p handler.Publication) (bool, error) {
	if err := w.room(); err != nil {
		return false, err
	}
	w.turn++
	taken, blocked := w.pool.World.Publish(w, p)
	if blocked == 0 {
		return taken, nil
	}
	w.admissions = blocked
	return taken, w.pause()
}

// Call calls a service.
func (w *Worker) Call(name string, c handler.Call) error {
	s, ok := w.service(name)
	if !ok {
		return fmt.Errorf("there is no service %q", name)
	}
	if err := w.room(); err != nil {
		return err
	}
	a := s.Admit(w.Now(), w.pool.Draws, w.caller())
	at := event.Event{Arg: int32(s.Ref), Text: w.pool.Log.AddText(c.Key.Text)}
	if a.Refused {
		if w.crashesBefore() {
			return handler.ErrCrash
		}
		return w.callFailed(s.Ref, a.Error)
	}
	at.Kind, at.Until = event.CallStarted, w.Now()+a.Latency
	w.emit(&at)
	if w.crashesBefore() {
		return w.crashWithin(a.Latency)
	}
	if err := w.wait(a.Latency); err != nil {
		return err
	}
	if a.Fails {
		return w.callFailed(s.Ref, a.Error)
	}
	if !s.Finish(c) {
		at.Kind, at.Until = event.CallAnswered, 0
		w.emit(&at)
		return nil
	}
	return w.effect(s.Ref, c.Key, c.Amount, at.Text)
}

// service returns the service with a name, and whether there is one.
func (w *Worker) service(name string) (*service.Service, bool) {
	if w.called != nil && w.called.Config.Name == name {
		return w.called, true
	}
	s, ok := w.pool.Services[name]
	if ok {
		w.called = s
	}
	return s, ok
}

func (w *Worker) caller() service.Caller {
	w.calls++
	return service.Caller{Message: w.chanceName, Receipt: w.current.Receipt, Call: w.calls}
}

func (w *Worker) callFailed(target event.TargetRef, text string) error {
	w.emit(&event.Event{Kind: event.CallFailed, Arg: int32(target), Text: w.pool.Log.AddText(text)})
	return errors.New(text)
}

// crashesBefore reports whether the worker is to die in the call that is
// starting: the first one of this run that can have an effect.
func (w *Worker) crashesBefore() bool {
	return w.plan.armed && w.plan.where == scenario.BeforeEffect
}

// crashWithin dies at a drawn part of a call's latency.
func (w *Worker) crashWithin(latency event.Time) error {
	if latency > 0 {
		if err := w.wait(event.Time(w.draw(uint64(latency), "crash part"))); err != nil {
			return err
		}
	}
	return handler.ErrCrash
}

// effect records a side effect; a planned crash may strike right after it.
func (w *Worker) effect(target event.TargetRef, k handler.Key, amount int64, text int32) error {
	at := event.Event{
		At: w.Now(), Worker: w.Ref, Text: text,
		Message: w.current.Message, Queue: w.current.Queue, Receive: w.current.Receive,
	}
	w.pool.Ledger.Record(w.pool.Log, &at, target, k.IsText, amount)
	w.effects++
	if w.plan.armed && w.plan.where == scenario.AfterEffect && w.effects == 1 {
		return handler.ErrCrash
	}
	return nil
}

// Table returns a table as the handler reaches it.
func (w *Worker) Table(name string) handler.Table { return table{w, w.pool.Tables[name]} }

type table struct {
	w *Worker
	t *service.Table
}

// enter waits out the latency of a call, in which the worker may die.
func (t table) enter(k handler.Key) error {
	w := t.w
	if err := w.room(); err != nil {
		return err
	}
	latency := t.t.Latency(w.pool.Draws, w.caller())
	if latency > 0 {
		w.emit(&event.Event{Kind: event.CallStarted, Until: w.Now() + latency, Arg: int32(t.t.Ref), Text: w.pool.Log.AddText(k.Text)})
	}
	if t.t.Config.Effect && w.crashesBefore() {
		return w.crashWithin(latency)
	}
	return w.wait(latency)
}

// put writes a row and counts what the run holds by it. Rows whose time is over
// stay counted.
func (t table) put(k handler.Key, value any) {
	if old, ok := t.t.Get(t.w.Now(), k); ok {
		t.w.pool.Log.Hold(-rowSize(old))
	}
	t.t.Put(t.w.Now(), k, value)
	t.w.pool.Log.Hold(rowSize(value))
}

// rowSize is about how many bytes a row takes, beside the text of its key,
// which the log counts.
func rowSize(value any) int { return 64 + event.SizeOf(value) }

func (t table) changed(what string, k handler.Key) {
	t.w.emit(&event.Event{Kind: event.TableChanged, Arg: int32(t.t.Ref), Text: t.w.pool.Log.AddText(what + " " + k.Text)})
}

func (t table) Has(k handler.Key) (bool, error) {
	if err := t.enter(k); err != nil {
		return false, err
	}
	_, ok := t.t.Get(t.w.Now(), k)
	return ok, nil
}

func (t table) Get(k handler.Key) (any, error) {
	if err := t.enter(k); err != nil {
		return nil, err
	}
	v, _ := t.t.Get(t.w.Now(), k)
	return v, nil
}

func (t table) Set(k handler.Key, value any) error {
	if err := t.enter(k); err != nil {
		return err
	}
	t.put(k, value)
	t.changed("set", k)
	return nil
}

func (t table) Add(k handler.Key, amount int64) error {
	if err := t.enter(k); err != nil {
		return err
	}
	value, _ := t.t.Get(t.w.Now(), k)
	t.put(k, value) // a value that was set stays
	t.changed("add", k)
	return t.wrote(k, amount)
}

func (t table) Insert(k handler.Key, value any, amount int64) (bool, error) {
	if err := t.enter(k); err != nil {
		return false, err
	}
	if _, ok := t.t.Get(t.w.Now(), k); ok {
		return false, nil
	}
	t.put(k, value)
	t.changed("insert", k)
	return true, t.wrote(k, amount)
}

func (t table) Delete(k handler.Key) error {
	if err := t.enter(k); err != nil {
		return err
	}
	old, _ := t.t.Get(t.w.Now(), k)
	if t.t.Delete(t.w.Now(), k) {
		t.w.pool.Log.Hold(-rowSize(old))
		t.changed("delete", k)
	}
	return nil
}

// wrote counts a successful write of a table whose writes are side effects.
func (t table) wrote(k handler.Key, amount int64) error {
	if !t.t.Config.Effect {
		return nil
	}
	return t.w.effect(t.t.Ref, k, amount, t.w.pool.Log.AddText(k.Text))
}
