package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"optimistresearch/canon"
	"optimistresearch/config"
	"optimistresearch/internal/advice"
	"optimistresearch/internal/biblio"
	"optimistresearch/internal/fetch"
	"optimistresearch/internal/fulltext"
	"optimistresearch/internal/text"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// PDF is what a file on disk turned out to be.
type PDF struct {
	File  string
	Entry biblio.Entry // zero if the file could not be read; Why says why
	// Verified says that a service's record was found and that its title stands
	// at the beginning of the file. Otherwise the entry is what the file says of
	// itself, and Why tells what was missing.
	Verified bool
	Why      string
}

// PDFOptions of ReadPDFs.
type PDFOptions struct {
	Library string // "" = the live services; Builtin or a path = a simulation
	Offline bool   // ask no service
	Waiting func(service string, d time.Duration, retry bool)
}

const (
	largestPDF  = 200 << 20
	pdfDeadline = 2 * time.Minute // for one file
)

// PDFs lists the PDF files among paths and in the folders among them, in order.
func PDFs(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		st, err := os.Stat(path)
		if err != nil {
			return nil, &InputError{advice.New("name a file or folder that exists", "%w", err)}
		}
		if !st.IsDir() {
			out = append(out, path)
			continue
		}
		err = filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.EqualFold(filepath.Ext(name), ".pdf") {
				out = append(out, name)
			}
			return err
		})
		if err != nil {
			return nil, &InputError{advice.New("name a folder that can be read", "%w", err)}
		}
	}
	return out, nil
}

// IsPDF tells whether a file is a PDF by its first bytes, or a folder.
func IsPDF(path string) bool {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return true
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 1024)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte("%PDF-"))
}

// ReadPDFs reads title and identifiers out of PDF files, looks them up, and
// verifies that the record that comes back is the work in the file. Every file
// is told to take, in order.
func ReadPDFs(ctx context.Context, c *config.Config, files []string, o PDFOptions, take func(PDF) error) error {
	var finder *pdfFinder
	if !o.Offline {
		var err error
		if finder, err = newPDFFinder(c, o); err != nil {
			return err
		}
		defer finder.close()
	}
	for _, file := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := PDF{File: file}
		doc, err := readPDF(ctx, file)
		switch {
		case err != nil:
			p.Why = err.Error()
		case finder == nil:
			p.Entry, p.Why = ofPDF(doc, file), "nothing was looked up"
		default:
			p.Entry = ofPDF(doc, file)
			finder.verify(ctx, doc, &p)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := take(p); err != nil {
			return err
		}
	}
	return nil
}

func readPDF(ctx context.Context, file string) (*fulltext.Doc, error) {
	st, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if st.Size() > largestPDF {
		return nil, fmt.Errorf("the file has more than %d MB", largestPDF>>20)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, pdfDeadline)
	defer cancel()
	return fulltext.Reader{Cache: pdfCache()}.Read(ctx, b, "application/pdf", "")
}

// pdfCache is where the compiled code of the second PDF reader is kept; "" if
// there is no such place.
func pdfCache() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "optimistresearch", "pdf")
	if os.MkdirAll(dir, 0o755) != nil {
		return ""
	}
	return dir
}

var (
	printedDOI   = regexp.MustCompile(`10\.\d{4,9}/[^\s"<>]+`)
	printedArXiv = regexp.MustCompile(`arXiv:(\d{4}\.\d{4,5}(?:v\d+)?|[a-z-]+(?:\.[A-Z]{2})?/\d{7}(?:v\d+)?)`)
)

// ofPDF is what a PDF says of itself.
func ofPDF(doc *fulltext.Doc, file string) biblio.Entry {
	e := biblio.Entry{Type: biblio.Document, Title: doc.Title, Abstract: doc.Abstract, Language: doc.Language, DOI: doc.DOI, ArXiv: doc.ArXiv,
		Notes: []string{"File: " + filepath.Base(file)}}
	for _, a := range doc.Authors {
		e.Authors = append(e.Authors, biblio.DisplayName(a))
	}
	if e.ArXiv == "" {
		if m := printedArXiv.FindStringSubmatch(doc.Front); m != nil {
			e.ArXiv, _ = state.NormalizeArXiv(m[1])
		}
	}
	if e.DOI == "" {
		if list := printedDOIs(doc); len(list) > 0 {
			e.DOI = list[0]
		}
	}
	if e.Title == "" {
		e.Title = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		e.Notes = append(e.Notes, "The title is the name of the file")
	}
	return e.Normal()
}

