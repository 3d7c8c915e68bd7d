package report

import (
	"errors"
	"strings"
	"testing"

	"optimistresearch/state"
)

func TestWhyWalksToTheBytes(t *testing.T) {
	s := fixture(t)
	claim := ""
	for _, e := range s.Admitted("RQ1") {
		if e.Document == "doc_0001" {
			claim = e.ID
		}
	}
	for id, want := range map[string][]string{
		claim: {"claim, for RQ1", "admitted by builtin", "bytes 17 to 82 of abstract:arxiv:2301.00001", "the stored text holds these words", "doc_0001  Paged Memory for Agents", "record arxiv:2301.00001",
			"by rule title_author with arxiv:2301.00001", "compared: paged memory", "query Q1, rank 1", `sent:    all:"agent memory" AND all:comparison`, "call search/Q1: hits, 3 records",
			"recording recordings/aa/" + hashA + ".json.gz", "raw response sha256 " + rawA, "rung 1 of the relaxation ladder: without the rarest term",
			"references of doc_0001", "recording recordings/cc/" + hashC + ".json.gz"},
		"doc_0001":           {"relevance to RQ1: 0.90 by builtin", "claims:", claim},
		"Doc 1":              {"doc_0001  Paged"},
		"10.1234/PAGED":      {"doc_0001  Paged"},
		"arXiv:2301.00001v2": {"doc_0001  Paged"},
		"arxiv:2302.00002":   {"record arxiv:2302.00002", "query Q1"},
		"Q2":                 {"query to crossref", "rung 0, as written", "total 7, 3 records, 1 not usable", "recordings/bb/", "doc_0003  A withdrawn result on memory [RETRACTED]"},
		"Q3":                 {"throttled (arxiv: search Q3: HTTP 429 after 5 attempts)", "total an unknown total"},
		"RQ2":                {"from the critic", "edit it1/0: added RQ2"},
		"I1":                 {"5 documents found, 3 of them relevant"},
		"x_1":                {"contradiction (opposite directions)", "[doc_0002]"},
		"C1":                 {"1 document, 1 author group", claim},
		"S1":                 {"section “Memory designs”", claim},
		" doc_0006 ":         {"references of doc_0001", "seed: Paged Memory for Agents"},
	} {
		got, err := Why(s, id, nil)
		if err != nil {
			t.Errorf("Why(%s): %v", id, err)
			continue
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("Why(%s) does not hold %q:\n%s", id, w, got)
			}
		}
	}
}

func TestWhyOfNothing(t *testing.T) {
	s := fixture(t)
	_, err := Why(s, "doc_00012", nil)
	if err == nil {
		t.Fatal("no error")
	}
	for _, w := range []string{`"doc_00012"`, "doc_0001", "6 documents", "3 queries", "4 claims"} {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error does not hold %q: %v", w, err)
		}
	}
	// However short the other ids, those of the kind that was asked for are meant.
	if _, err := Why(s, "ev_", nil); err == nil || !strings.Contains(err.Error(), "nearest are ev_") || strings.Contains(strings.SplitN(err.Error(), ". It holds", 2)[0], "Q1") {
		t.Errorf("a claim that there is not gives %v", err)
	}
	if _, err := Why(state.New(state.Question{Text: "q"}, state.DefaultSettings()), "doc_0001", nil); err == nil || !strings.Contains(err.Error(), "resume") {
		t.Errorf("an empty run gives %v", err)
	}
	if _, err := Why(&state.State{}, "doc_0001", nil); err == nil {
		t.Error("a state without a question gives no error")
	}
}

func TestWhySaysWhenAQuoteIsGone(t *testing.T) {
	s := fixture(t)
	for id, e := range s.Evidence {
		e.Start++
		e.End++
		s.Evidence[id] = e
		if got, err := Why(s, id, nil); err != nil || !strings.Contains(got, "does NOT hold") {
			t.Errorf("Why(%s): %v\n%s", id, err, got)
		}
	}
}

// A road says whether it still leads to the bytes that were read.
func TestWhyLooksIntoTheRecordings(t *testing.T) {
	const other = "1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
	good := func(string) (string, error) { return rawA, nil }
	for name, c := range map[string]struct {
		kept      Kept
		want, not string
	}{
		"whole":   {good, "present, with the bytes that were received", "NOT"},
		"missing": {func(h string) (string, error) { return "", errors.New("is missing") }, "recordings/bb/" + hashB + ".json.gz: NOT INTACT, it is missing", "present, with"},
		"one altered": {func(h string) (string, error) {
			if h == hashC {
				return "", errors.New("is altered: its body has another checksum")
			}
			return rawA, nil
		}, "recordings/cc/" + hashC + ".json.gz: NOT INTACT, it is altered", "present, with"},
		"another response": {func(h string) (string, error) { return other, nil }, "NOT INTACT: none of them is the response with the sha256 " + rawA, "present, with"},
		"not looked at":    {nil, "recording recordings/bb/", "NOT"},
	} {
		got, err := Why(fixture(t), "doc_0001", c.kept)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, c.want) || strings.Contains(got, c.not) || strings.HasPrefix(got, "NOT INTACT: ") != (c.not != "NOT") {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	got, _ := Why(fixture(t), "doc_0001", func(h string) (string, error) {
		if h == hashB {
			return "", errors.New("is missing")
		}
		return rawA, nil
	})
	if !strings.HasPrefix(got, "NOT INTACT: 1 recording below cannot vouch") {
		t.Error(got)
	}
}
