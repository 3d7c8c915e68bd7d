package report

import (
	"fmt"
	"reflect"
	"strings"

	"optimistresearch/state"
)

// parameters prints the frozen settings of the method, all of them: the table
// follows the type, so that no setting can be forgotten.
func (v *view) parameters(p *page) {
	p.head(3, "Settings")
	w := v.set.Ranking
	p.line("A work is relevant from a score of %s and clearly relevant from %s. The rank score is the weighted mean of relevance, impact (citations per year), recency (half-life %g years) and corroboration (share of the sources that returned the work).\n",
		score(v.set.Screening.Relevant), score(v.set.Screening.ClearlyRelevant), w.RecencyHalfLife)
	e, why := v.effectiveWeights()
	p.line("| Weight | As set | In effect |\n| --- | ---: | ---: |")
	for _, x := range []struct {
		name     string
		set, use float64
	}{{"relevance", w.Relevance, e.Relevance}, {"impact", w.Impact, e.Impact}, {"recency", w.Recency, e.Recency}, {"corroboration", w.Corroboration, e.Corroboration}} {
		p.line("| %s | %s | %s |", x.name, score(x.set), score(x.use))
	}
	if why != "" {
		p.line("\n%s", why)
	}
	spent := v.s.Spent()
	used := map[string]int{"budgets.documents": spent.Documents, "budgets.searches": spent.Searches, "budgets.snowball_rounds": spent.Rounds}
	p.line("\n| Setting | Value | Used |\n| --- | --- | ---: |")
	for _, x := range settings(reflect.ValueOf(v.set), "") {
		u := ""
		if n, ok := used[x.name]; ok {
			u = thousands(n)
		}
		p.line("| `%s` | %s | %s |", x.name, orDash(cell(x.value, 400)), u)
	}
	for _, source := range state.Keys(spent.Credits) {
		p.line("| credits of %s | | %s |", md(source), thousands(spent.Credits[source]))
	}
	p.line("\nA budget of 0 for tokens, dollars or minutes means that there was no limit.")
}

type setting struct{ name, value string }

// settings lists the fields of a settings struct under their names in the
// settings file.
func settings(v reflect.Value, prefix string) []setting {
	var out []setting
	t := v.Type()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("yaml"), ",")
		if name == "" || name == "models" { // models are shown per role
			continue
		}
		f := v.Field(i)
		if f.Kind() == reflect.Struct {
			out = append(out, settings(f, prefix+name+".")...)
			continue
		}
		value := settingText(f)
		if strings.HasSuffix(name, "_year") {
			value = yes(f.Int() != 0, fmt.Sprint(f.Int()))
		}
		out = append(out, setting{prefix + name, value})
	}
	return out
}

func settingText(f reflect.Value) string {
	switch x := f.Interface().(type) {
	case int:
		return thousands(x)
	case bool:
		if x {
			return "yes"
		}
		return "no"
	case []string:
		return strings.Join(x, ", ")
	case map[string]int:
		var parts []string
		for _, k := range state.Keys(x) {
			parts = append(parts, fmt.Sprintf("%s %d", k, x[k]))
		}
		return strings.Join(parts, ", ")
	default:
		return fmt.Sprint(x)
	}
}

// effectiveWeights are the ranking weights scaled to sum to 1. When only one
// source returned anything, corroboration says nothing and its weight goes to
// the others in proportion.
func (v *view) effectiveWeights() (state.RankingSettings, string) {
	w := v.set.Ranking
	names := map[string]bool{}
	for _, r := range v.s.Records {
		names[r.Source] = true
	}
	why := ""
	if rest := w.Relevance + w.Impact + w.Recency; len(names) <= 1 && w.Corroboration > 0 && rest > 0 {
		w.Corroboration = 0
		why = "At most one source returned records, so the weight of corroboration is shared out among the other terms."
	}
	if total := w.Relevance + w.Impact + w.Recency + w.Corroboration; total > 0 {
		w.Relevance, w.Impact, w.Recency, w.Corroboration = w.Relevance/total, w.Impact/total, w.Recency/total, w.Corroboration/total
	}
	return w, why
}
