package canon

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"optimistresearch/state"
)

// Few values that collide on purpose.
var (
	someTitles = rapid.SampledFrom([]string{"", "Introduction", "Editorial", "Reliable memory in databases", "Reliable Memory in Databases.", "Reliable memory in databases: Part I",
		"Reliable memory in databases: Part II", "Reliable memory in databases 2", "Erratum: Reliable memory in databases", "Reliable memory", "Reliable memories in databases and file stores",
		"基于大语言模型的智能体记忆研究综述", "Надёжная память в базах данных", "tide", "diet", "Memory: a review of reviews", "A review: memory of reviews", "GPT-4o", "GPT-4", "<i>x</i>", "??",
		"Reliable memory in databases (demo abstract)", "Panel: reliable memory in databases", "[Reliable storage in data bases]. [German]", "Zuverlässiger Speicher in Datenbanken / Reliable memory in databases",
		"Reliable memory in databases 1", "Reliable memory in databases (vol 3, pg 10, 1997)", "Reliable memory in datbaases"})
	someNames = rapid.SampledFrom([]string{"Weber, Ann", "A. Weber", "Ann Weber-Lopez", "Lopez A", "张三", "OpenAI", "van der Berg, J.", "Berg J", "Вебер А", "Anonymous", "", "Le Quintrec, M.", "Chen Wei", "Wei Chen", "Web?r, A", "Adeli K.Lewis G. F.", "Weber A; Lopez A"})
	someVenue = rapid.SampledFrom([]string{"", "VLDB", "Very Large Data Bases", "VLDB Journal", "BMJ", "Proceedings of the National Academy of Sciences", "Cochrane Database of Systematic Reviews", "bioRxiv", "Dissertation Abstracts International", "Soil.Conference: 2nd Soil Meeting", "2nd Soil Meeting"})
	someDOI   = rapid.SampledFrom([]string{"", "", "10.1000/a", "10.1000/b", "10.48550/arxiv.2101.00001", "10.1101/2020.01.02.123456", "10.6084/m9.figshare.1.v1", "10.6084/m9.figshare.1"})
	someKind  = rapid.SampledFrom([]state.Kind{state.Published, state.Published, state.Preprint, state.Other, ""})
	someType  = rapid.SampledFrom([]string{"", "article", "inproceedings", "journal-article", "erratum", "dataset"})
)

func drawRecord(t *rapid.T, k string) state.Record {
	r := state.Record{Key: k, Source: rapid.SampledFrom([]string{"crossref", "openalex", "files", "dblp", "acm"}).Draw(t, "source"), IDs: state.IDs{},
		Title: someTitles.Draw(t, "title"), Venue: someVenue.Draw(t, "venue"), Kind: someKind.Draw(t, "kind"), Type: someType.Draw(t, "type"),
		Year: rapid.SampledFrom([]int{0, 1997, 1998, 2005}).Draw(t, "year"), Volume: rapid.SampledFrom([]string{"", "3", "4", "1997", "30 Suppl 3", "Ph.D."}).Draw(t, "volume"), Issue: rapid.SampledFrom([]string{"", "", "4", "May", "Suppl. 4", "SUPPL"}).Draw(t, "issue"),
		Pages: rapid.SampledFrom([]string{"", "10-12", "e17", "S3", "12-Oct", "215 p"}).Draw(t, "pages")}
	for range rapid.IntRange(0, 3).Draw(t, "n") {
		r.Authors = append(r.Authors, state.Author{Name: someNames.Draw(t, "name")})
	}
	if rapid.IntRange(0, 4).Draw(t, "alt?") == 0 {
		r.AltTitle = someTitles.Draw(t, "alt")
	}
	r.IDs.SetDOI(someDOI.Draw(t, "doi"))
	if rapid.IntRange(0, 3).Draw(t, "pmid?") == 0 {
		r.IDs[state.PMID] = rapid.SampledFrom([]string{"1", "2"}).Draw(t, "pmid")
	}
	return r
}

func TestCompareIsSymmetric(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawRecord(t, "x:1"), drawRecord(t, "x:2")
		v, w := Compare(a, b), Compare(b, a)
		if v != w {
			t.Fatalf("Compare(a, b) = %+v\nCompare(b, a) = %+v", v, w)
		}
		if v.Same && (v.Veto != "" || v.Uncertain || v.Rule == "") {
			t.Fatalf("contradictory verdict %+v", v)
		}
		if v.Score < 0 || v.Score > 1 {
			t.Fatalf("score %v", v.Score)
		}
	})
}

