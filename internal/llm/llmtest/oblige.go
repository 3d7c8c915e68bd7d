package llmtest

import (
	"regexp"
	"strings"
)

var (
	obligeRecord   = regexp.MustCompile(`<<<BEGIN (doc_\d+)>>>`)
	obligeRQ       = regexp.MustCompile(`<<<BEGIN (RQ\d+)>>>`)
	obligeQuestion = regexp.MustCompile(`(?s)<<<BEGIN question>>>\n(.*?)\n`)
	obligeDoc      = regexp.MustCompile(`\bdoc_\d{4,}\b`)
	obligeEvidence = regexp.MustCompile(`\bev_[0-9a-f]{12}\b`)
	obligeSentence = regexp.MustCompile(`[A-Z][^.\n]{40,300}\.`)
)

// Oblige answers each role of a review as a model without any judgement would:
// every record is relevant, the first long sentence of a document is its
// finding, every claim holds. What it says comes from the prompt, so a whole run
// goes through. A prompt that it does not know gets prose.
func Oblige(r Request) Step {
	user := r.Text("user")
	for _, property := range r.Properties() {
		switch property {
		case "subquestions":
			topic := "the topic"
			if m := obligeQuestion.FindStringSubmatch(user); m != nil {
				topic = strings.TrimSpace(m[1])
			}
			return AnswerJSON(object{"subquestions": []object{
				{"text": "Which approaches are known for: " + topic, "rationale": "The map comes first.", "priority": 1, "focus": []string{"approach"}},
				{"text": "How well do they work for: " + topic, "rationale": "The effect is the point.", "priority": 2, "focus": []string{"evaluation"}},
			}})
		case "intents":
			list := []object{}
			for _, q := range ids(obligeRQ, user) {
				list = append(list, object{"subquestion": q, "description": "studies for " + q, "terms": [][]string{}})
			}
			return AnswerJSON(object{"intents": list})
		case "queries":
			return AnswerJSON(object{"queries": []object{}})
		case "scores":
			list := []object{}
			for _, d := range ids(obligeRecord, user) {
				for _, q := range ids(obligeRQ, user) {
					list = append(list, object{"record": d, "subquestion": q, "score": 0.8, "note": "on it"})
				}
			}
			return AnswerJSON(object{"scores": list})
		case "items":
			list := []object{}
			if i := strings.Index(user, "<<<BEGIN doc_"); i >= 0 {
				_, text, _ := strings.Cut(user[i:], "\n\n") // past the title
				if quote := obligeSentence.FindString(text); quote != "" {
					for _, q := range ids(obligeRQ, user) {
						list = append(list, object{"subquestion": q, "claim": quote, "quote": quote, "type": "empirical", "strength": 0.5})
					}
				}
			}
			return AnswerJSON(object{"items": list, "notes": "read", "terms": []string{}})
		case "verdicts":
			list := []object{}
			for _, e := range ids(obligeEvidence, user) {
				list = append(list, object{"evidence": e, "supports": true, "satisfies": true, "unique": true, "rival": "", "reason": ""})
			}
			return AnswerJSON(object{"verdicts": list})
		case "coverage":
			return AnswerJSON(object{"answer": "This has been studied [" + first(obligeDoc, user) + "].", "gaps": []string{}, "coverage": 0.9})
		case "narrative":
			return AnswerJSON(object{"narrative": "Studies exist [" + first(obligeDoc, user) + "].",
				"outline": []object{{"title": "What is known", "purpose": "all of it", "evidence": ids(obligeEvidence, user)}}})
		case "sufficient":
			return AnswerJSON(object{"sufficient": len(ids(obligeDoc, user)) > 0, "summary": "it is answered", "assess": []object{}, "weak": []string{}, "gaps": []string{}, "edits": []object{}})
		case "text":
			return AnswerJSON(object{"text": "The studies report findings [" + first(obligeDoc, user) + "]."})
		}
	}
	return Garbage()
}

// ids lists what an expression finds, each once, in order.
func ids(re *regexp.Regexp, text string) []string {
	seen := map[string]bool{}
	out := []string{}
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		if id := m[len(m)-1]; !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func first(re *regexp.Regexp, text string) string {
	if all := ids(re, text); len(all) > 0 {
		return all[0]
	}
	return "doc_0000"
}
