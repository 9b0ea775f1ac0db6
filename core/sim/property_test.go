package sim

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/ticketrail/ticketrail/core/event"
	"github.com/ticketrail/ticketrail/core/outcome"
	"github.com/ticketrail/ticketrail/core/replay"
	"github.com/ticketrail/ticketrail/core/scenario"
)

const parse = "def on_message(msg):\n    if type(msg.body[\"amount\"]) != \"int\":\n        fail(\"cannot parse\")\n"

const (
	naive      = parse + "    balance.add(msg.id, amount=msg.body[\"amount\"])\n    ack(msg)\n"
	idempotent = parse + "    if seen.insert(msg.id):\n        balance.add(msg.id, amount=msg.body[\"amount\"])\n    ack(msg)\n"
)

// payments are up to 30 payments, some of which cannot be parsed, and a worker
// that may die right after it has applied one.
func payments(random *rand.Rand, program string) (s *scenario.Scenario, total int64, poison []event.ID) {
	queue := scenario.DefaultQueue("payments")
	queue.MaxReceives, queue.Notice = 3, scenario.ByConnection
	s = &scenario.Scenario{
		Seed: random.Uint64(), Until: event.Never, Limits: scenario.Limits{Events: 1_000_000, Time: 24 * event.Hour},
		Queues: []scenario.Queue{queue},
		Tables: []scenario.Table{{Name: "seen"}, {Name: "balance", Effect: true}},
		Workers: []scenario.Pool{{
			Name: "biller", From: []string{"payments"}, Count: 1 + random.Int64N(4), Prefetch: 1,
			OnError: scenario.NackOnError, Handler: program,
			Crash: scenario.Crash{Probability: scenario.Probability(random.Int64N(int64(scenario.Certain) / 2)), Where: scenario.AfterEffect},
		}},
	}
	shop := scenario.Producer{Name: "shop", To: "payments", Until: event.Never, Delay: event.Never}
	for i := range 1 + random.IntN(30) {
		m := scenario.Message{ID: event.ID{Number: int64(i)}, Delay: event.Never}
		amount := 1 + random.Int64N(100)
		m.Body = event.Object{{Name: "amount", Value: amount}}
		if random.IntN(20) == 0 {
			m.Body = event.Object{{Name: "amount", Value: "not-a-number"}}
			poison = append(poison, m.ID)
		} else {
			total += amount
		}
		shop.Send = append(shop.Send, m)
	}
	s.Producers = []scenario.Producer{shop}
	return s, total, poison
}

// TestRandomPayments is the check of 500 random runs of the source text: with
// an idempotent handler every good payment counts once and every poison one is
// a dead letter; a naive handler counts some twice.
func TestRandomPayments(t *testing.T) {
	differs := 0
	for seed := range uint64(500) {
		for _, program := range []string{idempotent, naive} {
			s, total, poison := payments(rand.New(rand.NewPCG(27, seed)), program)
			log, err := Run(s)
			require.NoError(t, err)
			o := outcome.Of(s, log)
			about := fmt.Sprintf("seed %d, crash chance %d ppb", seed, s.Workers[0].Crash.Probability)
			assert.Zero(t, o.Waiting+o.InFlight+o.Delayed, about)
			dead := idsDead(log)
			for _, id := range poison {
				assert.Contains(t, dead, id, about)
			}
			sum := int64(0)
			for i := range log.EffectCount() {
				sum += log.Effect(i).Amount
			}
			if program == naive && sum != total {
				differs++
			}
			if program == idempotent {
				assert.Equal(t, total, sum, about)
				assert.Zero(t, o.Duplicates, about)
			}
			conserved(t, log, about)
		}
	}
	assert.Positive(t, differs, "the naive handler never counted twice")
}

func idsDead(log *event.Log) (ids []event.ID) {
	index := replay.New(log)
	for m := range event.MessageRef(log.MessageCount()) {
		if index.Where(m, log.Len()).Place == replay.Dead {
			ids = append(ids, log.MessageID(m))
		}
	}
	return ids
}

// conserved asserts that no message is anywhere twice or nowhere, at any time.
func conserved(t *testing.T, log *event.Log, about string) {
	t.Helper()
	cursor := replay.New(log).Cursor()
	for n := range log.Len() + 1 {
		if state := cursor.SeekEvents(n); !state.Counts.AddsUp() {
			t.Fatalf("%s: after event %d: %+v", about, n, state.Counts)
		}
	}
}
