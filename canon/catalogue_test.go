package canon

import (
	"testing"

	"optimistresearch/state"
)

func TestCataloguesAreMatched(t *testing.T) {
	dblp := func(k, title, authors string, year int, venue string) state.Record {
		return rec(title, authors, year, venue, source("dblp"), key("dblp:"+k))
	}
	acm := func(k, title, authors string, year int, venue string) state.Record {
		return rec(title, authors, year, venue, source("acm"), key("acm:"+k))
	}
	records := []state.Record{
		// One word more, the same people, year and journal.
		dblp("1", "Bulk updates on the data cube", "Roussopoulos N;Kotidis Y", 1997, "SIGMOD Record"),
		acm("1", "Bulk incremental updates on the data cube", "Nick Roussopoulos;Yannis Kotidis", 1997, "ACM SIGMOD Record"),
		// A column of which both hold one in that year, and one of which both hold two.
		dblp("2", "Guest editorial", "Atluri V;Joshi A", 2003, "VLDB Journal"),
		acm("2", "Guest editorial", "Vijay Atluri;Anupam Joshi", 2003, "VLDB Journal"),
		dblp("3", "Book review column", "Karl Aberer", 2002, "SIGMOD Record"),
		dblp("4", "Book review column", "Karl Aberer", 2002, "SIGMOD Record"),
		acm("3", "Book review column", "Karl Aberer", 2002, "SIGMOD Record"),
		acm("4", "Book review column", "Karl Aberer", 2002, "SIGMOD Record"),
		// Numerals keep apart here too.
		dblp("5", "Theory of mining streams, part I", "Weber A", 2001, "TODS"),
		acm("5", "Theory of mining streams, part II", "Ann Weber", 2001, "TODS"),
		// Other years, other people.
		dblp("6", "Engineering of information systems", "Lee K", 2001, "TODS"),
		acm("6", "Engineering of federated information systems", "Kim Lee", 2002, "TODS"),
	}
	got := together(records, Dedupe(records, Options{}))
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"dblp:1", "acm:1", true}, {"dblp:2", "acm:2", true}, {"dblp:3", "acm:3", false}, {"dblp:3", "acm:4", false}, {"dblp:3", "dblp:4", false},
		{"dblp:5", "acm:5", false}, {"dblp:6", "acm:6", false},
	} {
		if (got[c.a] == got[c.b]) != c.want {
			t.Errorf("%s and %s: one work is not %v", c.a, c.b, c.want)
		}
	}
	for i := range records {
		records[i].Source, records[i].Key = "files", "files:"+records[i].Key
	}
	got = together(records, Dedupe(records, Options{}))
	if got["files:dblp:1"] == got["files:acm:1"] {
		t.Error("records of a source that may hold a work twice were matched as a catalogue's")
	}
}
