package canon

import (
	"slices"
	"testing"
)

// Titles that are one title, as databases write it.
func TestTitlesReadAlike(t *testing.T) {
	for _, group := range [][]string{
		{"Effects of CO<sub>2</sub> on &alpha;-synuclein—a review", "Effects of CO2 on α‐synuclein - a review", "Effects of CO$_2$ on $\\alpha$-synuclein: a review", "<jats:title>Effects of CO<jats:sub>2</jats:sub> on alpha-synuclein: a review</jats:title>"},
		{"Women >=30 years of age with ﬂat lesions", "Women >or=30 years of age with flat lesions", "Women ≥30 years of age with flat lesions", "Women > or = 30 years of age with flat lesions"},
		{"Efficacy of batroxobin in ischemia", "Efficacy of batroxobin in ischemia. [Chinese]", "[Efficacy of batroxobin in ischemia]. [Chinese, English]", "[Efficacy of batroxobin in ischemia]", "Efficacy of batroxobin in ischemia (article in Chinese)"},
		{"Efficacy of batroxobin in ischemia", "Efficacy of batroxobin in ischemia [Review] [41 refs]", "Efficacy of batroxobin in ischemia (Structured abstract)", "RETRACTED: Efficacy of batroxobin in ischemia", "Efficacy of batroxobin in ischemia [Internet]"},
		{"More on eculizumab for the uremic syndrome", "More on eculizumab for the uremic syndrome... N Engl J Med. 2009 Jan 29;360(5):544-6"},
		{"Uremic syndrome after streptococci", "Uremic syndrome after streptococci (multiple letters) [1]", "Uremic syndrome after streptococci (multiple letters)"},
		{"The all-seeing employer", "The all-seeing employer - [careers]"},
		{"Objects and SQL: strange relations?", "Objects and SQL: Strange Relations? Panel", "Objects and SQL (panel session): strange relations?", "Panel: objects and SQL: strange relations?"},
		{"Erratum: Deficiency of the cleaving protease (The Journal of Pediatrics (M", "Deficiency of the cleaving protease (vol 142, pg 310, 2003)", "Correction to: Deficiency of the cleaving protease"},
	} {
		want := newTitle(group[0])
		for _, s := range group[1:] {
			if got := newTitle(s); got.key != want.key || got.numbers != want.numbers || got.notice != want.notice {
				t.Errorf("%q is read as %q, numerals %q, notice %q; want %q, %q, %q as of %q", s, got.key, got.numbers, got.notice, want.key, want.numbers, want.notice, group[0])
			}
		}
	}
}

// What looks like a note and is part of the title.
func TestTitlesReadApart(t *testing.T) {
	for _, c := range [][2]string{
		{"Uremic syndrome (multiple letters) [1]", "Uremic syndrome (multiple letters) [2]"},
		{"A survey of the panel", "A survey of the"},
		{"Efficacy (and safety) of batroxobin", "Efficacy of batroxobin"},
		{"Reliable memory [in databases and file stores]", "Reliable memory"},
	} {
		a, b := newTitle(c[0]), newTitle(c[1])
		if a.key == b.key && a.numbers == b.numbers {
			t.Errorf("%q and %q are read alike: %q", c[0], c[1], a.key)
		}
	}
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		in, rest string
		form     form
	}{
		{"Indexing multimedia databases (Tutorial)", "Indexing multimedia databases", "tutorial"},
		{"DEVise (demo abstract): integrated querying", "DEVise: integrated querying", "demo"},
		{"The BUCKY benchmark (Experience Paper)", "The BUCKY benchmark", ""},
		{"Tutorial: Data Access", "Data Access", "tutorial"},
		{"Strange relations? Panel", "Strange relations", "panel"},
		{"Panel data models", "Panel data models", ""},
		{"Keynote (address)", "Keynote (address)", ""},
		{"Selection of a panel", "Selection of a panel", ""},
	} {
		if rest, f := formOf(c.in); rest != c.rest || f != c.form {
			t.Errorf("formOf(%q) = %q, %q, want %q, %q", c.in, rest, f, c.rest, c.form)
		}
	}
}

func TestParallelTitles(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []string
	}{
		{"La vivienda y la ciudad / Housing and the town.", []string{"La vivienda y la ciudad", "Housing and the town."}},
		{"Wundauflagen bei Ulcus cruris [Wound dressings in leg ulcers]", []string{"Wundauflagen bei Ulcus cruris ", "Wound dressings in leg ulcers"}},
		{"Input / output in practice", nil},
		{"Reliable memory in databases [Internet]", nil},
		{"Efficacy of batroxobin in ischemia. [Chinese]", nil},
	} {
		if got := parallel(c.in); !slices.Equal(got, c.want) {
			t.Errorf("parallel(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}
