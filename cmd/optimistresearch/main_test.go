package main

import (
	"errors"
	"os"
	"os/exec"
	"strconv"
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
