package lexical

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// field is a small library: real titles on memory of language agents and on other
// kinds of memory, with bodies written for this test.
var field = []Doc{
	{"mem0", "Mem0: Building Production-Ready AI Agents with Scalable Long-Term Memory", "Mem0 extracts facts from conversations and updates the memory of an AI agent. On the LoCoMo benchmark, Mem0 improved the judge score over OpenAI memory and reduced latency by 91% against full-context prompting."},
	{"memgpt", "MemGPT: Towards LLMs as Operating Systems", "MemGPT gives a large language model (LLM) agent a memory hierarchy with paging between context and external storage. In multi-session chat, MemGPT recalled facts more accurately than a fixed-context baseline."},
	{"amem", "A-MEM: Agentic Memory for LLM Agents", "A-MEM organises the memory of LLM agents as linked notes. Experiments on LoCoMo show better multi-hop answers than MemGPT at fewer tokens."},
	{"bank", "MemoryBank: Enhancing Large Language Models with Long-Term Memory", "MemoryBank lets a chatbot built on a large language model keep long-term memory across conversations. Memory strength decays over time. Annotators rated retrieval accuracy in simulated dialogues."},
	{"zep", "Zep: A Temporal Knowledge Graph Architecture for Agent Memory", "Zep stores conversations of agents in a temporal knowledge graph. Zep reached higher accuracy than MemGPT on deep memory retrieval and was tested on LongMemEval."},
	{"locomo", "Evaluating Very Long-Term Conversational Memory of LLM Agents", "The LoCoMo benchmark contains very long conversations between LLM agents. Long-context models and retrieval lag behind humans on questions about the conversations."},
	{"generative", "Generative Agents: Interactive Simulacra of Human Behavior", "Generative agents keep a memory stream in natural language and retrieve from it by recency, importance and relevance. Ablations reduced believability of the language agents."},
	{"survey", "A Survey on the Memory Mechanism of Large Language Model based Agents", "The survey reviews memory modules of LLM agents: sources, forms and operations, and how conversations and tasks evaluate them."},
	{"readagent", "A Human-Inspired Reading Agent with Gist Memory of Very Long Contexts", "ReadAgent compresses long documents into gist memories with a large language model and looks up passages when needed."},
	{"cache", "Making B+- trees cache conscious in main memory", "Cache sensitive trees store child nodes contiguously. In main memory databases the trees search faster than ordinary index structures."},
	{"recovery", "Recovery protocols for shared memory database systems", "Recovery after node failures in shared memory database systems needs logging of cache lines. The protocols avoid undo of transactions on healthy nodes."},
	{"sorting", "Memory management during run generation in external sorting", "External sorting of variable length records benefits from memory allocation schemes. Replacement selection produced longer runs and faster sorts."},
	{"rats", "Hippocampal Damage and Exploratory Preferences in Rats: Memory for Objects, Places, and Contexts", "Rats with hippocampal lesions explored novel objects. Lesions impaired recognition memory for places and contexts, not for objects."},
	{"cortisol", "Glucocorticoid effects on object recognition memory require training-associated emotional arousal", "Corticosterone after training enhanced object recognition memory in aroused rats only."},
	{"entorhinal", "Lateral entorhinal cortex is necessary for associative but not nonassociative recognition memory", "Lesions of the lateral entorhinal cortex in rats impaired associative recognition memory."},
	{"transactive", "Knowledge transfer in globally distributed teams - the role of transactive memory", "Teams that know who knows what transfer knowledge better. Interviews in two software companies describe transactive memory across sites."},
	{"bots", "Are social bots a real threat? An agent-based model of the spiral of silence", "An agent-based simulation of opinion climates shows that few bots can tip a network."},
	{"flash", "FlashAttention: Fast and Memory-Efficient Exact Attention with IO-Awareness", "FlashAttention tiles attention so that reads and writes between GPU memory levels fall. Training was faster than standard attention."},
	{"groupware", "Memory-Based Feedback Controls to Support Groupware Coordination", "Feedback controls with memory of past events help users of groupware coordinate."},
	{"xml", "SOA Performance Enhancement Through XML Fragment Caching", "Caching of XML fragments shortens response times of web services."},
	{"working", "Visualization of Network Concepts - The Impact of Working Memory Capacity Differences", "Learners with low working memory capacity profited from animated visualisation of network concepts."},
	{"lexical", "", ""},
}

