package flow

import (
	"fmt"
	"strings"
	"testing"

	"optimistresearch/evidence"
	"optimistresearch/state"
)

// A little world: three services over a shelf of known works, and steps that
// answer from a script. Every node is a function of state and task alone.
type world struct {
	settings state.Settings
	down     map[string]bool                         // services that do not answer
	deaf     map[string]bool                         // roles whose model never answers
	deafTask map[string]bool                         // tasks whose model call fails
	chases   []state.Edit                            // what the first critique adds to its edits
	runtime  func(s *state.State, waves int) Runtime // nil = zero
	tokens   int                                     // of each model call
}

func newWorld() *world {
	set := state.DefaultSettings()
	set.Sources = []string{"arxiv", "openalex", "crossref"}
	set.Budgets.Documents, set.Budgets.Searches, set.Budgets.SnowballRounds, set.Budgets.Iterations = 14, 30, 4, 3
	set.Screening.Batch = 3
	set.Models = map[string]string{"reader": "scripted:test", "screener": "scripted:test", "planner": "scripted:test"}
	return &world{settings: set, tokens: 100}
}

type work struct {
	title, author string
	year          int
}

var shelf = []work{
	{"ReAct: Synergizing Reasoning and Acting in Language Models", "Yao", 2022},
	{"Reflexion: Language Agents with Verbal Reinforcement Learning", "Shinn", 2023},
	{"Generative Agents: Interactive Simulacra of Human Behavior", "Park", 2023},
	{"MemoryBank: Enhancing Large Language Models with Long-Term Memory", "Zhong", 2023},
	{"RET-LLM: Towards a General Read-Write Memory for Large Language Models", "Modarressi", 2023},
	{"Voyager: An Open-Ended Embodied Agent with Large Language Models", "Wang", 2023},
	{"ChatDB: Augmenting LLMs with Databases as Their Symbolic Memory", "Hu", 2023},
	{"MemoChat: Tuning LLMs to Use Memos for Consistent Long-Range Open-Domain Conversation", "Lu", 2023},
	{"ExpeL: LLM Agents Are Experiential Learners", "Zhao", 2023},
	{"Recursively Summarizing Enables Long-Term Dialogue Memory in Large Language Models", "Qingyue", 2023},
	{"Cognitive Architectures for Language Agents", "Sumers", 2023},
	{"MemGPT: Towards LLMs as Operating Systems", "Packer", 2023},
	{"Think-in-Memory: Recalling and Post-thinking Enable LLMs with Long-Term Memory", "Liu", 2023},
	{"FinMem: A Performance-Enhanced LLM Trading Agent with Layered Memory and Character Design", "Yu", 2023},
	{"A Human-Inspired Reading Agent with Gist Memory of Very Long Contexts", "Lee", 2024},
	{"HippoRAG: Neurobiologically Inspired Long-Term Memory for Large Language Models", "Gutierrez", 2024},
	{"Neural Turing Machines", "Graves", 2014},
	{"Memory Networks", "Weston", 2014},
	{"AutoManual: Constructing Instruction Manuals by LLM Agents via Interactive Environmental Learning", "Chen", 2024},
	{"Evaluating Very Long-Term Conversational Memory of LLM Agents", "Maharana", 2024},
}

func number(title string) int {
	for i, w := range shelf {
		if w.title == title {
			return i
		}
	}
	return -1
}

func (w work) record(source string, at state.Provenance) state.Record {
	i := number(w.title)
	r := state.Record{
		Source: source, Title: w.title, Year: w.year, Kind: state.Preprint, Authors: []state.Author{{Name: w.author, Family: w.author}},
		Abstract: fmt.Sprintf("%s is studied. On benchmark number %d it reaches an accuracy of %d percent against a baseline of %d percent.", w.title, i, 40+i, 20+i),
	}
	r.Key = state.RecordKey(source, fmt.Sprint(i), r)
	r.Seen = map[string]state.Provenance{at.Key(): at}
	return r
}

func (w *world) use(t state.Task, role string) state.Spend {
	u := state.ModelUse{Calls: 1, Prompt: w.tokens}
	if w.deaf[role] || w.deafTask[t.ID] {
		u = state.ModelUse{Calls: 1, Failed: 1}
	}
	return state.Spend{Models: map[string]state.ModelUse{role: u}}
}

type node = func(*state.State, state.Task) (state.State, error)

func (w *world) nodes() map[string]node {
	m := map[string]node{
		Plan: w.plan, Intents: w.intents, Queries: w.queries, Search: w.search, Screen: w.screen, Expand: w.expand,
		Read: w.read, Verify: w.verify, Answer: w.answer, Synthesise: w.synthesise, Critique: w.critique, Write: w.write,
	}
	for name, n := range Pure() {
		m[name] = n
	}
	return m
}

func (w *world) plan(_ *state.State, t state.Task) (state.State, error) {
	return state.State{
		Subquestions: map[string]state.Subquestion{
			"RQ1": {ID: "RQ1", Text: "Which memory designs do language agents use?", Priority: 1, Status: state.Open},
			"RQ2": {ID: "RQ2", Text: "How is the memory of agents evaluated?", Priority: 2, Status: state.Open},
		},
		Ledger: map[string]state.Spend{t.ID: w.use(t, "planner")},
	}, nil
}

