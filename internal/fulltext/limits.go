package fulltext

import "time"

// Limits bound what one file may cost. A zero field stands for the default.
type Limits struct {
	// Bytes of the file; 64 MiB.
	Bytes int
	// Pages read of a PDF; 300. A longer one is read up to there and marked.
	Pages int
	// Stream is the number of bytes that one decompressed stream may have; 32 MiB.
	Stream int
	// Glyphs drawn in a PDF; 3 million (about 900 pages of print).
	Glyphs int
	// Steps are operators and objects of a PDF; 20 million.
	Steps int
	// Nodes of a markup file; 1 million.
	Nodes int
	// Memory of a worker process, and of PDFium's sandbox, in bytes; 768 MiB.
	Memory int
	// Time for one reader on one file; 60 s.
	Time time.Duration
}

func (l Limits) filled() Limits {
	set := func(p *int, v int) {
		if *p <= 0 {
			*p = v
		}
	}
	set(&l.Bytes, 64<<20)
	set(&l.Pages, 300)
	set(&l.Stream, 32<<20)
	set(&l.Glyphs, 3_000_000)
	set(&l.Steps, 20_000_000)
	set(&l.Nodes, 1_000_000)
	set(&l.Memory, 768<<20)
	if l.Time <= 0 {
		l.Time = time.Minute
	}
	return l
}
