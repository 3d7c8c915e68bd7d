// Package crossref asks Crossref, where publishers register their DOIs: ranked
// bibliographic search, look-up by DOI and the deposited reference lists. It
// has no list of citing works.
//
// It must never take the first hit of a search for the work that was meant,
// never decide whether two records are one work, and never send but through
// internal/fetch. Start with New, then Search:
//
//	s := crossref.New(client, crossref.Config{Contact: "librarian@example.org"})
//	result, err := s.Search(ctx, sources.Request{Query: "dowsing groundwater", Limit: 25, Op: "search Q7"})
package crossref

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
)

// Name is the source's name in settings, state and errors.
const Name = "crossref"

// DefaultBase is the live address.
const DefaultBase = "https://api.crossref.org"

const (
	// pageSize is far below the 1,000 that are allowed: a record with its
	// reference list weighs 20 kB and more. deepPage is taken by searches that
	// want more than shallow records; they go by cursor, since offset + rows
	// must not be over 10,000, and a cursor dies after five minutes.
	pageSize  = 100
	deepPage  = 300
	shallow   = 1_000
	batchSize = 50 // doi: filters in one call
)

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks.
type Config struct {
	Base    string // scheme and host, "" = DefaultBase
	Key     string // a Plus token, "" for the free pools
	Contact string // e-mail address: the polite pool instead of the public one
}

// Limit is the pace for list queries in the pool of a client: with a contact
// address the polite one, with a Plus token its own, with nothing the public
// one (limits since December 2025).
func Limit(keyOrContact string) fetch.Limit {
	switch {
	case keyOrContact == "":
		return fetch.Limit{Every: 1050 * time.Millisecond, Concurrent: 1}
	case strings.Contains(keyOrContact, "@"):
		return fetch.Limit{Every: 350 * time.Millisecond, Concurrent: 3}
	}
	return fetch.Limit{Every: 100 * time.Millisecond, Concurrent: 5}
}

// Source is Crossref. It is safe for concurrent use.
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

// Search implements sources.Source. Crossref ranks the works that have any of
// the words, so totals are in the millions. Entries that are no works (16 of
// 20 of one page were components) are skipped and made up for by looking
// further down, to four times the limit. See Write for the parameter that may
// stand before a query.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	parameter, value := split(r.Query)
	if strings.TrimSpace(value) == "" {
		return sources.Result{}, wire.NothingToSend(Name, j.op, r.Query)
	}
	j.Result.Sent = r.Query
	j.Result.Filters, j.Result.Notes = filters(r)
	if syntax.MatchString(value) {
		j.Note("Crossref knows words only: operators, quotation marks and parentheses in the query are read as words or as nothing")
	}
	limit := min(max(r.Limit, 1), sources.MostRecords)
	rows := min(pageSize, limit)
	query := url.Values{parameter: {value}}
	if j.Result.Filters != "" {
		query.Set("filter", j.Result.Filters)
	}
	if limit > shallow {
		rows = deepPage
		query.Set("cursor", "*")
	}
	query.Set("rows", strconv.Itoa(rows))
	if err := j.pages(ctx, query, rows, limit); err != nil {
		return j.fail(err)
	}
	return j.Result, nil
}

// pages follows a search until the result holds limit records.
func (j *job) pages(ctx context.Context, query url.Values, rows, limit int) error {
	seen, works := 0, 0 // entries, and those of them that had not come before
	for first := true; ; first = false {
		if !query.Has("cursor") {
			query.Set("offset", strconv.Itoa(seen))
		}
		l, err := j.list(ctx, query, first)
		if err != nil {
			return err
		}
		if first {
			j.Result.Total, _ = l.Total.Int()
		}
		fresh := 0
		for _, raw := range l.Items {
			if len(j.Result.Records) == limit {
				return nil
			}
			if j.add(raw, limit) {
				fresh++
			}
		}
		seen += len(l.Items)
		works += fresh
		ended := len(l.Items) < rows && works >= j.Result.Total
		switch {
		case len(j.Result.Records) == limit || ended:
			return nil
		case fresh == 0 || query.Has("cursor") && l.Next == "": // there is a cursor on every page, also on the last
			if works < j.Result.Total {
				j.Result.Capped = fmt.Sprintf("Crossref counts %d entries, but its list ends after %d", j.Result.Total, works)
			}
			return nil
		case seen >= 4*limit:
			j.Result.Capped = fmt.Sprintf("of the first %d entries only %d are works; no more were looked at", seen, len(j.Result.Records))
			return nil
		}
		if query.Has("cursor") {
			query.Set("cursor", string(l.Next))
		}
	}
}
