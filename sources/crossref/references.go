package crossref

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

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
	limit = max(limit, 1)
	j.Result.Total = len(w.References)
	entries := w.References
	for len(entries) > 0 && len(j.Result.Records) < limit {
		batch := entries[:min(batchSize, limit-len(j.Result.Records), len(entries))]
		if err := j.follow(ctx, w.name(), batch); err != nil {
			return j.fail(err)
		}
		entries = entries[len(batch):]
	}
	if len(entries) > 0 {
		j.Note("the list has %d entries, the last %d of them were not followed", j.Result.Total, len(entries))
	}
	return j.Result, nil
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
		j.op, j.Result.Sent = j.opWord+" of "+doi, "works/"+url.PathEscape(doi)
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
				j.Result.Verified = &rec
				return w, nil
			}
		}
	}
	if len(asked) == 0 {
		return nil, wire.NotAsked(Name, j.op, "the work has no DOI, and Crossref understands nothing else")
	}
	return nil, wire.NoList(Name, j.op, "Crossref has no usable record under "+strings.Join(asked, ", "))
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
		if doi := list[i].doi(); doi != "" && !slices.Contains(dois, doi) && !strings.HasPrefix(doi, "10.48550/") {
			dois = append(dois, doi)
		}
	}
	found, err := j.fetch(ctx, dois)
	if err != nil {
		return err
	}
	for i, ref := range list {
		raw := found[ref.doi()]
		switch {
		case ref.broken:
			j.Result.AddSkip("not a reference", string(entries[i]))
		case raw != nil:
			j.add(raw, -1)
		case ref.ArticleTitle != "":
			rec, why := ref.record(citing)
			j.Keep(rec, why, ref.name(), -1)
		case ref.doi() != "":
			j.Result.AddSkip("a reference with a DOI that Crossref does not register, and without title", ref.name())
		case ref.VolumeTitle != "" || ref.SeriesTitle != "":
			j.Result.AddSkip("a reference that names only a book or a series", ref.name())
		case ref.Unstructured != "":
			j.Result.AddSkip("a reference as one unstructured text", ref.name())
		default:
			j.Result.AddSkip("a reference without DOI and title", ref.name())
		}
	}
	return nil
}
