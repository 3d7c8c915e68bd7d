// Package arxiv is the adapter for arXiv's Atom interface: search and look-up
// by arXiv id. arXiv has neither citations nor retractions.
//
// It must never take a published version for the preprint: year, date and
// venue of a record are the preprint's, what arXiv says about the publication
// stands in Related and Notes. It must never send anything but through the
// Doer it was given.
//
// Start with New:
//
//	src := arxiv.New(client, arxiv.Config{})
//	result, err := src.Search(ctx, sources.Request{Query: src.Write(expr), Limit: 50, Op: "search Q1"})
package arxiv

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// Name is the source's name in settings, state and errors.
const Name = "arxiv"

// DefaultBase is the live interface. The plain http form answers with a
// redirect and nothing else, and the main host forbids /api to scripts.
const DefaultBase = "https://export.arxiv.org/api"

const (
	path = "/query"
	// pageSize is far below the 2000 that arXiv allows: large pages come back
	// empty or cut more often.
	pageSize = 200
	// idBatch keeps the address of a look-up below 2,000 characters.
	idBatch = 100
	// depth is where pages begin to come back empty, whatever the total says.
	depth = 10000
	// retries of a page that came back empty.
	retries = 2
)

// Doer is the part of the HTTP path that the adapter needs.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config of a Source. The zero value asks the live service.
type Config struct {
	Base string // scheme, host and folder, "" = DefaultBase
	// Pause before an empty page is asked for again; 0 = 3 s, negative = none.
	Pause time.Duration
	// Backoff is the first wait after a 429 or 503, since arXiv does not say
	// how long to stay away; 0 = 60 s.
	Backoff time.Duration
}

// Limit is arXiv's pace: one request in three seconds over one connection,
// for all machines of one operator. There is no key.
func Limit(string) fetch.Limit {
	return fetch.Limit{Every: 3 * time.Second, Burst: 1, Concurrent: 1}
}

// Source asks arXiv. It is safe for concurrent use.
type Source struct {
	do  Doer
	cfg Config
	// gaveUp is set when a request got no answer although it had waited, and
	// cleared by the next answer. While it is set nothing waits: each further
	// query is sent once, so that a plan of many queries does not wait through
	// the same outage many times.
	gaveUp atomic.Bool
}

var _ sources.Resolver = (*Source)(nil)

// New returns a Source that sends through do.
func New(do Doer, cfg Config) *Source {
	if cfg.Base == "" {
		cfg.Base = DefaultBase
	}
	if cfg.Pause == 0 {
		cfg.Pause = 3 * time.Second
	}
	if cfg.Backoff <= 0 {
		cfg.Backoff = 60 * time.Second
	}
	return &Source{do: do, cfg: cfg}
}

// Name implements sources.Source.
func (s *Source) Name() string { return Name }

// Search implements sources.Source. A query without a date range of its own
// gets one from the years of the request; it then is part of Sent, since
// arXiv has no other filter.
func (s *Source) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	op := orElse(req.Op, "search")
	query := withYears(s.Clean(req.Query), req.SinceYear, req.UntilYear)
	if query == "" {
		return sources.Result{}, &sources.Error{Source: Name, Op: op, Outcome: state.Skipped,
			Err: errors.New("the query holds nothing that arXiv can look for"), Hint: "write a query with at least one word"}
	}
	a := answers{source: s, op: op, result: sources.Result{Sent: query, Total: -1, CreditsLeft: -1}, limit: max(req.Limit, 1)}
	if dates := dateRange(query); dates != "" {
		a.result.Filters = dates
	}
	q := url.Values{"search_query": {query}, "sortBy": {"relevance"}, "sortOrder": {"descending"}}
	for start := 0; len(a.result.Records) < a.limit && start < depth; {
		size := min(pageSize, a.limit-len(a.result.Records))
		feed, err := a.page(ctx, q, start, size)
		if err != nil {
			return sources.Result{}, err
		}
		if start == 0 {
			a.result.Total = feed.Total
		}
		if len(feed.Entries) > size {
			feed.Entries = feed.Entries[:size]
		}
		if len(feed.Entries) == 0 && start > 0 {
			a.note("arXiv stopped after %d of %d hits", start, a.result.Total)
		}
		a.take(feed.Entries)
		start += len(feed.Entries)
		if len(feed.Entries) == 0 || start >= feed.Total {
			break
		}
	}
	return a.result, nil
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.ArXiv} }

// Lookup implements sources.Resolver. Unknown ids are absent from arXiv's
// answer without a word; an id that arXiv calls malformed fails the whole
// call, so such a call is repeated without it.
func (s *Source) Lookup(ctx context.Context, ids []state.IDs) (sources.Result, error) {
	a := answers{source: s, op: "look up", result: sources.Result{Total: -1, CreditsLeft: -1}, limit: len(ids)}
	var wanted []string
	seen := map[string]bool{}
	for _, id := range ids {
		if v, _ := state.NormalizeArXiv(id[state.ArXiv]); v != "" && !seen[v] {
			seen[v] = true
			wanted = append(wanted, v)
		}
	}
	a.result.Sent = strings.Join(wanted, ",")
	for len(wanted) > 0 {
		batch := wanted[:min(idBatch, len(wanted))]
		wanted = wanted[len(batch):]
		if err := a.look(ctx, batch, seen); err != nil {
			return sources.Result{}, err
		}
	}
	a.result.Total = len(a.result.Records)
	return a.result, nil
}

// look asks for one batch of ids.
func (a *answers) look(ctx context.Context, batch []string, wanted map[string]bool) error {
	a.op = "look up " + strconv.Itoa(len(batch)) + " ids"
	if len(batch) == 1 {
		a.op = "look up " + batch[0]
	}
	feed, err := a.page(ctx, url.Values{"id_list": {strings.Join(batch, ",")}}, 0, len(batch))
	if bad := blamed(err, batch); bad != "" {
		a.note("arXiv takes “%s” for no arXiv id", bad)
		rest := slices.DeleteFunc(slices.Clone(batch), func(id string) bool { return id == bad })
		if len(rest) == 0 {
			return nil
		}
		return a.look(ctx, rest, wanted)
	}
	if err != nil {
		return err
	}
	var asked []entry
	for _, e := range feed.Entries {
		if id, _ := state.NormalizeArXiv(e.ID); id != "" && !wanted[id] {
			a.result.AddSkip("sent without being asked for", e.ID)
			continue
		}
		asked = append(asked, e)
	}
	a.take(asked)
	return nil
}

// blamed is the id that an error report names, "" if it names none of them.
func blamed(err error, ids []string) string {
	var r *reported
	if !errors.As(err, &r) {
		return ""
	}
	for _, id := range ids {
		if strings.HasSuffix(r.words, " "+id) {
			return id
		}
	}
	return ""
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
