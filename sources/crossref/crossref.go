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
	"slices"
	"strconv"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Name is the source's name in settings, state and errors.
const Name = "crossref"

// DefaultBase is the live address.
const DefaultBase = "https://api.crossref.org"

const (
	// pageSize is far below the 1,000 that are allowed: a record with its
	// reference list weighs 20 kB and more.
	pageSize   = 100
	batchSize  = 50     // doi: filters in one call
	depth      = 10_000 // offset + rows
	maxRecords = 1_000
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

// Search sends one query. Crossref ranks the works that have any of the words,
// so totals are in the millions. Entries that are no works (16 of 20 of one
// page were components) are skipped and made up for by looking further down,
// to four times the limit.
func (s *Source) Search(ctx context.Context, r sources.Request) (sources.Result, error) {
	j := s.begin(cmp.Or(r.Op, "search"))
	j.result.Sent = s.Clean(r.Query)
	if j.result.Sent == "" {
		return j.nothingToSend(r.Query)
	}
	j.result.Filters = yearFilter(r.SinceYear, r.UntilYear)
	limit := min(max(r.Limit, 1), maxRecords)
	seen := 0
	for len(j.result.Records) < limit && seen < min(4*limit, depth) {
		rows := min(pageSize, limit-len(j.result.Records), depth-seen)
		query := url.Values{
			"query.bibliographic": {j.result.Sent},
			"rows":                {strconv.Itoa(rows)}, "offset": {strconv.Itoa(seen)},
		}
		if j.result.Filters != "" {
			query.Set("filter", j.result.Filters)
		}
		l, err := j.list(ctx, query)
		if err != nil {
			return j.fail(err)
		}
		if seen == 0 {
			j.result.Total, _ = l.Total.Int()
		}
		for _, raw := range l.Items[:min(len(l.Items), rows)] {
			j.add(raw)
		}
		seen += len(l.Items)
		if len(l.Items) < rows || seen >= j.result.Total {
			break
		}
	}
	return j.result, nil
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.DOI} }

// Lookup asks for one work by its own call and for more by filters of 50 DOIs.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	j.result.Total = -1
	var dois []string
	asked := map[string]bool{"": true}
	for _, w := range works {
		if doi := state.NormalizeDOI(w[state.DOI]); !asked[doi] {
			asked[doi] = true
			dois = append(dois, doi)
		}
	}
	for batch := range slices.Chunk(dois, batchSize) {
		found, err := j.fetch(ctx, batch)
		if err != nil {
			return j.fail(err)
		}
		for _, doi := range batch {
			if raw := found[doi]; raw != nil {
				j.add(raw)
			}
		}
	}
	return j.result, nil
}

// Cites implements sources.Citer: Crossref counts citing works, but does not
// list them.
func (s *Source) Cites() (references, citing bool) { return true, false }

// References gives the deposited reference list of the seed in its order. An
// entry with a DOI is looked up; one that has an article title, but no DOI
// that Crossref registers, becomes a thin record of what the list says; the
// others are counted as skips.
func (s *Source) References(ctx context.Context, seed sources.Seed, limit int) (sources.Result, error) {
	j := s.begin("references")
	w, err := j.resolve(ctx, seed)
	if err != nil {
		return j.fail(err)
	}
	if len(w.References) == 0 {
		if n, _ := w.ReferenceCount.Int(); n > 0 {
			return j.noList("the publisher of %s deposited %d references and does not open them", w.name(), n)
		}
		return j.noList("no reference list is deposited with %s", w.name())
	}
	j.result.Total = len(w.References)
	entries := w.References
	for len(entries) > 0 && len(j.result.Records) < limit {
		batch := entries[:min(batchSize, limit-len(j.result.Records), len(entries))]
		if err := j.follow(ctx, w.name(), batch); err != nil {
			return j.fail(err)
		}
		entries = entries[len(batch):]
	}
	if len(entries) > 0 {
		j.note("the list has %d entries, the last %d of them were not followed", j.result.Total, len(entries))
	}
	return j.result, nil
}

// Citing implements sources.Citer. The error is of kind NoList.
func (s *Source) Citing(context.Context, sources.Seed, int) (sources.Result, error) {
	return s.begin("citing works").noList("Crossref counts citing works and does not list them")
}

