package report

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"optimistresearch/internal/biblio"
	"optimistresearch/state"
)

var update = flag.Bool("update", false, "write the golden files anew")

func render(t *testing.T, s *state.State) map[string]string {
	t.Helper()
	files, err := Render(s, fixtureDays)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for name, b := range files {
		out[name] = string(b)
	}
	return out
}

func TestRenderGolden(t *testing.T) {
	files := render(t, fixture(t))
	dir := filepath.Join("testdata", "golden")
	if *update {
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	for name, got := range files {
		golden := filepath.Join(dir, filepath.FromSlash(name))
		if *update {
			if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got, "\n")); d != "" {
			t.Errorf("%s differs from its golden file; run `go test -update` and look at the change:\n%s", name, d)
		}
	}
}

func TestNoGoldenIsLeftOver(t *testing.T) {
	files := render(t, fixture(t))
	dir := filepath.Join("testdata", "golden")
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, p)
		if _, ok := files[filepath.ToSlash(name)]; !ok {
			t.Errorf("%s is no longer rendered", name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestEqualStatesGiveEqualBytes(t *testing.T) {
	first := render(t, fixture(t))
	for range 5 {
		s, err := fixture(t).Clone()
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, render(t, s)); d != "" {
			t.Fatal(d)
		}
	}
}

func TestRenderDoesNotChangeTheState(t *testing.T) {
	s := fixture(t)
	before, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	render(t, s)
	after, err := s.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("rendering changed the state")
	}
}

var (
	inlineLink = regexp.MustCompile(`\]\(([^()\s]+)\)`)
	definition = regexp.MustCompile(`(?m)^\[(doc_\d+)\]: (\S+)$`)
	shortcut   = regexp.MustCompile(`\[(doc_\d+)\](?:[^(:]|$)`)
)

// Every relative link leads to a file of the run, and every citation has its
// address.
func TestLinksLeadSomewhere(t *testing.T) {
	files := render(t, fixture(t))
	for name, content := range files {
		if !strings.HasSuffix(name, ".md") {
			continue
		}
		var targets []string
		for _, m := range inlineLink.FindAllStringSubmatch(content, -1) {
			targets = append(targets, m[1])
		}
		defined := map[string]bool{}
		for _, m := range definition.FindAllStringSubmatch(content, -1) {
			targets = append(targets, m[2])
			defined[m[1]] = true
		}
		for _, m := range shortcut.FindAllStringSubmatch(definition.ReplaceAllString(content, ""), -1) {
			if !defined[m[1]] {
				t.Errorf("%s cites %s without an address", name, m[1])
			}
		}
		for _, to := range targets {
			full := path.Join(path.Dir(name), to)
			if _, ok := files[full]; !ok && !strings.HasPrefix(full, "recordings/") {
				t.Errorf("%s links to %s, which is no file of the run", name, full)
			}
		}
	}
}

func TestReferencesAreWhatIsCited(t *testing.T) {
	files := render(t, fixture(t))
	entries, problems := biblio.ReadRIS([]byte(files["references.ris"]))
	if len(problems) > 0 {
		t.Error(problems)
	}
	var ids []string
	for _, e := range entries {
		ids = append(ids, e.ID)
	}
	if d := cmp.Diff([]string{"doc_0001", "doc_0002"}, ids); d != "" {
		t.Error(d)
	}
	list := files["report.md"][strings.Index(files["report.md"], "## References"):]
	if n := strings.Count(list, "\n- "); n != 2 {
		t.Errorf("%d references in the report, want 2", n)
	}
	bib, _ := biblio.ReadBibTeX([]byte(files["references.bib"]))
	csl, _ := biblio.ReadCSL([]byte(files["references.json"]))
	if d := cmp.Diff(entries, bib); d != "" {
		t.Errorf("RIS and BibTeX differ: %s", d)
	}
	if d := cmp.Diff(entries, csl); d != "" {
		t.Errorf("RIS and CSL-JSON differ: %s", d)
	}
}

