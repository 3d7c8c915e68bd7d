package app

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"optimistresearch/config"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/state"
)

var (
	fencedRecord = regexp.MustCompile(`<<<BEGIN (doc_\d+)>>>`)
	fencedRQ     = regexp.MustCompile(`<<<BEGIN (RQ\d+)>>>`)
	anyRQ        = regexp.MustCompile(`\bRQ\d+\b`)
	anyDoc       = regexp.MustCompile(`\bdoc_\d{4}\b`)
	anyEvidence  = regexp.MustCompile(`\bev_[0-9a-f]{12}\b`)
	anySentence  = regexp.MustCompile(`[A-Z][^.\n]{40,300}\.`)
)

func found(re *regexp.Regexp, text string) []string {
	seen := map[string]bool{}
	var out []string
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		id := m[len(m)-1]
		if !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

// schema is the name of the schema that a request asks an answer for. Only one
// of the wires sends the name; the properties say it on all.
func schema(r llmtest.Request) string {
	for _, p := range r.Properties() {
		if name := map[string]string{"subquestions": "planner", "intents": "intent", "queries": "query", "scores": "screener", "items": "reader",
			"verdicts": "verifier", "coverage": "answer", "narrative": "synthesis", "sufficient": "critic", "text": "writer"}[p]; name != "" {
			return name
		}
	}
	return ""
}

// obliging answers every role as a well-behaved model would, from what the
// prompt shows, with two lies to be caught: a quote that is not in the text,
// and a citation of a document that does not exist.
func obliging(r llmtest.Request) llmtest.Step {
	user := ""
	for _, m := range r.Messages() {
		if m.Role == "user" {
			user = m.Content
		}
	}
	name := schema(r)
	type object = map[string]any
	switch name {
	case "planner":
		return llmtest.AnswerJSON(object{"subquestions": []object{
			{"text": "Which designs of agent memory exist?", "rationale": "The map comes first.", "priority": 1, "focus": []string{"architecture"}},
			{"text": "How well does agent memory work?", "rationale": "The effect is the point.", "priority": 2, "focus": []string{"benchmark"}},
		}})
	case "intent":
		var list []object
		for _, q := range found(fencedRQ, user) {
			list = append(list, object{"subquestion": q + ": as asked", "description": "studies for " + q, "terms": [][]string{{"agent"}, {"memory"}}})
		}
		return llmtest.AnswerJSON(object{"intents": list})
	case "query":
		return llmtest.AnswerJSON(object{"queries": []object{}})
	case "screener":
		var list []object
		for _, d := range found(fencedRecord, user) {
			for _, q := range found(fencedRQ, user) {
				list = append(list, object{"record": d, "subquestion": q, "score": 0.8, "note": "on it"})
			}
		}
		return llmtest.AnswerJSON(object{"scores": list})
	case "reader":
		doc := user[strings.Index(user, "<<<BEGIN doc_"):]
		_, doc, _ = strings.Cut(doc, "\n\n") // past the title
		quote := anySentence.FindString(doc)
		var list []object
		for _, q := range found(fencedRQ, user) {
			list = append(list,
				object{"subquestion": q, "claim": quote, "quote": quote, "type": "empirical", "strength": 0.9},
				object{"subquestion": q, "claim": "Memory always helps.", "quote": "Memory always helps in every case.", "type": "empirical", "strength": 1})
		}
		return llmtest.AnswerJSON(object{"items": list, "notes": "read", "terms": []string{"workflow"}})
	case "verifier":
		var list []object
		for _, e := range found(anyEvidence, user) {
			list = append(list, object{"evidence": e, "supports": true, "satisfies": true, "unique": true, "rival": "", "reason": ""})
		}
		return llmtest.AnswerJSON(object{"verdicts": list})
	case "answer":
		return llmtest.AnswerJSON(object{"answer": "Memory is studied [" + found(anyDoc, user)[0] + "].", "gaps": []string{"no field study"}, "coverage": 0.9})
	case "synthesis":
		return llmtest.AnswerJSON(object{"narrative": "Designs differ [" + found(anyDoc, user)[0] + "].",
			"outline": []object{{"title": "What is known", "purpose": "all of it", "evidence": found(anyEvidence, user)}}})
	case "critic":
		sufficient := strings.Contains(user, "doc_") && len(anyRQ.FindString(user)) > 0
		return llmtest.AnswerJSON(object{"sufficient": sufficient, "summary": "both subquestions are answered", "assess": []object{}, "weak": []string{}, "gaps": []string{}, "edits": []object{}})
	case "writer":
		return llmtest.AnswerJSON(object{"text": fmt.Sprintf("Agents with memory were studied [%s, doc_9999]. They were also said to fly [doc_9998].", found(anyDoc, user)[0])})
	}
	return llmtest.Garbage()
}

// A run in which a model does every role: what it says is used, priced as
// unknown, and checked all the same.
func TestModelDoesEveryRole(t *testing.T) {
	server := llmtest.NewServer()
	server.Func(obliging)
	defer server.Close()
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	c.Settings.Models = map[string]string{"default": "acme:m"}
	c.Runtime.Provider["acme"] = config.ProviderConfig{Base: server.Base(), Key: "sk-right-key-0123456789", Mode: "json_schema"}
	res := start(t, c)
	s := res.State

	if res.Stop.Reason != state.StopSufficient || res.Stop.Exit != 0 {
		t.Errorf("stop = %+v, want %s", res.Stop, state.StopSufficient)
	}
	for _, d := range s.Degradations {
		t.Errorf("a step fell back: %+v", d)
	}
	if q := s.Subquestions["RQ1"]; q.By != "acme:m" || q.Text != "Which designs of agent memory exist?" {
		t.Errorf("RQ1 = %+v", q)
	}
	admitted := s.Admitted("")
	if len(admitted) == 0 {
		t.Fatal("nothing was admitted")
	}
	for _, e := range admitted {
		if e.Claim == "Memory always helps." {
			t.Error("a claim with an invented quote was admitted")
		}
		if e.Strength > s.Settings.Reading.AbstractStrengthCap {
			t.Errorf("%s has strength %.2f, above the cap", e.ID, e.Strength)
		}
	}
	rejected := 0
	for _, r := range s.Readings {
		rejected += len(r.Rejected)
	}
	if rejected == 0 {
		t.Error("no reading counts the invented quotes")
	}
	for role, u := range s.Spent().Models {
		if u.Calls == 0 || u.Prompt == 0 || u.Unpriced != u.Calls || u.Micros != 0 {
			t.Errorf("%s: %+v; want calls and tokens counted and their price unknown", role, u)
		}
	}
	report, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(report)
	if strings.Contains(text, "doc_9999") || strings.Contains(text, "doc_9998") {
		t.Error("the report cites a document that does not exist")
	}
	if !strings.Contains(text, "Agents with memory were studied [doc_") || !strings.Contains(text, "[no citation]") {
		t.Errorf("the writer's sentence, or the mark on the one that lost its citation, is missing:\n%s", text[:min(len(text), 2500)])
	}
	if !strings.Contains(text, "acme:m") {
		t.Error("the report does not name the model")
	}
}

// The whole pipeline on every wire, whole and as a stream: the same review, and
// an account that is what the server counted.
func TestEveryWireDoesEveryRole(t *testing.T) {
	var first string
	for i, wire := range llmtest.Wires() {
		t.Run(wire, func(t *testing.T) {
			server := llmtest.NewServer()
			server.Func(obliging)
			server.Want("sk-right-key-0123456789")
			defer server.Close()
			c, err := smallConfig()
			if err != nil {
				t.Fatal(err)
			}
			c.Settings.Models = map[string]string{"default": "acme:m"}
			c.Runtime.Provider["acme"] = config.ProviderConfig{API: wire, Base: server.BaseOf(wire), Key: "sk-right-key-0123456789", Stream: i%2 == 1}
			c.Runtime.Prices["acme:m"] = config.Price{Prompt: 2, Cached: 0.5, Output: 8}
			res := start(t, c)
			if res.Stop.Reason != state.StopSufficient || res.Stop.Exit != 0 || len(res.State.Degradations) != 0 {
				t.Errorf("stop = %+v, degradations %+v", res.Stop, res.State.Degradations)
			}
			var sum state.ModelUse
			for _, u := range res.State.Spent().Models {
				sum = sum.Add(u)
			}
			bill := server.Bill()
			if sum.Prompt != bill.Prompt || sum.Cached != bill.Cached || sum.Output != bill.Output || sum.Calls != bill.Answers || sum.Unpriced != 0 {
				t.Errorf("accounted %+v, the server counted %+v", sum, bill)
			}
			// Each call is rounded by itself, to a millionth of a dollar.
			want := float64(bill.Prompt-bill.Cached)*2 + float64(bill.Cached)*0.5 + float64(bill.Output)*8
			if math.Abs(float64(sum.Micros)-want) > float64(sum.Calls) {
				t.Errorf("%d millionths of a dollar, want %.0f", sum.Micros, want)
			}
			report, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
			if err != nil {
				t.Fatal(err)
			}
			findings, _, _ := strings.Cut(string(report), "## Scope and method")
			if first == "" {
				first = findings
			} else if findings != first {
				t.Errorf("another review than on the first wire:\n%s", findings)
			}
			for _, r := range server.Requests() {
				if wire == llmtest.Ollama && !r.Has("num_ctx") {
					t.Error("a call without a context window")
				}
			}
		})
	}
}

// A wrong key and an empty account end the run within one round, with the true
// reason and exit code 5, on every wire.
func TestWrongKeyEndsTheRunOnEveryWire(t *testing.T) {
	for _, wire := range llmtest.Wires() {
		for name, step := range map[string]llmtest.Step{"refused": llmtest.Unauthorized(), "quota": llmtest.Quota()} {
			server := llmtest.NewServer()
			server.Func(func(llmtest.Request) llmtest.Step { return step })
			c, err := smallConfig()
			if err != nil {
				t.Fatal(err)
			}
			c.Settings.Models = map[string]string{"default": "acme:m"}
			c.Runtime.Provider["acme"] = config.ProviderConfig{API: wire, Base: server.BaseOf(wire), Key: "sk-wrong-key-0123456789"}
			res := start(t, c)
			if res.Stop.Exit != 5 || res.Stop.Reason != state.StopModelFailed || res.Stop.Iteration > 1 {
				t.Errorf("%s, %s: stop = %+v", wire, name, res.Stop)
			}
			if says := map[string]string{"refused": "OPTIMISTRESEARCH_PROVIDER_ACME_KEY", "quota": "add credit"}[name]; !strings.Contains(res.Stop.Detail, says) || !strings.Contains(res.Stop.Detail, "models.") {
				t.Errorf("%s, %s: the reason does not name setting and remedy: %s", wire, name, res.Stop.Detail)
			}
			if n := len(server.Requests()); n > 8 {
				t.Errorf("%s, %s: %d requests to a server that refuses them all", wire, name, n)
			}
			server.Close()
		}
	}
}

// The model server that ships carries a whole run, and a file says what goes
// wrong in it.
func TestSandboxModels(t *testing.T) {
	script := filepath.Join(t.TempDir(), "models.jsonl")
	if err := os.WriteFile(script, []byte(`{"when":{"property":"sufficient"},"fail":"quota"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"": state.StopSufficient, script: state.StopModelFailed} {
		bases, stop, err := SandboxModels("127.0.0.1:0", file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := smallConfig()
		if err != nil {
			t.Fatal(err)
		}
		c.Settings.Models = map[string]string{"default": "acme:m"}
		c.Runtime.Provider["acme"] = config.ProviderConfig{API: llmtest.Google, Base: bases[llmtest.Google]}
		if res := start(t, c); res.Stop.Reason != want {
			t.Errorf("script %q: stop = %+v, degradations %+v", filepath.Base(file), res.Stop, res.State.Degradations)
		}
		stop()
	}
	if _, _, err := SandboxModels("127.0.0.1:0", "nowhere.jsonl"); err == nil {
		t.Error("a script that is not there was played")
	}
}
