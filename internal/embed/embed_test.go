package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/fetch"
)

// fake answers requests with what a function makes of their texts.
type fake struct {
	answer func(in []string) (string, error)
	sent   []fetch.Request
}

func (f *fake) Do(_ context.Context, r fetch.Request) (*fetch.Response, error) {
	f.sent = append(f.sent, r)
	var q request
	if err := json.Unmarshal(r.Body, &q); err != nil {
		return nil, err
	}
	body, err := f.answer(q.Input)
	return &fetch.Response{Status: 200, Body: []byte(body)}, err
}

func client(t *testing.T, f *fake) *Client {
	t.Helper()
	c, err := New(Options{Name: "ollama", Base: "http://127.0.0.1:11434/v1/", Key: "sesame", Model: "m", Doer: f})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestEmbed(t *testing.T) {
	f := &fake{answer: func(in []string) (string, error) {
		var parts []string
		for i := range in { // the last first: the index counts, not the place
			n := len(in) - 1 - i
			parts = append(parts, fmt.Sprintf(`{"index":%d,"embedding":[%d,3]}`, n, len(in[n])))
		}
		return `{"data":[` + strings.Join(parts, ",") + `]}`, nil
	}}
	texts := []string{"four", "", strings.Repeat("é", 5000)}
	for range 100 {
		texts = append(texts, "x")
	}
	told := 0
	got, err := client(t, f).Embed(context.Background(), texts, func(n int) { told = n })
	if err != nil || len(got) != len(texts) || told != len(texts) {
		t.Fatalf("%d vectors, told of %d, %v", len(got), told, err)
	}
	if v := got[0]; math.Abs(float64(v[0])-0.8) > 1e-6 || math.Abs(float64(v[1])-0.6) > 1e-6 {
		t.Errorf("the vector of %q is %v, want [0.8 0.6]", texts[0], v)
	}
	if len(f.sent) != 2 {
		t.Errorf("%d requests", len(f.sent))
	}
	r := f.sent[0]
	if r.Base != "http://127.0.0.1:11434/v1" || r.Path != "/embeddings" || r.Header.Get("Authorization") != "Bearer sesame" || len(r.Secrets) != 1 {
		t.Errorf("request %+v", r)
	}
	var q request
	if err := json.Unmarshal(r.Body, &q); err != nil || q.Model != "m" || q.Input[1] != " " || len([]rune(q.Input[2])) != longest {
		t.Errorf("input %q, %v", q.Input[1], err)
	}
	if x := Likeness(got[0], got[0]); math.Abs(x-1) > 1e-6 {
		t.Errorf("a vector is %g like itself", x)
	}
}

func TestIncompleteAnswers(t *testing.T) {
	for name, body := range map[string]string{
		"no JSON": "<html>", "none": `{"data":[]}`, "too few": `{"data":[{"index":0,"embedding":[1]}]}`,
		"twice":     `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		"beyond":    `{"data":[{"index":0,"embedding":[1]},{"index":7,"embedding":[1]}]}`,
		"zero":      `{"data":[{"index":0,"embedding":[0]},{"index":1,"embedding":[1]}]}`,
		"empty":     `{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[1]}]}`,
		"lengths":   `{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[1]}]}`,
		"no number": `{"data":[{"index":0,"embedding":["x"]},{"index":1,"embedding":[1]}]}`,
	} {
		f := &fake{answer: func([]string) (string, error) { return body, nil }}
		if _, err := client(t, f).Embed(context.Background(), []string{"a", "b"}, nil); err == nil || !strings.Contains(err.Error(), "ollama:m") {
			t.Errorf("%s: %v", name, err)
		}
	}
	down := errors.New("down")
	f := &fake{answer: func([]string) (string, error) { return "", down }}
	if _, err := client(t, f).Embed(context.Background(), []string{"a"}, nil); !errors.Is(err, down) {
		t.Errorf("%v", err)
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{Name: "acme", Model: "m", Doer: &fake{}}, {Name: "acme", Base: "http://x", Doer: &fake{}}} {
		_, err := New(o)
		if err == nil {
			t.Fatalf("%+v is taken", o)
		}
		if _, next := advice.Split(err); next == "" {
			t.Errorf("%v says nothing to do", err)
		}
	}
}