func TestCitationsOfOtherSectionsAreTakenOut(t *testing.T) {
	report := render(t, fixture(t))["report.md"]
	for _, gone := range []string{"doc_0099", "Storage is cheap on disks [doc_0002]", "ev_"} {
		if strings.Contains(report, gone) {
			t.Errorf("the report holds %q", gone)
		}
	}
	for _, there := range []string{"2 citations were removed", "Storage is cheap on disks. " + NoCitation, "2 statements without a citation are marked"} {
		if !strings.Contains(report, there) {
			t.Errorf("the report does not hold %q", there)
		}
	}
}

func TestDemonstrationIsSaidFirst(t *testing.T) {
	s := fixture(t)
	s.Question.Demonstration = "the built-in demonstration library"
	files := render(t, s)
	for _, name := range []string{"report.md", "README.md"} {
		lines := strings.SplitN(files[name], "\n", 4)
		if !strings.Contains(lines[2], "**Demonstration.**") || !strings.Contains(lines[2], "synopses") {
			t.Errorf("%s starts with %q", name, lines)
		}
	}
}

// A library of the user's own is neither the demonstration nor a search of the
// live services, and its texts are what they are.
func TestOwnLibraryIsSaidFirst(t *testing.T) {
	s := fixture(t)
	s.Question.Library = "my works.jsonl"
	files := render(t, s)
	for _, name := range []string{"report.md", "README.md"} {
		lines := strings.SplitN(files[name], "\n", 4)
		if !strings.Contains(lines[2], "**Not a search of the live services.** This run searched `my works.jsonl`, a library of your own") || strings.Contains(files[name], "ynops") && name == "README.md" {
			t.Errorf("%s starts with %q", name, lines)
		}
	}
	if r := files["report.md"]; !strings.Contains(r, "What was read are abstracts.") || strings.Contains(r, "emonstration") || strings.Contains(r, "“Synopsis”") {
		t.Error("the report speaks of a demonstration or of synopses that there are not")
	}
	for id, d := range s.Documents {
		d.Abstract.Synopsis = true
		s.Documents[id] = d
	}
	files = render(t, s)
	if r := files["report.md"]; !strings.Contains(r, "What was read are synopses.") || !strings.Contains(files["documents/doc_0001.md"], "*From the library `my works.jsonl`; not the authors' abstract.*") {
		t.Error("the synopses of the library are not named as such")
	}
}

func TestRetractedIsMarkedEverywhere(t *testing.T) {
	s := fixture(t)
	s.Settings.Reading.IncludeRetracted = true
	d := s.Documents["doc_0001"]
	d.Retraction = map[string]state.Retract{"crossref": {Status: state.RetractRetracted, Notice: "10.1/n"}}
	s.Documents["doc_0001"] = d
	files := render(t, s)
	for name, want := range map[string]string{
		"report.md": "on document tasks [doc_0001] [RETRACTED].", "documents/doc_0001.md": "# Paged Memory for Agents [RETRACTED]", "documents/index.md": "Paged Memory for Agents [RETRACTED]",
		"documents/index.csv": "Paged Memory for Agents [RETRACTED]", "references.ris": "Paged Memory for Agents [RETRACTED]", "references.bib": "Paged Memory for Agents [RETRACTED]",
		"references.json": "Paged Memory for Agents [RETRACTED]", "evidence/clusters.md": "(2024) [RETRACTED]", "evidence/evidence.csv": "Agents [RETRACTED]",
		"evidence/evidence.jsonl": "Agents [RETRACTED]", "contradictions.md": "(2024) [RETRACTED]", "subquestions/RQ1.md": "Agents [RETRACTED]",
	} {
		if !strings.Contains(files[name], want) {
			t.Errorf("%s does not hold %q", name, want)
		}
	}
	if refs := files["report.md"]; !strings.Contains(refs[strings.Index(refs, "## References"):], "Paged Memory for Agents [RETRACTED]") {
		t.Error("the reference is not marked")
	}
}

