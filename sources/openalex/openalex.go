// Package openalex asks OpenAlex for works: ranked search, look-up by
// identifier, reference lists and citing works.
//
// It must never decide whether two records are one work, and never send but
// through internal/fetch. Start with New, then Search:
//
//	s := openalex.New(client, openalex.Config{})
//	result, err := s.Search(ctx, sources.Request{
//		Query: s.Write(sources.Expr{All: [][]string{{"dowsing"}}}), Limit: 25, Op: "search Q7",
//	})
package openalex

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// Name is the source's name in settings, state and errors.
const Name = "openalex"

// DefaultBase is the live address.
const DefaultBase = "https://api.openalex.org"

const (
	pageSize  = 100 // documented maximum of per_page; 200 is tolerated and deprecated
	batchSize = 100 // values in one filter joined by |
	// aFew is how many works are looked up one by one, which costs nothing; a
	// filter costs a credit for a hundred of them and one request.
	aFew = 2
	// Prices of a page in credits, where the service does not tell.
	searchPrice, filterPrice = 10, 1
	// longWait is the Retry-After from which waiting is no use: it is the
	// daily budget, not the pace.
	longWait = 120 * time.Second
)

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks.
type Config struct {
	Base    string // scheme and host, "" = DefaultBase
	Key     string // "" = a daily budget of 1,000 credits per client address
	Contact string // not sent: OpenAlex accepts a contact address and ignores it since 2026
}

// Limit is the pace of the service for a client with the key, or without one:
// 10 requests a second, with a free key 30 (measured by the server's source,
// August 2026; the documentation says 100).
func Limit(key string) fetch.Limit {
	if key == "" {
		return fetch.Limit{Every: 110 * time.Millisecond, Concurrent: 4}
	}
	return fetch.Limit{Every: 40 * time.Millisecond, Concurrent: 8}
}

// Source is OpenAlex. It is safe for concurrent use.
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

// Search implements sources.Source: it follows the cursor until the limit, the
// end of the list, a page that brings nothing new, or the end of the day's
// credit. A page costs 10 credits. See Write for the parameter that may stand
// before a query.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	parameter, value := split(r.Query)
	if strings.TrimSpace(value) == "" {
		return sources.Result{}, wire.NothingToSend(Name, j.op, r.Query)
	}
	j.Result.Sent = r.Query
	j.Result.Filters, j.Result.Notes = filters(r)
	query := url.Values{parameter: {value}}
	if j.Result.Filters != "" {
		query.Set("filter", j.Result.Filters)
	}
	if err := j.list(ctx, query, min(max(r.Limit, 1), sources.MostRecords), searchPrice); err != nil {
		return j.fail(err)
	}
	return j.Result, nil
}
