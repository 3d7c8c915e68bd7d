// Package semanticscholar asks the Semantic Scholar academic graph: ranked
// search, Boolean search, look-up by many kinds of identifier, reference lists
// and citing works.
//
// The graph has two searches. The ranked one takes plain words, all of which a
// paper has to fit, and gives the first 1,000 in the order of relevance. The
// Boolean one (bulk) has alternatives, exclusions and phrases and gives all,
// but in no order of relevance: the most cited papers first. A query goes to
// the search whose language it is written in: plain words to the ranked one,
// anything with a + | - " * ( or ) of the Boolean language to the other. See
// Write for which of them an expression needs.
//
// It must never decide whether two records are one work (Semantic Scholar
// itself keeps a preprint and its publication in one), and never send but
// through internal/fetch. Start with New, then Search:
//
//	s := semanticscholar.New(client, semanticscholar.Config{Key: key})
//	result, err := s.Search(ctx, sources.Request{Query: "graph neural networks", Limit: 25, Op: "search Q7"})
package semanticscholar

import (
	"cmp"
	"context"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// Name is the source's name in settings, state and errors.
const Name = "semanticscholar"

// DefaultBase is the live address of the graph interface.
const DefaultBase = "https://api.semanticscholar.org/graph/v1"

const (
	pageSize  = 100   // of a ranked search
	depth     = 1_000 // offset + limit of a ranked search
	batchSize = 500
	edgePage  = 500   // of a list; 1,000 are allowed, but an answer of over 10 MB is refused
	edgeDepth = 9_500 // offset + limit of a list stay under 10,000
	// mostAuthors is the length at which the service cuts a list of authors.
	mostAuthors = 500
)

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks.
type Config struct {
	Base    string // scheme, host and path, "" = DefaultBase
	Key     string // "" = the pool of all clients without a key, mostly exhausted
	Contact string // not sent: the service takes none
}

// Limit is the pace of the service: one request a second over all calls with
// a key; without one a slower pace in the shared pool.
func Limit(key string) fetch.Limit {
	if key == "" {
		return fetch.Limit{Every: 3 * time.Second, Concurrent: 1}
	}
	return fetch.Limit{Every: 1050 * time.Millisecond, Concurrent: 1}
}

// Source is Semantic Scholar. It is safe for concurrent use.
type Source struct {
	do  Doer
	cfg Config
}

var _ interface {
	sources.Resolver
	sources.Citer
} = (*Source)(nil)

// New returns the source.
func New(do Doer, cfg Config) *Source {
	cfg.Base = cmp.Or(cfg.Base, DefaultBase)
	return &Source{do: do, cfg: cfg}
}

// Name implements sources.Source.
func (s *Source) Name() string { return Name }

// Search implements sources.Source. Where more than 1,000 records of a ranked
// search are wanted and there are more, the rest comes from the Boolean search
// with the same words. Total is an estimate of the service.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	if strings.TrimSpace(r.Query) == "" {
		return sources.Result{}, wire.NothingToSend(Name, j.op, r.Query)
	}
	query, notes := filters(r)
	j.Result.Sent, j.Result.Filters, j.Result.Notes = r.Query, described(query), notes
	query.Set("query", r.Query)
	query.Set("fields", fields)
	limit := min(max(r.Limit, 1), sources.MostRecords)
	if boolean.MatchString(r.Query) {
		j.Note("Boolean search has no order of relevance: the most cited come first")
		if err := j.bulk(ctx, query, limit); err != nil {
			return j.fail(err)
		}
		return j.Result, nil
	}
	more, err := j.ranked(ctx, query, limit)
	if err == nil && more {
		j.Note("after the first %d, which are in the order of relevance, the most cited come first", len(j.Result.Records))
		err = j.bulk(ctx, query, limit)
	}
	if err != nil {
		return j.fail(err)
	}
	return j.Result, nil
}
