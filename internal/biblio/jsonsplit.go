package biblio

import (
	"bufio"
	"errors"
	"io"
)

// objects takes a stream of JSON apart: the objects of an array, one object a
// line, or objects one behind the other. It gives each object with its line,
// and does not lose the next one when one is broken.
type objects struct {
	in   *bufio.Reader
	k    *sink
	line int // line ends seen
	err  error
	buf  []byte
	open []byte // brackets
}

const deepestJSON = 500

// next gives the bytes of the next object, valid until the next call.
func (o *objects) next() (object []byte, line int, ok bool) {
	for o.err == nil {
		c, ok := o.read()
		switch {
		case !ok:
			return nil, 0, false
		case c == '{':
			line = o.line + 1
			if o.object() {
				return o.buf, line, true
			}
		case c == '\n' || c == ' ' || c == '\t' || c == ',' || c == '[' || c == ']' || c == 0x1E:
		default:
			o.stray(c)
		}
	}
	return nil, 0, false
}

func (o *objects) read() (byte, bool) {
	c, err := o.in.ReadByte()
	if err != nil {
		o.err = err
		return 0, false
	}
	if c == '\n' {
		o.line++
	}
	return c, true
}

// stray skips what stands between objects, up to the end of the line.
func (o *objects) stray(c byte) {
	line := o.line + 1
	sample := []byte{c}
	for c != '\n' {
		next, err := o.in.Peek(1)
		if err != nil || next[0] == '{' {
			break
		}
		if c, _ = o.read(); len(sample) < 200 {
			sample = append(sample, c)
		}
	}
	o.k.skip(line, "", string(sample), "this is no JSON object")
}

// object reads behind a brace to the one that closes it. A broken object is
// reported and left at the start of a line that can begin the next.
func (o *objects) object() bool {
	o.buf = append(o.buf[:0], '{')
	start, quoted, hidden := o.line+1, false, false
	o.open = append(o.open[:0], '{')
	last := byte('{') // but for blanks
	for {
		c, ok := o.read()
		if !ok {
			if errors.Is(o.err, io.EOF) {
				o.k.skip(start, "", string(o.buf[:min(200, len(o.buf))]), "the file ends within the record")
			}
			return false
		}
		if len(o.buf) > largest {
			o.k.skip(start, "", string(o.buf[:200]), "the record has more than %d MiB", largest>>20)
			return o.resync(c)
		}
		o.buf = append(o.buf, c)
		switch {
		case quoted && c == '\n':
			o.k.skip(start, "", string(o.buf[:min(200, len(o.buf))]), "the record is broken: a text in it is not closed")
			return o.resync(c)
		case hidden:
			hidden = false
		case quoted && c == '\\':
			hidden = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if o.open = append(o.open, c); len(o.open) > deepestJSON {
				o.k.skip(start, "", string(o.buf[:200]), "the record is nested more than %d deep", deepestJSON)
				return o.resync(c)
			}
		case c == '}' || c == ']':
			if o.close(c); len(o.open) == 0 {
				return true
			}
		case c == '\n' && last != ',' && last != ':' && last != '[' && last != '{':
			if next, err := o.in.Peek(1); err == nil && next[0] == '{' {
				o.k.skip(start, "", string(o.buf[:min(200, len(o.buf))]), "the record is broken: it is not closed before the next begins")
				return false
			}
		}
		if c != ' ' && c != '\t' && c != '\n' {
			last = c
		}
	}
}

// close takes away brackets up to the one that c closes. One that closes none is
// left for the decoder to complain about.
func (o *objects) close(c byte) {
	want := byte('{')
	if c == ']' {
		want = '['
	}
	for i := len(o.open) - 1; i >= 0; i-- {
		if o.open[i] == want {
			o.open = o.open[:i]
			return
		}
	}
}

// resync moves to a line that begins with a brace.
func (o *objects) resync(c byte) bool {
	for {
		for c != '\n' {
			var ok bool
			if c, ok = o.read(); !ok {
				return false
			}
		}
		next, err := o.in.Peek(1)
		for err == nil && (next[0] == ' ' || next[0] == '\t') {
			o.read()
			next, err = o.in.Peek(1)
		}
		if err != nil || next[0] == '{' {
			return false
		}
		c = 0
	}
}