func relevanceOf(docs []Doc, question, focus string) map[string]Judgement {
	return Relevance(NewIndex(docs), question, focus)
}

func TestRelevanceSeparatesATopicFromItsWords(t *testing.T) {
	for _, question := range []string{"recent research in AI agent memory", "Which approaches to AI agent memory have been proposed?", "memory of LLM agents"} {
		got := relevanceOf(field, question, "")
		for _, id := range []string{"mem0", "amem", "locomo"} {
			if s := got[id].Score; s < 0.7 {
				t.Errorf("%s: %s scores %.2f, want at least 0.7 (%s)", question, id, s, got[id].Note)
			}
		}
		for _, id := range []string{"zep", "memgpt", "survey", "generative", "readagent"} {
			if s := got[id].Score; s < 0.5 {
				t.Errorf("%s: %s scores %.2f, want at least 0.5 (%s)", question, id, s, got[id].Note)
			}
		}
		for _, id := range []string{"cache", "recovery", "sorting", "rats", "cortisol", "entorhinal", "transactive", "bots", "flash", "groupware", "xml", "working", "lexical"} {
			if s := got[id].Score; s >= 0.5 {
				t.Errorf("%s: %s scores %.2f, want below 0.5 (%s)", question, id, s, got[id].Note)
			}
		}
	}
}

func TestRelevanceIsAbsolute(t *testing.T) {
	// No document is on the topic: the best of them must not pass for relevant.
	for _, question := range []string{"AI agent memory", "episodic memory of honey bees", "quantum error correction"} {
		for id, j := range relevanceOf(field[9:], question, "") {
			if j.Score >= 0.5 {
				t.Errorf("%s: %s scores %.2f in a library without the topic (%s)", question, id, j.Score, j.Note)
			}
		}
	}
	// One document on the topic does not lift those that share a word with it.
	one := relevanceOf(append([]Doc{field[0]}, field[9:]...), "AI agent memory", "")
	for id, j := range one {
		if (id == "mem0") != (j.Score >= 0.5) {
			t.Errorf("beside one document on the topic %s scores %.2f (%s)", id, j.Score, j.Note)
		}
	}
	// A handful of documents: nothing to learn from.
	got := relevanceOf([]Doc{field[0], field[9], field[12]}, "AI agent memory", "")
	if got["mem0"].Score < 0.7 || got["cache"].Score >= 0.5 || got["rats"].Score >= 0.5 {
		t.Errorf("three documents: %v", got)
	}
}

func TestRelevanceAspects(t *testing.T) {
	got := relevanceOf(field, "How is AI agent memory evaluated, and on which benchmarks?", "recent research in AI agent memory")
	if a, b := got["locomo"].Score, got["readagent"].Score; a <= b {
		t.Errorf("a benchmark scores %.2f, a method without evaluation %.2f", a, b)
	}
	if got["cache"].Score >= 0.5 {
		t.Errorf("benchmarks alone do not make %q relevant: %.2f", "cache", got["cache"].Score)
	}
	// A focus tells documents on the topic apart and drops none that is clearly on it.
	plain, narrowed := relevanceOf(field, "AI agent memory", ""), relevanceOf(field, "AI agent memory", "knowledge graphs; triples")
	if narrowed["zep"].Score <= narrowed["amem"].Score {
		t.Errorf("focus on knowledge graphs: zep %.2f, amem %.2f", narrowed["zep"].Score, narrowed["amem"].Score)
	}
	for id, j := range plain {
		if j.Score >= 0.7 && narrowed[id].Score < 0.5 {
			t.Errorf("the focus drops %s from %.2f to %.2f", id, j.Score, narrowed[id].Score)
		}
		if narrowed[id].Score > j.Score {
			t.Errorf("the focus lifts %s from %.2f to %.2f", id, j.Score, narrowed[id].Score)
		}
	}
	if n := narrowed["amem"].Note; !strings.Contains(n, "nothing on 'knowledge graphs'") {
		t.Errorf("note of a document without the focus: %q", n)
	}
	// A subquestion that leaves the topic out takes it from the focus.
	elliptic := relevanceOf(field, "Which benchmarks are used?", "AI agent memory")
	if elliptic["locomo"].Score < 0.7 || elliptic["rats"].Score >= 0.5 {
		t.Errorf("elliptic subquestion: locomo %.2f, rats %.2f", elliptic["locomo"].Score, elliptic["rats"].Score)
	}
}

