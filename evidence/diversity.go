package evidence

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Limits beyond which a review's evidence counts as concentrated (ODR, section 9).
const (
	MaxTopDocument  = 0.35
	MaxTopGroup     = 0.30
	MinFirstAuthors = 4

	recentYears = 3
)

// Report says how widely admitted evidence is spread. Shares are in [0,1]:
// those of documents and author groups over evidence items, all others over
// documents with evidence.
type Report struct {
	Items            int      `json:"items"`
	Documents        int      `json:"documents"`
	FirstAuthors     int      `json:"first_authors"`
	Venues           int      `json:"venues"`
	AuthorGroups     int      `json:"author_groups"`
	TopDocument      string   `json:"top_document,omitempty"`
	TopDocumentShare float64  `json:"top_document_share"`
	TopGroup         []string `json:"top_group,omitempty"` // its documents
	TopGroupShare    float64  `json:"top_group_share"`
	PreprintShare    float64  `json:"preprint_share"`
	GreyShare        float64  `json:"grey_share"`            // theses, reports, web pages, unknown; not books
	MedianYear       int      `json:"median_year,omitempty"` // the earlier of two middle ones; 0 = no year is known
	RecentShare      float64  `json:"recent_share"`          // year of the question and the two before, of documents with a year
	Flags            []string `json:"flags,omitempty"`       // sentences
}

// Diversity reports on the documents that gave admitted evidence (ODR, section
// 9). Without admitted evidence it is zero and flags nothing.
func Diversity(s *state.State) Report {
	items := map[string]int{}
	r := Report{}
	for _, e := range s.Admitted("") {
		items[e.Document]++
		r.Items++
	}
	if r.Items == 0 {
		return r
	}
	ids := state.Keys(items)
	r.Documents = len(ids)
	share := func(n, of int) float64 { return float64(n) / float64(max(of, 1)) }

	preprints, grey, recent := 0, 0, 0
	var years []int
	venues := map[string]bool{}
	for _, id := range ids {
		d := s.Documents[id]
		if n := items[id]; share(n, r.Items) > r.TopDocumentShare {
			r.TopDocument, r.TopDocumentShare = id, share(n, r.Items)
		}
		if v := text.TitleKey(d.Best().Venue); v != "" {
			venues[v] = true
		}
		switch {
		case d.Kind() == state.Preprint:
			preprints++
		case d.Kind() != state.Published && !book(d.Best().Type):
			grey++
		}
		if y := d.Year(); y != 0 {
			years = append(years, y)
			if s.Question != nil && y > s.Question.Year-recentYears {
				recent++
			}
		}
	}
	r.Venues, r.PreprintShare, r.GreyShare = len(venues), share(preprints, r.Documents), share(grey, r.Documents)
	r.FirstAuthors = firstAuthors(s, ids)
	if len(years) > 0 {
		slices.Sort(years)
		r.MedianYear, r.RecentShare = years[(len(years)-1)/2], share(recent, len(years))
	}
	groups := authorGroups(s, ids)
	r.AuthorGroups = len(groups)
	for _, g := range groups {
		n := 0
		for _, id := range g {
			n += items[id]
		}
		if share(n, r.Items) > r.TopGroupShare {
			r.TopGroup, r.TopGroupShare = g, share(n, r.Items)
		}
	}
	r.flag()
	return r
}

func (r *Report) flag() {
	if r.TopDocumentShare > MaxTopDocument {
		r.Flags = append(r.Flags, fmt.Sprintf("%s supplies %.0f %% of the evidence (more than %.0f %%)", r.TopDocument, 100*r.TopDocumentShare, 100*MaxTopDocument))
	}
	if r.TopGroupShare > MaxTopGroup {
		r.Flags = append(r.Flags, fmt.Sprintf("one author group supplies %.0f %% of the evidence (more than %.0f %%)", 100*r.TopGroupShare, 100*MaxTopGroup))
	}
	if r.FirstAuthors < MinFirstAuthors {
		r.Flags = append(r.Flags, fmt.Sprintf("the evidence has %d distinct first authors (fewer than %d)", r.FirstAuthors, MinFirstAuthors))
	}
}

func book(kind string) bool {
	kind = strings.ToLower(kind)
	return strings.Contains(kind, "book") || strings.Contains(kind, "monograph") || strings.Contains(kind, "chapter")
}

// firstAuthors counts distinct first authors; a document without authors adds
// none.
func firstAuthors(s *state.State, ids []string) int {
	var first [][]person
	for _, id := range ids {
		if p := persons(s.Documents[id].Authors); len(p) > 0 {
			first = append(first, p[:1])
		}
	}
	slices.SortFunc(first, func(a, b []person) int { return cmp.Compare(a[0].family+a[0].given, b[0].family+b[0].given) })
	keys := newKeyring(first)
	seen := map[string]bool{}
	n := 0
	for _, f := range first {
		known := false
		for _, k := range keys.of(f[0]) {
			known = known || seen[k]
			seen[k] = true
		}
		if !known {
			n++
		}
	}
	return n
}
