package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/ticketrail/ticketrail/core/scenario"
	"github.com/ticketrail/ticketrail/core/sweep"
)

type sweepCommand struct {
	Files  []string `arg:"" name:"file" predictor:"scenario" help:"A scenario file, LESSON.md#ID, or - for standard input; with --merge, results that -o wrote."`
	Seeds  string   `default:"1..100" placeholder:"FROM..TO" help:"The seeds to run, both ends included, such as 1..500. Default: 1..100."`
	Until  string   `placeholder:"DURATION" help:"End each run at this time, such as 90s."`
	Set    []string `sep:"none" value:"PATH=VALUE" help:"Change a setting, such as workers.mailer.count=3. Can be given more than once."`
	JSON   bool     `name:"json" help:"Print the result as one JSON object: what -o writes."`
	Output string   `short:"o" placeholder:"FILE" help:"Also write the result to this file, for --merge."`
	Merge  bool     `help:"Put results of different seeds together instead of running any."`
}

// Help says what the numbers are, and gives examples.
func (*sweepCommand) Help() string {
	return `Runs the scenario once for each seed, on all cores. Of every measure that varies it prints the mean with its 95 % confidence interval (± half its width), the standard deviation, the smallest and the largest value, and the values that 50 % and 95 % of the runs do not exceed; then how many seeds break each expectation, and which.

Examples:
  rail sweep orders.yaml --seeds 1..500
  rail sweep orders.yaml --set workers.mailer.count=3
  rail sweep orders.yaml --json | jq '.measures[] | select(.name == "lost") | .mean'

Shared between machines, the result is the same to the byte as in one go:
  rail sweep orders.yaml --seeds 1..5000 -o a.json      on one
  rail sweep orders.yaml --seeds 5001..10000 -o b.json  on another
  rail sweep --merge a.json b.json

Ctrl-C ends it early: what was run so far is printed, and the exit status is 130.`
}

// exitInterrupted is the status of a sweep that was ended by Ctrl-C.
const exitInterrupted = 130

// maxSeeds is how many seeds one sweep takes; more can be merged.
const maxSeeds = 10_000_000

// Run sweeps, or merges, and says what came of it.
func (c *sweepCommand) Run(t *terminal) error {
	var result *sweep.Result
	var err error
	asked := sweep.Range{}
	if c.Merge {
		result, err = mergeFiles(c.Files)
		if err != nil {
			return wrong(t, err)
		}
	} else if result, asked, err = c.sweep(t); err != nil {
		return err
	}
	if err := c.write(t, result); err != nil {
		return err
	}
	switch {
	case !c.Merge && result.Runs() < asked.Len():
		fmt.Fprintf(t.err, "rail: interrupted after %d of %d seeds\n", result.Runs(), asked.Len())
		return status(exitInterrupted)
	case !result.Held():
		return status(exitFailed)
	case len(result.CutShort) > 0 && len(result.Expectations) == 0:
		return status(exitWrong)
	}
	return nil
}

// write prints the result, and keeps it where -o says.
func (c *sweepCommand) write(t *terminal, result *sweep.Result) error {
	encoded, err := result.Encode()
	if err != nil {
		return err
	}
	encoded = append(encoded, '\n')
	if c.Output != "" {
		if err := writeFile(c.Output, encoded); err != nil {
			return wrong(t, err)
		}
	}
	if c.JSON {
		_, err = t.out.Write(encoded)
		return err
	}
	replay := "rail run FILE"
	if !c.Merge {
		replay = "rail run " + c.Files[0] + c.settings().flags()
	}
	sweepText{result, replay, painter(t.colour)}.write(t.out)
	return nil
}

