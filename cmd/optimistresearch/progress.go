package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"

	"optimistresearch/engine/local"
	"optimistresearch/flow"
	"optimistresearch/state"
)

// progress shows how a run goes on, on stderr: bars on a terminal, a line per
// stage otherwise, JSON events with --json.
type progress struct {
	observe func(local.Event)
	waiting func(service string, d time.Duration, retry bool)
	close   func()
}

// waits words a wait for a service.
func waits(service string, d time.Duration, retry bool) string {
	what := "next request"
	if retry {
		what = "failed, next attempt"
	}
	return fmt.Sprintf("%s: %s in %s", service, what, d.Round(100*time.Millisecond))
}

// worthALine is the shortest wait that gets a line of its own; a terminal shows
// shorter ones too.
const worthALine = 5 * time.Second

// progress begins with the first event: a run that cannot begin shows nothing
// but why.
func (s *streams) progress(dir string) progress {
	var begun atomic.Bool
	shown := sync.OnceValue(func() progress {
		begun.Store(true)
		return s.show(dir)
	})
	return progress{
		observe: func(e local.Event) { shown().observe(e) },
		waiting: func(service string, d time.Duration, retry bool) { shown().waiting(service, d, retry) },
		close: func() {
			if begun.Load() {
				shown().close()
			}
		},
	}
}

func (s *streams) show(dir string) progress {
	if s.json {
		return jsonProgress(s.err)
	}
	fmt.Fprintf(s.err, "run %s\n", dir)
	if f, ok := s.err.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		return barProgress(f)
	}
	return lineProgress(s.err)
}

// stages are the words for a wave of tasks.
var stages = map[string]string{
	flow.Plan: "planning", flow.Intents: "choosing what to look for", flow.Queries: "writing queries", flow.Search: "searching",
	flow.Canon: "removing duplicates", flow.Batch: "listing what to screen", flow.Screen: "screening", flow.Close: "counting the yield",
	flow.Seeds: "choosing seeds", flow.Expand: "chasing citations", flow.Allocate: "filling the reading queue", flow.Read: "reading",
	flow.Verify: "verifying claims", flow.Cluster: "clustering claims", flow.Answer: "answering subquestions", flow.Synthesise: "drawing together",
	flow.Critique: "criticising", flow.Decide: "deciding whether to go on", flow.Apply: "editing the plan", flow.Write: "writing",
	flow.Halt: "a budget is used up", flow.Gate: "stopping",
}

// quiet stages take no time and are not worth a line.
var quiet = map[string]bool{flow.Batch: true, flow.Close: true, flow.Decide: true, flow.Canon: true, flow.Allocate: true, flow.Seeds: true}

func stage(t state.Task) string {
	word := stages[t.Node]
	if word == "" {
		word = t.Node
	}
	if t.Iteration > 0 && t.Node != flow.Write {
		return fmt.Sprintf("iteration %d: %s", t.Iteration, word)
	}
	return word
}

// counts says where the run stands.
func counts(s *state.State) string {
	spent, b := s.Spent(), s.Settings.Budgets
	parts := []string{
		fmt.Sprintf("%d documents", len(s.Documents)),
		fmt.Sprintf("searches %d/%d", spent.Searches, b.Searches),
		fmt.Sprintf("read %d/%d", spent.Documents, b.Documents),
		fmt.Sprintf("claims %d", len(s.Evidence)),
	}
	tokens, micros := 0, int64(0)
	for _, u := range spent.Models {
		tokens += u.Prompt + u.Output
		micros += u.Micros
	}
	if tokens > 0 {
		parts = append(parts, fmt.Sprintf("%d tokens", tokens))
	}
	for _, src := range state.Keys(spent.Credits) {
		credits := fmt.Sprintf("%s credits %d", src, spent.Credits[src])
		if most := b.Credits[src]; most > 0 {
			credits += fmt.Sprintf("/%d", most)
		}
		parts = append(parts, credits)
	}
	if micros > 0 {
		parts = append(parts, fmt.Sprintf("$%.2f", float64(micros)/1e6))
	}
	return strings.Join(parts, " · ")
}

func lineProgress(w io.Writer) progress {
	var mu sync.Mutex
	return progress{
		observe: func(e local.Event) {
			if e.Kind != local.WaveFinished || quiet[e.Task.Node] {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintf(w, "%-45s %3d  %s\n", stage(e.Task), e.Wave, counts(e.State))
		},
		waiting: func(service string, d time.Duration, retry bool) {
			if d < worthALine {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(w, "  "+waits(service, d, retry))
		},
		close: func() {},
	}
}

func jsonProgress(w io.Writer) progress {
	var mu sync.Mutex
	enc := json.NewEncoder(w)
	kinds := map[local.EventKind]string{local.WaveStarted: "wave_started", local.TaskStarted: "task_started", local.TaskFinished: "task_finished", local.WaveFinished: "wave_finished"}
	return progress{
		observe: func(e local.Event) {
			mu.Lock()
			defer mu.Unlock()
			event := map[string]any{"event": kinds[e.Kind], "task": e.Task.ID, "node": e.Task.Node, "iteration": e.Task.Iteration, "tasks": e.Wave}
			if e.Err != nil {
				event["error"] = e.Err.Error()
			}
			if e.Kind == local.WaveFinished {
				spent := e.State.Spent()
				event["documents"], event["searches"], event["read"], event["claims"] = len(e.State.Documents), spent.Searches, spent.Documents, len(e.State.Evidence)
			}
			enc.Encode(event)
		},
		waiting: func(service string, d time.Duration, retry bool) {
			mu.Lock()
			defer mu.Unlock()
			enc.Encode(map[string]any{"event": "waiting", "source": service, "seconds": d.Seconds(), "retry": retry})
		},
		close: func() {},
	}
}

// barProgress draws two lines: the stage with a bar over its tasks and the
// call in progress, and the counts with their budgets.
func barProgress(w io.Writer) progress {
	var (
		mu                   sync.Mutex
		title, current, tail string
	)
	get := func(s *string) func(decor.Statistics) string {
		return func(decor.Statistics) string {
			mu.Lock()
			defer mu.Unlock()
			return *s
		}
	}
	p := mpb.New(mpb.WithOutput(w), mpb.WithWidth(30), mpb.WithRefreshRate(120*time.Millisecond))
	// A bar that starts without a total never ends by itself.
	bar := p.AddBar(0, mpb.PrependDecorators(decor.Any(get(&title), decor.WC{W: 46, C: decor.DindentRight})),
		mpb.AppendDecorators(decor.CountersNoUnit(" %d/%d "), decor.Any(get(&current))))
	foot := p.New(0, mpb.NopStyle(), mpb.PrependDecorators(decor.Any(get(&tail))))
	done := int64(0)
	return progress{
		observe: func(e local.Event) {
			mu.Lock()
			defer mu.Unlock()
			switch e.Kind {
			case local.WaveStarted:
				title, current, tail = stage(e.Task), "", counts(e.State)
				done = 0
				bar.SetTotal(int64(e.Wave), false)
				bar.SetCurrent(0)
			case local.TaskStarted:
				current = strings.Join(e.Task.Args, " ")
			case local.TaskFinished:
				done++
				bar.SetCurrent(done)
			case local.WaveFinished:
				tail = counts(e.State)
			}
		},
		waiting: func(service string, d time.Duration, retry bool) {
			mu.Lock()
			defer mu.Unlock()
			current = waits(service, d, retry)
		},
		close: func() {
			bar.Abort(true)
			foot.Abort(true)
			p.Wait()
		},
	}
}
