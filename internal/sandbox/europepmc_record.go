package sandbox

import (
	"strings"
)

// epmcSource is the collection of a record: MED, PMC or PPR.
func (f finder) epmcSource(r int32) string {
	source, _, _ := strings.Cut(f.records[r].id, "/")
	return source
}

// epmcCount is the number of citing works that the service holds.
func (f finder) epmcCount(r int32) int {
	n := 0
	for _, from := range f.lib.CitedBy(int(f.records[r].work)) {
		if f.main(from) >= 0 {
			n++
		}
	}
	return n
}

// epmcHasReferences reports whether the service has the list of a record; of
// preprints it has none here, and of some articles neither.
func (f finder) epmcHasReferences(r int32) bool {
	work := f.records[r].work
	return !f.records[r].preprint && len(f.lib.Cites(int(work))) > 0 && share(f.lib.Works[work].ID, "epmc references", 85)
}

// epmcDOI is the DOI of a record; that of a preprint is arXiv's.
func (f finder) epmcDOI(r int32) string {
	if f.records[r].preprint {
		return arXivDOI(f.of(r).ArXiv)
	}
	return f.of(r).DOI
}

// epmcTypes are the publication types of a record.
func (f finder) epmcTypes(r int32) []string {
	if f.records[r].preprint {
		return []string{"Preprint"}
	}
	var types []string
	for _, t := range publicationTypes(f.of(r)) {
		types = append(types, t[1])
	}
	return types
}

// epmcRecord is a record in the core, lite or idlist form. Members for which
// the library has no fact (keywords, MeSH, grants, ISSN, volume, pages) are
// missing, as they are in some real records.
func (f finder) epmcRecord(r int32, kind string) object {
	rec, w := f.records[r], f.of(r)
	source, id, _ := strings.Cut(rec.id, "/")
	out := object{{"id", id}, {"source", source}}
	if source == "MED" {
		out = append(out, member{"pmid", id})
	}
	if kind == "idlist" {
		return out
	}
	pmcid := ""
	if !rec.preprint {
		pmcid = w.PMCID
	}
	if pmcid != "" {
		out = append(out, member{"pmcid", pmcid}, member{"fullTextIdList", object{{"fullTextId", []string{pmcid}}}})
	}
	if doi := f.epmcDOI(r); doi != "" {
		out = append(out, member{"doi", doi})
	}
	out = append(out, member{"title", titleIn(EuropePMC, w)}, member{"authorString", authorString(w)})
	core := kind == "core"
	if core {
		out = append(out, member{"authorList", object{{"author", epmcAuthors(w)}}})
		if w.Venue != "" && !rec.preprint {
			out = append(out, member{"journalInfo", object{{"dateOfPublication", yearText(rec.year)}, {"monthOfPublication", 0}, {"yearOfPublication", rec.year},
				{"journal", object{{"title", w.Venue}}}}})
		}
	}
	if rec.year != 0 {
		out = append(out, member{"pubYear", yearText(rec.year)})
	}
	switch {
	case !core:
		out = append(out, member{"pubType", strings.ToLower(strings.Join(f.epmcTypes(r), "; "))})
	default:
		if rec.abstract {
			out = append(out, member{"abstractText", epmcAbstract(w)})
		}
		out = append(out, member{"language", languageCode(w)}, member{"pubTypeList", object{{"pubType", f.epmcTypes(r)}}})
		if corrections := f.epmcCorrections(r); len(corrections) > 0 {
			out = append(out, member{"commentCorrectionList", object{{"commentCorrection", corrections}}})
		}
		if links := f.epmcLinks(r); len(links) > 0 {
			out = append(out, member{"fullTextUrlList", object{{"fullTextUrl", links}}})
		}
	}
	if rec.preprint {
		out = append(out, member{"bookOrReportDetails", object{{"publisher", "arXiv"}, {"yearOfPublication", rec.year}}})
	}
	flag := func(yes bool) string { return map[bool]string{true: "Y", false: "N"}[yes] }
	out = append(out, member{"isOpenAccess", "N"}, member{"inEPMC", flag(pmcid != "")}, member{"inPMC", flag(pmcid != "")}, member{"hasPDF", "N"},
		member{"hasBook", "N"}, member{"citedByCount", f.epmcCount(r)}, member{"hasReferences", flag(f.epmcHasReferences(r))}, member{"firstIndexDate", day})
	return out
}

