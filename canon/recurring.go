package canon

import "strings"

// recurrence is the number of issues or years in which a short title must stand
// to count as a column. Two years are no sign: sources date one article by its
// appearance online and in print.
const recurrence = 3

// markRecurring finds short titles under which one author, or one journal, or for
// a very short title anybody, published in several issues or years, or of which a source
// without duplicates holds several records of one year: "Book review column".
// Such a title is no evidence without the place in print.
func markRecurring(ps []profile) {
	uses := map[string]*use{}
	for i := range ps {
		p := &ps[i]
		p.recurring = false
		t := &p.titles[0]
		if !t.short() || t.key == "" || p.preprint {
			continue
		}
		k := compact(t.key)
		put := func(k string) {
			u := uses[k]
			if u == nil {
				u = &use{issues: map[string]bool{}, years: map[int]bool{}, sources: map[string]int{}}
				uses[k] = u
			}
			u.add(p)
		}
		if t.weak() {
			put(k)
			continue
		}
		put(k + "|" + p.first())
		if p.venue.key != "" {
			put(k + "||" + strings.Join(p.venue.words, " "))
		}
	}
	for _, u := range uses {
		recurs := u.recurs()
		for _, p := range u.of {
			p.recurring = p.recurring || recurs
		}
	}
}

// use collects where a short title stands.
type use struct {
	issues  map[string]bool // volume and issue, where both are known
	years   map[int]bool
	sources map[string]int // records per source and year
	of      []*profile
}

func (u *use) add(p *profile) {
	u.of = append(u.of, p)
	if p.volume != "" && p.issue != "" {
		u.issues[p.volume+"/"+p.issue] = true
	}
	if p.rec.Year != 0 {
		u.years[p.rec.Year] = true
	}
	if !holdsDuplicates[p.rec.Source] {
		u.sources[p.rec.Source+"/"+yearText(p.rec.Year)]++
	}
}

func (u *use) recurs() bool {
	if len(u.issues) >= recurrence || len(u.years) >= recurrence {
		return true
	}
	for _, n := range u.sources {
		if n > 1 {
			return true
		}
	}
	return false
}

// holdsDuplicates lists the sources that are known to hold several records of
// one work.
var holdsDuplicates = map[string]bool{"": true, "files": true, "openalex": true, "semanticscholar": true, "europepmc": true}

// short reports whether a title has so few distinctive words that a column may
// carry it.
func (t *title) short() bool { return len(t.distinct) <= 4 }
