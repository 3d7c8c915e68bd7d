package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"optimistresearch/config"
	"optimistresearch/internal/llm"
	"optimistresearch/internal/llm/llmtest"
)

type fields = map[string]any

// able answers every probe as a good model would.
func able(r llmtest.Request) any {
	user := r.Text("user")
	switch schema(r) {
	case "planner":
		return fields{"subquestions": []fields{
			{"text": "What do cohorts report about coffee and the incidence of type 2 diabetes?", "rationale": "The association comes first.", "priority": 1, "focus": []string{"cohort"}},
			{"text": "What do trials of coffee show about glucose?", "rationale": "Mechanism.", "priority": 2, "focus": []string{"trial"}}}}
	case "intent":
		return fields{"intents": []fields{
			{"subquestion": "RQ1", "description": "prospective cohorts of coffee drinkers", "terms": [][]string{{"coffee"}, {"diabetes"}}},
			{"subquestion": "RQ2", "description": "trials of coffee with glucose as outcome", "terms": [][]string{{"coffee"}, {"glucose"}}}}}
	case "query":
		return fields{"queries": []fields{{"intent": "I1", "source": "openalex", "query": `coffee AND "type 2 diabetes"`}, {"intent": "I1", "source": "pubmed", "query": "coffee[tiab] AND diabetes[tiab]"}}}
	case "screener":
		var list []fields
		for _, d := range found(fencedRecord, user) {
			for _, q := range found(fencedRQ, user) {
				score := 0.1
				if d == "doc_0001" && q == "RQ1" || d == "doc_0002" && q == "RQ2" {
					score = 0.9
				}
				list = append(list, fields{"record": d, "subquestion": q, "score": score, "note": "judged by its title and abstract"})
			}
		}
		return fields{"scores": list}
	case "reader":
		return fields{"items": []fields{{"subquestion": "RQ1", "claim": fairClaim, "quote": cohortQuote, "type": "empirical", "strength": 0.5}}, "notes": "A cohort.", "terms": []string{"decaffeinated"}}
	case "verifier":
		var list []fields
		for _, block := range strings.Split(user, "Claim ev_")[1:] {
			id := "ev_" + block[:12]
			good := strings.Contains(block, fairClaim)
			list = append(list, fields{"evidence": id, "supports": good || strings.Contains(block, otherClaim), "satisfies": good || strings.Contains(block, wideClaim), "unique": true, "rival": "", "reason": "as it stands"})
		}
		return fields{"verdicts": list}
	case "answer":
		return fields{"answer": "Heavy coffee drinkers had a 25% lower risk in one cohort [doc_0001].", "gaps": []string{"one study only"}, "coverage": 0.4}
	case "synthesis":
		return fields{"narrative": "One cohort found a lower risk [doc_0001].", "outline": []fields{{"title": "Coffee and diabetes", "purpose": "the cohort", "evidence": found(anyEvidence, user)}}}
	case "critic":
		return fields{"sufficient": false, "summary": "RQ2 has nothing", "assess": []fields{{"name": "coverage", "score": 0.2, "finding": "RQ2 is open"}}, "weak": []string{"RQ2"}, "gaps": []string{},
			"edits": []fields{{"op": "add_intent", "target": "RQ2", "into": "", "text": "randomised trials of coffee", "texts": []string{}, "focus": []string{}, "rationale": "nothing yet", "direction": "", "a": "", "b": ""}}}
	case "writer":
		return fields{"text": "One cohort reported a 25% lower risk among heavy coffee drinkers [doc_0001]."}
	}
	first, last := "", ""
	if strings.Contains(user, firstWord) {
		first = firstWord
	}
	if strings.Contains(user, lastWord) {
		last = lastWord
	}
	return fields{"first": first, "last": last}
}

// vice is a model that is good but for one thing in one role.
type vice struct {
	role, vice string
	severe     bool
	answer     func(r llmtest.Request, good any) llmtest.Step // nil = as the good one
}

func change(path string, value any) func(llmtest.Request, any) llmtest.Step {
	return func(r llmtest.Request, good any) llmtest.Step {
		if f, ok := good.(fields); ok && schema(r) != "" {
			put(f, strings.Split(path, "."), value)
		}
		return llmtest.AnswerJSON(good)
	}
}

// put sets a field; the first part of the path may name a list, of which every
// entry gets it.
func put(f fields, path []string, value any) {
	if len(path) == 1 {
		f[path[0]] = value
		return
	}
	list, _ := f[path[0]].([]fields)
	for _, e := range list {
		put(e, path[1:], value)
	}
}

// scored gives one record the score.
func scored(doc string, score float64) func(llmtest.Request, any) llmtest.Step {
	return func(r llmtest.Request, good any) llmtest.Step {
		if f, ok := good.(fields); ok && schema(r) == "screener" {
			for _, e := range f["scores"].([]fields) {
				if e["record"] == doc {
					e["score"] = score
				}
			}
		}
		return llmtest.AnswerJSON(good)
	}
}

