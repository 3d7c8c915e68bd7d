package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"optimistresearch": func() { os.Exit(Main()) }})
}

// The program as a person types it: each file in testdata/script is a session.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir)
			e.Setenv("SOURCE_DATE_EPOCH", "1796040000") // 2026-11-30
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// exits CODE COMMAND…: the command must end with this exit code.
			"exits": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) < 2 {
					ts.Fatalf("usage: exits CODE COMMAND …")
				}
				code := 0
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					code = exitStatus(err)
				}
				if got := itoa(code); got != args[0] {
					ts.Fatalf("%v ended with exit code %s, want %s", args[1:], got, args[0])
				}
			},
		},
	})
}

func exitStatus(err error) int {
	var x *exec.ExitError
	if errors.As(err, &x) {
		return x.ExitCode()
	}
	return -1
}

func itoa(n int) string { return strconv.Itoa(n) }

// The sandbox prints where it serves, serves, and ends with its context.
func TestSandboxServes(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	out, in := io.Pipe()
	code := make(chan int)
	go func() {
		code <- run(ctx, []string{"sandbox", "--json"}, nil, in, io.Discard)
		in.Close()
	}()
	var urls map[string]string
	if err := json.NewDecoder(out).Decode(&urls); err != nil {
		t.Fatal(err)
	}
	resp, err := http.Get(urls["openalex"] + "/works?search=agent+memory&per-page=1")
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	resp.Body.Close()
	if err != nil || len(urls) != 5 || resp.StatusCode != 200 || !strings.Contains(string(body), "openalex.org/W") {
		t.Errorf("%d services; answer %d, %.200s, %v", len(urls), resp.StatusCode, body, err)
	}
	cancel()
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
}
