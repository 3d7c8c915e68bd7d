package pubmed

import (
	"regexp"
	"slices"
	"strings"

	"optimistresearch/state"
)

// subjects are the MeSH headings: "Descriptor", or "Descriptor/qualifier" for
// each qualifier, with a leading * where it is a main point of the work; then
// the supplementary concepts.
func subjects(headings []heading, supplements []string) []string {
	var out []string
	for _, h := range headings {
		name := plain(h.Descriptor.Name)
		if name == "" {
			continue
		}
		if len(h.Qualifiers) == 0 {
			out = append(out, starred(name, h.Descriptor))
		}
		for _, q := range h.Qualifiers {
			if qualifier := plain(q.Name); qualifier != "" {
				out = append(out, starred(name+"/"+qualifier, h.Descriptor, q))
			}
		}
	}
	return distinct(append(out, supplements...))
}

func starred(name string, terms ...meshTerm) string {
	if slices.ContainsFunc(terms, func(t meshTerm) bool { return t.Major == "Y" }) {
		return "*" + name
	}
	return name
}

// keywords are the authors' words. Some publishers put all of them into one
// element.
func keywords(words []markup) []string {
	var out []string
	for _, w := range words {
		out = append(out, strings.FieldsFunc(plain(w.Inner), func(r rune) bool { return r == ';' })...)
	}
	for i, w := range out {
		out[i] = withoutFullStop(strings.TrimSpace(w))
	}
	return distinct(out)
}

// funding lists the grants, each once.
func funding(grants []grant) []state.Grant {
	var out []state.Grant
	for _, g := range grants {
		one := state.Grant{Funder: plain(g.Agency), Award: plain(g.ID)}
		if one != (state.Grant{}) && !slices.Contains(out, one) {
			out = append(out, one)
		}
	}
	return out
}

var issnShape = regexp.MustCompile(`^[0-9]{4}-[0-9]{3}[0-9X]$`)

// issns are the ISSN of the issue and the one that links all media.
func issns(raw ...string) []string {
	return slices.DeleteFunc(distinct(raw), func(s string) bool { return !issnShape.MatchString(s) })
}

// distinct are the texts that are not empty, each once.
func distinct(raw []string) []string {
	var out []string
	for _, s := range raw {
		if s = plain(s); s != "" && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
