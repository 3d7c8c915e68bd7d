package app

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"optimistresearch/config"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/biblio"
	"optimistresearch/internal/corpus"
	"optimistresearch/state"
)

// fileSource is the source of records that came from a file.
const fileSource = "files"

// largestImport is the largest file that is read into a run.
const largestImport = 512 << 20

// imports are the files that a run starts from.
type imports struct {
	files   []importFile
	notices []string
}

type importFile struct {
	name    string // in the run: the base name, made unique
	data    []byte // as it was
	records []state.Record
	call    state.SourceCall
}

// readImports reads the records of files. The error says what to do about a
// file that cannot be read.
func readImports(ctx context.Context, c *config.Config, r Request) (imports, error) {
	var out imports
	taken := map[string]bool{}
	for _, path := range r.Records {
		st, err := os.Stat(path)
		if err != nil {
			return out, &InputError{advice.New("name a file that exists and can be read", "reading records: %w", err)}
		}
		if IsPDF(path) {
			if err := out.readPDFs(ctx, c, path, r, taken); err != nil {
				return out, err
			}
			continue
		}
		if st.Size() > largestImport {
			return out, &InputError{advice.New("split it", "reading records: %s has more than %d MB", path, largestImport>>20)}
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return out, &InputError{advice.New("name a file that exists and can be read", "reading records: %w", err)}
		}
		f := importFile{name: unique(filepath.Base(path), taken), data: data}
		number := 0 // of the entry in the file
		var untitled state.Skip
		sum, err := biblio.Read(bytes.NewReader(data), path, func(e biblio.Entry) error {
			number++
			if strings.TrimSpace(e.Title) == "" && strings.TrimSpace(e.OriginalTitle) == "" {
				untitled.Reason = "no title"
				untitled.Count++
				if untitled.Sample == "" {
					untitled.Sample = fmt.Sprintf("entry %d", number)
				}
				return nil
			}
			r := e.Record(fileSource, fmt.Sprintf("%s#%d", f.name, number))
			p := state.Provenance{Source: f.name, Via: state.ViaImport, Rank: number, Round: state.RoundNumber(1, 0)}
			r.Seen = map[string]state.Provenance{p.Key(): p}
			f.records = append(f.records, r)
			return nil
		})
		var bad *biblio.FileError
		if errors.As(err, &bad) {
			bare := *bad
			bare.Hint = ""
			return out, &InputError{advice.New(bad.Hint, "reading records: %w", &bare)}
		}
		if err != nil {
			return out, err
		}
		hash := sha256.Sum256(data)
		f.call = state.SourceCall{ID: "import/" + f.name, Source: f.name, Operation: "import", Subject: f.name, Outcome: state.Hits, Records: len(f.records),
			Raw: hex.EncodeToString(hash[:]), Reason: fmt.Sprintf("%s, %s", sum.Format.Label(), sum.Encoding)}
		if len(f.records) == 0 {
			f.call.Outcome = state.ZeroHits
		}
		for _, s := range sum.Skips {
			f.call.Skipped = append(f.call.Skipped, state.Skip{Reason: fmt.Sprintf("line %d: %s", s.Line, s.Message), Count: 1, Sample: s.Sample})
		}
		if untitled.Count > 0 {
			f.call.Skipped = append(f.call.Skipped, untitled)
			out.notices = append(out.notices, fmt.Sprintf("%s, skipped: %d without a title, the first is %s", f.name, untitled.Count, untitled.Sample))
		}
		if more := sum.Skipped - len(sum.Skips); more > 0 {
			f.call.Skipped = append(f.call.Skipped, state.Skip{Reason: "further entries, for the same kinds of reasons", Count: more})
		}
		out.notices = append(out.notices, sum.String())
		for _, s := range sum.Skips {
			out.notices = append(out.notices, fmt.Sprintf("%s, skipped: %v", f.name, s))
		}
		out.files = append(out.files, f)
	}
	return out, nil
}

// readPDFs reads a PDF, or those in a folder, as records of the run.
func (m *imports) readPDFs(ctx context.Context, c *config.Config, path string, r Request, taken map[string]bool) error {
	files, err := PDFs([]string{path})
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return &InputError{advice.New("name a folder with PDF files, or the files themselves", "reading records: %s is a folder without a PDF file", path)}
	}
	return ReadPDFs(ctx, c, files, PDFOptions{Library: r.Sandbox, Offline: r.Offline}, func(p PDF) error {
		f := importFile{name: unique(filepath.Base(p.File), taken)}
		if f.data, err = os.ReadFile(p.File); err != nil {
			return &InputError{advice.New("name a file that can be read", "reading records: %w", err)}
		}
		hash := sha256.Sum256(f.data)
		f.call = state.SourceCall{ID: "import/" + f.name, Source: f.name, Operation: "import", Subject: f.name, Outcome: state.Hits, Records: 1,
			Raw: hex.EncodeToString(hash[:]), Reason: "PDF, verified: " + p.Why}
		switch {
		case p.Entry.Title == "":
			f.call.Outcome, f.call.Records, f.call.Reason = state.ZeroHits, 0, "PDF"
			f.call.Skipped = []state.Skip{{Reason: p.Why, Count: 1}}
			m.notices = append(m.notices, fmt.Sprintf("%s, skipped: %s", f.name, p.Why))
		case !p.Verified:
			f.call.Reason = "PDF, not verified: " + p.Why
			m.notices = append(m.notices, fmt.Sprintf("%s, not verified: %s", f.name, p.Why))
		}
		if p.Entry.Title != "" {
			rec := p.Entry.Record(fileSource, f.name)
			seen := state.Provenance{Source: f.name, Via: state.ViaImport, Rank: 1, Round: state.RoundNumber(1, 0)}
			rec.Seen = map[string]state.Provenance{seen.Key(): seen}
			if !p.Verified {
				rec.Notes = append(rec.Notes, "read from a PDF and not verified: "+p.Why)
			}
			f.records = []state.Record{rec}
		}
		m.files = append(m.files, f)
		return nil
	})
}

// unique makes a name that no file of the run has yet, whatever the case.
func unique(name string, taken map[string]bool) string {
	ext := filepath.Ext(name)
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(strings.TrimSuffix(name, ext), fmt.Sprintf("-%d", n-1)), n, ext)
	}
	taken[strings.ToLower(name)] = true
	return name
}

// into keeps the files in the run and puts their records into its first part.
func (m imports) into(run *corpus.Run, part *state.State) error {
	for _, f := range m.files {
		if err := run.KeepImport(f.name, f.data); err != nil {
			return err
		}
		if part.Calls == nil {
			part.Calls, part.Records = map[string]state.SourceCall{}, map[string]state.Record{}
		}
		part.Calls[f.call.ID] = f.call
		for _, r := range f.records {
			part.Records[r.Key] = r
		}
	}
	return nil
}

// importsOf copies what a run started from.
func importsOf(s *state.State, part *state.State) {
	for key, r := range s.Records {
		if r.Source == fileSource {
			if part.Records == nil {
				part.Records = map[string]state.Record{}
			}
			part.Records[key] = r
		}
	}
	for id, c := range s.Calls {
		if c.Operation == "import" {
			if part.Calls == nil {
				part.Calls = map[string]state.SourceCall{}
			}
			part.Calls[id] = c
		}
	}
}
