package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"optimistresearch/config"
	"optimistresearch/engine"
	"optimistresearch/state"
)

const (
	childDir    = "OPTIMIST_TEST_CHILD_DIR"    // the child's run; set = be the child
	childKill   = "OPTIMIST_TEST_CHILD_KILL"   // die after so many stored deltas, 0 = never
	childResume = "OPTIMIST_TEST_CHILD_RESUME" // "1" = resume
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		os.Exit(child(dir))
	}
	os.Exit(m.Run())
}

// mortal ends its own process with SIGKILL right after a number of deltas was
// stored: at the boundary between two lines of the journal.
type mortal struct {
	engine.Store
	left int
}

func (m *mortal) Append(d state.Delta) error {
	if err := m.Store.Append(d); err != nil {
		return err
	}
	if m.left--; m.left == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return nil
}

func child(dir string) int {
	cfg, err := smallConfig()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := Options{Config: cfg, Now: testTime}
	if n, _ := strconv.Atoi(os.Getenv(childKill)); n > 0 {
		o.Store = func(s engine.Store) engine.Store { return &mortal{s, n} }
	}
	ctx := context.Background()
	if os.Getenv(childResume) == "1" {
		_, err = Resume(ctx, o, dir)
	} else {
		_, err = Start(ctx, o, testRequest(dir))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var testTime = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func testRequest(dir string) Request {
	return Request{Question: "recent research in AI agent memory", Scope: "focus on empirical evaluations since 2023", Dir: dir, Sandbox: Builtin}
}

// smallConfig keeps a run short but lets it meet every stage: two iterations,
// an edit, both directions of citation chasing.
func smallConfig() (*config.Config, error) {
	dir, err := os.MkdirTemp("", "settings")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return config.Load(config.Options{Dir: dir, Sources: SourceNames(), Roles: RoleNames(), Flags: map[string]string{
		"budgets.documents": "10", "budgets.searches": "14", "budgets.iterations": "2", "budgets.snowball_rounds": "3", "search.hits_per_query": "10",
	}})
}

// spawn runs a child and says whether it was killed.
func spawn(t *testing.T, dir string, resume bool, killAfter int, delay time.Duration) (killed bool) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), childDir+"="+dir, childKill+"="+strconv.Itoa(killAfter))
	if resume {
		cmd.Env = append(cmd.Env, childResume+"=1")
	}
	var out bytes.Buffer
	cmd.Stderr, cmd.Stdout = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if delay > 0 {
		timer := time.AfterFunc(delay, func() { cmd.Process.Kill() })
		defer timer.Stop()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return false
	case errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signaled():
		return true
	}
	t.Fatalf("the child failed: %v\n%s", err, out.Bytes())
	return false
}

func uninterrupted(t *testing.T) map[string][]byte {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if spawn(t, dir, false, 0, 0) {
		t.Fatal("the uninterrupted run was killed")
	}
	return outcome(t, dir)
}

func outcome(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, name := range []string{"state.json", "report.md"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = b
	}
	return out
}

func same(t *testing.T, what string, got, want map[string][]byte) {
	t.Helper()
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s: %s differs from the uninterrupted run's (%d and %d bytes)%s", what, name, len(got[name]), len(want[name]), firstDifference(got[name], want[name]))
		}
	}
}

func firstDifference(a, b []byte) string {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	cut := func(x []byte) []byte { return x[max(i-80, 0):min(i+120, len(x))] }
	return fmt.Sprintf("\n got …%s…\nwant …%s…", cut(a), cut(b))
}

// The process dies at every boundary of the journal in turn; what comes out in
// the end is what an uninterrupted run gives, byte for byte (SPEC §4.3).
func TestKilledAtEveryBoundary(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a process for every line of a journal; skipped with -short")
	}
	want := uninterrupted(t)
	dir := filepath.Join(t.TempDir(), "run")
	deaths := 0
	for resume := false; spawn(t, dir, resume, 1, 0); resume = true {
		deaths++
		if deaths > 2000 {
			t.Fatal("the run never ends")
		}
	}
	if deaths < 30 {
		t.Errorf("the process died only %d times; the run is too short to show anything", deaths)
	}
	same(t, fmt.Sprintf("killed at %d boundaries", deaths), outcome(t, dir), want)
}

// The process dies at random instants: in the middle of a write, a request, a
// merge. CRASH_ROUNDS says how many runs are tried.
func TestKilledAtRandomInstants(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes; skipped with -short")
	}
	rounds, _ := strconv.Atoi(os.Getenv("CRASH_ROUNDS"))
	rounds = max(rounds, 2)
	want := uninterrupted(t)
	rng := rand.New(rand.NewPCG(uint64(rounds), 7))
	for round := range rounds {
		dir := filepath.Join(t.TempDir(), "run")
		deaths := 0
		for {
			delay := time.Duration(20+rng.IntN(1500)) * time.Millisecond
			if deaths > 40 {
				delay = 0 // let it end
			}
			_, err := os.Stat(filepath.Join(dir, "journal.ndjson"))
			resume := err == nil && started(dir)
			if !resume {
				os.RemoveAll(dir)
			}
			if !spawn(t, dir, resume, 0, delay) {
				break
			}
			deaths++
		}
		same(t, fmt.Sprintf("round %d, killed %d times", round, deaths), outcome(t, dir), want)
	}
}

// started tells whether the first delta was stored whole; before that there is
// nothing to resume.
func started(dir string) bool {
	b, err := os.ReadFile(filepath.Join(dir, "journal.ndjson"))
	return err == nil && bytes.IndexByte(b, '\n') > 0
}
