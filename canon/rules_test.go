package canon

import (
	"fmt"
	"testing"

	"optimistresearch/state"
)

const wounds = "Healing of venous leg ulcers under compression bandages"

// TestEveryRowOfTheTable gives each row a pair that it decides. No row may be
// without one, and none may be shadowed by those above it.
func TestEveryRowOfTheTable(t *testing.T) {
	ulcers := func(more ...func(*state.Record)) state.Record {
		return rec(wounds, "Weber A;Lee K", 2010, "BMJ", more...)
	}
	scheme := func(name string) [2]state.Record {
		return [2]state.Record{rec(wounds, "Weber A", 2010, "BMJ", id(name, "x1")), rec(wounds, "Weber A", 2010, "BMJ", id(name, "x1"))}
	}
	cochrane := "Cochrane Database of Systematic Reviews"
	cases := []struct {
		row    string // name, outcome and, from the second on, number of the row
		policy Policy
		a, b   state.Record
		look   bool
	}{
		{"notice apart", Works, ulcers(), rec("Comment on: "+wounds, "Lee K", 2010, "BMJ"), false},
		{"notice apart 2", Versions, ulcers(at("3", "1", "10-19")), rec(wounds+" (vol 3, pg 10, 2010)", "Weber A", 2010, "BMJ", at("3", "2", "99")), false},
		{"form apart", Versions, rec("DEVise: visual exploration (demo abstract)", "Livny M", 1997, "SIGMOD"), rec("DEVise: visual exploration (panel)", "Livny M", 1997, "SIGMOD"), true},
		{"numeral apart", Versions, rec("Theory of reliable memory. Part I", "Weber A", 1990, ""), rec("Theory of reliable memory. Part II", "Weber A", 1990, ""), false},
		{"container_doi apart", Versions, rec("Introduction to counting", "Daley D", 2013, "", doi("10.1201/b14859")), rec("Spike trains as event sequences", "Johnson D", 2013, "", doi("10.1201/b14859")), true},
		{"title apart", Versions, rec("Introduction to counting", "Daley D", 2013, "", id(state.PMID, "7")), rec("Spike trains as event sequences", "Johnson D", 2013, "", id(state.PMID, "7")), true},
		{"cochrane_update apart", Versions, rec(wounds, "Weber A", 2006, cochrane, id(state.PMID, "7")), rec(wounds, "Weber A", 2014, cochrane, id(state.PMID, "7")), true},
		{"conference_journal apart", Versions, rec(memory, "Ng WT", 1997, "VLDB", typ("inproceedings"), id(state.ArXiv, "cs/9601001"), doi("10.1000/c")),
			rec(memory, "Ng WT", 1998, "VLDB Journal", typ("article"), id(state.ArXiv, "cs/9601001"), doi("10.1000/j")), true},
		{"version apart", Strict, rec(wounds, "Weber A", 2010, "", preprint("1001.00001")), ulcers(), false},
		{"same_pages one", Versions, rec("Platform economy and crowdworking as challenges for the German model", "Greef S;Schroeder W", 2020, "Industrielle Beziehungen", at("27", "2", "205-226")),
			rec("Plattformökonomie und Crowdworking als Herausforderungen für das deutsche Modell", "Greef, Samuel;Schroeder, Wolfgang", 2020, "Industrielle Beziehungen", at("27", "2", "205--226")), false},
		{"thesis open", Versions, rec("An intelligent rehabilitation system for cognitive rehabilitation", "Yip, Chi Bun", 2012, "Dissertation Abstracts International: Section B", at("73", "3-B", "1524")),
			rec("An intelligent rehabilitation system for cognitive rehabilitation", "Yip, Chi Bun", 2011, "", at("Ph.D.", "", "215 p")), true},
		{"erratum one", Works, ulcers(at("3", "1", "10-19")), rec("Erratum: "+wounds, "Weber A", 2010, "BMJ", at("3", "2", "99")), false},
		{"title apart 2", Versions, ulcers(), rec("Crop rotation in dry highland farming", "Lee K", 2011, "Soil"), false},
		{"no_title open", Versions, rec("", "Weber A", 2010, "BMJ", at("3", "1", "10")), ulcers(at("3", "1", "10-19")), true},
		{"cochrane_update apart 2", Versions, rec(wounds, "Weber A", 2006, cochrane), rec(wounds, "Weber A", 2014, cochrane), true},
		{"arxiv apart", Versions, rec(wounds, "Weber A", 2019, "", preprint("1901.00001")), rec(wounds, "Weber A", 2019, "", preprint("1902.00002")), true},
		{"pmid apart", Versions, ulcers(id(state.PMID, "7")), ulcers(id(state.PMID, "8")), true},
		{"conference_journal apart 2", Versions, rec(memory, "Ng WT", 1997, "VLDB", typ("inproceedings")), rec(memory, "Ng WT", 1998, "VLDB Journal", typ("article")), true},
		{"dblp apart", Versions, rec(memory, "Ng WT", 1997, "", id(state.DBLP, "conf/vldb/Ng97")), rec(memory, "Ng WT", 1997, "", id(state.DBLP, "conf/vldb/Ng97a")), true},
		{"catalogue apart", Versions, rec(memory, "Ng WT", 1997, "VLDB", source("acm"), key("acm:1")), rec(memory, "Ng WT", 1997, "VLDB", source("acm"), key("acm:2")), true},
		{"doi apart", Versions, rec("Languages, books and reading from the printed word to the digital text", "Roger Chartier", 2004, "", at("31", "", "133-152"), doi("10.1086/427305")),
			rec("Languages, books and reading from the printed word to the digital text", "Chartier;Fagan", 2004, "", at("31", "", "133"), doi("10.2307/3651425")), true},
		{"year apart", Versions, ulcers(), rec(wounds, "Weber A", 2016, "BMJ"), true},
		{"publication apart", Versions, ulcers(at("37", "3", "S42")), rec(wounds, "Weber A;Lee K", 2010, "Stroke", at("41", "7", "e505")), true},
		{"title_author one", Versions, rec("Introduction", "Weber A", 2010, "BMJ", at("3", "1", "10-12")), rec("Introduction.", "Weber, Ann", 2010, "BMJ", at("3", "1", "10")), false},
		{"generic_title apart", Versions, rec("Introduction", "Weber A", 2010, "BMJ"), rec("Introduction", "Weber A", 2010, "BMJ"), true},
		{"year apart 2", Versions, rec(wounds, "Weber A", 2010, "", preprint("1001.00001")), rec(wounds, "Weber A", 2019, "BMJ"), true},
		{"short_title open", Versions, rec("Stroke rehabilitation", "Weber A", 2001, "Stroke"), rec("Stroke rehabilitation", "Weber A", 2002, "Stroke"), true},
		{"doi apart 2", Versions, rec(wounds, "Weber A;Lee K", 2010, "BMJ", at("3", "1", "10"), doi("10.1000/a")), rec(wounds, "Weber A;Ito B", 2010, "", doi("10.17615/b")), true},
		{"title_author one 2", Versions, ulcers(), rec(wounds+".", "Weber, Ann", 2011, "British Medical Journal"), false},
		{"title_authors one", Versions, ulcers(), rec(wounds, "Lee K;Weber A", 2010, "BMJ"), false},
		{"title_place one", Versions, ulcers(at("3", "1", "10-19")), rec(wounds, "Ito B", 2010, "BMJ", at("3", "1", "10")), false},
		{"no_author open", Versions, rec(wounds, "", 0, "", typ("standard")), rec(wounds, "", 0, "", typ("standard")), true},
		{"title_year one", Versions, rec(wounds, "", 2010, ""), rec(wounds, "", 2010, ""), false},
		{"title_year one 2", Versions, ulcers(), rec(wounds, "Sarah Collins", 2010, "BMJ"), false},
		{"authors apart", Versions, rec("Compression bandages for ulcers", "Reynolds C", 2009, ""), rec("Compression bandages for ulcers", "Ross D", 2010, "Lancet"), true},
		{"similarity one", Versions, rec("Intergrating reliable memory in databases", "Ng WT", 1997, "VLDB"), rec(memory, "Ng WT", 1997, "VLDB"), false},
		{"truncation one", Versions, rec("Upsizing file server architectures", "Weber A", 2001, "SIGMOD Record"), rec("Upsizing file server architectures: lessons from practice", "Weber A", 2001, "SIGMOD Record"), false},
		{"similar_title open", Versions, rec("Cubetree: bulk updates on the data cube", "Roussopoulos N", 1997, "SIGMOD"), rec("Cubetree: bulk incremental updates on the data cube", "Roussopoulos N", 1997, "SIGMOD"), true},
	}
	names := rowNames()
	met := map[string]bool{}
	check := func(row string, policy Policy, a, b state.Record, look bool) {
		t.Helper()
		a.Key, b.Key = a.Key+"~1", b.Key+"~2"
		d := compareOnly(newProfile(a), newProfile(b), policy).decide(policy)
		got := names[d.index()]
		met[got] = true
		if got != row || d.look != look {
			t.Errorf("want row %q, look %v; decided by %q, look %v", row, look, got, d.look)
		}
		if e := compareOnly(newProfile(b), newProfile(a), policy).decide(policy); e.row != d.row {
			t.Errorf("%s: not symmetric, the other way %q", row, names[e.index()])
		}
	}
	for _, c := range cases {
		check(c.row, c.policy, c.a, c.b, c.look)
	}
	for _, s := range identifierRules {
		x := scheme(s)
		if s == state.DOI {
			x[0].IDs[s], x[1].IDs[s] = "10.1000/x1", "10.1000/x1"
		}
		check(s+" one", Versions, x[0], x[1], false)
	}
	for _, n := range names {
		if !met[n] {
			t.Errorf("no pair was decided by the row %q", n)
		}
	}
}

