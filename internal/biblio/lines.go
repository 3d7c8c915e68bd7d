package biblio

import (
	"bufio"
	"errors"
	"io"
)

// lines reads a text line by line with bounded memory.
type lines struct {
	in  *bufio.Reader
	s   *Summary
	n   int // of the line read last, 1 = first
	buf []byte
	err error
}

// next gives the next line without its end. What a line has beyond the largest
// record is cut off with a warning.
func (l *lines) next() (string, bool) {
	if l.err != nil {
		return "", false
	}
	l.buf = l.buf[:0]
	cut := false
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buf)+len(part) <= largest {
			if err == nil && len(l.buf) == 0 {
				l.n++
				return string(part[:len(part)-1]), true
			}
			l.buf = append(l.buf, part...)
		} else {
			cut = true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			l.err = err
			if len(l.buf) == 0 && !cut {
				return "", false
			}
		}
		break
	}
	l.n++
	if cut {
		l.s.warn(l.n, "", string(l.buf[:min(len(l.buf), 400)]), "the line has more than %d MiB and was cut", largest>>20)
	}
	if n := len(l.buf); n > 0 && l.buf[n-1] == '\n' {
		l.buf = l.buf[:n-1]
	}
	return string(l.buf), true
}

// failure is what ended the reading, if it was not the end of the file.
func (l *lines) failure() error {
	if l.err == nil || errors.Is(l.err, io.EOF) {
		return nil
	}
	return l.err
}
