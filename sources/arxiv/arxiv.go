// Package arxiv is the adapter for arXiv's Atom interface: search and look-up
// by arXiv id. arXiv has no citations, and of retractions only what the
// authors of a withdrawn paper wrote.
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
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
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
	// empty or cut more often. deepPage is taken where more than deepLimit
	// records are wanted, since at one request in three seconds small pages
	// would take minutes.
	pageSize  = 200
	deepPage  = 1000
	deepLimit = 1000
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
// arXiv has no other filter. Types and languages are named in Notes.
func (s *Source) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	a := s.begin(cmp.Or(req.Op, "search"), max(req.Limit, 1))
	if strings.TrimSpace(req.Query) == "" {
		return sources.Result{}, wire.NothingToSend(Name, a.op, req.Query)
	}
	query := withYears(req.Query, req.SinceYear, req.UntilYear)
	a.Result.Sent, a.Result.Filters = query, dateRange(query)
	a.unlimited(req)
	if err := a.pages(ctx, query); err != nil {
		return sources.Result{}, err
	}
	return a.Result, nil
}

// unlimited names the limits that arXiv cannot apply.
func (a *answers) unlimited(req sources.Request) {
	if len(req.Types) > 0 {
		a.Note("arXiv cannot limit by type (asked for: %s): all it has are preprints, of all kinds", strings.Join(req.Types, ", "))
	}
	if len(req.Languages) > 0 {
		a.Note("arXiv cannot limit by language (asked for: %s): it does not say the language of a work", strings.Join(req.Languages, ", "))
	}
}

// pages asks for page after page until the limit, the end of the hits, or the
// point where arXiv gives no more.
func (a *answers) pages(ctx context.Context, query string) error {
	q := url.Values{"search_query": {query}, "sortBy": {"relevance"}, "sortOrder": {"descending"}}
	largest := pageSize
	if a.limit > deepLimit {
		largest = deepPage
	}
	for start := 0; len(a.Result.Records) < a.limit; {
		if start >= depth {
			a.Result.Capped = fmt.Sprintf("arXiv gives no more than %d records of one query and reports %d hits: split the query by years", depth, a.Result.Total)
			return nil
		}
		size := min(largest, a.limit-len(a.Result.Records), depth-start)
		feed, err := a.page(ctx, q, start, size)
		if err != nil {
			return err
		}
		if start == 0 {
			a.Result.Total = feed.Total
		}
		if len(feed.Entries) > size {
			feed.Entries = feed.Entries[:size]
		}
		got := len(feed.Entries)
		fresh := a.take(feed.Entries)
		start += got
		switch {
		case got == 0 && start > 0 && start < a.Result.Total:
			a.Result.Capped = fmt.Sprintf("arXiv stopped after %d of %d hits: its further pages are empty", start, a.Result.Total)
			return nil
		case got == 0:
			return nil
		case !fresh:
			a.Result.Capped = fmt.Sprintf("arXiv repeats itself after %d of %d hits", start-got, a.Result.Total)
			return nil
		case start == feed.Total, start > feed.Total && got < size:
			return nil
		case start > feed.Total && start-got <= feed.Total:
			a.Note("arXiv reports %d hits and gives more", feed.Total)
		}
	}
	return nil
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.ArXiv} }

// Lookup implements sources.Resolver. An id with a version gives that
// version, one without gives the newest. Unknown ids are absent from arXiv's
// answer without a word, and named in Notes; an id that arXiv calls malformed
// fails the whole call, so such a call is repeated without it.
func (s *Source) Lookup(ctx context.Context, ids []state.IDs) (sources.Result, error) {
	a := s.begin("look up", len(ids))
	var asked []string
	missing := map[string]string{} // by the id without version, as asked
	foreign := 0
	for _, id := range ids {
		v, version := state.NormalizeArXiv(cmp.Or(id[state.ArXiv], id[state.DOI]))
		if v == "" {
			foreign++
		} else if missing[v] == "" {
			missing[v] = v + version
			asked = append(asked, v+version)
		}
	}
	wanted := maps.Clone(missing)
	a.Result.Sent = strings.Join(asked, ",")
	for batch := range slices.Chunk(asked, idBatch) {
		if err := a.look(ctx, batch, wanted, missing); err != nil {
			return sources.Result{}, err
		}
	}
	a.Result.Total = len(a.Result.Records)
	a.Absent("arXiv", slices.DeleteFunc(asked, func(id string) bool {
		v, _ := state.NormalizeArXiv(id)
		return missing[v] == ""
	}))
	if foreign > 0 {
		a.Note("%d of %d works have no arXiv id", foreign, len(ids))
	}
	return a.Result, nil
}

// look asks for one batch of ids, and takes what came out of missing.
func (a *answers) look(ctx context.Context, batch []string, wanted, missing map[string]string) error {
	a.op = "look up " + strconv.Itoa(len(batch)) + " ids"
	if len(batch) == 1 {
		a.op = "look up " + batch[0]
	}
	feed, err := a.page(ctx, url.Values{"id_list": {strings.Join(batch, ",")}}, 0, len(batch))
	if r, ok := errors.AsType[*reported](err); ok && r.aboutID() {
		return a.lookWithout(ctx, r, batch, wanted, missing)
	}
	if err != nil {
		return err
	}
	var asked []entry
	for _, e := range feed.Entries {
		id, _ := state.NormalizeArXiv(e.ID)
		if id != "" && wanted[id] == "" {
			a.Result.AddSkip("sent without being asked for", e.ID)
			continue
		}
		delete(missing, id)
		asked = append(asked, e)
	}
	a.take(asked)
	return nil
}

// lookWithout asks again for a batch of which arXiv refused one id: without
// the one that it names, or else in two halves.
func (a *answers) lookWithout(ctx context.Context, r *reported, batch []string, wanted, missing map[string]string) error {
	var parts [][]string
	if i := slices.IndexFunc(batch, func(id string) bool { return strings.HasSuffix(r.words, " "+id) }); i >= 0 {
		a.Note("arXiv takes “%s” for no arXiv id", batch[i])
		parts = [][]string{slices.Delete(slices.Clone(batch), i, i+1)}
	} else if len(batch) == 1 {
		a.Note("arXiv refuses “%s”: %s", batch[0], r.words)
	} else {
		parts = [][]string{batch[:len(batch)/2], batch[len(batch)/2:]}
	}
	for _, part := range parts {
		if len(part) == 0 {
			continue
		}
		if err := a.look(ctx, part, wanted, missing); err != nil {
			return err
		}
	}
	return nil
}
