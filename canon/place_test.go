package canon

import (
	"testing"

	"optimistresearch/state"
)

func TestPages(t *testing.T) {
	for _, c := range []struct{ in, first, last string }{
		{"221-8", "221", "228"}, {"1099-1103", "1099", "1103"}, {"205 -- 226", "205", "226"}, {"35+", "35", ""}, {"0012–0019", "12", "19"},
		{"E001469", "e1469", ""}, {"e123-30", "e123", "e130"}, {"pp. 12–19", "12", "19"}, {"S28-S42", "s28", "s42"}, {"100A-101A", "100", ""}, {"28???42", "28", "42"},
		{"11-Sep", "9", "11"}, {"Nov-19", "11", "19"}, {"2-Jan", "1", "2"}, {"03/Apr", "3", "4"}, {"Jan", "", ""},
		{"215 p", "", ""}, {"xii, 215 leaves", "", ""}, {"", "", ""}, {"ix-xii", "", ""}, {"n/a", "", ""},
	} {
		var pl place
		pl.readPages(c.in)
		if pl.page != c.first || pl.last != c.last {
			t.Errorf("pages %q: %q to %q, want %q to %q", c.in, pl.page, pl.last, c.first, c.last)
		}
	}
}

func TestPlacesCompared(t *testing.T) {
	r := func(volume, issue, pages string) state.Record {
		return rec(wounds, "Weber A", 2010, "BMJ", at(volume, issue, pages))
	}
	for _, c := range []struct {
		name                string
		a, b                state.Record
		volume, issue, page tri
		located             bool
	}{
		{"alike", r("3", "1", "10-19"), r("3", "1", "10"), agree, agree, agree, true},
		{"number of the supplement filed as the volume", r("30", "SUPPL. 3", "52"), r("3", "", "52"), unknown, unknown, agree, true},
		{"supplement with and without a number", r("30", "SUPPL", "30-38"), r("30", "Suppl 2", "30-38"), agree, unknown, agree, true},
		{"year filed as the volume", r("2010", "May", ""), r("94", "5", "35"), unknown, agree, unknown, false},
		{"month and another number", r("3", "May", "10"), r("3", "6", "10"), agree, unknown, agree, true},
		{"two months", r("3", "May", "10"), r("3", "June", "10"), agree, differ, agree, true},
		{"columns shifted by one", r("", "26", "9"), r("26", "9", "1746"), agree, agree, unknown, true},
		{"date of a spreadsheet", r("3", "1", "11-Sep"), r("3", "1", "9-11"), agree, agree, agree, true},
		{"date of a spreadsheet against other pages", r("3", "1", "11-Sep"), r("3", "1", "100-109"), agree, agree, unknown, false},
		{"article number as the issue", r("10", "(e0143396)", ""), r("10", "11", "e0143396"), agree, unknown, agree, true},
		{"other pages", r("3", "1", "10"), r("3", "2", "99"), agree, differ, differ, false},
	} {
		p, q := newProfile(c.a), newProfile(c.b)
		f := compareFacts(p, q, overlap(p.authors, q.authors))
		g := compareFacts(q, p, overlap(q.authors, p.authors))
		if f != g {
			t.Errorf("%s: not symmetric\n%+v\n%+v", c.name, f, g)
		}
		if f.volume != c.volume || f.issue != c.issue || f.page != c.page || f.located != c.located {
			t.Errorf("%s: volume %d, issue %d, page %d, located %v; want %d, %d, %d, %v", c.name, f.volume, f.issue, f.page, f.located, c.volume, c.issue, c.page, c.located)
		}
	}
}

func TestSamePagesNeedsThree(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"205-226", "205--226", true}, {"221-8", "221-228", true}, {"10-11", "10-11", false}, {"1-20", "1-20", false}, {"S1-S96", "S1-S96", false},
		{"205-226", "205", false}, {"205-226", "205-227", false}, {"e17", "e17", false}, {"s28-s42", "S28-S42", true},
	} {
		p, q := newProfile(rec(wounds, "Weber A", 2010, "BMJ", at("3", "1", c.a))), newProfile(rec(wounds, "Weber A", 2010, "BMJ", at("3", "1", c.b)))
		if samePages(p, q) != c.want || samePages(q, p) != c.want {
			t.Errorf("the same three pages %q and %q: not %v", c.a, c.b, c.want)
		}
	}
}
