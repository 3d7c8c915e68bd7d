package crossref

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return []string{state.DOI} }

// Lookup asks for one work by its own call and for more by filters of 50 DOIs.
// DOIs that Crossref does not register, such as DataCite's, are named in Notes.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("lookup")
	l := wire.NewLookup(works, s.Schemes(), func(_, id string) string { return state.NormalizeDOI(id) })
	answered := map[string]bool{}
	for batch := range slices.Chunk(l.Wanted(state.DOI), batchSize) {
		found, err := j.fetch(ctx, batch)
		if err != nil {
			return j.fail(err)
		}
		for _, doi := range batch {
			if raw := found[doi]; raw != nil {
				answered[doi] = true
				j.add(raw, -1)
			}
		}
	}
	l.Found(state.DOI, answered)
	l.Close(&j.Job, "Crossref")
	return j.Result, nil
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
	}, false)
	if err != nil {
		return nil, err
	}
	for _, raw := range l.Items {
		w, _, err := decode(raw)
		switch doi := state.NormalizeDOI(string(w.DOI)); {
		case err != nil || !slices.Contains(plain, doi):
			j.Result.AddSkip("sent, but not asked for", string(raw))
		case found[doi] != nil:
			j.Result.AddSkip("sent twice", doi)
		default:
			found[doi] = raw
		}
	}
	return found, nil
}
