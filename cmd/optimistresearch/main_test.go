package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"
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
			// json stdout: it holds one JSON document, or nothing. json stderr: each
			// of its lines is a JSON object.
			"json": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 || args[0] != "stdout" && args[0] != "stderr" {
					ts.Fatalf("usage: json stdout|stderr")
				}
				all := ts.ReadFile(args[0])
				if args[0] == "stdout" {
					if all != "" && !json.Valid([]byte(all)) {
						ts.Fatalf("stdout is not one JSON document:\n%s", all)
					}
					return
				}
				for line := range strings.Lines(all) {
					var object map[string]any
					if err := json.Unmarshal([]byte(line), &object); err != nil {
						ts.Fatalf("stderr holds a line that is no JSON object: %s", line)
					}
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
	if err != nil || len(urls) != 6 || resp.StatusCode != 200 || !strings.Contains(string(body), "openalex.org/W") {
		t.Errorf("%d services; answer %d, %.200s, %v", len(urls), resp.StatusCode, body, err)
	}
	cancel()
	if got := <-code; got != exitInterrupted {
		t.Errorf("exit code %d, want %d", got, exitInterrupted)
	}
}

// Every command tells how it can end, and the README tells the same.
func TestExitCodesAreToldAlike(t *testing.T) {
	help := func(args ...string) string {
		var out strings.Builder
		if code := run(t.Context(), append(args, "--help"), nil, &out, io.Discard); code != 0 {
			t.Errorf("%v --help ends with %d", args, code)
		}
		return out.String()
	}
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		if n := strings.Count(help(path...), exitTitle); n != 1 {
			t.Errorf("the help of %q lists exit codes %d times", c.CommandPath(), n)
		}
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				walk(sub, append(path[:len(path):len(path)], sub.Name()))
			}
		}
	}
	walk(newRoot(&streams{out: io.Discard, err: io.Discard}), nil)
	for _, c := range []struct{ command, want string }{
		{"run", "    6  verification failed: the replay differs from its run\n"},
		{"run", "  130  interrupted; the run can be resumed\n"},
		{"sandbox", "  130  interrupted, which is how it ends\n"},
		{"search", "  130  interrupted\n"},
	} {
		if !strings.Contains(help(c.command), c.want) {
			t.Errorf("the help of %s does not say %q", c.command, c.want)
		}
	}
	var all []string
	root := help()
	for _, e := range exits {
		if e.code >= 1000 {
			continue
		}
		all = append(all, fmt.Sprintf("%d %s", e.code, e.meaning))
		if line := fmt.Sprintf("  %3d  %s\n", e.code, e.meaning); !strings.Contains(root, line) {
			t.Errorf("the help does not hold %q", line)
		}
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := "Exit codes: " + strings.Join(all, " · ") + "."; !strings.Contains(string(readme), want) {
		t.Errorf("the README does not hold\n%s", want)
	}
}
