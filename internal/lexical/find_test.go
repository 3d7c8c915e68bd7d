package lexical

import (
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	ix := NewIndex([]Doc{
		{ID: "gan", Title: "Generative adversarial networks (GANs) for speech recognition"},
		{ID: "short", Title: "GAN training for robust speech"},
		{ID: "papers", Title: "How research papers are written: latest approaches and provided methods"},
		{ID: "birds", Title: "Migration of birds"},
	})
	question := "Please provide the latest research papers on generative adversarial networks in speech recognition."
	for name, hits := range map[string][]Hit{"find": Find(ix, question, 0, 0), "apart": FindApart(ix, question, 0)} {
		if len(hits) < 2 || hits[0].ID != "gan" || !slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == "short" }) || slices.ContainsFunc(hits, func(h Hit) bool { return h.ID == "birds" }) {
			t.Errorf("%s: %v, want the work on the topic first, and the one that writes it shorter", name, hits)
		}
	}
	if hits := Find(ix, question, 1, 0); len(hits) != 1 {
		t.Errorf("%d hits, want one", len(hits))
	}
	plain := Find(ix, question, 0, FindTopic|FindAcronyms|FindFeedback)
	for _, h := range plain {
		if h.ID == "papers" && h.Score > 0 {
			return
		}
	}
	t.Error("with all words alike, the scaffolding of the question counts")
}

func TestFindOfNothing(t *testing.T) {
	for _, q := range []string{"", "the of and", "?!"} {
		if hits := Find(NewIndex(nil), q, 5, 0); len(hits) != 0 {
			t.Errorf("%q finds %v in an empty index", q, hits)
		}
		if hits := FindApart(NewIndex([]Doc{{ID: "a", Title: "b"}}), q, 5); len(hits) != 0 {
			t.Errorf("%q finds %v", q, hits)
		}
	}
}
