package pubmed

import (
	"cmp"
	"regexp"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// record turns an entry into a record, or says why it cannot be one. The
// PMID is set in either case.
func (e entry) record() (state.Record, string) {
	switch {
	case e.Article != nil:
		return e.Article.record()
	case e.Book != nil:
		return e.Book.record()
	}
	return state.Record{}, "neither an article nor a book"
}

func (a *article) record() (state.Record, string) {
	r, ok := begin(a.PMID)
	if !ok {
		return r, "no PMID"
	}
	addTitle(&r, a.Article.Title, a.Article.Vernacular)
	if r.Title == "" {
		return r, "no title"
	}
	journal := a.Article.Journal
	r.Venue = plain(cmp.Or(journal.Title, journal.Short))
	r.Volume, r.Issue = plain(journal.Issue.Volume), plain(journal.Issue.Issue)
	addDate(&r, append([]pubDate{journal.Issue.Date}, a.Article.Dates...)...)
	addPages(&r, a.Article.Pages, a.Article.Locations)
	addIDs(&r, a.IDs, a.Article.Locations)
	addLanguages(&r, a.Article.Languages)
	addAbstract(&r, a.Article.Abstract, a.Others)
	addAuthors(&r, a.Article.Authors)
	r.ISSN = issns(journal.ISSN, a.ISSN)
	r.Subjects = subjects(a.Headings, a.Supplements)
	r.Keywords = keywords(a.Keywords)
	r.Funding = funding(a.Article.Grants)
	addTypes(&r, a.Article.Types)
	r.Kind = state.Published
	if isPreprint(a.Article.Types, r.Venue) {
		r.Kind = state.Preprint
	}
	addCorrections(&r, a.Article.Types, a.Corrections)
	return r, ""
}

func (b *book) record() (state.Record, string) {
	r, ok := begin(b.PMID)
	if !ok {
		return r, "no PMID"
	}
	r.Kind = state.Other
	addTitle(&r, b.Title, b.Vernacular)
	addDate(&r, b.Contributed, b.Book.Date)
	authors := b.Authors
	if r.Title != "" {
		r.Type, r.Venue = "book chapter", withoutFullStop(plain(b.Book.Title.Inner))
	} else {
		addTitle(&r, b.Book.Title, markup{})
		r.Type = "book"
		authors = append(authors, b.Book.Authors...)
	}
	if r.Title == "" {
		return r, "no title"
	}
	r.Publisher, r.Volume = plain(b.Book.Publisher), plain(b.Book.Volume)
	addPages(&r, b.Pages, nil)
	addIDs(&r, append(append([]articleID{}, b.IDs...), b.Data...), b.Locations)
	for _, id := range b.IDs {
		if accession := plain(id.Value); id.Type == "bookaccession" && nbk.MatchString(accession) {
			r.Links = append(r.Links, state.OALink{URL: "https://www.ncbi.nlm.nih.gov/books/" + accession + "/", Kind: "html", Source: Name})
		}
	}
	addLanguages(&r, b.Languages)
	addAbstract(&r, b.Abstract, b.Others)
	addAuthors(&r, byRole(authors))
	r.ISBN = distinct(b.Book.ISBN)
	r.Keywords = keywords(b.Keywords)
	r.Funding = funding(b.Grants)
	return r, ""
}

var nbk = regexp.MustCompile(`^NBK[0-9]+$`)

// byRole keeps the authors where there are any, else the editors.
func byRole(lists []authorList) []authorList {
	var authors []authorList
	for _, l := range lists {
		if l.Type != "editors" {
			authors = append(authors, l)
		}
	}
	if len(authors) > 0 {
		return authors
	}
	return lists
}

// begin is a record with nothing but its identity.
func begin(raw string) (state.Record, bool) {
	pmid := state.NormalizePMID(raw)
	if pmid == "" {
		return state.Record{Source: Name, IDs: state.IDs{}}, false
	}
	return state.Record{
		Key: state.RecordKey(Name, pmid, state.Record{}), Source: Name,
		IDs: state.IDs{state.PMID: pmid}, URL: "https://pubmed.ncbi.nlm.nih.gov/" + pmid + "/",
	}, true
}

// addTitle reads both titles. PubMed puts a full stop after each, and square
// brackets around one that its staff translated; "[Not Available]." stands for
// no translation.
func addTitle(r *state.Record, title, vernacular markup) {
	t, original := plain(title.Inner), withoutFullStop(plain(vernacular.Inner))
	translated := false
	if inner, ok := bracketed(strings.TrimSuffix(t, ".")); ok {
		t, translated = inner, true
	}
	t = withoutFullStop(t)
	if translated && (strings.EqualFold(t, "not available") || strings.EqualFold(t, "in process citation")) || t == "" {
		t, original = original, ""
	} else if translated {
		r.Notes = append(r.Notes, "the title is PubMed's translation")
	}
	r.Title, r.AltTitle = t, original
}

// bracketed returns what the first bracket encloses when that is all there is;
// "[18F]FDG PET in [sic]" is not.
func bracketed(s string) (string, bool) {
	if !strings.HasPrefix(s, "[") || !strings.HasSuffix(s, "]") {
		return s, false
	}
	depth := 0
	for i, c := range s {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth == 0 {
			return strings.TrimSpace(s[1:i]), i == len(s)-1
		}
	}
	return s, false
}

// withoutFullStop drops one full stop at the end, unless it belongs to an
// ellipsis or to an abbreviation such as "U.S.".
func withoutFullStop(s string) string {
	last := s[strings.LastIndexByte(s, ' ')+1:]
	if strings.HasSuffix(s, ".") && strings.Count(last, ".") == 1 {
		return strings.TrimSpace(s[:len(s)-1])
	}
	return s
}

// addPages reads the pages, or the number of an article that has none.
func addPages(r *state.Record, p pages, locations []location) {
	r.Pages = plain(p.Medline)
	if start, end := plain(p.Start), plain(p.End); r.Pages == "" && start != "" {
		r.Pages = start
		if end != "" && end != start {
			r.Pages += "-" + end
		}
	}
	// MEDLINE leaves out what both ends share: 101-5 is 101-105.
	if m := shortRange.FindStringSubmatch(r.Pages); m != nil && len(m[2]) < len(m[1]) {
		r.Pages = m[1] + "-" + m[1][:len(m[1])-len(m[2])] + m[2]
	}
	for _, l := range locations {
		if number := plain(l.Value); r.Pages == "" && l.Type == "pii" && l.Valid != "N" && articleNumber.MatchString(number) {
			r.Pages = number
		}
	}
}

// articleNumber matches e1234, 110872 or bbab123, but no publisher's item
// identifier such as S0140-6736(20)30183-5.
var articleNumber = regexp.MustCompile(`^[A-Za-z]{0,6}[0-9]{1,8}$`)

var shortRange = regexp.MustCompile(`^([0-9]+)-([0-9]+)$`)

var arxivPII = regexp.MustCompile(`(?i)^arxiv:`)

// addIDs takes the identifiers that PubMed itself gives the work; the
// publisher's own statement (ELocationID) fills in.
func addIDs(r *state.Record, ids []articleID, locations []location) {
	for _, id := range ids {
		switch value := plain(id.Value); id.Type {
		case "doi":
			if r.IDs[state.DOI] == "" {
				r.IDs.SetDOI(value)
			}
		case "pmc", "pmcid":
			if pmc := state.NormalizePMCID(value); pmc != "" && r.IDs[state.PMCID] == "" {
				r.IDs[state.PMCID] = pmc
				r.Links = append(r.Links, state.OALink{URL: "https://pmc.ncbi.nlm.nih.gov/articles/" + pmc + "/", Kind: "html", Source: Name})
			}
		}
	}
	for _, l := range locations {
		switch value := plain(l.Value); {
		case l.Valid == "N":
		case l.Type == "doi" && r.IDs[state.DOI] == "" && r.IDs[state.ArXiv] == "":
			r.IDs.SetDOI(value)
		case l.Type == "pii" && arxivPII.MatchString(value):
			if id, version := state.NormalizeArXiv(value); id != "" {
				r.IDs[state.ArXiv], r.Version = id, version
			}
		}
	}
}

// plain is a text without markup, control characters and line breaks.
func plain(s string) string {
	return text.Strip(strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, s))
}
