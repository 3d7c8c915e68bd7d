package biblio

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const nbibSample = `
PMID- 100001
OWN - NLM
STAT- MEDLINE
IS  - 1530-0293 (Electronic)
IS  - 0090-3493 (Linking)
VI  - 50
IP  - 3
DP  - 2022 Mar-Apr
TI  - Machine learning for early
      detection of sepsis.
LID - 10.1000/ccm.5432 [doi]
LID - S0090-3493(22)00001-1 [pii]
PG  - e123-e130
AB  - Sepsis is common. We looked
      at two cohorts.
FAU - Smith, John Jr
AU  - Smith J Jr
AD  - Somewhere.
FAU - van Raaij, M J
AU  - van Raaij MJ
CN  - Sepsis Study Group
LA  - eng
PT  - Journal Article
PT  - Review
TA  - Crit Care Med
JT  - Critical care medicine
MH  - Humans
MH  - Sepsis/*diagnosis
OT  - machine learning
PMC - PMC900001
AID - 10.1000/ccm.5432 [doi]
SO  - Crit Care Med. 2022 Mar-Apr;50(3):e123-e130.

PMID- 100002
TI  - An old record with short names.
AU  - Doe JA
AU  - Oudin Åström D
DP  - 1998
`

func TestNBIB(t *testing.T) {
	got, s := read(t, "pubmed.txt", nbibSample)
	want := []Entry{
		{ID: "100001", PMID: "100001", Type: Journal, PubTypes: []string{"Review"}, Title: "Machine learning for early detection of sepsis.",
			Authors: []Name{{Family: "Smith", Given: "John", Suffix: "Jr"}, {Family: "van Raaij", Given: "M J"}, {Literal: "Sepsis Study Group"}},
			Date:    "2022-03", Container: "Critical care medicine", Abbrev: "Crit Care Med", Volume: "50", Issue: "3", Pages: "e123-e130", Language: "eng", Abstract: "Sepsis is common. We looked at two cohorts.",
			DOI: "10.1000/ccm.5432", PMCID: "PMC900001", ISSN: []string{"1530-0293", "0090-3493"}, Keywords: []string{"machine learning"}, MeSH: []string{"Humans", "Sepsis/*diagnosis"}, Format: NBIB,
			Extra: []Field{{"OWN", "NLM"}, {"STAT", "MEDLINE"}, {"IS", "1530-0293 (Electronic)"}, {"IS", "0090-3493 (Linking)"}, {"DP", "2022 Mar-Apr"}, {"LID", "S0090-3493(22)00001-1 [pii]"}, {"AD", "Somewhere."},
				{"SO", "Crit Care Med. 2022 Mar-Apr;50(3):e123-e130."}}},
		{ID: "100002", PMID: "100002", Type: Document, Title: "An old record with short names.", Authors: []Name{{Family: "Doe", Given: "JA"}, {Family: "Oudin Åström", Given: "D"}}, Date: "1998", Format: NBIB},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s.Format != NBIB || s.Warned+s.Skipped != 0 {
		t.Errorf("%+v", s)
	}
	var b strings.Builder
	if err := Write(&b, NBIB, got); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"FAU - Smith, John, Jr\r\nAU  - Smith J Jr\r\n", "AU  - van Raaij MJ\r\n", "CN  - Sepsis Study Group\r\n", "DP  - 2022 Mar-Apr\r\n", "IS  - 0090-3493 (Linking)\r\n"} {
		if strings.Count(b.String(), line) != 1 {
			t.Errorf("%q is not there once:\n%s", line, b.String())
		}
	}
	again, _ := read(t, "x", b.String())
	for i := range got { // the unmapped fields come behind the others
		got[i].Extra, again[i].Extra = nil, nil
	}
	if d := cmp.Diff(got, again); d != "" {
		t.Error(d)
	}
}

const wosSample = `FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Kowalski, J
   Nowak, A
AF Kowalski, Jan
   Nowak, Anna Maria
CA Mapping Consortium
TI Bibliometric mapping of artificial
   intelligence research
SO SCIENTOMETRICS
LA English
DT Article; Early Access
DE bibliometrics; mapping of science;
   artificial intelligence
ID NETWORKS
AB One.
   Two.
CR Abel K, 1999, J TEST, V1, P2
   Bauer L, 2001, J TEST, V3, P4
SN 0138-9130
EI 1588-2861
JI Scientometrics
PD MAY
PY 2021
VL 126
IS 4
BP 3011
EP 3035
DI 10.1000/s1
PM 345678
UT WOS:0006543
ER

PT B
AU Solo, H
TI A chapter
DT Book Chapter
PY 2019
EF
`

func TestWoS(t *testing.T) {
	got, s := read(t, "savedrecs.txt", wosSample)
	want := []Entry{
		{ID: "WOS:0006543", Accession: "WOS:0006543", Type: Journal, RawType: "J", PubTypes: []string{"Early Access"}, Title: "Bibliometric mapping of artificial intelligence research",
			Authors: []Name{{Family: "Kowalski", Given: "Jan"}, {Family: "Nowak", Given: "Anna Maria"}, {Literal: "Mapping Consortium"}}, Date: "2021-05", Container: "SCIENTOMETRICS",
			Abbrev: "Scientometrics", Volume: "126", Issue: "4", Pages: "3011-3035", Language: "English", Abstract: "One. Two.", DOI: "10.1000/s1", PMID: "345678", ISSN: []string{"0138-9130", "1588-2861"},
			Keywords: []string{"bibliometrics", "mapping of science", "artificial intelligence"}, Format: WoS,
			Extra: []Field{{"ID", "NETWORKS"}, {"CR", "Abel K, 1999, J TEST, V1, P2"}, {"CR", "Bauer L, 2001, J TEST, V3, P4"}}},
		{Type: Chapter, RawType: "B", Title: "A chapter", Authors: []Name{{Family: "Solo", Given: "H"}}, Date: "2019", Format: WoS},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if s.Warned != 1 { // no ER
		t.Errorf("%s", messages(s.Warnings))
	}
}

func TestOvidAndEndNoteTagged(t *testing.T) {
	got, s := read(t, "x.txt", "<1. >\nVN  - Ovid Technologies\nDB  - Embase\nUI  - 6213\nTI  - Quality of life.\nAU  - Behan L.\nAU  - Lucas J.S.\nIN  - (Behan) One\n      (Lucas) Two\nAB  - Background: a.\nMethod(s): b.\nDO  - http://dx.doi.org/10.1000/x1\nMH  - *quality of life\nPT  - Conference Abstract\nYR  - 2018\n\n<2. >\nTI  - Second.\n")
	if s.Format != Ovid || len(got) != 2 || got[0].DOI != "10.1000/x1" || got[0].Authors[1] != (Name{Family: "Lucas", Given: "J.S."}) || got[0].Type != Conference ||
		got[0].Abstract != "Background: a. Method(s): b." || got[0].Accession != "6213" || got[1].Title != "Second." {
		t.Errorf("%+v %+v", s, got)
	}
	got, s = read(t, "scholar.enw", "%0 Journal Article\n%T A title\n%A Park, Joon Sung\n%A Google Team,\n%J J Test\n%D 2020\n%P 1-9\n%@ 1234-567X\n%K one\ntwo\n\n%0 Book\n%T B\n")
	if s.Format != EndNoteTagged || len(got) != 2 || got[0].Authors[1].Literal != "Google Team" || got[0].Type != Journal || got[1].Type != Book || len(got[0].Keywords) != 2 || got[0].ISSN[0] != "1234-567X" {
		t.Errorf("%+v %+v", s, got)
	}
}
