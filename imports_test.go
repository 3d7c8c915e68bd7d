// Package optimistresearch_test states the import policy of the house: which
// room may use which. The picture is in doc/design.md; change both together.
package optimistresearch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "optimistresearch/"

// rooms lists, for every room, the rooms that it may import. A name that ends
// in "/*" stands for every room below it. The first matching row counts.
var rooms = []struct {
	room    string
	imports []string
}{
	// Floor 1: the waist and what needs nothing of ours.
	{"state", nil},
	{"internal/text", nil},
	{"internal/atomicfile", nil},
	{"internal/advice", nil},
	{"internal/fetch", nil},
	{"internal/shape", nil},
	{"internal/shape", nil},
	{"internal/llm", nil},
	{"internal/llm/llmtest", []string{"internal/llm"}},
	{"internal/llm/llmtest/conform", []string{"internal/llm", "internal/llm/llmtest", "internal/fetch"}},
	{"internal/llm/internal/wire", []string{"internal/llm", "internal/fetch"}},
	{"internal/llm/all", []string{"internal/llm", "internal/llm/*", "internal/fetch"}},
	{"internal/llm/*", []string{"internal/llm", "internal/llm/internal/wire", "internal/fetch"}},
	{"internal/sandbox", []string{"state", "internal/text"}},
	{"internal/embed", []string{"internal/fetch", "internal/advice"}},
	// Floor 2: the pure half, the contracts, the corpus.
	{"internal/lexical", []string{"internal/text"}},
	{"screening", []string{"internal/lexical", "internal/text"}},
	{"screening/desk", []string{"screening", "internal/text"}},
	{"canon", []string{"state", "internal/text"}},
	{"evidence", []string{"state", "internal/text"}},
	{"critic", []string{"state", "internal/text"}},
	{"rank", []string{"state"}},
	{"snowball", []string{"state"}},
	{"sources", []string{"state"}},
	{"sources/sourcetest", []string{"state", "sources", "internal/fetch"}},
	{"sources/check", []string{"state", "sources", "internal/fetch", "internal/shape"}},
	{"sources/all", []string{"sources", "sources/*", "internal/fetch"}},
	{"sources/internal/wire", []string{"state", "sources", "internal/fetch", "internal/text"}},
	{"sources/*", []string{"state", "sources", "sources/internal/wire", "internal/fetch", "internal/shape", "internal/text"}},
	{"internal/citegraph", []string{"state", "sources", "internal/lexical", "internal/text"}},
	{"internal/biblio", []string{"state", "internal/text"}},
	{"internal/fulltext", []string{"internal/text"}},
	{"internal/corpus", []string{"state", "internal/advice", "internal/atomicfile", "internal/fetch"}},
	{"config", []string{"state"}},
	// Floor 3.
	{"flow", []string{"state", "canon", "rank", "snowball", "evidence", "critic"}},
	{"report", []string{"state", "canon", "evidence", "rank", "internal/biblio", "internal/text"}},
	// Floor 4.
	{"engine", []string{"state", "flow"}},
	{"engine/*", []string{"state", "flow", "engine"}},
	{"steps", []string{"state", "internal/llm", "internal/text", "internal/lexical"}},
	{"steps/search", []string{"state", "steps", "sources", "internal/text"}},
	{"steps/expand", []string{"state", "steps", "sources", "canon"}},
	{"steps/chase", []string{"state", "steps", "steps/expand", "sources", "canon", "screening", "snowball"}},
	{"steps/read", []string{"state", "steps", "internal/llm", "internal/lexical", "internal/text", "evidence"}},
	{"steps/verify", []string{"state", "steps", "internal/llm", "internal/lexical", "internal/text", "evidence"}},
	{"steps/critique", []string{"state", "steps", "internal/llm", "internal/lexical", "internal/text", "evidence", "snowball"}},
	{"steps/*", []string{"state", "steps", "internal/llm", "internal/lexical", "internal/text"}},
	// Floor 5: the assembly room uses everything but the commands.
	{"cmd/internal/app", []string{"*"}},
	{"cmd/*", []string{"cmd/internal/app", "config", "engine/local", "flow", "internal/corpus", "internal/advice", "internal/atomicfile", "internal/biblio", "internal/shape", "internal/text", "report", "sources", "sources/check", "screening", "screening/desk", "state"}},
}

// pure rooms decide; they never touch the world.
var pure = []string{"state", "canon", "rank", "snowball", "evidence", "critic", "flow", "report", "internal/text", "internal/lexical", "internal/biblio", "screening", "screening/desk"}

// forbidden in pure rooms, as imports.
var forbidden = []string{"context", "net", "net/http", "os", "math/rand", "math/rand/v2", "crypto/rand", "io/ioutil", "os/exec", "syscall"}

type pkg struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
}

func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports", "./...").Output()
	if err != nil {
		var x *exec.ExitError
		if errors.As(err, &x) {
			t.Fatalf("go list: %v\n%s", err, x.Stderr)
		}
		t.Fatal(err)
	}
	var list []pkg
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p pkg
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		p.ImportPath = strings.TrimPrefix(p.ImportPath, module)
		list = append(list, p)
	}
}

func matches(pattern, room string) bool {
	if pattern == "*" {
		return true
	}
	if below, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(room, below)
	}
	return pattern == room
}

func TestArrowsFall(t *testing.T) {
	seen := 0
	for _, p := range packages(t) {
		if p.ImportPath == "optimistresearch" {
			continue // this file
		}
		i := slices.IndexFunc(rooms, func(r struct {
			room    string
			imports []string
		}) bool {
			return matches(r.room, p.ImportPath)
		})
		if i < 0 {
			t.Errorf("%s has no row in the import table; give it one, and a place in doc/design.md", p.ImportPath)
			continue
		}
		seen++
		for _, imp := range p.Imports {
			imp, ours := strings.CutPrefix(imp, module)
			if ours && !slices.ContainsFunc(rooms[i].imports, func(allowed string) bool { return matches(allowed, imp) }) {
				t.Errorf("%s imports %s, which the table does not allow", p.ImportPath, imp)
			}
		}
		if slices.Contains(pure, p.ImportPath) {
			checkPure(t, p)
		}
	}
	if seen < 30 {
		t.Errorf("only %d rooms were looked at", seen)
	}
}

// checkPure refuses forbidden imports and calls of the clock.
func checkPure(t *testing.T, p pkg) {
	t.Helper()
	for _, imp := range p.Imports {
		if slices.Contains(forbidden, imp) {
			t.Errorf("%s is a pure room and imports %q", p.ImportPath, imp)
		}
	}
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "After", "Sleep", "Tick"}, sel.Sel.Name) {
				t.Errorf("%s/%s is in a pure room and uses time.%s", p.ImportPath, name, sel.Sel.Name)
			}
			return true
		})
	}
}

// One adapter never knows another, and nobody but sources/all knows any.
func TestAdaptersAreStrangers(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.Imports {
			imp, ours := strings.CutPrefix(imp, module+"sources/")
			if !ours || imp == "all" || imp == "sourcetest" || imp == "check" || imp == "internal/wire" {
				continue
			}
			if p.ImportPath != "sources/all" {
				t.Errorf("%s imports the adapter %s; only sources/all may", p.ImportPath, imp)
			}
		}
	}
}

// init functions and package-level registration hide what is assembled.
func TestNoInit(t *testing.T) {
	for _, p := range packages(t) {
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s/%s has an init function", p.ImportPath, name)
				}
			}
		}
	}
}
