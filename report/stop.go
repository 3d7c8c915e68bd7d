package report

import (
	"strings"

	"optimistresearch/state"
)

var stopTexts = map[string]string{
	state.StopSufficient:   "the evidence was judged sufficient",
	state.StopIterations:   "all planned iterations are done",
	state.StopBudget:       "a budget ended the search",
	state.StopNoCritique:   "no critique was produced, so nothing said what to look for next",
	state.StopNothingToDo:  "nothing that could be carried out was left to do",
	state.StopNoEvidence:   "no evidence was found that could be admitted",
	state.StopUnreachable:  "too few searches were answered",
	state.StopModelFailed:  "a model could not be reached",
	state.StopModelUseless: "a model gave no answer that could be used",
}

// StopText says in plain words why the search ended, on one line. For the zero
// Stop it says that the run has not ended.
func StopText(stop state.Stop) string {
	if stop.Reason == "" {
		return "the run has not ended yet; `optimistresearch resume RUN` goes on where it stopped"
	}
	out, ok := stopTexts[stop.Reason]
	if !ok {
		out = words(stop.Reason)
	}
	if detail := plain(stop.Detail); detail != "" {
		out += ": " + strings.TrimRight(detail, ".")
	}
	return out
}