// printedDOIs are the DOIs on the first pages, the first one first.
func printedDOIs(doc *fulltext.Doc) []string {
	var out []string
	for _, m := range printedDOI.FindAllString(doc.Front, 20) {
		if d := state.NormalizeDOI(strings.TrimRight(m, ".,;)]")); d != "" && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// pdfFinder asks services for the record of a file.
type pdfFinder struct {
	client    *fetch.Client
	stop      func() error
	resolvers []sources.Resolver // in the order in which they are asked
	titles    []sources.Source
}

func newPDFFinder(c *config.Config, o PDFOptions) (*pdfFinder, error) {
	f := &pdfFinder{}
	opt := fetchOptions(c)
	if o.Waiting != nil {
		opt.Waiting = func(w fetch.Wait) { o.Waiting(w.Service, w.For, w.Retry) }
	}
	bases := map[string]string{}
	if o.Library != "" {
		server, err := startSandbox(o.Library)
		if err != nil {
			return nil, err
		}
		f.stop = server.Close
		for _, name := range SourceNames() {
			bases[name] = server.URL(name)
		}
		opt.Limits = nil
	}
	client, err := fetch.New(opt)
	if err != nil {
		f.close()
		return nil, err
	}
	f.client = client
	// Crossref and OpenAlex know DOIs, arXiv its own papers; OpenAlex knows most
	// titles.
	list, _, err := buildSources(c, client, []string{"crossref", "arxiv", "openalex"}, sourceOptions{bases: bases, simulated: o.Library != ""})
	if err != nil {
		f.close()
		return nil, err
	}
	for _, src := range list {
		if r, ok := src.(sources.Resolver); ok {
			f.resolvers = append(f.resolvers, r)
		}
		if src.Name() != "arxiv" {
			f.titles = append(f.titles, src)
		}
	}
	return f, nil
}

func (f *pdfFinder) close() {
	if f.client != nil {
		f.client.Close()
	}
	if f.stop != nil {
		_ = f.stop()
	}
}

// verify looks for the record of a file: by the identifiers that are printed on
// its first pages, then by its title. A record counts only if its title stands
// at the beginning of the file.
func (f *pdfFinder) verify(ctx context.Context, doc *fulltext.Doc, p *PDF) {
	var why []string
	front := doc.Title + "\n" + doc.Front
	try := func(how string, records []state.Record) bool {
		for _, r := range records {
			var authors []string
			for _, a := range r.Authors {
				authors = append(authors, a.Name)
			}
			ok, reason := canon.VerifyText(r.Title, authors, front)
			if !ok {
				why = append(why, how+" leads to another work: "+reason)
				continue
			}
			notes := p.Entry.Notes
			abstract := p.Entry.Abstract
			p.Entry = biblio.FromRecord(r)
			p.Entry.Notes = append(p.Entry.Notes, notes...)
			if p.Entry.Abstract == "" {
				p.Entry.Abstract = abstract
			}
			p.Verified, p.Why = true, fmt.Sprintf("%s; %s knows it by %s", reason, r.Source, how)
			return true
		}
		return false
	}
	// An identifier that leads to another work is not this one's, wherever it is
	// printed.
	lookup := func(how string, ids state.IDs) bool {
		another := false
		defer func() {
			if another && ids[state.DOI] != "" && p.Entry.DOI == ids[state.DOI] {
				p.Entry.DOI = ""
			}
			if another && ids[state.ArXiv] != "" && p.Entry.ArXiv == ids[state.ArXiv] {
				p.Entry.ArXiv = ""
			}
		}()
		for _, r := range f.resolvers {
			res, err := r.Lookup(ctx, []state.IDs{ids})
			if err != nil {
				why = append(why, err.Error())
				continue
			}
			if try(how, res.Records) {
				another = false
				return true
			}
			another = another || len(res.Records) > 0
		}
		return false
	}
	if p.Entry.ArXiv != "" && lookup("arXiv "+p.Entry.ArXiv, state.IDs{state.ArXiv: p.Entry.ArXiv}) {
		return
	}
	dois := printedDOIs(doc)
	if doc.DOI != "" {
		dois = append([]string{state.NormalizeDOI(doc.DOI)}, dois...)
	}
	for _, doi := range dois[:min(len(dois), 3)] {
		if doi != "" && lookup("DOI "+doi, state.IDs{state.DOI: doi}) {
			return
		}
	}
	if title := text.OneLine(doc.Title); len(strings.Fields(title)) >= 3 {
		for _, src := range f.titles {
			res, err := src.Search(ctx, sources.Request{Query: src.Write(sources.Expr{All: [][]string{{title}}, Field: sources.Title}), Limit: 5, Op: "search of a title"})
			if err != nil {
				why = append(why, err.Error())
				continue
			}
			if try("title “"+text.Truncate(title, 60)+"”", res.Records) {
				return
			}
		}
	}
	if len(why) == 0 {
		why = []string{"no service knows its identifiers or its title"}
	}
	slices.Sort(why)
	why = slices.Compact(why)
	p.Why = strings.Join(why[:min(len(why), 3)], "; ")
}