func (w *world) intents(s *state.State, t state.Task) (state.State, error) {
	if t.Iteration > 1 {
		return state.State{}, nil
	}
	part := state.State{Intents: map[string]state.Intent{}}
	for i, q := range s.ActiveSubquestions() {
		id := fmt.Sprintf("I%d", i+1)
		part.Intents[id] = state.Intent{ID: id, Subquestion: q.ID, Description: "studies on: " + q.Text, Iteration: 1, Status: state.Open}
	}
	return part, nil
}

func (w *world) queries(s *state.State, t state.Task) (state.State, error) {
	limit, err := intArg(t, 0)
	part := state.State{Queries: map[string]state.Query{}}
	for _, in := range state.SortedIDs(s.Intents) {
		if s.Intents[in].Iteration != t.Iteration {
			continue
		}
		for _, src := range w.settings.Sources {
			for n := range 2 {
				if len(part.Queries) == limit {
					return part, err
				}
				id := fmt.Sprintf("Q%d", len(s.Queries)+len(part.Queries)+1)
				part.Queries[id] = state.Query{ID: id, Iteration: t.Iteration, Intent: in, Source: src, Written: fmt.Sprintf("%s %d", in, n)}
			}
		}
	}
	return part, err
}

func (w *world) search(s *state.State, t state.Task) (state.State, error) {
	q := s.Queries[t.Args[0]]
	q.Revision = 1
	call := state.SourceCall{ID: "search/" + q.ID, Source: q.Source, Operation: "search", Subject: q.ID}
	part := state.State{Records: map[string]state.Record{}, Ledger: map[string]state.Spend{t.ID: {Searches: 1, Credits: map[string]int{q.Source: 10}}}}
	if w.down[q.Source] {
		q.Outcome, call.Outcome, call.Reason = state.Down, state.Down, q.Source+" is down"
	} else {
		q.Outcome, call.Outcome = state.Hits, state.Hits
		n := 0
		fmt.Sscanf(q.ID, "Q%d", &n)
		for rank := range 3 {
			x := shelf[(5*n+2*rank)%len(shelf)]
			r := x.record(q.Source, state.Provenance{Source: q.Source, Via: state.ViaSearch, Intent: q.Intent, Query: q.ID, Rank: rank + 1, Round: state.RoundNumber(t.Iteration, 0)})
			part.Records[r.Key] = r
		}
	}
	part.Queries = map[string]state.Query{q.ID: q}
	part.Calls = map[string]state.SourceCall{call.ID: call}
	return part, nil
}

func (w *world) screen(s *state.State, t state.Task) (state.State, error) {
	batch := s.Work[state.WorkScreen].Items[t.Args[0]]
	part := state.State{Documents: map[string]state.Document{}, Ledger: map[string]state.Spend{t.ID: w.use(t, "screener")}}
	for _, id := range batch.IDs {
		d := state.Document{ID: id, Status: state.Screened, Relevance: map[string]state.Relevance{}}
		for i, q := range batch.Subquestions {
			score := 0.9
			if (number(s.Documents[id].Title())+i)%4 == 3 {
				score = 0.2
			}
			d.Relevance[q] = state.Relevance{Score: score}
		}
		part.Documents[id] = d
	}
	return part, nil
}

func (w *world) expand(s *state.State, t state.Task) (state.State, error) {
	seed, direction, _ := strings.Cut(t.Args[0], "|")
	round, err := intArg(t, 1)
	part := state.State{Records: map[string]state.Record{}, Expanded: map[string]state.Expansion{}}
	n := number(s.Documents[seed].Title())
	for i := range 3 {
		x := shelf[(n+7+3*i)%len(shelf)]
		r := x.record("openalex", state.Provenance{Source: "openalex", Via: state.ViaSnowball, Seed: seed, Direction: direction, Rank: i + 1, Round: round})
		part.Records[r.Key] = r
	}
	part.Expanded[t.Args[0]] = state.Expansion{Seed: seed, Direction: direction, Round: round, Found: len(part.Records)}
	return part, err
}

func (w *world) read(s *state.State, t state.Task) (state.State, error) {
	id := t.Args[0]
	d := s.Documents[id]
	doc := state.Document{ID: id, Status: state.Read, ReadFor: map[string]string{}}
	part := state.State{Evidence: map[string]state.Evidence{}}
	text := s.AbstractText(d)
	for _, q := range t.Args[1:] {
		doc.ReadFor[q] = t.ID
		quote := text[strings.Index(text, "On benchmark"):]
		claim := strings.Replace(quote, "it reaches", d.Title()+" reaches", 1)
		e, why := evidence.Check(evidence.Draft{Document: id, Subquestion: q, Claim: claim, Quote: quote, Type: "empirical", Strength: 0.6, By: "scripted:test"},
			evidence.Source{Text: text, Ref: "abstract:" + d.Abstract.Record, Kind: evidence.KindAbstract}, s.Settings.Reading)
		if why != "" {
			return part, fmt.Errorf("%s: %s", id, why)
		}
		part.Evidence[e.ID] = e
	}
	part.Documents = map[string]state.Document{id: doc}
	use := w.use(t, "reader")
	use.Documents = 1
	part.Ledger = map[string]state.Spend{t.ID: use}
	return part, nil
}

