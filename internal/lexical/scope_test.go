package lexical

import (
	"slices"
	"strings"
	"testing"
)

func TestReadScope(t *testing.T) {
	for _, c := range []struct{ note, understood, unused string }{
		{"", "", ""},
		{"…", "", ""},
		{"focus on empirical evaluations since 2023", "published in 2023 or later; kinds of study preferred: empirical evaluations", ""},
		{"randomised controlled trials only, adults, 2015-2020, not animal studies",
			"published from 2015 to 2020; kinds of study required: randomised controlled trials; subjects preferred: adults; left out: animal", ""},
		{"excluding reviews, editorials and letters; last five years", "published in 2021 or later; left out: reviews, editorials, letters", ""},
		{"studies from low-income countries, without children, no older than 10 years", "published in 2016 or later; subjects preferred: low-income countries; left out: children", ""},
		{"not reviews, focus on field experiments in schools before 2015", "published in 2014 or earlier; kinds of study preferred: field experiments; subjects preferred: schools; left out: reviews", ""},
		{"not only adults but also adolescents", "subjects preferred: adults but also adolescents", ""},
		{"long-term memory benchmarks; forgetting curves in children; limitations", "kinds of study preferred: benchmarks; subjects preferred: long-term memory, forgetting curves in children, limitations", ""},
		{"systematic reviews and meta-analyses published after 2020 in English only", "published in 2021 or later; kinds of study preferred: systematic reviews, meta-analyses", "“in English only”"},
		{"peer-reviewed, high-quality journals, recent work", "", "“peer-reviewed”, “high-quality journals”, “recent work”"},
		{"exclude studies before 2010", "published in 2010 or later", ""},
		{"between 2019 and 2023, longitudinal cohort studies of nurses", "published from 2019 to 2023; kinds of study preferred: longitudinal cohort studies; subjects preferred: nurses", ""},
		{"2019–2023", "published from 2019 to 2023", ""},
		{"2022", "published in 2022", ""},
		{"pre-2015", "published in 2014 or earlier", ""},
		{"2020+", "published in 2020 or later", ""},
		{"from January 2021", "published in 2021 or later", ""},
		{"year 2021 to present", "published in 2021 or later", ""},
		{"the 2010s", "published from 2010 to 2019", ""},
		{"in the last decade", "published in 2016 or later", ""},
		{"seit 2020", "published in 2020 or later", ""},
		{"desde 2020", "published in 2020 or later", ""},
		{"近五年", "published in 2021 or later", ""},
		{"in the last few years", "", "“in the last few years” (it names no year)"},
		{"since 2030", "", "“since 2030” (it lies in the future)"},
		{"after 2020, before 2019", "published in 2021 or later", "“before 2019” (it leaves no year)"},
		{"since Covid", "subjects preferred: Covid", ""},
		{"GPT-4 era, n>100", "subjects preferred: GPT-4 era", "“n>100”"},
	} {
		sc := ReadScope(c.note, 2026)
		if u, x := sc.Understood(), strings.Join(sc.Unused, ", "); u != c.understood || x != c.unused {
			t.Errorf("ReadScope(%q):\nunderstood %q, want %q\nunused %q, want %q", c.note, u, c.understood, x, c.unused)
		}
	}
}

func TestYearsOfAQuestion(t *testing.T) {
	for q, want := range map[string]Years{
		"recent research in AI agent memory since 2023":    {Since: 2023},
		"studies on sleep between 2010 and 2012":           {2010, 2012},
		"migration since 2015":                             {}, // the year belongs to the subject
		"What is known about the financial crisis of 2008": {},
	} {
		if got, _ := YearsOf(q, 2026); got != want {
			t.Errorf("YearsOf(%q) = %v, want %v", q, got, want)
		}
	}
}

func TestShade(t *testing.T) {
	docs := append(slices.Clone(field), Doc{"kids", "Memory of LLM agents for children", "An agent keeps memory of what a child said. Children used it for a week."})
	judged := func(note string) map[string]Judgement {
		ix := NewIndex(docs)
		return ReadScope(note, 2026).Shade(ix, Relevance(ix, "AI agent memory", ""))
	}
	plain, shaded := judged(""), judged("benchmarks and experiments, not surveys, excluding children")
	for _, id := range []string{"survey", "kids"} {
		if plain[id].Score < 0.5 || shaded[id].Score >= 0.5 || !strings.HasPrefix(shaded[id].Note, "about what the scope note leaves out") {
			t.Errorf("%s scores %.2f, and with the note %.2f (%s)", id, plain[id].Score, shaded[id].Score, shaded[id].Note)
		}
	}
	if a, b := plain["locomo"], shaded["locomo"]; a != b {
		t.Errorf("a benchmark is shaded: %v, %v", a, b)
	}
	for id, j := range plain {
		if shaded[id].Score > j.Score {
			t.Errorf("%s is lifted from %.2f to %.2f", id, j.Score, shaded[id].Score)
		}
		if j.Score >= 0.5 && shaded[id].Score < 0.5 && id != "survey" && id != "kids" {
			t.Errorf("a preference drops %s from %.2f to %.2f", id, j.Score, shaded[id].Score)
		}
	}
	required := judged("benchmarks only")
	if j := required["memgpt"]; j.Score >= 0.5 || !strings.HasPrefix(j.Note, "no sign of 'benchmarks', which the scope note requires") {
		t.Errorf("a study without what is required: %.2f (%s)", j.Score, j.Note)
	}
	if j := required["locomo"]; j != plain["locomo"] {
		t.Errorf("a study with what is required: %v, was %v", j, plain["locomo"])
	}
	if j := shaded["memgpt"]; j.Score >= plain["memgpt"].Score || !strings.Contains(j.Note, "no sign of 'benchmarks' or 'experiments', which the scope note prefers") {
		t.Errorf("a study without benchmark or experiment: %.2f from %.2f (%s)", j.Score, plain["memgpt"].Score, j.Note)
	}
}
