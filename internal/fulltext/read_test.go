package fulltext

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"optimistresearch/internal/text"
)

// page is a PDF of one page with the given lines, the first in large type.
func pdfOf(lines ...string) []byte {
	var content strings.Builder
	size, y := 18, 720
	for _, l := range lines {
		fmt.Fprintf(&content, "BT /F1 %d Tf 72 %d Td (%s) Tj ET\n", size, y, l)
		if size == 18 {
			y -= 14
		}
		size, y = 11, y-16
	}
	objects := []string{
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%sendstream", content.Len(), content.String()),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
	}
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, o := range objects {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, xref)
	return []byte(b.String())
}

func TestReadAPage(t *testing.T) {
	d, err := Read(context.Background(), pdfOf("Sleep improves recall in students", "Anna Berg", "doi: 10.1234/sleep.7", "Abstract",
		"Sleep improved recall by 12 percent in 40 students compared with wake-", "fulness in our trial, and the effect lasted for one week.",
		"Introduction", "Memory after learning depends on what follows, and sleep is what most often follows."), "", "")
	if err != nil {
		t.Fatal(err)
	}
	if d.Title != "Sleep improves recall in students" || d.Pages != 1 || d.Format != FormatPDF || d.Reading.Reader != readerLedongthuc {
		t.Errorf("title %q, %d pages, by %s", d.Title, d.Pages, d.Reading.Reader)
	}
	whole := d.Abstract + " " + d.Text()
	if !strings.Contains(whole, "wakefulness in our trial") {
		t.Errorf("the hyphen at the line's end was not mended: %q", whole)
	}
	if !strings.Contains(d.Front, "10.1234/sleep.7") {
		t.Errorf("the first page lacks the DOI: %q", d.Front)
	}
}

// What is no paper is an error of its kind, whatever it calls itself.
func TestKindsOfFailure(t *testing.T) {
	good := pdfOf("A title of a paper", "Some text that stands on the page.")
	for name, c := range map[string]struct {
		in   []byte
		want error
	}{
		"nothing":     {nil, ErrEmpty},
		"blanks":      {[]byte(" \n\t "), ErrEmpty},
		"a log-in":    {[]byte("<!DOCTYPE html><html><body>Sign in</body></html>"), ErrWebPage},
		"words":       {[]byte("just some words"), ErrFormat},
		"a head only": {[]byte("%PDF-1.7\n%%EOF\n"), ErrDamaged},
	} {
		d, err := Read(context.Background(), c.in, "application/pdf", "https://example.org/paper.pdf")
		if !errors.Is(err, c.want) || d == nil {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if _, err := (Reader{Limits: Limits{Bytes: 100}}).Read(context.Background(), good, "", ""); !errors.Is(err, ErrTooLarge) {
		t.Errorf("beyond the cap: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, good, "", ""); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// The titles of real papers are found; files that are no papers are told apart.
func TestRealFiles(t *testing.T) {
	dir := "../../../shared/data/pdf"
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the PDF files are not here")
	}
	cache := t.TempDir()
	for name, want := range map[string]string{
		"acl_2020.acl-main.207.pdf":           "SPECTER: Document-level Representation Learning using Citation-informed Transformers",
		"acl_N18-3011.pdf":                    "Construction of the Literature Graph in Semantic Scholar",
		"acm_keim2024.pdf":                    "Recovering Trace Links Between Software Documentation And Code",
		"hindawi_tully2010.pdf":               "Patient Experiences of Structured Heart Failure Programmes",
		"peerj_webb2017.pdf":                  "VESPA: Very large-scale Evolutionary and Selective Pressure Analyses",
		"encrypted_user_password.pdf":         "!encrypted",
		"scan_image_only.pdf":                 "!scan",
		"html_served_as_pdf.pdf":              "!web_page",
		"not_a_pdf_13_bytes.pdf":              "!format",
		"bmc_datta2010_systematic_review.pdf": "Complications related to deep venous thrombosis prophylaxis in trauma",
	} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		d, err := Reader{Cache: cache}.Read(context.Background(), b, "application/pdf", "")
		if kind, bad := strings.CutPrefix(want, "!"); bad {
			if Kind(err) != kind {
				t.Errorf("%s: %v, want %s", name, err, kind)
			}
			continue
		}
		if err != nil || !strings.HasPrefix(text.TitleKey(d.Title), text.TitleKey(want)) {
			t.Errorf("%s: title %q (%v), want %q", name, d.Title, err, want)
		}
	}
}

// No file, however broken, may panic or hang.
func FuzzRead(f *testing.F) {
	f.Add(pdfOf("A title", "Text."))
	f.Add([]byte("%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] >>\nendobj\ntrailer << /Root 1 0 R >>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p := &ledong{ctx: context.Background(), lim: Limits{}.filled()}
		_ = guard(func() error { _, err := p.pages(b); return err })
		_ = repaired(b)
	})
}
