// Package app is the assembly room: from settings to clients, from clients to
// nodes, from nodes to a run. Nothing imports it but the commands and the
// end-to-end tests.
//
// It must never hold a rule of the method or print anything. Start with Start
// or Resume.
package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"optimistresearch/config"
	"optimistresearch/critic"
	"optimistresearch/engine"
	"optimistresearch/engine/local"
	"optimistresearch/flow"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/corpus"
	"optimistresearch/internal/sandbox"
	"optimistresearch/report"
	"optimistresearch/state"
	"optimistresearch/steps/plan"
)

// Version of the program.
const Version = "0.1.0"

// Options of a session that the settings do not hold.
type Options struct {
	Config  *config.Config
	Now     time.Time // when the run starts; resume keeps the first
	Observe func(local.Event)
	// Waiting, if set, is told when a request to a service has to wait: for its
	// turn, or to be repeated. It is called from many goroutines.
	Waiting func(service string, d time.Duration, retry bool)
	// Store, if set, wraps the journal; tests end the process in it.
	Store func(engine.Store) engine.Store
}

// Request is a new run.
type Request struct {
	Question string
	Scope    string
	Dir      string
	Sandbox  string // "", "builtin" or the path of a library
	// Records are files of reference managers and databases whose records are
	// screened and read like those that searches find; see import.go.
	Records []string
	// Offline leaves all sources out: the run is about Records alone.
	Offline bool
}

// Result says how a run ended.
type Result struct {
	Dir     string
	State   *state.State
	Stop    state.Stop
	Notices []string
	Same    *bool // of a replay: the state equals the original's
}

// Start makes a new run and drives it to its end. The run's directory stays
// whatever happens, so that Resume can go on.
func Start(ctx context.Context, o Options, r Request) (Result, error) {
	started := o.Now.UTC().Truncate(time.Second)
	if err := CheckQuestion(r.Question); err != nil {
		return Result{}, err
	}
	if year := o.Config.Settings.UntilYear; year != 0 && year > started.Year()+1 {
		return Result{}, wrong("leave it out or lower it", "until_year is %d, which is in the future", year)
	}
	imported, err := readImports(ctx, o.Config, r)
	if err != nil {
		return Result{}, err
	}
	if !r.Offline {
		if err := ready(ctx, o.Config, r.Sandbox); err != nil {
			return Result{}, err
		}
	}
	run, err := corpus.Create(r.Dir, corpus.Manifest{
		Version: Version, Question: r.Question, Started: started.Format(time.RFC3339), Sandbox: r.Sandbox,
	})
	if err != nil {
		return Result{}, err
	}
	defer run.Close()
	settings := o.Config.Settings
	settings.Models = o.Config.Roles(RoleNames())
	q := state.Question{Text: r.Question, Scope: r.Scope, Started: started.Format(time.RFC3339), Year: started.Year(), Version: Version, Demonstration: demonstration(r.Sandbox), Library: libraryName(r.Sandbox)}
	plan.TakeScope(&q, &settings)
	if r.Offline {
		settings.Sources = []string{}
	}
	first := state.Delta{Task: state.Task{ID: "start", Node: "start"}, Part: *state.New(q, settings)}
	if err := imported.into(run, &first.Part); err != nil {
		return Result{}, err
	}
	run.Notices = append(run.Notices, imported.notices...)
	if err := run.Append(first); err != nil {
		return Result{}, err
	}
	run.State().Apply(first)
	return drive(ctx, o, run, nil)
}

// CheckQuestion refuses a question that names no topic, as an *InputError.
func CheckQuestion(question string) error {
	if err := plan.CheckQuestion(question); err != nil {
		return &InputError{err}
	}
	return nil
}

// Resume goes on with a run where it stopped. Responses that it received
// before come from its recordings. If failed calls had ended it, they are sent
// again (see flow.Retry).
func Resume(ctx context.Context, o Options, dir string) (Result, error) {
	run, err := corpus.Open(dir)
	if err != nil {
		return Result{}, err
	}
	defer run.Close()
	if run.State().Question == nil {
		return Result{}, wrong("start it again in another directory: `optimistresearch run --out DIR`", "%s stopped before its first step was stored", dir)
	}
	if from := run.Manifest.ReplayedOf; from != "" {
		// A replay goes on as it began, without a network. It has the recordings;
		// what the original skipped is best known to that one.
		original, err := corpus.OpenReadOnly(from)
		if err != nil {
			original = run
		}
		return drive(ctx, o, run, original)
	}
	again, err := run.SetBack(func(deltas []state.Delta) []int { return flow.Retry(run.State(), deltas) })
	if err != nil {
		return Result{}, err
	}
	if again > 0 {
		run.Notices = append(run.Notices, fmt.Sprintf("calls had failed and ended the run; they are sent again, and the %d steps that rested on them are done again", again))
	}
	return drive(ctx, o, run, nil)
}

