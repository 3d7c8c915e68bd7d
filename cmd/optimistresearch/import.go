package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"optimistresearch/cmd/internal/app"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/biblio"
)

func newImport(s *streams) *cobra.Command {
	var format, from, out, library string
	var offline, sandbox bool
	c := &cobra.Command{
		Use:   "import FILE…",
		Short: "Read the files of reference managers and databases, and print their records",
		Long: `Reads RIS, NBIB, BibTeX, CSL-JSON, EndNote XML, Web of Science and Ovid text, CSV of
Scopus, Web of Science, Embase and PubMed, and JSON lines, packed with gzip or not,
in UTF-8, UTF-16 or Windows-1252. The format is told from the content. Records are
printed as JSON lines, or in the format that --format names; what was skipped or
looks doubtful is said on stderr with its line. "-" is standard input.

A folder stands for the PDF files in it. Of a PDF, the identifiers and the title on
its first pages are looked up in Crossref, arXiv and OpenAlex, and the record counts
only if its title stands in the file; otherwise what the file says of itself is
printed, with the reason. --offline looks nothing up.` + exitHelp(0, 1, 2, 130),
		Example: "  optimistresearch import scopus.csv pubmed.nbib > records.jsonl\n  optimistresearch import library.bib --format ris --out library.ris",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return misuse("for example: optimistresearch import export.ris", "FILE is missing: %s FILE…", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			to, err := formatFlag("--format", format)
			if err != nil {
				return err
			}
			as := biblio.Format("")
			if from != "" {
				if as, err = formatFlag("--from", from); err != nil {
					return err
				}
			}
			w, done, err := s.output(out)
			if err != nil {
				return err
			}
			if sandbox && library == "" {
				library = app.Builtin
			}
			err = s.importFiles(c.Context(), args, as, to, w, app.PDFOptions{Library: library, Offline: offline, Waiting: s.waiting()})
			return errors.Join(err, done(err == nil))
		},
	}
	c.Flags().StringVar(&format, "format", "jsonl", "write the records in this `FORMAT`: "+formatNames(biblio.Writable()))
	c.Flags().StringVar(&from, "from", "", "read every file in this `FORMAT`, whatever it looks like")
	c.Flags().StringVar(&out, "out", "", "write to this `FILE` instead of standard output")
	c.Flags().BoolVar(&offline, "offline", false, "look nothing up for PDF files")
	c.Flags().BoolVar(&sandbox, "sandbox", false, "look PDF files up in the simulated services")
	c.Flags().StringVar(&library, "library", "", "look PDF files up in simulated services over the library in this `FILE` (JSON Lines)")
	return c
}

func formatNames(list []biblio.Format) string {
	var out []string
	for _, f := range list {
		out = append(out, string(f))
	}
	return strings.Join(out, ", ")
}

func formatFlag(flag, name string) (biblio.Format, error) {
	f, ok := biblio.FormatOf(name)
	if !ok {
		return "", misuse("use one of "+formatNames(biblio.Writable()), "%s is %q, which is no format", flag, name)
	}
	return f, nil
}

// output opens the file that --out names, "" for standard output. done(true)
// puts the file in its place, done(false) leaves what was there.
func (s *streams) output(name string) (w io.Writer, done func(ok bool) error, err error) {
	if name == "" {
		b := bufio.NewWriterSize(s.out, 1<<16)
		return b, func(bool) error { return b.Flush() }, nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".tmp-*")
	if err != nil {
		return nil, nil, misuse("choose a file in a folder that exists and can be written to", "--out: %v", err)
	}
	b := bufio.NewWriterSize(f, 1<<16)
	return b, func(ok bool) error {
		err := errors.Join(b.Flush(), f.Chmod(0o644), f.Close())
		if !ok || err != nil {
			return errors.Join(err, os.Remove(f.Name()))
		}
		return os.Rename(f.Name(), name)
	}, nil
}

// importFiles reads the files one after the other and writes their records as
// they come in.
func (s *streams) importFiles(ctx context.Context, names []string, from, to biblio.Format, w io.Writer, o app.PDFOptions) error {
	out, err := biblio.NewWriter(w, to)
	if err != nil {
		return advice.New("choose another format with --format: "+formatNames(biblio.Writable()), "%w", err)
	}
	for _, name := range names {
		if name != "-" && from == "" && app.IsPDF(name) {
			if err := s.importPDFs(ctx, name, o, out.Write); err != nil {
				return errors.Join(err, out.Close())
			}
			continue
		}
		sum, err := app.ReadFile(s.in, name, from, out.Write)
		s.summarise(sum)
		if err != nil {
			return errors.Join(err, out.Close())
		}
	}
	if err := out.Close(); err != nil {
		return fmt.Errorf("writing the records: %w", err)
	}
	return nil
}

// importPDFs reads a PDF, or those in a folder, and says what became of each.
func (s *streams) importPDFs(ctx context.Context, name string, o app.PDFOptions, take func(biblio.Entry) error) error {
	files, err := app.PDFs([]string{name})
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return misuse("name a folder with PDF files, or the files themselves", "%s is a folder without a PDF file", name)
	}
	cfg, err := s.load(nil)
	if err != nil {
		return err
	}
	verified := 0
	err = app.ReadPDFs(ctx, cfg, files, o, func(p app.PDF) error {
		if p.Verified {
			verified++
		}
		if s.json {
			s.line(map[string]any{"event": "pdf", "file": p.File, "verified": p.Verified, "why": p.Why})
		} else if p.Entry.Title == "" {
			fmt.Fprintf(s.err, "  skipped, %s: %s\n", p.File, p.Why)
		} else if !p.Verified {
			fmt.Fprintf(s.err, "  not verified, %s: %s\n", p.File, p.Why)
		}
		if p.Entry.Title == "" {
			return nil // it could not be read; the line above says why
		}
		return take(p.Entry)
	})
	if !s.json {
		fmt.Fprintf(s.err, "%s: %s, %d of them verified\n", name, many(len(files), "PDF file"), verified)
	}
	return err
}

// summarise says on stderr what was read of a file.
func (s *streams) summarise(sum biblio.Summary) {
	if sum.Format == "" {
		return // it could not be read; the error says why
	}
	if s.json {
		s.line(map[string]any{"event": "file", "summary": sum})
		return
	}
	fmt.Fprintln(s.err, sum)
	for _, list := range []struct {
		word string
		all  []biblio.Problem
		n    int
	}{{"skipped", sum.Skips, sum.Skipped}, {"doubtful", sum.Warnings, sum.Warned}} {
		for _, p := range list.all {
			fmt.Fprintf(s.err, "  %s, %v\n", list.word, p)
		}
		if more := list.n - len(list.all); more > 0 {
			fmt.Fprintf(s.err, "  %s, %d more of the same kinds\n", list.word, more)
		}
	}
}
