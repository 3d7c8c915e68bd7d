package sourcetest

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"optimistresearch/sources"
	"optimistresearch/state"
)

// TableFile is the environment variable that names the file that Row adds to.
const TableFile = "OPTIMISTRESEARCH_SOURCE_TABLE"

// Row is what an adapter makes of one recorded body: a line of the table in
// doc/sources.md.
type Row struct {
	Source    string `json:"source"`
	Operation string `json:"operation"` // search, look-up, references, citing works, full text, retraction
	Case      string `json:"case"`      // as in the index of the recordings
	Outcome   string `json:"outcome"`   // a state.Outcome, "hits" for anything that gave records
	Records   int    `json:"records"`
	Skips     int    `json:"skips"`
	Note      string `json:"note,omitempty"` // what the caller is told
}

// RowOf is the row of what an operation gave.
func RowOf(source, operation, recorded string, result sources.Result, err error) Row {
	row := Row{Source: source, Operation: operation, Case: recorded, Records: len(result.Records), Skips: skipped(result)}
	switch {
	case err != nil:
		row.Outcome, row.Note = string(sources.OutcomeOf(err)), err.Error()
	case len(result.Records) > 0:
		row.Outcome = string(state.Hits)
	default:
		row.Outcome = string(state.ZeroHits)
	}
	if err == nil {
		row.Note = strings.Join(append(result.Notes[:len(result.Notes):len(result.Notes)], result.Capped), "; ")
		row.Note = strings.Trim(row.Note, "; ")
	}
	return row
}

// Add writes the row as one JSON line to the end of the file that TableFile
// names; without that variable it does nothing.
func (r Row) Add(t testing.TB) {
	t.Helper()
	name := os.Getenv(TableFile)
	if name == "" {
		return
	}
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.Write(append(b, '\n')); err != nil {
		t.Fatal(err)
	}
}