// rowNames names the rows of the table: name, outcome, and a number from the
// second of that name on.
func rowNames() []string {
	seen := map[string]int{}
	var out []string
	for _, r := range table {
		n := r.name + " " + [...]string{"apart", "one", "open"}[r.outcome]
		if seen[n]++; seen[n] > 1 {
			n = fmt.Sprintf("%s %d", n, seen[n])
		}
		out = append(out, n)
	}
	return out
}

func TestRulesExplainThemselves(t *testing.T) {
	for _, r := range Rules() {
		if r.Name == "" || r.Reason == "" || len(r.Policies) == 0 {
			t.Errorf("rule %+v", r)
		}
		if r.Outcome != RuleAsks && Reason(r.Name, r.Outcome == RuleMerges) == "" {
			t.Errorf("no reason for %q", r.Name)
		}
	}
	if Reason("nonsense", true) != "" {
		t.Error("a reason for nonsense")
	}
}

func TestPolicies(t *testing.T) {
	article := rec(wounds, "Weber A;Lee K", 2010, "BMJ", at("3", "1", "10-19"), doi("10.1000/a"))
	cochrane := func(year int, d string) state.Record {
		return rec("Dressings for venous leg ulcers", "Palfreyman S", year, "Cochrane Database of Systematic Reviews", doi(d))
	}
	for _, c := range []struct {
		name                    string
		a, b                    state.Record
		strict, versions, works bool
	}{
		{"copies", article, rec(wounds, "Weber, Ann", 2010, "British Medical Journal", at("3", "", "10")), true, true, true},
		{"preprint", article, rec(wounds, "Ann Weber;Kim Lee", 2009, "", preprint("0901.00001")), false, true, true},
		{"preprint under the article's identifier", article, rec(wounds, "Ann Weber", 2009, "", preprint("0901.00001"), doi("10.1000/a")), true, true, true},
		{"conference paper", rec(memory, "Ng WT;Chen PM", 1997, "VLDB", typ("inproceedings")), rec(memory, "Ng WT;Chen PM", 1998, "VLDB Journal", typ("article")), false, false, true},
		{"Cochrane update", cochrane(2006, "10.1002/14651858.CD001103"), cochrane(2014, "10.1002/14651858.CD001103.pub3"), false, false, true},
		{"erratum", article, rec(wounds+" (vol 3, pg 10, 2010)", "Weber A", 2010, "BMJ", at("3", "4", "99")), false, false, true},
		{"erratum of another article", article, rec("Erratum: Crop rotation in dry highland farming", "Weber A", 2010, "BMJ"), false, false, false},
		{"comment", article, rec("Comment on: "+wounds, "Ito B", 2010, "BMJ", at("3", "4", "98")), false, false, false},
		{"retraction notice", article, rec("Retraction notice to: "+wounds, "Weber A", 2011, "BMJ"), false, false, false},
		{"two parts", rec(designs, "Miller A", 1990, "Stat Med"), rec(designs2, "Miller A", 1990, "Stat Med"), false, false, false},
	} {
		for p, want := range map[Policy]bool{Strict: c.strict, Versions: c.versions, Works: c.works} {
			if v := p.Compare(c.a, c.b); v.Same != want {
				t.Errorf("%s under %s: %+v, want %v", c.name, p, v, want)
			}
		}
	}
	if p, ok := ParsePolicy(""); p != Versions || !ok {
		t.Errorf("the default policy is %q", p)
	}
	if _, ok := ParsePolicy("lax"); ok {
		t.Error("a policy named lax")
	}
}
