package llm

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestRepairID(t *testing.T) {
	rqs := []string{"RQ1", "RQ2", "RQ10", "RQ1.2"}
	docs := []string{"doc_0001", "doc_0012", "doc_0120"}
	actions := []string{"search", "read", "answer_now"}
	verdicts := []string{"supported", "refuted", "not enough evidence"}
	cases := []struct {
		echoed string
		known  []string
		want   string // "" = not repaired
	}{
		{"RQ1", rqs, "RQ1"},
		{"RQ1: How do agents remember across sessions?", rqs, "RQ1"},
		{"RQ10: What is measured?", rqs, "RQ10"},
		{"RQ1.2: What is measured?", rqs, "RQ1.2"},
		{"rq2", rqs, "RQ2"},
		{`"RQ2"`, rqs, "RQ2"},
		{"[RQ2]", rqs, "RQ2"},
		{"**RQ2**", rqs, "RQ2"},
		{"`RQ2`.", rqs, "RQ2"},
		{"“RQ2”", rqs, "RQ2"},
		{"ＲＱ２", rqs, "RQ2"},
		{"RQ 2", rqs, "RQ2"},
		{"RQ-2 – What is measured", rqs, "RQ2"},
		{"RQ02", rqs, "RQ2"},
		{"Subquestion RQ2", rqs, "RQ2"},
		{"id: RQ2 (How do agents...)", rqs, "RQ2"},
		{"RQ1 and RQ2", rqs, ""},
		{"RQ1: yes, RQ2: no", rqs, ""},
		{"RQ3", rqs, ""},
		{"RQ11", rqs, ""},
		{"RQ1a", rqs, ""},
		{"RQ1.3", rqs, ""},
		{"RQ1-2", rqs, ""},
		{"all except RQ2", rqs, ""},
		{"2", rqs, ""},
		{"", rqs, ""},
		{"   ", rqs, ""},
		{"RQ2", nil, ""},
		{"", []string{"", "RQ1"}, ""},

		{"doc_0012", docs, "doc_0012"},
		{"doc_12", docs, "doc_0012"},
		{"doc 12", docs, "doc_0012"},
		{"[doc_0012]", docs, "doc_0012"},
		{"Document doc_0012: Memory in agents", docs, "doc_0012"},
		{"doc_001", docs, "doc_0001"},
		{"doc_0012_v2", docs, ""},
		{"12", docs, ""},

		{"action-search", actions, "search"},
		{"Action: search", actions, "search"},
		{"SEARCH", actions, "search"},
		{"search: find more papers", actions, "search"},
		{"answer-now", actions, "answer_now"},
		{"research", actions, ""},
		{"search or read", actions, ""},
		{"search more", actions, ""},

		{"Supported", verdicts, "supported"},
		{"not supported", verdicts, ""},
		{"unsupported", verdicts, ""},
		{"not-supported", verdicts, ""},
		{"supported, but only in mice", verdicts, ""},
		{"supported only in part", verdicts, ""},
		{"Not enough evidence", verdicts, "not enough evidence"},

		{"检索", []string{"检索", "阅读"}, "检索"},
		{"「检索」", []string{"检索", "阅读"}, "检索"},
		{"A1", []string{"a1", "A1"}, "A1"},
		{"(A1)", []string{"a1", "A1"}, ""},
		{"A01", []string{"A1", "A001"}, ""},
		{"(1)", []string{"1", "2"}, "1"},
		{"-1", []string{"1", "2"}, ""},
		{"1 of 2", []string{"1", "2"}, ""},
		{"RQ1\xff", rqs, "RQ1"},
	}
	for _, c := range cases {
		got, ok := RepairID(c.echoed, c.known)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("RepairID(%q, %q) = %q, %v; want %q", c.echoed, c.known, got, ok, c.want)
		}
	}
}

func TestRepairIDLaws(t *testing.T) {
	id := rapid.StringMatching(`[A-Za-z]{1,3}[_-]?[0-9]{0,3}`)
	rapid.Check(t, func(t *rapid.T) {
		known := rapid.SliceOfN(id, 1, 6).Draw(t, "known")
		pick := rapid.SampledFrom(known).Draw(t, "pick")
		echoed := rapid.OneOf(
			rapid.Just(pick),
			rapid.Just(pick+": "+"how many?"),
			rapid.Just(`"`+pick+`"`),
			rapid.String(),
		).Draw(t, "echoed")
		got, ok := RepairID(echoed, known)
		if ok != (got != "") || ok && !slices.Contains(known, got) {
			t.Fatalf("RepairID(%q, %q) = %q, %v: not one of the known", echoed, known, got, ok)
		}
		if slices.Contains(known, echoed) && got != echoed {
			t.Fatalf("RepairID(%q, %q) = %q: an exact echo was changed", echoed, known, got)
		}
		shuffled := rapid.Permutation(known).Draw(t, "shuffled")
		if again, _ := RepairID(echoed, shuffled); again != got {
			t.Fatalf("RepairID(%q) depends on the order of the known ids: %q with %q, %q with %q", echoed, got, known, again, shuffled)
		}
	})
}