// epmcAbstract is the text; a third of the abstracts hold markup.
func epmcAbstract(w *Work) string {
	t := escapeText(w.text())
	if w.Abstract != "" && share(w.ID, "epmc markup", 33) {
		return "<h4>Abstract</h4>" + t
	}
	return t
}

// authorString is "Family AB, Family C." as the service writes it.
func authorString(w *Work) string {
	names := make([]string, len(w.Authors))
	for i, a := range w.Authors {
		names[i] = medlineName(a)
	}
	switch {
	case len(names) == 0:
		return ""
	case w.Cut:
		return strings.Join(names, ", ") + ", et al."
	}
	return strings.Join(names, ", ") + "."
}

func epmcAuthors(w *Work) list {
	authors := list{}
	for _, a := range w.Authors {
		n := split(a)
		one := object{{"fullName", medlineName(a)}}
		if n.given != "" {
			one = append(one, member{"firstName", n.given})
		}
		one = append(one, member{"lastName", n.family})
		if i := n.initials(""); i != "" {
			one = append(one, member{"initials", i})
		}
		authors = append(authors, one)
	}
	return authors
}

// epmcCorrections are the links of a record to notices and to its other
// version.
func (f finder) epmcCorrections(r int32) list {
	rec, w := f.records[r], f.of(r)
	var out list
	if w.Retracted != nil && !rec.preprint {
		out = append(out, object{{"source", "MED"}, {"reference", w.Venue + ". " + itoa(w.Retracted.Year) + ". doi: " + w.Retracted.Notice},
			{"type", "Retraction in"}, {"orderIn", 1}})
	}
	from, to := f.versions(rec.work)
	for other := from; other < to; other++ {
		if other == r {
			continue
		}
		source, id, _ := strings.Cut(f.records[other].id, "/")
		kind := "Preprint in"
		if rec.preprint {
			kind = "Preprint of"
		}
		out = append(out, object{{"id", id}, {"source", source}, {"type", kind}, {"orderIn", 10001}})
	}
	return out
}

// epmcLinks are the addresses of copies.
func (f finder) epmcLinks(r int32) list {
	w := f.of(r)
	var out list
	add := func(availability, code, style, site, address string) {
		out = append(out, object{{"availability", availability}, {"availabilityCode", code}, {"documentStyle", style}, {"site", site}, {"url", address}})
	}
	doi := f.epmcDOI(r)
	switch {
	case doi == "":
	case f.records[r].preprint:
		add("Free", "F", "doi", "DOI", doiPrefix+doi)
	default:
		add("Subscription required", "S", "doi", "DOI", doiPrefix+doi)
	}
	if w.PMCID != "" && !f.records[r].preprint {
		add("Free", "F", "html", "Europe_PMC", "https://europepmc.org/articles/"+w.PMCID)
	}
	return out
}

// epmcEntry is an entry of a list. A reference that the service does not hold
// has neither id nor source.
func (f finder) epmcEntry(work int32, which string, order int) object {
	w := &f.lib.Works[work]
	m := f.main(work)
	out := object{}
	year := venueYear(w)
	if m >= 0 {
		source, id, _ := strings.Cut(f.records[m].id, "/")
		out, year = append(out, member{"id", id}, member{"source", source}), f.records[m].year
	}
	out = append(out, member{"citationType", "journal article"}, member{"title", titleIn(EuropePMC, w)}, member{"authorString", authorString(w)})
	if w.Venue != "" {
		out = append(out, member{"journalAbbreviation", w.Venue})
	}
	if year != 0 {
		out = append(out, member{"pubYear", year}) // a number here, a string in a search
	}
	if which == "references" {
		match := "N"
		if m >= 0 {
			match = "Y"
		}
		return append(out, member{"citedOrder", order}, member{"match", match})
	}
	return append(out, member{"citedByCount", f.epmcCount(m)})
}
