package canon

import "strings"

// recurrence is the number of issues in which a short title with one author must
// stand to count as a column.
const recurrence = 3

// markRecurring finds short titles under which one author, or for a very short
// title anybody, published in several issues or years, or of which a source
// without duplicates holds several records of one year: "Book review column".
// Such a title is no evidence without the place in print.
func markRecurring(ps []*profile) {
	type use struct {
		issues  map[string]bool
		sources map[string]int
		of      []*profile
	}
	uses := map[string]*use{}
	for _, p := range ps {
		t := p.titles[0]
		if !t.short() || t.compact == "" || p.preprint {
			continue
		}
		k := t.compact
		if !t.weak() {
			k += "|" + p.first()
		}
		u := uses[k]
		if u == nil {
			u = &use{issues: map[string]bool{}, sources: map[string]int{}}
			uses[k] = u
		}
		u.issues[strings.Join([]string{yearText(p.rec.Year), p.volume, p.issue}, "/")] = true
		if !holdsDuplicates[p.rec.Source] {
			u.sources[p.rec.Source+"/"+yearText(p.rec.Year)]++
		}
		u.of = append(u.of, p)
	}
	for _, u := range uses {
		recurs := len(u.issues) >= recurrence
		for _, n := range u.sources {
			recurs = recurs || n >= 2
		}
		for _, p := range u.of {
			p.recurring = recurs
		}
	}
}

// holdsDuplicates lists the sources that are known to hold several records of
// one work.
var holdsDuplicates = map[string]bool{"": true, "files": true, "openalex": true, "semanticscholar": true, "europepmc": true}

// short reports whether a title has so few distinctive words that a column may
// carry it.
func (t title) short() bool { return len(t.distinct) <= 4 }
