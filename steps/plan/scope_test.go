package plan

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/state"
)

func TestTakeScope(t *testing.T) {
	for _, c := range []struct {
		question, scope            string
		since, until               int // as set
		wantSince, wantUntil       int
		understood, notUsed, model string
	}{
		{"AI agent memory", "focus on empirical evaluations since 2023", 0, 0, 2023, 0,
			"published in 2023 or later (taken from the scope note: “since 2023”); kinds of study preferred: empirical evaluations", "", ""},
		{"AI agent memory", "last five years, not children", 0, 0, 2021, 0, "published in 2021 or later (taken from the scope note: “last five years”); left out: children", "", ""},
		{"AI agent memory", "2019-2023", 2020, 0, 2020, 2023, "published in 2023 or earlier (taken from the scope note: “2019-2023”)",
			"“2019-2023” of the scope note, because the years were set otherwise", ""},
		{"AI agent memory", "since 2023", 0, 2020, 0, 2020, "", "“since 2023” of the scope note, because the years were set otherwise", ""},
		{"AI agent memory", "since 2023", 2023, 0, 2023, 0, "", "", ""},
		{"research on AI agent memory since 2022", "", 0, 0, 2022, 0, "published in 2022 or later (taken from the question: “since 2022”)", "", ""},
		{"AI agent memory", "peer-reviewed only", 0, 0, 0, 0, "", "“peer-reviewed only”", ""},
		{"AI agent memory", "peer-reviewed only", 0, 0, 0, 0, "", "", "acme:m"}, // the model reads the note itself
		{"AI agent memory", "", 0, 0, 0, 0, "", "", ""},
	} {
		q, set := state.Question{Text: c.question, Scope: c.scope, Year: 2026}, state.DefaultSettings()
		set.SinceYear, set.UntilYear = c.since, c.until
		if c.model != "" {
			set.Models = map[string]string{"planner": c.model, "screener": c.model}
		}
		TakeScope(&q, &set)
		if set.SinceYear != c.wantSince || set.UntilYear != c.wantUntil || q.Understood != c.understood || q.NotUsed != c.notUsed {
			t.Errorf("%q, %q: %d to %d, understood %q, not used %q\nwant %d to %d, %q, %q", c.question, c.scope, set.SinceYear, set.UntilYear, q.Understood, q.NotUsed,
				c.wantSince, c.wantUntil, c.understood, c.notUsed)
		}
	}
}

// Kinds of study that no facet asks for are looked for all the same.
func TestPreferredStudiesAreSearched(t *testing.T) {
	s := question("universal basic income and labour market participation", "qualitative interviews; pilot schemes in Finland")
	_, part := plan(t, s, nil)
	s.Merge(&part)
	list, _ := intents(t, s, nil, intentTask)
	var all []string
	for _, in := range list {
		all = append(all, in.Subquestion+" "+in.Description+" "+fmt.Sprint(in.Terms))
	}
	for _, want := range []string{
		"RQ1 qualitative interviews on universal basic income and labour market participation [[universal basic income] [labour market participation] [qualitative interview",
		"RQ2 studies of universal basic income and labour market participation that speak of pilot schemes in Finland [[universal basic income] [labour market participation] [pilot] [schemes] [finland]]",
	} {
		if !strings.Contains(strings.Join(all, "\n"), want) {
			t.Errorf("no %q in\n%s", want, strings.Join(all, "\n"))
		}
	}
}

// Search terms keep concepts, and drop what says for whom or how much before
// they drop one.
func TestCoreTerms(t *testing.T) {
	for q, want := range map[string]string{
		"recent research in AI agent memory":                                              "[[agent] [memory]]",
		"Does metformin reduce cancer incidence in adults with type 2 diabetes?":          "[[metformin] [cancer] [type 2 diabetes t2d]]",
		"cognitive behavioural therapy for insomnia in older adults":                      "[[cognitive behavioural therapy cbt] [insomnia] [older adults]]",
		"universal basic income and labour market participation in high-income countries": "[[universal basic income] [labour market participation] [high-income countries]]",
		"How does remote work affect the productivity of software developers?":            "[[remote work] [productivity] [software developers]]",
		"Does chain-of-thought prompting improve reasoning in small language models?":     "[[chain-of-thought prompting] [reasoning] [small language models]]",
		"language models": "[[language models lm]]",
		"What are the long-term effects of concussion?":                      "[[concussion]]",
		"深度学习在医学影像诊断中的应用有哪些？":                                                "[[深度学习] [医学影像诊断]]",
		"마이크로플라스틱이 해양 생물에 미치는 영향":                                            "[[마이크로플라스틱] [해양] [생물]]",
		"efectos del ejercicio físico sobre la depresión en adultos mayores": "[[ejercicio físico] [depresión] [adultos mayores]]",
		"memory --since 2023 **agents** https://example.org/x":               "[[memory] [agents]]",
		"data": "[[data]]",
	} {
		if got := fmt.Sprint(coreTerms(q, narrowBase)); got != want {
			t.Errorf("%s: %s, want %s", q, got, want)
		}
	}
}
