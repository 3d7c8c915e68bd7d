package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilter(t *testing.T) {
	allowed := func(id string) bool { return id == "doc_0001" || id == "doc_0002" || id == "doc_10000" }
	cases := []struct {
		in, want string
		removed  []string
	}{
		{"", "", nil},
		{"No citation at all.", "No citation at all.", nil},
		{"Kept [doc_0001].", "Kept [doc_0001].", nil},
		{"Foreign [doc_0009].", "Foreign.", []string{"doc_0009"}},
		{"Foreign [doc_0009] in the middle.", "Foreign in the middle.", []string{"doc_0009"}},
		{"Both [doc_0001, doc_0002].", "Both [doc_0001, doc_0002].", nil},
		{"Half [doc_0009, doc_0002; doc_0008].", "Half [doc_0002].", []string{"doc_0009", "doc_0008"}},
		{"Twice [doc_0001, doc_0001].", "Twice [doc_0001].", nil},
		{"Loose [Doc 1], [DOC-2] and [doc_1].", "Loose [doc_0001], [doc_0002] and [doc_0001].", nil},
		{"Page [see doc_0001, p. 3].", "Page [doc_0001].", nil},
		{"Wide 【doc_0001】 and double [[doc_0002]].", "Wide [doc_0001] and double [doc_0002].", nil},
		{"Link [doc_0001](http://evil.example/x) here.", "Link [doc_0001] here.", nil},
		{"Foreign link [doc_0009](http://evil.example/x).", "Foreign link.", []string{"doc_0009"}},
		{"Free doc_0001 and doc_0009 stand.", "Free [doc_0001] and stand.", []string{"doc_0009"}},
		{"Evidence [ev_0123456789ab].", "Evidence.", []string{"ev_0123456789ab"}},
		{"Large [doc_10000].", "Large [doc_10000].", nil},
		{"Not ids: [sic], [1], array[doc], docs_0001.", "Not ids: [sic], [1], array[doc], docs_0001.", nil},
		{"中文 [doc_0009]。后文 [doc_0001]。", "中文。后文 [doc_0001]。", []string{"doc_0009"}},
	}
	for _, c := range cases {
		got, removed := Filter(c.in, allowed)
		if got != c.want {
			t.Errorf("Filter(%q) = %q, want %q", c.in, got, c.want)
		}
		if d := cmp.Diff(c.removed, removed); d != "" {
			t.Errorf("Filter(%q) removed: %s", c.in, d)
		}
	}
}

// Nothing that is not allowed is left, and filtering again changes nothing.
func FuzzFilter(f *testing.F) {
	for _, s := range []string{"a [doc_0001, doc_9] b", "[[doc_2]](x)", "doc_1 【doc 2】", "[doc_0001", "doc_0001]", "ev_abcdef [doc[doc_1]]"} {
		f.Add(s)
	}
	allowed := func(id string) bool { return id == "doc_0001" }
	f.Fuzz(func(t *testing.T, s string) {
		once, _ := Filter(s, allowed)
		for _, id := range bare.FindAllString(once, -1) {
			if !allowed(normalID(id)) {
				t.Fatalf("Filter(%q) = %q keeps %s", s, once, id)
			}
		}
		if twice, removed := Filter(once, allowed); len(removed) > 0 {
			t.Fatalf("Filter(%q) = %q, and again %q removes %v", s, once, twice, removed)
		}
	})
}

func TestMark(t *testing.T) {
	const no = " " + NoCitation
	cases := []struct{ in, want string }{
		{"Paging helps agents [doc_0001].", "Paging helps agents [doc_0001]."},
		{"Paging helps agents.", "Paging helps agents." + no},
		{"Limits are stated as well.", "Limits are stated as well."},
		{"This review rests on 24 admitted claims from 12 documents.", "This review rests on 24 admitted claims from 12 documents."},
		{"Three documents give admitted evidence on this subquestion.", "Three documents give admitted evidence on this subquestion."},
		{"The following section turns to retrieval-augmented memory.", "The following section turns to retrieval-augmented memory."},
		{"Does memory improve accuracy?", "Does memory improve accuracy?"},
		{"Two lines of work on paging stand out:", "Two lines of work on paging stand out:"},
		{"Paging helps agents. [doc_0001] Flat stores help dialogue.", "Paging helps agents. [doc_0001] Flat stores help dialogue." + no},
		{"Paging helps agents. [doc_0001]", "Paging helps agents. [doc_0001]"},
		{"One claim about paging [doc_0001]. Another claim about flat stores.\n\nA third on dialogue memory [doc_0002].", "One claim about paging [doc_0001]. Another claim about flat stores." + no + "\n\nA third on dialogue memory [doc_0002]."},
		{"## Paging beats flat stores", "## Paging beats flat stores"},
		{"- Paging helps agents\n- Flat stores help dialogue [doc_0001]", "- Paging helps agents" + no + "\n- Flat stores help dialogue [doc_0001]"},
		{"| System | Score |\n| --- | --- |\n| paged memory | 93 % accuracy |\n| flat store [doc_0001] | 32 % accuracy |",
			"| System | Score |\n| --- | --- |\n| paged memory | 93 % accuracy" + no + " |\n| flat store [doc_0001] | 32 % accuracy |"},
		{"Packer et al. (2023) write: “We page context. It works well.” [doc_0001].", "Packer et al. (2023) write: “We page context. It works well.” [doc_0001]."},
		{"Paging helps agents [doc_0001]. [doc_0002] shows that flat stores help.", "Paging helps agents [doc_0001]. [doc_0002] shows that flat stores help."},
		{"Paging helps agents. [doc_0002] shows that flat stores help.", "Paging helps agents." + no + " [doc_0002] shows that flat stores help."},
		{"分页内存提高准确率。", "分页内存提高准确率。" + no},
		{"Smith et al. Showed that paging helps. Twice [doc_0001].", "Smith et al. Showed that paging helps. Twice [doc_0001]."},
		{"", ""},
	}
	for _, c := range cases {
		got, n := mark(c.in, []string{"Smith et al. Showed that paging helps. Twice"})
		if got != c.want {
			t.Errorf("mark(%q)\n = %q\nwant %q", c.in, got, c.want)
		}
		if n != strings.Count(c.want, NoCitation) {
			t.Errorf("mark(%q) counts %d", c.in, n)
		}
	}
}
