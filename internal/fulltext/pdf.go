package fulltext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
)

// Names of the PDF readers, as Reading shows them.
const (
	readerLedongthuc = "ledongthuc"
	readerPDFium     = "pdfium"
)

// pdf reads a PDF with the first reader and, when it fails or its text does not
// pass the quality test, with the second; the better text is taken.
func (r Reader) pdf(ctx context.Context, b []byte) (*Doc, error) {
	var tried []Attempt
	first, err1 := r.attempt(ctx, readerLedongthuc, b)
	tried = append(tried, attemptOf(readerLedongthuc, first, err1))
	if ctx.Err() != nil {
		return first, ctx.Err()
	}
	if err1 == nil && first.Reading.Quality.Score >= Good {
		return choose(first, tried, fmt.Sprintf("its text passed the quality test (%.2f of %.2f asked)", first.Reading.Quality.Score, Good)), nil
	}
	second, err2 := r.attempt(ctx, readerPDFium, b)
	tried = append(tried, attemptOf(readerPDFium, second, err2))
	if ctx.Err() != nil {
		return first, ctx.Err()
	}
	why := "the first reader failed"
	if err1 == nil {
		why = fmt.Sprintf("the first reader's text failed the quality test (%.2f of %.2f asked)", first.Reading.Quality.Score, Good)
	}
	switch {
	case err1 != nil && err2 != nil:
		if d := r.salvage(ctx, b, &tried, err1, err2); d != nil {
			return checked(d)
		}
		d := second
		if d == nil || d.Pages == 0 && first != nil {
			d = first
		}
		if d == nil {
			d = &Doc{Format: FormatPDF}
		}
		d.Reading.Tried = tried
		return d, worse(err1, err2)
	case err2 != nil || err1 == nil && score(first) >= score(second):
		return checked(choose(first, tried, why+"; the second reader's was no better"))
	}
	return checked(choose(second, tried, why))
}

// salvage reads the pages that are left of a file whose directory is lost, as
// that of a download that was cut off; nil when there are none.
func (r Reader) salvage(ctx context.Context, b []byte, tried *[]Attempt, err1, err2 error) *Doc {
	if !errors.Is(err1, ErrDamaged) || !errors.Is(err2, ErrDamaged) || bytes.Contains(b, []byte("/Encrypt")) {
		return nil
	}
	fixed := repaired(b[max(0, bytes.Index(b[:min(len(b), 1024)], []byte("%PDF-"))):])
	if fixed == nil {
		return nil
	}
	d, err := r.attempt(ctx, readerLedongthuc, fixed)
	a := attemptOf(readerLedongthuc, d, err)
	a.Repaired = true
	*tried = append(*tried, a)
	if err != nil || d == nil {
		return nil
	}
	d.Partial = true
	d.Notes = append(d.Notes, "the file's directory is lost; these are the pages that were found, others may be missing")
	return choose(d, *tried, "both readers failed; its directory was rebuilt from the objects in the file")
}

// score prefers, of two readings, the one with more letters that can be read.
func score(d *Doc) float64 {
	q := d.Reading.Quality
	return q.Score * (1 - q.Unmapped) * min(1, float64(q.Letters)/200)
}

// passable is the score below which a text is not handed on.
const passable = 0.3

func checked(d *Doc) (*Doc, error) {
	q := d.Reading.Quality
	if q.Score >= passable {
		return d, nil
	}
	d.Sections, d.Captions, d.References, d.Abstract, d.Title, d.Authors = nil, nil, nil, "", "", nil
	return d, fail(ErrGarbled, "%.0f %% of its letters have no known meaning, score %.2f", 100*q.Unmapped, q.Score)
}

func choose(d *Doc, tried []Attempt, reason string) *Doc {
	d.Reading.Tried, d.Reading.Reason = tried, reason
	return d
}

func attemptOf(name string, d *Doc, err error) Attempt {
	a := Attempt{Reader: name}
	if d != nil {
		a.Quality = d.Reading.Quality
	}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}

// worse picks, of the errors of both readers, the one that says most.
func worse(a, b error) error {
	for _, kind := range []error{ErrEncrypted, ErrScan, ErrGarbled, ErrLimit} {
		if errors.Is(b, kind) {
			return b
		}
		if errors.Is(a, kind) && kind != ErrLimit {
			return a
		}
	}
	if Kind(b) == "" {
		return a
	}
	return b
}

// attempt reads with one reader, within its time.
func (r Reader) attempt(ctx context.Context, name string, b []byte) (*Doc, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Limits.Time)
	defer cancel()
	return r.inside(ctx, name, b)
}

// inside reads with one reader in this process.
func (r Reader) inside(ctx context.Context, name string, b []byte) (d *Doc, err error) {
	err = guard(func() error {
		d, err = r.once(ctx, name, b)
		return err
	})
	if d != nil {
		d.Reading.Reader = name
	}
	return d, err
}

func (r Reader) once(ctx context.Context, name string, b []byte) (*Doc, error) {
	var pages []page
	var err error
	var title string
	var total int
	var notes []string
	switch name {
	case readerLedongthuc:
		p := &ledong{ctx: ctx, lim: r.Limits}
		pages, err = p.pages(b)
		title, total, notes = p.title, p.total, p.notes
	default:
		p := &sandboxed{ctx: ctx, lim: r.Limits, cache: r.Cache}
		pages, err = p.pages(b)
		title, total, notes = p.title, p.total, p.notes
	}
	if err != nil {
		return &Doc{Format: FormatPDF, Pages: total}, err
	}
	letters, images := 0, 0
	for _, p := range pages {
		images += p.images
		for _, g := range p.glyphs {
			if strings.TrimSpace(g.text) != "" {
				letters++
			}
		}
	}
	if letters == 0 {
		d := &Doc{Format: FormatPDF, Pages: total}
		switch {
		case images > 0:
			return d, fail(ErrScan, "%s, %s", count(total, "page"), count(images, "image"))
		case len(notes) > 0:
			return d, fail(ErrDamaged, "no text could be read (%s)", notes[0])
		}
		return d, fail(ErrScan, "%s without text and images", count(total, "page"))
	}
	d := compose(pages, title)
	d.Pages = total
	d.Reading.Quality = assess(pages, d)
	if len(notes) > 0 {
		d.Notes, d.Partial = notes, true
	}
	if total > len(pages) {
		d.Partial = true
		d.Notes = append(d.Notes, fmt.Sprintf("only the first %d of %d pages were read", len(pages), total))
	}
	if !bytes.Contains(b[max(0, len(b)-2048):], []byte("%%EOF")) {
		d.Partial = true
		d.Notes = append(d.Notes, "the file has no end mark: it was probably cut off on its way")
	}
	if ocr(pages) {
		d.Notes = append(d.Notes, "the text is a scan's recognised text and may hold wrong letters")
	}
	return d, nil
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ocr says whether the text is mostly drawn invisibly over images.
func ocr(pages []page) bool {
	all, unseen := 0, 0
	for _, p := range pages {
		for _, g := range p.glyphs {
			all++
			if g.style&hidden != 0 {
				unseen++
			}
		}
	}
	return 2*unseen > all
}
