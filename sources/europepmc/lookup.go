package europepmc

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"optimistresearch/sources"
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

const (
	// batchSize is the number of works in one query: long lists of OR have
	// ended in 504 (2026).
	batchSize = 25
	// copies is how many records of one work are expected at most: article,
	// full text, and versions of a preprint.
	copies = 4
)

// schemes are the identifiers that works are asked by, best first.
var schemes = []string{state.PMID, state.PMCID, PPR, state.DOI}

// clauses write an identifier in the query language.
var clauses = map[string]func(id string) string{
	state.PMID:  func(id string) string { return "(EXT_ID:" + id + " AND SRC:MED)" },
	state.PMCID: func(id string) string { return "PMCID:" + id },
	PPR:         func(id string) string { return "(EXT_ID:" + id + " AND SRC:PPR)" },
	state.DOI:   func(id string) string { return `DOI:"` + id + `"` },
}

var pprShape = regexp.MustCompile(`^PPR[0-9]{1,12}$`)

// identifier is the normal form of an identifier, "" if it cannot be sent.
func identifier(scheme, value string) string {
	switch scheme {
	case state.PMID:
		return state.NormalizePMID(value)
	case state.PMCID:
		return state.NormalizePMCID(value)
	case PPR:
		if value = strings.ToUpper(strings.TrimSpace(value)); pprShape.MatchString(value) {
			return value
		}
	case state.DOI:
		if doi := state.NormalizeDOI(value); !strings.ContainsAny(doi, `"\`) {
			return doi
		}
	}
	return ""
}

// Schemes implements sources.Resolver.
func (s *Source) Schemes() []string { return slices.Clone(schemes) }

// Lookup implements sources.Resolver. Each work is asked for by its best
// identifier; those that do not come back are asked for by the next one. A
// work may come back as several records (article and preprint). Notes name the
// works that Europe PMC does not have.
func (s *Source) Lookup(ctx context.Context, works []state.IDs) (sources.Result, error) {
	j := s.begin("look up " + strconv.Itoa(len(works)) + " works")
	j.Result.Total = -1
	var pending []state.IDs
	asked := map[string]bool{}
	for _, w := range works {
		usable := state.IDs{}
		for _, scheme := range schemes {
			if id := identifier(scheme, w[scheme]); id != "" {
				usable[scheme] = id
			}
		}
		if name := worksName(usable); name != "" && !asked[name] {
			asked[name] = true
			pending = append(pending, usable)
		}
	}
	var sent []string
	for _, scheme := range schemes {
		var ids []string
		for _, w := range pending {
			if id := w[scheme]; id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		for batch := range slices.Chunk(ids, batchSize) {
			sent = append(sent, batch...)
			if err := j.byID(ctx, scheme, batch); err != nil {
				return j.fail(err)
			}
		}
		pending = slices.DeleteFunc(pending, func(w state.IDs) bool {
			return slices.ContainsFunc(j.Result.Records, func(r state.Record) bool { return shares(r.IDs, w) })
		})
	}
	j.Result.Sent = strings.Join(sent, ",")
	if len(pending) > 0 {
		names := make([]string, len(pending))
		for i, w := range pending {
			names[i] = worksName(w)
		}
		j.Absent("Europe PMC", names)
	}
	return j.Result, nil
}

// worksName lists the identifiers of a work.
func worksName(w state.IDs) string {
	var parts []string
	for _, scheme := range schemes {
		if w[scheme] != "" {
			parts = append(parts, scheme+" "+w[scheme])
		}
	}
	return strings.Join(parts, ", ")
}

func shares(a, b state.IDs) bool {
	for _, scheme := range schemes {
		if a[scheme] != "" && a[scheme] == b[scheme] {
			return true
		}
	}
	return false
}

// byID adds the records with the given identifiers of one scheme.
func (j *job) byID(ctx context.Context, scheme string, ids []string) error {
	parts := make([]string, len(ids))
	for i, id := range ids {
		parts[i] = clauses[scheme](id)
	}
	raws, err := j.all(ctx, strings.Join(parts, " OR "), copies*len(ids))
	if err != nil {
		return err
	}
	for _, raw := range raws {
		w, note, err := decode(raw)
		if err == nil {
			if rec, why := w.record(note); why == "" && !slices.Contains(ids, rec.IDs[scheme]) {
				j.Result.AddSkip("sent, but not asked for", rec.Key)
				continue
			}
		}
		j.add(raw)
	}
	return nil
}

// all gives the entries of a short query, at most so many, over pages.
func (j *job) all(ctx context.Context, query string, most int) ([]rawRecord, error) {
	var out []rawRecord
	for cursor, known := "*", map[string]bool{}; ; {
		known[cursor] = true
		p, err := j.page(ctx, query, cursor, most)
		if err != nil {
			return nil, err
		}
		out = append(out, p.Records...)
		hits, _ := p.Hits.Int()
		if cursor = p.Next; cursor == "" || known[cursor] || len(p.Records) == 0 || len(out) >= min(hits, most) {
			return out[:min(len(out), most)], nil
		}
	}
}

// seedOrder is the worth of Europe PMC's collections for a seed: the record of
// the article has the lists, its twin in another collection may not.
var seedOrder = map[scalar]int{"MED": 0, "PMC": 1, "PPR": 2}

// resolve finds the record of a seed, keeps it in Result.Verified for the
// caller to compare, and gives the path of its lists.
func (j *job) resolve(ctx context.Context, seed sources.Seed) (path string, err error) {
	var parts, names []string
	known := map[string]bool{}
	for _, scheme := range schemes {
		for _, value := range seed.IDs[scheme] {
			id := identifier(scheme, value)
			if id == "" || known[scheme+id] || len(parts) == batchSize {
				continue
			}
			known[scheme+id] = true
			parts, names = append(parts, clauses[scheme](id)), append(names, scheme+" "+id)
		}
	}
	if len(parts) == 0 {
		return "", wire.NotAsked(Name, j.op, "the work has no identifier that Europe PMC understands (pmid, pmcid, ppr, doi)")
	}
	j.seedName = strings.Join(names, ", ")
	j.op += " of " + names[0]
	raws, err := j.all(ctx, strings.Join(parts, " OR "), copies*len(parts))
	if err != nil {
		return "", err
	}
	best := -1
	for _, raw := range raws {
		w, note, err := decode(raw)
		if err != nil || w.ID == "" || w.Source == "" {
			continue
		}
		rec, why := w.record(note)
		order, ok := seedOrder[w.Source]
		if !ok {
			order = len(seedOrder)
		}
		matches := slices.ContainsFunc(schemes, func(scheme string) bool { return known[scheme+rec.IDs[scheme]] })
		if why != "" || !matches || best >= 0 && order >= best {
			continue
		}
		best = order
		j.Result.Verified = &rec
		path = "/" + url.PathEscape(string(w.Source)) + "/" + url.PathEscape(string(w.ID))
	}
	if best < 0 {
		return "", wire.NoList(Name, j.op, "Europe PMC does not have "+j.seedName)
	}
	return path, nil
}

// follow turns entries of a list into records, in their order.
func (j *job) follow(ctx context.Context, entries []entry) error {
	found := map[string]rawRecord{}
	var held []entry
	for _, e := range entries {
		if e.held() {
			held = append(held, e)
		}
	}
	for batch := range slices.Chunk(held, batchSize) {
		parts := make([]string, len(batch))
		for i, e := range batch {
			parts[i] = fmt.Sprintf("(EXT_ID:%s AND SRC:%s)", e.ID, e.Source)
		}
		raws, err := j.all(ctx, strings.Join(parts, " OR "), copies*len(batch))
		if err != nil {
			return err
		}
		for _, raw := range raws {
			w, _, err := decode(raw)
			key := string(w.Source + "/" + w.ID)
			switch {
			case err != nil:
				j.Result.AddSkip("not a work record", string(raw))
			case !slices.ContainsFunc(batch, func(e entry) bool { return e.name() == key }):
				j.Result.AddSkip("sent, but not asked for", key)
			case found[key] != nil:
				j.Result.AddSkip("sent twice", key)
			default:
				found[key] = raw
			}
		}
	}
	for _, e := range entries {
		if raw := found[e.name()]; raw != nil {
			j.add(raw)
			continue
		}
		rec, why := e.record(j.op)
		j.Keep(rec, why, cmp.Or(e.name(), string(e.Title)), -1)
	}
	return nil
}
