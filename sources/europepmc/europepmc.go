// Package europepmc is the adapter for Europe PMC, which holds PubMed, PubMed
// Central and the biomedical preprints: search over records and full texts,
// look-up by PMID, PMCID, DOI or preprint id, and both directions of citations.
//
// It must never believe a status of 200, in which Europe PMC also reports
// errors and outages. It must never send anything but through the Doer it was
// given, and never take the records it got for all that the service counted.
//
// Start with New, then Search:
//
//	src := europepmc.New(client, europepmc.Config{Contact: "librarian@example.org"})
//	result, err := src.Search(ctx, sources.Request{Query: src.Write(expr), Limit: 50, Op: "search Q1"})
package europepmc

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
const Name = "europepmc"

// DefaultBase is the live address.
const DefaultBase = "https://www.ebi.ac.uk/europepmc/webservices/rest"

// PPR is the scheme of Europe PMC's own ids of preprints, such as PPR150163.
const PPR = "ppr"

// pageSize is far below the 1,000 that are allowed: a record with its abstract
// and affiliations weighs 8 kB and more.
const pageSize = 200

// Doer is the HTTP path.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config says where the service is and who asks. There are no keys.
type Config struct {
	Base    string // scheme, host and folder, "" = DefaultBase
	Contact string // e-mail address, sent as "email"; Europe PMC writes to it about changes
}

// Limit is the pace. Europe PMC publishes no limit; it blocks addresses that
// ask too fast, and about ten requests a second have been borne. This is half
// of that.
func Limit(string) fetch.Limit {
	return fetch.Limit{Every: 200 * time.Millisecond, Burst: 1, Concurrent: 3}
}

// Source asks Europe PMC. It is safe for concurrent use.
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
// end of the list, or a page that brings nothing new. A limit on years keeps
// what was published within them by the year of the issue or by the first
// publication, which differ by one in some records; years, types and languages
// are sent as part of the query.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	if strings.TrimSpace(r.Query) == "" {
		return sources.Result{}, wire.NothingToSend(Name, j.op, r.Query)
	}
	filters, notes := filter(r)
	j.Result.Sent, j.Result.Filters, j.Result.Notes, j.typed = r.Query, filters, notes, true
	query := r.Query
	if filters != "" {
		// The filters stand first, where an unbalanced quotation mark in the
		// query cannot swallow them.
		query = filters + " AND (" + r.Query + ")"
	}
	limit := min(max(r.Limit, 1), sources.MostRecords)
	entries, size := 0, min(pageSize, limit)
	for cursor, known := "*", map[string]bool{}; ; {
		known[cursor] = true
		p, err := j.page(ctx, query, cursor, size)
		if err != nil {
			return j.fail(err)
		}
		if entries == 0 {
			j.Result.Total, _ = p.Hits.Int()
		}
		fresh := 0
		for _, raw := range p.Records {
			if len(j.Result.Records) == limit {
				return j.Result, nil
			}
			before := len(j.Result.Records)
			j.add(raw)
			fresh += len(j.Result.Records) - before
		}
		entries += len(p.Records)
		ended := len(p.Records) < size && entries >= j.Result.Total
		if len(j.Result.Records) == limit || ended {
			return j.Result, nil
		}
		if cursor = p.Next; cursor == "" || known[cursor] || len(p.Records) == 0 || fresh == 0 {
			break
		}
	}
	if entries < j.Result.Total {
		// ContentMine/getpapers 89, 114, 153 and 162 report the same.
		j.Result.Capped = fmt.Sprintf("Europe PMC counts %d hits, but its list ends after %d", j.Result.Total, entries)
	}
	return j.Result, nil
}