func TestRelevanceNotes(t *testing.T) {
	got := relevanceOf(field, "AI agent memory", "")
	cases := []struct{ id, want string }{
		{"mem0", "names 'AI agent memory' in the title; 3 of 3 core terms"},
		{"rats", "names 'memory' in the title; 1 of 3 core terms; otherwise unlike the best matches"},
		{"xml", "none of 3 core terms"},
	}
	for _, c := range cases {
		if n := got[c.id].Note; !strings.HasPrefix(n, c.want) || strings.Contains(n, "\n") {
			t.Errorf("note of %s: %q, want it to start with %q", c.id, n, c.want)
		}
	}
	if n := relevanceOf(field, "What?", "")["rats"]; n.Score != 0 || n.Note != "the question names no topic" {
		t.Errorf("a question without words gives %+v", n)
	}
}

func TestOrderOfDocumentsDoesNotMatter(t *testing.T) {
	question := "How is AI agent memory evaluated?"
	want := relevanceOf(field, question, "")
	wantPhrases := KeyPhrases(field, 20, nil)
	wantHits := NewIndex(field).Search(QueryFrom(question), 10)
	rapid.Check(t, func(rt *rapid.T) {
		docs := rapid.Permutation(field).Draw(rt, "docs")
		if d := cmp.Diff(want, relevanceOf(docs, question, "")); d != "" {
			rt.Fatal(d)
		}
		if d := cmp.Diff(wantPhrases, KeyPhrases(docs, 20, nil)); d != "" {
			rt.Fatal(d)
		}
		ix := NewIndex(docs[:5])
		for _, d := range docs[5:] {
			ix.Add(d)
		}
		if d := cmp.Diff(wantHits, ix.Search(QueryFrom(question), 10)); d != "" {
			rt.Fatal(d)
		}
	})
}

func TestReplacedDocument(t *testing.T) {
	ix := NewIndex(field)
	ix.Add(Doc{ID: "rats", Title: "Old text", Body: "of a long context (LC) that is gone"})
	ix.Add(field[12])
	if ix.Len() != len(field) {
		t.Fatalf("%d documents, want %d", ix.Len(), len(field))
	}
	q := QueryFrom("memory of rats for long contexts")
	if d := cmp.Diff(NewIndex(field).Search(q, 0), ix.Search(q, 0)); d != "" {
		t.Errorf("a document replaced and put back changed the search: %s", d)
	}
	if got := ix.acronyms.seen["lc"]; got != nil {
		t.Errorf("the acronym of the replaced text is still known: %v", got)
	}
}

func TestSearch(t *testing.T) {
	ix := NewIndex(field)
	hits := ix.Search(Query{Terms: map[string]float64{"rat": 1, "lesion": 1}}, 2)
	if len(hits) != 2 || hits[0].ID != "rats" || hits[1].ID != "entorhinal" {
		t.Errorf("got %v", hits)
	}
	if got := ix.Search(Query{}, 5); got != nil {
		t.Errorf("the empty query finds %v", got)
	}
	if got := NewIndex(nil).Search(QueryFrom("memory"), 5); got != nil {
		t.Errorf("the empty index finds %v", got)
	}
	// BM25 by hand: one document, one term once in the body; the idf of 1 in 1 is
	// ln(1 + 0.5/1.5), and a document of mean length has a term weight of 1.
	one := NewIndex([]Doc{{ID: "x", Body: "memory agents"}})
	got, want := one.Score(Query{Terms: map[string]float64{"memori": 1}})["x"], math.Log(1+0.5/1.5)
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("BM25 gives %v, want %v", got, want)
	}
}