// resolve fetches the record of a seed and keeps it in Result.Verified for the
// caller to compare.
func (j *job) resolve(ctx context.Context, seed sources.Seed) (*work, error) {
	var asked []string
	for _, value := range seed.IDs[state.DOI] {
		doi := state.NormalizeDOI(value)
		if doi == "" {
			continue
		}
		j.op, j.result.Sent = j.opWord+" of "+doi, "works/"+url.PathEscape(doi)
		asked = append(asked, doi)
		raw, err := j.single(ctx, doi)
		if err != nil {
			return nil, err
		}
		if raw == nil {
			continue
		}
		if w, _, err := decode(raw); err == nil {
			if rec, why := w.record(); why == "" {
				j.result.Verified = &rec
				return w, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NoList(Name, j.op, "the work has no DOI")
	}
	return nil, wire.NoList(Name, j.op, "Crossref has no usable record under "+strings.Join(asked, ", "))
}

// fetch gives the records of the works with the given DOIs, by DOI. What
// Crossref does not know is absent.
func (j *job) fetch(ctx context.Context, dois []string) (map[string]rawRecord, error) {
	found := map[string]rawRecord{}
	var plain []string
	for _, doi := range dois {
		// A comma ends a filter ("10.1001/jama.251.19.2504,2509" is a DOI of
		// Crossref; rest-api-doc 44, 558): such a DOI is asked for alone.
		if len(dois) > 1 && !strings.Contains(doi, ",") {
			plain = append(plain, doi)
			continue
		}
		raw, err := j.single(ctx, doi)
		if err != nil {
			return nil, err
		}
		if raw != nil {
			found[doi] = raw
		}
	}
	if len(plain) == 0 {
		return found, nil
	}
	l, err := j.list(ctx, url.Values{
		"filter": {"doi:" + strings.Join(plain, ",doi:")}, "rows": {strconv.Itoa(len(plain))},
	})
	if err != nil {
		return nil, err
	}
	for _, raw := range l.Items {
		w, _, err := decode(raw)
		switch doi := state.NormalizeDOI(string(w.DOI)); {
		case err != nil || !slices.Contains(plain, doi):
			j.result.AddSkip("sent, but not asked for", string(raw))
		case found[doi] != nil:
			j.result.AddSkip("sent twice", doi)
		default:
			found[doi] = raw
		}
	}
	return found, nil
}

// follow turns entries of a reference list into records.
func (j *job) follow(ctx context.Context, citing string, entries []rawRecord) error {
	list := make([]reference, len(entries))
	var dois []string
	for i, raw := range entries {
		if _, err := wire.Lenient(raw, &list[i]); err != nil {
			list[i].broken = true
			continue
		}
		// DataCite's DOIs are 404 here (10.48550/arXiv.2312.07559, September 2025).
		doi := state.NormalizeDOI(string(list[i].DOI))
		if doi != "" && !slices.Contains(dois, doi) && !strings.HasPrefix(doi, "10.48550/") {
			dois = append(dois, doi)
		}
	}
	found, err := j.fetch(ctx, dois)
	if err != nil {
		return err
	}
	for i, ref := range list {
		raw := found[state.NormalizeDOI(string(ref.DOI))]
		switch {
		case ref.broken:
			j.result.AddSkip("not a reference", string(entries[i]))
		case raw != nil:
			j.add(raw)
		case ref.ArticleTitle != "":
			rec, why := ref.record(citing)
			j.keep(rec, why, ref.name())
		case ref.DOI != "":
			j.result.AddSkip("a reference with a DOI that Crossref does not register, and without title", ref.name())
		case ref.VolumeTitle != "" || ref.SeriesTitle != "":
			j.result.AddSkip("a reference that names only a book or a series", ref.name())
		case ref.Unstructured != "":
			j.result.AddSkip("a reference as one unstructured text", ref.name())
		default:
			j.result.AddSkip("a reference without DOI and title", ref.name())
		}
	}
	return nil
}

// yearFilter is the publication window in the service's own filters.
func yearFilter(since, until int) string {
	var parts []string
	if since > 0 {
		parts = append(parts, fmt.Sprintf("from-pub-date:%04d", since))
	}
	if until > 0 {
		parts = append(parts, fmt.Sprintf("until-pub-date:%04d", until))
	}
	return strings.Join(parts, ",")
}