func (w *world) verify(s *state.State, t state.Task) (state.State, error) {
	part := state.State{Reviews: map[string]state.Review{}, Ledger: map[string]state.Spend{t.ID: w.use(t, "verifier")}}
	for id, e := range s.Evidence {
		if r, ok := s.Reviews[id]; e.Document == t.Args[0] && (!ok || r.Stale != "") {
			ok, why := evidence.Gate(s, e)
			part.Reviews[id] = state.Review{Revision: t.Iteration, Evidence: id, Admitted: ok, Supports: ok, Satisfies: ok, Unique: ok, Reason: why}
		}
	}
	return part, nil
}

func (w *world) answer(s *state.State, t state.Task) (state.State, error) {
	a := state.Answer{Revision: t.Iteration, Subquestion: t.Args[0], Coverage: 0.5}
	for _, e := range s.Admitted(t.Args[0]) {
		a.Evidence = append(a.Evidence, e.ID)
		a.Text += e.Claim + " [" + e.Document + "]. "
	}
	return state.State{Answers: map[string]state.Answer{a.Subquestion: a}, Ledger: map[string]state.Spend{t.ID: w.use(t, "synthesizer")}}, nil
}

func (w *world) synthesise(s *state.State, t state.Task) (state.State, error) {
	y := state.Synthesis{Revision: t.Iteration}
	for _, q := range s.ActiveSubquestions() {
		sec := state.OutlineSection{ID: fmt.Sprintf("S%d", len(y.Outline)+1), Title: q.Text}
		for _, e := range s.Admitted(q.ID) {
			sec.Evidence = append(sec.Evidence, e.ID)
		}
		if len(sec.Evidence) > 0 {
			y.Outline = append(y.Outline, sec)
		}
	}
	return state.State{Synthesis: &y}, nil
}

// critique asks for more in the first iteration and is content with the second.
func (w *world) critique(s *state.State, t state.Task) (state.State, error) {
	c := state.Critique{Iteration: t.Iteration, Sufficient: t.Iteration > 1, Summary: "scripted"}
	if t.Iteration == 1 {
		c.Edits = append([]state.Edit{
			{Op: state.EditAddIntent, Target: "RQ2", Text: "benchmarks of conversational memory"},
			{Op: state.EditRephrase, Target: "RQ1", Text: "Which designs of memory do language agents use, and why?"},
		}, w.chases...)
	}
	return state.State{Critiques: map[string]state.Critique{CritiqueKey(t.Iteration): c}}, nil
}

func (w *world) write(s *state.State, t state.Task) (state.State, error) {
	return state.State{Sections: map[string]state.Section{t.Args[0]: {Revision: t.Iteration, ID: t.Args[0], Text: "written"}}}, nil
}

// history is what a run did, wave by wave.
type history [][]state.Delta

func (h history) waves() []string {
	var out []string
	for _, w := range h {
		if name := fmt.Sprintf("%s×%d", w[0].Task.Node, len(w)); len(w) == 1 {
			out = append(out, w[0].Task.Node)
		} else {
			out = append(out, name)
		}
	}
	return out
}

func (h history) count(node string) int {
	n := 0
	for _, w := range h {
		for _, d := range w {
			if d.Task.Node == node {
				n++
			}
		}
	}
	return n
}

func (w *world) start() *state.State {
	return state.New(state.Question{Text: "memory of language agents", Year: 2026}, w.settings)
}

// run drives a state to the end of the run, as an engine does: the tasks of a
// wave all see the same state.
func (w *world) run(t *testing.T, s *state.State) history {
	t.Helper()
	nodes := w.nodes()
	var h history
	for {
		rt := Runtime{}
		if w.runtime != nil {
			rt = w.runtime(s, len(h))
		}
		tasks := Next(s, rt)
		if len(tasks) == 0 {
			return h
		}
		if len(h) > 400 {
			t.Fatalf("the run does not end; it keeps asking for %v", tasks)
		}
		seen := map[string]bool{}
		var wave []state.Delta
		for _, task := range tasks {
			if _, done := s.Done[task.ID]; done || seen[task.ID] {
				t.Fatalf("%s is asked for twice", task.ID)
			}
			seen[task.ID] = true
			part, err := nodes[task.Node](s, task)
			if err != nil {
				t.Fatalf("%s: %v", task.ID, err)
			}
			wave = append(wave, state.Delta{Task: task, Part: part})
		}
		for _, d := range wave {
			s.Apply(d)
		}
		h = append(h, wave)
	}
}

func encoded(t *testing.T, s *state.State) string {
	t.Helper()
	b, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