// Replay derives a run again from the recordings of an earlier one, without
// any network, in a directory of its own.
func Replay(ctx context.Context, o Options, original, dir string) (Result, error) {
	old, err := corpus.OpenReadOnly(original)
	if err != nil {
		return Result{}, err
	}
	s := old.State()
	if s.Question == nil || s.Settings == nil {
		return Result{}, wrong("there is nothing to replay", "%s stopped before its first step was stored", original)
	}
	m := old.Manifest
	m.ReplayedOf = original
	run, err := corpus.Create(dir, m)
	if err != nil {
		return Result{}, err
	}
	defer run.Close()
	first := state.Delta{Task: state.Task{ID: "start", Node: "start"}, Part: *state.New(*s.Question, *s.Settings)}
	importsOf(s, &first.Part)
	if err := run.Append(first); err != nil {
		return Result{}, err
	}
	run.State().Apply(first)
	if err := run.TakeImports(old); err != nil {
		return Result{}, err
	}
	if err := run.TakeRecordings(old); err != nil {
		return Result{}, err
	}
	res, err := drive(ctx, o, run, old)
	if err != nil {
		return res, err
	}
	same, err := equal(res.State, s)
	res.Same = &same
	return res, err
}

func equal(a, b *state.State) (bool, error) {
	x, err := a.JSON()
	if err != nil {
		return false, err
	}
	y, err := b.JSON()
	return string(x) == string(y), err
}

// drive assembles the machine, runs it and writes what people read.
func drive(ctx context.Context, o Options, run *corpus.Run, replayed *corpus.Run) (res Result, err error) {
	s := run.State()
	res = Result{Dir: run.Dir, State: s, Notices: run.Notices}
	// A response that cannot be kept must end the run: going on would report a
	// service as down that has answered.
	outer := ctx
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	c, err := assemble(o, run, replayed, s, fail)
	if err != nil {
		return res, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	m, err := engine.New(c.nodes)
	if err != nil {
		return res, err
	}
	began := time.Now()
	wall := time.Duration(s.Settings.Budgets.Minutes * float64(time.Minute))
	opt := local.Options{
		Parallel: o.Config.Runtime.Parallel,
		Observe:  o.Observe,
		Runtime:  func() flow.Runtime { return flow.Runtime{WallUsed: wall > 0 && time.Since(began) > wall} },
	}
	var store engine.Store = run
	if o.Store != nil {
		store = o.Store(store)
	}
	if err := local.Run(ctx, m, store, s, opt); err != nil {
		if outer.Err() == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return res, err
	}
	files, err := report.Render(s, days(run, s))
	if err != nil {
		return res, err
	}
	err = run.WriteFiles(files)
	res.Notices = run.Notices
	if err != nil {
		return res, err
	}
	if s.Stop != nil {
		res.Stop = *s.Stop
	}
	// A writer that never answered shows only after the search has stopped. The
	// report is there, by the built-in method, but the run did not get what it
	// was told to use.
	if f := critic.Failure(s); f != nil && res.Stop.Exit != f.Exit {
		res.Stop.Reason, res.Stop.Exit, res.Stop.Detail = f.Reason, f.Exit, f.Detail+"; before that: "+res.Stop.Detail
	}
	return res, nil
}

// days dates the answers of the services.
func days(run *corpus.Run, s *state.State) report.Days {
	out := report.Days{}
	recorder := run.Recorder()
	for _, c := range s.Calls {
		for _, hash := range c.Requests {
			if _, known := out[hash]; known {
				continue
			}
			if t, ok := recorder.Received(hash); ok {
				out[hash] = t.Format(time.DateOnly)
			}
		}
	}
	return out
}

// ready looks whether a run can begin at all, before a directory is made for
// it: can a service be reached, can the library be read.
func ready(ctx context.Context, c *config.Config, library string) error {
	switch library {
	case "":
		return preflight(ctx, c)
	case Builtin:
		return nil
	}
	if _, err := sandbox.LoadLibrary(library); err != nil {
		return &InputError{err}
	}
	return nil
}

// LibraryWarnings says what in the library of a simulation is not read. An
// error of it is an *InputError. path may be "" or Builtin, where there is
// nothing to warn about.
func LibraryWarnings(path string) ([]string, error) {
	if path == "" || path == Builtin {
		return nil, nil
	}
	lib, err := sandbox.LoadLibrary(path)
	if err != nil {
		return nil, &InputError{err}
	}
	const most = 10
	var out []string
	for i, u := range lib.Unknown {
		if i == most {
			out = append(out, fmt.Sprintf("%s: %d more keys are not read", path, len(lib.Unknown)-most))
			break
		}
		out = append(out, path+": the key "+u.String())
	}
	return out, nil
}

// InputError is a mistake in what the user gave: a file, a setting, a flag.
type InputError struct{ Err error }

// wrong makes an InputError with what to type next.
func wrong(next, format string, args ...any) error {
	return &InputError{advice.New(next, format, args...)}
}

func (e *InputError) Error() string { return e.Err.Error() }
func (e *InputError) Unwrap() error { return e.Err }

func demonstration(library string) string {
	if library == Builtin {
		return "the built-in demonstration library"
	}
	return ""
}

// libraryName is the name of a person's own library: its path is the machine's
// business, its name is not.
func libraryName(library string) string {
	if library == Builtin {
		return ""
	}
	return library[strings.LastIndexAny(library, `/\\`)+1:]
}

// Builtin names the built-in library in Request.Sandbox.
const Builtin = "builtin"

// Now is the time that a run starts: the clock, or SOURCE_DATE_EPOCH (seconds
// since 1970), which reproducible builds set.
func Now() time.Time {
	if v := os.Getenv("SOURCE_DATE_EPOCH"); v != "" {
		var sec int64
		if _, err := fmt.Sscan(v, &sec); err == nil {
			return time.Unix(sec, 0)
		}
	}
	return time.Now()
}
