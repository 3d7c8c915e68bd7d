package report

import (
	"fmt"

	"optimistresearch/evidence"
)

// diversity says how widely the evidence is spread, and flags where it rests
// on few.
func (v *view) diversity(p *page) {
	r := evidence.Diversity(v.s)
	if r.Items == 0 {
		return
	}
	years := ""
	if r.MedianYear != 0 {
		years = fmt.Sprintf("; their median year is %d, and %.0f %% of those with a known year are from the last three years", r.MedianYear, 100*r.RecentShare)
	}
	p.line("\nThe evidence comes from %s by %s in %s and %s. The document with most claims supplies %.0f %% of them, the largest group of authors %.0f %%. Of the documents %.0f %% are preprints and %.0f %% other grey literature%s.",
		count(r.Documents, "document"), count(r.FirstAuthors, "distinct first author"), count(r.AuthorGroups, "author group"), count(r.Venues, "venue"),
		100*r.TopDocumentShare, 100*r.TopGroupShare, 100*r.PreprintShare, 100*r.GreyShare, years)
	if len(r.Flags) > 0 {
		var flags []string
		for _, f := range r.Flags {
			flags = append(flags, docID.ReplaceAllStringFunc(md(f), func(id string) string { return v.label("", id) }))
		}
		p.line("\n**Caution:** %s", sentence(list(flags)))
	}
}
