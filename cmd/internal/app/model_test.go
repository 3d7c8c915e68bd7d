package app

import (
	"fmt"
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

// schema is the name of the schema that a request asks an answer for.
func schema(r llmtest.Request) string {
	if f, ok := r.Body["response_format"].(map[string]any); ok {
		if s, ok := f["json_schema"].(map[string]any); ok {
			name, _ := s["name"].(string)
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