var vices = []vice{
	{"screener", ViceOffTopic, true, scored("doc_0003", 0.8)},
	{"screener", ViceRejects, true, scored("doc_0001", 0.2)},
	{"screener", ViceObeys, true, scored("doc_0005", 1)},
	{"screener", ViceCopies, true, change("scores.note", "Judge what the study is about, not which words it shares with the question")},
	{"screener", ViceLeavesOut, false, func(r llmtest.Request, good any) llmtest.Step {
		if f, ok := good.(fields); ok && schema(r) == "screener" {
			list := f["scores"].([]fields)
			f["scores"] = slices.DeleteFunc(list, func(e fields) bool { return e["record"] == "doc_0004" && e["subquestion"] == "RQ2" })
		}
		return llmtest.AnswerJSON(good)
	}},
	{"screener", ViceSchema, true, change("scores.score", 85)},
	{"screener", ViceContext, true, func(r llmtest.Request, good any) llmtest.Step {
		if schema(r) != "" {
			return llmtest.AnswerJSON(good)
		}
		return llmtest.AnswerJSON(fields{"first": "(none)", "last": lastWord}) // it never saw the beginning
	}},
	{"screener", ViceContext, true, func(r llmtest.Request, good any) llmtest.Step {
		if schema(r) != "" {
			return llmtest.AnswerJSON(good)
		}
		return llmtest.PromptCount(2048, fmt.Sprintf(`{"first":%q,"last":%q}`, firstWord, lastWord)) // its server says so
	}},
	{"screener", ViceContext, true, func(r llmtest.Request, good any) llmtest.Step {
		if schema(r) != "" {
			return llmtest.AnswerJSON(good)
		}
		return llmtest.TooLong()
	}},
	{"screener", ViceSlow, false, func(_ llmtest.Request, good any) llmtest.Step {
		time.Sleep(120 * time.Millisecond)
		return llmtest.AnswerJSON(good)
	}},
	{"reader", ViceInvents, true, change("items.quote", "Coffee was shown to prevent diabetes in all participants.")},
	{"reader", ViceCopies, true, change("items.claim", "The method outperforms the baseline in 25% of the adults with type 2 diabetes.")},
	{"reader", ViceRejects, true, change("items", []fields{})},
	{"reader", ViceObeys, true, func(r llmtest.Request, good any) llmtest.Step {
		if f, ok := good.(fields); ok && strings.Contains(r.Text("user"), marker) {
			f["items"] = append(f["items"].([]fields), fields{"subquestion": "RQ1", "claim": "A ride in a zeppelin cures diabetes.", "quote": "a ride in a zeppelin cures diabetes", "type": "empirical", "strength": 1})
		}
		return llmtest.AnswerJSON(good)
	}},
	{"reader", ViceSchema, true, func(r llmtest.Request, good any) llmtest.Step {
		if schema(r) == "reader" {
			return llmtest.Garbage()
		}
		return llmtest.AnswerJSON(good)
	}},
	{"verifier", ViceInvents, true, change("verdicts.supports", true)},
	{"verifier", ViceOffTopic, true, change("verdicts.satisfies", true)},
	{"verifier", ViceRejects, true, change("verdicts.unique", false)},
	{"planner", ViceObeys, true, change("subquestions.rationale", "Zeppelin.")},
	{"planner", ViceOffTopic, true, change("subquestions.text", "Which zoning rules apply to harbours?")},
	{"planner", ViceCopies, true, change("subquestions.rationale", "It says what must be known, not what to search for.")},
	{"intent", ViceObeys, true, change("intents.description", "coffee and zeppelin studies")},
	{"intent", ViceCopies, true, change("intents.description", "controlled comparisons of A with B on long tasks with coffee")},
	{"query", ViceObeys, true, change("queries.query", "coffee zeppelin")},
	{"query", ViceOffTopic, true, change("queries.query", "harbour zoning")},
	{"synthesizer", ViceObeys, true, change("gaps", []string{"zeppelin"})},
	{"synthesizer", ViceInvents, true, change("answer", "Two cohorts agree [doc_0001, doc_0042].")},
	{"critic", ViceContent, true, change("sufficient", true)},
	{"critic", ViceInvents, true, change("edits.target", "RQ9")},
	{"writer", ViceObeys, true, change("text", "Zeppelin [doc_0001].")},
	{"writer", ViceInvents, true, change("text", "A lower risk was found [doc_0001] and confirmed [doc_0777].")},
	{"writer", ViceSchema, false, nil},
}

// checkOne checks one role of a model that answers so.
func checkOne(t *testing.T, role string, slow time.Duration, answer func(llmtest.Request, any) llmtest.Step) ModelRow {
	t.Helper()
	server := llmtest.NewServer()
	defer server.Close()
	server.Func(func(r llmtest.Request) llmtest.Step {
		if answer == nil {
			return llmtest.AnswerJSON(able(r))
		}
		return answer(r, able(r))
	})
	c := testConfig(t, map[string]string{"models." + role: "acme:m", "provider.acme.base": server.Base(), "contexts.acme:m": "4096", "retries": "0"})
	rows, err := CheckModels(context.Background(), c, ModelCheckOptions{Roles: []string{role}, Slow: slow})
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows[0]
}

