package sandbox

import (
	"strings"
	"time"
)

// crossrefRecord is a work as Crossref gives it. A score below zero is that of
// a single work, whose answer also has the empty lists that lists leave out.
// The library knows neither publisher, member nor pages; they are left out.
func (f finder) crossrefRecord(r int32, score float64) object {
	rec, w := f.records[r], f.of(r)
	single := score < 0
	refs := f.crossrefReferences(r)
	title, subtitle := crossrefTitle(w)
	out := object{{"indexed", dateTime(day)}, {"reference-count", len(refs)},
		{"content-domain", object{{"domain", list{}}, {"crossmark-restriction", false}}}}
	if rec.abstract {
		out = append(out, member{"abstract", jats(w)})
	}
	out = append(out, member{"DOI", crossrefDOI(w)}, member{"type", crossrefType(w)}, member{"created", dateTime(day)}, member{"source", "Crossref"},
		member{"is-referenced-by-count", f.crossrefCount(r)}, member{"title", []string{title}}, member{"prefix", prefixOf(w.DOI)})
	if authors := crossrefAuthors(w); len(authors) > 0 {
		out = append(out, member{"author", authors})
	}
	if len(refs) > 0 {
		out = append(out, member{"reference", refs})
	}
	if w.Retracted != nil {
		out = append(out, member{"updated-by", list{object{{"DOI", w.Retracted.Notice}, {"type", "retraction"}, {"label", "Retraction"},
			{"source", "publisher"}, {"updated", dateTime(itoa(w.Retracted.Year))}}}})
	}
	if w.Venue != "" {
		out = append(out, member{"container-title", []string{w.Venue}})
	}
	if single {
		out = append(out, member{"original-title", list{}})
	}
	out = append(out, member{"language", language(w)}, member{"deposited", dateTime(day)})
	if single {
		out = append(out, member{"score", 1})
	} else {
		out = append(out, member{"score", score})
	}
	out = append(out, member{"resource", object{{"primary", object{{"URL", doiPrefix + w.DOI}}}}})
	switch {
	case subtitle != "":
		out = append(out, member{"subtitle", []string{subtitle}})
	case single:
		out = append(out, member{"subtitle", list{}})
	}
	if single {
		out = append(out, member{"short-title", list{}})
	}
	out = append(out, member{"issued", dateParts(rec.year)}, member{"references-count", len(refs)}, member{"URL", doiPrefix + w.DOI})
	switch {
	case hasPreprintRelation(w):
		out = append(out, member{"relation", object{{"has-preprint", list{object{{"id-type", "doi"}, {"id", arXivDOI(w.ArXiv)}, {"asserted-by", "subject"}}}}}})
	case single:
		out = append(out, member{"relation", object{}})
	}
	if single {
		out = append(out, member{"subject", list{}})
	}
	if rec.year != 0 {
		out = append(out, member{"published", dateParts(rec.year)})
	}
	return out
}

// crossrefDOI is in the publisher's spelling, in capitals for some.
func crossrefDOI(w *Work) string {
	if share(w.ID, "doi capitals", 10) {
		return strings.ToUpper(w.DOI)
	}
	return w.DOI
}

func crossrefType(w *Work) string {
	switch w.Type {
	case "conference":
		return "proceedings-article"
	case "article", "preprint", "":
		return "journal-article"
	}
	return w.Type
}

// crossrefTitle parts title and subtitle at the colon, which half of the
// publishers do.
func crossrefTitle(w *Work) (title, subtitle string) {
	title = titleIn(Crossref, w)
	if head, tail, ok := strings.Cut(title, ": "); ok && w.Titles[Crossref] == "" && share(w.ID, "subtitle", 50) {
		return head, tail
	}
	return title, ""
}

// jats is the abstract as a JATS fragment; publishers write it in several ways.
func jats(w *Work) string {
	plain := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(w.text())
	switch hash(w.ID, "jats form") % 4 {
	case 0:
		return "<p>" + plain + "</p>"
	case 1:
		return "<jats:title>Abstract</jats:title>\n                  <jats:p>" + plain + "</jats:p>"
	}
	return "<jats:p>" + plain + "</jats:p>"
}

