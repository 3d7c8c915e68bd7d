package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"optimistresearch/config"
	"optimistresearch/engine"
	"optimistresearch/flow"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/corpus"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/llm"
	llmall "optimistresearch/internal/llm/all"
	"optimistresearch/internal/sandbox"
	"optimistresearch/sources"
	"optimistresearch/sources/all"
	"optimistresearch/state"
	"optimistresearch/steps"
	"optimistresearch/steps/critique"
	"optimistresearch/steps/expand"
	"optimistresearch/steps/plan"
	"optimistresearch/steps/read"
	"optimistresearch/steps/screen"
	"optimistresearch/steps/search"
	"optimistresearch/steps/synth"
	"optimistresearch/steps/verify"
	"optimistresearch/steps/write"
)

// RoleNames lists the model roles as settings name them.
func RoleNames() []string {
	var out []string
	for _, r := range llm.Roles() {
		out = append(out, string(r))
	}
	return out
}

// clients is what a session holds open.
type clients struct {
	nodes   map[string]engine.Node
	closers []func() error
}

func (c *clients) close() error {
	var errs []error
	for i := len(c.closers) - 1; i >= 0; i-- {
		errs = append(errs, c.closers[i]())
	}
	c.closers = nil
	return errors.Join(errs...)
}

// assemble builds the clients of a run and binds the steps to them.
func assemble(o Options, run, replayed *corpus.Run, s *state.State, fail func(error)) (*clients, error) {
	c := &clients{}
	log, err := run.OpenLog()
	if err != nil {
		return nil, err
	}
	c.closers = append(c.closers, log.Close)

	opt := fetchOptions(o.Config)
	recorder := run.Recorder()
	recorder.Now = Now
	opt.Recorder, opt.Mode = recorder, fetch.Resume
	opt.Observe = func(e fetch.Event) {
		log.Add(httpEntry(e))
		if e.Kind == fetch.Unsaved {
			fail(fmt.Errorf("a response of %s could not be stored in %s; the disk may be full or read-only: mend that", e.Service, run.Dir))
		}
	}
	if o.Waiting != nil {
		opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, w.For, w.Retry) }
	}
	bases := map[string]string{}
	switch {
	case replayed != nil:
		opt.Mode = fetch.Replay // the run has the recordings of the other one, see Replay
		opt.Limits = nil
	case run.Manifest.Sandbox != "":
		server, err := startSandbox(run.Manifest.Sandbox)
		if err != nil {
			return nil, errors.Join(err, c.close())
		}
		c.closers = append(c.closers, server.Close)
		for _, name := range all.Names() {
			bases[name] = server.URL(name)
		}
		opt.Limits = nil // a simulator on this machine needs no pace
	}
	client, err := fetch.New(opt)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	c.closers = append(c.closers, func() error { client.Close(); return nil })

	how := sourceOptions{bases: bases, simulated: run.Manifest.Sandbox != ""}
	if replayed != nil {
		how.skipped = skippedBefore(replayed.State())
	}
	list, skipped, err := buildSources(o.Config, client, s.Settings.Sources, how)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	router, err := buildRouter(o.Config, client, s.Settings.Models, replayed != nil)
	if err != nil {
		return nil, errors.Join(err, c.close())
	}
	models := steps.Models{Router: router, Observe: func(call steps.Call) { log.Add(modelEntry(call)) }}
	c.nodes = bind(models, list, skipped)
	return c, nil
}

func bind(models steps.Models, list []sources.Source, skipped map[string]string) map[string]engine.Node {
	dialects := make([]plan.Dialect, len(list))
	for i, s := range list {
		dialects[i] = s
	}
	planner := plan.New(models, dialects, skipped)
	synthesizer := synth.New(models)
	return map[string]engine.Node{
		flow.Plan: planner.Plan, flow.Intents: planner.Intents, flow.Queries: planner.Queries,
		flow.Search: search.New(list, skipped).Run, flow.Expand: expand.New(list).Run,
		flow.Screen: screen.New(models).Run, flow.Read: read.New(models).Run, flow.Verify: verify.New(models).Run,
		flow.Answer: synthesizer.Answer, flow.Synthesise: synthesizer.Synthesise,
		flow.Critique: critique.New(models).Run, flow.Write: write.New(models).Run,
	}
}

