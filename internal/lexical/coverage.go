package lexical

import (
	"math"
	"slices"
)

// How the coverage of a phrase is put together: the share of its words anywhere
// in the document, within a short stretch, and in the title.
const (
	anywhereShare = 0.45
	stretchShare  = 0.25
	titleShare    = 0.30

	saturation = 0.5 // occurrences at which a word counts half
	alternates = 0.2 // what further phrases of a list add to its best one
)

// Groups are joined by power means. For the absolute coverage, missing one costs
// more than its share; for the choice of the best matches a group met in full
// counts more than two half met.
const (
	jointExponent = 0.6
	matchExponent = 1.6
)

// seen is what a document has of a topic.
type seen struct {
	count    []float64 // by unit; an occurrence in the title counts titleWeight
	inTitle  []bool    // by unit
	body     []place
	hasBody  bool
	coverage float64 // of all groups together, in [0,1]
	match    float64 // of the groups one by one, in [0,1]
	aspects  float64 // share of the aspects that are mentioned, in [0,1]; 1 if none is asked for
	focus    float64 // coverage of the best phrase of the focus, in [0,1]; 1 if there is none
}

// look reads a document against the topic.
func (t *topic) look(d *document) seen {
	s := seen{
		count:   make([]float64, len(t.units)),
		inTitle: make([]bool, len(t.units)),
		body:    t.find(d.body),
		hasBody: len(d.body) > 0,
	}
	for _, p := range t.find(d.title) {
		s.count[p.unit] += titleWeight
		s.inTitle[p.unit] = true
	}
	for _, p := range s.body {
		s.count[p.unit]++
	}
	s.coverage, s.match = t.coverage(&s)
	s.aspects = t.aspectShare(&s)
	s.focus = t.focusCoverage(&s)
	return s
}

// coverage gives the coverage of the topic in both senses.
func (t *topic) coverage(s *seen) (joint, match float64) {
	all := 0.0
	for _, g := range t.groups {
		best, none := 0.0, 1.0
		for _, w := range g.phrases {
			p := t.phraseCoverage(w, s)
			best = max(best, p)
			none *= 1 - p
		}
		p := (1-alternates)*best + alternates*(1-none)
		joint += g.weight * math.Pow(p, jointExponent)
		match += g.weight * math.Pow(p, matchExponent)
		all += g.weight
	}
	if all == 0 {
		return 0, 0
	}
	return min(1, math.Pow(joint/all, 1/jointExponent)), min(1, match/all)
}

// phraseCoverage gives how much of a phrase a document has, in [0,1].
func (t *topic) phraseCoverage(w wanted, s *seen) float64 {
	total, anywhere, title := 0.0, 0.0, 0.0
	for i, u := range w.units {
		weight := t.unitWeight(w.units, i)
		total += weight
		anywhere += weight * s.count[u] / (s.count[u] + saturation)
		if s.inTitle[u] {
			title += weight
		}
	}
	title /= total
	if !s.hasBody {
		return title
	}
	stretch := max(title, t.stretch(w, s.body)/total)
	return anywhereShare*anywhere/total + stretchShare*stretch + titleShare*title
}

// stretch gives the greatest weight of a phrase's units that stand together in a
// short stretch of the body.
func (t *topic) stretch(w wanted, body []place) float64 {
	width := 3*len(w.units) + 4
	best := 0.0
	last := make([]int, len(w.units)) // where each unit was met last, plus one
	for _, p := range body {
		k := slices.Index(w.units, p.unit)
		if k < 0 {
			continue
		}
		last[k] = p.at + 1
		sum := 0.0
		for i, at := range last {
			if at > 0 && p.at+1-at <= width {
				sum += t.unitWeight(w.units, i)
			}
		}
		best = max(best, sum)
	}
	return best
}

// aspectShare gives the share of the aspects asked about that a document
// mentions.
func (t *topic) aspectShare(s *seen) float64 {
	if len(t.aspects) == 0 {
		return 1
	}
	sum := 0.0
	for _, a := range t.aspects {
		best := 0.0
		for _, u := range a.units {
			best = max(best, s.count[u]/(s.count[u]+saturation))
		}
		sum += best
	}
	return sum / float64(len(t.aspects))
}

// focusCoverage gives the coverage of the phrase of the focus that a document has
// most of; the words of a longer phrase must stand together.
func (t *topic) focusCoverage(s *seen) float64 {
	if len(t.focus) == 0 {
		return 1
	}
	best := 0.0
	for _, w := range t.focus {
		total, anywhere, title := 0.0, 0.0, 0.0
		for i, u := range w.units {
			weight := t.unitWeight(w.units, i)
			total += weight
			anywhere += weight * s.count[u] / (s.count[u] + saturation)
			if s.inTitle[u] {
				title += weight
			}
		}
		together := max(title, t.stretch(w, s.body)) / total
		best = max(best, together*anywhere/total)
	}
	return best
}
