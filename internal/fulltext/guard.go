package fulltext

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"runtime"
	"strconv"
)

// guarded serves a file's bytes to a parser that has no limits of its own. Every
// loop of such a parser comes back here for more bytes, so this is where it is
// stopped: when the time is over, when it has asked for far more than there is,
// or when it has called itself too deep. It stops by a panic with a stopped
// value, which guard turns into an error.
type guarded struct {
	ctx  context.Context
	b    []byte
	left int // bytes that may still be asked for
	n    int
}

type stopped struct{ why string }

// maxDepth is far above what an honest file needs and far below what the stack
// holds.
const maxDepth = 3000

func (g *guarded) ReadAt(p []byte, off int64) (int, error) {
	if g.n++; g.n%16 == 0 {
		if g.ctx.Err() != nil {
			panic(stopped{"the time was over"})
		}
		var pc [maxDepth]uintptr
		if runtime.Callers(0, pc[:]) == maxDepth {
			panic(stopped{"objects refer to each other without end"})
		}
	}
	if g.left -= len(p) + 256; g.left < 0 {
		panic(stopped{"objects were read over and over again"})
	}
	return bytes.NewReader(g.b).ReadAt(p, off)
}

// guard runs f and turns a panic into an error.
func guard(f func() error) (err error) {
	defer func() {
		switch x := recover().(type) {
		case nil:
		case stopped:
			err = fail(ErrLimit, "%s", x.why)
		case error:
			var fatal runtime.Error
			if errors.As(x, &fatal) {
				err = fail(ErrDamaged, "the parser lost its way (%v)", x)
			} else {
				err = fail(ErrDamaged, "%v", x)
			}
		default:
			err = fail(ErrDamaged, "%v", x)
		}
	}()
	return f()
}

var bigNumber = regexp.MustCompile(`/(Size|Columns|N|Length1|W|Index)\s*\[?\s*(?:\d+\s+)*?(\d{7,})`)

// hazard finds numbers that make the first reader's parser ask for gigabytes
// before it has read anything: it allocates by what the file says. (A file of
// 1 kB with /Size 4294967296 asks for 137 GB.)
func hazard(b []byte) error {
	for _, m := range bigNumber.FindAllSubmatch(b, 64) {
		n, err := strconv.ParseUint(string(m[2]), 10, 63)
		if err != nil || n > uint64(len(b)) && n > 1<<20 {
			return fmt.Errorf("/%s %.20s does not fit a file of %d bytes", m[1], m[2], len(b))
		}
	}
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("xref"))
		if i < 0 {
			return nil
		}
		at += i + 4
		if n := tableNumber(b, at); n > float64(max(len(b), 1<<20)) {
			return fmt.Errorf("a cross-reference table with %.0f does not fit a file of %d bytes", n, len(b))
		}
	}
}

// tableNumber is the largest number of the cross-reference table at a place:
// offsets, generations and numbers of objects, none of which can honestly be
// larger than the file.
func tableNumber(b []byte, at int) (largest float64) {
	s := &scanner{b: b[:min(len(b), at+32<<20)], pos: at}
	for {
		o, op, ok := s.token(maxNesting)
		if !ok || op != "" && op != "n" && op != "f" || op == "" && o.kind != 'n' {
			return largest
		}
		largest = max(largest, math.Abs(o.num))
	}
}