func fetchOptions(c *config.Config) fetch.Options {
	r := c.Runtime
	keys := map[string]string{}
	for name, s := range r.Source {
		keys[name] = s.Key
	}
	if keys["crossref"] == "" {
		keys["crossref"] = r.Contact // a contact address opens Crossref's polite pool
	}
	limits := all.Limits(keys)
	for name, s := range r.Source {
		if s.Every > 0 {
			l := limits[name]
			l.Every, l.Burst = s.Every, 1
			limits[name] = l
		}
	}
	retries := r.Retries
	if retries == 0 {
		retries = -1 // 0 would mean the default
	}
	return fetch.Options{
		UserAgent: "optimistresearch/" + Version, Contact: r.Contact, Timeout: r.Timeout, MaxRetries: retries,
		RetryAfterCap: r.RetryAfterCap, MaxBytes: int64(r.MaxResponseMB) << 20, Limits: limits, Break: true,
	}
}

// sourceOptions say how the clients of the sources are made.
type sourceOptions struct {
	bases     map[string]string // addresses that replace those of the live services
	simulated bool              // the services are, or were, simulations: all are on and nothing pauses
	skipped   map[string]string // of a replay: what the run skipped, and why; nil otherwise
}

// skippedBefore tells which sources a run skipped, and why.
func skippedBefore(s *state.State) map[string]string {
	out := map[string]string{}
	for id, c := range s.Calls {
		if name, ok := strings.CutPrefix(id, "skip/"); ok {
			out[name] = c.Reason
		}
	}
	return out
}

// buildSources makes the clients of the named sources.
func buildSources(c *config.Config, do *fetch.Client, names []string, how sourceOptions) (list []sources.Source, skipped map[string]string, err error) {
	skipped = map[string]string{}
	for _, name := range names {
		sc := c.Runtime.Source[name]
		switch {
		case how.simulated:
		case how.skipped != nil:
			if why := how.skipped[name]; why != "" {
				skipped[name] = why
				continue
			}
		default:
			if why := off(name, sc); why != "" {
				skipped[name] = why
				continue
			}
		}
		base := sc.Base
		if b := how.bases[name]; b != "" {
			base, sc.Key = b, ""
		}
		src, err := all.Build(do, name, all.Config{Base: base, Key: sc.Key, Contact: c.Runtime.Contact, Simulated: how.simulated || how.skipped != nil})
		if err != nil {
			return nil, nil, err
		}
		list = append(list, src)
	}
	return list, skipped, nil
}

// off says why a source is not used, "" if it is.
func off(name string, sc config.SourceConfig) string {
	switch {
	case sc.Mode == "off":
		return "switched off (source." + name + ".mode)"
	case sc.Mode == "on":
		return ""
	case name == "semanticscholar" && sc.Key == "" && sc.Base == "":
		return "its shared pool for clients without a key refuses most requests; set source.semanticscholar.key, or source.semanticscholar.mode to on"
	}
	return ""
}

// buildRouter routes the roles. A replayed run needs no key: nothing is sent.
func buildRouter(c *config.Config, do *fetch.Client, models map[string]string, replay bool) (*llm.Router, error) {
	routes, err := buildRoutes(c, do, models, replay)
	if err != nil {
		return nil, err
	}
	return llm.NewRouter(routes), nil
}

// buildRoutes makes the route of every role that a model does.
func buildRoutes(c *config.Config, do *fetch.Client, models map[string]string, replay bool) (map[llm.Role]llm.Route, error) {
	routes := map[llm.Role]llm.Route{}
	providers := map[string]llm.Provider{}
	for _, role := range llm.Roles() {
		spec := models[string(role)]
		if spec == "" || spec == llm.Builtin {
			continue
		}
		name, model, ok := strings.Cut(spec, ":")
		if !ok {
			return nil, wrong("the models of a run are fixed when it starts: start another one", "the run routes models.%s to %q, which is neither builtin nor provider:model", role, spec)
		}
		pc := c.Runtime.Provider[name]
		if providers[name] == nil {
			p, err := buildProvider(c, do, name, spec, role, replay)
			if err != nil {
				return nil, err
			}
			providers[name] = p
		}
		if modes := llmall.Modes(pc.Protocol()); pc.Mode != "" && !slices.Contains(modes, pc.Mode) {
			return nil, wrong("set it to one of "+strings.Join(modes, ", "), "provider.%s.mode is %s, which the protocol %s does not have", name, pc.Mode, pc.Protocol())
		}
		r := llm.Route{Spec: spec, Setting: "models." + string(role), Provider: providers[name], Model: model, Mode: pc.Mode, Context: c.ContextOf(spec)}
		if r.Context == 0 {
			r.Context = llmall.DefaultContext(pc.Protocol())
		}
		if p, _, ok := c.PriceOf(spec); ok {
			r.Price = llmPrice(&p)
		}
		routes[role] = r
	}
	return routes, nil
}

