// Package all is the list of the literature services. A new service is one
// folder beside this one and one line here.
//
// It must never decide which services a run uses, nor read configuration; the
// assembly room does both. Start with Build:
//
//	client, err := fetch.New(fetch.Options{Limits: all.Limits(keys)})
//	source, err := all.Build(client, "openalex", all.Config{Key: keys["openalex"]})
package all

import (
	"context"
	"fmt"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/arxiv"
	"optimistresearch/sources/crossref"
	"optimistresearch/sources/europepmc"
	"optimistresearch/sources/openalex"
	"optimistresearch/sources/pubmed"
	"optimistresearch/sources/semanticscholar"
)

// Doer is the HTTP path that the sources send through.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config is what a source is told. A service that has no use for a value does
// not get it.
type Config struct {
	Base    string // address of the form that DefaultBase gives, "" for that one
	Key     string // "" = without key
	Contact string // e-mail address of who asks
	// Simulated says that the service is a simulation on this machine, which
	// needs no pauses for its sake.
	Simulated bool
}

// entry is one service.
type entry struct {
	name, base string
	limit      func(key string) fetch.Limit
	build      func(Doer, Config) sources.Source
}

// table lists the services by name.
var table = [...]entry{
	{arxiv.Name, arxiv.DefaultBase, arxiv.Limit, func(do Doer, c Config) sources.Source {
		cfg := arxiv.Config{Base: c.Base}
		if c.Simulated {
			cfg.Pause, cfg.Backoff = -1, time.Millisecond
		}
		return arxiv.New(do, cfg)
	}},
	{crossref.Name, crossref.DefaultBase, crossref.Limit, func(do Doer, c Config) sources.Source {
		return crossref.New(do, crossref.Config{Base: c.Base, Key: c.Key, Contact: c.Contact})
	}},
	{europepmc.Name, europepmc.DefaultBase, europepmc.Limit, func(do Doer, c Config) sources.Source {
		return europepmc.New(do, europepmc.Config{Base: c.Base, Contact: c.Contact})
	}},
	{openalex.Name, openalex.DefaultBase, openalex.Limit, func(do Doer, c Config) sources.Source {
		return openalex.New(do, openalex.Config{Base: c.Base, Key: c.Key, Contact: c.Contact})
	}},
	{pubmed.Name, pubmed.DefaultBase, pubmed.Limit, func(do Doer, c Config) sources.Source {
		return pubmed.New(do, pubmed.Config{Base: c.Base, Key: c.Key, Contact: c.Contact})
	}},
	{semanticscholar.Name, semanticscholar.DefaultBase, semanticscholar.Limit, func(do Doer, c Config) sources.Source {
		return semanticscholar.New(do, semanticscholar.Config{Base: c.Base, Key: c.Key, Contact: c.Contact})
	}},
}

// Names lists the services in alphabetical order.
func Names() []string {
	names := make([]string, len(table))
	for i, e := range table {
		names[i] = e.name
	}
	return names
}

// Build makes the source with the given name. The error names the valid ones.
func Build(do Doer, name string, cfg Config) (sources.Source, error) {
	for _, e := range table {
		if e.name == name {
			return e.build(do, cfg), nil
		}
	}
	return nil, fmt.Errorf("there is no source %q; choose among %s", name, strings.Join(Names(), ", "))
}

// DefaultBase is the live address of a service, "" for an unknown name.
func DefaultBase(name string) string {
	for _, e := range table {
		if e.name == name {
			return e.base
		}
	}
	return ""
}

// Limits gives the pace of every service, by name, for a client with the given
// keys. For Crossref a contact address counts like a key: it opens the polite
// pool.
func Limits(keys map[string]string) map[string]fetch.Limit {
	limits := make(map[string]fetch.Limit, len(table))
	for _, e := range table {
		limits[e.name] = e.limit(keys[e.name])
	}
	return limits
}