func TestDiagnosticReport(t *testing.T) {
	stop := func(reason, detail string) *state.Stop {
		return &state.Stop{Reason: reason, Detail: detail, Iteration: 1}
	}
	bare := func() *state.State {
		s := fixture(t)
		s.Evidence, s.Reviews, s.Synthesis, s.Sections, s.Answers, s.Clusters, s.Contradictions = nil, nil, nil, nil, nil, nil, nil
		return s
	}
	cases := map[string]struct {
		make func() *state.State
		want []string
	}{
		"unreachable": {func() *state.State {
			s := state.New(state.Question{Text: "Q", Year: 2026}, state.DefaultSettings())
			f := fixture(t)
			s.Subquestions, s.Intents = f.Subquestions, f.Intents
			s.Queries = map[string]state.Query{"Q1": {ID: "Q1", Intent: "I1", Source: "arxiv", Outcome: state.Down, Reason: "arxiv: search Q1: no route to host", Total: -1, Revision: 1}}
			s.Stop = stop(state.StopUnreachable, "no source answered: arxiv: search Q1: no route to host")
			return s
		}, []string{"Too few searches were answered", "The one query that was sent failed", "optimistresearch search", "no route to host"}},
		"model": {func() *state.State {
			s := state.New(state.Question{Text: "Q", Year: 2026}, state.DefaultSettings())
			s.Stop = stop(state.StopModelFailed, "the model x:y for the role planner never answered (1 of 1 calls failed): 401")
			return s
		}, []string{"A model could not be reached", "config show", "never answered"}},
		"nothing admitted": {func() *state.State {
			s := bare()
			s.Evidence, s.Reviews = fixture(t).Evidence, map[string]state.Review{}
			for id := range s.Evidence {
				s.Reviews[id] = state.Review{Evidence: id, Reason: "no figure"}
			}
			s.Stop = stop(state.StopNoEvidence, "no evidence was admitted")
			return s
		},
			[]string{"the verifier admitted none", "screening.relevant"}},
		"no claims":   {func() *state.State { s := bare(); s.Stop = stop(state.StopNoEvidence, ""); return s }, []string{"no claim with a verifiable quote"}},
		"interrupted": {func() *state.State { s := bare(); s.Stop = nil; return s }, []string{"Not finished", "optimistresearch resume RUN"}},
		"zero hits": {func() *state.State {
			s := bare()
			s.Records, s.Documents, s.Links, s.Readings = nil, nil, nil, nil
			for k, q := range s.Queries {
				q.Outcome, q.Hits, q.Total = state.ZeroHits, 0, 0
				s.Queries[k] = q
			}
			s.Stop = stop(state.StopNoEvidence, "")
			return s
		}, []string{"Nothing was found with these strings; that does not mean that there is nothing"}},
		"ended before records were compared": {func() *state.State {
			s := bare()
			s.Documents, s.Links, s.Readings = nil, nil, nil
			s.Halt = &state.Stop{Reason: state.StopBudget, Detail: "the wall time is used up (budgets.minutes)"}
			s.Stop = &state.Stop{Reason: state.StopBudget, Detail: s.Halt.Detail, Iteration: 1}
			return s
		}, []string{"7 records were found, but none was screened: 7 records were not compared with the others (a budget ended the run first). Whether they are relevant is not known.", "Ask again with more of what was used up"}},
		"ended before anything was screened": {func() *state.State {
			s := bare()
			unscreen(s, "doc_0001", "doc_0002", "doc_0003", "doc_0004", "doc_0006")
			s.Readings = nil
			s.Stop = stop(state.StopModelFailed, "")
			return s
		}, []string{"none was screened: 5 works were not screened (the run ended first, since a model failed). Whether they are relevant is not known."}},
		"ended in the middle of screening": {func() *state.State {
			s := bare()
			unscreen(s, "doc_0001", "doc_0002", "doc_0003", "doc_0006")
			s.Readings = nil
			s.Stop = stop(state.StopModelFailed, "")
			return s
		}, []string{"1 work was screened and none of them judged relevant, but not everything was screened: 4 works were not screened", "Whether the rest is relevant is not known."}},
		"screened and irrelevant": {func() *state.State {
			s := bare()
			s.Readings = nil
			for id, d := range s.Documents {
				d.Status = state.Screened
				for q, r := range d.Relevance {
					r.Score = 0.1
					d.Relevance[q] = r
				}
				s.Documents[id] = d
			}
			s.Stop = stop(state.StopNoEvidence, "")
			return s
		}, []string{"5 works were screened, but none was judged relevant: below the relevance threshold (5)."}},
		"relevant, not read": {func() *state.State {
			s := bare()
			s.Readings = nil
			for id, d := range s.Documents {
				if d.Status == state.Read || d.Status == state.Selected {
					d.Status = state.Screened
				}
				s.Documents[id] = d
			}
			s.Stop = stop(state.StopModelFailed, "")
			return s
		}, []string{"5 works were screened and 3 were judged relevant, but none of these was read: the run ended first, since a model failed (2), no abstract to read (1)."}},
		"not verified": {func() *state.State {
			s := bare()
			s.Evidence = fixture(t).Evidence
			s.Stop = stop(state.StopModelFailed, "")
			return s
		}, []string{"but the run ended before any of them was verified"}},
	}
	for name, c := range cases {
		files := render(t, c.make())
		report := files["report.md"]
		for _, w := range append(c.want, "This run has no findings", "No work is cited.") {
			if !strings.Contains(report, w) {
				t.Errorf("%s: the report does not hold %q:\n%s", name, w, report)
			}
		}
		if cited.MatchString(report) {
			t.Errorf("%s: the report cites %v", name, cited.FindAllString(report, -1))
		}
		if files["references.ris"] != "" {
			t.Errorf("%s: there are references: %s", name, files["references.ris"])
		}
	}
}

