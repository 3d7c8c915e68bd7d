package fulltext

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"strings"
)

// Reader reads full texts, within this process, guarded by limits and a recover;
// a parser that asks for more memory than there is can still end the process.
type Reader struct {
	Limits Limits
	// Cache is a folder for the compiled code of PDFium, or "" for none. With it
	// the second reader starts ten times as quickly.
	Cache string
}

// Read reads one file with default limits, within this process.
func Read(ctx context.Context, b []byte, contentType, url string) (*Doc, error) {
	return Reader{}.Read(ctx, b, contentType, url)
}

// Read makes a document of the bytes that came for a work. The content type and
// the address may be empty; they never decide what the bytes are, and only the
// words of an error mention them.
//
// The document is never nil. An error is one of the kinds of this package or the
// context's; the document then holds what was found beside the text.
func (r Reader) Read(ctx context.Context, b []byte, contentType, url string) (*Doc, error) {
	r.Limits = r.Limits.filled()
	d, err := r.read(ctx, b)
	if d == nil {
		d = &Doc{}
	}
	if d.Sections == nil {
		d.Sections = []Section{}
	}
	if err != nil && Kind(err) == "web_page" && strings.Contains(strings.ToLower(contentType+" "+url), "pdf") {
		err = fail(err, "it came in the place of a PDF")
	}
	return d, err
}

func (r Reader) read(ctx context.Context, b []byte) (*Doc, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(bytes.TrimSpace(b[:min(len(b), 4096)])) == 0 {
		if len(b) == 0 || len(bytes.TrimSpace(b)) == 0 {
			return nil, ErrEmpty
		}
	}
	if len(b) > r.Limits.Bytes {
		return nil, fail(ErrTooLarge, "%d bytes, the cap is %d", len(b), r.Limits.Bytes)
	}
	b, err := unzipped(b, r.Limits.Bytes)
	if err != nil {
		return nil, err
	}
	switch sniff(b) {
	case FormatPDF:
		return r.pdf(ctx, b)
	case "html":
		return nil, ErrWebPage
	}
	return nil, ErrFormat
}

// unzipped unpacks what was stored compressed.
func unzipped(b []byte, limit int) ([]byte, error) {
	if !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fail(ErrDamaged, "gzip: %v", err)
	}
	out, err := io.ReadAll(io.LimitReader(z, int64(limit)+1))
	if err != nil && len(out) == 0 {
		return nil, fail(ErrDamaged, "gzip: %v", err)
	}
	if len(out) > limit {
		return nil, fail(ErrTooLarge, "it unpacks to more than %d bytes", limit)
	}
	return out, nil
}

// sniff tells the format from the bytes: FormatPDF, "html" or "".
func sniff(b []byte) string {
	if bytes.Contains(b[:min(len(b), 1024)], []byte("%PDF-")) {
		return FormatPDF
	}
	head := strings.ToLower(string(b[:min(len(b), 8192)]))
	head = strings.TrimLeft(strings.TrimPrefix(head, "\xef\xbb\xbf"), " \t\r\n")
	if strings.HasPrefix(head, "<!doctype html") || strings.Contains(head, "<html") || strings.HasPrefix(head, "<head") || strings.HasPrefix(head, "<body") {
		return "html"
	}
	return ""
}
