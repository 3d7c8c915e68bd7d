package sandbox

import (
	"fmt"
	"slices"
	"strings"
)

// s2Chosen are the fields that a call asked for.
type s2Chosen struct {
	fields map[string]bool
	edge   map[string]bool // of a citation: contexts, intents, …
	nested map[string]s2Chosen
	bare   bool // lists of nested papers stay empty
}

// withoutLists leaves the lists of nested papers empty, as they come in
// batches.
func (c s2Chosen) withoutLists() s2Chosen {
	c.bare = true
	return c
}

// s2Order are the fields of a paper in the order in which they come.
var s2Order = strings.Fields(`paperId externalIds corpusId publicationVenue url title venue year referenceCount citationCount influentialCitationCount
	isOpenAccess openAccessPdf fieldsOfStudy s2FieldsOfStudy tldr publicationTypes publicationDate journal citationStyles embedding authors abstract
	citations references`)

var s2Edge = strings.Fields("contexts intents isInfluential contextsWithIntent")

// s2Fields reads fields=; in lists of citations also fields of the citation.
// Without the parameter it is paperId and title, and for lists nothing more.
func s2Fields(v, list string) (chosen s2Chosen, unknown []string) {
	chosen = s2Chosen{fields: map[string]bool{}, edge: map[string]bool{}, nested: map[string]s2Chosen{}}
	if v == "" {
		chosen.fields["title"] = true
		return chosen, nil
	}
	for _, name := range strings.Split(v, ",") {
		name = strings.TrimSpace(name)
		given := name
		if list != "" {
			if slices.Contains(s2Edge, name) {
				chosen.edge[name] = true
				continue
			}
			name = strings.TrimPrefix(strings.TrimPrefix(name, "citedPaper."), "citingPaper.")
		}
		head, rest, dotted := strings.Cut(name, ".")
		switch {
		case name == "":
		case !slices.Contains(s2Order, head):
			unknown = append(unknown, given)
		case dotted && (head == "citations" || head == "references"):
			inner, strange := s2Fields(rest, "")
			if len(strange) > 0 {
				unknown = append(unknown, given)
				continue
			}
			chosen.fields[head] = true
			have := chosen.nested[head]
			if have.fields == nil {
				have = inner
			}
			for f := range inner.fields {
				have.fields[f] = true
			}
			chosen.nested[head] = have
		default:
			chosen.fields[head] = true
		}
	}
	return chosen, unknown
}

// s2Paper is a paper with the chosen fields. paperId is always there.
func (f finder) s2Paper(r int32, chosen s2Chosen) object {
	out := object{}
	for _, name := range s2Order {
		if name == "paperId" || chosen.fields[name] {
			out = append(out, member{name, f.s2Value(r, name, chosen)})
		}
	}
	return out
}

func (f finder) s2Value(r int32, name string, chosen s2Chosen) any {
	rec, w := f.records[r], f.of(r)
	switch name {
	case "paperId":
		return rec.id
	case "externalIds":
		return s2ExternalIDs(w, int(rec.work))
	case "corpusId":
		return corpusID(w, int(rec.work))
	case "url":
		return "https://www.semanticscholar.org/paper/" + rec.id
	case "title":
		return titleIn(SemanticScholar, w)
	case "venue":
		return s2Venue(w)
	case "year":
		if y := f.s2Year(w); y != 0 {
			return y
		}
	case "referenceCount":
		if withheldReferences(w) {
			return 0
		}
		return len(f.lib.Cites(int(rec.work)))
	case "citationCount":
		return f.s2Count(r)
	case "influentialCitationCount":
		return 0
	case "isOpenAccess":
		return s2Open(w)
	case "openAccessPdf":
		return f.s2PDF(r)
	case "fieldsOfStudy":
		if len(w.Fields) > 0 {
			return w.Fields
		}
	case "s2FieldsOfStudy":
		out := list{}
		for _, field := range w.Fields {
			out = append(out, object{{"category", field}, {"source", "external"}})
		}
		return out
	case "publicationTypes":
		if t := s2Types(w); t != nil {
			return t
		}
	case "journal":
		switch {
		case w.Venue != "":
			return object{{"name", w.Venue}}
		case w.ArXiv != "":
			return object{{"volume", "abs/" + w.ArXiv}, {"name", "ArXiv"}}
		}
	case "citationStyles":
		return object{{"bibtex", s2BibTeX(w)}}
	case "authors":
		out := list{}
		for _, a := range w.Authors {
			out = append(out, object{{"authorId", nil}, {"name", shortName(w, a)}})
		}
		return out
	case "abstract":
		if rec.abstract {
			return w.text()
		}
	case "citations", "references":
		return f.s2Nested(rec.work, name, chosen)
	}
	return nil // publicationVenue, tldr, publicationDate, embedding: not known
}

