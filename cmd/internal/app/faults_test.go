package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"optimistresearch/state"
)

// Services that misbehave, each in its own way, during a run on configured
// addresses: every failure keeps its name, what answers is used, a request
// that succeeds when repeated is a success, and the replay meets the same
// failures.
func TestFailuresAreToldApart(t *testing.T) {
	urls, stop, err := Sandbox(Builtin, "127.0.0.1:0", []string{
		"openalex:cut-body,times=1", // once: the retry succeeds
		"crossref:refuse,times=always,status=403",
		"pubmed:wrong-type,times=always",
		"semanticscholar:throttle,times=always,retry-after=3600s",
	}, false)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	flags := map[string]string{
		"budgets.documents": "6", "budgets.searches": "10", "budgets.iterations": "1", "budgets.snowball_rounds": "1",
		"retries": "1", "source.semanticscholar.mode": "on", "source.arxiv.every": "1ms", "source.crossref.every": "1ms",
	}
	for name, url := range urls {
		flags["source."+name+".base"] = url
	}
	c := testConfig(t, flags)
	dir := filepath.Join(t.TempDir(), "run")
	res, err := Start(context.Background(), Options{Config: c, Now: testTime}, Request{Question: "memory of AI agents", Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]state.Outcome{"crossref": state.Refused, "pubmed": state.Broken, "semanticscholar": state.Throttled}
	seen := map[string]int{}
	for _, q := range res.State.Queries {
		seen[q.Source]++
		if !q.Outcome.Failed() && (q.Source == "openalex" || q.Source == "arxiv") {
			continue
		}
		if q.Outcome != want[q.Source] {
			t.Errorf("%s on %s ended as %s (%s), want %s", q.ID, q.Source, q.Outcome, q.Reason, want[q.Source])
		}
	}
	if len(seen) != 5 {
		t.Fatalf("sources asked: %v", seen)
	}
	if res.Stop.Exit == 5 || len(res.State.Admitted("")) == 0 {
		t.Errorf("stop = %+v, %d claims: what answered must be used", res.Stop, len(res.State.Admitted("")))
	}
	b, err := os.ReadFile(filepath.Join(dir, "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, failed, _ := strings.Cut(string(b), "## What fell back or failed")
	for _, name := range []string{"crossref", "pubmed", "semanticscholar"} {
		if !strings.Contains(strings.ToLower(failed), name) {
			t.Errorf("the report does not name %s among what failed", name)
		}
	}
	again, err := Replay(context.Background(), Options{Config: testConfig(t, nil)}, dir, filepath.Join(t.TempDir(), "again"))
	if err != nil {
		t.Fatal(err)
	}
	if !*again.Same {
		same(t, "replayed", outcome(t, again.Dir), outcome(t, dir))
	}
}
