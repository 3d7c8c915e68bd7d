package canon

import (
	"strings"

	"optimistresearch/state"
)

// facts compares what two records say about the publication.
type facts struct {
	doi, pmid, arxiv, dblp tri
	venue, volume, issue   tri
	page                   tri
	years                  int // difference; only if yearKnown
	yearKnown              bool
	version                bool // one is a preprint, the other is not
	preprints              bool // both are
	located                bool // the same place in print
	pages                  bool // the same range of three or more pages
	classes                bool // one conference, one journal
	meetings               bool // both conference
	issues                 bool // both issues are numbers of at most two digits, not article numbers
	copied                 bool // one is a bare record of a deposit, the other tells where it was printed
	samePrefix             bool // of the DOIs
	sameRepository         bool // that gives each version a DOI
	cochrane               bool // both
	updates                bool // Cochrane reviews whose updates count as one work
	theses                 bool // both a thesis or its abstract
	twice                  bool // two entries of one catalogue
	rosters                bool // the author lists differ, and neither is known to be cut
}

func compareFacts(p, q *profile, who shared) facts {
	a, b := p.rec.IDs, q.rec.IDs
	f := facts{
		doi: sameText(p.stem, q.stem), pmid: sameText(a[state.PMID], b[state.PMID]), arxiv: sameText(a[state.ArXiv], b[state.ArXiv]),
		dblp:  sameText(a[state.DBLP], b[state.DBLP]),
		venue: p.venue.same(q.venue), volume: sameVolume(p, q), issue: sameIssue(p, q), page: samePage(p, q),
		version: p.preprint != q.preprint, preprints: p.preprint && q.preprint,
		cochrane: p.cochrane && q.cochrane, theses: p.thesis && q.thesis,
		twice: p.catalogue != "" && p.catalogue == q.catalogue && p.rec.Key != q.rec.Key,
	}
	if f.dblp == differ && (strings.HasPrefix(a[state.DBLP], "journals/corr/") || strings.HasPrefix(b[state.DBLP], "journals/corr/")) {
		f.dblp = unknown
	}
	if p.rec.Year != 0 && q.rec.Year != 0 {
		f.yearKnown, f.years = true, max(p.rec.Year-q.rec.Year, q.rec.Year-p.rec.Year)
	}
	f.classes = p.venue.class != "" && q.venue.class != "" && p.venue.class != q.venue.class && !p.venue.meets(q.venue)
	f.samePrefix = prefixOf(p.stem) == prefixOf(q.stem)
	f.sameRepository = f.preprints && versioned[prefixOf(p.stem)] && f.samePrefix
	f.issues = len(p.issue) <= 2 && len(q.issue) <= 2
	f.meetings = p.venue.class == conference && q.venue.class == conference
	if shifted(p, q) && f.venue == agree {
		f.volume, f.issue, f.page = agree, agree, unknown
		f.located = true
	}
	f.located = f.located || f.page == agree && (f.volume == agree || f.venue == agree && f.near() && p.page != "1" ||
		f.yearKnown && f.years == 0 && f.volume != differ && f.venue != differ && len(p.page) > 1)
	f.pages = f.venue == agree && samePages(p, q) && f.yearKnown && f.years == 0 && f.volume != differ && f.issue != differ &&
		(f.volume == agree || f.meetings)
	f.copied = p.bare() && q.printed() || q.bare() && p.printed()
	f.rosters = who.smaller != who.larger && who.smaller > 0 && !p.rec.AuthorsCut && !q.rec.AuthorsCut
	return f
}

// near reports whether the years are known and at most one apart.
func (f *facts) near() bool { return f.yearKnown && f.years <= 1 }

// far reports whether the years speak against one work. A preprint may come out
// years before its publication.
func (f *facts) far() bool {
	if !f.yearKnown || f.updates {
		return false
	}
	if f.version || f.preprints {
		return f.years > 6
	}
	return f.years > 1
}

// conflict names the contradiction between the publication facts of two records
// whose titles agree, "" if there is none.
func (f *facts) conflict() string {
	switch {
	case f.updates:
		return ""
	case f.cochrane && (f.doi == differ || f.yearKnown && f.years > 0):
		return "cochrane_update"
	case f.doi == agree:
		return ""
	case f.arxiv == differ && (f.version || f.preprints):
		return "arxiv"
	case f.version:
		return ""
	case f.preprints:
		if f.doi == differ && !f.sameRepository && f.samePrefix {
			return "doi"
		}
		return ""
	case f.pmid == differ && !f.located:
		return "pmid"
	case f.classes && !f.located && f.pmid != agree:
		return "conference_journal"
	case f.dblp == differ:
		return "dblp"
	case f.twice:
		return "catalogue"
	case f.doi == differ && (!f.located || f.volume == differ || f.issue == differ || f.rosters) && !f.copied:
		return "doi"
	case f.pmid == agree || f.located:
		return ""
	case f.far(), f.meetings && f.yearKnown && f.years > 0 && f.venue != agree:
		return "year"
	case f.venue == differ && (f.page == differ || f.volume == differ || !f.near() || f.years > 0),
		f.page == differ && (f.volume == differ || f.issue == differ),
		f.venue != agree && f.page == differ && f.volume != agree,
		f.volume == differ && f.page == unknown && f.years > 0,
		f.issue == differ && f.page == unknown && f.volume == agree && f.issues:
		return "publication"
	}
	return ""
}
