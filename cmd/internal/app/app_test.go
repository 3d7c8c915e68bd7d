package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	neturl "net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"optimistresearch/config"
	"optimistresearch/flow"
	"optimistresearch/internal/corpus"
	"optimistresearch/internal/llm/llmtest"
	"optimistresearch/state"
)

func testConfig(t *testing.T, flags map[string]string) *config.Config {
	t.Helper()
	c, err := config.Load(config.Options{Dir: t.TempDir(), Sources: SourceNames(), Roles: RoleNames(), Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func start(t *testing.T, c *config.Config) Result {
	t.Helper()
	res, err := Start(context.Background(), Options{Config: c, Now: testTime}, testRequest(filepath.Join(t.TempDir(), "run")))
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// The whole road on the defaults: what the README promises of its first
// command.
func TestWholeRoad(t *testing.T) {
	res := start(t, testConfig(t, nil))
	s := res.State

	iterations, directions := map[int]bool{}, map[string]int{}
	for _, d := range s.Done {
		if d.Node == flow.Decide {
			iterations[d.Iteration] = true
		}
	}
	for _, e := range s.Expanded {
		directions[e.Direction]++
	}
	applied := 0
	for _, a := range s.Applied {
		if a.Applied {
			applied++
		}
	}
	if len(iterations) < 2 || applied == 0 {
		t.Errorf("%d iterations, %d edits applied; want at least 2 and 1", len(iterations), applied)
	}
	if directions[state.Backward] == 0 || directions[state.Forward] == 0 {
		t.Errorf("citations chased %v; want both directions", directions)
	}
	if len(s.Links) <= len(s.Documents) {
		t.Errorf("%d records are %d documents: nothing was merged", len(s.Links), len(s.Documents))
	}
	if s.Stop == nil || s.Stop.Exit == 5 {
		t.Errorf("stop = %+v", s.Stop)
	}
	admitted := s.Admitted("")
	if len(admitted) < 20 {
		t.Errorf("%d claims were admitted, want at least 20", len(admitted))
	}
	for _, e := range admitted {
		text := s.Records[strings.TrimPrefix(e.Text, "abstract:")].Abstract
		if e.Start < 0 || e.End > len(text) || text[e.Start:e.End] != e.Quote {
			t.Errorf("%s: the quote is not at its place in the stored text", e.ID)
		}
		if d := s.Documents[e.Document]; d.Retracted().Status == state.RetractRetracted {
			t.Errorf("%s rests on the retracted %s", e.ID, e.Document)
		}
	}
	report, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"[doc_", "demonstration", "AI agent memory"} {
		if !strings.Contains(string(report), want) {
			t.Errorf("the report does not contain %q", want)
		}
	}
}

// How many tasks run at a time changes nothing.
func TestOrderDoesNotMatter(t *testing.T) {
	a, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	b := *a
	a.Runtime.Parallel, b.Runtime.Parallel = 1, 16
	same(t, "sixteen at a time", outcome(t, start(t, &b).Dir), outcome(t, start(t, a).Dir))
}

// A run derives again from its recordings alone, byte for byte.
func TestReplay(t *testing.T) {
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	first := start(t, c)
	again, err := Replay(context.Background(), Options{Config: testConfig(t, nil)}, first.Dir, filepath.Join(t.TempDir(), "again"))
	if err != nil {
		t.Fatal(err)
	}
	if again.Same == nil || !*again.Same {
		t.Error("the replay says that the states differ")
	}
	same(t, "replayed", outcome(t, again.Dir), outcome(t, first.Dir))
}

// A replay's corpus stands on its own: with the original gone it holds every
// recording that its report links to, can be replayed, and goes on without
// sending anything when it was interrupted.
func TestReplayHoldsItsRecordings(t *testing.T) {
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	first := start(t, c)
	want := outcome(t, first.Dir)
	again, err := Replay(context.Background(), Options{Config: c}, first.Dir, filepath.Join(t.TempDir(), "again"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(first.Dir); err != nil {
		t.Fatal(err)
	}
	run, err := corpus.OpenReadOnly(again.Dir)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for id, call := range run.State().Calls {
		for _, request := range call.Requests {
			checked++
			if _, err := run.Recorder().Check(request); err != nil {
				t.Errorf("%s: the recording %s %v", id, request, err)
			}
		}
	}
	if checked == 0 {
		t.Error("no call names a recording")
	}

	third, err := Replay(context.Background(), Options{Config: c}, again.Dir, filepath.Join(t.TempDir(), "third"))
	if err != nil || !*third.Same {
		t.Fatalf("the replay of a replay: %v", err)
	}
	journal := filepath.Join(third.Dir, corpus.JournalFile)
	b, err := os.ReadFile(journal)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(b, []byte("\n"))
	if err := os.WriteFile(journal, bytes.Join(lines[:len(lines)/3], nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Resume(context.Background(), Options{Config: c}, third.Dir); err != nil {
		t.Fatal(err)
	}
	same(t, "interrupted replay", outcome(t, third.Dir), want)
	if run, err = corpus.OpenReadOnly(third.Dir); err != nil {
		t.Fatal(err)
	}
	entries, _, err := run.ReadLog()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Kind == "http" && !e.Recorded {
			t.Errorf("a request was sent: %s %s", e.Service, e.URL)
		}
	}
}

// A finished run resumes to the same report and sends nothing.
func TestResumeOfAFinishedRun(t *testing.T) {
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	first := start(t, c)
	want := outcome(t, first.Dir)
	if _, err := Resume(context.Background(), Options{Config: c}, first.Dir); err != nil {
		t.Fatal(err)
	}
	same(t, "resumed", outcome(t, first.Dir), want)
}

// Every source is down: the run says so, with exit code 5 and no citation.
func TestSourcesDown(t *testing.T) {
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>maintenance</html>", http.StatusServiceUnavailable)
	}))
	defer down.Close()
	flags := map[string]string{"retries": "0"}
	for _, name := range SourceNames() {
		flags["source."+name+".base"], flags["source."+name+".every"] = down.URL, "1ms"
	}
	dir := filepath.Join(t.TempDir(), "run")
	res, err := Start(context.Background(), Options{Config: testConfig(t, flags), Now: testTime}, Request{Question: "memory of agents", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	if res.Stop.Reason != state.StopUnreachable || res.Stop.Exit != 5 {
		t.Errorf("stop = %+v, want %s with exit code 5", res.Stop, state.StopUnreachable)
	}
	report, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(report), "[doc_") {
		t.Error("the report of a run without sources cites something")
	}
	for _, q := range res.State.Queries {
		if q.Outcome == state.ZeroHits || q.Outcome == state.Hits {
			t.Errorf("%s: a source that was down counts as %s", q.ID, q.Outcome)
		}
	}
}

func TestNoNetworkSaysSoAtOnce(t *testing.T) {
	// A port that nothing listens on.
	closed := httptest.NewServer(http.NotFoundHandler())
	url := closed.URL
	closed.Close()
	flags := map[string]string{}
	for _, name := range SourceNames() {
		flags["source."+name+".base"] = url
	}
	dir := filepath.Join(t.TempDir(), "run")
	_, err := Start(context.Background(), Options{Config: testConfig(t, flags), Now: testTime}, Request{Question: "memory of agents", Dir: dir})
	if !errors.Is(err, ErrUnreachable) || !strings.Contains(err.Error(), "--sandbox") {
		t.Errorf("error = %v, want ErrUnreachable and what to try", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("a directory was left behind (%v)", err)
	}
}

// A model whose key is refused ends the run within one round, with exit code 5
// and the true reason (case R19).
func TestRefusedModelKey(t *testing.T) {
	server := llmtest.NewServer()
	server.Func(func(llmtest.Request) llmtest.Step { return llmtest.Unauthorized() })
	defer server.Close()
	c := testConfig(t, map[string]string{
		"models.default": "acme:m", "provider.acme.base": server.Base(), "provider.acme.key": "sk-wrong-key-0123456789",
	})
	res := start(t, c)
	if res.Stop.Reason != state.StopModelFailed || res.Stop.Exit != 5 {
		t.Errorf("stop = %+v, want %s with exit code 5", res.Stop, state.StopModelFailed)
	}
	if n := len(server.Requests()); n > 2 {
		t.Errorf("%d calls were sent with a refused key", n)
	}
	filepath.WalkDir(res.Dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), "0123456789") && strings.Contains(string(b), "sk-wrong") {
				t.Errorf("%s holds the key", path)
			}
		}
		return nil
	})
}

// A model that answers nothing but garbage ends the run within one round: no
// one pays for forty readings of "I am sorry".
func TestGarbageModel(t *testing.T) {
	server := llmtest.NewServer()
	server.Func(func(llmtest.Request) llmtest.Step { return llmtest.Garbage() })
	defer server.Close()
	res := start(t, modelled(t, server.Base()))
	if res.Stop.Reason != state.StopModelUseless || res.Stop.Exit != 5 || !strings.Contains(res.Stop.Detail, "acme:m") {
		t.Errorf("stop = %+v, want %s with exit code 5", res.Stop, state.StopModelUseless)
	}
	if n := len(server.Requests()); n > 2*12 {
		t.Errorf("%d calls were sent to a model that never gave a usable answer", n)
	}
	for role, u := range res.State.Spent().Models {
		if u.Repairs != 0 || u.Unusable != u.Calls {
			t.Errorf("%s: %+v; nothing was repaired and nothing was of use", role, u)
		}
	}
}

// A model that answers some roles with garbage degrades their steps to the
// built-in method; the run ends as usual and the report says which steps fell
// back.
func TestPartlyGarbageModel(t *testing.T) {
	server := llmtest.NewServer()
	server.Func(func(r llmtest.Request) llmtest.Step {
		switch schema(r) {
		case "planner", "critic":
			return llmtest.Garbage()
		}
		return obliging(r)
	})
	defer server.Close()
	res := start(t, modelled(t, server.Base()))
	if res.Stop.Exit == 5 || len(res.State.Admitted("")) == 0 {
		t.Errorf("stop = %+v with %d admitted claims; some garbage must degrade steps, not end the run", res.Stop, len(res.State.Admitted("")))
	}
	roles := map[string]bool{}
	for _, d := range res.State.Degradations {
		roles[d.Role] = true
	}
	for _, role := range []string{"planner", "critic"} {
		if !roles[role] {
			t.Errorf("no degradation names the %s", role)
		}
	}
	report, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(report), "built-in") {
		t.Error("the report does not say that the built-in method stepped in")
	}

	// What a model answered is recorded too: the run derives again without the
	// server, its address or its key.
	server.Close()
	again, err := Replay(context.Background(), Options{Config: testConfig(t, nil)}, res.Dir, filepath.Join(t.TempDir(), "again"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "replayed", outcome(t, again.Dir), outcome(t, res.Dir))
}

// modelled is a short run in which acme:m does every role.
func modelled(t *testing.T, base string) *config.Config {
	t.Helper()
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	c.Settings.Models = map[string]string{"default": "acme:m"}
	c.Runtime.Provider["acme"] = config.ProviderConfig{Base: base, Mode: "json_schema"}
	return c
}

// Sources that fail end a run; once they answer, resume takes it up and ends
// where a run that never met the failure ends.
func TestResumeAfterSourcesWereDown(t *testing.T) {
	urls, stop, err := Sandbox(Builtin, "127.0.0.1:0", nil, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	var up atomic.Bool
	flags := map[string]string{
		"budgets.documents": "6", "budgets.searches": "10", "budgets.iterations": "1", "budgets.snowball_rounds": "1", "retries": "0",
		"source.semanticscholar.mode": "on",
	}
	for name, url := range urls {
		target, err := neturl.Parse(url)
		if err != nil {
			t.Fatal(err)
		}
		proxy := httputil.NewSingleHostReverseProxy(target)
		front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !up.Load() {
				http.Error(w, "<html>maintenance</html>", http.StatusServiceUnavailable)
				return
			}
			proxy.ServeHTTP(w, r)
		}))
		defer front.Close()
		flags["source."+name+".base"], flags["source."+name+".every"] = front.URL, "1ms"
	}
	request := func() Request {
		return Request{Question: "memory of AI agents", Dir: filepath.Join(t.TempDir(), "run")}
	}
	o := Options{Config: testConfig(t, flags), Now: testTime}
	first, err := Start(context.Background(), o, request())
	if err != nil {
		t.Fatal(err)
	}
	if first.Stop.Exit != 5 {
		t.Fatalf("stop = %+v, want exit code 5", first.Stop)
	}
	still, err := Resume(context.Background(), o, first.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if still.Stop.Exit != 5 || len(still.Notices) == 0 {
		t.Errorf("still down: stop = %+v, notices %q", still.Stop, still.Notices)
	}
	up.Store(true)
	if _, err := Resume(context.Background(), o, first.Dir); err != nil {
		t.Fatal(err)
	}
	never, err := Start(context.Background(), o, request())
	if err != nil {
		t.Fatal(err)
	}
	if never.Stop.Exit != 0 {
		t.Errorf("stop = %+v", never.Stop)
	}
	want := outcome(t, never.Dir)
	same(t, "resumed after an outage", outcome(t, first.Dir), want)
	again, err := Replay(context.Background(), Options{Config: testConfig(t, nil)}, first.Dir, filepath.Join(t.TempDir(), "again"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "replayed after an outage", outcome(t, again.Dir), want)
}

// A model that refuses its key ends a run; with the right one, resume takes it
// up.
func TestResumeWithTheRightKey(t *testing.T) {
	var right atomic.Bool
	server := llmtest.NewServer()
	server.Func(func(r llmtest.Request) llmtest.Step {
		if !right.Load() {
			return llmtest.Unauthorized()
		}
		return obliging(r)
	})
	defer server.Close()
	c := modelled(t, server.Base())
	res := start(t, c)
	if res.Stop.Exit != 5 {
		t.Fatalf("stop = %+v, want exit code 5", res.Stop)
	}
	right.Store(true)
	mended, err := Resume(context.Background(), Options{Config: c}, res.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if mended.Stop.Exit != 0 || len(mended.State.Degradations) != 0 {
		t.Errorf("stop = %+v, %d degradations", mended.Stop, len(mended.State.Degradations))
	}
	same(t, "resumed with the right key", outcome(t, res.Dir), outcome(t, start(t, c).Dir))
}

// An interrupt keeps what was stored, and resume ends where an uninterrupted
// run ends.
func TestInterruptAndResume(t *testing.T) {
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	want := outcome(t, start(t, c).Dir)
	dir := filepath.Join(t.TempDir(), "run")
	ctx, cancel := context.WithTimeout(context.Background(), 150*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, Options{Config: c, Now: testTime}, testRequest(dir)); err == nil {
		t.Skip("the run was faster than its interrupt")
	}
	if _, err := Resume(context.Background(), Options{Config: c}, dir); err != nil {
		t.Fatal(err)
	}
	same(t, "interrupted and resumed", outcome(t, dir), want)
}

func TestLogHoldsEveryCall(t *testing.T) {
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	res := start(t, c)
	b, err := os.ReadFile(filepath.Join(res.Dir, "log.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	if len(lines) < len(res.State.Calls) {
		t.Errorf("%d calls in the log, %d in the state", len(lines), len(res.State.Calls))
	}
	for _, l := range lines {
		var e map[string]any
		if err := json.Unmarshal([]byte(l), &e); err != nil || e["outcome"] == "" {
			t.Fatalf("line %q: %v", l, err)
		}
	}
}

// A writer model that is never reached gives a report by the built-in method
// and the exit code of an unreachable model.
func TestWriterNeverAnswers(t *testing.T) {
	server := llmtest.NewServer()
	server.Func(func(llmtest.Request) llmtest.Step { return llmtest.Unauthorized() })
	defer server.Close()
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	c.Settings.Models = map[string]string{"writer": "acme:m"}
	c.Runtime.Provider["acme"] = config.ProviderConfig{Base: server.Base(), Key: "sk-wrong-key-0123456789", Mode: "json_schema"}
	res := start(t, c)
	if res.Stop.Reason != state.StopModelFailed || res.Stop.Exit != 5 || !strings.Contains(res.Stop.Detail, "writer") {
		t.Errorf("stop = %+v, want %s with exit code 5", res.Stop, state.StopModelFailed)
	}
	report, err := os.ReadFile(filepath.Join(res.Dir, "report.md"))
	if err != nil || !strings.Contains(string(report), "[doc_") {
		t.Errorf("the report was lost (%v)", err)
	}
}
