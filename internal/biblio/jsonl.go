package biblio

import (
	"strings"
)

// jsonTypes are the words for types in our JSON and CSV: those of CSL, but for
// "article", which means a journal article everywhere else.
var jsonTypes = func() map[string]string {
	m := map[string]string{}
	for t := range knownTypes {
		m[t] = t
	}
	m[Preprint] = "preprint"
	return m
}()

// jsonNames are all words for a type that are met in JSON and tables, in small
// letters.
var jsonNames = func() map[string]string {
	m := map[string]string{}
	for _, names := range []map[string]string{cslNames, nbibNames, wosNames, bibNames} { // later ones win: "article"
		for word, t := range names {
			m[strings.ToLower(word)] = t
		}
	}
	for word, t := range map[string]string{
		"preprint": Preprint, "preprints": Preprint, "conference": Conference, "conference paper": Conference, "conference-paper": Conference, "proceedings-article": Conference,
		"conference abstract": Conference, "conference review": Conference, "article in press": Journal, "short survey": Journal, "erratum": Journal, "retracted": Journal,
		"journalarticle": Journal, "magazinearticle": Magazine, "newspaperarticle": Newspaper, "conferencepaper": Conference, "booksection": Chapter, "book section": Chapter,
		"book-chapter": Chapter, "computerprogram": Software, "web page": Webpage, "blogpost": Webpage, "manuscript": Preprint, "ieee journals": Journal, "ieee conferences": Conference,
		"clinical trial": Journal, "trial registry record": Document, "generic": Document, "post": Preprint,
	} {
		m[word] = t
	}
	return m
}()

// jsonTable has the members of our JSON lines; the aliases are those of data
// sets and of the JSON of other programs.
var jsonTable = newTable(JSONL, jsonFinish, []row{
	{tag: "id", f: fID},
	{tag: "record_id", f: fID, alias: true},
	{tag: "doc_id", f: fID, alias: true},
	{tag: "paperId", f: fID, alias: true},
	{tag: "type", f: fType, read: readType(jsonNames), write: func(e *Entry) []string { return []string{jsonTypes[e.Type]} }},
	{tag: "publication_types", f: fPubTypes},
	{tag: "title", f: fTitle},
	{tag: "short_title", f: fShort},
	{tag: "original_title", f: fOriginal},
	{tag: "translated_title", f: fTranslated},
	{tag: "authors", f: fAuthors},
	{tag: "author", f: fAuthors, alias: true},
	{tag: "editors", f: fEditors},
	{tag: "editor", f: fEditors, alias: true},
	{tag: "year", f: fYear, raw: true},
	{tag: "date", f: fFiner, raw: true, write: func(e *Entry) []string {
		if len(e.Date) <= 4 {
			return nil
		}
		return fDate.get(e)
	}},
	{tag: "venue", f: fContainer},
	{tag: "journal", f: fContainer, alias: true},
	{tag: "booktitle", f: fContainer, alias: true},
	{tag: "container", f: fContainer, alias: true},
	{tag: "venue_abbrev", f: fAbbrev},
	{tag: "series", f: fSeries},
	{tag: "edition", f: fEdition},
	{tag: "volume", f: fVolume},
	{tag: "issue", f: fIssue},
	{tag: "number", f: fIssue, alias: true},
	{tag: "pages", f: fPages},
	{tag: "article_number", f: fArticle},
	{tag: "publisher", f: fPublisher},
	{tag: "institution", f: fPublisher, alias: true},
	{tag: "place", f: fPlace},
	{tag: "language", f: fLanguage},
	{tag: "abstract", f: fAbstract},
	{tag: "doi", f: fDOI},
	{tag: "pmid", f: fPMID},
	{tag: "pmcid", f: fPMCID},
	{tag: "arxiv", f: fArXiv},
	{tag: "isbn", f: fISBN, read: fSerial.put},
	{tag: "issn", f: fISSN, read: fSerial.put},
	{tag: "urls", f: fURL},
	{tag: "url", f: fURL, alias: true},
	{tag: "keywords", f: fKeywords},
	{tag: "mesh", f: fMeSH},
	{tag: "accession", f: fAccession},
	{tag: "database", f: fDatabase},
	{tag: "source", f: fDatabase, alias: true},
	{tag: "notes", f: fNotes},
	{tag: "note", f: fNotes, alias: true},
	{tag: "sentences", f: &field{}, alias: true, read: func(e *Entry, v string) bool {
		e.Abstract = oneLine(e.Abstract + " " + v)
		return true
	}},
})

// jsonFinish takes a record with a journal and no type for an article.
func jsonFinish(e *Entry) {
	if e.Type == "" && e.Container != "" {
		e.Type = Journal
	}
}

var jsonLists = wordSet("publication_types isbn issn urls keywords mesh notes")

// MarshalJSON gives the one JSON form of an entry: members in snake_case, the
// empty ones left out, authors as {"family","given","suffix"} or {"literal"},
// year as a number, date only where it says more than the year.
func (e Entry) MarshalJSON() ([]byte, error) {
	e = e.Normal()
	return jsonObject(&e), nil
}

// jsonFirst are the members before the authors.
var jsonFirst = wordSet("id type publication_types title short_title original_title translated_title")

// jsonObject is the line of an entry in normal form.
func jsonObject(e *Entry) []byte {
	b := make([]byte, 1, 512+len(e.Abstract)+len(e.Title))
	b[0] = '{'
	member := func(name string) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), name...), '"', ':')
	}
	bare := *e
	bare.Extra = nil
	people, open := false, ""
	jsonTable.write(&bare, func(tag, v string) {
		if open != "" && open != tag {
			b, open = append(b, ']'), ""
		}
		if !people && !jsonFirst[tag] {
			people = true
			for _, x := range []struct {
				name string
				list []Name
			}{{"authors", e.Authors}, {"editors", e.Editors}} {
				if len(x.list) > 0 {
					member(x.name)
					b = appendPeople(b, x.list)
				}
			}
		}
		switch {
		case tag == "authors" || tag == "editors":
		case tag == "year":
			member(tag)
			b = append(b, strings.TrimLeft(v, "0")...)
		case open == tag:
			b = appendQuoted(append(b, ','), v)
		case jsonLists[tag]:
			open = tag
			member(tag)
			b = appendQuoted(append(b, '['), v)
		default:
			member(tag)
			b = appendQuoted(b, v)
		}
	})
	if open != "" {
		b = append(b, ']')
	}
	for _, x := range []struct{ name, v string }{{"format", string(e.Format)}, {"raw_type", e.RawType}} {
		if x.v != "" {
			member(x.name)
			b = appendQuoted(b, x.v)
		}
	}
	if len(e.Extra) > 0 {
		member("extra")
		b = append(b, '[')
		for i, f := range e.Extra {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendQuoted(append(b, `{"name":`...), f.Name)
			b = append(appendQuoted(append(b, `,"value":`...), f.Value), '}')
		}
		b = append(b, ']')
	}
	return append(b, '}')
}

func appendPeople(b []byte, list []Name) []byte {
	b = append(b, '[')
	for i, n := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '{')
		for _, x := range []struct{ name, v string }{{"family", n.Family}, {"given", n.Given}, {"suffix", n.Suffix}, {"literal", n.Literal}} {
			if x.v == "" {
				continue
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(append(append(b, '"'), x.name...), '"', ':')
			b = appendQuoted(b, x.v)
		}
		b = append(b, '}')
	}
	return append(b, ']')
}