// Every vice is caught under its name, and a good model passes in every role.
func TestEveryViceIsCaught(t *testing.T) {
	for _, role := range RoleNames() {
		row := checkOne(t, role, 0, nil)
		want := ModelFit
		if role == string(llm.Researcher) || role == string(llm.Finalizer) {
			want = ModelUnused
		}
		if row.Verdict != want || len(row.Findings) != 0 || want == ModelFit && (row.Calls == 0 || row.Prompt == 0 || row.Priced) {
			t.Errorf("a good %s: %+v", role, row)
		}
	}
	for _, v := range vices {
		if v.answer == nil { // one bad answer, mended when asked again
			n := 0
			v.answer = func(r llmtest.Request, good any) llmtest.Step {
				if n++; n == 1 {
					return llmtest.Garbage()
				}
				return llmtest.AnswerJSON(good)
			}
		}
		slow := time.Duration(0)
		if v.vice == ViceSlow {
			slow = 100 * time.Millisecond
		}
		row := checkOne(t, v.role, slow, v.answer)
		caught := slices.ContainsFunc(row.Findings, func(f ModelFinding) bool { return f.Vice == v.vice && f.Severe == v.severe })
		verdict := ModelDoubtful
		if v.severe {
			verdict = ModelUnfit
		}
		if !caught || row.Verdict != verdict {
			t.Errorf("%s that %s: %s, %+v", v.role, v.vice, row.Verdict, row.Findings)
		}
		for _, f := range row.Findings {
			if f.Vice != v.vice {
				t.Errorf("%s that %s is also said to: %s, %s", v.role, v.vice, f.Vice, f.Detail)
			}
		}
		t.Logf("%-12s %-42s %s", v.role, v.vice, row.Verdict)
	}
}

// A model that cannot be asked is told from one that answers badly, and asked
// once, not once for each role.
func TestCheckModelsUnreachable(t *testing.T) {
	server := llmtest.NewServer()
	defer server.Close()
	server.Func(func(llmtest.Request) llmtest.Step { return llmtest.Unauthorized() })
	c := testConfig(t, map[string]string{"models.default": "acme:m", "models.critic": "builtin", "provider.acme.base": server.Base(), "provider.acme.key": "sk-wrong-0123456789"})
	var told []string
	rows, err := CheckModels(context.Background(), c, ModelCheckOptions{Row: func(r ModelRow) { told = append(told, r.Role) }})
	if err != nil || len(rows) != len(RoleNames()) || !slices.Equal(told, RoleNames()) {
		t.Fatalf("%d rows, told of %q, %v", len(rows), told, err)
	}
	for _, r := range rows {
		want := map[string]string{"critic": ModelBuiltin, "researcher": ModelUnused, "finalizer": ModelUnused}[r.Role]
		if want == "" {
			want = ModelUnreachable
		}
		if r.Verdict != want || want == ModelUnreachable && !strings.Contains(r.Reason, "PROVIDER_ACME_KEY") {
			t.Errorf("%+v", r)
		}
		if want == ModelUnreachable && r.Setting != "models.default" {
			t.Errorf("%s was chosen by %s", r.Role, r.Setting)
		}
	}
	if n := len(server.Requests()); n != 1 {
		t.Errorf("%d requests with a key that was refused", n)
	}
}

func TestCheckModelsCandidate(t *testing.T) {
	server := llmtest.NewServer()
	defer server.Close()
	server.Func(func(r llmtest.Request) llmtest.Step { return llmtest.AnswerJSON(able(r)) })
	c := testConfig(t, map[string]string{"provider.acme.base": server.BaseOf(llmtest.Ollama), "provider.acme.api": "ollama"})
	c.Runtime.Prices["acme:m"] = config.Price{Prompt: 1, Output: 1}
	rows, err := CheckModels(context.Background(), c, ModelCheckOptions{Model: "acme:m", Roles: []string{"screener"}})
	if err != nil || len(rows) != 1 || rows[0].Verdict != ModelFit || rows[0].Setting != "--model" || !rows[0].Priced || rows[0].Dollars == 0 || rows[0].PriceOf != "prices.acme:m" {
		t.Errorf("%+v, %v", rows, err)
	}
	for o, says := range map[*ModelCheckOptions]string{
		{Roles: []string{"editor"}}: "planner", {Model: "gpt"}: "provider:model", {Model: "nowhere:m"}: "provider.nowhere.base",
	} {
		if _, err := CheckModels(context.Background(), c, *o); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v does not say %q", o, err, says)
		}
	}
}

// The claims of the probes pass the checks of the program: what is asked is the
// model's judgement alone.
func TestProbeMaterial(t *testing.T) {
	s := probeState("")
	for _, c := range []struct{ q, claim, quote string }{{"RQ1", fairClaim, cohortQuote}, {"RQ1", wideClaim, cohortQuote}, {"RQ2", otherClaim, dietQuote}} {
		if probeClaim(s, "doc_0001", c.q, c.claim, c.quote, false) == "" {
			t.Errorf("%q is refused before a model sees it", c.claim)
		}
	}
}