// filter writes the limits of a request in the query language, and notes those
// that Europe PMC cannot apply.
func filter(r sources.Request) (string, []string) {
	var parts, notes []string
	if r.SinceYear > 0 || r.UntilYear > 0 {
		from, to := "1000", "3000"
		if r.SinceYear > 0 {
			from = fmt.Sprintf("%04d", r.SinceYear)
		}
		if r.UntilYear > 0 {
			to = fmt.Sprintf("%04d", r.UntilYear)
		}
		parts = append(parts, fmt.Sprintf("(PUB_YEAR:[%s TO %s] OR FIRST_PDATE:[%[1]s-01-01 TO %[2]s-12-31])", from, to))
	}
	add := func(what string, asked []string, clauses func(string) []string) {
		var known []string
		for _, a := range asked {
			c := clauses(a)
			if len(c) == 0 {
				notes = append(notes, "Europe PMC cannot be limited to the "+what+" "+a)
			}
			known = append(known, c...)
		}
		switch {
		case len(known) == 1:
			parts = append(parts, known[0])
		case len(known) > 1:
			parts = append(parts, "("+strings.Join(known, " OR ")+")")
		}
	}
	add("type", r.Types, func(t string) []string { return typeClauses[t] })
	add("language", r.Languages, func(code string) []string {
		if long := languages[strings.ToLower(code)]; long != "" {
			return []string{"LANG:" + long}
		}
		return nil
	})
	return strings.Join(parts, " AND "), notes
}

// typeClauses say the kinds of works in the query language. Conference papers
// and chapters have no mark of their own.
var typeClauses = map[string][]string{
	sources.TypeArticle:  {`PUB_TYPE:"journal article"`, `PUB_TYPE:"research-article"`},
	sources.TypeReview:   {`PUB_TYPE:"review"`, `PUB_TYPE:"review-article"`, `PUB_TYPE:"systematic review"`},
	sources.TypePreprint: {"SRC:PPR"},
	sources.TypeBook:     {"SRC:NBK"},
	sources.TypeThesis:   {"SRC:ETH"},
	sources.TypeDataset:  {`PUB_TYPE:"dataset"`},
	sources.TypeTrial: {`PUB_TYPE:"clinical trial"`, `PUB_TYPE:"controlled clinical trial"`,
		`PUB_TYPE:"randomized controlled trial"`},
}

// Cites implements sources.Citer.
func (s *Source) Cites() (references, citing bool) { return true, true }

// References implements sources.Citer. The list comes from the full text or
// from the publisher; an entry that Europe PMC holds is looked up, any other
// with a title becomes a thin record of what the list says.
func (s *Source) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.linked(ctx, seed, limit, "references")
}

// Citing implements sources.Citer. Europe PMC knows the citing works that it
// holds itself.
func (s *Source) Citing(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.linked(ctx, seed, limit, "citations")
}

// linked reads one list of a seed, page by page, and follows its entries.
func (s *Source) linked(ctx context.Context, seed sources.Seed, limit int, list string) (sources.Result, error) {
	what := map[string]string{"references": "references", "citations": "citing works"}[list]
	j := s.begin(what)
	path, err := j.resolve(ctx, seed)
	if err != nil {
		return j.fail(err)
	}
	j.Result.Sent = strings.TrimPrefix(path, "/") + "/" + list
	limit = min(max(limit, 1), sources.MostRecords)
	var entries []entry
	known := map[string]bool{}
	size := min(limit, 1_000)
	for number := 1; len(entries) < limit; number++ {
		p, err := j.list(ctx, path+"/"+list, url.Values{"page": {strconv.Itoa(number)}, "pageSize": {strconv.Itoa(size)}})
		if err != nil {
			return j.fail(err)
		}
		if number == 1 {
			j.Result.Total, _ = p.Hits.Int()
		}
		fresh := 0
		for _, raw := range p.Records {
			e := decodeEntry(raw)
			if known[e.name()] {
				j.Result.AddSkip("listed twice", e.name())
				continue
			}
			known[e.name()] = true
			entries = append(entries, e)
			fresh++
		}
		if len(p.Records) < size || fresh == 0 {
			break
		}
	}
	if len(entries) == 0 {
		return sources.Result{}, wire.NoList(Name, j.op, "Europe PMC has no "+what+" for "+j.seedName)
	}
	if j.Result.Total > len(entries) && len(entries) < limit {
		j.Note("Europe PMC counts %d %s and lists %d", j.Result.Total, what, len(entries))
	}
	if len(entries) > limit {
		entries = entries[:limit]
	}
	if j.Result.Total > len(entries) && len(entries) == limit {
		j.Note("took the first %d of %d %s", limit, j.Result.Total, what)
	}
	if err := j.follow(ctx, entries); err != nil {
		return j.fail(err)
	}
	return j.Result, nil
}
