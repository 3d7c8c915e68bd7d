package lexical

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHasTopic(t *testing.T) {
	for q, want := range map[string]bool{
		"": false, "the of and": false, "?!… —": false, "🧠🧠 🤖": false, "2023": false, "12.5": false, "recent research": false,
		"What is known about it?": false, "der die das und": false, "--verbose": false, "https://example.org/memory": false, "́": false,
		"q": true, "memory": true, "recent research in CRISPR": true, "benchmarks": true, "记忆": true, "記憶": true, "기억": true, "ذاكرة": true,
		"`pandas`": true, "**sleep**": true, "🧠 memory": true, "GPT-4": true,
	} {
		if got := HasTopic(q); got != want {
			t.Errorf("HasTopic(%q) = %v", q, got)
		}
	}
}

// The topic is a noun phrase in the question's own words: prepositions stay, a
// question about a relation keeps its two sides apart.
func TestAsk(t *testing.T) {
	for _, c := range []struct{ question, topic, relation, setting string }{
		{"recent research in AI agent memory", "AI agent memory", "", ""},
		{"What is known about sleep and memory consolidation in adults?", "sleep and memory consolidation in adults", "", ""},
		{"microplastics in freshwater ecosystems and their effects on fish", "microplastics in freshwater ecosystems and their effects on fish", "", ""},
		{"What are the benefits and risks of intermittent fasting for people with obesity?", "intermittent fasting for people with obesity", "", ""},
		{"social support and depression in the elderly", "social support and depression in the elderly", "", ""},
		{"support vector machines for text classification", "support vector machines for text classification", "", ""},
		{"retrieval-augmented generation: how is it evaluated?", "retrieval-augmented generation", "", ""},
		{"Does metformin reduce cancer incidence in adults with type 2 diabetes?", "metformin and cancer incidence in adults with type 2 diabetes",
			"the effect of metformin on cancer incidence in adults with type 2 diabetes", "in adults with type 2 diabetes"},
		{"Do wolves regulate elk populations in Yellowstone?", "wolves and elk populations in Yellowstone", "the effect of wolves on elk populations in Yellowstone", "in Yellowstone"},
		{"How does remote work affect the productivity of software developers?", "remote work and productivity of software developers", "the effect of remote work on productivity of software developers", ""},
		{"What is the impact of screen time on sleep quality in children?", "screen time and sleep quality in children", "the effect of screen time on sleep quality in children", "in children"},
		{"Is there an association between air pollution and dementia in older adults?", "air pollution and dementia in older adults", "the association between air pollution and dementia in older adults", "in older adults"},
		{"Is vaping associated with asthma in young people?", "vaping and asthma in young people", "the association between vaping and asthma in young people", "in young people"},
		{"What is the role of gut microbiota in depression?", "gut microbiota and depression", "the role of gut microbiota in depression", ""},
		{"We want to know whether mindfulness training lowers blood pressure in people with hypertension", "mindfulness training and blood pressure in people with hypertension",
			"the effect of mindfulness training on blood pressure in people with hypertension", "in people with hypertension"},
		{"Is metformin effective for polycystic ovary syndrome in adolescents?", "the effectiveness of metformin for polycystic ovary syndrome in adolescents", "", ""},
		{"Is cognitive behavioural therapy better than antidepressants for depression?", "cognitive behavioural therapy compared with antidepressants for depression", "", ""},
		{"How can fake news be detected on social media?", "the detection of fake news on social media", "", ""},
		{"How are large language models used in legal document review?", "the use of large language models in legal document review", "", ""},
		{"How do teachers use generative AI tools in secondary classrooms?", "the use of generative AI tools by teachers in secondary classrooms", "", ""},
		{"How well do large language models perform on medical exams?", "the performance of large language models on medical exams", "", ""},
		{"How can schools support refugee students?", "schools supporting refugee students", "", ""},
		{"What is the best way to teach fractions to children with dyscalculia?", "teaching fractions to children with dyscalculia", "", ""},
		{"How to reduce hallucinations in large language models?", "reducing hallucinations in large language models", "", ""},
		{"Which therapies reduce anxiety in university students?", "therapies reducing anxiety in university students", "", ""},
		{"What factors influence teacher retention in rural schools?", "teacher retention in rural schools", "", ""},
		{"What causes coral bleaching in the Great Barrier Reef?", "the causes of coral bleaching in the Great Barrier Reef", "", ""},
		{"**deep** learning with `--verbose` for https://example.org/x graphs", "deep learning with for graphs", "", ""},
	} {
		a := Ask(c.question)
		if a.Topic != c.topic || a.Relation != c.relation || a.Setting != c.setting || a.Verbatim || a.Language != "" {
			t.Errorf("Ask(%q) = %+v\nwant %q, %q, %q", c.question, a, c.topic, c.relation, c.setting)
		}
	}
	for q, want := range map[string]struct{ topic, language string }{
		"Do wolves bark at elk?":                               {"Do wolves bark at elk", ""},
		"Wie wirkt sich Homeoffice auf die Produktivität aus?": {"Wie wirkt sich Homeoffice auf die Produktivität aus", "de"},
		"efectos del ejercicio sobre la depresión en adultos":  {"efectos del ejercicio sobre la depresión en adultos", "es"},
		"Quels sont les effets du bruit sur le sommeil ?":      {"Quels sont les effets du bruit sur le sommeil", "fr"},
		"智能体记忆的最新研究":                                           {"智能体记忆", "zh"},
		"深度学习在医学影像诊断中的应用有哪些？":                                  {"深度学习在医学影像诊断中的应用", "zh"},
		"マイクロプラスチックが海洋生物に与える影響":                                {"マイクロプラスチックが海洋生物に与える影響", "ja"},
		"인공지능 에이전트의 기억에 대한 최근 연구":                              {"인공지능 에이전트의 기억", "ko"},
	} {
		if a := Ask(q); a.Topic != want.topic || a.Language != want.language || !a.Verbatim {
			t.Errorf("Ask(%q) = %+v, want it verbatim as %q", q, a, want)
		}
	}
}