func crossrefAuthors(w *Work) list {
	out := list{}
	for i, a := range w.Authors {
		n := split(a)
		author := object{}
		if given := n.given; given != "" {
			if share(w.ID, "crossref initials", 20) {
				given = strings.TrimSpace(n.initials(". "))
			}
			author = append(author, member{"given", given})
		}
		sequence := "additional"
		if i == 0 {
			sequence = "first"
		}
		out = append(out, append(author, member{"family", n.family}, member{"sequence", sequence}, member{"affiliation", list{}},
			member{"role", list{object{{"vocabulary", "crossref"}, {"role", "author"}}}}))
	}
	return out
}

// crossrefCount is the number of works in Crossref here whose reference list
// names the work: the library has no count of Crossref's own.
func (f finder) crossrefCount(r int32) int {
	n := 0
	for _, from := range f.lib.CitedBy(int(f.records[r].work)) {
		if f.main(from) >= 0 {
			n++
		}
	}
	return n
}

// crossrefReferences is the deposited list: some entries have a DOI, some are
// one free string, some a few fields without either.
func (f finder) crossrefReferences(r int32) list {
	out := list{}
	from := f.of(r).ID
	for i, to := range f.lib.Cites(int(f.records[r].work)) {
		cited := &f.lib.Works[to]
		ref := object{{"key", "ref" + itoa(i+1)}}
		first := ""
		if len(cited.Authors) > 0 {
			first = split(cited.Authors[0]).initials(". ") + split(cited.Authors[0]).family
		}
		kind := hash(from+" "+cited.ID, "reference") % 4
		switch {
		case cited.DOI != "" && kind != 0:
			ref = append(ref, member{"doi-asserted-by", "publisher"}, member{"DOI", cited.DOI})
			if kind == 1 {
				ref = append(ref, member{"article-title", cited.Title})
				ref = appendYear(ref, cited)
			}
		case cited.ArXiv != "" && kind == 1:
			ref = append(ref, member{"doi-asserted-by", "publisher"}, member{"DOI", arXivDOI(cited.ArXiv)})
		case kind == 2:
			ref = append(ref, member{"unstructured", unstructured(cited)})
		default:
			ref = append(ref, member{"article-title", cited.Title})
			if first != "" {
				ref = append(ref, member{"author", first})
			}
			ref = appendYear(ref, cited)
			if cited.Venue != "" {
				ref = append(ref, member{"journal-title", cited.Venue})
			}
		}
		out = append(out, ref)
	}
	return out
}

// unstructured is a reference as one string.
func unstructured(w *Work) string {
	var names []string
	for _, a := range w.Authors[:min(3, len(w.Authors))] {
		names = append(names, split(a).full())
	}
	if len(w.Authors) > 3 {
		names = append(names, "et al.")
	}
	where := w.Venue
	if w.ArXiv != "" && w.DOI == "" {
		where = "arXiv preprint arXiv:" + w.ArXiv
	}
	s := w.Title + ". "
	if len(names) > 0 {
		s = strings.Join(names, ", ") + ". " + s
	}
	if where != "" {
		s += where + ", "
	}
	if w.Year == 0 {
		return strings.TrimRight(s, ", ") + "."
	}
	return s + itoa(w.Year) + "."
}

func appendYear(ref object, w *Work) object {
	if w.Year == 0 {
		return ref
	}
	return append(ref, member{"year", itoa(w.Year)})
}

// hasPreprintRelation reports whether the publisher linked the preprint; one
// in three does.
func hasPreprintRelation(w *Work) bool {
	return w.ArXiv != "" && w.DOI != "" && share(w.ID, "has-preprint", 33)
}

// dateParts is a date as precise as it is known: [[year]], or [[null]].
func dateParts(year int) object {
	if year == 0 {
		return object{{"date-parts", list{list{nil}}}}
	}
	return object{{"date-parts", list{list{year}}}}
}

// dateTime is a date with its time stamp; a year alone stays one.
func dateTime(v string) object {
	parts := list{}
	for _, p := range strings.Split(v, "-") {
		n := 0
		for _, r := range p {
			n = n*10 + int(r-'0')
		}
		parts = append(parts, n)
	}
	at, err := time.Parse(time.DateOnly, firstDay(v))
	if err != nil {
		return object{{"date-parts", list{parts}}}
	}
	return object{{"date-parts", list{parts}}, {"date-time", at.Format(time.RFC3339)}, {"timestamp", int(at.UnixMilli())}}
}