// TestOrderDoesNotMatter shuffles the records and the way they get into the
// map; documents, links and pairs are the same.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rs []state.Record
		for i := range rapid.IntRange(1, 14).Draw(t, "records") {
			r := drawRecord(t, fmt.Sprintf("x:%02d", i))
			r.Seen = map[string]state.Provenance{"q": {Via: state.ViaSearch, Rank: rapid.IntRange(0, 3).Draw(t, "rank")}}
			rs = append(rs, r)
		}
		before := Canonicalise(with(&state.State{}, rs...), 1)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		rng.Shuffle(len(rs), func(i, j int) { rs[i], rs[j] = rs[j], rs[i] })
		after := Canonicalise(with(&state.State{}, rs...), 1)
		if d := cmp.Diff(before, after); d != "" {
			t.Fatal(d)
		}
		checkPart(t, rs, before)
	})
}

// checkPart holds what must be true of every result: each record is in exactly
// the document that its link names, and no two records of a document stand
// under a veto.
func checkPart(t *rapid.T, rs []state.Record, part state.State) {
	members := map[string][]state.Record{}
	for _, r := range rs {
		l, ok := part.Links[r.Key]
		if !ok || l.Record != r.Key {
			t.Fatalf("record %s has the link %+v", r.Key, l)
		}
		if _, ok := part.Documents[l.Document].Versions[r.Key]; !ok {
			t.Fatalf("document %s lacks record %s", l.Document, r.Key)
		}
		if l.Rule != ruleFirst && part.Links[l.With].Document != l.Document {
			t.Fatalf("record %s was matched with %s of another document", r.Key, l.With)
		}
		members[l.Document] = append(members[l.Document], r)
	}
	for id, group := range members {
		for i, a := range group {
			for _, b := range group[i+1:] {
				if v := Compare(a, b); v.Veto != "" && newProfile(a).print != newProfile(b).print && !catalogued(a, b, v.Veto) {
					t.Fatalf("%s holds two records under the veto %q: %s", id, v.Veto, v.Compare)
				}
			}
		}
	}
	for k, p := range part.Pairs {
		if k != PairKey(p.A, p.B) || part.Links[p.A].Document == part.Links[p.B].Document || p.Why == "" {
			t.Fatalf("pair %s: %+v", k, p)
		}
	}
}

// catalogued reports whether entries of two catalogues may be matched although
// their titles alone would not do.
func catalogued(a, b state.Record, veto string) bool {
	x, y := newProfile(a).catalogue, newProfile(b).catalogue
	return x != "" && y != "" && x != y && (veto == "title" || veto == "generic_title" || veto == "authors")
}

// TestRoundsKeepDocuments adds records in two rounds: links of the first round
// stay, and the state given is not changed.
func TestRoundsKeepDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &state.State{}
		for i := range rapid.IntRange(1, 6).Draw(t, "first") {
			with(s, drawRecord(t, fmt.Sprintf("x:%02d", i)))
		}
		part := Canonicalise(s, 1)
		s.Merge(&part)
		old := documentOf(s)
		for i := range rapid.IntRange(1, 6).Draw(t, "second") {
			with(s, drawRecord(t, fmt.Sprintf("y:%02d", i)))
		}
		before, err := s.JSON()
		if err != nil {
			t.Fatal(err)
		}
		part = Canonicalise(s, 2)
		if after, _ := s.JSON(); string(before) != string(after) {
			t.Fatal("the state given was changed")
		}
		s.Merge(&part)
		for k, d := range old {
			if s.Links[k].Document != d {
				t.Fatalf("record %s moved from %s to %s", k, d, s.Links[k].Document)
			}
		}
		if again := Canonicalise(s, 3); len(again.Links)+len(again.Documents)+len(again.Pairs) != 0 {
			t.Fatalf("a call without new records found %+v", again)
		}
	})
}

func FuzzCompare(f *testing.F) {
	f.Add("Introduction", "Weber, Ann", "10-12", "VLDB", "Introduction.", "A. Weber")
	f.Add("", "", "", "", "\xff", "\xff")
	f.Add("Part II", "张三", "S3", "Proceedings", "Part 2 of \\alpha [German]", "Müller‐Lüdenscheidt")
	f.Fuzz(func(t *testing.T, title, name, pages, venue, title2, name2 string) {
		a := state.Record{Key: "a", Title: title, Authors: []state.Author{{Name: name}}, Pages: pages, Venue: venue, Volume: pages}
		b := state.Record{Key: "b", Title: title2, Authors: []state.Author{{Name: name2}}, Pages: pages, Venue: venue, AltTitle: title}
		if v, w := Compare(a, b), Compare(b, a); v != w {
			t.Fatalf("%+v\n%+v", v, w)
		}
		VerifyLookup(title, []string{name}, 0, b)
	})
}