func llmPrice(p *config.Price) *llm.Price {
	if p == nil {
		return nil
	}
	return &llm.Price{Prompt: p.Prompt, Cached: p.Cached, Written: p.Written, Output: p.Output, LongFrom: p.LongFrom, Long: llmPrice(p.Long)}
}

// hosted are the providers that serve nobody without a key.
var hosted = []string{"anthropic", "deepseek", "google", "groq", "mistral", "openai", "openrouter"}

// buildProvider makes the client of one provider for the first role that needs
// it.
func buildProvider(c *config.Config, do *fetch.Client, name, spec string, role llm.Role, replay bool) (llm.Provider, error) {
	pc := c.Runtime.Provider[name]
	if replay {
		if pc.Base == "" {
			pc.Base = "http://replay.invalid/v1" // never asked; its name is not part of a recording's
		}
		if pc.Key == "" {
			pc.Key = "none"
		}
	}
	if pc.Base == "" {
		return nil, wrong(fmt.Sprintf("set it, for example with --set provider.%s.base=http://127.0.0.1:11434/v1", name), "the run uses the model %s for the role %s, and provider.%s.base, the address of its server, is not set", spec, role, name)
	}
	p, err := llmall.Build(do, llmall.Config{Name: name, API: pc.Protocol(), Base: pc.Base, Key: pc.Key, KeySetting: keySetting(name),
		NeedKey: slices.Contains(hosted, name), Timeout: max(c.Runtime.Timeout, 10*time.Minute), Parallel: pc.Parallel, Stream: pc.Stream})
	if err != nil {
		return nil, &InputError{err} // its options are settings
	}
	return p, nil
}

// keySetting names the variables that a provider's key is read from.
func keySetting(provider string) string {
	own := config.EnvPrefix + "PROVIDER_" + strings.ToUpper(provider) + "_KEY"
	if other := config.WellKnownKey(provider); other != "" {
		return own + " or " + other
	}
	return own
}

func startSandbox(library string) (*sandbox.Server, error) {
	opt := sandbox.Options{}
	if library != Builtin {
		lib, err := sandbox.LoadLibrary(library)
		if err != nil {
			return nil, &InputError{err}
		}
		opt.Library = lib
	}
	return sandbox.Start(opt)
}

func httpEntry(e fetch.Event) corpus.LogEntry {
	outcome := string(e.Kind)
	if outcome == "" {
		outcome = "ok"
	}
	return corpus.LogEntry{Time: e.Time.UTC(), Kind: "http", Service: e.Service, Operation: e.Op, URL: e.URL, Status: e.Status, Outcome: outcome,
		Attempts: e.Attempts, WaitedMS: e.Waited.Milliseconds(), ElapsedMS: e.Elapsed.Milliseconds(), Bytes: e.Bytes, Recorded: e.FromRecording, Request: e.Request, Raw: e.Raw}
}

func modelEntry(c steps.Call) corpus.LogEntry {
	outcome := "ok"
	notes := c.Result.Notes
	if c.Err != nil {
		outcome = string(llm.KindOf(c.Err))
		notes = append(append([]string{}, notes...), c.Err.Error())
	}
	u := c.Result.Usage
	return corpus.LogEntry{Time: time.Now().UTC(), Kind: "model", Service: c.Result.Model, Outcome: outcome, Task: c.Task.ID, Role: string(c.Role), Model: c.Result.Model,
		Prompt: c.Prompt, PromptSum: c.Result.PromptHash, Recorded: c.Result.FromRecording, Fallback: c.Fallback, Notes: notes,
		Tokens: &corpus.Tokens{Prompt: u.Prompt, Cached: u.Cached, Output: u.Output, Micros: u.Micros, Priced: u.PriceKnown, Repairs: c.Result.Repairs}}
}