// A run of a script without spaces is cut at particles, not into pairs.
func TestPhrasesWithoutSpaces(t *testing.T) {
	for q, want := range map[string][]string{
		"深度学习在医学影像诊断中的应用有哪些？":   {"深度学习", "医学影像诊断", "应用"},
		"多模态对话系统与存在风险":          {"多模态对话系统", "存在风险"},
		"マイクロプラスチックが海洋生物に与える影響": {"マイクロプラスチック", "海洋生物", "影響"},
		"子どもの睡眠": {"子ども", "睡眠"},
	} {
		if core, _ := QuestionPhrases(q); !slices.Equal(core, want) {
			t.Errorf("%s: %q, want %q", q, core, want)
		}
	}
	if got := SearchTerms("에이전트의 기억"); !slices.Equal(got, []string{"에이전트", "기억"}) {
		t.Errorf("Korean terms = %q", got)
	}
}

// What is no wording is no topic.
func TestDebrisIsNoTopic(t *testing.T) {
	q := "memory --since 2023 **agents** with `rm -rf /tmp/x`, see https://example.org/llm?x=1 and [survey](http://a.b/c), mail a@b.org, 10.1000/xyz.12 $HOME ~/data/set && ls -la ```sh"
	core, rest := QuestionPhrases(q)
	for _, p := range append(core, rest...) {
		if strings.ContainsAny(p, "*`$/&[]~@=") || strings.Contains(p, "--") || slices.ContainsFunc([]string{"rm", "rf", "example", "https", "llm", "home", "tmp", "xyz", "org", "since", "sh"}, func(w string) bool {
			return slices.Contains(strings.Fields(strings.ToLower(p)), w)
		}) {
			t.Errorf("phrase %q of %q", p, core)
		}
	}
	for _, want := range []string{"memory", "agents"} {
		if !slices.Contains(core, want) {
			t.Errorf("%q is not among %q", want, core)
		}
	}
}

func TestGerund(t *testing.T) {
	for verb, want := range map[string]string{"teach": "teaching", "reduce": "reducing", "reduces": "reducing", "stop": "stopping", "see": "seeing", "tie": "tying", "applies": "applying", "discusses": "discussing", "show": "showing", "assess": "assessing"} {
		if got := gerund(verb); got != want {
			t.Errorf("gerund(%q) = %q, want %q", verb, got, want)
		}
	}
}

// Whatever is typed is taken apart without loss of sense: a topic is one line,
// and of bounded length; what has a topic gives one.
func TestAskIsTotal(t *testing.T) {
	words := rapid.SampledFrom([]string{"does", "how", "what", "is", "sleep", "reduce", "memory", "in", "the", "of", "effect", "effects", "on", "to", "way", "support", "and", "with", "adults",
		"?", ".", ",", "\n", "的", "研究", "记忆", "が", "기억의", "und", "der", "--x", "**", "`", "2023", "since", "not", "associated", "between", "work", "\u0301", "🧠", "versus", "use", "by"})
	rapid.Check(t, func(t *rapid.T) {
		q := strings.Join(rapid.SliceOfN(words, 0, 12).Draw(t, "words"), " ")
		a := Ask(q)
		if strings.ContainsAny(a.Topic+a.Relation, "\n\t") || len([]rune(a.Topic)) > longestTopic {
			t.Fatalf("Ask(%q) = %+v", q, a)
		}
		if HasTopic(q) && a.Topic == "" {
			t.Fatalf("Ask(%q) gives no topic: %+v", q, a)
		}
		if (a.Kind == NoRelation) != (a.Relation == "") {
			t.Fatalf("Ask(%q) = %+v", q, a)
		}
		ReadScope(q, 2026)
	})
}
