// Package embed asks an embedding model for vectors, over the OpenAI protocol
// (POST /embeddings), which Ollama and most local servers speak as well.
//
// It must never log a key, never send more than it was given, and never take an
// answer for complete that is not: every text gets one vector of the same
// length, or the call fails.
//
// Start with New.
package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"optimistresearch/internal/advice"
	"optimistresearch/internal/fetch"
)

// Bounds of a request and of an answer.
const (
	batch     = 64        // texts of one request
	longest   = 4000      // characters of one text: about a thousand tokens, which every embedding model takes
	mostBytes = 128 << 20 // of an answer
	timeout   = 5 * time.Minute
)

// Doer sends requests; *fetch.Client is one.
type Doer interface {
	Do(ctx context.Context, r fetch.Request) (*fetch.Response, error)
}

// Options of a Client.
type Options struct {
	Name  string // of the provider: names the pace and the errors
	Base  string // address with version, such as http://127.0.0.1:11434/v1
	Key   string // may be empty
	Model string
	Doer  Doer
}

// Client embeds texts.
type Client struct{ o Options }

// New checks the options.
func New(o Options) (*Client, error) {
	switch {
	case o.Base == "":
		return nil, advice.New(fmt.Sprintf("set it, for example with --set provider.%s.base=http://127.0.0.1:11434/v1", o.Name),
			"the embedding model %s of %s cannot be asked: provider.%s.base, the address of its server, is not set", o.Model, o.Name, o.Name)
	case o.Model == "":
		return nil, advice.New("for example: --embeddings ollama:nomic-embed-text", "the embedding model of %s has no name", o.Name)
	case o.Doer == nil:
		return nil, errors.New("an embedding client needs something that sends its requests")
	}
	o.Base = strings.TrimRight(o.Base, "/")
	return &Client{o}, nil
}

type request struct {
	Model string   `json:"model"`
	Input []string `json:"input"`
}

type answer struct {
	Data []struct {
		Index     *int      `json:"index"`
		Embedding []float64 `json:"embedding"`
	} `json:"data"`
}

// Embed gives a unit vector for every text, in their order. An empty text is
// sent as a space, since servers refuse empty ones. progress, if not nil, is
// told how many are done.
func (c *Client) Embed(ctx context.Context, texts []string, progress func(done int)) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for from := 0; from < len(texts); from += batch {
		part := texts[from:min(from+batch, len(texts))]
		vectors, err := c.some(ctx, part)
		if err != nil {
			return nil, fmt.Errorf("embedding texts %d to %d of %d with %s:%s: %w", from+1, from+len(part), len(texts), c.o.Name, c.o.Model, err)
		}
		for _, v := range vectors {
			if len(out) > 0 && len(v) != len(out[0]) {
				return nil, fmt.Errorf("embedding with %s:%s: vectors of %d and of %d numbers came back; use a model that gives vectors of one length", c.o.Name, c.o.Model, len(out[0]), len(v))
			}
			out = append(out, v)
		}
		if progress != nil {
			progress(len(out))
		}
	}
	return out, nil
}

func (c *Client) some(ctx context.Context, texts []string) ([][]float32, error) {
	in := make([]string, len(texts))
	for i, t := range texts {
		if in[i] = clip(t); in[i] == "" {
			in[i] = " "
		}
	}
	body, err := json.Marshal(request{Model: c.o.Model, Input: in})
	if err != nil {
		return nil, err
	}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json"}}
	var secrets []string
	if c.o.Key != "" {
		header.Set("Authorization", "Bearer "+c.o.Key)
		secrets = []string{c.o.Key}
	}
	resp, err := c.o.Doer.Do(ctx, fetch.Request{Service: c.o.Name, Op: "embed", Method: http.MethodPost, Base: c.o.Base, Path: "/embeddings",
		Header: header, Body: body, MaxBytes: mostBytes, Timeout: timeout, Secrets: secrets, Types: []string{"application/json"}})
	if err != nil {
		return nil, err
	}
	var a answer
	if err := json.Unmarshal(resp.Body, &a); err != nil {
		return nil, fmt.Errorf("the answer is no list of embeddings: %w", err)
	}
	out := make([][]float32, len(texts))
	for n, d := range a.Data {
		at := n
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= len(out) || out[at] != nil {
			return nil, fmt.Errorf("the answer has an embedding for text %d, which was not asked for or came twice", at)
		}
		if out[at] = unit(d.Embedding); out[at] == nil {
			return nil, fmt.Errorf("the embedding of text %d is empty, zero or no number", at)
		}
	}
	for i, v := range out {
		if v == nil {
			return nil, fmt.Errorf("%d of %d texts came back without an embedding, the first of them text %d", len(out)-len(a.Data), len(out), i)
		}
	}
	return out, nil
}

// clip shortens a text to what is sent.
func clip(s string) string {
	n := 0
	for i := range s {
		if n++; n > longest {
			return s[:i]
		}
	}
	return s
}

// unit scales a vector to length 1; nil if it cannot be.
func unit(v []float64) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	if norm := math.Sqrt(sum); norm > 0 && !math.IsInf(norm, 0) && !math.IsNaN(norm) {
		out := make([]float32, len(v))
		for i, x := range v {
			out[i] = float32(x / norm)
		}
		return out
	}
	return nil
}

// Likeness gives the cosine of two unit vectors.
func Likeness(a, b []float32) float64 {
	s := 0.0
	for i := range min(len(a), len(b)) {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}