// sweep runs the seeds that are asked for.
func (c *sweepCommand) sweep(t *terminal) (*sweep.Result, sweep.Range, error) {
	s, seeds, err := c.prepare(t)
	if err != nil {
		return nil, seeds, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C does not wait for the runs under way
	bar := progress(t, seeds)
	result, err := runSeeds(ctx, s, seeds, runtime.GOMAXPROCS(0), func(n int) { _ = bar.Add(n) })
	_ = bar.Clear() // a bar that cannot be drawn is no reason to stop
	var problems scenario.Problems
	if errors.As(err, &problems) {
		report(t.err, c.Files[0], problems)
		return nil, seeds, status(exitWrong)
	}
	return result, seeds, err
}

func (c *sweepCommand) settings() *settings { return &settings{Until: c.Until, Set: c.Set} }

// prepare reads the command line and the scenario.
func (c *sweepCommand) prepare(t *terminal) (*scenario.Scenario, sweep.Range, error) {
	seeds, err := sweep.ParseRange(c.Seeds)
	if err == nil && seeds.Len() > maxSeeds {
		err = fmt.Errorf("%s are more than %d seeds: sweep them in parts and merge the results", c.Seeds, maxSeeds)
	}
	if err != nil {
		return nil, seeds, wrong(t, fmt.Errorf("--seeds: %w", err))
	}
	if len(c.Files) > 1 {
		return nil, seeds, wrong(t, errors.New("sweep one scenario at a time; results of several seeds are put together with --merge"))
	}
	changes, err := c.settings().changes()
	if err != nil {
		return nil, seeds, wrong(t, err)
	}
	d, err := oneDocument(c.Files[0])
	if err != nil {
		return nil, seeds, wrong(t, err)
	}
	s, err := ready(d, changes, t)
	if err != nil {
		return nil, seeds, err
	}
	subject = fmt.Sprintf("%s with seeds %s", d.name, seeds)
	return s, seeds, nil
}

// progress is a bar on a terminal, and nothing anywhere else.
func progress(t *terminal, seeds sweep.Range) *progressbar.ProgressBar {
	out := io.Discard
	if t.bar {
		out = t.err
	}
	return progressbar.NewOptions64(int64(seeds.Len()),
		progressbar.OptionSetWriter(out), progressbar.OptionSetDescription("seeds"), progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
}

// runSeeds runs the seeds on so many cores, until ctx ends. done is told of
// runs that are finished, from several goroutines.
func runSeeds(ctx context.Context, s *scenario.Scenario, seeds sweep.Range, cores int, done func(n int)) (*sweep.Result, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	blocks := make(chan sweep.Range)
	go func() {
		defer close(blocks)
		size := max(1, min(64, seeds.Len()/uint64(4*cores)))
		for from := seeds.From; ; from += size {
			last := seeds.To-from < size
			to := seeds.To
			if !last {
				to = from + size - 1
			}
			select {
			case blocks <- sweep.Range{From: from, To: to}:
			case <-ctx.Done():
				return
			}
			if last {
				return
			}
		}
	}()
	var (
		lock  sync.Mutex
		parts []*sweep.Result
		first error
		all   sync.WaitGroup
	)
	for range cores {
		all.Go(func() {
			for block := range blocks {
				part, err := runBlock(ctx, s, block, done)
				lock.Lock()
				if err != nil {
					first = err
					stop()
				}
				parts = append(parts, part)
				lock.Unlock()
			}
		})
	}
	all.Wait()
	if first != nil {
		return nil, first
	}
	return sweep.Merge(parts...)
}

// runBlock runs seeds one after the other and adds them up.
func runBlock(ctx context.Context, s *scenario.Scenario, block sweep.Range, done func(n int)) (*sweep.Result, error) {
	var parts []*sweep.Result
	for i := uint64(0); i < block.Len() && ctx.Err() == nil; i++ {
		one, err := sweep.One(s, block.From+i)
		if err != nil {
			return nil, err
		}
		parts = append(parts, one)
		done(1)
	}
	return sweep.Merge(parts...)
}

// mergeFiles puts results together that -o or --json wrote.
func mergeFiles(files []string) (*sweep.Result, error) {
	var parts []*sweep.Result
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, explainFile(file, err)
		}
		part, err := sweep.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		parts = append(parts, part)
	}
	result, err := sweep.Merge(parts...)
	var conflict *sweep.Conflict
	if errors.As(err, &conflict) {
		return nil, fmt.Errorf("%s and %s do not go together: %s", files[conflict.First], files[conflict.Second], conflict.Text)
	}
	return result, err
}
