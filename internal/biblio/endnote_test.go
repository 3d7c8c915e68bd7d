package biblio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const endnoteSample = `<?xml version="1.0" encoding="UTF-8" ?><xml><records>
<record><database name="my.enl" path="C:\my.enl">my.enl</database><source-app name="EndNote" version="20.0">EndNote</source-app><rec-number>42</rec-number>
<foreign-keys><key app="EN" db-id="abc" timestamp="1">42</key></foreign-keys><ref-type name="Journal Article">17</ref-type>
<contributors><authors><author><style face="normal" font="default" size="100%">LeCun, Yann</style></author><author>World Health Organization,</author></authors></contributors>
<titles><title><style face="normal">Deep </style><style face="italic">learning</style><style> &amp; more&#x1F;</style></title><secondary-title>Nature</secondary-title></titles>
<periodical><full-title>Nature</full-title><abbr-1>Nat</abbr-1></periodical><pages>436-444</pages><volume>521</volume><number>7553</number>
<keywords><keyword>neural networks</keyword><keyword>review</keyword></keywords><dates><year>2015</year><pub-dates><date>May 27</date></pub-dates></dates>
<isbn>1476-4687 (Electronic)&#xD;0028-0836 (Linking)</isbn><accession-num>26017442</accession-num><electronic-resource-num>10.1038/nature14539</electronic-resource-num>
<urls><related-urls><url>https://example.org/a</url><url>https://example.org/b</url></related-urls><pdf-urls><url>internal-pdf://1/a.pdf</url></pdf-urls></urls>
<custom2>PMC99</custom2><remote-database-name>Medline</remote-database-name><language>eng</language></record>
<record><rec-number>43</rec-number><ref-type name="Mystery">5</ref-type><titles><title>Broken & here</title></titles></record>
<record><rec-number>44</rec-number><ref-type>5</ref-type><titles><title>A chapter &eacute;</title><secondary-title>Its book</secondary-title></titles>
<record><rec-number>45</rec-number><ref-type name="Book">6</ref-type><titles><title>A book</title></titles></record>
<record><rec-number>46</rec-number><titles><title>Cut`

func TestEndNoteXML(t *testing.T) {
	got, s := read(t, "x.xml", endnoteSample)
	if d := cmp.Diff([]string{"Deep learning & more", "A book"}, titles(got)); d != "" {
		t.Fatalf("%s%s", d, messages(s.Skips))
	}
	want := Entry{ID: "42", Type: Journal, RawType: "Journal Article", Title: "Deep learning & more", Authors: []Name{{Family: "LeCun", Given: "Yann"}, {Literal: "World Health Organization"}}, Date: "2015-05-27",
		Container: "Nature", Abbrev: "Nat", Pages: "436-444", Volume: "521", Issue: "7553", Keywords: []string{"neural networks", "review"}, ISSN: []string{"1476-4687", "0028-0836"}, Accession: "26017442",
		DOI: "10.1038/nature14539", URL: "https://example.org/a", URLs: []string{"https://example.org/b"}, PMCID: "PMC99", Database: "Medline", Language: "eng", Format: EndNoteXML,
		Extra: []Field{{`database name="my.enl" path="C:\my.enl"`, "my.enl"}, {`source-app name="EndNote" version="20.0"`, "EndNote"}, {`foreign-keys/key app="EN" db-id="abc" timestamp="1"`, "42"},
			{"dates/pub-dates/date", "May 27"}, {"isbn", "1476-4687 (Electronic) 0028-0836 (Linking)"}, {"urls/pdf-urls/url", "internal-pdf://1/a.pdf"}}}
	if d := cmp.Diff(want, got[0]); d != "" {
		t.Error(d)
	}
	var lines []int
	for _, p := range s.Skips {
		lines = append(lines, p.Line)
	}
	if d := cmp.Diff([]int{11, 12, 14}, lines); d != "" {
		t.Errorf("%s%s", d, messages(s.Skips))
	}
	var b strings.Builder
	if err := Write(&b, EndNoteXML, got); err != nil {
		t.Fatal(err)
	}
	again, _ := read(t, "x.xml", b.String())
	want.ID, got[0].ID, again[0].ID = "", "", ""
	if d := cmp.Diff(got[0].Extra, again[0].Extra, cmp.Transformer("set", func(f []Field) map[Field]bool {
		m := map[Field]bool{}
		for _, x := range f {
			m[x] = true
		}
		return m
	})); d != "" {
		t.Error(d)
	}
	got[0].Extra, again[0].Extra = nil, nil
	if d := cmp.Diff(got[0], again[0]); d != "" {
		t.Error(d)
	}
}

// A file cannot make us expand, fetch or nest without end.
func TestEndNoteHostile(t *testing.T) {
	laughs := `<?xml version="1.0"?><!DOCTYPE xml [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]><xml><records>` +
		`<record><titles><title>&b;</title></titles></record><record><titles><title>&x;</title></titles></record><record><titles><title>Good</title></titles></record></records></xml>`
	got, s := read(t, "x.xml", laughs)
	if len(got) != 1 || got[0].Title != "Good" || s.Skipped != 2 {
		t.Errorf("%+v %s", got, messages(s.Skips))
	}
	deep := "<xml><records><record>" + strings.Repeat("<a>", 1000) + "</record><record><titles><title>Good</title></titles></record></records></xml>"
	if got, s = read(t, "x.xml", deep); len(got) != 1 || s.Skipped != 1 {
		t.Errorf("%+v %s", got, messages(s.Skips))
	}
	long := "<xml><records><record><abstract>" + strings.Repeat("x", largest+10) + "</abstract></record><record><titles><title>Good</title></titles></record></records></xml>"
	if got, s = read(t, "x.xml", long); len(got) != 1 || s.Skipped != 1 {
		t.Errorf("%+v %s", got, messages(s.Skips))
	}
	evil := Entry{ID: "a", Title: "T", Format: EndNoteXML, Extra: []Field{{`x><evil/><y`, "v"}, {`custom1 a="1"b`, "v"}, {"custom1", "</record>"}}}
	var b strings.Builder
	if err := Write(&b, EndNoteXML, []Entry{evil}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "evil") || strings.Count(b.String(), "</record>") != 1 {
		t.Error(b.String())
	}
}