// s2Year mixes the versions of a work, as the service does: half of the works
// with a preprint have its year beside the venue.
func (f finder) s2Year(w *Work) int {
	if w.ArXiv != "" && w.VenueYear != 0 && share(w.ID, "s2 venue year", 50) {
		return w.VenueYear
	}
	return w.Year
}

// s2Count is the number of citing works that /citations lists: the library has
// no count of the service's own.
func (f finder) s2Count(r int32) int {
	n := 0
	for _, from := range f.lib.CitedBy(int(f.records[r].work)) {
		if f.main(from) >= 0 && !withheldReferences(&f.lib.Works[from]) {
			n++
		}
	}
	return n
}

func s2ExternalIDs(w *Work, work int) object {
	out := object{}
	if w.DBLP != "" {
		out = append(out, member{"DBLP", w.DBLP})
	}
	if w.ArXiv != "" {
		out = append(out, member{"ArXiv", w.ArXiv})
	}
	switch {
	case w.DOI != "" && share(w.ID, "s2 doi capitals", 45):
		out = append(out, member{"DOI", strings.ToUpper(w.DOI)})
	case w.DOI != "":
		out = append(out, member{"DOI", w.DOI})
	case w.ArXiv != "" && share(w.ID, "s2 arxiv doi", 50):
		out = append(out, member{"DOI", arXivDOI(w.ArXiv)})
	}
	out = append(out, member{"CorpusId", corpusID(w, work)})
	if w.PMID != "" {
		out = append(out, member{"PubMed", w.PMID})
	}
	if w.PMCID != "" {
		out = append(out, member{"PubMedCentral", strings.TrimPrefix(w.PMCID, "PMC")})
	}
	return out
}

func s2Venue(w *Work) string {
	switch {
	case w.Venue != "":
		return w.Venue
	case w.ArXiv != "":
		return "arXiv.org"
	}
	return ""
}

// s2Types is often null for preprints.
func s2Types(w *Work) []string {
	switch {
	case w.Type == "conference":
		return []string{"Conference"}
	case w.Type == "article" || w.ArXiv != "" && share(w.ID, "s2 type", 50):
		return []string{"JournalArticle"}
	}
	return nil
}

// s2Open reports whether the service has an open copy; of some preprints it
// knows none.
func s2Open(w *Work) bool { return w.ArXiv != "" && share(w.ID, "s2 pdf", 60) }

func (f finder) s2PDF(r int32) object {
	w := f.of(r)
	out := object{{"url", ""}, {"status", nil}, {"license", nil}}
	switch {
	case s2Open(w):
		out[0].value, out[1].value = "https://arxiv.org/pdf/"+w.ArXiv, "GREEN"
	case w.ArXiv == "":
		out[1].value = "CLOSED"
	}
	if !f.records[r].abstract && w.text() != "" {
		out = append(out, member{"disclaimer", "Notice: The following paper fields have been elided by the publisher: {'abstract'}."})
	}
	return out
}

func s2BibTeX(w *Work) string {
	var names []string
	for _, a := range w.Authors {
		names = append(names, shortName(w, a))
	}
	key := "None"
	if len(w.Authors) > 0 {
		key = strings.ReplaceAll(plain(split(w.Authors[0]).family), " ", "") + yearText(w.Year)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "@Article{%s,\n", key)
	if len(names) > 0 {
		fmt.Fprintf(&b, " author = {%s},\n", strings.Join(names, " and "))
	}
	if v := s2Venue(w); v != "" {
		fmt.Fprintf(&b, " journal = {%s},\n", v)
	}
	fmt.Fprintf(&b, " title = {%s},\n year = {%s}\n}\n", titleIn(SemanticScholar, w), yearText(w.Year))
	return b.String()
}

// s2Nested are the papers inside a paper.
func (f finder) s2Nested(work int32, which string, chosen s2Chosen) any {
	out := list{}
	if chosen.bare {
		return out
	}
	inner, ok := chosen.nested[which]
	if !ok {
		inner = s2Chosen{fields: map[string]bool{"title": true}}
	}
	linked := f.lib.CitedBy(int(work))
	if which == "references" {
		linked = f.lib.Cites(int(work))
		if withheldReferences(&f.lib.Works[work]) {
			return out
		}
	}
	for _, other := range linked {
		if which == "references" || f.main(other) >= 0 {
			out = append(out, f.s2Linked(other, inner))
		}
	}
	return out
}
