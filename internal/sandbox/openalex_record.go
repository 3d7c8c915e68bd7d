package sandbox

import (
	"fmt"
	"math"
	"strings"
)

// openAlexRecord is a work in the schema of 2026. A score below zero is left
// out, as in answers to anything but a search.
func (f finder) openAlexRecord(r int32, score float64) object {
	rec, w := f.records[r], f.of(r)
	preprint := f.isPreprint(r)
	var doi, year, date any
	ids := object{{"openalex", openAlexPrefix + rec.id}}
	if d := f.openAlexDOI(r); d != "" {
		doi = doiPrefix + d
		ids = append(ids, member{"doi", doi})
	}
	if w.PMID != "" && !rec.preprint {
		ids = append(ids, member{"pmid", "https://pubmed.ncbi.nlm.nih.gov/" + w.PMID})
	}
	if w.PMCID != "" && !rec.preprint {
		ids = append(ids, member{"pmcid", "https://www.ncbi.nlm.nih.gov/pmc/articles/" + strings.TrimPrefix(w.PMCID, "PMC")})
	}
	if rec.year != 0 {
		year, date = rec.year, f.openAlexDate(r)
	}
	out := object{{"id", openAlexPrefix + rec.id}, {"doi", doi}, {"title", titleIn(OpenAlex, w)}, {"display_name", titleIn(OpenAlex, w)}}
	if score >= 0 {
		out = append(out, member{"relevance_score", math.Round(score*1e4) / 1e2})
	}
	primary, locations := f.openAlexLocations(r)
	var best any
	oa := object{{"is_oa", false}, {"oa_status", "closed"}, {"oa_url", nil}, {"any_repository_has_fulltext", false}}
	indexed := list{}
	if w.ArXiv != "" {
		best = f.arXivLocation(w)
		oa = object{{"is_oa", true}, {"oa_status", "green"}, {"oa_url", "https://arxiv.org/pdf/" + w.ArXiv}, {"any_repository_has_fulltext", true}}
		indexed = append(indexed, "arxiv")
	}
	if w.DOI != "" && !rec.preprint {
		indexed = append(indexed, "crossref")
	}
	if preprint {
		indexed = append(indexed, "datacite")
	}
	if w.PMID != "" && !rec.preprint {
		indexed = append(indexed, "pubmed")
	}
	var abstract any
	if rec.abstract {
		abstract = inverted(w.text())
	}
	refs := f.openAlexReferences(r)
	return append(out,
		member{"publication_year", year}, member{"publication_date", date}, member{"ids", ids}, member{"language", language(w)},
		member{"primary_location", primary}, member{"type", f.openAlexType(r)}, member{"indexed_in", indexed}, member{"open_access", oa},
		member{"authorships", f.authorships(r)}, member{"institutions", list{}}, member{"countries_distinct_count", 0},
		member{"institutions_distinct_count", 0}, member{"corresponding_author_ids", list{}}, member{"corresponding_institution_ids", list{}},
		member{"apc_list", nil}, member{"apc_paid", nil}, member{"fwci", nil}, member{"has_fulltext", false},
		member{"cited_by_count", f.openAlexCount(r)}, member{"citation_normalized_percentile", nil}, member{"cited_by_percentile_year", nil},
		member{"biblio", object{{"volume", nil}, {"issue", nil}, {"first_page", nil}, {"last_page", nil}}},
		member{"is_retracted", w.Retracted != nil}, member{"is_paratext", false}, member{"is_xpac", false}, member{"primary_topic", nil},
		member{"topics", list{}}, member{"keywords", list{}}, member{"concepts", list{}}, member{"mesh", list{}},
		member{"locations_count", len(locations)}, member{"locations", locations}, member{"best_oa_location", best},
		member{"sustainable_development_goals", list{}}, member{"awards", list{}}, member{"funders", list{}},
		member{"has_content", object{{"grobid_xml", false}, {"pdf", false}}}, member{"content_urls", nil},
		member{"referenced_works_count", len(refs)}, member{"referenced_works", refs}, member{"related_works", list{}},
		member{"abstract_inverted_index", abstract}, member{"counts_by_year", list{}},
		member{"updated_date", day + "T00:00:00.000000"}, member{"created_date", day + "T00:00:00"})
}

// isPreprint reports whether a record describes a version outside any venue.
func (f finder) isPreprint(r int32) bool {
	w := f.of(r)
	return f.records[r].preprint || w.ArXiv != "" && w.DOI == ""
}

// openAlexDOI is the DOI of the record in lower case; of a preprint the one
// that DataCite gave.
func (f finder) openAlexDOI(r int32) string {
	if f.isPreprint(r) {
		return strings.ToLower(arXivDOI(f.of(r).ArXiv))
	}
	return f.of(r).DOI
}

// openAlexDate is the date of publication; 1 January where only the year is
// known, "" where not even that.
func (f finder) openAlexDate(r int32) string {
	if f.records[r].year == 0 {
		return ""
	}
	month := 1
	if w := f.of(r); f.isPreprint(r) && arXivYear(w) == f.records[r].year {
		_, month = arXivMonth(w)
	}
	return fmt.Sprintf("%04d-%02d-01", f.records[r].year, month)
}

// openAlexType is article for papers of journals and conferences alike, and
// for some preprints too.
func (f finder) openAlexType(r int32) string {
	w := f.of(r)
	switch {
	case f.isPreprint(r) && share(w.ID, "article after all", 20):
		return "article"
	case f.isPreprint(r):
		return "preprint"
	case w.Type == "" || w.Type == "conference" || w.Type == "preprint":
		return "article"
	}
	return w.Type
}