// unscreen takes the verdict on relevance from documents.
func unscreen(s *state.State, ids ...string) {
	for _, id := range ids {
		d := s.Documents[id]
		d.Status, d.Relevance, d.Exclusion, d.Retraction = state.Found, nil, nil, nil
		s.Documents[id] = d
	}
}

func TestRenderWithoutAQuestion(t *testing.T) {
	for _, s := range []*state.State{nil, {}} {
		if _, err := Render(s, nil); err == nil || !strings.Contains(err.Error(), "optimistresearch run") {
			t.Errorf("Render gives %v", err)
		}
	}
	s := fixture(t)
	s.Settings = nil
	render(t, s)
	if s.Settings != nil {
		t.Error("rendering filled in the settings of the state")
	}
}

// Text from outside cannot act, whichever field it comes in by.
func TestHostileText(t *testing.T) {
	evil := "</title><script>x()</script> [a](javascript:x) ![b](http://evil.example/p) =1+1 | `c` \u202e\n# h\n[doc_0001]: http://evil.example\n---\n```"
	s := fixture(t)
	s.Question.Text, s.Question.Scope, s.Question.Demonstration = evil, evil, evil
	for k, q := range s.Subquestions {
		q.Text, q.Rationale, q.By, q.Focus = evil, evil, evil, []string{evil}
		s.Subquestions[k] = q
	}
	for k, in := range s.Intents {
		in.Description = evil
		s.Intents[k] = in
	}
	for k, q := range s.Queries {
		q.Written, q.Sent, q.Reason, q.Filters, q.Source = evil, evil, evil, evil, evil
		s.Queries[k] = q
	}
	for k, d := range s.Documents {
		for r, x := range d.Versions {
			x.Title, x.Venue, x.Type = evil, evil, evil
			d.Versions[r] = x
		}
		d.Authors = []state.Author{{Name: evil, Family: evil, Given: evil}}
		d.IDs = map[string][]string{state.DOI: {evil}, evil: {evil}}
		s.Documents[k] = d
	}
	for k, r := range s.Records {
		r.Title, r.Abstract, r.URL, r.Publisher, r.Notes, r.Source = evil, evil, "javascript:x", evil, []string{evil}, evil
		s.Records[k] = r
	}
	for k, e := range s.Evidence {
		e.Claim, e.Quote, e.Location, e.Type = evil, evil, evil, evil
		s.Evidence[k] = e
	}
	for k, r := range s.Reviews {
		r.Reason, r.Rival = evil, evil
		s.Reviews[k] = r
	}
	for k, x := range s.Sections {
		x.Text, x.Title, x.By = x.Text+"\n\n"+evil+"\n\n[doc_0001]: http://evil.example\n\n[doc_0001](a(b)c)", evil, "openai:some-model"
		s.Sections[k] = x
	}
	s.Synthesis.Narrative += " " + evil
	s.Stop.Detail = evil
	for name, content := range render(t, s) {
		switch path.Ext(name) {
		case ".md":
			harmless(t, name, content)
		case ".svg":
			if strings.Contains(content, "<script") {
				t.Errorf("%s holds a script", name)
			}
			if err := xmlWellFormed([]byte(content)); err != nil {
				t.Error(err)
			}
		}
		if path.Ext(name) != ".jsonl" && strings.Contains(content, "\u202e") { // a quote in data stays verbatim
			t.Errorf("%s holds a direction mark", name)
		}
	}
}

