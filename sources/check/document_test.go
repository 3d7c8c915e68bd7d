package check

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/sources/all"
	"optimistresearch/sources/sourcetest"
)

const document = "../../doc/sources.md"

// The marks between which the table of doc/sources.md is written.
const (
	tableBegin = "<!-- table: make sources-table -->"
	tableEnd   = "<!-- end of the table -->"
)

// rows reads what the adapters' tests wrote into sourcetest.TableFile.
func rows(t *testing.T, name string) []sourcetest.Row {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var out []sourcetest.Row
	for line := range bytes.Lines(b) {
		var r sourcetest.Row
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b sourcetest.Row) int {
		return cmp.Or(cmp.Compare(a.Source, b.Source), cmp.Compare(a.Operation, b.Operation), cmp.Compare(a.Case, b.Case), cmp.Compare(a.Outcome, b.Outcome))
	})
	return slices.Compact(out)
}

func table(list []sourcetest.Row) string {
	var b strings.Builder
	source := ""
	for _, r := range list {
		if r.Source != source {
			source = r.Source
			fmt.Fprintf(&b, "\n### %s\n\n| Operation | Recorded case | Outcome | Records | Not usable | What the caller is told |\n| --- | --- | --- | ---: | ---: | --- |\n", source)
		}
		note := strings.NewReplacer("|", `\|`, "\n", " ", "<", "&lt;").Replace(r.Note)
		if runes := []rune(note); len(runes) > 240 {
			note = string(runes[:240]) + "…"
		}
		fmt.Fprintf(&b, "| %s | `%s` | %s | %d | %d | %s |\n", r.Operation, r.Case, strings.ReplaceAll(r.Outcome, "_", " "), r.Records, r.Skips, note)
	}
	return b.String()
}

// operations is the table of what each source can do, from the adapters
// themselves.
func operations(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| Source | Search | Look-up by | References | Citing works |\n| --- | --- | --- | --- | --- |\n")
	for _, name := range all.Names() {
		src, err := all.Build(nobody{}, name, all.Config{})
		if err != nil {
			t.Fatal(err)
		}
		lookup, references, citing := "–", "–", "–"
		if r, ok := src.(sources.Resolver); ok {
			lookup = strings.Join(r.Schemes(), ", ")
		}
		if c, ok := src.(sources.Citer); ok {
			back, forth := c.Cites()
			if back {
				references = "yes"
			}
			if forth {
				citing = "yes"
			}
		}
		fmt.Fprintf(&b, "| %s | yes | %s | %s | %s |\n", name, lookup, references, citing)
	}
	return b.String()
}

// Every recorded case has its line in doc/sources.md. With the rows of the
// adapters' tests at hand (make sources-table), the table is exactly theirs.
func TestEveryRecordedCaseIsInTheDocument(t *testing.T) {
	b, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(b), tableBegin)
	kept, tail, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("%s has lost the marks of its table", document)
	}
	if name := os.Getenv(sourcetest.TableFile); name != "" {
		list := rows(t, name)
		if len(list) == 0 {
			t.Skip("the adapters' tests wrote no row: the recorded answers are not here")
		}
		want := operations(t) + table(list) + "\n"
		if *update {
			if err := os.WriteFile(document, []byte(head+tableBegin+"\n"+want+tableEnd+tail), 0o644); err != nil {
				t.Fatal(err)
			}
			kept = want
		} else if strings.TrimSpace(kept) != strings.TrimSpace(want) {
			t.Errorf("%s is not what the adapters do with the recordings; run: make sources-table", document)
		}
	}
	if !strings.Contains(kept, strings.TrimSpace(operations(t))) {
		t.Errorf("%s does not list the operations as they are; run: make sources-table", document)
	}
	index, err := os.ReadFile(filepath.Join(recordings, "index.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		t.Skip("the recorded answers are not here")
	}
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(index) {
		var r recorded
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatal(err)
		}
		if slices.Contains(all.Names(), r.Source) && !strings.Contains(kept, "`"+r.Case+"`") && !strings.HasPrefix(r.Case, "fulltext_PMC") {
			t.Errorf("%s: the case %s is in no line of %s", r.Source, r.Case, document)
		}
	}
}
