package biblio

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCSLInTheWild(t *testing.T) {
	got, s := read(t, "x.json", `[{"id": 7, "type": "article-journal", "title": ["T", "U"], "issued": {"date-parts": [["2020", 5]]}, "volume": 3,
  "author": [{"family": "Gogh", "given": "Vincent", "non-dropping-particle": "van"}, {"literal": "A Group"}, {"family": "King", "given": "M", "suffix": "Jr."}], "event-place": "Rome", "keyword": "a, b"},
 {"id": "broken", "author": [}, {"id":"y","issued":{"raw":"2019-02"},"type":"review-book"},
 {"id":"z","type":"chapter","title":"Range","issued":{"date-parts":[[2020,1],[2020,3]]},"note":"PMID: 12\nmore"}]`)
	if d := cmp.Diff([]string{"T", "", "Range"}, titles(got)); d != "" {
		t.Fatalf("%s %s", d, messages(s.Skips))
	}
	if got[0].ID != "7" || got[0].Date != "2020-05" || got[0].Volume != "3" || got[1].Date != "2019-02" || got[1].Type != Journal || got[2].Date != "2020-01" || got[2].PMID != "12" {
		t.Errorf("entries: %+v", got)
	}
	if d := cmp.Diff([]Name{{Family: "van Gogh", Given: "Vincent"}, {Literal: "A Group"}, {Family: "King", Given: "M", Suffix: "Jr."}}, got[0].Authors); d != "" {
		t.Error(d)
	}
	if s.Skipped != 1 || s.Skips[0].Line != 3 {
		t.Errorf("%s", messages(s.Skips))
	}
	b, err := WriteCSL(got)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"non-dropping-particle":"van"`, `"event-place": "Rome"`, `"type": "review-book"`, `[[2020,1],[2020,3]]`, `"keyword": "a, b"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("%s is missing in\n%s", want, b)
		}
	}
	if _, p := ReadCSL([]byte("nonsense")); len(p) != 1 {
		t.Errorf("a file that is not JSON gives %v", p)
	}
}

// The form that `import` prints.
func TestEntryJSON(t *testing.T) {
	e := Entry{ID: "a", Type: Preprint, Title: "T <b> & \"q\"", Authors: []Name{{Family: "van der Berg", Given: "Ann", Suffix: "Jr."}, {Literal: "A Group"}}, Date: "2024-03", Container: "J", DOI: "10.1000/x",
		Abstract: "One.\nTwo.", Keywords: []string{"k"}, URL: "https://a.example", URLs: []string{"https://b.example"}, Format: RIS, RawType: "UNPB", Extra: []Field{{"M1", "7"}}}
	b, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"id":"a","type":"preprint","title":"T \u003cb\u003e \u0026 \"q\"","authors":[{"family":"van der Berg","given":"Ann","suffix":"Jr."},{"literal":"A Group"}],"year":2024,"date":"2024-03","venue":"J","abstract":"One. Two.","doi":"10.1000/x",` +
		`"urls":["https://a.example","https://b.example"],"keywords":["k"],"format":"ris","raw_type":"UNPB","extra":[{"name":"M1","value":"7"}]}`
	if d := cmp.Diff(want, string(b)); d != "" {
		t.Error(d)
	}
	var back Entry
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(e.Normal(), back); d != "" {
		t.Error(d)
	}
}

// Lines of data sets: other names for the members, authors in one text, labels
// kept, broken lines told.
func TestJSONLines(t *testing.T) {
	got, s := read(t, "records.jsonl", `{"id":"1","type":"article","author":"Zuna, R E and Wang, S S","title":"A","year":"2006","journal":"Cancer","number":"2","isbn":"0957-9672 (Print) 0957-9672","doi":"10.1000/a"}
{"record_id":"PM2","title":"B","year":2007,"label_included":1,"pmid":"2"}
{"id":"3","title":"broken
{"id":"4","title":"D","authors":["Joon Sung Park","Joseph C. O'Brien","Memory Group"],"venue":"UIST","year":null}

{"id":"5","title":"E","author":"Viswanath Poosala, Yannis E. Ioannidis"}
{"id":"6","title":"F","author":"Adeli K.Lewis G. F."`)
	want := []Entry{
		{ID: "1", Type: Journal, RawType: "article", Title: "A", Authors: []Name{{Family: "Zuna", Given: "R E"}, {Family: "Wang", Given: "S S"}}, Date: "2006", Container: "Cancer", Issue: "2", ISSN: []string{"0957-9672"}, DOI: "10.1000/a", Format: JSONL},
		{ID: "PM2", Type: Document, Title: "B", Date: "2007", PMID: "2", Format: JSONL, Extra: []Field{{"label_included", "1"}}},
		{ID: "4", Type: Journal, Title: "D", Authors: []Name{{Family: "Park", Given: "Joon Sung"}, {Family: "O'Brien", Given: "Joseph C."}, {Literal: "Memory Group"}}, Container: "UIST", Format: JSONL},
		{ID: "5", Type: Document, Title: "E", Authors: []Name{{Family: "Poosala", Given: "Viswanath"}, {Family: "Ioannidis", Given: "Yannis E."}}, Format: JSONL},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s.Skipped != 2 || s.Skips[0].Line != 3 || s.Skips[1].Line != 7 || !strings.Contains(s.Skips[1].Message, "ends within") {
		t.Errorf("%s", messages(s.Skips))
	}
}
