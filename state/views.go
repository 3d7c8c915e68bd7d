package state

import "sort"

// ActiveSubquestions returns the open and answered subquestions, in priority
// order, then by number.
func (s *State) ActiveSubquestions() []Subquestion {
	var out []Subquestion
	for _, id := range SortedIDs(s.Subquestions) {
		if q := s.Subquestions[id]; q.Status.Active() {
			out = append(out, q)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Priority < out[j].Priority })
	return out
}

// SortedIDs returns the keys of a map of numbered ids ("RQ2" before "RQ10").
func SortedIDs[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return LessID(keys[i], keys[j]) })
	return keys
}

// LessID orders ids by their letters, then by the number at their end.
func LessID(a, b string) bool {
	pa, na := splitID(a)
	pb, nb := splitID(b)
	if pa != pb {
		return pa < pb
	}
	if na != nb {
		return na < nb
	}
	return a < b
}

func splitID(id string) (prefix string, n int) {
	i := len(id)
	for i > 0 && id[i-1] >= '0' && id[i-1] <= '9' && len(id)-i < 9 {
		i--
	}
	for _, c := range id[i:] {
		n = n*10 + int(c-'0')
	}
	return id[:i], n
}

// AbstractText returns the longest abstract of a document, "" if there is
// none.
func (s *State) AbstractText(d Document) string {
	return s.Records[d.Abstract.Record].Abstract
}

// Provenance returns every occasion on which a record of the document came
// back, ordered by round, source and rank.
func (s *State) Provenance(d Document) []Provenance {
	var out []Provenance
	for _, key := range d.Records {
		r := s.Records[key]
		for _, k := range Keys(r.Seen) {
			out = append(out, r.Seen[k])
		}
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case a.Round != b.Round:
			return a.Round < b.Round
		case a.Source != b.Source:
			return a.Source < b.Source
		case a.Query != b.Query:
			return LessID(a.Query, b.Query)
		}
		return a.Rank < b.Rank
	})
	return out
}

// FoundBySearch reports whether a search (not citation chasing) returned it.
func (s *State) FoundBySearch(d Document) bool {
	for _, p := range s.Provenance(d) {
		if p.Via == ViaSearch {
			return true
		}
	}
	return false
}

// Sources returns the sources that returned the document, sorted.
func (s *State) Sources(d Document) []string {
	var out []string
	for _, key := range d.Records {
		out = append(out, s.Records[key].Source)
	}
	return Union(out, nil)
}

// Yield counts the distinct documents that an intent's searches found, and
// how many of those are relevant to the intent's subquestion. It is computed
// from the corpus, so screening twice never counts twice.
func (s *State) Yield(intent string) (found, relevant int) {
	in := s.Intents[intent]
	threshold := s.Settings.Screening.Relevant
	for _, id := range Keys(s.Documents) {
		d := s.Documents[id]
		hit := false
		for _, p := range s.Provenance(d) {
			if p.Intent == intent {
				hit = true
				break
			}
		}
		if !hit {
			continue
		}
		found++
		if r, ok := d.Relevance[in.Subquestion]; ok && r.Score >= threshold {
			relevant++
		}
	}
	return found, relevant
}

// Spent sums the ledger.
func (s *State) Spent() Spend {
	total := Spend{Models: map[string]ModelUse{}, Credits: map[string]int{}}
	for _, sp := range s.Ledger {
		total.Documents += sp.Documents
		total.Searches += sp.Searches
		total.Rounds += sp.Rounds
		for role, u := range sp.Models {
			total.Models[role] = total.Models[role].Add(u)
		}
		for src, n := range sp.Credits {
			total.Credits[src] += n
		}
	}
	return total
}

// Iteration is the current iteration of the outer loop, from 1.
func (s *State) Iteration() int {
	n := 1
	for _, d := range s.Done {
		if d.Node == NodeApply && d.Iteration >= n {
			n = d.Iteration + 1
		}
	}
	return n
}

// Relevant reports whether the document is relevant to any active subquestion.
func (s *State) Relevant(d Document) bool {
	for _, q := range s.ActiveSubquestions() {
		if r, ok := d.Relevance[q.ID]; ok && r.Score >= s.Settings.Screening.Relevant {
			return true
		}
	}
	return false
}

// Resolve follows merges: the subquestion that now asks what the given one
// asked. A subquestion that was not merged is itself.
func (s *State) Resolve(subquestion string) string {
	for range len(s.Subquestions) { // a circle cannot be planned; one in a damaged state ends here
		q, ok := s.Subquestions[subquestion]
		if !ok || q.Status != Merged || q.MergedInto == "" {
			break
		}
		subquestion = q.MergedInto
	}
	return subquestion
}

// Admitted returns the admitted evidence in id order, for one subquestion (and
// those that were merged into it) or, with "", for all.
func (s *State) Admitted(subquestion string) []Evidence {
	var out []Evidence
	for _, id := range Keys(s.Evidence) {
		e := s.Evidence[id]
		if subquestion != "" && s.Resolve(e.Subquestion) != subquestion {
			continue
		}
		if r, ok := s.Reviews[id]; ok && r.Admitted && r.Stale == "" {
			out = append(out, e)
		}
	}
	return out
}

// NodeApply is the node that applies a critique; its completion starts the
// next iteration.
const NodeApply = "apply"
