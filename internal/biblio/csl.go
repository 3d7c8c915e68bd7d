package biblio

import (
	"strings"
)

// cslNames are the finer types of CSL, and those of the programs that write it.
var cslNames = map[string]string{
	"article-journal": Journal, "article-magazine": Magazine, "article-newspaper": Newspaper, "review": Journal, "review-book": Journal, "paper-conference": Conference,
	"speech": Conference, "book": Book, "chapter": Chapter, "entry": Chapter, "entry-encyclopedia": Chapter, "entry-dictionary": Chapter, "thesis": Thesis, "report": Report,
	"dataset": Dataset, "software": Software, "patent": Patent, "standard": Standard, "article": Preprint, "manuscript": Preprint, "webpage": Webpage, "post": Webpage, "post-weblog": Webpage,
	"document": Document,
	// Crossref's own words
	"journal-article": Journal, "proceedings-article": Conference, "book-chapter": Chapter, "posted-content": Preprint, "dissertation": Thesis,
}

var cslTypes = func() map[string]string {
	m := map[string]string{}
	for t := range knownTypes {
		m[t] = t
	}
	return m
}()

// cslTable has the variables of CSL 1.0.2. What CSL has no variable for is in
// "custom", where its schema lets programs put their own.
var cslTable = newTable(CSL, cslFinish, []row{
	{tag: "id", f: fID},
	{tag: "type", f: fType, read: readType(cslNames), write: writeType(CSL, cslTypes, cslNames)},
	{tag: "title", f: fTitle},
	{tag: "title-short", f: fShort},
	{tag: "shortTitle", f: fShort, alias: true},
	{tag: "original-title", f: fOriginal},
	{tag: "custom/translated-title", f: fTranslated},
	{tag: "author", f: fAuthors},
	{tag: "editor", f: fEditors},
	{tag: "issued", f: fDate, raw: true, read: func(e *Entry, v string) bool {
		if strings.HasPrefix(v, "{") { // what Extra keeps of a range or a season
			v, _ = dateIn([]byte(v))
		}
		return fDate.put(e, v)
	}},
	{tag: "published", f: fYear, alias: true},
	{tag: "container-title", f: fContainer},
	{tag: "container-title-short", f: fAbbrev},
	{tag: "journalAbbreviation", f: fAbbrev, alias: true},
	{tag: "collection-title", f: fSeries},
	{tag: "edition", f: fEdition},
	{tag: "publisher", f: fPublisher},
	{tag: "publisher-place", f: fPlace},
	{tag: "volume", f: fVolume},
	{tag: "issue", f: fIssue},
	{tag: "page", f: fPages},
	{tag: "number", f: fArticle},
	{tag: "article-number", f: fArticle, alias: true},
	{tag: "genre", f: fPubTypes, write: func(e *Entry) []string { return joinList(e.PubTypes) }},
	{tag: "language", f: fLanguage},
	{tag: "abstract", f: fAbstract},
	{tag: "DOI", f: fDOI},
	{tag: "PMID", f: fPMID},
	{tag: "PMCID", f: fPMCID},
	{tag: "archive", f: fEprintType},
	{tag: "archive_location", f: fEprint},
	{tag: "ISBN", f: fISBN, write: func(e *Entry) []string { return joinList(e.ISBN) }},
	{tag: "ISSN", f: fISSN, write: func(e *Entry) []string { return joinList(e.ISSN) }},
	{tag: "URL", f: fURL, write: func(e *Entry) []string { return fURL.get(e)[:min(1, len(fURL.get(e)))] }},
	{tag: "custom/urls", f: fURL, write: func(e *Entry) []string { return e.URLs }},
	{tag: "keyword", f: fKeywords, write: bibKeywords(fKeywords)},
	{tag: "custom/mesh", f: fMeSH},
	{tag: "source", f: fDatabase},
	{tag: "custom/accession", f: fAccession},
	{tag: "note", f: fNotes, write: func(e *Entry) []string { return []string{strings.Join(e.Notes, "\n")} }},
})

// cslFinish gives back what archive_location is when the archive is not arXiv.
func cslFinish(e *Entry) {
	for _, x := range e.Extra {
		if x.Name == "archive" && e.ArXiv != "" {
			e.Extra = append(e.Extra, Field{"archive_location", e.ArXiv})
			e.ArXiv = ""
			break
		}
	}
}

// cslLists are the members that are lists of text.
var cslLists = wordSet("custom/urls custom/mesh")

// cslObject is the JSON of one item.
func cslObject(e *Entry) []byte {
	o := newObject("  ")
	custom := newObject("    ")
	cslTable.write(e, func(tag, v string) {
		into, name := o, tag
		if rest, ok := strings.CutPrefix(tag, "custom/"); ok {
			into, name = custom, rest
		}
		_, known := cslTable.byTag[tag]
		switch {
		case tag == "author" || tag == "editor":
		case tag == "issued" && date(v) == v:
			o.raw(name, cslDate(v))
		case cslLists[tag]:
			into.item(name, v)
		case known && tag != "issued":
			into.text(name, v)
		default:
			into.rawOrText(name, v)
		}
		if tag == "type" {
			o.text("title", e.Title)
			o.raw("author", cslPeople(e.Authors))
			o.raw("editor", cslPeople(e.Editors))
		}
	})
	o.raw("custom", custom.bytes())
	return o.bytes()
}

// cslDate is {"date-parts":[[2024,3,5]]}.
func cslDate(d string) []byte {
	var parts []string
	for _, p := range strings.Split(d, "-") {
		parts = append(parts, strings.TrimLeft(p, "0"))
	}
	return []byte(`{"date-parts":[[` + strings.Join(parts, ",") + `]]}`)
}

// cslPeople is a list of names, with particles apart as CSL has them.
func cslPeople(list []Name) []byte {
	if len(list) == 0 {
		return nil
	}
	b := []byte{'['}
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		o := newObject("")
		particle, family := n.Particle()
		o.text("family", family)
		o.text("given", n.Given)
		o.text("non-dropping-particle", particle)
		o.text("suffix", n.Suffix)
		o.text("literal", n.Literal)
		b = append(b, o.bytes()...)
	}
	return append(b, ']')
}
