// Package pubmed is the adapter for PubMed through NCBI's E-utilities: search
// (esearch, then efetch), look-up by PMID or DOI, and both directions of
// citations (elink, then efetch).
//
// It must never believe a status of 200: E-utilities report errors inside it.
// It must never lose an id that a search named: what efetch leaves out is
// asked for again, then counted. It must never send anything but through the
// Doer it was given.
//
// Start with New:
//
//	src := pubmed.New(client, pubmed.Config{Contact: "me@example.org"})
//	result, err := src.Search(ctx, sources.Request{Query: src.Write(expr), Limit: 50, Op: "search Q1"})
package pubmed

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// Name is the source's name in settings, state and errors.
const Name = "pubmed"

// DefaultBase is the live interface.
const DefaultBase = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"

// DefaultTool names the program to NCBI.
const DefaultTool = "optimistresearch"

const (
	fetchBatch = 200 // ids of one efetch
	doiBatch   = 50  // DOIs of one esearch
)

// Doer is the part of the HTTP path that the adapter needs.
type Doer interface {
	Do(context.Context, fetch.Request) (*fetch.Response, error)
}

// Config of a Source. The zero value asks the live service without a key.
type Config struct {
	Base    string // scheme, host and folder, "" = DefaultBase
	Key     string // an NCBI API key: 10 requests a second instead of 3
	Contact string // e-mail address, sent as "email"; NCBI writes to it before it blocks
	Tool    string // "" = DefaultTool
}

// Limit is NCBI's pace: 3 requests a second from one address, 10 with a key,
// counted over all E-utilities together.
func Limit(key string) fetch.Limit {
	if key == "" {
		return fetch.Limit{Every: 350 * time.Millisecond, Burst: 1, Concurrent: 3}
	}
	return fetch.Limit{Every: 110 * time.Millisecond, Burst: 1, Concurrent: 5}
}

// Source asks PubMed. It is safe for concurrent use.
type Source struct {
	do  Doer
	cfg Config
}

var (
	_ sources.Resolver = (*Source)(nil)
	_ sources.Citer    = (*Source)(nil)
)

// New returns a Source that sends through do.
func New(do Doer, cfg Config) *Source {
	if cfg.Base == "" {
		cfg.Base = DefaultBase
	}
	if cfg.Tool == "" {
		cfg.Tool = DefaultTool
	}
	return &Source{do: do, cfg: cfg}
}

// Name implements sources.Source.
func (s *Source) Name() string { return Name }

// Search implements sources.Source. Records come in PubMed's "best match"
// order; years are sent as its filter on the date of publication (pdat). What
// PubMed did not understand, and what it took the query for, is in Notes.
func (s *Source) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	a := s.begin(orElse(req.Op, "search"))
	query := s.Clean(req.Query)
	if query == "" {
		return sources.Result{}, &sources.Error{Source: Name, Op: a.op, Outcome: state.Skipped,
			Err: errors.New("the query holds nothing that PubMed can look for"), Hint: "write a query with at least one word"}
	}
	limit := max(req.Limit, 1)
	q := url.Values{"term": {query}, "retmax": {strconv.Itoa(limit)}, "retstart": {"0"}, "sort": {"relevance"}}
	a.result.Sent = query
	a.result.Filters = years(q, req.SinceYear, req.UntilYear)
	found, err := a.search(ctx, q)
	if err != nil {
		return sources.Result{}, err
	}
	a.result.Total = found.Count
	a.result.Notes = append(a.result.Notes, found.notes()...)
	return a.records(ctx, a.distinct(found.IDs, limit))
}

// years adds the filter on the date of publication and says it in words. Both
// ends must be sent; PubMed's own form fills an open one with these years.
func years(q url.Values, since, until int) string {
	if since <= 0 && until <= 0 {
		return ""
	}
	from, to := "1000", "3000"
	if since > 0 {
		from = fmt.Sprintf("%04d", since)
	}
	if until > 0 {
		to = fmt.Sprintf("%04d", until)
	}
	q.Set("datetype", "pdat")
	q.Set("mindate", from)
	q.Set("maxdate", to)
	return "pdat " + from + ":" + to
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.PMID, state.DOI} }

