package steps

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"optimistresearch/internal/lexical"
	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// Bounds of landmarks.
const (
	leastSharing   = 3  // documents that must share one
	mostLandmarks  = 3  // named in one sentence
	mostReferences = 20 // documents cited for one
)

// Landmark is a name or phrase that several documents share in their claims.
type Landmark struct {
	Name      string
	Documents []string // sorted
}

// Landmarks finds what ties the documents of some claims together: the names of
// systems, data sets and the like that at least three of them use, the most
// shared first. Names that the question uses are left out.
func Landmarks(question string, items []state.Evidence) []Landmark {
	docs := map[string][]string{}
	writings := map[string]map[string]int{}
	asked := text.Fold(question)
	for _, e := range items {
		for _, n := range lexical.Names(e.Claim) {
			key := text.Fold(n)
			if strings.Contains(asked, key) {
				continue
			}
			docs[key] = state.Union(docs[key], []string{e.Document})
			if writings[key] == nil {
				writings[key] = map[string]int{}
			}
			writings[key][n]++
		}
	}
	var out []Landmark
	for _, key := range state.Keys(docs) {
		if len(docs[key]) < leastSharing {
			continue
		}
		best := ""
		for _, w := range state.Keys(writings[key]) {
			if best == "" || writings[key][w] > writings[key][best] {
				best = w
			}
		}
		out = append(out, Landmark{best, docs[key]})
	}
	slices.SortStableFunc(out, func(a, b Landmark) int { return cmp.Compare(len(b.Documents), len(a.Documents)) })
	return out
}

// Common says in one sentence what most ties the documents of some claims
// together, with citations; "" if nothing does.
func Common(question string, items []state.Evidence) string {
	marks := Landmarks(question, items)
	var parts []string
	for _, m := range marks[:min(len(marks), mostLandmarks)] {
		if len(m.Documents) > mostReferences {
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s [%s]", Few(len(m.Documents)), m.Name, strings.Join(m.Documents, ", ")))
	}
	if len(parts) == 0 {
		return ""
	}
	parts[0] = strings.Replace(parts[0], " ", " mention ", 1)
	return fmt.Sprintf("Of the %s documents, %s.", Few(len(Documents(items))), Series(parts))
}

// Documents gives the documents that claims come from, sorted, each once.
func Documents(items []state.Evidence) []string {
	var out []string
	for _, e := range items {
		out = append(out, e.Document)
	}
	return state.Union(out, nil)
}

// Series joins phrases with commas and a final "and".
func Series(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
