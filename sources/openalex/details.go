package openalex

import (
	"optimistresearch/sources/internal/wire"
	"optimistresearch/state"
)

// issns are the serial numbers of the venue.
func (w *work) issns() []string {
	if w.PrimaryLocation == nil || w.PrimaryLocation.Source == nil {
		return nil
	}
	return wire.ISSNs(append([]scalar{w.PrimaryLocation.Source.ISSNL}, w.PrimaryLocation.Source.ISSN...))
}

// keywords are the words that OpenAlex assigns.
func (w *work) keywords() []string {
	var names []scalar
	for _, k := range w.Keywords {
		names = append(names, k.Name)
	}
	return wire.Distinct(names, longField)
}

// subjects are the MeSH headings, which OpenAlex lists once for each place in
// the tree, and then its own topics.
func (w *work) subjects() []string {
	var names []scalar
	for _, m := range w.MeSH {
		if m.Descriptor == "" {
			continue
		}
		name := m.Descriptor
		if m.Qualifier != "" {
			name += "/" + m.Qualifier
		}
		if m.Major == "true" {
			name = "*" + name
		}
		names = append(names, name)
	}
	for _, t := range w.Topics {
		names = append(names, t.Name)
	}
	return wire.Distinct(names, longField)
}

// funding joins the awards (grants until 2025) and the funders without one.
func (w *work) funding() []state.Grant {
	var out []state.Grant
	for _, a := range append(w.Awards, w.Grants...) {
		award := a.Award
		if award == "" {
			award = a.AwardID
		}
		out = append(out, state.Grant{Funder: string(a.Funder), Award: string(award)})
	}
	for _, f := range w.Funders {
		out = append(out, state.Grant{Funder: string(f.Name)})
	}
	return wire.Funding(out)
}
