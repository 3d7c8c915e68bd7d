package arxiv

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"optimistresearch/sources/sourcetest"
	"optimistresearch/state"
)

func TestLookup(t *testing.T) {
	bad := func(ids string) sourcetest.Answer {
		return sourcetest.Answer{Query: map[string]string{"id_list": ids}, Status: 400, Body: sample(t, "error.xml")}
	}
	good := func(ids, body string) sourcetest.Answer {
		return sourcetest.Answer{Query: map[string]string{"id_list": ids}, Body: body}
	}
	service := sourcetest.NewService(t, []sourcetest.Answer{
		bad("2001.10001,xyz/0000000,2001.10002,2001.10003"),
		good("2001.10001,2001.10002,2001.10003", page(2, 1, 2)), // the third is unknown
	})
	src := New(service.Doer(), Config{Pause: -1})
	got, err := src.Lookup(t.Context(), []state.IDs{
		{state.ArXiv: "2001.10001"}, {state.ArXiv: "xyz/0000000"}, {state.DOI: "10.1/x"}, {state.ArXiv: "2001.10002"},
		{state.ArXiv: "2001.10001"}, {state.ArXiv: "2001.10003"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 2 || got.Records[0].Key != "arxiv:2001.10001" || got.Records[1].Key != "arxiv:2001.10002" {
		t.Errorf("records %+v", got.Records)
	}
	want := []string{"arXiv takes “xyz/0000000” for no arXiv id", "arXiv has no record for xyz/0000000, 2001.10003", "1 of 6 works have no arXiv id"}
	if !slices.Equal(got.Notes, want) {
		t.Errorf("notes %q, want %q", got.Notes, want)
	}
}

// A report that does not name the bad id costs only that id: the batch is
// halved until it is alone.
func TestABadIDIsIsolated(t *testing.T) {
	const bad = "xyz/0000000"
	var ids []state.IDs
	for i := 1; i <= 7; i++ {
		ids = append(ids, state.IDs{state.ArXiv: "2001." + strconv.Itoa(10000+i)})
	}
	ids = append(ids, state.IDs{state.ArXiv: bad})
	report := strings.Replace(sample(t, "error.xml"), "incorrect id format for xyz/0000000", "incorrect id format", 1)
	var answers []sourcetest.Answer
	for _, part := range []string{"1 2 3 4 5 6 7 8", "5 6 7 8", "7 8", "8"} {
		answers = append(answers, sourcetest.Answer{Query: map[string]string{"id_list": list(part, bad)}, Status: 400, Body: report})
	}
	for _, part := range []string{"1 2 3 4", "5 6", "7"} {
		first, _ := strconv.Atoi(part[:1])
		last, _ := strconv.Atoi(part[len(part)-1:])
		answers = append(answers, sourcetest.Answer{Query: map[string]string{"id_list": list(part, bad)}, Body: page(last-first+1, first, last)})
	}
	service := sourcetest.NewService(t, answers)
	got, err := New(service.Doer(), Config{Pause: -1}).Lookup(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 7 || len(service.Asked()) != 7 || !strings.Contains(strings.Join(got.Notes, "; "), bad) {
		t.Errorf("%d records after %d requests, notes %q", len(got.Records), len(service.Asked()), got.Notes)
	}
}

// list names sample ids by their numbers; the eighth is the bad one.
func list(numbers, bad string) string {
	var ids []string
	for _, n := range strings.Fields(numbers) {
		if n == "8" {
			ids = append(ids, bad)
		} else {
			ids = append(ids, "2001.1000"+n)
		}
	}
	return strings.Join(ids, ",")
}

// Old ids, versions, ids inside DOIs and addresses; the version that is asked
// for is the one that comes.
func TestLookupForms(t *testing.T) {
	service := sourcetest.NewService(t, []sourcetest.Answer{{
		Query: map[string]string{"id_list": "2101.00001v2,hep-th/9711200,2312.07559,math/0309136v1"}, Body: sample(t, "search.xml"),
	}})
	got, err := New(service.Doer(), Config{Pause: -1}).Lookup(t.Context(), []state.IDs{
		{state.ArXiv: "arXiv:2101.00001v2"}, {state.ArXiv: "https://arxiv.org/abs/hep-th/9711200"},
		{state.DOI: "10.48550/arxiv.2312.07559"}, {state.ArXiv: "math.GT/0309136v1"}, {state.ArXiv: "2101.00001"},
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Records) != 2 || got.Records[0].Version != "v2" || !slices.Equal(got.Notes, []string{"arXiv has no record for 2312.07559, math/0309136v1"}) {
		t.Errorf("%d records, notes %q", len(got.Records), got.Notes)
	}
}
