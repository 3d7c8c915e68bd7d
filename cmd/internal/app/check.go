package app

import (
	"context"
	"errors"

	"optimistresearch/config"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/sandbox"
	"optimistresearch/sources/check"
	"optimistresearch/state"
)

// CheckOptions of CheckSources.
type CheckOptions struct {
	Sources []string                          // names; those that the settings switch off are reported as skipped
	Library string                            // "" = the live services; Builtin or a path = a simulation of them
	Faults  []string                          // of the simulation, as sandbox.ParseFault reads them
	Row     func(check.Row)                   // told of each row as it comes; may be nil
	Waiting func(service string, seconds int) // told of waits that a person would notice; may be nil
}

// CheckSources asks every operation of every named source once and compares the
// answers with their known shapes. Sources are asked one after the other.
func CheckSources(ctx context.Context, c *config.Config, o CheckOptions) ([]check.Row, error) {
	bases := map[string]string{}
	if o.Library != "" {
		faults := sandbox.Faults{}
		for _, spec := range o.Faults {
			name, f, err := sandbox.ParseFault(spec)
			if err != nil {
				return nil, &InputError{err}
			}
			faults[name] = append(faults[name], f)
		}
		opt := sandbox.Options{Faults: faults}
		if o.Library != Builtin {
			lib, err := sandbox.LoadLibrary(o.Library)
			if err != nil {
				return nil, &InputError{err}
			}
			opt.Library = lib
		}
		server, err := sandbox.Start(opt)
		if err != nil {
			return nil, err
		}
		defer server.Close()
		for _, name := range sandbox.Sources() {
			bases[name] = server.URL(name)
		}
	}
	var rows []check.Row
	add := func(r check.Row) {
		rows = append(rows, r)
		if o.Row != nil {
			o.Row(r)
		}
	}
	for _, name := range o.Sources {
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		tape := &check.Tape{}
		opt := fetchOptions(c)
		opt.Recorder, opt.Mode, opt.Break = tape, fetch.Record, false
		if o.Waiting != nil {
			opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, int(w.For.Seconds()+0.5)) }
		}
		if len(bases) > 0 {
			opt.Limits = nil
		}
		client, err := fetch.New(opt)
		if err != nil {
			return rows, err
		}
		list, skipped, err := buildSources(c, client, []string{name}, sourceOptions{bases: bases, simulated: len(bases) > 0})
		if err != nil {
			client.Close()
			return rows, err
		}
		if len(list) == 0 {
			client.Close()
			add(check.Row{Source: name, Operation: "all", Verdict: check.NotTried, Outcome: state.Skipped, Detail: skipped[name]})
			continue
		}
		for _, r := range check.Run(ctx, list[0], tape, "memory", "learning") {
			add(r)
		}
		client.Close()
	}
	if err := ctx.Err(); err != nil {
		return rows, errors.Join(err)
	}
	return rows, nil
}
