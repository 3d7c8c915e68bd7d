package fulltext

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/klippa-app/go-pdfium"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// sandboxed reads pages through PDFium, compiled to WebAssembly and run by
// wazero: it has no files, no network, at most lim.Memory bytes, and ends with
// its context. It repairs damaged files and knows the encodings of East Asian
// fonts, and takes longer to start.
type sandboxed struct {
	ctx   context.Context
	lim   Limits
	cache string // folder for compiled code, or ""
	title string
	total int
	notes []string
}

func (p *sandboxed) pages(b []byte) (out []page, err error) {
	err = guard(func() error {
		out, err = p.read(b)
		return err
	})
	if p.ctx.Err() != nil && err != nil {
		err = fail(ErrLimit, "the time was over")
	}
	return out, err
}

func (p *sandboxed) read(b []byte) ([]page, error) {
	conf := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling).
		WithCloseOnContextDone(true).
		WithMemoryLimitPages(uint32(max(p.lim.Memory*2/3, 64<<20) / 65536))
	if p.cache != "" {
		if c, err := wazero.NewCompilationCacheWithDir(p.cache); err == nil {
			defer c.Close(context.WithoutCancel(p.ctx))
			conf = conf.WithCompilationCache(c)
		}
	}
	pool, err := webassembly.Init(webassembly.Config{
		Context: p.ctx, MinIdle: 0, MaxIdle: 1, MaxTotal: 1, RuntimeConfig: conf,
		FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard, RandomSource: zeros{},
	})
	if err != nil {
		return nil, fmt.Errorf("starting PDFium: %w", err)
	}
	defer pool.Close()
	in, err := pool.GetInstanceWithContext(p.ctx)
	if err != nil {
		return nil, fmt.Errorf("starting PDFium: %w", err)
	}
	defer in.Close()
	doc, err := in.OpenDocument(&requests.OpenDocument{File: &b})
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		return nil, fail(ErrEncrypted, "it asks for a password")
	case err != nil:
		return nil, fail(ErrDamaged, "PDFium: %v", err)
	}
	if m, err := in.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: doc.Document, Tag: "Title"}); err == nil {
		p.title = m.Value
	}
	n, err := in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil {
		return nil, fail(ErrDamaged, "PDFium: %v", err)
	}
	p.total = n.PageCount
	var out []page
	left := p.lim.Glyphs
	for i := range min(p.total, p.lim.Pages) {
		if p.ctx.Err() != nil {
			return nil, fail(ErrLimit, "the time was over")
		}
		pg, err := p.page(in, doc.Document, i, left)
		if err != nil {
			p.notes = append(p.notes, fmt.Sprintf("page %d could not be read: %v", i+1, err))
		}
		if left -= len(pg.glyphs); left <= 0 {
			return nil, fail(ErrLimit, "more than %d letters", p.lim.Glyphs)
		}
		out = append(out, pg)
	}
	return out, nil
}

// zeros is the sandbox's source of randomness: reading a file needs none.
type zeros struct{}

func (zeros) Read(b []byte) (int, error) { clear(b); return len(b), nil }

func (p *sandboxed) page(in pdfium.Pdfium, doc references.FPDF_DOCUMENT, i, limit int) (page, error) {
	pg := page{w: 612, h: 792, single: true}
	loaded, err := in.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		return pg, err
	}
	defer in.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
	ref := requests.Page{ByReference: &loaded.Page}
	if w, err := in.FPDF_GetPageWidthF(&requests.FPDF_GetPageWidthF{Page: ref}); err == nil {
		pg.w = float64(w.PageWidth)
	}
	if h, err := in.FPDF_GetPageHeightF(&requests.FPDF_GetPageHeightF{Page: ref}); err == nil {
		pg.h = float64(h.PageHeight)
	}
	if n, err := in.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: ref}); err == nil && n.Count > 0 {
		pg.images = p.images(in, ref, n.Count)
	}
	tp, err := in.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		return pg, err
	}
	defer in.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: tp.TextPage})
	n, err := in.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: tp.TextPage})
	if err != nil {
		return pg, err
	}
	var word glyph // style, size and direction of the current word
	fresh := true
	for c := 0; c < n.Count && c < limit; c++ {
		u, err := in.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: tp.TextPage, Index: c})
		if err != nil {
			return pg, err
		}
		r := rune(u.Unicode)
		if r == '\r' || r == '\n' || r == ' ' {
			fresh = true
			pg.glyphs = append(pg.glyphs, glyph{text: " ", turn: word.turn})
			continue
		}
		at, err := in.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: tp.TextPage, Index: c})
		if err != nil {
			continue
		}
		if fresh {
			word = p.word(in, tp.TextPage, c)
			fresh = false
		}
		g := word
		g.x, g.y, g.text = at.X, at.Y, string(r)
		g.w = g.size / 2
		if b, err := in.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: tp.TextPage, Index: c}); err == nil {
			g.w = math.Abs(float64(b.Rect.Right - b.Rect.Left))
			if g.turn%2 == 1 {
				g.w = math.Abs(float64(b.Rect.Top - b.Rect.Bottom))
			}
		}
		switch {
		case r == 2: // PDFium's mark for a hyphen at the end of a line
			g.text = "-"
		case r == 0 || r == '\uFFFE' || r == '\uFFFF' || !plausible(g.text):
			g.text = "\uFFFD"
			g.style |= unmapped
		}
		pg.glyphs = append(pg.glyphs, g)
	}
	return pg, nil
}

// images counts the image objects among the first of a page.
func (p *sandboxed) images(in pdfium.Pdfium, ref requests.Page, n int) int {
	found := 0
	for i := range min(n, 50) {
		o, err := in.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: ref, Index: i})
		if err != nil {
			return found
		}
		if t, err := in.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject}); err == nil && t.Type == 3 {
			found++
		}
	}
	return found
}

// word asks for what the letters of a word have in common.
func (p *sandboxed) word(in pdfium.Pdfium, tp references.FPDF_TEXTPAGE, c int) (g glyph) {
	g.size = 10
	scale := 1.0
	if m, err := in.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: tp, Index: c}); err == nil {
		a := matrix{float64(m.Matrix.A), float64(m.Matrix.B), float64(m.Matrix.C), float64(m.Matrix.D)}
		scale = math.Hypot(a[2], a[3])
		g.turn = a.turn()
	}
	if s, err := in.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: tp, Index: c}); err == nil && s.FontSize > 0 {
		g.size = s.FontSize
		if scale > 0.01 {
			g.size *= scale
		}
	}
	if f, err := in.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: tp, Index: c}); err == nil {
		g.style = fontStyle(strings.ToValidUTF8(f.FontName, ""), f.Flags, 0)
	}
	return g
}