// Lookup implements sources.Resolver. DOIs are searched for first. PubMed
// loosens what it does not find, so a record with another DOI than any that
// was asked for is left out and counted.
func (s *Source) Lookup(ctx context.Context, ids []state.IDs) (sources.Result, error) {
	a := s.begin("look up " + strconv.Itoa(len(ids)) + " works")
	a.lookup = true
	var pmids, dois []string
	asked := map[string]bool{}
	for _, id := range ids {
		pmid, doi := state.NormalizePMID(id[state.PMID]), state.NormalizeDOI(id[state.DOI])
		switch {
		case pmid != "" && !asked[pmid]:
			asked[pmid] = true
			pmids = append(pmids, pmid)
		case pmid == "" && doi != "" && !asked[doi]:
			asked[doi] = true
			dois = append(dois, doi)
		}
	}
	a.result.Sent = strings.Join(append(append([]string{}, pmids...), dois...), ",")
	found, err := a.byDOI(ctx, dois)
	if err != nil {
		return sources.Result{}, err
	}
	result, err := a.records(ctx, a.distinct(append(pmids, found...), len(pmids)+len(found)))
	if err != nil {
		return sources.Result{}, err
	}
	kept := result.Records[:0]
	for _, r := range result.Records {
		if doi := r.IDs[state.DOI]; !asked[r.IDs[state.PMID]] && doi != "" && !asked[doi] {
			result.AddSkip("not one of the works asked for", r.Title)
			continue
		}
		kept = append(kept, r)
	}
	result.Records = kept
	result.Total = len(kept)
	return result, nil
}

// Cites implements sources.Citer.
func (s *Source) Cites() (references, citing bool) { return true, true }

// References implements sources.Citer. PubMed knows only references that come
// with a full text of PMC or from the publisher, and of these the ones that
// are in PubMed.
func (s *Source) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.linked(ctx, seed, limit, "references", "pubmed_pubmed_refs")
}

// Citing implements sources.Citer. PubMed knows only citing works that are in
// PMC.
func (s *Source) Citing(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	return s.linked(ctx, seed, limit, "citing works", "pubmed_pubmed_citedin")
}

// linked follows one kind of link from a seed.
func (s *Source) linked(ctx context.Context, seed sources.Seed, limit int, what, link string) (sources.Result, error) {
	a := s.begin(what)
	var pmids []string
	for _, id := range seed.IDs[state.PMID] {
		if id = state.NormalizePMID(id); id != "" {
			pmids = append(pmids, id)
		}
	}
	if len(pmids) == 0 {
		pmid, err := a.seedByDOI(ctx, seed.IDs[state.DOI])
		if err != nil {
			return sources.Result{}, err
		}
		pmids = []string{pmid}
	}
	name := "PMID " + strings.Join(pmids, ", ")
	a.op = what + " of " + name
	found, err := a.links(ctx, pmids, link)
	if err != nil {
		return sources.Result{}, err
	}
	if len(found) == 0 {
		return sources.Result{}, a.noList("PubMed has no %s for %s; it knows only links from full texts in PMC and from publishers", what, name)
	}
	a.result.Sent = name
	a.result.Filters = link
	ids := a.distinct(found, len(found))
	a.result.Total = len(ids)
	if limit = max(limit, 1); len(ids) > limit {
		a.note("took the first %d of %d %s", limit, len(ids), what)
		ids = ids[:limit]
	}
	return a.records(ctx, ids)
}

// seedByDOI finds the PMID of a work that has none, and keeps its record for
// the caller to compare.
func (a *answers) seedByDOI(ctx context.Context, raw []string) (string, error) {
	var dois []string
	asked := map[string]bool{}
	for _, doi := range raw {
		if doi = state.NormalizeDOI(doi); doi != "" && !asked[doi] {
			asked[doi] = true
			dois = append(dois, doi)
		}
	}
	if len(dois) == 0 {
		return "", a.noList("PubMed cannot be asked about a work with neither PMID nor DOI")
	}
	a.op += " of DOI " + dois[0]
	found, err := a.byDOI(ctx, dois)
	if err != nil {
		return "", err
	}
	got, _, err := a.articles(ctx, a.distinct(found, doiBatch))
	if err != nil {
		return "", err
	}
	for _, r := range got {
		if asked[r.IDs[state.DOI]] {
			a.result.Verified = &r
			return r.IDs[state.PMID], nil
		}
	}
	return "", a.noList("PubMed does not have the DOI %s", strings.Join(dois, ", "))
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