// Query is one search outside any run.
type Query struct {
	Source       string
	Text         string       // in the source's dialect; "" = Expr says it
	Raw          bool         // send Text untouched
	Expr         sources.Expr // if Text is ""
	Since, Until int          // years; 0 = as the settings say
	Types        []string
	Languages    []string
	Limit        int
	Library      string // "" = the live service; Builtin or a path = a simulation of it
}

// Search sends one query to one source, outside any run. waiting is told of
// waits; it may be nil.
func Search(ctx context.Context, c *config.Config, q Query, waiting func(service string, d time.Duration, retry bool)) (sources.Result, error) {
	opt := fetchOptions(c)
	if waiting != nil {
		opt.Waiting = func(w fetch.Wait) { waiting(w.Service, w.For, w.Retry) }
	}
	bases := map[string]string{}
	if q.Library != "" {
		server, err := startSandbox(q.Library)
		if err != nil {
			return sources.Result{}, err
		}
		defer server.Close()
		bases[q.Source], opt.Limits = server.URL(q.Source), nil
	}
	client, err := fetch.New(opt)
	if err != nil {
		return sources.Result{}, err
	}
	defer client.Close()
	list, skipped, err := buildSources(c, client, []string{q.Source}, sourceOptions{bases: bases, simulated: q.Library != ""})
	if err != nil {
		return sources.Result{}, err
	}
	if len(list) == 0 {
		return sources.Result{}, &InputError{advice.New("type --set source."+q.Source+".mode=on", "%s cannot be searched: %s", q.Source, skipped[q.Source])}
	}
	src := list[0]
	req := sources.Request{Query: q.Text, SinceYear: q.Since, UntilYear: q.Until, Types: q.Types, Languages: q.Languages, Limit: q.Limit, Op: "search"}
	if req.SinceYear == 0 {
		req.SinceYear = c.Settings.SinceYear
	}
	if req.UntilYear == 0 {
		req.UntilYear = c.Settings.UntilYear
	}
	switch {
	case q.Text == "":
		q.Expr.SinceYear, q.Expr.UntilYear = req.SinceYear, req.UntilYear
		req.Query = src.Write(q.Expr)
	case !q.Raw:
		req.Query = src.Clean(q.Text)
	}
	var loosened []string
	if l, ok := src.(sources.Loosener); ok && q.Text == "" {
		loosened = l.Loosened(q.Expr)
	}
	if strings.TrimSpace(req.Query) == "" {
		return sources.Result{}, &InputError{fmt.Errorf("nothing of the query %q can be sent to %s", q.Text, q.Source)}
	}
	res, err := src.Search(ctx, req)
	res.Notes = append(loosened, res.Notes...)
	return res, err
}

// Sandbox starts the simulated services and returns their addresses. faults
// are written as sandbox.ParseFault reads them.
// With pace the limits of the live services are kept.
func Sandbox(library, addr string, faults []string, pace bool) (urls map[string]string, stop func() error, err error) {
	opt := sandbox.Options{Addr: addr, Faults: sandbox.Faults{}}
	if pace {
		opt.Limits = sandbox.RealLimits()
	}
	for _, spec := range faults {
		name, f, err := sandbox.ParseFault(spec)
		if err != nil {
			return nil, nil, &InputError{err}
		}
		opt.Faults[name] = append(opt.Faults[name], f)
	}
	if library != Builtin {
		if opt.Library, err = sandbox.LoadLibrary(library); err != nil {
			return nil, nil, &InputError{err}
		}
	}
	server, err := sandbox.Start(opt)
	if err != nil {
		return nil, nil, &InputError{err} // of the address that was given
	}
	urls = map[string]string{}
	for _, name := range all.Names() {
		urls[name] = server.URL(name)
	}
	return urls, server.Close, nil
}

// FaultKinds lists what can go wrong in a simulation.
func FaultKinds() []string {
	var out []string
	for _, k := range sandbox.Kinds() {
		out = append(out, string(k))
	}
	return out
}

// SourceNames lists the sources.
func SourceNames() []string { return all.Names() }

// SourceBases is the live address of every source.
func SourceBases() map[string]string {
	out := map[string]string{}
	for _, name := range all.Names() {
		out[name] = all.DefaultBase(name)
	}
	return out
}
