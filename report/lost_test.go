package report

import "testing"

// A sentence whose citations were all taken out is marked whatever it says: it
// had claimed a source that does not exist.
func TestALostCitationMarksItsSentence(t *testing.T) {
	const no = " " + NoCitation
	allowed := func(id string) bool { return id == "doc_0001" }
	for _, c := range []struct{ in, want string }{
		{"They fly [doc_9998].", "They fly." + no},
		{"They fly. [doc_9998] Birds sing songs [doc_0001].", "They fly." + no + " Birds sing songs [doc_0001]."},
		{"They fly [doc_0001, doc_9998].", "They fly [doc_0001]."},
		{"They fly [doc_9998] and [doc_0001] says so.", "They fly and [doc_0001] says so."},
		{"They fly (see doc_9998).", "They fly (see)." + no},
		{"- They fly [doc_9998]\n- So what?", "- They fly" + no + "\n- So what?"},
		{"| who | what |\n| --- | --- |\n| they [doc_9998] | fly |", "| who | what |\n| --- | --- |\n| they | fly" + no + " |"},
		{"[doc_9998]", no},
		{"Nothing is cited here?", "Nothing is cited here?"},
	} {
		clean, _ := filter(c.in, allowed, true)
		if got, _ := mark(clean, nil); got != c.want {
			t.Errorf("%q comes out as %q, want %q", c.in, got, c.want)
		}
	}
}