// openAlexCount is the citation count: OpenAlex's own where the library has
// one, else the citing works within the sandbox, which cites: gives.
func (f finder) openAlexCount(r int32) int {
	w := f.of(r)
	if f.records[r].preprint {
		return 0
	}
	if w.CitedBy != nil && w.CitedBy.Source == "OpenAlex" {
		return w.CitedBy.Count
	}
	return len(f.openAlexCiting(f.records[r].work))
}

// openAlexCiting lists the records whose references name a work.
func (f finder) openAlexCiting(work int32) []int32 {
	var out []int32
	for _, from := range f.lib.CitedBy(int(work)) {
		if r := f.main(from); r >= 0 && f.hasReferences(r) {
			out = append(out, r)
		}
	}
	return out
}

// hasReferences reports whether OpenAlex has a reference list of the record: of
// preprints it often has none.
func (f finder) hasReferences(r int32) bool {
	if f.records[r].preprint {
		return false
	}
	return !f.isPreprint(r) || !share(f.of(r).ID, "no reference list", 40)
}

// openAlexReferences are the ids of the works that a record cites. Some of
// them lead nowhere: OpenAlex lists works that it has no record of.
func (f finder) openAlexReferences(r int32) []string {
	refs := []string{}
	if !f.hasReferences(r) {
		return refs
	}
	for _, to := range f.lib.Cites(int(f.records[r].work)) {
		if cited := f.main(to); cited >= 0 {
			refs = append(refs, openAlexPrefix+f.records[cited].id)
		} else if share(f.lib.Works[to].ID, "dangling", 50) {
			refs = append(refs, openAlexPrefix+madeW(int(to)))
		}
	}
	return refs
}

func (f finder) authorships(r int32) list {
	w := f.of(r)
	out := list{}
	for i, a := range w.Authors {
		position := "middle"
		switch i {
		case 0:
			position = "first"
		case len(w.Authors) - 1:
			position = "last"
		}
		raw := split(a).full()
		if f.isPreprint(r) && share(w.ID, "inverted names", 50) {
			raw = split(a).inverted()
		}
		shown := split(a).full()
		if share(w.ID, "openalex plain", 25) {
			shown = plain(shown)
		}
		out = append(out, object{{"author_position", position},
			{"author", object{{"id", nil}, {"display_name", shown}, {"orcid", nil}}}, {"institutions", list{}}, {"countries", list{}},
			{"is_corresponding", false}, {"raw_author_name", raw}, {"raw_affiliation_strings", list{}}, {"affiliations", list{}}})
	}
	return out
}

// openAlexLocations are where the versions of a record are, the primary one
// first.
func (f finder) openAlexLocations(r int32) (primary any, all list) {
	w := f.of(r)
	all = list{}
	if !f.isPreprint(r) && (w.DOI != "" || w.Venue != "") {
		all = append(all, f.venueLocation(w))
	}
	if w.ArXiv != "" {
		all = append(all, f.arXivLocation(w))
	}
	if len(all) > 0 {
		primary = all[0]
	}
	return primary, all
}

func (f finder) venueLocation(w *Work) object {
	var id, landing, source, name any
	if w.DOI != "" {
		id, landing = "doi:"+w.DOI, doiPrefix+w.DOI
	}
	kind, raw := "journal", "journal-article"
	switch w.Type {
	case "conference":
		kind, raw = "conference", "proceedings-article"
	case "book-chapter":
		kind, raw = "book series", "book-chapter"
	}
	if w.Venue != "" {
		name = w.Venue
		source = venueSource(madeVenue(int(hash(w.Venue, "venue")%90_000_000)), w.Venue, kind, false)
	}
	return object{{"id", id}, {"is_oa", false}, {"landing_page_url", landing}, {"pdf_url", nil}, {"source", source}, {"license", nil}, {"license_id", nil},
		{"version", "publishedVersion"}, {"is_accepted", true}, {"is_published", true}, {"raw_source_name", name}, {"raw_type", raw}}
}

func (f finder) arXivLocation(w *Work) object {
	return object{{"id", "doi:" + strings.ToLower(arXivDOI(w.ArXiv))}, {"is_oa", true}, {"landing_page_url", "https://arxiv.org/abs/" + w.ArXiv},
		{"pdf_url", "https://arxiv.org/pdf/" + w.ArXiv}, {"source", venueSource("S4306400194", "arXiv (Cornell University)", "repository", true)},
		{"license", nil}, {"license_id", nil}, {"version", "submittedVersion"}, {"is_accepted", false}, {"is_published", false},
		{"raw_source_name", nil}, {"raw_type", "posted-content"}}
}

func venueSource(id, name, kind string, open bool) object {
	return object{{"id", openAlexPrefix + id}, {"display_name", name}, {"issn_l", nil}, {"issn", nil}, {"is_oa", open}, {"is_in_doaj", false},
		{"is_core", false}, {"host_organization", nil}, {"host_organization_name", nil}, {"host_organization_lineage", list{}},
		{"host_organization_lineage_names", list{}}, {"type", kind}}
}

// inverted is an abstract as OpenAlex keeps it: each word with its positions.
func inverted(text string) object {
	out, place := object{}, map[string]int{}
	for i, word := range strings.Fields(text) {
		at, seen := place[word]
		if !seen {
			at = len(out)
			place[word] = at
			out = append(out, member{word, []int(nil)})
		}
		out[at].value = append(out[at].value.([]int), i)
	}
	return out
}
