package shape

import (
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// six examples of a list of works, all with title, most with a year.
func learned(t *testing.T) *Shape {
	t.Helper()
	s := new(Shape)
	for i := range 6 {
		year := `,"year":2020`
		if i == 0 {
			year = `,"year":null`
		}
		body := fmt.Sprintf(`{"meta":{"count":%d},"results":[{"title":"A%d"%s,"index":{"word%d":[1,2]},"authors":[{"name":"X"}]}]}`, i, i, year, i)
		if err := s.Learn([]byte(body), "", Hints{Maps: []string{"results[].index"}}); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestCompareJSON(t *testing.T) {
	s := learned(t)
	round, err := Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	work := `{"title":"B","year":2021,"index":{"other":[3]},"authors":[]}`
	for _, c := range []struct {
		name, body string
		want       []string
	}{
		{"the same", `{"meta":{"count":1},"results":[` + work + `]}`, nil},
		{"no results", `{"meta":{"count":0},"results":[]}`, nil},
		{"renamed", `{"meta":{"count":1},"results":[{"display_title":"B","year":2021,"index":{},"authors":[]}]}`,
			[]string{"results[].display_title: is new (string)", "results[].title: is missing (was in 6 of 6 examples)"}},
		{"retyped", `{"meta":{"count":"1"},"results":[{"title":["B"],"year":2021,"index":{"x":[1]},"authors":{}}]}`,
			[]string{"meta.count: is string, was number", "results[].authors: is object, was array", "results[].title: is array, was string"}},
		{"null where there was one", `{"meta":{"count":1},"results":[{"title":"B","year":null,"index":{},"authors":[]}]}`, nil},
		{"some lack it", `{"meta":{"count":1},"results":[` + work + `,{"year":1,"index":{},"authors":[]}]}`, nil},
		{"missing deep", `{"meta":{},"results":[{"title":"B","year":1,"index":{},"authors":[{}]}]}`,
			[]string{"meta.count: is missing (was in 6 of 6 examples)", "results[].authors[].name: is missing (was in 6 of 6 examples)"}},
		{"usually there, gone from all", `{"meta":{"count":5},"results":[` + strings.Repeat(`{"title":"B","index":{},"authors":[]},`, 4) + `{"title":"B","index":{},"authors":[]}]}`,
			[]string{"results[].year: is missing (was in 6 of 6 examples)"}},
	} {
		got, err := round.Compare([]byte(c.body), "", sortedKeys(s.Fields), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var texts []string
		for _, d := range got {
			texts = append(texts, d.String())
		}
		if !slices.Equal(texts, c.want) {
			t.Errorf("%s: %q, want %q", c.name, texts, c.want)
		}
	}
}

// One work alone has the shape of a work in a list.
func TestCompareAtAPath(t *testing.T) {
	s := learned(t)
	got, err := s.Compare([]byte(`{"title":5,"year":2021,"index":{},"authors":[]}`), "results[]", nil, nil)
	if err != nil || len(got) != 1 || got[0].Kind != Retyped || got[0].Path != "results[].title" {
		t.Errorf("%v, %v", got, err)
	}
}

func TestCompareXML(t *testing.T) {
	s := new(Shape)
	entry := func(title, more string) string {
		return `<feed xmlns:o="http://o"><o:total>3</o:total><entry><title>` + title + `</title><link href="x" rel="pdf"/><link href="y"/>` + more + `</entry></feed>`
	}
	for range 5 {
		if err := s.Learn([]byte(entry("An <i>odd</i> title", "")), "", Hints{Leaves: []string{"feed/entry/title"}}); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Decode(s.Encode())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, body, want string
	}{
		{"the same", entry("Plain", ""), ""},
		{"other markup in a title", entry("<b>B</b>", ""), ""},
		{"new element", entry("T", "<doi>10.1/2</doi>"), "feed/entry/doi: is new (element, text)"},
		{"renamed attribute", strings.Replace(strings.ReplaceAll(entry("T", ""), "href=", "url="), "@", "", 1), "feed/entry/link/@href: is missing (was in 10 of 10 examples)|feed/entry/link/@url: is new (text)"},
		{"retyped number", strings.Replace(entry("T", ""), ">3<", ">many<", 1), "feed/total: is text, was element, number"},
		{"missing", strings.Replace(entry("T", ""), "<title>T</title>", "", 1), "feed/entry/title: is missing (was in 5 of 5 examples)"},
	} {
		got, err := s.Compare([]byte(c.body), "", sortedKeys(s.Fields), nil)
		var texts []string
		for _, d := range got {
			texts = append(texts, d.String())
		}
		if err != nil || strings.Join(texts, "|") != c.want {
			t.Errorf("%s: %q (%v), want %q", c.name, texts, err, c.want)
		}
	}
	for _, bad := range []string{"", "<feed><entry>", "{", "<feed></wrong>", "plain"} {
		if _, err := s.Compare([]byte(bad), "", nil, nil); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

func TestUsed(t *testing.T) {
	type author struct {
		Name string `json:"name"`
	}
	type work struct {
		Title   string   `json:"title,omitempty"`
		Authors []author `json:"authors"`
		Own     int
		Skip    string `json:"-"`
	}
	if got := Used("", struct {
		Works *[]work `json:"results"`
	}{}); !slices.Equal(got, []string{"results", "results[].authors", "results[].authors[].name", "results[].title"}) {
		t.Errorf("%q", got)
	}
	type entry struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom entry"`
		Title   string   `xml:"http://www.w3.org/2005/Atom title"`
		Links   []struct {
			Href string `xml:"href,attr"`
			Text string `xml:",chardata"`
		} `xml:"links>link"`
	}
	if got := Used("feed/entry", entry{}); !slices.Equal(got, []string{"feed/entry/links", "feed/entry/links/link", "feed/entry/links/link/@href", "feed/entry/title"}) {
		t.Errorf("%q", got)
	}
}

// Only what is used can be missing.
func TestUnusedIsNotMissing(t *testing.T) {
	s := learned(t)
	got, err := s.Compare([]byte(`{"results":[{}]}`), "", []string{"results[].title"}, []string{"results[].title"})
	if err != nil || len(got) != 1 || got[0].Path != "results[].title" || got[0].Kind != Missing {
		t.Errorf("%v, %v", got, err)
	}
	got, err = s.Compare([]byte(`{"results":[{}]}`), "", []string{"results[].title"}, nil)
	if err != nil || len(got) != 1 || got[0].Kind != Unseen {
		t.Errorf("not needed: %v, %v", got, err)
	}
}

func FuzzCompare(f *testing.F) {
	f.Add([]byte(`{"a":[{"b":1}]}`))
	f.Add([]byte(`<a><b c="1">2</b></a>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := new(Shape)
		if err := s.Learn(b, "", Hints{}); err != nil {
			return
		}
		d, err := s.Compare(b, "", nil, nil)
		if err != nil || len(d) > 0 {
			t.Errorf("a body differs from its own shape: %v, %v", d, err)
		}
	})
}
