package biblio

import "strings"

// field is one property of an Entry as text: how it is read out and put in.
// put reports false for a value that it cannot take.
type field struct {
	many bool // several values; else the first one counts
	get  func(*Entry) []string
	put  func(*Entry, string) bool
}

// one makes the field of a single value.
func one(at func(*Entry) *string) *field {
	return &field{
		get: func(e *Entry) []string {
			if v := *at(e); v != "" {
				return []string{v}
			}
			return nil
		},
		put: func(e *Entry, v string) bool { *at(e) = v; return true },
	}
}

// several makes the field of a list.
func several(at func(*Entry) *[]string) *field {
	return &field{
		many: true,
		get:  func(e *Entry) []string { return *at(e) },
		put:  func(e *Entry, v string) bool { *at(e) = append(*at(e), v); return true },
	}
}

// people makes the field of a list of names, one value each.
func people(at func(*Entry) *[]Name) *field {
	return &field{
		many: true,
		get:  func(e *Entry) []string { return joinedAll(*at(e)) },
		put: func(e *Entry, v string) bool {
			if strings.IndexByte(v, ';') >= 0 {
				*at(e) = append(*at(e), splitNames(v)...)
			} else {
				*at(e) = append(*at(e), parse(v))
			}
			return true
		},
	}
}

// The fields that tables name.
var (
	fID         = one(func(e *Entry) *string { return &e.ID })
	fTitle      = one(func(e *Entry) *string { return &e.Title })
	fShort      = one(func(e *Entry) *string { return &e.ShortTitle })
	fOriginal   = one(func(e *Entry) *string { return &e.OriginalTitle })
	fTranslated = one(func(e *Entry) *string { return &e.TranslatedTitle })
	fContainer  = one(func(e *Entry) *string { return &e.Container })
	fAbbrev     = one(func(e *Entry) *string { return &e.Abbrev })
	fSeries     = one(func(e *Entry) *string { return &e.Series })
	fEdition    = one(func(e *Entry) *string { return &e.Edition })
	fPublisher  = one(func(e *Entry) *string { return &e.Publisher })
	fPlace      = one(func(e *Entry) *string { return &e.Place })
	fVolume     = one(func(e *Entry) *string { return &e.Volume })
	fIssue      = one(func(e *Entry) *string { return &e.Issue })
	fPages      = one(func(e *Entry) *string { return &e.Pages })
	fArticle    = one(func(e *Entry) *string { return &e.ArticleNumber })
	fLanguage   = one(func(e *Entry) *string { return &e.Language })
	fAbstract   = one(func(e *Entry) *string { return &e.Abstract })
	fDOI        = one(func(e *Entry) *string { return &e.DOI })
	fArXiv      = one(func(e *Entry) *string { return &e.ArXiv })
	fPMID       = one(func(e *Entry) *string { return &e.PMID })
	fPMCID      = one(func(e *Entry) *string { return &e.PMCID })
	fAccession  = one(func(e *Entry) *string { return &e.Accession })
	fDatabase   = one(func(e *Entry) *string { return &e.Database })
	fType       = one(func(e *Entry) *string { return &e.Type })

	fPubTypes = several(func(e *Entry) *[]string { return &e.PubTypes })
	fKeywords = several(func(e *Entry) *[]string { return &e.Keywords })
	fMeSH     = several(func(e *Entry) *[]string { return &e.MeSH })
	fNotes    = several(func(e *Entry) *[]string { return &e.Notes })
	fISSN     = several(func(e *Entry) *[]string { return &e.ISSN })
	fISBN     = several(func(e *Entry) *[]string { return &e.ISBN })

	fAuthors = people(func(e *Entry) *[]Name { return &e.Authors })
	fEditors = people(func(e *Entry) *[]Name { return &e.Editors })

	fURL = &field{
		many: true,
		get: func(e *Entry) []string {
			if e.URL == "" {
				return nil
			}
			return append([]string{e.URL}, e.URLs...)
		},
		put: func(e *Entry, v string) bool { e.addURL(v); return true },
	}

	// fDate takes any spelling. What has no year is left in Date for the
	// warning, and refused.
	fDate = &field{
		get: func(e *Entry) []string {
			if e.Date != "" {
				return []string{e.Date}
			}
			return nil
		},
		put: func(e *Entry, v string) bool {
			d := date(v)
			if d == "" {
				if e.Date == "" {
					e.Date = v
				}
				return false
			}
			e.Date = d
			return true
		},
	}

	// fYear fills a date that another field has not, and corrects one of
	// another year.
	fYear = &field{
		get: func(e *Entry) []string {
			if len(e.Date) < 4 {
				return nil
			}
			return []string{e.Date[:4]}
		},
		put: func(e *Entry, v string) bool {
			d := date(v)
			if d == "" {
				if e.Date == "" {
					e.Date = v
				}
				return false
			}
			if len(e.Date) < len(d) || date(e.Date) == "" || !strings.HasPrefix(e.Date, d[:4]) {
				e.Date = d
			}
			return true
		},
	}

	// fFiner fills a date that no other field has, and refines one of the same
	// year.
	fFiner = &field{
		get: fYear.get,
		put: func(e *Entry, v string) bool {
			d := date(v)
			switch {
			case d == "":
				if e.Date == "" {
					e.Date = v
				}
				return false
			case date(e.Date) == "", len(d) > len(e.Date) && strings.HasPrefix(d, e.Date[:4]):
				e.Date = d
			case d[:4] != e.Date[:4]:
				return false
			}
			return true
		},
	}

	// fSerial is a number that may be an ISSN or an ISBN.
	fSerial = &field{
		many: true,
		get:  func(e *Entry) []string { return append(append([]string(nil), e.ISSN...), e.ISBN...) },
		put: func(e *Entry, v string) bool {
			issns, isbns := serials(v)
			e.ISSN, e.ISBN = append(e.ISSN, issns...), append(e.ISBN, isbns...)
			return len(issns)+len(isbns) > 0
		},
	}
)