func TestQueryFrom(t *testing.T) {
	got := QueryFrom("What is known about the effects of sleep on memory since 2020?")
	want := map[string]float64{"sleep": 1, "memori": 1, "effect": 0.5}
	if d := cmp.Diff(want, got.Terms); d != "" {
		t.Error(d)
	}
}

func TestAcronyms(t *testing.T) {
	ix := NewIndex([]Doc{
		{ID: "1", Title: "x", Body: "We study the spiral of silence (SOS) and long-context attention models (LCAMs)."},
		{ID: "2", Title: "x", Body: "CKM (contextual knowledge memory) stores facts. The SOS (spiral of silence) is old."},
		{ID: "3", Title: "x", Body: "not an acronym (see Table 2), nor (2020), nor this (ABC)."},
	})
	known := map[string]string{}
	for _, a := range ix.acronyms.pairs() {
		known[a.short] = strings.Join(a.long, " ")
	}
	for short, long := range map[string]string{"lcam": "long context attent model", "ckm": "contextu knowledg memori", "llm": "larg languag model", "sos": "spiral silenc"} {
		if known[short] != long {
			t.Errorf("%s is %q, want %q", short, known[short], long)
		}
	}
	if known["abc"] != "" {
		t.Errorf("ABC is taken for %q", known["abc"])
	}
	q := ix.Expand(Query{Terms: map[string]float64{"llm": 1}})
	if q.Terms["languag"] != 0.5 || q.Terms["llm"] != 1 {
		t.Errorf("expanded to %v", q.Terms)
	}
	q = ix.Expand(Query{Terms: map[string]float64{"larg": 1, "languag": 1, "model": 1}})
	if q.Terms["llm"] != 0.5 {
		t.Errorf("long form expanded to %v", q.Terms)
	}
}

func TestFeedback(t *testing.T) {
	ix := NewIndex(field)
	q := QueryFrom("AI agent memory")
	got := ix.Feedback(q, []string{"amem", "zep", "unknown", "mem0"}, 2)
	sum := 0.0
	for _, k := range sortedKeys(got.Terms) {
		sum += got.Terms[k]
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the weights sum to %v, want 1", sum)
	}
	if got.Terms["memgpt"] == 0 || got.Terms["mem0"] != 0 {
		t.Errorf("only the first two known documents are used: %v", got.Terms)
	}
	if d := cmp.Diff(q, ix.Feedback(q, []string{"unknown"}, 5)); d != "" {
		t.Errorf("without documents the query changes: %s", d)
	}
}

func TestQuestionPhrases(t *testing.T) {
	cases := []struct {
		question   string
		core, rest []string
	}{
		{"", nil, nil},
		{"What?", nil, nil},
		{"recent research in AI agent memory", []string{"AI agent memory"}, nil},
		{"Recent research in AI agent memory, with a focus on empirical evaluations since 2023", []string{"AI agent memory"}, []string{"empirical evaluations"}},
		{"Which approaches to AI agent memory have been proposed?", []string{"AI agent memory"}, []string{"approaches"}},
		{"How is AI agent memory evaluated, and on which benchmarks?", []string{"AI agent memory"}, []string{"evaluated", "benchmarks"}},
		{"What is known about the long-term effects of sleep deprivation on working memory in adolescents?", []string{"long-term effects", "sleep deprivation", "working memory", "adolescents"}, nil},
		{"What are the limitations of retrieval-augmented generation?", []string{"retrieval-augmented generation"}, []string{"limitations"}},
		{"Does spaced repetition improve long-term retention in medical students?", []string{"spaced repetition", "long-term retention", "medical students"}, []string{"improve"}},
		{"large language models for code generation", []string{"large language models", "code generation"}, nil},
		{"What is the efficacy of metformin for type 2 diabetes?", []string{"metformin", "type 2 diabetes"}, []string{"efficacy"}},
		{"How are knowledge graphs and open-domain question answering used in recent agent research?", []string{"knowledge graphs", "open-domain question answering", "agent"}, nil},
		{"Which studies use machine learning for data cleaning?", []string{"machine learning", "data cleaning"}, nil},
		{"Summarise existing evidence on evidence-based medicine", []string{"evidence-based medicine"}, nil},
		{"benchmarks", []string{"benchmarks"}, nil},
		{"A systematic review of carbon taxes", []string{"carbon taxes"}, nil},
		{"記憶エージェントの研究", []string{"記憶エージェント"}, nil},
		{"memory &amp; planning in <i>agents</i>", []string{"memory", "planning", "agents"}, nil},
	}
	for _, c := range cases {
		core, rest := QuestionPhrases(c.question)
		if !slices.Equal(core, c.core) || !slices.Equal(rest, c.rest) {
			t.Errorf("%q:\n core %q, want %q\n rest %q, want %q", c.question, core, c.core, rest, c.rest)
		}
	}
}

