package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"optimistresearch/config"
	"optimistresearch/internal/biblio"
	"optimistresearch/screening"
)

func screenCorpus() *screening.Corpus {
	var records []screening.Record
	for i := range 12 {
		records = append(records, screening.Record{ID: fmt.Sprintf("r%02d", i), Title: fmt.Sprintf("Falls in older adults, study %d", i), Abstract: "Falls were counted."})
	}
	return screening.NewCorpus(records)
}

func screenConfig(t *testing.T, flags map[string]string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Options{Dir: t.TempDir(), Flags: flags, Sources: SourceNames(), Roles: RoleNames(), Bases: SourceBases()})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// Embeddings move the record that the model finds nearest to the first place; a
// server that fails is an error, not a ranking without it.
func TestScreenWithEmbeddings(t *testing.T) {
	ok := atomic.Bool{}
	ok.Store(true)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if json.NewDecoder(r.Body).Decode(&q); !ok.Load() || r.URL.Path != "/v1/embeddings" {
			http.Error(w, "no such model", http.StatusBadRequest)
			return
		}
		var data []map[string]any
		for i, s := range q.Input {
			v := []float64{1, 0}
			if i > 0 && !strings.Contains(s, "study 7") {
				v = []float64{0, 1}
			}
			data = append(data, map[string]any{"index": i, "embedding": v})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"data": data})
	}))
	defer server.Close()
	o := ScreenOptions{Config: screenConfig(t, map[string]string{"provider.ollama.base": server.URL}), Now: time.Now(), Corpus: screenCorpus(),
		Review: screening.Review{Question: "falls in older adults"}, Embeddings: "ollama:nomic", Session: &screening.Session{}}
	got, err := Screen(context.Background(), o)
	if err != nil || got.Ranked[0].ID != "r07" {
		t.Fatalf("%+v, %v", got.Ranked, err)
	}
	ok.Store(false)
	if _, err := Screen(context.Background(), o); err == nil {
		t.Error("a server that refuses gives a ranking")
	}
}

// A person's decision stands above a model's, whatever came first.
func TestScoresOfAPersonWin(t *testing.T) {
	s := &screening.Session{}
	nine, at := 0.9, time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	s.Apply(screening.Decision{Record: "a", Verdict: screening.Exclude, Reason: "outcome", By: "Ada", At: at})
	s.Apply(screening.Decision{Record: "a", Verdict: screening.Include, Score: &nine, Model: true, By: "ollama:m", At: at})
	s.Apply(screening.Decision{Record: "b", Verdict: screening.Include, Score: &nine, Note: "a trial", Model: true, By: "ollama:m", At: at})
	s.Apply(screening.Decision{Record: "c", Verdict: screening.Maybe, By: "Ada", At: at})
	rows := Scores([]screening.Ranked{{ID: "a", Score: 0.8}, {ID: "b", Score: 0.3}, {ID: "c", Score: 0.1}, {ID: "d", Score: 0.05, Reason: "why"}}, s)
	for i, want := range []struct {
		score  float64
		reason string
	}{{0, "excluded by Ada on 2026-03-01: outcome"}, {0.999*0.9 + 0.001*0.3, "included by ollama:m on 2026-03-01: a trial"},
		{0.5, "put aside as maybe by Ada on 2026-03-01"}, {0.05, "why"}} {
		if rows[i].Score != want.score || rows[i].Reason != want.reason {
			t.Errorf("%+v, want %+v", rows[i], want)
		}
	}
}

// What goes out in any format that is written comes back: the decision, its
// reason, note, name and time.
func TestDecisionsSurviveEveryFormat(t *testing.T) {
	c := screenCorpus()
	entries := map[string]biblio.Entry{}
	var ranked []screening.Ranked
	for _, r := range c.Records {
		entries[r.ID] = biblio.Entry{ID: r.ID, Type: biblio.Journal, Title: r.Title}
		ranked = append(ranked, screening.Ranked{ID: r.ID})
	}
	s := &screening.Session{}
	at := time.Date(2026, 3, 1, 9, 30, 0, 0, time.UTC)
	s.Apply(screening.Decision{Record: "r00", Verdict: screening.Exclude, Reason: "=wrong outcome", Note: "see p. 4, “table” 2", By: "Ada Lovelace", At: at})
	s.Apply(screening.Decision{Record: "r01", Verdict: screening.Maybe, By: "Ada Lovelace", At: at})
	for _, f := range []biblio.Format{biblio.CSV, biblio.RIS, biblio.BibTeX, biblio.CSL, biblio.JSONL, biblio.EndNoteXML} {
		var b bytes.Buffer
		if err := WriteDecisions(&b, f, entries, Scores(ranked, s), s); err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		got, unknown, err := ReadDecisions(b.Bytes(), "decided."+f.Ext(), c, time.Now(), "nobody")
		if err != nil || unknown != 0 || len(got) != 2 {
			t.Errorf("%s: %+v, %d unknown, %v", f, got, unknown, err)
			continue
		}
		for _, d := range got {
			if want, _ := s.Of(d.Record); d != want {
				t.Errorf("%s: %+v\nwant %+v", f, d, want)
			}
		}
	}
}

// A model decides on what nobody decided on, and on nothing else; what it leaves
// out is asked for once more and keeps the built-in score.
func TestScreenWithAModel(t *testing.T) {
	var calls atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		calls.Add(1)
		var scores []string
		for _, m := range regexp.MustCompile(`BEGIN (doc_\d+)`).FindAllStringSubmatch(html.UnescapeString(strings.ReplaceAll(string(body), `\u003c`, "<")), -1) {
			if m[1] != "doc_00005" { // left out, also when asked again
				scores = append(scores, `{"record":"**`+m[1]+`**","subquestion":"RQ1: falls","score":0.8,"note":"counts falls"}`)
			}
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"id": "1", "object": "chat.completion", "model": "m",
			"choices": []map[string]any{{"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": `{"scores":[` + strings.Join(scores, ",") + `]}`}}},
			"usage":   map[string]int{"prompt_tokens": 10, "completion_tokens": 10, "total_tokens": 20}})
	}))
	defer server.Close()
	c := screenConfig(t, map[string]string{"provider.acme.base": server.URL + "/v1", "models.screener": "acme:m"})
	s := &screening.Session{}
	s.Apply(screening.Decision{Record: "r03", Verdict: screening.Exclude, By: "Ada", At: time.Now()})
	o := ScreenOptions{Config: c, Now: time.Now(), Corpus: screenCorpus(), Review: screening.Review{Question: "falls in older adults"}, Session: s}
	got, err := Screen(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	decided := 0
	for _, r := range o.Corpus.Records {
		d, ok := s.ByModel(r.ID)
		switch {
		case r.ID == "r03" && ok:
			t.Error("a record that a person decided on was asked about")
		case ok && (d.Verdict != screening.Include || *d.Score != 0.8 || d.Note != "counts falls" || d.By != "acme:m"):
			t.Errorf("%+v", d)
		case ok:
			decided++
		}
	}
	if decided < 10 || len(got.Notices) != 12-1-decided {
		t.Errorf("%d decided, notices %q", decided, got.Notices)
	}
	// The same once more asks for what is left only.
	before := calls.Load()
	if _, err := Screen(context.Background(), o); err != nil && decided == 11 || calls.Load()-before > 2 {
		t.Errorf("%d further calls, %v", calls.Load()-before, err)
	}
}