var (
	element = regexp.MustCompile(`<(/?[a-z0-9]+|!--)([^>]*)>`)
	target  = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	known   = wordSet("p h1 h2 h3 h4 a img em strong code ul ol li table thead tbody tr th td blockquote br")
)

// harmless renders a page and looks at what its HTML does.
func harmless(t *testing.T, name, content string) {
	t.Helper()
	if strings.HasPrefix(content, "---\n") {
		_, content, _ = strings.Cut(content[4:], "\n---\n")
	}
	var b bytes.Buffer
	if err := markdown.Convert([]byte(content), &b); err != nil {
		t.Fatal(err)
	}
	for _, m := range element.FindAllStringSubmatch(b.String(), -1) {
		if !known[strings.TrimPrefix(m[1], "/")] {
			t.Errorf("%s has the element %s", name, m[0])
		}
		for _, a := range target.FindAllStringSubmatch(m[2], -1) {
			to := a[1]
			switch {
			case m[1] == "img" && to != "prisma.svg":
				t.Errorf("%s shows the image %s", name, to)
			case strings.HasPrefix(to, "https://doi.org/"), strings.HasPrefix(to, "https://arxiv.org/abs/"), strings.HasPrefix(to, "https://pubmed.ncbi.nlm.nih.gov/"):
			case strings.Contains(to, ":") || strings.HasPrefix(to, "//"):
				t.Errorf("%s links to %s", name, to)
			}
		}
	}
	if strings.Contains(b.String(), ">h</h1>") {
		t.Errorf("%s has a heading from outside", name)
	}
}

func TestReferences(t *testing.T) {
	s := fixture(t)
	many := state.Document{ID: "d", Versions: map[string]state.Version{"k": {Title: "T", Year: 2020, Kind: state.Published, Venue: "V", DOI: "10.1/x"}}}
	for range 25 {
		many.Authors = append(many.Authors, state.Author{Name: "A B", Family: "B", Given: "A"})
	}
	for _, c := range []struct {
		d    state.Document
		want string
	}{
		{s.Documents["doc_0001"], "Packer, A., Ito, J.-L. & Müller, Z. (2024). Paged Memory for Agents. *Journal of Agents*, 12(3), 45-67. <https://doi.org/10.1234/paged> Preprint: <https://arxiv.org/abs/2301.00001>"},
		{s.Documents["doc_0003"], "A withdrawn result on memory [RETRACTED]. (2022). *Old Journal*. <https://doi.org/10.1234/retracted>"},
		{s.Documents["doc_0006"], "Memory Consortium (2021). Foundations of memory (ذاكرة). *Proc. M*. <https://doi.org/10.1/base>"},
		{state.Document{}, "(no title). (n.d.)."},
		{many, strings.Repeat("B, A., ", 19) + "… B, A. (2020). T. *V*. <https://doi.org/10.1/x>"},
	} {
		if got := Reference(s, c.d); got != c.want {
			t.Errorf("Reference = %q\nwant %q", got, c.want)
		}
	}
}