func TestListsAreAlternatives(t *testing.T) {
	var groups [][]string
	last := -1
	for _, p := range parseQuestion("What is the efficacy of stimulants (such as methylphenidate, amphetamine or modafinil) for narcolepsy and the relation between sleep and memory?") {
		if p.aspect {
			continue
		}
		if p.group != last {
			groups = append(groups, nil)
			last = p.group
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p.text)
	}
	want := [][]string{{"stimulants", "methylphenidate", "amphetamine", "modafinil"}, {"narcolepsy"}, {"sleep"}, {"memory"}}
	if d := cmp.Diff(want, groups); d != "" {
		t.Error(d)
	}
}

func FuzzQuestionPhrases(f *testing.F) {
	for _, s := range []string{"recent research in AI agent memory", "type 2 (such as x, y-z or 記憶) since 2023?", "-a- state-of-the-art -", "\xff (", "between and or", "0000000000000000000! \u07ec"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		core, rest := QuestionPhrases(s)
		for _, p := range append(core, rest...) {
			if strings.TrimSpace(p) != p || p == "" {
				t.Fatalf("QuestionPhrases(%q) has the phrase %q", s, p)
			}
		}
		got := Relevance(NewIndex(append(slices.Clone(field[:6]), Doc{"fuzz", s, s})), s, s)
		for id, j := range got {
			if math.IsNaN(j.Score) || j.Score < 0 || j.Score > 1 {
				t.Fatalf("%q: %s scores %v", s, id, j.Score)
			}
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	docs := synthetic(10_000)
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			NewIndex(docs)
		}
	})
	ix := NewIndex(docs)
	q := QueryFrom("w12 w40 w300 of w1500 in w90")
	b.Run("search", func(b *testing.B) {
		for b.Loop() {
			ix.Search(q, 20)
		}
	})
	b.Run("relevance", func(b *testing.B) {
		for b.Loop() {
			Relevance(ix, "w12 w40 w300 for w1500 in w90", "")
		}
	})
	b.Run("keyphrases", func(b *testing.B) {
		for b.Loop() {
			KeyPhrases(docs[:1000], 30, nil)
		}
	})
}

// synthetic makes abstracts of about 170 words whose frequencies fall off as in
// language.
func synthetic(n int) []Doc {
	seed := uint64(1)
	next := func() float64 {
		seed = seed*6364136223846793005 + 1442695040888963407
		return float64(seed>>11) / (1 << 53)
	}
	word := func() string {
		if next() < 0.35 {
			return []string{"the", "of", "and", "in", "to", "with", "for"}[int(next()*7)]
		}
		w := fmt.Sprintf("w%d", int(math.Pow(20000, next())))
		if next() < 0.1 {
			w += ". The"
		}
		return w
	}
	docs := make([]Doc, n)
	for i := range docs {
		var title, body strings.Builder
		for range 10 {
			title.WriteString(word() + " ")
		}
		for range 160 {
			body.WriteString(word() + " ")
		}
		docs[i] = Doc{ID: fmt.Sprintf("d%05d", i), Title: title.String(), Body: body.String()}
	}
	return docs
}
