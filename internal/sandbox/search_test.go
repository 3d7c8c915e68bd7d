package sandbox

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"optimistresearch/internal/text"
)

// tinyLibrary draws works with titles and abstracts of few words, so that
// phrases meet.
func tinyLibrary(t *rapid.T) *Library {
	word := rapid.SampledFrom([]string{"alpha", "beta", "betas", "gamma", "the"})
	lib := &Library{}
	for i := range rapid.IntRange(1, 6).Draw(t, "works") {
		lib.Works = append(lib.Works, Work{
			ID: itoa(i), Title: strings.Join(rapid.SliceOfN(word, 1, 5).Draw(t, "title"), " "), Abstract: strings.Join(rapid.SliceOfN(word, 0, 8).Draw(t, "abstract"), " "),
			In: []string{OpenAlex},
		})
	}
	return lib
}

// TestSearchEqualsScan holds the index against a scan of the texts.
func TestSearchEqualsScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lib := tinyLibrary(t)
		f := lib.prepare()[OpenAlex]
		texts := func(w *Work) [][]string {
			out := [][]string{text.Tokens(w.Title)}
			if f.records[f.main(int32(slices.IndexFunc(lib.Works, func(x Work) bool { return x.ID == w.ID })))].abstract {
				out = append(out, text.Tokens(w.Abstract))
			}
			return out
		}
		seq := rapid.SliceOfN(rapid.SampledFrom([]string{"alpha", "beta", "gamma", "the", "none"}), 1, 3).Draw(t, "query")
		stem := rapid.Bool().Draw(t, "stem")
		same := func(a, b string) bool { return a == b || stem && text.Stem(a) == text.Stem(b) }
		has := func(w *Work, phrase []string) bool {
			for _, words := range texts(w) {
				for i := 0; i+len(phrase) <= len(words); i++ {
					if slices.EqualFunc(words[i:i+len(phrase)], phrase, same) {
						return true
					}
				}
			}
			return false
		}
		check := func(what string, n node, want func(w *Work) bool) {
			got := map[int32]bool{}
			last := int32(-1)
			for _, h := range f.eval(n) {
				if h.work <= last {
					t.Fatalf("%s: the hits are not in order", what)
				}
				last = h.work
				got[h.work] = true
			}
			for i := range lib.Works {
				if got[int32(i)] != want(&lib.Works[i]) {
					t.Fatalf("%s of %v (stemmed: %v) in %v: hit is %v", what, seq, stem, texts(&lib.Works[i]), got[int32(i)])
				}
			}
		}
		single := func(w string) node { return f.sequence([]string{w}, -1, inText, stem) }
		check("phrase", f.sequence(seq, -1, inText, stem), func(w *Work) bool { return has(w, seq) })
		var and allOf
		var or anyOf
		for _, w := range seq {
			and, or = append(and, single(w)), append(or, single(w))
		}
		check("and", and, func(w *Work) bool {
			return !slices.ContainsFunc(seq, func(x string) bool { return !has(w, []string{x}) })
		})
		check("or", or, func(w *Work) bool {
			return slices.ContainsFunc(seq, func(x string) bool { return has(w, []string{x}) })
		})
		check("not", except{single(seq[0]), single(seq[len(seq)-1])}, func(w *Work) bool {
			return has(w, seq[:1]) && !has(w, seq[len(seq)-1:])
		})
	})
}

// TestRanking checks that the better match comes first.
func TestRanking(t *testing.T) {
	lib, _, err := readLibrary(strings.NewReader(`{"title":"Of mice","abstract":"A memory among many other words that fill the abstract of this work with nothing."}
{"title":"Memory of mice"}
{"title":"Of rats","abstract":"Rats and more rats."}
{"title":"Memory of memory"}`))
	if err != nil {
		t.Fatal(err)
	}
	for i := range lib.Works {
		lib.Works[i].In = []string{Crossref}
	}
	f := lib.prepare()[Crossref]
	var got []string
	for _, r := range f.expand(f.eval(anyOf{words{any: []string{"memory"}, in: inText}, words{any: []string{"rats"}, in: inText}}), nil) {
		got = append(got, itoa(int(f.records[r.record].work)))
	}
	// The rare word first, then the title with the word twice, the title, the
	// long abstract.
	if s := fmt.Sprint(got); s != "[2 3 1 0]" {
		t.Errorf("the order is %s", s)
	}
}

func TestJSONStyles(t *testing.T) {
	v := object{{"a/b", "é/\"\\\n\t\x01😀"}, {"n", nil}, {"list", list{1, 2.5, true, []string{"x"}, []int{}, object{}}}}
	if got, want := string(style{}.encode(v)), `{"a/b":"\u00e9/\"\\\n\t\u0001\ud83d\ude00","n":null,"list":[1,2.5,true,["x"],[],{}]}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got, want := string(style{spaced: true, slash: true}.encode(object{{"a", "/"}, {"b", list{1, 2}}})), `{"a": "\/", "b": [1, 2]}`; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := string(style{}.encode("\xff")); got != `"\ufffd"` {
		t.Errorf("invalid UTF-8 gives %s", got)
	}
}