func TestStopText(t *testing.T) {
	for _, reason := range []string{state.StopSufficient, state.StopBudget, state.StopNoCritique, state.StopNothingToDo, state.StopNoEvidence, state.StopUnreachable, state.StopModelFailed} {
		got := StopText(state.Stop{Reason: reason, Detail: "the\ndetail."})
		if !strings.HasSuffix(got, ": the detail") || strings.Contains(got, "_") {
			t.Errorf("StopText(%s) = %q", reason, got)
		}
	}
	if got := StopText(state.Stop{}); !strings.Contains(got, "resume") {
		t.Error(got)
	}
}

// A question of any length stands in full once, and headings stay short.
func TestLongQuestion(t *testing.T) {
	s := fixture(t)
	s.Question.Text = strings.Repeat("memory of agents and ", 900) + "END"
	q := s.Subquestions["RQ1"]
	q.Text = "Which " + s.Question.Text
	s.Subquestions["RQ1"] = q
	for name, content := range render(t, s) {
		for _, line := range strings.Split(content, "\n") {
			if strings.HasPrefix(line, "#") && len(line) > 300 {
				t.Errorf("%s has a heading of %d characters", name, len(line))
			}
		}
		want := map[string]int{"report.md": 1, "subquestions/RQ1.md": 1}[name]
		if n := strings.Count(content, " END"); n != want {
			t.Errorf("%s holds the whole question %d times, want %d", name, n, want)
		}
	}
	if readme := render(t, s)["README.md"]; !strings.Contains(readme, "stand in full in the [report](report.md) under “Scope and method”") {
		t.Error("the README does not say where the question stands in full")
	}
}

func TestCapital(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "two works": "Two works", "élan": "Élan", "doc_0003 states it": "doc_0003 states it", "ev_2f6a and others": "ev_2f6a and others",
		"mRNA vaccines": "mRNA vaccines", "[doc_0003] states": "[doc_0003] states", "x": "X", "crossref says": "Crossref says",
	} {
		if got := capital(in); got != want {
			t.Errorf("capital(%q) = %q, want %q", in, got, want)
		}
	}
}

// The run's method has no step for the roles of closed questions.
func TestRolesOfARun(t *testing.T) {
	s := fixture(t)
	for _, role := range []string{"researcher", "finalizer"} {
		s.Settings.Models[role] = "builtin"
	}
	if report := render(t, s)["report.md"]; strings.Contains(report, "| researcher |") || strings.Contains(report, "| finalizer |") || !strings.Contains(report, "| reader |") {
		t.Error("the roles are not those of a run")
	}
	s.Ledger["x"] = state.Spend{Models: map[string]state.ModelUse{"researcher": {Calls: 1}}}
	if report := render(t, s)["report.md"]; !strings.Contains(report, "| researcher |") {
		t.Error("a role that was used is not shown")
	}
}

func TestOutlineOrderIsKept(t *testing.T) {
	s := fixture(t)
	slices.Reverse(s.Synthesis.Outline)
	delete(s.Sections, "S1")
	report := render(t, s)["report.md"]
	a, b := strings.Index(report, "## Costs of memory"), strings.Index(report, "## Memory designs")
	if a < 0 || b < a {
		t.Errorf("sections at %d and %d", a, b)
	}
	if !strings.Contains(report, "This section has not been written yet") {
		t.Error("a missing section is not said to be missing")
	}
}
