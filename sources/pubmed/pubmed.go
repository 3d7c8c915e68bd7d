// Package pubmed is the adapter for PubMed through NCBI's E-utilities: search
// (esearch, then efetch), look-up by PMID, DOI or PMCID, and both directions
// of citations (elink, then efetch). Records are fetched by their ids, not from
// the history server, whose lists expire: only so can it be told which record
// an answer leaves out.
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
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Name is the source's name in settings, state and errors.
const Name = "pubmed"

// DefaultBase is the live interface.
const DefaultBase = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"

// DefaultTool names the program to NCBI.
const DefaultTool = "optimistresearch"

const (
	fetchBatch = 200  // ids of one efetch
	nameBatch  = 50   // DOIs or PMCIDs of one esearch
	depth      = 9999 // ids that PubMed names of one query
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
// order; years are sent as its filter on the date of publication (pdat), types
// and languages as field tags behind the query. What PubMed did not
// understand, and what it took the query for, is in Notes. Beyond 9,999
// records, the most that PubMed names of one query, the rest is searched for
// in spans of publication dates, the newest first.
func (s *Source) Search(ctx context.Context, req sources.Request) (sources.Result, error) {
	a := s.begin(cmp.Or(req.Op, "search"))
	if strings.TrimSpace(req.Query) == "" {
		return sources.Result{}, wire.NothingToSend(Name, a.op, req.Query)
	}
	term, filters := a.filtered(req)
	q := url.Values{"term": {term}, "sort": {"relevance"}}
	if dates := years(q, req.SinceYear, req.UntilYear); dates != "" {
		filters = append(filters, dates)
	}
	a.Result.Sent, a.Result.Filters = term, strings.Join(filters, " AND ")
	pmids, err := a.hits(ctx, q, req)
	if err != nil {
		return sources.Result{}, err
	}
	return a.records(ctx, pmids)
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.PMID, state.DOI, state.PMCID} }

// Lookup implements sources.Resolver. Works without a PMID are searched for by
// DOI or PMCID. PubMed loosens what it does not find, so a record that has none
// of the identifiers asked for is left out and counted. The works that PubMed
// does not have are named in Notes.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	a := s.begin("look up " + strconv.Itoa(len(works)) + " works")
	var pmids, terms, order []string
	asked := map[string]string{} // identifier → how a note calls it
	foreign := 0
	for _, id := range works {
		pmid, doi, pmc := state.NormalizePMID(id[state.PMID]), state.NormalizeDOI(id[state.DOI]), state.NormalizePMCID(id[state.PMCID])
		key := cmp.Or(pmid, doi, pmc)
		switch {
		case key == "":
			foreign++
			continue
		case asked[key] != "":
			continue
		case pmid != "":
			asked[key] = "PMID " + pmid
			pmids = append(pmids, pmid)
		case doi != "":
			asked[key] = "DOI " + doi
			terms = append(terms, doiTerm(doi))
		default:
			asked[key] = pmc
			terms = append(terms, pmc+"[pmcid]")
		}
		order = append(order, key)
	}
	a.Result.Sent = strings.Join(order, ",")
	found, err := a.named(ctx, terms)
	if err != nil {
		return sources.Result{}, err
	}
	u := ids{limit: len(pmids) + len(found)}
	a.take(&u, pmids)
	a.take(&u, found)
	records, _, err := a.articles(ctx, u.list)
	if err != nil {
		return sources.Result{}, err
	}
	kept := map[string]bool{}
	for _, r := range records {
		mine := false
		for _, key := range []string{r.IDs[state.PMID], r.IDs[state.DOI], r.IDs[state.PMCID]} {
			if key != "" && asked[key] != "" {
				mine, kept[key] = true, true
			}
		}
		if !mine {
			a.Result.AddSkip("not one of the works asked for", r.Title)
			continue
		}
		a.Result.Records = append(a.Result.Records, r)
	}
	a.Result.Total = len(a.Result.Records)
	var absent []string
	for _, key := range order {
		if !kept[key] && !a.came[key] {
			absent = append(absent, asked[key])
		}
	}
	a.Absent("PubMed", absent)
	if foreign > 0 {
		a.Note("%d of %d works have neither PMID nor DOI nor PMCID", foreign, len(works))
	}
	return a.Result, nil
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
		pmid, err := a.seedByName(ctx, seed)
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
	a.Result.Sent, a.Result.Filters = name, link
	u := ids{limit: len(found)}
	a.take(&u, found)
	a.Result.Total = len(u.list)
	if limit = max(limit, 1); len(u.list) > limit {
		a.Note("took the first %d of %d %s", limit, len(u.list), what)
		u.list = u.list[:limit]
	}
	return a.records(ctx, u.list)
}

// seedByName finds the PMID of a work that has none, by DOI or PMCID, and
// keeps its record for the caller to compare.
func (a *answers) seedByName(ctx context.Context, seed sources.Seed) (string, error) {
	var terms, names []string
	asked := map[string]bool{}
	add := func(id, name, term string) {
		if id != "" && !asked[id] {
			asked[id] = true
			terms, names = append(terms, term), append(names, name)
		}
	}
	for _, raw := range seed.IDs[state.DOI] {
		if doi := state.NormalizeDOI(raw); doi != "" {
			add(doi, "DOI "+doi, doiTerm(doi))
		}
	}
	for _, raw := range seed.IDs[state.PMCID] {
		pmc := state.NormalizePMCID(raw)
		add(pmc, pmc, pmc+"[pmcid]")
	}
	if len(terms) == 0 {
		return "", wire.NotAsked(Name, a.op, "the work has no identifier that PubMed understands (pmid, doi, pmcid)")
	}
	a.op += " of " + names[0]
	found, err := a.named(ctx, terms)
	if err != nil {
		return "", err
	}
	u := ids{limit: nameBatch}
	a.take(&u, found)
	got, _, err := a.articles(ctx, u.list)
	if err != nil {
		return "", err
	}
	for _, r := range got {
		if asked[r.IDs[state.DOI]] || asked[r.IDs[state.PMCID]] {
			a.Result.Verified = &r
			return r.IDs[state.PMID], nil
		}
	}
	return "", a.noList("PubMed does not have %s", strings.Join(names, ", "))
}
