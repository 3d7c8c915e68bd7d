package canon

import (
	"fmt"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// VerifyLookup reports whether got, which a source returned for an identifier or
// a title, is the work with the given title, authors and year (0 = unknown). The
// titles must agree: the same, at least 0.93 similar, or one a cut form of the
// other by the rules on truncation, with the same numerals. Matching authors
// never rescue another title. Where the title alone is weak evidence, authors
// must agree, or the year when authors are unknown. why says in one sentence
// what was compared, also when ok is true.
func VerifyLookup(title string, authors []string, year int, got state.Record) (ok bool, why string) {
	want := state.Record{Title: title, Year: year}
	for _, a := range authors {
		want.Authors = append(want.Authors, state.Author{Name: a})
	}
	p, q := newProfile(want), newProfile(got)
	c := comparison{p: p, q: q, scheme: "lookup", authors: overlap(p.authors, q.authors)}
	c.facts = compareFacts(p, q, c.authors)
	c.titles()
	heading := fmt.Sprintf("asked for “%s”, got “%s”", p.label(), q.label())
	switch {
	case p.titles[0].key == "" || q.titles[0].key == "":
		return false, heading + ": a title is missing, so the look-up can't be verified"
	case p.titles[0].notice != q.titles[0].notice:
		return false, fmt.Sprintf("%s: one is a notice about the work (%s)", heading, string(max(p.titles[0].notice, q.titles[0].notice)))
	case c.grade <= unknownGrade:
		if c.sim == 0 {
			c.sim = similarity(c.a.key, c.b.key)
		}
		if c.sim >= nearTitle && c.a.numbers != c.b.numbers {
			return false, heading + ": the numerals in the titles differ"
		}
		return false, fmt.Sprintf("%s: the titles differ (similarity %.2f)", heading, c.sim)
	case c.a.numbers != c.b.numbers:
		return false, heading + ": the numerals in the titles differ"
	}
	short := c.shorter()
	if need := map[grade]int{subtitle: 3, prefix: 3, contained: 4}[c.grade]; len(short.distinct) < need {
		return false, fmt.Sprintf("%s: the shorter title has too few distinctive words to stand for the longer one", heading)
	}
	who := c.authors.verdict()
	strong := c.grade == full && !c.a.weak()
	switch {
	case strong || who == agree:
		return true, fmt.Sprintf("%s: title similarity %.2f", heading, c.sim)
	case who == differ && c.grade != full:
		return false, heading + ": the titles agree only in part and the authors differ"
	case who == differ && (!c.facts.near() || c.a.generic()):
		return false, heading + ": the title tells too little and the authors differ"
	case who == unknown && !c.facts.near():
		return false, heading + ": the title tells too little and neither authors nor year confirm it"
	}
	return true, fmt.Sprintf("%s: title similarity %.2f, years at most one apart", text.OneLine(heading), c.sim)
}

// headOfText is the part of a full text, in bytes, in which its title stands.
const headOfText = 8000

// VerifyText reports whether a full text, as fetched under a link that a source
// gave, is the work with the given title and authors: the title stands in its
// first pages, or all the words that make it distinct do, with the surname of an
// author. Authors alone never do. why says in one sentence what was looked for.
func VerifyText(title string, authors []string, fulltext string) (ok bool, why string) {
	want := newTitle(title)
	clean := capped(fulltext, headOfText)
	head := titleKey(clean)
	heading := fmt.Sprintf("looked for “%s” at the beginning of the text", text.Truncate(text.OneLine(capped(title, longestTitle)), 120))
	switch {
	case want.key == "" || head == "":
		return false, heading + ": there is nothing to compare"
	case strings.Contains(compact(head), compact(want.key)) && (!want.weak() || namesAuthor(authors, head)):
		return true, heading + ": it stands there"
	case want.weak():
		return false, heading + ": the title tells too little and no author of the work is named"
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(head) {
		words[w] = true
	}
	found, all := 0, 0
	for _, w := range text.Distinctive(want.words()) {
		if all++; words[w] {
			found++
		}
	}
	for n := range strings.FieldsSeq(want.numbers) {
		if !strings.Contains(" "+strings.Join(numerals(clean), " ")+" ", " "+n+" ") {
			return false, heading + ": the numerals of the title are missing"
		}
	}
	if all >= 4 && found == all && want.latin && namesAuthor(authors, head) {
		return true, heading + ": its words and an author stand there"
	}
	return false, fmt.Sprintf("%s: %d of the %d words that make it distinct stand there", heading, found, all)
}

// namesAuthor reports whether the surname of one of the authors is a word, or
// part of the words, of a key.
func namesAuthor(authors []string, key string) bool {
	padded := " " + key + " "
	for _, a := range authors {
		n := parseName(state.Author{Name: a})
		if len(n.family) > 1 && (strings.Contains(padded, " "+n.family+" ") || n.parts != "" && strings.Contains(padded, " "+n.parts+" ")) {
			return true
		}
	}
	return false
}

// Blended reports whether a record mixes the fields of two versions of a work:
// the DOI of a preprint server beside a venue of publication. Such a record's
// venue and year must not be cited for the preprint, nor its DOI for the
// publication. why names the two.
func Blended(r state.Record) (why string, blended bool) {
	doi := r.IDs[state.DOI]
	if doi == "" && r.IDs[state.ArXiv] != "" {
		doi = state.ArXivDOI(r.IDs[state.ArXiv])
	}
	venue := titleKey(capped(r.Venue, longestTitle))
	if doi == "" || venue == "" || !repositoryDOI(doi) || selfArchive(venue) {
		return "", false
	}
	return fmt.Sprintf("%s is a preprint's DOI, “%s” is not where preprints appear", doi, text.Truncate(text.OneLine(capped(r.Venue, longestTitle)), 80)), true
}

// selfArchive reports whether the key of a venue names a preprint server or an
// archive.
func selfArchive(venue string) bool {
	for _, s := range [...]string{"arxiv", "corr", "biorxiv", "medrxiv", "chemrxiv", "psyarxiv", "rxiv", "ssrn", "preprint", "research square", "zenodo", "figshare", "osf", "peerj preprints", "techrxiv", "repository", "discuss", "hal", "authorea"} {
		if venue == s || strings.HasPrefix(venue, s+" ") || strings.HasSuffix(venue, " "+s) || len(s) > 4 && strings.Contains(venue, s) {
			return true
		}
	}
	return false
}
