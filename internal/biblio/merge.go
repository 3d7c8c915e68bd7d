package biblio

import (
	"slices"
	"strings"
)

// Merge makes one entry of the entries of one work: of every field the best
// value that any of them has. The first entry decides where values are equally
// good. It must not be empty.
//
//   - text fields: the longest title, abstract and author list; of the others
//     the first that is there
//   - a published version stands before a preprint: its type, date, venue,
//     volume, issue, pages and DOI come from one entry, never blended
//   - identifiers, addresses, keywords and notes: all of them
func Merge(entries []Entry) Entry {
	out := versionOf(entries)
	for _, e := range entries {
		longer(&out.Title, e.Title)
		longer(&out.Abstract, e.Abstract)
		for _, f := range []struct{ to, from *string }{
			{&out.ShortTitle, &e.ShortTitle}, {&out.OriginalTitle, &e.OriginalTitle}, {&out.TranslatedTitle, &e.TranslatedTitle},
			{&out.Language, &e.Language}, {&out.DOI, &e.DOI}, {&out.ArXiv, &e.ArXiv}, {&out.PMID, &e.PMID}, {&out.PMCID, &e.PMCID}, {&out.URL, &e.URL},
			{&out.Abbrev, &e.Abbrev}, {&out.Publisher, &e.Publisher}, {&out.Place, &e.Place}, {&out.Series, &e.Series}, {&out.Edition, &e.Edition},
		} {
			if *f.to == "" {
				*f.to = *f.from
			}
		}
		// A part of the place in a volume is taken from a copy of the same
		// volume only.
		if e.Container != "" && strings.EqualFold(e.Container, out.Container) && e.Year() == out.Year() {
			for _, f := range []struct{ to, from *string }{{&out.Volume, &e.Volume}, {&out.Issue, &e.Issue}, {&out.Pages, &e.Pages}, {&out.ArticleNumber, &e.ArticleNumber}} {
				if *f.to == "" {
					*f.to = *f.from
				}
			}
			if len(e.Date) > len(out.Date) && strings.HasPrefix(e.Date, out.Date) {
				out.Date = e.Date
			}
		}
		if out.Date == "" {
			out.Date = e.Date
		}
		if betterNames(e.Authors, out.Authors) {
			out.Authors = e.Authors
		}
		if len(out.Editors) == 0 {
			out.Editors = e.Editors
		}
		for _, f := range []struct{ to, from *[]string }{{&out.ISBN, &e.ISBN}, {&out.ISSN, &e.ISSN}, {&out.URLs, &e.URLs}, {&out.Keywords, &e.Keywords},
			{&out.MeSH, &e.MeSH}, {&out.Notes, &e.Notes}, {&out.PubTypes, &e.PubTypes}} {
			for _, v := range *f.from {
				if !slices.ContainsFunc(*f.to, func(have string) bool { return strings.EqualFold(have, v) }) {
					*f.to = append((*f.to)[:len(*f.to):len(*f.to)], v)
				}
			}
		}
		if e.DOI != "" && !strings.EqualFold(e.DOI, out.DOI) {
			url := "https://doi.org/" + e.DOI
			if !slices.Contains(out.URLs, url) {
				out.URLs = append(out.URLs[:len(out.URLs):len(out.URLs)], url)
			}
		}
	}
	return out.Normal()
}

// versionOf picks the entry that the work is cited by: published before
// preprint, then the one with more of what a citation needs.
func versionOf(entries []Entry) Entry {
	best, most := 0, -1
	for i, e := range entries {
		n := 0
		if e.Type != Preprint {
			n += 100
		}
		for _, v := range []string{e.DOI, e.Container, e.Volume, e.Pages, e.Date, e.Title} {
			if v != "" {
				n += 10
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return entries[best]
}

func longer(to *string, from string) {
	if len(from) > len(*to) {
		*to = from
	}
}

// betterNames prefers names in parts, full given names, and longer lists.
func betterNames(a, b []Name) bool {
	worth := func(names []Name) int {
		n := 0
		for _, x := range names {
			n += 10
			if x.Family != "" {
				n += min(len(x.Given), 9)
			}
		}
		return n
	}
	return worth(a) > worth(b)
}
